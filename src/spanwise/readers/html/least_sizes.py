"""Lower and upper bounds of the sizes of boxes, and which part of their content they show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import ceil, inf
from typing import NamedTuple

from spanwise.readers.html.boxes import (
    ENDLESS,
    NARROWEST,
    SLACK,
    STACKED,
    Box,
    TextNode,
    is_placed,
    is_rigid,
    least_width,
)
from spanwise.readers.html.css_values import ROOT_SIZE, Scale, length, measure, tokens
from spanwise.readers.html.geometry import NOTHING

_FLATTEST = 1.1
"""Smallest default line height, relative to the font size: common fonts have 1.11 to 1.4."""
_SCROLLING = frozenset(("auto", "scroll", "overlay"))
HIDING = frozenset(("hidden", "clip"))
FROM_THE_START = frozenset(
    "normal start flex-start left stretch initial space-between space-around space-evenly".split()
)
IN_LINES = frozenset("inline ruby contents".split())


class Cut(NamedTuple):
    """The largest x and y at which anything is visible."""

    right: float = inf
    bottom: float = inf


@dataclass(slots=True)
class Clamp:
    """The number of lines that a box shows (`-webkit-line-clamp`), and how many have been laid out."""

    most: int
    lines: int = 0


class Spot(NamedTuple):
    """The earliest place at which something can begin, and how much room it has."""

    x: float
    y: float
    room: float
    """The largest width of its lines."""
    base: float | None
    """The width that percentages refer to; None if unknown."""
    high: float | None
    """The height of the box around it; None if unknown."""
    cut: Cut
    clamp: Clamp | None = None
    rtl: bool = False
    """True where lines begin at the right: `x` is the distance from there."""
    columns: tuple[float, float] | None = None
    """The y of the first column and the height of the columns, which are laid out one below another."""


def in_columns(box: Box, spot: Spot) -> Spot:
    """The spot for content that is set in columns: what is beyond the last column is beside the box, and clipped."""
    count, wide = box.values.get("column-count", "auto"), length_of(box, "column-width", None)
    most = float(count[:4]) if count.isdecimal() else ENDLESS
    if wide:
        most = min(most, max(spot.room // wide, 1.0))
    known = spot.high is not None and most < ENDLESS and spot.room < ENDLESS and spot.cut.bottom < inf
    if not known or spot.high is None or box.values.get("overflow-x", "visible") not in HIDING:
        return spot._replace(cut=Cut())
    return spot._replace(cut=Cut(bottom=spot.y + most * spot.high), columns=(spot.y, max(spot.high, 1.0)))


def next_column(y: float, columns: tuple[float, float] | None) -> float:
    """The y at which the next column begins, after content that ends at `y`; `y` itself if there are no columns."""
    return y if columns is None else columns[0] + ceil((y - columns[0]) / columns[1]) * columns[1]


def is_stiff(box: Box) -> bool:
    """True if a box may be wider than its room."""
    if box.nowrap or box.tag in ("img", "pre", "table") or any("width" in name for name in box.values):
        return True
    return any(is_stiff(child) for child in box.children if isinstance(child, Box))


def width_of(box: Box, spot: Spot, padding: float) -> tuple[float, float | None]:
    """The largest outer width of a box, and its exact width if known."""
    outer = 0.0 if box.values.get("box-sizing") == "border-box" else padding
    declared = length_of(box, "width", spot.base)
    fills = box.values.get("width", "auto") in ("auto", "initial") and box.display in (*STACKED, "flex", "grid")
    fills = fills and box.values.get("float", "none") == "none" and not is_placed(box)
    margins = sum(margin_of(box, f"margin-{side}", spot.base) for side in ("left", "right"))
    if declared is not None:
        wide: float = declared + outer
        base: float | None = wide
    else:
        known = box.values.get("width", "auto") == "auto"
        wide = spot.room - (margins if fills else min(margins, 0.0)) if known else ENDLESS
        base = spot.base - margins if fills and spot.base is not None else None
    most, least = length_of(box, "max-width", spot.base), length_of(box, "min-width", spot.base)
    if most is not None:
        wide, base = min(wide, most + outer), None if base is None else min(base, most + outer)
    if least is not None:
        wide, base = max(wide, least + outer), None if base is None else max(base, least + outer)
    return wide, base


def height_of(box: Box, high: float | None, padding: float) -> tuple[float | None, bool]:
    """The declared outer height of a box, and whether one is declared that cannot be computed."""
    height = length_of(box, "height", high)
    if height is not None and box.values.get("box-sizing") != "border-box":
        height += padding
    value = box.values.get("height", "auto")
    return height, height is None and value not in ("auto", "initial", "max-content", "min-content", "fit-content")


def cut_by(box: Box, around: Cut, x: float, y: float, wide: float, height: float | None) -> Cut:
    """The part of its content that a box shows; what can be scrolled into view counts as shown."""
    across, down = (box.values.get(f"overflow-{side}", "visible") for side in "xy")
    if box.display.startswith("table") or box.display in IN_LINES or across == down == "visible":
        return around
    right, bottom = around
    if across in _SCROLLING and wide > NOTHING:
        right = right if x >= right else inf
    elif across in HIDING:
        right = min(right, x + wide)
    most = length_of(box, "max-height", None)
    if most is not None and box.values.get("box-sizing") != "border-box":
        most += sum(length_of(box, f"padding-{side}", None) or 0.0 for side in ("top", "bottom"))
    tallest = min((one for one in (height, most) if one is not None), default=inf)
    tallest = max(tallest, length_of(box, "min-height", None) or 0.0)
    unsure = "min-height" in box.values and length_of(box, "min-height", None) is None
    if down in _SCROLLING and tallest > NOTHING:
        bottom = bottom if y >= bottom else inf
    elif down in HIDING and not unsure:
        bottom = min(bottom, y + tallest)
    return Cut(right, bottom)


def clamp_of(box: Box) -> Clamp | None:
    """The limit of lines that a box declares in a way that browsers follow; None if there is none."""
    values = box.values
    lines = values.get("-webkit-line-clamp", "none")
    boxed = box.display in ("-webkit-box", "-webkit-inline-box") and values.get("-webkit-box-orient") == "vertical"
    known = boxed and lines.isdecimal() and int(lines[:4]) > 0 and values.get("overflow-y") in HIDING
    return Clamp(int(lines[:4])) if known else None


def stands_apart(box: Box) -> bool:
    """True if the margins of a box do not collapse with those of its content."""
    values = box.values
    return (
        box.display not in ("block", "list-item")
        or values.get("overflow-y", "visible") not in ("visible", "clip")
        or values.get("float", "none") != "none"
        or is_placed(box)
        or box.item
        or values.get("contain", "none") != "none"
    )


def height_in_column(child: Box, box: Box, high: float | None, least: float) -> float:
    """The smallest height of an item of a flexible column, where `least` is that of its content."""
    stays = (high is None and "max-height" not in box.values) or is_rigid(child.values)
    basis, floor = _basis(child, high), length_of(child, "min-height", high) or 0.0
    if basis is not None and stays:
        return max(basis, floor)
    # It may shrink to the height of its content, or to nothing if it clips that.
    return floor if not stays and (child.values.get("height", "auto") != "auto" or cuts_down(child)) else least


def is_from_below(box: Box) -> bool:
    """True for a single flexible column that begins at its lower edge."""
    values = box.values
    back = values.get("flex-direction") == "column-reverse"
    justified = values.get("justify-content", "normal")
    ends = justified in (("normal", "start", "flex-start", "initial") if back else ("end", "flex-end"))
    return ends and values.get("flex-wrap", "nowrap") == "nowrap"


def cuts_down(box: Box) -> bool:
    """True if a box may clip, or scroll, content that is too high for it."""
    return box.values.get("overflow-y", "visible") != "visible"


def _basis(child: Box, high: float | None) -> float | None:
    """The declared height of an item of a flexible column before it grows or shrinks; None if there is none."""
    words = child.values.get("flex", "0 1 auto").split()
    value = words[-1] if len(words) == 3 else child.values.get("flex-basis", "auto")
    basis = length(value, Scale(child.size, ROOT_SIZE, high))
    return length_of(child, "height", high) if basis is None and value == "auto" else basis


def tracks(box: Box, name: str, whole: float | None) -> list[float]:
    """The sizes of a grid's tracks, 0 for unknown ones; empty if their number is unknown."""
    value = box.values.get(name, "none")
    if value in ("none", "auto", "initial") or "(" in value or "[" in value:
        return []
    found = (length(one, Scale(box.size, ROOT_SIZE, whole)) for one in value.split() if not one.endswith("fr"))
    return [] if "fr" in value else [0.0 if one is None else one for one in found]


