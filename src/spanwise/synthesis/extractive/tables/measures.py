"""What the figures of a table are counted in: currency, percent and magnitude, from cells, heads, captions and text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from spanwise.domain.document import Line
from spanwise.synthesis.extractive.tables.choose import Place
from spanwise.synthesis.extractive.tables.grid import Grid
from spanwise.text.quantities import Scale, quantities
from spanwise.text.scales import read_scale

_LONGEST = 2000
_DIGITS = 3
"""Digits of a figure that is not the same as another by chance."""
NEAR = 60
"""Lines before and after a table in which its scale may be stated."""
_NAMES = {10**3: "thousand", 10**6: "million", 10**9: "billion", 100: "hundred"}
_PER = re.compile(r"\bper\b(?!\s?cent)|\beps\b|/share|\(cents\)", re.IGNORECASE)
_PERCENT = re.compile(
    r"%|\bper ?cent(?:age)?s?\b|\bmargin\b|\brates?\b(?!\s+(?:swap|lock|contract|loan|note|debt))", re.IGNORECASE
)
_EXCHANGE = re.compile(r"\bexchange rates?\b", re.IGNORECASE)
_SHARES = re.compile(r"\b(?:shares|options|warrants|units|RSUs?|PSUs?|employees|number)\b", re.IGNORECASE)
_PLAIN_COUNT = re.compile(r"\b(?:ratio|years?\)|in years|term|life|times|employees|headcount|days)\b", re.IGNORECASE)
_CURRENCY = re.compile(r"^[A-Z]{3}$")


@dataclass(frozen=True, slots=True)
class Counted:
    """What a figure is counted in."""

    unit: str = ""
    magnitude: str = ""
    lines: tuple[int, ...] = ()
    """Where the scale is stated, when that is not in the table itself."""


class Measures:
    """Tells what the cells of one table are counted in."""

    def __init__(self, grid: Grid, lines: Sequence[Line]) -> None:
        self._grid = grid
        self._inside = (*grid.caption.split("\n"), *grid.heads)
        self._around = tuple(around(grid.first, grid.last, lines))

    def of(self, place: Place) -> Counted:
        """Unit and magnitude of a cell."""
        row, head = place.line, place.head
        names = (row.label, head, *reversed(row.groups))
        unit = _unit(place, names)
        if unit == "%" or place.cell.scaled:
            return Counted(unit)
        if (
            _PER.search(row.label)
            or any(_PER.search(name) for name in names[1:])
            or _PLAIN_COUNT.search(f"{row.label} {head}")
        ):
            return Counted(unit)
        for name in names:
            if scale := read_scale(name):
                return _counted(unit or scale.currency or "", scale)
        scale, lines = self._stated()
        if scale is None or (scale.except_shares and _SHARES.search(row.label)):
            return Counted(unit)
        if scale.shares_only and not _SHARES.search(" ".join(names)):
            return Counted(unit)
        return _counted(unit or scale.currency or "", scale, lines)

    def _stated(self) -> tuple[Scale | None, tuple[int, ...]]:
        for text in self._inside:
            if scale := read_scale(text):
                return scale, ()
        for line in self._around:
            if scale := read_scale(line.text):
                return scale, (line.number,)
        return self._retold()

    def _retold(self) -> tuple[Scale | None, tuple[int, ...]]:
        """The scale at which the text around the table tells one of its figures again."""
        for line in self._around:
            for quantity in quantities(line.text[:_LONGEST]):
                if quantity.value and quantity.value in self._full:
                    factor, row = self._full[quantity.value]
                    return Scale(factor), (row, line.number)
        return None, ()

    @cached_property
    def _full(self) -> Mapping[Decimal, tuple[int, int]]:
        """The figures of the table as a text would tell them in full: what they are multiplied by, and their row."""
        found: dict[Decimal, tuple[int, int]] = {}
        for factor in (10**3, 10**6, 10**9):
            for at, _, cell in self._grid.figures():
                if abs(cell.value) >= 1 and len(cell.value.as_tuple().digits) >= _DIGITS:
                    found.setdefault(abs(cell.value) * factor, (factor, self._grid.rows[at].first))
        return found


def _counted(unit: str, scale: Scale, lines: tuple[int, ...] = ()) -> Counted:
    return Counted(unit, _NAMES.get(scale.factor, ""), lines)


def _unit(place: Place, names: Sequence[str]) -> str:
    if place.cell.unit:
        return place.cell.unit if place.cell.unit == "%" or _CURRENCY.match(place.cell.unit) else ""
    if any("%" in name for name in names[:2]) or "percent" in place.head.lower():
        return "%"
    if _PERCENT.search(place.line.label) and abs(place.cell.value) < 100 and not _EXCHANGE.search(" ".join(names)):
        return "%"
    column = [row.cells[place.column] for row in place.grid.rows]
    return next((cell.unit for cell in column if cell is not None and _CURRENCY.match(cell.unit)), "")


def around(grid_first: int, grid_last: int, lines: Sequence[Line]) -> Iterator[Line]:
    """The lines outside a table, the nearest first, those before it before those behind it."""
    before = [line for line in lines if grid_first - NEAR <= line.number < grid_first]
    behind = [line for line in lines if grid_last < line.number <= grid_last + NEAR]
    yield from reversed(before)
    yield from behind
