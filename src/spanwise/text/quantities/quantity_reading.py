"""The quantities of a text, in order: at every place the longest reading wins, and labels are passed over."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache
from itertools import islice

from spanwise.text.quantities.amounts import Amount, read_amount
from spanwise.text.quantities.captions import bound_before, bound_of
from spanwise.text.quantities.currencies import SIGNS, code_of
from spanwise.text.quantities.dates import MONTHS, WEEKDAYS, DateFound, calendar_day, read_date, year_at
from spanwise.text.quantities.labels import label_end, names_in_digits, names_in_words
from spanwise.text.quantities.model import Kind, Quantity
from spanwise.text.quantities.number_tokens import FRACTIONS, Tokens
from spanwise.text.quantities.numerals import (
    DENOMINATORS,
    MULTIPLES,
    ORDINALS,
    TENS,
    UNITS,
    and_a_half,
    read_ordinal,
    whole,
)
from spanwise.text.quantities.periods import ENDS, STARTS, inherited, read_period, read_year, year_range
from spanwise.text.quantities.units import TIME
from spanwise.text.quantities.written import foreign_numerals

_ANCHORS = frozenset([*UNITS, *TENS, *ORDINALS, *MULTIPLES, *MONTHS, *STARTS, "a", "an", "half", "q", "h"]) - {
    "weeks",
    "months",
}
_ARTICLES = frozenset(["a", "an"])
_AFTER_ARTICLE = frozenset([*"dozen hundred thousand million billion trillion".split(), *DENOMINATORS])
_COUNTED_IN_ORDER = frozenset([*TIME, "anniversary", "century", "edition", "instalment", "installment", "birthday"])
_DASHES = frozenset("-\u2010\u2011\u2013\u2014")
_NIL = frozenset("-\u2010\u2011\u2012\u2013\u2014\u2212")
_JOINTS = frozenset([",", "and", "or", "through", "to", "&", "-", "\u2013", ")", "of"])
_BEFORE_DATES = frozenset(["the", ",", "on", "."])
_TIMES = ENDS | MONTHS.keys()
"""Without one of them no number is a day or the length of a period, and only one of four digits is a year."""
_MOST = 200_000
"""Quantities; a text with more is no document."""
_SHORT = 2000
"""Characters of a text whose quantities are kept, since several rules ask for those of one sentence."""
_KEPT = 2048
_FIGURE = re.compile(
    f"[0-9{''.join(FRACTIONS)}\uff10-\uff19\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef\u0e50-\u0e59"
    "\u3007\u4e00\u4e8c\u4e24\u4e09\u56db\u4e94\u516d\u4e03\u516b\u4e5d\u5341\u767e\u5343]"
)
_WORD = re.compile(r"[^\W\d_]+")
_WORDS = (_ANCHORS - _ARTICLES) | _AFTER_ARTICLE
"""Without one of them a text that has letters and no digit has no quantity."""


def quantities(text: str, *, scale: float | None = None, currency: str | None = None) -> list[Quantity]:
    """The quantities of a text in order of their start; none overlaps another.

    Section numbers, list markers, standards, telephone numbers and other numbers that name something are left out.

    Args:
        text: A sentence, a page, the cell of a table.
        scale: What the figures of a table are multiplied by; those that carry a magnitude themselves, percentages,
            counts and dates are not. See `scale_of`.
        currency: ISO 4217 code of figures without a currency sign; a dollar of another country also settles `$`.
    """
    if not _may_hold(text):
        return []
    dollar = currency if currency and currency.endswith("D") else "USD"
    found = _kept(text, dollar) if len(text) <= _SHORT else islice(_read(text, dollar), _MOST)
    return [_in_table(quantity, scale, currency) for quantity in found]


def parse_date(text: str) -> str | None:
    """ISO 8601 for a text that is one date, at its precision (`2024`, `2024-03`, `2024-03-15`, `--03-15`), or None."""
    tokens = Tokens(text[:200])
    first = 0
    while tokens.low(first) in _BEFORE_DATES or tokens.low(first)[:3] in WEEKDAYS:
        first += 1
    date = read_date(tokens, first)
    if date is None:
        only_year = tokens.size == first + 1 and read_year(tokens, first)
        return str(only_year) if only_year else None
    return date.iso or None if all(tokens.low(step) == "." for step in range(date.end, tokens.size)) else None


def _may_hold(text: str) -> bool:
    """True if a text has a digit or a word that a quantity starts with, or is no more than a dash in a cell."""
    if _FIGURE.search(text):
        return True
    words = _WORD.findall(text.lower())
    return not words or not _WORDS.isdisjoint(words) or not foreign_numerals().isdisjoint(words)


@lru_cache(maxsize=_KEPT)
def _kept(text: str, dollar: str) -> tuple[Quantity, ...]:
    return tuple(_read(text, dollar))


def _read(text: str, dollar: str) -> Iterator[Quantity]:
    tokens = Tokens(text)
    if nil := _nil_cell(tokens):
        yield nil
        return
    floor, label = 0, -1
    previous: Quantity | None = None
    for index in _anchors(tokens):
        if index < floor:
            continue
        plain = _is_plain(tokens, index)
        time = None if plain else _time(tokens, index, floor, previous)
        named = time is None and (not (plain and _only_counts(tokens, index)) or _goes_on(tokens, index, label))
        if named and (behind := _label(tokens, index, label)):
            floor = label = behind
            continue
        read = time or (None if plain else _ordinal(tokens, index)) or _amounts(tokens, index, floor, dollar)
        if read:
            quantity, floor = read
            previous = quantity or previous
            if quantity:
                yield quantity


def _anchors(tokens: Tokens) -> Iterator[int]:
    """The tokens at which a quantity can start, besides its sign and currency; none inside an address."""
    addresses = iter([*tokens.addresses, (len(tokens.text) + 1, len(tokens.text) + 1)])
    first, last = next(addresses)
    for index, (kind, _, low, start, _) in enumerate(tokens.items):
        if kind == "mark" or (kind == "word" and low not in _ANCHORS):
            continue
        if low in _ARTICLES and not _counts_behind(tokens, index):
            continue
        while last <= start:
            first, last = next(addresses)
        if start < first:
            yield index


def _counts_behind(tokens: Tokens, article: int) -> bool:
    """True if an article begins a number: "a dozen", "a third", "an hour and a half"."""
    following = tokens.low(article + 1)
    return following in _AFTER_ARTICLE or (following in TIME and and_a_half(tokens, article + 2) > 0)


def _is_plain(tokens: Tokens, index: int) -> bool:
    """True if a number between two small words ("within 30 days") is too plain for a time or an ordinal.

    Most numbers of a sentence are; what every other rule would find out one by one is seen at a glance.
    """
    if not 0 < index < tokens.size - 1:
        return False
    before, (kind, digits, _, start, end), behind = tokens.items[index - 1 : index + 2]
    return (
        kind == "number"
        and digits.isdigit()
        and len(digits) != 4
        and digits[0] != "0"
        and before.kind == behind.kind == "word"
        and tokens.text[before.end : start] == tokens.text[end : behind.start] == " "
        and before.text.islower()
        and behind.text.islower()
        and len(behind.low) > 2
        and _TIMES.isdisjoint(tokens.vocabulary)
    )


def _only_counts(tokens: Tokens, index: int) -> bool:
    """True if a plain number is too plain for a label as well."""
    short = len(tokens.at(index).text) < 4
    return short and not names_in_digits(tokens.low(index - 1), tokens.low(index + 1))


def _label(tokens: Tokens, index: int, label: int) -> int:
    """Behind the label at a token, 0 where there is none; `label` is where the last one ended."""
    if tokens.at(index).kind == "number":
        return label_end(tokens, index, after_label=_goes_on(tokens, index, label))
    return index + 1 if tokens.low(index) not in _ARTICLES and names_in_words(tokens, index) else 0


def _goes_on(tokens: Tokens, index: int, label: int) -> bool:
    """True if only a comma, an "and" or the bracket of an area code parts the number from the label before it."""
    if label < 0 or not 0 < index - label < 3:
        return False
    return all(tokens.low(step) in _JOINTS for step in range(label, index))


def _time(tokens: Tokens, index: int, floor: int, previous: Quantity | None) -> tuple[Quantity | None, int] | None:
    """A date, a period or a year, and the index behind it; without a quantity where no calendar has that day."""
    if tokens.low(index) in _ARTICLES or (tokens.at(index).kind == "number" and tokens.low(index - 1) in SIGNS):
        return None
    if tokens.glued(index) and tokens.at(index - 1).kind == "word":
        return None
    date, period = read_date(tokens, index), read_period(tokens, index)
    if period and (date is None or period.end > date.end):
        return _made(tokens, index, period.end, iso=period.iso, period=True), period.end
    return _date(tokens, index, date) if date else _years(tokens, index, floor, previous)


def _date(tokens: Tokens, index: int, date: DateFound) -> tuple[Quantity | None, int]:
    if not date.iso:
        return None, date.end
    if span := _date_range(tokens, date):
        return _made(tokens, index, span[1], iso=span[0], period=True), span[1]
    made = _made(tokens, index, date.end, iso=date.iso)
    return (replace(made, ambiguous=True) if date.ambiguous else made), date.end


def _years(tokens: Tokens, index: int, floor: int, previous: Quantity | None) -> tuple[Quantity, int] | None:
    if span := year_range(tokens, index):
        return _made(tokens, index, span[1], iso=span[0], period=True), span[1]
    year = read_year(tokens, index)
    if not year:
        return None
    iso, is_period = inherited(tokens, index, floor, previous, year)
    return _made(tokens, index, index + 1, iso=iso, period=is_period), index + 1


def _date_range(tokens: Tokens, first: DateFound) -> tuple[str, int] | None:
    """The days of "January 1, 2020 - March 31, 2020" or "October 1-31, 2020"; around "to" they stay two dates."""
    index = first.end
    if tokens.low(index) not in _DASHES or not tokens.near(index) or not tokens.near(index + 1):
        return None
    second = read_date(tokens, index + 1)
    if second and second.iso:
        return f"{first.iso}/{second.iso}", second.end
    day, step = tokens.at(index + 1).text, index + 2 + (tokens.low(index + 2) == ",")
    year = year_at(tokens, step)
    if not (first.iso.startswith("--") and day.isdigit() and len(day) < 3 and year):
        return None
    ends = calendar_day(year, int(first.iso[2:4]), int(day))
    return (f"{year}{first.iso[1:]}/{ends}", step + 1) if ends else None


def _made(tokens: Tokens, first: int, end: int, *, iso: str, period: bool = False) -> Quantity:
    start, stop = tokens.at(first).start, tokens.at(end - 1).end
    bound = bound_before(tokens, first)
    return Quantity("period" if period else "date", None, "", start, stop, tokens.text[start:stop], iso, bound=bound)


def _ordinal(tokens: Tokens, index: int) -> tuple[Quantity, int] | None:
    read = read_ordinal(tokens, index)
    if read is None:
        return None
    value, end = read
    if tokens.at(index).kind == "word" and (
        tokens.low(end) not in _COUNTED_IN_ORDER or (tokens.low(index) == "second" and tokens.low(end) == "")
    ):
        return None
    start, stop = tokens.at(index).start, tokens.at(end - 1).end
    return Quantity("ordinal", Decimal(value), "", start, stop, tokens.text[start:stop]), end


def _amounts(tokens: Tokens, index: int, floor: int, dollar: str) -> tuple[Quantity, int] | None:
    """One amount or a range of two."""
    amount = read_amount(tokens, index, floor, dollar=dollar)
    if amount is None:
        return None
    if spread := _range(tokens, amount, dollar):
        return spread
    return _quantity(tokens, amount, amount.end), amount.end


def _quantity(tokens: Tokens, amount: Amount, end: int) -> Quantity:
    start, stop = tokens.at(amount.first).start, tokens.at(end - 1).end
    return Quantity(
        kind=amount.kind,
        value=amount.value,
        unit=amount.unit,
        start=start,
        end=stop,
        original=tokens.text[start:stop],
        bound=bound_of(tokens, amount.first, end),
        per=amount.per,
        scaled=amount.scaled,
        disagrees=amount.disagrees,
    )


def _range(tokens: Tokens, low: Amount, dollar: str) -> tuple[Quantity, int] | None:
    """The two ends of "5-10%", "between 5 and 10 years", "$5 to $7 million"."""
    step = low.end
    step += tokens.low(step) == "-" and tokens.low(step + 1) == "to"
    joint = tokens.low(step)
    between = tokens.low(low.first - 1) == "between" and joint == "and"
    if not (joint in _DASHES or joint in ("to", "through") or between) or not tokens.near(step):
        return None
    high = _second(tokens, step + 1, dollar)
    if high is None:
        return None
    if low.kind == "money" and high.kind == "number" and (high.scaled or between or _is_tight(tokens, step)):
        high = high._replace(kind="money", unit=low.unit)  # $5-10 million
    if not _make_a_range(tokens, low, high, step):
        return None
    first, last = low.value, high.value
    if high.scaled and not low.scaled and abs(first) < 1000:
        first = _lifted(first, tokens, high)
    if first > last:
        return None
    quantity = _quantity(tokens, high._replace(first=low.first), high.end)
    return replace(quantity, value=None, low=first, high=last), high.end


def _second(tokens: Tokens, index: int, dollar: str) -> Amount | None:
    step = index
    while step < index + 3 and (tokens.low(step) in SIGNS or code_of(tokens.at(step).text)):
        step += 1
    if not tokens.near(index) or (tokens.at(step).kind == "number" and label_end(tokens, step)):
        token = tokens.at(step)
        if token.kind != "number" or not tokens.glued(step) or tokens.at(step - 1).low not in _DASHES:
            return None
    return read_amount(tokens, step, index, dollar=dollar)


def _make_a_range(tokens: Tokens, low: Amount, high: Amount, joint: int) -> bool:
    bare = low.kind == "number"
    same = (low.kind, low.unit) == (high.kind, high.unit)
    if not (bare or same) or high.kind in ("fraction", "ordinal"):
        return False
    spaced_dash = tokens.low(joint) in _DASHES and not _is_tight(tokens, joint)
    if spaced_dash and high.kind == "number":
        return False  # two cells with an empty one between them
    changed = tokens.low(low.first - 1) == "from" and not bare and tokens.low(joint) == "to"
    return not changed and not (low.value < 0 or high.value < 0)


def _is_tight(tokens: Tokens, dash: int) -> bool:
    """True if a dash touches what stands on its two sides."""
    return tokens.low(dash) in _DASHES and tokens.glued(dash) and tokens.glued(dash + 1)


def _lifted(value: Decimal, tokens: Tokens, high: Amount) -> Decimal:
    """The 5 of "5 to 7 million", in millions."""
    digits = next(
        (tokens.at(step).text for step in range(high.first, high.end) if tokens.at(step).kind == "number"), ""
    )
    try:
        power = (high.value / Decimal(digits.replace(",", ""))).adjusted() if digits else 0
    except ArithmeticError:
        return value
    return whole(value.scaleb(power)) if 0 < power < 13 else value


def _nil_cell(tokens: Tokens) -> Quantity | None:
    """A cell with nothing but a dash, perhaps with a sign of money or percent."""
    if tokens.size > 3:
        return None
    dashes = [token for token in tokens.items if token.low in _NIL]
    if len(dashes) != 1:
        return None
    others = [token.low for token in tokens.items if token.low not in _NIL]
    if any(low not in SIGNS and low != "%" for low in others):
        return None
    sign = next((SIGNS[low] for low in others if low in SIGNS), "")
    start, end = tokens.items[0].start, tokens.items[-1].end
    kind: Kind = "money" if sign else "percent" if others else "number"
    unit = sign or ("%" if others else "")
    return Quantity(kind, Decimal(0), unit, start, end, tokens.text[start:end], nil=True)


def _in_table(quantity: Quantity, scale: float | None, currency: str | None) -> Quantity:
    """A figure as the caption of its table says it is meant."""
    if (scale is None and currency is None) or quantity.kind not in ("number", "money"):
        return quantity
    if currency and quantity.kind == "number":
        quantity = replace(quantity, kind="money", unit=currency)
    if scale is None or quantity.scaled or quantity.per:
        return quantity
    factor = Decimal(str(scale))
    return replace(
        quantity,
        value=None if quantity.value is None else whole(quantity.value * factor),
        low=None if quantity.low is None else whole(quantity.low * factor),
        high=None if quantity.high is None else whole(quantity.high * factor),
    )
