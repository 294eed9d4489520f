"""Bands: rows that hold for a range of figures ("5 to 15 km", "over $95,000", from 60 to 74, weight up to 5 kg)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise

from spanwise.text.quantities import Quantity, quantities
from spanwise.text.quantities.currencies import SIGNS
from spanwise.text.tables.grid import Grid, is_year, read_cell
from spanwise.text.terms import terms

_MOST_ROWS = 400
_MOST_COLUMNS = 12
_LONGEST = 60
_LEAST_SHARE = 0.6
"""Share of the cells of a column that are bands where it is one of bands."""
_BRACKETS = re.compile(r"\(([^()]{0,20})\)")
_OPEN = re.compile(r"\b(?:and|or)\s+(?:over|above|older|up|upwards|beyond)\b|\bplus\b", re.IGNORECASE)
_FROM = re.compile(r"\b(?:from|starting|at least|ab|d\u00e8s|desde)\W*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Band:
    """A range of figures; None where it is open. `after` leaves the lower end out, `before` the upper one."""

    low: Decimal | None
    high: Decimal | None
    unit: str = ""
    after: bool = False
    before: bool = False

    def holds(self, value: Decimal) -> bool:
        above = self.low is None or value > self.low or (value == self.low and not self.after)
        return above and (self.high is None or value < self.high or (value == self.high and not self.before))


def banded_rows(grid: Grid, question: str) -> tuple[tuple[int, ...], tuple[int, ...], str]:
    """The rows in whose band a figure of a question falls, the columns of the bands, and the figure as written.

    All are empty where no table of bands is asked, or none of its bands holds the figure.
    """
    asked = [one for one in quantities(question[: _LONGEST * 10]) if one.value is not None and not one.iso]
    asked = [one for one in asked if not is_year(one.original.strip())]
    for columns, bands in _banded(grid) if asked else ():
        named = " ".join(grid.names[at] for at in columns)
        for one in asked:
            if not _meant(one, bands, named, question):
                continue
            rows = tuple(at for at, band in enumerate(bands) if band is not None and band.holds(one.value or Decimal()))
            if rows and len(rows) < len(bands):
                return rows, columns, one.original.strip()
    return (), (), ""


def _meant(one: Quantity, bands: Sequence[_Band | None], named: str, question: str) -> bool:
    """True if a figure is counted as the bands are: in their unit, or in what their heads name."""
    unit = next((band.unit for band in bands if band is not None and band.unit), "") or _unit_of(named)
    if one.unit and unit:
        return one.unit == unit
    return not frozenset(terms(_BRACKETS.sub(" ", named))).isdisjoint(terms(question))


def _unit_of(head: str) -> str:
    for found in _BRACKETS.finditer(head):
        counted = quantities(f"1 {found[1]}")
        if unit := SIGNS.get(found[1].strip()) or next((one.unit for one in counted), ""):
            return unit
    return ""


def _banded(grid: Grid) -> Iterator[tuple[tuple[int, ...], list[_Band | None]]]:
    """The columns whose cells are bands, with the band of each row: two columns of ends, written bands, or one end."""
    rows = [grid.texts(at) for at in range(min(len(grid.rows), _MOST_ROWS))]
    if len(rows) < 2:
        return
    columns = [[row[at] for row in rows] for at in range(min(len(grid.names), _MOST_COLUMNS))]
    for at, (lows, highs) in enumerate(pairwise(columns)):
        if bands := _of_ends(lows, highs):
            yield (at, at + 1), bands
    for at, column in enumerate(columns):
        written = [_written(text) for text in column]
        enough = sum(band is not None for band in written) >= _LEAST_SHARE * len(rows)
        if bands := written if enough else _of_one_end(grid.names[at], column):
            yield (at,), bands


def _of_ends(lows: Sequence[str], highs: Sequence[str]) -> list[_Band | None]:
    """Bands whose ends stand in two columns: rising, none over the next; nothing where they are no such columns."""
    starts, ends = [_figure(text) for text in lows], [_figure(text) for text in highs]
    if any(one is None for one in starts[1:]) or any(one is None for one in ends[:-1]):
        return []
    bands = [_Band(start, end) for start, end in zip(starts, ends, strict=True)]
    for one in bands:
        if one.low is not None and one.high is not None and one.low >= one.high:
            return []
    touching = False
    for one, following in pairwise(bands):
        if one.high is None or following.low is None or one.high > following.low:
            return []
        touching = touching or one.high == following.low
    return [_Band(one.low, one.high, before=touching) for one in bands]


def _of_one_end(head: str, column: Sequence[str]) -> list[_Band | None]:
    """Bands of which one end is written, under a head that says which: "weight up to", "order value from"."""
    figures = [_figure(text) for text in column]
    values = [one for one in figures if one is not None]
    if len(values) < len(column) or any(one >= other for one, other in pairwise(values)):
        return []
    plain = _BRACKETS.sub(" ", head).strip()
    bound = next((one.bound for one in quantities(f"{plain} 1")), None)
    if bound in ("most", "less"):
        under: list[Decimal | None] = [None, *values[:-1]]
        strict = bound == "less"
        return [_Band(low, high, after=not strict, before=strict) for low, high in zip(under, values, strict=True)]
    if bound in ("least", "more") or _FROM.search(plain):
        over: list[Decimal | None] = [*values[1:], None]
        strict = bound == "more"
        return [_Band(low, high, after=strict, before=not strict) for low, high in zip(values, over, strict=True)]
    return []


def _written(text: str) -> _Band | None:
    """The band that a cell writes."""
    found = quantities(text.replace(" - ", "-")[:_LONGEST]) if len(text) <= _LONGEST else ()
    if len(found) != 1 or found[0].iso:
        return None
    one = found[0]
    if one.low is not None and one.high is not None:
        return _Band(one.low, one.high, one.unit)
    if one.value is None:
        return None
    if one.bound in ("most", "less"):
        return _Band(None, one.value, one.unit, before=one.bound == "less")
    if one.bound in ("least", "more") or _OPEN.search(text):
        return _Band(one.value, None, one.unit, after=one.bound == "more")
    return None


def _figure(text: str) -> Decimal | None:
    cell = read_cell(text)
    return cell.value if cell is not None and any(map(str.isdigit, text)) and not is_year(text) else None
