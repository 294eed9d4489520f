"""Answers where the question is about something: of one subject, of several one by one, or of none that is known."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from spanwise.answering.parts import joined
from spanwise.contract.rendering import worded
from spanwise.contract.result import Draft
from spanwise.domain.passage import Hit
from spanwise.domain.question import Question
from spanwise.retrieval.subject import MOST_GROUPS, Subject
from spanwise.store.port import Store
from spanwise.synthesis.extractive.answer import nothing

DOUBTFUL = 0.5
"""Most that an answer can be trusted of which it is not sure that it is about the subject."""
_LONGEST = 160
Write = Callable[[Sequence[Hit]], Draft]


def about(question: Question, subject: Subject, hits: Sequence[Hit], store: Store, write: Write) -> Draft:
    """The draft of a question whose subject was decided.

    Args:
        question: What was asked.
        subject: Whose documents may answer.
        hits: What was found.
        store: The documents.
        write: Drafts from some of the hits.

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
    cited = {
        (document, span.line_start, span.line_end)
        for item, documents in zip(draft.answer.items, draft.sources, strict=True)
        for span, document in zip(item.spans, documents, strict=False)
    }
    return all(
        subject.owns(document, "\n".join(line.text for line in store.lines(document, first, last)))
        for document, first, last in cited
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
