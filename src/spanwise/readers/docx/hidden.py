"""Which runs of text are invisible: switched off, too small, clipped, off the page, or in the colour behind them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from lxml import etree

from spanwise.domain.document import HiddenReason
from spanwise.readers.docx.styles import Styles, Theme, by_name, highlight
from spanwise.readers.invisible import TINIEST, look_alike
from spanwise.readers.office import child, elements, integer, is_on, local, points, value
from spanwise.readers.palette import RGB, WHITE, of_name, only_colour, rgb

_FLAT = 40
"""Twentieths of a point: lines and rows of exactly this height or less show nothing."""
FAR = -14_000
"""Twentieths of a point, to the left: more than the width of a page."""
_BEYOND = 24_000
"""Twentieths of a point, to the right: more than the width of a large page."""
_NARROW = 10
"""Horizontal scaling in per cent at which text is a mere stroke."""
_PILED = 0.8
"""Letters condensed by this share of their size lie on top of one another."""
_USUAL_SIZE = 20
"""Font size in half points where the document gives none."""
_EMU = 635
"""Drawing units (EMU) in a twentieth of a point."""
_UNSEEN = 95_000
"""Transparency, in thousandths of a per cent, from which on nothing is seen."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a paragraph inherits from the cells, tables and boxes around it."""

    tables: int = 0
    ground: RGB | None = WHITE
    """The colour behind the text; None if unknown."""
    reason: HiddenReason | None = None
    """Why nothing inside can be seen; None if it can."""
    table_style: tuple[etree._Element, ...] = ()
    """The parts of the table's style that apply to this cell, the strongest first."""


class Paragraph(NamedTuple):
    """What a paragraph's own properties, its styles and its surroundings mean for the runs in it."""

    style: str | None
    ground: RGB | None
    reason: HiddenReason | None
    table_style: tuple[etree._Element, ...]


@dataclass(frozen=True, slots=True)
class _Look:
    """The run settings that styles give, before a run's own properties."""

    settings: Mapping[str, etree._Element] = field(default_factory=dict)
    vanishes: bool = False


