"""The corpus as questions see it: each look into it is a place where the question can be stopped.

A question looks into the corpus a few hundred times, so it ends within a moment, and nothing that it calls has to know.
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
    """A corpus whose snapshots stop their readers when what these work for was asked to (see `Stop.watched`)."""

    @contextmanager
    def snapshot(self) -> Iterator[StoreSnapshot]:
        """The documents as they are now, whoever changes them until the context is left."""
        with super().snapshot() as now:
            yield now.reading(_WatchedTables(now.tables))


if TYPE_CHECKING:
    _WatchedTables: Callable[[TruthSnapshot], TruthSnapshot]
else:

    class _WatchedTables:
        """Tables that raise `WorkStoppedError` in place of being looked into."""

        def __init__(self, tables: TruthSnapshot) -> None:
            self._tables = tables

        def __getattr__(self, name: str) -> object:
            check_watched()
            return getattr(self._tables, name)


_WATCHED: ContextVar[Stop | None] = ContextVar("_WATCHED", default=None)


class Stop:
    """Set once, by whoever wants the work to end; the work looks at it between its steps."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._event = threading.Event()
        self._actions: list[Callable[[], None]] = []

    @property
    def asked(self) -> bool:
        """True if the work is to end."""
        return self._event.is_set()

    def ask(self) -> None:
        """Ask the work to end; asking again does nothing."""
        with self._lock:
            self._event.set()
            actions, self._actions = self._actions, []
        for action in actions:
            action()

    def check(self) -> None:
        """Go on, or end."""
        if self._event.is_set():
            raise WorkStoppedError("It was stopped before it was done; start it again if you still want it.")

    def wait(self, seconds: float) -> None:
        """Let so much time pass, or less when the work is asked to end."""
        self._event.wait(seconds)
        self.check()

    @contextmanager
    def calling(self, action: Callable[[], None]) -> Iterator[None]:
        """Have `action` called from the asking thread, for work that waits and cannot look."""
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
        """Have `check_watched` look at this in what is called meanwhile, however deep: work that is handed nothing."""
        before = _WATCHED.set(self)
        try:
            yield
        finally:
            _WATCHED.reset(before)


def check_watched() -> None:
    """Go on, or end."""
    stop = _WATCHED.get()
    if stop is not None:
        stop.check()
