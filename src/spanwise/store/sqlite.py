"""The truth: every document in one SQLite file, changed in transactions that are on the disk before they return.

Who asks reads inside a transaction of his own (WAL), so that what others write meanwhile is not there for him.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from spanwise.store.codec import Record
from spanwise.store.opening import BUSY_MS, clear_errors, connect_again, open_file, open_memory
from spanwise.store.port import Source
from spanwise.store.tables import Tables
from spanwise.store.writing import link_documents, put_document, remove_document, set_source

_LONG_JOURNAL = 32 * 1024 * 1024
"""Bytes of the WAL from which it is emptied as soon as no older state is read."""
_TIDYING_MS = 1_000
"""How long that waits for those who read one."""
_SHARED_SECONDS = 0.1
"""How long a state is shared while the WAL is long: who always shares with somebody before him would hold it up."""


@dataclass(slots=True, eq=False)
class _Held:
    """A state of the tables that somebody reads, or that the next one will if nothing changes."""

    connection: sqlite3.Connection
    lock: threading.RLock = field(default_factory=threading.RLock)
    tables: Tables | None = None
    version: int = -1
    """Of the file, as this connection counts the changes that others made."""
    seen: int = -1
    """The same as the truth's own connection counted them before the state was taken."""
    since: float = 0.0
    users: int = 0


