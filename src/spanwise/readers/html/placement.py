"""Where the box of an element goes on the page, and whether anything is let through of it there."""

from __future__ import annotations

from collections.abc import Mapping

from selectolax.lexbor import LexborNode

from spanwise.domain.document import HiddenReason
from spanwise.readers.html import geometry
from spanwise.readers.html.drawings import lets_nothing_through
from spanwise.readers.html.geometry import FAR, OUT_OF_REACH
from spanwise.readers.html.shadows import beside
from spanwise.readers.html.state import State
from spanwise.readers.html.values import SCREEN, Scale, length

INLINE = frozenset(("inline", "ruby", "ruby-text", "math"))
BLOCK_BOXES = frozenset(
    "block flow-root inline-block flex inline-flex grid inline-grid list-item -webkit-box -webkit-inline-box "
    "-webkit-flex -webkit-inline-flex run-in".split()
)
_WIDEST, _LINE = 0.62, 1.6
"""Width of a letter and height of a line, as shares of the size: rather too large."""
_NARROWEST = 0.33
"""Width of a letter in words: rather too small."""
_FLATTENING = {
    "opacity": "1", "filter": "none", "clip-path": "none", "mask-image": "none", "overflow-x": "visible",
    "overflow-y": "visible", "mix-blend-mode": "normal", "isolation": "auto",
}  # fmt: skip
"""What keeps the children of an element from having a space of their own, but for the values that are usual."""
_HOLDING = ("transform", "filter", "perspective")


def place(node: LexborNode, values: Mapping[str, str], state: State, parent: State, root_size: float) -> None:
    """Where the box goes, and what cuts it off, for children by how they are placed."""
    position = values.get("position", "static").removeprefix("-webkit-")
    clipped = parent.clip_flow
    if position == "absolute":
        clipped = parent.clip_absolute
    elif position == "fixed":
        clipped, state.away = parent.clip_fixed, parent.away_fixed
        state.shift, state.turns = parent.fixed_from
    clipped = clipped or _cuts_all(node, values, state, parent, root_size)
    holds = any(values.get(name, "none") not in ("none", "initial") for name in _HOLDING)
    state.clip_flow = clipped
    if position != "static" or holds:
        state.clip_absolute = clipped
    if holds:
        state.clip_fixed = clipped
    placed = position in ("absolute", "fixed")
    if placed or parent.display.endswith("grid"):
        state.floats, state.over = True, parent.holder if placed else node.parent
    state.gone = _taken_away(node, values, state, placed=placed) or state.gone
    if _is_away(node, values, state, parent, position, root_size):
        state.away = True
        state.away_fixed = state.away_fixed or holds
    if holds:
        state.fixed_from = state.shift, state.turns
    if position != "static" or holds:
        state.holder = node


def _taken_away(node: LexborNode, values: Mapping[str, str], state: State, *, placed: bool) -> HiddenReason | None:
    """Why nothing in a box is drawn, whatever is declared for what is in it."""
    inline = state.display in INLINE
    if geometry.clips_all(values, state.size, out_of_flow=placed, inline=inline):
        return "clipped"
    for name in ("clip-path", "mask-image"):
        if (path := values.get(name, "none")).startswith("url(") and lets_nothing_through(node, path):
            return "clipped"
    if values.get("content-visibility") == "hidden" and not inline and not state.display.startswith(("table", "ruby")):
        return "closed" if "hidden" in node.attributes else "hidden_markup"
    replaced = any(kind in values.get("content", "") for kind in ("url(", "gradient("))
    return "hidden_markup" if replaced else None


def _cuts_all(node: LexborNode, values: Mapping[str, str], state: State, parent: State, root_size: float) -> bool:
    """True if a box cuts off all that is in it."""
    boxed = state.display in BLOCK_BOXES
    if parent.lines != "normal" and "line-height" not in values:
        values = {**values, "line-height": parent.lines}
    if boxed and values.get("overflow-y", "visible") != "visible":
        state.window, state.drop = geometry.window(values, "height", state.size), 0.0
        state.window_of = node.mem_id
    state.zero_rows = state.display.endswith("grid") and _is_zero_rows(values.get("grid-template-rows", ""))
    inside = [one for one in beside(node.child) if one.is_element_node]
    zero_rows = parent.zero_rows or (
        state.zero_rows
        and values.get("height", "auto") == "auto"
        and len(inside) <= len(values["grid-template-rows"].split())
    )
    if geometry.lets_nothing_through(values, state.size, block=boxed, zero_rows=zero_rows, plain_text=not inside):
        return True
    width = length(values.get("width", "auto"), Scale(state.size, root_size, SCREEN[0])) or SCREEN[0]
    lined_up = boxed and state.nowrap and values.get("overflow-x", "visible") != "visible"
    return lined_up and state.indent >= min(SCREEN[0], width)


