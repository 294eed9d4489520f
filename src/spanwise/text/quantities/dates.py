"""Calendar dates in digits and in words, also those that a scan damaged ("14t h day of April, 2015")."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from spanwise.text.languages.data import MONTHS as NAMES_OF_MONTHS
from spanwise.text.quantities.number_tokens import Tokens
from spanwise.text.quantities.numerals import ORDINALS, ordinal_suffix, read_numeral, read_ordinal

MONTHS = {name: number for number, name in enumerate(NAMES_OF_MONTHS, 1)}
MONTHS |= {name[:3]: number for name, number in MONTHS.items()} | {"sept": 9}
_MONTHS_WRITTEN = frozenset(MONTHS)
_ALSO_WORDS = frozenset(["may", "march", "mar", "sun"])
WEEKDAYS = frozenset(["mon", "tue", "wed", "thu", "fri", "sat", "sun"])
"""The first three letters of a day's name."""
_BLANKS = frozenset("_-,\u2013\u2014")
_PIVOT = 50
"""Two digits below it are a year of this century."""
_YEAR_SIGNS = frozenset("\u5e74\ub144")
_MONTH_SIGNS = frozenset("\u6708\uc6d4")
_DATE_SIGNS = _YEAR_SIGNS | _MONTH_SIGNS
_DAY_SIGNS = frozenset("\u65e5\u53f7\u865f\uc77c")
_DASHES = frozenset("-\u2010\u2011\u2013\u2014")
_SEPARATORS = _DASHES | {"/"}


@dataclass(frozen=True, slots=True)
class DateFound:
    """A date that ends before the token `end`; without `iso` it is one that no calendar has."""

    iso: str
    end: int
    ambiguous: bool = False


def read_date(tokens: Tokens, index: int) -> DateFound | None:
    """The date that starts at a token; a year alone is none."""
    token = tokens.at(index)
    if token.kind == "number":
        return _in_digits(tokens, index) or _ideographic(tokens, index) or _day_first(tokens, index)
    if token.low in MONTHS:
        return _month_first(tokens, index)
    return _day_first(tokens, index) if token.low in ORDINALS or token.low in ("twenty", "thirty") else None


def month_at(tokens: Tokens, index: int) -> int | None:
    """The month that a word names; "may" and "march" in small letters are verbs."""
    low = tokens.low(index)
    month = MONTHS.get(low)
    return None if month is None or (low in _ALSO_WORDS and not tokens.capitalised(index)) else month


def year_at(tokens: Tokens, index: int) -> int | None:
    """A year of four digits."""
    text = tokens.at(index).text
    if len(text) != 4 or not text.isdigit() or not 1000 <= int(text) < 2200:
        return None
    behind = tokens.at(index + 1)
    return None if behind.kind == "word" and tokens.glued(index + 1) and behind.low != "s" else int(text)


def century(two_digits: str) -> int:
    """The year that "98" or "07" stands for."""
    year = int(two_digits)
    return year + (2000 if year < _PIVOT else 1900)


def calendar_day(year: int | None, month: int, day: int) -> str:
    """ISO 8601 for a day, `--MM-DD` without a year; empty where the calendar has no such day."""
    try:
        dt.date(2000 if year is None else year, month, day)
    except ValueError:
        return ""
    return f"--{month:02}-{day:02}" if year is None else f"{year:04}-{month:02}-{day:02}"


def _in_digits(tokens: Tokens, index: int) -> DateFound | None:
    """2024-03-15, 3/15/2024, 15.03.2024, 12/10/98."""
    text = tokens.at(index).text
    if "." in text:
        return _ordered(text.split("."), index + 1, dotted=True)
    if len(text) > 4 or tokens.low(index + 1) not in _SEPARATORS or tokens.low(index + 3) != tokens.low(index + 1):
        return None
    if not all(tokens.glued(step) for step in range(index + 1, index + 5)):
        return None
    parts = [tokens.at(step).text for step in (index, index + 2, index + 4)]
    longer = tokens.low(index + 5) in _SEPARATORS and tokens.glued(index + 5) and tokens.glued(index + 6)
    return None if longer else _ordered(parts, index + 5, dotted=False)


