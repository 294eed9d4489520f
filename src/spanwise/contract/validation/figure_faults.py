"""Checks of figures against the cited lines: numbers with sign, magnitude, currency and unit; dates and periods."""

from __future__ import annotations

import calendar
import datetime as dt
import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal

from spanwise.contract.validation.cited import Cited, Stretch, read_quantities
from spanwise.contract.validation.problems import LARGEST, Code, Fault, shown
from spanwise.contract.values import Amount, DateRange, DateValue, Price, Quantity
from spanwise.text.fold import folded, stands_in
from spanwise.text.quantities import Quantity as Read
from spanwise.text.quantities import Scale, is_currency, parse_date, quantities
from spanwise.text.quantities.currencies import DOLLARS, HISTORIC
from spanwise.text.tables.table_reading import split_row
from spanwise.text.terms import singular, terms

_ROOM = Decimal("1e-9")
"""Relative tolerance between two equal numbers, because floats that were multiplied are not exact."""
_DOLLARS = frozenset(DOLLARS.values())
_YUAN_OR_YEN = frozenset(["JPY", "CNY"])
_PER_SHARE = re.compile(r"\b(?:per|shares?|units?|basic|diluted|dividends?|price)\b", re.IGNORECASE)
_UNITS = {"percent": "%", "per cent": "%", "pct": "%", "percentage": "%", "percentage point": "pp"}
_UNITS |= {"percentage points": "pp", "basis point": "bp", "basis points": "bp", "bps": "bp", "ratio": "", "x": "time"}
_UNITS |= {"number": "", "count": "", "year-old": "year"}


@dataclass(frozen=True, slots=True)
class _Stated:
    """A value that the cited lines state."""

    value: Decimal
    unit: str
    """Currency code; empty if none is stated with it."""


def format_faults(value: Amount | Price | Quantity) -> Iterator[Fault]:
    """Faults of a value in itself, without its lines: its number and its currency code."""
    yield from number_faults(value.value)
    if not isinstance(value, Quantity) and not (is_currency(value.currency) or value.currency in HISTORIC):
        yield Fault("currency_unknown", f"{shown(value.currency)} is no currency code of ISO 4217")


def number_faults(number: float) -> Iterator[Fault]:
    """Faults of a number in itself: not finite, or too large."""
    if countable(number):
        return
    if isinstance(number, int) or math.isfinite(number):
        size = f"{number:.6g}" if isinstance(number, float) else f"an integer of {number.bit_length()} bits"
        yield Fault("number_too_large", f"{size} is larger than a float can count exactly")
    else:
        yield Fault("number_not_finite", f"{number} is no number that a document can state")


def countable(number: float) -> bool:
    """True if a number is finite and small enough to be compared exactly."""
    return -LARGEST <= number <= LARGEST


def money_faults(amount: Amount | Price, cited: Cited) -> Iterator[Fault]:
    """Faults of an amount: its number, currency or unit is not in the cited lines."""
    if not countable(amount.value):
        return
    stated = list(_stated(cited))
    wanted = _decimal(amount.value)
    same = [one for one in stated if _equal(one.value, wanted)]
    if not same:
        yield _number_fault(wanted, [one.value for one in stated], f"the amount {_number(wanted)}")
    elif not any(_pays_in(one.unit, amount.currency, cited) for one in same):
        yield Fault(
            "currency_not_in_lines", f"the cited lines do not state {_number(wanted)} in {shown(amount.currency)}"
        )
    if amount.unit and amount.unit.strip() and not _says_unit(amount.unit, cited):
        yield Fault("unit_not_in_lines", f"the cited lines do not say {shown(amount.unit)}")


def quantity_faults(quantity: Quantity, cited: Cited) -> Iterator[Fault]:
    """Faults of a quantity: its wording, number or unit is not in the cited lines."""
    if not quantity.original.strip():
        yield Fault("empty_value", "the quantity does not say how the document writes it")
        return
    if not cited.holds(quantity.original):
        yield Fault("quantity_not_in_lines", f"the cited lines do not hold {shown(quantity.original)}")
        return
    if not countable(quantity.value):
        return
    wanted = _decimal(quantity.value)
    read = _written_as(quantity.original, cited)
    same = [one for one in read if any(_equal(value, wanted) for value in _values(one, cited.scales))]
    if not same:
        yield Fault("quantity_disagrees", f"{shown(quantity.original)} does not say {_number(wanted)}")
    elif not any(_counted_in(one, quantity.unit, cited) for one in same):
        yield Fault("unit_not_in_lines", f"{shown(quantity.original)} is not counted in {shown(quantity.unit)}")


