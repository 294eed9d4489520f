"""Changes to real sentences: such that the two contradict each other, and traps that leave what they say as it was.

Figures and dates are found here by plain patterns of the most usual forms, and not by the reader that is measured.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from typing import Literal, TypeAlias

Change: TypeAlias = Literal[
    "number changed",
    "date changed",
    "negated",
    "number in another form",
    "date in another form",
    "another subject",
    "unrelated sentence",
]
CONFLICTS: tuple[Change, ...] = ("number changed", "date changed", "negated")
TRAPS: tuple[Change, ...] = (
    "number in another form",
    "date in another form",
    "another subject",
    "unrelated sentence",
)

_MONTHS = "January February March April May June July August September October November December".split()
_DATE = re.compile(rf"\b(?P<month>{'|'.join(_MONTHS)}) (?P<day>\d{{1,2}}), (?P<year>(?:19|20)\d\d)\b")
_YEAR = re.compile(r"\b(?:in|fiscal|since|during) (?P<year>(?:19|20)\d\d)\b(?![,.]?\d)")
_NUMBER = re.compile(
    r"(?<![\w.,$-])(?P<sign>\$ ?)?(?P<digits>\d{1,3}(?:,\d{3})+|\d+)(?P<cents>\.\d{1,2})?(?![\w-]|[.,/:]\d)"
    r"(?P<unit>%| percent| million| billion| days| years| months| employees| shares| hours)?"
)
_MODAL = re.compile(r"\b(?P<verb>shall|will|must|may|is|are|was|were|has been|have been)\b(?! not| only| no\b)")
_NOT = re.compile(r"\b(?P<verb>shall|will|must|is|are|was|were|do|does|did) not\b(?! only| limited)")
_NAME = re.compile(r"(?<=[a-z,] )(?P<name>[A-Z][a-z]{3,12})(?= [a-z])")
_OTHER_NAMES = ("Norrland", "Corvane", "Elstree", "Brightwater", "Kestrel", "Ostermann")
_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
_TENS = {20: "twenty", 30: "thirty", 40: "forty", 50: "fifty", 60: "sixty", 90: "ninety"}


def changed(sentence: str, change: Change, key: str) -> str | None:
    """The sentence with a change of that sort; None where there is no place for it.

    Args:
        sentence: A real sentence.
        change: Any but "unrelated sentence", which is no change.
        key: The same key draws the same place and value.
    """
    return _CHANGES[change](sentence, _lot(f"{key}:{change}")) if change in _CHANGES else None


def _lot(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big")


def _chosen(pattern: re.Pattern[str], sentence: str, lot: int) -> re.Match[str] | None:
    found = list(pattern.finditer(sentence))
    return found[lot % len(found)] if found else None


def _put(sentence: str, match: re.Match[str], group: str, text: str) -> str:
    return sentence[: match.start(group)] + text + sentence[match.end(group) :]


def _outside_dates(sentence: str, lot: int) -> re.Match[str] | None:
    taken = [match.span() for pattern in (_DATE, _YEAR) for match in pattern.finditer(sentence)]
    found = [
        match
        for match in _NUMBER.finditer(sentence)
        if not any(start < match.end() and match.start() < end for start, end in taken)
        and (match["unit"] or match["sign"] or "," in match["digits"])
    ]
    return found[lot % len(found)] if found else None


def _number_changed(sentence: str, lot: int) -> str | None:
    match = _outside_dates(sentence, lot)
    if match is None:
        return None
    digits = match["digits"]
    places = [place for place, character in enumerate(digits) if character.isdigit()]
    place = places[lot % len(places)]
    digit = str((int(digits[place]) + 1 + lot // 7 % 8) % 10)
    if place == 0 and digit == "0":
        digit = "9" if digits[place] != "9" else "4"
    return _put(sentence, match, "digits", digits[:place] + digit + digits[place + 1 :])


def _date_changed(sentence: str, lot: int) -> str | None:
    match = _chosen(_DATE, sentence, lot)
    if match is None:
        match = _chosen(_YEAR, sentence, lot)
        return _put(sentence, match, "year", str(int(match["year"]) + 1 + lot % 3)) if match else None
    if lot % 3 == 0:
        return _put(sentence, match, "day", str(int(match["day"]) % 28 + 1))
    if lot % 3 == 1:
        month = _MONTHS[(_MONTHS.index(match["month"]) + 1 + lot % 10) % 12]
        return _put(sentence, match, "month", month) if int(match["day"]) < 29 else None
    return _put(sentence, match, "year", str(int(match["year"]) - 1 - lot % 4))


def _negated(sentence: str, lot: int) -> str | None:
    if lot % 4 == 0 and (match := _chosen(_NOT, sentence, lot)):
        return sentence[: match.start()] + match["verb"] + sentence[match.end() :]
    match = _chosen(_MODAL, sentence, lot)
    if match is None:
        return None
    first, _, rest = match["verb"].partition(" ")
    return _put(sentence, match, "verb", f"{first} not {rest}".rstrip())


def _number_in_another_form(sentence: str, lot: int) -> str | None:
    match = _outside_dates(sentence, lot)
    if match is None:
        return None
    sign, digits, cents, unit = match["sign"] or "", match["digits"], match["cents"] or "", match["unit"] or ""
    forms = [form for form in _forms(sign, digits.replace(",", ""), cents, unit) if form != match.group()]
    return sentence[: match.start()] + forms[lot % len(forms)] + sentence[match.end() :] if forms else None


def _forms(sign: str, digits: str, cents: str, unit: str) -> list[str]:
    value = int(digits)
    forms = [f"{sign}{value:,}{cents}{unit}", f"{sign}{digits}{cents}{unit}"]
    if unit in ("%", " percent"):
        forms += [f"{digits}{cents} percent", f"{digits}{cents}%", f"{digits}{cents} per cent"]
    if sign:
        forms += [f"USD {value:,}{cents}{unit}", f"{value:,}{cents}{unit} dollars"]
    if unit == " million":
        forms += [f"{sign}{value * 10**6 + int(float(cents or '0') * 10**6):,}"]
    if unit == " billion":
        forms += [f"{sign}{value * 1000 + round(float(cents or '0') * 1000):,} million"]
    if unit == " years" and not cents:
        forms += [f"{12 * value} months"]
    if not cents and not sign and (words := _in_words(value)):
        forms += [f"{words}{unit.replace('%', ' percent')}", f"{words} ({digits}){unit}"]
    return forms


def _in_words(value: int) -> str:
    return _UNITS[value] if value < len(_UNITS) else _TENS.get(value, "")


def _date_in_another_form(sentence: str, lot: int) -> str | None:
    match = _chosen(_DATE, sentence, lot)
    if match is None:
        return None
    month, day, year = match["month"], int(match["day"]), match["year"]
    number = _MONTHS.index(month) + 1
    forms = (
        f"{day} {month} {year}",
        f"{year}-{number:02d}-{day:02d}",
        f"{month[:3]}. {day}, {year}" if month != "May" else f"{day} May {year}",
        f"{number:02d}/{day:02d}/{year}",
        f"the {day}{_suffix(day)} day of {month}, {year}",
        f"{month} {day}{_suffix(day)}, {year}",
    )
    return sentence[: match.start()] + forms[lot % len(forms)] + sentence[match.end() :]


def _suffix(day: int) -> str:
    return "th" if 10 < day < 14 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")


def _another_subject(sentence: str, lot: int) -> str | None:
    """Another name and another figure: two facts of two subjects."""
    other = _number_changed(sentence, lot)
    match = _chosen(_NAME, other, lot) if other else None
    if other is None or match is None or match["name"] in _MONTHS:
        return None
    return _put(other, match, "name", _OTHER_NAMES[lot % len(_OTHER_NAMES)])


_CHANGES: Mapping[Change, Callable[[str, int], str | None]] = {
    "number changed": _number_changed,
    "date changed": _date_changed,
    "negated": _negated,
    "number in another form": _number_in_another_form,
    "date in another form": _date_in_another_form,
    "another subject": _another_subject,
}
