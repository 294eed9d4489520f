"""Periods of accounts: fiscal years, quarters, halves, and "three months ended June 30, 2023"."""

from __future__ import annotations

from dataclasses import dataclass

from spanwise.text.quantities.dates import century, read_date, year_at
from spanwise.text.quantities.numerals import read_numeral
from spanwise.text.quantities.tokens import Tokens

STARTS = frozenset("fiscal fy cy year years quarter quarters period months weeks week half calendar".split())
"""Words that a period can start with, besides its number."""
_QUARTERS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4, "last": 0}
ENDS = frozenset(["ended", "ending", "ends", "end"])
"""Words between the length of a period and the day it ends on."""
_LETTERS = {"month": "M", "week": "W", "day": "D", "year": "Y", "quarter": "3M"}


@dataclass(frozen=True, slots=True)
class PeriodFound:
    """A period that ends before the token `end`."""

    iso: str
    end: int


def read_period(tokens: Tokens, index: int) -> PeriodFound | None:
    """The period that starts at a token."""
    low, kind = tokens.low(index), tokens.at(index).kind
    if kind == "number":
        return _number_first(tokens, index)
    if low in ("fy", "cy"):
        return _short_fiscal(tokens, index)
    if low in ("q", "h"):
        return _short_quarter(tokens, index)
    return _period_in_words(tokens, index, low)


def _period_in_words(tokens: Tokens, index: int, low: str) -> PeriodFound | None:
    if low in ("fiscal", "calendar"):
        return _fiscal(tokens, index) or _ended(tokens, index, "1Y")
    if low in ("year", "years", "quarter", "quarters"):
        return _ended(tokens, index, "3M" if low.startswith("q") else "1Y") or _fiscal_years(tokens, index)
    if low in _QUARTERS:
        return _spelled_quarter(tokens, index, _QUARTERS[low], index + 1) or _length_ended(tokens, index)
    return _length_ended(tokens, index)


def _number_first(tokens: Tokens, index: int) -> PeriodFound | None:
    """2Q23, 1H 2022, 4th quarter of 2022, 2022 fiscal year, 52 weeks ended January 28, 2023."""
    text, following = tokens.at(index).text, tokens.low(index + 1)
    if text in ("1", "2", "3", "4") and tokens.glued(index + 1):
        if following == "q" or (following == "h" and text in ("1", "2")):
            year, end = _any_year(tokens, index + 2)
            return PeriodFound(f"{year}-{following.upper()}{text}", end) if year else None
        if following in ("st", "nd", "rd", "th"):
            return _spelled_quarter(tokens, index, int(text), index + 2)
    year_number = year_at(tokens, index)
    if year_number is not None and following == "fiscal" and tokens.low(index + 2) == "year":
        return PeriodFound(f"FY{year_number}", index + 3)
    if year_number is not None and following in _QUARTERS:
        found = _quarter_word(tokens, _QUARTERS[following], index + 2)
        return PeriodFound(f"{year_number}-{found[0]}", found[2]) if found else None
    return _length_ended(tokens, index)


def _short_fiscal(tokens: Tokens, index: int) -> PeriodFound | None:
    year, end = _any_year(tokens, index)
    return PeriodFound(year, end) if year else None


def _short_quarter(tokens: Tokens, index: int) -> PeriodFound | None:
    digit, letter = tokens.at(index + 1).text, tokens.at(index).text
    if letter not in ("Q", "H") or digit not in ("1", "2", "3", "4") or not tokens.glued(index + 1):
        return None
    year, end = _any_year(tokens, index + 2)
    return PeriodFound(f"{year}-{letter}{digit}" if year else f"{letter}{digit}", end if year else index + 2)


