"""What of a page a reader sees: follows the walk through its elements and says why the text in one is hidden."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce

from selectolax.lexbor import LexborNode

from spanwise.domain.document import HiddenReason
from spanwise.readers.html.boxes import Hiding
from spanwise.readers.html.cascade import Cascade
from spanwise.readers.html.defaults import FALLBACK, SVG_TEXT, SVG_UNDRAWN, of_attributes, of_browser
from spanwise.readers.html.drawings import outside, shrunk, view_of
from spanwise.readers.html.flow import flow_in
from spanwise.readers.html.geometry import FAR, filtered, is_dot
from spanwise.readers.html.paint import FAINT, blends, effects, shows, stacks, uniform
from spanwise.readers.html.placement import FLEXIBLE, INLINE, place
from spanwise.readers.html.selectors import Element
from spanwise.readers.html.shadows import ROOT
from spanwise.readers.html.sheets import with_signs
from spanwise.readers.html.state import State
from spanwise.readers.html.values import (
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
from spanwise.readers.invisible import TINIEST, look_alike

_POINTS = 0.75
"""Points of a pixel."""
_LONGEST_LINE = 60
_BREAKS = "br, p, div, li, td, h1, h2, h3, h4, h5, h6, section, article"
_OF_LINES = ("color", "font-size", "-webkit-text-fill-color")
_PILED = 0.45
"""Letters that move together by this share of their size stand on one another."""
_LEAST_RELATIVE = 6.0
"""Pixels: browsers show no smaller size that is a share of a parent's, except zero."""
_NO_SIZE = 1e-6
"""What browsers take for zero."""
_VIEW = 0.0, 0.0, 300.0, 150.0
"""What is shown of a drawing that declares no size."""
_SHAPES = "rect, circle, ellipse, path, polygon, polyline, line, image, use"
_PICTURES = "img, picture, video, canvas, svg, object, embed, iframe, input"
_DARK = Colour(18.0, 18.0, 18.0)
_UNDRAWN = frozenset(("none", "table-column", "table-column-group"))
_PLAIN = frozenset(
    "abbr address article aside b bdi bdo blockquote center cite code dd del dfn dir div dl dt em fieldset figcaption "
    "figure footer form h1 h2 h3 h4 h5 h6 header hr i ins kbd label legend li main menu nav ol p pre q s samp search "
    "section span strike strong summary tbody td tfoot th thead time tr tt u ul var wbr br img".split()
)
"""Tags without anything in a browser's own styles that hides or colours text."""
_TELLING = frozenset("style hidden bgcolor background color mathcolor text open popover href type data".split())
"""Attributes that change how an element looks."""
_LINK = frozenset(("href",))
_LINKED: tuple[tuple[str, str | None], ...] = (("href", None),)


