"""Tables as real rows and headers: pipe tables, and rows of figures under a head of columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from spanwise.contract.values import TableValue
from spanwise.domain.document import Line
from spanwise.store.port import Store
from spanwise.text.tables.cells import cell_grids
from spanwise.synthesis.extractive.typed.pieces import Piece
from spanwise.text.tables.rows import Row, table_rows

MOST_ROWS = 200
_AROUND = 60
"""Lines before and after a piece in which its table may go on."""
_GAP = 3
"""Lines between two rows of one table."""


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
        for table in [*_piped(piece.document, lines), *_ruled(piece.document, lines)]:
            touches = table.spans[0][0] <= piece.line_end and piece.line_start <= table.spans[-1][1]
            if touches and (table.document, table.spans[0][0]) not in seen:
                seen.add((table.document, table.spans[0][0]))
                yield table


def _piped(document: str, lines: Sequence[Line]) -> Iterator[TableFound]:
    for grid in cell_grids(document, lines):
        rows = [[row.label, *row.texts] for row in grid.rows[:MOST_ROWS]]
        if rows:
            corner = grid.caption.split(" \n")[0] if " \n" in grid.caption else ""
            spans = (*grid.head_lines, *((row.first, row.last) for row in grid.rows[:MOST_ROWS]))
            yield TableFound(TableValue(headers=[corner, *grid.heads], rows=rows), spans, document)


def _ruled(document: str, lines: Sequence[Line]) -> Iterator[TableFound]:
    """Rows with as many figures as the head of years above them has."""
    rows = table_rows([(line.number, line.text) for line in lines if "|" not in line.text])
    for at, head in enumerate(rows):
        if not head.heads:
            continue
        body: list[Row] = []
        for before, row in pairwise(rows[at:]):
            if row.heads or len(row.cells) != len(head.cells) or row.first - before.last > _GAP:
                break
            body.append(row)
        if len(body) > 1:
            value = TableValue(
                headers=[head.label, *head.cells], rows=[[row.label, *row.cells] for row in body[:MOST_ROWS]]
            )
            spans = ((head.first, head.last), *((row.first, row.last) for row in body[:MOST_ROWS]))
            yield TableFound(value, spans, document)
