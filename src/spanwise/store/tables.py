"""The tables of a corpus in one state: what a connection reads inside one transaction, and keeps while it lasts."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from spanwise.domain.document import Document, Hidden, Line, Page, Section
from spanwise.domain.passage import Passage
from spanwise.errors import DocumentNotFoundError
from spanwise.store.codec import decode_details, decode_run, unpacked_blocks
from spanwise.store.opening import clear_errors
from spanwise.store.port import NOTHING, Change, Source, StoredDocument

_MOST_PARAMETERS = 500
_MOST_LISTED = 20_000
"""Documents whose list is kept."""
_MOST_PAGED = 64
"""Documents whose pages are kept."""
_MOST_NAMED = 1024
"""Documents of which what is known of them is kept: one question asks it again and again."""

_STORED = """
SELECT id, name, digest, format, paged, lines, pages, passages, source, size, mtime_ns, reading FROM documents
"""
_PASSAGES = """
SELECT p.id, d.name, p.line_start, p.line_end, p.page, p.section, p.text, p.blocks
FROM passages AS p JOIN documents AS d ON d.id = p.document
"""


class Tables:
    """One state of the tables; it is a `spanwise.store.port.TruthSnapshot`.

    Who made it sees to it that the connection shows this state as long as somebody reads.
    """

    def __init__(self, connection: sqlite3.Connection, lock: threading.RLock, path: str) -> None:
        """Read through a connection, which is used by one thread at a time, under `lock`."""
        self._connection = connection
        self._lock = lock
        self._path = path
        self._documents: tuple[StoredDocument, ...] | None = None
        self._pages: dict[str, tuple[Page, ...]] = {}
        self._named: dict[str, tuple[int, StoredDocument]] = {}
        rows = self._rows("SELECT sequence, token FROM changes ORDER BY sequence DESC LIMIT 1")
        self._state = Change(*rows[0]) if rows else NOTHING

    @property
    def state(self) -> Change:
        """The last change that it holds, or `NOTHING`."""
        return self._state

    def move(self, connection: sqlite3.Connection) -> None:
        """Read the same state through another connection from now on."""
        self._connection = connection

    def documents(self) -> tuple[StoredDocument, ...]:
        """All documents, ordered by name."""
        with self._lock:
            if self._documents is not None:
                return self._documents
            listed = tuple(map(_stored, self._rows(_STORED + "ORDER BY name")))
            self._documents = listed if len(listed) <= _MOST_LISTED else None
            return listed

    def count(self) -> int:
        """How many documents there are."""
        return int(self._rows("SELECT count(*) FROM documents")[0][0])

    def count_passages(self) -> int:
        """How many passages there are in all documents."""
        return int(self._rows("SELECT coalesce(sum(passages), 0) FROM documents")[0][0])

    def stored(self, name: str) -> StoredDocument:
        """What is known of one document."""
        return self._known(name)[1]

    def known(self, names: Sequence[str]) -> None:
        """Check that there are documents of these names.

        Raises:
            DocumentNotFoundError: There is none of one name.
        """
        for name in names:
            self._number(name)

    def linked(self, origin: str) -> tuple[str, ...]:
        """Names of the documents that were found in a folder or by a glob."""
        rows = self._rows(
            "SELECT name FROM documents JOIN origins ON document = id WHERE origin = ? ORDER BY name", (origin,)
        )
        return tuple(name for (name,) in rows)

    def document(self, name: str) -> Document:
        """The whole document."""
        rows = self._rows("SELECT digest, format, paged, details FROM documents WHERE name = ?", (name,))
        if not rows:
            raise missing(name)
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

    def hidden(self, name: str) -> tuple[Hidden, ...]:
        """What is in the file of a document and cannot be seen."""
        rows = self._rows("SELECT details FROM documents WHERE name = ?", (name,))
        if not rows:
            raise missing(name)
        return decode_details(rows[0][0]).hidden

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
            if name not in self._pages:
                rows = self._rows(
                    "SELECT number, label, width, height, first_line, last_line, readable FROM pages "
                    "WHERE document = ? ORDER BY position",
                    (self._number(name),),
                )
                if len(self._pages) >= _MOST_PAGED:
                    self._pages.clear()
                self._pages[name] = tuple(
                    Page(number, label, width, height, first, last, bool(readable))
                    for number, label, width, height, first, last, readable in rows
                )
            return self._pages[name]

    def sections(self, name: str) -> tuple[Section, ...]:
        """The table of contents of a document."""
        rows = self._rows(
            "SELECT title, level, first_line, last_line, start_page, section_end_page FROM sections "
            "WHERE document = ? ORDER BY position",
            (self._number(name),),
        )
        return tuple(Section(*row) for row in rows)

    def passages(self, name: str, first: int = 1, last: int | None = None) -> tuple[Passage, ...]:
        """The passages of a document that share a line with `first..last`, in order."""
        return tuple(self.numbered(name, first, last).values())

    def numbered(self, name: str, first: int = 1, last: int | None = None) -> dict[int, Passage]:
        """The same by their numbers; all passages of the document by default."""
        rows = self._rows(
            _PASSAGES + "WHERE p.document = ? AND p.line_end >= ? AND p.line_start <= ? ORDER BY p.line_start",
            (self._number(name), first, _or_all(last)),
        )
        return {row[0]: _passage(row) for row in rows}

    def passages_numbered(self, numbers: Sequence[int]) -> dict[int, Passage]:
        """The passages that have these numbers; a number that has none in this state is left out."""
        found: dict[int, Passage] = {}
        for at in range(0, len(numbers), _MOST_PARAMETERS):
            some = numbers[at : at + _MOST_PARAMETERS]
            marks = ",".join("?" * len(some))
            rows = self._rows(f"{_PASSAGES} WHERE p.id IN ({marks})", some)
            found |= {row[0]: _passage(row) for row in rows}
        return found

    def has_change(self, change: Change) -> bool:
        """True if `change` is part of the history of this corpus."""
        return bool(self._rows("SELECT 1 FROM changes WHERE sequence = ? AND token = ?", change))

    def changed_since(self, sequence: int) -> list[tuple[str, Change]]:
        """The names that changed after `sequence`, each once with its last change, ordered by that."""
        rows = self._rows(
            "SELECT name, sequence, token FROM changes AS c WHERE sequence > ? "
            "AND NOT EXISTS (SELECT 1 FROM changes WHERE name = c.name AND sequence > c.sequence) ORDER BY sequence",
            (sequence,),
        )
        return [(name, Change(number, token)) for name, number, token in rows]

    def _rows(self, query: str, parameters: Sequence[object] | Mapping[str, object] = ()) -> list[tuple[Any, ...]]:
        with self._lock, clear_errors(self._path):
            return self._connection.execute(query, parameters).fetchall()

    def _number(self, name: str) -> int:
        return self._known(name)[0]

    def _known(self, name: str) -> tuple[int, StoredDocument]:
        with self._lock:
            if name not in self._named:
                rows = self._rows(_STORED + "WHERE name = ?", (name,))
                if not rows:
                    raise missing(name)
                if len(self._named) >= _MOST_NAMED:
                    self._named.clear()
                self._named[name] = int(rows[0][0]), _stored(rows[0])
            return self._named[name]


def missing(name: str) -> DocumentNotFoundError:
    """The error for a name that no document has."""
    return DocumentNotFoundError(f"The corpus has no document named {name!r}.", document=name)


def _stored(row: tuple[Any, ...]) -> StoredDocument:
    _, name, digest, kind, paged, lines, pages, passages, path, size, mtime_ns, reading = row
    source = Source(path, size, mtime_ns, reading) if path is not None else None
    return StoredDocument(name, digest, kind, bool(paged), lines, pages, passages, source)


@lru_cache(maxsize=8192)  # tables, lists, orders and the proof of one question read around the same few places
def _passage(row: tuple[Any, ...]) -> Passage:
    _, name, first, last, page, section, text, blocks = row
    known = unpacked_blocks(blocks, first, last, page, section, text)
    return Passage(f"{name}:{first}-{last}", name, first, last, page, text, section, known)


def _or_all(last: int | None) -> int:
    return 2**62 if last is None else last
