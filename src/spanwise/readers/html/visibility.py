"""What a reader sees of a page: the state of each element, from that of its parent, and why its text is hidden."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import TypeAlias

from selectolax.lexbor import LexborNode

from spanwise.domain.document import HiddenReason
from spanwise.readers.html.covers import INLINE, place
from spanwise.readers.html.css_values import (
    BLACK,
    ROOT_SIZE,
    SCREEN,
    WHITE,
    Colour,
    Scale,
    colour,
    font_size,
    fraction,
    length,
    tokens,
)
from spanwise.readers.html.drawings import (
    CLEAR,
    SVG_UNDRAWN,
    Drawing,
    Text,
    address_in,
    drawing_of,
    embedded_in,
    filters_all,
    named,
    painted,
    shapes_of,
    shrunk,
    text_in,
    used,
    view_of,
)
from spanwise.readers.html.geometry import filtered, is_dot
from spanwise.readers.html.least import end_of
from spanwise.readers.html.nodes import ROOT, beside, columns_of, shadow_of
from spanwise.readers.html.page_layout import Hiding, part_node
from spanwise.readers.html.paint import FAINT, State, blends, effects, shows, stacks, uniform
from spanwise.readers.html.properties import NO_PAINT
from spanwise.readers.html.selectors import DETAILS_CONTENT
from spanwise.readers.html.style import FALLBACK, FLEXIBLE, Styles
from spanwise.readers.invisible import TINIEST, look_alike

_POINTS = 0.75
"""Points in a pixel."""
_BROAD = 24.0
"""Width in pixels of a border that is a background of its own."""
_THICK = 0.4
"""Width of a letter's stroke, relative to the font size, that leaves nothing of the fill."""
_PILED = 0.45
"""Letters condensed by this share of their size lie on top of one another."""
_LEAST_RELATIVE = 6.0
"""Smallest size in pixels at which browsers show a relative font size, except zero."""
_NO_SIZE = 1e-6
"""Font size that browsers treat as zero."""
_VIEW = 0.0, 0.0, 300.0, 150.0
"""The visible part of a drawing that declares no size."""
_PICTURES = "img, picture, video, canvas, svg, object, embed, iframe, input"
_DARK = Colour(18.0, 18.0, 18.0)
_ON_DARK = {"canvas": _DARK, "canvastext": WHITE}
"""System colours in a dark colour scheme."""
_TABLES = ("table", "inline-table")
_UNDRAWN = frozenset(("none", "table-column", "table-column-group"))
_PLAIN = frozenset(
    "abbr address article aside b bdi bdo blockquote center cite code dd del dfn dir div dl dt em fieldset figcaption "
    "figure footer form h1 h2 h3 h4 h5 h6 header hr i ins kbd label legend li main menu nav ol p pre q s samp search "
    "section span strike strong summary tbody td tfoot th thead time tr tt u ul var wbr br img".split()
)
"""Tags whose default style neither hides nor colours text."""
_TELLING = frozenset("style hidden bgcolor background color mathcolor text open popover href type data dir".split())
"""Attributes that affect the appearance of an element."""
_CHANGING = frozenset("invert brightness contrast opacity".split())
"""Filters that change what is behind an element."""
_SHOWN_KINDS = ("image/", "text/", "application/pdf", "application/xhtml", "video/", "audio/")
"""Media types of objects that a browser shows itself."""
_INHERITED = frozenset(
    "color-scheme color -webkit-text-fill-color font-size font-size-adjust visibility text-indent text-align direction "
    "letter-spacing white-space line-height -webkit-text-security text-shadow -webkit-text-stroke-width filter "
    "fill".split()
)
"""Properties without which an element inherits its whole appearance."""
_GROUNDS = frozenset("background-color background-image background-clip".split())
_LINK = frozenset(("href",))
_LINKED: tuple[tuple[str, str | None], ...] = (("href", None),)


