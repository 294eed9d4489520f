"""What paints over the text of a page: opaque backgrounds, pictures, shadows and borders, and what clips it away."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from selectolax.lexbor import LexborNode

from spanwise.domain.document import HiddenReason
from spanwise.readers.html import geometry
from spanwise.readers.html.boxes import Box, Rect
from spanwise.readers.html.css_values import (
    BLACK,
    WHITE,
    Colour,
    Scale,
    Token,
    colour,
    length,
    measure,
    tokens,
)
from spanwise.readers.html.drawings import clip_area, is_solid_drawing, lets_nothing_through, shows_all_of_a_shape
from spanwise.readers.html.geometry import FAR, is_dot
from spanwise.readers.html.paint import FAINT, State, colours_of, is_elsewhere, is_solid_picture, masks

_LEAST_SPREAD = 8.0
"""Least width in pixels of a shadow or outline that may hide text."""
_BESIDE = frozenset("box-shadow outline border-top border-right border-bottom border-left".split())
_CHANGING = frozenset("clip-path mask-image filter mix-blend-mode backface-visibility border-radius".split())
_SIZED = frozenset("img svg canvas iframe video object embed".split())
_ADDRESSES = {"img": "src", "embed": "src", "object": "data", "video": "poster"}
"""Where an element says which picture it shows."""
_USUAL_SIZE = {"width": "300px", "height": "150px"}
"""The default size of replaced elements without one; that of a picture is unknown."""
_GROUNDS = frozenset(("background-color", "background-image"))
_LARGE = 32.0
"""Font size in pixels of letters that are large."""
_SWALLOWING_FILTERS = frozenset(("brightness(0)", "contrast(0)", "brightness(0%)", "contrast(0%)"))


def note_paint(box: Box, node: LexborNode) -> None:
    """Record whether a box is opaque, and the rectangle that a `clipPath` clips it to."""
    box.painted = is_opaque(box)
    if "url(" in (path := box.values.get("clip-path", "none")):
        box.clip = clip_area(node, path)
    if box.tag in _SIZED and (box.tag != "object" or "data" in node.attributes):
        told = {name: (node.attributes.get(name) or "").strip() for name in ("width", "height")}
        sizes = {name: f"{value}px" if value.isdigit() else value for name, value in told.items() if value}
        box.values = {**sizes, **box.values}
        address = node.attributes.get(_ADDRESSES.get(box.tag, "")) or ""
        box.unsized = box.tag == "img" and not {"width", "height"} <= box.values.keys()
        box.painted = box.painted or (is_drawn(box) and _is_solid(address, None if box.unsized else _ratio(box)))
        if address or box.tag not in ("img", "svg"):
            box.values = {**_USUAL_SIZE, **box.values}
    if box.tag == "svg":
        box.painted = box.painted or (box.opacity >= 1 - FAINT and shows_all_of_a_shape(node))


def painted_beside(box: Box) -> Iterator[Rect]:
    """The rectangles of the opaque parts that a box paints around itself: shadow without blur, outline, borders.

    An inset shadow that fills the box gives the box itself.
    """
    if _BESIDE.isdisjoint(box.values):
        return
    left, top, right, bottom = box.rect
    shadow = tokens(box.values.get("box-shadow", "none"))
    sizes, solid = _stroke(shadow, box)
    outline = tokens(box.values.get("outline", "none"))
    spread = sizes[3] if len(sizes) == 4 and sizes[:3] == [0, 0, 0] and solid else 0.0
    if any(token.type == "ident" and token.lower_value == "inset" for token in shadow):
        if 2 * spread >= min(right - left, bottom - top):
            yield box.rect
        spread = 0.0
    if any(token.type == "ident" and token.lower_value == "solid" for token in outline):
        widths, solid = _stroke(outline, box)
        spread = max(spread, widths[0] if widths and solid else 0.0)
    for side in ("top", "right", "bottom", "left"):
        words = tokens(box.values.get(f"border-{side}", "0"))
        widths, solid = _stroke(words, box)
        drawn = any(token.type == "ident" and token.lower_value == "solid" for token in words)
        if widths and widths[0] > _LEAST_SPREAD and solid and drawn and box.values.get("visibility") != "hidden":
            yield _border(box.rect, side, widths[0])
    if spread > _LEAST_SPREAD:
        yield Rect(left - spread, top - spread, right + spread, top)
        yield Rect(left - spread, bottom, right + spread, bottom + spread)
        yield Rect(left - spread, top, left, bottom)
        yield Rect(right, top, right + spread, bottom)


def _border(rect: Rect, side: str, wide: float) -> Rect:
    """The rectangle of a border; one at the left or top moves what comes after it."""
    left, top, right, bottom = rect
    right, bottom = (right, bottom + wide) if side in ("top", "bottom") else (right + wide, bottom)
    if side == "top":
        return Rect(left, top, right, top + wide)
    if side == "bottom":
        return Rect(left, bottom - wide, right, bottom)
    return Rect(left, top, left + wide, bottom) if side == "left" else Rect(right - wide, top, right, bottom)


def _stroke(found: Sequence[Token], box: Box) -> tuple[list[float], bool]:
    """The lengths in a shadow or outline, and whether it is opaque."""
    lengths = [length for token in found if (length := measure(token, Scale(box.size))) is not None]
    inks = [ink for token in found if (ink := colour(token.serialize().lower(), BLACK)) is not None]
    return lengths, box.opacity >= 1 - FAINT and all(ink.alpha >= 1 - FAINT for ink in inks)


def first_ink(box: Box, name: str) -> Colour | None:
    """The first colour in a property's value; None if there is none."""
    found = (colour(token.serialize().lower(), BLACK) for token in tokens(box.values.get(name, "none")))
    return next((ink for ink in found if ink is not None), None)


