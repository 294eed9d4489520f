"""The states of a corpus: readers share the newest one, and older ones stay open while they are read."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from spanwise.errors import StorageError
from spanwise.store.schema import Database
from spanwise.store.tables import Tables


@dataclass(slots=True, eq=False)
class Held:
    """A state of the tables that is being read, or was the last one read, with its connection."""

    connection: Database
    lock: threading.RLock = field(default_factory=threading.RLock)
    tables: Tables | None = None
    version: int = -1
    """The version of the database as this connection counts the changes of others."""
    seen: int = -1
    """The version as the probing connection counted it before the state was fixed."""
    since: float = 0.0
    users: int = 0


class States:
    """A pool of connections for snapshots, which share one, with its caches, as long as nothing has changed.

    After a change, the next snapshot gets another connection if the present one is still in use. A broken connection is
    dropped, and the next snapshot tries a new one.
    """

    def __init__(self, probe: Database, connect: Callable[[], Database], *, tired: Callable[[float], bool]) -> None:
        """Create a pool of connections made by `connect`; `probe` is only asked whether something has changed.

        `tired` gets the (monotonic) time at which a state was fixed, and returns True if the state must no longer be
        shared.
        """
        self._probe = probe
        self._connect = connect
        self._tired = tired
        self._lock = threading.Lock()
        self._closed = False
        self._now: Held | None = None
        self._older: list[Held] = []
        """Older states that are still being read."""
        self._left: deque[Held] = deque()
        """States that a reader has finished reading, once for each reader."""

    @contextmanager
    def snapshot(self) -> Iterator[Tables]:
        """The tables in their present state, unaffected by changes until the context ends."""
        held, tables = self._taken()
        try:
            yield tables
        finally:
            # An abandoned generator is closed by the garbage collector, possibly in a thread that holds the lock. So
            # nobody waits for the lock here, and the thread that holds it does the remaining work.
            self._left.append(held)
            self._settle()

    def close(self) -> None:
        """Close every connection."""
        with self._lock:
            for held in (self._now, *self._older):
                if held is not None:
                    with held.lock:
                        held.connection.close()
            self._now, self._closed = None, True
            self._older.clear()
            self._probe.close()

    def _taken(self) -> tuple[Held, Tables]:
        try:
            with self._lock:
                if self._closed:
                    raise StorageError("The corpus was closed: open it again.")
                try:
                    return self._newest()
                except StorageError:
                    # The database was restarted since these connections were made: try again once with new ones.
                    if not self._replaced():
                        raise
                    return self._newest()
        finally:
            self._settle()

    def _newest(self) -> tuple[Held, Tables]:
        seen = self._probe.version()
        held = self._now
        if held is not None and held.users and (held.seen != seen or held.connection.broken or self._tired(held.since)):
            self._older.append(held)
            held = None
        if held is None:
            held = self._now = Held(self._connect())
        tables = held.tables
        if not held.users or tables is None:
            tables = held.tables = _begun(held)
            held.seen, held.since = seen, time.monotonic()
        held.users += 1
        return held, tables

    def _replaced(self) -> bool:
        """Drop broken connections and the unused ones with them; False if none was broken."""
        held = self._now
        if not self._probe.broken and (held is None or not held.connection.broken):
            return False
        self._probe.close()
        self._probe = self._connect()
        if held is not None and held.users:
            self._older.append(held)
        elif held is not None:
            held.connection.close()
        self._now = None
        return True

    def _settle(self) -> None:
        """End the transactions that nobody reads in any more."""
        while self._left and self._lock.acquire(blocking=False):
            try:
                while self._left:
                    self._let_go(self._left.popleft())
            finally:
                self._lock.release()

    def _let_go(self, held: Held) -> None:
        held.users -= 1
        if held.users:
            return
        with held.lock:
            held.connection.end()
            if held in self._older:
                self._older.remove(held)
                held.connection.close()


def _begun(held: Held) -> Tables:
    """The tables in the newest state, with their caches if the state is the same as before."""
    try:
        version = held.connection.begin()
        if held.tables is not None and held.version == version:
            return held.tables
        held.version = version
        return Tables(held.connection, held.lock)
    except BaseException:
        held.connection.end()
        raise
