"""Years that stand alone, in lists and in ranges: the hard part is telling 2019 the year from 2019 the number."""

from __future__ import annotations

from spanwise.text.quantities.currencies import SIGNS
from spanwise.text.quantities.dates import calendar_day, year_at
from spanwise.text.quantities.model import Quantity
from spanwise.text.quantities.tokens import Tokens
from spanwise.text.quantities.units import read_unit

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
    """Whether what stands behind a number makes it a quantity of something rather than a year."""
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
    """Whether nothing makes it a part of a larger number or name."""
    before, behind = tokens.at(index - 1), tokens.at(index + 1)
    if tokens.glued(index) and (before.kind == "word" or before.low in (".", "#", "_")):
        return False
    if tokens.glued(index + 1) and (behind.kind != "mark" or behind.low in ("%", "_")):
        return False
    if behind.low == "-" and tokens.glued(index + 1) and tokens.glued(index + 2) and tokens.capitalised(index + 2):
        return False
    return not (behind.low in (":", ",", "/") and tokens.glued(index + 1) and tokens.glued(index + 2))
