"""The corpus as questions see it: each look into it is a place where the question can be stopped.

A question looks into the corpus a few hundred times, so it ends within a moment, and nothing that it calls has to know.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar

from spanwise.domain.document import Document, Hidden, Line, Page, Section
from spanwise.domain.passage import Hit, Passage
from spanwise.errors import WorkStoppedError
from spanwise.ingest.corpus import Corpus
from spanwise.store.port import Snapshot, StoredDocument


class Watched(Corpus):
    """A corpus whose snapshots stop their readers when what these work for was asked to (see `Stop.watched`)."""

    @contextmanager
    def snapshot(self) -> Iterator[Snapshot]:
        """The documents as they are now, whoever changes them until the context is left."""
        with super().snapshot() as now:
            yield _WatchedSnapshot(now)


class _WatchedSnapshot:
    """A `spanwise.store.port.Snapshot`; its methods raise `WorkStoppedError` before they begin."""

    def __init__(self, now: Snapshot) -> None:
        self._now = now

    def snapshot(self) -> AbstractContextManager[Snapshot]:
        """Itself: it never changes."""
        return nullcontext(self)

    def documents(self) -> tuple[StoredDocument, ...]:
        """What is known of each document, ordered by name."""
        check_watched()
        return self._now.documents()

    def stored(self, name: str) -> StoredDocument:
        """What is known of one document."""
        check_watched()
        return self._now.stored(name)

    def document(self, name: str) -> Document:
        """The whole document."""
        check_watched()
        return self._now.document(name)

    def lines(self, name: str, first: int, last: int) -> tuple[Line, ...]:
        """The lines `first..last` of a document, both included."""
        check_watched()
        return self._now.lines(name, first, last)

    def pages(self, name: str) -> tuple[Page, ...]:
        """The pages of a document."""
        check_watched()
        return self._now.pages(name)

    def sections(self, name: str) -> tuple[Section, ...]:
        """The table of contents of a document."""
        check_watched()
        return self._now.sections(name)

    def hidden(self, name: str) -> tuple[Hidden, ...]:
        """What is in the file of a document and cannot be seen."""
        check_watched()
        return self._now.hidden(name)

    def passages(self, name: str, first: int = 1, last: int | None = None) -> tuple[Passage, ...]:
        """The passages of a document that share a line with `first..last`."""
        check_watched()
        return self._now.passages(name, first, last)

    def search(self, query: str, k: int = 10, documents: Collection[str] | None = None) -> list[Hit]:
        """The `k` passages that match the words of `query` best, the best first."""
        check_watched()
        return self._now.search(query, k, documents)

    def similar_terms(self, word: str) -> Mapping[str, int]:
        """The stem of a lower-case word where a passage has it, otherwise the commonest that begin like it."""
        check_watched()
        return self._now.similar_terms(word)

    def openings(
        self, names: Sequence[str], near: str = "", k: int = 10, documents: Collection[str] | None = None
    ) -> list[str]:
        """Names of the documents whose own names or first lines have all words of one of some names."""
        check_watched()
        return self._now.openings(names, near, k, documents)


_WATCHED: ContextVar[Stop | None] = ContextVar("_WATCHED", default=None)


class Stop:
    """Set once, by whoever wants the work to end; the work looks at it between its steps."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._event = threading.Event()
        self._actions: list[Callable[[], None]] = []

    @property
    def asked(self) -> bool:
        """Whether the work is to end."""
        return self._event.is_set()

    def ask(self) -> None:
        """Ask the work to end; asking again does nothing."""
        with self._lock:
            self._event.set()
            actions, self._actions = self._actions, []
        for action in actions:
            action()

    def check(self) -> None:
        """Go on, or end.

        Raises:
            WorkStoppedError: It was asked to end.
        """
        if self._event.is_set():
            raise WorkStoppedError("It was stopped before it was done; start it again if you still want it.")

    def wait(self, seconds: float) -> None:
        """Let so much time pass, or less when the work is asked to end.

        Raises:
            WorkStoppedError: It was asked to end.
        """
        self._event.wait(seconds)
        self.check()

    @contextmanager
    def calling(self, action: Callable[[], None]) -> Iterator[None]:
        """Have `action` called from the asking thread, for work that waits and cannot look.

        Raises:
            WorkStoppedError: It was asked to end before.
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
        """Have `check_watched` look at this in what is called meanwhile, however deep: work that is handed nothing."""
        before = _WATCHED.set(self)
        try:
            yield
        finally:
            _WATCHED.reset(before)


def check_watched() -> None:
    """Go on, or end.

    Raises:
        WorkStoppedError: What is watched (see `Stop.watched`) was asked to end.
    """
    stop = _WATCHED.get()
    if stop is not None:
        stop.check()
