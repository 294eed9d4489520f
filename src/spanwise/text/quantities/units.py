"""What stands behind a number and makes a quantity of it: percent, money, time, what is counted, and "per" what."""

from __future__ import annotations

from decimal import Decimal
from typing import NamedTuple

from spanwise.text.quantities.currencies import DOLLAR_COUNTRIES, HUNDREDTHS, NAMES, SIGNS, code_of
from spanwise.text.quantities.model import Kind
from spanwise.text.quantities.number_tokens import Tokens

TIME = {name: name for name in "second minute hour day week month quarter year decade".split()}
TIME |= {"hr": "hour", "hrs": "hour", "yr": "year", "yrs": "year", "min": "minute", "mins": "minute", "mos": "month"}
TIME |= {"sec": "second", "secs": "second", "wk": "week", "wks": "week", "centuries": "century", "century": "century"}
TIME |= {f"{name}s": unit for name, unit in TIME.items() if name == unit and not name.endswith("y")}
TIME |= {"fortnight": "fortnight", "fortnights": "fortnight", "days": "day"}
_WORKING = frozenset(["business", "working", "trading", "banking"])
_TIME_QUALIFIERS = frozenset("calendar consecutive full additional complete successive further more fiscal".split())
MEASURES = {
    "km": "kilometre", "kilometers": "kilometre", "kilometres": "kilometre", "mi": "mile", "miles": "mile",
    "mile": "mile", "feet": "foot", "foot": "foot", "ft": "foot", "kg": "kilogram", "kilograms": "kilogram",
    "lb": "pound", "lbs": "pound", "oz": "ounce", "ounces": "ounce", "tons": "ton", "ton": "ton", "tonnes": "tonne",
    "tonne": "tonne", "kw": "kilowatt", "mw": "megawatt", "megawatts": "megawatt", "gw": "gigawatt",
    "kwh": "kilowatt hour", "mwh": "megawatt hour", "gwh": "gigawatt hour", "kb": "kilobyte", "mb": "megabyte",
    "gb": "gigabyte", "tb": "terabyte", "bit": "bit", "bits": "bit", "bytes": "byte", "hz": "hertz", "khz": "kilohertz",
    "mhz": "megahertz", "ghz": "gigahertz", "cm": "centimetre", "mm": "millimetre", "m": "metre", "metres": "metre",
    "meters": "metre", "meter": "metre", "inch": "inch", "inches": "inch", "mph": "mile per hour", "acre": "acre",
    "acres": "acre", "hectares": "hectare", "ha": "hectare", "gallons": "gallon", "barrels": "barrel",
    "litres": "litre", "liters": "litre", "mbps": "megabit per second", "gbps": "gigabit per second", "kbps":
    "kilobit per second", "gbit": "gigabit", "mbit": "megabit", "kbit": "kilobit", "mg": "milligram",
    "ml": "millilitre", "cl": "centilitre", "l": "litre", "liter": "litre", "bbl": "barrel", "bpd": "barrel per day",
    "x": "time",
}  # fmt: skip
_MEASURE_NAMES = frozenset(MEASURES.values()) - {"time", "second", "pound"}
_PEOPLE = {"people": "person", "persons": "person", "men": "man", "women": "woman", "children": "child"}
_PEOPLE |= {"copies": "copy", "times": "time", "feet": "foot", "staff": "staff", "personnel": "personnel"}
_NOT_COUNTED = frozenset(
    """
    is was has as its this thus his hers ours theirs yes plus less unless across perhaps always ours us versus does
    goes minus pages' ones others towards besides regards follows sales earnings proceeds includes means
    represents increases decreases operations results basis s points months ended analysis business process
    """.split()
)
_ADJECTIVES = frozenset(
    """
    full-time part-time additional new other separate different distinct individual such active registered original
    common ordinary preferred outstanding issued authorized authorised restricted square cubic nautical metric
    long-term physical equal annual monthly quarterly semi-annual successive consecutive high-quality written
    duplicate certified total available employed subscribed diluted basic of
    """.split()
)
_MANNERS = frozenset(["time", "sided", "fold", "stop", "half", "thirds", "quarters"])
_SQUARE = frozenset(["square", "cubic", "nautical", "metric"])
_PER_TIME = {"daily": "day", "weekly": "week", "monthly": "month", "quarterly": "quarter", "annually": "year"}
_PER_TIME |= {"yearly": "year", "annual": "year", "hourly": "hour", "p.a.": "year"}
_PER_QUALIFIERS = frozenset(["calendar", "fiscal", "diluted", "basic", "common", "ordinary", "square"])
_EACH = frozenset(["a", "an", "each", "every"])