class Looks:
    """Decides for each run whether it can be seen; `width` is that of the page in twentieths of a point."""

    def __init__(self, styles: Styles, theme: Theme, width: int) -> None:
        self._styles = styles
        self._width = width
        self._theme = theme
        self._known: dict[tuple[object, ...], _Look] = {}

    def paragraph(self, properties: etree._Element | None, style: str | None, around: Surroundings) -> Paragraph:
        """The background and the reason to be hidden of a paragraph in its surroundings."""
        settings = dict(by_name(self._styles.default_paragraph))
        for level in (*reversed(around.table_style), *reversed(self._styles.chain_of(style))):
            settings.update(by_name(child(level, "pPr")))
        settings.update(by_name(properties))
        ground, reason = around.ground, around.reason
        if (shading := settings.get("shd")) is not None:
            ground = self._theme.shading(shading) or ground
        if (
            reason is None
            and (spacing := settings.get("spacing")) is not None
            and value(spacing, "lineRule") == "exact"
        ):
            reason = "clipped" if 0 < integer(value(spacing, "line"), 240) <= _FLAT else None
        frame = settings.get("framePr")
        if value(frame, "hRule") == "exact" and integer(value(frame, "h"), _FLAT + 1) <= _FLAT:
            reason = reason or "clipped"
        if reason is None and _is_far(settings):
            reason = "off_page"
        return Paragraph(style, ground, reason, around.table_style)

    def run(self, run: etree._Element, paragraph: Paragraph) -> HiddenReason | None:
        """Why a run cannot be seen; None if it can."""
        own = by_name(child(run, "rPr"))
        look = self._look(paragraph, value(own.get("rStyle")))
        settings = {**look.settings, **own} if own else look.settings
        switch = is_on(own.get("vanish"))
        if switch if switch is not None else look.vanishes:
            return "hidden_markup"
        if paragraph.reason is not None:
            return paragraph.reason
        if _is_tiny(settings):
            return "tiny"
        if 10 * abs(integer(value(settings.get("position")))) >= -FAR:  # half points above or below its line
            return "off_page"
        return "no_contrast" if self._blends(settings, paragraph.ground) else None

    def _look(self, paragraph: Paragraph, style: str | None) -> _Look:
        key = (paragraph.style, style, paragraph.table_style)
        if (known := self._known.get(key)) is not None:
            return known
        settings = dict(by_name(self._styles.default_run))
        always = is_on(settings.get("vanish")) or False
        odd = False
        for level in (
            paragraph.table_style,
            self._styles.chain_of(paragraph.style),
            self._styles.chain_of(style),
        ):
            switch: bool | None = None
            for element in reversed(level):
                said = by_name(child(element, "rPr"))
                settings.update(said)
                if "vanish" in said:
                    switch = is_on(said["vanish"])
            # A switch that two kinds of styles turn on is off again (17.7.3 of the standard).
            odd ^= switch or False
        look = self._known[key] = _Look(settings, always or odd)
        return look

    def _blends(self, settings: Mapping[str, etree._Element], ground: RGB | None) -> bool:
        if (shading := settings.get("shd")) is not None:
            ground = self._theme.shading(shading) or ground
        if (marked := settings.get("highlight")) is not None:
            ground = highlight(marked) or ground
        if (fill := settings.get("textFill")) is not None:
            inside = next(elements(fill), None)
            if inside is None or local(inside) == "noFill" or _is_transparent(inside):
                return inside is not None
            solid = local(inside) == "solidFill"
            stops = [inside] if solid else inside.iter("{*}gs")
            colour = only_colour([self._theme.drawing(stop) for stop in stops])
        else:
            named = settings.get("color")
            colour = None if named is None else self._theme.text(named)
        relief = is_on(settings.get("emboss")) or is_on(settings.get("imprint"))
        line = None if (outlined := settings.get("textOutline")) is None else outlined.find("{*}solidFill")
        if line is not None and ground is not None and (ink := self._theme.drawing(line)) is not None:
            relief = relief or not look_alike(ink, ground)
        return colour is not None and ground is not None and not relief and look_alike(colour, ground)

    def shading(self, properties: etree._Element | None, ground: RGB | None) -> RGB | None:
        """The background of a table or cell: its shading, or `ground` if it has none."""
        element = child(properties, "shd")
        return ground if element is None else self._theme.shading(element) or ground

    def cell(self, cell: etree._Element, around: Surroundings) -> Surroundings:
        """The surroundings of the paragraphs in a cell."""
        ground = around.ground
        for element in reversed(around.table_style):
            for name in ("tblPr", "tcPr"):
                ground = self.shading(child(element, name), ground)
        ground = self.shading(child(cell, "tcPr"), ground)
        merged = child(cell, "tcPr", "vMerge")  # Of merged cells only the first shows its content.
        gone: HiddenReason | None = None if merged is None or value(merged) == "restart" else "hidden_markup"
        return Surroundings(around.tables, ground, around.reason or gone, around.table_style)

    def box(self, drawing: etree._Element, around: Surroundings) -> Surroundings:
        """The surroundings of the paragraphs in a text box."""
        return Surroundings(
            around.tables, self._fill_of(drawing), around.reason or _box_is_hidden(drawing, self._width)
        )

    def _fill_of(self, drawing: etree._Element) -> RGB | None:
        """The plain fill colour of a box; None for another fill, or for none, as what lies behind it is not known."""
        for shape in drawing.iter("{*}spPr"):
            fill = shape.find("{*}solidFill")
            return None if fill is None else self._theme.drawing(fill)
        for shape in drawing.iter("{*}shape", "{*}rect", "{*}roundrect"):
            told = (shape.get("fillcolor") or "").split(" ")[0]
            return None if shape.get("filled") in ("f", "false") else rgb(told.lstrip("#")) or of_name(told)
        return None


def is_empty(phantom: etree._Element) -> bool:
    """True for a phantom in a formula that takes up space but is not shown."""
    show = phantom.find("{*}phantPr/{*}show")
    switches = () if show is None else show.attrib.values()
    return any(str(switch).lower() in ("0", "false", "off") for switch in switches)


def row_reason(row: etree._Element) -> HiddenReason | None:
    """Why a table row cannot be seen; None if it can."""
    properties = child(row, "trPr")
    if is_on(child(properties, "hidden")):
        return "hidden_markup"
    height = child(properties, "trHeight")
    if value(height, "hRule") == "exact" and integer(value(height), _FLAT + 1) <= _FLAT:
        return "clipped"
    return None


def _is_far(settings: Mapping[str, etree._Element]) -> bool:
    indent, frame = settings.get("ind"), settings.get("framePr")
    left = integer(value(indent, "left") or value(indent, "start"))
    first = integer(value(indent, "firstLine")) - integer(value(indent, "hanging"))
    placed = min(integer(value(frame, "x")), integer(value(frame, "y")))
    return min(left, left + first, placed) <= FAR or min(left, left + first) >= _BEYOND


