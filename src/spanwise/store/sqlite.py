"""The truth: every document in one SQLite file, changed in transactions that are on the disk before they return."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

from spanwise.domain.document import Document, Line, LineRole, Page, Section
from spanwise.domain.passage import Passage
from spanwise.errors import DocumentNotFoundError
from spanwise.store.codec import Record, decode_details, decode_run
from spanwise.store.opening import clear_errors, open_file, open_memory
from spanwise.store.port import Source, StoredDocument
from spanwise.store.writing import note_change, put_document

_MOST_PARAMETERS = 500
_MOST_LISTED = 20_000
"""Documents whose list is kept until something changes."""
_MOST_PAGED = 64
"""Documents whose pages are kept as long."""
_MOST_NAMED = 1024
"""Documents of which what is known of them is kept as long: one question asks it again and again."""

_STORED = """
SELECT id, name, digest, format, paged, lines, pages, passages, source, size, mtime_ns, reading FROM documents
"""
_PASSAGES = """
SELECT p.id, d.name, p.line_start, p.line_end, p.page, p.section, p.text, p.blocks
FROM passages AS p JOIN documents AS d ON d.id = p.document
"""


class Change(NamedTuple):
    """A point in the history of a corpus: its number, and a mark that no other history has at that number."""

    sequence: int
    token: str


NOTHING = Change(0, "")


@dataclass(slots=True)
class _Kept:
    """What one question asks of the tables again and again."""

    state: tuple[int, int]
    """Changes that others made, and those of this connection."""
    documents: tuple[StoredDocument, ...] | None = None
    pages: dict[str, tuple[Page, ...]] = field(default_factory=dict)
    named: dict[str, tuple[int, StoredDocument]] = field(default_factory=dict)
    """The number of a document and what is known of it."""


class Truth:
    """The tables of one corpus. Safe to use from several threads; one process at a time may write."""

    def __init__(self, connection: sqlite3.Connection, path: str) -> None:
        """Use `open_truth` or `memory_truth` instead."""
        self._connection = connection
        self._path = path
        self._lock = threading.RLock()
        self._kept = _Kept((-1, -1))

    # Writing -----------------------------------------------------------------------------------------------------

    def put(self, record: Record, source: Source | None, origins: Sequence[str] = ()) -> tuple[int, ...]:
        """Store a document in place of the one that has its name, if any; return the numbers of its passages."""
        with self._transaction() as connection:
            return put_document(connection, record, source, origins)

    def remove(self, name: str) -> None:
        """Forget a document.

        Raises:
            DocumentNotFoundError: There is none of that name.
        """
        with self._transaction() as connection:
            if not connection.execute("DELETE FROM documents WHERE name = ?", (name,)).rowcount:
                raise self._missing(name)
            note_change(connection, name)

    def set_source(self, name: str, source: Source) -> None:
        """Say that a document is what the file `source` holds now."""
        with self._transaction() as connection:
            connection.execute(
                "UPDATE documents SET source = ?, size = ?, mtime_ns = ?, reading = ? WHERE name = ?",
                (source.path, source.size, source.mtime_ns, source.reading, name),
            )

    def link(self, origin: str, names: Sequence[str]) -> None:
        """Say that these documents were found in a folder or by a glob."""
        with self._transaction() as connection:
            connection.executemany(
                "INSERT OR IGNORE INTO origins SELECT ?, id FROM documents WHERE name = ?",
                ((origin, name) for name in names),
            )

    # Reading -----------------------------------------------------------------------------------------------------

    def documents(self) -> tuple[StoredDocument, ...]:
        """All documents, ordered by name; listed anew after a change, whoever made it."""
        with self._lock:
            kept = self._kept_now()
            if kept.documents is not None:
                return kept.documents
            listed = tuple(map(_stored, self._rows(_STORED + "ORDER BY name")))
            kept.documents = listed if len(listed) <= _MOST_LISTED else None
            return listed

    def count(self) -> int:
        """How many documents there are."""
        return int(self._rows("SELECT count(*) FROM documents")[0][0])

    def stored(self, name: str) -> StoredDocument:
        """What is known of one document."""
        return self._named(name)[1]

    def linked(self, origin: str) -> tuple[str, ...]:
        """Names of the documents that were found in a folder or by a glob."""
        rows = self._rows(
            "SELECT name FROM documents JOIN origins ON document = id WHERE origin = ? ORDER BY name", (origin,)
        )
        return tuple(name for (name,) in rows)

    def known(self, names: Sequence[str]) -> None:
        """Check that there are documents of these names.

        Raises:
            DocumentNotFoundError: There is none of one name.
        """
        for name in names:
            self._number(name)

    def document(self, name: str) -> Document:
        """The whole document."""
        with self._transaction("DEFERRED"):
            rows = self._rows("SELECT digest, format, paged, details FROM documents WHERE name = ?", (name,))
            if not rows:
                raise self._missing(name)
            digest, kind, paged, details = rows[0]
            return Document(
                id=digest,
                name=name,
                format=kind,
                lines=self.lines(name),
                pages=self.pages(name),
                sections=self.sections(name),
                paged=bool(paged),
                **decode_details(details)._asdict(),
            )

    def lines(self, name: str, first: int = 1, last: int | None = None) -> tuple[Line, ...]:
        """The lines `first..last` of a document, to its end when `last` is None."""
        number = self._number(name)
        rows = self._rows(
            """
            SELECT first_line, lines FROM runs WHERE document = :number AND first_line <= :last
            AND first_line >= coalesce(
                (SELECT max(first_line) FROM runs WHERE document = :number AND first_line <= :first), 1
            ) ORDER BY first_line
            """,
            {"number": number, "first": first, "last": _or_all(last)},
        )
        return tuple(line for start, data in rows for line in decode_run(start, data, first, _or_all(last)))

    def pages(self, name: str) -> tuple[Page, ...]:
        """The pages of a document."""
        with self._lock:
            kept = self._kept_now().pages
            if name not in kept:
                rows = self._rows(
                    "SELECT number, label, width, height, first_line, last_line, readable FROM pages "
                    "WHERE document = ? ORDER BY position",
                    (self._number(name),),
                )
                if len(kept) >= _MOST_PAGED:
                    kept.clear()
                kept[name] = tuple(
                    Page(number, label, width, height, first, last, bool(readable))
                    for number, label, width, height, first, last, readable in rows
                )
            return kept[name]

    def sections(self, name: str) -> tuple[Section, ...]:
        """The table of contents of a document."""
        rows = self._rows(
            "SELECT title, level, first_line, last_line, start_page, section_end_page FROM sections "
            "WHERE document = ? ORDER BY position",
            (self._number(name),),
        )
        return tuple(Section(*row) for row in rows)

    def passages(self, name: str, first: int = 1, last: int | None = None) -> dict[int, Passage]:
        """The passages of a document that share a line with `first..last`, in order, by their numbers."""
        rows = self._rows(
            _PASSAGES + "WHERE p.document = ? AND p.line_end >= ? AND p.line_start <= ? ORDER BY p.line_start",
            (self._number(name), first, _or_all(last)),
        )
        return {row[0]: _passage(row) for row in rows}

    def passages_numbered(self, numbers: Sequence[int]) -> dict[int, Passage]:
        """The passages that have these numbers; a number that has none any more is left out."""
        found: dict[int, Passage] = {}
        for at in range(0, len(numbers), _MOST_PARAMETERS):
            some = numbers[at : at + _MOST_PARAMETERS]
            marks = ",".join("?" * len(some))
            rows = self._rows(f"{_PASSAGES} WHERE p.id IN ({marks})", some)
            found |= {row[0]: _passage(row) for row in rows}
        return found

    def count_passages(self) -> int:
        """How many passages there are in all documents."""
        return int(self._rows("SELECT coalesce(sum(passages), 0) FROM documents")[0][0])

    # History -----------------------------------------------------------------------------------------------------

    def newest_change(self) -> Change:
        """The last change, or `NOTHING`."""
        rows = self._rows("SELECT sequence, token FROM changes ORDER BY sequence DESC LIMIT 1")
        return Change(*rows[0]) if rows else NOTHING

    def has_change(self, change: Change) -> bool:
        """Whether `change` is part of the history of this corpus."""
        return bool(self._rows("SELECT 1 FROM changes WHERE sequence = ? AND token = ?", change))

    def changed_since(self, sequence: int) -> list[tuple[str, Change]]:
        """The names that changed after `sequence`, each once with its last change, ordered by that."""
        rows = self._rows(
            "SELECT name, sequence, token FROM changes AS c WHERE sequence > ? "
            "AND NOT EXISTS (SELECT 1 FROM changes WHERE name = c.name AND sequence > c.sequence) ORDER BY sequence",
            (sequence,),
        )
        return [(name, Change(number, token)) for name, number, token in rows]

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._connection.close()

    # Inside ------------------------------------------------------------------------------------------------------

    def _rows(self, query: str, parameters: Sequence[object] | Mapping[str, object] = ()) -> list[tuple[Any, ...]]:
        with self._lock, clear_errors(self._path):
            return self._connection.execute(query, parameters).fetchall()

    @contextmanager
    def _transaction(self, kind: Literal["IMMEDIATE", "DEFERRED"] = "IMMEDIATE") -> Iterator[sqlite3.Connection]:
        with self._lock, clear_errors(self._path):
            self._connection.execute(f"BEGIN {kind}")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            finally:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")

    def _kept_now(self) -> _Kept:
        """What is kept of the tables as they are now: nothing after a change, whoever made it, or inside of one."""
        with clear_errors(self._path):
            if self._connection.in_transaction:
                return _Kept((-1, -1))
            (version,) = self._connection.execute("PRAGMA data_version").fetchone()
            state = (int(version), self._connection.total_changes)
        if self._kept.state != state:
            self._kept = _Kept(state)
        return self._kept

    def _number(self, name: str) -> int:
        return self._named(name)[0]

    def _named(self, name: str) -> tuple[int, StoredDocument]:
        with self._lock:
            kept = self._kept_now().named
            if name not in kept:
                rows = self._rows(_STORED + "WHERE name = ?", (name,))
                if not rows:
                    raise self._missing(name)
                if len(kept) >= _MOST_NAMED:
                    kept.clear()
                kept[name] = int(rows[0][0]), _stored(rows[0])
            return kept[name]

    def _missing(self, name: str) -> DocumentNotFoundError:
        return DocumentNotFoundError(f"The corpus has no document named {name!r}.", document=name)


def memory_truth() -> Truth:
    """Tables that are gone when they are closed."""
    return Truth(open_memory(), "memory")


def open_truth(path: Path, *, create: bool) -> Truth:
    """Open the corpus in the file `path`; make it if there is none, or an empty file, and `create` is set.

    Raises:
        NotACorpusError: The file is something else, of a newer version, or missing and not to be made.
        StorageError: The file cannot be read or made.
    """
    return Truth(open_file(path, create=create), str(path))


def _stored(row: tuple[Any, ...]) -> StoredDocument:
    _, name, digest, kind, paged, lines, pages, passages, path, size, mtime_ns, reading = row
    source = Source(path, size, mtime_ns, reading) if path is not None else None
    return StoredDocument(name, digest, kind, bool(paged), lines, pages, passages, source)


def _passage(row: tuple[Any, ...]) -> Passage:
    _, name, first, last, page, section, text, blocks = row
    return Passage(f"{name}:{first}-{last}", name, first, last, page, text, section, _blocks(blocks))


@lru_cache(maxsize=1024)  # most passages are one paragraph, or a few of the usual lengths
def _blocks(written: str) -> tuple[tuple[int, LineRole], ...]:
    return tuple(map(tuple, json.loads(written)))


def _or_all(last: int | None) -> int:
    return 2**62 if last is None else last
