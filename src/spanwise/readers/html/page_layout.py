"""Texts that other boxes cover: an estimated layout of the page, and the order in which its boxes are painted.

Only places that follow from declarations are compared: boxes that follow one another in a block, those positioned in
it, those in one cell of a grid. After a box whose height depends on more than its text, and inside a box that arranges
its children itself, a new stretch begins: a part of the page whose places are compared only with each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from spanwise.domain.document import HiddenReason
from spanwise.readers.bounds import Budget
from spanwise.readers.html.boxes import (
    ENDLESS,
    LETTER,
    LINE,
    ON_SCREEN,
    SLACK,
    STACKED,
    TRANSFORMS,
    WIDEST,
    Box,
    Clip,
    Key,
    Place,
    Rect,
    Row,
    TextNode,
    Tracks,
    around_all,
    fix_cells,
    is_placed,
    letters_in,
    overlap,
    shift,
)
from spanwise.readers.html.cascade import NO_VARIABLES, Cascade, inline_style
from spanwise.readers.html.covers import first_ink, is_changed, is_drawn, is_opaque, note_paint, painted_beside
from spanwise.readers.html.css_values import (
    ROOT_SIZE,
    SCREEN,
    Colour,
    Scale,
    Token,
    data_in,
    font_size,
    fraction,
    length,
    measure,
    tokens,
)
from spanwise.readers.html.geometry import FAR, NOTHING, moved, outline, transformed
from spanwise.readers.html.least import letters_shown
from spanwise.readers.html.nodes import flat, inside
from spanwise.readers.html.paint import is_elsewhere, stacks
from spanwise.readers.html.selectors import DETAILS_CONTENT
from spanwise.readers.html.style import Styles
from spanwise.readers.html.tree import read_styles
from spanwise.readers.invisible import is_filled

_MOST_BOXES = 20_000
_MOST_COVERS = 300
_MOST_PAIRS = 3_000_000
"""Most pairs of a text and a cover that are compared; at least `_MOST_COVERS` covers always are."""
_DEEPEST = 120
_BELOW = _ABOVE = 20.0
_NEAR = 4.0
_TALLEST = 1.2
"""How much higher a line may be than estimated."""
_LEGIBLE = 3.0
_HIDING = frozenset(("hidden", "clip"))
_SCROLLED = {"overflow-x": "visible", "overflow-y": "visible"}
_MADE_ROOM = 16.0
"""Pixels from a picture's left edge: a text further in was placed by an author who knew the picture's size."""
_STRAYING = frozenset((*TRANSFORMS, "float", "width", "max-width", "left", "right", "top", "bottom"))
_CUTTING = frozenset("overflow overflow-x overflow-y contain".split())
_LEADING_AWAY = ("left", "top", "margin-left", "margin-top", "text-indent")
_MOVING = frozenset("position grid-area grid-row grid-column transform translate rotate clip-path".split())
_HEADS = {"h1": 2.0, "h2": 1.5, "h3": 1.17, "h5": 0.83, "h6": 0.67}
_UNTOLD = frozenset("table inline-table flex inline-flex -webkit-flex -webkit-box grid inline-grid".split())
_NOT_DRAWN = frozenset("script style head title template noscript option".split())
_PAGES = frozenset(("iframe", "object", "embed"))
_PICTURES = frozenset("img video canvas svg object iframe".split())
_REPLACED = frozenset("svg select canvas iframe input".split())
"""Elements whose content is not laid out here."""
_BEHIND, _BLOCKS, _FLOATS, _INLINE, _PLACED = -(10.0**9), -0.9, -0.8, -0.7, 0.0
"""Painting order of the parts of a stacking context (CSS 2.2, appendix E)."""


class Hiding(NamedTuple):
    """The result of the layout for texts, by the ids of their nodes."""

    reasons: Mapping[int, HiddenReason]
    """Why a text is hidden that is covered, clipped by a box, or off the page."""
    grounds: Mapping[int, tuple[Colour | None, bool]]
    """The colour behind a text that lies on another box, a picture, or an inset shadow of its own box.

    The colour is None if unknown; the flag is True if it certainly lies behind all of the text.
    """
    letters: Mapping[int, int]
    """The number of leading letters that are visible of a text which boxes clip; spaces count as one."""


@dataclass(slots=True)
class _Flow:
    """The state of laying out the children of a block one after another."""

    stretch: int
    x: float
    y: float
    room: float
    clip: Clip
    after: float = 0.0
    """The margin below the previous box."""
    floated: bool = False
    floats: tuple[float, float] | None = None
    """The y of the floating boxes and their total width; None if unknown."""
    sure: bool = True
    indent: float = 0.0
    """Indent of the next line, if it is the first."""
    line: list[tuple[Box, TextNode, Key]] = field(default_factory=list)
    """The texts of the open line, each with its box and its painting key."""
    holders: list[tuple[Box, _Around]] = field(default_factory=list)
    """Boxes in the open line that contain positioned boxes."""

    @property
    def place(self) -> Place:
        """The place where the next line begins."""
        return Place(self.stretch, self.x, self.y + max(self.after, 0.0))


class _Painted(NamedTuple):
    """A text, a cover or a background on the page."""

    stretch: int
    rect: Rect
    key: Key
    node: int
    above: tuple[int, ...]
    whole: int = 0
    """The id of the element around it that it covers entirely; 0 for none."""
    ink: Colour | None = None
    """The colour of a background; None if unknown."""
    unsized: bool = False
    """True for a picture of unknown size, which may end anywhere."""
    wraps: bool = False
    """True for a text that may take more lines than estimated, on a screen half as wide."""
    own: bool = False
    """True for an inset shadow, which is behind the content of its own box."""


class _Around(NamedTuple):
    """The context in which a box is laid out."""

    holder: Box
    """The containing block of positioned boxes."""
    stack: Key
    """The painting key of the stacking context."""
    local: Key
    """The painting key of the innermost group that is painted as one, stacking context or not."""
    high: float | None = None
    """The height that percentages refer to, if it is declared."""
    clip: Clip = None
    """The visible part of the content."""


def hiding_boxes(tree: LexborHTMLParser, styles: Styles, budget: Budget) -> Hiding:
    """Which texts of a page are hidden by boxes, as far as an estimated layout shows."""
    if tree.root is None or not _may_cover(tree, styles.cascade):
        return Hiding({}, {}, {})
    return _Layout(styles, budget).hiding(tree.root, scripted=_is_scripted(tree))


def part_node(node: LexborNode, side: str) -> int:
    """The id for the text of a pseudo-element `before` or `after`, which has no node of its own."""
    return -2 * node.mem_id - (side == "after")


def _may_cover(tree: LexborHTMLParser, cascade: Cascade) -> bool:
    """True if any declaration on the page may move, clip or cover something."""
    ruled = (one for rule in cascade.sheets.rules for one in rule.declarations)
    moved = (one for frames in cascade.sheets.keyframes.values() for frame in frames.values() for one in frame)
    styled = (one for node in tree.css("[style]") for one in inline_style(node.attributes.get("style") or ""))
    return tree.css_first("iframe") is not None or any(
        (name in _MOVING and value not in ("static", "none", "sticky"))
        or (name.startswith("margin") and ("-" in value or "var(" in value))
        or (name == "box-shadow" and "inset" in value)
        or (name == "text-indent" and ("-" in value or "var(" in value))
        or (name in _CUTTING and value not in ("visible", "none"))
        for found in (ruled, moved, styled)
        for name, value, _ in found
    )


def _is_scripted(tree: LexborHTMLParser) -> bool:
    """True if the page has a script that a browser would run."""
    kinds = ((script.attributes.get("type") or "").strip().lower() for script in tree.css("script"))
    return any(kind in ("", "module") or "javascript" in kind or "ecmascript" in kind for kind in kinds)


class _Layout:
    """The layout of one page."""

    def __init__(self, styles: Styles, budget: Budget) -> None:
        self._styles = styles
        self._budget = budget
        self._left = _MOST_BOXES
        self._inside_of: Callable[[LexborNode], Iterator[LexborNode]] = inside
        self._stretches = count(1)
        self._order = count(1)
        self._texts: list[_Painted] = []
        self._covers: list[_Painted] = []
        self._curtains: list[_Painted] = []
        self._bars: list[_Painted] = []
        """Covers fixed at the top of the screen: text under them at the start of the page cannot be scrolled free."""
        self._pictures: list[_Painted] = []
        self._hidden: dict[int, HiddenReason] = {}
        self._overflows = True
        """True if the root lets its content overflow, so that the body speaks for the screen."""

    def hiding(self, html: LexborNode, *, scripted: bool) -> Hiding:
        """The texts that are covered, clipped or off the page, and the backgrounds of those on pictures.

        A cover of the whole screen hides the page, unless a script may remove it, as it does with a screen that is
        shown while a page loads.
        """
        self._inside_of = flat(html)
        page = Box("html", {"display": "block"}, ROOT_SIZE, 1.0, (), 0)
        root = self._box(html, page, NO_VARIABLES)
        if root is None:
            return Hiding({}, {}, {})
        page.rect, page.certain = Rect(0.0, 0.0, *SCREEN), True
        around = _Around(page, ((0.0, 0),), ((0.0, 0),))
        self._lay(root, Place(0, 0.0, 0.0), SCREEN[0], around)
        self._lay_pending(page, Place(0, 0.0, 0.0), around)
        whole: dict[int, Key] = {}
        most = max(_MOST_COVERS, _MOST_PAIRS // max(len(self._texts), 1))
        covers, pictures = (_by_stretch(found[:most]) for found in (self._covers, self._pictures))
        for cover in self._covers[:most]:
            if cover.whole:
                whole[cover.whole] = max(cover.key, whole.get(cover.whole, cover.key))
        curtain = max((one.key for one in self._curtains if not scripted), default=())
        bars = [] if scripted else self._bars
        found, grounds = self._hidden, dict[int, tuple[Colour | None, bool]]()
        deepest, wraps = 0.0, False
        for text in self._texts:
            self._budget.step()
            under = [one for one in pictures.get(text.stretch, ()) if _is_under(one, text)]
            if under:
                ground = max(under, key=lambda one: one.key)
                grounds[text.node] = ground.ink, ground.own and ground.node == text.above[-1]
            over = (
                cover.rect
                for cover in covers.get(text.stretch, ())
                if cover.key > text.key and (not cover.unsized or text.rect.left - cover.rect.left <= _MADE_ROOM)
            )
            if _is_off_page(text, 2 * deepest + _ABOVE if wraps or not deepest else (_TALLEST - 1) * deepest + _NEAR):
                found[text.node] = "off_page"
            elif (
                curtain > text.key
                or any(whole.get(node, ()) > text.key for node in text.above)
                or is_filled(text.rect, over, SLACK)
                or (text.stretch == 0 and any(bar.key > text.key and bar.rect.holds(text.rect) for bar in bars))
            ):
                found.setdefault(text.node, "covered")
            if text.stretch == 0:
                deepest, wraps = max(deepest, text.rect.bottom), wraps or text.wraps
        return Hiding(found, grounds, letters_shown(root, SCREEN[0], self._budget))

    def _box(self, node: LexborNode, around: Box, variables: Mapping[str, str]) -> Box | None:
        """The box of an element with its content; None if the element has no box."""
        tag = node.tag or ""
        self._left -= 1
        self._budget.step()
        if tag in _NOT_DRAWN:
            return None
        if self._left <= 0 or len(around.above) > _DEEPEST:
            self._look_far(node, variables)
            return None
        styled = self._styles.of(node, variables, around=around.display)
        values = styled.values
        if values.get("display") == "none":
            return None
        if tag == "html" or (tag == "body" and self._overflows):
            self._overflows = {values.get(name, "visible") for name in _SCROLLED} == {"visible"}
            values = {**values, **_SCROLLED}  # the screen scrolls or clips in its place
        size = font_size(values.get("font-size", "inherit"), around.size, ROOT_SIZE)
        size = around.size * _HEADS.get(tag, 1.0) if size is None else size
        share = fraction(values.get("opacity", "1"))
        opacity = around.opacity * (1.0 if share is None else share)
        box = Box(tag, values, size, opacity, (*around.above, node.mem_id), next(self._order))
        box.inherit(around)
        note_paint(box, node)
        box.painted = box.painted and (tag != "body" or around.painted)  # else its ground is that of the screen
        box.painted = box.painted or (tag in _PAGES and is_drawn(box) and self._is_opaque_page(node))
        self._fill(box, node, styled.variables)
        return box

    def _is_opaque_page(self, node: LexborNode) -> bool:
        """True if the page that an element shows has an opaque background; one that is elsewhere counts as having."""
        told = node.attributes
        address = told.get("src") or told.get("data") or ""
        source = told.get("srcdoc") or (data_in(address) or b"").decode("utf-8", "replace")
        if not source:
            return is_elsewhere(address) and not address.startswith(("about:", "data:", "javascript:"))
        tree = LexborHTMLParser(source)
        styles = read_styles(tree, self._budget, quirks=False)
        return any(is_opaque(Box("", styles.of(one).values, ROOT_SIZE, 1.0, (), 0)) for one in tree.css("html, body"))

    def _fill(self, box: Box, node: LexborNode, variables: Mapping[str, str]) -> None:
        """Add the content of an element to its box."""
        if box.tag in _REPLACED:
            box.inner = (node.mem_id, *(one.mem_id for one in node.traverse(include_text=True) if one.is_text_node))
            return
        self._add_part("before", box, node, variables)
        for child in self._inside_of(node):
            if child.is_text_node:
                words = (child.text_content or "").replace("\xa0", "_").split()  # "\xa0" is as wide as a letter
                if words:
                    letters = sum(map(len, words)) + len(words) - 1
                    box.children.append(TextNode(child.mem_id, letters, next(self._order), len(words)))
            elif child.is_element_node and (inside := self._box(child, box, variables)) is not None:
                box.children += inside.children if inside.display == "contents" else [inside]
        self._add_part("after", box, node, variables)
        if box.tag == "details":
            self._wrap_content(box, node, variables)
        if box.display == "table":
            fix_cells(box)

    def _wrap_content(self, details: Box, node: LexborNode, variables: Mapping[str, str]) -> None:
        """Put what a `details` holds beside its summary into a box of its own, if rules style that."""
        part = self._styles.part(DETAILS_CONTENT, node, variables)
        if not part:
            return
        summary = next((one for one in details.children if isinstance(one, Box) and one.tag == "summary"), None)
        made = Box("", {"display": "block", **part}, details.size, details.opacity, (*details.above, -1), 0)
        made.inherit(details)
        made.children = [one for one in details.children if one is not summary]
        details.children = [made] if summary is None else [summary, made]

    def _look_far(self, node: LexborNode, variables: Mapping[str, str]) -> None:
        """Find texts that declarations alone move far off or clip, in parts of the page that are not laid out."""
        waiting = [(node, variables, False)]
        while waiting:
            one, inherited, far = waiting.pop()
            self._budget.step()
            if one.is_text_node and far:
                self._hidden[one.mem_id] = "off_page"
            elif one.is_element_node:
                values, inner = self._styles.of(one, inherited)
                scale = Scale(ROOT_SIZE, ROOT_SIZE, SCREEN[0])
                lengths = (length(values.get(name, "auto"), scale) for name in _LEADING_AWAY)
                move = moved(*(values.get(name, "") for name in TRANSFORMS), ROOT_SIZE)
                least = min((*(one for one in lengths if one is not None), move.across, move.down), default=0.0)
                sides = [length(values.get(name, "auto"), scale) for name in ("width", "height", "max-height")]
                away = least <= -FAR or (0 in sides and values.get("overflow-y", "visible") != "visible")
                waiting += [(child, inner, far or away) for child in inside(one)]

    def _add_part(self, side: str, box: Box, node: LexborNode, variables: Mapping[str, str]) -> None:
        """Add the box of a pseudo-element `before` or `after`."""
        part = self._styles.part(side, node, variables)
        if part and part.get("content", "none") not in ("none", "normal") and part.get("display") != "none":
            made = Box("", part, box.size, box.opacity, (*box.above, -1), next(self._order))
            made.painted = is_opaque(made)
            made.inherit(box)
            words = part.get("content", "")
            made.children.append(TextNode(part_node(node, side), len(words), next(self._order), words.count(" ") + 1))
            box.children.append(made)

    def _lay(
        self,
        box: Box,
        place: Place,
        room: float,
        around: _Around,
        *,
        high: float | None = None,
        base: float | None = None,
    ) -> tuple[float, bool]:
        """Lay out a box at a place; returns its height, and whether that is certain enough to place boxes below it."""
        left, right = box.length("padding-left", room) or 0.0, box.length("padding-right", room) or 0.0
        top, bottom = box.length("padding-top", room) or 0.0, box.length("padding-bottom", room) or 0.0
        if box.tag in ("ul", "ol", "menu", "dir"):
            left = left or 40.0
        outer = box.values.get("box-sizing") == "border-box"
        base = room if base is None else base
        declared, most = box.length("width", base), box.length("max-width", base)
        wide = room if declared is None else declared + (0.0 if outer else left + right)
        wide = wide if most is None else min(wide, most + (0.0 if outer else left + right))
        wide = max(wide, box.length("min-width", base) or 0.0)
        height = box.length("height", around.high)
        if height is not None and not outer:
            height += top + bottom
        height = high if height is None else height
        key, inner = self._keys(box, around)
        inner = inner._replace(high=None if height is None else max(height - top - bottom, 0.0))
        stretch = place.stretch
        content = Place(stretch, place.x + left, place.y + top)
        own = _cut(box, place, wide, height)
        box.roomless = own is not None and min(own[1].right - own[1].left, own[1].bottom - own[1].top) <= NOTHING
        inner = inner._replace(clip=_within(inner.clip, own))
        begin = len(self._texts)
        y, sure = self._lay_children(box, content, max(wide - left - right, 1.0), inner)
        least = box.length("min-height", None) or 0.0
        tall = max(y + bottom - place.y, least) if height is None else max(height, least)
        box.rect = Rect(place.x, place.y, place.x + wide, place.y + tall)
        for text in box.inner:
            self._texts.append(_Painted(stretch, box.rect, (*inner.local, (_INLINE, box.order)), text, box.above))
            if around.clip is not None and around.clip[0] == stretch and _is_cut_off(box.rect, around.clip):
                self._hidden[text] = "clipped"
        self._cut_to_shape(box, self._texts[begin:], stretch, known=height is not None)
        self._turn(box, begin, stretch)
        self._paint(box, stretch, key, around)
        self._cut_all(begin, box)
        if inner.holder is box:
            self._lay_pending(box, place, inner)
        return tall, sure or height is not None

    def _cut_all(self, begin: int, holder: Box) -> None:
        """Hide the texts from index `begin` on if the box around them clips all of its content."""
        if holder.roomless:
            self._hidden.update((text.node, "clipped") for text in self._texts[begin:])

    def _paint(self, box: Box, stretch: int, key: Key, around: _Around) -> None:
        """Record what a box paints, as a cover of other boxes and as a background of their texts."""
        painted = _Painted(stretch, box.rect, key, box.above[-1], box.above, unsized=box.unsized)
        if box.tag in _PICTURES or "url(" in box.values.get("background-image", ""):
            self._pictures.append(painted)
        elif box.painted and box.values.get("position", "static") != "static":
            ink = None if "gradient(" in box.values.get("background-image", "") else first_ink(box, "background-color")
            self._pictures.append(painted._replace(ink=ink))
        beside = tuple(painted_beside(box))
        if box.rect in beside:
            self._pictures.append(painted._replace(ink=first_ink(box, "box-shadow"), own=True))
        holder = around.holder
        for rect in () if is_changed(box) else (box.rect, *beside) if box.painted else beside:
            whole = holder.above[-1] if box.placed and holder.above and rect.holds(holder.rect) else 0
            whole = whole if whole and _keeps_inside(holder) else 0
            self._cover(painted._replace(rect=rect, whole=whole), box, around.clip)

    def _cut_to_shape(self, box: Box, texts: Sequence[_Painted], stretch: int, *, known: bool) -> None:
        """Hide the texts of a box outside the shape that it is clipped to."""
        if box.clip is None and "clip-path" not in box.values and "clip" not in box.values:
            return
        tall = box.rect.bottom - box.rect.top
        most = tall if known else tall * (_TALLEST if tall < 2 * LINE * box.size else 2.0)
        paths = [box.values.get("clip-path", "none"), box.values.get("clip", "auto") if is_placed(box) else ""]
        for path in paths:
            points = outline(path, box.size, box.rect.right - box.rect.left, most) if "(" in path else []
            points = points if box.clip is None else [box.clip[:2], box.clip[2:]]
            if len(points) < 2:
                continue
            xs, ys = [x for x, _ in points], [y for _, y in points]
            left, top = box.rect.left, box.rect.top
            shape = Rect(left + min(xs), top + min(ys), left + max(xs), top + max(ys))
            flat = "%" not in path and shape.bottom - shape.top < _LEGIBLE
            inside = [text for text in texts if text.stretch == stretch]
            cut = (text for text in (texts if flat else inside) if flat or _is_outside(text.rect, shape))
            self._hidden.update((text.node, "clipped") for text in cut)

    def _turn(self, box: Box, begin: int, stretch: int) -> None:
        """Move the rectangles of the texts in a box as its transforms do."""
        if box.values.keys().isdisjoint(TRANSFORMS):
            return
        matrix, _ = transformed(*(box.values.get(name, "") for name in TRANSFORMS), box.size)
        (a, c, _, _), (b, d, _, _) = matrix[:2]
        if (a, b, c, d) == (1.0, 0.0, 0.0, 1.0):
            return
        wide, high = box.rect.right - box.rect.left, box.rect.bottom - box.rect.top
        told = [
            _origin(token, one, box.size)
            for token, one in zip(tokens(box.values.get("transform-origin", "50% 50%")), (wide, high), strict=False)
        ]
        x, y = (*told, *(wide / 2, high / 2)[len(told) :])
        x, y = box.rect.left + x, box.rect.top + y
        for at in range(begin, len(self._texts)):
            text = self._texts[at]
            if text.stretch != stretch:
                continue
            corners = [(across - x, down - y) for across in text.rect[::2] for down in text.rect[1::2]]
            xs, ys = [x + a * p + c * q for p, q in corners], [y + b * p + d * q for p, q in corners]
            self._texts[at] = text._replace(rect=Rect(min(xs), min(ys), max(xs), max(ys)))
            if stretch == 0 and max(xs) + _BELOW <= 0:
                self._hidden[text.node] = "off_page"

    def _cover(self, cover: _Painted, box: Box, clip: Clip) -> None:
        if clip is not None:
            if clip[0] != cover.stretch:
                return
            cover = cover._replace(rect=overlap(cover.rect, clip[1]))
        if box.values.get("position") == "fixed":
            if cover.rect.holds(Rect(0.0, 0.0, *SCREEN)):
                self._curtains.append(cover)
            elif cover.rect.top <= 0 and box.length("height") is not None:
                self._bars.append(cover)
        else:
            self._covers.append(cover)

    def _keys(self, box: Box, around: _Around) -> tuple[Key, _Around]:
        """The painting key of a box's background, and the context of its content."""
        position = box.values.get("position", "static")
        order, stack = box.order, around.stack
        level = length(box.values.get("z-index", "auto"), Scale())
        item = box.item and level is not None
        holds = position != "static" or any(
            box.values.get(name, "none") not in ("none", "initial") for name in ("transform", "filter", "translate")
        )
        holder = box if holds else around.holder
        if holds or item or box.opacity < 1 or box.values.get("isolation") == "isolate":
            key = (*around.stack, (level or _PLACED, order))
            stack = key if stacks(box.values, item=box.item) else stack
        elif box.values.get("float", "none") != "none":
            key = (*around.local, (_FLOATS, order))
        elif box.display not in STACKED and box.display != "inline":
            key = (*around.local, (_INLINE, order))
        else:
            return (*around.local, (_BLOCKS, order)), around._replace(holder=holder)
        return (*key, (_BEHIND, 0)), _Around(holder, stack, key, clip=around.clip)

    def _lay_children(self, box: Box, place: Place, room: float, around: _Around) -> tuple[float, bool]:
        """Lay out the content of a box; returns the y at which it ends, and whether that is certain."""
        if box.display in _UNTOLD:
            return self._lay_untold(box, place, room, around)
        flow = _Flow(place.stretch, place.x, place.y, room, around.clip, indent=box.indent)
        for child in box.children:
            if isinstance(child, TextNode):
                flow.line.append((box, child, (*around.local, (_INLINE, child.order))))
            elif is_placed(child):
                around.holder.pending.append((child, flow.place, around.stack))
            elif child.values.get("float", "none") != "none":
                self._float(child, flow, around)
            elif child.display in ("inline", "ruby"):
                self._gather(child, flow, around)
                if child.tag == "br":
                    self._end_line(flow)
            elif child.length("width", room) is not None and _is_in_line(child, box):
                flow.line.append((child, _space(child, ("width", "margin-left"), room), around.local))
                self._lay(child, self._elsewhere(), room, around)
            else:
                begins = not flow.line
                self._end_line(flow)
                self._stack(child, flow, around, begins=begins)
        self._end_line(flow)
        return flow.place.y, flow.sure

    def _float(self, child: Box, flow: _Flow, around: _Around) -> None:
        """Lay out a box that floats to the left beside earlier ones, if their widths are declared."""
        width, move = child.length("width", flow.room), shift(child, flow.room)
        y = flow.place.y
        taken = 0.0 if not flow.floated else flow.floats[1] if flow.floats is not None and flow.floats[0] == y else None
        flow.floated = True
        if taken is None or flow.line or child.values["float"] not in ("left", "inline-start") or move is None:
            flow.floats = None
            self._lay(child, self._elsewhere(), flow.room, around)
            return
        left, right = (child.length(name, flow.room) or 0.0 for name in ("margin-left", "margin-right"))
        above, _ = child.margins(flow.room)
        at = Place(flow.stretch, flow.x + taken + left + move[0], y + above + move[1])
        child.painted = child.painted and width is not None
        self._lay(child, at, flow.room, around)
        taken += left + right + child.rect.right - child.rect.left
        flow.floats = (y, taken) if width is not None and taken <= flow.room else None

    def _elsewhere(self) -> Place:
        """A place in a new stretch, which is compared only with what is in it."""
        return Place(next(self._stretches), 0.0, 0.0)

    def _end_line(self, flow: _Flow) -> None:
        begin = len(self._texts)
        if flow.line:
            flow.y, flow.after = self._set_lines(flow.line, flow.place, flow.room, flow.clip, flow.indent), 0.0
            flow.line, flow.indent = [], 0.0
        for holder, inner in flow.holders:
            rects = [text.rect for text in self._texts[begin:] if holder.above[-1] in text.above]
            holder.rect = around_all(rects)
            self._lay_pending(holder, flow.place if rects else self._elsewhere(), inner)
        flow.holders.clear()

    def _stack(self, child: Box, flow: _Flow, around: _Around, *, begins: bool) -> None:
        """Lay out a box below the previous ones; `begins` is True if it begins a line."""
        above, below = child.margins(flow.room)
        move = shift(child, flow.room)
        atomic = child.display == "inline-block" and not flow.line and child.length("width", flow.room) is None
        child.painted = child.painted and not atomic
        left, right = (child.length(name, flow.room) or 0.0 for name in ("margin-left", "margin-right"))
        if move is None or (child.display not in STACKED and child.display not in _UNTOLD and not atomic):
            known = move is not None and begins and child.display == "inline-block"
            at = flow.place if known else self._elsewhere()
            across, down = move if move is not None and known else (0.0, -above)
            at = at._replace(x=at.x + left + across, y=at.y + above + down)
            self._lay(child, at, flow.room, around)
            flow.stretch, flow.sure, flow.after = next(self._stretches), False, below
            return
        gap = max(above, flow.after) if min(above, flow.after) >= 0 else above + flow.after
        at = Place(flow.stretch, flow.x + left + move[0], flow.y + gap + move[1])
        tall, known = self._lay(child, at, max(flow.room - left - right, 1.0), around)
        flow.y, flow.after = flow.y + gap + tall, below
        if not known or atomic:
            flow.stretch, flow.sure = next(self._stretches), False

    def _gather(self, box: Box, flow: _Flow, around: _Around) -> None:
        """Add the texts of an inline box to the open line."""
        inner = around
        if box.values.get("position", "static") != "static" or box.opacity < 1:
            _, inner = self._keys(box, around)
            if inner.holder is box:
                flow.holders.append((box, inner))
        flow.line.append((box, _space(box, ("padding-left", "margin-left"), flow.room), inner.local))
        for child in box.children:
            if isinstance(child, TextNode):
                flow.line.append((box, child, (*inner.local, (_INLINE, child.order))))
            elif is_placed(child):
                inner.holder.pending.append((child, self._elsewhere(), inner.stack))
            elif child.display in ("inline", "ruby"):
                self._gather(child, flow, inner)
            else:
                flow.line.append((child, _space(child, ("width", "margin-left"), flow.room), inner.local))
                self._lay(child, self._elsewhere(), SCREEN[0], inner)

    def _set_lines(
        self,
        line: Sequence[tuple[Box, TextNode, Key]],
        place: Place,
        room: float,
        clip: Clip,
        indent: float,
    ) -> float:
        """Place texts in lines; returns the y at which the last one ends."""
        size = max(box.size for box, *_ in line)
        high = length(line[0][0].values.get("line-height", "normal"), Scale(size, ROOT_SIZE, size))
        value = line[0][0].values.get("line-height", "normal")
        high = size * LINE if high is None else high * size if value.replace(".", "", 1).isdigit() else high
        x = widest = indent
        room = ENDLESS if line[0][0].nowrap else room
        for box, text, key in line:
            begin, x = x, x + (text.letters + 1) * box.size * LETTER
            widest += max(text.letters, 0.0) * box.size * WIDEST
            first, last = max(int(begin // room), 0), max(int(x // room), 0)
            across = (
                (place.x, place.x + room)
                if last > first
                else (place.x + begin % room, place.x + begin % room + x - begin)
                if begin >= 0
                else (place.x + begin, place.x + x)
            )
            ink = (high - size) / 2 + 0.2 * size  # Letters do not fill the height of their line.
            rect = Rect(across[0], place.y + first * high + ink, across[1], place.y + (last + 1) * high - ink)
            if not text.node:
                continue
            wraps = 2 * widest > min(room, SCREEN[0])
            self._texts.append(_Painted(place.stretch, rect, key, text.node, box.above, wraps=wraps))
            # Any other stretch begins somewhere on the screen.
            begins = 0.0 if place.stretch in (0, ON_SCREEN) else SCREEN[0]
            if place.x + (max(widest, room) if last else widest) <= -begins:
                self._hidden[text.node] = "off_page"
            elif clip is not None and clip[0] == place.stretch and _is_cut_off(rect, clip):
                self._hidden[text.node] = "clipped"
        return place.y + (int(x // room) + 1) * high

    def _lay_untold(self, box: Box, place: Place, room: float, around: _Around) -> tuple[float, bool]:
        """Lay out the children of a table, flexible box or grid, each in a stretch of its own.

        Those of one cell share one.
        """
        tallest = 0.0
        flexible = box.display.endswith("flex")
        beside = Row(box, place.x, room) if flexible else Tracks(box, room, self._stretches)
        for child in beside.children:
            if isinstance(child, TextNode):
                row = [(box, child, (*around.local, (_INLINE, child.order)))]
                item = Box("", {}, box.size, 1.0, (), 0, [child])
                away = beside.away(item, around.clip) if isinstance(beside, Row) else None
                at = self._elsewhere() if away is None else Place(place.stretch, away, place.y)
                self._set_lines(row, at, room, around.clip, box.indent)
                continue
            if is_placed(child):
                around.holder.pending.append((child, self._elsewhere(), around.stack))
                continue
            tall = min(self._lay_cell(child, box, place, room, around, beside), SCREEN[1])
            tallest = max(tallest, tall) if isinstance(beside, Row) and beside.sure else tallest + tall
        return place.y + tallest, False

    def _lay_cell(
        self, child: Box, box: Box, place: Place, room: float, around: _Around, beside: Row | Tracks
    ) -> float:
        """Lay out a cell or item; returns its height."""
        child.item = not box.display.endswith("table")
        if child.display == "inline":
            child.values = {**child.values, "display": "block"}
        across, down = shift(child, room) or (0.0, 0.0)
        above, _ = child.margins(room)
        aligned = any(
            one.values.get(name, "normal") not in ("normal", "stretch", "auto")
            for one, names in ((child, ("align-self", "justify-self")), (box, ("align-items", "justify-items")))
            for name in names
        )
        if aligned and child.length("width", room) is None:
            child.painted = False
        margin = child.length("margin-left", room) or 0.0
        at, high = Place(next(self._stretches), across + margin, down + above), None
        if isinstance(beside, Row):
            away = beside.away(child, around.clip)
            if beside.guessed and away is not None and child.length("width", room) is None:
                room, child.painted = max(beside.guess(child) or 0.0, 1.0), False
            if away is not None:
                stretch = at.stretch if beside.sure and aligned else place.stretch
                above = above if beside.sure or beside.guessed else max(above, 0.0)
                at = Place(stretch, away + across, place.y + down + above)
                high = around.high if beside.sure and not aligned else None
            elif beside.level and above <= -_BELOW:
                at = Place(place.stretch, place.x, place.y + above)
        else:
            cell = beside.next(child)
            room = cell.wide
            high = cell.high
            if cell.shared:
                at, high = at._replace(stretch=cell.shared, y=down), None if aligned else SCREEN[1] * 9
            if beside.alone:
                known = around.high is not None and place.stretch >= 0
                at = Place(place.stretch if known else at.stretch, at.x + place.x, at.y + place.y)
                high = high if aligned or high is not None else around.high
        inner = around._replace(local=(*around.local, (_INLINE, child.order)))
        return self._lay(child, at, room, inner, high=high)[0]

    def _lay_pending(self, holder: Box, place: Place, around: _Around) -> None:
        """Lay out the positioned boxes of a containing block, once its own place is known."""
        for box, static, stack in holder.pending:
            self._lay_placed(box, holder, place, around, static, stack)
        holder.pending = []

    def _lay_placed(self, box: Box, holder: Box, place: Place, around: _Around, static: Place, stack: Key) -> None:
        """Lay out a positioned box; `static` is where it would begin in normal flow."""
        fixed = box.values.get("position") == "fixed"
        outer = Rect(0.0, 0.0, *SCREEN) if fixed else holder.rect
        wide, high = outer.right - outer.left, outer.bottom - outer.top
        left, right = box.length("left", wide), box.length("right", wide)
        top, bottom = box.length("top", high), box.length("bottom", high)
        beyond_left, beyond_top = _is_beyond(box, outer, certain=holder.certain or fixed)
        move = shift(box, wide, placed=True)
        box.certain = (holder.certain or fixed) and top is not None and move is not None
        stretch = ON_SCREEN if fixed else place.stretch
        if move is None or (left is None and right is not None and box.length("width", wide) is None):
            stretch, move = next(self._stretches), (0.0, 0.0)
        room = wide - (left or 0.0) - (right or 0.0)
        if left is None and right is not None:
            left = wide - right - (box.length("width", wide) or room)
        x = static.x if left is None else outer.left + left
        tall = box.length("height", high)
        if top is None and bottom is not None and tall is not None:
            top = high - bottom - tall
        flows = (left is None or top is None) and static.stretch != place.stretch
        if flows or (top is None and bottom is not None):
            stretch = next(self._stretches)
        y = static.y if top is None else outer.top + top
        if beyond_left:
            stretch, x, room = ON_SCREEN if fixed else place.stretch, -ENDLESS, wide
        if beyond_top:
            stretch, y = ON_SCREEN if fixed else place.stretch, -ENDLESS
        stretched = high - top - bottom if top is not None and bottom is not None and tall is None else tall
        if (left is None or right is None) and box.length("width", wide) is None:
            room = min(room, (1.2 * sum(letters_in(box)) + 2) * box.size * LETTER)
        at = Place(
            stretch,
            x + (box.length("margin-left", wide) or 0.0) + move[0],
            y + box.margins(wide)[0] + move[1],
        )
        clip = None if fixed else around.clip
        at = _off_screen(at) if fixed else at
        low = at.y if top is not None else outer.bottom - (bottom or 0.0) - _most_height(box)
        if clip is not None and clip[0] == place.stretch and (top, bottom) != (None, None) and low >= clip[2]:
            at = at._replace(stretch=clip[0])
            clip = clip[0], clip[1], -ENDLESS
        inner = _Around(holder, stack, stack, high, clip)
        box.placed = (left, top) == (0, 0) and (stretched or 0.0) >= high and not any(move) and not fixed
        box.placed = box.placed and shift(box, wide, placed=True) is not None
        begin = len(self._texts)
        self._lay(box, at, max(room, 1.0), inner, high=stretched, base=wide)
        if box.certain and at.stretch == 0:
            beyond = (one.node for one in self._texts[begin:] if one.rect.bottom + 0.2 * (one.rect.bottom - at.y) <= 0)
            self._hidden.update((node, "off_page") for node in beyond)
        self._cut_all(len(self._texts) if fixed else begin, holder)


def _cut(box: Box, place: Place, wide: float, high: float | None) -> Clip:
    """The part of its content that a box shows; None if it shows all."""
    across, down = (box.values.get(name, "visible") for name in ("overflow-x", "overflow-y"))
    if across == down == "visible" or box.display == "table-cell":  # a cell grows with what is in it
        return None
    most = box.length("max-height")
    if most is not None and box.values.get("box-sizing") != "border-box":
        most += sum(box.length(name, wide) or 0.0 for name in ("padding-top", "padding-bottom"))
    tallest = min((one for one in (high, most) if one is not None), default=ENDLESS)
    tallest = max(tallest, box.length("min-height") or 0.0)
    # What can be scrolled into view is visible, unless the box has no size at all.
    wide, tallest = (
        side if side <= NOTHING or way in _HIDING else ENDLESS for side, way in ((wide, across), (tallest, down))
    )
    rect = Rect(place.x, place.y, place.x + wide, place.y + tallest)
    return place.stretch, rect, rect.bottom


def _by_stretch(painted: Sequence[_Painted]) -> Mapping[int, list[_Painted]]:
    found: dict[int, list[_Painted]] = {}
    for one in painted:
        found.setdefault(one.stretch, []).append(one)
    return found


def _within(around: Clip, own: Clip) -> Clip:
    """The visible part of a box inside another, both of which may clip what overflows."""
    if around is None or own is None or around[0] != own[0]:
        return around if own is None else own
    return own[0], overlap(own[1], around[1]), min(own[2], around[2])


def _origin(token: Token, side: float, size: float) -> float:
    """A coordinate of `transform-origin` in pixels from the box's corner."""
    shares = {"left": 0.0, "top": 0.0, "right": side, "bottom": side}
    word = token.lower_value if token.type == "ident" else ""
    at = shares.get(word) if word else measure(token, Scale(size, percent=side))
    return side / 2 if at is None else at


def _is_off_page(text: _Painted, lower: float) -> bool:
    """True if a text cannot be scrolled into view; the texts before it end as much as `lower` below their estimate."""
    if text.stretch == ON_SCREEN:
        return text.rect.bottom <= 0
    return text.stretch == 0 and (text.rect.bottom <= -FAR or text.rect.bottom + lower <= 0)


def _is_outside(text: Rect, shape: Rect) -> bool:
    """True if a text lies entirely outside a shape, however wide its letters are."""
    right = text.left + (text.right - text.left) * WIDEST / LETTER
    return (
        right <= shape.left or text.left >= shape.right or text.bottom <= shape.top or text.top >= shape.bottom + _BELOW
    )


def _is_cut_off(text: Rect, clip: tuple[int, Rect, float]) -> bool:
    """True if a text is certainly outside a clip: far below it, as its y is an estimate, or beside or above it."""
    _, seen, end = clip
    below = text.top - seen.top >= 2 * (end - seen.top) + _BELOW
    return text.left >= seen.right or text.right <= seen.left or text.bottom <= seen.top or below


def _keeps_inside(box: Box) -> bool:
    """True if no box inside another is declared to lie elsewhere, or to be smaller than its content."""
    return all(
        _STRAYING.isdisjoint(child.values) and _keeps_inside(child)
        for child in box.children
        if isinstance(child, Box) and not is_placed(child)
    )


def _space(box: Box, names: Sequence[str], room: float) -> TextNode:
    """The room in a line that lengths of a box take, as a text without a node."""
    return TextNode(0, sum(box.length(name, room) or 0.0 for name in names) / (box.size * LETTER or 1.0) - 1, 0)


def _is_in_line(box: Box, around: Box) -> bool:
    """True for an inline block that is no higher than its line, or does not end it."""
    low = box.length("height", None) is None and not box.children
    return box.display == "inline-block" and (low or around.nowrap)


def _is_under(picture: _Painted, text: _Painted) -> bool:
    """True if a background that is not an ancestor's is painted behind a text."""
    if picture.stretch != text.stretch or picture.key > text.key or (picture.node in text.above and not picture.own):
        return False
    shared = overlap(picture.rect, text.rect)
    return shared.right - shared.left > 0.5 * (text.rect.right - text.rect.left) and shared.bottom > shared.top


def _most_height(box: Box) -> float:
    """An upper estimate of the height of a box with one line; endless for one with more text."""
    few = sum(letters_in(box)) * box.size * WIDEST <= SCREEN[0] / 4
    return 2 * LINE * box.size if few else ENDLESS


def _is_beyond(box: Box, outer: Rect, *, certain: bool) -> tuple[bool, bool]:
    """Whether a box positioned in a rectangle is entirely beyond its left edge, and beyond its upper or lower one.

    `certain` is True if the place of the rectangle on the page is known.
    """
    wide, high = outer.right - outer.left, outer.bottom - outer.top
    left, right, top, bottom = (
        box.length(name, side) for name, side in (("left", wide), ("right", wide), ("top", high), ("bottom", high))
    )
    aside = left is None and right is not None and outer.left + wide <= right
    away = top is None and bottom is not None and outer.top + high <= bottom
    if not certain:
        return aside, away
    move = moved(*(box.values.get(name, "") for name in TRANSFORMS), box.size)
    fixed = box.values["position"] == "fixed"
    away = away or (fixed and top is None and bottom is not None and bottom + _most_height(box) <= 0)
    if not move.turned and move.scale == 1:  # its own size is at least that of a letter
        x = outer.left + (left or 0.0) + (box.length("margin-left", wide) or 0.0) + move.across
        y = outer.top + (top or 0.0) + box.margins(wide)[0] + move.down
        aside = aside or (left is not None and move.own_width <= -1 and x + (1 + move.own_width) * box.size <= 0)
        away = away or (top is not None and move.own_height <= -1 and y + (1 + move.own_height) * box.size <= 0)
    return aside, away


def _off_screen(at: Place) -> Place:
    """The place of a fixed box, moved out of reach if it begins outside the screen."""
    return at._replace(y=-ENDLESS) if at.x >= SCREEN[0] or at.y >= SCREEN[1] else at
