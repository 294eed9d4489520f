"""Printed tables by where their cells stand: rows, columns and heads from the boxes of a page's lines.

A column is what no body row crosses; a head stands over the columns whose middle is its own; a label that goes on in
the next line, and a table that goes on over the page, are one. Tables of words alone whose first cells run over several
lines are not told from columns of prose.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, pairwise
from statistics import median

from spanwise.domain.document import Box, Document, Line
from spanwise.text.tables.grid import heads_a_column, is_year, read_cell, without_note, years_of

MOST_ROWS = 2_000
"""Rows on one page that tables are looked for in; more is a drawing."""
MOST_COLUMNS = 60
_DASHES = frozenset("-\u2013\u2014")
_NOTHING = frozenset(["n/m", "nm", "n/a", "na", "*", "**"])
_HEAD_LINES = 12
_HEAD_GAP, _FIRST_GAP, _BODY_GAP = 2.2, 3.4, 4.2
"""Distance from one line to the next, in heights of a line: within heads, from heads to body, within the body."""
_WRAPPED = 1.13
"""The same between the lines of one head."""
_OFF_MIDDLE = 0.3
"""Share of a column by which the middle of a head over several may be beside theirs."""
_BEYOND = 40.0
"""Points by which a head may stand out over the columns at the side."""
_TIGHT = 1.3
"""The same between the lines of one label."""
_LABELS_BETWEEN = 6
"""Labels without figures between two rows of one table."""
_LEAST_ROWS = 2
"""Rows of a table without figures."""
_SLACK = 3.0
"""Points by which columns of one table may differ from page to page."""


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
        return plain.lower() in _NOTHING or (read_cell(without_note(plain)) is not None and not _names_period(plain))


@dataclass(slots=True)
class VisualRow:
    """What stands side by side on a page."""

    pieces: list[Piece]
    top: float
    bottom: float

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


def placed_tables(document: Document) -> Iterator[PlacedTable]:
    """The tables of a document with a layout, those that go on over a page as one."""
    open_table: PlacedTable | None = None
    for page, held in groupby(document.lines, key=lambda line: line.page):
        lines = [line for line in held if line.box is not None]
        if not any(line.edges for line in lines):
            continue
        rows = _visual_rows(lines)
        for at, table in enumerate(_tables_of(rows, page)):
            if at == 0 and open_table is not None and _goes_on(open_table, table, page, rows):
                open_table.rows += table.rows
                open_table.pages.append(page)
                continue
            if open_table is not None:
                yield open_table
            open_table = table
    if open_table is not None:
        yield open_table


def _goes_on(above: PlacedTable, below: PlacedTable, page: int, rows: Sequence[VisualRow]) -> bool:
    """True if a table without a head at the top of a page has the columns of the one that ended the page before."""
    first = below.rows[0][0].line_start
    top = any(piece.line.number == first for row in rows[:2] for piece in row.pieces)
    near = [abs(a - b) for (_, a), (_, b) in zip(above.columns, below.columns, strict=False)]
    same = len(above.columns) == len(below.columns) and max(near[1:], default=0.0) <= _SLACK
    return top and same and not below.heads and above.pages[-1] == page - 1


def _visual_rows(lines: Sequence[Line]) -> list[VisualRow]:
    """What stands side by side, from top to bottom."""
    rows: list[VisualRow] = []
    placed = [(line, line.box) for line in lines if line.box is not None]
    for line, box in sorted(placed, key=lambda one: (one[1].y0 + one[1].y1, one[1].x0)):
        pieces = _pieces(line, box)
        last = rows[-1] if rows else None
        shared = min(box.y1, last.bottom) - max(box.y0, last.top) if last else 0.0
        if last and shared > 0.5 * min(box.y1 - box.y0, last.bottom - last.top):
            last.pieces = sorted([*last.pieces, *pieces], key=lambda piece: piece.x0)
            last.top, last.bottom = min(last.top, box.y0), max(last.bottom, box.y1)
        else:
            rows.append(VisualRow(pieces, box.y0, box.y1))
    return rows[:MOST_ROWS]


def _pieces(line: Line, box: Box) -> list[Piece]:
    texts = line.text.split("  ") if line.edges else [line.text]
    if 2 * len(texts) != len(line.edges):
        return [Piece(line.text, box.x0, box.x1, line)]
    return [Piece(text, line.edges[2 * at], line.edges[2 * at + 1], line) for at, text in enumerate(texts)]


def _tables_of(rows: Sequence[VisualRow], page: int) -> Iterator[PlacedTable]:
    """The tables of a page from top to bottom: of figures, and between them of words."""
    after = 0
    for first, last in _stretches(rows):
        columns = _columns_of([row for row in rows[first : last + 1] if row.body])
        if not 1 < len(columns) <= MOST_COLUMNS:
            continue
        top = _top_of_heads(rows, first, after, columns)
        table = _placed(rows[top:first], rows[first : last + 1], columns, page)
        if table.heads or len(table.rows) > 1:
            yield from _tables_of_words(rows[after:top], page)
            yield table
            after = last + 1
    yield from _tables_of_words(rows[after:], page)


def _tables_of_words(rows: Sequence[VisualRow], page: int) -> Iterator[PlacedTable]:
    """Tables without figures: rows of as many cells each, whose later cells may go on in the lines below."""
    at = 0
    while at < len(rows):
        held = [rows[at]]
        while len(held[0].pieces) > 1 and at + len(held) < len(rows) and _is_row_of(held, rows[at + len(held)]):
            held.append(rows[at + len(held)])
        full = [row for row in held if len(row.pieces) > 1]
        columns = _columns_of(full) if len(full) >= _LEAST_ROWS else []
        if len(columns) == len(full[0].pieces if full else ()) and 1 < len(columns) <= MOST_COLUMNS:
            yield _of_words(held, columns, page)
        at += len(held)


def _is_row_of(held: Sequence[VisualRow], row: VisualRow) -> bool:
    """True if a row has the cells of the rows above it, or goes on with one of the last row's later cells."""
    first = next(one for one in reversed(held) if len(one.pieces) > 1)
    if row.top - held[-1].top > _BODY_GAP * (held[-1].bottom - held[-1].top):
        return False
    if len(row.pieces) == 1:
        piece = row.pieces[0]
        return piece.x0 >= first.pieces[1].x0 - _SLACK - 1
    apart = (a.x1 <= b.x0 or b.x1 <= a.x0 for a, b in zip(row.pieces, first.pieces, strict=False))
    return len(row.pieces) == len(first.pieces) and not any(apart)


