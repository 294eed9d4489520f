"""Ports of stores: whole documents, single lines, ranked passages, and one state for one question.

`Truth` is what a database has to do to keep a corpus; the ranking beside it is not its business.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import wraps
from typing import NamedTuple, Protocol, TypeVar

from spanwise.domain.document import Document, Hidden, Line, Page, Section
from spanwise.domain.passage import Hit, Passage
from spanwise.store.codec import Record


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
    """Metadata of a document, known without loading it."""

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


class Change(NamedTuple):
    """A point in the history of a corpus: its number, and a mark that no other history has at that number."""

    sequence: int
    token: str


NOTHING = Change(0, "")
"""The point before the first change."""


class Lines(Protocol):
    """Documents whose lines can be read: all that it takes to check what cites them.

    Every method raises `DocumentNotFoundError` when there is no document of that name.
    """

    def stored(self, name: str) -> StoredDocument:
        """Metadata of one document."""
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

    def hidden(self, name: str) -> tuple[Hidden, ...]:
        """Hidden text in the file of a document."""
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


class StoreView:
    """A `Store` that shows the documents of another one; a subclass changes what it shows."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def _of(self, name: str) -> Store:  # noqa: ARG002  # a subclass may have some documents elsewhere
        """The store of one document."""
        return self._store

    def documents(self) -> tuple[StoredDocument, ...]:
        """All documents, ordered by name."""
        return self._store.documents()

    def stored(self, name: str) -> StoredDocument:
        """Metadata of one document."""
        return self._of(name).stored(name)

    def document(self, name: str) -> Document:
        """The whole document, as it was read."""
        return self._of(name).document(name)

    def lines(self, name: str, first: int, last: int) -> tuple[Line, ...]:
        """The lines `first..last`."""
        return self._of(name).lines(name, first, last)

    def pages(self, name: str) -> tuple[Page, ...]:
        """The pages in order."""
        return self._of(name).pages(name)

    def sections(self, name: str) -> tuple[Section, ...]:
        """The table of contents in order."""
        return self._of(name).sections(name)

    def hidden(self, name: str) -> tuple[Hidden, ...]:
        """Hidden text in the file of a document."""
        return self._of(name).hidden(name)

    def passages(self, name: str, first: int = 1, last: int | None = None) -> tuple[Passage, ...]:
        """The passages that share a line with `first..last`, in order."""
        return self._of(name).passages(name, first, last)

    def search(self, query: str, k: int = 10, documents: Collection[str] | None = None) -> list[Hit]:
        """The `k` passages that match the words of `query` best, the best first."""
        return self._store.search(query, k, documents)

    def similar_terms(self, word: str) -> Mapping[str, int]:
        """The stem of a word where a passage has it, otherwise the commonest that begin like it."""
        return self._store.similar_terms(word)

    def openings(
        self, names: Sequence[str], near: str = "", k: int = 10, documents: Collection[str] | None = None
    ) -> list[str]:
        """Names of the documents whose names or first lines have all words of one of some names."""
        return self._store.openings(names, near, k, documents)


class Snapshots(Protocol):
    """Documents that may change, and are read in one state."""

    def snapshot(self) -> AbstractContextManager[Snapshot]:
        """The documents as they are now, whoever changes them until the context is left."""
        ...


class Snapshot(Store, Snapshots, Protocol):
    """Documents in one state, searched in that state, and a snapshot of them is the same.

    A long one costs room: what is written meanwhile cannot be tidied up.
    """


class TruthSnapshot(Lines, Protocol):
    """The tables of a corpus in one state; safe to use from several threads."""

    @property
    def state(self) -> Change:
        """The last change that it holds, or `NOTHING`."""
        ...

    def documents(self) -> tuple[StoredDocument, ...]:
        """All documents, ordered by name."""
        ...

    def count(self) -> int:
        """How many documents there are."""
        ...

    def count_passages(self) -> int:
        """How many passages there are in all documents."""
        ...

    def document(self, name: str) -> Document:
        """The whole document, equal to what its reader made."""
        ...

    def sections(self, name: str) -> tuple[Section, ...]:
        """The table of contents in order."""
        ...

    def hidden(self, name: str) -> tuple[Hidden, ...]:
        """Hidden text in the file of a document."""
        ...

    def known(self, names: Sequence[str]) -> None:
        """Check that there are documents of these names.

        Raises:
            DocumentNotFoundError: There is none of one name.
        """
        ...

    def linked(self, origin: str) -> tuple[str, ...]:
        """Names of the documents that were found in a folder or by a glob."""
        ...

    def numbered(self, names: Sequence[str]) -> Iterator[tuple[str, Mapping[int, Passage]]]:
        """The passages of some documents, each in order, by their numbers; none where there is no such document."""
        ...

    def passages_numbered(self, numbers: Sequence[int]) -> Mapping[int, Passage]:
        """The passages that have these numbers; a number that has none in this state is left out."""
        ...

    def has_change(self, change: Change) -> bool:
        """True if `change` is part of the history of this corpus."""
        ...

    def changed_since(self, sequence: int) -> Sequence[tuple[str, Change]]:
        """The names that changed after `sequence`, each once with its last change, ordered by that."""
        ...


class Truth(Protocol):
    """The documents of a corpus, each change of them whole and lasting before its method returns.

    A passage has a number that no other passage of the corpus ever has, so a ranking that lags behind cannot point at
    another text.
    """

    def put(self, record: Record, source: Source | None, origins: Sequence[str] = ()) -> tuple[int, ...]:
        """Store a document in place of the one that has its name, if any; return the numbers of its passages."""
        ...

    def remove(self, name: str) -> None:
        """Forget a document.

        Raises:
            DocumentNotFoundError: There is none of that name.
        """
        ...

    def set_source(self, name: str, source: Source) -> None:
        """Say that a document is what the file `source` holds now."""
        ...

    def link(self, origin: str, names: Sequence[str]) -> None:
        """Say that these documents were found in a folder or by a glob."""
        ...

    def snapshot(self) -> AbstractContextManager[TruthSnapshot]:
        """The tables as they are now, whoever changes them until the context is left."""
        ...

    def close(self) -> None:
        """Let go of the database; closing twice does no harm."""
        ...


class Lock(Protocol):
    """The right to write: one holder at a time, let go of when the holder dies."""

    def held(self, wait: float = 0) -> AbstractContextManager[None]:
        """Hold it; who has to wait longer than so many seconds is refused.

        Raises:
            CorpusBusyError: Another thread, process or machine holds it.
            StorageError: It cannot be had at all.
        """
        ...


T = TypeVar("T")
MOST_REMEMBERED = 2_048
"""Documents of which a value is kept that `remembered` reads."""


def remembered(read: Callable[[str, Store], T], most: int = MOST_REMEMBERED) -> Callable[[str, Store], T]:
    """Read each document once: questions ask for the same of the same documents, and openings are long."""
    kept: dict[str, tuple[StoredDocument, T]] = {}

    @wraps(read)
    def known(name: str, store: Store) -> T:
        stored = store.stored(name)
        held = kept.get(name)
        if held is None or held[0] != stored:
            held = stored, read(name, store)
            if len(kept) >= most:
                kept.clear()
            kept[name] = held
        return held[1]

    return known
