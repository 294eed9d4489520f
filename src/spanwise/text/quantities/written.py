"""Numbers as other languages write them: their tokens in the form that the grammar of English reads.

Places in the text stay; what changes is only how a token reads ("März" as March, "3,5" as 3.5, "個月" as months).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import takewhile
from typing import NamedTuple

from spanwise.text.languages import ENGLISH, language_of
from spanwise.text.languages.data import MONTHS, languages
from spanwise.text.quantities.currencies import SIGNS
from spanwise.text.quantities.number_tokens import Token


class _Written(NamedTuple):
    """The words in and beside numbers of all languages."""

    months: Mapping[str, str]
    words: Mapping[str, str]
    counters: Mapping[str, str]
    numerals: Mapping[str, str]
    eras: Mapping[str, int]
    also_english: frozenset[str]
    month_words: frozenset[str]


_POINT_GROUPS = re.compile(r"[0-9]{1,3}(?:\.[0-9]{3})+")
_COMMA_GROUP = re.compile(r"[0-9]{1,3},[0-9]{3}")
_OF = frozenset(["de", "del", "di", "d", "of", "năm"])
_ORDINAL_MARKS = frozenset([".", "er", "\u00ba", "\u00b0"])
_MAGNITUDES = frozenset("\u4e07\u842c\ub9cc\u5104\u4ebf\uc5b5\u5146\uc870\u5343")
_SHORT_YEAR = re.compile(r"1[0-9]{3}|2[01][0-9]{2}")
_ERA_ENDS = frozenset("\u548c\u6210\u570b\u56fd\u6b63\u6cbb")
"""What an era of Japan or Taiwan ends with, whose years are counted."""
_HAN_DIGITS = {sign: value for value, sign in enumerate("\u3007\u4e00\u4e8c\u4e09\u56db\u4e94\u516d\u4e03\u516b\u4e5d")}
_HAN_DIGITS |= {"\u96f6": 0, "\u4e24": 2, "\u5169": 2}
_HAN_POWERS = {"\u5341": 10, "\u767e": 100, "\u5343": 1000, "\u4e07": 10_000, "\u842c": 10_000}
_FIRST_YEAR = "\u5143"
_MOST_HAN = 12
_LONGEST_ERA = 8
_SCALES = frozenset(["thousand", "million", "billion"])
_LONGEST_SHORT_SCALE = 4
"""Letters of a magnitude that is cut short: "Mio.", "Mrd."."""
_NEAR = 2
_GROUP_SPACES = frozenset([" ", "\u00a0", "\u2009", "\u202f"])


def anglicised(text: str, items: list[Token]) -> list[Token]:
    """The tokens of a text as English would have them, where it plainly is of another language."""
    table = _table()
    known = {one.low for one in items}
    language = languages()[language_of(text)]
    telling = {one for one in known if one in table.months or one in table.words} - table.also_english
    dated = not known.isdisjoint(table.months) and any(_SHORT_YEAR.fullmatch(one) for one in known)
    foreign = language.code != ENGLISH
    if not foreign and not telling and not dated and known.isdisjoint(table.counters):
        return items
    if not known.isdisjoint(table.counters):
        items = _with_han_numbers(text, _with_shares(items), table)
    read = _with_words(items, table, foreign=foreign)
    if language.percent_before:
        read = _with_signs_behind(read, language.percent_before)
    return _with_numbers(text, read) if language.decimal_comma else read


def _with_words(items: Sequence[Token], table: _Written, *, foreign: bool) -> list[Token]:
    found: list[Token] = []
    place = 0
    while place < len(items):
        one, low = items[place], items[place].low
        behind = items[place + 1] if place + 1 < len(items) else None
        number = _number_before(found)
        sure = foreign or low not in table.also_english
        dated = number is not None and behind is not None and _SHORT_YEAR.fullmatch(behind.text) is not None
        beside = number is not None or (behind is not None and behind.kind == "number")
        if low in table.month_words and (month := _numbered_month(items, place, table)):
            found.append(one._replace(text=month.capitalize(), low=month, end=items[place + 1].end))
            place += 1
        elif low in table.counters:
            found.append(_counter(one, number, found, table))
        elif low in table.months and (sure or dated) and beside:
            found.append(one._replace(text=table.months[low].capitalize(), low=table.months[low]))
        elif low in table.words and sure and number is not None:
            year = table.words[low] == "years" and _SHORT_YEAR.fullmatch(number.text)
            found.append(one if year else one._replace(text=table.words[low], low=table.words[low]))
        elif foreign and low in table.numerals and behind is not None and behind.low in table.words:
            found.append(one._replace(kind="number", text=table.numerals[low], low=table.numerals[low]))
        elif not _joins_date(one, number, found, behind, table) and not _shortens(one, found, behind, table):
            found.append(one)
        place += 1
    return found


def _numbered_month(items: Sequence[Token], place: int, table: _Written) -> str:
    """The English name of "tháng 3", a month by its number; nothing where months are counted ("3 tháng 5 ngày")."""
    number, behind, last = (items[at] if at < len(items) else None for at in range(place + 1, place + 4))
    if number is None or not number.text.isdigit() or not 0 < int(number.text[:3]) <= len(MONTHS):
        return ""
    year = last is not None and _SHORT_YEAR.fullmatch(last.text) is not None
    return MONTHS[int(number.text) - 1] if behind is None or behind.low not in table.words or year else ""


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
    before_month = (behind.low in table.months or behind.low in table.month_words) and number is not None
    if one.low in _ORDINAL_MARKS and before_month and number is not None and len(number.text) < 3:
        return True
    before_year = found[-1].low in MONTHS and _SHORT_YEAR.fullmatch(behind.text) is not None
    return one.low in _OF and ((before_month and number is not None and len(number.text) < 3) or before_year)


def _shortens(one: Token, found: Sequence[Token], behind: Token | None, table: _Written) -> bool:
    """True for the full stop of a magnitude between a number and its unit: "5 тыс. рублей", "3 Mio. Euro"."""
    if one.low != "." or not found or found[-1].low not in _SCALES or behind is None:
        return False
    short = found[-1].end - found[-1].start <= _LONGEST_SHORT_SCALE
    return behind.low in table.words or (short and (behind.kind == "word" or behind.low in SIGNS))


def _counter(one: Token, number: Token | None, found: Sequence[Token], table: _Written) -> Token:
    meant = table.counters[one.low]
    if number is None or meant in ("month", "day"):
        return one
    if meant == "year":
        era = len(found) > 1 and found[-2].low in _ERA_ENDS
        if era or _SHORT_YEAR.fullmatch(number.text):
            return one
        meant = "years"
    if meant in MONTHS:
        return one._replace(text=meant.capitalize(), low=meant)
    return one._replace(text=meant, low=meant)


def _with_han_numbers(text: str, items: Sequence[Token], table: _Written) -> list[Token]:
    """With 三千五百 before a counter as 3500, 二〇二四年 as 2024年, and years of eras as those of the calendar."""
    found: list[Token] = []
    start = 0
    for place, one in enumerate(items):
        behind_number = start > 0 and items[start - 1].kind == "number"
        if (
            one.low in table.counters
            and not _parts_a_whole(items, place)
            and start < place <= start + _MOST_HAN
            and not behind_number
        ):
            value = _han_value("".join(sign.low for sign in items[start:place]))
            if not (value == "10" and one.low == "分"):  # which is "enough"
                first = items[start]
                del found[len(found) - (place - start) :]
                found.append(first._replace(kind="number", text=value, low=value, end=items[place - 1].end))
        if not _is_han(one):
            start = place + 1
        if table.counters.get(one.low) == "year" and found and (year := _year_of_era(text, found[-1], table)):
            while found and found[-1].start >= year.start:
                found.pop()
            found.append(year)
        found.append(one)
    return found


def _parts_a_whole(items: Sequence[Token], place: int) -> bool:
    """True for the 分之 of 三分之一, one of three parts: these are no three minutes."""
    return [one.low for one in items[place : place + 2]] == ["\u5206", "\u4e4b"]


def _with_shares(items: Sequence[Token]) -> list[Token]:
    """With 百分之五 as 5 %."""
    found: list[Token] = []
    at = 0
    while at < len(items):
        behind = items[at + 3 : at + 3 + _MOST_HAN]
        signs = behind[:1] if behind and behind[0].kind == "number" else list(takewhile(_is_han, behind))
        if items[at].low == "\u767e" and signs and _parts_a_whole(items, at + 1):
            value = signs[0].text if signs[0].kind == "number" else _han_value("".join(one.low for one in signs))
            end = signs[-1].end
            found += [Token("number", value, value, items[at].start, end), Token("mark", "%", "%", end, end)]
            at += 3 + len(signs)
        else:
            found.append(items[at])
            at += 1
    return found


def _is_han(one: Token) -> bool:
    return one.low in _HAN_DIGITS or one.low in _HAN_POWERS


def _han_value(signs: str) -> str:
    """The digits of a number in Chinese characters."""
    if all(sign in _HAN_DIGITS for sign in signs):
        return "".join(str(_HAN_DIGITS[sign]) for sign in signs)
    whole = part = digit = 0
    for sign in signs:
        if sign in _HAN_DIGITS:
            digit = _HAN_DIGITS[sign]
        elif (power := _HAN_POWERS[sign]) == 10_000:
            whole, part, digit = (whole + part + digit) * power, 0, 0
        else:
            part, digit = part + (digit or 1) * power, 0
    return str(whole + part + digit)


def _year_of_era(text: str, number: Token, table: _Written) -> Token | None:
    """The year of the calendar for one that is counted in an era: "令和6"."""
    first = number.text == _FIRST_YEAR
    before = text[max(0, number.start - _LONGEST_ERA) : number.start].rstrip()
    era = next((one for one in table.eras if before.endswith(one)), "")
    if not era or not (first or (number.text.isdigit() and len(number.text) < 5)):
        return None
    year = str(table.eras[era] + (1 if first else int(number.text)))
    start = text.rindex(era, 0, number.start)
    return number._replace(kind="number", text=year, low=year, start=start)


def _with_signs_behind(items: Sequence[Token], signs: frozenset[str]) -> list[Token]:
    """With the sign of a share behind its number: "%25" as 25 %."""
    found: list[Token] = []
    for one in items:
        sign = found[-1] if found and found[-1].low in signs else None
        if one.kind == "number" and sign is not None and one.start - sign.end < _NEAR:
            found[-1] = one._replace(start=sign.start)
            found.append(Token("mark", "%", "%", one.end, one.end))
        else:
            found.append(one)
    return found


def _with_numbers(text: str, items: Sequence[Token]) -> list[Token]:
    """With 1.234 and 1 234 as a thousand and more, 3,5 and 3,125 as less than four."""
    found: list[Token] = []
    for one in items:
        if one.kind == "number" and len(found) > 1 and _is_decimal_part(one, found):
            whole = found[-2]
            del found[-2:]
            found.append(whole._replace(text=f"{whole.text}.{one.text}", low=f"{whole.text}.{one.text}", end=one.end))
        elif one.kind == "number" and found and _is_group(text, found[-1], one):
            whole = found[-1]
            found[-1] = whole._replace(text=whole.text + one.text, low=whole.text + one.text, end=one.end)
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


def _is_group(text: str, before: Token, one: Token) -> bool:
    """True if three digits behind a space go on with the number before it: "1 234 567"."""
    if before.kind != "number" or not before.text.isdigit() or before.text[0] == "0":
        return False
    short = len(before.text) < 4 or len(before.text) < before.end - before.start  # groups are joined already
    return short and len(one.text) == 3 and one.text.isdigit() and text[before.end : one.start] in _GROUP_SPACES


def foreign_words() -> frozenset[str]:
    """The words beside numbers that another language may stand behind."""
    table = _table()
    return frozenset(table.months) | (frozenset(table.words) - table.also_english) | table.month_words


@cache
def foreign_numerals() -> frozenset[str]:
    """Small numbers in words of other languages."""
    return frozenset(_table().numerals)


@cache
def counters() -> tuple[str, ...]:
    """What stands behind a number where nothing parts words, the longest first."""
    return tuple(sorted(_table().counters, key=lambda word: (-len(word), word)))


@cache
def _table() -> _Written:
    known = languages().values()
    return _Written(
        {word: english for one in known for word, english in one.months.items()},
        {word: english for one in known for word, english in one.numbers.items()},
        {word: english for one in known for word, english in one.counters.items()},
        {word: digits for one in known for word, digits in one.numerals.items()},
        {era: year for one in known for era, year in one.eras.items()},
        frozenset(word for one in known for word in one.also_english),
        frozenset(one.month_word for one in known if one.month_word),
    )
