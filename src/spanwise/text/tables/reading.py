"""The tables among lines of a document, whatever format it was read from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spanwise.domain.document import Line
from spanwise.text.tables.cells import cell_grids
from spanwise.text.tables.grid import Grid
from spanwise.text.tables.printed import printed_grids
from spanwise.text.tables.rows import may_have_head

_BEHIND_YEARS = frozenset("$\u20ac\u00a3\u00a5%()")
"""Characters besides spaces that may stand behind the last year of a head."""


def read_tables(document: str, lines: Sequence[Line]) -> Iterator[Grid]:
    """The tables among contiguous lines, in their order: printed rows under years, then rows of marked cells."""
    piped = [line for line in lines if "|" in line.text]
    printed = list(printed_grids(document, lines)) if len(piped) < 2 else []
    yield from printed
    for grid in cell_grids(document, lines):
        if not any(one.first <= grid.last and grid.first <= one.last for one in printed):
            yield grid


def may_have_table(text: str, *, rows: bool = False) -> bool:
    """True if lines can have a table; `rows` tells that a reader has marked rows among them."""
    # The last characters of lines that end with a year tell most lines apart before a pattern has to be looked for.
    return (
        rows
        or "|" in text
        or any(
            (line[-1].isdecimal() or line[-1].isspace() or line[-1] in _BEHIND_YEARS) and may_have_head(line)
            for line in text.split("\n")
            if line
        )
    )
