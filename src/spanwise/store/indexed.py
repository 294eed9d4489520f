"""Truth and index as one store: the index follows the truth, is repaired when it lags, and is never believed."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

from spanwise.domain.document import Document, Line, Page, Section
from spanwise.domain.passage import Hit, Passage
from spanwise.errors import CorpusBusyError, DocumentNotFoundError, InputError, StorageError
from spanwise.store.analysis import other_query_terms, query_terms
from spanwise.store.codec import Record
from spanwise.store.index import (
    IndexUnusableError,
    IndexWriting,
    PassageIndex,
    Ranked,
    create_index,
    open_index,
)
from spanwise.store.locking import WriteLock
from spanwise.store.port import Source, StoredDocument
from spanwise.store.recent import RecentSearches, Search
from spanwise.store.sqlite import NOTHING, Change, Truth, memory_truth, open_truth

MOST_HITS = 10_000
_PASSAGES_A_COMMIT = 20_000
_SECONDS_A_COMMIT = 10.0
# Passages that score the same as the last one wanted are fetched too, so that their order does not depend on the index.
_SPARE_HITS = 20


class IndexedStore:
    """A `Store` in a file, or in memory, whose searches are ranked by an index beside it."""

    def __init__(self, truth: Truth, directory: Path | None, lock: WriteLock) -> None:
        """Use `open_store` or `memory_store` instead."""
        self._truth = truth
        self._directory = directory
        self._write_lock = lock
        self._guard = threading.RLock()
        self._index: PassageIndex | None = None
        self._verified: tuple[PassageIndex, Change] | None = None
        self._recent = RecentSearches()

    def documents(self) -> tuple[StoredDocument, ...]:
        """All documents, ordered by name."""
        return self._truth.documents()

    def count(self) -> int:
        """How many documents there are."""
        return self._truth.count()

    def stored(self, name: str) -> StoredDocument:
        """What is known of one document."""
        return self._truth.stored(name)

    def document(self, name: str) -> Document:
        """The whole document, equal to what its reader made."""
        return self._truth.document(name)

    def lines(self, name: str, first: int, last: int) -> tuple[Line, ...]:
        """The lines `first..last`, both included."""
        return self._truth.lines(name, first, last)

    def pages(self, name: str) -> tuple[Page, ...]:
        """The pages in order."""
        return self._truth.pages(name)

    def sections(self, name: str) -> tuple[Section, ...]:
        """The table of contents in order."""
        return self._truth.sections(name)

    def passages(self, name: str, first: int = 1, last: int | None = None) -> tuple[Passage, ...]:
        """The passages that share a line with `first..last`, in order."""
        return tuple(self._truth.passages(name, first, last).values())

    def linked(self, origin: str) -> tuple[str, ...]:
        """Names of the documents that were found in a folder or by a glob."""
        return self._truth.linked(origin)

    def search(self, query: str, k: int = 10, documents: Collection[str] | None = None) -> list[Hit]:
        """The `k` passages that match the words of `query` best, the best first.

        Raises:
            DocumentNotFoundError: `documents` names one that there is not.
            InputError: `k` is not between 1 and `MOST_HITS`.
        """
        if not 1 <= k <= MOST_HITS:
            raise InputError(f"k has to be between 1 and {MOST_HITS}, and is {k}.")
        wanted = None if documents is None else [documents] if isinstance(documents, str) else sorted(set(documents))
        self._truth.known(wanted or ())
        terms, others = query_terms(query), other_query_terms(query)
        if not (terms or others) or wanted == []:
            return []
        index = self._current_index()
        asked = Search(tuple(terms), k, None if wanted is None else tuple(wanted), tuple(others))
        state = index.state
        if state != self._truth.newest_change():
            return self._searched(index, asked)  # it lags: what it finds changes without it
        known = self._recent.get(index, state, asked)
        if known is None:
            known = self._searched(index, asked)
            self._recent.keep(index, state, asked, known)
        return known

    def similar_terms(self, word: str) -> Mapping[str, int]:
        """The stem of a lower-case word where a passage has it, otherwise the commonest that begin like it."""
        index = self._current_index()
        try:
            return index.similar_terms(word)
        except IndexUnusableError:
            return self._repaired_index().similar_terms(word)

    def openings(
        self, names: Sequence[str], near: str = "", k: int = 10, documents: Collection[str] | None = None
    ) -> list[str]:
        """Names of at most `k` documents whose own names or first lines have all words of one of `names`."""
        wanted = [terms for name in names if (terms := query_terms(name))]
        if not wanted or (documents is not None and not documents):
            return []
        index, further = self._current_index(), query_terms(near)
        try:
            ranked = index.openings(wanted, further, k + 1, documents)
        except IndexUnusableError:
            ranked = self._repaired_index().openings(wanted, further, k + 1, documents)
        hits = self._hits(ranked)
        if len(ranked) > k:
            hits = [hit for hit in hits if hit.score > ranked[-1].score]
        return [hit.passage.document for hit in hits]

    @contextmanager
    def writing(self) -> Iterator[Writing]:
        """Change the store; at the end the index is brought up to date as well, whatever happened.

        Raises:
            CorpusBusyError: Someone else is changing it.
            StorageError: It cannot be written.
        """
        with self._write_lock.held(), Writing(self._truth, self._writable_index) as writing:
            yield writing

    def close(self) -> None:
        """Let go of the files."""
        with self._guard:
            self._index = None
            self._truth.close()

    def _searched(self, index: PassageIndex, asked: Search) -> list[Hit]:
        terms, k, wanted, others = asked
        limit = k + _SPARE_HITS
        while True:
            try:
                ranked = index.search(terms, limit, wanted, others)
            except IndexUnusableError:
                index = self._repaired_index()
                continue
            # To fetch the spare ones costs as much as the best; mostly these, and what ties with their last, will do.
            foremost = [one for one in ranked if one.score >= ranked[min(k, len(ranked)) - 1].score]
            hits = self._hits(foremost)
            if len(foremost) < len(ranked):
                if len(hits) == len(foremost):
                    return hits[:k]
                hits = self._hits(ranked)
            # Fewer hits than asked for although the index had more: some were stale, or stand in one long tie.
            exhausted = len(ranked) < limit
            tied = len(hits) > k and hits[-1].score == hits[k - 1].score
            if exhausted or limit > MOST_HITS or (len(hits) >= k and not tied):
                return hits[:k]
            limit *= 4

    def _hits(self, ranked: list[Ranked]) -> list[Hit]:
        found = self._truth.passages_numbered([passage for passage, _ in ranked])
        hits = [
            Hit(passage=found[number], score=score, factors={"bm25": score})
            for number, score in ranked
            if number in found
        ]
        return sorted(hits, key=lambda hit: (-hit.score, hit.passage.document, hit.passage.line_start))

    def _current_index(self) -> PassageIndex:
        """The index, brought up to date if nobody else is at it."""
        with self._guard:
            newest = self._truth.newest_change()
            try:
                index = self._opened_index()
                if index.state != newest:
                    index.refresh()
                if index.state == newest and self._verify(index, newest):
                    return index
                with self._write_lock.held():
                    self._catch_up(index)
            except IndexUnusableError:
                return self._repaired_index()
            except (CorpusBusyError, StorageError):
                # Whoever is writing brings it up to date; until then the truth drops what is no longer so.
                pass
            return index

    def _repaired_index(self) -> PassageIndex:
        """A new index in place of one that cannot be used; in memory when it cannot be written."""
        with self._guard:
            try:
                with self._write_lock.held():
                    self._index = self._new_index(self._directory)
            except (CorpusBusyError, StorageError):
                self._index = self._new_index(None)
            return self._index

    def _opened_index(self) -> PassageIndex:
        if self._index is None:
            self._index = open_index(self._directory) if self._directory else create_index(None)
        return self._index

    def _writable_index(self) -> PassageIndex:
        """The index as it is on the disk, up to date. Only for who holds the write lock."""
        with self._guard:
            try:
                self._index = open_index(self._directory) if self._directory else self._opened_index()
                self._catch_up(self._index)
            except IndexUnusableError:
                self._index = self._new_index(self._directory)
            return self._index

    def _new_index(self, directory: Path | None) -> PassageIndex:
        index = create_index(directory)
        with index.writing() as writer:
            _follow(self._truth, writer, 0)
        return index

    def _catch_up(self, index: PassageIndex) -> None:
        """Bring to `index` what it lacks. Only for who holds the write lock.

        Raises:
            IndexUnusableError: It holds something else than a state of this truth: a file was put back or swapped, or
                the process that wrote it was killed at a bad moment.
        """
        newest = self._truth.newest_change()
        if index.state != newest:
            if index.state != NOTHING and not self._truth.has_change(index.state):
                raise IndexUnusableError("the index is of another corpus")
            with index.writing() as writer:
                _follow(self._truth, writer, index.state.sequence)
        if not self._verify(index, newest):
            raise IndexUnusableError("the index does not have the passages that there are")

    def _verify(self, index: PassageIndex, newest: Change) -> bool:
        """Whether the index has as many passages as the truth; counted once for each state."""
        if self._verified != (index, newest) and index.passages == self._truth.count_passages():
            self._verified = (index, newest)
        return self._verified == (index, newest)


class Writing:
    """Changes to a store. Each is on the disk when its method returns; the index follows in larger steps."""

    def __init__(self, truth: Truth, index: Callable[[], PassageIndex]) -> None:
        """Use `IndexedStore.writing` instead."""
        self._truth = truth
        self._open_index = index
        self._batch: _IndexBatch | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._batch is not None:
            self._batch.finish()

    def put(self, record: Record, source: Source | None = None, origins: Sequence[str] = ()) -> None:
        """Store a document in place of the one that has its name, if any."""
        with self._indexing().following() as index:
            numbers = self._truth.put(record, source, origins)
            index.replace(record.name, dict(zip(numbers, record.passages, strict=True)))

    def remove(self, name: str) -> None:
        """Forget a document."""
        self._truth.known([name])
        with self._indexing().following() as index:
            self._truth.remove(name)
            index.replace(name, {})

    def set_source(self, name: str, source: Source) -> None:
        """Say that a document is what the file `source` holds now."""
        self._truth.set_source(name, source)

    def link(self, origin: str, names: Sequence[str]) -> None:
        """Say that these documents were found in a folder or by a glob."""
        self._truth.link(origin, names)

    def _indexing(self) -> _IndexBatch:
        # Opened by the first change: a second run over unchanged files never touches the index.
        if self._batch is None:
            self._batch = _IndexBatch(self._truth, self._open_index())
        return self._batch


class _IndexBatch:
    """Changes to an index that was up to date, committed every so many passages or seconds."""

    def __init__(self, truth: Truth, index: PassageIndex) -> None:
        self._truth = truth
        self._context = index.writing()
        self._writer = self._context.__enter__()
        self._behind = False
        self._committed_at = time.monotonic()

    @contextmanager
    def following(self) -> Iterator[IndexWriting]:
        """Change truth and index together; after a change that broke off, nothing more is committed."""
        behind, self._behind = self._behind, True
        yield self._writer
        self._behind = behind
        if self._writer.pending >= _PASSAGES_A_COMMIT or time.monotonic() - self._committed_at > _SECONDS_A_COMMIT:
            self._commit()

    def finish(self) -> None:
        try:
            self._commit()
        finally:
            self._context.__exit__(None, None, None)

    def _commit(self) -> None:
        if self._writer.pending and not self._behind:
            self._writer.commit(self._truth.newest_change())
        self._committed_at = time.monotonic()


def open_store(path: Path, *, create: bool = True) -> IndexedStore:
    """The store in the file `path`, its index in the folder `path` + `.index`.

    Raises:
        NotACorpusError: The file is not a corpus, is of a newer version, or is missing and `create` is False.
        StorageError: The file cannot be read or made.
    """
    path = path.absolute()
    return IndexedStore(open_truth(path, create=create), Path(f"{path}.index"), WriteLock(path))


def memory_store() -> IndexedStore:
    """A store that is gone when it is closed."""
    return IndexedStore(memory_truth(), None, WriteLock(None))


def _follow(truth: Truth, index: IndexWriting, since: int) -> None:
    """Bring to `index` what changed after the number `since`."""
    reached = NOTHING
    for name, reached in truth.changed_since(since):
        try:
            passages = truth.passages(name)
        except DocumentNotFoundError:
            passages = {}
        index.replace(name, passages)
        if index.pending >= _PASSAGES_A_COMMIT:
            index.commit(reached)
    if index.pending:
        index.commit(reached)