Attributes: TypeAlias = Mapping[str, str | None]
Values: TypeAlias = Mapping[str, str]
"""Declared values, by property."""


class Visibility:
    """Computes the state of each element of a page from that of its parent."""

    def __init__(self, styles: Styles, hiding: Hiding, root: LexborNode, *, dark: bool) -> None:
        self._styles = styles
        self._hiding = hiding
        self._root_size = ROOT_SIZE
        self._pictured: dict[int, bool] = {}
        """Whether an element contains a picture, by its id."""
        self.page = State()
        self.page.holder = root
        self._columns: dict[int, list[LexborNode]] = {}
        """The column elements of each cell, for tables that have them."""
        self._drawings: dict[int, Drawing] = {}
        self._groups: dict[str, int] = {}
        """The first open `details` of each named group."""
        self._used: frozenset[str] | None = None
        """The ids of parts of drawings that a `use` draws; None until they are needed."""
        self.generates = styles.cascade.generates()
        self._shadows = root.css_first(ROOT) is not None
        if dark:
            self._darken(self.page)

    def reason(self, state: State, text: int) -> HiddenReason | None:
        """Why the text of node `text`, in an element of that state, is hidden; None if it is visible."""
        reason = state.reason
        if reason in (None, "no_contrast") and text in self._hiding.grounds and not _is_clear(state):
            ground, sure = self._hiding.grounds[text]
            if reason or sure:
                reason = "no_contrast" if blends(state, ground) else None
        return reason or self._hiding.reasons.get(text) or (None if self._hiding.letters.get(text, 1) else "clipped")

    def seen(self, text: int, words: str) -> int:
        """The number of leading characters of a text that are visible."""
        letters = self._hiding.letters.get(text)
        return len(words) if letters is None else end_of(words, letters)

    def enter(self, node: LexborNode, parent: State) -> State:
        """The state of an element, from that of its parent."""
        tag = node.tag or ""
        attributes = node.attributes
        if parent.gone is not None:
            return parent
        if not self._styles.elements and parent.simple and node.mem_id not in self._columns:
            # A link's target does not matter, only that there is one.
            names = _TELLING.intersection(attributes)
            telling = _LINKED if names == _LINK else tuple((name, attributes[name]) for name in sorted(names))
            if tag in _PLAIN and (not telling or telling == _LINKED) and not self._shadows:
                return parent
            if tag not in ("details", "select", "svg", "html") and not self._shadows:
                key = (tag, telling)
                known = parent.known.get(key)
                if known is None:
                    known = self._computed(node, attributes, parent)
                    if known.holder is parent.holder and known.display not in _TABLES:
                        parent.known[key] = known
                return known
        return self._computed(node, attributes, parent)

    def generated(self, side: str, node: LexborNode, around: State) -> tuple[str, HiddenReason | None]:
        """The text of a pseudo-element `before`, `after` or `marker`, and why it is hidden; None if it is visible."""
        values = self._styles.part(side, node, around.variables)
        words = "" if not values or values.get("display") == "none" else _words(values.get("content", "none"), node)
        if not values or not any(map(str.isalnum, words)):
            return "", None
        part = part_node(node, side)
        unseen = self._hiding.reasons.get(part) or (None if self._hiding.letters.get(part, 1) else "clipped")
        return words, self._unseen_part(node, values, around) or unseen

    def part_reason(self, name: str, node: LexborNode, around: State) -> HiddenReason | None:
        """Why a part that an element has of itself, such as its placeholder, is hidden; None if it is visible."""
        values = self._styles.part(name, node, around.variables)
        if name == DETAILS_CONTENT and not self._is_open(node, node.attributes):
            values = {"content-visibility": "hidden", **(values or {})}
        if not values or values.get("display") == "none":
            return "hidden_markup" if values else None
        return self._unseen_part(node, {"display": "block", **values}, around)

    def _unseen_part(self, node: LexborNode, values: Values, around: State) -> HiddenReason | None:
        state = around.copy()
        state.summary = None
        state.display = _display(values, around)
        self._inherit("", values, state, around)
        if state.display != "contents":
            place(node, {**values, "content": ""}, state, around)
            self._paint(node, values, state, around)
        return state.gone or self._reason(state)

    def _computed(self, node: LexborNode, attributes: Attributes, parent: State) -> State:
        styled = self._styles.of(node, parent.variables, around=parent.display, svg=bool(parent.svg))
        values, tag = styled.values, node.tag or ""
        state = parent.copy()
        state.summary, state.choosing = parent.summary if tag == "optgroup" else None, False
        state.variables = styled.variables
        state.display = _display(values, parent)
        state.simple = state.display not in FLEXIBLE and tag != "optgroup"
        state.gone = self._gone(node, attributes, state, parent)
        if state.gone is not None:
            state.reason = state.gone
            return state
        self._inherit(tag, values, state, parent)
        if state.display != "contents":
            place(node, values, state, parent)
            self._paint(node, values, state, parent)
        if state.gone is not None:
            state.reason = state.gone
            return state
        state.simple = state.simple and state.indent == state.block_indent
        state.shadow = shadow_of(node) if self._shadows else None
        state.simple = state.simple and state.shadow is None
        self._enter_special(node, attributes, values, state)
        state.reason = state.gone or ("closed" if state.summary == "wanted" else self._reason(state))
        return state

    def _gone(self, node: LexborNode, attributes: Attributes, state: State, parent: State) -> HiddenReason | None:
        """Why nothing in an element is drawn; None if it may be."""
        tag = node.tag or ""
        if tag == "option" and parent.summary == str(node.mem_id):
            return None  # A closed list always shows the selected option.
        if (
            state.display in _UNDRAWN
            or (tag in FALLBACK and not _falls_back(tag, attributes))
            or (tag.lower() in SVG_UNDRAWN and (parent.svg or "annotation" in tag) and not self._is_used(node))
        ):
            return "closed" if tag == "dialog" or "popover" in attributes else "hidden_markup"
        unslotted = parent.shadow is not None and tag != ROOT
        unchosen = parent.choosing and _is_other_choice(node)
        if unslotted or unchosen or (tag == ROOT and parent.shadow is None) or self._is_collapsed(node):
            return "hidden_markup"
        if parent.summary == "wanted" and tag == "summary":
            parent.summary = "seen"
        elif parent.summary is not None and (
            parent.summary in ("wanted", "seen") or (tag == "option" and parent.summary not in ("", str(node.mem_id)))
        ):
            return "closed"
        return None

    def _is_used(self, node: LexborNode) -> bool:
        """True if a `defs` or `symbol`, which is not drawn itself, has parts that a `use` draws."""
        if node.tag not in ("defs", "symbol"):
            return False
        if self._used is None:
            root = node
            while root.parent is not None:
                root = root.parent
            self._used = used(root)
        return any((one.attributes.get("id") or "") in self._used for one in [node, *node.css("[id]")])

    def _enter_special(self, node: LexborNode, attributes: Attributes, values: Values, state: State) -> None:
        """Update the state for elements that choose which of their children they show, tables and drawings."""
        tag = node.tag or ""
        if tag == "details" and self.part_reason(DETAILS_CONTENT, node, state) is not None:
            state.summary, state.simple = "wanted", False
        elif tag == "select":
            rows = attributes.get("size") or "1"
            listed = "multiple" in attributes or (rows.isdigit() and int(rows[:4]) > 1)
            state.summary, state.simple = "" if listed else _shown_option(node), False
        elif tag in ("maction", "switch"):
            state.choosing, state.simple = True, False
        elif state.display in _TABLES:
            state.table_ground = state.ground
            found = columns_of(node, self._kinds(node, state.variables))
            self._columns.update(found)
            state.simple = state.simple and not found
        elif tag == "svg" or state.svg:
            state.simple = False
            self._draw(node, attributes, values, state)

    def _kinds(self, table: LexborNode, variables: Values) -> Callable[[LexborNode], str]:
        """The function that gives the `display` of the elements in a table; it must be asked about outer ones first."""
        inherited = {table.mem_id: variables}

        def kind(node: LexborNode) -> str:
            around = inherited.get(node.parent.mem_id, variables) if node.parent is not None else variables
            styled = self._styles.of(node, around)
            inherited[node.mem_id] = styled.variables
            return styled.values.get("display", "inline")

        return kind

    def _is_open(self, details: LexborNode, attributes: Attributes) -> bool:
        """True for an open `details` that is the first of its group."""
        name = attributes.get("name")
        if "open" not in attributes or not name:
            return "open" in attributes
        return self._groups.setdefault(name, details.mem_id) == details.mem_id

    def _draw(self, node: LexborNode, attributes: Attributes, values: Values, state: State) -> None:
        """Update the state for a drawing or a part of one."""
        lower = (node.tag or "").lower()
        if lower == "svg" and not state.svg:
            state.fill = state.drawn
        if "url(" in (fill := values.get("fill", "")):
            state.fill = painted(node, fill, state.ground, state.colour, self._declared_in_drawing)
        if "url(" in (stroke := values.get("stroke", "")):
            _line(painted(node, stroke, state.ground, state.colour, self._declared_in_drawing), state)
        if lower == "svg" and not state.svg:
            sized = any(values.get(name, "auto") != "auto" for name in ("width", "height"))
            whole = view_of(attributes) or (None if sized or "viewbox" in attributes else _VIEW)
            state.view = None if "visible" in values.get("overflow-y", "") else whole
            state.scale *= shrunk(attributes)
            state.svg = "drawing"
        elif lower in ("text", "tspan"):
            self._write(node, attributes, state)
            state.svg = "text"
        elif lower == "foreignobject":
            if (drawing := self._drawing(node, state)) is not None:
                self._see(embedded_in(node, values, state, drawing), state)
            state.svg, state.simple, state.fill = "", True, None
        elif lower == "textpath" and named(node, f"url({address_in(attributes)})") is None:
            state.gone = "hidden_markup"

    def _declared_in_drawing(self, node: LexborNode) -> Values:
        return self._styles.of(node, svg=True).values

    def _write(self, node: LexborNode, attributes: Attributes, state: State) -> None:
        """Move the pen to the beginning of a text in a drawing, and determine what is around it."""
        told = {name: (attributes.get(name) or "").replace(",", " ").split()[:1] for name in ("x", "y", "dx", "dy")}
        places = {name: length(words[0], Scale(state.size)) if words else None for name, words in told.items()}
        x, y = state.pen if node.tag == "tspan" else (0.0, 0.0)
        x, y = (start if start is not None else old for start, old in ((places["x"], x), (places["y"], y)))
        state.pen = x + (places["dx"] or 0.0), y + (places["dy"] or 0.0)
        if (drawing := self._drawing(node, state)) is not None:
            self._see(text_in(node, state.pen, state, drawing), state)

    def _drawing(self, node: LexborNode, state: State) -> Drawing | None:
        """The shapes of the drawing that a node is in; None if it is in none."""
        whole = drawing_of(node)
        if whole is None:
            return None
        if whole.mem_id not in self._drawings:
            self._drawings[whole.mem_id] = shapes_of(whole, state.view)
        self._styles.cascade.steps.use(len(self._drawings[whole.mem_id].shapes))
        return self._drawings[whole.mem_id]

    @staticmethod
    def _see(found: Text, state: State) -> None:
        state.away = state.away or found.away
        state.ground = found.ground

    def _inherit(self, tag: str, values: Values, state: State, parent: State) -> None:
        """Update the state with inherited properties: colours, font size, visibility, text layout."""
        if not state.svg and _INHERITED.isdisjoint(values):
            if state.display not in INLINE and state.display != "contents":
                state.block_indent = 0.0 if state.leftwards else state.indent * state.begins
            return
        if "dark" in (scheme := values.get("color-scheme", "").split()) and "light" not in scheme and tag == "html":
            self._darken(state)
        if scheme:
            state.dark = "dark" in scheme and "light" not in scheme
        _colour(values, state)
        if (value := _set(values, "font-size")) is not None:
            size = font_size(value, parent.size, self._root_size)
            state.size = parent.size if size is None else size
            state.absolute = parent.absolute or not value.endswith(
                ("%", "em", "ex", "ch", "er", "medium", "small", "large")
            )
            state.absolute = state.absolute or value.endswith("rem")
            if tag == "html":
                self._root_size = state.size
        if _set(values, "font-size-adjust") in ("0", "0.0"):
            state.size = 0.0
        if (value := _set(values, "visibility")) is not None:
            state.visible = value == "visible"
        self._inherit_text(values, state)

    def _inherit_text(self, values: Values, state: State) -> None:
        scale = Scale(state.size, self._root_size, SCREEN[0])
        if (value := _set(values, "text-indent")) is not None:
            words = [token for token in tokens(value) if token.type != "ident"]
            indent = length(words[0].serialize(), scale) if words else None
            state.indent = indent or 0.0
        if (value := _set(values, "text-align")) is not None:
            state.begins = {"center": 0.5, "right": 0.0, "end": 0.0}.get(value, 1.0)
        if (value := _set(values, "direction")) is not None:
            state.leftwards = value == "rtl"
        if state.display not in INLINE and state.display != "contents":
            state.block_indent = 0.0 if state.leftwards else state.indent * state.begins
        if (value := _set(values, "letter-spacing")) is not None:
            state.spacing = length(value, scale) or 0.0
        if (value := _set(values, "white-space")) is not None:
            state.nowrap = value in ("nowrap", "pre")
        if (value := _set(values, "line-height")) is not None:
            state.lines = value
        if (value := _set(values, "-webkit-text-security")) is not None:
            state.secret = value not in ("none", "initial")
        self._outline(values, state, scale)

    @staticmethod
    def _outline(values: Values, state: State, scale: Scale) -> None:
        """Update the state for shadows and strokes, which may make uncoloured letters visible, or swallow them."""
        if (value := _set(values, "text-shadow")) is not None:
            own = any(name in values for name in ("background-color", "background-image", "filter", "mix-blend-mode"))
            ground = None if own else state.ground
            state.outlined = value not in ("none", "initial") and shows(value, state.colour, ground)
        width = _set(values, "-webkit-text-stroke-width")
        if width is not None and ((wide := length(width, scale)) or width in ("thin", "medium", "thick")):
            stroke = colour(_set(values, "-webkit-text-stroke-color") or "currentcolor", state.colour)
            ground = state.ground
            if stroke is None or ground is None or not look_alike(stroke[:3], ground[:3], stroke.alpha):
                state.outlined = True
            elif (wide or 0.0) >= _THICK * state.size and not values.get("paint-order", "normal").startswith("stroke"):
                state.fill = stroke
        if any(name == "drop-shadow" for name in _functions(values.get("filter", "none"))):
            shadows = [one for one in tokens(values["filter"]) if one.type == "function"]
            cast = (" ".join(one.serialize() for one in shadow.arguments) for shadow in shadows)
            state.outlined = state.outlined or any(shows(one, state.colour, state.ground) for one in cast)

    def _paint(self, node: LexborNode, values: Values, state: State, parent: State) -> None:
        """Update the state for the element's opacity, filters and background."""
        share = fraction(values.get("opacity", "1"))
        state.alpha *= 1.0 if share is None else share
        if (value := values.get("filter", "none")) != "none":
            state.alpha *= 0.0 if filters_all(node, value) else filtered(value, state.size)
        state.effects = (*effects(values, None if state.deepest_ground else state.ground), *state.effects)
        lowered = values.get("position", "static") != "static" and values.get("z-index", "auto").startswith("-")
        if lowered and not parent.bare:
            state.gone = "no_contrast"
        if node.mem_id in self._columns and parent.ground is parent.table_ground:  # its row paints none of its own
            self._fill(self._declared(self._columns[node.mem_id][0]), state)
        if any(name in _CHANGING for name in _functions(values.get("backdrop-filter", "none"))):
            state.ground = None
        self._fill(values, state)
        state.bare = state.bare or (node.tag == "body" and parent.bare)  # its ground is the canvas, behind everything
        wide = (length(word, Scale(state.size)) or 0.0 for word in values.get("border", "").split())
        if max(wide, default=0.0) > _BROAD:
            state.ground = None  # letters may run out of the box and over its border
        state.bare = state.bare or stacks(values, item=parent.display in FLEXIBLE)

    def _is_collapsed(self, cell: LexborNode) -> bool:
        columns = self._columns.get(cell.mem_id, [])
        return bool(columns) and all(self._declared(one).get("visibility") == "collapse" for one in columns)

    def _declared(self, column: LexborNode) -> Values:
        values, around = self._styles.of(column).values, column.parent
        if around is not None and self._styles.of(around).values.get("display") == "table-column-group":
            return {**self._declared(around), **{name: one for name, one in values.items() if name != "display"}}
        return values

    def _fill(self, values: Values, state: State) -> None:
        """Update the state for the backgrounds that an element paints, one over another."""
        if _GROUNDS.isdisjoint(values):
            return
        named = _set(values, "background-color") or "transparent"
        plain = (_ON_DARK.get(named) if state.dark else None) or colour(named, state.colour)
        image = values.get("background-image", "none")
        image = "none" if image == "inherit" and state.ground is not None else image
        image = "none" if "background-size" in values and is_dot(values["background-size"], state.size) else image
        pictured = image not in ("none", "initial")
        if not pictured and plain is not None and plain.alpha == 0:
            return
        layers = [plain, uniform(image, state.colour)] if pictured else [plain]
        if values.get("background-clip") == "text":
            painted, behind = layers[-1], state.ground
            if painted is None or behind is None or not look_alike(painted[:3], behind[:3], painted.alpha):
                state.outlined = True  # The ground shows through the letters.
            return
        for layer in layers:
            painted = None if layer is None else reduce(lambda colour, effect: effect(colour), state.effects, layer)
            if painted is None:
                state.ground = None
            elif painted.alpha >= 1:
                state.ground, state.floats = painted, False
            elif state.ground is not None:
                state.ground = painted.over(state.ground)
        state.deepest_ground = state.bare = False

    def _reason(self, state: State) -> HiddenReason | None:
        """The first reason why the text directly in an element is hidden; None if it is visible."""
        if not state.visible or state.secret or state.svg == "drawing" or state.shadow is not None:
            return "hidden_markup"
        size = state.size if state.absolute or state.size < _NO_SIZE else max(state.size, _LEAST_RELATIVE)
        if size * state.scale * _POINTS <= TINIEST:
            return "tiny"
        if state.away or state.spacing <= -_PILED * state.size:  # no one can scroll there, or letters lie on letters
            return "off_page"
        return "no_contrast" if blends(state, state.ground) and not self._over_picture(state) else None

    def _over_picture(self, state: State) -> bool:
        """True if letters may lie over a picture beside them in the source."""
        if _is_clear(state) or not state.floats or state.over is None:
            return False
        known = self._pictured.get(state.over.mem_id)
        if known is None:
            known = self._pictured[state.over.mem_id] = state.over.css_first(_PICTURES) is not None
        return known

    @staticmethod
    def _darken(state: State) -> None:
        state.ground, state.colour = _DARK, WHITE


