"""The result of a run: the checked answer of the best pass, the reasons, the warnings and the trace."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from spanwise.answering.conflicting_answers import contradictory
from spanwise.answering.decision import places_of_sides
from spanwise.answering.loop import Pass, Run, Writer
from spanwise.answering.request import Request
from spanwise.answering.trace import trace_of
from spanwise.contract.record import Completeness, Missing, MissingKind
from spanwise.contract.result import Decision, Result, Source
from spanwise.domain.claim import Citation, Claim
from spanwise.domain.passage import Hit
from spanwise.domain.question import Question
from spanwise.export.formats import formatted
from spanwise.guard.drafts.checked import Checked, cite
from spanwise.retrieval.scope import missing_place
from spanwise.store.port import Store
from spanwise.text.languages import languages_of, told_language
from spanwise.text.noise import left_blank
from spanwise.text.terms import terms

_OPENING = 40
"""Number of lines by which a document's language is recognised."""
_NAMED = 5
"""Most pages without text, and most documents, that are named."""
CORRECTED_WORD = "corrected_word"
HIDDEN_EVIDENCE = "hidden_evidence"
TRUNCATED = "truncated"
RECOGNISED_TEXT, DOUBTFUL_FIGURE = "recognised_text", "doubtful_figure"
_MOST_DOCUMENTS = 3
"""Most documents searched for hidden evidence, in the order of the hits; the first ones matter most to the answer."""
_LEAST_SHARED = 0.6
_MOST_STRETCHES = 500
"""Most hidden ranges searched in a document; one with more is reported by its notices."""


def result_of(request: Request, question: Question, run: Run, writer: Writer) -> Result:
    """The result of a run: the best pass's checked answer, the decision with its reason, warnings, and the trace."""
    best, checked, store = run.best, run.best.checked, run.best.store
    decision = _explained(run.decision, best)
    shown = shows_evidence(decision, checked)
    citations, claims = evidence_of(decision, checked)
    place = missing_place(question, store, request.documents, [hit.passage.document for hit in best.drafted.hits])
    more: list[Mapping[str, object]] = []
    if question.corrections:
        more.append({"code": CORRECTED_WORD, "message": _corrected(question)})
    if place:
        more.append({"code": "unknown_place", "message": place})
    if question.limits is not None and question.limits.limited and decision.kind == "not_found":
        more.append({"code": "limited_scope", "message": f"Only {question.limits} was searched."})
    near = [*(request.documents or ())[:1], *(hit.passage.document for hit in best.drafted.hits)]
    if cut := _truncated(best):
        more.append(cut)
    if hidden := _hidden_evidence(question, store, near):
        more.append(hidden)
    if shown:
        more += _recognised(checked.citations)
    if decision.reason == "conflicting_evidence" and len(checked.answer.items) > 1:
        more.append(contradictory(checked))
    trace = trace_of(request, question, run, decision, store, writer)
    return Result(
        trace_id=trace.id,
        question=question.written or question.text,
        decision=decision,
        text=checked.text if decision.kind == "ship" else decision.message,
        answer=checked.answer,
        confidence=round(best.confidence, 4) if shown else 0.0,
        citations=citations,
        claims=claims,
        warnings=(*checked.warnings, *(str(detail["code"]) for detail in more)),
        warning_details=(*checked.warning_details, *more),
        completeness=Completeness(
            checked.answer.context_completeness_weak, best.continuation.strong, best.continuation.why
        ),
        missing=None if decision.kind == "ship" else _missing(question, best, decision, store),
        used_chunk_ids=_used(best.drafted.hits, checked) if shown else (),
        metrics=_metrics(run),
        meta={**_meta(question, run, writer), "versions": _versions(checked, best, store)},
        trace=trace,
        formatter=formatted,
    )


def _truncated(best: Pass) -> Mapping[str, object] | None:
    """The warning that the model's output limit cut a reply; None if it did not."""
    left_out = best.drafted.meta.get("left_out")
    for one in left_out if isinstance(left_out, list) else ():
        if isinstance(one, Mapping) and one.get("reason") == TRUNCATED:
            return {"code": TRUNCATED, "message": one["detail"]}
    return None


def shows_evidence(decision: Decision, checked: Checked) -> bool:
    """True if the answer, or the sides of a conflict, are shown with their citations."""
    return decision.kind == "ship" or (decision.reason == "conflicting_evidence" and bool(checked.citations))


