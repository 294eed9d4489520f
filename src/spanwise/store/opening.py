"""Opening the file of a corpus, and saying in a sentence what keeps it from being read or written."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from spanwise.errors import CorpusBusyError, NotACorpusError, StorageError
from spanwise.store.schema import create_tables, prepare_tables
from spanwise.store.seals import damaged

BUSY_MS = 10_000
"""How long a change waits for another one."""


class SQLite:
    """A connection to a corpus; it is a `spanwise.store.database.Database`."""

    broken = False

    def __init__(self, connection: sqlite3.Connection, path: str) -> None:
        """Use `open_memory`, `open_file` or `connect_again` instead."""
        self._connection = connection
        self._path = path

    def rows(self, statement: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Run one statement; the rows that it gives."""
        with clear_errors(self._path):
            return self._connection.execute(statement, values).fetchall()

    def insert(self, table: str, rows: Iterable[Sequence[object]]) -> None:
        """Add whole rows to a table."""
        if added := list(rows):
            marks = ", ".join("?" * len(added[0]))
            with clear_errors(self._path):
                statement = f"INSERT INTO {table} VALUES ({marks})"  # noqa: S608  # a table of ours
                self._connection.executemany(statement, added)

    def next_passage(self, count: int) -> int:  # noqa: ARG002  # the table takes as many as are inserted
        """The number after the last that a passage ever had."""
        rows = self.rows("SELECT seq FROM sqlite_sequence WHERE name = 'passages'")
        return int(rows[0][0]) + 1 if rows else 1

    def version(self) -> int:
        """A number that changes when another connection has changed the file."""
        return int(self.rows("PRAGMA data_version")[0][0])

    def begin(self) -> int:
        """Show the state of this moment until `end`."""
        self.rows("BEGIN")
        self.rows("SELECT 1 FROM changes LIMIT 1")  # from the first row on it is fixed
        return self.version()

    def end(self) -> None:
        """Let go of that state."""
        with suppress(sqlite3.Error):  # whoever closed it has ended it too
            self._connection.execute("ROLLBACK")

    @contextmanager
    def changing(self) -> Iterator[None]:
        """A transaction that is on the disk at the end, or never was."""
        with clear_errors(self._path):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            finally:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")

    def copy_to(self, other: SQLite) -> None:
        """Write everything into another connection."""
        with clear_errors(self._path):
            self._connection.backup(other._connection)

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()


def open_memory(*, empty: bool = False) -> SQLite:
    """Tables that are gone when the connection is closed; `empty` makes none."""
    connection = _connect(":memory:", "memory")
    try:
        if not empty:
            create_tables(connection)
    except BaseException:
        connection.close()
        raise
    return SQLite(connection, "memory")


def open_file(path: Path, *, create: bool) -> SQLite:
    """Connect to the corpus in the file `path`; make it if there is none, or an empty file, and `create` is set."""
    if path.is_dir():
        raise NotACorpusError(f"{path} is a folder; name the file of a corpus, for example corpus.db.", path=str(path))
    with clear_errors(str(path)):
        try:
            new = not path.exists() or path.stat().st_size == 0
        except OSError as error:
            raise StorageError(f"{path} cannot be read ({error.strerror}); check its permissions.") from error
        if new and not create:
            raise NotACorpusError(f"There is no corpus at {path}; make one by adding documents to it.", path=str(path))
        if new and not path.parent.is_dir():
            raise StorageError(f"The folder {path.parent} does not exist; make it, or name another file.")
        fixed = not new and _fixed(path)
        connection = _connect(_address(path, "rwc" if new else _mode(path)), str(path))
        try:
            prepare_tables(connection, path)
            if not fixed:
                connection.execute("PRAGMA journal_mode = WAL")
        except BaseException:
            connection.close()
            raise
    return SQLite(connection, str(path))


def connect_again(path: Path) -> SQLite:
    """Another connection to a corpus that was opened."""
    return SQLite(_connect(_address(path, _mode(path)), str(path)), str(path))


@contextmanager
def clear_errors(path: str) -> Iterator[None]:
    """Turn what SQLite says into a sentence that says what to do."""
    try:
        yield
    except sqlite3.Error as error:
        name = getattr(error, "sqlite_errorname", "") or ""
        if name.startswith(("SQLITE_NOTADB", "SQLITE_CORRUPT")):
            what = "is not a corpus" if name == "SQLITE_NOTADB" else "is damaged"
            raise NotACorpusError(f"The file {path} {what}; name another file.", path=path) from error
        if name.startswith("SQLITE_BUSY"):
            raise CorpusBusyError(f"Another process is writing to the corpus {path}; try again.", path=path) from error
        if str(error).startswith("Could not decode"):
            raise damaged("a text is no longer one") from error
        if name == "SQLITE_FULL":
            reason = "the disk is full; make room and run it again"
        elif name.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM", "SQLITE_AUTH")):
            reason = "check the permissions of the file and of its folder"
        else:
            reason = str(error)
        raise StorageError(f"The corpus {path} cannot be read or written: {reason}.") from error


def _address(path: Path, mode: str) -> str:
    return f"{path.absolute().as_uri()}?mode={mode}"


def _mode(path: Path) -> str:
    return "ro&immutable=1" if _fixed(path) else "rw"


def _fixed(path: Path) -> bool:
    """True if nothing can be written (a read-only disk, somebody else's folder).

    There WAL mode cannot even be read; but nothing can change either, so the file is read as it lies.
    """
    return not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK))


def _connect(address: str, path: str) -> sqlite3.Connection:
    with clear_errors(path):
        connection = sqlite3.connect(
            address,
            uri=True,
            timeout=BUSY_MS / 1000,
            isolation_level=None,
            check_same_thread=False,
            cached_statements=64,
        )
        try:
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute("PRAGMA synchronous = FULL")
        except BaseException:
            connection.close()
            raise
        return connection
