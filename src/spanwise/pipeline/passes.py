"""The loop: find, write, check, decide; again with what was learned, at most three times and never the same twice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from spanwise.contract.result import Decision
from spanwise.domain.passage import Hit
from spanwise.domain.question import Question
from spanwise.guard.guard import Checked, check
from spanwise.llm.flow import Flow
from spanwise.pipeline.asking import Request, with_keywords
from spanwise.pipeline.bounded import Beyond, bounded
from spanwise.pipeline.proof import cited
from spanwise.pipeline.routes import LAST_ATTEMPT, OnInvalid, route
from spanwise.pipeline.writers import Drafted, Writer
from spanwise.retrieval.retriever import retrieve
from spanwise.store.port import Store

HITS = 20
"""Passages that are retrieved for one pass."""
CONFIDENCE_DROP = 0.1
"""A pass that is less sure than the one before by more than this ends the loop."""


@dataclass(frozen=True, slots=True)
class Pass:
    """One time around: what was looked for and found, written, checked and decided."""

    number: int
    trigger: str
    question: Question
    drafted: Drafted
    checked: Checked
    beyond: Beyond
    decision: Decision

    @property
    def confidence(self) -> float:
        """Of what is left of the answer after the check; 0 when nothing is."""
        return self.drafted.draft.relevance if self.checked.answer.answer_found else 0.0

    @property
    def rank(self) -> tuple[bool, bool, float]:
        """By which the best pass is kept: found, complete, sure."""
        answer = self.checked.answer
        return (answer.answer_found, answer.complete_answer_found and self.beyond.strong is not False, self.confidence)

    def to_dict(self, before: float) -> dict[str, object]:
        """The record of the pass."""
        return {
            "iteration_number": self.number,
            "trigger": self.trigger,
            "action_taken": self.decision.action or self.decision.kind,
            "result_summary": self.decision.reason,
            "confidence_before": round(before, 4),
            "confidence_after": round(self.confidence, 4),
        }


@dataclass(frozen=True, slots=True)
class Looped:
    """All passes, the best of them, and how it ended."""

    passes: tuple[Pass, ...]
    best: Pass
    decision: Decision
    exhausted: str | None = None
    """Why no further pass was made though one was wanted; None when none was."""


def looped(
    question: Question, request: Request, store: Store, writer: Writer, *, on_invalid: OnInvalid = "retry"
) -> Flow[Looped]:
    """Go around until an answer ships, a clarification is needed, or nothing new can be tried.

    Bounds: three passes; the same candidates for the same question again, the same suggested keywords again, or a drop
    of confidence by more than 0.1 end the loop; the best answer is kept, and the original keywords are never dropped.
    """
    passes: list[Pass] = []
    trigger, asked, found, problems = "asked", question, HITS, tuple[str, ...]()
    further: tuple[Hit, ...] = ()
    exhausted: str | None = None
    while exhausted is None:
        hits = (*retrieve(asked, store, documents=request.documents, k=found), *further)
        exhausted = _nothing_new(passes, trigger, asked, hits)
        if exhausted is not None:
            break
        drafted = yield from writer.write(asked, request, hits, store, problems)
        made = _judged(drafted, asked, trigger, len(passes) + 1, store, on_invalid)
        passes.append(made)
        if made.decision.kind not in ("refetch", "reparse"):
            break
        trigger = made.decision.action or made.decision.kind
        exhausted = _stopped(passes, writer)
        asked = with_keywords(asked, made.decision.keywords)
        problems = tuple(problem.message for problem in drafted.problems)
        found = 2 * HITS if trigger == "rephrase" else found
        further = _next_page(made.beyond, store) if trigger == "widen" else further
    return _looped(passes, exhausted, on_invalid)


def _judged(drafted: Drafted, asked: Question, trigger: str, number: int, store: Store, on_invalid: OnInvalid) -> Pass:
    checked = check(drafted.draft, store)
    beyond = bounded(asked, drafted.draft, store)
    places = cited(drafted.draft)
    decision = route(
        drafted.draft.answer if drafted.problems else checked.answer,
        strong=beyond.strong,
        problems=drafted.problems,
        attempt=number,
        document=store.document(places[0].document) if places and not checked.answer.context_structured else None,
        on_invalid=on_invalid,
    )
    return Pass(number, trigger, asked, drafted, checked, beyond, decision)


def _nothing_new(passes: Sequence[Pass], trigger: str, asked: Question, hits: Sequence[Hit]) -> str | None:
    """Why another pass would be the same as an earlier one; a first rephrase and a retry never are."""
    if not passes or trigger in ("rephrase", "retry"):
        return None
    candidates = {hit.passage.id for hit in hits}
    for earlier in passes:
        if earlier.question == asked and {hit.passage.id for hit in earlier.drafted.hits} >= candidates:
            return "the same candidates were found again"
    return None


def _stopped(passes: Sequence[Pass], writer: Writer) -> str | None:
    """Why no further pass is worth it."""
    last = passes[-1]
    if writer.model is None and last.decision.action == "rephrase":
        return "without a model there is no other wording to try"
    suggested = {word.casefold() for word in last.decision.keywords}
    for earlier in passes[:-1]:
        if suggested and suggested == {word.casefold() for word in earlier.decision.keywords}:
            return "the same keywords were suggested again"
    if len(passes) > 1 and passes[-2].confidence - last.confidence > CONFIDENCE_DROP:
        return "the answer became less sure"
    return None


def _looped(passes: Sequence[Pass], exhausted: str | None, on_invalid: OnInvalid) -> Looped:
    last = passes[-1]
    if last.decision.kind in ("ship", "clarify"):
        best, decision = last, last.decision
        exhausted = exhausted or ("three passes were made" if decision.action == "exhausted" else None)
    else:
        best = max(passes, key=lambda one: (one.rank, -one.number))
        decision = route(
            best.checked.answer,
            strong=best.beyond.strong,
            problems=() if best.checked.answer.answer_found else best.drafted.problems,
            attempt=LAST_ATTEMPT,
            on_invalid=on_invalid,
        )
    return Looped(tuple(passes), best, decision, exhausted)


def _next_page(beyond: Beyond, store: Store) -> tuple[Hit, ...]:
    """The passages of the page on which the text goes on."""
    if beyond.document is None or not beyond.lines:
        return ()
    first, last = beyond.lines[0].number, beyond.lines[-1].number
    return tuple(Hit(passage, 0.0, {"next_page": 1.0}) for passage in store.passages(beyond.document, first, last))
