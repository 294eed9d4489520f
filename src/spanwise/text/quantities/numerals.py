"""Numerals in digits and in words: what number the tokens from here on write, and where it ends."""

from __future__ import annotations

from decimal import Decimal
from typing import NamedTuple

from spanwise.text.quantities.number_tokens import FRACTIONS, Tokens
from spanwise.text.quantities.units import MEASURES, TIME

_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
UNITS = {word: value for value, word in enumerate(_SMALL.split())}
TENS = {
    word: 10 * (value + 2) for value, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split())
}
TENS |= {"fourty": 40, "ninty": 90}
SCALES = {"hundred": 2, "thousand": 3, "lakh": 5, "lakhs": 5, "million": 6, "crore": 7, "crores": 7}
SCALES |= {"billion": 9, "trillion": 12}
_MYRIADS = {"\u4e07": 4, "\u842c": 4, "\ub9cc": 4, "\u5104": 8, "\u4ebf": 8, "\uc5b5": 8, "\u5146": 12, "\uc870": 12}
SCALES |= _MYRIADS
"""Powers of ten."""
_SHORT_SCALES = {"thousands": 3, "millions": 6, "billions": 9}
_SHORT_SCALES |= {"mn": 6, "mln": 6, "bn": 9, "bln": 9, "tn": 12, "trn": 12, "mm": 6}
_CAPITAL_SCALES = {"K": 3, "M": 6, "B": 9, "MM": 6, "MN": 6, "BN": 9}
_MONEY_SCALES = {"k": 3, "m": 6, "b": 9, "t": 12}
_ORDINAL_WORDS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
    "sixteenth seventeenth eighteenth nineteenth"
)
ORDINALS = {word: value for value, word in enumerate(_ORDINAL_WORDS.split(), 1)} | {"twentieth": 20, "thirtieth": 30}
DENOMINATORS = {word: value for word, value in ORDINALS.items() if value > 2}
DENOMINATORS |= {f"{word}s": value for word, value in DENOMINATORS.items()}
DENOMINATORS |= {"half": 2, "halves": 2, "quarter": 4, "quarters": 4, "hundredth": 100, "hundredths": 100}
SUFFIXES = frozenset(["st", "nd", "rd", "th"])
_BEHIND_DECIMALS = frozenset(["%", "\u20ac", "percent", "euro", "euros", "eur", "per", "cent", "cents", "\u00b0"])
_SLASH_DENOMINATORS = frozenset([2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 32, 64, 100])
_MOST_DIGITS = 25
_NO_SEPARATORS = {ord(separator): None for separator in "' \u2019\u00a0\u2009\u202f"}
_HYPHENS = frozenset("-\u2010\u2011")
_BEHIND_A_MULTIPLE = frozenset("as the that what a an each every per daily weekly monthly yearly annually".split())
"""Words behind "twice" that make a multiple or a rate of it."""
MULTIPLES = {"twice": "2", "thrice": "3", "half": "0.5"}
_BEHIND_A_PART = frozenset(["of", "more", "less", "fewer", "as"])
"""Words behind "a third" that tell it from the third of several."""
_BEHIND_GROWTH = frozenset(["", *". , ; ) : since in from compared over to and or during within last".split()])
"""The same behind "by a third"."""
_TIMES_OF_YEAR = frozenset(["half", "halves", "quarter", "quarters"])


class Numeral(NamedTuple):  # made for every number: frozen dataclasses take four times as long
    """A number as written; `end` is the index behind its last token."""

    value: Decimal
    end: int
    spelled: bool = False
    scaled: bool = False
    fraction: bool = False
    multiple: bool = False
    """True if it says how many times as much: "twice", "half as often"."""


def read_numeral(tokens: Tokens, index: int, *, money: bool = False) -> Numeral | None:
    """The number that starts at a token, with its magnitude ("1.2 billion") and its fraction ("3 1/2").

    Args:
        tokens: The text.
        index: Where the number must start.
        money: Whether a currency stands before it, so that "5m" is five million.
    """
    token = tokens.at(index)
    if token.kind == "word":
        return _spelled(tokens, index)
    if token.kind == "fraction":
        return _scaled(tokens, Numeral(_quotient(*FRACTIONS[token.text]), index + 1, fraction=True), money=money)
    if token.kind != "number":
        return None
    if tokens.at(index + 1).text.isalpha():  # neither groups nor a decimal comma nor a fraction
        plain = _digits(token.text, index, money=money)
        return _scaled(tokens, plain, money=money) if plain else None
    found = (
        _spaced_groups(tokens, index)
        or _decimal_comma(tokens, index, money=money)
        or _digits(token.text, index, money=money)
    )
    return _scaled(tokens, _with_fraction(tokens, found), money=money) if found else None


