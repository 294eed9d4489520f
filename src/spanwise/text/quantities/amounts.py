"""Amounts: a number with its sign, currency and unit, in digits, in words, or in both ("thirty (30) days")."""

from __future__ import annotations

from decimal import Decimal
from typing import NamedTuple

from spanwise.text.quantities.currencies import DOLLARS, SIGNS, WORDS_BEFORE, code_of
from spanwise.text.quantities.model import Kind
from spanwise.text.quantities.number_tokens import Tokens
from spanwise.text.quantities.numerals import Numeral, and_a_half, read_numeral, whole
from spanwise.text.quantities.units import Unit, read_per, read_unit

MINUS = frozenset("-\u2212\u2013\u2011\u2010")
_MOST_BEFORE = 4
_POINT_GROUPS = frozenset("EUR DKK SEK NOK TRY BRL RON PLN CZK HUF IDR".split())
"""Currencies of countries that part thousands with a point, and that have two decimals."""


class Amount(NamedTuple):  # made for every number: frozen dataclasses take four times as long
    """An amount over the tokens `[first, end)`."""

    kind: Kind
    value: Decimal
    unit: str
    first: int
    end: int
    per: str = ""
    scaled: bool = False
    spelled: bool = False
    disagrees: bool = False
    bare: Decimal | None = None
    """The value without its magnitude."""
    sign: str = ""
    """The currency sign as written, where one was."""


class _Before(NamedTuple):  # made for every number: frozen dataclasses take four times as long
    """What stands before a number: where it starts, the currency, a minus, an opening bracket."""

    first: int
    currency: str = ""
    sign: str = ""
    minus: bool = False
    bracket: bool = False


def read_amount(tokens: Tokens, index: int, floor: int, *, dollar: str = "USD") -> Amount | None:
    """The amount whose number starts at a token.

    Args:
        tokens: The text.
        index: The first token of the number itself.
        floor: No token before this one may be taken; it belongs to something else.
        dollar: Which dollar a bare `$` means.
    """
    before = _before(tokens, index, floor, dollar)
    numeral = read_numeral(tokens, index, money=bool(before.currency))
    if numeral is None:
        return None
    if numeral.spelled:
        return _spelled(tokens, index, numeral)
    bracketed = before.bracket and _bracketed(tokens, numeral, before)
    if bracketed:
        return bracketed
    if before.bracket:
        before = _before(tokens, index, _after_bracket(tokens, index), dollar)
    amount = _with_unit(tokens, numeral, numeral.end, before)
    return _repeated(tokens, _trailing_minus(tokens, amount._replace(value=-amount.value) if before.minus else amount))


def _before(tokens: Tokens, index: int, floor: int, dollar: str) -> _Before:
    found = _Before(index)
    for _ in range(_MOST_BEFORE):
        step = found.first - 1
        if step < floor or not tokens.near(found.first):
            break
        widened = _widen(tokens, step, found, floor, dollar)
        if widened is None:
            break
        found = widened
    return found


def _widen(tokens: Tokens, step: int, found: _Before, floor: int, dollar: str) -> _Before | None:
    """With one more token before the number, if it belongs to it."""
    token, tight = tokens.at(step), tokens.glued(found.first)
    if token.low == "(" and not found.bracket and (tight or found.currency):
        return found._replace(first=step, bracket=True)
    if token.low in MINUS and tight and not found.minus and not _joins(tokens, step):
        return found._replace(first=step, minus=True)
    if token.low == "+" and tight and not tokens.glued(step):
        return found._replace(first=step)
    if found.currency or token.text.islower():  # what names a currency before a number has a capital
        return None
    if token.low in SIGNS:
        return _signed(tokens, step, found, floor, dollar)
    return _coded(tokens, step, found)


def _joins(tokens: Tokens, step: int) -> bool:
    """True if a dash joins the number to what stands before it."""
    if not tokens.glued(step):
        return False
    outer = tokens.at(step - 1)
    return outer.kind != "mark" or outer.low in ")%]"


def _signed(tokens: Tokens, step: int, found: _Before, floor: int, dollar: str) -> _Before:
    code, sign = SIGNS[tokens.low(step)], tokens.low(step)
    if sign != "$":
        return found._replace(first=step, currency=code, sign=sign)
    outer = tokens.at(step - 1)
    if step > floor and outer.kind == "word" and outer.text.isupper() and outer.low in DOLLARS:
        wide = outer.low == "us" and tokens.near(step)
        if tokens.glued(step) or wide:
            return found._replace(first=step - 1, currency=DOLLARS[outer.low], sign="$$")
    if step > floor + 2 and outer.low == "." and tokens.low(step - 2) == "s" and tokens.low(step - 4) == "u":
        return found._replace(first=max(floor, step - 4), currency="USD", sign="$$")
    return found._replace(first=step, currency=dollar, sign=sign)


