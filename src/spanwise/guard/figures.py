"""Two figures in the same place of two sentences: the same in another form, different, or not to be compared."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal
from typing import Literal, TypeAlias

from spanwise.text.quantities import Quantity, agrees, measure

Outcome: TypeAlias = Literal["same", "different", "unknown"]

_A_YEAR = {"day": 365, "week": 52, "month": 12, "quarter": 4, "year": 1}
_MONTH = (Decimal(28), Decimal(31))
_FEWEST_DIGITS = 2
"""Of a rounded figure: "1.5" is not "2" rounded."""
_YEAR_DIGITS = 4
_MAGNITUDES = ("thousand", "million", "billion", "trillion")
_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")
_PART = re.compile(r"[QH]\d$")
_TWO_DAYS = len("--12-31") + len("2024-12-31")


def is_time(quantity: Quantity) -> bool:
    """True if it says when: a date or a period of the calendar."""
    return bool(quantity.iso)


def compared(one: Quantity, other: Quantity) -> Outcome:
    """The relation of two figures."""
    if one.disagrees and other.disagrees:
        return (
            "unknown" if _in_digits(one) == _in_digits(other) else "different"
        )  # "thirty (60) days" is no other value
    if one.disagrees or other.disagrees:
        return "different" if one.kind == other.kind else "unknown"
    if agrees(one, other) or agrees(other, one):
        return "different" if _opposite_bounds(one, other) else "same"
    if is_time(one) or is_time(other):
        return _times(one, other)
    if (rates := _a_year(one, other)) is not None:
        return rates
    return _amounts(one, other)


def _in_digits(quantity: Quantity) -> list[str]:
    return _DIGITS.findall(quantity.original)


def _times(one: Quantity, other: Quantity) -> Outcome:
    if is_time(one) and is_time(other):
        if (one.ambiguous or other.ambiguous) and _swapped(one.iso) == other.iso:
            return "same"
        return "different" if _comparable_times(one.iso, other.iso) else "unknown"
    figure = other if is_time(one) else one
    time = one if is_time(one) else other
    digits = figure.original.partition(" ")[0]  # "2050 notes"
    year = time.original.isdigit() and digits.isdigit() and len(digits) == _YEAR_DIGITS
    return "different" if year else "unknown"


def _comparable_times(one: str, other: str) -> bool:
    """Two times differ where the parts that both of them say do."""
    ours, theirs = _end(one), _end(other)
    if _PART.search(ours) or _PART.search(theirs):
        return _parts_differ(ours, theirs)
    if ours.startswith("--") != theirs.startswith("--"):
        return len(ours) + len(theirs) == _TWO_DAYS and ours[-5:] != theirs[-5:]
    return "/" in one + other or not (ours.startswith(theirs) or theirs.startswith(ours))


def _end(iso: str) -> str:
    return iso.rpartition("/")[2].removeprefix("FY")


def _parts_differ(ours: str, theirs: str) -> bool:
    """Quarters and halves: against a date only the year tells, since a fiscal quarter may begin in any month."""
    one, other = _PART.search(ours), _PART.search(theirs)
    years = {ours[:4], theirs[:4]} if ours[:4].isdigit() and theirs[:4].isdigit() else set()
    return len(years) > 1 or bool(one and other and one.group() != other.group())


def _swapped(iso: str) -> str:
    year, _, day = iso.partition("-")
    month, _, rest = day.partition("-")
    return f"{year}-{rest}-{month}"


def _a_year(one: Quantity, other: Quantity) -> Outcome | None:
    """Rates of different periods, by what they come to in a year: 1.5 % a month are 18 % a year."""
    ours, theirs = _A_YEAR.get(one.per), _A_YEAR.get(other.per)
    if ours is None or theirs is None or ours == theirs or one.value is None or other.value is None:
        return None
    if measure(replace(one, per=""))[0] != measure(replace(other, per=""))[0]:
        return None
    return "same" if one.value * ours == other.value * theirs else "different"


def _amounts(one: Quantity, other: Quantity) -> Outcome:
    ours, theirs = _measured(one), _measured(other)
    if one.kind == other.kind == "duration" and ours[0] != theirs[0]:
        return _durations(ours, theirs)
    if one.kind == other.kind == "money" and one.unit != other.unit:
        return "different" if ours[1:] == theirs[1:] and None not in ours[1:] else "unknown"
    if {one.kind, other.kind} == {"percent", "number"}:
        return _ratio(one, other)
    bare = "number" in (one.kind, other.kind) and {one.kind, other.kind} & {"count", "duration", "money"}
    if ours[0] != theirs[0] and not bare:
        return "unknown"
    equal = ours == theirs or _rounded(one, other) or _rounded(other, one)
    return "same" if equal else "different"


def _measured(quantity: Quantity) -> tuple[str, Decimal | None, Decimal | None]:
    """Like `measure`, with points as percent: "50 basis points" is another form of "0.5%"."""
    dimension, low, high = measure(quantity)
    return ("percent %" if dimension == "points" else dimension), low, high


def _ratio(one: Quantity, other: Quantity) -> Outcome:
    percent, number = (one, other) if one.kind == "percent" else (other, one)
    if percent.value is None or number.value is None:
        return "unknown"
    return "same" if percent.value in (number.value, number.value * 100) else "different"


def _durations(
    ours: tuple[str, Decimal | None, Decimal | None], theirs: tuple[str, Decimal | None, Decimal | None]
) -> Outcome:
    """Days against months: different only where no calendar makes them the same."""
    if {ours[0], theirs[0]} != {"days", "months"}:
        return "unknown"  # a business day is no day
    days, months = (ours[1], theirs[1]) if ours[0] == "days" else (theirs[1], ours[1])
    if days is None or months is None:
        return "unknown"
    return "unknown" if months * _MONTH[0] <= days <= months * _MONTH[1] else "different"


def _rounded(coarse: Quantity, fine: Quantity) -> bool:
    """True if one is the other rounded, and says so: "about", or in another magnitude ("$1.6 billion")."""
    if coarse.value is None or fine.value is None:
        return False
    rewritten = coarse.scaled and _magnitude(coarse) != _magnitude(fine)
    digits = coarse.value.normalize().as_tuple()
    fewer = _FEWEST_DIGITS <= len(digits.digits) < len(fine.value.normalize().as_tuple().digits)
    if not fewer or not (rewritten or (coarse.bound == "about" and fine.bound != "about")):
        return False
    exponent = digits.exponent
    return isinstance(exponent, int) and abs(coarse.value - fine.value) * 2 <= Decimal(1).scaleb(exponent)


def _magnitude(quantity: Quantity) -> str:
    """The "million" of a figure that carries one."""
    return next((word for word in _MAGNITUDES if word in quantity.original.lower()), "")


def _opposite_bounds(one: Quantity, other: Quantity) -> bool:
    return {one.bound, other.bound} in ({"least", "most"}, {"more", "less"})