def length_of(box: Box, name: str, percent: float | None) -> float | None:
    """A declared length in pixels, for the smallest possible font size; None if not declared or not computable."""
    value = box.values.get(name)
    size = box.least_size
    return None if value is None else length(value, Scale(size, ROOT_SIZE, percent))


def margin_of(box: Box, name: str, base: float | None) -> float:
    """A margin in pixels, as declared or as in a browser's own style sheet."""
    if name not in box.values and name in ("margin-top", "margin-bottom"):
        return box.usual_margin() * box.least_size
    return length_of(box, name, base) or 0.0


def start_of(box: Box, kind: str, base: float | None) -> float:
    """The margin or padding at the start of lines; in right-to-left text the smaller of left and right."""
    left = length_of(box, f"{kind}-left", base) or 0.0
    return min(left, length_of(box, f"{kind}-right", base) or 0.0) if box.rtl else left


def outer_width(box: Box, spot: Spot) -> float:
    """The smallest width, margins included, of a floating or atomic inline box."""
    declared = length_of(box, "width", spot.base)
    wide = least_width(box, spot.room) if declared is None else declared
    return wide + sum(margin_of(box, f"margin-{side}", spot.base) for side in ("left", "right"))


def opened(spot: Spot, *, across: bool = False, down: bool = False) -> Spot:
    """The spot without a limit to the right (`across`) or below (`down`), as content may lie back from it."""
    right, bottom = spot.cut
    return spot._replace(cut=Cut(inf if across else right, inf if down else bottom))


