"""Text that is clipped by its box, judged by the smallest room that the content before it can take.

No fonts are known here and no place is an estimate: each text is laid out as far up and as far to the left as any
browser may put it, so that it counts as clipped only where no browser shows it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from math import inf
from typing import TypeAlias

from spanwise.readers.bounds import Budget
from spanwise.readers.html.boxes import (
    ENDLESS,
    LETTER,
    NARROWEST,
    Box,
    TextNode,
    is_placed,
    least_width,
    letters_in,
    shift,
)
from spanwise.readers.html.least_sizes import (
    FROM_THE_START,
    HIDING,
    IN_LINES,
    Cut,
    Spot,
    clamp_of,
    cut_by,
    cuts_down,
    height_in_column,
    height_of,
    in_columns,
    is_from_below,
    is_stiff,
    least_tops,
    length_of,
    line_of,
    margin_of,
    next_column,
    opened,
    outer_width,
    shared,
    stands_apart,
    start_of,
    tracks,
    width_of,
)

_INK = 0.1
"""Distance from the top of a line to the top of its letters, relative to the font size."""
_LONGEST_WORD = 30
"""Number of the narrowest letters that fit into a line in which no word is longer than the line."""
_SPREAD = 1.35
"""How much wider than the usual letter those of a whole text may be."""
_DEEPEST = 120
_SIDES = ("left", "right", "top", "bottom")
_AT_THE_TOP = frozenset("normal start flex-start stretch initial baseline auto self-start".split())
_ATOMS = frozenset("inline-block inline-flex inline-grid inline-table -webkit-inline-box -webkit-inline-flex".split())
_BREAKING = ("column", "always", "all")
_WORDS = re.compile(r"\S+\s*")


_Reached: TypeAlias = tuple[float, float]
"""The smallest y at which something ends, and its bottom margin, which may collapse with the next one."""


@dataclass(slots=True)
class _Flow:
    """The state of laying out the children of a block one after another."""

    spot: Spot
    y: float
    after: float
    indent: float
    used: float = 0.0
    """Pixels used in the open line."""
    tall: float = 0.0
    """The height of that line."""
    full: bool = False
    alone: bool = False
    """True if the box contains nothing but text."""
    floats: list[tuple[float, float]] = field(default_factory=list)
    """Width and lower end of each floating box so far."""

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
        """Open a line, if none is open, for something of height `tall`."""
        if not self.full:
            self.y, self.after, self.full = self.y + self.after, 0.0, True
            self.used, self.indent = self.indent, 0.0
        self.tall = max(self.tall, tall)

    def run(self, wide: float, words: int) -> None:
        """Advance by the width of some words, with line breaks between them.

        `words` is 0 for text that never breaks.
        """
        breaks = words - (self.used <= 0)  # A word wider than the room is not broken.
        self.used += wide
        if words and self.used > self.spot.room:
            lines = min(int(self.used // self.spot.room), breaks)
            self._next_line(self.tall, lines)
            self.used = min(self.used - lines * self.spot.room, self.spot.room)

    def wrap(self, wide: float) -> None:
        """Begin another line if a box of width `wide` does not fit into the open one."""
        if self.full and self.used and self.used + wide > self.spot.room:
            self._next_line(self.tall)
            self.used = self.tall = 0.0


def letters_shown(page: Box, room: float, budget: Budget) -> Mapping[int, int]:
    """How many letters of each text may be visible, by its node; only texts that are certainly clipped are listed."""
    least = _Least(budget)
    least.box(page, Spot(0.0, 0.0, room, room, None, Cut()))
    return least.letters


def end_of(text: str, letters: int) -> int:
    """The index in a text after the word that contains its letter number `letters`; spaces count as one letter."""
    end = counted = 0
    for word in _WORDS.finditer(text) if letters > 0 else ():
        if counted >= letters:
            break
        end = word.end()
        counted += len(word[0].rstrip()) + 1
    return end


class _Least:
    """Lays out one page as small as possible."""

    def __init__(self, budget: Budget) -> None:
        self.letters: dict[int, int] = {}
        self._budget = budget
        self._depth = 0

    def box(self, box: Box, spot: Spot, after: float = 0.0, *, loose: bool = False) -> _Reached:
        """Lay out a box below `spot`.

        `after` is the margin above it, its own included; a `loose` box may grow beyond its height.
        """
        self._budget.step()
        values = box.values
        sides = {
            side: length_of(box, f"padding-{side}", spot.base) or 0.0 for side in ("left", "right", "top", "bottom")
        }
        across, down = sides["left"] + sides["right"], sides["top"] + sides["bottom"]
        wide, base = width_of(box, spot, across)
        height, unknown = height_of(box, spot.high, down)
        apart = stands_apart(box)
        solid = apart or sides["top"] > 0 or values.get("border-top", "none") != "none"
        top = spot.y + after
        moved = shift(box, spot.room)
        x, y = spot.x + (moved[0] if moved else 0.0), (top if solid else spot.y) + (moved[1] if moved else 0.0)
        cut = Cut() if moved is None or values.get("position", "static") == "sticky" else spot.cut
        # Letters that run the other way stay in a box that is beyond the edge, if it is wide enough for them.
        beyond = x >= cut.right and (not box.nowrap or sum(letters_in(box)) * box.size * LETTER * _SPREAD <= wide)
        cut = cut if box.rtl == spot.rtl or beyond else cut._replace(right=inf)
        cut = cut_by(box, cut, x, y, wide, None if loose else height)
        clamp = clamp_of(box) or spot.clamp
        inner_room, inner_base = max(wide - across, 1.0), None if base is None else max(base - across, 0.0)
        high = None if height is None else max(height - down, 0.0)
        start = min(sides["left"], sides["right"]) if box.rtl else sides["left"]
        inner = Spot(x + start, y + sides["top"], inner_room, inner_base, high, cut, clamp, box.rtl, spot.columns)
        end, rest = self._content(box, inner, 0.0 if solid else after)
        end -= moved[1] if moved else 0.0
        least, most = length_of(box, "min-height", spot.high) or 0.0, length_of(box, "max-height", spot.high)
        below = margin_of(box, "margin-bottom", spot.base)
        if height is not None or unknown:
            end, rest = (top if height is None else top + height), 0.0
        elif apart or sides["bottom"]:
            end, rest = end + rest + sides["bottom"], 0.0
        if values.get("max-height", "none") not in ("none", "initial"):
            end, rest = (top if most is None else min(end, top + most + down)), 0.0
        if end < top + least:
            end, rest = top + least, 0.0
        return end, shared(rest, below)

    def _content(self, box: Box, spot: Spot, after: float) -> _Reached:
        """Lay out the content of a box, as its `display` requires."""
        if box.values.get("writing-mode", "horizontal-tb") != "horizontal-tb":
            return spot.y, 0.0
        self._depth += 1
        columns = any(
            box.values.get(name, "auto") not in ("auto", "initial") for name in ("column-count", "column-width")
        )
        if columns:
            spot = in_columns(box, spot)
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
            flow = _Flow(spot, spot.y, after, box.indent, alone=all(isinstance(one, TextNode) for one in box.children))
            self._follow(box, flow)
            flow.end_line()
            reached = flow.y, flow.after
        self._depth -= 1
        return (spot.y, 0.0) if columns else reached

    def _follow(self, box: Box, flow: _Flow) -> None:
        """Lay out the children of a box one after another, inline ones in lines."""
        for child in self._flowing(box.children):
            if isinstance(child, TextNode):
                self._set(box, child, flow)
            elif child.values.get("float", "none") != "none":
                self._float(child, flow)
            elif child.tag == "br":
                flow.begin(line_of(child))
                flow.end_line()
            elif child.display in IN_LINES:
                self._follow_in_line(child, flow)
            elif child.display in _ATOMS or child.unsized or child.inner:
                self._stand_in_line(child, box, flow)
            else:
                self._stack(child, flow)

    def _follow_in_line(self, child: Box, flow: _Flow) -> None:
        """Lay out the content of an inline box as a part of its lines."""
        if shift(child, flow.spot.room) != (0.0, 0.0):
            flow = _Flow(flow.spot._replace(cut=Cut(), clamp=None), flow.y, 0.0, 0.0)
        lead = start_of(child, "padding", None) + start_of(child, "margin", None)
        if flow.full or lead > 0:
            flow.begin(0.0)
            flow.used += lead
        self._follow(child, flow)

    def _stack(self, child: Box, flow: _Flow) -> None:
        """Lay out a block below what precedes it."""
        flow.end_line()
        if child.values.get("break-before") in _BREAKING:
            flow.y, flow.after = next_column(flow.y, flow.spot.columns), 0.0
        after = shared(flow.after, margin_of(child, "margin-top", flow.spot.base))
        if child.values.get("clear") == "both" and flow.floats:
            flow.y, after = max(flow.y + after, *(end for _, end in flow.floats)), 0.0
        left = start_of(child, "margin", flow.spot.base)
        flow.y, flow.after = self.box(child, flow.spot._replace(x=flow.spot.x + left, y=flow.y), after)
        if child.values.get("break-after") in _BREAKING:
            flow.y, flow.after = next_column(flow.y, flow.spot.columns), 0.0

    def _set(self, box: Box, text: TextNode, flow: _Flow) -> None:
        """Put a text into lines."""
        size = box.least_size
        tall = line_of(box)
        flow.begin(tall)
        letter = max(size * NARROWEST + min(box.spacing, 0.0), 0.0)
        spot, clamp = flow.spot, flow.spot.clamp
        ink = (tall - size) / 2 + size * _INK
        flat = not tall and flow.alone and box.values.get("overflow-y") in HIDING
        if flat or (clamp is not None and clamp.lines >= clamp.most) or flow.y + ink >= spot.cut.bottom:
            self._show(text, 0)
        elif box.nowrap and letter:
            self._show(text, int((spot.cut.right - spot.x - flow.used) / letter) if spot.cut.right < inf else None)
        elif spot.x + min(flow.used, 0.0) >= spot.cut.right:
            self._show(text, 0)
        elif letter and _LONGEST_WORD * letter <= spot.room < ENDLESS and tall:
            left = inf if spot.cut.bottom == inf else (spot.cut.bottom - flow.y - ink) // tall + 1
            left = left if clamp is None else min(left, clamp.most - clamp.lines)
            self._show(text, None if left == inf else int((left * spot.room - flow.used) / letter))
        flow.run((text.letters + 1) * letter, 0 if box.nowrap else text.words)

    def _show(self, text: TextNode, letters: int | None) -> None:
        if letters is not None and letters < text.letters:
            self.letters[text.node] = max(letters, 0)

    def _stand_in_line(self, child: Box, box: Box, flow: _Flow) -> None:
        """Lay out an atomic inline box, which is placed in a line like a letter."""
        spot = flow.spot
        wide = outer_width(child, spot)
        if not box.nowrap:
            flow.wrap(wide)
        above = margin_of(child, "margin-top", None)
        flow.begin(0.0)
        x = spot.x + flow.used * box.nowrap + start_of(child, "margin", None)
        room = ENDLESS if box.nowrap or is_stiff(child) else spot.room
        end, _ = self.box(child, Spot(x, flow.y + above, room, None, spot.high, spot.cut, None, spot.rtl))
        flow.tall = max(flow.tall, end - flow.y)
        flow.used += wide

    def _float(self, child: Box, flow: _Flow) -> None:
        """Lay out a floating box, below earlier ones if there is no room beside them."""
        spot = flow.spot
        above = margin_of(child, "margin-top", spot.base)
        wide = outer_width(child, spot)
        y = flow.y + flow.after
        if flow.floats and sum(one for one, _ in flow.floats) + wide > spot.room:
            y = max(y, min(end for _, end in flow.floats))
        ltr = child.values["float"] in ("left", "inline-start")
        spot = opened(spot, across=ltr == child.rtl)
        x = spot.x + start_of(child, "margin", spot.base)
        end, _ = self.box(child, spot._replace(x=x, y=y + above, clamp=None))
        flow.floats.append((wide, end))

    def _flowing(self, children: Iterable[Box | TextNode]) -> Iterator[Box | TextNode]:
        """The children in normal flow; positioned ones are laid out alone, as nothing is known of their place."""
        for child in children:
            if isinstance(child, Box) and is_placed(child):
                self.box(child, Spot(0.0, 0.0, ENDLESS, None, None, Cut()))
            else:
                yield child

    def _item(self, child: Box | TextNode, box: Box, spot: Spot, *, loose: bool = False) -> float:
        """Lay out an item of a row, column or grid; returns the smallest y at which it ends."""
        if isinstance(child, TextNode):
            around = Box("", {"display": "block"}, box.size, 1.0, (), 0, [child])
            around.inherit(box)
            return self.box(around, spot)[0]
        own = child.values.get("align-self", "auto")
        if (box.values.get("align-items", "normal") if own == "auto" else own) not in _AT_THE_TOP:
            spot = opened(spot, down=True)
        room = ENDLESS if is_stiff(child) else spot.room
        end, _ = self.box(child, spot._replace(room=room, clamp=None), loose=loose)
        return end + margin_of(child, "margin-bottom", None)

    def _row(self, box: Box, spot: Spot) -> _Reached:
        values = box.values
        ordered = values.get("flex-direction", "row") == "row"
        ordered = ordered and values.get("justify-content", "normal") in FROM_THE_START
        wraps = values.get("flex-wrap", "nowrap") != "nowrap"
        spot = opened(spot, across=not ordered, down=values.get("flex-wrap") == "wrap-reverse")
        tops = least_tops(box, spot.room) if wraps else {}
        x, gap, lowest = spot.x, length_of(box, "column-gap", spot.base) or 0.0, spot.y
        for child in self._flowing(box.children):
            left, above = _lead(child)
            at = spot._replace(x=x + left, y=spot.y + tops.get(child.order, 0.0) + above, base=None)
            lowest = max(lowest, self._item(child, box, at))
            if not wraps:
                x += left + gap + (0.0 if isinstance(child, TextNode) else least_width(child, spot.room))
        return lowest, 0.0

    def _column(self, box: Box, spot: Spot) -> _Reached:
        values = box.values
        ordered = values.get("flex-direction") == "column" and values.get("flex-wrap", "nowrap") == "nowrap"
        ordered = ordered and values.get("justify-content", "normal") in FROM_THE_START
        if not ordered and spot.high is not None and cuts_down(box) and is_from_below(box):
            return self._column_from_below(box, spot)
        spot = opened(spot, down=not ordered)
        y, gap = spot.y, length_of(box, "row-gap", spot.high) or 0.0
        for child in self._flowing(box.children):
            if isinstance(child, TextNode):
                y = max(y, self._item(child, box, spot._replace(y=y))) + gap
                continue
            begin = y + margin_of(child, "margin-top", spot.base)
            end = self._item(child, box, spot._replace(y=begin), loose=True)
            y = begin + height_in_column(child, box, spot.high, end - begin) + gap
        return y, 0.0

    def _column_from_below(self, box: Box, spot: Spot) -> _Reached:
        """Lay out a column that begins at its lower edge: what rises above the upper edge is clipped."""
        used, gap = 0.0, length_of(box, "row-gap", spot.high) or 0.0
        backwards = box.values.get("flex-direction") == "column"
        for child in self._flowing(box.children[::-1] if backwards else box.children):
            beyond = used >= (spot.high or 0.0)
            at = spot._replace(y=spot.y + used, cut=spot.cut if beyond else opened(spot, down=True).cut)
            least = self._item(child, box, at, loose=True) - at.y
            used += gap + (least if isinstance(child, TextNode) else height_in_column(child, box, spot.high, least))
        return spot.y, 0.0

    def _grid(self, box: Box, spot: Spot) -> _Reached:
        values = box.values
        across = tracks(box, "grid-template-columns", spot.base)
        down = tracks(box, "grid-template-rows", spot.high)
        more = tracks(box, "grid-auto-rows", spot.high)
        each = more[0] if len(more) == 1 else 0.0
        ordered = values.get("grid-auto-flow", "row") == "row"
        aside, raised = (
            values.get(name, "normal") not in FROM_THE_START for name in ("justify-content", "align-content")
        )
        spot = opened(spot, across=aside, down=raised)
        gaps = [length_of(box, name, spot.base) or 0.0 for name in ("row-gap", "column-gap")]
        columns = max(len(across), 1) if values.get("grid-template-columns", "none") != "none" else 1
        known = bool(across) or columns == 1
        lowest = row_end = y = spot.y
        at = 0
        for child in self._flowing(box.children):
            named = isinstance(child, Box) and any(
                child.values.get(name, "auto") not in ("auto", "") for name in ("grid-area", "grid-row", "grid-column")
            )
            row, column = divmod(at, columns) if known and ordered and not named else (0, 0)
            if not named and at and column == 0 and known and ordered:
                y, row_end = row_end + gaps[0], row_end + gaps[0]
            x = spot.x + sum(across[:column]) + column * gaps[1]
            side, above = _lead(child)
            place = spot._replace(x=x + side, y=(spot.y if named else y) + above, base=None)
            end = self._item(child, box, place._replace(room=ENDLESS) if across else place)
            lowest = max(lowest, end)
            if not named and known and ordered:
                track = down[row] if row < len(down) else each
                row_end = max(row_end, y + track, end if track == 0.0 else y)
                at += 1
        return max(lowest, row_end), 0.0

    def _table(self, box: Box, spot: Spot) -> _Reached:
        """Lay out the rows of a table one below another, their cells side by side."""
        end = spot.y
        for child in self._flowing(box.children):
            if isinstance(child, TextNode):
                end = max(end, self._item(child, box, spot._replace(room=ENDLESS, base=None)))
            else:
                below = box.display != "table-row" and child.display.startswith("table-row")
                at = spot._replace(y=end if below else spot.y, room=ENDLESS, base=None, high=None, clamp=None)
                end = max(end, self.box(child, at, loose=True)[0])
        return end, 0.0


def _lead(child: Box | TextNode) -> tuple[float, float]:
    """The left and top margin of an item in a row or a grid."""
    if isinstance(child, TextNode):
        return 0.0, 0.0
    return start_of(child, "margin", None), margin_of(child, "margin-top", None)
