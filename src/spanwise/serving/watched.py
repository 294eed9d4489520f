"""The corpus as questions see it: each look into it is a place where the question can be stopped.

A question looks into the corpus a few hundred times, so it ends within a moment, and nothing that it calls has to know.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from spanwise.domain.document import Document, Line, Page, Section
from spanwise.domain.passage import Hit, Passage
from spanwise.pipeline.corpus import Corpus
from spanwise.serving.stopping import check_watched
from spanwise.store.port import StoredDocument


class Watched(Corpus):
    """A corpus whose readers stop when what they work for was asked to (see `Stop.watched`).

    Every method raises `WorkStoppedError` then, before it has begun, beside what it raises in any corpus.
    """

    def documents(self) -> tuple[StoredDocument, ...]:
        """What is known of each document, ordered by name."""
        check_watched()
        return super().documents()

    def stored(self, name: str) -> StoredDocument:
        """What is known of one document."""
        check_watched()
        return super().stored(name)

    def document(self, name: str) -> Document:
        """The whole document."""
        check_watched()
        return super().document(name)

    def lines(self, name: str, first: int, last: int) -> tuple[Line, ...]:
        """The lines `first..last` of a document, both included."""
        check_watched()
        return super().lines(name, first, last)

    def pages(self, name: str) -> tuple[Page, ...]:
        """The pages of a document."""
        check_watched()
        return super().pages(name)

    def sections(self, name: str) -> tuple[Section, ...]:
        """The table of contents of a document."""
        check_watched()
        return super().sections(name)

    def passages(self, name: str, first: int = 1, last: int | None = None) -> tuple[Passage, ...]:
        """The passages of a document that share a line with `first..last`."""
        check_watched()
        return super().passages(name, first, last)

    def search(self, query: str, k: int = 10, documents: Collection[str] | None = None) -> list[Hit]:
        """The `k` passages that match the words of `query` best, the best first."""
        check_watched()
        return super().search(query, k, documents)

    def openings(
        self, names: Sequence[str], near: str = "", k: int = 10, documents: Collection[str] | None = None
    ) -> list[str]:
        """Names of the documents whose own names or first lines have all words of one of some names."""
        check_watched()
        return super().openings(names, near, k, documents)
