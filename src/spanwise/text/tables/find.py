"""`find_tables`: the tables of a document with their cells, whatever it was read from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import groupby

from spanwise.domain.document import Box, Document, Line
from spanwise.errors import expect
from spanwise.text.quantities import quantities
from spanwise.text.tables.cell_units import NEAR, Counted, Units
from spanwise.text.tables.cells import grid_rows
from spanwise.text.tables.grid import LENGTHS, Grid, GridRow, lines_between, read_cell, years_of
from spanwise.text.tables.placed import PlacedCell, PlacedTable
from spanwise.text.tables.printed_tables import head_of, placed_tables
from spanwise.text.tables.table_reading import may_have_table, read_tables

_CAPTION_WORDS = 40


@dataclass(frozen=True, slots=True)
class TableCell:
    """A cell of a row, with what its figure is if it holds one."""

    text: str
    column: int
    """0 is the column of the labels."""
    line_start: int
    line_end: int
    boxes: tuple[Box, ...] = ()
    """Where it stands on the page; empty in formats without a layout."""
    value: Decimal | None = None
    unit: str = ""
    """`%`, an ISO 4217 code, a unit, or nothing where neither cell, head nor caption says it."""
    magnitude: str = ""
    """`thousand`, `million`, `billion` where a head or caption counts in them."""
    period: str = ""
    """The heads over it that name years, dates or lengths of time."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row of a table, its cells by column; empty ones are left out."""

    label: str
    groups: tuple[str, ...]
    """Labels without figures that it stands under, the outermost first."""
    cells: tuple[TableCell, ...]
    line_start: int
    line_end: int

    def cell(self, column: int) -> TableCell | None:
        """The cell in a column."""
        return next((cell for cell in self.cells if cell.column == column), None)


@dataclass(frozen=True, slots=True)
class TableHead:
    """A head of columns `first..last`; `level` 0 is the topmost."""

    text: str
    level: int
    first: int
    last: int
    boxes: tuple[Box, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """A table; its rows lie in lines `line_start..line_end`, over several pages where it goes on."""

    document: str
    pages: tuple[int, ...]
    line_start: int
    line_end: int
    caption: str
    """The line before it, where that is short."""
    columns: tuple[str, ...]
    """The name of each column, that of the labels first: its heads from top to bottom."""
    heads: tuple[TableHead, ...]
    rows: tuple[TableRow, ...]

    def texts(self) -> list[list[str]]:
        """The rows as lists of texts, as long as there are columns."""
        filled = ({cell.column: cell.text for cell in row.cells} for row in self.rows)
        return [[row.get(column, "") for column in range(len(self.columns))] for row in filled]


def find_tables(document: Document) -> list[Table]:
    """The tables of a document in their order.

    Of pages with a layout those that hold figures, by where their cells stand; of other formats what their marks say.
    """
    expect(document, Document, "the document", "what spanwise.read(path) returns")
    placed = [_placed(document, table) for table in placed_tables(document)]
    taken = {page for table in placed for page in table.pages}
    marked: list[Table] = []
    for page, held in groupby(document.lines, key=lambda line: line.page):
        lines = list(held)
        rows = any(line.role == "table_row" for line in lines)
        if page not in taken and lines[0].box is None and may_have_table(_text(lines), rows=rows):
            marked += [_marked(grid, lines) for grid in read_tables(document.name, lines)]
    return sorted((*placed, *marked), key=lambda table: table.line_start)


def _text(lines: Sequence[Line]) -> str:
    return "\n".join(line.text for line in lines)


def _placed(document: Document, table: PlacedTable) -> Table:
    """A table by its layout, with the units that its heads and the lines around it state."""
    width = range(len(table.columns))
    names = tuple(head_of(table.heads, column) for column in width)
    by_line = {row[0].line_start: row for row in table.rows}
    written = [
        (line, [next((cell.text for cell in row if cell.first == column), "") for column in width])
        for line, row in by_line.items()
    ]
    first = min(cell.line_start for row in (*table.heads, *table.rows) for cell in row)
    last = max(cell.line_end for row in table.rows for cell in row)
    before = document.lines[first - 2].text if first > 1 and document.lines[first - 2].role != "table_row" else ""
    caption = before if len(before.split()) <= _CAPTION_WORDS else ""
    lines = document.lines[max(0, first - 1 - NEAR) : last + NEAR]
    grid = Grid(document.name, first, last, names[1:], (), tuple(grid_rows(written)), names[0], caption, printed=True)
    units = Units(grid, [line for line in lines if line.page in table.pages])
    rows = []
    for at, row in enumerate(grid.rows):
        cells = by_line[row.first]
        made = tuple(_cell(cell, at, row, units, table) for cell in cells)
        rows.append(TableRow(row.label, row.groups, made, row.first, max(cell.line_end for cell in cells)))
    heads = [
        TableHead(cell.text, level, cell.first, cell.last, cell.boxes)
        for level, cells in enumerate(table.heads)
        for cell in cells
    ]
    return Table(document.name, tuple(table.pages), first, last, caption, names, tuple(heads), tuple(rows))


def _cell(cell: PlacedCell, at: int, row: GridRow, units: Units, table: PlacedTable) -> TableCell:
    column = cell.first
    figure = row.cells[column - 1] if column else read_cell(cell.text)
    counted = units.of(at, column - 1) if column and figure is not None else Counted()
    return TableCell(
        cell.text,
        column,
        cell.line_start,
        cell.line_end,
        cell.boxes,
        figure.value if figure is not None else None,
        counted.unit,
        counted.magnitude,
        _period(one.text for level in table.heads for one in level if one.first <= column <= one.last),
    )


def _period(heads: Iterator[str]) -> str:
    """The heads of one column that name years, dates or lengths of time."""
    return " ".join(
        text for text in heads if years_of(text) or any(one.unit in LENGTHS for one in quantities(text[:200]))
    )


def _marked(grid: Grid, lines: Sequence[Line]) -> Table:
    """A table of a format whose cells are marked."""
    units = Units(grid, lines)
    page = lines_between(lines, grid.first, grid.first)[0].page
    rows = []
    for at, row in enumerate(grid.rows):
        cells = []
        for column, text in enumerate(grid.texts(at)):
            figure = row.cells[column - 1] if column else read_cell(text)
            counted = units.of(at, column - 1) if column and figure is not None else Counted()
            value = figure.value if figure is not None else None
            head = grid.names[column]
            period = _period(iter([head]))
            if text:
                made = TableCell(text, column, row.first, row.last, (), value, counted.unit, counted.magnitude, period)
                cells.append(made)
        rows.append(TableRow(row.label, row.groups, tuple(cells), row.first, row.last))
    heads = [TableHead(name, 0, column, column) for column, name in enumerate(grid.names) if name]
    return Table(grid.document, (page,), grid.first, grid.last, grid.caption, grid.names, tuple(heads), tuple(rows))
