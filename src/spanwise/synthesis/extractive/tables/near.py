"""The tables near what was found, read with the lines around them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from spanwise.domain.document import Line
from spanwise.domain.passage import Hit, Passage
from spanwise.store.evidence import as_written
from spanwise.store.port import Store
from spanwise.text.tables.grid import Grid
from spanwise.text.tables.reading import may_have_table, read_tables

READ = 8
"""Hits that are looked around."""
REACH = 80
"""Lines before and after a hit that are read; a table that begins there is read on to its end."""
MOST_GRIDS = 12


@dataclass(frozen=True, slots=True)
class NearTable:
    """A table with the lines around it and the passage near which it was found."""

    grid: Grid
    lines: tuple[Line, ...]
    passage: Passage
    rank: int
    """Place of the passage among the hits."""


def tables_near(hits: Sequence[Hit], store: Store) -> list[NearTable]:
    """The tables near the best hits, each once; the best hit's first."""
    found: list[NearTable] = []
    seen: set[tuple[str, int]] = set()
    for rank, passage, first, last in _stretches(hits):
        document = passage.document
        # To look at the passages costs a quarter of what it costs to make the lines.
        if not any(_may_hold_table(one) for one in as_written(store).passages(document, first, last)):
            continue
        lines = store.lines(document, first, last)
        for grid in read_tables(document, lines):
            if (document, grid.first) in seen:
                continue
            seen.add((document, grid.first))
            found.append(NearTable(grid, lines, passage, rank))
            if len(found) >= MOST_GRIDS:
                return found
    return found


def _may_hold_table(passage: Passage) -> bool:
    return may_have_table(passage.text, rows=any(role == "table_row" for _, role in passage.blocks))


def _stretches(hits: Sequence[Hit]) -> Iterator[tuple[int, Passage, int, int]]:
    """The first and the last line around each hit; those that an earlier hit covers are left out."""
    covered: dict[str, list[tuple[int, int]]] = {}
    for rank, hit in enumerate(hits[:READ]):
        passage = hit.passage
        ranges = covered.setdefault(passage.document, [])
        if any(first <= passage.line_start and passage.line_end <= last for first, last in ranges):
            continue
        first, last = max(1, passage.line_start - REACH), passage.line_end + REACH
        ranges.append((first, last))
        yield rank, passage, first, last
