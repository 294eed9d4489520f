"""Values of cells as a spreadsheet shows them: the number format of ECMA-376 part 1, 18.8.30, as far as it is text."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache
from typing import TypeAlias

CellValue: TypeAlias = int | float | str | bool | dt.time | dt.date | dt.datetime | dt.timedelta

GENERAL = "General"
BUILT_IN = {
    1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 5: '"$"#,##0', 6: '"$"#,##0', 7: '"$"#,##0.00', 8: '"$"#,##0.00',
    9: "0%", 10: "0.00%", 37: "#,##0;(#,##0)", 38: "#,##0;(#,##0)", 39: "#,##0.00;(#,##0.00)",
    40: "#,##0.00;(#,##0.00)", 41: "#,##0", 42: '"$"#,##0', 43: "#,##0.00", 44: '"$"#,##0.00',
}  # fmt: skip
"""The codes of the formats that a file names by number alone; the others show a value as it is."""
_LONGEST_CODE = 255
_DIGITS = 15
"""Digits of a number that a spreadsheet keeps."""
_MOST_PLACES = 12
_TOKEN = re.compile(
    r'"([^"]{0,100})"|\\(.)|_.|\*.|\[\$([^\]\-]{0,10})[^\]]{0,20}\]|\[[^\]]{0,40}\]|([#0?.,%]+)|(.)', re.DOTALL
)
_COLOUR = re.compile(r"\[(Black|White|Red|Green|Blue|Yellow|Magenta|Cyan|Color\s?\d{1,2})\]", re.IGNORECASE)
_QUOTED = re.compile(r"\"[^\"]{0,255}\"|\\.")
_NO_NUMBER = re.compile(r"[@/Ee]|[dmyhs]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Shape:
    """How one section of a format writes a number: what stands before and behind it, and its digits."""

    before: str
    behind: str
    places: int
    optional: int
    """Places that are written only where they are not zero."""
    thousands: bool
    scale: int
    """Power of ten that the value is multiplied with."""
    blank: bool = False
    """Whether no digit is written: accountants' "-" for nothing."""


def shown(value: CellValue, code: str = GENERAL) -> str:
    """A value as its cell shows it, empty where its format shows nothing; dates as ISO 8601, the same everywhere."""
    if code != GENERAL and _conceals(value, code):
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int | float):
        return _number(value, code)
    if isinstance(value, dt.datetime):
        day = value.date().isoformat()
        return day if value.time() == dt.time() else f"{day} {_clock(value.time())}"
    if isinstance(value, dt.time):
        return _clock(value)
    return str(value)


def _conceals(value: CellValue, code: str) -> bool:
    """True if the section of a format that a value falls under is there and empty (";;;"), or says something else."""
    section = _section(value, code)
    if section is None or ";" not in code:
        return False
    if isinstance(value, str) and "@" not in (bare := _QUOTED.sub("", section)) and "general" not in bare.lower():
        return True
    return not section.replace('"', "").strip()


def colour_name(value: CellValue, code: str) -> str:
    """The colour in small letters that a format gives to a value, if any."""
    match = _COLOUR.search(_section(value, code) or "") if "[" in code else None
    return match[1].lower() if match else ""


def _section(value: CellValue, code: str) -> str | None:
    """The section of a format that a value falls under; a text falls under one that shows text, or the fourth."""
    sections = _sections(code[:_LONGEST_CODE])
    if isinstance(value, str):
        return sections[3] if len(sections) > 3 else sections[-1] if "@" in sections[-1] else None
    place = (1 if value < 0 else 2 if value == 0 else 0) if isinstance(value, int | float) else 0
    return sections[place] if place < len(sections) else sections[0]


def _clock(value: dt.time) -> str:
    return value.strftime("%H:%M:%S" if value.second else "%H:%M")


def _number(value: float, code: str) -> str:
    shapes = _shapes(code)
    if not shapes:
        return _general(value)
    shape = shapes[1] if value < 0 and len(shapes) > 1 else shapes[2] if value == 0 and len(shapes) > 2 else shapes[0]
    if shape.blank:
        return f"{shape.before}{shape.behind}".strip()
    number = Decimal(repr(value)).scaleb(shape.scale)
    sign = "-" if value < 0 and len(shapes) == 1 else ""
    if not number.is_finite():
        return _general(value)
    rounded = abs(number).quantize(Decimal(1).scaleb(-shape.places), ROUND_HALF_UP)
    digits = f"{rounded:,f}" if shape.thousands else f"{rounded:f}"
    if shape.optional:
        kept = len(digits.rstrip("0"))
        digits = digits[: max(kept, len(digits) - shape.optional)].rstrip(".")
    return f"{sign}{shape.before}{digits}{shape.behind}".strip()


def _general(value: float) -> str:
    text = f"{value:.{_DIGITS}g}"
    return f"{Decimal(text):f}" if "e" in text and abs(value) < 1e21 and (value == 0 or abs(value) > 1e-9) else text


@lru_cache(maxsize=1024)
def _shapes(code: str) -> tuple[_Shape, ...]:
    """The sections of a format for positive and negative numbers and zero; none where it writes no plain number."""
    if code == GENERAL or len(code) > _LONGEST_CODE:
        return ()
    found: list[_Shape] = []
    for section in _sections(code)[:3]:
        shape = _shape(section)
        if shape is None:
            return tuple(found[:1])
        found.append(shape)
    return tuple(found)


def _sections(code: str) -> list[str]:
    """The parts between semicolons that are not quoted."""
    parts, quoted = [""], False
    for character in code:
        quoted ^= character == '"'
        if character == ";" and not quoted:
            parts.append("")
        else:
            parts[-1] += character
    return parts


def _shape(section: str) -> _Shape | None:
    """How a section writes a number; None for dates, fractions, powers, text and what has no digits."""
    before, behind, digits = "", "", ""
    percent = False
    for quoted, escaped, currency, figures, other in _TOKEN.findall(section):
        literal = quoted or escaped or currency
        if figures:
            percent = percent or "%" in figures
            digits += figures.replace("%", "")
            literal = "%" * ("%" in figures)
        elif other:
            if _NO_NUMBER.match(other):
                return None
            literal = other
        if digits:
            behind += literal
        else:
            before += literal
    whole, _, fraction = digits.partition(".")
    if not any(one in digits for one in "#0"):  # "?" alone leaves a space: what is written is the words around it
        return _Shape(before, behind, 0, 0, thousands=False, scale=0, blank=True) if digits else None
    places = min(_MOST_PLACES, sum(one in "#0?" for one in fraction))
    optional = min(places, sum(one in "#?" for one in fraction))
    thousandths = len(digits) - len(digits.rstrip(","))
    scale = 2 * percent - 3 * thousandths
    return _Shape(before, behind, places, optional, thousands="," in whole.rstrip(","), scale=scale)
