"""Tables of a printed page: rows of a label and figures under a head of years, as PDFs and plain text have them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spanwise.domain.document import Line
from spanwise.synthesis.extractive.tables.grid import Cell, Grid, GridRow, read_cell
from spanwise.text.rows import Row, table_rows
from spanwise.text.scales import read_scale

MOST_ROWS = 120
"""Rows under one head."""
_CAPTION_LINES = 8
"""Lines above a head in which its scale may stand."""


def printed_grids(document: str, lines: Sequence[Line]) -> Iterator[Grid]:
    """The tables with a head of years among the lines of a page."""
    head: Row | None = None
    rows: list[Row] = []
    for row in table_rows((line.number, line.text) for line in lines):
        if row.heads:
            if head is not None and rows:
                yield _grid(document, head, rows, lines)
            head, rows = row, []
        elif head is not None and len(row.cells) == len(head.cells) and len(rows) < MOST_ROWS:
            rows.append(row)
    if head is not None and rows:
        yield _grid(document, head, rows, lines)


def _grid(document: str, head: Row, rows: Sequence[Row], lines: Sequence[Line]) -> Grid:
    above = [line for line in lines if head.first - _CAPTION_LINES <= line.number <= head.last]
    scaled = next((line for line in reversed(above) if read_scale(line.text) is not None), None)
    head_lines = [(head.first, head.last)]
    if scaled is not None and not head.first <= scaled.number <= head.last:
        head_lines.insert(0, (scaled.number, scaled.number))
    return Grid(
        document=document,
        first=head.first,
        last=rows[-1].last,
        heads=head.cells,
        head_lines=tuple(head_lines),
        rows=tuple(GridRow(row.label, (), _cells(row), row.cells, row.first, row.last) for row in rows),
        caption=scaled.text if scaled is not None else "",
    )


def _cells(row: Row) -> tuple[Cell | None, ...]:
    return tuple(read_cell(cell) for cell in row.cells)
