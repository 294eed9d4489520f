"""The outline (bookmarks) of a PDF, and the line that each entry points at."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import NamedTuple

import pypdfium2
import pypdfium2.raw as pdfium

from spanwise.readers.bounds import Budget
from spanwise.readers.invisible import visible
from spanwise.readers.pdf.lines import VisualLine
from spanwise.readers.pdf.placement import Placement

_MOST_ENTRIES = 20_000
_DEEPEST = 15
_MOST_LINES = 500
"""Titles are looked for among so many lines of a page."""
_NOT_A_WORD = re.compile(r"[\W_]+")
_FILE_NAME = re.compile(r"(?:Microsoft Word - .*|.*\.(?:docx?|pdf|rtf|xlsx?|indd|html?))", re.IGNORECASE)


class Entry(NamedTuple):
    """A bookmark: how deep (1 is the outermost), what it says, on which page (from 0), and how far down."""

    level: int
    title: str
    page: int
    y: float | None


class Target(NamedTuple):
    """A bookmark with its line (an index), and whether that line prints its title."""

    entry: Entry
    line: int
    last: int
    printed: bool


def read_outline(document: pypdfium2.PdfDocument, placements: Sequence[Placement | None]) -> list[Entry]:
    """The usable entries of the outline, in its own order."""
    entries = []
    for bookmark in islice(document.get_toc(max_depth=_DEEPEST), _MOST_ENTRIES):
        title = " ".join(visible(bookmark.get_title().replace("\x00", " ")).text.split())
        destination = bookmark.get_dest()
        page = destination.get_index() if destination else None
        if not title or page is None or not 0 <= page < len(placements) or _FILE_NAME.fullmatch(title):
            continue
        entries.append(Entry(bookmark.level + 1, title, page, _height_of(destination, placements[page])))
    return entries


def _height_of(destination: pypdfium2.PdfDest | None, placement: Placement | None) -> float | None:
    if destination is None or placement is None:
        return None
    mode, values = destination.get_view()
    if mode == pdfium.PDFDEST_VIEW_XYZ and len(values) >= 2 and values[1] is not None:
        y = values[1]
    elif mode in (pdfium.PDFDEST_VIEW_FITH, pdfium.PDFDEST_VIEW_FITBH) and values and values[0] is not None:
        y = values[0]
    else:
        return None
    return placement.show(placement.left, y, placement.left, y)[1]


def is_useful(entries: Sequence[Entry], page_count: int) -> bool:
    """Whether an outline divides the document; a single entry for a long file says nothing."""
    return len(entries) >= 3 or (bool(entries) and page_count <= 10 * len(entries))


def find_targets(
    entries: Sequence[Entry], lines: Sequence[VisualLine], first_of_page: Mapping[int, int], budget: Budget
) -> list[Target]:
    """The line of each entry: the one that prints its title, or the first one below its place on the page.

    Args:
        entries: The outline.
        lines: All lines of the document in reading order.
        first_of_page: For each page (from 0) the index of its first line, for pages without lines that of the next.
        budget: Ends the search when it takes too long.
    """
    targets = []
    bare = _Bare(lines)
    for entry in entries:
        budget.clock()
        start = first_of_page[entry.page]
        if start >= len(lines):
            continue
        stop = first_of_page.get(entry.page + 1, len(lines))
        printed = _printed_at(entry, lines, bare, start, stop)
        if printed is not None:
            targets.append(Target(entry, *printed, printed=True))
            continue
        below = next((n for n in range(start, stop) if entry.y is None or lines[n].bottom > entry.y), None)
        line = min(stop, len(lines) - 1) if below is None else below
        targets.append(Target(entry, line, line, printed=False))
    return targets


def _printed_at(
    entry: Entry, lines: Sequence[VisualLine], bare: _Bare, start: int, stop: int
) -> tuple[int, int] | None:
    goal = _without_spaces(entry.title)
    if not goal:
        return None
    unnumbered = _without_number(goal)
    found: list[tuple[float, int, int]] = []
    for index in range(start, min(stop, start + _MOST_LINES)):
        text = bare[index]
        if not (goal.startswith(text) or unnumbered.startswith(_without_number(text)) or text.startswith(goal)):
            continue
        last = _title_end(goal, bare, index, stop)
        if last is not None:
            distance = abs(lines[index].top - entry.y) if entry.y is not None else float(index - start)
            found.append((distance, index, last))
    if not found:
        return None
    _, index, last = min(found)
    return index, last


def _title_end(goal: str, bare: _Bare, index: int, stop: int) -> int | None:
    """The last line of the title if it is printed from this line on, over at most four lines."""
    text, unnumbered = "", _without_number(goal)
    for last in range(index, min(index + 4, stop)):
        text += bare[last]
        if text == goal or _without_number(text) == unnumbered != "":
            return last
        if not goal.startswith(text) and not unnumbered.startswith(text):
            # The line goes on after the title: a run-in heading.
            return last if text.startswith(goal) and len(goal) >= 8 and last == index else None
    return None


class _Bare(dict[int, str]):
    """The letters and digits of each line, worked out when they are first asked for."""

    def __init__(self, lines: Sequence[VisualLine]) -> None:
        super().__init__()
        self._lines = lines

    def __missing__(self, index: int) -> str:
        self[index] = text = _without_spaces(self._lines[index].text)
        return text


def _without_spaces(text: str) -> str:
    return _NOT_A_WORD.sub("", text.casefold())


def _without_number(text: str) -> str:
    return text.lstrip("0123456789")
