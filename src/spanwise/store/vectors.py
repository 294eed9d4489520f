"""The vector index of passages, which follows the changes of the truth, and can be rebuilt at any time.

Vectors are stored in a SQLite file under the ids of their passages, which are never reused, so that nothing is embedded
twice even if a run is interrupted. Up to `EXACT` vectors are all compared in a search; for more, there is also a graph
(HNSW), which finds most of the nearest. Both are done by usearch (extra `vectors`).
"""

from __future__ import annotations

import hashlib
import sqlite3
import threading
import zlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias
from weakref import finalize

from spanwise.domain.passage import Passage
from spanwise.errors import CorpusBusyError, InputError, MissingExtraError, StorageError, install_line
from spanwise.store.changes import WriteLock
from spanwise.store.index import Ranked
from spanwise.store.port import NOTHING, Change, TruthSnapshot

# Importing usearch before onnxruntime crashes the process (2.26 and 1.32); the other order does not.
with suppress(ImportError):
    import_module("onnxruntime")
try:
    import numpy as np
    from numpy.typing import NDArray
    from usearch.compiled import MetricKind
    from usearch.index import Index, search
except ImportError as error:
    raise MissingExtraError(f"an embedder needs usearch: {install_line('vectors')}") from error

Embed: TypeAlias = Callable[[Sequence[str]], Sequence[Sequence[float]]]
"""A function from texts to their vectors."""
Halves: TypeAlias = "NDArray[np.float16]"
"""Vectors with half-precision numbers, which take half the space; their cosines are exact to three digits."""

EXACT = 200_000
"""Most passages for which a search compares all vectors: 25 ms for 100,000 of 384 numbers."""
_EXPANSION = 1024
"""Size of the candidate list in a search of the graph: 256 found .91 of the 20 nearest of 250,000 in 1 ms, 1024 .99 in
5."""
_TOGETHER = 256
"""Number of passages that are embedded and stored together."""
_DEEPER = 4
"""Factor on the number of neighbours wanted, for the number that the graph is asked for."""
_SCHEMA = """
CREATE TABLE IF NOT EXISTS told (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS vectors (
  first INTEGER PRIMARY KEY, document TEXT NOT NULL, numbers BLOB NOT NULL, texts BLOB NOT NULL, vectors BLOB NOT NULL,
  seal INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS vectors_of ON vectors (document);
"""


class _DamagedError(Exception):
    """The checksum of a row in the file is wrong."""


class Followed(NamedTuple):
    """The outcome of bringing the vectors up to date."""

    embedded: int
    """Number of texts that were embedded."""
    renewed: str | None = None
    """A message that says why all passages were embedded again; None if they were not."""


@dataclass(frozen=True, slots=True)
class _Part:
    """Passages of one document, as in one row of the table."""

    numbers: NDArray[np.int64]
    texts: NDArray[np.uint64]
    """The first 8 bytes of the digest of each text; an unchanged text keeps its vector."""
    vectors: Halves


class Vectors:
    """All vectors of one state of a corpus; immutable."""

    def __init__(
        self, numbers: NDArray[np.int64], documents: Sequence[tuple[str, int]], vectors: Halves, graph: Index | None
    ) -> None:
        """Use `VectorIndex.now` instead; `documents` are pairs of a name and the end of its rows."""
        self._numbers, self._documents, self._vectors, self._graph = numbers, documents, vectors, graph

    def __len__(self) -> int:
        return len(self._numbers)

    def nearest(self, vector: Sequence[float], k: int, documents: Collection[str] | None = None) -> list[Ranked]:
        """The `k` passages with the nearest vectors, by cosine, the best first; equal ones in the order of ids."""
        [asked] = _unit([vector], 1, self._vectors.shape[1])
        if not asked.any():
            return []
        if documents is not None:
            return self._exact(asked, k, self._rows(documents))
        if self._graph is None:
            return self._exact(asked, k, None)
        found = self._graph.search(asked, min(k * _DEEPER, len(self)), threads=1)
        return _ranked(found.keys, found.distances, k)

    def _rows(self, documents: Collection[str]) -> NDArray[np.int64]:
        wanted, start, rows = set(documents), 0, []
        for name, end in self._documents:
            if name in wanted:
                rows.append(np.arange(start, end))
            start = end
        return np.concatenate(rows) if rows else np.empty(0, np.int64)

    def _exact(self, asked: NDArray[np.float32], k: int, rows: NDArray[np.int64] | None) -> list[Ranked]:
        numbers = self._numbers if rows is None else self._numbers[rows]
        if not len(numbers):
            return []
        vectors = self._vectors if rows is None else self._vectors[rows]
        most = min(k, len(numbers))
        found = search(vectors, asked.astype(np.float16), most, MetricKind.Cos, exact=True, threads=1)
        return _ranked(numbers[found.keys.astype(np.int64)], found.distances, k)


