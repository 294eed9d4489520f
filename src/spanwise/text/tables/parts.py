"""Whose figure a row holds: one of the whole, or one of a part that its labels, heads and titles name."""

from __future__ import annotations

import re

from spanwise.text.tables.grid import Grid, GridRow

_OTHERS = re.compile(
    r"\b(?:segments?|parent company|pro forma|condensed|guarantors?|eliminations?|domestic|international"
    r"|discontinued)\b",
    re.IGNORECASE,
)
"""Words of a label, a head, a group or a title that make figures those of a part, not of the company."""
_MINORITY = re.compile(r"\b(?:non-?controlling|minority|redeemable)\b", re.IGNORECASE)
"""Words of a label that make a figure that of other owners."""


def of_a_part(grid: Grid, row: GridRow, asked: str) -> bool:
    """True if the table or the row says that it is of a part of the company, and the question names none."""
    named = " ".join((row.label, *row.groups, *grid.heads, grid.caption))
    found = [*_OTHERS.finditer(named), *_MINORITY.finditer(row.label)]
    return any(one.group().lower() not in asked for one in found)
