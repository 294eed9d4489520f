"""The boxes of a page's elements, and how much room flexible boxes, grids and tables give their children."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import NamedTuple, TypeAlias

from spanwise.readers.html.css_values import ROOT_SIZE, SCREEN, Scale, length
from spanwise.readers.html.geometry import FAR, moved

LETTER, LINE = 0.45, 1.15
"""Width of a letter in running text and height of a line, relative to the font size."""
WIDEST, NARROWEST = 0.65, 0.33
"""Largest and smallest average width of the letters in words, relative to the font size."""
ON_SCREEN = -1
"""The stretch (see `Place`) of boxes that are fixed on the screen; that of the page is 0."""
SLACK = 3.0
"""Pixels by which a cover may be smaller than what it covers, as both are estimates."""
TRANSFORMS = ("transform", "scale", "translate", "rotate")
STACKED = frozenset(("block", "flow-root", "list-item"))
_SHIFTING = frozenset((*TRANSFORMS, "position"))
ENDLESS = 1e9
MARGINS = {
    **dict.fromkeys(("p", "ul", "ol", "dl", "blockquote", "figure", "pre", "menu", "dir"), 1.0),
    "h1": 0.67, "h2": 0.83, "h3": 1.0, "h4": 1.33, "h5": 1.67, "h6": 2.33,
}  # fmt: skip
"""Margins above and below in a browser's own style sheet, relative to the font size."""
Key: TypeAlias = tuple[tuple[float, int], ...]


class Rect(NamedTuple):
    """A rectangle on the page."""

    left: float
    top: float
    right: float
    bottom: float

    def holds(self, other: Rect) -> bool:
        """True if another rectangle lies inside, give or take the error of estimates."""
        return (
            self.left <= other.left + SLACK
            and self.top <= other.top + SLACK
            and self.right >= other.right - SLACK
            and self.bottom >= other.bottom - SLACK
        )


_NOWHERE = Rect(0.0, 0.0, 0.0, 0.0)


Clip: TypeAlias = "tuple[int, Rect, float] | None"
"""A stretch, the visible rectangle in it, and the lowest y that can be scrolled into view."""


class TextNode(NamedTuple):
    """A text: the id of its node, its number of letters, its place in the page's order, and its number of words."""

    node: int
    letters: float
    order: int
    words: int = 1


_HANDED_ON = ("white-space", "text-indent", "letter-spacing", "direction", "font-family", "line-height")
_LISTS = frozenset("ul ol menu dir dl".split())
_MONOSPACED = frozenset("pre code kbd samp tt textarea listing xmp".split())


@dataclass(slots=True)
class Box:
    """An element that has a box, with its declared values and, after the layout, its rectangle."""

    tag: str
    values: Mapping[str, str]
    size: float
    opacity: float
    above: tuple[int, ...]
    """The ids of the elements around it, and its own."""
    order: int
    """Its place in the order of the page."""
    children: list[Box | TextNode] = field(default_factory=list)
    painted: bool = False
    """True if its background is opaque."""
    inner: tuple[int, ...] = ()
    """The texts of a box whose content is not laid out."""
    roomless: bool = False
    """True if it clips all of its content."""
    unsized: bool = False
    """True for a picture whose size is not declared."""
    pending: list[tuple[Box, Place, Key]] = field(default_factory=list)
    """Absolutely positioned boxes inside, with their place in normal flow and their stacking key."""
    rect: Rect = _NOWHERE
    nowrap: bool = False
    indent: float = 0.0
    """Indent of the first line, in pixels."""
    placed: bool = False
    """True if it is positioned so that it fills its containing box from edge to edge."""
    clip: tuple[float, float, float, float] | None = None
    """The bounding rectangle of the `clipPath` that clips it, relative to its corner."""
    item: bool = False
    """True in a grid or a flexible box, where every child may have a `z-index`."""
    lines: str = "normal"
    """The declared `line-height`."""
    spacing: float = 0.0
    """Letter spacing in pixels."""
    monospaced: bool = False
    """True for the generic monospaced font."""
    rtl: bool = False
    certain: bool = False
    """True if it stands at a known height of the page, whatever comes before it."""
    listed: bool = False
    """True inside a list, where browsers give nested lists no margins."""

    def inherit(self, around: Box) -> None:
        """Take the inherited properties that it does not declare from the box around it."""
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
        """The margin above and below in a browser's own style sheet, relative to the font size."""
        return 0.0 if self.listed and self.tag in _LISTS else MARGINS.get(self.tag, 0.0)

    def margins(self, room: float | None = None) -> tuple[float, float]:
        """The margins above and below in pixels, as declared or as in a browser's own style sheet."""
        usual = self.usual_margin() * self.size
        names = ("margin-top", "margin-bottom")
        above, below = ((self.length(name, room) or 0.0) if name in self.values else usual for name in names)
        return above, below

    @property
    def least_size(self) -> float:
        """The smallest font size in pixels: browsers show monospaced text without a declared size at 13/16."""
        return self.size * 13 / 16 if self.monospaced else self.size

    @property
    def display(self) -> str:
        """The declared `display`."""
        return self.values.get("display", "inline")

    def length(self, name: str, percent: float | None = None) -> float | None:
        """A declared length in pixels; None if it is not declared or cannot be computed."""
        value = self.values.get(name)
        return None if value is None else length(value, Scale(self.size, ROOT_SIZE, percent))


