"""Tables as real rows and headers, whatever format they were read from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from spanwise.contract.values import TableValue
from spanwise.store.port import Store
from spanwise.synthesis.extractive.typed.pieces import Piece
from spanwise.text.tables.grid import Grid
from spanwise.text.tables.reading import read_tables

MOST_ROWS = 200
_AROUND = 60
"""Lines before and after a piece in which its table may go on."""


@dataclass(frozen=True, slots=True)
class TableFound:
    """A table with the lines of its head and of each row."""

    value: TableValue
    spans: tuple[tuple[int, int], ...]
    document: str

    @property
    def words(self) -> str:
        """Everything it says."""
        return " ".join([*self.value.headers, *(cell for row in self.value.rows for cell in row)])


def find_tables(pieces: Sequence[Piece], store: Store) -> Iterator[TableFound]:
    """The tables that the pieces stand in, in the order of the pieces, each once."""
    seen: set[tuple[str, int]] = set()
    for piece in pieces:
        lines = store.lines(piece.document, max(1, piece.line_start - _AROUND), piece.line_end + _AROUND)
        for grid in read_tables(piece.document, lines):
            touches = grid.first <= piece.line_end and piece.line_start <= grid.last
            if touches and len(grid.rows) > 1 and (grid.document, grid.first) not in seen:
                seen.add((grid.document, grid.first))
                yield _found(grid)


def _found(grid: Grid) -> TableFound:
    rows = [list(grid.texts(at)) for at in range(min(len(grid.rows), MOST_ROWS))]
    spans = (*grid.head_lines, *((row.first, row.last) for row in grid.rows[:MOST_ROWS]))
    return TableFound(TableValue(headers=list(grid.names), rows=rows), spans, grid.document)