def _coded(tokens: Tokens, step: int, found: _Before) -> _Before | None:
    """With the code before the number: "USD 5", "RMB77", "Rs. 500"."""
    dot = tokens.low(step) == "." and tokens.glued(step) and tokens.low(step - 1) in WORDS_BEFORE
    word = tokens.at(step - dot)
    code = code_of(word.text, tight=tokens.glued(found.first)) if word.kind == "word" and not dot else None
    if code is None and word.kind == "word" and word.text[0].isupper():
        code = WORDS_BEFORE.get(word.low)
    if code is None or tokens.opens_line(found.first) or word.text in ("ALL", "TOP", "TRY", "AMD", "MOP"):
        return None
    return found._replace(first=step - dot, currency=code, sign=code)


def _after_bracket(tokens: Tokens, index: int) -> int:
    """Behind the bracket that opens before a number."""
    step = index
    while tokens.low(step - 1) != "(":
        step -= 1
    return step


def _bracketed(tokens: Tokens, numeral: Numeral, before: _Before) -> Amount | None:
    """(1,577), $(12.3), (5.1)%, (5.1%): negative, unless the brackets only set the figure apart in a sentence."""
    close = numeral.end
    unit = None
    if tokens.low(close) != ")":
        unit = read_unit(tokens, close)
        if unit is None or unit.kind not in ("percent", "percentage_points") or tokens.low(unit.end) != ")":
            return None
        close = unit.end
    if not tokens.near(close):
        return None
    aside = (unit is not None or numeral.scaled or before.sign) and _in_a_sentence(tokens, before.first, close)
    if aside:
        return None
    if unit:
        value = -numeral.value * unit.factor
        return Amount(unit.kind, value, unit.name, before.first, close + 1, bare=value)
    negative = numeral._replace(value=-numeral.value)
    amount = _with_unit(tokens, negative, close + 1, before)
    return Amount("number", negative.value, "", before.first, close + 1) if amount.kind == "count" else amount


def _in_a_sentence(tokens: Tokens, opening: int, closing: int) -> bool:
    """True if words stand on both sides of the brackets, as they do in a sentence and not in a row of figures."""
    if tokens.low(opening) != "(":
        return False
    before, behind = tokens.at(opening - 1), tokens.at(closing + 1)
    goes_on = behind.kind == "word" or behind.low in {",", ".", ";", ":", ")", ""}
    return (
        before.kind == "word" and goes_on and not tokens.opens_line(opening) and tokens.text[before.end - 1].islower()
    )


def _with_unit(tokens: Tokens, numeral: Numeral, end: int, before: _Before) -> Amount:
    value, scaled = numeral.value, numeral.scaled
    unscaled = value if not scaled else None
    if before.currency:
        code = code_of(tokens.at(end).text) if tokens.near(end) and before.sign == "$" else None
        end += code is not None
        amount = Amount("money", value, code or before.currency, before.first, end, scaled=scaled, bare=unscaled)
        return _rated(tokens, amount._replace(sign=before.sign))
    unit = read_unit(tokens, end + (tokens.low(end) == "+" and tokens.glued(end)))
    unit = (_behind_of(tokens, end) or unit) if scaled else unit
    if unit is None:
        kind: Kind = "fraction" if numeral.fraction else "number"
        amount = Amount(kind, value, "", before.first, end, scaled=scaled, spelled=numeral.spelled, bare=unscaled)
        return _rated(tokens, amount) if not numeral.spelled and tokens.low(end) == "per" else amount
    if unit.kind == "duration" and (half := and_a_half(tokens, unit.end)):
        numeral, unit = numeral._replace(value=value + Decimal("0.5")), unit._replace(end=half)
    if unit.kind == "money" and _is_grouped(tokens, numeral, unit):
        numeral = numeral._replace(value=whole(value * 1000))
    return _rated(tokens, _of(unit, numeral, before.first))


def _behind_of(tokens: Tokens, end: int) -> Unit | None:
    """The currency of "2 millions d'euros" and "3 million of pesos"."""
    if tokens.low(end) not in ("of", "de", "d", "di"):
        return None
    unit = read_unit(tokens, end + 1 + (tokens.low(end + 1) in ("'", "\u2019")), counted=False)
    return unit if unit and unit.kind == "money" else None


