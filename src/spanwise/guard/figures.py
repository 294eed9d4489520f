"""The figures of a sentence (percentages, money, durations, dates, plain numbers) as values that can be compared."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from itertools import zip_longest
from typing import Literal, TypeAlias

FigureKind: TypeAlias = Literal["percent", "money", "duration", "date", "number"]
Bound: TypeAlias = Literal["least", "most"]


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure, where it stands and what it is worth."""

    kind: FigureKind
    value: tuple[int, int, int] | Decimal
    """A date as year, month, day (0 where not given); a duration in hours or months."""
    unit: str
    """Currency code; `hour`, `month` or `business hour`; empty otherwise."""
    start: int
    end: int
    per: str = ""
    """The period of a rate: "1.5% per month"."""
    bound: Bound | None = None
    """Whether the words before make it a lower or an upper limit."""


_DIGITS = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)*"
_SCALES = {"hundred": 10**2, "thousand": 10**3, "k": 10**3, "million": 10**6, "m": 10**6, "billion": 10**9, "bn": 10**9}
_SMALL = dict(
    zip(
        [
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
        ],
        range(1, 20),
        strict=True,
    )
)
_TENS = dict(
    zip(["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], range(20, 100, 10), strict=True)
)
_SPELLED = (
    rf"(?:(?:{'|'.join(_TENS)})(?:[\s-](?:one|two|three|four|five|six|seven|eight|nine)\b)?"
    rf"|(?:{'|'.join(sorted(_SMALL, key=len, reverse=True))}))"
)
_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_DATES = (
    re.compile(r"\b(?P<year>\d{4})-(?P<monthno>\d{1,2})-(?P<day>\d{1,2})\b"),
    re.compile(
        rf"\b{_MONTH}\s{{1,3}}(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\b(?:,?\s{{1,3}}(?P<year>\d{{4}})\b)?", re.IGNORECASE
    ),
    re.compile(
        rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s{{1,3}}(?:of\s{{1,3}})?{_MONTH}(?:,?\s{{1,3}}(?P<year>\d{{4}})\b)?",
        re.IGNORECASE,
    ),
    re.compile(rf"\b{_MONTH},?\s{{1,3}}(?P<year>\d{{4}})\b", re.IGNORECASE),
)
_CURRENCIES = {"us$": "USD", "$": "USD", "\u20ac": "EUR", "\u00a3": "GBP", "\u00a5": "JPY"}
_CURRENCIES |= {"dollar": "USD", "euro": "EUR", "pound": "GBP", "yen": "JPY", "franc": "CHF"}
_CODES = ["usd", "eur", "gbp", "jpy", "chf", "cad", "aud", "cny", "inr", "sek", "nok", "dkk"]
_NUMBER = re.compile(
    rf"(?:(?P<currency>us\$|[$\u20ac\u00a3\u00a5]|\b(?:{'|'.join(_CODES)})\b)\s?)?"
    rf"(?P<sign>(?<![\w.)])[-\u2212])?"
    rf"(?:(?<![\w.])(?P<digits>{_DIGITS})(?!\d)|\b(?P<spelled>{_SPELLED})\b)"
    rf"(?P<scale>\s?(?:{'|'.join(_SCALES)})\b)?",
    re.IGNORECASE,
)
_PERCENT = re.compile(
    r"\s?(?:%|per\s?cent\b|percent(?:age)?\b|basis\s{1,3}points?\b|bps\b)(?:\s{1,3}points?\b)?", re.IGNORECASE
)
_MONEY_AFTER = re.compile(
    rf"\s?(?:(?P<code>{'|'.join(_CODES)})\b|(?:us\s)?(?P<name>dollar|euro|pound|yen|franc)s?\b|(?P<sign>[\u20ac\u00a3]))",
    re.IGNORECASE,
)
_DURATION = re.compile(
    r"[\s-]?(?P<business>(?:business|working)[\s-])?(?:(?:calendar|consecutive)[\s-])?"
    r"(?P<unit>hour|day|week|fortnight|month|quarter|year|hr|yr)s?\b",
    re.IGNORECASE,
)
_HOURS = {"hour": 1, "hr": 1, "day": 24, "week": 24 * 7, "fortnight": 24 * 14}
_WHOLE_MONTHS = {"month": 1, "quarter": 3, "year": 12, "yr": 12}
_PER = re.compile(
    r"\s?(?:(?:per|an?|each|every|/)\s?(?:calendar\s)?(?P<noun>hour|day|week|month|quarter|year|annum)\b"
    r"|(?P<adverb>hourly|daily|weekly|monthly|quarterly|annually|annual|yearly)\b)",
    re.IGNORECASE,
)
_PERIODS = {"daily": "day", "annum": "year", "annually": "year", "annual": "year"}
_LEAST = re.compile(
    r"(?:at least|no(?:t)? (?:less|fewer) than|more than|minimum of|over|exceed(?:s|ing)?)\s?\Z", re.IGNORECASE
)
_MOST = re.compile(
    r"(?:at most|no(?:t)? more than|not exceed(?:ing)?|less than|fewer than|up to|maximum of|no later than|under"
    r"|capped at|limited to)\s?\Z",
    re.IGNORECASE,
)
_LOOK_BACK = 24
_LONGEST_NUMBER = 40


def figures(text: str) -> list[Figure]:
    """The figures of a text, in order; what does not parse as one is left out."""
    dates = list(_dates(text))
    taken = {position for date in dates for position in range(date.start, date.end)}
    numbers = [
        figure
        for match in _NUMBER.finditer(text)
        if taken.isdisjoint(range(*match.span())) and (figure := _number(text, match))
    ]
    return sorted(dates + _without_repeats(text, numbers), key=lambda figure: figure.start)


def agrees(claim: Figure, source: Figure) -> bool:
    """Whether the source says this figure: the same value, nothing the claim adds (a period, a limit) against it."""
    if claim.kind == "date" and source.kind == "date":
        return _same_date(claim.value, source.value)
    if claim.kind == "number" and source.kind in {"duration", "date"}:
        return _bare_value(claim, source)
    return (
        claim.kind == source.kind
        and claim.unit == source.unit
        and claim.value == source.value
        and (not claim.per or not source.per or claim.per == source.per)
        and (claim.bound is None or source.bound is None or claim.bound == source.bound)
    )


def comparable(claim: Figure, source: Figure) -> bool:
    """Whether the two could be said of the same thing, so that a difference between them is a conflict."""
    return claim.kind == source.kind and (claim.kind != "number" or source.kind == "number")


def _dates(text: str) -> Iterator[Figure]:
    taken: set[int] = set()
    for pattern in _DATES:
        for match in pattern.finditer(text):
            parts = match.groupdict()
            month = int(parts["monthno"]) if parts.get("monthno") else _MONTHS.index(parts["month"][:3].lower()) + 1
            start, end = match.span()
            if not taken.isdisjoint(range(start, end)):
                continue
            taken.update(range(start, end))
            yield Figure("date", (int(parts.get("year") or 0), month, int(parts.get("day") or 0)), "", start, end)


def _number(text: str, match: re.Match[str]) -> Figure | None:
    value = _value(match)
    if value is None:
        return None
    start, end = match.span()
    if text[start - 1 : start] == "(" and text.startswith(")", end):
        end += 1  # "thirty (30) days": the unit stands behind the bracket
    bound = _bound(text, start)
    if match["currency"]:
        code = _CURRENCIES.get(match["currency"].lower(), match["currency"].upper())
        return _rate(text, Figure("money", value, code, start, end, bound=bound))
    if percent := _PERCENT.match(text, end):
        points = percent.group().strip().lower().startswith(("basis", "bps"))
        return _rate(text, Figure("percent", value / 100 if points else value, "", start, percent.end(), bound=bound))
    if money := _MONEY_AFTER.match(text, end):
        code = money["code"] or _CURRENCIES[(money["name"] or money["sign"]).lower()]
        return _rate(text, Figure("money", value, code.upper(), start, money.end(), bound=bound))
    if duration := _DURATION.match(text, end):
        return _duration(value, duration, start, bound)
    counts_nothing = match["spelled"] and value == 1  # "one of the parties"
    return None if counts_nothing else Figure("number", value, "", start, end, bound=bound)


def _duration(value: Decimal, match: re.Match[str], start: int, bound: Bound | None) -> Figure:
    unit = match["unit"].lower()
    if unit in _WHOLE_MONTHS:
        return Figure("duration", value * _WHOLE_MONTHS[unit], "month", start, match.end(), bound=bound)
    name = "business hour" if match["business"] else "hour"
    return Figure("duration", value * _HOURS[unit], name, start, match.end(), bound=bound)


def _value(match: re.Match[str]) -> Decimal | None:
    if match["spelled"]:
        tens, _, ones = match["spelled"].lower().replace("-", " ").partition(" ")
        value: Decimal | None = Decimal(_TENS.get(tens, _SMALL.get(tens, 0)) + _SMALL.get(ones, 0))
    else:
        value = _decimal(match["digits"])
    if value is None:
        return None
    scale = _SCALES[match["scale"].strip().lower()] if match["scale"] else 1
    return -value * scale if match["sign"] else value * scale


def _decimal(digits: str) -> Decimal | None:
    if len(digits) > _LONGEST_NUMBER:
        return None
    whole, comma, fraction = digits.partition(",")
    decimal_comma = comma and "." not in digits and "," not in fraction and len(fraction) != len("000")
    try:
        return Decimal(f"{whole}.{fraction}" if decimal_comma else digits.replace(",", ""))
    except InvalidOperation:
        return None  # 4.2.1 is the number of a clause


def _rate(text: str, figure: Figure) -> Figure:
    match = _PER.match(text, figure.end)
    if not match:
        return figure
    word = (match["noun"] or match["adverb"]).lower()
    per = _PERIODS.get(word, word.removesuffix("ly"))
    return Figure(figure.kind, figure.value, figure.unit, figure.start, match.end(), per, figure.bound)


def _bound(text: str, start: int) -> Bound | None:
    before = text[max(0, start - _LOOK_BACK) : start]
    if _MOST.search(before):
        return "most"
    return "least" if _LEAST.search(before) else None


def _without_repeats(text: str, numbers: Sequence[Figure]) -> list[Figure]:
    """Drop the word of "thirty (30) days", which says the figure in brackets once more."""
    return [
        figure
        for figure, following in zip_longest(numbers, numbers[1:])
        if not (
            following
            and figure.kind == "number"
            and text[figure.end : following.start].strip() == "("
            and (figure.value == following.value or agrees(figure, following))
        )
    ]


def _same_date(claim: object, source: object) -> bool:
    if not isinstance(claim, tuple) or not isinstance(source, tuple):
        return False
    # A claim may say less than the source (a month of a year), never more.
    return all(ours in (0, theirs) for ours, theirs in zip(claim, source, strict=True))


def _bare_value(claim: Figure, source: Figure) -> bool:
    if isinstance(source.value, tuple):
        return claim.value in source.value
    return isinstance(claim.value, Decimal) and any(
        claim.value * factor == source.value for factor in (*_HOURS.values(), *_WHOLE_MONTHS.values())
    )
