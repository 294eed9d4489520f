"""Texts, addresses, names of people and account numbers against the cited lines."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from spanwise.contract.validation.cited import Cited
from spanwise.contract.validation.problems import Fault, shown
from spanwise.contract.values import Address, Iban, PersonName
from spanwise.text.iban import compact, iban_fault

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
    elif not any(_stands(wanted, compact(stretch.text)) for stretch in cited.stretches):
        yield Fault("iban_not_in_lines", f"the cited lines do not hold {shown(iban.value)}")


def _stands(wanted: str, text: str) -> bool:
    """True if an account number stands in a text without white space; what follows it may be a word."""
    return wanted in text


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