def states_number(number: float, cited: Cited) -> Fault | None:
    """The fault of a bare number that no quantity of the cited lines has, whatever it counts; None if one has it."""
    if not countable(number):
        return None
    wanted = _decimal(number)
    values = [value for one, stretch in cited.quantities for value in _meant(one, stretch, cited.scales)]
    return None if any(_equal(value, wanted) for value in values) else _number_fault(wanted, values, _number(wanted))


def states_figures(text: str, cited: Cited) -> Fault | None:
    """The fault of the first figure in a text that the cited lines lack; None if they have all."""
    from spanwise.text.quantities import agrees

    for said in quantities(text[:20_000]):
        if not any(agrees(said, one) for one, _ in cited.quantities):
            return Fault("value_not_in_lines", f"the cited lines do not say {shown(said.original)}")
    return None


def _number_fault(wanted: Decimal, stated: list[Decimal], what: str) -> Fault:
    """The fault of a number that is not stated: a stated one differs in its sign, in its magnitude, or in all."""
    code: Code = "amount_not_in_lines" if what.startswith("the amount") else "value_not_in_lines"
    message = f"the cited lines do not state {what}"
    for value in stated:
        if _equal(-value, wanted) and wanted:
            return Fault("sign_not_in_lines", f"{message}: they state {_number(value)}")
    for value in stated:
        if value and wanted and _power_apart(abs(value), abs(wanted)):
            return Fault("magnitude_not_in_lines", f"{message}: they state {_number(value)}")
    return Fault(code, message)


def _power_apart(one: Decimal, other: Decimal) -> bool:
    """True if two numbers have the same digits and differ by a power of ten."""
    shifted = other.scaleb(one.adjusted() - other.adjusted())
    return _equal(one, shifted)


def _stated(cited: Cited) -> Iterator[_Stated]:
    """Every value in the cited lines that may be money."""
    for quantity, stretch in cited.quantities:
        if quantity.kind in ("money", "number", "fraction"):
            for value in _meant(quantity, stretch, cited.scales):
                yield _Stated(value, quantity.unit if quantity.kind == "money" else "")
        elif quantity.kind == "date" and quantity.original.isdigit():  # a year-like figure may be an amount
            for value in _scaled(Decimal(quantity.original), cited.scales):
                yield _Stated(value, "")


def _meant(quantity: Read, stretch: Stretch, scales: tuple[Scale, ...]) -> Iterator[Decimal]:
    """The values that a quantity may mean: a caption's scale applies in table rows, and may apply in prose."""
    values = [value for value in (quantity.value, quantity.low, quantity.high) if value is not None]
    scalable = quantity.kind in ("money", "number", "fraction", "count") and not quantity.scaled and not quantity.per
    if not scales or not scalable:
        yield from values
        return
    line = stretch.line_of(quantity.start)
    excepted = any(scale.except_per_share or scale.except_shares for scale in scales) and _PER_SHARE.search(line)
    if excepted or quantity.kind == "count" or len(split_row(line)[1]) == 0:
        yield from values
    for value in values:
        yield from _scaled(value, scales)


def _scaled(value: Decimal, scales: tuple[Scale, ...]) -> Iterator[Decimal]:
    if not scales:
        yield value
    for scale in scales:
        yield value * scale.factor


def _values(quantity: Read, scales: tuple[Scale, ...]) -> Iterator[Decimal]:
    """The values of a quantity as written, and multiplied by the scales of cited captions."""
    if quantity.iso and quantity.original.isdigit():
        yield Decimal(quantity.original)
    for value in (quantity.value, quantity.low, quantity.high):
        if value is not None:
            yield value
            if quantity.kind in ("number", "count") and not quantity.scaled:
                yield from (value * scale.factor for scale in scales)


def _pays_in(unit: str, currency: str, cited: Cited) -> bool:
    """True if a figure with this unit may be in that currency; for bare figures and signs the nearby lines decide."""
    if unit == currency:
        return True
    shares_sign = (unit == "USD" and currency in _DOLLARS) or {unit, currency} == _YUAN_OR_YEN
    if unit and not shares_sign:
        return False
    if cited.currencies and not shares_sign:
        return currency in cited.currencies
    return currency in cited.currencies or currency in cited.currencies_around


