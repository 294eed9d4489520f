"""Cell values as a spreadsheet shows them: number formats (ECMA-376 part 1, 18.8.30), as far as they affect text.

Of conditional formats (18.3.1.18) only those are kept that change colours or number formats, or hide the value. A
condition is evaluated if it compares cells and constants or searches the text; otherwise its result is unknown.
"""

from __future__ import annotations

import datetime as dt
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Context, Decimal
from functools import lru_cache
from typing import TypeAlias

from lxml import etree

from spanwise.readers.office import elements, integer, local
from spanwise.readers.palette import RGB, of_sheet

CellValue: TypeAlias = int | float | str | bool | dt.time | dt.date | dt.datetime | dt.timedelta

GENERAL = "General"
BUILT_IN = {
    1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 5: '"$"#,##0', 6: '"$"#,##0', 7: '"$"#,##0.00', 8: '"$"#,##0.00',
    9: "0%", 10: "0.00%", 37: "#,##0;(#,##0)", 38: "#,##0;(#,##0)", 39: "#,##0.00;(#,##0.00)",
    40: "#,##0.00;(#,##0.00)", 41: "#,##0", 42: '"$"#,##0', 43: "#,##0.00", 44: '"$"#,##0.00',
}  # fmt: skip
"""The codes of formats that a file gives only by number; the others show a value as it is."""
_LONGEST_CODE = 255
_DIGITS = 15
"""Significant digits of a number in a spreadsheet."""
_MOST_PLACES = 12
_TOKEN = re.compile(
    r'"([^"]{0,100})"|\\(.)|_.|\*.|\[\$([^\]\-]{0,10})[^\]]{0,20}\]|\[[^\]]{0,40}\]|([#0?.,%]+)|(.)', re.DOTALL
)
_COLOUR = re.compile(r"\[(Black|White|Red|Green|Blue|Yellow|Magenta|Cyan|Color\s?\d{1,2})\]", re.IGNORECASE)
_QUOTED = re.compile(r"\"[^\"]{0,255}\"|\\.")
_CONDITION = re.compile(r"\[(<=|>=|<>|<|>|=)\s?(-?\d{1,15}(?:\.\d{1,15})?)\]")
_EXACT = Context(prec=400, rounding=ROUND_HALF_UP)
"""Decimals with as many digits as the largest float has."""
_NO_NUMBER = re.compile(r"[@/Ee]|[dmyhs]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Shape:
    """The layout of a number in one section of a format: literal text before and after it, and its digits."""

    before: str
    behind: str
    places: int
    optional: int
    """Decimal places that are written only if not zero."""
    thousands: bool
    scale: int
    """Power of ten by which the value is multiplied."""
    least: int = 1
    """Digits before the decimal point that are written even if zero, as in the number of a postcode."""
    inner: tuple[tuple[int, str], ...] = ()
    """Literal texts between the digits before the decimal point, each with the number of digits behind it."""
    blank: bool = False
    """True if no digit is written: accountants' "-" for zero."""


def shown(value: CellValue, code: str = GENERAL) -> str:
    """The text that a cell shows for a value, possibly empty; dates always as ISO 8601."""
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
    return _duration(value, code) if isinstance(value, dt.timedelta) else str(value)


def _conceals(value: CellValue, code: str) -> bool:
    """True if the format's section for this value is empty (";;;"), or shows other text in place of a text."""
    section = _section(value, code)
    if section is None or ";" not in code:
        return False
    if isinstance(value, str) and "@" not in (bare := _QUOTED.sub("", section)) and "general" not in bare.lower():
        return True
    return not section.replace('"', "").strip()


def colour_name(value: CellValue, code: str) -> str:
    """The colour, in lower case, that a format gives to a value; empty if none."""
    match = _COLOUR.search(_section(value, code) or "") if "[" in code else None
    return match[1].lower() if match else ""


def _section(value: CellValue, code: str) -> str | None:
    """The section of a format that applies to a value; for a text the fourth, or a last one with "@", else None."""
    sections = _sections(code[:_LONGEST_CODE])
    if isinstance(value, str):
        return sections[3] if len(sections) > 3 else sections[-1] if "@" in sections[-1] else None
    return sections[_place(value, sections)[0]] if isinstance(value, int | float) else sections[0]


def _place(value: float, sections: Sequence[str]) -> tuple[int, bool]:
    """The place of the section that applies to a number, and whether a minus is written before a negative one.

    Sections apply to positive numbers, negative numbers and zero, or, where they name conditions, to what meets them.
    """
    count = min(len(sections), 3)
    conditions = [_CONDITION.search(section) for section in sections[:count]]
    if not any(conditions):
        place = 1 if value < 0 else 2 if value == 0 else 0
        return (place, False) if 0 < place < count else (0, True)
    for place, condition in enumerate(conditions):
        if condition is not None:
            limit = float(condition[2])
            if _COMPARISONS[condition[1]](value, limit):
                return place, not (condition[1] in ("<", "<=") and limit <= 0)
        elif place == count - 1:
            return place, True
        elif value > 0 if place == 0 else value < 0:
            return place, False
    return 0, True


def _clock(value: dt.time) -> str:
    return value.strftime("%H:%M:%S" if value.second else "%H:%M")


def _duration(value: dt.timedelta, code: str) -> str:
    """Hours, minutes and, unless the format shows none, seconds; there may be more than 24 hours."""
    seconds = round(abs(value.total_seconds()))
    clock = f"{seconds // 3600}:{seconds // 60 % 60:02}"
    exact = seconds % 60 or code == GENERAL or "s" in code.lower()
    return f"{'-' if value < dt.timedelta() else ''}{clock}{f':{seconds % 60:02}' if exact else ''}"


def _number(value: float, code: str) -> str:
    shapes = _shapes(code)
    if not any(shapes):
        return _general(value)
    place, signed = _place(value, _sections(code))
    shape = shapes[place]
    if shape is None:  # words in place of a negative number or of zero; a number says more
        shape, signed = None if _CONDITION.search(code) else shapes[0], True
    if shape is None:
        return _general(value)
    if shape.blank:
        return f"{shape.before}{shape.behind}".strip()
    number = Decimal(repr(value)).scaleb(shape.scale)
    sign = "-" if value < 0 and signed else ""
    if not number.is_finite():
        return _general(value)
    rounded = abs(number).quantize(Decimal(1).scaleb(-shape.places), context=_EXACT)
    digits = f"{rounded:,f}" if shape.thousands else f"{rounded:f}"
    if shape.optional:
        kept = len(digits.rstrip("0"))
        digits = digits[: max(kept, len(digits) - shape.optional)].rstrip(".")
    if not shape.thousands:
        digits = _filled(digits, shape)
    return f"{sign}{shape.before}{digits}{shape.behind}".strip()


def _filled(digits: str, shape: _Shape) -> str:
    """A number with the zeros and the literal texts that its format has before the decimal point."""
    whole, point, fraction = digits.partition(".")
    whole = whole.zfill(shape.least)
    written, done = "", 0
    for behind, literal in shape.inner:
        at = max(done, len(whole) - behind)
        written += whole[done:at] + literal
        done = at
    return f"{written}{whole[done:]}{point}{fraction}".strip()


def _general(value: float) -> str:
    text = f"{value:.{_DIGITS}g}"
    return f"{Decimal(text):f}" if "e" in text and abs(value) < 1e21 and (value == 0 or abs(value) > 1e-9) else text


@lru_cache(maxsize=1024)
def _shapes(code: str) -> tuple[_Shape | None, ...]:
    """The layouts of a number in the sections of a format; None for a section that formats no plain number."""
    return () if code == GENERAL or len(code) > _LONGEST_CODE else tuple(map(_shape, _sections(code)[:3]))


@lru_cache(maxsize=1024)
def _sections(code: str) -> tuple[str, ...]:
    """The parts of a format code between semicolons outside quotation marks."""
    parts, quoted = [""], False
    for character in code:
        quoted ^= character == '"'
        if character == ";" and not quoted:
            parts.append("")
        else:
            parts[-1] += character
    return tuple(parts)


def _shape(section: str) -> _Shape | None:
    """The layout of a number in a section; None for dates, fractions, exponents, text and sections without digits."""
    before, behind, digits = "", "", ""
    percent = False
    between: list[tuple[int, str]] = []
    for quoted, escaped, currency, figures, other in _TOKEN.findall(section):
        literal = quoted or escaped or currency
        if figures:
            percent = percent or "%" in figures
            if behind and "." not in digits and any(one in figures for one in "#0?"):
                between.append((_slots(digits), behind))
                behind = ""
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
    if not any(one in digits for one in "#0"):  # "?" alone leaves a space: only the text around it is shown
        return _Shape(before, behind, 0, 0, thousands=False, scale=0, blank=True) if digits else None
    places = min(_MOST_PLACES, sum(one in "#0?" for one in fraction))
    optional = min(places, sum(one in "#?" for one in fraction))
    thousandths = len(digits) - len(digits.rstrip(","))
    scale = 2 * percent - 3 * thousandths
    slots = _slots(whole)
    return _Shape(
        before,
        behind,
        places,
        optional,
        thousands="," in whole.rstrip(","),
        scale=scale,
        least=whole.count("0"),
        inner=tuple((slots - ahead, literal) for ahead, literal in between),
    )


def _slots(digits: str) -> int:
    """The number of places for a digit in part of a format."""
    return sum(one in "#0?" for one in digits)


Place: TypeAlias = tuple[int, int]
ValueAt: TypeAlias = Callable[[Place], object]

_MOST_AREAS = 500
_LONGEST = 300
_COMPARISONS: Mapping[str, Callable[[float, float], bool]] = {
    "=": operator.eq, "<>": operator.ne, "<": operator.lt, ">": operator.gt, "<=": operator.le, ">=": operator.ge,
}  # fmt: skip
_OPERATORS = {
    "equal": "=", "notEqual": "<>", "lessThan": "<", "greaterThan": ">", "lessThanOrEqual": "<=",
    "greaterThanOrEqual": ">=",
}  # fmt: skip
_SEARCHES: Mapping[str, Callable[[str, str], bool]] = {
    "containsText": operator.contains,
    "notContainsText": lambda words, sought: sought not in words,
    "beginsWith": str.startswith,
    "endsWith": str.endswith,
    "containsBlanks": lambda words, _: not words.strip(),
    "notContainsBlanks": lambda words, _: bool(words.strip()),
}
_COMPARISON = re.compile(r"([^<>=]{1,200})(<>|<=|>=|=|<|>)([^<>=]{1,200})")
_REFERENCE = re.compile(r"(\$?)([A-Za-z]{1,3})(\$?)([0-9]{1,7})")
_BLANK = re.compile(
    r"(?:LEN\(TRIM\((\$?[A-Za-z]{1,3}\$?\d{1,7})\)\)(=|>)0|(NOT\()?ISBLANK\((\$?[A-Za-z]{1,3}\$?\d{1,7})\)\)?)"
)


@dataclass(frozen=True, slots=True)
class Condition:
    """A conditional format for some cells."""

    areas: tuple[tuple[Place, Place], ...]
    kind: str
    comparison: str
    text: str
    formulas: tuple[str, ...]
    priority: int
    letters: RGB | None
    ground: RGB | None
    code: str | None
    bare: bool
    """True for a data bar or icon that is shown in place of the value."""

    def holds(self, place: Place, value_at: ValueAt) -> bool | None:
        """True if its condition is met for a cell; None if that is unknown."""
        first = self.areas[0][0]
        shift = place[0] - first[0], place[1] - first[1]
        value = value_at(place)
        if self.bare:
            return isinstance(value, int | float)
        if self.kind == "expression" and self.formulas:
            return _expression(self.formulas[0], shift, value_at)
        if self.kind == "cellIs":
            return self._compares(value, [_operand(formula, shift, value_at) for formula in self.formulas])
        words, sought = str(value).casefold(), self.text.casefold()
        if self.kind not in _SEARCHES or (not sought and "Blanks" not in self.kind):
            return None
        return _SEARCHES[self.kind](words, sought)

    def _compares(self, value: object, given: Sequence[object]) -> bool | None:
        if not given or None in given:
            return None
        if self.comparison in ("between", "notBetween") and len(given) == 2:
            within = _compared(value, ">=", given[0]) and _compared(value, "<=", given[1])
            return bool(within) == (self.comparison == "between")
        return _compared(value, _OPERATORS.get(self.comparison, "="), given[0])


def read_conditions(
    element: etree._Element, formats: Sequence[etree._Element], theme: Mapping[str, str]
) -> list[Condition]:
    """The rules of a `conditionalFormatting`, in either notation, that affect what is visible."""
    told = element.get("sqref") or next((one.text or "" for one in element.iter("{*}sqref")), "")
    areas: list[tuple[Place, Place]] = []
    for area in told.split()[:_MOST_AREAS]:
        first, _, last = area.partition(":")
        start, end = place_at(first), place_at(last or first)
        if start is not None and end is not None:
            areas.append((start, end))
    found: list[Condition] = []
    for rule in elements(element) if areas else ():
        if local(rule) != "cfRule":
            continue
        at = integer(rule.get("dxfId"), -1)
        style = next(rule.iter("{*}dxf"), formats[at] if 0 <= at < len(formats) else None)
        letters = None if style is None else of_sheet(style.find("{*}font/{*}color"), theme)
        pattern = None if style is None else style.find("{*}fill/{*}patternFill")
        paints = [] if pattern is None else sorted(elements(pattern), key=local)  # of a solid fill, the one behind
        grounds = [of_sheet(one, theme) for one in paints]
        number = None if style is None else style.find("{*}numFmt")
        code = None if number is None else number.get("formatCode")
        bare = any(
            local(one) in ("dataBar", "iconSet") and one.get("showValue") in ("0", "false") for one in elements(rule)
        )
        formulas = tuple(
            (one.text or "")[:_LONGEST].strip() for one in elements(rule) if local(one) in ("formula", "f")
        )
        ground = next(filter(None, grounds), None)
        if bare or letters or ground or code is not None:
            found.append(
                Condition(
                    areas=tuple(areas),
                    kind=rule.get("type") or "",
                    comparison=rule.get("operator") or "",
                    text=(rule.get("text") or "")[:_LONGEST],
                    formulas=formulas,
                    priority=integer(rule.get("priority"), 1 << 20),
                    letters=letters,
                    ground=ground,
                    code=code,
                    bare=bare,
                )
            )
    return found


def _operand(text: str, shift: Place, value_at: ValueAt) -> object:
    """The value of a constant or a cell; None for anything else."""
    text = text.strip().removeprefix("=").strip()
    if text.startswith('"') and text.endswith('"') and len(text) > 1:
        return text[1:-1].replace('""', '"')
    if text.upper() in ("TRUE", "FALSE"):
        return text.upper() == "TRUE"
    try:
        return float(text)
    except ValueError:
        place = place_at(text, shift)
        return None if place is None else value_at(place)


def place_at(text: str, shift: Place = (0, 0)) -> Place | None:
    """Row and column, from 0, of an address such as "B7", shifted except where a dollar sign fixes it.

    None if invalid.
    """
    match = _REFERENCE.fullmatch(text)
    if match is None:
        return None
    column = 0
    for letter in match[2].upper():
        column = column * 26 + ord(letter) - 64
    return int(match[4]) - 1 + (0 if match[3] else shift[0]), column - 1 + (0 if match[1] else shift[1])


def _compared(one: object, sign: str, other: object) -> bool | None:
    """The result of a comparison as spreadsheets make it: texts without regard to case, a blank cell as zero."""
    if isinstance(one, int | float) or isinstance(other, int | float):
        numbers = [0.0 if value == "" else value for value in (one, other)]
        if not all(isinstance(value, int | float) for value in numbers):
            text_last = isinstance(one, int | float)  # Any text is greater than any number.
            return {"=": False, "<>": True}.get(sign, text_last == sign.startswith("<"))
        return _COMPARISONS[sign](*(float(value) for value in numbers))  # type: ignore[arg-type]
    texts = [str(value).casefold() for value in (one, other)]
    return bool(_COMPARISONS[sign](*texts))  # type: ignore[arg-type]


def _expression(formula: str, shift: Place, value_at: ValueAt) -> bool | None:
    plain = (
        formula.strip().removeprefix("=").replace(" ", "") if '"' not in formula else formula.strip().removeprefix("=")
    )
    if (blank := _BLANK.fullmatch(plain.upper())) is not None:
        place = place_at(blank[1] or blank[4], shift)
        empty = place is not None and not str(value_at(place)).strip()
        return empty == (blank[2] == "=" if blank[1] else not blank[3])
    if (match := _COMPARISON.fullmatch(plain)) is not None:
        one, other = (_operand(text, shift, value_at) for text in (match[1], match[3]))
        return None if one is None or other is None else _compared(one, match[2], other)
    value = _operand(plain, shift, value_at)
    return bool(value) if isinstance(value, bool | int | float) else None
