"""Which floating boxes of a Word document lie under later ones: Word stacks them by `relativeHeight`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from lxml import etree

from spanwise.readers.invisible import Area, is_filled
from spanwise.readers.office import R, W, child, elements, integer, local, value

_TWIP = 635
"""Units of a drawing in a twentieth of a point, which margins are given in."""
_INSET = 45_720
"""The least that text boxes leave free at their edges, unless they say otherwise."""
_WHOLE_BOXES = frozenset(("rect", "roundRect", "snip1Rect", "round1Rect", "flowChartProcess"))
"""Geometries that fill their box but for the corners."""
_BREAKS = (f"{W}lastRenderedPageBreak", f"{W}sectPr", f"{W}pageBreakBefore")
_NEAR = 800
"""Letters between two boxes that surely stand on one page: without a layout nobody knows where pages end."""
_MOST = 500
"""Floating boxes of one document that are compared."""


class _Float(NamedTuple):
    """A box that floats over the text."""

    element: etree._Element
    frame: tuple[object, ...]
    """What its place is counted from; only boxes with the same one can be compared."""
    letters: int
    """How many letters stand before it since a page began for sure."""
    area: Area
    height: tuple[bool, int, int]
    """Its place in the stack: before the text, its own number, and its place in the file."""
    opaque: bool


def covered(main: etree._Element, is_opaque_picture: Callable[[str], bool]) -> frozenset[etree._Element]:
    """The anchors of boxes all of whose text lies under later boxes; a picture is judged by its relation."""
    anchors = list(main.iter("{*}anchor"))[:_MOST]
    if len(anchors) < 2:
        return frozenset()
    margins = child(next(main.iter(f"{W}sectPr"), None), "pgMar")
    body = child(main, "body")
    before = _letters_before(body)
    floats: list[_Float] = []
    for at, anchor in enumerate(anchors):
        block = next((one for one in anchor.iterancestors() if one.getparent() is body), None)
        made = None if block is None else _float(at, anchor, before[block], margins, is_opaque_picture)
        floats += [] if made is None else [made]
    return frozenset(one.element for one in floats if _lies_under(one, floats))


def _lies_under(box: _Float, floats: Sequence[_Float]) -> bool:
    covers = [
        one.area
        for one in floats
        if one.opaque and one.height > box.height and one.frame == box.frame and abs(one.letters - box.letters) <= _NEAR
    ]
    return bool(covers) and is_filled(box.area, covers, _INSET)


def _float(
    at: int,
    anchor: etree._Element,
    before: tuple[int, int],
    margins: etree._Element | None,
    is_opaque_picture: Callable[[str], bool],
) -> _Float | None:
    """A floating box, if the file says where it is; `before` is what pages and letters stand before it."""
    extent = anchor.find("{*}extent")
    across, down = (anchor.find(f"{{*}}position{axis}") for axis in "HV")
    if extent is None or across is None or down is None:
        return None
    places = [_place(across, integer(value(margins, "left"))), _place(down, integer(value(margins, "top")))]
    known = [one for one in places if one is not None]
    if len(known) < len(places):
        return None
    (left, from_left), (top, from_top) = known
    area = left, top, left + integer(extent.get("cx")), top + integer(extent.get("cy"))
    paragraph = next(anchor.iterancestors(f"{W}p"), None)
    page = (from_left, from_top) == ("page", "page")
    height = (anchor.get("behindDoc") not in ("1", "true"), integer(anchor.get("relativeHeight")), at)
    frame = (before[0],) if page else (from_left, from_top, paragraph)
    return _Float(anchor, frame, before[1] if page else 0, area, height, _is_opaque(anchor, is_opaque_picture))


def _letters_before(body: etree._Element | None) -> dict[etree._Element, tuple[int, int]]:
    """For each block of the body, the breaks of pages before it that the file says, and the letters since."""
    found: dict[etree._Element, tuple[int, int]] = {}
    breaks = letters = 0
    for block in () if body is None else elements(body):
        own = sum(value(one, "type") == "page" for one in block.iter(f"{W}br"))
        own += sum(1 for _ in block.iter(*_BREAKS))
        breaks, letters = breaks + own, 0 if own else letters
        found[block] = breaks, letters
        letters += sum(len(one.text or "") for one in block.iter(f"{W}t"))
    return found


def _place(position: etree._Element, margin: int) -> tuple[float, str] | None:
    """Where a box begins along one axis, and from what that is counted."""
    offset = position.find("{*}posOffset")
    if offset is None:
        return None
    begins, beside = float(integer((offset.text or "").strip())), position.get("relativeFrom") or ""
    if beside in ("margin", "leftMargin", "topMargin", "column", "page"):
        own = margin * _TWIP if beside in ("margin", "column") else 0
        return begins + own, "page"
    return begins, beside


def _is_opaque(anchor: etree._Element, is_opaque_picture: Callable[[str], bool]) -> bool:
    """True for one shape or picture that fills its box and lets nothing through."""
    shapes = [one for one in anchor.iter("{*}wsp", "{*}pic", "{*}wgp", "{*}wpc") if local(one) != "pic" or len(one)]
    shape = shapes[0] if len(shapes) == 1 else None
    properties = None if shape is None else shape.find("{*}spPr")
    if shape is None or properties is None:
        return False
    geometry, transform = properties.find("{*}prstGeom"), properties.find("{*}xfrm")
    turned = 0 if transform is None else integer(transform.get("rot"))
    if geometry is None or geometry.get("prst") not in _WHOLE_BOXES or turned % 10_800_000:
        return False
    if any(integer(alpha.get("val"), 100_000) < 100_000 for alpha in properties.iter("{*}alpha")):
        return False
    if local(shape) == "pic":
        blip = shape.find("{*}blipFill/{*}blip")
        changed = blip is None or next(blip.iter("{*}alphaModFix", "{*}clrChange"), None) is not None
        return blip is not None and not changed and is_opaque_picture(blip.get(f"{R}embed") or "")
    fills = [local(one) for one in properties if local(one).endswith("Fill")]
    if fills:
        return fills[0] in ("solidFill", "gradFill")
    styled = shape.find("{*}style/{*}fillRef")
    return styled is not None and styled.get("idx", "0") != "0"
