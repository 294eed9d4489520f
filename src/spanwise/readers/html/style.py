"""The computed style of each element: a browser's own style sheet, presentational attributes, and the page's sheets."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources
from types import MappingProxyType

import tinycss2
from selectolax.lexbor import LexborNode

from spanwise.readers.html.cascade import NO_VARIABLES, Cascade, Styled
from spanwise.readers.html.geometry import plain
from spanwise.readers.html.properties import declarations
from spanwise.readers.html.selectors import Element
from spanwise.readers.html.style_sheets import with_signs

FLEXIBLE = frozenset("flex inline-flex grid inline-grid -webkit-flex -webkit-inline-flex".split())
FALLBACK = frozenset("iframe object audio video canvas embed progress meter applet portal fencedframe".split())
"""Elements whose content shows only in a browser that does not support them."""
_ROWS = ("flex", "inline-flex")
_IMPLYING = frozenset("contain aspect-ratio flex overflow-clip-margin".split())
_LONGEST_LINE = 60
_BREAKS = "br, p, div, li, td, h1, h2, h3, h4, h5, h6, section, article"
_OF_LINES = ("color", "font-size", "-webkit-text-fill-color")
_SVG_ATTRIBUTES = (
    "fill", "fill-opacity", "stroke", "opacity", "display", "visibility", "font-size", "color", "transform",
    "clip-path", "mask", "stop-color", "stop-opacity",
)  # fmt: skip
_FIELDS = {
    **{kind: {"background-color": "#efefef"} for kind in ("submit", "reset", "button")},
    **{kind: {"background-color": "transparent"} for kind in "checkbox radio range file image color".split()},
    "hidden": {"display": "none"},
}
"""What a browser declares for an `input` by its type."""
_COLOURED = frozenset("body table tr td th thead tbody tfoot marquee".split())
_MOST_CHARACTERS = 200


def _browser_styles() -> dict[str, Mapping[str, str]]:
    """The declarations in `browser.css`, by tag."""
    text = resources.files("spanwise.readers.html").joinpath("browser.css").read_text(encoding="utf-8")
    found: dict[str, dict[str, str]] = {}
    for rule in tinycss2.parse_stylesheet(text, skip_comments=True, skip_whitespace=True):
        content = tinycss2.parse_blocks_contents(rule.content)
        for tag in tinycss2.serialize(rule.prelude).split(","):
            found.setdefault(tag.strip(), {}).update((name, value) for name, value, _ in declarations(content))
    return {tag: MappingProxyType(style) for tag, style in found.items()}


_BROWSER = _browser_styles()
_QUIRKY = {**_BROWSER, "table": MappingProxyType({**_BROWSER["table"], "font-size": "medium", "white-space": "normal"})}
_NOTHING: Mapping[str, str] = MappingProxyType({})


def display_of(node: LexborNode) -> str:
    """The `display` of an element in a browser's own style sheet."""
    return _BROWSER.get(node.tag or "", _NOTHING).get("display", "inline")


class Styles:
    """Computes the style of each element of a page."""

    def __init__(self, cascade: Cascade, elements: Mapping[int, Element], *, quirks: bool) -> None:
        self.cascade = cascade
        self.elements = elements
        self._quirks = quirks
        self._known: dict[int, Styled] = {}

    def of(
        self, node: LexborNode, variables: Mapping[str, str] = NO_VARIABLES, *, around: str = "", svg: bool = False
    ) -> Styled:
        """The declarations for an element, from a browser's own style sheet, the page's sheets and its attributes.

        `around` is the `display` of the box around it, `variables` are the inherited custom properties, and `svg` is
        True inside a drawing. The result is cached by the element.
        """
        known = self._known.get(node.mem_id)
        if known is None:
            known = self._known[node.mem_id] = self._computed(node, variables, around, svg=svg or node.tag == "svg")
        return known

    def part(self, name: str, node: LexborNode, variables: Mapping[str, str]) -> Mapping[str, str] | None:
        """The declarations for a pseudo-element; None if there are none."""
        element = self.elements.get(node.mem_id) if self.elements else None
        return None if element is None else self.cascade.part(name, element, variables)

    def _computed(self, node: LexborNode, variables: Mapping[str, str], around: str, *, svg: bool) -> Styled:
        tag, attributes = node.tag or "", node.attributes
        element = self.elements.get(node.mem_id) if self.elements else None
        browser = _of_browser(tag, attributes, quirks=self._quirks)
        hints = _of_attributes(tag, attributes, svg=svg) if attributes else ()
        style = attributes.get("style")
        style = with_signs(style) if style and self._quirks else style
        values, inner = self.cascade.declared(element, browser, hints, style, variables)
        if not values.keys().isdisjoint(_IMPLYING):
            values = plain(values, item=around in _ROWS)
        line = self.part("first-line", node, inner)
        if line is not None and "background-color" not in line and _is_one_line(node):
            values = {**values, **{name: line[name] for name in _OF_LINES if name in line}}
        return Styled(values, inner)


