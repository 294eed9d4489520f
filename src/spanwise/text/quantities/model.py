"""What a quantity is: a value with its kind, unit and place, and how two of them compare."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal[
    "number",
    "ordinal",
    "fraction",
    "count",
    "percent",
    "percentage_points",
    "money",
    "duration",
    "date",
    "period",
]
Bound: TypeAlias = Literal["about", "least", "more", "most", "less"]

_DAYS = {"second": Decimal(1) / 86400, "minute": Decimal(1) / 1440, "hour": Decimal(1) / 24}
_DAYS |= {"day": Decimal(1), "week": Decimal(7)}
_MONTHS = {"month": Decimal(1), "quarter": Decimal(3), "year": Decimal(12), "decade": Decimal(120)}
_MONTHS |= {"century": Decimal(1200)}
_BASE_UNITS = {
    unit: (base, Decimal(factor))
    for base, units in (
        ("metre", {"kilometre": "1000", "centimetre": "0.01", "millimetre": "0.001"}),
        ("kilogram", {"gram": "0.001", "milligram": "0.000001", "tonne": "1000"}),
        ("litre", {"millilitre": "0.001", "centilitre": "0.01"}),
        ("square metre", {"hectare": "10000", "square kilometre": "1000000"}),
        ("watt", {"kilowatt": "1000", "megawatt": "1000000", "gigawatt": "1000000000"}),
    )
    for unit, factor in units.items()
}
"""Metric units with the unit that they are measured in, and how much of it each is."""
_LAST_DIGIT = Decimal("1e-20")
"""How far equal values may differ, as a share: thirds have no last digit."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """One quantity of a text, at `text[start:end]`."""

    kind: Kind
    value: Decimal | None
    """As a number: 5.1 for 5.1 %, 1200000000 for 1.2 billion. None for dates, periods and ranges."""
    unit: str
    """An ISO 4217 code, `%`, `pp` or `bp` (points), a unit of time, the singular noun that is counted; or empty."""
    start: int
    end: int
    original: str
    iso: str = ""
    """A date at its precision (`2024`, `2024-03`, `2024-03-15`, `--03-15` without a year), or a period: `FY2022`,
    `2023-Q2`, `FY2023-Q2`, `2023-H1`, `P3M/2023-06-30` (three months that end then), `2019/2021`."""
    low: Decimal | None = None
    """Of a range, both ends included."""
    high: Decimal | None = None
    bound: Bound | None = None
    """What the words beside it make of it: "about", "at least", "more than", "up to", "less than"."""
    per: str = ""
    """Of a rate: `month`, `share`."""
    scaled: bool = False
    """True if its own words carry a magnitude ("million"), so that a table's caption does not apply."""
    ambiguous: bool = False
    """A date whose day and month could be the other way round; it is read as month/day."""
    disagrees: bool = False
    """Words and digits say different things: "thirty (60) days". The value is that of the words."""
    nil: bool = False
    """A dash where a table has no figure; the value is 0."""


@dataclass(frozen=True, slots=True)
class Scale:
    """What a caption ("in millions, except per share data") says of the figures below it."""

    factor: int
    currency: str | None = None
    except_per_share: bool = False
    except_shares: bool = False
    """Numbers of shares are printed in full."""
    shares_only: bool = False
    """It speaks of numbers of shares, not of money."""


def agrees(one: Quantity, other: Quantity, *, tolerance: float = 0) -> bool:
    """True if `other` says what `one` says, however either is written ($1.2 billion, USD 1,200 million).

    `one` may say less than `other`: a month of a day's date, a bare number of one with a unit; never more.

    Args:
        one: What is checked.
        other: What it is checked against.
        tolerance: How far the values may differ, as a share of the other's.
    """
    if one.iso or other.iso:
        return _same_time(one, other)
    if {one.kind, other.kind} == {"percent", "fraction"}:
        scale = {"percent": Decimal(1), "fraction": Decimal(100)}
        ends = [[end and end * scale[each.kind] for end in _written(each)] for each in (one, other)]
        return _close((*ends[0],), (*ends[1],), tolerance)
    if one.per and other.per and one.per != other.per:
        return False
    if one.kind == "number" and other.kind in ("count", "duration"):
        return _close(_written(one), _written(other), tolerance)
    ours, theirs = measure(one), measure(other)
    return ours[0] == theirs[0] and _close(ours[1:], theirs[1:], tolerance)


def measure(quantity: Quantity) -> tuple[str, Decimal | None, Decimal | None]:
    """The dimension, and the value or the two ends in its base unit: what makes quantities comparable."""
    low, high = _written(quantity)
    dimension, factor = _dimension(quantity)
    return dimension, None if low is None else low * factor, None if high is None else high * factor


def _dimension(quantity: Quantity) -> tuple[str, Decimal]:
    unit = quantity.unit
    if quantity.kind == "duration":
        if unit in _DAYS:
            return "days", _DAYS[unit]
        return ("months", _MONTHS[unit]) if unit in _MONTHS else (unit, Decimal(1))
    if quantity.kind == "percentage_points":
        return "points", Decimal("0.01") if unit == "bp" else Decimal(1)
    if quantity.kind == "fraction":
        return "number", Decimal(1)
    unit, factor = _BASE_UNITS.get(unit, (unit, Decimal(1)))
    return f"{quantity.kind} {unit}".rstrip(), factor


def _written(quantity: Quantity) -> tuple[Decimal | None, Decimal | None]:
    return (quantity.low, quantity.high) if quantity.value is None else (quantity.value, quantity.value)


def _close(ours: tuple[Decimal | None, ...], theirs: tuple[Decimal | None, ...], tolerance: float) -> bool:
    if ours == theirs:
        return True
    room = Decimal(str(tolerance)) + _LAST_DIGIT if tolerance else _LAST_DIGIT
    for one, other in zip(ours, theirs, strict=True):
        if one is None or other is None:
            if one is not other:
                return False
        elif abs(one - other) > abs(other) * room:
            return False
    return True


def _same_time(one: Quantity, other: Quantity) -> bool:
    if one.iso and other.iso:
        return one.iso == other.iso or (one.kind == "date" and _is_in(one.iso, other))
    if one.kind == "number" and one.value is not None:
        return str(one.value) in other.iso.replace("/", "-").removeprefix("FY").split("-")
    return False


def _is_in(date: str, other: Quantity) -> bool:
    """True if a date says less than the other time does: the month of a day, a day without its year, a fiscal year."""
    end = other.iso.rpartition("/")[2].removeprefix("FY")
    return end == date or end.startswith(f"{date}-") or (date.startswith("--") and end.endswith(date[1:]))
