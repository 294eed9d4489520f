"""Where the box of an element goes on the page, and whether anything is let through of it there."""

from __future__ import annotations

from collections.abc import Mapping

from selectolax.lexbor import LexborNode

from spanwise.domain.document import HiddenReason
from spanwise.readers.html import geometry
from spanwise.readers.html.drawings import lets_nothing_through
from spanwise.readers.html.geometry import FAR
from spanwise.readers.html.paint import masks
from spanwise.readers.html.state import State
from spanwise.readers.html.values import Scale, length

INLINE = frozenset(("inline", "ruby", "ruby-text", "math"))
_FLATTENING = {
    "opacity": "1", "filter": "none", "clip-path": "none", "mask-image": "none", "overflow-x": "visible",
    "overflow-y": "visible", "mix-blend-mode": "normal", "isolation": "auto",
}  # fmt: skip
"""What keeps the children of an element from having a space of their own, but for the values that are usual."""
_HOLDING = ("transform", "filter", "perspective")


def place(node: LexborNode, values: Mapping[str, str], state: State, parent: State) -> None:
    """Where the box goes, and what cuts it off, for children by how they are placed."""
    position = values.get("position", "static").removeprefix("-webkit-")
    holds = any(values.get(name, "none") not in ("none", "initial") for name in _HOLDING)
    placed = position in ("absolute", "fixed")
    if placed or parent.display.endswith("grid"):
        state.floats, state.over = True, parent.holder if placed else node.parent
    state.gone = _taken_away(node, values, state, placed=placed) or state.gone
    turned = (state.display not in INLINE or bool(state.svg)) and _scaled(values, state, parent)
    state.scale *= _zoom(values.get("zoom", ""))
    state.away = state.away or _is_off_path(values) or (turned and values.get("backface-visibility") == "hidden")
    if position != "static" or holds:
        state.holder = node


def _taken_away(node: LexborNode, values: Mapping[str, str], state: State, *, placed: bool) -> HiddenReason | None:
    """Why nothing in a box is drawn, whatever is declared for what is in it."""
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
    """Note how small its transforms make an element, and what of them its children share; True if it shows its back."""
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
    """True if a box is moved along a path that lies wholly off the page."""
    path = values.get("offset-path", "none")
    points = geometry.outline(path) if path.startswith("path(") else []
    return bool(points) and (max(x for x, _ in points) <= -FAR or max(y for _, y in points) <= -FAR)


def _zoom(value: str) -> float:
    number = length(value, Scale(percent=1.0)) if value else None
    return number if number is not None and number > 0 else 1.0
