"""The unit of a cell: currency, percent and magnitude, from the cell, its heads, the captions and the text around."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property

from spanwise.domain.document import Line
from spanwise.text.quantities import Scale, is_currency, quantities
from spanwise.text.quantities.currencies import SIGNS
from spanwise.text.tables.grid import Cell, Grid, GridRow, lines_between, read_scale

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
_BRACKETS = re.compile(r"\([^()]{1,20}\)")
_CODE = re.compile(r"(?<![A-Za-z])[A-Z]{3}(?![A-Za-z])")


@dataclass(frozen=True, slots=True)
class Counted:
    """What a figure is counted in."""

    unit: str = ""
    magnitude: str = ""
    lines: tuple[int, ...] = ()
    """Where scale and currency are stated, when that is not in the row or the head."""


class Units:
    """The units of the cells of one table."""

    def __init__(self, grid: Grid, lines: Sequence[Line]) -> None:
        self._grid = grid
        self._inside = (grid.corner, *(grid.caption.split("\n") if grid.printed or not lines else ()), *grid.heads)
        self._around = tuple(around(grid.first, grid.last, lines))
        held = lines_between(lines, grid.first, grid.last) if grid.printed else ()
        signs = {code for line in held for sign, code in SIGNS.items() if sign in line.text}
        self._sign = next(iter(signs)) if len(signs) == 1 else ""
        self._columns = {
            at for row in grid.rows for at, cell in enumerate(row.cells) if cell and _CURRENCY.match(cell.unit or "")
        }
        self._signed = [line.number for line in held if any(sign in line.text for sign in SIGNS)] if self._sign else []

    def of(self, row: int, column: int) -> Counted:
        """Unit and magnitude of the figure in a cell."""
        counted, first = self._counted(row, column), self._grid.rows[row].first
        if counted.unit == self._sign != "" and self._signed:
            # The sign is printed in some rows only: the nearest one states it.
            return replace(counted, lines=(*counted.lines, min(self._signed, key=lambda number: abs(number - first))))
        return counted

    def _counted(self, row: int, column: int) -> Counted:
        line, head = self._grid.rows[row], self._grid.heads[column]
        cell = line.cells[column]
        if cell is None:
            raise LookupError("a cell without a figure has no unit")
        names = (line.label, head, *reversed(line.groups))
        unit = self._unit(line, cell, column, names)
        # Where cells of other columns have it and none of this one, it counts something else.
        printed = self._sign if not self._columns or column in self._columns else ""
        if unit == "%" or cell.scaled:
            return Counted(unit)
        if any(_PER.search(name) for name in names):
            return Counted(unit or printed)
        if _PLAIN_COUNT.search(f"{line.label} {head}"):
            return Counted(unit)
        scale, lines = next(((scale, ()) for name in names if (scale := read_scale(name))), self._stated)
        counts = _SHARES.search(line.label) is not None
        sign = "" if counts else printed
        apart = scale is None or (scale.except_shares and counts)
        if scale is None or apart or (scale.shares_only and not _SHARES.search(" ".join(names))):
            return Counted(unit or sign)
        return Counted(unit or ("" if counts else scale.currency or sign), _NAMES.get(scale.factor, ""), lines)

    def _unit(self, line: GridRow, cell: Cell, column: int, names: Sequence[str]) -> str:
        if cell.unit:
            return cell.unit if cell.unit == "%" or _CURRENCY.match(cell.unit) else ""
        if any("%" in name for name in names[:2]) or "percent" in names[1].lower():
            return "%"
        if _PERCENT.search(line.label) and abs(cell.value) < 100 and not _EXCHANGE.search(" ".join(names)):
            return "%"
        told = " ".join([names[1], *_BRACKETS.findall(names[0])])  # "Net revenue (USD)"
        named = [code for code in _CODE.findall(told) if is_currency(code)]
        signed = [code for sign, code in SIGNS.items() if sign in told]
        cells = [row.cells[column] for row in self._grid.rows]
        held = [one.unit for one in cells if one is not None and _CURRENCY.match(one.unit)]
        return next(iter([*named, *signed, *held]), "")

    @cached_property
    def _stated(self) -> tuple[Scale | None, tuple[int, ...]]:
        """The scale of the whole table, and the lines outside that state it."""
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


def around(grid_first: int, grid_last: int, lines: Sequence[Line]) -> Iterator[Line]:
    """The lines outside a table, the nearest first, those before it before those behind it."""
    yield from reversed(lines_between(lines, grid_first - NEAR, grid_first - 1))
    yield from lines_between(lines, grid_last + 1, grid_last + NEAR)