def evidence_of(decision: Decision, checked: Checked) -> tuple[tuple[Citation, ...], tuple[Claim, ...]]:
    """The citations and claims of a result, with their ranges in its text; none unless its evidence is shown.

    The text of a conflict is the message that lists its sides; a side that it does not list has the empty range.
    """
    if not shows_evidence(decision, checked):
        return (), ()
    if decision.kind == "ship":
        return checked.citations, checked.claims
    places = places_of_sides(decision.message, checked.answer.items)
    claims = []
    for claim in checked.claims:
        near = (one.item for one in checked.citations if one.at[0] < claim.end and claim.start < one.at[1])
        start, end = places.get(next(near, -1), (0, 0))
        claims.append(replace(claim, start=start, end=end))
    return tuple(replace(one, at=places.get(one.item, (0, 0))) for one in checked.citations), tuple(claims)


def _explained(decision: Decision, best: Pass) -> Decision:
    """The decision; for `not_found`, its reason is replaced by a more specific one."""
    if decision.kind != "not_found" or decision.action == "reject":
        return decision
    draft = best.drafted.draft
    if draft.answer.answer_found and not best.checked.answer.answer_found:
        reason = "no part of the draft was held up by the lines it cited"
    elif not draft.nearest:
        reason = "no passage shares a word with the question"
    else:
        reason = "the nearest passages do not cover the question"
    return replace(decision, reason=reason)


def _missing(question: Question, best: Pass, decision: Decision, store: Store) -> Missing:
    draft = best.drafted.draft
    if decision.kind == "clarify" and question.clarification is not None:
        return Missing(decision.reason, (), "what exactly is asked for", "too_vague")
    nearest = tuple(cite(source, store, id=f"n{rank}") for rank, source in enumerate(draft.nearest, start=1))
    kind, what = _kind(question, best, decision, store)
    return Missing(decision.reason, nearest, what, kind)


def _kind(question: Question, best: Pass, decision: Decision, store: Store) -> tuple[MissingKind, str]:
    """The kind of what is missing, and a description of what would be an answer."""
    draft = best.drafted.draft
    if decision.kind == "clarify":
        kind: MissingKind = "conflicting" if draft.answer.conflicting_evidence else "too_vague"
        return kind, draft.answer.suggested_clarification or "which of the answers is meant"
    if decision.action == "reject":
        return "rejected", "an answer that its lines prove"
    if best.continuation.strong is False:
        return "truncated", f"page {best.continuation.page} of {best.continuation.document}, where the text goes on"
    if question.demanded not in (None, "text") and draft.nearest and draft.answer.caveats:
        return "wrong_shape", f"lines that state a value of the type {question.demanded}"
    names = dict.fromkeys(source.document for source in draft.nearest) or _few(store)
    unread = [f"{page.label} of {name}" for name in names for page in store.pages(name) if not page.readable]
    if unread:
        more = f" and {len(unread) - _NAMED} more" if len(unread) > _NAMED else ""
        return "unreadable_page", f"the text of pages that show a picture only: {', '.join(unread[:_NAMED])}{more}"
    spoken = _spoken(question, names, store)
    told = f"a question in the language of the document ({spoken})" if spoken else ""
    left = _left_blank(question, draft.nearest, store)
    return "off_corpus", left or told or _what_would_answer(question, draft.lacking)


def _left_blank(question: Question, nearest: Sequence[Source], store: Store) -> str:
    """A description of the blank that the nearest line leaves where the answer should be; empty if there is none."""
    for one in nearest[:1]:
        lines = store.lines(one.document, one.line_start, one.line_end)
        if left_blank(" ".join(line.text for line in lines), question.stems):
            return f"what is left blank in {one.document}, line {one.line_start}"
    return ""


def _spoken(question: Question, names: Collection[str], store: Store) -> str:
    """The languages of some documents, comma-separated, if the question is clearly in another one; else empty."""
    texts = [line.text for name in names for line in store.lines(name, 1, _OPENING)]
    spoken = languages_of(texts, sum(map(len, texts)))
    own = told_language(question.text, spoken)
    return ", ".join(spoken) if spoken and own and own not in spoken else ""


def _few(store: Store) -> dict[str, None]:
    """All documents if there are few, else none: among many, a scanned page says nothing about this question."""
    names = [one.name for one in islice(store.documents(), _NAMED + 1)]
    return dict.fromkeys(names if len(names) <= _NAMED else ())


def _what_would_answer(question: Question, lacking: Sequence[str]) -> str:
    if not question.stems:
        return "a question with words that say what it is about"
    if lacking:
        return "no passage that was found speaks of: " + ", ".join(_as_asked(question, lacking))
    return "one passage that speaks of all of it: " + ", ".join(_as_asked(question, question.stems))