class _SQLiteTruth:
    """What tables in a file and tables in memory share: the changes."""

    def __init__(self, path: str) -> None:
        self._path = path

    def put(self, record: Record, source: Source | None, origins: Sequence[str] = ()) -> tuple[int, ...]:
        """Store a document in place of the one that has its name, if any; return the numbers of its passages."""
        with self._writing() as connection:
            return put_document(connection, record, source, origins)

    def remove(self, name: str) -> None:
        """Forget a document.

        Raises:
            DocumentNotFoundError: There is none of that name.
        """
        with self._writing() as connection:
            remove_document(connection, name)

    def set_source(self, name: str, source: Source) -> None:
        """Say that a document is what the file `source` holds now."""
        with self._writing() as connection:
            set_source(connection, name, source)

    def link(self, origin: str, names: Sequence[str]) -> None:
        """Say that these documents were found in a folder or by a glob."""
        with self._writing() as connection:
            link_documents(connection, origin, names)

    def _writing(self) -> AbstractContextManager[sqlite3.Connection]:
        """A transaction that is on the disk at the end, or never was."""
        raise NotImplementedError

    @contextmanager
    def _transaction(self, connection: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
        with clear_errors(self._path):
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")


class FileTruth(_SQLiteTruth):
    """The tables of a corpus in a file; it is a `spanwise.store.port.Truth`, one process at a time may write.

    Questions that find the file unchanged share a connection, and what it keeps; one that finds a change gets another.
    """

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        """Use `open_truth` instead."""
        super().__init__(str(path))
        self._file = path
        self._probe = connection
        """Only looks whether something changed."""
        self._lock = threading.Lock()
        self._now: _Held | None = None
        self._older: list[_Held] = []
        """States that somebody still reads though there is a newer one."""
        self._left: deque[_Held] = deque()
        """States that somebody has read to the end, once for each reader."""
        self._writer: sqlite3.Connection | None = None
        self._write_lock = threading.RLock()
        self._tidied_at = 0

    @contextmanager
    def snapshot(self) -> Iterator[Tables]:
        """The tables as they are now, whoever changes them until the context is left."""
        held, tables = self._taken()
        try:
            yield tables
        finally:
            # A generator that nobody reads to its end is closed by the garbage collector, maybe in a thread that holds
            # the lock: so nobody waits for the lock here, and whoever has it does what is left.
            self._left.append(held)
            self._settle()

    def close(self) -> None:
        """Let go of the file."""
        with self._lock, self._write_lock:
            for held in (self._now, *self._older):
                if held is not None:
                    with held.lock:
                        held.connection.close()
            self._now = None
            self._older.clear()
            self._probe.close()
            if self._writer is not None:
                self._writer.close()

    def _taken(self) -> tuple[_Held, Tables]:
        try:
            with self._lock, clear_errors(self._path):
                seen = _version(self._probe)
                held = self._now
                if held is not None and held.users and (held.seen != seen or self._holds_up(held)):
                    self._older.append(held)
                    held = None
                if held is None:
                    held = self._now = _Held(connect_again(self._file))
                tables = held.tables
                if not held.users or tables is None:
                    tables = held.tables = self._begun(held)
                    held.seen, held.since = seen, time.monotonic()
                held.users += 1
                return held, tables
        finally:
            self._settle()

    def _begun(self, held: _Held) -> Tables:
        """The state that a connection shows from now on: with what is kept of it where it is the one of before."""
        held.connection.execute("BEGIN")
        try:
            held.connection.execute("SELECT 1 FROM changes LIMIT 1").fetchone()  # from the first row on it is fixed
            version = _version(held.connection)
            if held.tables is not None and held.version == version:
                return held.tables
            held.version = version
            return Tables(held.connection, held.lock, self._path)
        except BaseException:
            _ended(held.connection)
            raise

    def _holds_up(self, held: _Held) -> bool:
        return time.monotonic() - held.since > _SHARED_SECONDS and self._journal() > _LONG_JOURNAL

    def _journal(self) -> int:
        """Bytes of the WAL."""
        try:
            return os.stat(f"{self._path}-wal").st_size
        except OSError:
            return 0

    def _settle(self) -> None:
        """End the transactions that nobody reads in any more."""
        while self._left and self._lock.acquire(blocking=False):
            try:
                while self._left:
                    self._let_go(self._left.popleft())
            finally:
                self._lock.release()

    def _let_go(self, held: _Held) -> None:
        held.users -= 1
        if held.users:
            return
        with held.lock:
            _ended(held.connection)
            if held in self._older:
                self._older.remove(held)
                held.connection.close()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._write_lock:
            if self._writer is None:
                self._writer = connect_again(self._file)
            with self._transaction(self._writer) as connection:
                yield connection
            self._tidy(self._writer)

    def _tidy(self, writer: sqlite3.Connection) -> None:
        """Empty a WAL that grew long because there was always somebody who read; tried again when it has grown more."""
        size = self._journal()
        if size < self._tidied_at + _LONG_JOURNAL:
            self._tidied_at = min(self._tidied_at, size)
            return
        with suppress(sqlite3.Error):
            writer.execute(f"PRAGMA busy_timeout = {_TIDYING_MS}")
            (busy, _, _) = writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            self._tidied_at = size if busy else 0
        writer.execute(f"PRAGMA busy_timeout = {BUSY_MS}")


class MemoryTruth(_SQLiteTruth):
    """Tables that are gone when they are closed; it is a `spanwise.store.port.Truth`.

    They have one connection, so who changes them leaves a copy to those who read what they were before.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Use `memory_truth` instead."""
        super().__init__("memory")
        self._connection = connection
        self._lock = threading.RLock()
        self._now: _Held | None = None

    @contextmanager
    def snapshot(self) -> Iterator[Tables]:
        """The tables as they are now, whoever changes them until the context is left."""
        with self._lock:
            held = self._now or _Held(self._connection, self._lock)
            tables = held.tables = held.tables or Tables(self._connection, self._lock, self._path)
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
        """Let go of the memory."""
        with self._lock:
            if self._now is not None and self._now.users:
                self._leave_copy(self._now)
            self._now = None
            self._connection.close()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            held, self._now = self._now, None
            if held is not None and held.users:
                with clear_errors(self._path):
                    self._leave_copy(held)
            with self._transaction(self._connection) as connection:
                yield connection

    def _leave_copy(self, held: _Held) -> None:
        copy = open_memory(empty=True)
        self._connection.backup(copy)
        held.connection = copy
        if held.tables is not None:
            held.tables.move(copy)


def memory_truth() -> MemoryTruth:
    """Tables that are gone when they are closed."""
    return MemoryTruth(open_memory())


def open_truth(path: Path, *, create: bool) -> FileTruth:
    """Open the corpus in the file `path`; make it if there is none, or an empty file, and `create` is set.

    Raises:
        NotACorpusError: The file is something else, of a newer version, or missing and not to be made.
        StorageError: The file cannot be read or made.
    """
    return FileTruth(open_file(path, create=create), path)


def _version(connection: sqlite3.Connection) -> int:
    """A number that changes when another connection has changed the file."""
    return int(connection.execute("PRAGMA data_version").fetchone()[0])


def _ended(connection: sqlite3.Connection) -> None:
    with suppress(sqlite3.Error):  # whoever closed it has ended it too
        connection.execute("ROLLBACK")