def _says_unit(unit: str, cited: Cited) -> bool:
    """True if the cited lines contain the unit by which an amount is counted ("per claim")."""
    wanted = set(terms(unit.replace("/", " "))) - {"per"}
    read = {part for quantity, _ in cited.quantities for part in terms(quantity.per)}  # "annually" is read as a year
    return wanted <= {*terms(cited.folded), *read}


def _written_as(original: str, cited: Cited) -> list[Read]:
    """The quantities read from the wording alone, and from the cited lines where it occurs."""
    wanted = folded(original)
    found = list(read_quantities(original[:500]))
    for quantity, _ in cited.quantities:
        written = folded(quantity.original)
        if stands_in(written, wanted) or stands_in(wanted, written):
            found.append(quantity)
    return found


def _counted_in(read: Read, unit: str, cited: Cited) -> bool:
    """True if the quantity is counted in that unit."""
    base, _, per = folded(unit).partition(" per ")
    if per and read.per and singular(per.strip()) != read.per:
        return False
    wanted = _UNITS.get(base.strip(), base.strip())
    wanted = wanted if wanted in ("%", "pp", "bp", "") else " ".join(map(singular, wanted.split()))
    if wanted == folded(read.unit):
        return True
    if read.kind in ("percent", "percentage_points", "duration", "money"):
        return False
    return wanted not in ("%", "pp", "bp") and set(terms(wanted)) <= set(terms(cited.folded))


def _decimal(number: float) -> Decimal:
    return Decimal(repr(float(number)))


def _equal(one: Decimal, other: Decimal) -> bool:
    return abs(one - other) <= max(abs(one), abs(other)) * _ROOM


def _number(value: Decimal) -> str:
    """A number for a message: in full digits unless there are many."""
    return f"{value.normalize():,f}" if -15 < value.adjusted() < 20 else f"{value:.6g}"


_MONTH = re.compile(r"\d{4}-(?:0[1-9]|1[0-2])", re.ASCII)
_YEAR = re.compile(r"\d{4}", re.ASCII)
_YEARLESS = re.compile(r"--(\d{2}-\d{2})", re.ASCII)
_PART = re.compile(r"(?P<year>\d{4})-(?P<kind>[QH])(?P<number>[1-4])", re.ASCII)


def normal_iso(iso: str) -> str | None:
    """An ISO 8601 date in its own precision (`2024-03-15`, `2024-03`, `2024`, `--03-15`); None if it is not valid.

    A day that the calendar lacks, such as 2024-02-30, is not valid.
    """
    if len(iso) > 12 or not iso.isascii():
        return None
    if _YEAR.fullmatch(iso) or _MONTH.fullmatch(iso):
        return None if iso.startswith("0000") else iso
    yearless = _YEARLESS.fullmatch(iso)
    try:
        day = dt.date.fromisoformat(f"2000-{yearless[1]}" if yearless else iso)
    except ValueError:
        return None
    return f"--{day:%m-%d}" if yearless else day.isoformat()


def date_format_faults(date: DateValue) -> Iterator[Fault]:
    """Faults of a date in itself: its `iso` is not ISO 8601."""
    if normal_iso(date.iso) is None:
        yield Fault("date_not_iso", f"{shown(date.iso)} is no day, month or year of ISO 8601")


def range_format_faults(period: DateRange) -> Iterator[Fault]:
    """Faults of a period in itself: empty, not ISO 8601, or reversed."""
    ends = [period.iso_start, period.iso_end]
    if not any(ends):
        yield Fault("empty_value", "the period has neither a start nor an end")
    normal = [normal_iso(end) if end else None for end in ends]
    for end, read in zip(ends, normal, strict=True):
        if end and read is None:
            yield Fault("date_not_iso", f"{shown(end)} is no day, month or year of ISO 8601")
    if normal[0] and normal[1] and not starts_before(normal[0], normal[1]):
        yield Fault("range_reversed", f"the period ends on {normal[1]}, before it starts on {normal[0]}")


def starts_before(start: str, end: str) -> bool:
    """True if a start is not after an end, compared at the precision that both have."""
    shared = min(len(start), len(end))
    return start[:shared] <= end[:shared]


