"""The tables near what was found: of formats with pipes all that are near, of pages those with a head of years."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spanwise.domain.document import Line
from spanwise.domain.passage import Hit
from spanwise.store.evidence import as_written
from spanwise.store.port import Store
from spanwise.synthesis.extractive.tables.grid import Grid
from spanwise.synthesis.extractive.tables.piped import piped_grids
from spanwise.synthesis.extractive.tables.printed import printed_grids
from spanwise.text.rows import may_have_head

READ = 8
"""Hits that are looked around."""
REACH = 80
"""Lines before and after a hit that are read; a table that begins there is read on to its end."""
MOST_GRIDS = 12
_BEHIND_YEARS = frozenset("$\u20ac\u00a3\u00a5%()")
"""Characters besides spaces that may stand behind the last year of a head."""


def grids_near(hits: Sequence[Hit], store: Store) -> list[tuple[Grid, tuple[Line, ...]]]:
    """The tables near the best hits, each once, with the lines around them; the best hit's first."""
    found: list[tuple[Grid, tuple[Line, ...]]] = []
    seen: set[tuple[str, int]] = set()
    for document, first, last in _stretches(hits):
        if not any(_may_have_table(one.text) for one in as_written(store).passages(document, first, last)):
            continue
        lines = store.lines(document, first, last)
        text = "\n".join(line.text for line in lines)
        if not _may_have_table(text):
            continue
        piped = "|" in text
        for grid in piped_grids(document, lines) if piped else printed_grids(document, lines):
            if (document, grid.first) in seen:
                continue
            seen.add((document, grid.first))
            found.append((grid, lines))
            if len(found) >= MOST_GRIDS:
                return found
    return found


def _may_have_table(text: str) -> bool:
    """Whether lines, or one of the passages that hold all of them that say something, can have a table.

    Most have none, and to look at the passages costs a quarter of what it costs to make the lines.
    """
    # The last characters of lines that end with a year tell most lines apart before a pattern has to be looked for.
    return "|" in text or any(
        (line[-1].isdecimal() or line[-1].isspace() or line[-1] in _BEHIND_YEARS) and may_have_head(line)
        for line in text.split("\n")
        if line
    )


def _stretches(hits: Sequence[Hit]) -> Iterator[tuple[str, int, int]]:
    """The document, the first and the last line around each hit; those that an earlier hit covers are left out."""
    covered: dict[str, list[tuple[int, int]]] = {}
    for hit in hits[:READ]:
        passage = hit.passage
        ranges = covered.setdefault(passage.document, [])
        if any(first <= passage.line_start and passage.line_end <= last for first, last in ranges):
            continue
        first, last = max(1, passage.line_start - REACH), passage.line_end + REACH
        ranges.append((first, last))
        yield passage.document, first, last