def _ideographic(tokens: Tokens, index: int) -> DateFound | None:
    """2021\u5e743\u67085\u65e5, 2021\u5e74, 3\u67085\u65e5, in Chinese, Japanese and Korean."""
    if tokens.low(index + 1) not in _DATE_SIGNS:
        return None
    step, year = index, None
    if tokens.low(index + 1) in _YEAR_SIGNS:
        text = tokens.at(index).text
        if not (text.isdigit() and len(text) == 4 and 1000 <= int(text) < 2200):
            return None
        year, step = int(text), index + 2
    month = _counted_in(tokens, step, _MONTH_SIGNS, 12)
    if not month:
        return None if year is None else DateFound(f"{year:04}", step)
    day = _counted_in(tokens, step + 2, _DAY_SIGNS, 31)
    if day:
        return DateFound(calendar_day(year, month, day), step + 4)
    return None if year is None else DateFound(f"{year:04}-{month:02}", step + 2)


def _counted_in(tokens: Tokens, index: int, signs: frozenset[str], most: int) -> int:
    """The number before a sign, 0 where none stands there or it is too large."""
    text = tokens.at(index).text
    fits = tokens.at(index).kind == "number" and text.isdigit() and len(text) < 3 and tokens.low(index + 1) in signs
    return int(text) if fits and int(text) <= most else 0


def _ordered(parts: list[str], end: int, *, dotted: bool) -> DateFound | None:
    if len(parts) != 3 or not all(part.isdigit() for part in parts):
        return None
    first, second, third = parts
    if len(first) == 4 and len(second) < 3 and len(third) < 3 and 1000 <= int(first) < 2200:
        return DateFound(calendar_day(int(first), int(second), int(third)), end)
    if len(first) > 2 or len(second) > 2 or len(third) not in ((4,) if dotted else (2, 4)):
        return None
    year = int(third) if len(third) == 4 else century(third)
    if not 1000 <= year < 2200 or not int(first) or not int(second):
        return None
    month, day = (second, first) if dotted or int(first) > 12 else (first, second)
    unclear = not dotted and int(month) <= 12 and int(day) <= 12 and int(day) != int(month)
    return DateFound(calendar_day(year, int(month), int(day)), end, ambiguous=unclear)


def _month_first(tokens: Tokens, index: int) -> DateFound | None:
    """March 15, 2024; March 15; March 2024; Jan-22."""
    month = month_at(tokens, index)
    if month is None:
        return None
    step = index + 1
    if tokens.low(step) == "." and tokens.glued(step):
        step += 1
    if short := _short_year(tokens, step, month):
        return short
    step += tokens.low(step) in (",", "of") or (tokens.low(step) in _DASHES and tokens.glued(step + 1))
    if not tokens.near(step):
        return None
    year = year_at(tokens, step)
    if year is not None:
        return DateFound(f"{year:04}-{month:02}", step + 1)
    return _day_after_month(tokens, step, month)


def _short_year(tokens: Tokens, index: int, month: int) -> DateFound | None:
    """The year of "Jan-22" and of "Mar '22"."""
    mark, digits = tokens.low(index), tokens.at(index + 1).text
    if not (digits.isdigit() and len(digits) == 2 and tokens.glued(index + 1)):
        return None
    if mark in ("'", "\u2019") or (
        mark in _DASHES and tokens.glued(index) and not tokens.low(index + 2).startswith(",")
    ):
        return DateFound(f"{century(digits):04}-{month:02}", index + 2)
    return None


def _day_after_month(tokens: Tokens, index: int, month: int) -> DateFound | None:
    day, step = _day(tokens, index)
    if not day:
        return None
    year, end = _year_behind(tokens, step)
    behind = tokens.at(step)
    if year is None and (tokens.glued(step) and (behind.kind == "word" or behind.low in (":", "%", "/"))):
        return None
    return DateFound(calendar_day(year, month, day), end)


