"""Tables of words: rows whose cells may run over several lines, told from columns of prose by where their lines end.

A line goes on in the next one where the first word of that had no room in it. In a table all cells of a row end before
the next row begins; where a line of one column ends early and the column beside it goes on, there is prose.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median

from spanwise.text.tables.placed import (
    MOST_COLUMNS,
    Piece,
    PlacedCell,
    PlacedTable,
    VisualRow,
    cells_of,
    had_room,
    is_near,
)

BODY_GAP = 4.2
"""Distance from one line to the next within the body of a table, in heights of a line."""
_LEAST_ROWS = 2
_HEAD_WORDS = 8
"""Words of a head at most."""
_LONGER = 3
"""So many times as many words as a head has its cells when they are prose under a name."""
_PARTED = 0.35
"""Height of a line by which the space between rows is larger than that between the lines of their cells."""
_FARTHEST = 0.5
"""Space between two lines of one cell at most, in heights of a line: names in small letters are rows of their own."""
_SPACED = 0.7
"""Share of the rows of several cells that follow such a space in tables where nothing else begins a row."""
_TORN = 2
"""Of so many rows at most one place is torn: a column ends early there and another one goes on."""


def tables_of_words(rows: Sequence[VisualRow], page: int) -> Iterator[PlacedTable]:
    """The tables without figures among the rows of a page."""
    at = 0
    while at < len(rows):
        held, columns = _stretch(rows, at)
        if 1 < len(columns) <= MOST_COLUMNS and (table := _table(held, columns, page)):
            if table.heads:
                table.heads = [cells_of(_with_lines_above(rows, at, columns), columns)]
            yield table
        at += len(held)


def _stretch(rows: Sequence[VisualRow], at: int) -> tuple[list[VisualRow], list[tuple[float, float]]]:
    """The rows from one on that stand in columns which none of them crosses, and these columns."""
    held = [rows[at]]
    columns = _with([], rows[at])
    if columns is None or len(columns) < 2:
        return held, []
    for row in rows[at + 1 :]:
        height = row.pieces[0].line.box.y1 - row.pieces[0].line.box.y0 if row.pieces[0].line.box else 0.0
        wider = _with(columns, row)
        if wider is None or row.top - held[-1].bottom > (BODY_GAP - 1) * height:
            break
        held.append(row)
        columns = wider
    return held, columns


def _with_lines_above(rows: Sequence[VisualRow], at: int, columns: Sequence[tuple[float, float]]) -> VisualRow:
    """The heads that begin at a row, with the lines above it in which the longer ones of them begin."""
    pieces = list(rows[at].pieces)
    while at and is_near(rows[at - 1], rows[at]) and 0 not in (above := _by_column(rows[at - 1], columns)):
        wider = _with(columns, rows[at - 1])
        if len(above) != len(rows[at - 1].pieces) or wider is None or len(wider) != len(columns):
            break
        at -= 1
        pieces = [*rows[at].pieces, *pieces]
    return VisualRow(pieces, rows[at].top, rows[at].bottom)


def _with(columns: Sequence[tuple[float, float]], row: VisualRow) -> list[tuple[float, float]] | None:
    """Columns with the pieces of a row in them; None if one of these crosses from one column into another."""
    found = list(columns)
    for piece in row.pieces:
        over = [one for one in found if piece.x0 < one[1] and piece.x1 > one[0]]
        if len(over) > 1:
            return None
        left, right = over[0] if over else (piece.x0, piece.x1)
        found = [one for one in found if one not in over]
        found.append((min(left, piece.x0), max(right, piece.x1)))
    return sorted(found)


def _table(held: Sequence[VisualRow], columns: list[tuple[float, float]], page: int) -> PlacedTable | None:
    """Rows as a table; None if they are columns of prose."""
    merged, torn = _merged(held, columns)
    rows = [cells_of(row, columns) for row in merged]
    while rows and len(rows[-1]) < 2 and rows[-1][0].first == 0:
        rows.pop()  # what stands below the labels is of no row
    if sum(len(row) > 1 for row in rows) < _LEAST_ROWS or _TORN * torn > len(rows):
        return None
    headed = _is_headed(rows, len(columns))
    return PlacedTable(columns, rows[:1] if headed else [], rows[1:] if headed else rows, [page])


def _merged(held: Sequence[VisualRow], columns: Sequence[tuple[float, float]]) -> tuple[list[VisualRow], int]:
    """The rows with all lines of their cells, and how many places are torn."""
    parted = _parted(held)
    starts = [apart for row, apart in zip(held, parted, strict=True) if len(row.pieces) > 1 and not _is_lower(row)]
    spaced = sum(starts) >= _SPACED * len(starts)
    merged: list[VisualRow] = []
    above: dict[int, Piece] = {}
    torn = 0
    for row, apart in zip(held, parted, strict=True):
        below = _by_column(row, columns)
        if merged and not (row.whole or merged[-1].whole):
            pairs = [(piece, had_room(above[at], piece, columns[at])) for at, piece in below.items() if at in above]
            ended = any(room for _, room in pairs)
            far = row.top - merged[-1].bottom > _FARTHEST * (row.bottom - row.top)
            goes_on = not (apart or far) and any(piece.text[:1].islower() and not room for piece, room in pairs)
            torn += ended and goes_on
            begins = 0 in below and len(below) > 1 and not _is_lower(row)
            alone = len(row.pieces) == 1 and 0 not in below and not apart
            new = apart or not is_near(merged[-1], row) or ((ended or begins) and not spaced)
            if goes_on or alone or not new:
                merged[-1].pieces += row.pieces
                merged[-1].bottom = max(merged[-1].bottom, row.bottom)
                above |= below
                continue
        merged.append(VisualRow(list(row.pieces), row.top, row.bottom, row.whole))
        above = below
    return merged, torn


def _is_lower(row: VisualRow) -> bool:
    """True if a piece of a row goes on with a sentence."""
    return any(piece.text[:1].islower() for piece in row.pieces)


def _parted(held: Sequence[VisualRow]) -> list[bool]:
    """Which rows stand clearly farther below the one before them than the nearest ones do."""
    spaces = [row.top - above.bottom for above, row in pairwise(held)]
    least = min(spaces, default=0.0)
    heights = [row.bottom - row.top for row in held]
    return [
        False,
        *(
            not is_near(above, row) and space > least + _PARTED * height
            for (above, row), space, height in zip(pairwise(held), spaces, heights, strict=False)
        ),
    ]


def _by_column(row: VisualRow, columns: Sequence[tuple[float, float]]) -> dict[int, Piece]:
    """The last line of each cell of a row."""
    return {
        column: piece
        for piece in row.pieces
        for column, (left, right) in enumerate(columns)
        if piece.x0 < right and piece.x1 > left
    }


def _is_headed(rows: Sequence[Sequence[PlacedCell]], width: int) -> bool:
    """True if the first row names the columns: in few words, each of another kind than what is below.

    That is: over all columns but that of the labels, without a figure where all others have one, what none of the
    others says where these repeat each other, or short over prose. Of three columns and more such a row is taken for a
    head whatever is below.
    """
    first, others = rows[0], rows[1:]
    texts = [cell.text for cell in first]
    if len(first) == width - 1 and first[0].first == 1 and all(row[0].first == 0 for row in others):
        return True  # nothing over the labels
    if len(first) < width or any(len(text.split()) > _HEAD_WORDS or text.endswith((".", ";")) for text in texts):
        return False
    colons = [text.endswith(":") for text in texts]
    if any(colons):
        return all(colons)  # else a label and what it is of
    for head in first:
        below = [cell.text for row in others for cell in row if cell.first == head.first]
        if not below or any(map(str.isdigit, head.text)):
            continue
        dated = all(any(map(str.isdigit, text)) for text in below)
        repeated = head.text not in below and 2 * len(set(below)) <= len(below)
        longer = median(len(text.split()) for text in below) >= _LONGER * len(head.text.split())
        if dated or repeated or longer:
            return True
    return width > 2 and len(others) >= _LEAST_ROWS and not any(any(map(str.isdigit, text)) for text in texts)
