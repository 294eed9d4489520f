"""Flows: work that needs a model, written as a generator that yields calls and receives their replies.

    def accumulate(chunks: Sequence[str]) -> Flow[list[str]]:
        replies = yield [Call(prompt=chunk, purpose="text_qa") for chunk in chunks]
        return [reply.text for reply in replies if reply.error is None]

Each `yield` is a round: its calls are independent of one another, and a driver may run them at the same time. The
replies come back in the order of the calls, one for each. A flow touches no network, event loop or thread; the drivers
in `spanwise.llm.run` do, and a test can drive a flow by hand with `next` and `send`.

A flow has to handle a reply with an `error`: it leaves out what that call was to contribute, reports it, and goes on.
Nothing more is needed for cancellation: once a run is cancelled (or Ctrl-C was pressed), the driver makes no more calls
and answers all unfinished ones with a `CallCancelledError` in `Reply.error`; the flow runs to its end without cost and
returns what it has. An empty round is allowed and costs nothing.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import TypeAlias, TypeVar

from spanwise.llm.port import Call, Reply

T = TypeVar("T")

Flow: TypeAlias = Generator[Sequence[Call], Sequence[Reply], T]
"""Yields rounds of calls, is sent their replies, and returns a T."""