def _of_words(held: Sequence[VisualRow], columns: list[tuple[float, float]], page: int) -> PlacedTable:
    merged: list[VisualRow] = []
    for row in held:
        if len(row.pieces) > 1 or not merged:
            merged.append(VisualRow(list(row.pieces), row.top, row.bottom))
        else:
            merged[-1].pieces += row.pieces
    rows = [_cells(row, columns) for row in merged]
    figured = [[any(map(str.isdigit, cell.text)) for cell in row] for row in rows]
    headed = any(not one[0] and all(one[1:]) for one in zip(*figured, strict=False))
    return PlacedTable(columns, rows[:1] if headed else [], rows[1:] if headed else rows, [page])


def _stretches(rows: Sequence[VisualRow]) -> Iterator[tuple[int, int]]:
    """First and last row of each body: rows with figures, and labels between them."""
    first = last = -1
    for at, row in enumerate(rows):
        if not row.body or _is_head(row):
            continue
        if first >= 0 and not _belongs(rows, first, last, at):
            yield first, last
            first = -1
        first, last = at if first < 0 else first, at
    if first >= 0:
        yield first, last


def _is_head(row: VisualRow) -> bool:
    """True if everything but a corner is a head: years, dates, lengths of time."""
    return all(_names_period(piece.text) for piece in row.pieces[1:]) and not (
        row.pieces[0].figure and not is_year(row.pieces[0].text)
    )


def _names_period(text: str) -> bool:
    return is_year(text) or ((heads_a_column(text) or bool(years_of(text))) and not text.strip()[:1].isdigit())