def _day_first(tokens: Tokens, index: int) -> DateFound | None:
    """15 March 2024, the 23rd day of September 1998, the 1 st of May, 30-Jun-2023."""
    if _MONTHS_WRITTEN.isdisjoint(tokens.vocabulary):
        return None
    day, behind = _day(tokens, index)
    if not day:
        return None
    step, plain = _to_month(tokens, index, behind)
    month = month_at(tokens, step)
    if month is None or not tokens.near(step):
        return None
    step += 1
    if tokens.low(step) == "." and tokens.glued(step) and tokens.at(step + 1).kind == "number":
        step += 1
    year, end = _year_behind(tokens, step)
    if year is None and plain and tokens.low(step) != "":
        return _day_of_month(tokens, index, step, month, day)
    return DateFound(calendar_day(year, month, day), end)


def _to_month(tokens: Tokens, index: int, step: int) -> tuple[int, bool]:
    """Where the month of a day must stand, and whether nothing but its place says that the day is one."""
    plain = step == index + 1 and tokens.at(index).kind == "number"
    if tokens.low(step) == "day":
        step, plain = step + 1, False
    joined = tokens.low(step)
    if joined == "of" and not plain:
        step += 1
        step += tokens.low(step)[:3] in WEEKDAYS
        while tokens.low(step) in _BLANKS and tokens.low(step) and step < index + 12:
            step += 1
    elif joined in _SEPARATORS and tokens.glued(step) and tokens.glued(step + 1):
        step += 1
    return step, plain


def _day_of_month(tokens: Tokens, index: int, step: int, month: int, day: int) -> DateFound | None:
    """The day of "15 March" without a year; not the 15 of "rule 15 March 3"."""
    if tokens.at(step).kind == "number" or tokens.low(index - 1) in MONTHS:
        return None
    return DateFound(calendar_day(None, month, day), step)


def _day(tokens: Tokens, index: int) -> tuple[int, int]:
    """A day of a month and the index behind it; 0 where there is none."""
    token = tokens.at(index)
    if token.kind == "number":
        if not token.text.isdigit() or len(token.text) > 2:
            return 0, index
        behind = ordinal_suffix(tokens, index + 1) or index + 1
        return (int(token.text), behind) if 0 < int(token.text) < 32 else (0, index)
    ordinal = read_ordinal(tokens, index)
    return ordinal if ordinal and ordinal[0] < 32 else (0, index)


def _year_behind(tokens: Tokens, index: int) -> tuple[int | None, int]:
    """The year after a day and a month, and the index behind it."""
    step = index + (tokens.low(index) == ",")
    if tokens.low(step) in _SEPARATORS and tokens.glued(step):
        digits = tokens.at(step + 1).text
        days = tokens.low(step + 2) == "," and year_at(tokens, step + 3) is not None  # October 1-31, 2020
        if tokens.glued(step + 1) and digits.isdigit() and len(digits) == 2 and not days:
            return century(digits), step + 2
        step += 1
    elif (
        tokens.low(step) in ("'", "\u2019")
        and tokens.at(step + 1).text.isdigit()
        and len(tokens.at(step + 1).text) == 2
    ):
        return century(tokens.at(step + 1).text), step + 2
    elif tokens.low(step) in ("of", "in"):
        step += 1
    elif tokens.low(step) == "day" and tokens.low(step + 1) == "of":
        step += 2
    if not tokens.near(step):
        return None, index
    year = year_at(tokens, step)
    if year is not None:
        return year, step + 1
    return _spelled_year(tokens, step) or (None, index)


def _spelled_year(tokens: Tokens, index: int) -> tuple[int, int] | None:
    if tokens.low(index) != "two" or tokens.low(index + 1) != "thousand":
        return None
    numeral = read_numeral(tokens, index)
    return (int(numeral.value), numeral.end) if numeral and 2000 <= numeral.value < 2100 else None
