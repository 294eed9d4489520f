"""Drivers of flows: one flow or many in lockstep, sync or async, with or without events.

All of them give the same guarantees: the calls of a round run concurrently up to a limit, replies keep the order of
their calls, a failed call does not affect the others, a server that does not answer is given up, and a cancelled run
(`Cancel`, or Ctrl-C in sync code) still returns what its flow makes of the replies so far. A cancelled asyncio task
closes its flow and stays cancelled, as async code expects; use a `Cancel` to get the partial result.

Requests to providers run in one event loop in a thread of its own: connections of an async client belong to the loop
that opened them, so calls from sync code, threads and any loop of the user can share them, and none is leaked.
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
"""Default number of calls at the same time."""

_ROUNDS_AFTER_CANCEL = 1000  # rounds that a flow may still take to end after a cancellation


@dataclass(frozen=True, slots=True)
class Delta:
    """The next piece of text of the call with `final` set."""

    call: Call
    text: str


@dataclass(frozen=True, slots=True)
class Answered:
    """A call got its reply; `done` of the `total` calls of this round have theirs."""

    call: Call
    reply: Reply
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Finished(Generic[T]):
    """The flow has ended."""

    result: T


Event: TypeAlias = Delta | Answered | Finished[T]


def drive(flow: Flow[T], model: Model, *, max_concurrency: int = MAX_CONCURRENCY, cancel: Cancel | None = None) -> T:
    """Run a flow to its end and return its result.

    Args:
        flow: A generator that has not been started.
        model: Answers the calls, from several threads; rounds of one call stay in this thread.
        max_concurrency: The most calls at the same time, at least 1.
        cancel: Can end the run early.
    """
    steps = _Lockstep([flow])
    _exhaust(_run(steps, model, max_concurrency, cancel or OnlyCtrlC(), stream=False))
    return steps.only()


def drive_many(
    flows: Sequence[Flow[T]], model: Model, *, max_concurrency: int = MAX_CONCURRENCY, cancel: Cancel | None = None
) -> list[T | SpanwiseError]:
    """Run flows side by side: each round consists of the calls that all of them wait for.

    Returns:
        For each flow, in order, its result or the `SpanwiseError` that it raised.
    """
    steps = _Lockstep(flows)
    _exhaust(_run(steps, model, max_concurrency, cancel or OnlyCtrlC(), stream=False))
    return steps.outcomes()


def events(
    flow: Flow[T], model: Model, *, max_concurrency: int = MAX_CONCURRENCY, cancel: Cancel | None = None
) -> Iterator[Event[T]]:
    """Run a flow and yield events: pieces of its final call's text, each reply, and the result last.

    A final call is streamed if the model can stream; otherwise its text is a single delta. A call with a schema has no
    deltas. A consumer that stops early closes the flow.
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
    deque(happening, maxlen=0)  # in a Python loop, Ctrl-C could strike outside of the run


async def _aexhaust(steps: _Lockstep[T], model: Model, most: int, cancel: Cancel | None) -> None:
    async with aclosing(_arun(steps, model, most, cancel or OnlyCtrlC(), stream=False)) as happening:
        async for _ in happening:
            pass


class _Lockstep(Generic[T]):
    """Flows side by side, each with the round that it waits for."""

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
        """The result of the only flow; its error is raised."""
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
    """The reply to one call while it is being streamed."""

    def __init__(self, call: Call) -> None:
        self.call = call
        self.reply = Reply()
        self._shown: list[str] = []

    def take(self, piece: str | Reply) -> Iterator[Delta]:
        """The deltas for a piece of the stream: its text, or the whole text if nothing was streamed before.

        A typed answer has none: its text is JSON, and may not even be valid.
        """
        if isinstance(piece, Reply):
            self.reply = piece
            piece = "" if self._shown or piece.error or self.call.schema is not None else piece.text
        self._shown.append(piece)
        if piece:
            yield Delta(self.call, piece)

    def cut(self) -> None:
        """Replace the reply by a cancelled one with the text so far."""
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
    """The event loop of this process, in a thread; a forked process starts its own."""

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
    """Start a coroutine in the background loop; cancelling the future cancels it."""
    return asyncio.run_coroutine_threadsafe(work, _BACKGROUND.loop())


def wait_for(work: Coroutine[object, object, T]) -> T:
    """Run a coroutine in the background loop and wait for its result; Ctrl-C cancels it."""
    future = submit(work)
    try:
        return future.result()
    except BaseException:
        future.cancel()
        raise


async def await_for(work: Coroutine[object, object, T]) -> T:
    """As `wait_for`, for async code: cancelling the task cancels the coroutine."""
    return await asyncio.wrap_future(submit(work))