def _belongs(rows: Sequence[VisualRow], first: int, last: int, at: int) -> bool:
    """True if a row goes on with the body that ended above it."""
    between = rows[last + 1 : at]
    body = [row for row in rows[first : last + 1] if row.body]
    edge = min(piece.x0 for row in [*body[-8:], rows[at]] for piece in row.pieces[1:] if piece.figure)
    height = rows[last].bottom - rows[last].top
    chain = [rows[last], *between, rows[at]]
    if len(between) > _LABELS_BETWEEN or any(b.top - a.top > _BODY_GAP * height for a, b in pairwise(chain)):
        return False
    right = max(piece.x1 for piece in rows[last].pieces)
    if rows[at].pieces[0].x0 > right or rows[at].pieces[-1].x1 < rows[last].pieces[0].x0:
        return False
    words = [row for row in between if len(row.pieces) > 1]
    titled = any(piece.line.role == "heading" for row in between for piece in row.pieces)
    if words and (titled or words[0].top - rows[last].top > _HEAD_GAP * height):
        return False  # the title and the heads of another table
    return all(row in words or row.pieces[0].x1 <= edge + 1 for row in between) and all(
        row.pieces[0].x0 < edge and not _is_head(row) for row in words
    )


def _columns_of(body: Sequence[VisualRow]) -> list[tuple[float, float]]:
    return columns_of([[(piece.x0, piece.x1) for piece in row.pieces] for row in body])


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


def _top_of_heads(rows: Sequence[VisualRow], first: int, after: int, columns: Sequence[tuple[float, float]]) -> int:
    """The first row of the heads over a body: rows that stand over its columns, not over the labels as prose does."""
    top = first
    height = median([row.bottom - row.top for row in rows[first : first + 8]])
    labelled = not rows[first].pieces[0].figure
    reach = _FIRST_GAP
    for at in range(first - 1, max(after, first - _HEAD_LINES) - 1, -1):
        row = rows[at]
        if rows[at + 1].top - row.top > reach * max(height, row.bottom - row.top):
            break
        if len(row.pieces) == 1 and (
            _crosses(row.pieces[0], columns) or (labelled and _titles(row.pieces[0], columns))
        ):
            break
        reach = _FIRST_GAP if _only_label(row, columns) and reach == _FIRST_GAP else _HEAD_GAP
        top = at
    while top < first and _only_label(rows[top], columns):
        top += 1  # a caption over the labels
    return top


def _crosses(piece: Piece, columns: Sequence[tuple[float, float]]) -> bool:
    """True if a line alone runs from the labels into the columns, or beyond the table."""
    into = piece.x0 < columns[0][1] - 1 and piece.x1 > columns[1][0] + 1
    return into or piece.x0 < columns[0][0] - _BEYOND or piece.x1 > columns[-1][1] + _BEYOND


def _titles(piece: Piece, columns: Sequence[tuple[float, float]]) -> bool:
    """True if a line alone stands over the middle of the whole table, labels included."""
    return abs((piece.x0 + piece.x1) / 2 - _middle(columns, 0, len(columns) - 1)) <= _SLACK


def _only_label(row: VisualRow, columns: Sequence[tuple[float, float]]) -> bool:
    return len(row.pieces) == 1 and row.pieces[0].x0 < columns[1][0] - 1 and row.pieces[0].x1 <= columns[1][0] + 1


def _placed(
    heads: Sequence[VisualRow], body: Sequence[VisualRow], columns: list[tuple[float, float]], page: int
) -> PlacedTable:
    split = len(heads)
    while split > 0 and _only_label(heads[split - 1], columns):
        split -= 1  # labels between the heads and the first figures open groups
    whole = [*heads[split:], *body]
    pitch = median([b.top - a.top for a, b in pairwise(whole)]) if len(whole) > 1 else 0.0
    merged: list[VisualRow] = []
    for row in whole:
        if merged and _continues(merged[-1], row, columns, pitch):
            above = merged[-1]
            merged[-1] = VisualRow([*above.pieces, *row.pieces], row.top, row.bottom)
        else:
            merged.append(row)
    rows = [_cells(row, columns) for row in merged]
    return PlacedTable(columns, _heads(heads[:split], columns), rows, [page])