class Visibility:
    """Computes the state of each element of one page from that of its parent."""

    def __init__(self, cascade: Cascade, root: LexborNode, *, quirks: bool, dark: bool) -> None:
        self._cascade = cascade
        self._quirks = quirks
        self._root_size = ROOT_SIZE
        self._pictured: dict[int, bool] = {}
        """Whether there is a picture in an element."""
        self.hiding = Hiding(frozenset(), {})
        self.page = State()
        self.page.holder = root
        self._shadows = root.css_first(ROOT) is not None
        if dark:
            self._darken(self.page)

    def reason(self, state: State, text: int) -> HiddenReason | None:
        """Why a text in an element of that state is not seen, by its node."""
        reason = state.reason
        if reason in (None, "no_contrast") and text in self.hiding.grounds and not _is_clear(state):
            ground, sure = self.hiding.grounds[text]
            if reason or sure:
                reason = "no_contrast" if blends(state, ground) else None
        return reason or ("covered" if text in self.hiding.covered else None)

    def enter(self, node: LexborNode, element: Element | None, parent: State) -> State:
        """The state of an element in a parent with the given state."""
        tag = node.tag or ""
        attributes = node.attributes
        if parent.gone is not None:
            return parent
        if element is None and parent.simple:
            # Where a link leads makes no difference, that it is one does.
            names = _TELLING.intersection(attributes)
            telling = _LINKED if names == _LINK else tuple((name, attributes[name]) for name in sorted(names))
            if tag in _PLAIN and (not telling or telling == _LINKED) and not self._shadows:
                return parent
            if tag not in ("details", "select", "svg", "html") and not self._shadows:
                key = (tag, telling)
                known = parent.known.get(key)
                if known is None:
                    known = self._computed(node, tag, attributes, None, parent)
                    if known.holder is parent.holder:
                        parent.known[key] = known
                return known
        return self._computed(node, tag, attributes, element, parent)

    def _computed(
        self,
        node: LexborNode,
        tag: str,
        attributes: Mapping[str, str | None],
        element: Element | None,
        parent: State,
    ) -> State:
        svg = bool(parent.svg) or tag == "svg"
        browser = of_browser(tag, attributes, quirks=self._quirks)
        hints = of_attributes(tag, attributes, svg=svg) if attributes else ()
        style = attributes.get("style")
        style = with_signs(style) if style and self._quirks else style
        styled = self._cascade.declared(element, browser, hints, style, parent.variables)
        values = styled.values
        line = None if element is None else self._cascade.part("first-line", element, styled.variables)
        if line is not None and "background-color" not in line and _is_one_line(node):
            values = {**values, **{name: line[name] for name in _OF_LINES if name in line}}
        bare = values is browser and styled.variables is parent.variables
        if bare and parent.simple and not self._shadows and tag in _PLAIN and _TELLING.isdisjoint(attributes):
            return parent
        state = parent.copy()
        state.summary = None
        state.variables = styled.variables
        state.display = _display(values, parent)
        state.simple = state.display not in FLEXIBLE
        state.gone = self._gone(node, tag, attributes, state, parent)
        if state.gone is not None:
            state.reason = state.gone
            return state
        self._inherit(tag, values, state, parent)
        if state.display != "contents":
            place(node, values, state, parent, self._root_size)
            state.flow = flow_in(node, values, state, parent)
            self._paint(values, state, parent)
        if state.gone is not None:
            state.reason = state.gone
            return state
        state.simple = state.simple and state.indent == state.block_indent
        state.shadow = _shadow_of(node) if self._shadows else None
        state.simple = state.simple and state.shadow is None
        self._enter_special(node, tag, attributes, element, values, state, parent)
        state.reason = "closed" if state.summary == "wanted" else self._reason(state)
        return state

    def _gone(
        self, node: LexborNode, tag: str, attributes: Mapping[str, str | None], state: State, parent: State
    ) -> HiddenReason | None:
        """Why nothing in an element is drawn."""
        if (
            state.display in _UNDRAWN
            or (tag in FALLBACK and (tag != "object" or "data" in attributes))
            or (tag in SVG_UNDRAWN and (parent.svg or "annotation" in tag))
        ):
            return "closed" if tag == "dialog" or "popover" in attributes else "hidden_markup"
        hosted = parent.shadow is not None and tag != ROOT
        unslotted = hosted and not _has_slot(parent.shadow, attributes.get("slot") or "")
        if unslotted or (parent.svg and _is_other_choice(node)):
            return "hidden_markup"
        if parent.summary is None:
            return None
        if parent.summary == "wanted" and tag == "summary":
            parent.summary = "seen"
            return None
        if parent.summary in ("wanted", "seen") or (tag == "option" and parent.summary not in ("", str(node.mem_id))):
            return "closed"
        return None

    def _enter_special(
        self,
        node: LexborNode,
        tag: str,
        attributes: Mapping[str, str | None],
        element: Element | None,
        values: Mapping[str, str],
        state: State,
        parent: State,
    ) -> None:
        """Elements that choose which of their children they show."""
        if tag == "details" and "open" not in attributes and not self._cascade.shows_closed_details(element):
            state.summary, state.simple = "wanted", False
        elif tag == "select":
            rows = attributes.get("size") or "1"
            listed = "multiple" in attributes or (rows.isdigit() and int(rows[:4]) > 1)
            state.summary, state.simple = "" if listed else _shown_option(node), False
        elif tag == "optgroup":
            state.summary, state.simple = parent.summary, False
        elif tag == "svg":
            nested, state.svg, state.simple = state.svg, "drawing", False
            sized = any(values.get(name, "auto") != "auto" for name in ("width", "height"))
            whole = view_of(attributes) or (None if sized or "viewbox" in attributes else _VIEW)
            state.view = None if nested or "visible" in values.get("overflow-y", "") else whole
            state.scale *= 1.0 if nested else shrunk(attributes)
            if not nested and node.css_first(_SHAPES) is not None:
                state.ground = None
        elif state.svg:
            moves = (length(attributes.get(name) or "0", Scale()) or 0.0 for name in ("x", "y", "dx", "dy"))
            state.away = state.away or min(moves) <= -FAR or outside(node, tag, attributes, state)
            state.simple = state.simple and tag != "switch"
            if tag in SVG_TEXT:
                state.svg = "" if tag.lower() == "foreignobject" else "text"
                state.simple = tag.lower() == "foreignobject"

    def _inherit(self, tag: str, values: Mapping[str, str], state: State, parent: State) -> None:
        """What children take over: colours, sizes, visibility."""
        if "dark" in (scheme := values.get("color-scheme", "").split()) and "light" not in scheme and tag == "html":
            self._darken(state)
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

    def _inherit_text(self, values: Mapping[str, str], state: State) -> None:
        scale = Scale(state.size, self._root_size, SCREEN[0])
        if (value := _set(values, "text-indent")) is not None:
            words = [token for token in tokens(value) if token.type != "ident"]
            indent = length(words[0].serialize(), scale) if words else None
            state.indent = indent or 0.0
        if state.display not in INLINE and state.display != "contents":
            state.block_indent = state.indent
        if (value := _set(values, "letter-spacing")) is not None:
            state.spacing = length(value, scale) or 0.0
        if (value := _set(values, "white-space")) is not None:
            state.nowrap = value in ("nowrap", "pre")
        if (value := _set(values, "line-height")) is not None:
            state.lines = value
        if (value := _set(values, "-webkit-text-security")) is not None:
            state.secret = value not in ("none", "initial")
        if (value := _set(values, "text-shadow")) is not None:
            own = any(name in values for name in ("background-color", "background-image", "filter", "mix-blend-mode"))
            ground = None if own else state.ground
            state.outlined = value not in ("none", "initial") and shows(value, state.colour, ground)
        width = _set(values, "-webkit-text-stroke-width")
        if width is not None and (length(width, scale) or width in ("thin", "medium", "thick")):
            stroke = colour(_set(values, "-webkit-text-stroke-color") or "currentcolor", state.colour)
            ground = state.ground
            if stroke is None or ground is None or not look_alike(stroke[:3], ground[:3], stroke.alpha):
                state.outlined = True

    def _paint(self, values: Mapping[str, str], state: State, parent: State) -> None:
        """The ground of the element and how opaque all of it is."""
        share = fraction(values.get("opacity", "1"))
        state.alpha *= 1.0 if share is None else share
        if (value := values.get("filter", "none")) != "none":
            state.alpha *= filtered(value, state.size)
        state.effects = (*effects(values, None if state.deepest_ground else state.ground), *state.effects)
        mask = values.get("mask-image", "none")
        if "gradient(" in mask and (painted := uniform(mask, state.colour)) is not None:
            state.alpha *= painted.alpha
        lowered = values.get("position", "static") != "static" and values.get("z-index", "auto").startswith("-")
        if lowered and not parent.bare:
            state.gone = "no_contrast"
        self._fill(values, state)
        state.bare = state.bare or stacks(values, item=parent.display in FLEXIBLE)

    def _fill(self, values: Mapping[str, str], state: State) -> None:
        painted = colour(_set(values, "background-color") or "transparent", state.colour)
        image = values.get("background-image", "none")
        image = "none" if image == "inherit" and state.ground is not None else image
        image = "none" if is_dot(values.get("background-size", "auto"), state.size) else image
        if image in ("none", "initial") and painted is not None and painted.alpha == 0:
            return
        if image not in ("none", "initial"):
            painted = uniform(image, state.colour)
        if values.get("background-clip") == "text":
            behind = state.ground
            if painted is None or behind is None or not look_alike(painted[:3], behind[:3], painted.alpha):
                state.outlined = True  # The ground shows through the letters.
            return
        if painted is not None:
            painted = reduce(lambda colour, effect: effect(colour), state.effects, painted)
        if painted is None:
            state.ground = None
        elif painted.alpha >= 1:
            state.ground, state.floats = painted, False
        elif state.ground is not None:
            state.ground = painted.over(state.ground)
        state.deepest_ground = state.bare = False

    def _reason(self, state: State) -> HiddenReason | None:
        """Why the text directly in an element is not seen."""
        size = state.size if state.absolute or state.size < _NO_SIZE else max(state.size, _LEAST_RELATIVE)
        reasons: dict[HiddenReason, bool] = {
            "hidden_markup": not state.visible
            or state.secret
            or state.svg == "drawing"
            or (state.shadow is not None and not _has_slot(state.shadow, "")),
            "clipped": state.clip_flow,
            "tiny": size * state.scale * _POINTS <= TINIEST,
            "off_page": state.away
            or state.beside
            or state.block_indent + max(state.shift, 0.0) <= -FAR
            or state.spacing <= -_PILED * state.size,
        }
        found = next((reason for reason, holds in reasons.items() if holds), None)
        if found is None and blends(state, state.ground) and not self._over_picture(state):
            return "no_contrast"
        return found

    def _over_picture(self, state: State) -> bool:
        """True if letters may lie over a picture that is not around them but beside."""
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
    """True if next to nothing of the colour of letters is painted."""
    return (state.colour if state.fill is None else state.fill).alpha * state.alpha <= FAINT