_POINTS = {**dict.fromkeys(("bps", "bp"), "bp"), **dict.fromkeys(("pp", "pps", "ppt", "ppts"), "pp")}
_SHARES = frozenset(["%", "\uff05", "percent", "percentage", "pct", "percents", "per", "basis", *_POINTS])
"""What a unit of shares begins with."""
_MONEY_BEGINS = frozenset(
    [
        *("u", "swiss", "british", "japanese", "indian", "chinese"),
        *(country.split()[0] for country in DOLLAR_COUNTRIES),
        *(form for name in (NAMES | HUNDREDTHS) for form in (name, f"{name}s", f"{name}es", f"{name[:-1]}ies")),
    ]
)
"""What the name of a currency begins with, in every form that `singular` makes one of; the codes come besides."""


class Unit(NamedTuple):  # made for every number: frozen dataclasses take four times as long
    """A unit that ends before the token `end`; the number is to be multiplied by `factor`."""

    kind: Kind
    name: str
    end: int
    factor: Decimal = Decimal(1)


def read_unit(tokens: Tokens, index: int, *, counted: bool = True) -> Unit | None:
    """The unit at a token, which stands behind a number.

    Args:
        tokens: The text.
        index: Where the unit must start.
        counted: Whether it may be a thing that is counted or a measure, besides a share, money and time.
    """
    token = tokens.at(index)
    if token.start < 0 or not tokens.near(index):
        return None
    if token.kind == "mark" and token.low != "-":
        return _percent(tokens, index) or _sign(tokens, index)
    hyphen = token.low == "-"
    if hyphen and not (tokens.glued(index) and tokens.glued(index + 1)):
        return None
    step = index + hyphen
    if tokens.at(step).kind != "word":
        return None
    timed = tokens.low(step) in TIME
    if not timed and (found := _percent(tokens, step) or _money(tokens, step) or _pence(tokens, step)):
        return found
    return _time(tokens, step) or (_measure(tokens, step) or _counted(tokens, step, hyphen=hyphen) if counted else None)


def read_per(tokens: Tokens, index: int) -> tuple[str, int]:
    """The period or thing of a rate ("per month", "a year", "/share") and the index behind it; "" where none is."""
    low = tokens.low(index)
    if not tokens.near(index):
        return "", index
    if low in _PER_TIME:
        return _PER_TIME[low], index + 1
    slash = low == "/" and tokens.glued(index) and tokens.glued(index + 1)
    if not (slash or low == "per" or low in _EACH):
        return "", index
    step = index + 1 + (tokens.low(index + 1) in _PER_QUALIFIERS)
    thing = _per_what(tokens, step, only_time=low in _EACH)
    return (thing, step + 1) if thing else ("", index)


def _per_what(tokens: Tokens, index: int, *, only_time: bool) -> str:
    word = tokens.low(index)
    if not tokens.near(index) or tokens.at(index).kind != "word" or word in ("cent", "centum"):
        return ""
    if only_time:
        return "" if word.endswith("s") else TIME.get(word, "")
    return TIME.get(word) or ("year" if word == "annum" else singular(word))


def singular(noun: str) -> str:
    """One thing of those counted: `employee` of employees."""
    if noun in _PEOPLE:
        return _PEOPLE[noun]
    if noun.endswith("ies") and len(noun) > 4:
        return f"{noun[:-3]}y"
    if noun.endswith(("sses", "shes", "ches", "xes")):
        return noun[:-2]
    return noun[:-1] if noun.endswith("s") and not noun.endswith("ss") else noun


def _percent(tokens: Tokens, index: int) -> Unit | None:
    low = tokens.low(index)
    if low not in _SHARES:
        return None
    if low in ("%", "\uff05", "percent", "percentage", "pct", "percents"):
        step = index + 1
    elif low == "per" and tokens.low(index + 1) in ("cent", "centum"):
        step = index + 2
    elif low in _POINTS:
        return Unit("percentage_points", _POINTS[low], index + 1)
    elif low == "basis" and tokens.low(index + 1) in ("point", "points"):
        return Unit("percentage_points", "bp", index + 2)
    else:
        return None
    points = step + (tokens.low(step) == "-")
    if tokens.low(points) in ("point", "points", "pts"):
        return Unit("percentage_points", "pp", points + 1)
    return None if low == "percentage" else Unit("percent", "%", step)