class Place(NamedTuple):
    """The corner of a box: coordinates, and the stretch (a part of the page in which places can be compared)."""

    stretch: int
    x: float
    y: float


def is_placed(box: Box) -> bool:
    """True for a box out of normal flow (`absolute` or `fixed`)."""
    return box.values.get("position", "static") in ("absolute", "fixed")


def grows(box: Box) -> bool:
    """True for a flexible item that takes up the remaining room."""
    grow = box.values.get("flex", "0").split()[0]
    return grow == "auto" or (length(grow, Scale()) or 0.0) >= 1


def overlap(one: Rect, other: Rect) -> Rect:
    """The intersection of two rectangles; if it is empty, left exceeds right or top exceeds bottom."""
    return Rect(
        max(one.left, other.left), max(one.top, other.top), min(one.right, other.right), min(one.bottom, other.bottom)
    )


def around_all(rects: Sequence[Rect]) -> Rect:
    """The bounding rectangle of others."""
    if not rects:
        return _NOWHERE
    lefts, tops, rights, bottoms = zip(*rects, strict=True)
    return Rect(min(lefts), min(tops), max(rights), max(bottoms))


def letters_in(box: Box) -> Iterator[float]:
    """The number of letters of each text in a box."""
    for child in box.children:
        if isinstance(child, TextNode):
            yield child.letters
        else:
            yield from letters_in(child)


def is_own(values: Mapping[str, str], name: str) -> bool:
    """True if the element itself declares the property."""
    return values.get(name, "inherit") != "inherit"


def shift(box: Box, room: float, *, placed: bool = False) -> tuple[float, float] | None:
    """How far a box is moved from its place in flow, in pixels.

    None if it is turned or scaled, or moved by a share of its own size where that is not known.
    """
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


_FAR_LEFT = -1e9


class Row:
    """The items of a flexible row, with bounds of where each begins."""

    def __init__(self, box: Box, x: float, room: float) -> None:
        values = box.values
        back = values.get("flex-direction", "row") == "row-reverse"
        ends = values.get("justify-content", "normal") in ("flex-end", "end", "right")
        self._known = values.get("flex-wrap", "nowrap") == "nowrap" and not (back and ends)
        self._known = self._known and "column" not in values.get("flex-direction", "row")
        self._known = self._known and not any(isinstance(one, Box) and "order" in one.values for one in box.children)
        self._from_right = back or ends
        self.children = box.children[::-1] if ends else box.children
        self._apart = values.get("justify-content", "normal") not in ("normal", "flex-start", "start", "left")
        self.level = self._known and values.get("align-items", "normal") in ("normal", "stretch", "flex-start", "start")
        self._x, self._room = x, room
        self._least = self._most = 0.0
        items = [one for one in box.children if not isinstance(one, Box) or not is_placed(one)]
        wides = [_declared(one, room, alone=len(items) == 1) for one in items]
        self.sure = self._known and not (self._from_right or self._apart)
        self.sure = self.sure and None not in wides and sum(one or 0.0 for one in wides) <= room
        guesses = [self.guess(one) for one in items]
        rigid = self.level and not (self.sure or self._from_right or self._apart) and None not in guesses
        most = sum(_bounds(one, room)[1] for one in items if isinstance(one, Box)) if rigid else inf
        self.guessed = most <= room and not any(grows(one) for one in items if isinstance(one, Box))
        """True if all boxes get the room that they ask for, as far as the width of their text can be estimated."""
        self._begin = x

    def guess(self, item: Box | TextNode) -> float | None:
        """The width of an item, declared or estimated from its only text; None if neither is possible."""
        if isinstance(item, TextNode):
            return None
        wide, letters = item.length("width", self._room), list(letters_in(item))
        padding = sum(item.length(f"padding-{side}", self._room) or 0.0 for side in ("left", "right"))
        return wide if wide is not None else letters[0] * item.size * LETTER + padding if len(letters) == 1 else None

    def away(self, item: Box, clip: Clip) -> float | None:
        """Where the next item begins if that is known well, or certainly off the page or outside the clip.

        Else None.
        """
        left, right = (item.length(name, self._room) or 0.0 for name in ("margin-left", "margin-right"))
        least, most = _bounds(item, self._room)
        if self.sure:
            least = (_declared(item, self._room, alone=True) or 0.0) - left - right
        before, furthest = self._least, self._room if self._apart else min(self._most, self._room)
        begin = self._begin + left
        self._begin = begin + (self.guess(item) or 0.0) + right
        self._least += left + least + right
        self._most += left + most + right
        if not self._known:
            return None
        if self.sure:
            return self._x + before + left
        if self.guessed:
            return begin
        if clip is not None and self._from_right and self._x + self._room - before - right <= clip[1].left:
            return _FAR_LEFT
        return self._x + furthest + left if self._x + furthest + left + most <= 0 else None


