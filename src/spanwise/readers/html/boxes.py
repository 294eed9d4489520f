"""The boxes of a page's elements, before and after they are laid out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from spanwise.readers.html.css_values import ROOT_SIZE, SCREEN, Scale, length
from spanwise.readers.html.geometry import FAR, moved

LETTER, LINE = 0.45, 1.15
"""Width of a letter in running text and height of a line, as shares of the size."""
WIDEST, NARROWEST = 0.65, 0.33
"""Width of a letter in words, as a share of its size, at most and at least."""
ON_SCREEN = -1
"""The stretch of what stays where it is on the screen; that of the page is 0."""
SLACK = 3.0
"""Pixels by which a cover may be smaller than an estimate."""
TRANSFORMS = ("transform", "scale", "translate", "rotate")
STACKED = frozenset(("block", "flow-root", "list-item"))
_SHIFTING = frozenset((*TRANSFORMS, "position"))
ENDLESS = 1e9
MARGINS = {
    **dict.fromkeys(("p", "ul", "ol", "dl", "blockquote", "figure", "pre", "menu", "dir"), 1.0),
    "h1": 0.67, "h2": 0.83, "h3": 1.0, "h4": 1.33, "h5": 1.67, "h6": 2.33,
}  # fmt: skip
"""Margins above and below in a browser's own style sheet, in sizes of the letters."""
Key: TypeAlias = tuple[tuple[float, int], ...]


class Rect(NamedTuple):
    """A rectangle on the page."""

    left: float
    top: float
    right: float
    bottom: float

    def holds(self, other: Rect) -> bool:
        """True if another lies inside, but for what estimates may be wrong by."""
        return (
            self.left <= other.left + SLACK
            and self.top <= other.top + SLACK
            and self.right >= other.right - SLACK
            and self.bottom >= other.bottom - SLACK
        )


_NOWHERE = Rect(0.0, 0.0, 0.0, 0.0)


Clip: TypeAlias = "tuple[int, Rect, float] | None"
"""A stretch, what can be seen in it, and how far down no one can scroll in it."""


class TextNode(NamedTuple):
    """A text by its node."""

    node: int
    letters: float
    order: int
    words: int = 1


_HANDED_ON = ("white-space", "text-indent", "letter-spacing", "direction", "font-family", "line-height")
_LISTS = frozenset("ul ol menu dir dl".split())
_MONOSPACED = frozenset("pre code kbd samp tt textarea listing xmp".split())


@dataclass(slots=True)
class Box:
    """An element as far as it has a box."""

    tag: str
    values: Mapping[str, str]
    size: float
    opacity: float
    above: tuple[int, ...]
    """The elements around it and itself."""
    order: int
    """Where it comes in the page."""
    children: list[Box | TextNode] = field(default_factory=list)
    painted: bool = False
    """True if nothing shines through its ground."""
    inner: tuple[int, ...] = ()
    """The texts of a box that is laid out as a whole."""
    roomless: bool = False
    """True if it lets nothing be seen of what is in it."""
    unsized: bool = False
    """True for a picture whose size is not known."""
    pending: list[tuple[Box, Place, Key]] = field(default_factory=list)
    """Boxes placed in it, and where they would stand in the flow."""
    rect: Rect = _NOWHERE
    nowrap: bool = False
    indent: float = 0.0
    """How far the first line begins from the edge."""
    placed: bool = False
    """True if it is placed in another box from edge to edge."""
    clip: tuple[float, float, float, float] | None = None
    """The rectangle around the `clipPath` that it is cut to, from its corner."""
    item: bool = False
    """True in a grid or a flexible box, where all children have levels."""
    lines: str = "normal"
    """The height of its lines, as declared."""
    spacing: float = 0.0
    """Pixels between letters beyond what their font has."""
    monospaced: bool = False
    """True for the generic font of equal letters."""
    rtl: bool = False
    listed: bool = False
    """True in a list, where browsers give other lists no margins."""

    def inherit(self, around: Box) -> None:
        """Take from the box around it what is not declared for itself."""
        values = self.values
        own = {name for name in _HANDED_ON if is_own(values, name)}
        self.nowrap = values["white-space"] in ("nowrap", "pre") if "white-space" in own else around.nowrap
        self.indent = (self.length("text-indent", SCREEN[0]) or 0.0) if "text-indent" in own else around.indent
        self.spacing = (self.length("letter-spacing") or 0.0) if "letter-spacing" in own else around.spacing
        self.rtl = values["direction"] == "rtl" if "direction" in own else around.rtl
        equal = self.tag in _MONOSPACED or around.monospaced
        self.monospaced = values["font-family"].strip() == "monospace" if "font-family" in own else equal
        self.listed = around.listed or around.tag in _LISTS
        self.lines = around.lines
        if "line-height" in own:
            declared = values["line-height"]
            pixels = None if declared.replace(".", "", 1).isdigit() else self.length("line-height", self.size)
            self.lines = declared if pixels is None else f"{pixels}px"

    def usual_margin(self) -> float:
        """The margin above and below in a browser's own style sheet, in sizes of the letters."""
        return 0.0 if self.listed and self.tag in _LISTS else MARGINS.get(self.tag, 0.0)

    def margins(self, room: float | None = None) -> tuple[float, float]:
        """The margins above and below in pixels, as declared or as browsers set them."""
        usual = self.usual_margin() * self.size
        names = ("margin-top", "margin-bottom")
        above, below = ((self.length(name, room) or 0.0) if name in self.values else usual for name in names)
        return above, below

    @property
    def least_size(self) -> float:
        """The size of its letters, where browsers may make those of a monospaced font smaller than nobody declared."""
        return self.size * 13 / 16 if self.monospaced else self.size

    @property
    def display(self) -> str:
        """The kind of box."""
        return self.values.get("display", "inline")

    def length(self, name: str, percent: float | None = None) -> float | None:
        """A declared length in pixels."""
        value = self.values.get(name)
        return None if value is None else length(value, Scale(self.size, ROOT_SIZE, percent))


