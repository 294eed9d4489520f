"""What happens with a checked answer: pure code that reads flags; no model decides."""

from __future__ import annotations

from spanwise.contract.result import Decision, Draft
from spanwise.domain.question import Question
from spanwise.guard.guard import Checked
from spanwise.messages import NOT_FOUND


def decide(question: Question, draft: Draft, checked: Checked) -> Decision:
    """Ask back when the question is too vague, ship what holds, say so when nothing does."""
    if question.clarification is not None:
        return Decision("clarify", "the question could mean many things", message=question.clarification)
    if checked.answer.answer_found:
        if not checked.answer.complete_answer_found:
            return Decision("ship", "the evidence holds, but the answer may not be complete", review="check")
        return Decision("ship", "every part of the answer is in the lines it cites")
    if draft.answer.answer_found:
        return Decision("not_found", "no part of the draft was held up by the lines it cited", message=NOT_FOUND)
    if not draft.nearest:
        return Decision("not_found", "no passage shares a word with the question", message=NOT_FOUND)
    return Decision("not_found", "the nearest passages do not cover the question", message=NOT_FOUND)
