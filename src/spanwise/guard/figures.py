"""The figures of a sentence (percentages, money, durations, dates, plain numbers) as values that can be compared."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, TypeAlias

from spanwise.text.quantities import Quantity, quantities

FigureKind: TypeAlias = Literal["percent", "money", "duration", "date", "period", "number"]
Bound: TypeAlias = Literal["least", "most"]
Day: TypeAlias = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure, where it stands and what it is worth."""

    kind: FigureKind
    value: Day | Decimal
    """A date as year, month, day (0 where not given); a duration in hours or months; the number of a quarter."""
    unit: str
    """Currency code; `hour`, `month` or `business hour`; `Q` or `H` of a period; empty otherwise."""
    start: int
    end: int
    per: str = ""
    """The period of a rate: "1.5% per month"."""
    bound: Bound | None = None
    """Whether the words before make it a lower or an upper limit."""


_BOUNDS: dict[str | None, Bound] = {"least": "least", "more": "least", "most": "most", "less": "most"}
_PERIODS = frozenset(["hour", "day", "week", "month", "quarter", "year"])
_HOURS = {"hour": 1, "day": 24, "week": 24 * 7}
_WHOLE_MONTHS = {"month": 1, "quarter": 3, "year": 12}
_LENGTHS = {"M": "month", "W": "week", "D": "day"}


def figures(text: str) -> list[Figure]:
    """The figures of a text, in order; what does not parse as one is left out."""
    return [figure for quantity in quantities(text) for figure in _figures(quantity)]


def agrees(claim: Figure, source: Figure) -> bool:
    """Whether the source says this figure: the same value, nothing the claim adds (a period, a limit) against it."""
    if claim.kind == "date" and source.kind == "date":
        return _same_date(claim.value, source.value)
    if claim.kind == "number" and source.kind in {"duration", "date"}:
        return _bare_value(claim, source)
    if claim.kind == "date" and source.kind == "number":
        return claim.value == (source.value, 0, 0)
    return (
        claim.kind == source.kind
        and claim.unit == source.unit
        and claim.value == source.value
        and (not claim.per or not source.per or claim.per == source.per)
        and (claim.bound is None or source.bound is None or claim.bound == source.bound)
    )


def comparable(claim: Figure, source: Figure) -> bool:
    """Whether the two could be said of the same thing, so that a difference between them is a conflict."""
    return claim.kind == source.kind and (claim.kind != "number" or source.kind == "number")


def _figures(quantity: Quantity) -> Iterator[Figure]:
    if quantity.iso:
        yield from _times(quantity)
        return
    for value in (quantity.value, quantity.low, quantity.high):
        if value is not None and not quantity.nil:
            yield _figure(quantity, value)


def _figure(quantity: Quantity, value: Decimal) -> Figure:
    per = quantity.per if quantity.per in _PERIODS else ""
    bound = _BOUNDS.get(quantity.bound)
    start, end = quantity.start, quantity.end
    if quantity.kind == "money":
        return Figure("money", value, quantity.unit, start, end, per, bound)
    if quantity.kind in ("percent", "percentage_points"):
        return Figure("percent", value / 100 if quantity.unit == "bp" else value, "", start, end, per, bound)
    if quantity.kind == "duration":
        return _duration(value, quantity.unit, start, end, bound)
    if quantity.kind == "count":  # what is counted is a word of the sentence like any other
        end = start + len(quantity.original.rpartition(" ")[0] or quantity.original)
    return Figure("number", value, "", start, end, per, bound)


def _duration(value: Decimal, unit: str, start: int, end: int, bound: Bound | None) -> Figure:
    business, _, name = unit.rpartition(" ")
    if name in _WHOLE_MONTHS:
        return Figure("duration", value * _WHOLE_MONTHS[name], "month", start, end, bound=bound)
    if name in _HOURS:
        return Figure("duration", value * _HOURS[name], f"{business} hour".lstrip(), start, end, bound=bound)
    return Figure("duration", value, unit, start, end, bound=bound)


def _times(quantity: Quantity) -> Iterator[Figure]:
    """A date, the two ends of a period, or a year and the quarter in it, each a figure of its own."""
    start, end = quantity.start, quantity.end
    if quantity.original.isdigit():  # a year that takes its day over from the one before
        yield Figure("date", (int(quantity.original), 0, 0), "", start, end)
        return
    for part in quantity.iso.removeprefix("FY").split("/"):
        if part.startswith("P"):
            if part[-1] in _LENGTHS:
                yield _duration(Decimal(part[1:-1]), _LENGTHS[part[-1]], start, end, None)
            continue
        year, _, half = part.rpartition("-") if part[-2] in "QH" else (part, "", "")
        if year:
            yield Figure("date", _day(year), "", start, end)
        if half:
            yield Figure("period", Decimal(half[1:]), half[0], start, end)


def _day(iso: str) -> Day:
    unknown_year = iso.startswith("--")
    numbers = [int(part) for part in iso.removeprefix("--").split("-")]
    year, month, day = ([0, *numbers] if unknown_year else [*numbers, 0, 0])[:3]
    return year, month, day


def _same_date(claim: object, source: object) -> bool:
    if not isinstance(claim, tuple) or not isinstance(source, tuple):
        return False
    # A claim may say less than the source (a month of a year), never more.
    return all(ours in (0, theirs) for ours, theirs in zip(claim, source, strict=True))


def _bare_value(claim: Figure, source: Figure) -> bool:
    if isinstance(source.value, tuple):
        return claim.value in source.value
    return isinstance(claim.value, Decimal) and any(
        claim.value * factor == source.value for factor in (*_HOURS.values(), *_WHOLE_MONTHS.values())
    )
