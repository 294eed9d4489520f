"""What declarations tell of the room of boxes that stand beside one another: flexible ones, grids, fixed tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import inf
from typing import NamedTuple

from spanwise.readers.html.boxes import (
    LETTER,
    NARROWEST,
    WIDEST,
    Box,
    Clip,
    TextNode,
    grows,
    is_placed,
    letters_in,
)
from spanwise.readers.html.css_values import ROOT_SIZE, SCREEN, Scale, length

_FAR_LEFT = -1e9


class Row:
    """Flexible boxes in a row: the least and the most room that those before one take."""

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
        """True if all boxes have the room that they ask for, as far as their words can be reckoned."""
        self._begin = x

    def guess(self, item: Box | TextNode) -> float | None:
        """The width of a box by estimate, where it is declared or that of one text."""
        if isinstance(item, TextNode):
            return None
        wide, letters = item.length("width", self._room), list(letters_in(item))
        padding = sum(item.length(f"padding-{side}", self._room) or 0.0 for side in ("left", "right"))
        return wide if wide is not None else letters[0] * item.size * LETTER + padding if len(letters) == 1 else None

    def away(self, item: Box, clip: Clip) -> float | None:
        """Where the next box begins, if that is surely off the page or beyond what is shown; else None."""
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
    """The width of a flexible box with its margins, where that is declared, or it is all of the room."""
    if isinstance(item, TextNode):
        return None
    wide = item.length("width", room)
    if wide is None:
        return room if alone and grows(item) else None
    return wide + sum(item.length(f"margin-{side}", room) or 0.0 for side in ("left", "right"))


def least_width(item: Box, room: float) -> float:
    """The least width of a flexible box, its padding included."""
    return _bounds(item, room)[0]


def _bounds(item: Box, room: float) -> tuple[float, float]:
    """The least and the most width of a flexible box, its padding included."""
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
    """Where a box of a grid stands, as far as declarations tell."""

    wide: float
    high: float | None = None
    shared: int = 0
    """The stretch of a cell that others may stand in too."""


class Tracks:
    """The cells of a grid that its children stand in, by name or one after the other; of a table none is known."""

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
        """The cell of the next box."""
        cell = _cell_of(child) if self._grid else ""
        if cell:
            return Cell(self._room, None, self._shared.setdefault(cell, next(self._stretches)))
        row, column = divmod(self._at, max(len(self._columns), 1))
        self._at += 1
        wide = self._columns[column] if self._columns else None
        return Cell(self._room if wide is None else wide, self._rows[row] if row < len(self._rows) else None)


def is_rigid(values: Mapping[str, str]) -> bool:
    """True for a flexible box that never shrinks."""
    words = values.get("flex", "").split()
    return words[:1] == ["none"] or words[1:2] == ["0"] or values.get("flex-shrink") == "0"


def fix_cells(table: Box) -> None:
    """Give the cells of a table their widths, where they do not depend on what is in them."""
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
    """The cell of a grid that a box is put into by name or number."""
    area = box.values.get("grid-area", "")
    row, column = box.values.get("grid-row", ""), box.values.get("grid-column", "")
    if area and area != "auto":
        lines = [one.strip() for one in area.split("/")]
        row, column = (lines[0], lines[1]) if len(lines) > 1 else (area, area)
    starts = [one.partition("/")[0].strip() for one in (row, column)]
    return "/".join(starts) if all(starts) and "auto" not in starts else ""
