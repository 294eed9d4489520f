"""One event loop in a thread of its own, where all requests to providers run.

The connections of an async client belong to the loop that opened them. With one loop for all of them, calls from sync
code, from threads and from any loop of the user share connections, and none is left behind when a loop ends.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from typing import TypeVar

T = TypeVar("T")


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