def decimal(digits: str, *, money: bool = False) -> Decimal | None:
    """The value of digits with separators; None for 4.2.1, and for more digits than any figure has.

    Args:
        digits: Of 0 to 9, with commas, points, apostrophes or narrow spaces between them.
        money: Whether 1.234.567 may be a number; otherwise it is that of a section.
    """
    if len(digits) > _MOST_DIGITS:
        return None
    if digits.isdigit():
        return Decimal(digits)
    plain = digits.translate(_NO_SEPARATORS)
    if plain != digits and "," in plain:
        plain = plain.replace(",", ".")
    dot, comma = plain.find("."), plain.find(",")
    if 0 <= dot < comma:
        plain = plain.replace(".", "").replace(",", ".")
    elif plain.count(".") > 1:
        whole, *groups = plain.split(".")
        if not money or not 0 < len(whole) < 4 or any(len(group) != 3 for group in groups):
            return None
        plain = plain.replace(".", "")
    return Decimal(plain.replace(",", ""))


def ordinal_suffix(tokens: Tokens, index: int) -> int | None:
    """Behind the suffix of "14th", also where a scan tore it apart ("14t h", "1 st"); None where there is none."""
    if tokens.at(index).kind != "word" or not tokens.near(index):
        return None
    first = tokens.low(index)
    if first in SUFFIXES:
        return index + 1
    if len(first) == 1 and first + tokens.low(index + 1) in SUFFIXES and tokens.near(index + 1):
        return index + 2
    return None


def read_ordinal(tokens: Tokens, index: int) -> tuple[int, int] | None:
    """The value of "5th", "1 st", "fifth" or "twenty-third" and the index behind it."""
    token = tokens.at(index)
    if token.kind == "number":
        behind = ordinal_suffix(tokens, index + 1)
        return (int(token.text), behind) if behind and token.text.isdigit() and len(token.text) < 5 else None
    if value := ORDINALS.get(token.low):
        return value, index + 1
    if tens := TENS.get(token.low):
        second = index + 1 + (tokens.low(index + 1) in _HYPHENS)
        value = ORDINALS.get(tokens.low(second), 99)
        return (tens + value, second + 1) if value < 10 and tokens.near(second) else None
    return None


def _digits(text: str, index: int, *, money: bool) -> Numeral | None:
    value = decimal(text, money=money)
    return None if value is None else Numeral(value, index + 1)


def _spaced_groups(tokens: Tokens, index: int) -> Numeral | None:
    """1 234 567,89: only the decimal comma tells it from a row of three figures."""
    end = index + 1
    if not _next_group(tokens, end):
        return None
    groups = [tokens.at(index).text]
    while len(groups) < 5 and _next_group(tokens, end):
        groups.append(tokens.at(end).text)
        end += 1
    cents = tokens.at(end + 1).text
    comma = (
        tokens.low(end) == "," and tokens.glued(end) and tokens.glued(end + 1) and cents.isdigit() and len(cents) < 3
    )
    if len(groups[0]) > 3 or not groups[0].isdigit() or not comma:
        return None
    return Numeral(Decimal(f"{''.join(groups)}.{cents}"), end + 2)


def _next_group(tokens: Tokens, index: int) -> bool:
    text = tokens.at(index).text
    return len(text) == 3 and text.isdigit() and tokens.text[tokens.at(index - 1).end : tokens.at(index).start] == " "


def _decimal_comma(tokens: Tokens, index: int, *, money: bool) -> Numeral | None:
    """1,5 before a sign of percent or of money or a measure; anywhere else it is two numbers."""
    whole, part = tokens.at(index).text, tokens.at(index + 2).text
    if tokens.low(index + 1) != "," or not (tokens.glued(index + 1) and tokens.glued(index + 2)):
        return None
    if not (whole.isdigit() and part.isdigit() and len(whole) < 4 and len(part) < 3):
        return None
    following = tokens.low(index + 3)
    if money or following in _BEHIND_DECIMALS or following in SCALES or following in MEASURES:
        return Numeral(Decimal(f"{whole}.{part}"), index + 3)
    return None


def _with_fraction(tokens: Tokens, whole: Numeral) -> Numeral:
    """3¼, 3 1/2, 3-1/2; and 1/2 itself."""
    end = whole.end
    if tokens.at(end).kind == "fraction" and tokens.near(end):
        return Numeral(whole.value + _quotient(*FRACTIONS[tokens.at(end).text]), end + 1)
    if below := _slash(tokens, end - 1):
        return Numeral(below, end + 2, fraction=True)
    second = end + (tokens.low(end) == "-" and tokens.glued(end))
    if tokens.near(second) and (below := _slash(tokens, second)) and whole.value == whole.value.to_integral_value():
        return Numeral(whole.value + below, second + 3)
    return whole


