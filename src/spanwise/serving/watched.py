"""The corpus as questions see it: each look into it is a place where the question can be stopped.

A question looks into the corpus a few hundred times, so it ends within a moment, and nothing that it calls has to know.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext

from spanwise.domain.document import Document, Hidden, Line, Page, Section
from spanwise.domain.passage import Hit, Passage
from spanwise.ingest.corpus import Corpus
from spanwise.serving.stopping import check_watched
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