def _display(values: Mapping[str, str], parent: State) -> str:
    """The kind of box; in a flexible box, floating or placed it is never inline."""
    display = values.get("display", "inline")
    if display in ("inherit", "initial"):
        display = parent.display if display == "inherit" else "inline"
    out = values.get("position") in ("absolute", "fixed") or values.get("float", "none") not in ("none", "initial")
    if display == "inline" and (out or parent.display in FLEXIBLE):
        return "block"
    return display


def _set(values: Mapping[str, str], name: str) -> str | None:
    """A value that is declared for the element itself."""
    value = values.get(name)
    return None if value is None or value == "inherit" else value


def _colour(values: Mapping[str, str], state: State) -> None:
    current = state.colour
    if (value := _set(values, "color")) is not None:
        found = colour(value, current)
        state.colour = current if found is None else found
    for name in ("-webkit-text-fill-color", "fill") if state.svg else ("-webkit-text-fill-color",):
        if (value := _set(values, name)) is not None:
            state.fill = None if value in ("currentcolor", "initial") else colour(value, state.colour)
            if name == "fill" and value == "none":
                state.fill = Colour(0.0, 0.0, 0.0, 0.0)
    if state.svg and (opaque := fraction(values.get("fill-opacity", "1"))) is not None:
        state.alpha *= opaque
    if state.svg and (value := _set(values, "stroke")) is not None:
        stroke, ground = colour(value, state.colour), state.ground
        state.outlined = stroke is not None and (ground is None or not look_alike(stroke[:3], ground[:3], stroke.alpha))