def shared(one: float, other: float) -> float:
    """The result of collapsing two margins."""
    return max(one, other, 0.0) + min(one, other, 0.0)


def line_of(box: Box) -> float:
    """The height of a line, as declared, or else the smallest possible."""
    size = box.least_size
    try:
        return float(box.lines[:24]) * size
    except ValueError:
        declared = length(box.lines, Scale(size, percent=size))
    return size * _FLATTEST if declared is None else declared


def least_tops(box: Box, room: float) -> Mapping[int, float]:
    """The smallest y of each item of a wrapped row relative to the row's top, by the item's place in the page's order.

    Items for which there is no room beside another, even if all between them are as narrow as possible, are in a line
    above that one.
    """
    values = box.values
    begins = values.get("align-content", "normal") in _FROM_TOP and "column" not in values.get("flex-direction", "row")
    if values.get("flex-wrap", "nowrap") != "wrap" or not begins:
        return {}
    gap, beside = (max(length_of(box, name, room) or 0.0, 0.0) for name in ("row-gap", "column-gap"))
    tops: dict[int, float] = {}
    wides: list[float] = []
    ends = [0.0]
    first, taken = 0, -beside
    items = [one for one in box.children if isinstance(one, Box) and not is_placed(one)]
    if any(isinstance(one, TextNode) for one in box.children):
        return {}
    for item in sorted(items, key=lambda one: one.length("order") or 0.0):
        wide = _least_wrapped(item, room)
        if wide < 0:
            return {}
        wides.append(wide)
        taken += wide + beside
        while taken > room + SLACK and first < len(wides) - 1:
            taken -= wides[first] + beside
            first += 1
        above, below = (margin_of(item, f"margin-{side}", room) for side in ("top", "bottom"))
        tops[item.order] = ends[first]
        ends.append(max(ends[-1], ends[first] + _least_height(item) + above + below + gap))
    return tops


_FROM_TOP = ("normal", "stretch", "flex-start", "start", "space-between", "initial")


def _least_wrapped(item: Box, room: float) -> float:
    """The smallest width that an item requires when lines are broken."""
    named = [one for one in tokens(item.values.get("flex", "auto")) if one.type != "number"]
    basis = measure(named[-1], Scale(item.size, ROOT_SIZE, room)) if named else 0.0
    basis = item.length("flex-basis", room) if basis is None else basis
    wide = item.length("width", room) if basis is None else basis
    wide = _widest_text(item) if wide is None else wide
    most, least = item.length("max-width", room), item.length("min-width", room)
    wide = max(wide if most is None else min(wide, most), least or 0.0)
    return wide + min(sum(item.length(f"margin-{side}", room) or 0.0 for side in ("left", "right")), 0.0)


def _widest_text(box: Box) -> float:
    """The smallest width of the longest text in a box on one line; 0 for text in boxes with sizes of their own."""
    wide = max(box.least_size * NARROWEST + min(box.spacing, 0.0), 0.0)
    texts = (one.letters * wide for one in box.children if isinstance(one, TextNode))
    inside = (_widest_text(one) for one in _flowing(box) if _WIDTHS.isdisjoint(one.values))
    return max((*texts, *inside), default=0.0)


def _least_height(item: Box) -> float:
    """The smallest height of a box: as declared, or one line of its text."""
    high, most = item.length("height"), item.length("max-height")
    high = _highest_line(item) if high is None else high
    high = high if most is None else min(high, most)
    outer = item.values.get("box-sizing") == "border-box"
    padding = 0.0 if outer else sum(item.length(name) or 0.0 for name in ("padding-top", "padding-bottom"))
    return max(high, item.length("min-height") or 0.0) + padding


def _highest_line(box: Box) -> float:
    """The smallest height of the highest line in a box; 0 for lines in boxes with sizes of their own."""
    own = line_of(box) if any(isinstance(one, TextNode) for one in box.children) else 0.0
    return max([own, *(_highest_line(one) for one in _flowing(box) if _HEIGHTS.isdisjoint(one.values))])


def _flowing(box: Box) -> Iterator[Box]:
    for one in box.children:
        if isinstance(one, Box) and not is_placed(one) and one.values.get("float", "none") == "none":
            yield one


_WIDTHS = frozenset(("width", "max-width"))
_HEIGHTS = frozenset(("height", "max-height", "margin-top", "margin-bottom"))
