"""What a store of documents promises: whole documents, single lines, and ranked passages."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from spanwise.domain.document import Document, Line, Page, Section
from spanwise.domain.passage import Hit, Passage


@dataclass(frozen=True, slots=True)
class Source:
    """The file that a stored document was read from, as it was then."""

    path: str
    """Absolute, symbolic links resolved."""
    size: int
    mtime_ns: int
    """Modification time, or 0 when it cannot be trusted to reveal a later change."""
    reading: int = 0
    """Version of the way the file was read: another one means that it has to be read again."""


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """What a store knows about a document without loading it."""

    name: str
    """Unique within the store."""
    id: str
    """SHA-256 of the file's bytes."""
    format: str
    paged: bool
    lines: int
    """How many lines it has."""
    pages: int
    """How many pages it has."""
    passages: int
    """How many passages it was cut into."""
    source: Source | None = None
    """None for a document that did not come from a file."""


class Lines(Protocol):
    """Documents whose lines can be read: all that it takes to check what cites them.

    Every method raises `DocumentNotFoundError` when there is no document of that name.
    """

    def stored(self, name: str) -> StoredDocument:
        """What is known of one document."""
        ...

    def lines(self, name: str, first: int, last: int) -> tuple[Line, ...]:
        """The lines `first..last` (both included; what lies outside the document is left out)."""
        ...

    def pages(self, name: str) -> tuple[Page, ...]:
        """The pages in order."""
        ...

    def passages(self, name: str, first: int = 1, last: int | None = None) -> tuple[Passage, ...]:
        """The passages that share a line with `first..last`, in order; all of them by default."""
        ...


class Store(Lines, Protocol):
    """Documents that can be searched and read from, from several threads at once.

    Every method that takes the name of a document raises `DocumentNotFoundError` when there is none of that name.
    """

    def documents(self) -> tuple[StoredDocument, ...]:
        """All documents, ordered by name."""
        ...

    def document(self, name: str) -> Document:
        """The whole document, equal to what its reader made."""
        ...

    def sections(self, name: str) -> tuple[Section, ...]:
        """The table of contents in order."""
        ...

    def search(self, query: str, k: int = 10, documents: Collection[str] | None = None) -> list[Hit]:
        """The `k` passages that match the words of `query` best, the best first.

        The words are only words: the text of a query is never syntax. Equal scores are ordered by document name, then
        by line. `documents` limits the search to documents of these names.
        """
        ...

    def similar_terms(self, word: str) -> Mapping[str, int]:
        """The stem of a lower-case word where a passage has it, otherwise the commonest that begin like it.

        Each comes with the number of passages that have it.
        """
        ...

    def openings(
        self, names: Sequence[str], near: str = "", k: int = 10, documents: Collection[str] | None = None
    ) -> list[str]:
        """Names of at most `k` documents whose own names or first lines have all words of one of `names`.

        Those that also have words of `near` come first. Those that match as well as the first one left out are left
        out too: the order never depends on chance.
        """
        ...
