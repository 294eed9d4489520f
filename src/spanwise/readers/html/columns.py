"""The columns that the cells of a table stand in, whatever elements it is made of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from selectolax.lexbor import LexborNode

from spanwise.readers.html.shadows import beside

_MOST = 1_000
"""Columns that one cell, or one element for columns, may stand for (HTML)."""
_SECTIONS = frozenset("table-header-group table-row-group table-footer-group".split())
_Kind: TypeAlias = Callable[[LexborNode], str]
"""What kind of box (`display`) an element has."""


def columns_of(table: LexborNode, kind: _Kind) -> dict[int, list[LexborNode]]:
    """The elements (`col`, or a `colgroup` without any) of the columns of each cell, by the cell."""
    columns = list(_columns(table, kind))
    places = places_of(table, kind) if columns else {}
    return {cell: columns[first:behind] for cell, (first, behind) in places.items() if first < len(columns)}


def places_of(table: LexborNode, kind: _Kind) -> dict[int, tuple[int, int]]:
    """The first column of each cell and the one behind its last, by the cell."""
    found: dict[int, tuple[int, int]] = {}
    for rows in _sections(table, kind):
        taken: dict[int, int] = {}  # rows that a cell from above still takes, by column
        for row in rows:
            at, spans = 0, dict[int, int]()
            for cell in beside(row.child):
                if not cell.is_element_node or kind(cell) != "table-cell":
                    continue
                while taken.get(at, 0) > 0:
                    at += 1
                wide, high = _span(cell, "colspan"), _span(cell, "rowspan")
                found[cell.mem_id] = at, at + wide
                spans.update(dict.fromkeys(range(at, at + wide), high))
                at += wide
            taken = {column: left - 1 for column, left in taken.items() if left > 1}
            taken.update({column: high - 1 for column, high in spans.items() if high > 1})
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
    return min(max(int(value[:4]), 1), _MOST) if value.isdecimal() else 1