def _declared(item: Box | TextNode, room: float, *, alone: bool) -> float | None:
    """The outer width of a flexible item, if it is declared or the item takes all of the room; else None."""
    if isinstance(item, TextNode):
        return None
    wide = item.length("width", room)
    if wide is None:
        return room if alone and grows(item) else None
    return wide + sum(item.length(f"margin-{side}", room) or 0.0 for side in ("left", "right"))


def least_width(item: Box, room: float) -> float:
    """The smallest width of a flexible item, padding included."""
    return _bounds(item, room)[0]


def _bounds(item: Box, room: float) -> tuple[float, float]:
    """The smallest and the largest width of a flexible item, padding included."""
    values = item.values
    words = values.get("flex", "0 1 auto").split()
    rigid = is_rigid(values)
    basis = length(words[-1], Scale(item.size, ROOT_SIZE, room)) if len(words) == 3 else item.length("flex-basis", room)
    wide = item.length("width", room) if basis is None else basis
    padding = sum(item.length(f"padding-{side}", room) or 0.0 for side in ("left", "right"))
    letters = sum(letters_in(item)) * item.size
    fits = letters * NARROWEST if rigid or item.nowrap else 0.0
    least = (wide if rigid and wide is not None else min(fits, room if wide is None else wide)) + padding
    most = room if grows(item) or not letters else min(letters * WIDEST, room) + padding
    return max(least, item.length("min-width", room) or 0.0), max(most, least, wide or 0.0)


class Cell(NamedTuple):
    """The place of a grid item, as far as declarations define it: width, and height if known."""

    wide: float
    high: float | None = None
    shared: int = 0
    """The stretch of a named cell that other items may share; 0 for none."""


class Tracks:
    """The cells of a grid for its children, by name or one after another; for a table none are known."""

    def __init__(self, box: Box, room: float, stretches: Iterator[int]) -> None:
        self.children = box.children
        self._grid = "grid" in box.display
        flowing = [one for one in box.children if isinstance(one, Box) and not is_placed(one)]
        self.alone = self._grid and len(flowing) == 1
        self._at, self._room, self._stretches = 0, room, stretches
        self._shared: dict[str, int] = {}
        columns = box.values.get("grid-template-columns", "")
        rows = box.values.get("grid-template-rows", "") if box.length("height") is None else ""
        self._columns, self._rows = (
            [0.0 if one == "0fr" else length(one, Scale(box.size, ROOT_SIZE, whole)) for one in named.split()]
            if self._grid and "(" not in named
            else []
            for named, whole in ((columns, room), (rows, None))
        )

    def next(self, child: Box) -> Cell:
        """The cell of the next item."""
        cell = _cell_of(child) if self._grid else ""
        if cell:
            return Cell(self._room, None, self._shared.setdefault(cell, next(self._stretches)))
        row, column = divmod(self._at, max(len(self._columns), 1))
        self._at += 1
        wide = self._columns[column] if self._columns else None
        return Cell(self._room if wide is None else wide, self._rows[row] if row < len(self._rows) else None)


def is_rigid(values: Mapping[str, str]) -> bool:
    """True for a flexible item that never shrinks."""
    words = values.get("flex", "").split()
    return words[:1] == ["none"] or words[1:2] == ["0"] or values.get("flex-shrink") == "0"


def fix_cells(table: Box) -> None:
    """Give the cells of a table with fixed layout their widths."""
    wide = table.length("width", SCREEN[0])
    if table.values.get("table-layout") != "fixed" or wide is None:
        return
    inside = list(_boxes_in(table))
    columns = [one for one in inside if one.display == "table-column"]
    for row in inside:
        cells = [one for one in row.children if isinstance(one, Box) and one.display == "table-cell"]
        for at, cell in enumerate(cells):
            named = columns[at] if len(columns) == len(cells) else cell
            own = named.length("width", wide)
            own = wide / len(cells) if own is None else own
            told = {"display": "inline-block", "box-sizing": "border-box", "width": f"{own}px"}
            cell.values = {**cell.values, **told}


def _boxes_in(box: Box) -> Iterator[Box]:
    for child in box.children:
        if isinstance(child, Box):
            yield child
            if child.display != "table":
                yield from _boxes_in(child)


def _cell_of(box: Box) -> str:
    """The cell of a grid that a box is assigned to by name or number, as "row/column"; empty if it is not."""
    area = box.values.get("grid-area", "")
    row, column = box.values.get("grid-row", ""), box.values.get("grid-column", "")
    if area and area != "auto":
        lines = [one.strip() for one in area.split("/")]
        row, column = (lines[0], lines[1]) if len(lines) > 1 else (area, area)
    starts = [one.partition("/")[0].strip() for one in (row, column)]
    return "/".join(starts) if all(starts) and "auto" not in starts else ""
