"""Dates and periods against the calendar (ISO 8601) and against the cited lines."""

from __future__ import annotations

import calendar
import datetime as dt
import re
from collections.abc import Iterable, Iterator

from spanwise.contract.validation.cited import Cited, read_quantities
from spanwise.contract.validation.problems import Fault, shown
from spanwise.contract.values import DateRange, DateValue
from spanwise.text.quantities import Quantity, parse_date

_MONTH = re.compile(r"\d{4}-(?:0[1-9]|1[0-2])", re.ASCII)
_YEAR = re.compile(r"\d{4}", re.ASCII)
_YEARLESS = re.compile(r"--(\d{2}-\d{2})", re.ASCII)
_PART = re.compile(r"(?P<year>\d{4})-(?P<kind>[QH])(?P<number>[1-4])", re.ASCII)


def normal_iso(iso: str) -> str | None:
    """A date of ISO 8601 at its precision (`2024-03-15`, `2024-03`, `2024`, `--03-15`); None where it is none.

    A day that the calendar does not have is none: 2024-02-30.
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
    """Faults of a date by itself."""
    if normal_iso(date.iso) is None:
        yield Fault("date_not_iso", f"{shown(date.iso)} is no day, month or year of ISO 8601")


def range_format_faults(period: DateRange) -> Iterator[Fault]:
    """Faults of a period by itself."""
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
    """True if a start is not after an end, at the precision that both have."""
    shared = min(len(start), len(end))
    return start[:shared] <= end[:shared]


def date_faults(date: DateValue, cited: Cited) -> Iterator[Fault]:
    """Parts of a date that the cited lines do not hold: its written form, and a form that says what `iso` says."""
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
    """Ends of a period that no date or period of the cited lines says."""
    stated = [quantity for quantity, _ in cited.quantities if quantity.iso]
    for end, last in ((period.iso_start, False), (period.iso_end, True)):
        claimed = normal_iso(end) if end else None
        if claimed and not any(_says_end(one, claimed, last=last) for quantity in stated for one in _isos([quantity])):
            yield Fault("date_not_in_lines", f"the cited lines do not state {claimed}")


def states_date(claimed: str, cited: Cited) -> bool:
    """True if a date or period of the cited lines says that date."""
    return any(_says(one, claimed) for one in _isos(quantity for quantity, _ in cited.quantities))


def _written(original: str) -> Iterator[str]:
    """Readings of a written date in ISO 8601: one, or two where day and month could be the other way round."""
    short = original[:300]
    found = [quantity for quantity in read_quantities(short) if quantity.iso]
    yield from _isos(found)
    if not found and (only := parse_date(short)):
        yield only


def _isos(found: Iterable[Quantity]) -> Iterator[str]:
    """The dates that some quantities say, and the ends of the periods."""
    for quantity in found:
        for iso in quantity.iso.split("/"):
            if not iso.startswith("P"):  # the length of a period
                yield iso.removeprefix("FY")
        if quantity.ambiguous and len(quantity.iso) == 10:
            year, month, day = quantity.iso.split("-")
            yield f"{year}-{day}-{month}"


def _says(written: str, claimed: str) -> bool:
    """True if a written date says the claimed one, which may say less: the month of a day, a day without its year."""
    return (
        written == claimed
        or written.startswith(f"{claimed}-")
        or (claimed.startswith("--") and written.endswith(claimed[1:]))
    )


def _completed(claimed: str, written: Iterable[str], cited: Cited) -> bool:
    """True if other cited words complete what is written: the year of "June 30", the day under the head "2019"."""
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
    """True if a written time says the claimed end of a period, or has it as its own first or last day."""
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
    """First and last month of a quarter or a half year."""
    length, number = (3 if part["kind"] == "Q" else 6), int(part["number"])
    return min(length * (number - 1) + 1, 12), min(length * number, 12)
