"""Cancellation of work: each read from the corpus is a point at which the work can be stopped.

A question reads from the corpus a few hundred times, so it ends within a moment, and the code that it runs through
needs no knowledge of cancellation.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

from spanwise.errors import WorkStoppedError
from spanwise.ingest.corpus import Corpus
from spanwise.store.port import TruthSnapshot
from spanwise.store.snapshot import StoreSnapshot


class Watched(Corpus):
    """A corpus whose snapshots raise `WorkStoppedError` once the current `Stop` has been asked (see `Stop.watched`)."""

    @contextmanager
    def snapshot(self) -> Iterator[StoreSnapshot]:
        """A consistent snapshot of the documents, unaffected by changes until the context ends."""
        with super().snapshot() as now:
            yield now.reading(_WatchedTables(now.tables))


if TYPE_CHECKING:
    _WatchedTables: Callable[[TruthSnapshot], TruthSnapshot]
else:

    class _WatchedTables:
        """A proxy of the tables that checks for cancellation before each access."""

        def __init__(self, tables: TruthSnapshot) -> None:
            self._tables = tables

        def __getattr__(self, name: str) -> object:
            check_watched()
            return getattr(self._tables, name)


_WATCHED: ContextVar[Stop | None] = ContextVar("_WATCHED", default=None)


class Stop:
    """A cancellation flag: set once by whoever wants the work to end, and checked by the work between its steps."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._event = threading.Event()
        self._actions: list[Callable[[], None]] = []

    @property
    def asked(self) -> bool:
        """True if the work is to end."""
        return self._event.is_set()

    def ask(self) -> None:
        """Ask the work to end, and call the registered actions; asking again does nothing."""
        with self._lock:
            self._event.set()
            actions, self._actions = self._actions, []
        for action in actions:
            action()

    def check(self) -> None:
        """Raise `WorkStoppedError` if the work is to end."""
        if self._event.is_set():
            raise WorkStoppedError("It was stopped before it was done; start it again if you still want it.")

    def wait(self, seconds: float) -> None:
        """Wait for `seconds`, or until the work is asked to end; raises `WorkStoppedError` then."""
        self._event.wait(seconds)
        self.check()

    @contextmanager
    def calling(self, action: Callable[[], None]) -> Iterator[None]:
        """Have `action` called, in the asking thread, if the work is asked to end within the context.

        For work that blocks and cannot check.
        """
        with self._lock:
            self.check()
            self._actions.append(action)
        try:
            yield
        finally:
            with self._lock:
                if action in self._actions:
                    self._actions.remove(action)

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Make `check_watched` check this flag in all code that is called within the context, however deep."""
        before = _WATCHED.set(self)
        try:
            yield
        finally:
            _WATCHED.reset(before)


def check_watched() -> None:
    """Raise `WorkStoppedError` if the current work is to end."""
    stop = _WATCHED.get()
    if stop is not None:
        stop.check()