def heads_of_lines(lines: Sequence[Line], columns: Sequence[tuple[float, float]]) -> list[list[str]]:
    """Lines of heads on a page, each as what it says over each of the columns."""
    rows = [VisualRow(_pieces(line, line.box), line.box.y0, line.box.y1) for line in lines if line.box is not None]
    said = {line.number: [""] * len(columns) for line in lines}
    for cell in (cell for level in _heads(rows, columns) for cell in level):
        for column in range(cell.first, cell.last + 1):
            said[cell.line_start][column] = cell.text
    return list(said.values())


def _heads(rows: Sequence[VisualRow], columns: Sequence[tuple[float, float]]) -> list[list[PlacedCell]]:
    """The heads, level by level: lines close under each other are one head, one over others spans their columns."""
    found: list[_Head] = []
    for at, row in enumerate(rows):
        under = [one for below in rows[at + 1 :] for one in below.pieces]
        for piece in (part for one in row.pieces for part in _parted(one, row, under, columns)):
            near = (head for head in found if row.top - head.top < _WRAPPED * head.height)
            over = [head for head in near if head.x0 < piece.x1 and head.x1 > piece.x0]
            if len(over) == 1 and (one := over[0]) and not one.level_below(piece, columns):
                one.pieces.append(piece)
                one.top, one.bottom = row.top, row.bottom
                one.x0, one.x1 = min(one.x0, piece.x0), max(one.x1, piece.x1)
            else:
                found.append(_Head([piece], piece.x0, piece.x1, row.top, row.bottom, row.top))
    lowest = [head for head in found if not any(head.is_over(one) for one in found)]
    placed = [(head, *_named(head, columns)) for head in lowest]
    wide = list(columns)
    for head, first, last in placed:
        if first == last:
            wide[first] = min(wide[first][0], head.x0), max(wide[first][1], head.x1)
    levels: list[list[PlacedCell]] = []
    for head in found:
        beside = [one for one in found if one is not head and one.first < head.bottom and one.bottom > head.first]
        first, last = _named(head, columns) if head in lowest else _spanned(head, beside, wide)
        cell = _cell(head.pieces, first, last)
        above = [level for level, cells in enumerate(levels) if any(_meets(cell, one) for one in cells)]
        depth = max(above, default=-1) + 1
        levels += [[]] if depth == len(levels) else []
        levels[depth].append(cell)
    return levels


@dataclass(slots=True)
class _Head:
    """A head while its lines are collected; `top` and `bottom` are those of its last line."""

    pieces: list[Piece]
    x0: float
    x1: float
    top: float
    bottom: float
    first: float

    @property
    def height(self) -> float:
        return self.bottom - self.top

    def is_over(self, other: _Head) -> bool:
        """True if another head stands below, over what this one may span."""
        return other.first >= self.bottom - 1 and other.x0 < self.x1 + _BEYOND and other.x1 > self.x0 - _BEYOND

    def level_below(self, piece: Piece, columns: Sequence[tuple[float, float]]) -> bool:
        """True if a line under it names fewer columns than it stands over."""
        own = sum(self.x0 < right and self.x1 > left for left, right in columns)
        return own > 1 and sum(piece.x0 < right and piece.x1 > left for left, right in columns) < own


def _meets(one: PlacedCell, other: PlacedCell) -> bool:
    return one.first <= other.last and other.first <= one.last


def _parted(
    piece: Piece, row: VisualRow, under: Sequence[Piece], columns: Sequence[tuple[float, float]]
) -> list[Piece]:
    """A head that is of one piece with its neighbour, parted at the space between their columns."""
    if any(piece.x0 < one.x1 and piece.x1 > one.x0 for one in under):
        return [piece]
    over = [at for at, one in enumerate(columns) if piece.x0 < one[1] and piece.x1 > one[0]]
    alone = len(row.pieces) + len(over) - 1 <= len(columns) // 2 + 1
    if len(over) != 2 or " " not in piece.text or alone:
        return [piece]
    left, right = columns[over[0]], columns[over[1]]
    wide = (piece.x1 - piece.x0) / len(piece.text)
    places = [at for at, sign in enumerate(piece.text) if sign == " "]
    middle = (left[1] + right[0]) / 2 if left[1] < right[0] else left[1]
    cut = min(places, key=lambda at: abs(piece.x0 + wide * (at + 0.5) - middle))
    x = piece.x0 + wide * cut
    if not left[0] < x < right[1] or abs(x - middle) > 3 * wide + (right[0] - left[1]) / 2:
        return [piece]
    return [
        Piece(piece.text[:cut], piece.x0, min(x, right[0] - 1), piece.line),
        Piece(piece.text[cut + 1 :], max(x + wide, left[1] + 1), piece.x1, piece.line),
    ]


