"""The nodes of a page as they are rendered: shadow trees in their hosts, and table cells in their columns."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TypeAlias

from selectolax.lexbor import LexborNode

ROOT = "shadow-root"
"""The tag of the element that replaces a template with a shadow tree."""
_TEMPLATE = re.compile(r"<(/?)template\b([^<>]{0,1000})>", re.IGNORECASE)
_DECLARED = re.compile(r"\bshadowrootmode\s{0,8}=\s{0,8}[\"']?(?:open|closed)\b", re.IGNORECASE)

_HOSTS = frozenset("article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span".split())
"""Standard tags that may have a shadow tree, apart from custom elements."""


def with_shadows(text: str) -> str:
    """The source of a page in which each template that declares a shadow tree is replaced by an element `ROOT`."""
    if "shadowrootmode" not in text.lower():
        return text
    pieces: list[str] = []
    opened: list[bool] = []
    end = 0
    for match in _TEMPLATE.finditer(text):
        shadow = _DECLARED.search(match[2]) is not None and all(opened)
        if not match[1]:
            opened.append(shadow)
        elif opened:
            shadow = opened.pop()
        if shadow:
            pieces += [text[end : match.start()], f"<{match[1]}{ROOT}>"]
            end = match.end()
    return "".join([*pieces, text[end:]])


def flat(root: LexborNode) -> Callable[[LexborNode], Iterator[LexborNode]]:
    """The function that gives the rendered children of an element of this page."""
    return inside if root.css_first(ROOT) is None else _Flat().children


def inside(node: LexborNode) -> Iterator[LexborNode]:
    """The children of an element in the source."""
    return beside(node.child)


class _Flat:
    """The page as rendered: a host shows its shadow tree, whose slots show the host's own children."""

    def __init__(self) -> None:
        self._hosts: dict[int, dict[int, list[LexborNode]]] = {}
        """For each host the nodes that each slot shows, by the slot's id; those without a slot under 0."""

    def children(self, node: LexborNode) -> Iterator[LexborNode]:
        """The rendered children of an element; a host's children without a slot come last, and are hidden."""
        if node.tag == "slot" and (host := _host_of(node)) is not None:
            slotted = self._slotted(host).get(node.mem_id, [])
            if any(not one.is_text_node or (one.text_content or "").strip() for one in slotted):
                return iter(slotted)
        elif (shadow := shadow_of(node)) is not None:
            return iter([shadow, *self._slotted(node).get(0, [])])
        return inside(node)

    def _slotted(self, host: LexborNode) -> dict[int, list[LexborNode]]:
        found = self._hosts.get(host.mem_id)
        if found is None:
            shadow, slots = shadow_of(host), dict[str, int]()
            for slot in [] if shadow is None else shadow.css("slot"):  # the first one of each name
                slots.setdefault(slot.attributes.get("name") or "", slot.mem_id)
            found = self._hosts[host.mem_id] = {}
            for one in inside(host):
                if one.tag != ROOT:
                    name = one.attributes.get("slot") or "" if one.is_element_node else ""
                    found.setdefault(slots.get(name, 0), []).append(one)
        return found


def shadow_of(node: LexborNode) -> LexborNode | None:
    """The shadow tree that an element shows in place of its children; None if it has none."""
    tag = node.tag or ""
    return next((one for one in beside(node.child) if one.tag == ROOT), None) if tag in _HOSTS or "-" in tag else None


def beside(node: LexborNode | None) -> Iterator[LexborNode]:
    """A node and its following siblings."""
    while node is not None:
        yield node
        node = node.next


def _host_of(node: LexborNode) -> LexborNode | None:
    at: LexborNode | None = node
    while at is not None and at.tag != ROOT:
        at = at.parent
    return None if at is None or at.parent is None or shadow_of(at.parent) is None else at.parent


_MOST_COLUMNS = 1_000
"""Most columns that a cell or a `col` may span (HTML standard), and that spans are followed over."""
_SECTIONS = frozenset("table-header-group table-row-group table-footer-group".split())
_Kind: TypeAlias = Callable[[LexborNode], str]
"""A function that gives the `display` of an element."""


def columns_of(table: LexborNode, kind: _Kind) -> dict[int, list[LexborNode]]:
    """The `col` and `colgroup` elements of each cell's columns, by the cell's id."""
    columns = list(_columns(table, kind))
    places = places_of(table, kind) if columns else {}
    return {cell: columns[first:behind] for cell, (first, behind) in places.items() if first < len(columns)}


def places_of(table: LexborNode, kind: _Kind) -> dict[int, tuple[int, int]]:
    """The first column of each cell and the column after its last, by the cell's id."""
    found: dict[int, tuple[int, int]] = {}
    for rows in _sections(table, kind):
        taken: dict[int, int] = {}  # rows that a cell from above still spans, by column
        for row in rows:
            at, spans = 0, dict[int, int]()
            for cell in beside(row.child):
                if not cell.is_element_node or kind(cell) != "table-cell":
                    continue
                while taken.get(at, 0) > 0:
                    at += 1
                wide, high = min(_span(cell, "colspan"), max(1, _MOST_COLUMNS - at)), _span(cell, "rowspan")
                found[cell.mem_id] = at, at + wide
                spans.update(dict.fromkeys(range(at, at + wide), high))
                at += wide
            taken = {column: left - 1 for column, left in taken.items() if left > 1}
            taken.update({column: high - 1 for column, high in spans.items() if high > 1 and column < _MOST_COLUMNS})
    return found


def _columns(table: LexborNode, kind: _Kind) -> Iterator[LexborNode]:
    for group in _elements(table):
        found = kind(group)
        grouped = [one for one in _elements(group) if kind(one) == "table-column"] if found.endswith("-group") else []
        for one in grouped or [group] if found in ("table-column", "table-column-group") else []:
            yield from [one] * _span(one, "span")


def _sections(table: LexborNode, kind: _Kind) -> Iterator[list[LexborNode]]:
    loose = [row for row in _elements(table) if kind(row) == "table-row"]
    if loose:
        yield loose
    for section in _elements(table):
        if kind(section) in _SECTIONS:
            yield [row for row in _elements(section) if kind(row) == "table-row"]


def _elements(node: LexborNode) -> Iterator[LexborNode]:
    return (one for one in beside(node.child) if one.is_element_node)


def _span(cell: LexborNode, name: str) -> int:
    value = cell.attributes.get(name) or "1"
    return min(max(int(value[:4]), 1), _MOST_COLUMNS) if value.isdecimal() else 1
