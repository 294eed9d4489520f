"""The value of an item, whatever its class, against the lines it cites."""

from __future__ import annotations

import re
import types
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from itertools import islice
from typing import Literal, TypeAlias, Union, get_args, get_origin

from pydantic import BaseModel

from spanwise.contract.items import Item
from spanwise.contract.validation import figures, tables, times
from spanwise.contract.validation.cited import Cited
from spanwise.contract.validation.problems import Fault, shown
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
from spanwise.text.iban import compact, iban_fault
from spanwise.text.quantities import is_currency

_WORD = re.compile(r"[^\W_]+(?:['-][^\W_]+)*")
_WORD_OR_STOP = re.compile(rf"{_WORD.pattern}|[,;:!?&/]")
_PLAIN = str.maketrans({"\u2019": "'", "\u2010": "-", "\u2011": "-"})
_BETWEEN = 3
"""Words between a first and a last name: middle names and particles."""
_NO_MIDDLE_NAMES = frozenset(["and", "or", *",;:!?&/"])
"""Separators between two people, never between the names of one."""


def text_faults(text: str, cited: Cited) -> Iterator[Fault]:
    """True if a text stands in the cited lines, word for word."""
    if not text.strip():
        yield Fault("empty_value", "the text is empty")
    elif not cited.holds(text):
        yield Fault("value_not_in_lines", f"the cited lines do not hold {shown(text)}")


def address_faults(address: Address, cited: Cited) -> Iterator[Fault]:
    """Parts of an address that the cited lines do not hold."""
    parts = {name: getattr(address, name) for name in type(address).model_fields}
    said = {name: part for name, part in parts.items() if part and part.strip()}
    if not said:
        yield Fault("empty_value", "no part of the address is given")
    for name, part in said.items():
        if not cited.holds(part):
            yield Fault(
                "address_not_in_lines", f"the cited lines do not hold the {name.replace('_', ' ')} {shown(part)}"
            )


def person_faults(person: PersonName, cited: Cited) -> Iterator[Fault]:
    """True if the cited lines hold a name as the name of one person: first name first, or after a comma."""
    first, last = _words(person.first_name), _words(person.last_name)
    if not first or not last:
        yield Fault("empty_value", "a name needs a first name and a last name")
        return
    initial = "".join(_words(person.middle_initial or ""))
    written = _words("\n".join(stretch.text for stretch in cited.stretches), _WORD_OR_STOP)
    if not any(_named(written, at, first, last, initial) for at in range(len(written))):
        name = " ".join(part for part in (person.first_name, person.middle_initial, person.last_name) if part)
        yield Fault("name_not_in_lines", f"the cited lines do not hold the name {shown(name)}")


def iban_format_faults(iban: Iban) -> Iterator[Fault]:
    """True if an account number is one: form, length of its country, checksum."""
    if fault := iban_fault(iban.value):
        yield Fault("iban_invalid", f"{shown(iban.value)} is no account number: {fault}")


def iban_faults(iban: Iban, cited: Cited) -> Iterator[Fault]:
    """True if the cited lines hold an account number, however it is spaced."""
    wanted = compact(iban.value)
    if not wanted:
        yield Fault("empty_value", "the account number is empty")
    elif not any(wanted in compact(stretch.text) for stretch in cited.stretches):
        yield Fault("iban_not_in_lines", f"the cited lines do not hold {shown(iban.value)}")


def _words(text: str, pattern: re.Pattern[str] = _WORD) -> list[str]:
    return pattern.findall(unicodedata.normalize("NFKC", text).casefold().translate(_PLAIN))


def _named(written: list[str], at: int, first: list[str], last: list[str], initial: str) -> bool:
    """True if a name begins at a word, in either order."""
    begin = at + len(last)
    if written[at:begin] == last:
        begin += written[begin : begin + 1] == [","]
        end = begin + len(first)
        if written[begin:end] == first and _fits(initial, [], written[end:]):
            return True
    begin = at + len(first)
    if written[at:begin] != first:
        return False
    for start in range(begin, begin + _BETWEEN + 1):
        between, end = written[begin:start], start + len(last)
        if _NO_MIDDLE_NAMES.intersection(between):
            return False
        if written[start:end] == last and _fits(initial, between, written[end:]):
            return True
    return False


def _fits(initial: str, between: list[str], behind: list[str]) -> bool:
    """True if a middle initial is that of a name between, or behind where the last name comes first."""
    if not initial:
        return True
    return any(word.startswith(initial) for word in between) or (not between and behind[:1] == [initial])


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
    (Iban, iban_format_faults, iban_faults),
    (Address, None, address_faults),
    (PersonName, None, person_faults),
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
    yield from text_faults(text, cited)


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
