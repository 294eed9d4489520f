"""Drivers of flows: one flow or many in lockstep, sync or async, with or without events on the way.

All of them hold the same promises: the calls of a round are made at the same time under a cap, replies keep the order
of their calls, a failed call leaves the others alone, a server that does not answer is given up, and a cancelled run
(`Cancel`, or Ctrl-C in sync code) still returns what its flow makes of the replies it has. A task that is cancelled
closes its flow and stays cancelled, as async code expects; use a `Cancel` to have the part that is done.

Requests to providers run in one event loop in a thread of its own: connections of an async client belong to the loop
that opened them, so calls from sync code, threads and any loop of the user share them, and none is left behind.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections import deque
from collections.abc import AsyncGenerator, Coroutine, Iterator, Sequence
from concurrent.futures import Future
from contextlib import aclosing
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from spanwise.errors import SpanwiseError
from spanwise.llm.flow import Flow
from spanwise.llm.ladder import laddered
from spanwise.llm.layer import apieces, pieces
from spanwise.llm.middleware.retry import Breaker
from spanwise.llm.port import Call, Model, Reply
from spanwise.llm.rounds import Cancel, OnlyCtrlC, aanswers, answers, cancelled_reply, check_concurrency

T = TypeVar("T")

MAX_CONCURRENCY = 8
"""Calls at the same time, where nobody says otherwise."""

_ROUNDS_AFTER_CANCEL = 1000  # a flow that is told that nothing works any more has to come to its end


@dataclass(frozen=True, slots=True)
class Delta:
    """A piece of the text that a call with `final` set is answering, in order."""

    call: Call
    text: str


@dataclass(frozen=True, slots=True)
class Answered:
    """A call has its reply; `done` of the `total` calls of this round have theirs."""

    call: Call
    reply: Reply
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Finished(Generic[T]):
    """The flow is done."""

    result: T


Event: TypeAlias = Delta | Answered | Finished[T]


def drive(flow: Flow[T], model: Model, *, max_concurrency: int = MAX_CONCURRENCY, cancel: Cancel | None = None) -> T:
    """Run a flow to its end and return what it returns.

    Args:
        flow: A generator that was not started.
        model: Answers its calls. A model that is called from threads; rounds of one call stay in this thread.
        max_concurrency: The most calls at the same time, 1 and up.
        cancel: Ends the run early when it is asked to.
    """
    steps = _Lockstep([flow])
    _exhaust(_run(steps, model, max_concurrency, cancel or OnlyCtrlC(), stream=False))
    return steps.only()


def drive_many(
    flows: Sequence[Flow[T]], model: Model, *, max_concurrency: int = MAX_CONCURRENCY, cancel: Cancel | None = None
) -> list[T | SpanwiseError]:
    """Run flows side by side: each round is made of the calls that all of them wait for.

    Returns:
        What each flow returns, or the error of Spanwise that it raised, in the order of the flows.
    """
    steps = _Lockstep(flows)
    _exhaust(_run(steps, model, max_concurrency, cancel or OnlyCtrlC(), stream=False))
    return steps.outcomes()


def events(
    flow: Flow[T], model: Model, *, max_concurrency: int = MAX_CONCURRENCY, cancel: Cancel | None = None
) -> Iterator[Event[T]]:
    """Run a flow and tell what happens: deltas of its final call, each reply, and the result last.

    A final call is shown as it is written where the model can stream; else its text is one delta. One with a schema has
    no deltas. Who stops listening closes the flow.
    """
    steps = _Lockstep([flow])
    yield from _run(steps, model, max_concurrency, cancel or OnlyCtrlC(), stream=True)
    yield Finished(steps.only())


async def adrive(
    flow: Flow[T], model: Model, *, max_concurrency: int = MAX_CONCURRENCY, cancel: Cancel | None = None
) -> T:
    """`drive` for async code."""
    steps = _Lockstep([flow])
    await _aexhaust(steps, model, max_concurrency, cancel)
    return steps.only()


async def aevents(
    flow: Flow[T], model: Model, *, max_concurrency: int = MAX_CONCURRENCY, cancel: Cancel | None = None
) -> AsyncGenerator[Event[T], None]:
    """`events` for async code."""
    steps = _Lockstep([flow])
    async with aclosing(_arun(steps, model, max_concurrency, cancel or OnlyCtrlC(), stream=True)) as happening:
        async for event in happening:
            yield event
    yield Finished(steps.only())


def _exhaust(happening: Iterator[object]) -> None:
    deque(happening, maxlen=0)  # a loop of ours would be a place where Ctrl-C strikes outside of the run


async def _aexhaust(steps: _Lockstep[T], model: Model, most: int, cancel: Cancel | None) -> None:
    async with aclosing(_arun(steps, model, most, cancel or OnlyCtrlC(), stream=False)) as happening:
        async for _ in happening:
            pass


class _Lockstep(Generic[T]):
    """Flows side by side, each at the round it waits for."""

    def __init__(self, flows: Sequence[Flow[T]]) -> None:
        self._flows = list(flows)
        self._waiting: dict[int, list[Call]] = {}
        self._results: dict[int, T] = {}
        self._errors: dict[int, SpanwiseError] = {}
        self._rounds_left = _ROUNDS_AFTER_CANCEL
        for index in range(len(self._flows)):
            self._advance(index, None)

    @property
    def going(self) -> bool:
        return bool(self._waiting)

    def calls(self) -> list[Call]:
        return [call for calls in self._waiting.values() for call in calls]

    def send(self, replies: Sequence[Reply], cancel: Cancel) -> None:
        if cancel.cancelled:
            self._rounds_left -= 1
            if self._rounds_left < 0:
                raise cancelled_reply().error or AssertionError
        start = 0
        for index, calls in list(self._waiting.items()):
            self._advance(index, replies[start : start + len(calls)])
            start += len(calls)

    def _advance(self, index: int, replies: Sequence[Reply] | None) -> None:
        try:
            calls = next(self._flows[index]) if replies is None else self._flows[index].send(replies)
            self._waiting[index] = list(calls)
        except StopIteration as end:
            self._results[index] = end.value
            self._waiting.pop(index, None)
        except SpanwiseError as error:
            self._errors[index] = error
            self._waiting.pop(index, None)

    def outcomes(self) -> list[T | SpanwiseError]:
        return [
            self._errors[index] if index in self._errors else self._results[index] for index in range(len(self._flows))
        ]

    def only(self) -> T:
        """Result of the one flow; its error is raised."""
        for error in self._errors.values():
            raise error
        return self._results[0]

    def close(self) -> None:
        for flow in self._flows:
            flow.close()


def _run(steps: _Lockstep[T], model: Model, most: int, cancel: Cancel, *, stream: bool) -> Iterator[Delta | Answered]:
    check_concurrency(most)
    model = Breaker(laddered(model))
    try:
        while steps.going:
            calls = steps.calls()
            replies: dict[int, Reply] = {}
            try:
                yield from _round(model, calls, replies, most, cancel, stream=stream)
            except KeyboardInterrupt:  # between two replies
                if cancel.cancelled:
                    raise  # asked twice
                cancel.cancel()
            steps.send([replies.get(index) or cancelled_reply() for index in range(len(calls))], cancel)
    finally:
        steps.close()


def _round(
    model: Model, calls: Sequence[Call], replies: dict[int, Reply], most: int, cancel: Cancel, *, stream: bool
) -> Iterator[Delta | Answered]:
    if stream and len(calls) == 1 and calls[0].final:
        writing = _Writing(calls[0])
        yield from _streamed(model, writing, cancel)
        replies[0] = writing.reply
        yield Answered(calls[0], replies[0], 1, 1)
        return
    for index, reply in answers(model, calls, most, cancel):
        replies[index] = reply
        yield Answered(calls[index], reply, len(replies), len(calls))


async def _arun(
    steps: _Lockstep[T], model: Model, most: int, cancel: Cancel, *, stream: bool
) -> AsyncGenerator[Delta | Answered, None]:
    check_concurrency(most)
    model = Breaker(laddered(model))
    try:
        while steps.going:
            calls = steps.calls()
            replies: dict[int, Reply] = {}
            if stream and len(calls) == 1 and calls[0].final:
                writing = _Writing(calls[0])
                async with aclosing(_astreamed(model, writing, cancel)) as pieces:
                    async for piece in pieces:
                        yield piece
                replies[0] = writing.reply
                yield Answered(calls[0], replies[0], 1, 1)
            else:
                async with aclosing(aanswers(model, calls, most, cancel)) as done:
                    async for index, reply in done:
                        replies[index] = reply
                        yield Answered(calls[index], reply, len(replies), len(calls))
            steps.send([replies[index] for index in range(len(calls))], cancel)
    finally:
        steps.close()


class _Writing:
    """The reply of one call while it is written."""

    def __init__(self, call: Call) -> None:
        self.call = call
        self.reply = Reply()
        self._shown: list[str] = []

    def take(self, piece: str | Reply) -> Iterator[Delta]:
        """Deltas of a piece of the stream: its text, or the whole text if nothing was shown before.

        Of a typed answer nothing is shown: its text is JSON, and may not even be valid.
        """
        if isinstance(piece, Reply):
            self.reply = piece
            piece = "" if self._shown or piece.error or self.call.schema is not None else piece.text
        self._shown.append(piece)
        if piece:
            yield Delta(self.call, piece)

    def cut(self) -> None:
        """End it where it is, since the run was cancelled."""
        self.reply = cancelled_reply("".join(self._shown))


def _streamed(model: Model, writing: _Writing, cancel: Cancel) -> Iterator[Delta]:
    stream = pieces(model, writing.call)
    try:
        while not cancel.cancelled:
            piece = next(stream)
            yield from writing.take(piece)
            if isinstance(piece, Reply):
                return
    except KeyboardInterrupt:
        if cancel.cancelled:
            raise  # asked twice
        cancel.cancel()
    writing.cut()


async def _astreamed(model: Model, writing: _Writing, cancel: Cancel) -> AsyncGenerator[Delta, None]:
    async with aclosing(apieces(model, writing.call)) as stream:
        while not cancel.cancelled:
            piece = await anext(stream)
            for delta in writing.take(piece):
                yield delta
            if isinstance(piece, Reply):
                return
    writing.cut()


class _Background:
    """The loop of this process; a fork starts its own."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._process = 0

    def loop(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None or self._process != os.getpid():
                self._loop = asyncio.new_event_loop()
                self._process = os.getpid()
                threading.Thread(target=self._loop.run_forever, daemon=True, name="spanwise-models").start()
            return self._loop


_BACKGROUND = _Background()


def submit(work: Coroutine[object, object, T]) -> Future[T]:
    """Start work in the background; cancelling the future cancels the work."""
    return asyncio.run_coroutine_threadsafe(work, _BACKGROUND.loop())


def wait_for(work: Coroutine[object, object, T]) -> T:
    """Do work in the background and wait for its result; Ctrl-C cancels it."""
    future = submit(work)
    try:
        return future.result()
    except BaseException:
        future.cancel()
        raise


async def await_for(work: Coroutine[object, object, T]) -> T:
    """The same for async code: cancelling the task cancels the work."""
    return await asyncio.wrap_future(submit(work))