def _sign(tokens: Tokens, index: int) -> Unit | None:
    low = tokens.low(index)
    if low in HUNDREDTHS:
        return Unit("money", HUNDREDTHS[low], index + 1, Decimal("0.01"))
    tight = tokens.glued(index) and tokens.at(index + 1).kind != "number"
    if low in SIGNS and (tight or (low == "\u20ac" and not tokens.opens_line(index) and not tokens.glued(index + 1))):
        return Unit("money", SIGNS[low], index + 1)
    return None


def _money(tokens: Tokens, index: int) -> Unit | None:
    step, country = index, ""
    low = tokens.low(step)
    if low not in _MONEY_BEGINS and code_of(tokens.at(step).text) is None:
        return None
    if low == "u" and tokens.low(step + 1) == "." and tokens.low(step + 2) == "s":
        country, step = "us", step + 3 + (tokens.low(step + 3) == ".")
    elif low in DOLLAR_COUNTRIES:
        country, step = low, step + 1
    elif f"{low} {tokens.low(step + 1)}" in DOLLAR_COUNTRIES:
        country, step = f"{low} {tokens.low(step + 1)}", step + 2
    elif low == "pounds" and tokens.low(step + 1) == "sterling":
        return Unit("money", "GBP", step + 2)
    elif low in ("swiss", "british", "japanese", "indian", "chinese"):
        step += 1
    elif code := code_of(tokens.at(step).text):
        return None if tokens.low(step) in ("all", "top", "try") else Unit("money", code, step + 1)
    name = singular(tokens.low(step))
    if name in HUNDREDTHS and not country:
        return Unit("money", HUNDREDTHS[name], step + 1, Decimal("0.01"))
    if name not in NAMES or (name == "pound" and tokens.low(step) == "pounds" and tokens.low(step + 1) == "of"):
        return None
    return Unit("money", DOLLAR_COUNTRIES.get(country, NAMES[name]), step + 1)


def _pence(tokens: Tokens, index: int) -> Unit | None:
    """The letter of 50p; 1080p is the height of a picture."""
    digits = tokens.at(index - 1).text
    pence = tokens.at(index).text == "p" and tokens.glued(index) and digits.isdigit() and len(digits) < 3
    return Unit("money", "GBP", index + 1, Decimal("0.01")) if pence else None


def _time(tokens: Tokens, index: int) -> Unit | None:
    step, working = index, False
    while step < index + 2 and (tokens.low(step) in _WORKING or tokens.low(step) in _TIME_QUALIFIERS):
        working = working or tokens.low(step) in _WORKING
        step += 1
        step += tokens.low(step) == "-"
    unit = TIME.get(tokens.low(step))
    if unit is None or not tokens.near(step):
        return None
    if unit == "fortnight":
        return Unit("duration", "week", step + 1, Decimal(2))
    if unit == "quarter" and tokens.low(step) == "quarter" and tokens.low(step + 1) == "of":
        return None
    return Unit("duration", f"business {unit}" if working else unit, step + 1)


def _measure(tokens: Tokens, index: int) -> Unit | None:
    token = tokens.at(index)
    square = ""
    if token.low in _SQUARE:
        square, index = f"{token.low} ", index + 1
        token = tokens.at(index)
    name = token.low if token.low in _MEASURE_NAMES else MEASURES.get(token.low)
    if name is None or not tokens.near(index) or (len(token.low) == 1 and token.text != token.low):
        return None
    if token.low == "x" and not tokens.glued(index):
        return None
    return Unit("count", square + name, index + 1)


def _counted(tokens: Tokens, index: int, *, hyphen: bool) -> Unit | None:
    """The plural noun behind a number: "3,500 full-time employees", and the adjective "500-person"."""
    token = tokens.at(index)
    if hyphen:
        counts = (
            token.text.islower() and len(token.low) > 3 and token.low not in _MANNERS and tokens.low(index + 1) != "-"
        )
        return Unit("count", singular(token.low), index + 1) if counts else None
    step = index
    for _ in range(2):
        word = tokens.low(step)
        if tokens.low(step + 1) == "-" and tokens.glued(step + 1) and tokens.glued(step + 2):
            word, width = f"{word}-{tokens.low(step + 2)}", 3
        else:
            width = 1
        if word not in _ADJECTIVES or not tokens.at(step).text.islower() or not tokens.near(step + width):
            break
        step += width
    noun = tokens.at(step)
    if noun.kind != "word" or not noun.text.islower() or tokens.low(step + 1) in ("'", "\u2019"):
        return None
    plural = noun.low.endswith("s") and not noun.low.endswith("ss") and len(noun.low) > 3
    if noun.low in _NOT_COUNTED or tokens.low(step - 1) == "of" or not (plural or noun.low in _PEOPLE):
        return None
    return Unit("count", singular(noun.low), step + 1)
