"""Which of two models writes a pass: the usual one, or a stronger one of the same provider where more is asked.

A stronger model costs more and takes longer, and most questions ask for one value that stands in one place. So it
writes only where the words of the question ask for more, and where a pass of the usual one was not enough.
"""

from __future__ import annotations

from dataclasses import replace

from spanwise.answering.loop import Drafted
from spanwise.domain.question import Question
from spanwise.llm.flow import Flow


def wants_stronger(question: Question, number: int = 1) -> str | None:
    """Reason why the stronger model writes a pass; None where the usual one will do.

    Args:
        question: As the user asked it.
        number: Of the pass, from 1.
    """
    if number > 1:
        return "the first pass was not enough"
    if question.pattern != "single":
        return f"the question is {question.pattern}"
    if question.answer_shape != "single":
        return f"the answer is a {question.answer_shape.replace('_', ' ')}"
    return None


def written_by(flow: Flow[Drafted], model: str | None) -> Flow[Drafted]:
    """The flow of a writer with its calls sent to another model of the provider; None leaves them as they are."""
    replies = None
    try:
        while True:
            calls = next(flow) if replies is None else flow.send(replies)
            replies = yield [call if model is None or call.model else replace(call, model=model) for call in calls]
    except StopIteration as stop:
        drafted: Drafted = stop.value
        return drafted
