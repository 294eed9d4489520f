"""The truth in SQLite: every document in one file, changed in transactions that are durable before they return.

Each reader has a transaction of its own (WAL mode), so it does not see what others write meanwhile.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import Any

from spanwise.errors import CorpusBusyError, CorpusError, NotACorpusError, StorageError, no_corpus
from spanwise.store.changes import WritingTruth
from spanwise.store.codec import damaged
from spanwise.store.schema import create_tables, prepare_tables
from spanwise.store.states import Held, States
from spanwise.store.tables import Tables

BUSY_MS = 10_000
"""How long a change waits for another one, in milliseconds."""


class SQLite:
    """A connection to a corpus, as a `spanwise.store.schema.Database`."""

    broken = False

    def __init__(self, connection: sqlite3.Connection, path: str) -> None:
        """Use `open_memory`, `open_file` or `connect_again` instead."""
        self._connection = connection
        self._path = path

    def rows(self, statement: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """The resulting rows of one statement."""
        with clear_errors(self._path):
            return self._connection.execute(statement, values).fetchall()

    def insert(self, table: str, rows: Iterable[Sequence[object]]) -> None:
        """Insert complete rows into a table."""
        if added := list(rows):
            marks = ", ".join("?" * len(added[0]))
            with clear_errors(self._path):
                statement = f"INSERT INTO {table} VALUES ({marks})"  # noqa: S608  # the table's name is our constant
                self._connection.executemany(statement, added)

    def next_passage(self, count: int) -> int:  # noqa: ARG002  # the table assigns as many ids as rows are inserted
        """The id after the highest one that a passage ever had."""
        rows = self.rows("SELECT seq FROM sqlite_sequence WHERE name = 'passages'")
        return int(rows[0][0]) + 1 if rows else 1

    def version(self) -> int:
        """A number that changes when another connection has changed the file."""
        return int(self.rows("PRAGMA data_version")[0][0])

    def begin(self) -> int:
        """Fix the state that is read until `end`; return its version."""
        self.rows("BEGIN")
        self.rows("SELECT 1 FROM changes LIMIT 1")  # the state is fixed from the first row read
        return self.version()

    def end(self) -> None:
        """End that state."""
        with suppress(sqlite3.Error):  # closing the connection has ended it too
            self._connection.execute("ROLLBACK")

    @contextmanager
    def changing(self) -> Iterator[None]:
        """A transaction, which is durable at the end of the context, or rolled back on an error."""
        with clear_errors(self._path):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            finally:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")

    def copy_to(self, other: SQLite) -> None:
        """Copy the whole database into another connection."""
        with clear_errors(self._path):
            self._connection.backup(other._connection)

    def close(self) -> None:
        """Close the file."""
        self._connection.close()


def open_memory(*, empty: bool = False) -> SQLite:
    """A connection to tables in memory, which are lost when it is closed; `empty` creates no tables."""
    connection = _connect(":memory:", "memory")
    try:
        if not empty:
            create_tables(connection)
    except BaseException:
        connection.close()
        raise
    return SQLite(connection, "memory")


def open_file(path: Path, *, create: bool) -> SQLite:
    """Connect to the corpus in the file `path`; create it if there is none, or an empty file, and `create` is set."""
    if path.is_dir():
        raise NotACorpusError(f"{path} is a folder; name the file of a corpus, for example corpus.db.", path=str(path))
    with clear_errors(str(path)):
        try:
            new = not path.exists() or path.stat().st_size == 0
        except OSError as error:
            raise StorageError(f"{path} cannot be read ({error.strerror}); check its permissions.") from error
        if new and not create:
            raise no_corpus(str(path))
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
    """A further connection to a corpus that is already open."""
    return SQLite(_connect(_address(path, _mode(path)), str(path)), str(path))


@contextmanager
def clear_errors(path: str) -> Iterator[None]:
    """Convert errors of SQLite into ours, with messages that say what to do."""
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
    """True if the file or its folder is read-only, for example on a read-only disk or in another user's folder.

    WAL mode cannot even be read there; but as nothing can change either, the file is opened as immutable.
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


