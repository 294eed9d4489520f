"""The interfaces of stores: complete documents, single lines, ranked passages, and fixed snapshots of these.

`Truth` is what a database must provide to store a corpus; ranking is separate.
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
    """The file from which a stored document was read, as it was at that time."""

    path: str
    """Absolute path with symbolic links resolved."""
    size: int
    mtime_ns: int
    """Modification time in nanoseconds, or 0 if it cannot reveal a later change."""
    reading: int = 0
    """Version number of the readers; if it differs from the present one, the file has to be read again."""


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """Metadata of a document that is known without loading the document."""

    name: str
    """Name of the document, unique within the store."""
    id: str
    """SHA-256 of the file's bytes, in hexadecimal."""
    format: str
    paged: bool
    lines: int
    """Number of lines."""
    pages: int
    """Number of pages."""
    passages: int
    """Number of passages."""
    source: Source | None = None
    """The source file; None for a document that did not come from a file."""


class Change(NamedTuple):
    """A point in the history of a corpus: its number, and a random token that distinguishes it from other histories."""

    sequence: int
    token: str


NOTHING = Change(0, "")
"""The point before the first change."""


class Lines(Protocol):
    """Documents whose lines can be read, which suffices to check citations of them.

    Every method raises `DocumentNotFoundError` if there is no document with the given name.
    """

    def stored(self, name: str) -> StoredDocument:
        """Metadata of one document."""
        ...

    def lines(self, name: str, first: int, last: int) -> tuple[Line, ...]:
        """The lines `first..last`, both included; lines that the document does not have are left out."""
        ...

    def pages(self, name: str) -> tuple[Page, ...]:
        """The pages in order."""
        ...

    def passages(self, name: str, first: int = 1, last: int | None = None) -> tuple[Passage, ...]:
        """The passages that share a line with `first..last`, in order; all of them by default."""
        ...


class Store(Lines, Protocol):
    """Documents that can be searched and read; thread-safe.

    Every method that takes the name of a document raises `DocumentNotFoundError` if there is none with that name.
    """

    def documents(self) -> tuple[StoredDocument, ...]:
        """All documents, ordered by name."""
        ...

    def document(self, name: str) -> Document:
        """The complete document, equal to what its reader returned."""
        ...

    def sections(self, name: str) -> tuple[Section, ...]:
        """The sections of a document in order."""
        ...

    def hidden(self, name: str) -> tuple[Hidden, ...]:
        """The hidden text of a document."""
        ...

    def search(self, query: str, k: int = 10, documents: Collection[str] | None = None) -> list[Hit]:
        """The `k` passages that best match the words of `query`, the best first.

        A query has no syntax: it consists of words only. Equal scores are ordered by document name, then by line.
        `documents` limits the search to documents with these names.
        """
        ...

    def similar_terms(self, word: str) -> Mapping[str, int]:
        """The stem of a lower-case word if a passage contains it, else the commonest terms with a similar beginning.

        Each term is mapped to the number of passages that contain it.
        """
        ...

    def openings(
        self, names: Sequence[str], near: str = "", k: int = 10, documents: Collection[str] | None = None
    ) -> list[str]:
        """Names of at most `k` documents whose name or first lines contain all words of one of `names`.

        Those that also contain words of `near` come first. Documents that score the same as the best one beyond `k` are
        left out too, so the result never depends on an arbitrary order.
        """
        ...