def _slash(tokens: Tokens, index: int) -> Decimal | None:
    above, below = tokens.at(index).text, tokens.at(index + 2).text
    if tokens.low(index + 1) not in ("/", "\u2044", "\u2215") or not (
        tokens.glued(index + 1) and tokens.glued(index + 2)
    ):
        return None
    if not (above.isdigit() and below.isdigit() and len(above) < 3 and len(below) < 4) or tokens.low(index + 3) == "/":
        return None
    fits = int(below) in _SLASH_DENOMINATORS and 0 < int(above) < int(below)
    return _quotient(int(above), int(below)) if fits else None


def _quotient(above: int, below: int) -> Decimal:
    return Decimal(above) / Decimal(below)


def _scaled(tokens: Tokens, number: Numeral, *, money: bool) -> Numeral:
    """With the magnitude that follows: "1.2 billion", "$40K", "5-million", "half a million"."""
    end, value, scaled = number.end, number.value, number.scaled
    for _ in range(2):  # "2 hundred thousand"
        skip = tokens.low(end) in _HYPHENS and tokens.glued(end) and tokens.glued(end + 1)
        power = SCALES.get(tokens.low(end + 1), 0) if skip else _power(tokens, end, money=money)
        if not power:
            break
        value, end, scaled = value.scaleb(power), end + skip + 1, True
    if not scaled:
        return number
    while tokens.low(end - 1) in _MYRIADS and tokens.at(end).kind == "number" and tokens.at(end).text.isdigit():
        power = _MYRIADS.get(tokens.low(end + 1), 0)  # 1\u51042000\u4e07
        if not 0 < power < _MYRIADS[tokens.low(end - 1)] or tokens.at(end - 1).end != tokens.at(end).start:
            break
        value, end = value + Decimal(tokens.at(end).text).scaleb(power), end + 2
    return Numeral(whole(value), end, number.spelled, scaled=True, fraction=False)


def _power(tokens: Tokens, index: int, *, money: bool) -> int:
    if tokens.at(index).kind != "word" or not tokens.near(index):
        return 0
    word, low = tokens.at(index).text, tokens.low(index)
    if power := SCALES.get(low) or (_SHORT_SCALES.get(low) if money or low != "mm" else 0):
        return power
    if money and (tokens.glued(index) or word.isupper()):
        return _MONEY_SCALES.get(low, 0)
    named = (tokens.low(index - 1) == "3" and word == "M") or tokens.low(index - 2) == "-"  # 3M, Form 10-12B
    return _CAPITAL_SCALES.get(word, 0) if tokens.glued(index) and not named else 0


def whole(value: Decimal) -> Decimal:
    """Without an exponent or zeros behind the point where it is a whole number: 1200000000, not 1.2E+9."""
    return value.quantize(Decimal(1)) if value == value.to_integral_value() and value.adjusted() < 27 else value


def _spelled(tokens: Tokens, index: int) -> Numeral | None:
    low = tokens.low(index)
    if low in MULTIPLES and (low != "half" or tokens.low(index + 1) == "as"):
        if tokens.low(index + 1) not in _BEHIND_A_MULTIPLE:
            return None
        return Numeral(Decimal(MULTIPLES[low]), index + 1, spelled=True, multiple=True)
    if low == "half":
        return _half(tokens, index)
    if low in ("a", "an"):
        one = tokens.low(index + 1) in TIME and and_a_half(tokens, index + 2)  # an hour and a half
        return Numeral(Decimal(1), index + 1, spelled=True) if one else _after_article(tokens, index)
    return _counting(tokens, index) if low in UNITS or low in TENS else None


def _counting(tokens: Tokens, index: int) -> Numeral:
    value, end, scaled = _cardinal(tokens, index)
    if fraction := _spelled_fraction(tokens, value, end):
        return fraction
    more = _and_a_fraction(tokens, end)
    if more:
        return _scaled(tokens, Numeral(value + more.value, more.end, spelled=True, scaled=scaled), money=False)
    if tokens.low(end) == "dozen":
        return Numeral(value * 12, end + 1, spelled=True)
    return Numeral(value, end, spelled=True, scaled=scaled)


