"""Periods of accounts: fiscal years, quarters, halves, and "three months ended June 30, 2023", and years alone.

The hard part is telling 2019 the year from 2019 the number.
"""

from __future__ import annotations

from dataclasses import dataclass

from spanwise.text.quantities.currencies import SIGNS
from spanwise.text.quantities.dates import calendar_day, century, read_date, year_at
from spanwise.text.quantities.model import Quantity
from spanwise.text.quantities.number_tokens import Tokens
from spanwise.text.quantities.numerals import read_numeral
from spanwise.text.quantities.units import read_unit

STARTS = frozenset("fiscal fy cy year years quarter quarters period months weeks week half calendar".split())
"""Words that a period can start with, besides its number."""
_QUARTERS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4, "last": 0}
ENDS = frozenset(["ended", "ending", "ends", "end"])
"""Words between the length of a period and the day it ends on."""
_LETTERS = {"month": "M", "week": "W", "day": "D", "year": "Y", "quarter": "3M"}
_BEFORE = frozenset(
    "in during since by until till through year years ended ending before after late early mid summer winter spring "
    "autumn fall circa around between until end start beginning vs versus calendar".split()
)
_SURE = frozenset(["in", "during", "since", "until", "circa", "between", "year", "years", "by", "before", "after"])
_JOINTS = frozenset(["-", "\u2013", "\u2014", "to", "through", "and", "/"])
_LONGEST_SHORT_RANGE = 20
"""Years between 2019 and 20 in "2019-20"; Revenue Ruling 2007-67 is no range."""
_THINGS = frozenset(
    "share employee unit store person customer location hour vote word option warrant item time".split()
)


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
            if tokens.at(index + 1).text == "h" and tokens.glued(index + 2):
                return None  # 1h30 is an hour and a half
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


def read_year(tokens: Tokens, index: int) -> int:
    """The year that stands alone at a token, 0 for any other number."""
    year = year_at(tokens, index)
    if year is None or tokens.low(index - 1) in SIGNS or not _stands_alone(tokens, index):
        return 0
    unit = read_unit(tokens, index + 1)
    before = tokens.low(index - 1)
    if _counts(tokens, index + 1):
        return 0
    if 1900 <= year < 2100:
        return 0 if unit and not _recent(year) and before not in _BEFORE else year
    sure = before in _SURE or (before == "of" and tokens.low(index + 1) == ",")
    return year if sure and unit is None and year < 2100 else 0


def year_range(tokens: Tokens, index: int) -> tuple[str, int] | None:
    """Both years of "2019-2021", "2019-20", "between 1268 and 1273" as `2019/2021`, and the index behind them."""
    first, joint = year_at(tokens, index), tokens.low(index + 1)
    if first is None or not _joins_years(tokens, index, joint):
        return None
    second = year_at(tokens, index + 2) or _short_second(tokens, index, first)
    if not first < second < 2100 or not _stands_alone(tokens, index + 2) or _counts(tokens, index + 3):
        return None
    if first < 1900 and joint in ("to", "through") and tokens.low(index - 1) not in _SURE | {"from"}:
        return None
    return f"{first}/{second}", index + 3


def _joins_years(tokens: Tokens, index: int, joint: str) -> bool:
    before = tokens.low(index - 1)
    if joint not in _JOINTS or before in SIGNS or (joint == "and" and before != "between"):
        return False
    spaced = not (tokens.glued(index + 1) and tokens.glued(index + 2))
    return tokens.near(index + 2) and not (spaced and joint in ("-", "/", "\u2014"))


def _short_second(tokens: Tokens, index: int, first: int) -> int:
    """The second year of "2019-20"."""
    digits = tokens.at(index + 2).text
    if len(digits) != 2 or not digits.isdigit() or not tokens.glued(index + 2):
        return 0
    second = first - first % 100 + int(digits)
    return second if second <= first + (1 if tokens.low(index + 1) == "/" else _LONGEST_SHORT_RANGE) else 0


def _counts(tokens: Tokens, index: int) -> bool:
    """True if what stands behind a number makes it a quantity of something rather than a year."""
    unit = read_unit(tokens, index)
    return unit is not None and (unit.kind != "count" or unit.name in _THINGS)


def inherited(tokens: Tokens, index: int, floor: int, previous: Quantity | None, year: int) -> tuple[str, bool]:
    """The year with what it takes over from the time named right before it, and whether that is a period.

    In "December 31, 2022 and 2021" and in "fiscal 2017, 2016 and 2015" the later years stand for more than a year.
    """
    plain = f"{year}"
    if previous is None or not previous.iso or not 0 < index - floor < 3:
        return plain, False
    if any(tokens.low(step) not in (",", "and", "or", "&", "compared", "to") for step in range(floor, index)):
        return plain, False
    iso = previous.iso
    if iso.startswith("FY") or "-Q" in iso or "-H" in iso:
        return _with_year(iso, year, 2 if iso.startswith("FY") else 0), True
    head, slash, day = iso.rpartition("/")
    if iso.startswith("P") and len(day) == 10:
        return f"{head}{slash}{_same_day(day, year)}", True
    if len(iso) == 4:
        return plain, previous.kind == "period"
    return (_same_day(iso, year), False) if previous.kind == "date" and len(iso) == 10 else (plain, False)


def _with_year(iso: str, year: int, start: int) -> str:
    return f"{iso[:start]}{year}{iso[start + 4 :]}"


def _same_day(day: str, year: int) -> str:
    return calendar_day(year, int(day[5:7]), int(day[8:10])) or f"{year}{day[4:7]}"


def _recent(year: int) -> bool:
    return 1985 <= year <= 2040


def _stands_alone(tokens: Tokens, index: int) -> bool:
    """True if nothing makes it a part of a larger number or name."""
    before, behind = tokens.at(index - 1), tokens.at(index + 1)
    if tokens.glued(index) and (before.kind == "word" or before.low in (".", "#", "_")):
        return False
    if tokens.glued(index + 1) and (behind.kind != "mark" or behind.low in ("%", "_")):
        return False
    if behind.low == "-" and tokens.glued(index + 1) and tokens.glued(index + 2) and tokens.capitalised(index + 2):
        return False
    return not (behind.low in (":", ",", "/") and tokens.glued(index + 1) and tokens.glued(index + 2))