def _named(head: _Head, columns: Sequence[tuple[float, float]]) -> tuple[int, int]:
    """First and last column of a head with no other below it."""
    over = [at for at, one in enumerate(columns) if head.x0 < one[1] and head.x1 > one[0]]
    if over and over[0] == 0:
        return 0, 0
    held = [at for at in over if head.x0 < _middle(columns, at, at) < head.x1]
    nearest = nearest_column(head.x0, head.x1, columns)
    return (held[0], held[-1]) if held else (nearest, nearest)


def _spanned(head: _Head, beside: Sequence[_Head], columns: Sequence[tuple[float, float]]) -> tuple[int, int]:
    """First and last column of a head over others: as many as have its middle for their own, and no other head."""
    over = [at for at, one in enumerate(columns) if head.x0 < one[1] and head.x1 > one[0]]
    over = over or [nearest_column(head.x0, head.x1, columns)]
    taken = {at for one in beside for at, (left, right) in enumerate(columns) if one.x0 < right and one.x1 > left}
    first, last = over[0], over[-1]
    for low in range(over[0], 0, -1):
        for high in range(over[-1], len(columns)):
            column = (columns[high][1] - columns[low][0]) / (high - low + 1)
            near = abs(_middle(columns, low, high) - (head.x0 + head.x1) / 2) <= _OFF_MIDDLE * column
            free = taken.isdisjoint(set(range(low, high + 1)) - set(over))
            if near and free and high - low > last - first:
                first, last = low, high
    return first, last


def _continues(above: VisualRow, row: VisualRow, columns: Sequence[tuple[float, float]], pitch: float) -> bool:
    """True if a row goes on with the one above it, which has no figures yet."""
    if any(piece.figure for piece in above.pieces[1:]):
        return False
    label = [piece for piece in row.pieces if piece.x0 < columns[0][1]]
    gap, height = row.top - above.top, above.bottom - above.top
    if not label:
        return len(above.pieces) > 1
    last = above.pieces[-1].text.rstrip()
    if len(above.pieces) > 1 or last.endswith(":") or above.pieces[0].x1 > columns[1][0]:
        return False
    if label[0].text[:1].islower() or last.endswith((",", "-")):
        return gap <= max(_TIGHT * height, 1.1 * pitch)
    return last[-1:].isalpha() and gap <= min(_TIGHT * height, 0.85 * pitch)


def _cells(row: VisualRow, columns: Sequence[tuple[float, float]]) -> list[PlacedCell]:
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
    return [_cell(pieces, first, last) for (first, last), pieces in sorted(held.items())]


def nearest_column(x0: float, x1: float, columns: Sequence[tuple[float, float]]) -> int:
    """The column whose middle is nearest to that of a cell."""
    middle = (x0 + x1) / 2
    return min(range(len(columns)), key=lambda at: abs((columns[at][0] + columns[at][1]) / 2 - middle))


def _middle(columns: Sequence[tuple[float, float]], first: int, last: int) -> float:
    return (columns[first][0] + columns[last][1]) / 2


def _cell(pieces: Sequence[Piece], first: int, last: int) -> PlacedCell:
    boxes = [replace(piece.line.box, x0=piece.x0, x1=piece.x1) for piece in pieces if piece.line.box is not None]
    numbers = [piece.line.number for piece in pieces]
    text = " ".join(piece.text for piece in pieces)
    return PlacedCell(text, first, last, tuple(boxes), min(numbers), max(numbers))


def head_of(heads: Iterable[Sequence[PlacedCell]], column: int) -> str:
    """What the heads over a column say, from top to bottom."""
    return " ".join(dict.fromkeys(cell.text for row in heads for cell in row if cell.first <= column <= cell.last))
