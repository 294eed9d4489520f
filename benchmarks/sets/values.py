"""Whether an answer holds a value: numbers compared with their units, scales and rounding, not as strings."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

_SCALES = {
    "thousand": 3, "thousands": 3, "million": 6, "millions": 6, "mn": 6, "mm": 6, "m": 6,
    "billion": 9, "billions": 9, "bn": 9, "b": 9, "trillion": 12, "trillions": 12,
}  # fmt: skip
_UNIT = r"%|(?:percent(?:age points?)?|pp|thousands?|millions?|mn|mm|m|billions?|bn|b|trillions?)\b"
_NUMBER = re.compile(
    r"(?<![A-Za-z\d.,])"  # FY2019 and B2 are names
    r"(?P<open>\()?\s?(?P<sign>(?<!\d)[-\u2212\u2013])?\s?(?P<money>US\$|USD|[$\u20ac\u00a3\u00a5])?\s?"
    r"(?P<inner>[-\u2212\u2013(])?\s?"
    r"(?P<digits>\d{1,3}(?:,\d{3}){1,5}(?!\d)(?:\.\d{1,12})?|\d{1,18}(?:\.\d{1,12})?|\.\d{1,12})"
    rf"\s?(?P<close>\))?\s?(?P<unit>{_UNIT})?",
    re.IGNORECASE,
)
_ASKED_SCALE = re.compile(r"\b(thousand|million|billion)s?\b", re.IGNORECASE)
_UNSTATED = range(-9, 10, 3)
"""Powers of ten between a value and the same value in a table that states its scale elsewhere."""


@dataclass(frozen=True, slots=True)
class Value:
    """A number as written."""

    number: Decimal
    """Signed; in accounting brackets it is negative."""
    percent: bool = False
    money: bool = False
    scale: int | None = None
    """Power of ten that is written behind it; None when none is."""
    year: bool = False
    """Whether it is written like a year."""


def values(text: str) -> list[Value]:
    """The numbers of a text, in order."""
    return [_value(match) for match in _NUMBER.finditer(text)]


def contains_value(answer: str, gold: Value) -> bool:
    """Whether one of the answer's numbers is the gold."""
    return any(same_value(found, gold) for found in values(answer))


def gold_values(gold: str, question: str = "") -> list[Value]:
    """The values that a right answer states: its numbers but the years.

    Args:
        gold: The right answer.
        question: It may say in which scale the answer is wanted ("in USD millions").
    """
    asked = _ASKED_SCALE.search(question)
    scale = _SCALES[asked.group(1).lower()] if asked else None
    return [
        Value(value.number, value.percent, value.money, scale)
        if value.money and value.scale is None and value.number < 10**6
        else value
        for value in values(gold)
        if not value.year
    ]


def same_value(found: Value, gold: Value) -> bool:
    """Whether two numbers are the same value.

    The found one may be more exact: it is rounded to the last decimal of the gold, so 389 million is $0.40 billion. A
    scale that one of them does not state may be any for money, and is none for other numbers. A loss or
    an outflow that is printed as negative is the same as the amount that the gold gives without a sign.
    """
    if gold.percent != found.percent:
        return not gold.money and not found.money and _same_share(found, gold)
    return any(_rounds_to(found.number.scaleb(power), gold) for power in _powers(found, gold))


def _powers(found: Value, gold: Value) -> tuple[int, ...]:
    if found.scale is not None and gold.scale is not None:
        return (found.scale - gold.scale,)
    if gold.percent or found.year or not (gold.money or gold.scale is not None):
        return ((found.scale or 0) - (gold.scale or 0),)
    return tuple(_UNSTATED)


def _same_share(found: Value, gold: Value) -> bool:
    """A share with a percent sign and one without: 65.4 in a column of percents, or 0.654."""
    if gold.percent:
        shift = 2 if abs(found.number) <= 1 else 0
        return found.scale is None and (_rounds_to(found.number, gold) or _rounds_to(found.number.scaleb(shift), gold))
    return gold.scale is None and abs(gold.number) < 10 and _rounds_to(found.number.scaleb(-2), gold)


def _rounds_to(found: Decimal, gold: Value) -> bool:
    """Whether a number rounds to the gold at its last decimal.

    Amounts of money are padded to cents, whatever they were rounded to, so that their zeros say nothing.
    """
    number = gold.number
    if number > 0:
        found = abs(found)
    padded = gold.money or number == number.to_integral_value()
    exponent = (number.normalize() if padded else number).as_tuple().exponent
    place = min(0, exponent) if isinstance(exponent, int) else 0
    return abs(found - number) <= Decimal(5).scaleb(place - 1)


def _value(match: re.Match[str]) -> Value:
    digits = match["digits"]
    number = Decimal(digits.replace(",", ""))
    bracketed = match["close"] is not None and (match["open"] is not None or match["inner"] == "(")
    negative = match["sign"] is not None or (match["inner"] is not None and match["inner"] != "(") or bracketed
    unit = (match["unit"] or "").lower()
    percent = unit == "%" or unit.startswith(("percent", "pp"))
    money = match["money"] is not None
    scale = None if percent or not unit else _SCALES[unit]
    year = not (money or unit or negative) and len(digits) == 4 and digits[:2] in ("19", "20")
    return Value(-number if negative else number, percent, money, scale, year)
