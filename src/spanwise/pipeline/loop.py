"""The whole way of one question: ask, find, write, check, decide."""

from __future__ import annotations

import hashlib
import json
import time
from collections import Counter
from collections.abc import Collection, Mapping
from functools import lru_cache

from spanwise.contract.result import Completeness, Decision, Draft, Missing, Result
from spanwise.domain.passage import Hit
from spanwise.domain.question import Question
from spanwise.domain.trace import Step, Trace
from spanwise.guard.guard import Checked, check, cite
from spanwise.pipeline.decide import decide
from spanwise.pipeline.parts import answered_by_parts, joined, refers_back
from spanwise.questions.parse import covering, parse_with
from spanwise.questions.profiles import load_profile
from spanwise.retrieval.retriever import retrieve
from spanwise.retrieval.scope import missing_place
from spanwise.store.port import Store
from spanwise.synthesis.extractive.answer import extract, nothing
from spanwise.text.features import START_LINES

HITS = 20
"""Passages that are retrieved for one question."""
OPENED = 5
"""Hits whose documents are looked at to tell what kind of document is asked."""


def answer_extractively(
    text: str, store: Store, *, documents: Collection[str] | None = None, profile: str | None = None
) -> Result:
    """Answer one question from a store, without a model.

    Args:
        text: The question.
        store: Where to look.
        documents: Names of the documents to look in; all by default.
        profile: Name or path of a profile; by default the shipped ones that cover the documents at hand.

    Raises:
        QuestionError: The question is empty or too long.
    """
    began = time.perf_counter()
    question = _parsed(text, store, documents, profile)
    hits, draft = _drafted(question, store, documents, profile)
    checked = check(draft, store)
    place = missing_place(question, store, documents, [hit.passage.document for hit in hits])
    warnings = (*checked.warnings, *(["unknown_place"] if place else []))
    details: list[Mapping[str, object]] = [*checked.warning_details]
    if place:
        details.append({"code": "unknown_place", "message": place})
    decision = decide(question, draft, checked)
    trace = _trace(question, hits, draft, checked, decision)
    found = decision.kind == "ship"
    return Result(
        trace_id=trace.id,
        question=question.text,
        decision=decision,
        text=checked.text if found else decision.message,
        answer=checked.answer,
        confidence=round(draft.relevance, 4) if found else 0.0,
        citations=checked.citations if found else (),
        claims=checked.claims if found else (),
        warnings=warnings,
        warning_details=tuple(details),
        completeness=Completeness(checked.answer.context_completeness_weak, None, "the next page was not looked at"),
        missing=None if found else _missing(question, draft, decision, store),
        used_chunk_ids=_used(hits, checked) if found else (),
        metrics={
            "latency_ms": round((time.perf_counter() - began) * 1000, 3),
            "llm_calls": 0,
            "prompt_tokens": 0,
            "completion_tokens": 0,
            "cost_usd": 0.0,
        },
        meta={
            "mode": "extractive",
            "answer_shape": question.answer_shape,
            "answer_type": question.answer_type,
            "intent": question.intent,
            "profile": question.profile,
            "relevance": round(draft.relevance, 4),
            "schema_used": type(checked.answer).__name__,
            "model_name": None,
            "retrieved_context": [hit.passage.id for hit in hits],
        },
        trace=trace,
    )


def _drafted(
    question: Question, store: Store, documents: Collection[str] | None, profile: str | None
) -> tuple[list[Hit], Draft]:
    """What was found and drafted: nothing is looked for when the question has to be clarified first."""
    if question.clarification is not None:
        return [], nothing(question.clarification)
    hits = retrieve(question, store, documents=documents, k=HITS)
    if not answered_by_parts(question):
        return hits, extract(question, hits, store)
    found, drafts = list(hits), []
    for part in question.parts:
        asked = _parsed(part, store, documents, profile)
        near = hits if refers_back(part) else retrieve(asked, store, documents=documents, k=HITS)
        drafts.append(extract(asked, near, store))
        found += [hit for hit in near if all(hit.passage.id != other.passage.id for other in found)]
    if not any(draft.answer.answer_found for draft in drafts):
        return hits, extract(question, hits, store)
    return found, joined(question.parts, drafts)


def _parsed(text: str, store: Store, documents: Collection[str] | None, profile: str | None) -> Question:
    """The question, read with the profiles that cover at least half of the documents where its words are."""
    if profile is not None:
        return parse_with(text, [load_profile(profile)])
    plain = parse_with(text, [])
    if plain.clarification is not None:
        return plain  # nothing is looked for before the question is clear
    near = store.search(plain.retrieval_brief.query or plain.text, k=OPENED, documents=documents)
    names = list(dict.fromkeys(hit.passage.document for hit in near)) or [one.name for one in store.documents()[:1]]
    openings = ["\n".join(passage.text for passage in store.passages(name, 1, START_LINES)) for name in names]
    kinds = Counter(name for opening in openings for name in _covering(opening))
    return parse_with(text, [profile for profile in covering(None) if 2 * kinds[profile.name] >= len(openings)])


@lru_cache(maxsize=512)
def _covering(opening: str) -> tuple[str, ...]:
    """Names of the shipped profiles that cover a document which begins like this; asked again for every question."""
    return tuple(profile.name for profile in covering(opening))


def _missing(question: Question, draft: Draft, decision: Decision, store: Store) -> Missing:
    if decision.kind == "clarify":
        return Missing(decision.reason, (), "what exactly is asked for")
    nearest = tuple(cite(source, store, id=f"n{rank}") for rank, source in enumerate(draft.nearest, start=1))
    if not question.stems:
        what = "a question with words that say what it is about"
    elif draft.lacking:
        what = "no passage that was found speaks of: " + ", ".join(_as_asked(question, draft.lacking))
    else:
        what = "one passage that speaks of all of it: " + ", ".join(_as_asked(question, question.stems))
    return Missing(reason=decision.reason, nearest=nearest, what=what)


def _as_asked(question: Question, stems: Collection[str]) -> list[str]:
    """The words of the question behind some stems, as the user wrote them."""
    from spanwise.text.terms import terms

    words = dict.fromkeys(word.strip("?!.,;:\"'()[]") for word in question.text.split())
    return [word for word in words if any(stem in stems for stem in terms(word))]


def _used(hits: list[Hit], checked: Checked) -> tuple[str, ...]:
    """Passages that a citation touches, in the order of the citations."""
    used: dict[str, None] = {}
    for citation in checked.citations:
        for hit in hits:
            passage = hit.passage
            inside = passage.line_start <= citation.line_end and citation.line_start <= passage.line_end
            if passage.document == citation.document and inside:
                used[passage.id] = None
    return tuple(used)


def _trace(question: Question, hits: list[Hit], draft: Draft, checked: Checked, decision: Decision) -> Trace:
    steps = (
        Step(
            "question",
            {
                "text": question.text,
                "keywords": list(question.stems),
                "shape": question.answer_shape,
                "intent": question.intent,
            },
        ),
        Step(
            "retrieval",
            {
                "hits": [
                    {"id": hit.passage.id, "score": round(hit.score, 6), "factors": dict(hit.factors)} for hit in hits
                ]
            },
        ),
        Step("synthesis", {"mode": "extractive", "draft": draft.answer.model_dump(mode="json")}),
        Step("guard", {"warnings": list(checked.warning_details), "kept": len(checked.answer.items)}),
        Step("decision", {"kind": decision.kind, "reason": decision.reason}),
    )
    content = json.dumps([step.record for step in steps], sort_keys=True, ensure_ascii=False)
    return Trace(hashlib.sha256(content.encode()).hexdigest()[:16], steps)