def is_changed(box: Box) -> bool:
    """True if what a box paints may be clipped, masked or blended."""
    values = box.values
    if _CHANGING.isdisjoint(values):
        return False
    names = ("clip-path", "mask-image", "filter", "mix-blend-mode")
    if values.get("backface-visibility") == "hidden" or _is_round(values.get("border-radius", "0"), box.size):
        return True
    ink = first_ink(box, "background-color")
    if _SWALLOWING.get(values.get("mix-blend-mode", ""), BLACK) == ink is not None:
        return False  # white stays white, and black black, whatever is below
    return any(values.get(name, "none") not in ("none", "normal", "initial", *_WHOLE) for name in names)


_WHOLE = ("inset(0)", "inset(0px)", "inset(0 0 0 0)", "border-box")
_SWALLOWING = {"screen": WHITE, "multiply": BLACK}


def _is_round(radius: str, size: float) -> bool:
    """True for corners so round that letters fit beside them."""
    lengths = (measure(token, Scale(size, percent=_ROUND * 10)) for token in tokens(radius))
    return any(one is not None and one > _ROUND for one in lengths)


_ROUND = 24.0
"""Radius of a corner in pixels from which on it is round; as a percentage, 10 per cent."""


def is_opaque(box: Box) -> bool:
    """True if the background of a box is opaque."""
    values = box.values
    if not is_drawn(box):
        return False
    behind = values.get("backdrop-filter", "")
    if not _SWALLOWING_FILTERS.isdisjoint(behind.split()) or (
        behind.startswith("blur") and geometry.filtered(behind, _LARGE) <= 0
    ):
        return True
    if values.get("background-clip") == "text" or _GROUNDS.isdisjoint(values):
        return False
    painted = colour(values.get("background-color", "transparent"), BLACK)
    if painted is not None and painted.alpha * box.opacity >= 1 - FAINT:
        return True
    return _is_pictured(box)


def _is_pictured(box: Box) -> bool:
    """True if opaque pictures or gradients fill the background of a box."""
    values = box.values
    picture = values.get("background-size", "auto")
    image = "none" if is_dot(picture, box.size) else values.get("background-image", "none")
    sides = picture.split()
    stretched = sides[:1] == ["cover"] or sides[:2] == ["100%", "100%"]
    if values.get("background-repeat", "repeat") not in _REPEATING and not (stretched or "gradient(" in image):
        return False
    if "gradient(" in image:
        inks = [ink for token in tokens(image) for ink in colours_of(token, BLACK)]
        return len(inks) > 1 and all(ink.alpha >= 1 - FAINT for ink in inks)
    address = next((token.value for token in tokens(image) if token.type == "url"), "")
    return not is_elsewhere(address) and _is_solid(address, None if len(sides) < 2 or sides[0] == "cover" else 0.0)


