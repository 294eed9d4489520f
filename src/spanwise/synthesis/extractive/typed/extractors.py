"""What a filler finds in a text, a value and the words that say it; and the fillers of values in figures."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from pydantic import BaseModel

from spanwise.contract.values import LENGTHS, Amount, DateRange, DateValue, Iban, Price, Quantity, compact, iban_fault
from spanwise.text.quantities import Quantity as Figure
from spanwise.text.quantities import Scale, quantities

MOST_CHARACTERS = 20_000
"""Characters of one piece of evidence that are read for values."""


@dataclass(frozen=True, slots=True)
class Found:
    """A value over `text[start:end]` of the evidence."""

    value: BaseModel | str | bool
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Around:
    """What other lines say of the figures of a text."""

    scale: Scale | None = None
    currency: str | None = None
    """ISO 4217 code of figures without a sign, when the document says it."""


Filler: TypeAlias = Callable[[str, Around], Sequence[Found]]
"""Reads every value of one type in a text, in the order of the text."""


def find_amounts(text: str, around: Around) -> list[Found]:
    """Every amount that has one value; of a range ("between $5 and $10") none is the amount."""
    return [
        Found(Amount(value=float(one.value), currency=one.unit, unit=_per(one)), one.start, one.end)
        for one in _money(text, around)
        if one.value is not None
    ]


def find_prices(text: str, around: Around) -> list[Found]:
    """The same as prices: `unit` is what the price is for."""
    return [
        Found(Price(value=float(one.value), currency=one.unit, unit=_per(one)), one.start, one.end)
        for one in _money(text, around)
        if one.value is not None
    ]


def _money(text: str, around: Around) -> Iterator[Figure]:
    scale = around.scale
    factor = scale.factor if scale is not None and not scale.shares_only else None
    if scale is not None and scale.except_per_share and "per share" in text.lower():
        factor = None
    for one in quantities(text[:MOST_CHARACTERS], scale=factor, currency=around.currency):
        if one.kind == "money" and one.value is not None and one.unit and not one.nil:
            yield one


def _per(one: Figure) -> str | None:
    return f"per {one.per}" if one.per else None


_FULL = 10
"""Characters of a date with year, month and day."""
_TO = re.compile(
    r"\W{0,4}(?:to|through|until|till|thru|and\s+end(?:s|ing)(?:\s+on)?|[-\u2013\u2014])\W{0,3}(?:(?:on|including)\s+)?",
    re.IGNORECASE,
)


def find_dates(text: str, around: Around) -> list[Found]:
    """Dates with a year; where one names the day, those that name less are left out."""
    del around
    dated = [one for one in _times(text) if one.kind == "date" and not one.iso.startswith("--")]
    full = [one for one in dated if len(one.iso) == _FULL]
    return [Found(DateValue(iso=one.iso, original=one.original), one.start, one.end) for one in full or dated]


def find_days(text: str, around: Around) -> list[Found]:
    """Dates that name the month at least: what is left of "the __ day of ______, 2012" is no date of a contract."""
    return [one for one in find_dates(text, around) if isinstance(one.value, DateValue) and "-" in one.value.iso]


def find_date_ranges(text: str, around: Around) -> list[Found]:
    """Two dates with "to" between them; a fiscal year says no days, so it is none."""
    del around
    full = [one for one in _times(text) if one.kind == "date" and len(one.iso) == _FULL]
    found = []
    for one, other in pairwise(full):
        if one.iso <= other.iso and _TO.fullmatch(text[one.end : other.start]):
            found.append(Found(DateRange(iso_start=one.iso, iso_end=other.iso), one.start, other.end))
    return found


def _times(text: str) -> list[Figure]:
    return [one for one in quantities(text[:MOST_CHARACTERS]) if one.iso]


_KINDS = frozenset(["percent", "percentage_points", "duration", "count", "fraction", "number"])


def find_quantities(text: str, around: Around) -> list[Found]:
    """Every number with one value and its unit; numbers that count nothing only where no other is."""
    del around
    every = [one for one in quantities(text[:MOST_CHARACTERS]) if one.kind in _KINDS and one.value is not None]
    united = [one for one in every if one.unit]
    return [
        Found(Quantity(value=float(one.value), unit=one.unit, original=one.original), one.start, one.end)
        for one in united or every
        if one.value is not None and not one.nil
    ]


_FORM = re.compile(r"(?<![A-Za-z0-9])[A-Z]{2}[0-9]{2}(?:[ \u00a0-]?[A-Za-z0-9]){11,30}")


def find_ibans(text: str, around: Around) -> list[Found]:
    """Account numbers with the right length and check digits, without the spaces that print them in groups."""
    del around
    found = []
    for match in _FORM.finditer(text[:MOST_CHARACTERS]):
        end = _end(match.group(), LENGTHS.get(match.group()[:2], 0))
        plain = compact(match.group()[:end])
        if end and iban_fault(plain) is None:
            found.append(Found(Iban(value=plain), match.start(), match.start() + end))
    return found


def _end(text: str, length: int) -> int:
    """Where the `length`-th letter or digit ends; what follows belongs to the sentence."""
    seen = 0
    for at, character in enumerate(text):
        seen += character.isalnum()
        if length and seen == length:
            return at + 1
    return 0