def _is_clear(state: State) -> bool:
    """True if the letters are nearly transparent."""
    return (state.colour if state.fill is None else state.fill).alpha * state.alpha <= FAINT


def _display(values: Values, parent: State) -> str:
    """The `display` of a box, which is never inline in a flexible box, or if it floats or is positioned."""
    display = values.get("display", "inline")
    if display in ("inherit", "initial"):
        display = parent.display if display == "inherit" else "inline"
    out = values.get("position") in ("absolute", "fixed") or values.get("float", "none") not in ("none", "initial")
    if display == "inline" and (out or parent.display in FLEXIBLE):
        return "block"
    return display


def _set(values: Values, name: str) -> str | None:
    """A value that the element itself declares; None if it does not, or declares `inherit`."""
    value = values.get(name)
    return None if value is None or value == "inherit" else value


def _colour(values: Values, state: State) -> None:
    current = state.colour
    if (value := _set(values, "color")) is not None:
        found = (_ON_DARK.get(value) if state.dark else None) or colour(value, current)
        state.colour = current if found is None else found
    if not state.svg and (value := _set(values, "-webkit-text-fill-color")) is not None:
        state.fill = None if value in ("currentcolor", "initial") else colour(value, state.colour)
    if (value := _set(values, "fill")) is not None:
        state.drawn = CLEAR if value in NO_PAINT else None if value == "currentcolor" else colour(value, state.colour)
        state.drawn = BLACK if value == "initial" else state.drawn
        state.fill = state.drawn if state.svg else state.fill
    if state.svg and (opaque := fraction(values.get("fill-opacity", "1"))) is not None:
        state.alpha *= opaque
    if state.svg and (value := _set(values, "stroke")) is not None:
        _line(colour(value, state.colour), state)


