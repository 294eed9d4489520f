"""One question from an agent: its steps are told as progress, and it is stopped between two of them on cancellation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spanwise.answering.events import Answer, CallAnswered
from spanwise.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spanwise.contract.result import Result
    from spanwise.domain.claim import Policy
    from spanwise.domain.scope import Scope
    from spanwise.mcp.workers import Steps
    from spanwise.serving.corpus_library import Library


def asked(
    library: Library,
    question: str,
    documents: Sequence[str] | None,
    type: str | None,
    shape: str | None,
    scope: Scope | None,
    policy: Policy | None,
    steps: Steps,
) -> Result:
    """The result of a question.

    Raises:
        InputError: The question cannot be asked, or has no end.
        ModelError: The model failed.
        WorkStoppedError: The client does not wait for it any more.
    """
    if not library.count():
        raise InputError("there are no documents yet: index some first, then ask")
    calls = 0
    steps.tell(0, None, "looking")
    told = library.stream(
        question, documents=documents, type=type, shape=shape, scope=scope, policy=policy, stop=steps.stop
    )
    for event in told:
        if isinstance(event, CallAnswered):
            calls += 1
            steps.tell(calls, None, f"{event.purpose}: {event.done} of {event.total} calls answered")
        if isinstance(event, Answer):
            return event.result
    raise InputError("the answer did not come to its end: ask again")
