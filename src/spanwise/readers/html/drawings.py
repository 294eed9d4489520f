"""What of an SVG is seen: text outside its view, or under a shape that fills it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from selectolax.lexbor import LexborNode

from spanwise.readers.areas import Area, is_filled
from spanwise.readers.html.geometry import moved, outline
from spanwise.readers.html.state import State
from spanwise.readers.html.values import BLACK, Scale, colour, length, tokens

_MOST_LATER = 60
_LETTER = 0.45
_SPANS = {"rect": ("width", "height"), "circle": ("r",), "ellipse": ("rx", "ry")}
"""Attributes of which none may be zero for a shape to have an inside."""
_CHANGING = frozenset("opacity fill-opacity style transform class mask clip-path filter display visibility".split())
"""Attributes with which a shape may not fill its place."""
_ATTRIBUTES = ("x", "y", "width", "height")


def view_of(attributes: Mapping[str, str | None]) -> tuple[float, float, float, float] | None:
    """The part of a drawing that is shown: left, top, right and bottom; None where it is not declared."""
    box = (attributes.get("viewbox") or attributes.get("viewBox") or "").replace(",", " ").split()
    if not box:
        box = ["0", "0", attributes.get("width") or "", attributes.get("height") or ""]
    numbers = [length(one, Scale(percent=None)) for one in box]
    known = [number for number in numbers if number is not None]
    if len(known) != 4 or len(box) != 4:
        return None
    left, top, wide, high = known
    return left, top, left + wide, top + high


def shrunk(attributes: Mapping[str, str | None]) -> float:
    """How much smaller a drawing is shown than it is drawn, where attributes tell both sizes."""
    view = view_of(attributes)
    wide, high = (length(attributes.get(name) or "", Scale(percent=None)) for name in ("width", "height"))
    if view is None or wide is None or high is None:
        return 1.0
    return min(1.0, wide / max(view[2] - view[0], 1e-9), high / max(view[3] - view[1], 1e-9))


def outside(node: LexborNode, tag: str, attributes: Mapping[str, str | None], state: State) -> bool:
    """True if a text begins beyond the view of its drawing, or something that fills the view comes behind it."""
    if "transform" in (attributes.get("style") or ""):
        state.view = None
    elif state.view is not None and (transform := attributes.get("transform")):
        move = moved(transform.lower(), "", "", "", state.size)
        shifted = "translate" in transform and transform.count("(") == 1
        state.view = (
            (
                state.view[0] - move.across,
                state.view[1] - move.down,
                state.view[2] - move.across,
                state.view[3] - move.down,
            )
            if shifted
            else None
        )
    if state.view is None or tag != "text":
        return False
    _, top, right, bottom = state.view
    x, y = (length((attributes.get(name) or "0").strip(), Scale()) for name in ("x", "y"))
    if x is None or y is None:
        return False
    anchored = attributes.get("text-anchor") or "start"
    beyond = (x >= right and anchored == "start") or y - state.size >= bottom or y + state.size <= top
    if beyond:
        return True
    wide = len(" ".join(node.text(deep=True).split())) * _LETTER * state.size
    begin = x - wide * {"middle": 0.5, "end": 1.0}.get(anchored, 0.0)
    area = max(begin, state.view[0]), max(y - 0.7 * state.size, top), min(begin + wide, right), min(y, bottom)
    return is_filled(area, list(_painted_later(node, state.view)), 1.0)


def _painted_later(node: LexborNode, view: Area) -> Iterator[Area]:
    """The rectangles that are painted behind a text in the file."""
    later, left = _following(node), _MOST_LATER
    while later is not None and left:
        left -= 1
        if later.is_element_node:
            yield from _shapes(later, view)
        later = _following(later)


def _following(node: LexborNode) -> LexborNode | None:
    """The node after another one, beside it or beside those around it, within a drawing."""
    at: LexborNode | None = node
    while at is not None and at.tag != "svg":
        if at.next is not None:
            return at.next
        at = at.parent
    return None


def _shapes(node: LexborNode, view: Area) -> Iterator[Area]:
    """The rectangles that an element and those in it surely fill with a colour."""
    for one in node.iter(include_text=False) if node.tag == "g" and not _CHANGING & node.attributes.keys() else (node,):
        told = one.attributes
        painted = colour((told.get("fill") or "black").lower(), BLACK)
        if _CHANGING & told.keys() or painted is None or painted.alpha < 1:
            continue
        if one.tag == "rect":
            x, y, wide, high = (_along(told.get(name), view, name) for name in _ATTRIBUTES)
            yield x, y, x + wide, y + high
        elif one.tag in ("path", "polygon"):
            shape = f"path('{told.get('d')}')" if one.tag == "path" else f"polygon({told.get('points')})"
            points = outline(shape.replace(",", " ") if one.tag == "polygon" else shape)
            xs, ys = [x for x, _ in points], [y for _, y in points]
            corners = {(x, y) for x in (min(xs), max(xs)) for y in (min(ys), max(ys))} if points else set()
            if points and set(points) == corners:
                yield min(xs), min(ys), max(xs), max(ys)


def _along(value: str | None, view: Area, side: str) -> float:
    whole = view[2] - view[0] if side in ("x", "width") else view[3] - view[1]
    return length((value or "0").strip(), Scale(percent=whole)) or 0.0


def shows_all_of_a_shape(drawing: LexborNode) -> bool:
    """True if one of the shapes directly in a drawing fills it."""
    attributes = drawing.attributes
    view = view_of(attributes) or (0.0, 0.0, 100.0, 100.0)
    child, left = drawing.child, _MOST_LATER
    while child is not None and left:
        left -= 1
        relative = child.tag == "rect" and "100%" == child.attributes.get("width") == child.attributes.get("height")
        sized = view_of(attributes) is not None or relative
        if child.is_element_node and sized and any(is_filled(view, [one], 0.5) for one in _shapes(child, view)):
            return True
        child = child.next
    return False


def lets_nothing_through(node: LexborNode, path: str) -> bool:
    """True if the `clipPath` or the mask of the page that a style names has nothing in it."""
    address = next((one.value for one in tokens(path) if one.type == "url"), "")
    named = address[1:] if address.startswith("#") else ""
    root = node
    while root.parent is not None:
        root = root.parent
    if not named.replace("-", "").replace("_", "").isalnum():
        return False
    found = root.css_first(f'[id="{named}"]')
    if found is None or (found.tag or "").lower() not in ("clippath", "mask"):
        return False
    shapes = [one for one in found.iter() if one.tag not in ("title", "desc", "animate")]
    return all(one.tag in _SPANS and 0.0 in _spans(one) for one in shapes)


def _spans(shape: LexborNode) -> list[float | None]:
    return [length(shape.attributes.get(side) or "0", Scale()) for side in _SPANS[shape.tag or ""]]
