"""Printed tables by where their cells stand: rows, columns and heads from the boxes of a page's lines.

A column is what no body row crosses; a head stands over the columns whose middle is its own; a cell that goes on in
the next line, and a table that goes on over the page, are one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from statistics import median

from spanwise.domain.document import Document, Line
from spanwise.text.tables.grid import is_year
from spanwise.text.tables.placed import (
    MOST_COLUMNS,
    SLACK,
    Piece,
    PlacedCell,
    PlacedTable,
    VisualRow,
    cells_of,
    columns_of,
    flows_of,
    had_room,
    is_near,
    names_period,
    nearest_column,
    pieces_of,
    placed_cell,
    visual_rows,
)
from spanwise.text.tables.worded import BODY_GAP, tables_of_words

_HEAD_LINES = 12
_HEAD_GAP, _FIRST_GAP = 2.2, 3.4
"""Distance from one line to the next, in heights of a line: within heads, from heads to body."""
_WRAPPED = 1.13
"""The same between the lines of one head."""
_OFF_MIDDLE = 0.3
"""Share of a column by which the middle of a head over several may be beside theirs."""
_BEYOND = 40.0
"""Points by which a head may stand out over the columns at the side."""
_TIGHT = 1.3
"""The same between the lines of one label."""
_APART = 0.8
"""Space between a row and what belongs to no row above it, in heights of a line."""
_LABELS_BETWEEN = 6
"""Labels without figures between two rows of one table."""


def placed_tables(document: Document) -> Iterator[PlacedTable]:
    """The tables of a document with a layout, those that go on over a page as one."""
    open_table: PlacedTable | None = None
    closed = 0
    for page, held in groupby(document.lines, key=lambda line: line.page):
        lines = [line for line in held if line.box is not None]
        if not any(line.edges for line in lines):
            continue
        flows = [visual_rows(flow) for flow in flows_of(lines)]
        found = [table for rows in flows for table in _tables_of(rows, page)]
        for at, table in enumerate(found):
            if at == 0 and open_table is not None and _goes_on(open_table, table, page, flows[0], closed):
                open_table.rows += table.rows
                open_table.pages.append(page)
                continue
            if open_table is not None:
                yield open_table
            open_table = table
        closed = lines[-1].number
    if open_table is not None:
        yield open_table


def _goes_on(above: PlacedTable, below: PlacedTable, page: int, rows: Sequence[VisualRow], closed: int) -> bool:
    """True if a table at the top of a page has the columns of the one on the page before, and no head of its own.

    The same heads are none of its own where nothing stands before them, and nothing behind the table above (`closed` is
    the last line of its page).
    """
    first = min(cell.line_start for row in (*below.heads, below.rows[0]) for cell in row)
    last = max(cell.line_end for cell in above.rows[-1])
    again = below.heads and last == closed and _said(below) == _said(above)
    top = any(piece.line.number == first for row in rows[: 1 if again else 2] for piece in row.pieces)
    edges = zip(above.columns, below.columns, strict=False)
    apart = [min(abs(left - other), abs(right - end)) for (left, right), (other, end) in edges]
    same = len(above.columns) == len(below.columns) and max(apart[1:], default=0.0) <= SLACK
    return top and same and above.pages[-1] == page - 1 and bool(again or not below.heads)


def _said(table: PlacedTable) -> list[str]:
    return [head_of(table.heads, column) for column in range(len(table.columns))]


def _tables_of(rows: Sequence[VisualRow], page: int) -> Iterator[PlacedTable]:
    """The tables of a page from top to bottom: of figures, and between them of words."""
    rows = list(_with_figures_parted(rows))
    after = 0
    for first, last in _stretches(rows):
        columns = _columns_of([row for row in rows[first : last + 1] if row.body])
        if not 1 < len(columns) <= MOST_COLUMNS:
            continue
        end = _end_of_cells(rows, last, columns)
        top = _top_of_heads(rows, first, after, columns)
        table = _placed(rows[top:first], rows[first : end + 1], columns, page)
        if table.heads or len(table.rows) > 1:
            yield from tables_of_words(rows[after:top], page)
            yield table
            after = end + 1
    yield from tables_of_words(rows[after:], page)


def _with_figures_parted(rows: Sequence[VisualRow]) -> Iterator[VisualRow]:
    """The rows, figures that one piece of text holds parted where each of them stands under one of the row above."""
    above: VisualRow | None = None
    for row in rows:
        pieces = list[Piece]()
        for piece in row.pieces:
            over = [one for one in above.pieces if one.x0 < piece.x1 and one.x1 > piece.x0] if above else []
            words = piece.text.split(" ")
            figures = len(over) == len(words) > 1 and all(Piece(word, 0, 0, piece.line).figure for word in words)
            wide = (piece.x1 - piece.x0) / max(1, len(piece.text))
            parts = _worded(piece, wide, [(one.x0, one.x1) for one in over]) if figures else [piece]
            parted = zip(parts, over if len(parts) > 1 else [piece], strict=False)
            pieces += [Piece(part.text, at.x0, at.x1, piece.line) for part, at in parted]
        above = row if len(pieces) == len(row.pieces) else replace(row, pieces=pieces)
        yield above


def _end_of_cells(rows: Sequence[VisualRow], last: int, columns: Sequence[tuple[float, float]]) -> int:
    """The last row of a body that ends with figures: rows below it that fill its columns, and where their cells end."""
    while last + 1 < len(rows) and not rows[last + 1].body:
        above, row = rows[max(0, last - _LABELS_BETWEEN) : last + 1], rows[last + 1]
        height = row.bottom - row.top
        closes = last + 2 == len(rows) or rows[last + 2].top - row.bottom > _APART * height
        if not (_fills(rows[last], row, columns) or _goes_on_below(above, row, columns, closes=closes)):
            break
        last += 1
    return last


def _fills(above: VisualRow, row: VisualRow, columns: Sequence[tuple[float, float]]) -> bool:
    """True if a row right below another one has a cell in each column, though none of them is a figure ("TBD")."""
    over = [[at for at, (left, right) in enumerate(columns) if one.x0 < right and one.x1 > left] for one in row.pieces]
    near = row.top - above.bottom <= _APART * (row.bottom - row.top)
    return near and len(columns) > 2 and over == [[at] for at in range(len(columns))] and not _is_head(row)


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
    return all(names_period(piece.text) for piece in row.pieces[1:]) and not (
        row.pieces[0].figure and not is_year(row.pieces[0].text)
    )


def _belongs(rows: Sequence[VisualRow], first: int, last: int, at: int) -> bool:
    """True if a row goes on with the body that ended above it."""
    between = rows[last + 1 : at]
    body = [row for row in rows[first : last + 1] if row.body]
    edge = min(piece.x0 for row in [*body[-8:], rows[at]] for piece in row.pieces[1:] if piece.figure)
    height = rows[last].bottom - rows[last].top
    chain = [rows[last], *between, rows[at]]
    if len(between) > _LABELS_BETWEEN or any(b.top - a.top > BODY_GAP * height for a, b in pairwise(chain)):
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
    return abs((piece.x0 + piece.x1) / 2 - _middle(columns, 0, len(columns) - 1)) <= SLACK


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
    for at, row in enumerate(whole, start=1):
        closes = at == len(whole)
        if merged and _continues(merged[-1], row, columns, pitch, closes=closes):
            above = merged[-1]
            merged[-1] = VisualRow([*above.pieces, *row.pieces], row.top, row.bottom)
        else:
            merged.append(row)
    rows = [cells_of(row, columns) for row in merged]
    return PlacedTable(columns, _heads(heads[:split], columns), rows, [page])


def heads_of_lines(lines: Sequence[Line], columns: Sequence[tuple[float, float]]) -> list[list[str]]:
    """Lines of heads on a page, each as what it says over each of the columns."""
    rows = [VisualRow(pieces_of(line, line.box), line.box.y0, line.box.y1) for line in lines if line.box is not None]
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
    spans = _spans_of(found, placed, wide)
    levels: list[list[PlacedCell]] = []
    for head in found:
        first, last = spans[id(head)]
        cell = placed_cell(head.pieces, first, last)
        above = [level for level, cells in enumerate(levels) if any(_meets(cell, one) for one in cells)]
        depth = max(above, default=-1) + 1
        levels += [[]] if depth == len(levels) else []
        levels[depth].append(cell)
    return levels


def _spans_of(
    found: Sequence[_Head], lowest: Sequence[tuple[_Head, int, int]], columns: Sequence[tuple[float, float]]
) -> dict[int, tuple[int, int]]:
    """First and last column of each head; two over the middle of the same columns span the same ("Change")."""
    spans = {id(head): (first, last) for head, first, last in lowest}
    for head in found:
        if id(head) not in spans:
            beside = [one for one in found if one is not head and one.first < head.bottom and one.bottom > head.first]
            spans[id(head)] = _spanned(head, beside, columns)
    for head, first, last in lowest:
        for above in found:
            low, high = spans[id(above)]
            alone = sum(low <= start and end <= high for _, start, end in lowest) == 1
            centred = above.is_over(head) and abs(above.middle - head.middle) <= SLACK
            if centred and alone and low <= first <= last <= high:
                spans[id(head)] = low, high
    return spans


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

    @property
    def middle(self) -> float:
        return (self.x0 + self.x1) / 2

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
    wide = (piece.x1 - piece.x0) / len(piece.text)
    if len(over) > 2:
        return _worded(piece, wide, [columns[at] for at in over])
    if len(over) != 2 or " " not in piece.text or alone:
        return [piece]
    left, right = columns[over[0]], columns[over[1]]
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


def _worded(piece: Piece, wide: float, columns: Sequence[tuple[float, float]]) -> list[Piece]:
    """A head of as many words as it stands over columns, each of them over its own, as one head a word."""
    words, parts, at = piece.text.split(" "), list[Piece](), 0
    for word in words:
        x0 = piece.x0 + wide * at
        parts.append(Piece(word, x0, x0 + wide * len(word), piece.line))
        at += len(word) + 1
    if len(words) != len(columns):
        return [piece]
    over = all(part.x0 < right and part.x1 > left for part, (left, right) in zip(parts, columns, strict=True))
    return parts if over else [piece]


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


def _continues(
    above: VisualRow, row: VisualRow, columns: Sequence[tuple[float, float]], pitch: float, *, closes: bool
) -> bool:
    """True if a row goes on with the one above it: with its cells of words, or with a label that has no figures yet."""
    label = [piece for piece in row.pieces if piece.x0 < columns[0][1]]
    if any(piece.figure for piece in above.pieces[1:]):
        return _goes_on_below([above], row, columns, closes=closes)
    gap, height = row.top - above.top, above.bottom - above.top
    if not label:
        return len(above.pieces) > 1
    last = above.pieces[-1].text.rstrip()
    if any(piece.x0 >= columns[0][1] for piece in above.pieces) or last.endswith(":"):
        return False
    if label[0].text[:1].islower() or last.endswith((",", "-")):
        return gap <= max(_TIGHT * height, 1.1 * pitch)
    if above.pieces[0].x1 > columns[1][0]:
        return False
    return last[-1:].isalpha() and gap <= min(_TIGHT * height, 0.85 * pitch)


def _goes_on_below(
    rows: Sequence[VisualRow], row: VisualRow, columns: Sequence[tuple[float, float]], *, closes: bool
) -> bool:
    """True if a row without figures holds the next lines of the cells of words of the last of some rows.

    A label with a capital letter opens a group, unless it `closes` the table: no row is below it.
    """
    above = rows[-1]
    near = is_near(above, row) or (closes and row.top - above.bottom <= _APART / 2 * (row.bottom - row.top))
    if row.whole or above.whole or not near or any(piece.figure for piece in row.pieces):
        return False
    for piece in row.pieces:
        over = [at for at, (left, right) in enumerate(columns) if piece.x0 < right and piece.x1 > left]
        words = [one for one in above.pieces if over and one.x0 < columns[over[0]][1] and one.x1 > columns[over[0]][0]]
        if len(over) != 1 or not words or words[-1].figure or had_room(words[-1], piece, columns[over[0]]):
            return False
    label = row.pieces[0]
    below = closes and len(row.pieces) == 1 and abs(label.x0 - above.pieces[0].x0) < SLACK
    return label.x0 > columns[0][1] or label.text[:1].islower() or below


def _middle(columns: Sequence[tuple[float, float]], first: int, last: int) -> float:
    return (columns[first][0] + columns[last][1]) / 2


def head_of(heads: Iterable[Sequence[PlacedCell]], column: int) -> str:
    """What the heads over a column say, from top to bottom."""
    return " ".join(dict.fromkeys(cell.text for row in heads for cell in row if cell.first <= column <= cell.last))