def _as_asked(question: Question, stems: Collection[str]) -> list[str]:
    """The words of the question that have these stems, as the user wrote them."""
    words = dict.fromkeys(word.strip("?!.,;:\"'()[]") for word in question.text.split())
    return [word for word in words if any(stem in stems for stem in terms(word, question.language))]


def _used(hits: Sequence[Hit], checked: Checked) -> tuple[str, ...]:
    """Ids of the passages that overlap a citation, in the order of the citations."""
    used: dict[str, None] = {}
    for citation in checked.citations:
        for hit in hits:
            passage = hit.passage
            inside = passage.line_start <= citation.line_end and citation.line_start <= passage.line_end
            if passage.document == citation.document and inside:
                used[passage.id] = None
    return tuple(used)


def _metrics(run: Run) -> dict[str, float]:
    usage = [one.drafted.usage for one in run.passes]
    return {
        "latency_ms": 0.0,
        "llm_calls": sum(one.requests or len(made.drafted.calls) for one, made in zip(usage, run.passes, strict=True)),
        "prompt_tokens": sum(one.prompt_tokens for one in usage),
        "completion_tokens": sum(one.completion_tokens for one in usage),
        "cost_usd": sum(one.cost_usd or 0.0 for one in usage),
    }


def _versions(checked: Checked, best: Pass, store: Store) -> dict[str, str]:
    """The SHA-256 of each cited or near document, so that line numbers are not applied to another version."""
    cited = [citation.document for citation in checked.citations]
    near = [source.document for source in best.drafted.draft.nearest]
    return {name: store.stored(name).id for name in dict.fromkeys([*cited, *near])}


def _corrected(question: Question) -> str:
    """The message about corrected words of the question."""
    words = (f"'{meant}' for '{written}'" for written, meant in question.corrections.items())
    return f"Searched for {', '.join(words)}, which no document has."


def _meta(question: Question, run: Run, writer: Writer) -> dict[str, object]:
    draft = run.best.drafted.draft
    return {
        "mode": writer.name,
        "answer_shape": question.answer_shape,
        "answer_type": question.demanded or question.answer_type,
        "intent": question.intent,
        "profile": question.profile,
        "relevance": round(draft.relevance, 4),
        "path": draft.path,
        "schema_used": run.best.checked.answer.__class__.__name__,
        "model_name": writer.model,
        "notes": list(question.notes),
        "retrieved_context": [hit.passage.id for hit in run.best.drafted.hits],
        "computations": [made.to_dict() if made else None for made in draft.computations],
        "context_completeness_strong": run.best.continuation.strong,
        "passes": len(run.passes),
        "exhausted": run.exhausted,
        **run.best.drafted.meta,
    }


def _recognised(citations: Sequence[Citation]) -> Iterator[Mapping[str, object]]:
    """Warnings about citations of recognised text, and about figures that two recognitions read differently."""
    found = [(one.recognition, one) for one in citations if one.recognition is not None]
    if found:
        surest, least = min(found, key=lambda pair: pair[0].confidence)
        yield {
            "code": RECOGNISED_TEXT,
            "message": f"Lines of {least.document} were recognised in a picture, with a confidence of "
            f"{surest.confidence:.2f} at least: compare them with the page.",
            "document": least.document,
            "confidence": surest.confidence,
            "citations": [one.id for _, one in found],
        }
    for recognition, one in found:
        for figure in recognition.doubtful:
            yield {
                "code": DOUBTFUL_FIGURE,
                "message": f"A figure in line {one.line_start} of {one.document} was read as {figure}: look there.",
                "document": one.document,
                "citation": one.id,
                "figure": figure,
            }


def _hidden_evidence(question: Question, store: Store, documents: Iterable[str]) -> Mapping[str, object] | None:
    """The warning that hidden text matches the question, with document, page and reason; None if there is none.

    The text is not quoted, because whoever hides text in a document wants it to be passed on.
    """
    asked = set(question.stems)
    if not asked:
        return None
    needed = max(_LEAST_SHARED * len(asked), min(2, len(asked)))
    for name in islice(dict.fromkeys(documents), _MOST_DOCUMENTS):
        for hidden in store.hidden(name)[:_MOST_STRETCHES]:
            if len(asked.intersection(terms(hidden.text, question.language))) >= needed:
                return {
                    "code": HIDDEN_EVIDENCE,
                    "message": f"Page {hidden.page} of {name} holds text that nobody sees ({hidden.reason}) "
                    "and that speaks of what was asked; it was not answered from.",
                    "document": name,
                    "page": hidden.page,
                    "reason": hidden.reason,
                }
    return None