class Place(NamedTuple):
    """Where a box begins, in a stretch of the page within which places can be compared."""

    stretch: int
    x: float
    y: float


def is_placed(box: Box) -> bool:
    """True for a box that takes no room where it stands."""
    return box.values.get("position", "static") in ("absolute", "fixed")


def grows(box: Box) -> bool:
    """True for a flexible box that takes the room that is left."""
    grow = box.values.get("flex", "0").split()[0]
    return grow == "auto" or (length(grow, Scale()) or 0.0) >= 1


def overlap(one: Rect, other: Rect) -> Rect:
    """What two rectangles share; one with its edges turned round if that is nothing."""
    return Rect(
        max(one.left, other.left), max(one.top, other.top), min(one.right, other.right), min(one.bottom, other.bottom)
    )


def around_all(rects: Sequence[Rect]) -> Rect:
    """The rectangle around some others."""
    if not rects:
        return _NOWHERE
    lefts, tops, rights, bottoms = zip(*rects, strict=True)
    return Rect(min(lefts), min(tops), max(rights), max(bottoms))


def letters_in(box: Box) -> Iterator[float]:
    """The letters of each text in a box."""
    for child in box.children:
        if isinstance(child, TextNode):
            yield child.letters
        else:
            yield from letters_in(child)


def is_own(values: Mapping[str, str], name: str) -> bool:
    """True if a property is declared for the element itself."""
    return values.get(name, "inherit") != "inherit"


def shift(box: Box, room: float, *, placed: bool = False) -> tuple[float, float] | None:
    """How far a box is moved from where it would stand; None where it is turned or scaled, or moved by its own size."""
    if box.values.keys().isdisjoint(_SHIFTING):
        return 0.0, 0.0
    move = moved(*(box.values.get(name, "") for name in TRANSFORMS), box.size)
    fills = box.display in STACKED and not placed and box.values.get("float", "none") == "none" and not box.item
    wide = box.length("width", room) if not fills or "width" in box.values else room
    high = box.length("height")
    if move.own_width <= -1 and wide is None and not move.turned:
        least = sum(letters_in(box)) * box.size * NARROWEST
        wide = least if move.across + (1 + move.own_width) * least <= -FAR / 3 else None
    if move.scale != 1 or move.turned or (move.own_width and wide is None) or (move.own_height and high is None):
        return None
    across, down = move.across + move.own_width * (wide or 0.0), move.down + move.own_height * (high or 0.0)
    if not placed and box.values.get("position") == "relative":
        left, right = box.length("left", room), box.length("right", room)
        top, bottom = box.length("top"), box.length("bottom")
        across += left if left is not None else -(right or 0.0)
        down += top if top is not None else -(bottom or 0.0)
    return across, down
