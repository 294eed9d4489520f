"""One round of independent calls: replies are yielded as they complete, with limited concurrency."""

from __future__ import annotations

import asyncio
import threading
from _thread import start_new_thread
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import closing
from contextvars import copy_context
from queue import Empty, SimpleQueue

from spanwise.errors import CallCancelledError, InputError
from spanwise.llm.port import Call, Model, Reply, aattempt, attempt

_LOOK = 0.05  # seconds between two looks at whether a run was cancelled


class Cancel:
    """A way to stop a run from elsewhere: another thread, a signal handler, a button."""

    def __init__(self) -> None:
        self._asked = threading.Event()

    def cancel(self) -> None:
        """Request cancellation: no more calls are started, and running ones are not awaited."""
        self._asked.set()

    @property
    def cancelled(self) -> bool:
        """True if cancellation was requested."""
        return self._asked.is_set()


class OnlyCtrlC(Cancel):
    """Cancellation by Ctrl-C only, so that a single call needs no thread of its own."""


def cancelled_reply(text: str = "") -> Reply:
    """The reply to a call that was not made, or not awaited, because the run was cancelled."""
    return Reply(text, error=CallCancelledError("The run was cancelled before this call was done; run it again."))


def check_concurrency(most: int) -> None:
    """Raise `InputError` for a limit below 1."""
    if most < 1:
        raise InputError(f"max_concurrency is {most}; it has to be 1 or more.")


def answers(model: Model, calls: Sequence[Call], most: int, cancel: Cancel) -> Iterator[tuple[int, Reply]]:
    """The replies to a round, as they complete, each with the index of its call.

    A single call is made in the caller's thread, unless the run can be cancelled from elsewhere; several are made in
    daemon threads, so that nobody has to wait for them. Ctrl-C cancels the run, and unfinished calls get cancelled
    replies.
    """
    left = dict.fromkeys(range(len(calls)))
    try:
        for index, reply in _made(model, calls, most, cancel):
            del left[index]
            yield index, reply
    except KeyboardInterrupt:
        if cancel.cancelled:
            raise  # asked twice
        cancel.cancel()
    for index in left:
        yield index, cancelled_reply()


def _made(model: Model, calls: Sequence[Call], most: int, cancel: Cancel) -> Iterator[tuple[int, Reply]]:
    if (len(calls) > 1 and most > 1) or not isinstance(cancel, OnlyCtrlC):
        with closing(_Threads(model, calls, cancel)) as threads:
            yield from threads.run(min(most, len(calls)))
        return
    for index, call in enumerate(calls):
        if cancel.cancelled:
            return
        yield index, attempt(model, call)


class _Threads:
    """Calls made in threads of their own, which nobody has to wait for."""

    def __init__(self, model: Model, calls: Sequence[Call], cancel: Cancel) -> None:
        self._model = model
        self._cancel = cancel
        self._count = len(calls)
        self._waiting: SimpleQueue[tuple[int, Call]] = SimpleQueue()
        for number, call in enumerate(calls):
            self._waiting.put((number, call))
        self._done: SimpleQueue[tuple[int, Reply | BaseException]] = SimpleQueue()
        self._closed = False

    def run(self, threads: int) -> Iterator[tuple[int, Reply]]:
        for _ in range(threads):
            # Starting a `Thread` waits until it runs, which is most of its cost.
            start_new_thread(copy_context().run, (self._work,))
        missing = self._count
        while missing and not self._cancel.cancelled:
            try:
                index, reply = self._done.get(timeout=_LOOK)
            except Empty:
                continue
            if isinstance(reply, BaseException):
                raise reply
            missing -= 1
            yield index, reply

    def close(self) -> None:
        self._closed = True

    def _work(self) -> None:
        while not (self._closed or self._cancel.cancelled):
            try:
                index, call = self._waiting.get_nowait()
            except Empty:
                return
            try:
                self._done.put((index, attempt(self._model, call)))
            except BaseException as error:  # noqa: BLE001  # it is raised again in the caller's thread
                self._done.put((index, error))


async def aanswers(
    model: Model, calls: Sequence[Call], most: int, cancel: Cancel
) -> AsyncGenerator[tuple[int, Reply], None]:
    """As `answers`, for async code: calls are tasks, and a cancelled run cancels those in progress."""
    gate = asyncio.Semaphore(most)

    async def work(call: Call) -> Reply:
        async with gate:
            return cancelled_reply() if cancel.cancelled else await aattempt(model, call)

    indices = {} if cancel.cancelled else {asyncio.ensure_future(work(call)): i for i, call in enumerate(calls)}
    left = dict.fromkeys(range(len(calls)))
    pending = set(indices)
    try:
        while pending and not cancel.cancelled:
            done, pending = await asyncio.wait(pending, timeout=_LOOK, return_when=asyncio.FIRST_COMPLETED)
            for task in sorted(done, key=indices.__getitem__):
                reply = task.result()
                del left[indices[task]]
                yield indices[task], reply
        for index in left:
            yield index, cancelled_reply()
    finally:
        for task in pending:
            task.cancel()
        await asyncio.gather(*pending, return_exceptions=True)
