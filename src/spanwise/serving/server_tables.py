"""Tables that a server keeps beside a corpus: in an SQLite file of their own, or in the corpus's database.

Those in a database outlive every server, and are shared by all that serve the corpus.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from spanwise.errors import DatabaseDownError, StorageError
from spanwise.store.address import address_of
from spanwise.store.schema import Database

_SILENCE = 3.0
"""Seconds that a database may take to answer, as requests wait for it; afterwards it is not asked for as long again."""


_VERSION = 1
"""Version of the files' schema."""


class ServerTables:
    """Tables in one place; safe to use from many threads. They are opened, and created, when first needed."""

    def __init__(
        self,
        place: Path | str,
        tables: Sequence[str],
        name: str,
        *,
        kind: tuple[int, str] | None = None,
        synchronous: Literal["OFF", "NORMAL", "FULL"] = "FULL",
    ) -> None:
        """Describe the tables.

        Args:
            place: A file, or the URL of a corpus in a database.
            tables: A `CREATE TABLE` statement for each, in SQL that both engines understand.
            name: Their name in error messages.
            kind: The SQLite application id of the file, and the words for it in the error about another file; None for
            a
                file without a mark.
            synchronous: SQLite's setting for how soon writes must reach the disk.
        """
        self.file = place if isinstance(place, Path) else None
        """Their file; None in a database."""
        self._place = place
        self._tables = tables
        self._name = name
        self._kind = kind
        self._synchronous = synchronous
        self._lock = threading.Lock()
        self._file: sqlite3.Connection | None = None
        self._database: Database | None = None
        self._down_until = 0.0

    @property
    def empty(self) -> bool:
        """True if the file does not exist yet.

        Always False for a database, whose tables are created before they are read.
        """
        return self.file is not None and self._file is None and not self.file.exists()

    def rows(self, statement: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Run one statement and return its rows; raises `StorageError` if that fails."""
        with self._lock:
            return (
                self._in_database(statement, values)
                if self.file is None
                else self._in_file(self.file, statement, values)
            )

    def close(self) -> None:
        """Close the connection; it is opened again when needed."""
        with self._lock:
            for one in (self._file, self._database):
                if one is not None:
                    one.close()
            self._file = self._database = None

    def _in_file(self, file: Path, statement: str, values: Sequence[object]) -> list[tuple[Any, ...]]:
        try:
            if self._file is None:
                self._file = self._opened(file)
            return self._file.execute(statement, values).fetchall()
        except (sqlite3.Error, OSError) as error:
            raise StorageError(f"{self._name} cannot be read or written: {error}.") from error

    def _opened(self, file: Path) -> sqlite3.Connection:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        connection = sqlite3.connect(file, timeout=10, isolation_level=None, check_same_thread=False)
        try:
            if self._kind is not None:
                _mark(connection, file, *self._kind)
                file.chmod(0o600)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute(f"PRAGMA synchronous = {self._synchronous}")
            for table in self._tables:
                connection.execute(table.replace("TABLE", "TABLE IF NOT EXISTS", 1))
        except BaseException:
            connection.close()
            raise
        return connection

    def _in_database(self, statement: str, values: Sequence[object]) -> list[tuple[Any, ...]]:
        from spanwise.store.postgres import open_beside

        if time.monotonic() < self._down_until:
            raise DatabaseDownError("The database of this server does not answer: try again in a moment.")
        try:
            if self._database is None or self._database.broken:
                self._database = open_beside(address_of(str(self._place)), self._tables, silence=_SILENCE)
            return self._database.rows(statement, values)
        except DatabaseDownError:
            self._down_until = time.monotonic() + _SILENCE
            raise


def _mark(connection: sqlite3.Connection, file: Path, mark: int, what: str) -> None:
    """Check that a file is of this kind and version, and mark a new one."""
    found = [connection.execute(f"PRAGMA {one}").fetchone()[0] for one in ("application_id", "user_version")]
    if found != [mark, _VERSION] and connection.execute("SELECT 1 FROM sqlite_master").fetchone():
        raise StorageError(f"{file} is not {what} of this version: move it away.")
    connection.execute(f"PRAGMA application_id = {mark}")
    connection.execute(f"PRAGMA user_version = {_VERSION}")


def beside_of(corpus: str | Path) -> Path:
    """The path prefix of the files on this machine that belong to a corpus."""
    if isinstance(corpus, Path):
        return corpus
    beside = address_of(corpus).beside("XDG_DATA_HOME", ".local/share")
    try:
        beside.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(f"{beside.parent} cannot be made ({error.strerror}): check its permissions.") from error
    return beside
