"""The tables near what was found, read with the lines around them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from spanwise.domain.document import Line
from spanwise.domain.passage import Hit, Passage
from spanwise.store.evidence_store import as_written
from spanwise.store.port import Store
from spanwise.text.sentences import place_of
from spanwise.text.tables.grid import Grid
from spanwise.text.tables.table_reading import may_have_table, may_head, read_tables

READ = 8
"""Hits that are looked around."""
REACH = 80
"""Lines before and after a hit that are read; a table that begins there is read on to its end."""
MOST_GRIDS = 16
MOST_TABLELESS = 8_192
"""Stretches without tables that are remembered of one state of a corpus: 2 MB."""
_HEAD = 8
"""Lines at the top of a sheet among which the heads of its columns stand."""


@dataclass(frozen=True, slots=True)
class NearTable:
    """A table with the lines around it and the passage near which it was found."""

    grid: Grid
    lines: tuple[Line, ...]
    passage: Passage
    rank: int
    """Place of the passage among the hits."""
    whole: bool = True
    """False where only some of its rows were read, of which nothing can be counted or compared."""


def tables_near(hits: Sequence[Hit], store: Store) -> list[NearTable]:
    """The tables near the best hits, each once; the best hit's first."""
    found: list[NearTable] = []
    seen: set[tuple[str, int]] = set()
    for rank, passage, first, last in _stretches(hits, store):
        document = passage.document
        written = as_written(store)
        if not _may_hold_table(written, document, first, last):
            continue
        head, lines = read = _lines(written, document, first, last)
        grids = list(read_tables(document, (*head, *lines)))
        # What the lines order is looked for where they hold a table: it costs more than to read one.
        if grids and written is not store and (evidence := _lines(store, document, first, last)) != read:
            head, lines = evidence
            grids = list(read_tables(document, (*head, *lines)))
        behind = bool(lines) and lines[-1].number < store.pages(document)[-1].last_line
        for grid in grids:
            if (document, grid.last) in seen:
                continue
            seen.add((document, grid.last))
            cut = (bool(head) and grid.first <= head[-1].number) or (behind and grid.last == lines[-1].number)
            found.append(NearTable(grid, lines, passage, rank, whole=not cut))
            if len(found) >= MOST_GRIDS:
                return found
    return found


def _lines(store: Store, document: str, first: int, last: int) -> tuple[Sequence[Line], tuple[Line, ...]]:
    """The lines `first..last`, and in front of them the heads of the columns that they go on with."""
    lines = store.lines(document, first, last)
    return _head_above(lines, store, document), lines


def _head_above(lines: Sequence[Line], store: Store, document: str) -> Sequence[Line]:
    """The rows at the top of a sheet of which these lines are further down: the heads of its columns stand there."""
    if not lines or "|" not in lines[0].text:
        return ()
    top = max(page.first_line for page in store.pages(document) if page.first_line <= lines[0].number)
    above = store.lines(document, top, min(top + _HEAD, lines[0].number) - 1) if top < lines[0].number else ()
    rows = next((at for at in range(len(above), 0, -1) if "|" not in above[at - 1].text), 0)
    return above[rows:]


def _may_hold_table(store: Store, document: str, first: int, last: int) -> bool:
    """True unless no passage of a stretch can; what has none is known for the next question to the same documents."""
    tableless: dict[tuple[str, int, int], None] = getattr(store, "tableless", {})  # a state of a corpus keeps them
    if (document, first, last) in tableless:
        return False
    # To look at the passages costs a quarter of what it costs to make the lines.
    passages = store.passages(document, first, last)
    if any("|" in one.text or any(role == "table_row" for _, role in one.blocks) for one in passages):
        return True
    years = any(may_have_table(one.text) for one in passages)
    if years and any(may_head(line) for one in passages for line in one.text.split("\n")):
        return True
    if len(tableless) >= MOST_TABLELESS:
        tableless.clear()
    tableless[document, first, last] = None
    return False


def _stretches(hits: Sequence[Hit], store: Store) -> Iterator[tuple[int, Passage, int, int]]:
    """The first and the last line around each hit; those that an earlier hit covers are left out."""
    covered: dict[str, list[tuple[int, int]]] = {}
    for rank, hit in enumerate(hits[:READ]):
        passage = hit.passage
        ranges = covered.setdefault(passage.document, [])
        if any(first <= passage.line_start and passage.line_end <= last for first, last in ranges):
            continue
        pages = store.pages(passage.document)
        # Whole pages, or sheets, where they are not too long: a table that is cut has lost its heads or its rows.
        first, last = place_of(max(1, passage.line_start - REACH), pages)[0], passage.line_end + REACH
        last = max(last, place_of(last, pages)[1] if last <= pages[-1].last_line else last)
        ranges.append((first, last))
        yield rank, passage, first, last
