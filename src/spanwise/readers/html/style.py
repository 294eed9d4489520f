"""The computed style of each element of a page, reckoned once for whoever asks."""

from __future__ import annotations

from collections.abc import Mapping

from selectolax.lexbor import LexborNode

from spanwise.readers.html.cascade import NO_VARIABLES, Cascade, Styled
from spanwise.readers.html.defaults import of_attributes, of_browser
from spanwise.readers.html.geometry import plain
from spanwise.readers.html.selectors import Element
from spanwise.readers.html.sheets import with_signs

FLEXIBLE = frozenset("flex inline-flex grid inline-grid -webkit-flex -webkit-inline-flex".split())
_ROWS = ("flex", "inline-flex")
_IMPLYING = frozenset("contain aspect-ratio flex overflow-clip-margin".split())
_LONGEST_LINE = 60
_BREAKS = "br, p, div, li, td, h1, h2, h3, h4, h5, h6, section, article"
_OF_LINES = ("color", "font-size", "-webkit-text-fill-color")


class Styles:
    """Computes the style of each element of one page."""

    def __init__(self, cascade: Cascade, elements: Mapping[int, Element], *, quirks: bool) -> None:
        self.cascade = cascade
        self.elements = elements
        self._quirks = quirks
        self._known: dict[int, Styled] = {}

    def of(
        self, node: LexborNode, variables: Mapping[str, str] = NO_VARIABLES, *, around: str = "", svg: bool = False
    ) -> Styled:
        """What is declared for an element, by a browser's own style sheet, the page's and its attributes.

        Args:
            node: The element.
            variables: The custom properties of what is around it.
            around: The kind of box (`display`) that is around it.
            svg: Whether it is a part of a drawing.
        """
        known = self._known.get(node.mem_id)
        if known is None:
            known = self._known[node.mem_id] = self._computed(node, variables, around, svg=svg or node.tag == "svg")
        return known

    def part(self, name: str, node: LexborNode, variables: Mapping[str, str]) -> Mapping[str, str] | None:
        """What is declared for a part of an element (`before`, `after`, `marker`), if anything is."""
        element = self.elements.get(node.mem_id) if self.elements else None
        return None if element is None else self.cascade.part(name, element, variables)

    def shows_closed_details(self, node: LexborNode) -> bool:
        """True if a rule shows the content of a `details` that is closed."""
        return self.cascade.shows_closed_details(self.elements.get(node.mem_id))

    def _computed(self, node: LexborNode, variables: Mapping[str, str], around: str, *, svg: bool) -> Styled:
        tag, attributes = node.tag or "", node.attributes
        element = self.elements.get(node.mem_id) if self.elements else None
        browser = of_browser(tag, attributes, quirks=self._quirks)
        hints = of_attributes(tag, attributes, svg=svg) if attributes else ()
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
    """True if an element holds a few words and nothing that breaks their line: `::first-line` is all of it."""
    few = len(node.text(deep=True)[: _LONGEST_LINE + 1]) <= _LONGEST_LINE
    return few and all(one.mem_id == node.mem_id for one in node.css(_BREAKS))
