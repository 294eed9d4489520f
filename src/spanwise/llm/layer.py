"""Middleware as a `Model` around a `Model`: written once as steps, and run for sync, async and streaming code alike.

    class Twice(Layer):
        def steps(self, call: Call) -> Steps:
            first = yield call
            return first if first.error is None else (yield call)

The steps for a call yield calls to send on (each is answered by a reply; failures are in `Reply.error`) or a `Pause`,
and return the reply. They never wait themselves, and never touch a thread or an event loop.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Generator, Iterator
from contextlib import aclosing, closing
from dataclasses import dataclass
from typing import TypeAlias

from spanwise.errors import CutReplyError, ScriptExhausted
from spanwise.llm.port import Call, Model, ModelProfile, Reply, StreamingModel, aattempt, as_model_error, attempt


@dataclass(frozen=True, slots=True)
class Pause:
    """A request to wait for some seconds."""

    seconds: float


Steps: TypeAlias = Generator[Call | Pause, Reply, Reply]

_NOTHING = Reply()


class Layer:
    """A model that adds something to the calls of another."""

    def __init__(self, inner: Model) -> None:
        self.inner = inner

    @property
    def profile(self) -> ModelProfile:
        """Profile of the wrapped model."""
        return self.inner.profile

    def steps(self, call: Call) -> Steps:
        """The steps for a call: send it on, unless a subclass does otherwise."""
        return (yield call)

    def complete(self, call: Call) -> Reply:
        """Run the steps for a call."""
        with closing(_Walk(self.steps(call))) as walk:
            while (step := walk.step) is not None:
                if isinstance(step, Pause):
                    time.sleep(step.seconds)
                    walk.go(_NOTHING)
                else:
                    walk.go(attempt(self.inner, step))
            return walk.reply

    async def acomplete(self, call: Call) -> Reply:
        """Run the steps for a call without blocking the event loop."""
        with closing(_Walk(self.steps(call))) as walk:
            while (step := walk.step) is not None:
                if isinstance(step, Pause):
                    await asyncio.sleep(step.seconds)
                    walk.go(_NOTHING)
                else:
                    walk.go(await aattempt(self.inner, step))
            return walk.reply

    def stream(self, call: Call) -> Iterator[str | Reply]:
        """Run the steps for a call and yield the text as it comes.

        Text that was yielded cannot be taken back: a reply that fails afterwards is final, and nothing is sent again.
        """
        with closing(_Walk(self.steps(call))) as walk:
            while (step := walk.step) is not None and not walk.shown:
                if isinstance(step, Pause):
                    time.sleep(step.seconds)
                    walk.go(_NOTHING)
                    continue
                for piece in pieces(self.inner, step):
                    if isinstance(piece, str):
                        walk.shown = True
                        yield piece
                    else:
                        walk.go(piece)
            yield walk.reply

    async def astream(self, call: Call) -> AsyncGenerator[str | Reply, None]:
        """As `stream`, for async code."""
        with closing(_Walk(self.steps(call))) as walk:
            while (step := walk.step) is not None and not walk.shown:
                if isinstance(step, Pause):
                    await asyncio.sleep(step.seconds)
                    walk.go(_NOTHING)
                    continue
                async with aclosing(apieces(self.inner, step)) as stream:
                    async for piece in stream:
                        if isinstance(piece, str):
                            walk.shown = True
                            yield piece
                        else:
                            walk.go(piece)
            yield walk.reply


class _Walk:
    """The progress through the steps for one call: the next `step`, or None once `reply` is their result."""

    def __init__(self, steps: Steps) -> None:
        self._steps = steps
        self.reply = _NOTHING
        self.shown = False
        self.step: Call | Pause | None = None
        try:
            self.step = next(steps)
        except StopIteration as end:
            self.reply = end.value

    def go(self, reply: Reply) -> None:
        """Send the reply to the steps, and go to the next one; `reply` stays the last one until the steps return."""
        self.reply = reply
        try:
            self.step = self._steps.send(reply)
        except StopIteration as end:
            self.step, self.reply = None, end.value

    def close(self) -> None:
        self._steps.close()


def pieces(model: Model, call: Call) -> Iterator[str | Reply]:
    """The stream of a model, with its exceptions as the error of its reply.

    A model that cannot stream, or a call with a schema (half an object is of no use), gives only the reply.
    """
    if not isinstance(model, StreamingModel) or call.schema is not None:
        yield attempt(model, call)
        return
    shown: list[str] = []
    try:
        for piece in model.stream(call):
            yield piece
            if isinstance(piece, Reply):
                return
            shown.append(piece)
    except ScriptExhausted:
        raise
    except Exception as error:  # noqa: BLE001  # as in `attempt`: a model is foreign code
        yield Reply("".join(shown), error=as_model_error(error))
        return
    yield _unfinished("".join(shown))


async def apieces(model: Model, call: Call) -> AsyncGenerator[str | Reply, None]:
    """As `pieces`, for async code."""
    if not isinstance(model, StreamingModel) or call.schema is not None:
        yield await aattempt(model, call)
        return
    shown: list[str] = []
    try:
        async with aclosing(model.astream(call)) as stream:
            async for piece in stream:
                yield piece
                if isinstance(piece, Reply):
                    return
                shown.append(piece)
    except ScriptExhausted:
        raise
    except Exception as error:  # noqa: BLE001  # as in `attempt`
        yield Reply("".join(shown), error=as_model_error(error))
        return
    yield _unfinished("".join(shown))


def _unfinished(shown: str) -> Reply:
    return Reply(shown, error=CutReplyError("The stream of the model ended before its reply was whole; ask again."))
