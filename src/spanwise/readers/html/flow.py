"""Text that runs out of a box which cuts it off: counted in forced lines, and in the narrowest letters.

Nothing here knows a font. What is reckoned is the least room that the text before takes, so that text is only called
cut off where no browser would show it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from selectolax.lexbor import LexborNode

from spanwise.readers.html.values import Scale, length

if TYPE_CHECKING:
    from spanwise.readers.html.state import State

_NARROWEST = 0.33
"""Width of a letter in running text, as a share of its size: no common font is narrower."""
_FLATTEST = 1.0
"""Height of a line whose height nobody declared, as a share of the size."""
_STACKING = frozenset(("block", "flow-root", "list-item"))
_CUTTING = frozenset(("hidden", "clip"))


@dataclass(slots=True)
class Flow:
    """The room of a box that cuts off what does not fit, and how much of it is used at least."""

    height: float | None = None
    width: float | None = None
    """In pixels; the width only where lines are not broken at its end."""
    most_lines: int | None = None
    line: float = 0.0
    """The height of a line."""
    lines: int = 0
    down: float = 0.0
    """Pixels of lines, padding and declared heights above the line that is open."""
    used: float = 0.0
    """Pixels of the line that is open."""
    full: bool = False
    """Whether anything stands in the line that is open."""

    def end_line(self) -> None:
        """Break the line, if there is anything in it."""
        self.lines += self.full
        self.down += self.line * self.full
        self.full, self.used = False, 0.0

    def break_line(self) -> None:
        """Break the line, be it empty."""
        self.full = True
        self.end_line()

    def forget(self) -> None:
        """Know nothing any more: something in the box was moved over what stands before it."""
        self.height = self.width = self.most_lines = None

    def shown(self, text: str, size: float) -> int:
        """How many characters of the text that comes next may be seen, whole words; it takes its room."""
        lines_cut = self.most_lines is not None and self.lines >= self.most_lines
        if lines_cut or (self.height is not None and self.down >= self.height):
            return 0
        seen = len(text)
        letter = max(size * _NARROWEST, 0.1)
        if self.width is not None:
            seen = min(seen, max(0, int((self.width - self.used) / letter)))
            seen += len(text[seen:].split(maxsplit=1)[0]) if 0 < seen < len(text) and not text[seen].isspace() else 0
        words = len(" ".join(text.split()))
        self.full = self.full or bool(words)
        self.used += words * letter
        return seen


def flow_in(node: LexborNode, values: Mapping[str, str], state: State, parent: State) -> Flow | None:
    """The room that text in an element runs through: its own, that around it, or none that is known."""
    cuts = values.get("overflow-x") in _CUTTING and values.get("overflow-y") in _CUTTING
    clamp = values.get("-webkit-line-clamp", "none")
    boxed = state.display in ("-webkit-box", "-webkit-inline-box") and values.get("-webkit-box-orient") == "vertical"
    if cuts and boxed and clamp.isdecimal() and int(clamp[:4]) > 0:
        return Flow(most_lines=int(clamp[:4]))
    if cuts and state.display in (*_STACKING, "inline-block"):
        flow = Flow(_room(values, "height", state.size), line=_line(state))
        if state.nowrap and values.get("text-indent", "0") == "0":
            flow.width = _room(values, "width", state.size)
        return flow if flow.height is not None or flow.width is not None else None
    if parent.flow is None or state.display in ("inline", "contents"):
        return parent.flow if values.get("position", "static") == "static" else None
    moved = any(values.get(name, "0").startswith("-") for name in ("margin-top", "margin-left", "margin-bottom"))
    floats = values.get("float", "none") != "none" or values.get("position", "static") != "static"
    if moved:
        parent.flow.forget()
    plain = state.display in _STACKING and parent.display not in ("flex", "grid", "inline-flex", "inline-grid")
    if not plain or moved or floats or "transform" in values:
        return None
    scale = Scale(state.size, percent=None)
    parent.flow.end_line()
    known = (length(values.get(name, "auto"), scale) for name in ("height", "min-height"))
    state.ends = node.mem_id, parent.flow.down + max((one for one in known if one is not None), default=0.0)
    parent.flow.down += length(values.get("padding-top", "0"), scale) or 0.0
    return parent.flow


def _room(values: Mapping[str, str], side: str, size: float) -> float | None:
    """The pixels that a box shows along one side, its padding included; None where they are not declared."""
    scale = Scale(size, percent=None)
    sizes = [length(values.get(name, "auto"), scale) for name in (side, f"max-{side}")]
    known = [one for one in sizes if one is not None]
    if not known or f"min-{side}" in values:
        return None
    ends = ("top", "bottom") if side == "height" else ("left", "right")
    padded = sum(length(values.get(f"padding-{end}", "0"), scale) or 0.0 for end in ends)
    return min(known) + (0.0 if values.get("box-sizing") == "border-box" else padded)


def _line(state: State) -> float:
    """The height of a line, as declared or at least."""
    try:
        return float(state.lines[:24]) * state.size
    except ValueError:
        declared = length(state.lines, Scale(state.size, percent=state.size))
    return state.size * _FLATTEST if declared is None else declared