def _ranked(numbers: NDArray[Any], distances: NDArray[Any], k: int) -> list[Ranked]:
    found = [Ranked(number, 1.0 - far) for number, far in zip(numbers.tolist(), distances.tolist(), strict=True)]
    return sorted(found, key=lambda one: (-one.score, one.passage))[:k]


class VectorIndex:
    """The vectors of one corpus's passages made by one embedder; thread-safe."""

    def __init__(self, directory: Path | None, name: str, dimension: int) -> None:
        """Prepare the index; its file is opened when it is first used."""
        self._directory = directory
        self._embedder = f"{name} with {dimension} numbers"
        self._dimension = dimension
        self._guard = threading.RLock()
        self._lock = WriteLock(None if directory is None else directory / "vectors")
        self._database: sqlite3.Connection | None = None
        self._now: tuple[Change, Vectors] | None = None

    def close(self) -> None:
        """Close the file."""
        with self._guard:
            self._now = None
            if self._database is not None:
                self._database.close()
                self._database = None

    def follow(
        self, tables: TruthSnapshot, embed: Embed, progress: Callable[[int, int], None] | None = None, wait: float = 0
    ) -> Followed:
        """Embed the passages of changed documents, and remove the vectors of passages that are gone.

        Args:
            tables: The documents.
            embed: Called with some texts at a time; if it raises an error, vectors stored before are kept.
            progress: Called with the number of changed documents that are done and their total.
            wait: Most seconds to wait for another process that is embedding.
        """
        with self._guard:
            if self._holds(tables):  # checked first, so that it also works where nothing may be written
                return Followed(0)
            with self._lock.held(wait):
                try:
                    return self._followed(tables, embed, progress)
                except _DamagedError:
                    self._emptied()
                    return self._followed(tables, embed, progress)

    def _followed(self, tables: TruthSnapshot, embed: Embed, progress: Callable[[int, int], None] | None) -> Followed:
        renewed = self._made_fit(tables)
        before = self._state()
        if before.sequence >= tables.state.sequence:
            return Followed(0, renewed)
        changed = tables.changed_since(before.sequence)
        # In the order of the changes and in batches, so that finished batches are kept if the run is interrupted.
        embedded = 0
        for at in range(0, len(changed), _TOGETHER):
            some = dict(changed[at : at + _TOGETHER])
            passages = dict(tables.numbered(list(some)))
            embedded += self._put({name: passages.get(name, {}) for name in some}, embed)
            self._tell("state", " ".join(map(str, changed[min(len(changed), at + _TOGETHER) - 1][1])))
            if progress is not None:
                progress(min(len(changed), at + _TOGETHER), len(changed))
        self._tell("state", " ".join(map(str, tables.state)))
        return Followed(embedded, renewed)

    def now(self) -> Vectors:
        """All vectors of the present state, cached until it changes."""
        with self._guard:
            state = self._state()
            if self._now is None or self._now[0] != state:
                try:
                    self._now = state, self._loaded()
                except _DamagedError:
                    self._emptied()
                    raise StorageError("the vectors of the corpus are damaged: ask again, they are made anew") from None
            return self._now[1]

    def _holds(self, tables: TruthSnapshot) -> bool:
        """True if the stored vectors were made by this embedder and for the current state of the tables."""
        return self._told("embedder") == self._embedder and self._state() == tables.state

    def _made_fit(self, tables: TruthSnapshot) -> str | None:
        """Remove vectors of another embedder or another corpus; return a message about the reason, or None."""
        told, why = self._told("embedder"), None
        # Of the states that the vectors have followed, the last one that these tables can know.
        followed = [state for key in ("state", "root") if (state := self._state(key)).sequence <= tables.state.sequence]
        if told is not None and told != self._embedder:
            why = f"The vectors were of the embedder {told}: all passages are embedded anew by {self._embedder}."
        elif told is not None and not (followed and (followed[0] == NOTHING or tables.has_change(followed[0]))):
            why = "The vectors were of another corpus: all passages are embedded anew."
        if why is not None:
            self._emptied()
        if told is None or why is not None:
            self._tell("embedder", self._embedder)
            self._tell("root", " ".join(map(str, tables.state)))
        return why

    def _put(self, documents: Mapping[str, Mapping[int, Passage]], embed: Embed) -> int:
        """Replace the passages of some documents by these; return the number of texts that were embedded."""
        embedded, texts = 0, {number: _text(one) for held in documents.values() for number, one in held.items()}
        known: dict[int, Any] = {}
        gone: list[int] = []
        kept: set[int] = set()
        for name, passages in documents.items():
            for first, part in self._parts(name):
                if set(part.numbers.tolist()) <= passages.keys():
                    kept.update(part.numbers.tolist())
                else:
                    gone.append(first)
                    known |= zip(part.texts.tolist(), part.vectors, strict=True)
        with self._changing() as database:
            database.executemany("DELETE FROM vectors WHERE first = ?", [(first,) for first in gone])
        new = [(name, number) for name, held in documents.items() for number in held if number not in kept]
        for at in range(0, len(new), _TOGETHER):
            batch = new[at : at + _TOGETHER]
            wanted = {digest: texts[number] for _, number in batch if (digest := _digest(texts[number])) not in known}
            if wanted:
                made = _unit(embed(list(wanted.values())), len(wanted), self._dimension)
                known |= zip(wanted, made.astype(np.float16), strict=True)
                embedded += len(wanted)
            with self._changing() as database:
                for name in dict.fromkeys(name for name, _ in batch):
                    numbers = [number for one, number in batch if one == name]
                    digests = [_digest(texts[number]) for number in numbers]
                    row = (
                        np.asarray(numbers, np.int64).tobytes(),
                        np.asarray(digests, np.uint64).tobytes(),
                        np.stack([known[one] for one in digests]).tobytes(),
                    )
                    database.execute(
                        "INSERT OR REPLACE INTO vectors VALUES (?, ?, ?, ?, ?, ?)",
                        (numbers[0], name, *row, _seal(name, *row)),
                    )
        return embedded

    def _parts(self, document: str | None = None) -> Iterator[tuple[int, _Part]]:
        where, values = ("", ()) if document is None else ("WHERE document = ?", (document,))
        for _, first, part in self._rows(where, values):
            yield first, part

    def _rows(self, where: str, values: Sequence[object]) -> Iterator[tuple[str, int, _Part]]:
        statement = f"SELECT document, first, numbers, texts, vectors, seal FROM vectors {where} ORDER BY first"  # noqa: S608
        with _clear_errors():
            rows = self._connection().execute(statement, values).fetchall()
        for name, first, *row, seal in rows:
            if seal != _seal(name, *row):
                raise _DamagedError
            numbers, texts = np.frombuffer(row[0], np.int64), np.frombuffer(row[1], np.uint64)
            vectors = np.frombuffer(row[2], np.float16).reshape(len(numbers), self._dimension)
            yield name, first, _Part(numbers, texts, vectors)

    def _loaded(self) -> Vectors:
        rows = list(self._rows("", ()))
        ends, documents = 0, list[tuple[str, int]]()
        for name, _, part in rows:
            ends += len(part.numbers)
            documents.append((name, ends))
        if not rows:
            return Vectors(np.empty(0, np.int64), (), np.empty((0, self._dimension), np.float16), None)
        numbers = np.concatenate([part.numbers for _, _, part in rows])
        vectors = np.concatenate([part.vectors for _, _, part in rows])
        return Vectors(numbers, documents, vectors, self._graph(numbers, vectors) if len(numbers) > EXACT else None)

    def _graph(self, numbers: NDArray[np.int64], vectors: Halves) -> Index:
        """The graph of all vectors: the stored one brought up to date, or a new one."""
        graph = Index(ndim=self._dimension, metric=MetricKind.Cos, dtype="f16", expansion_search=_EXPANSION)
        file = None if self._directory is None else self._directory / "vectors.usearch"
        told = self._told("graph")
        if file is not None and file.is_file() and told == str(_checked(file)):
            graph.load(str(file))
        had = np.asarray(graph.keys, dtype=np.int64) if len(graph) else np.empty(0, np.int64)
        gone, new = np.setdiff1d(had, numbers), ~np.isin(numbers, had)
        if len(gone):
            graph.remove(gone.astype(np.uint64))
        if new.any():  # single-threaded, because several threads build a different graph each time
            graph.add(numbers[new].astype(np.uint64), vectors[new], threads=1)
        if file is not None and (len(gone) or new.any()):
            half = file.with_suffix(".part")
            with suppress(OSError, CorpusBusyError, StorageError, RuntimeError), self._lock.held():
                graph.save(str(half))
                self._tell("graph", str(_checked(half)))
                half.replace(file)
        return graph

    def _state(self, key: str = "state") -> Change:
        told = self._told(key)
        if told is None:
            return NOTHING
        sequence, _, token = told.partition(" ")
        return Change(int(sequence), token)

    def _told(self, key: str) -> str | None:
        with _clear_errors():
            row = self._connection().execute("SELECT value FROM told WHERE key = ?", (key,)).fetchone()
        return None if row is None else str(row[0])

    def _tell(self, key: str, value: str) -> None:
        with self._changing() as database:
            database.execute("INSERT OR REPLACE INTO told VALUES (?, ?)", (key, value))

    def _emptied(self) -> None:
        with self._changing() as database:
            database.execute("DELETE FROM vectors")
            database.execute("DELETE FROM told")
        self._now = None

    @contextmanager
    def _changing(self) -> Iterator[sqlite3.Connection]:
        with _clear_errors():
            database = self._connection()
            database.execute("BEGIN IMMEDIATE")
            try:
                yield database
                database.execute("COMMIT")
            finally:
                if database.in_transaction:
                    database.execute("ROLLBACK")

    def _connection(self) -> sqlite3.Connection:
        if self._database is None:
            try:
                self._database = self._opened()
            except sqlite3.DatabaseError as error:
                if self._directory is None or error.sqlite_errorname not in ("SQLITE_NOTADB", "SQLITE_CORRUPT"):
                    raise _unwritable(error) from error
                # A file that is no longer a database is replaced by a new one.
                (self._directory / "vectors.db").unlink(missing_ok=True)
                with _clear_errors():
                    self._database = self._opened()
        return self._database

    def _opened(self) -> sqlite3.Connection:
        if self._directory is not None:
            try:
                self._directory.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise _unwritable(error) from error
        place = ":memory:" if self._directory is None else str(self._directory / "vectors.db")
        database = sqlite3.connect(place, timeout=10, isolation_level=None, check_same_thread=False)
        try:
            database.executescript(_SCHEMA)
        except BaseException:
            database.close()
            raise
        finalize(self, database.close)  # engines are not closed explicitly, but garbage-collected
        return database