def _cardinal(tokens: Tokens, index: int) -> tuple[Decimal, int, bool]:
    """The longest sequence of words that makes one number: "two million five hundred thousand and six"."""
    total, group, end, last, biggest = 0, 0, index, 1000, 99
    scaled = False
    while True:
        step = _joint(tokens, end) if end > index else end
        low = tokens.low(step)
        value = UNITS.get(low) if last > 99 else None
        if value is None:
            value = UNITS.get(low, 0) if last in TENS.values() and 0 < UNITS.get(low, 0) < 10 else None
        if value is None and last > 99:
            value = TENS.get(low)
        if value is not None:
            group, last = group + value, value or 1
        elif low == "hundred" and 0 < group < 100:
            group, last = group * 100, 100
        elif low in SCALES and 2 < SCALES[low] < biggest and group:
            biggest, last, scaled = SCALES[low], 1000, True
            total, group = total + group * 10**biggest, 0
        else:
            return Decimal(total + group), end, scaled
        end = step + 1


def _joint(tokens: Tokens, index: int) -> int:
    """Behind what may stand inside a spelled number: a space, a hyphen, "and" after hundreds."""
    if not tokens.near(index):
        return tokens.size
    if tokens.low(index) in _HYPHENS:
        return index + 1
    after_scale = tokens.low(index - 1) in SCALES
    if tokens.low(index) == "and" and after_scale and tokens.low(index + 1) in (UNITS | TENS):
        return index + 1
    return index


def _spelled_fraction(tokens: Tokens, above: Decimal, end: int) -> Numeral | None:
    hyphen = tokens.low(end) in _HYPHENS and tokens.glued(end)
    word = tokens.low(end + hyphen)
    below = DENOMINATORS.get(word)
    if not below or not 0 < above < below or not tokens.near(end + hyphen):
        return None
    behind = tokens.low(end + hyphen + 1)
    if not hyphen and (behind in ("party", "parties", "person", "persons") or word == "second"):
        return None
    if not hyphen and word in _TIMES_OF_YEAR and word != "half" and behind != "of":
        return None  # three quarters of the fee, but three quarters in a row
    return Numeral(above / below, end + hyphen + 1, spelled=True, fraction=True)


def _and_a_fraction(tokens: Tokens, end: int) -> Numeral | None:
    """The half of "two and a half", "two-and-a-half" and "one and one-half"."""
    if tokens.low(end) in _HYPHENS and [tokens.low(end + step) for step in (1, 3, 5)] == ["and", "a", "half"]:
        return Numeral(Decimal("0.5"), end + 6)
    if tokens.low(end) != "and":
        return None
    low = tokens.low(end + 1)
    if behind := and_a_half(tokens, end):
        return Numeral(Decimal("0.5"), behind)
    if low in UNITS:
        return _spelled_fraction(tokens, Decimal(UNITS[low]), end + 2)
    return None


def and_a_half(tokens: Tokens, index: int) -> int:
    """Behind the "and a half" that begins at a token, 0 where there is none."""
    return index + 3 if [tokens.low(index + step) for step in range(3)] == ["and", "a", "half"] else 0


def _after_article(tokens: Tokens, index: int) -> Numeral | None:
    """The number of "a dozen", "a hundred", "a million", "a half", "a third of"."""
    low = tokens.low(index + 1)
    if not tokens.near(index + 1):
        return None
    if low == "dozen":
        return Numeral(Decimal(12), index + 2, spelled=True)
    if low == "half" and tokens.low(index + 2) not in ("-", "year", "day"):
        return Numeral(Decimal("0.5"), index + 2, spelled=True, fraction=True)
    behind = tokens.low(index + 2)
    grown = tokens.low(index - 1) == "by" and behind in _BEHIND_GROWTH
    if low in DENOMINATORS and (behind in _BEHIND_A_PART or grown):
        return Numeral(1 / Decimal(DENOMINATORS[low]), index + 2, spelled=True, fraction=True)
    if low in SCALES and behind != "-":
        return Numeral(Decimal(10) ** SCALES[low], index + 2, spelled=True, scaled=low != "hundred")
    return None


def _half(tokens: Tokens, index: int) -> Numeral | None:
    """The number of "half a million", "half of", "half the"; not the half of "half-yearly" or "second half"."""
    following = tokens.low(index + 1)
    if tokens.low(index - 1) in ("first", "second", "last", "latter", "other", "better"):
        return None
    if tokens.glued(index + 1) and following in _HYPHENS:
        return None
    if following in ("a", "an") and tokens.low(index + 2) in SCALES:
        power = SCALES[tokens.low(index + 2)]
        return Numeral(Decimal(5).scaleb(power - 1).quantize(Decimal(1)), index + 3, spelled=True, scaled=True)
    if following in ("a", "an") and tokens.low(index + 2) in TIME:
        return Numeral(Decimal("0.5"), index + 2, spelled=True)
    if following in ("a", "an", "of", "the", "its", "their"):
        return Numeral(Decimal("0.5"), index + 1, spelled=True, fraction=True)
    return None