def _line(stroke: Colour | None, state: State) -> None:
    """Letters with a line around them, which may show those without a colour of their own."""
    ground = state.ground
    state.outlined = stroke is not None and (ground is None or not look_alike(stroke[:3], ground[:3], stroke.alpha))


def _words(content: str, node: LexborNode) -> str:
    """The text of `content`: its strings, and the attributes that it names."""
    pieces = []
    for token in tokens(content):
        if token.type == "literal" and token.value == "/":  # what follows is only read aloud
            break
        if token.type == "string":
            pieces.append(token.value)
        elif token.type == "function" and token.lower_name == "attr":
            name = next((one.value for one in token.arguments if one.type == "ident"), "")
            pieces.append(node.attributes.get(name) or "")
    return "".join(pieces)


def _functions(value: str) -> list[str]:
    return [token.lower_name for token in tokens(value) if token.type == "function"]


def _is_other_choice(node: LexborNode) -> bool:
    """True for a child of a `switch` or `maction` that is not the first that may be shown."""
    around = node.parent
    if around is None or around.tag not in ("switch", "maction"):
        return False
    may = [one for one in beside(around.child) if one.is_element_node and _speaks(one)]
    return not may or may[0].mem_id != node.mem_id


def _speaks(node: LexborNode) -> bool:
    """False for a part of a drawing that is meant for readers of another language than English."""
    told = node.attributes
    asked = told.get("systemlanguage") or told.get("systemLanguage")
    return not asked or any(one.strip().lower().startswith("en") for one in asked.split(","))


def _falls_back(tag: str, attributes: Attributes) -> bool:
    """True for an `iframe` or `object` that shows its own content."""
    if tag == "iframe":
        return bool(attributes.get("srcdoc"))
    kind = attributes.get("type") or ""
    return tag == "object" and ("data" not in attributes or (bool(kind) and not kind.startswith(_SHOWN_KINDS)))


def _shown_option(node: LexborNode) -> str:
    """The id of the option that a closed `select` shows: the last selected one, else the first that can be selected."""
    options = node.css("option")
    chosen = [option for option in options if "selected" in option.attributes]
    usable = [option for option in options if "disabled" not in option.attributes]
    first: Sequence[LexborNode] = chosen[-1:] or usable[:1] or options[:1]
    return str(first[0].mem_id) if first else "none"
