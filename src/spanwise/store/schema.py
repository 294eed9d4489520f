"""The interface of a database connection, the tables of a corpus as SQL, and their creation in SQLite."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Protocol

from spanwise.errors import NotACorpusError


class Database(Protocol):
    """A connection to a database; used by one thread at a time.

    Statements are in the SQL that both engines understand, with "?" for parameters. Errors of the engine are raised as
    `StorageError` or `CorpusError`.
    """

    @property
    def broken(self) -> bool:
        """True if the connection can no longer be used."""
        ...

    def rows(self, statement: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """The resulting rows of one statement."""
        ...

    def insert(self, table: str, rows: Iterable[Sequence[object]]) -> None:
        """Insert complete rows into a table."""
        ...

    def next_passage(self, count: int) -> int:
        """The first of `count` consecutive ids that no passage has, had or will have."""
        ...

    def version(self) -> int:
        """A number that differs after every change made by another connection."""
        ...

    def begin(self) -> int:
        """Fix the state that is read until `end`; return its version."""
        ...

    def end(self) -> None:
        """End that state; no effect if there is none or the connection is broken."""
        ...

    def close(self) -> None:
        """Close the connection; closing it twice has no effect."""
        ...


APPLICATION_ID = 0x53504E57  # "SPNW"
VERSION = 2

TABLES = """
CREATE TABLE documents (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    digest TEXT NOT NULL,
    format TEXT NOT NULL,
    paged INTEGER NOT NULL,
    lines INTEGER NOT NULL,
    pages INTEGER NOT NULL,
    passages INTEGER NOT NULL,
    source TEXT UNIQUE,
    size INTEGER,
    mtime_ns INTEGER,
    reading INTEGER,
    seal INTEGER NOT NULL
);
CREATE TABLE parts (
    -- Pages, sections, and what else a document has beside its lines.
    document INTEGER NOT NULL REFERENCES documents ON DELETE CASCADE,
    part TEXT NOT NULL,
    data BLOB NOT NULL,
    seal INTEGER NOT NULL,
    PRIMARY KEY (document, part)
) WITHOUT ROWID;
CREATE TABLE runs (
    document INTEGER NOT NULL REFERENCES documents ON DELETE CASCADE,
    first_line INTEGER NOT NULL,
    lines BLOB NOT NULL,
    seal INTEGER NOT NULL,
    PRIMARY KEY (document, first_line)
);
CREATE TABLE passages (
    -- Never used twice, so that an index that lags behind cannot point at the wrong text.
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    document INTEGER NOT NULL REFERENCES documents ON DELETE CASCADE,
    line_start INTEGER NOT NULL,
    line_end INTEGER NOT NULL,
    page INTEGER NOT NULL,
    section TEXT,
    text TEXT NOT NULL,
    blocks TEXT NOT NULL,
    seal INTEGER NOT NULL
);
CREATE INDEX passages_by_line ON passages (document, line_start, line_end);
CREATE TABLE origins (
    origin TEXT NOT NULL,
    document INTEGER NOT NULL REFERENCES documents ON DELETE CASCADE,
    seal INTEGER NOT NULL,
    PRIMARY KEY (origin, document)
) WITHOUT ROWID;
CREATE INDEX origins_by_document ON origins (document);
CREATE TABLE changes (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    token TEXT NOT NULL,
    -- How many there were in the corpus from then on.
    documents INTEGER NOT NULL,
    passages INTEGER NOT NULL,
    seal INTEGER NOT NULL
);
CREATE INDEX changes_by_name ON changes (name, sequence);
"""


def prepare_tables(connection: sqlite3.Connection, path: Path) -> None:
    """Check that the file is a corpus of this version; create the tables if it is empty."""
    tables, kind, version = _identity(connection)
    if not tables and not kind:
        create_tables(connection)
    elif kind != APPLICATION_ID:
        raise NotACorpusError(
            f"{path} is a database of another program, not a corpus; name another file.", path=str(path)
        )
    elif version != VERSION:
        way = "add its documents to a new corpus (spanwise index)" if version < VERSION else "update the program"
        raise NotACorpusError(
            f"The corpus {path} has version {version}, and this program reads version {VERSION}; {way}.", path=str(path)
        )


def create_tables(connection: sqlite3.Connection) -> None:
    """Create the tables of a corpus in an empty file."""
    # All in one transaction: a process that is killed here leaves an empty file.
    connection.execute("BEGIN EXCLUSIVE")
    try:
        if not _identity(connection)[0]:
            for statement in TABLES.split(";\n"):
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _identity(connection: sqlite3.Connection) -> tuple[int, int, int]:
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    (kind,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return tables, kind, version
