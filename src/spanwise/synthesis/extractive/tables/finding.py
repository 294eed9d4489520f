"""The tables near what was found: of formats with pipes all that are near, of pages those with a head of years."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spanwise.domain.document import Line
from spanwise.domain.passage import Hit
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


def grids_near(hits: Sequence[Hit], store: Store) -> list[tuple[Grid, tuple[Line, ...]]]:
    """The tables near the best hits, each once, with the lines around them; the best hit's first."""
    found: list[tuple[Grid, tuple[Line, ...]]] = []
    seen: set[tuple[str, int]] = set()
    for document, lines in _stretches(hits, store):
        text = "\n".join(line.text for line in lines)
        piped = "|" in text
        if not piped and not may_have_head(text):
            continue
        for grid in piped_grids(document, lines) if piped else printed_grids(document, lines):
            if (document, grid.first) in seen:
                continue
            seen.add((document, grid.first))
            found.append((grid, lines))
            if len(found) >= MOST_GRIDS:
                return found
    return found


def _stretches(hits: Sequence[Hit], store: Store) -> Iterator[tuple[str, tuple[Line, ...]]]:
    """The lines around each hit; those that an earlier hit covers are left out."""
    covered: dict[str, list[tuple[int, int]]] = {}
    for hit in hits[:READ]:
        passage = hit.passage
        ranges = covered.setdefault(passage.document, [])
        if any(first <= passage.line_start and passage.line_end <= last for first, last in ranges):
            continue
        first, last = max(1, passage.line_start - REACH), passage.line_end + REACH
        lines = store.lines(passage.document, first, last)
        if lines:
            ranges.append((lines[0].number, lines[-1].number))
            yield passage.document, lines