def _is_tiny(settings: Mapping[str, etree._Element]) -> bool:
    size = value(settings.get("sz"))
    if size is not None and 0 <= integer(size.partition(".")[0], 99) <= 2 * TINIEST:
        return True
    width = value(settings.get("w"))
    if width is not None and 0 < integer(width.removesuffix("%"), 100) <= _NARROW:
        return True
    squeezed = -integer(value(settings.get("spacing"))) / 20
    if squeezed > 0 and squeezed >= _PILED * integer(size, _USUAL_SIZE) / 2:
        return True
    fitted = value(settings.get("fitText"))
    return fitted is not None and 0 <= integer(fitted, _FLAT + 1) <= _FLAT


def _is_transparent(fill: etree._Element) -> bool:
    return any(
        integer(next((alpha.get(name) for name in alpha.attrib), None)) >= _UNSEEN for alpha in fill.iter("{*}alpha")
    )


def _box_is_hidden(drawing: etree._Element, width: int) -> HiddenReason | None:
    for element in drawing.iter("{*}docPr", "{*}cNvPr"):
        if (element.get("hidden") or "").lower() in ("1", "true", "on"):
            return "hidden_markup"
    for element in drawing.iter("{*}extent"):
        if min(integer(element.get("cx"), 99_999), integer(element.get("cy"), 99_999)) <= 12_700:
            return "clipped"
    extent = next(drawing.iter("{*}extent"), None)
    for element in drawing.iter("{*}posOffset"):
        place = integer((element.text or "").strip()) // _EMU
        across = (holder := element.getparent()) is not None and local(holder) == "positionH"
        from_page = holder is not None and holder.get("relativeFrom") == "page"
        own = 0 if extent is None else integer(extent.get("cx" if across else "cy")) // _EMU
        if place <= FAR or (from_page and place <= -own < 0) or (across and place >= width):
            return "off_page"
    styles = (element.get("style") for element in drawing.iter("{*}shape", "{*}rect", "{*}textbox", "{*}roundrect"))
    return next((reason for style in styles if style and (reason := _by_style(style))), None)


def _by_style(style: str) -> HiddenReason | None:
    """Why a VML shape with that style attribute cannot be seen; None if it can."""
    said = {name: text for name, _, text in (part.partition(":") for part in style.replace(" ", "").lower().split(";"))}
    if said.get("visibility") == "hidden" or said.get("display") == "none":
        return "hidden_markup"
    if any(0 <= _twips(said.get(side, "")) <= _FLAT for side in ("width", "height")):
        return "clipped"
    far = any(_twips(said.get(side, "")) <= FAR for side in ("left", "top", "margin-left", "margin-top"))
    return "off_page" if far else None


def _twips(length: str) -> float:
    """A VML length in twentieths of a point; one inch if it cannot be parsed."""
    found = points(length, bare=0.75)
    return 1440.0 if found is None else 20 * found


def cell_styles(
    style: Sequence[etree._Element], table: etree._Element, row: int, rows: int, column: int, columns: int
) -> tuple[etree._Element, ...]:
    """The parts of a table's style that apply to one of its cells, the strongest first."""
    if not style:
        return ()
    flags = _flags(child(table, "tblPr", "tblLook"))
    first_row, last_row = flags["firstRow"] and row == 0, flags["lastRow"] and row == rows - 1
    first_column, last_column = flags["firstColumn"] and column == 0, flags["lastColumn"] and column == columns - 1
    kinds: list[str] = []
    if first_row or last_row:
        corner = ("n" if first_row else "s") + ("w" if first_column else "e")
        kinds += [f"{corner}Cell"] if first_column or last_column else []
        kinds.append("firstRow" if first_row else "lastRow")
    if first_column or last_column:
        kinds.append("firstCol" if first_column else "lastCol")
    if not (first_row or last_row or flags["noHBand"]):
        kinds.append("band1Horz" if (row - flags["firstRow"]) % 2 == 0 else "band2Horz")
    if not (first_column or last_column or flags["noVBand"]):
        kinds.append("band1Vert" if (column - flags["firstColumn"]) % 2 == 0 else "band2Vert")
    kinds.append("wholeTable")
    parts = {
        value(part, "type"): part
        for level in reversed(style)
        for part in elements(level)
        if local(part) == "tblStylePr"
    }
    return (*(parts[kind] for kind in kinds if kind in parts), *style)


def _flags(look: etree._Element | None) -> dict[str, bool]:
    mask = value(look)
    try:
        bits = int(mask, 16) if mask else 0
    except ValueError:
        bits = 0
    return {
        name: said.lower() in ("1", "true", "on") if (said := value(look, name)) else bool(bits & 0x20 << at)
        for at, name in enumerate(("firstRow", "lastRow", "firstColumn", "lastColumn", "noHBand", "noVBand"))
    }
