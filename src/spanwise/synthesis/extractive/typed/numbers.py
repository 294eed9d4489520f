"""Numbers that are no money: percentages, counts, ratios, durations, measures."""

from __future__ import annotations

from spanwise.contract.values import Quantity
from spanwise.synthesis.extractive.typed.found import MOST_CHARACTERS, Around, Found
from spanwise.text.quantities import quantities

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