def _unit(vectors: object, count: int, dimension: int) -> NDArray[np.float32]:
    """The vectors from an embedder as rows of length 1; an `InputError` if their shape or a number is not valid."""
    with suppress(ValueError, TypeError):
        made = np.asarray(vectors, dtype=np.float32)
        if made.shape == (count, dimension) and np.isfinite(made).all():
            unit: NDArray[np.float32] = made / np.maximum(np.linalg.norm(made, axis=1, keepdims=True), 1e-12)
            return unit
    raise InputError(
        f"the embedder gave something else than {dimension} finite numbers for each of {count} texts: mend it, or name "
        "another one"
    )


def _text(passage: Passage) -> str:
    """The text of a passage that is embedded, with its heading, without which its subject is often missing."""
    return f"{passage.section}\n{passage.text}" if passage.section else passage.text


def _digest(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:8], "little")


def _seal(name: str, *parts: bytes) -> int:
    seal = zlib.crc32(name.encode("utf-8", "surrogatepass"))
    for part in parts:
        seal = zlib.crc32(part, seal)
    return seal


def _checked(file: Path) -> int:
    """The CRC-32 of a file; a search in a damaged graph could go anywhere."""
    seal = 0
    with file.open("rb") as opened:
        while block := opened.read(1 << 20):
            seal = zlib.crc32(block, seal)
    return seal


@contextmanager
def _clear_errors() -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise _unwritable(error) from error


def _unwritable(error: Exception) -> StorageError:
    return StorageError(
        f"The vectors beside the corpus cannot be kept ({error}): make room on the disk and check the permissions "
        "of the folder of its index."
    )
