"""Replies on disk, so that a call that was answered once costs nothing the second time, and a failed run resumes."""

from __future__ import annotations

import hashlib
import os
import sqlite3
import threading
import weakref
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from spanwise.errors import InputError, StorageError
from spanwise.llm.layer import Layer, Steps
from spanwise.llm.middleware.recording import from_json, to_json
from spanwise.llm.port import Call, Model, Reply

MAX_BYTES = 256 * 1024 * 1024
"""What a cache may hold, where nobody says otherwise."""

_BUSY = 10.0  # seconds to wait for another process that writes
_EVICTED = 0.1  # share of the bound that is freed at a time, so that not every write has to

_SCHEMA = """
CREATE TABLE IF NOT EXISTS replies (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  key TEXT NOT NULL UNIQUE,
  reply TEXT NOT NULL,
  size INTEGER NOT NULL
);
"""

_FORKED: list[sqlite3.Connection] = []
"""Connections of the process that this one was forked from: SQLite wants them neither used nor closed here."""


class Cache:
    """A file of replies that threads and processes may use at the same time. The oldest go when it is full.

    The file is closed by `close`, at the end of a `with`, or when nothing refers to the cache any more.
    """

    def __init__(self, path: str | os.PathLike[str], *, max_bytes: int = MAX_BYTES) -> None:
        """Open the file, or make it; `max_bytes` bounds the replies in it."""
        if max_bytes < 1:
            raise InputError(f"max_bytes is {max_bytes}; a cache needs at least 1.")
        self._path = Path(path)
        self._max_bytes = max_bytes
        self._lock = threading.Lock()
        self._process = 0
        self._open: sqlite3.Connection | None = None
        self._let_go: Callable[[], object]
        self._held = 0
        with self._lock:
            self._connection()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def get(self, key: str) -> str | None:
        """The reply that is kept under a key; None where there is none, or the file fails."""
        with self._lock, suppress(sqlite3.Error, StorageError):
            row = self._connection().execute("SELECT reply FROM replies WHERE key = ?", (key,)).fetchone()
            return None if row is None else str(row[0])
        return None

    def put(self, key: str, reply: str) -> None:
        """Keep a reply; nothing happens where the file fails, since a cache only saves work."""
        size = len(key) + len(reply)
        if size > self._max_bytes:
            return
        with self._lock, suppress(sqlite3.Error, StorageError):
            connection = self._connection()
            with connection:
                connection.execute(
                    "INSERT OR REPLACE INTO replies (key, reply, size) VALUES (?, ?, ?)", (key, reply, size)
                )
                self._held += size
                if self._held > self._max_bytes:
                    self._evict(connection)

    def close(self) -> None:
        """Close the file; who uses the cache after that opens it again."""
        with self._lock:
            if self._open is not None:
                self._open = None
                self._let_go()

    def _connection(self) -> sqlite3.Connection:
        if self._open is not None and self._process != os.getpid():  # a connection must not cross a fork
            self._open = None
            self._let_go()
        if self._open is None:
            try:
                self._open = self._connected()
            except (sqlite3.Error, OSError) as error:
                raise StorageError(
                    f"The cache {self._path} cannot be used ({error}); give another path or delete the file."
                ) from None
            self._process = os.getpid()
            self._let_go = weakref.finalize(self, _close, self._open, self._process)
        return self._open

    def _connected(self) -> sqlite3.Connection:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(self._path, timeout=_BUSY, check_same_thread=False)
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.executescript(_SCHEMA)
            self._held = int(connection.execute("SELECT coalesce(sum(size), 0) FROM replies").fetchone()[0])
        except BaseException:
            connection.close()
            raise
        return connection

    def _evict(self, connection: sqlite3.Connection) -> None:
        """Drop the oldest until there is some room, counting what other processes wrote too."""
        held = int(connection.execute("SELECT coalesce(sum(size), 0) FROM replies").fetchone()[0])
        room = self._max_bytes * (1 - _EVICTED)
        last = 0
        for number, size in connection.execute("SELECT number, size FROM replies ORDER BY number"):
            if held <= room:
                break
            held, last = held - size, number
        connection.execute("DELETE FROM replies WHERE number <= ?", (last,))
        self._held = held


def _close(connection: sqlite3.Connection, process: int) -> None:
    if process == os.getpid():
        connection.close()
    else:
        _FORKED.append(connection)


class Cached(Layer):
    """Answers a call from the cache where the same was asked of the same model; failures are never kept."""

    def __init__(self, inner: Model, cache: Cache) -> None:
        super().__init__(inner)
        self._cache = cache

    def steps(self, call: Call) -> Steps:
        """Look, else ask and keep."""
        key = hashlib.sha256(f"{self.profile.name}\n{call.hash}".encode()).hexdigest()
        kept = self._cache.get(key)
        if kept is not None:
            with suppress(ValueError, RecursionError):
                found = from_json(call, kept)
                if found.error is None:
                    return found
        reply: Reply = yield call
        if reply.error is None:
            self._cache.put(key, to_json(reply))
        return reply
