"""What the styles and the numbering of a DOCX say about a paragraph: heading level, list marker, looks."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from lxml import etree

from spanwise.readers.office import W, child, elements, integer, is_on, local, value

_HEADING = re.compile(r"heading ([1-9])")
_PLACE = re.compile(r"%([1-9])")
_BODY_LEVEL = 9
_LONGEST_CHAIN = 20
_ROMAN = tuple(
    zip(
        (1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1),
        ("m", "cm", "d", "cd", "c", "xc", "l", "xl", "x", "ix", "v", "iv", "i"),
        strict=True,
    )
)


class Numbered(NamedTuple):
    """The list that a paragraph belongs to and its level there; None says that a style leaves it open."""

    list_id: str
    level: int | None


@dataclass(frozen=True, slots=True)
class _Style:
    name: str
    parent: str | None
    outline: int | None
    numbered: Numbered | None
    element: etree._Element


class Styles:
    """The styles of a document, each with what it inherits."""

    def __init__(self, root: etree._Element | None) -> None:
        self._styles: dict[str, _Style] = {}
        self.default: str | None = None
        self.default_table: str | None = None
        self.default_run = child(root, "docDefaults", "rPrDefault", "rPr")
        self.default_paragraph = child(root, "docDefaults", "pPrDefault", "pPr")
        for element in () if root is None else root.iterfind(f"{W}style"):
            identifier = value(element, "styleId") or ""
            self._styles[identifier] = _style(element)
            if value(element, "default") in ("1", "true"):
                if value(element, "type") == "paragraph":
                    self.default = identifier
                elif value(element, "type") == "table":
                    self.default_table = identifier

    def heading_level(self, identifier: str | None, direct: int | None) -> int | None:
        """The level that a paragraph has in the outline (1 is the outermost), or None for body text."""
        if direct is not None:
            return direct + 1 if direct < _BODY_LEVEL else None
        for style in self._chain(identifier):
            if style.outline is not None:
                return style.outline + 1 if style.outline < _BODY_LEVEL else None
            if match := _HEADING.fullmatch(style.name):
                return int(match[1])
            if style.name == "title":
                return 1
        return None

    def numbered(self, identifier: str | None) -> Numbered | None:
        """The list that a style puts its paragraphs into."""
        return next((style.numbered for style in self._chain(identifier) if style.numbered), None)

    def chain_of(self, identifier: str | None) -> tuple[etree._Element, ...]:
        """A style and those that it is based on, the nearest first."""
        return tuple(style.element for style in self._chain(identifier))

    def _chain(self, identifier: str | None) -> list[_Style]:
        chain: list[_Style] = []
        while identifier is not None and len(chain) < _LONGEST_CHAIN:
            style = self._styles.get(identifier)
            if style is None:
                break
            chain.append(style)
            identifier = style.parent
        return chain


def _style(element: etree._Element) -> _Style:
    outline = child(element, "pPr", "outlineLvl")
    return _Style(
        name=(value(child(element, "name")) or "").lower(),
        parent=value(child(element, "basedOn")),
        outline=None if outline is None else integer(value(outline)),
        numbered=numbered(child(element, "pPr")),
        element=element,
    )


def numbered(properties: etree._Element | None) -> Numbered | None:
    """The list that paragraph properties name themselves."""
    list_id = value(child(properties, "numPr", "numId"))
    if list_id is None:
        return None
    level = value(child(properties, "numPr", "ilvl"))
    return Numbered(list_id, None if level is None else min(8, max(0, integer(level))))


@dataclass(slots=True)
class _Level:
    format: str = "decimal"
    text: str = "%1."
    start: int = 1
    style: str | None = None
    legal: bool = False


@dataclass(slots=True)
class _Sequence:
    """One abstract numbering: its levels and how far each has counted."""

    levels: dict[int, _Level]
    counts: dict[int, int] = field(default_factory=dict)


class Numbering:
    """Counts the items of every list as Word does when it shows them."""

    def __init__(self, root: etree._Element | None) -> None:
        self._abstract: dict[str, _Sequence] = {}
        self._lists: dict[str, str] = {}
        self._restarts: dict[str, dict[int, int]] = {}
        for element in () if root is None else elements(root):
            if local(element) == "abstractNum":
                levels = {integer(value(level, "ilvl")): _level(level) for level in element.iterfind(f"{W}lvl")}
                self._abstract[value(element, "abstractNumId") or ""] = _Sequence(levels)
            elif local(element) == "num":
                identifier = value(element, "numId") or ""
                self._lists[identifier] = value(child(element, "abstractNumId")) or ""
                self._restarts[identifier] = {
                    integer(value(override, "ilvl")): integer(value(start), 1)
                    for override in element.iterfind(f"{W}lvlOverride")
                    if (start := child(override, "startOverride")) is not None
                }

    def marker(self, place: Numbered, style: str | None) -> str:
        """What Word shows before the next item of a list, with a space after it; "- " for a bullet."""
        if place.list_id == "0":
            return ""
        sequence = self._abstract.get(self._lists.get(place.list_id, ""))
        if sequence is None:
            return "- "
        level = place.level if place.level is not None else _level_of_style(sequence, style)
        for restarted, start in self._restarts.get(place.list_id, {}).items():
            sequence.counts[restarted] = start - 1
        self._restarts.pop(place.list_id, None)
        return self._count(sequence, level)

    def _count(self, sequence: _Sequence, level: int) -> str:
        counts, shown = sequence.counts, sequence.levels.get(level, _Level())
        counts[level] = counts.get(level, shown.start - 1) + 1
        for deeper in [other for other in counts if other > level]:
            del counts[deeper]
        if shown.format == "bullet" or not sequence.levels:
            return "- "
        if shown.format == "none":
            return ""

        def number(match: re.Match[str]) -> str:
            above = int(match[1]) - 1
            settings = sequence.levels.get(above, _Level())
            count = counts.setdefault(above, settings.start)
            return _formatted(count, "decimal" if shown.legal else settings.format)

        text = _PLACE.sub(number, shown.text[:80]).strip()
        return f"{text} " if text else ""


def _level_of_style(sequence: _Sequence, style: str | None) -> int:
    return next((index for index, level in sequence.levels.items() if level.style and level.style == style), 0)


def _level(element: etree._Element) -> _Level:
    return _Level(
        format=value(child(element, "numFmt")) or "decimal",
        text=value(child(element, "lvlText")) or "",
        start=integer(value(child(element, "start")), 1),
        style=value(child(element, "pStyle")),
        legal=is_on(child(element, "isLgl")) or False,
    )


def _formatted(count: int, form: str) -> str:
    if form in ("lowerLetter", "upperLetter") and count > 0:
        # Word goes on after z with aa, bb, cc.
        letters = chr(ord("a") + (count - 1) % 26) * min(20, (count - 1) // 26 + 1)
        return letters if form == "lowerLetter" else letters.upper()
    if form in ("lowerRoman", "upperRoman") and 0 < count < 5000:
        roman = _roman(count)
        return roman if form == "lowerRoman" else roman.upper()
    return f"{count:02d}" if form == "decimalZero" else str(count)


def _roman(count: int) -> str:
    digits: list[str] = []
    for worth, digit in _ROMAN:
        times, count = divmod(count, worth)
        digits.append(digit * times)
    return "".join(digits)