def _is_one_line(node: LexborNode) -> bool:
    """True if an element has only a few words and no line break, so that `::first-line` covers it all."""
    few = len(node.text(deep=True)[: _LONGEST_LINE + 1]) <= _LONGEST_LINE
    return few and all(one.mem_id == node.mem_id for one in node.css(_BREAKS))


def _of_browser(tag: str, attributes: Mapping[str, str | None], *, quirks: bool) -> Mapping[str, str]:
    """The declarations for an element in a browser's own style sheet."""
    style = (_QUIRKY if quirks else _BROWSER).get(tag, _NOTHING)
    if not attributes and tag != "dialog":
        return style
    changed: dict[str, str] = {}
    if tag == "a" and "href" in attributes:
        changed["color"] = "linktext"
    if tag == "input":
        changed.update(_FIELDS.get((attributes.get("type") or "").lower(), {}))
    if tag == "dialog" and "open" not in attributes:
        changed["display"] = "none"
    if "popover" in attributes:
        changed.update({"position": "fixed", "background-color": "canvas", "color": "canvastext"})
        if tag != "dialog" or "open" not in attributes:
            changed["display"] = "none"
    if (attributes.get("dir") or "").lower() in ("rtl", "ltr"):
        changed["direction"] = (attributes["dir"] or "").lower()
    if "hidden" in attributes and tag != "svg":
        if (attributes["hidden"] or "").strip().lower() == "until-found":
            changed["content-visibility"] = "hidden"
        else:
            changed["display"] = "none"
    return {**style, **changed} if changed else style


def _of_attributes(tag: str, attributes: Mapping[str, str | None], *, svg: bool) -> tuple[tuple[str, str], ...]:
    """The declarations of presentational attributes; any style sheet overrides them."""
    found: list[tuple[str, str]] = []
    if "bgcolor" in attributes and tag in _COLOURED:
        found.append(("background-color", _legacy_colour(attributes["bgcolor"])))
    if "background" in attributes and tag in _COLOURED and attributes["background"]:
        found.append(("background-image", "url(x)"))
    if tag == "body" and "text" in attributes:
        found.append(("color", _legacy_colour(attributes["text"])))
    if tag == "font" and "color" in attributes:
        found.append(("color", _legacy_colour(attributes["color"])))
    if "mathcolor" in attributes and tag.startswith("m"):
        found.append(("color", (attributes["mathcolor"] or "")[:_MOST_CHARACTERS]))
    if svg:
        found.extend(
            (name, (attributes[name] or "")[:_MOST_CHARACTERS].strip().lower())
            for name in _SVG_ATTRIBUTES
            if name in attributes
        )
    if tag.lower() in ("svg", "foreignobject", "iframe"):
        found.extend(
            (name, _pixels(attributes[name])) for name in ("width", "height") if attributes.get(name) is not None
        )
    return tuple(found)


def _pixels(value: str | None) -> str:
    value = (value or "").strip()[:_MOST_CHARACTERS]
    return f"{value}px" if value.replace(".", "", 1).isdigit() else value


def _legacy_colour(value: str | None) -> str:
    """A colour of an old attribute, in which the number sign may be missing and invalid digits count as zero."""
    value = (value or "").strip().lower()[:128]
    digits = value.removeprefix("#")
    if digits.isalpha() and not value.startswith("#") and not set(digits) <= set("abcdef"):
        return value  # A colour's name, or something invalid.
    if value.startswith("#") and len(digits) in (3, 6) and set(digits) <= set("0123456789abcdef"):
        return value
    digits = "".join(digit if digit in "0123456789abcdef" else "0" for digit in digits)
    if not digits:
        return value
    digits += "0" * (-len(digits) % 3)
    size = len(digits) // 3
    return "#" + "".join(digits[at : at + size].rjust(2, "0")[-8:][:2] for at in (0, size, 2 * size))