def _is_grouped(tokens: Tokens, numeral: Numeral, unit: Unit) -> bool:
    """True for 1.500 euros, in which the point parts thousands: no price of a whole thing has three decimals."""
    whole_part, _, part = tokens.at(numeral.end - 1).text.partition(".")
    grouped = len(part) == 3 and part.isdigit() and whole_part.strip("0") != ""
    return grouped and unit.name in _POINT_GROUPS and not (numeral.scaled or read_per(tokens, unit.end)[0])


def _of(unit: Unit, numeral: Numeral, first: int) -> Amount:
    value = whole(numeral.value * unit.factor) if unit.factor != 1 else numeral.value
    bare = None if numeral.scaled else value
    return Amount(unit.kind, value, unit.name, first, unit.end, "", numeral.scaled, numeral.spelled, bare=bare)


def _rated(tokens: Tokens, amount: Amount) -> Amount:
    per, end = read_per(tokens, amount.end)
    return amount._replace(per=per, end=end) if per else amount


def _trailing_minus(tokens: Tokens, amount: Amount) -> Amount:
    """1,577- at the end of a cell."""
    end = amount.end
    if tokens.low(end) not in ("-", "\u2212") or not tokens.glued(end) or tokens.glued(end + 1) or amount.value < 0:
        return amount
    lone = tokens.size == end + 1 or tokens.at(end + 1).kind == "number"
    figures = amount.kind in ("number", "money") and not amount.scaled
    return amount._replace(value=-amount.value, end=end + 1) if lone and figures else amount


def _spelled(tokens: Tokens, index: int, numeral: Numeral) -> Amount | None:
    """A number in words, with the same number in digits behind it, if it stands there."""
    if numeral.multiple:
        return _rated(tokens, Amount("count", numeral.value, "time", index, numeral.end, spelled=True))
    numeral = _cents(tokens, numeral)
    end, disagrees, repeated = numeral.end, False, False
    if inner := _digits_in_brackets(tokens, end):
        repeated = True
        disagrees = abs(inner.value - numeral.value) > Decimal("1e-9")
        end = inner.end + 1
        numeral = numeral._replace(value=inner.value) if disagrees and numeral.fraction else numeral
    amount = _with_unit(tokens, numeral, end, _Before(index))._replace(disagrees=disagrees, spelled=True)
    lone = amount.kind == "number" and numeral.value <= 1 and not repeated
    return None if lone else _repeated(tokens, amount)


def _cents(tokens: Tokens, numeral: Numeral) -> Numeral:
    """The "and 00/100" of an amount in words."""
    end = numeral.end
    if tokens.low(end) != "and" or tokens.low(end + 2) != "/" or tokens.low(end + 3) != "100":
        return numeral
    cents = tokens.at(end + 1).text
    value = numeral.value + (Decimal(cents) / 100 if cents.isdigit() and len(cents) < 3 else 0)
    return numeral._replace(value=whole(value), end=end + 4)


def _digits_in_brackets(tokens: Tokens, index: int) -> Numeral | None:
    if tokens.low(index) != "(" or not tokens.near(index) or tokens.at(index + 1).kind not in ("number", "fraction"):
        return None
    inner = read_numeral(tokens, index + 1)
    return inner if inner and tokens.low(inner.end) == ")" else None


def _repeated(tokens: Tokens, amount: Amount) -> Amount:
    """One quantity for "Fifty Thousand Dollars ($50,000)" and "30 days (thirty days)"."""
    opening = amount.end
    if tokens.low(opening) != "(" or not tokens.near(opening):
        return amount
    step = opening + 1
    while step < opening + 4 and tokens.at(step).kind in ("mark", "word") and _is_currency(tokens, step):
        step += 1
    numeral = read_numeral(tokens, step, money=step > opening + 1)
    if numeral is None or not (amount.spelled or numeral.spelled):
        return amount
    inner = _with_unit(tokens, numeral, numeral.end, _before(tokens, step, opening + 1, "USD"))
    if tokens.low(inner.end) != ")" or inner.kind not in (amount.kind, "number"):
        return amount
    if amount.kind == "number" and (unit := read_unit(tokens, inner.end + 1)):  # 30 (thirty) days
        amount = _of(unit, Numeral(amount.value, 0, scaled=amount.scaled, spelled=amount.spelled), amount.first)
        inner = inner._replace(end=unit.end - 1, kind="number")
    differs = inner.value != amount.value or (inner.kind == amount.kind and inner.unit != amount.unit)
    return _rated(tokens, amount._replace(end=inner.end + 1, disagrees=amount.disagrees or differs))


def _is_currency(tokens: Tokens, index: int) -> bool:
    token = tokens.at(index)
    return token.low in SIGNS or code_of(token.text) is not None or token.text in ("US", "C", "A", "Rs", "RMB")
