"""The columns that the cells of a table stand in."""

from __future__ import annotations

from collections.abc import Iterator

from selectolax.lexbor import LexborNode

from spanwise.readers.html.shadows import beside

_MOST = 1_000
"""Columns that one cell, or one element for columns, may stand for (HTML)."""


def columns_of(table: LexborNode) -> dict[int, list[LexborNode]]:
    """The elements (`col`, or a `colgroup` without any) of the columns of each cell, by the cell."""
    columns = list(_columns(table))
    places = places_of(table) if columns else {}
    return {cell: columns[first:behind] for cell, (first, behind) in places.items() if first < len(columns)}


def places_of(table: LexborNode) -> dict[int, tuple[int, int]]:
    """The first column of each cell and the one behind its last, by the cell."""
    found: dict[int, tuple[int, int]] = {}
    for rows in _sections(table):
        taken: dict[int, int] = {}  # rows that a cell from above still takes, by column
        for row in rows:
            at, spans = 0, dict[int, int]()
            for cell in beside(row.child):
                if cell.tag not in ("td", "th"):
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


def _columns(table: LexborNode) -> Iterator[LexborNode]:
    for group in beside(table.child):
        inside = [one for one in beside(group.child) if one.tag == "col"] if group.tag == "colgroup" else []
        for one in inside or [group] if group.tag in ("col", "colgroup") else []:
            yield from [one] * _span(one, "span")


def _sections(table: LexborNode) -> Iterator[list[LexborNode]]:
    for section in beside(table.child):
        if section.tag in ("thead", "tbody", "tfoot"):
            yield [row for row in beside(section.child) if row.tag == "tr"]


def _span(cell: LexborNode, name: str) -> int:
    value = cell.attributes.get(name) or "1"
    return min(max(int(value[:4]), 1), _MOST) if value.isdecimal() else 1
