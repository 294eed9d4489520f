"""Styles, numbering and colours of a DOCX: what they give a paragraph as heading level, list marker and appearance."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from lxml import etree

from spanwise.readers.office import W, child, elements, integer, is_on, local, numeral, value
from spanwise.readers.palette import RGB, WHITE, relit, rgb, theme_colours

_HEADING = re.compile(r"heading ([1-9])")
_PLACE = re.compile(r"%([1-9])")
_BODY_LEVEL = 9
_LONGEST_CHAIN = 20


class Numbered(NamedTuple):
    """The list that a paragraph belongs to and its level there, from 0; a level of None is left open by a style."""

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
    """The styles of a document, each with those that it is based on."""

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
        """The outline level of a paragraph (1 is the outermost), or None for body text.

        `direct` is the level in the paragraph's own properties, counted from 0, which comes before its style's.
        """
        if direct is not None:
            return direct + 1 if 0 <= direct < _BODY_LEVEL else None
        for style in self._chain(identifier):
            if style.outline is not None:
                return style.outline + 1 if 0 <= style.outline < _BODY_LEVEL else None
            if match := _HEADING.fullmatch(style.name):
                return int(match[1])
            if style.name == "title":
                return 1
        return None

    def numbered(self, identifier: str | None) -> Numbered | None:
        """The list that a style puts its paragraphs into; None if it does not."""
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
    """The list that paragraph properties name themselves; None if they name none."""
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
    restart: int = _BODY_LEVEL
    """The deepest level, from 1, whose items make this one begin anew; 0 for none."""


@dataclass(slots=True)
class _Sequence:
    """An abstract numbering: its levels, and the current count of each."""

    levels: dict[int, _Level]
    counts: dict[int, int] = field(default_factory=dict)


class Numbering:
    """Counts the items of every list as Word does to show their markers."""

    def __init__(self, root: etree._Element | None) -> None:
        self._abstract: dict[str, _Sequence] = {}
        self._lists: dict[str, str] = {}
        self._own: dict[str, dict[int, _Level]] = {}
        self._restarts: dict[str, dict[int, int]] = {}
        styled: dict[str, str] = {}
        links: dict[str, str] = {}
        for element in () if root is None else elements(root):
            if local(element) == "abstractNum":
                identifier = value(element, "abstractNumId") or ""
                self._abstract[identifier] = _Sequence(_levels(element.iterfind(f"{W}lvl")))
                styled[value(child(element, "styleLink")) or ""] = identifier
                links[identifier] = value(child(element, "numStyleLink")) or ""
            elif local(element) == "num":
                identifier = value(element, "numId") or ""
                self._lists[identifier] = value(child(element, "abstractNumId")) or ""
                self._restarts[identifier] = {
                    integer(value(override, "ilvl")): integer(value(start), 1)
                    for override in element.iterfind(f"{W}lvlOverride")
                    if (start := child(override, "startOverride")) is not None
                }
                self._own[identifier] = _levels(element.iterfind(f"{W}lvlOverride/{W}lvl"))
        for identifier, style in links.items():  # the levels of a list style stand where the style is defined
            if style in styled and style:
                self._abstract[identifier] = self._abstract[styled[style]]

    def marker(self, place: Numbered, style: str | None) -> str:
        """The marker that Word shows before the next item of a list, with a space after it; "- " for a bullet."""
        if place.list_id == "0":
            return ""
        sequence = self._abstract.get(self._lists.get(place.list_id, ""))
        if sequence is None:
            return "- "
        level, levels = place.level, sequence.levels | self._own.get(place.list_id, {})
        if level is None:
            level = next((at for at, one in levels.items() if one.style and one.style == style), 0)
        for restarted, start in self._restarts.get(place.list_id, {}).items():
            sequence.counts[restarted] = start - 1
        self._restarts.pop(place.list_id, None)
        return _counted(sequence.counts, levels, level)


def _counted(counts: dict[int, int], levels: Mapping[int, _Level], level: int) -> str:
    """What the next item of a level shows, which `counts` then include."""
    shown = levels.get(level, _Level())
    counts[level] = counts.get(level, shown.start - 1) + 1
    for deeper in [one for one in counts if one > level and levels.get(one, shown).restart > level]:
        del counts[deeper]
    if shown.format == "bullet" or not levels:
        return "- "
    if shown.format == "none":
        return ""

    def number(match: re.Match[str]) -> str:
        above = int(match[1]) - 1
        settings = levels.get(above, _Level())
        count = counts.setdefault(above, settings.start)
        return numeral(count, "decimal" if shown.legal else settings.format)

    text = _PLACE.sub(number, shown.text[:80]).strip()
    return f"{text} " if text else ""


def _levels(found: Iterable[etree._Element]) -> dict[int, _Level]:
    return {integer(value(level, "ilvl")): _level(level) for level in found}


def _level(element: etree._Element) -> _Level:
    return _Level(
        format=value(child(element, "numFmt")) or "decimal",
        text=value(child(element, "lvlText")) or "",
        start=integer(value(child(element, "start")), 1),
        style=value(child(element, "pStyle")),
        legal=is_on(child(element, "isLgl")) or False,
        restart=integer(value(child(element, "lvlRestart")), _BODY_LEVEL),
    )


_ROLES = {
    "dark1": "dk1", "light1": "lt1", "dark2": "dk2", "light2": "lt2", "text1": "t1", "background1": "bg1",
    "text2": "t2", "background2": "bg2", "tx1": "t1", "tx2": "t2", "hyperlink": "hlink",
    "followedHyperlink": "folHlink",
}  # fmt: skip
_USUAL_MAP = {"t1": "dk1", "bg1": "lt1", "t2": "dk2", "bg2": "lt2"}
_HIGHLIGHTS = {
    "black": "000000", "blue": "0000FF", "cyan": "00FFFF", "green": "00FF00", "magenta": "FF00FF", "red": "FF0000",
    "yellow": "FFFF00", "white": "FFFFFF", "darkBlue": "000080", "darkCyan": "008080", "darkGreen": "008000",
    "darkMagenta": "800080", "darkRed": "800000", "darkYellow": "808000", "darkGray": "808080",
    "lightGray": "C0C0C0",
}  # fmt: skip


class Theme:
    """The theme colours of a document, and the colours that its elements refer to."""

    def __init__(self, theme: etree._Element | None, settings: etree._Element | None) -> None:
        self._colours = theme_colours(theme)
        self._map = dict(_USUAL_MAP)
        for mapping in () if settings is None else settings.iter("{*}clrSchemeMapping"):
            for name in _USUAL_MAP:
                role = value(mapping, name)
                if role is not None:
                    self._map[name] = _ROLES.get(role, role)

    def named(self, name: str, tint: str | None = None, shade: str | None = None) -> RGB | None:
        """A theme colour, lightened by `tint` or darkened by `shade` as Word does; None if it is missing."""
        role = _ROLES.get(name, name)
        colour = rgb(self._colours.get(self._map.get(role, role)))
        if colour is None:
            return None
        lighter, darker = _byte(tint), _byte(shade)
        return relit(colour, lambda light: (light * lighter + 1 - lighter) * darker)

    def text(self, element: etree._Element) -> RGB | None:
        """The colour of a `w:color`; None for the automatic one, which is always legible."""
        if name := value(element, "themeColor"):
            themed = self.named(name, value(element, "themeTint"), value(element, "themeShade"))
            if themed is not None:
                return themed
        return rgb(value(element))

    def shading(self, element: etree._Element) -> RGB | None:
        """The colour that a `w:shd` paints; None if it paints nothing."""
        fill = self._part(element, "themeFill", "themeFillTint", "themeFillShade", "fill")
        pattern = value(element) or "clear"
        if pattern in ("clear", "nil"):
            return fill
        ink = self._part(element, "themeColor", "themeTint", "themeShade", "color") or (0.0, 0.0, 0.0)
        share = 1.0 if pattern == "solid" else integer(pattern.removeprefix("pct"), 50) / 100
        red, green, blue = (one * share + other * (1 - share) for one, other in zip(ink, fill or WHITE, strict=True))
        return red, green, blue

    def _part(self, element: etree._Element, name: str, tint: str, shade: str, plain: str) -> RGB | None:
        themed = value(element, name)
        found = self.named(themed, value(element, tint), value(element, shade)) if themed else None
        return found or rgb(value(element, plain))

    def drawing(self, fill: etree._Element) -> RGB | None:
        """The colour of a drawing's fill; None if it is not a plain colour."""
        inside = next(elements(fill), None)
        if inside is None or any(True for _ in elements(inside)):
            return None
        code = next(iter(inside.attrib.values()), "")  # with a namespace in the text of Word, without one in drawings
        return self.named(str(code)) if local(inside) == "schemeClr" else rgb(str(code))


def highlight(element: etree._Element) -> RGB | None:
    """The colour that a `w:highlight` paints; None for none."""
    return rgb(_HIGHLIGHTS.get(value(element) or ""))


def _byte(text: str | None) -> float:
    """A share from 0 to 1 that is written as a hexadecimal byte; 1 if there is none."""
    try:
        return 1.0 if text is None else int(text[:2], 16) / 255
    except ValueError:
        return 1.0


def by_name(properties: etree._Element | None) -> Mapping[str, etree._Element]:
    """The settings in a list of properties, by their local names."""
    return {} if properties is None else {local(element): element for element in elements(properties)}
