"""The decision on a checked answer: rules in a fixed order read its flags; no model decides."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from spanwise.contract.answers import AnswerBase
from spanwise.contract.items import Item
from spanwise.contract.rendering import worded
from spanwise.contract.result import ANSWERED, POSSIBLE, Decision, Draft
from spanwise.contract.validation.problems import Problem
from spanwise.contract.values import Span
from spanwise.domain.document import Document
from spanwise.errors import InputError, expect
from spanwise.messages import NOT_FOUND

OnInvalid: TypeAlias = Literal["retry", "flag", "reject"]
"""How to treat an answer in which the validator found a problem; depends on how costly an error is (R-C-33)."""

LAST_ATTEMPT = 3
_SHOWN_PROBLEMS = 3
_CONFLICTS = (
    "The passages are said to contradict each other, and no answer was found in them.",
    "The passages are said to contradict each other; this is the one answer that was found in them:",
    "The document gives more than one answer:",
)
"""Messages about a conflict, indexed by the number of answers: none, one, several."""
_POSSIBLE = (
    "No line answers this for certain. A possible answer:",
    "No line answers this for certain. Possible answers, most likely first:",
)
"""Messages for one possible answer and for several."""


def route(
    answer: AnswerBase,
    *,
    strong: bool | None = None,
    problems: Sequence[Problem] = (),
    attempt: int = 1,
    last_attempt: int = LAST_ATTEMPT,
    document: Document | None = None,
    on_invalid: OnInvalid = "retry",
    possible: bool = False,
    proved: bool = False,
) -> Decision:
    """Decide what happens with an answer; the first rule that applies wins (R-170).

    1. Invalid (`problems`, or flags that contradict the items): try again, and reject on the last attempt.
    2. The passages were garbled: read their pages with another reader.
    3. The evidence conflicts: show all of it and ask which applies, marked for review.
    4. A clarification is suggested: ask it.
    5. Nothing was found: rephrase once, then return `not_found`.
    6. There are only possible answers: return them, marked for review.
    7. The answer is partial, or `strong` is False because the evidence was truncated: retrieve more. On the last
    attempt, return what there is with the remark that it may not be complete.
    8. Return the answer. It is marked for a check if its confidence is below the threshold of an answer; confidence
    alone never changes the route.

    Args:
        answer: The answer to decide on.
        strong: Whether the evidence is complete (True) or truncated (False), judged by the next page; None if this was
            not checked.
        problems: The findings of `validate_answer`.
        attempt: The number of this attempt, from 1.
        last_attempt: The number of the last attempt.
        document: The document of the spans, which tells the pages to read again.
        on_invalid: `retry`, `flag` (return the answer, marked for review) or `reject` (at once).
        possible: Whether the items are only possible answers, the most likely first.
        proved: Whether code made the answer's inference and the check repeated it, so that no review is needed.

    Raises:
        InputError: `attempt` or `last_attempt` is less than 1, or `on_invalid` has no valid value.
    """
    expect(answer, AnswerBase, "the answer", "one of the classes of answers")
    if attempt < 1 or last_attempt < 1:
        raise InputError(f"attempts count from 1: got attempt={attempt}, last_attempt={last_attempt}")
    if on_invalid not in ("retry", "flag", "reject"):
        raise InputError(f"on_invalid is 'retry', 'flag' or 'reject', not {on_invalid!r}")
    told = tuple(problem.message for problem in problems)
    case = _Case(answer, strong, told, attempt, attempt >= last_attempt, document, on_invalid, possible, proved)
    return next((decision for rule in _RULES if (decision := rule(case)) is not None), None) or _shipped(case)


@dataclass(frozen=True, slots=True)
class _Case:
    """The input of the rules; see the arguments of `route`."""

    answer: AnswerBase
    strong: bool | None
    problems: tuple[str, ...]
    attempt: int
    last: bool
    document: Document | None
    on_invalid: OnInvalid
    possible: bool
    proved: bool


def _invalid(case: _Case) -> Decision | None:
    contradictions = _contradictions(case.answer)
    wrong = contradictions or list(case.problems)
    if not wrong or (case.on_invalid == "flag" and not contradictions):
        return None
    if case.last or case.on_invalid == "reject":
        message = _with_caveats(NOT_FOUND, case.answer)
        return Decision("not_found", f"the answer was rejected: {_told(wrong)}", action="reject", message=message)
    why = f"the answer is not valid: {_told(wrong)}"
    return Decision("refetch", why, action="retry", keywords=_keywords(case.answer))


def _contradictions(answer: AnswerBase) -> list[str]:
    """Contradictions between flags and items, in words; none if they agree."""
    if answer.complete_answer_found and not answer.answer_found:
        return ["the answer calls itself complete, but not found"]
    if answer.answer_found and not answer.items:
        return ["the answer calls itself found, but has no items"]
    if answer.items and not answer.answer_found:
        return ["the answer has items, but calls itself not found"]
    return []


def _garbled(case: _Case) -> Decision | None:
    if case.answer.context_structured or case.last:
        return None
    return Decision(
        "reparse",
        "the passages looked garbled, so their pages are read in another way",
        action="reparse",
        pages=_pages(case.answer, case.document),
        message=_with_caveats("The text of these pages could not be read well.", case.answer),
    )


def _conflicting(case: _Case) -> Decision | None:
    answer = case.answer
    if not answer.conflicting_evidence:
        return None
    values = [f"{at}. {worded(item)} ({_where(item.spans)})" for at, item in enumerate(answer.items, start=1)]
    asked = [answer.suggested_clarification] if answer.suggested_clarification else []
    told = _CONFLICTS[min(len(values), 2)]
    message = "\n".join([told, *values, *asked])
    return Decision("clarify", "conflicting_evidence", message=_with_caveats(message, answer), review="review")


def places_of_sides(message: str, items: Sequence[Item]) -> dict[int, tuple[int, int]]:
    """The range of each side of a conflict in the message that lists them, by the index of its item."""
    found: dict[int, tuple[int, int]] = {}
    position = 0
    for number, item in enumerate(items, start=1):
        lead, said = f"\n{number}. ", worded(item)
        start = message.find(f"{lead}{said} (", position)
        if start >= 0:
            position = start + len(lead) + len(said)
            found[number - 1] = (start + len(lead), position)
    return found


def _unclear(case: _Case) -> Decision | None:
    asked = case.answer.suggested_clarification
    if asked is None:
        return None
    return Decision("clarify", "the question needs to be clarified", message=_with_caveats(asked, case.answer))


def _empty(case: _Case) -> Decision | None:
    if case.answer.answer_found:
        return None
    if case.attempt == 1 and not case.last:
        why = "nothing was found, so the question is rephrased once"
        return Decision("refetch", why, action="rephrase", keywords=_keywords(case.answer))
    return Decision("not_found", "nothing in the document answers it", message=_with_caveats(NOT_FOUND, case.answer))


def _unsure(case: _Case) -> Decision | None:
    """Possible answers are returned: another search would find the same lines, and a person judges them at a glance."""
    if not case.possible:
        return None
    message = _with_caveats(_POSSIBLE[len(case.answer.items) > 1], case.answer)
    reason = "no line answers it for certain; what is shown may answer it, the most likely first"
    return Decision("ship", reason, action=POSSIBLE, message=message, review="review")


def _partial(case: _Case) -> Decision | None:
    answer, truncated = case.answer, case.strong is False
    if answer.complete_answer_found and not truncated:
        return None
    why = "the evidence goes on beyond what was read" if truncated else "only a part of the answer was found"
    if case.last:
        why = f"{why}; the attempts are exhausted"
        message = _with_caveats("This answer may not be complete.", answer)
        return Decision("ship", why, action="exhausted", message=message, review="check")
    keywords = _keywords(answer)
    # Keywords are the model's own account of what is missing; with them, the lines that follow are added as well.
    action = "widen" if truncated and (answer.complete_answer_found or not keywords) else "keywords"
    return Decision("refetch", why, action=action, keywords=keywords, message=_with_caveats("", answer))


_RULES: tuple[Callable[[_Case], Decision | None], ...] = (
    _invalid,
    _garbled,
    _conflicting,
    _unclear,
    _empty,
    _unsure,
    _partial,
)


def _shipped(case: _Case) -> Decision:
    answer = case.answer
    review: Literal["check", "review"] | None = None
    reason = "every part of the answer is in the lines it cites"
    if case.problems:
        review, reason = "review", f"shipped with problems: {_told(case.problems)}"
    elif answer.extraction_method == "inferred" and not case.proved:
        review, reason = "review", "the answer follows from the lines it cites, which do not say it word for word"
    elif answer.extraction_method == "computed":
        review, reason = "check", "the answer is computed from the lines it cites"
    elif answer.confidence < ANSWERED:
        review = "check"
    return Decision("ship", reason, message=_with_caveats("", answer), review=review)


def _told(wrong: Sequence[str]) -> str:
    more = len(wrong) - _SHOWN_PROBLEMS
    return "; ".join(wrong[:_SHOWN_PROBLEMS]) + (f"; and {more} more" if more > 0 else "")


def _where(spans: Sequence[Span]) -> str:
    told = [
        f"line {span.line_start}" if span.line_start == span.line_end else f"lines {span.line_start}-{span.line_end}"
        for span in spans
    ]
    return ", ".join(told) or "no lines given"


def _with_caveats(message: str, answer: AnswerBase) -> str:
    return "\n".join(part for part in (message, *answer.caveats) if part)


def _keywords(answer: AnswerBase) -> tuple[str, ...]:
    """Keywords that the answer discovered, without duplicates that differ only in case, as first written."""
    known: dict[str, str] = {}
    for keyword in answer.llm_discovered_keywords:
        if keyword.strip():
            known.setdefault(keyword.strip().casefold(), keyword.strip())
    return tuple(known.values())


def _pages(answer: AnswerBase, document: Document | None) -> tuple[int, ...]:
    """Page numbers of the cited lines that exist in the document, in order, without duplicates."""
    if document is None:
        return ()
    pages: set[int] = set()
    for item in answer.items:
        for span in item.spans:
            first, last = max(1, span.line_start), min(len(document.lines), span.line_end)
            pages.update(line.page for line in document.lines[first - 1 : last])
    return tuple(sorted(pages))


@dataclass(frozen=True, slots=True)
class Signals:
    """The inputs of `route` in one pass."""

    strong: bool | None
    problems: tuple[Problem, ...] = ()
    attempt: int = 1
    on_invalid: OnInvalid = "retry"
    drafted: bool = False
    """True if the decision is on the answer as drafted, False if on what the check kept of it."""
    readable: bool = False
    """True if garbled text is treated as readable, because no other reader can read the file."""

    def decide(self, draft: Draft, checked: AnswerBase, document: Document | None = None) -> Decision:
        """The decision of `route` on the drafted or the checked answer."""
        answer = draft.answer if self.drafted else checked
        return route(
            answer.model_copy(update={"context_structured": True}) if self.readable else answer,
            strong=self.strong,
            problems=self.problems,
            attempt=self.attempt,
            document=document,
            on_invalid=self.on_invalid,
            possible=draft.possible,
            proved=draft.proved,
        )

    def but_readable(self) -> Signals:
        """The same signals with garbled text treated as readable."""
        return replace(self, readable=True)
