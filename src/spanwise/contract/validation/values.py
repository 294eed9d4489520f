"""The value of an item, whatever its class, against the lines it cites."""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from itertools import islice
from typing import Literal, TypeAlias, Union, get_args, get_origin

from pydantic import BaseModel

from spanwise.contract.items import Item
from spanwise.contract.validation import figures, names, tables, times
from spanwise.contract.validation.cited import Cited
from spanwise.contract.validation.problems import Fault
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
from spanwise.text.quantities import is_currency

_MOST_LEAVES = 2000
"""Texts and numbers of one value that are checked."""
_DEEPEST = 12

_Check: TypeAlias = tuple[type[BaseModel], Callable[..., Iterator[Fault]] | None, Callable[..., Iterator[Fault]]]
_CHECKS: tuple[_Check, ...] = (
    (Amount, figures.format_faults, figures.money_faults),
    (Price, figures.format_faults, figures.money_faults),
    (Quantity, figures.format_faults, figures.quantity_faults),
    (DateValue, times.date_format_faults, times.date_faults),
    (DateRange, times.range_format_faults, times.range_faults),
    (TableValue, tables.table_format_faults, tables.table_faults),
    (Iban, names.iban_format_faults, names.iban_faults),
    (Address, None, names.address_faults),
    (PersonName, None, names.person_faults),
)
"""Classes of values: what is wrong with one on its own, and what of it the cited lines do not hold."""


_BY_CLASS: dict[type, _Check] = {checks[0]: checks for checks in _CHECKS}


def format_faults(item: Item) -> list[Fault]:
    """Faults of an item's value by itself: codes, calendars, checksums, widths."""
    return list(_formats(item.value, 0))


def line_faults(item: Item, cited: Cited) -> list[Fault]:
    """Parts of an item's value that the cited lines do not hold; a yes or no is held by no line."""
    return list(islice(_held(item.value, cited, 0, choice=False), _MOST_LEAVES))


def _checks_of(value: object) -> _Check | None:
    return next((_BY_CLASS[base] for base in type(value).__mro__ if base in _BY_CLASS), None)


def _formats(value: object, depth: int) -> Iterator[Fault]:
    if isinstance(value, str):
        return
    if (checks := _checks_of(value)) is not None:
        _, alone, _ = checks
        if alone is not None:
            yield from alone(value)
        return
    if isinstance(value, float | int) and not isinstance(value, bool):
        yield from figures.number_faults(value)
    if depth < _DEEPEST:
        for part in _parts(value):
            yield from _formats(part, depth + 1)


def _held(value: object, cited: Cited, depth: int, *, choice: bool) -> Iterator[Fault]:
    if value is None or isinstance(value, bool | Enum) or choice:
        return
    checks = _checks_of(value)
    if checks is not None:
        yield from checks[2](value, cited)
    elif isinstance(value, str):
        yield from _text(value, cited, whole=depth == 0)
    elif isinstance(value, float | int):
        if fault := figures.states_number(value, cited):
            yield fault
    elif depth < _DEEPEST:
        chosen = _choices(value)
        for index, part in enumerate(_parts(value)):
            yield from _held(part, cited, depth + 1, choice=index in chosen)


def _text(text: str, cited: Cited, *, whole: bool) -> Iterator[Fault]:
    """A text: word for word; inside a registered value also a date or a currency in its normal form."""
    if not whole:
        if not text.strip():
            return
        normal = times.normal_iso(text)
        if normal and len(normal) > 4 and times.states_date(normal, cited):
            return
        if is_currency(text) and text in (cited.currencies or cited.currencies_around):
            return
    yield from names.text_faults(text, cited)


def _parts(value: object) -> Sequence[object]:
    """Parts of a value."""
    if isinstance(value, BaseModel):
        return [getattr(value, name, None) for name in type(value).model_fields]
    return value if isinstance(value, list | tuple) else ()


def _choices(value: object) -> set[int]:
    """Fields of a registered value that are a choice from fixed words: those are said of a text, not by it."""
    if not isinstance(value, BaseModel):
        return set()
    fields = type(value).model_fields.values()
    return {index for index, field in enumerate(fields) if _is_choice(field.annotation)}


def _is_choice(annotation: object) -> bool:
    if get_origin(annotation) in (Union, types.UnionType):
        return any(_is_choice(part) for part in get_args(annotation))
    return get_origin(annotation) is Literal
