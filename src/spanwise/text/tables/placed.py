"""What stands where on a page: pieces of lines, what stands side by side, the columns they share, cells in columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from statistics import median

from spanwise.domain.document import Box, Line
from spanwise.text.tables.grid import heads_a_column, is_year, read_cell, without_note, years_of

MOST_ROWS = 2_000
"""Rows on one page that tables are looked for in; more is a drawing."""
MOST_COLUMNS = 60
SLACK = 3.0
"""Points by which columns of one table may differ from page to page."""
_TIGHT = 0.13
"""Space between the lines of one cell, in heights of a line."""
_COLUMN = 100.0
"""Points by which the next column of prose begins above the end of the one before it, at least."""
_LEAST_LINES, _LONG = 8, 30
"""Lines of such a column, and how many characters half of them have, at least."""
_TURNED = 4
"""A text of so many characters that is higher than wide runs up or down the page, beside its rows."""
_DASHES = frozenset("-\u2013\u2014")
_NOTHING = frozenset(["n/m", "nm", "n/a", "na", "*", "**"])


@dataclass(slots=True)
class Piece:
    """A cell of a visual row."""

    text: str
    x0: float
    x1: float
    line: Line

    @property
    def figure(self) -> bool:
        """True if it is what a body row has in a column: a figure, or a sign that there is none."""
        plain = self.text.strip()
        if not plain.strip("$\u20ac\u00a3\u00a5 ()%") or plain.strip("$\u20ac\u00a3\u00a5 ") in _DASHES:
            return any(one in _DASHES for one in plain)
        return plain.lower() in _NOTHING or (read_cell(without_note(plain)) is not None and not names_period(plain))


@dataclass(slots=True)
class VisualRow:
    """What stands side by side on a page."""

    pieces: list[Piece]
    top: float
    bottom: float
    whole: bool = False
    """True for a row that rules close: all its lines are here."""

    @property
    def body(self) -> bool:
        """True if it has a figure beside something else; lengths of time among words are heads."""
        figures = [piece for piece in self.pieces[1:] if piece.figure]
        return len(figures) == len(self.pieces) - 1 > 0 or not all(heads_a_column(piece.text) for piece in figures)


@dataclass(frozen=True, slots=True)
class PlacedCell:
    """A cell with its place; `last` is the last column that it stands over."""

    text: str
    first: int
    last: int
    boxes: tuple[Box, ...]
    line_start: int
    line_end: int


@dataclass(slots=True)
class PlacedTable:
    """A table of a page: rows of cells, each row's cells by column."""

    columns: list[tuple[float, float]]
    heads: list[list[PlacedCell]] = field(default_factory=list)
    rows: list[list[PlacedCell]] = field(default_factory=list)
    pages: list[int] = field(default_factory=list)


def names_period(text: str) -> bool:
    """True if a head names a year, a date or a length of time."""
    return is_year(text) or ((heads_a_column(text) or bool(years_of(text))) and not text.strip()[:1].isdigit())


def flows_of(lines: Sequence[Line]) -> list[list[Line]]:
    """The lines of a page by columns of prose, which are read one after the other and may each hold a table.

    One ends where the next line stands far above, to the right of all that was read beside it, as long as both sides
    are of long lines: columns of a table are not.
    """
    flows: list[list[Line]] = [[]]
    for line in lines:
        flow, box = flows[-1], line.box
        if flow and box is not None and (last := flow[-1].box) is not None and last.y0 - box.y0 > _COLUMN:
            beside = [one for one in flow if one.box is not None and one.box.y1 > box.y0]
            if all(one.box is not None and one.box.x1 < box.x0 for one in beside):
                flows.append([])
        flows[-1].append(line)
    long = all(len(flow) >= _LEAST_LINES and median(len(line.text) for line in flow) >= _LONG for flow in flows)
    return flows if long else [list(lines)]


def visual_rows(lines: Sequence[Line]) -> list[VisualRow]:
    """What stands side by side, from top to bottom; a row between rules with all the lines of its cells."""
    rows = _between_rules(lines)
    closed = {id(piece.line) for row in rows for piece in row.pieces}
    left = [(line, line.box) for line in lines if line.box is not None and id(line) not in closed]
    placed = [(line, box) for line, box in left if len(line.text) < _TURNED or box.x1 - box.x0 > box.y1 - box.y0]
    for line, box in sorted(placed, key=lambda one: (one[1].y0 + one[1].y1, one[1].x0)):
        pieces = pieces_of(line, box)
        last = rows[-1] if rows and not rows[-1].whole else None
        shared = min(box.y1, last.bottom) - max(box.y0, last.top) if last else 0.0
        if last and shared > 0.5 * min(box.y1 - box.y0, last.bottom - last.top):
            last.pieces = sorted([*last.pieces, *pieces], key=lambda piece: piece.x0)
            last.top, last.bottom = min(last.top, box.y0), max(last.bottom, box.y1)
        else:
            rows.append(VisualRow(pieces, box.y0, box.y1))
    return sorted(rows, key=lambda row: row.top + row.bottom)[:MOST_ROWS]


