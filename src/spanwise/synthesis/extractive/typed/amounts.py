"""Amounts of money and prices, with the magnitude and the currency that a caption gives them."""

from __future__ import annotations

from collections.abc import Iterator

from spanwise.contract.values import Amount, Price
from spanwise.synthesis.extractive.typed.found import MOST_CHARACTERS, Around, Found
from spanwise.text.quantities import Quantity, quantities


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


def _money(text: str, around: Around) -> Iterator[Quantity]:
    scale = around.scale
    factor = scale.factor if scale is not None and not scale.shares_only else None
    if scale is not None and scale.except_per_share and "per share" in text.lower():
        factor = None
    for one in quantities(text[:MOST_CHARACTERS], scale=factor, currency=around.currency):
        if one.kind == "money" and one.value is not None and one.unit and not one.nil:
            yield one


def _per(one: Quantity) -> str | None:
    return f"per {one.per}" if one.per else None