def _is_other_choice(node: LexborNode) -> bool:
    """True for a part of a drawing's `switch` that is not its first."""
    if node.parent is None or node.parent.tag != "switch":
        return False
    before = node.prev
    while before is not None and not before.is_element_node:
        before = before.prev
    return before is not None


def _shadow_of(node: LexborNode) -> LexborNode | None:
    """The shadow tree that an element shows in place of what stands in it."""
    child = node.child
    while child is not None and child.tag != ROOT:
        child = child.next
    return child


def _has_slot(shadow: LexborNode | None, name: str) -> bool:
    """True if a shadow tree has a place for what has that name, or none."""
    return shadow is not None and any((slot.attributes.get("name") or "") == name for slot in shadow.css("slot"))


def _is_one_line(node: LexborNode) -> bool:
    """True if an element holds a few words and nothing that breaks their line: `::first-line` is all of it."""
    few = len(node.text(deep=True)[: _LONGEST_LINE + 1]) <= _LONGEST_LINE
    return few and all(one.mem_id == node.mem_id for one in node.css(_BREAKS))


def _shown_option(node: LexborNode) -> str:
    """Which option a closed `select` shows: the last one selected, else the first that can be."""
    options = node.css("option")
    chosen = [option for option in options if "selected" in option.attributes]
    usable = [option for option in options if "disabled" not in option.attributes]
    first: Sequence[LexborNode] = chosen[-1:] or usable[:1] or options[:1]
    return str(first[0].mem_id) if first else "none"
