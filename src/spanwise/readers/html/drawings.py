"""What of an SVG is seen: text outside its view, or under a shape that fills it."""

from __future__ import annotations

from collections.abc import Mapping

from selectolax.lexbor import LexborNode

from spanwise.readers.html.state import State
from spanwise.readers.html.values import BLACK, Scale, colour, length, tokens

_MOST_LATER = 60
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
    if "transform" in attributes or "transform" in (attributes.get("style") or ""):
        state.view = None
    if state.view is None or tag != "text":
        return False
    _, top, right, bottom = state.view
    x, y = (length((attributes.get(name) or "0").strip(), Scale()) for name in ("x", "y"))
    if x is None or y is None:
        return False
    anchored = attributes.get("text-anchor") or "start"
    beyond = (x >= right and anchored == "start") or y - state.size >= bottom or y + state.size <= top
    return beyond or _is_covered(node, state.view)


def _is_covered(node: LexborNode, view: tuple[float, float, float, float]) -> bool:
    """True if a plain rectangle behind a text in the file fills the whole view."""
    left, top, right, bottom = view
    later = node.next
    for _ in range(_MOST_LATER):
        if later is None:
            break
        told = later.attributes if later.tag == "rect" else {}
        painted = colour((told.get("fill") or "black").lower(), BLACK)
        plain = not {"opacity", "fill-opacity", "style", "transform", "class", "rx", "mask", "clip-path"} & told.keys()
        if told and plain and painted is not None and painted.alpha >= 1:
            x, y, wide, high = (length(told.get(name) or "0", Scale()) or 0.0 for name in _ATTRIBUTES)
            wide = right - left if told.get("width") == "100%" else wide
            high = bottom - top if told.get("height") == "100%" else high
            if x <= left and y <= top and x + wide >= right and y + high >= bottom:
                return True
        later = later.next
    return False


def lets_nothing_through(node: LexborNode, path: str) -> bool:
    """True if the `clipPath` of the page that a style names has nothing in it."""
    address = next((one.value for one in tokens(path) if one.type == "url"), "")
    named = address[1:] if address.startswith("#") else ""
    root = node
    while root.parent is not None:
        root = root.parent
    if not named.replace("-", "").replace("_", "").isalnum():
        return False
    found = root.css_first(f'[id="{named}"]')
    if found is None or (found.tag or "").lower() != "clippath":
        return False
    shapes = [one for one in found.iter() if one.tag not in ("title", "desc", "animate")]
    return all(
        one.tag == "rect" and 0.0 in [length(one.attributes.get(side) or "0", Scale()) for side in ("width", "height")]
        for one in shapes
    )
