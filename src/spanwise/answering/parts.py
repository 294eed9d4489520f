"""Questions with several parts, or about several subjects: each is answered by itself, and the drafts are joined."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import astuple, replace

from spanwise.contract.answers import AnswerBase, BooleanAnswer, TextAnswer
from spanwise.contract.compute import Computation
from spanwise.contract.items import Item, TextItem
from spanwise.contract.rendering import worded
from spanwise.contract.result import Draft
from spanwise.domain.passage import Hit
from spanwise.domain.question import Question
from spanwise.retrieval.subject import MOST_GROUPS, Subject
from spanwise.store.port import Store
from spanwise.synthesis.extractive.answer import nothing
from spanwise.text.patterns import lazy_pattern

_UNANSWERED = 0.5
"""Factor of the chance that all of it is right, for a part without an answer."""
_PRONOUN = re.compile(r"\b(?:(its|their)|it|they|them)\b", re.IGNORECASE)
_NAMING = (
    re.compile(r"(?<=[\w,] )((?:[A-Z][\w&.-]*\s?){1,4}\b)(?!')"),
    lazy_pattern(
        r"^\W*(?:what|which)\s+(?:is|are|was|were|does)\s+(?:an?\s+)?"
        r"([^?,]{2,50}?)(?=\s+(?:in|of|for|mean)\b|[?,]|$)",
        re.IGNORECASE,
    ),
    re.compile(r"\b(the\s+\w+(?:\s\w+)?)\W*$", re.IGNORECASE),
)
"""Patterns of what a question names: a name, what it asks for, or its last words; each is bounded."""
_REFERS_BACK = re.compile(r"\b(?:it|its|he|she|they|them|him|her|his|their|this|that|these|those)\b", re.IGNORECASE)


def answered_by_parts(question: Question) -> bool:
    """True if a question is made of parts that can be asked one by one."""
    return question.pattern in ("independent", "sequential") and len(question.parts) > 1


def refers_back(part: str) -> bool:
    """True if a part speaks of what another part names, so that it cannot be searched for by itself."""
    return bool(_REFERS_BACK.search(part))


def with_antecedent(part: str, before: Sequence[str]) -> str | None:
    """A part with what its pronoun stands for, read in the nearest part before it that names something; else None.

    "What does Purge mean? How is it different from Clear?" asks "How is Purge different from Clear?".
    """
    if _PRONOUN.search(part) is None:
        return None
    for earlier in reversed(before):
        named = next((match[1] for pattern in _NAMING if (match := pattern.search(earlier))), None)
        if named is not None:
            return _put_in(part, named.strip())
    return None


def _put_in(part: str, meant: str) -> str:
    return _PRONOUN.sub(lambda found: f"{meant}'s" if found[1] else meant, part, count=1)


def joined(parts: Sequence[str], drafts: Sequence[Draft]) -> Draft:
    """One draft of the drafts of all parts: every item, and a caveat for each part without an answer.

    Of a part with possible answers only the most likely one is told.
    An answer has items of one kind. Where the parts have values of different kinds each becomes the words that say it,
    as does a yes or no, which says little without its sentence; a figure that code computed keeps its record.
    """
    drafts = _each_once(drafts)
    answered = [draft for draft in drafts if draft.answer.answer_found]
    kind = _common(answered)
    items: list[Item] = []
    written: list[str] = []
    sources: list[tuple[str, ...]] = []
    caveats: list[str] = []
    computations: list[Computation | None] = []
    for part, told in zip(parts, drafts, strict=True):
        draft = _with_items(told, range(min(1, len(told.answer.items)))) if told.possible else told
        if told.possible:
            caveats.append(f"No line answers this part of the question for certain: {part}")
        if draft.answer.answer_found:
            items += _texts(draft) if kind is TextAnswer else draft.answer.items
            written += draft.written if kind is not TextAnswer else ()
            sources += draft.sources
            computations += draft.computations or [None] * len(draft.answer.items)
            caveats += draft.answer.caveats
        else:
            caveats.append(f"No answer was found to this part of the question: {part}")
    # All of it is right where every part is.
    relevance = math.prod(draft.relevance if draft.answer.answer_found else _UNANSWERED for draft in drafts)
    asked = dict.fromkeys(one for draft in answered if (one := draft.answer.suggested_clarification))
    answer = kind.of_items(
        items,
        round(relevance, 4),
        extraction_method="computed" if any(computations) else "verbatim",
        caveats=caveats,
        complete_answer_found=all(draft.answer.complete_answer_found for draft in drafts),
        keywords_found=list(dict.fromkeys(word for draft in answered for word in draft.answer.keywords_found)),
        conflicting_evidence=any(draft.answer.conflicting_evidence for draft in answered),
        suggested_clarification="\n".join(asked) or None,
    )
    nearest = tuple(source for draft in drafts for source in draft.nearest[:1])
    lacking = tuple(dict.fromkeys(stem for draft in drafts for stem in draft.lacking))
    return Draft(
        answer,
        tuple(sources),
        relevance,
        nearest,
        lacking,
        asked=" ".join(parts),
        path="parts",
        written=tuple(written),
        computations=tuple(computations) if any(computations) else (),
    )


def _each_once(drafts: Sequence[Draft]) -> list[Draft]:
    """The drafts without the items that an earlier one has: two parts may be answered by one line."""
    seen: set[tuple[str, tuple[str, ...]]] = set()
    kept = []
    for draft in drafts:
        keys = [(item.model_dump_json(), names) for item, names in zip(draft.answer.items, draft.sources, strict=True)]
        kept.append(_with_items(draft, [at for at, key in enumerate(keys) if key not in seen]))
        seen.update(keys)
    return kept


def _with_items(draft: Draft, places: Sequence[int]) -> Draft:
    """A draft with some of its items."""
    items = draft.answer.items
    if len(places) == len(items):
        return draft
    return replace(
        draft,
        answer=draft.answer.model_copy(update={"items": [items[at] for at in places]}),
        sources=tuple(draft.sources[at] for at in places),
        sentences=tuple(draft.sentences[at] for at in places) if draft.sentences else (),
        written=tuple(draft.written[at] for at in places) if draft.written else (),
        computations=tuple(draft.computations[at] for at in places) if draft.computations else (),
    )


def _common(drafts: Sequence[Draft]) -> type[AnswerBase]:
    """The class that the answers of all parts have, unless they are yes or no or were computed; else texts."""
    kinds = {type(draft.answer) for draft in drafts}
    plain = all(len(draft.written) == len(draft.answer.items) and not any(draft.computations) for draft in drafts)
    kind = next(iter(kinds))
    return kind if len(kinds) == 1 and plain and kind is not BooleanAnswer else TextAnswer


def _texts(draft: Draft) -> list[TextItem]:
    if isinstance(draft.answer, BooleanAnswer):
        rests = zip(draft.answer.items, draft.sentences, strict=True)
        return [TextItem(text=sentence, spans=item.spans) for item, sentence in rests]
    said = draft.written or ("",) * len(draft.answer.items)
    return [
        item if isinstance(item, TextItem) else TextItem(text=words or worded(item), spans=item.spans)
        for item, words in zip(draft.answer.items, said, strict=True)
    ]


DOUBTFUL = 0.5
"""Most that an answer can be trusted of which it is not sure that it is about the subject."""
_LONGEST = 160
Write = Callable[[Sequence[Hit]], Draft]


def about(question: Question, subject: Subject, hits: Sequence[Hit], store: Store, write: Write) -> Draft:
    """The draft of a question whose subject was decided.

    Returns:
        Nothing, with a sentence that says why, where no document knows the subject; the answers of all groups where
        there are several, or a question back where these are too many; else what `write` makes of the hits, trusted
        less where it is not of the subject's own documents.
    """
    if subject.kind == "absent":
        return _told(nothing(question, None, hits, subject.stems), [subject.message])
    if subject.kind == "mentioned" and not any(subject.allows(hit) for hit in hits):
        return _told(nothing(question, None, hits, subject.stems), [subject.message])
    draft = _of_groups(question, subject, hits, write) if subject.kind == "several" else write(hits)
    if subject.missing:
        told = f"None of the documents is about {subject.missing}, and none mentions it."
        draft = _told(draft, [*draft.answer.caveats, told])
    return draft if _is_about(draft, subject, store) else _doubted(draft)


def _is_about(draft: Draft, subject: Subject, store: Store) -> bool:
    """True if all lines that a draft cites are about the subject."""
    return all(
        subject.owns(place.document, "\n".join(line.text for line in store.lines(*astuple(place))))
        for place in set(draft.cited)
    )


def _of_groups(question: Question, subject: Subject, hits: Sequence[Hit], write: Write) -> Draft:
    labels = [label for label, _ in subject.groups]
    if len(labels) > MOST_GROUPS:
        shown = ", ".join(labels[:MOST_GROUPS])
        asked = f"The question fits {len(labels)} documents ({shown} and others). Which one do you mean?"
        return nothing(question, asked, hits)
    if all(own == (label,) for label, own in subject.groups) and (both := write(hits)).answer.conflicting_evidence:
        return both  # what reports of several years say of one thing is shown side by side, with a question back
    drafts = [write([hit for hit in hits if hit.passage.document in own]) for _, own in subject.groups]
    found = [(label, draft) for label, draft in zip(labels, drafts, strict=True) if draft.answer.answer_found]
    if not found:
        return drafts[0]
    said = {_said(draft) for _, draft in found}
    if len(found) == len(labels) and len(said) == 1:
        return found[0][1]
    told = [f"{label}: {_said(draft)}" for label, draft in found]
    told += [f"{label}: no answer was found" for label in labels if label not in dict(found)]
    both = joined([f"{question.text} ({label})" for label, _ in found], [draft for _, draft in found])
    complete = len(found) == len(labels)
    answer = both.answer.model_copy(update={"caveats": told, "complete_answer_found": complete})
    return replace(both, answer=answer, asked=question.text)


def _said(draft: Draft) -> str:
    text = "; ".join(draft.written or [worded(item) for item in draft.answer.items])
    plain = " ".join(text.split())
    return plain if len(plain) <= _LONGEST else f"{plain[: _LONGEST - 4].rsplit(' ', 1)[0]} ..."


def _told(draft: Draft, caveats: Sequence[str]) -> Draft:
    return replace(draft, answer=draft.answer.model_copy(update={"caveats": list(caveats)}))


def _doubted(draft: Draft) -> Draft:
    sure = min(draft.relevance, DOUBTFUL)
    answer = draft.answer.model_copy(update={"confidence": min(draft.answer.confidence, DOUBTFUL)})
    return replace(draft, answer=answer, relevance=sure)
