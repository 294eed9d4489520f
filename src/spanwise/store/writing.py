"""Writing a document to the tables of a corpus: the statements of one transaction, which the caller makes."""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Iterable, Sequence

from spanwise.domain.passage import Passage
from spanwise.errors import DocumentNotFoundError
from spanwise.store.codec import Record, packed_blocks, packed_pages, packed_sections
from spanwise.store.port import Source
from spanwise.store.seals import check, seal


def put_document(
    connection: sqlite3.Connection, record: Record, source: Source | None, origins: Sequence[str]
) -> tuple[int, ...]:
    """Store a document in place of the one that has its name, if any; return the numbers of its passages."""
    before = connection.execute(
        "SELECT origin FROM origins JOIN documents ON id = document WHERE name = ?", (record.name,)
    ).fetchall()
    deleted, lost = _deleted(connection, record.name)
    document = _insert_document(connection, record, source)
    parts = {
        "pages": packed_pages(record.pages),
        "sections": packed_sections(record.sections),
        "details": record.details,
    }
    connection.executemany(
        "INSERT INTO parts VALUES (?, ?, ?, ?)",
        ((document, part, data, seal(record.name, part, data)) for part, data in parts.items()),
    )
    connection.executemany(
        "INSERT INTO runs VALUES (?, ?, ?, ?)",
        ((document, run.first, run.data, seal(record.name, run.first, run.data)) for run in record.runs),
    )
    first = _next_passage(connection)
    connection.executemany(
        "INSERT INTO passages VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (_passage_row(number, document, passage) for number, passage in enumerate(record.passages, first)),
    )
    _insert_origins(connection, record.name, document, {*origins, *(origin for (origin,) in before)})
    _note_change(connection, record.name, 1 - deleted, len(record.passages) - lost)
    return tuple(range(first, first + len(record.passages)))


def remove_document(connection: sqlite3.Connection, name: str) -> None:
    """Forget a document.

    Raises:
        DocumentNotFoundError: There is none of that name.
    """
    deleted, lost = _deleted(connection, name)
    if not deleted:
        raise missing(name)
    _note_change(connection, name, -deleted, -lost)


def set_source(connection: sqlite3.Connection, name: str, source: Source) -> None:
    """Say that a document is what the file `source` holds now."""
    for number, *row in connection.execute("SELECT * FROM documents WHERE name = ?", (name,)):
        *described, sealed = row
        check(sealed, "what is known of a document", *described)
        described[-4:] = _source_row(source)
        connection.execute(
            "UPDATE documents SET source = ?, size = ?, mtime_ns = ?, reading = ?, seal = ? WHERE id = ?",
            (*described[-4:], seal(*described), number),
        )


def link_documents(connection: sqlite3.Connection, origin: str, names: Sequence[str]) -> None:
    """Say that these documents were found in a folder or by a glob."""
    for name in names:
        for (number,) in connection.execute("SELECT id FROM documents WHERE name = ?", (name,)).fetchall():
            _insert_origins(connection, name, number, [origin])


def missing(name: str) -> DocumentNotFoundError:
    """The error for a name that no document has."""
    return DocumentNotFoundError(f"The corpus has no document named {name!r}.", document=name)


def _deleted(connection: sqlite3.Connection, name: str) -> tuple[int, int]:
    """How many documents, and how many passages, went with the document of a name."""
    rows = connection.execute("DELETE FROM documents WHERE name = ? RETURNING passages", (name,)).fetchall()
    return len(rows), sum(passages for (passages,) in rows)


def _note_change(connection: sqlite3.Connection, name: str, documents: int, passages: int) -> None:
    """Add to the history that a document is another one now, or gone, and by how many there are more or less."""
    row = connection.execute("SELECT * FROM changes ORDER BY sequence DESC LIMIT 1").fetchone()
    if row is not None:
        check(row[-1], "the history of changes", *row[:-1])
    before, _, _, had, had_passages, _ = row or (0, "", "", 0, 0, 0)
    now = (before + 1, name, secrets.token_hex(8), had + documents, had_passages + passages)
    connection.execute("INSERT INTO changes VALUES (?, ?, ?, ?, ?, ?)", (*now, seal(*now)))


def _insert_document(connection: sqlite3.Connection, record: Record, source: Source | None) -> int:
    row = (
        *(record.name, record.id, record.format, int(record.paged)),
        *(record.lines, len(record.pages), len(record.passages)),
        *_source_row(source),
    )
    connection.execute("INSERT INTO documents VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", (*row, seal(*row)))
    (number,) = connection.execute("SELECT last_insert_rowid()").fetchone()
    return int(number)


def _source_row(source: Source | None) -> tuple[str | int | None, ...]:
    return (source.path, source.size, source.mtime_ns, source.reading) if source else (None, None, None, None)


def _passage_row(number: int, document: int, passage: Passage) -> tuple[object, ...]:
    row = (passage.line_start, passage.line_end, passage.page, passage.section, passage.text, packed_blocks(passage))
    return (number, document, *row, seal(number, passage.document, *row))


def _insert_origins(connection: sqlite3.Connection, name: str, document: int, origins: Iterable[str]) -> None:
    connection.executemany(
        "INSERT INTO origins VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
        ((origin, document, seal(origin, name)) for origin in origins),
    )


def _next_passage(connection: sqlite3.Connection) -> int:
    row = connection.execute("SELECT seq FROM sqlite_sequence WHERE name = 'passages'").fetchone()
    return int(row[0]) + 1 if row else 1
