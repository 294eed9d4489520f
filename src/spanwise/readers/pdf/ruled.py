"""Tables that rules divide into cells. Where cells hold several lines, they are read one after the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter
from typing import NamedTuple, TypeAlias

from spanwise.readers.pdf.placement import Rect
from spanwise.readers.pdf.runs import Run

_THIN = 4.0
_SLACK = 2.0
"""Points by which rules may miss each other, and letters stick out of their cell."""
_TOGETHER = 1.0
"""Points between rules that are drawn as one."""
_LEAST = 6.0
"""Shorter strokes are dots and ends of rules."""
_MOST = 300
"""A page with more rules is a drawing."""
_ALIKE = 0.5
"""Cells of a frame without rules between its rows hold at least this share of the rows of the fullest one."""

_FIGURES = 0.25
"""Share of figures from which a table is one of figures."""

_Rule: TypeAlias = tuple[float, float, float]
"""Where it is, and where it begins and ends."""
_Cell: TypeAlias = tuple[float, float, float, float]
"""Top, left, bottom and right."""


class Rules(NamedTuple):
    """The rules of a page."""

    across: list[_Rule]
    down: list[_Rule]


def find_rules(boxes: Iterable[Rect]) -> Rules | None:
    """The rules among some thin boxes, those that continue each other as one; None where they make no cells."""
    across, down = [], []
    for x0, top, x1, bottom in boxes:
        if x1 - x0 < _THIN and bottom - top >= _LEAST:
            down.append(((x0 + x1) / 2, top, bottom))
        elif bottom - top < _THIN and x1 - x0 >= _LEAST:
            across.append(((top + bottom) / 2, x0, x1))
    rules = Rules(_joined(across), _joined(down)) if len(across) > 1 and len(down) > 2 else Rules([], [])
    return rules if 1 < len(rules.across) < _MOST and 2 < len(rules.down) < _MOST else None


def _joined(rules: list[_Rule]) -> list[_Rule]:
    """Rules, those in one line that touch each other as one."""
    lines: list[list[_Rule]] = []
    for rule in sorted(rules):
        if lines and rule[0] - lines[-1][0][0] <= _TOGETHER:
            lines[-1].append(rule)
        else:
            lines.append([rule])
    found: list[_Rule] = []
    for line in lines:
        at, start, end = min(line, key=itemgetter(1))
        for _, first, last in sorted(line, key=itemgetter(1)):
            if first > end + _SLACK:
                found.append((at, start, end))
                start, end = first, last
            end = max(end, last)
        found.append((at, start, end))
    return found


def wrapped_bands(runs: Sequence[Run], rules: Rules) -> list[list[list[list[Run]]]]:
    """Stretches of tables, top to bottom, whose cells hold several lines each: their rows, and the cells of each."""
    cells: dict[_Cell, list[Run]] = {}
    others = []
    for run in runs:
        cell = _cell_of(run, rules)
        if cell is None:
            others.append(run)
        else:
            cells.setdefault(cell, []).append(run)
    found = []
    for table in _tables(list(_bands(sorted(cells)))):
        if _is_of_figures([run for band in table for cell in band for run in cells[cell]]):
            continue  # Its rows, and the heads above them, are read from side to side.
        for band in table:
            parts = [cells[cell] for cell in band]
            if _are_wrapped(parts) and not any(
                band[0][0] < (run.top + run.bottom) / 2 < max(cell[2] for cell in band) for run in others
            ):
                for cell in band:
                    for run in cells[cell]:
                        run.in_cell, run.cell = True, (round(cell[1], 1), round(cell[3], 1))
                found.append([[cells[cell] for cell in row] for row in _rows(band)])
    return found


def _rows(band: Sequence[_Cell]) -> list[list[_Cell]]:
    """The cells of a band that begin on one level, from left to right; a cell of several rows is in the first."""
    rows: list[list[_Cell]] = []
    for cell in band:
        if rows and cell[0] - rows[-1][0][0] <= _SLACK:
            rows[-1].append(cell)
        else:
            rows.append([cell])
    return [sorted(row, key=itemgetter(1)) for row in rows]


def _tables(bands: Sequence[list[_Cell]]) -> Iterator[list[list[_Cell]]]:
    """Bands that stand on one another."""
    table: list[list[_Cell]] = []
    for band in bands:
        if table and band[0][0] > max(cell[2] for cell in table[-1]) + _SLACK:
            yield table
            table = []
        table.append(band)
    if table:
        yield table


def _is_of_figures(runs: Sequence[Run]) -> bool:
    figures = sum(any(map(str.isdigit, run.text)) and not any(map(str.isalpha, run.text)) for run in runs)
    return figures > _FIGURES * len(runs)


def _cell_of(run: Run, rules: Rules) -> _Cell | None:
    """The cell that a run stands in; None where it stands in none, or crosses a rule."""
    x, y = (run.x0 + run.x1) / 2, (run.top + run.bottom) / 2
    beside = [at for at, start, end in rules.down if start - _SLACK <= y <= end + _SLACK]
    left = max((at for at in beside if at <= x), default=None)
    right = min((at for at in beside if at > x), default=None)
    if left is None or right is None or left > run.x0 + _SLACK or run.x1 - _SLACK > right:
        return None
    # A line under a word reaches from one side of its cell to the other in no text.
    level = [at for at, start, end in rules.across if start - _SLACK <= left and right <= end + _SLACK]
    above = max((at for at in level if at <= y), default=None)
    below = min((at for at in level if at > y), default=None)
    return None if above is None or below is None else (above, left, below, right)


def _bands(cells: Sequence[_Cell]) -> Iterator[list[_Cell]]:
    """Cells, ordered by their tops, in stretches that no rule crosses from side to side."""
    band: list[_Cell] = []
    bottom = 0.0
    for cell in cells:
        if band and cell[0] > bottom - _SLACK:
            yield band
            band = []
        bottom = max(bottom, cell[2]) if band else cell[2]
        band.append(cell)
    if band:
        yield band


def _are_wrapped(cells: Sequence[Sequence[Run]]) -> bool:
    """True if lines of cells that stand side by side are no rows of a table."""
    counts = [len({round(run.bottom) for run in cell}) for cell in cells]
    if len(cells) < 2 or sum(count > 1 for count in counts) < 2:
        return False
    levels = {round(run.bottom) for cell in cells for run in cell}
    return len(levels) > max(counts) or min(counts) < _ALIKE * max(counts)