def date_faults(date: DateValue, cited: Cited) -> Iterator[Fault]:
    """Faults of a date: its wording is not in the cited lines, or does not mean its `iso`."""
    if not date.original.strip():
        yield Fault("empty_value", "the date does not say how the document writes it")
        return
    if not cited.holds(date.original):
        yield Fault("date_not_in_lines", f"the cited lines do not hold {shown(date.original)}")
        return
    claimed = normal_iso(date.iso)
    if claimed is None:
        return
    written = set(_written(date.original))
    if not any(_says(one, claimed) for one in written) and not _completed(claimed, written, cited):
        yield Fault("date_disagrees", f"{shown(date.original)} does not say {claimed}")


def range_faults(period: DateRange, cited: Cited) -> Iterator[Fault]:
    """Faults of the ends of a period that no date or period in the cited lines states."""
    stated = [quantity for quantity, _ in cited.quantities if quantity.iso]
    for end, last in ((period.iso_start, False), (period.iso_end, True)):
        claimed = normal_iso(end) if end else None
        if claimed and not any(_says_end(one, claimed, last=last) for quantity in stated for one in _isos([quantity])):
            yield Fault("date_not_in_lines", f"the cited lines do not state {claimed}")


def states_date(claimed: str, cited: Cited) -> bool:
    """True if a date or period in the cited lines states that date."""
    return any(_says(one, claimed) for one in _isos(quantity for quantity, _ in cited.quantities))


def _written(original: str) -> Iterator[str]:
    """The ISO 8601 dates that a written date may mean; two if day and month could be swapped."""
    short = original[:300]
    found = [quantity for quantity in read_quantities(short) if quantity.iso]
    yield from _isos(found)
    if not found and (only := parse_date(short)):
        yield only


def _isos(found: Iterable[Read]) -> Iterator[str]:
    """The dates that some quantities state, and both ends of their periods."""
    for quantity in found:
        for iso in quantity.iso.split("/"):
            if not iso.startswith("P"):  # a duration
                yield iso.removeprefix("FY")
        if quantity.ambiguous and len(quantity.iso) == 10:
            year, month, day = quantity.iso.split("-")
            yield f"{year}-{day}-{month}"


def _says(written: str, claimed: str) -> bool:
    """True if a written date includes the claimed one, which may be less precise: a month, or a day without year."""
    return (
        written == claimed
        or written.startswith(f"{claimed}-")
        or (claimed.startswith("--") and written.endswith(claimed[1:]))
    )


def _completed(claimed: str, written: Iterable[str], cited: Cited) -> bool:
    """True if other cited words complete a written date: the year of "June 30", or the day below the header "2019"."""
    stated: set[str] | None = None
    for one in written:
        fits = claimed.endswith(one[1:]) if one.startswith("--") else claimed.startswith(f"{one}-")
        if not fits:
            continue
        if stated is None:
            stated = set(_isos(quantity for quantity, _ in cited.quantities))
        if claimed in stated:
            return True
        rest = claimed[:4] if one.startswith("--") else f"-{claimed[4:]}"
        if any(other == rest or other.startswith(f"{rest}-") for other in stated):
            return True
    return False


def _says_end(written: str, claimed: str, *, last: bool) -> bool:
    """True if a written time is the claimed end of a period, or has it as its first or last day."""
    return _says(written, claimed) or claimed == (_last_day(written) if last else _first_day(written))


def _first_day(written: str) -> str:
    if part := _PART.fullmatch(written):
        return f"{part['year']}-{_months(part)[0]:02}-01"
    return f"{written}-01-01" if _YEAR.fullmatch(written) else f"{written}-01" if _MONTH.fullmatch(written) else written


def _last_day(written: str) -> str:
    if part := _PART.fullmatch(written):
        year, month = int(part["year"]), _months(part)[1]
    elif _MONTH.fullmatch(written):
        year, month = int(written[:4]), int(written[5:])
    else:
        return f"{written}-12-31" if _YEAR.fullmatch(written) else written
    return f"{year:04}-{month:02}-{calendar.monthrange(year, month)[1]:02}"


def _months(part: re.Match[str]) -> tuple[int, int]:
    """The first and last month (1 to 12) of a quarter or half year."""
    length, number = (3 if part["kind"] == "Q" else 6), int(part["number"])
    return min(length * (number - 1) + 1, 12), min(length * number, 12)