_REPEATING = frozenset(("repeat", "repeat repeat", "round", "initial"))


def is_drawn(box: Box) -> bool:
    """True if a box is neither transparent nor invisible."""
    return box.opacity >= 1 - FAINT and box.values.get("visibility", "visible") in ("visible", "inherit")


def _is_solid(address: str, ratio: float | None) -> bool:
    """True if a picture is opaque, as far as can be known: an external one counts as opaque."""
    return is_solid_picture(address) or is_elsewhere(address) or is_solid_drawing(address, ratio)


def _ratio(box: Box) -> float:
    """The declared width of a picture divided by its height; 0 if either is unknown."""
    wide, high = box.length("width"), box.length("height")
    return wide / high if wide and high else 0.0


INLINE = frozenset(("inline", "ruby", "ruby-text", "math"))
_FLATTENING = {
    "opacity": "1", "filter": "none", "clip-path": "none", "mask-image": "none", "overflow-x": "visible",
    "overflow-y": "visible", "mix-blend-mode": "normal", "isolation": "auto",
}  # fmt: skip
"""Properties that end a shared 3D space of the children, with the value of each that does not."""
_HOLDING = ("transform", "filter", "perspective")


def place(node: LexborNode, values: Mapping[str, str], state: State, parent: State) -> None:
    """Record where a box is positioned and what clips it, in its state and for its children."""
    position = values.get("position", "static").removeprefix("-webkit-")
    holds = any(values.get(name, "none") not in ("none", "initial") for name in _HOLDING)
    placed = position in ("absolute", "fixed")
    if placed or parent.display.endswith("grid"):
        state.floats, state.over = True, parent.holder if placed else node.parent
    state.gone = _taken_away(node, values, state, placed=placed) or state.gone
    turned = (state.display not in INLINE or bool(state.svg)) and _scaled(values, state, parent)
    zoom = length(values.get("zoom", "1"), Scale(percent=1.0))
    state.scale *= zoom if zoom is not None and zoom > 0 else 1.0
    state.away = state.away or _is_off_path(values) or (turned and values.get("backface-visibility") == "hidden")
    if position != "static" or holds:
        state.holder = node


def _taken_away(node: LexborNode, values: Mapping[str, str], state: State, *, placed: bool) -> HiddenReason | None:
    """Why nothing in a box is drawn, whatever its descendants declare; None if it is drawn."""
    inline = state.display in INLINE
    if geometry.clips_all(values, state.size, out_of_flow=placed, inline=inline):
        return "clipped"
    if "url(#" not in values.get("mask-image", "") and masks(values, state.size):
        return "clipped"
    for name in ("clip-path", "mask-image"):
        if (path := values.get(name, "none")).startswith("url(") and lets_nothing_through(node, path):
            return "clipped"
    if values.get("content-visibility") == "hidden" and not inline and not state.display.startswith(("table", "ruby")):
        return "closed" if "hidden" in node.attributes else "hidden_markup"
    replaced = any(kind in values.get("content", "") for kind in ("url(", "gradient("))
    return "hidden_markup" if replaced else None


def _scaled(values: Mapping[str, str], state: State, parent: State) -> bool:
    """Record the scale of an element and the 3D space that its children share; True if its back faces the reader."""
    declared = [values.get(name, "") for name in ("transform", "scale", "translate", "rotate")]
    move = geometry.moved(*declared, state.size, parent.space, parent.eye)
    around = parent.scale if parent.space is geometry.SAME else parent.outer_scale
    state.scale = around * move.scale
    grouped = any(values.get(name, one) not in (one, "initial") for name, one in _FLATTENING.items())
    state.space, state.outer_scale = geometry.SAME, around
    if values.get("transform-style") == "preserve-3d" and not grouped:
        own, _ = geometry.transformed(*declared, state.size)
        state.space = geometry.product(parent.space, own)
    state.eye = length(values.get("perspective", "none"), Scale(state.size)) or 0.0
    return move.turned


def _is_off_path(values: Mapping[str, str]) -> bool:
    """True if a box is moved along a path that is entirely off the page."""
    path = values.get("offset-path", "none")
    points = geometry.outline(path) if path.startswith("path(") else []
    return bool(points) and (max(x for x, _ in points) <= -FAR or max(y for _, y in points) <= -FAR)