def _is_away(
    node: LexborNode, values: Mapping[str, str], state: State, parent: State, position: str, root_size: float
) -> bool:
    """True if a box was put where no one can scroll to, and where nothing in it comes back from."""
    placed = position in ("absolute", "fixed")
    inline = state.display in INLINE
    scale = Scale(state.size, root_size, SCREEN[0])
    tall = Scale(state.size, root_size, SCREEN[1])
    across = length(values.get("margin-left", "0"), scale) or 0.0
    down = 0.0 if inline else length(values.get("margin-top", "0"), scale) or 0.0
    left = right = top = bottom = None
    if position in ("relative", "absolute", "fixed"):
        left, right = (length(values.get(side, "auto"), scale) for side in ("left", "right"))
        top, bottom = (length(values.get(side, "auto"), tall) for side in ("top", "bottom"))
    move = _moved(values, state, parent) if not inline or state.svg else geometry.Move()
    state.scale *= _zoom(values.get("zoom", ""))
    beyond = placed and not state.stacked and left is None and (right or 0.0) >= SCREEN[0]
    if (move.turned and values.get("backface-visibility") == "hidden") or beyond or _is_off_path(values):
        return True
    still = position == "static" and not (across or move.across or move.down or move.own_width or move.own_height)
    state.shift += across + move.across + (left if left is not None else -(right or 0.0))
    state.turns += move.own_width
    down += move.down + (top if top is not None else -(bottom or 0.0))
    state.drop += down
    cut = state.window_of == parent.window_of and (not placed or _holds(parent, state.window_of))
    if cut and state.window is not None and state.drop >= state.window > 0:
        state.clip_flow = state.clip_absolute = True
    if placed and bottom is not None and top is None and bottom >= SCREEN[1] and not state.stacked:
        return True
    floats = values.get("float") == "left" and not parent.stacked and move.across == 0
    alone = position == "fixed" or (placed and not parent.stacked) or floats
    least = 0.0 if state.turns > -1 else len(node.text(deep=True).strip()) * state.size * _NARROWEST
    gone_left = state.shift <= -FAR or (
        state.turns <= -1 and (left or 0.0) + (1 + state.turns) * least <= 0 and right is None
    )
    state.beside = gone_left
    if alone and (state.shift < 0 or down or (right or 0.0) < 0):
        wide, high = _extent(node, values, state, scale)
        above = top is not None and down + high <= 0
        below = position == "fixed" and top is None and bottom is not None and -bottom >= high
        beyond = position == "fixed" and left is None and right is not None and -right >= wide
        state.beside = gone_left or state.shift + wide <= 0 or above or below or (beyond and not move.across)
    if position == "fixed":  # moved out of the screen by its own size, from an edge of it
        beyond_right = left is None and right is not None and move.own_width >= 1 and right <= 0
        beyond_bottom = top is None and bottom is not None and move.own_height >= 1 and bottom <= 0
        state.beside = state.beside or beyond_right or beyond_bottom
    gone_up = down <= (-FAR if placed or move.down else -OUT_OF_REACH) or (
        placed
        and move.own_height <= (-1 if values.get("margin-top") or node.tag == "div" else -2)
        and top is not None
        and top <= 0
    )
    reach = SCREEN[0] if position == "fixed" else OUT_OF_REACH
    gone_right = (placed and state.shift >= reach) or state.shift + min(state.block_indent, 0.0) >= OUT_OF_REACH
    gone_down = position == "fixed" and down >= SCREEN[1]
    if not inline:  # what is padded begins that much further to the right
        padding = length(values.get("padding-left", "0"), scale) or 0.0
        state.shift += padding
        state.beside = state.beside and (padding < FAR or state.shift <= -FAR)
    state.beside = state.beside or (still and parent.beside)
    state.stacked = state.stacked or position != "static"
    return gone_up or gone_right or gone_down


def _holds(parent: State, box: int) -> bool:
    """True if what is placed in a parent is placed in some box."""
    return parent.holder is not None and parent.holder.mem_id == box


def _moved(values: Mapping[str, str], state: State, parent: State) -> geometry.Move:
    """What its transforms do to an element, and what it passes on to its children."""
    declared = [values.get(name, "") for name in ("transform", "scale", "translate", "rotate")]
    move = geometry.moved(*declared, state.size, parent.space, parent.eye)
    if parent.space is not geometry.SAME:  # how far it is from its parent, which has been moved already
        alone = geometry.moved(*declared, state.size)
        move = move._replace(across=alone.across, down=alone.down)
    around = parent.scale if parent.space is geometry.SAME else parent.outer_scale
    state.scale = around * move.scale
    grouped = any(values.get(name, one) not in (one, "initial") for name, one in _FLATTENING.items())
    state.space, state.outer_scale = geometry.SAME, around
    if values.get("transform-style") == "preserve-3d" and not grouped:
        own, _ = geometry.transformed(*declared, state.size)
        state.space = geometry.product(parent.space, own)
    state.eye = length(values.get("perspective", "none"), Scale(state.size)) or 0.0
    return move


def _extent(node: LexborNode, values: Mapping[str, str], state: State, scale: Scale) -> tuple[float, float]:
    """How wide and how tall a placed box is, as declared or at most."""
    words = len(" ".join(node.text(deep=True).split()))
    width = length(values.get("width", "auto"), scale)
    height = length(values.get("height", "auto"), scale._replace(percent=SCREEN[1]))
    letters = words * state.size * _WIDEST
    lines = 1 + letters // max(SCREEN[0] / 4 if width is None else width, 1.0) + 2 * len(node.css("*"))
    wide = min(letters, SCREEN[0] if width is None else width)
    return wide, lines * state.size * _LINE if height is None else height


def _is_off_path(values: Mapping[str, str]) -> bool:
    """True if a box is moved along a path that lies wholly off the page."""
    path = values.get("offset-path", "none")
    points = geometry.outline(path) if path.startswith("path(") else []
    return bool(points) and (max(x for x, _ in points) <= -FAR or max(y for _, y in points) <= -FAR)


def _zoom(value: str) -> float:
    number = length(value, Scale(percent=1.0)) if value else None
    return number if number is not None and number > 0 else 1.0


def _is_zero_rows(value: str) -> bool:
    rows = value.split()
    return bool(rows) and all(row in ("0", "0fr", "0px", "0%") for row in rows)
