"""Extracted rows that are kept in memory until they are fetched."""

from __future__ import annotations

from collections.abc import Sequence

from spanwise.extraction.rows import Row
from spanwise.extraction.sinks import Key


class RowsInMemory:
    """A `spanwise.extraction.sinks.Sink` that only collects."""

    def __init__(self) -> None:
        self.rows: list[Row] = []

    def held(self) -> set[Key]:
        """Nothing is there before."""
        return set()

    def keep(self, keys: set[Key]) -> None:
        """Nothing is there to drop."""

    def write(self, rows: Sequence[Row]) -> None:
        """Add rows."""
        self.rows.extend(rows)

    def close(self) -> None:
        """Nothing to let go of."""
