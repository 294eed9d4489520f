"""States of the tables of a corpus: the newest is shared by all who find nothing changed, older ones are read on."""

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
    """A state of the tables that somebody reads, or that the next one will if nothing changes."""

    connection: Database
    lock: threading.RLock = field(default_factory=threading.RLock)
    tables: Tables | None = None
    version: int = -1
    """Of the database, as this connection counts the changes that others made."""
    seen: int = -1
    """The same as the probe counted them before the state was taken."""
    since: float = 0.0
    users: int = 0


class States:
    """Questions that find nothing changed share a connection, and what it keeps; one that finds a change gets another.

    A connection that broke is dropped, and the next question tries a new one.
    """

    def __init__(self, probe: Database, connect: Callable[[], Database], *, tired: Callable[[float], bool]) -> None:
        """Read from connections that `connect` makes; `probe` only looks whether something changed.

        A state is shared with nobody else once it is `tired`, by the (monotonic) time at which it was taken.
        """
        self._probe = probe
        self._connect = connect
        self._tired = tired
        self._lock = threading.Lock()
        self._closed = False
        self._now: Held | None = None
        self._older: list[Held] = []
        """States that somebody still reads though there is a newer one."""
        self._left: deque[Held] = deque()
        """States that somebody has read to the end, once for each reader."""

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
        """Let go of every connection."""
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
                    # The database was started anew since these connections were made: one more try with others.
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
        """Drop the connections that broke, with those that nobody reads from; False if none broke."""
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
    """The state that a connection shows from now on: with what is kept of it where it is the one of before."""
    try:
        version = held.connection.begin()
        if held.tables is not None and held.version == version:
            return held.tables
        held.version = version
        return Tables(held.connection, held.lock)
    except BaseException:
        held.connection.end()
        raise
