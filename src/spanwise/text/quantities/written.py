"""Numbers as other languages write them: their tokens in the form that the grammar of English reads.

Places in the text stay; what changes is only how a token reads ("März" as March, "3,5" as 3.5, "個月" as months).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import NamedTuple

from spanwise.text.languages import ENGLISH, language_of
from spanwise.text.quantities.tokens import Token


class _Written(NamedTuple):
    """The table of `written.toml`."""

    months: Mapping[str, str]
    words: Mapping[str, str]
    ideographs: Mapping[str, str]
    also_english: frozenset[str]
    decimal_comma: frozenset[str]


_POINT_GROUPS = re.compile(r"[0-9]{1,3}(?:\.[0-9]{3})+")
_COMMA_GROUP = re.compile(r"[0-9]{1,3},[0-9]{3}")
_OF = frozenset(["de", "del", "di", "d", "of"])
_ORDINAL_MARKS = frozenset([".", "er", "\u00ba", "\u00b0"])
_MAGNITUDES = frozenset("\u4e07\u842c\ub9cc\u5104\u4ebf\uc5b5\u5146\uc870\u5343")
_SHORT_YEAR = re.compile(r"1[0-9]{3}|2[01][0-9]{2}")
_ERAS = frozenset("\u548c\u6210\u570b\u56fd\u6b63\u6cbb")
"""What an era of Japan or Taiwan ends with, whose years are counted."""


def anglicised(text: str, items: list[Token]) -> list[Token]:
    """The tokens of a text as English would have them, where it plainly is of another language."""
    table = _table()
    known = {one.low for one in items}
    language = language_of(text)
    telling = {one for one in known if one in table.months or one in table.words} - table.also_english
    if language == ENGLISH and not telling and known.isdisjoint(table.ideographs):
        return items
    foreign = language != ENGLISH
    read = _with_words(items, table, foreign=foreign)
    return _with_numbers(read) if language in table.decimal_comma else read


def _with_words(items: Sequence[Token], table: _Written, *, foreign: bool) -> list[Token]:
    found: list[Token] = []
    size = len(items)
    for place, one in enumerate(items):
        low = one.low
        behind = items[place + 1] if place + 1 < size else None
        number = _number_before(found)
        sure = foreign or low not in table.also_english
        if low in table.ideographs:
            found.append(_ideograph(one, number, found, table))
        elif low in table.months and sure and (number or (behind is not None and behind.kind == "number")):
            found.append(one._replace(text=table.months[low].capitalize(), low=table.months[low]))
        elif low in table.words and sure and number is not None:
            years = table.words[low] == "years" and _SHORT_YEAR.fullmatch(number.text)
            found.append(one if years else one._replace(text=table.words[low], low=table.words[low]))
        elif _joins_date(one, number, found, behind, table):
            continue
        else:
            found.append(one)
    return found


def _number_before(found: Sequence[Token]) -> Token | None:
    """The number that stands before, with or without a magnitude: 5, 5\u4e07."""
    if len(found) > 1 and found[-1].low in _MAGNITUDES and found[-2].kind == "number":
        return found[-2]
    return found[-1] if found and found[-1].kind == "number" else None


def _joins_date(
    one: Token, number: Token | None, found: Sequence[Token], behind: Token | None, table: _Written
) -> bool:
    """True for what stands between a day and its month, or the month and its year: "3. März", "5 de marzo de 2021"."""
    if behind is None or not found:
        return False
    before_month = behind.low in table.months and number is not None and len(number.text) < 3
    if one.low in _ORDINAL_MARKS and before_month:
        return True
    before_year = found[-1].low in table.months.values() and _SHORT_YEAR.fullmatch(behind.text) is not None
    return one.low in _OF and (before_month or before_year)


def _ideograph(one: Token, number: Token | None, found: Sequence[Token], table: _Written) -> Token:
    meant = table.ideographs[one.low]
    if number is None or meant in ("month", "day"):
        return one
    if meant == "year":
        era = len(found) > 1 and found[-2].low in _ERAS
        if era or _SHORT_YEAR.fullmatch(number.text):
            return one
        meant = "years"
    return one._replace(text=meant, low=meant)


def _with_numbers(items: Sequence[Token]) -> list[Token]:
    """With 1.234 as a thousand and more, 3,5 and 3,125 as less than four."""
    found: list[Token] = []
    for one in items:
        if one.kind == "number" and len(found) > 1 and _is_decimal_part(one, found):
            whole = found[-2]
            del found[-2:]
            found.append(whole._replace(text=f"{whole.text}.{one.text}", low=f"{whole.text}.{one.text}", end=one.end))
        elif one.kind == "number" and _POINT_GROUPS.fullmatch(one.text):
            plain = one.text.replace(".", "")
            found.append(one._replace(text=plain, low=plain))
        elif one.kind == "number" and _COMMA_GROUP.fullmatch(one.text):
            plain = one.text.replace(",", ".")
            found.append(one._replace(text=plain, low=plain))
        else:
            found.append(one)
    return found


def _is_decimal_part(one: Token, found: Sequence[Token]) -> bool:
    whole, comma = found[-2], found[-1]
    joined = comma.low == "," and whole.kind == "number" and whole.end == comma.start and comma.end == one.start
    return joined and whole.text.isdigit() and one.text.isdigit() and len(one.text) < 3


def foreign_words() -> frozenset[str]:
    """The words beside numbers that another language may stand behind."""
    table = _table()
    return frozenset(table.months) | (frozenset(table.words) - table.also_english)


@cache
def ideographs() -> tuple[str, ...]:
    """What stands behind a number in Chinese, Japanese and Korean, the longest first."""
    return tuple(sorted(_table().ideographs, key=lambda word: (-len(word), word)))


@cache
def _table() -> _Written:
    text = resources.files(__package__).joinpath("written.toml").read_text(encoding="utf-8")
    table = tomllib.loads(text)
    months, words, ideographs = (
        {word: english for english, listed in table[name].items() for word in listed.split()}
        for name in ("months", "words", "ideographs")
    )
    return _Written(
        months,
        words,
        ideographs,
        frozenset(table["also_english"].split()),
        frozenset(table["decimal_comma"].split()),
    )
