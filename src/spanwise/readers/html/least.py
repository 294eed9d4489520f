"""Text that runs out of a box which cuts it off: by the least room that what stands before it takes.

Nothing here knows a font, and no place is an estimate: each text is laid out as far up and as far to the left as any
browser may set it, so that it is only called cut off where no browser shows it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import ceil, inf
from typing import NamedTuple, TypeAlias

from spanwise.readers.bounds import Budget
from spanwise.readers.html.boxes import ENDLESS, MARGINS, NARROWEST, STACKED, Box, TextNode, is_placed, shift
from spanwise.readers.html.geometry import NOTHING
from spanwise.readers.html.rows import is_rigid, least_width
from spanwise.readers.html.values import ROOT_SIZE, Scale, length

_FLATTEST = 1.1
"""Height of a line whose height nobody declared, as a share of the size: common fonts have 1.11 to 1.4."""
_INK = 0.1
"""How far below the top of its line the ink of a letter begins, as a share of its size."""
_LONGEST_WORD = 30
"""The narrowest letters that go into a line where no word is longer than it."""
_DEEPEST = 120
_HIDING = frozenset(("hidden", "clip"))
_SCROLLING = frozenset(("auto", "scroll", "overlay"))
_FROM_THE_START = frozenset(
    "normal start flex-start left stretch initial space-between space-around space-evenly".split()
)
_AT_THE_TOP = frozenset("normal start flex-start stretch initial baseline auto self-start".split())
_IN_LINES = frozenset("inline ruby contents".split())
_ATOMS = frozenset("inline-block inline-flex inline-grid inline-table -webkit-inline-box -webkit-inline-flex".split())
_BREAKING = ("column", "always", "all")
_WORDS = re.compile(r"\S+\s*")


class _Cut(NamedTuple):
    """How far to the right and how far down anything shows."""

    right: float = inf
    bottom: float = inf


@dataclass(slots=True)
class _Clamp:
    """The lines that a box shows (`-webkit-line-clamp`)."""

    most: int
    lines: int = 0


class _Spot(NamedTuple):
    """Where something begins at the earliest, and in how much room."""

    x: float
    y: float
    room: float
    """The width of its lines at most."""
    base: float | None
    """The same, where it is known: what shares are taken of."""
    high: float | None
    """The height around it, where that is known."""
    cut: _Cut
    clamp: _Clamp | None = None
    rtl: bool = False
    """True where lines begin at the right: `x` is the way from there."""
    columns: tuple[float, float] | None = None
    """Where the first of some columns begins, one of which is reckoned below the other, and how high they are."""


_Reached: TypeAlias = tuple[float, float]
"""How far down something ends at least, and the margin below that may be shared with what follows."""


@dataclass(slots=True)
class _Flow:
    """What follows one another in a box."""

    spot: _Spot
    y: float
    after: float
    indent: float
    used: float = 0.0
    """Pixels of the line that is open."""
    tall: float = 0.0
    """The height of that line."""
    full: bool = False
    floats: list[tuple[float, float]] = field(default_factory=list)
    """Widths of the floating boxes before, and where each ends below."""

    def end_line(self) -> None:
        """Break the line, if there is anything in it."""
        if self.full:
            self._next_line(self.tall)
        self.full, self.used, self.tall = False, 0.0, 0.0

    def _next_line(self, tall: float, lines: int = 1) -> None:
        self.y += tall * lines
        if self.spot.clamp is not None:
            self.spot.clamp.lines += lines

    def begin(self, tall: float) -> None:
        """Put something into the line that is open."""
        if not self.full:
            self.y, self.after, self.full = self.y + self.after, 0.0, True
            self.used, self.indent = self.indent, 0.0
        self.tall = max(self.tall, tall)

    def run(self, wide: float, words: int) -> None:
        """Move on by the width of some words between which lines may be broken; none for those that never are."""
        breaks = words - (self.used <= 0)  # Words that are wider than the room are not broken.
        self.used += wide
        if words and self.used > self.spot.room:
            lines = min(int(self.used // self.spot.room), breaks)
            self._next_line(self.tall, lines)
            self.used = min(self.used - lines * self.spot.room, self.spot.room)

    def wrap(self, wide: float) -> None:
        """Begin another line, if a box of some width does not go into the one that is open."""
        if self.full and self.used and self.used + wide > self.spot.room:
            self._next_line(self.tall)
            self.used = self.tall = 0.0


def letters_shown(page: Box, room: float, budget: Budget) -> Mapping[int, int]:
    """How many letters of a text may be seen, by its node, where boxes surely cut off others or all of them.

    Args:
        page: The box of the page with those in it.
        room: The width of the screen.
        budget: The steps that are left.
    """
    least = _Least(budget)
    least.box(page, _Spot(0.0, 0.0, room, room, None, _Cut()))
    return least.letters


def end_of(text: str, letters: int) -> int:
    """Where in a text the word ends that its so manieth letter is in; spaces count as one."""
    end = counted = 0
    for word in _WORDS.finditer(text) if letters > 0 else ():
        if counted >= letters:
            break
        end = word.end()
        counted += len(word[0].rstrip()) + 1
    return end


class _Least:
    """Lays out one page as small as it can be."""

    def __init__(self, budget: Budget) -> None:
        self.letters: dict[int, int] = {}
        self._budget = budget
        self._depth = 0

    def box(self, box: Box, spot: _Spot, after: float = 0.0, *, loose: bool = False) -> _Reached:
        """Lay out a box below what ends at a place, with a margin between.

        Args:
            box: The box.
            spot: Where what is before it ends.
            after: The margin below what is before it, its own one included.
            loose: Whether the box may be higher than is declared.
        """
        self._budget.step()
        values = box.values
        sides = {side: _length(box, f"padding-{side}", spot.base) or 0.0 for side in ("left", "right", "top", "bottom")}
        across, down = sides["left"] + sides["right"], sides["top"] + sides["bottom"]
        wide, base = _width(box, spot, across)
        height, unknown = _height(box, spot.high, down)
        apart = _stands_apart(box)
        solid = apart or sides["top"] > 0 or values.get("border-top", "none") != "none"
        top = spot.y + after
        moved = shift(box, spot.room)
        x, y = spot.x + (moved[0] if moved else 0.0), (top if solid else spot.y) + (moved[1] if moved else 0.0)
        cut = _Cut() if moved is None or values.get("position", "static") == "sticky" else spot.cut
        cut = cut if box.rtl == spot.rtl else cut._replace(right=inf)
        cut = _cut(box, cut, x, y, wide, None if loose else height)
        clamp = _clamp(box) or spot.clamp
        inner_room, inner_base = max(wide - across, 1.0), None if base is None else max(base - across, 0.0)
        high = None if height is None else max(height - down, 0.0)
        start = min(sides["left"], sides["right"]) if box.rtl else sides["left"]
        inner = _Spot(x + start, y + sides["top"], inner_room, inner_base, high, cut, clamp, box.rtl, spot.columns)
        end, rest = self._content(box, inner, 0.0 if solid else after)
        end -= moved[1] if moved else 0.0
        least, most = _length(box, "min-height", spot.high) or 0.0, _length(box, "max-height", spot.high)
        below = _margin(box, "margin-bottom", spot.base)
        if height is not None or unknown:
            end, rest = (top if height is None else top + height), 0.0
        elif apart or sides["bottom"]:
            end, rest = end + rest + sides["bottom"], 0.0
        if values.get("max-height", "none") not in ("none", "initial"):
            end, rest = (top if most is None else min(end, top + most + down)), 0.0
        if end < top + least:
            end, rest = top + least, 0.0
        return end, _shared(rest, below)

    def _content(self, box: Box, spot: _Spot, after: float) -> _Reached:
        """Lay out what is in a box, by how the box lays out its children."""
        self._depth += 1
        vertical = box.values.get("writing-mode", "horizontal-tb") != "horizontal-tb"
        columns = not vertical and any(
            box.values.get(name, "auto") not in ("auto", "initial") for name in ("column-count", "column-width")
        )
        if vertical:
            spot = spot._replace(cut=_Cut(), room=ENDLESS, base=None)
        elif columns:
            spot = _in_columns(box, spot)
        if box.inner or box.tag in ("svg", "math") or self._depth > _DEEPEST:
            reached = spot.y + after, 0.0
        elif box.display.endswith("flex"):
            is_column = "column" in box.values.get("flex-direction", "row")
            reached = (self._column if is_column else self._row)(box, spot)
        elif box.display.endswith("grid"):
            reached = self._grid(box, spot)
        elif box.display.startswith("table") or box.display == "inline-table":
            reached = self._table(box, spot)
        else:
            flow = _Flow(spot, spot.y, after, box.indent)
            self._follow(box, flow)
            flow.end_line()
            reached = flow.y, flow.after
        self._depth -= 1
        return (spot.y, 0.0) if vertical or columns else reached

    def _follow(self, box: Box, flow: _Flow) -> None:
        """Lay out the children of a box one after another, those in a line with what stands in the same line."""
        for child in box.children:
            if isinstance(child, TextNode):
                self._set(box, child, flow)
            elif is_placed(child):
                self._apart(child)
            elif child.values.get("float", "none") != "none":
                self._float(child, flow)
            elif child.tag == "br":
                flow.begin(_line(child))
                flow.end_line()
            elif child.display in _IN_LINES:
                self._follow_in_line(child, flow)
            elif child.display in _ATOMS or child.unsized or child.inner:
                self._stand_in_line(child, box, flow)
            else:
                self._stack(child, flow)

    def _follow_in_line(self, child: Box, flow: _Flow) -> None:
        """Go through a box that is a part of lines."""
        if shift(child, flow.spot.room) != (0.0, 0.0):
            flow = _Flow(flow.spot._replace(cut=_Cut(), clamp=None), flow.y, 0.0, 0.0)
        lead = _start(child, "padding", None) + _start(child, "margin", None)
        if flow.full or lead > 0:
            flow.begin(0.0)
            flow.used += lead
        self._follow(child, flow)

    def _stack(self, child: Box, flow: _Flow) -> None:
        """Lay out a box below what is before it."""
        flow.end_line()
        if child.values.get("break-before") in _BREAKING:
            flow.y, flow.after = _next_column(flow.y, flow.spot.columns), 0.0
        after = _shared(flow.after, _margin(child, "margin-top", flow.spot.base))
        left = _start(child, "margin", flow.spot.base)
        flow.y, flow.after = self.box(child, flow.spot._replace(x=flow.spot.x + left, y=flow.y), after)
        if child.values.get("break-after") in _BREAKING:
            flow.y, flow.after = _next_column(flow.y, flow.spot.columns), 0.0

    def _set(self, box: Box, text: TextNode, flow: _Flow) -> None:
        """Set a text in lines."""
        size = box.least_size
        tall = _line(box)
        flow.begin(tall)
        letter = max(size * NARROWEST + min(box.spacing, 0.0), 0.0)
        spot, clamp = flow.spot, flow.spot.clamp
        lines_cut = clamp is not None and clamp.lines >= clamp.most
        if lines_cut or flow.y + size * _INK >= spot.cut.bottom:
            self._show(text, 0)
        elif box.nowrap and letter:
            self._show(text, int((spot.cut.right - spot.x - flow.used) / letter) if spot.cut.right < inf else None)
        elif spot.x + min(flow.used, 0.0) >= spot.cut.right:
            self._show(text, 0)
        elif letter and _LONGEST_WORD * letter <= spot.room < ENDLESS and tall:
            left = inf if spot.cut.bottom == inf else (spot.cut.bottom - flow.y - size * _INK) // tall + 1
            left = left if clamp is None else min(left, clamp.most - clamp.lines)
            self._show(text, None if left == inf else int((left * spot.room - flow.used) / letter))
        flow.run((text.letters + 1) * letter, 0 if box.nowrap else text.words)

    def _show(self, text: TextNode, letters: int | None) -> None:
        if letters is not None and letters < text.letters:
            self.letters[text.node] = max(letters, 0)

    def _stand_in_line(self, child: Box, box: Box, flow: _Flow) -> None:
        """Lay out a box that stands in a line like a letter."""
        spot = flow.spot
        wide = _outer_width(child, spot)
        if not box.nowrap:
            flow.wrap(wide)
        above = _margin(child, "margin-top", None)
        flow.begin(0.0)
        x = spot.x + flow.used * box.nowrap + _start(child, "margin", None)
        room = ENDLESS if box.nowrap or is_stiff(child) else spot.room
        end, _ = self.box(child, _Spot(x, flow.y + above, room, None, spot.high, spot.cut, None, spot.rtl))
        flow.tall = max(flow.tall, end - flow.y)
        flow.used += wide

    def _float(self, child: Box, flow: _Flow) -> None:
        """Lay out a box that floats, below those before it where there is no room beside them."""
        spot = flow.spot
        above = _margin(child, "margin-top", spot.base)
        wide = _outer_width(child, spot)
        y = flow.y + flow.after
        if flow.floats and sum(one for one, _ in flow.floats) + wide > spot.room:
            y = max(y, min(end for _, end in flow.floats))
        ltr = child.values["float"] in ("left", "inline-start")
        spot = _open(spot, across=ltr == child.rtl)
        x = spot.x + _start(child, "margin", spot.base)
        end, _ = self.box(child, spot._replace(x=x, y=y + above, clamp=None))
        flow.floats.append((wide, end))

    def _apart(self, child: Box) -> None:
        """Lay out a box that is placed somewhere: nothing is known but what is in it."""
        self.box(child, _Spot(0.0, 0.0, ENDLESS, None, None, _Cut()))

    def _item(self, child: Box | TextNode, box: Box, spot: _Spot, *, loose: bool = False) -> float:
        """Lay out one of some boxes in a row, a column or a grid; how far down it ends."""
        if isinstance(child, TextNode):
            around = Box("", {"display": "block"}, box.size, 1.0, (), 0, [child])
            around.inherit(box)
            return self.box(around, spot)[0]
        own = child.values.get("align-self", "auto")
        if (box.values.get("align-items", "normal") if own == "auto" else own) not in _AT_THE_TOP:
            spot = _open(spot, down=True)
        room = ENDLESS if is_stiff(child) else spot.room
        end, _ = self.box(child, spot._replace(room=room, clamp=None), loose=loose)
        return end + _margin(child, "margin-bottom", None)

    def _row(self, box: Box, spot: _Spot) -> _Reached:
        values = box.values
        ordered = values.get("flex-direction", "row") == "row"
        ordered = ordered and values.get("justify-content", "normal") in _FROM_THE_START
        wraps = values.get("flex-wrap", "nowrap") != "nowrap"
        spot = _open(spot, across=not ordered, down=values.get("flex-wrap") == "wrap-reverse")
        x, gap, lowest = spot.x, _length(box, "column-gap", spot.base) or 0.0, spot.y
        for child in box.children:
            if isinstance(child, Box) and is_placed(child):
                self._apart(child)
                continue
            left, above = (
                (0.0, 0.0)
                if isinstance(child, TextNode)
                else (_start(child, "margin", None), _margin(child, "margin-top", None))
            )
            at = spot._replace(x=x + left, y=spot.y + above, base=None)
            lowest = max(lowest, self._item(child, box, at))
            if not wraps:
                x += left + gap
                x += 0.0 if isinstance(child, TextNode) else least_width(child, spot.room)
        return lowest, 0.0

    def _column(self, box: Box, spot: _Spot) -> _Reached:
        values = box.values
        ordered = values.get("flex-direction") == "column" and values.get("flex-wrap", "nowrap") == "nowrap"
        ordered = ordered and values.get("justify-content", "normal") in _FROM_THE_START
        if not ordered and spot.high is not None and _cuts_down(box) and _is_from_below(box):
            return self._column_from_below(box, spot)
        spot = _open(spot, down=not ordered)
        y, gap = spot.y, _length(box, "row-gap", spot.high) or 0.0
        for child in box.children:
            if isinstance(child, TextNode):
                y = max(y, self._item(child, box, spot._replace(y=y))) + gap
                continue
            if is_placed(child):
                self._apart(child)
                continue
            begin = y + _margin(child, "margin-top", spot.base)
            end = self._item(child, box, spot._replace(y=begin), loose=True)
            y = begin + _height_in_column(child, box, spot.high, end - begin) + gap
        return y, 0.0

    def _column_from_below(self, box: Box, spot: _Spot) -> _Reached:
        """Lay out a column that is set from its lower edge on: what is above the upper one is cut off."""
        used, gap = 0.0, _length(box, "row-gap", spot.high) or 0.0
        backwards = box.values.get("flex-direction") == "column"
        for child in box.children[::-1] if backwards else box.children:
            beyond = used >= (spot.high or 0.0)
            at = spot._replace(y=spot.y + used, cut=spot.cut if beyond else _open(spot, down=True).cut)
            if isinstance(child, Box) and is_placed(child):
                self._apart(child)
                continue
            least = self._item(child, box, at, loose=True) - at.y
            used += gap + (least if isinstance(child, TextNode) else _height_in_column(child, box, spot.high, least))
        return spot.y, 0.0

    def _grid(self, box: Box, spot: _Spot) -> _Reached:
        values = box.values
        across = _tracks(box, "grid-template-columns", spot.base)
        down = _tracks(box, "grid-template-rows", spot.high)
        more = _tracks(box, "grid-auto-rows", spot.high)
        each = more[0] if len(more) == 1 else 0.0
        ordered = values.get("grid-auto-flow", "row") == "row"
        aside, raised = (
            values.get(name, "normal") not in _FROM_THE_START for name in ("justify-content", "align-content")
        )
        spot = _open(spot, across=aside, down=raised)
        gaps = [_length(box, name, spot.base) or 0.0 for name in ("row-gap", "column-gap")]
        columns = max(len(across), 1) if values.get("grid-template-columns", "none") != "none" else 1
        known = bool(across) or columns == 1
        lowest = row_end = y = spot.y
        at = 0
        for child in box.children:
            if isinstance(child, Box) and is_placed(child):
                self._apart(child)
                continue
            named = isinstance(child, Box) and any(
                child.values.get(name, "auto") not in ("auto", "") for name in ("grid-area", "grid-row", "grid-column")
            )
            row, column = divmod(at, columns) if known and ordered and not named else (0, 0)
            if not named and at and column == 0 and known and ordered:
                y, row_end = row_end + gaps[0], row_end + gaps[0]
            x = spot.x + sum(across[:column]) + column * gaps[1]
            side = 0.0 if isinstance(child, TextNode) else _start(child, "margin", None)
            above = 0.0 if isinstance(child, TextNode) else _margin(child, "margin-top", None)
            place = spot._replace(x=x + side, y=(spot.y if named else y) + above, base=None)
            end = self._item(child, box, place._replace(room=ENDLESS) if across else place)
            lowest = max(lowest, end)
            if not named and known and ordered:
                track = down[row] if row < len(down) else each
                row_end = max(row_end, y + track, end if track == 0.0 else y)
                at += 1
        return max(lowest, row_end), 0.0

    def _table(self, box: Box, spot: _Spot) -> _Reached:
        """Lay out the rows of a table one below the other, their cells beside one another."""
        end = spot.y
        for child in box.children:
            if isinstance(child, TextNode):
                end = max(end, self._item(child, box, spot._replace(room=ENDLESS, base=None)))
            elif is_placed(child):
                self._apart(child)
            else:
                below = box.display != "table-row" and child.display.startswith("table-row")
                at = spot._replace(y=end if below else spot.y, room=ENDLESS, base=None, high=None, clamp=None)
                end = max(end, self.box(child, at, loose=True)[0])
        return end, 0.0


def _in_columns(box: Box, spot: _Spot) -> _Spot:
    """The content of a box set in columns: what is beyond the last of them lies beside the box, and is cut off."""
    count, wide = box.values.get("column-count", "auto"), _length(box, "column-width", None)
    most = float(count[:4]) if count.isdecimal() else ENDLESS
    if wide:
        most = min(most, max(spot.room // wide, 1.0))
    known = spot.high is not None and most < ENDLESS and spot.room < ENDLESS and spot.cut.bottom < inf
    if not known or spot.high is None or box.values.get("overflow-x", "visible") not in _HIDING:
        return spot._replace(cut=_Cut())
    return spot._replace(cut=_Cut(bottom=spot.y + most * spot.high), columns=(spot.y, max(spot.high, 1.0)))


def _next_column(y: float, columns: tuple[float, float] | None) -> float:
    """Where the column begins that is after what ends at a place."""
    return y if columns is None else columns[0] + ceil((y - columns[0]) / columns[1]) * columns[1]


def is_stiff(box: Box) -> bool:
    """True if a box may be wider than the room that there is for it."""
    if box.nowrap or box.tag in ("img", "pre", "table") or any("width" in name for name in box.values):
        return True
    return any(is_stiff(child) for child in box.children if isinstance(child, Box))


def _width(box: Box, spot: _Spot, padding: float) -> tuple[float, float | None]:
    """How wide a box is at most with its padding, and how wide, where that is known."""
    outer = 0.0 if box.values.get("box-sizing") == "border-box" else padding
    declared = _length(box, "width", spot.base)
    fills = box.values.get("width", "auto") in ("auto", "initial") and box.display in (*STACKED, "flex", "grid")
    fills = fills and box.values.get("float", "none") == "none" and not is_placed(box)
    margins = sum(_margin(box, f"margin-{side}", spot.base) for side in ("left", "right"))
    if declared is not None:
        wide: float = declared + outer
        base: float | None = wide
    else:
        known = box.values.get("width", "auto") == "auto"
        wide = spot.room - (margins if fills else min(margins, 0.0)) if known else ENDLESS
        base = spot.base - margins if fills and spot.base is not None else None
    most, least = _length(box, "max-width", spot.base), _length(box, "min-width", spot.base)
    if most is not None:
        wide, base = min(wide, most + outer), None if base is None else min(base, most + outer)
    if least is not None:
        wide, base = max(wide, least + outer), None if base is None else max(base, least + outer)
    return wide, base


def _height(box: Box, high: float | None, padding: float) -> tuple[float | None, bool]:
    """The declared height of a box with its padding, and whether one is declared that nobody knows."""
    height = _length(box, "height", high)
    if height is not None and box.values.get("box-sizing") != "border-box":
        height += padding
    value = box.values.get("height", "auto")
    return height, height is None and value not in ("auto", "initial", "max-content", "min-content", "fit-content")


def _cut(box: Box, around: _Cut, x: float, y: float, wide: float, height: float | None) -> _Cut:
    """What a box lets be seen of its content; what can be scrolled to is seen."""
    across, down = (box.values.get(f"overflow-{side}", "visible") for side in "xy")
    if box.display.startswith("table") or box.display in _IN_LINES or across == down == "visible":
        return around
    right, bottom = around
    if across in _SCROLLING and wide > NOTHING:
        right = right if x >= right else inf
    elif across in _HIDING:
        right = min(right, x + wide)
    most = _length(box, "max-height", None)
    if most is not None and box.values.get("box-sizing") != "border-box":
        most += sum(_length(box, f"padding-{side}", None) or 0.0 for side in ("top", "bottom"))
    tallest = min((one for one in (height, most) if one is not None), default=inf)
    tallest = max(tallest, _length(box, "min-height", None) or 0.0)
    unsure = "min-height" in box.values and _length(box, "min-height", None) is None
    if down in _SCROLLING and tallest > NOTHING:
        bottom = bottom if y >= bottom else inf
    elif down in _HIDING and not unsure:
        bottom = min(bottom, y + tallest)
    return _Cut(right, bottom)


def _clamp(box: Box) -> _Clamp | None:
    values = box.values
    lines = values.get("-webkit-line-clamp", "none")
    boxed = box.display in ("-webkit-box", "-webkit-inline-box") and values.get("-webkit-box-orient") == "vertical"
    known = boxed and lines.isdecimal() and int(lines[:4]) > 0 and values.get("overflow-y") in _HIDING
    return _Clamp(int(lines[:4])) if known else None


def _stands_apart(box: Box) -> bool:
    """True if the margins of a box are not shared with those of what is in it."""
    values = box.values
    return (
        box.display not in ("block", "list-item")
        or values.get("overflow-y", "visible") not in ("visible", "clip")
        or values.get("float", "none") != "none"
        or is_placed(box)
        or box.item
        or values.get("contain", "none") != "none"
    )


def _height_in_column(child: Box, box: Box, high: float | None, least: float) -> float:
    """How high a box of a flexible column is at least, where `least` is what is in it."""
    stays = (high is None and "max-height" not in box.values) or is_rigid(child.values)
    basis, floor = _basis(child, high), _length(child, "min-height", high) or 0.0
    if basis is not None and stays:
        return max(basis, floor)
    # It may shrink to what is in it, or to nothing where that is cut off.
    return floor if not stays and (child.length("height") is not None or _cuts_down(child)) else least


def _is_from_below(box: Box) -> bool:
    """True for a column without breaks whose lower edge is where it begins."""
    values = box.values
    back = values.get("flex-direction") == "column-reverse"
    justified = values.get("justify-content", "normal")
    ends = justified in (("normal", "start", "flex-start", "initial") if back else ("end", "flex-end"))
    return ends and values.get("flex-wrap", "nowrap") == "nowrap"


def _cuts_down(box: Box) -> bool:
    return box.values.get("overflow-y", "visible") != "visible"


def _basis(child: Box, high: float | None) -> float | None:
    """How high a box of a flexible column is before it grows or shrinks, where that is declared."""
    words = child.values.get("flex", "0 1 auto").split()
    value = words[-1] if len(words) == 3 else child.values.get("flex-basis", "auto")
    basis = length(value, Scale(child.size, ROOT_SIZE, high))
    return _length(child, "height", high) if basis is None and value == "auto" else basis


def _tracks(box: Box, name: str, whole: float | None) -> list[float]:
    """The sizes of the tracks of a grid, zero for those that nobody knows; none at all where their number is open."""
    value = box.values.get(name, "none")
    if value in ("none", "auto", "initial") or "(" in value or "[" in value:
        return []
    found = (length(one, Scale(box.size, ROOT_SIZE, whole)) for one in value.split() if not one.endswith("fr"))
    return [] if "fr" in value else [0.0 if one is None else one for one in found]


def _length(box: Box, name: str, percent: float | None) -> float | None:
    value = box.values.get(name)
    size = box.least_size
    return None if value is None else length(value, Scale(size, ROOT_SIZE, percent))


def _margin(box: Box, name: str, base: float | None) -> float:
    if name not in box.values and name in ("margin-top", "margin-bottom"):
        return MARGINS.get(box.tag, 0.0) * box.least_size
    return _length(box, name, base) or 0.0


def _start(box: Box, kind: str, base: float | None) -> float:
    """A margin or a padding where lines begin: the less of both where a logical side may be meant."""
    left = _length(box, f"{kind}-left", base) or 0.0
    return min(left, _length(box, f"{kind}-right", base) or 0.0) if box.rtl else left


def _outer_width(box: Box, spot: _Spot) -> float:
    """How wide a box that floats, or stands in a line, is at least with its margins."""
    declared = _length(box, "width", spot.base)
    wide = least_width(box, spot.room) if declared is None else declared
    return wide + sum(_margin(box, f"margin-{side}", spot.base) for side in ("left", "right"))


def _open(spot: _Spot, *, across: bool = False, down: bool = False) -> _Spot:
    """A spot from which something may lie back, so that nothing is known to be cut off that way."""
    right, bottom = spot.cut
    return spot._replace(cut=_Cut(inf if across else right, inf if down else bottom))


def _shared(one: float, other: float) -> float:
    """The margin between two boxes of which each asks for one."""
    return max(one, other, 0.0) + min(one, other, 0.0)


def _line(box: Box) -> float:
    """The height of a line, as declared or at least."""
    size = box.least_size
    try:
        return float(box.lines[:24]) * size
    except ValueError:
        declared = length(box.lines, Scale(size, percent=size))
    return size * _FLATTEST if declared is None else declared
