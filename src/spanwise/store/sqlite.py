"""The truth: every document in one SQLite file, changed in transactions that are on the disk before they return.

Who asks reads inside a transaction of his own (WAL), so that what others write meanwhile is not there for him.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path

from spanwise.errors import CorpusError, StorageError
from spanwise.store.opening import BUSY_MS, SQLite, connect_again, open_file, open_memory
from spanwise.store.states import Held, States
from spanwise.store.tables import Tables
from spanwise.store.writing import WritingTruth

_LONG_JOURNAL = 32 * 1024 * 1024
"""Bytes of the WAL from which it is emptied as soon as no older state is read."""
_TIDYING_MS = 1_000
"""How long that waits for those who read one."""
_SHARED_SECONDS = 0.1
"""How long a state is shared while the WAL is long: who always shares with somebody before him would hold it up."""


class FileTruth(WritingTruth):
    """The tables of a corpus in a file; it is a `spanwise.store.port.Truth`, one process at a time may write."""

    def __init__(self, connection: SQLite, path: Path) -> None:
        """Use `open_truth` instead."""
        self._file = path
        self._states = States(connection, lambda: connect_again(path), tired=self._holds_up)
        self._writer: SQLite | None = None
        self._write_lock = threading.RLock()
        self._tidied_at = 0

    def snapshot(self) -> AbstractContextManager[Tables]:
        """The tables as they are now, whoever changes them until the context is left."""
        return self._states.snapshot()

    def close(self) -> None:
        """Let go of the file."""
        with self._write_lock:
            self._states.close()
            if self._writer is not None:
                self._writer.close()

    def _holds_up(self, since: float) -> bool:
        return time.monotonic() - since > _SHARED_SECONDS and self._journal() > _LONG_JOURNAL

    def _journal(self) -> int:
        """Bytes of the WAL."""
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
        """Empty a WAL that grew long because there was always somebody who read; tried again when it has grown more."""
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
    """Tables that are gone when they are closed; it is a `spanwise.store.port.Truth`.

    They have one connection, so who changes them leaves a copy to those who read what they were before.
    """

    def __init__(self, connection: SQLite) -> None:
        """Use `memory_truth` instead."""
        self._connection = connection
        self._lock = threading.RLock()
        self._now: Held | None = None

    @contextmanager
    def snapshot(self) -> Iterator[Tables]:
        """The tables as they are now, whoever changes them until the context is left."""
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
        """Let go of the memory."""
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
    """Tables that are gone when they are closed."""
    return MemoryTruth(open_memory())


def open_truth(path: Path, *, create: bool) -> FileTruth:
    """Open the corpus in the file `path`; make it if there is none, or an empty file, and `create` is set."""
    return FileTruth(open_file(path, create=create), path)
