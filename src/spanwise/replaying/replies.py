"""Makes the draft of a model again from its recorded replies, to see that the trace holds what the model said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from pydantic import TypeAdapter, ValidationError

from spanwise.answering.typed import merged
from spanwise.contract.answers import AnswerBase
from spanwise.contract.result import Draft
from spanwise.errors import StructuredOutputError, TraceError
from spanwise.llm.structured import parse_structured
from spanwise.synthesis.generation.writing import better


@dataclass(frozen=True, slots=True)
class _Recorded:
    """The fields of a recorded call that are read."""

    document: str
    reply: str
    error: str | None


def check_replies(generation: Mapping[str, object], draft: Draft) -> int:
    """Hold the draft of a typed answer against the replies from which it was made.

    Args:
        generation: The section of the trace.
        draft: The draft in it.

    Returns:
        How many replies the draft was made from again.

    Raises:
        TraceError: The section cannot be read, a reply holds no answer, or the draft says something else.
    """
    calls = _of_pass(generation)
    answers: dict[str, AnswerBase] = {}
    for call in calls:
        answer = _said(call, type(draft.answer))
        known = answers.get(call.document)
        answers[call.document] = answer if known is None or better(answer, known) else known
    items, sources = merged({name: answer for name, answer in answers.items() if answer.items})
    same = [item.model_dump() for item in items] == [item.model_dump() for item in draft.answer.items]
    if not same or tuple(sources) != draft.sources:
        raise TraceError("the draft in the trace is not what the recorded replies of the model say")
    return len(calls)


def _of_pass(generation: Mapping[str, object]) -> list[_Recorded]:
    """The calls of the pass that was kept, without those that failed."""
    calls, kept = generation.get("calls"), generation.get("pass")
    if not isinstance(calls, list):
        raise TraceError("the trace does not say which calls were made")
    own = [call for call in calls if isinstance(call, dict) and call.get("pass") == kept]
    try:
        return [call for call in _adapter().validate_python(own) if call.error is None]
    except ValidationError as error:
        raise TraceError(f"the calls in the trace cannot be read: {error.errors()[0]['msg']}") from error


def _said(call: _Recorded, answer_class: type[AnswerBase]) -> AnswerBase:
    try:
        return parse_structured(call.reply, answer_class)
    except StructuredOutputError as error:
        raise TraceError(f"a reply in the trace about {call.document} holds no {answer_class.__name__}") from error


@lru_cache(maxsize=1)
def _adapter() -> TypeAdapter[Sequence[_Recorded]]:
    return TypeAdapter(Sequence[_Recorded])
