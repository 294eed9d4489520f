"""The wording of one item for people, whatever class its value is of."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from enum import Enum
from functools import singledispatch

from pydantic import BaseModel

from spanwise.contract.items import Item
from spanwise.contract.values import (
    Address,
    Amount,
    DateRange,
    DateValue,
    Iban,
    PersonName,
    Price,
    Quantity,
    TableValue,
)
from spanwise.text.quantities.currencies import decimals_of

_WIDEST_COLUMN = 60
"""Largest width to which a column is padded, in characters, so that one long cell does not widen all rows."""
_FULL_DIGITS = 1e21
"""Numbers from this size on are written with an exponent, because a float has no more exact digits."""


def worded(item: Item) -> str:
    """An item in words, unrounded, and the same for equal items.

    Money is its currency code and the full number ("USD 1,577,000,000 per claim", "GBP 1,634.40"), dates and quantities
    are as the document writes them, tables are rows of aligned columns, and a registered value is "field: value; field:
    value".
    """
    return _words(item.value)


def number(value: float) -> str:
    """A number in full digits with commas between thousands: 300 for 300.0, 0.1 for 0.1."""
    if not -_FULL_DIGITS < value < _FULL_DIGITS:  # also true for NaN
        return repr(value)
    written = f"{Decimal(repr(value)):,f}"
    written = written.rstrip("0").rstrip(".") if "." in written else written
    return "0" if written == "-0" else written


def _money(value: float, currency: str) -> str:
    """A number with at least the decimal places of its currency, or none if it is whole."""
    whole, point, decimals = number(value).partition(".")
    return whole + point + (decimals.ljust(decimals_of(currency), "0") if point else "")


@singledispatch
def _words(value: object) -> str:
    return str(value)


@_words.register
def _(value: None) -> str:
    del value
    return ""


@_words.register
def _(value: bool) -> str:
    return "Yes" if value else "No"


@_words.register(int)
@_words.register(float)
def _(value: float) -> str:
    return number(value)


@_words.register
def _(value: Enum) -> str:
    return _words(value.value)


@_words.register(list)
@_words.register(tuple)
def _(value: Sequence[object]) -> str:
    return ", ".join(_nested(one) for one in value)


@_words.register(Amount)
@_words.register(Price)
def _(value: Amount | Price) -> str:
    return _one_line(value.currency, _money(value.value, value.currency), value.unit)


@_words.register
def _(value: Quantity) -> str:
    return _one_line(value.original) or _one_line(number(value.value), value.unit)


@_words.register
def _(value: DateValue) -> str:
    return _one_line(value.original) or value.iso


@_words.register
def _(value: DateRange) -> str:
    if value.iso_start and value.iso_end:
        return f"{value.iso_start} to {value.iso_end}"
    return f"from {value.iso_start}" if value.iso_start else f"until {value.iso_end}" if value.iso_end else ""


@_words.register
def _(value: Address) -> str:
    parts = (_one_line(value.street), _one_line(value.postal_code, value.city), _one_line(value.country))
    return ", ".join(part for part in parts if part)


@_words.register
def _(value: PersonName) -> str:
    initial = value.middle_initial and f"{value.middle_initial.strip().rstrip('.')}."
    return _one_line(value.first_name, initial, value.last_name)


@_words.register
def _(value: Iban) -> str:
    digits = "".join(value.value.split())
    return " ".join(digits[start : start + 4] for start in range(0, len(digits), 4))


@_words.register
def _(value: TableValue) -> str:
    rows = [[_one_line(cell) for cell in row] for row in (value.headers, *value.rows)]
    columns = max(map(len, rows))
    widths = [
        min(max(len(row[column]) for row in rows if column < len(row)), _WIDEST_COLUMN) for column in range(columns)
    ]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=False)).rstrip() for row in rows
    )


@_words.register
def _(value: BaseModel) -> str:
    said = ((name, getattr(value, name)) for name in type(value).model_fields)
    return "; ".join(f"{name.replace('_', ' ')}: {_nested(one)}" for name, one in said if one is not None)


def _nested(value: object) -> str:
    """A value inside another one; a value of several parts is put in brackets."""
    several = isinstance(value, (BaseModel, list, tuple))
    return f"({_words(value)})" if several else _words(value)


def _one_line(*parts: str | None) -> str:
    return " ".join(" ".join(part for part in parts if part).split())


def shortened(text: str, most: int = 200) -> str:
    """A text on one line, cut after a word and ending in dots if it has more than `most` characters."""
    plain = " ".join(text.split())
    return plain if len(plain) <= most else f"{plain[: most - 4].rsplit(' ', 1)[0]} ..."
