"""What is visible on a slide: the positions and fills of its shapes, and which ones cover others."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from lxml import etree

from spanwise.domain.document import HiddenReason
from spanwise.readers.bounds import Budget
from spanwise.readers.invisible import TINIEST, is_filled, is_opaque_picture, look_alike
from spanwise.readers.office import Package, R, Relation, alternatives, child_of, elements, integer, local
from spanwise.readers.palette import RGB, WHITE, Paint, drawn, theme_colours

_SHAPES = ("sp", "graphicFrame", "cxnSp", "pic")
_FILLS = frozenset(("noFill", "solidFill", "gradFill", "blipFill", "pattFill", "grpFill"))
_PLAIN = ("solidFill", "gradFill")
"""Fills that may be of a single colour."""
_WHOLE_BOXES = frozenset(("rect", "roundRect", "snip1Rect", "round1Rect", "flowChartProcess"))
"""Geometries that fill their box except for the corners."""
_UNPAINTED = 0.05
"""Opacity at which nothing can be seen."""
_POINT = 12_700
"""Drawing units (EMU) in a point."""
_INSET = 7.2 * _POINT
_USUAL_SIZE = 1800
_MOST_LAYERS = 500
"""Most of the topmost shapes of a slide that are considered as covers."""
_LETTER, _LINE = 0.6, 1.2
"""Width of a letter and height of a line relative to the font size: generous, as a cover must hide all of the text."""
_USUAL_ROLES = {"bg1": "lt1", "tx1": "dk1", "bg2": "lt2", "tx2": "dk2"}


class Box(NamedTuple):
    """A rectangle on the slide."""

    left: float
    top: float
    right: float
    bottom: float

    def holds(self, other: Box) -> bool:
        """True if another box lies inside, give or take a point."""
        hair = _POINT
        return (
            self.left <= other.left + hair
            and self.top <= other.top + hair
            and self.right >= other.right - hair
            and self.bottom >= other.bottom - hair
        )

    def meets(self, other: Box) -> bool:
        """True if the boxes overlap by more than an edge."""
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )


class _Move(NamedTuple):
    """The mapping from the coordinates in a group to those of the slide."""

    across: float = 1.0
    down: float = 1.0
    left: float = 0.0
    top: float = 0.0

    def box(self, transform: etree._Element | None) -> Box | None:
        off, size = (None, None) if transform is None else (transform.find("{*}off"), transform.find("{*}ext"))
        if off is None or size is None:
            return None
        left = integer(off.get("x")) * self.across + self.left
        top = integer(off.get("y")) * self.down + self.top
        right, bottom = left + integer(size.get("cx")) * self.across, top + integer(size.get("cy")) * self.down
        return Box(left, top, right, bottom)

    def inside(self, group: etree._Element) -> _Move:
        """The mapping for the shapes in a group that is itself mapped by this one."""
        transform = group.find("{*}grpSpPr/{*}xfrm")
        box = self.box(transform)
        off, size = (None, None) if transform is None else (transform.find("{*}chOff"), transform.find("{*}chExt"))
        if box is None or off is None or size is None:
            return self
        across = (box.right - box.left) / (integer(size.get("cx")) or 1)
        down = (box.bottom - box.top) / (integer(size.get("cy")) or 1)
        return _Move(across, down, box.left - integer(off.get("x")) * across, box.top - integer(off.get("y")) * down)


@dataclass(slots=True, eq=False)
class Shape:
    """A shape of a slide, its layout or its master, in painting order."""

    element: etree._Element
    box: Box | None
    hidden: bool
    paint: Paint | None = None
    """Its plain colour; None if it has none."""
    filled: bool = False
    """True if it is filled."""
    opaque: bool = False
    """True if its fill is opaque."""
    places: list[etree._Element] | None = None
    """The placeholders that it inherits from, once looked up."""
    order: int = 0
    """Its index among the painted shapes of the slide."""


class SlideLook:
    """The shapes of one slide, and why the text in them is hidden."""

    def __init__(
        self, package: Package, slide: etree._Element, related: Mapping[str, Relation], budget: Budget
    ) -> None:
        self._package = package
        self._budget = budget
        layout, beyond = self._part(related, "slideLayout")
        master, above = self._part(beyond, "slideMaster")
        theme, _ = self._part(above, "theme")
        self._levels = [level for level in (slide, layout, master) if level is not None]
        self._colours = theme_colours(theme)
        self._roles = dict(_USUAL_ROLES)
        for level in reversed(self._levels):
            for mapping in level.iter("{*}clrMap", "{*}overrideClrMapping"):
                self._roles.update((str(name), str(role)) for name, role in mapping.attrib.items())
        self._moving = {target.get("spid") for target in slide.iter("{*}spTgt")}
        """Ids of shapes that an animation may remove, so that they do not cover anything for good."""
        behind: list[Shape] = []
        for level in reversed(self._levels[1:]):
            shapes = self._shapes(child_of(level, "cSld", "spTree"), related, 1, _Move(), hidden=False)
            behind += [shape for shape in shapes if next(shape.element.iter("{*}ph"), None) is None]
        self.shapes = list(self._shapes(child_of(slide, "cSld", "spTree"), related, 1, _Move(), hidden=False))
        self._painted: list[Shape] = []
        for shape in (*behind, *self.shapes):
            shape.order = len(self._painted)
            if not shape.hidden and (shape.filled or local(shape.element) == "graphicFrame"):
                self._painted.append(shape)

    def _part(self, related: Mapping[str, Relation], kind: str) -> tuple[etree._Element | None, Mapping[str, Relation]]:
        path = next((one.path for one in related.values() if one.kind == kind), None)
        return (None, {}) if path is None else (self._package.xml(path), self._package.relations(path))

    def _shapes(
        self, tree: etree._Element | None, related: Mapping[str, Relation], depth: int, move: _Move, *, hidden: bool
    ) -> Iterator[Shape]:
        """The shapes in painting order, groups expanded."""
        self._budget.depth(depth, "groups of shapes")
        for element in () if tree is None else elements(tree):
            self._budget.object()
            if local(element) == "AlternateContent":
                chosen, others = alternatives(element)
                yield from self._shapes(chosen, related, depth + 1, move, hidden=hidden)
                said = "" if chosen is None else _said(chosen)
                for option in others:  # most say in an older form what is shown
                    if _said(option) != said:
                        yield from self._shapes(option, related, depth + 1, move, hidden=True)
            elif local(element) == "grpSp":
                inside = move.inside(element)
                yield from self._shapes(element, related, depth + 1, inside, hidden=hidden or _is_hidden(element))
            elif local(element) in _SHAPES:
                shape = Shape(element, self._box(element, move), hidden or _is_hidden(element))
                self._fill(shape, related)
                yield shape

    def _box(self, element: etree._Element, move: _Move) -> Box | None:
        own = element.find("{*}spPr/{*}xfrm") if local(element) != "graphicFrame" else element.find("{*}xfrm")
        if own is not None:
            return move.box(own)
        return next(
            (box for level in self._inherited(element) if (box := move.box(level.find("{*}spPr/{*}xfrm")))), None
        )

    def _inherited(self, element: etree._Element) -> Iterator[etree._Element]:
        """The placeholders of layout and master that a placeholder inherits its appearance from."""
        own = next(element.iter("{*}ph"), None)
        if own is None:
            return
        for level in self._levels[1:]:
            for shape in level.iter("{*}sp"):
                place = next(shape.iter("{*}ph"), None)
                if place is None:
                    continue
                same = place.get("idx", "0") == own.get("idx", "0") and own.get("idx") is not None
                if same or _kind(place) == _kind(own):
                    yield shape
                    break

    def _fill(self, shape: Shape, related: Mapping[str, Relation]) -> None:
        properties = shape.element.find("{*}spPr")
        fill = next((one for one in (() if properties is None else elements(properties)) if local(one) in _FILLS), None)
        styled = shape.element.find("{*}style/{*}fillRef")
        if local(shape.element) == "pic":
            shape.filled, shape.opaque = True, self._is_opaque(shape.element, related)
        elif fill is not None and local(fill) != "noFill":
            shape.filled = True
            shape.paint = drawn(fill, self._colours, self._roles) if local(fill) in _PLAIN else None
            solid = shape.paint is not None and shape.paint.alpha > 1 - _UNPAINTED
            shape.opaque = solid or (local(fill) == "gradFill" and next(fill.iter("{*}alpha"), None) is None)
        elif fill is None and styled is not None and styled.get("idx", "0") != "0":
            shape.filled = shape.opaque = True
            shape.paint = drawn(styled, self._colours, self._roles) if styled.get("idx") == "1" else None
        geometry = shape.element.find("{*}spPr/{*}prstGeom")
        transform = child_of(properties, "xfrm")
        turned = 0 if transform is None else integer(transform.get("rot"))
        if geometry is None or geometry.get("prst") not in _WHOLE_BOXES or turned % 10_800_000:
            shape.opaque = False

    def _is_opaque(self, picture: etree._Element, related: Mapping[str, Relation]) -> bool:
        """True for a picture of a format without transparency."""
        blip = next(picture.iter("{*}blip"), None)
        relation = None if blip is None else related.get(blip.get(f"{R}embed") or "")
        if blip is None or relation is None or next(blip.iter("{*}alphaModFix", "{*}clrChange"), None) is not None:
            return False
        return is_opaque_picture(self._package.start(relation.path, 600))

    def reason(self, shape: Shape, size: Box) -> HiddenReason | None:
        """Why nothing in a shape can be seen on a slide of that size; None if it can."""
        if shape.hidden:
            return "hidden_markup"
        if shape.box is None:
            return None
        text = _text_box(shape.element, shape.box)
        if not size.meets(shape.box) and not size.meets(text):
            return "off_page"
        later = self._painted[shape.order :][-_MOST_LAYERS:]
        covers = [other.box for other in later if other is not shape and other.box is not None and self._covers(other)]
        return "covered" if is_filled(text, covers, _POINT) else None

    def _covers(self, other: Shape) -> bool:
        properties = next(other.element.iter("{*}cNvPr"), None)
        moving = properties is not None and properties.get("id") in self._moving
        return not moving and (other.opaque or self._is_filled_table(other.element))

    def _is_filled_table(self, element: etree._Element) -> bool:
        """True for a table whose cells all have an opaque colour of their own."""
        cells = list(element.iter("{*}tc")) if local(element) == "graphicFrame" else []
        return bool(cells) and all(self.cell(cell) is not None for cell in cells)

    def run(self, run: etree._Element, shape: Shape, ground: RGB | None) -> HiddenReason | None:
        """Why a run of text is hidden on its background; None if it is visible or that is unknown."""
        properties = run.find("{*}rPr")
        levels = [properties] if properties is not None else []
        if shape.places is None:
            shape.places = list(self._inherited(shape.element))
        for holder in (shape.element, *shape.places):
            levels += holder.iterfind("{*}txBody/{*}lstStyle/{*}lvl1pPr/{*}defRPr")
        size = next((integer(level.get("sz"), 99_999) for level in levels if level.get("sz")), _USUAL_SIZE)
        if 0 < size <= 100 * TINIEST:
            return "tiny"
        fill = next((one for level in levels for one in elements(level) if local(one) in _FILLS), None)
        linked = properties is not None and properties.find("{*}hlinkClick") is not None
        outlined = any(level.find("{*}ln/{*}solidFill") is not None for level in levels)
        if fill is None or linked or outlined:
            return None
        paint = drawn(fill, self._colours, self._roles) if local(fill) in _PLAIN else None
        if local(fill) == "noFill" or (paint is not None and paint.alpha <= _UNPAINTED):
            return "transparent"
        seen = paint is None or ground is None or not look_alike(paint.colour, ground, paint.alpha)
        return None if seen else "no_contrast"

    def ground(self, shape: Shape) -> RGB | None:
        """The plain colour behind the text of a shape; None if unknown."""
        if shape.box is None or local(shape.element) == "graphicFrame":
            return None
        text = _text_box(shape.element, shape.box)
        for other in reversed(self._painted[: shape.order + shape.filled]):
            if other.box is None or not other.box.meets(text):
                continue
            own = other is shape
            plain = other.paint is not None and (other.opaque or (own and other.paint.alpha > 1 - _UNPAINTED))
            return other.paint.colour if plain and other.paint is not None and (own or other.box.holds(text)) else None
        return self._background()

    def cell(self, cell: etree._Element) -> RGB | None:
        """The opaque colour of a table cell; None if it has none of its own, as a style may give it one."""
        fill = cell.find("{*}tcPr/{*}solidFill")
        paint = None if fill is None else drawn(fill, self._colours, self._roles)
        return paint.colour if paint is not None and paint.alpha > 1 - _UNPAINTED else None

    def _background(self) -> RGB | None:
        for level in self._levels:
            background = child_of(level, "cSld", "bg")
            if background is None:
                continue
            fill = background.find("{*}bgPr/{*}solidFill")
            named = background.find("{*}bgRef")
            if fill is None and named is not None and named.get("idx") == "1001":
                fill = named
            paint = None if fill is None else drawn(fill, self._colours, self._roles)
            return None if paint is None else paint.colour
        return WHITE


def _text_box(shape: etree._Element, box: Box) -> Box:
    """The largest area that the text of a shape can take: all of a table, the lines of a text box."""
    body = shape.find("{*}txBody")
    if body is None:
        return box
    paragraphs = ["".join(one.text or "" for one in paragraph.iter("{*}t")) for paragraph in body.iter("{*}p")]
    size = max((integer(one.get("sz")) for one in body.iter("{*}rPr")), default=0) or _USUAL_SIZE
    letter = size / 100 * _POINT * _LETTER
    room = max(box.right - box.left - 2 * _INSET, letter)
    lines = sum(max(1, math.ceil(len(text) * letter / room)) for text in paragraphs)
    high = min(lines * size / 100 * _POINT * _LINE, max(box.bottom - box.top - 2 * _INSET, 0.0))
    settings = body.find("{*}bodyPr")
    match "t" if settings is None else settings.get("anchor", "t"):
        case "b":
            top = box.bottom - _INSET - high
        case "ctr":
            top = (box.top + box.bottom - high) / 2
        case _:
            top = box.top + _INSET
    return Box(box.left + _INSET, top, box.right - _INSET, top + high)


def _said(option: etree._Element) -> str:
    """The words of a shape, or of several."""
    return " ".join(one.text or "" for one in option.iter("{*}t"))


def _kind(place: etree._Element) -> str:
    """The type of a placeholder, with types of the same appearance merged."""
    kind = place.get("type", "obj")
    return {"ctrTitle": "title", "subTitle": "body", "obj": "body"}.get(kind, kind)


def _is_hidden(element: etree._Element) -> bool:
    for holder in elements(element):
        if local(holder).startswith("nv") and (properties := holder.find("{*}cNvPr")) is not None:
            return properties.get("hidden") in ("1", "true")
    return False