_LONG_JOURNAL = 32 * 1024 * 1024
"""Size of the WAL in bytes from which it is truncated as soon as nobody reads an older state."""
_TIDYING_MS = 1_000
"""How long the truncation waits for readers of older states, in milliseconds."""
_SHARED_SECONDS = 0.1
"""How long a state is shared between readers while the WAL is long; readers that always overlap would block it for
ever."""


class FileTruth(WritingTruth):
    """The tables of a corpus in a file, as a `spanwise.store.port.Truth`; one process at a time may write."""

    def __init__(self, connection: SQLite, path: Path) -> None:
        """Use `open_truth` instead."""
        self._file = path
        self._states = States(connection, lambda: connect_again(path), tired=self._holds_up)
        self._writer: SQLite | None = None
        self._write_lock = threading.RLock()
        self._tidied_at = 0

    def snapshot(self) -> AbstractContextManager[Tables]:
        """The tables in their present state, unaffected by changes until the context ends."""
        return self._states.snapshot()

    def close(self) -> None:
        """Close the connections to the file."""
        with self._write_lock:
            self._states.close()
            if self._writer is not None:
                self._writer.close()

    def _holds_up(self, since: float) -> bool:
        return time.monotonic() - since > _SHARED_SECONDS and self._journal() > _LONG_JOURNAL

    def _journal(self) -> int:
        """The size of the WAL in bytes."""
        try:
            return os.stat(f"{self._file}-wal").st_size
        except OSError:
            return 0

    @contextmanager
    def _writing(self) -> Iterator[SQLite]:
        with self._write_lock:
            if self._writer is None:
                self._writer = connect_again(self._file)
            with self._writer.changing():
                yield self._writer
            self._tidy(self._writer)

    def _tidy(self, writer: SQLite) -> None:
        """Truncate a WAL that grew long while there were always readers; if that fails, retry after it has grown."""
        size = self._journal()
        if size < self._tidied_at + _LONG_JOURNAL:
            self._tidied_at = min(self._tidied_at, size)
            return
        with suppress(CorpusError, StorageError):
            writer.rows(f"PRAGMA busy_timeout = {_TIDYING_MS}")
            ((busy, _, _),) = writer.rows("PRAGMA wal_checkpoint(TRUNCATE)")
            self._tidied_at = size if busy else 0
        writer.rows(f"PRAGMA busy_timeout = {BUSY_MS}")


class MemoryTruth(WritingTruth):
    """Tables in memory, which are lost when they are closed, as a `spanwise.store.port.Truth`.

    There is only one connection, so before a change, the tables are copied for those who still read the old state.
    """

    def __init__(self, connection: SQLite) -> None:
        """Use `memory_truth` instead."""
        self._connection = connection
        self._lock = threading.RLock()
        self._now: Held | None = None

    @contextmanager
    def snapshot(self) -> Iterator[Tables]:
        """The tables in their present state, unaffected by changes until the context ends."""
        with self._lock:
            held = self._now or Held(self._connection, self._lock)
            tables = held.tables = held.tables or Tables(self._connection, self._lock)
            self._now = held
            held.users += 1
        try:
            yield tables
        finally:
            with self._lock:
                held.users -= 1
                if not held.users and held.connection is not self._connection:
                    held.connection.close()

    def close(self) -> None:
        """Close the connection and free the memory."""
        with self._lock:
            if self._now is not None and self._now.users:
                self._leave_copy(self._now)
            self._now = None
            self._connection.close()

    @contextmanager
    def _writing(self) -> Iterator[SQLite]:
        with self._lock:
            held, self._now = self._now, None
            if held is not None and held.users:
                self._leave_copy(held)
            with self._connection.changing():
                yield self._connection

    def _leave_copy(self, held: Held) -> None:
        copy = open_memory(empty=True)
        self._connection.copy_to(copy)
        held.connection = copy
        if held.tables is not None:
            held.tables.move(copy)


def memory_truth() -> MemoryTruth:
    """Empty tables in memory, which are lost when they are closed."""
    return MemoryTruth(open_memory())


def open_truth(path: Path, *, create: bool) -> FileTruth:
    """Open the corpus in the file `path`; create it if there is none, or an empty file, and `create` is set."""
    return FileTruth(open_file(path, create=create), path)
