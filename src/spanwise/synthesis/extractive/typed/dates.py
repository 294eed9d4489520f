"""Dates and periods between two dates."""

from __future__ import annotations

import re
from itertools import pairwise

from spanwise.contract.values import DateRange, DateValue
from spanwise.synthesis.extractive.typed.found import MOST_CHARACTERS, Around, Found
from spanwise.text.quantities import Quantity, quantities

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


def _times(text: str) -> list[Quantity]:
    return [one for one in quantities(text[:MOST_CHARACTERS]) if one.iso]