def _any_year(tokens: Tokens, index: int) -> tuple[str, int]:
    """`FY2022` for "FY22", "fiscal 2022", "of fiscal year 2022"; `2022` for a plain year; empty where none stands."""
    step, fiscal = index, False
    step += tokens.low(step) in ("of", "in", ",", "-")
    step += tokens.low(step) == "the"
    while tokens.low(step) in ("fiscal", "fy", "year", "calendar", "cy") and step < index + 5:
        fiscal = fiscal or tokens.low(step) in ("fiscal", "fy")
        step += 1
    apostrophe = tokens.low(step) in ("'", "\u2019")
    step += apostrophe
    year = year_at(tokens, step)
    digits = tokens.at(step).text
    close = tokens.glued(step) or apostrophe or (fiscal and tokens.low(step - 1) == "fy" and tokens.near(step))
    if year is None and close and len(digits) == 2 and digits.isdigit():
        year = century(digits)
    if year is None or not tokens.near(step):
        return "", index
    return f"{'FY' if fiscal else ''}{year}", step + 1


def _fiscal(tokens: Tokens, index: int) -> PeriodFound | None:
    """The year of "fiscal 2022", "fiscal year 2022", "calendar year 2019", "fiscal years 2020"."""
    step = index + 1
    if tokens.low(step) in ("year", "years"):
        step += 1
    year = year_at(tokens, step) if tokens.near(step) else None
    if year is None:
        return None
    return PeriodFound(f"{'FY' if tokens.low(index) == 'fiscal' else ''}{year}", step + 1)


def _fiscal_years(tokens: Tokens, index: int) -> PeriodFound | None:
    """The year of "year 2022"."""
    year = year_at(tokens, index + 1) if tokens.near(index + 1) else None
    return PeriodFound(f"{year}", index + 2) if year is not None else None


def _spelled_quarter(tokens: Tokens, start: int, number: int, index: int) -> PeriodFound | None:
    found = _quarter_word(tokens, number, index)
    if found is None or (not number and start):
        return None
    name, fiscal, end = found
    if ended := _ended(tokens, end - 1, "3M" if name.startswith("Q") else "6M"):
        return ended
    year, behind = _any_year(tokens, end)
    if year:
        return PeriodFound(f"{'FY' if fiscal and not year.startswith('FY') else ''}{year}-{name}", behind)
    return PeriodFound(name, end)


def _quarter_word(tokens: Tokens, number: int, index: int) -> tuple[str, bool, int] | None:
    """Of the words behind "second": `Q2` or `H2`, whether they say "fiscal", and the index behind them."""
    fiscal = tokens.low(index) in ("fiscal", "calendar")
    step = index + fiscal
    word = tokens.low(step)
    if not tokens.near(step) or not number or word not in ("quarter", "half") or (word == "half" and number > 2):
        return None
    return f"{'Q' if word == 'quarter' else 'H'}{number}", tokens.low(index) == "fiscal", step + 1


def _length_ended(tokens: Tokens, index: int) -> PeriodFound | None:
    """The period of "three months ended", "thirty-nine (39) weeks ended", "twelve-month period ended"."""
    if ENDS.isdisjoint(tokens.vocabulary):
        return None
    numeral = read_numeral(tokens, index)
    if numeral is None or not 0 < numeral.value < 1000 or numeral.value != int(numeral.value):
        return None
    step = numeral.end + (tokens.low(numeral.end) == "-")
    letter = _LETTERS.get(tokens.low(step).removesuffix("s"))
    if not letter:
        return None
    length = f"{int(numeral.value) * 3}M" if letter == "3M" else f"{int(numeral.value)}{letter}"
    return _ended(tokens, step, length)


def _ended(tokens: Tokens, index: int, length: str) -> PeriodFound | None:
    """The end behind a word of time: "years ended December 31, 2022", "fiscal year ending June 30"."""
    step = index + 1
    while tokens.low(step) in ("year", "years", "period", "periods", "quarter", "quarters") and step < index + 3:
        step += 1
    if tokens.low(step) not in ENDS or not tokens.near(step):
        return None
    step += 1
    step += tokens.low(step) in ("on", ":")
    date = read_date(tokens, step) if tokens.near(step) else None
    if date is None or not date.iso or date.iso.count("-") < 2:
        return None
    if tokens.low(index) in ("fiscal", "calendar") and tokens.low(index + 1).startswith("quarter"):
        length = "3M"
    return PeriodFound(f"P{length}/{date.iso}", date.end)
