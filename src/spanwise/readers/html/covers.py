"""Boxes that lie over all that flows in the box around them."""

from __future__ import annotations

from collections.abc import Mapping

from selectolax.lexbor import LexborNode

from spanwise.readers.html.cascade import Cascade
from spanwise.readers.html.defaults import of_browser
from spanwise.readers.html.paint import FAINT
from spanwise.readers.html.selectors import Element
from spanwise.readers.html.values import BLACK, Scale, colour, fraction, length

_MOST_CHILDREN = 60
_WHOLE = Scale(percent=100.0)
_GENERATED = -1


def cover_of(
    node: LexborNode, element: Element | None, cascade: Cascade, variables: Mapping[str, str], *, quirks: bool
) -> int:
    """The child that covers an element whole with a colour, -1 for one that a style sheet makes; 0 if there is none.

    What is placed beside it is not counted as covered: slides lie over one another and take turns.
    """
    if element is not None:
        for side in ("before", "after"):
            values = cascade.part(side, element, variables) or {}
            if values.get("content", "none") not in ("none", "normal") and _covers(values):
                return _GENERATED
    inside = iter(element.children) if element is not None else None
    child = node.child
    for _ in range(_MOST_CHILDREN):
        if child is None:
            return 0
        if child.is_element_node:
            matched = next(inside, None) if inside is not None else None
            style = child.attributes.get("style")
            if matched is not None or (style is not None and "absolute" in style.lower()):
                browser = of_browser(child.tag or "", child.attributes, quirks=quirks)
                values = cascade.declared(matched, browser, (), style, variables).values
                if _covers(values):
                    return child.mem_id
        child = child.next
    return 0


def _covers(values: Mapping[str, str]) -> bool:
    if values.get("position") != "absolute" or values.get("display") == "none":
        return False
    if values.get("visibility", "visible") != "visible" or values.get("z-index", "auto").startswith("-"):
        return False
    if any(values.get(name, "none") not in ("none", "initial") for name in ("transform", "filter", "clip-path")):
        return False
    painted = colour(values.get("background-color", "transparent"), BLACK)
    opaque = painted is not None and painted.alpha * (fraction(values.get("opacity", "1")) or 0.0) >= 1 - FAINT
    places = [length(values.get(side, "auto"), _WHOLE) for side in ("top", "left", "right", "bottom")]
    sizes = [
        length(values.get(side, "auto"), _WHOLE) if "%" in values.get(side, "") else None
        for side in ("width", "height")
    ]
    whole = all(place == 0 for place in places) or (
        places[:2] == [0, 0] and all(size is not None and size >= 100 for size in sizes)
    )
    return opaque and whole