def _between_rules(lines: Sequence[Line]) -> list[VisualRow]:
    """Rows of cells between rules, which are read cell by cell: one begins where the cells begin at the left again."""
    rows: list[VisualRow] = []
    edges: tuple[float, ...] = ()
    number = -1
    for line in lines:
        if len(line.edges) != 2 or line.box is None:
            continue
        same = line.edges == edges or (edges and line.edges[0] >= edges[1] - SLACK)
        if not (same and rows and line.number == number + 1 and line.box.y0 < rows[-1].bottom + 20):
            rows.append(VisualRow([], line.box.y0, line.box.y1, whole=True))
        row = rows[-1]
        row.pieces.append(Piece(line.text, line.box.x0, line.box.x1, line))
        row.top, row.bottom = min(row.top, line.box.y0), max(row.bottom, line.box.y1)
        edges, number = line.edges, line.number
    return rows


def pieces_of(line: Line, box: Box) -> list[Piece]:
    """The cells of a line, where they stand."""
    texts = line.text.split("  ") if line.edges else [line.text]
    if 2 * len(texts) != len(line.edges):
        return [Piece(line.text, box.x0, box.x1, line)]
    return [Piece(text, line.edges[2 * at], line.edges[2 * at + 1], line) for at, text in enumerate(texts)]


def columns_of(rows: Sequence[Sequence[tuple[float, float]]]) -> list[tuple[float, float]]:
    """The edges of the columns of rows whose cells stand between edges: hardly a row has anything between them."""
    cells = sorted(cell for row in rows for cell in row)
    allowed = 0 if len(rows) < 12 else len(rows) // 12
    marks = sorted([(left, 1) for left, _ in cells] + [(right, -1) for _, right in cells])
    columns: list[tuple[float, float]] = []
    depth, start = 0, 0.0
    for x, change in marks:
        before, depth = depth, depth + change
        if before <= allowed < depth:
            start = x
        elif depth <= allowed < before and x > start:
            columns.append((start, x))
    # What only the few rows fill that were allowed to cross is a column as well, if it touches no other.
    for x0, x1 in cells if allowed else ():
        if all(x1 < left or x0 > right for left, right in columns):
            columns.append((x0, x1))
    return sorted(columns)


def cells_of(row: VisualRow, columns: Sequence[tuple[float, float]]) -> list[PlacedCell]:
    """The cells of a body row, one a column at most."""
    held: dict[tuple[int, int], list[Piece]] = {}
    for piece in row.pieces:
        over = [at for at, (left, right) in enumerate(columns) if piece.x0 < right and piece.x1 > left]
        first = (
            max(over, key=lambda at: min(piece.x1, columns[at][1]) - max(piece.x0, columns[at][0]))
            if over
            else nearest_column(piece.x0, piece.x1, columns)
        )
        held.setdefault((first, first), []).append(piece)
    return [placed_cell(pieces, first, last) for (first, last), pieces in sorted(held.items())]


def is_near(above: VisualRow, row: VisualRow) -> bool:
    """True if a row stands so near below another one as the lines of one cell do."""
    height = min(piece.line.box.y1 - piece.line.box.y0 for piece in row.pieces if piece.line.box is not None)
    return row.top - above.bottom <= _TIGHT * height


def had_room(above: Piece, piece: Piece, column: tuple[float, float]) -> bool:
    """True if the first word of a line had room in the line above it, so that no cell goes on there."""
    if above.text.endswith("-"):
        return False
    word = 1 + len(piece.text.split(" ", 1)[0])
    return (above.x1 - above.x0) + word * (piece.x1 - piece.x0) / len(piece.text) <= column[1] - column[0]


def nearest_column(x0: float, x1: float, columns: Sequence[tuple[float, float]]) -> int:
    """The column whose middle is nearest to that of a cell."""
    middle = (x0 + x1) / 2
    return min(range(len(columns)), key=lambda at: abs((columns[at][0] + columns[at][1]) / 2 - middle))


def placed_cell(pieces: Sequence[Piece], first: int, last: int) -> PlacedCell:
    """The lines of a cell as one."""
    boxes = [replace(piece.line.box, x0=piece.x0, x1=piece.x1) for piece in pieces if piece.line.box is not None]
    numbers = [piece.line.number for piece in pieces]
    text = " ".join(piece.text for piece in pieces)
    return PlacedCell(text, first, last, tuple(boxes), min(numbers), max(numbers))
