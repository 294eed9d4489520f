"""Writing a document to the tables of a corpus: the statements of one transaction, which the caller makes."""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Sequence

from spanwise.store.codec import Record, packed_blocks
from spanwise.store.port import Source


def put_document(
    connection: sqlite3.Connection, record: Record, source: Source | None, origins: Sequence[str]
) -> tuple[int, ...]:
    """Store a document in place of the one that has its name, if any; return the numbers of its passages."""
    before = connection.execute(
        "SELECT origin FROM origins JOIN documents ON id = document WHERE name = ?", (record.name,)
    ).fetchall()
    connection.execute("DELETE FROM documents WHERE name = ?", (record.name,))
    document = _insert_document(connection, record, source)
    connection.executemany(
        "INSERT INTO pages VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (document, at, p.number, p.label, p.width, p.height, p.first_line, p.last_line, p.readable)
            for at, p in enumerate(record.pages)
        ),
    )
    connection.executemany(
        "INSERT INTO sections VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (document, at, s.title, s.level, s.first_line, s.last_line, s.start_page, s.section_end_page)
            for at, s in enumerate(record.sections)
        ),
    )
    connection.executemany(
        "INSERT INTO runs VALUES (?, ?, ?)", ((document, run.first, run.data) for run in record.runs)
    )
    first = _next_passage(connection)
    connection.executemany(
        "INSERT INTO passages VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (first + at, document, p.line_start, p.line_end, p.page, p.section, p.text, packed_blocks(p))
            for at, p in enumerate(record.passages)
        ),
    )
    links = {*origins, *(origin for (origin,) in before)}
    connection.executemany("INSERT INTO origins VALUES (?, ?)", ((origin, document) for origin in links))
    note_change(connection, record.name)
    return tuple(range(first, first + len(record.passages)))


def note_change(connection: sqlite3.Connection, name: str) -> None:
    """Add to the history that a document is another one now, or gone."""
    connection.execute("INSERT INTO changes (name, token) VALUES (?, ?)", (name, secrets.token_hex(8)))


def _insert_document(connection: sqlite3.Connection, record: Record, source: Source | None) -> int:
    connection.execute(
        "INSERT INTO documents (name, digest, format, paged, lines, pages, passages, details, "
        "source, size, mtime_ns, reading) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            record.name,
            record.id,
            record.format,
            record.paged,
            record.lines,
            len(record.pages),
            len(record.passages),
            record.details,
            *((source.path, source.size, source.mtime_ns, source.reading) if source else (None, None, None, None)),
        ),
    )
    (number,) = connection.execute("SELECT last_insert_rowid()").fetchone()
    return int(number)


def _next_passage(connection: sqlite3.Connection) -> int:
    row = connection.execute("SELECT seq FROM sqlite_sequence WHERE name = 'passages'").fetchone()
    return int(row[0]) + 1 if row else 1
