"""A connection to the tables of a corpus: all that the code shared by SQLite and PostgreSQL asks of either."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol


class Database(Protocol):
    """A connection; used by one thread at a time.

    Statements are in the SQL that both engines understand alike, with "?" for a value. What an engine has to say is
    raised as a `StorageError` or a `CorpusError`.
    """

    @property
    def broken(self) -> bool:
        """True if nothing can be read or written through it any more."""
        ...

    def rows(self, statement: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Run one statement; the rows that it gives."""
        ...

    def insert(self, table: str, rows: Iterable[Sequence[object]]) -> None:
        """Add whole rows to a table."""
        ...

    def next_passage(self, count: int) -> int:
        """The first of so many numbers in a row that no passage has, had or will have had."""
        ...

    def version(self) -> int:
        """A number that is another one after every change that someone else made."""
        ...

    def begin(self) -> int:
        """Show the state of this moment, and its version, until `end`."""
        ...

    def end(self) -> None:
        """Let go of that state; does no harm where there is none, or the connection is broken."""
        ...

    def close(self) -> None:
        """Let go of the connection; closing twice does no harm."""
        ...
