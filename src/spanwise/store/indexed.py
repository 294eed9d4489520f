"""Truth and index combined as one store.

The truth is the database with the documents; the index only ranks passages. The index is brought up to date when it
lags behind, rebuilt when it is damaged or belongs to another corpus, and while another process is writing it, the
passages it lacks are ranked in memory. All text that is returned comes from the truth.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Self

from spanwise.domain.document import Document, Hidden, Line, Page, Section
from spanwise.domain.passage import Hit, Passage
from spanwise.errors import CorpusBusyError, StorageError
from spanwise.store.address import address_of, is_address
from spanwise.store.changes import WriteLock
from spanwise.store.codec import Record
from spanwise.store.index import IndexUnusableError, IndexWriting, PassageIndex, Ranking, create_index, open_index
from spanwise.store.port import NOTHING, Change, Lock, Source, StoredDocument, Truth, TruthSnapshot
from spanwise.store.snapshot import StoreSnapshot
from spanwise.store.sqlite import memory_truth, open_truth

_PASSAGES_A_COMMIT = 20_000
_SECONDS_A_COMMIT = 10.0
_READERS_TURN = 1.0
"""Most seconds that a writer waits for the lock, which readers hold briefly to bring the index up to date."""
_ATTEMPTS = 5
"""Number of attempts to get tables and index in the same state before a lagging one is accepted."""
_MOST_NEWER = 5_000
"""Most passages that are ranked in memory while another process updates the index; others are found afterwards."""


class IndexedStore:
    """A `Store` in a file, a database or memory, with a search index beside it.

    Each of its methods sees the newest state; `snapshot` gives one fixed state for many calls.
    """

    def __init__(self, truth: Truth, directory: Path | None, lock: Lock, changes: Lock | None = None) -> None:
        """Use `open_store` or `memory_store` instead.

        Args:
            truth: The documents.
            directory: The folder of the index; None for an index in memory.
            lock: The lock for writing to the index.
            changes: The lock for changing the documents, if it is another one: with a database, each machine has its
                own index.
        """
        self._truth = truth
        self._directory = directory
        self._write_lock = lock
        self._changes = changes
        self._guard = threading.RLock()
        self._index: PassageIndex | None = None
        self._stands_in = False
        """True if the index is in memory because the one on disk could not be used."""
        self._complete: tuple[PassageIndex, Change] | None = None
        self._newest: StoreSnapshot | None = None
        self._ahead: PassageIndex | None = None
        self._ahead_of = NOTHING
        """The state of the index that `_ahead` supplements."""

    @contextmanager
    def snapshot(self) -> Iterator[StoreSnapshot]:
        """The documents in their present state, unaffected by changes until the context ends.

        Every question uses one snapshot. Take one yourself to have several questions answered from the same state:

            with corpus.snapshot() as now:
                engine = Engine(now)
        """
        for attempt in range(1, _ATTEMPTS + 1):
            with self._truth.snapshot() as tables:
                found = self._of(tables, last=attempt == _ATTEMPTS)
                if found is not None:
                    yield found
                    return

    def state(self) -> Change:
        """The last change of the documents."""
        with self._truth.snapshot() as tables:
            return tables.state

    def documents(self) -> tuple[StoredDocument, ...]:
        """All documents, ordered by name."""
        with self._truth.snapshot() as tables:
            return tables.documents()

    def count(self) -> int:
        """The number of documents."""
        with self._truth.snapshot() as tables:
            return tables.count()

    def stored(self, name: str) -> StoredDocument:
        """Metadata of one document.

        Raises:
            DocumentNotFoundError: There is no document with that name.
        """
        with self._truth.snapshot() as tables:
            return tables.stored(name)

    def document(self, name: str) -> Document:
        """The complete document."""
        with self._truth.snapshot() as tables:
            return tables.document(name)

    def lines(self, name: str, first: int, last: int) -> tuple[Line, ...]:
        """The lines `first..last`, both included."""
        with self._truth.snapshot() as tables:
            return tables.lines(name, first, last)

    def pages(self, name: str) -> tuple[Page, ...]:
        """The pages in order."""
        with self._truth.snapshot() as tables:
            return tables.pages(name)

    def sections(self, name: str) -> tuple[Section, ...]:
        """The sections of a document in order."""
        with self._truth.snapshot() as tables:
            return tables.sections(name)

    def hidden(self, name: str) -> tuple[Hidden, ...]:
        """The hidden text of a document."""
        with self._truth.snapshot() as tables:
            return tables.hidden(name)

    def passages(self, name: str, first: int = 1, last: int | None = None) -> tuple[Passage, ...]:
        """The passages that share a line with `first..last`, in order."""
        with self._truth.snapshot() as tables:
            return tables.passages(name, first, last)

    def linked(self, origin: str) -> tuple[str, ...]:
        """Names of the documents that were found in a folder or by a glob."""
        with self._truth.snapshot() as tables:
            return tables.linked(origin)

    def search(self, query: str, k: int = 10, documents: Collection[str] | None = None) -> list[Hit]:
        """The `k` passages that best match the words of `query`, the best first (see `StoreSnapshot.search`)."""
        with self.snapshot() as now:
            return now.search(query, k, documents)

    def similar_terms(self, word: str) -> Mapping[str, int]:
        """The stem of a lower-case word if a passage contains it, else the commonest terms with a similar beginning."""
        with self.snapshot() as now:
            return now.similar_terms(word)

    def openings(
        self, names: Sequence[str], near: str = "", k: int = 10, documents: Collection[str] | None = None
    ) -> list[str]:
        """Names of at most `k` documents whose name or first lines contain all words of one of `names`."""
        with self.snapshot() as now:
            return now.openings(names, near, k, documents)

    @contextmanager
    def writing(self) -> Iterator[Writing]:
        """Change the store; at the end, the index is brought up to date as well, even after an error."""
        changing = nullcontext() if self._changes is None else self._changes.held(_READERS_TURN)
        with changing, self._write_lock.held(_READERS_TURN), Writing(self._truth, self._writable_index) as writing:
            yield writing

    def close(self) -> None:
        """Close the files."""
        with self._guard:
            self._index = self._newest = self._complete = self._ahead = None
            self._truth.close()

    def _of(self, tables: TruthSnapshot, *, last: bool) -> StoreSnapshot | None:
        """The tables with their ranking; None if the index is newer, so that newer tables must be fetched."""
        with self._guard:
            known = self._newest
            if known is not None and known.tables is tables and not known.lags:
                return known
            try:
                ranking = self._ranking(tables)
                if known is not None and known.tables is tables and known.ranking.state == ranking.state:
                    return known  # neither index nor tables have changed
                newer = None if ranking.state == tables.state else self._missing(tables, ranking)
            except IndexUnusableError:
                ranking, newer = self._rebuilt(tables), None
            if not last and (newer or ranking).state.sequence > tables.state.sequence:
                return None
            self._newest = StoreSnapshot(tables, ranking, newer, self._rebuilt, self._directory)
            return self._newest

    def _ranking(self, tables: TruthSnapshot) -> Ranking:
        """The ranking of the newest commit, brought up to date unless another process is writing."""
        index = self._opened_index()
        if index.now.state != tables.state:
            if self._stands_in and self._directory is not None:
                with suppress(IndexUnusableError):
                    self._index, self._stands_in = open_index(self._directory), False
                    index = self._index
            if index.worn and self._directory is not None and not self._stands_in:
                index = self._index = open_index(self._directory)
            index.refresh()
        if index.now.state.sequence > tables.state.sequence:
            return index.now  # it contains everything that these tables have
        if index.now.state == tables.state and self._verified(index, tables):
            return index.now
        try:
            with self._write_lock.held(), self._truth.snapshot() as newest:
                self._catch_up(index, newest)
        except (CorpusBusyError, StorageError):
            pass  # the process that is writing will bring it up to date
        return index.now

    def _missing(self, tables: TruthSnapshot, ranking: Ranking) -> Ranking | None:
        """An in-memory index of the passages that the index on disk lacks because another process is writing it."""
        if ranking.state != NOTHING and not tables.has_change(ranking.state):
            with self._truth.snapshot() as newest:
                if not newest.has_change(ranking.state):
                    raise IndexUnusableError("the index is of another corpus")
            return None  # the index is newer than the tables
        if self._ahead is None or self._ahead_of != ranking.state:
            self._ahead, self._ahead_of = create_index(None), ranking.state
        since = max(self._ahead.now.state.sequence, ranking.state.sequence)
        changed = tables.changed_since(since)
        if changed:
            with self._ahead.writing(much=False) as writer:
                for name, passages in tables.numbered([name for name, _ in changed]):
                    if self._ahead.now.passages + writer.pending + len(passages) <= _MOST_NEWER:
                        writer.replace(name, passages)
                writer.commit(changed[-1][1])
        return self._ahead.now

    def _rebuilt(self, tables: TruthSnapshot) -> Ranking:
        """A new ranking of all passages that replaces an unusable one; in memory if it cannot be written."""
        with self._guard:
            try:
                with self._write_lock.held(), self._truth.snapshot() as newest:
                    self._index, self._stands_in = _new_index(self._directory, newest), False
            except (CorpusBusyError, StorageError):
                self._index, self._stands_in = _new_index(None, tables), True
            now = self._index.now
            return now if now.state == tables.state else _new_index(None, tables).now

    def _opened_index(self) -> PassageIndex:
        if self._index is None:
            self._index = open_index(self._directory) if self._directory else create_index(None)
        return self._index

    def _writable_index(self) -> PassageIndex:
        """The index on disk, brought up to date; the caller must hold the write lock."""
        with self._guard, self._truth.snapshot() as newest:
            try:
                index = open_index(self._directory) if self._directory else self._opened_index()
                self._catch_up(index, newest)
            except IndexUnusableError:
                index = _new_index(self._directory, newest)
            self._index, self._stands_in = index, False
            return index

    def _catch_up(self, index: PassageIndex, newest: TruthSnapshot) -> None:
        """Add to the index what it lacks of the newest tables; the caller must hold the write lock."""
        state = index.now.state
        if state != newest.state:
            if state != NOTHING and not newest.has_change(state):
                raise IndexUnusableError("the index is of another corpus")
            with index.writing() as writer:
                _follow(newest, writer, state.sequence)
        if not self._verified(index, newest):
            raise IndexUnusableError("the index does not have the passages that there are")

    def _verified(self, index: PassageIndex, tables: TruthSnapshot) -> bool:
        """True if the index has as many passages as the tables of its state; counted once for each state."""
        of = (index, tables.state)
        if self._complete != of and index.now.passages == tables.count_passages():
            self._complete = of
        return self._complete == of


class Writing:
    """Changes to a store; each is on disk when its method returns, and the index follows in larger steps."""

    def __init__(self, truth: Truth, index: Callable[[], PassageIndex]) -> None:
        """Use `IndexedStore.writing` instead."""
        self._truth = truth
        self._open_index = index
        self._batch: _IndexBatch | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._batch is not None:
            self._batch.finish()

    def put(self, record: Record, source: Source | None = None, origins: Sequence[str] = ()) -> None:
        """Store a document, replacing one with the same name."""
        with self._indexing().following() as index:
            numbers = self._truth.put(record, source, origins)
            index.replace(record.name, dict(zip(numbers, record.passages, strict=True)))

    def remove(self, name: str) -> None:
        """Remove a document; a `DocumentNotFoundError` if there is none with that name."""
        with self._truth.snapshot() as tables:
            tables.known([name])
        with self._indexing().following() as index:
            self._truth.remove(name)
            index.replace(name, {})

    def set_source(self, name: str, source: Source) -> None:
        """Record the file that contains a document now."""
        self._truth.set_source(name, source)

    def link(self, origin: str, names: Sequence[str]) -> None:
        """Record that these documents were found in a folder or by a glob."""
        self._truth.link(origin, names)

    def _indexing(self) -> _IndexBatch:
        # Opened by the first change, so that a second run over unchanged files never touches the index.
        if self._batch is None:
            self._batch = _IndexBatch(self._truth, self._open_index())
        return self._batch


class _IndexBatch:
    """Changes to an index that was up to date, committed after a number of passages or seconds."""

    def __init__(self, truth: Truth, index: PassageIndex) -> None:
        self._truth = truth
        self._context = index.writing()
        self._writer = self._context.__enter__()
        self._behind = False
        self._reached = index.now.state.sequence
        """Number of the last change, provided that no other process made one."""
        self._committed_at = time.monotonic()

    @contextmanager
    def following(self) -> Iterator[IndexWriting]:
        """Change truth and index together; after a change that failed halfway, nothing more is committed."""
        behind, self._behind = self._behind, True
        yield self._writer
        self._behind, self._reached = behind, self._reached + 1
        if self._writer.pending >= _PASSAGES_A_COMMIT or time.monotonic() - self._committed_at > _SECONDS_A_COMMIT:
            self._commit()

    def finish(self) -> None:
        try:
            self._commit()
        finally:
            self._context.__exit__(None, None, None)

    def _commit(self) -> None:
        if self._writer.pending and not self._behind:
            # If the index cannot be read again, the next reader or writer rebuilds it; the truth has the change.
            with self._truth.snapshot() as tables, suppress(IndexUnusableError):
                # A process that lost its lock on a database may not be the only one that changed it.
                if tables.state.sequence == self._reached:
                    self._writer.commit(tables.state)
                else:
                    self._behind = True
        self._committed_at = time.monotonic()


def open_store(place: str | os.PathLike[str], *, create: bool = True) -> IndexedStore:
    """The store in a file, or at the URL of a PostgreSQL database."""
    return IndexedStore(*parts_of(place, create=create))


def parts_of(
    place: str | os.PathLike[str], *, create: bool
) -> tuple[Truth, Path, WriteLock] | tuple[Truth, Path, WriteLock, Lock]:
    """The parts of a store: truth, folder of the index, lock of the index, and for PostgreSQL the lock of the truth.

    The index of a file is in the folder of the same name + `.index`, that of a database in the user's cache folder.
    """
    if is_address(place):
        from spanwise.store.postgres import open_postgres

        address = address_of(os.fspath(place))
        truth = open_postgres(address, create=create)
        index = address.beside("XDG_CACHE_HOME", ".cache")
        with suppress(OSError):  # an index that cannot be stored is built in memory
            index.parent.mkdir(parents=True, exist_ok=True)
        return truth, index, WriteLock(index), truth
    path = Path(place).absolute()
    return open_truth(path, create=create), Path(f"{path}.index"), WriteLock(path)


def memory_store() -> IndexedStore:
    """An empty store in memory, which is lost when it is closed."""
    return IndexedStore(memory_truth(), None, WriteLock(None))


def _new_index(directory: Path | None, tables: TruthSnapshot) -> PassageIndex:
    index = create_index(directory)
    with index.writing() as writer:
        _follow(tables, writer, 0)
    return index


def _follow(tables: TruthSnapshot, index: IndexWriting, since: int) -> None:
    """Add to the index all changes after the one with the number `since`."""
    changed = dict(tables.changed_since(since))
    reached = NOTHING
    for name, passages in tables.numbered(list(changed)):
        reached = changed[name]
        index.replace(name, passages)
        if index.pending >= _PASSAGES_A_COMMIT:
            index.commit(reached)
    if index.pending:
        index.commit(reached)
