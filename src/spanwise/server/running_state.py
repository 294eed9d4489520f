"""The state of a running server: libraries, settings, worker threads, and whether it accepts requests."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator, Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from dataclasses import dataclass
from typing import Annotated, TypeVar

from fastapi import Depends, Path, Request

from spanwise.errors import BusyError, WorkStoppedError
from spanwise.server.http_problems import ProblemError
from spanwise.server.server_settings import ServerSettings, allowed, is_operator
from spanwise.server.shared import Shared
from spanwise.serving.cancellation import Stop
from spanwise.serving.corpus_library import Library
from spanwise.serving.served_collections import Collections
from spanwise.serving.server_registry import Ledger, Registry

T = TypeVar("T")


class Work:
    """Worker threads for one kind of work; when too much is waiting, more is refused."""

    def __init__(self, settings: ServerSettings) -> None:
        self._most = settings.threads + settings.waiting
        self._seconds = settings.question_seconds
        self._pool = ThreadPoolExecutor(settings.threads, thread_name_prefix="question")
        self._lock = threading.Lock()
        self._going: dict[int, Stop] = {}

    @property
    def going(self) -> int:
        """The number of calls that run or wait."""
        return len(self._going)

    async def run(self, request: Request, call: Callable[[Stop], T]) -> T:
        """Call a function in a thread and return its result; it is cancelled if the client disconnects or time is up.

        Raises:
            BusyError: Too much is waiting.
            WorkStoppedError: The client disconnected, or the server is stopping.
            ProblemError: The call took too long.
        """
        stop = Stop()
        future = self._submit(lambda: call(stop), stop)
        done = asyncio.wrap_future(future)
        gone = asyncio.ensure_future(_gone(request))
        try:
            await asyncio.wait((done, gone), timeout=self._seconds, return_when=asyncio.FIRST_COMPLETED)
            if done.done():
                if done.cancelled():
                    raise WorkStoppedError("The server is stopping: try again when it is back.")
                return done.result()
            if gone.done():
                raise WorkStoppedError("Nobody waits for it any more.")
            raise _late(self._seconds)
        finally:
            gone.cancel()
            stop.ask()
            done.cancel()

    async def events(self, call: Callable[[Stop], Iterator[T]]) -> AsyncGenerator[T, None]:
        """The items of an iterator that runs in a thread, as they come; it is cancelled when the consumer stops."""
        stop = Stop()
        loop = asyncio.get_running_loop()
        queue: asyncio.Queue[T | None] = asyncio.Queue()

        def tell(event: T | None) -> None:
            with suppress(RuntimeError):  # the loop has ended, and the consumer with it
                loop.call_soon_threadsafe(queue.put_nowait, event)

        def listen() -> None:
            for event in call(stop):
                tell(event)

        future = self._submit(listen, stop)
        future.add_done_callback(lambda _: tell(None))
        until = loop.time() + self._seconds
        try:
            while True:
                try:
                    event = await asyncio.wait_for(queue.get(), until - loop.time())
                except TimeoutError:
                    raise _late(self._seconds) from None
                if event is None:
                    break
                yield event
            if future.cancelled():
                raise WorkStoppedError("The server is stopping: try again when it is back.")
            future.result()
        finally:
            stop.ask()
            future.cancel()

    def stop(self) -> None:
        """Cancel all calls and accept no more."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        with self._lock:  # after the shutdown, so that a call that is just being submitted is not missed
            going = list(self._going.values())
        for stop in going:
            stop.ask()

    def _submit(self, call: Callable[[], T], stop: Stop) -> Future[T]:
        with self._lock:
            if len(self._going) >= self._most:
                raise BusyError("Too much is waiting: try again in a moment.")
            try:
                future = self._pool.submit(copy_context().run, call)
            except RuntimeError:  # the pool is closed
                raise WorkStoppedError("The server is stopping: try again when it is back.") from None
            self._going[id(future)] = stop
        future.add_done_callback(self._ended)
        return future

    def _ended(self, future: Future[T]) -> None:
        with self._lock:
            self._going.pop(id(future), None)


async def _gone(request: Request) -> None:
    """Return when the client has disconnected."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _late(seconds: float) -> ProblemError:
    return ProblemError(504, "too_slow", f"It was not done in {seconds:.0f} s: ask for less, or try again.")


@dataclass(slots=True)
class State:
    """The server's state, in `app.state.serving`."""

    libraries: Collections
    settings: ServerSettings
    work: Work
    pictures: Work
    """Worker threads for drawing pages, separate so that long questions do not block them."""
    registry: Registry
    ledger: Ledger
    ready: bool = False
    stopping: bool = False
    shared: Shared | None = None
    """State shared by the processes of this server; None if there is only one."""

    def stop(self) -> None:
        """Cancel everything and accept no more requests."""
        self.stopping = True
        self.work.stop()
        self.pictures.stop()


def state_of(request: Request) -> State:
    """The state of the server that received a request."""
    state: State = request.app.state.serving
    return state


def open_to(request: Request) -> list[Library]:
    """The libraries that the request may use, in their configured order."""
    return [one for one in state_of(request).libraries.values() if allowed(request.scope, one.name)]


def library_named(request: Request, name: str) -> Library:
    """The library of that name; raises `ProblemError` (404) if the request may not use it."""
    if allowed(request.scope, name):
        with suppress(KeyError):
            return state_of(request).libraries[name]
    raise ProblemError(404, "corpus_not_found", f"There is no corpus {name[:64]!r} that your token opens.")


# These are `async` although they await nothing: FastAPI would call others in a thread, which takes longer than they do.


async def _state(request: Request) -> State:
    return state_of(request)


async def _chosen(
    request: Request,
    corpus: Annotated[str, Path(description="Name of the corpus.", pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")],
) -> Library:
    return library_named(request, corpus)


async def _operator(request: Request) -> None:
    if not is_operator(request.scope):
        raise ProblemError(403, "operators_only", "This is for the operator of the server: use an operator's token.")


OperatorDep = Depends(_operator)
StateDep = Annotated[State, Depends(_state)]
LibraryDep = Annotated[Library, Depends(_chosen)]