class StoreView:
    """A `Store` that shows the documents of another store; subclasses change what is shown."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def _of(self, name: str) -> Store:  # noqa: ARG002  # a subclass may use another store for some documents
        """The store that contains a document."""
        return self._store

    def documents(self) -> tuple[StoredDocument, ...]:
        """All documents, ordered by name."""
        return self._store.documents()

    def stored(self, name: str) -> StoredDocument:
        """Metadata of one document."""
        return self._of(name).stored(name)

    def document(self, name: str) -> Document:
        """The complete document."""
        return self._of(name).document(name)

    def lines(self, name: str, first: int, last: int) -> tuple[Line, ...]:
        """The lines `first..last`."""
        return self._of(name).lines(name, first, last)

    def pages(self, name: str) -> tuple[Page, ...]:
        """The pages in order."""
        return self._of(name).pages(name)

    def sections(self, name: str) -> tuple[Section, ...]:
        """The sections of a document in order."""
        return self._of(name).sections(name)

    def hidden(self, name: str) -> tuple[Hidden, ...]:
        """The hidden text of a document."""
        return self._of(name).hidden(name)

    def passages(self, name: str, first: int = 1, last: int | None = None) -> tuple[Passage, ...]:
        """The passages that share a line with `first..last`, in order."""
        return self._of(name).passages(name, first, last)

    def search(self, query: str, k: int = 10, documents: Collection[str] | None = None) -> list[Hit]:
        """The `k` passages that best match the words of `query`, the best first."""
        return self._store.search(query, k, documents)

    def similar_terms(self, word: str) -> Mapping[str, int]:
        """The stem of a word if a passage contains it, else the commonest terms with a similar beginning."""
        return self._store.similar_terms(word)

    def openings(
        self, names: Sequence[str], near: str = "", k: int = 10, documents: Collection[str] | None = None
    ) -> list[str]:
        """Names of the documents whose name or first lines contain all words of one of `names`."""
        return self._store.openings(names, near, k, documents)


class Snapshots(Protocol):
    """Documents that may change, but can be read in a fixed state."""

    def snapshot(self) -> AbstractContextManager[Snapshot]:
        """The documents in their present state, unaffected by changes until the context ends."""
        ...


class Snapshot(Store, Snapshots, Protocol):
    """Documents in a fixed state, in which they are also searched; a snapshot of it is itself.

    Keeping one for long costs disk space, because what is written meanwhile cannot be cleaned up.
    """


class TruthSnapshot(Lines, Protocol):
    """The tables of a corpus in a fixed state; thread-safe."""

    @property
    def state(self) -> Change:
        """The last change that the state includes, or `NOTHING`."""
        ...

    def documents(self) -> tuple[StoredDocument, ...]:
        """All documents, ordered by name."""
        ...

    def count(self) -> int:
        """The number of documents."""
        ...

    def count_passages(self) -> int:
        """The number of passages in all documents."""
        ...

    def document(self, name: str) -> Document:
        """The complete document, equal to what its reader returned."""
        ...

    def sections(self, name: str) -> tuple[Section, ...]:
        """The sections of a document in order."""
        ...

    def hidden(self, name: str) -> tuple[Hidden, ...]:
        """The hidden text of a document."""
        ...

    def known(self, names: Sequence[str]) -> None:
        """Check that there are documents with these names.

        Raises:
            DocumentNotFoundError: There is none with one of the names.
        """
        ...

    def linked(self, origin: str) -> tuple[str, ...]:
        """Names of the documents that were found in a folder or by a glob."""
        ...

    def numbered(self, names: Sequence[str]) -> Iterator[tuple[str, Mapping[int, Passage]]]:
        """For each name the passages by id, in order; no passages if there is no such document."""
        ...

    def passages_numbered(self, numbers: Sequence[int]) -> Mapping[int, Passage]:
        """The passages with these ids; an id that has no passage in this state is left out."""
        ...

    def has_change(self, change: Change) -> bool:
        """True if `change` is part of the history of this corpus."""
        ...

    def changed_since(self, sequence: int) -> Sequence[tuple[str, Change]]:
        """The names of documents that changed after `sequence`, each with its last change, in the order of changes."""
        ...


class Truth(Protocol):
    """The documents of a corpus; each change is atomic, and durable before its method returns.

    A passage has an id that no other passage of the corpus ever has, so an outdated index cannot point at another text.
    """

    def put(self, record: Record, source: Source | None, origins: Sequence[str] = ()) -> tuple[int, ...]:
        """Store a document, replacing one with the same name; return the ids of its passages."""
        ...

    def remove(self, name: str) -> None:
        """Remove a document.

        Raises:
            DocumentNotFoundError: There is none with that name.
        """
        ...

    def set_source(self, name: str, source: Source) -> None:
        """Record the file that contains a document now."""
        ...

    def link(self, origin: str, names: Sequence[str]) -> None:
        """Record that these documents were found in a folder or by a glob."""
        ...

    def snapshot(self) -> AbstractContextManager[TruthSnapshot]:
        """The tables in their present state, unaffected by changes until the context ends."""
        ...

    def close(self) -> None:
        """Close the database; closing it twice has no effect."""
        ...


class Lock(Protocol):
    """A lock for writing: one holder at a time, released if the holder dies."""

    def held(self, wait: float = 0) -> AbstractContextManager[None]:
        """Hold the lock, waiting at most `wait` seconds for it.

        Raises:
            CorpusBusyError: Another thread, process or machine holds the lock.
            StorageError: The lock cannot be created.
        """
        ...


T = TypeVar("T")
MOST_REMEMBERED = 2_048
"""Number of documents for which `remembered` caches a value; then the cache is emptied."""


def remembered(read: Callable[[str, Store], T], most: int = MOST_REMEMBERED) -> Callable[[str, Store], T]:
    """Cache a value that is read from each document, until the document changes; of `most` documents at once."""
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
