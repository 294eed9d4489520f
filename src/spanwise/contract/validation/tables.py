"""Tables against the cited lines: every cell stands there, and the cells of a row stand in one row, in order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice, pairwise

from spanwise.contract.validation.cited import Cited
from spanwise.contract.validation.problems import MOST_CELLS, Fault, shown
from spanwise.contract.values import TableValue
from spanwise.text.fold import folded
from spanwise.text.quotes import place_after

_MOST_FAULTS = 20
"""Faults of one table that are named."""
_MOST_LINES_A_ROW = 40
_FIGURE = re.compile(r"[$\u20ac\u00a3\u00a5]?\s?\d[\d,.]*\s?%?")
_MONEY_CELL = re.compile(
    r"(?P<minus>-|\()?\s?[$\u20ac\u00a3\u00a5]?\s?(?P<figure>\d[\d,.]*\d|\d)\s?(?:%|\)){0,2}", re.ASCII
)
_MARKS = re.compile(r"[\s|$\u20ac\u00a3\u00a5]+|\.{2,}|_{2,}")
_LETTER = re.compile(r"[^\W\d_]")
_PIPES = str.maketrans("|", " ")


def table_format_faults(table: TableValue) -> Iterator[Fault]:
    """Faults of a table by itself."""
    if not table.rows:
        yield Fault("empty_value", "the table has no rows")
    if sum(map(len, table.rows)) + len(table.headers) > MOST_CELLS:
        yield Fault(
            "too_large", f"the table has more than {MOST_CELLS:,} cells: answer with the rows that were asked for"
        )
        return
    ragged = [index for index, row in enumerate(table.rows) if len(row) != len(table.headers)]
    if ragged:
        first = ragged[0]
        yield Fault(
            "ragged_table",
            f"{len(ragged)} of {len(table.rows)} rows are not as wide as the {len(table.headers)} headers; "
            f"row {first + 1} has {len(table.rows[first])} cells",
        )


def table_faults(table: TableValue, cited: Cited) -> Iterator[Fault]:
    """Cells that the cited lines do not hold, or not in that row."""
    if sum(map(len, table.rows)) + len(table.headers) > MOST_CELLS:
        return
    lines = [_line(line.text) for stretch in cited.stretches for line in stretch.lines]
    compact = [_MARKS.sub("", line) for line in lines]
    yield from islice(_faults(table, lines, compact), _MOST_FAULTS)


@lru_cache(maxsize=1024)
def _line(text: str) -> str:
    return folded(text.translate(_PIPES))


def _faults(table: TableValue, lines: Sequence[str], compact: Sequence[str]) -> Iterator[Fault]:
    yield from _head_faults([folded(cell) for cell in table.headers], lines)
    everything = " ".join(lines)
    for number, row in enumerate(table.rows, start=1):
        cells = [cell for cell in map(folded, row) if cell]
        if not cells or _on_one_line(cells, _own_lines(row, lines)) or _on_several(cells, compact):
            continue
        missing = [cell for cell in cells if _place(cell, everything, 0) is None]
        if missing:
            yield Fault("cell_not_in_lines", f"the cited lines do not hold {shown(missing[0])} of row {number}")
        else:
            yield Fault("cell_in_wrong_row", f"no cited row has the cells of row {number} ({shown(' | '.join(cells))})")


def _head_faults(heads: Sequence[str], lines: Sequence[str]) -> Iterator[Fault]:
    """Heads of columns: each stands in the lines, whole or word by word, and they stand in their order."""
    cells = [cell for cell in heads if cell]
    if _on_one_line(cells, lines):
        return
    everything = " ".join(lines)
    for cell in cells:
        if _place(cell, everything, 0) is None and any(_place(word, everything, 0) is None for word in cell.split()):
            yield Fault("cell_not_in_lines", f"the cited lines do not hold the head {shown(cell)}")
            return
    for one, other in pairwise(cells):
        if _swapped(one, other, lines):
            message = f"the heads {shown(one)} and {shown(other)} stand in the other order"
            yield Fault("cell_in_wrong_row", message)


def _swapped(one: str, other: str, lines: Sequence[str]) -> bool:
    """True if the words that tell two heads apart stand on lines in the other order only."""
    ours, theirs = set(one.split()) - set(other.split()), set(other.split()) - set(one.split())
    orders = set()
    for line in lines:
        for mine in ours:
            for yours in theirs:
                first, second = _place(mine, line, 0), _place(yours, line, 0)
                if first is not None and second is not None:
                    orders.add(first[0] < second[0])
        if True in orders:
            return False
    return False in orders


def _own_lines(row: Sequence[str], lines: Sequence[str]) -> Sequence[str]:
    """The lines that begin with the label of a row and nothing more of a label; all lines where none does."""
    label = folded(row[0])
    if not _LETTER.search(label):
        return lines
    own = [
        line
        for line in lines
        if line.lstrip(" |").startswith(label) and not _LETTER.match(line.lstrip(" |")[len(label) :].lstrip())
    ]
    return own or lines


def _on_one_line(cells: Sequence[str], lines: Sequence[str]) -> bool:
    return any(_in_order(cells, line) for line in lines)


def _in_order(cells: Sequence[str], line: str) -> bool:
    at = 0
    for cell in cells:
        place = _place(cell, line, at)
        if place is None:
            return False
        at = place[1]
    return True


def _on_several(cells: Sequence[str], compact: Sequence[str]) -> bool:
    """True if contiguous lines hold the cells of the row and nothing else: a label that wraps, a cell a line."""
    wanted = _MARKS.sub("", "".join(cells))
    for first in range(len(compact)):
        if not compact[first] or not wanted.startswith(compact[first]):
            continue
        joined = ""
        for line in compact[first : first + _MOST_LINES_A_ROW]:
            joined += line
            if joined == wanted:
                return True
            if not wanted.startswith(joined):
                break
    return False


def _place(cell: str, line: str, at: int) -> tuple[int, int] | None:
    """Place of a cell in a line; a figure without a minus or brackets is not the one that has them."""
    for written in (cell, *_other_forms(cell)):
        start = at
        while (place := place_after(written, line, start)) is not None:
            if not _FIGURE.fullmatch(written) or not _negative(line, *place):
                return place
            start = place[1]
    return None


@lru_cache(maxsize=1024)
def _other_forms(cell: str) -> tuple[str, ...]:
    """Other ways to print the same figure: without its sign of money, a minus as brackets, with commas."""
    found = _MONEY_CELL.fullmatch(cell)
    if found is None:
        return ()
    figure = found["figure"]
    if figure.isdigit() and len(figure) > 3:
        figure = f"{int(figure):,}" if not figure.startswith("0") else figure
    forms = (f"({figure})", f"-{figure}") if found["minus"] else (figure,)
    return tuple(form for form in forms if form != cell)


def _negative(line: str, start: int, end: int) -> bool:
    before = line[:start].rstrip(" $\u20ac\u00a3\u00a5")
    if before.endswith("("):
        return line[end:].lstrip(" %").startswith(")")
    return before.endswith("-") and not before[:-1].endswith(tuple("0123456789)%")) and len(before) == start
