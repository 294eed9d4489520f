"""How often a list that goes on over a page's end is noticed, and how often a finished one is taken for one that does.

    python benchmarks/completeness.py [file or folder ...]

Without arguments it takes the PDFs under $SPANWISE_DATA/pdfs (default: ../shared/data). Real lists of these documents
are cut at every item and in the middle of items, and what follows becomes the next page: each of these pages is
truncated. Where a real heading follows a list, the page is cut between the two: each of these is bounded. Each case is
planted twice: with the lines as the PDF reader gave them, and as plain text with a running header and a page number on
every page, read again. Beside these stand the pages of the documents as they are: those that begin with a heading of
the outline, and those that begin inside a list. What is a list here is decided by this script, not by the code that is
measured.
"""

from __future__ import annotations

import os
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import spanwise
from spanwise.domain.document import Document, Line, Page
from spanwise.guard.completeness.truncation import completeness

BEFORE, AFTER = 40, 30
"""Lines of the page that ends and of the page that follows."""
FARTHEST = 12
"""Lines that one item may have."""
SHORTEST = 3
"""Items that make a list."""
MOST_OF_A_LIST = 6
"""Cuts of one list, so that long ones do not count for everything."""

ORDERS = {
    "(a)": [f"({chr(97 + n)})" for n in range(26)],
    "(1)": [f"({n})" for n in range(1, 60)],
    "(i)": ["(i)", "(ii)", "(iii)", "(iv)", "(v)", "(vi)", "(vii)", "(viii)", "(ix)", "(x)", "(xi)", "(xii)"],
    "1.": [f"{n}." for n in range(1, 60)],
    "1)": [f"{n})" for n in range(1, 60)],
    "a.": [f"{chr(97 + n)}." for n in range(26)],
}
BULLETS = "\u2022\u25cf\u25aa\u25a0\u25e6\u25cb\u27a2\u00b7\u2756"
_FIRST_WORD = re.compile(r"\s*(\S+)\s+\S")


@dataclass(frozen=True, slots=True)
class Case:
    """A page of a document, and whether what ends it goes on at the top of the next one."""

    kind: str
    document: Document
    truncated: bool
    page: int = 1


def lists(document: Document) -> Iterator[tuple[str, list[int]]]:
    """The lists of a document: how they are marked, and the places in `lines` at which their items begin."""
    marks = []
    for line in document.lines:
        match = _FIRST_WORD.match(line.text)
        marks.append(match[1] if match and line.role != "heading" else "")
    for kind, order in ORDERS.items():
        for start, mark in enumerate(marks):
            items = _numbered(document, marks, order, start) if mark == order[0] else []
            if len(items) >= SHORTEST:
                yield kind, items
    for bullet in BULLETS:
        for items in _bulleted(document, [place for place, mark in enumerate(marks) if mark == bullet]):
            if len(items) >= SHORTEST:
                yield "bullet", items


def _numbered(document: Document, marks: Sequence[str], order: Sequence[str], start: int) -> list[int]:
    """The items that follow one another from `start` on."""
    items = [start]
    for wanted in order[1:]:
        reach = range(items[-1] + 1, min(items[-1] + FARTHEST, len(marks)))
        found = next((place for place in reach if marks[place] == wanted), None)
        if found is None or any(line.role == "heading" for line in document.lines[items[-1] : found]):
            break
        items.append(found)
    return items


def _bulleted(document: Document, places: Sequence[int]) -> Iterator[list[int]]:
    """Runs of bullets that stand together."""
    items: list[int] = []
    for place in places:
        if items and (place - items[-1] >= FARTHEST or _parted(document, items[-1], place)):
            yield items
            items = []
        items.append(place)
    yield items


def _parted(document: Document, above: int, below: int) -> bool:
    """Whether a heading or another indentation stands between two bullets."""
    one, other = document.lines[above].box, document.lines[below].box
    if any(line.role == "heading" for line in document.lines[above:below]):
        return True
    return one is not None and other is not None and abs(one.x0 - other.x0) > 3


def cases(document: Document) -> Iterator[tuple[str, int, bool]]:
    """Places at which a page is cut: the kind of list, the first line of the next page, and whether that truncates."""
    seen: set[int] = set()
    endings: dict[int, str] = {}
    for kind, items in lists(document):
        step = max(1, (len(items) - 1) // MOST_OF_A_LIST)
        for above, below in list(pairwise(items))[::step]:
            inside = (above + below + 1) // 2
            for place, what in ((below, kind), (inside, f"{kind} inside an item")):
                if place not in seen and place > above:
                    seen.add(place)
                    yield what, place, True
        for place in range(items[-1], min(items[-1] + FARTHEST, len(document.lines))):
            endings[place + 1] = kind
    heads = {section.first_line - 1 for section in document.sections}
    for place in sorted(heads & endings.keys()):
        if document.lines[place].role == "heading":
            yield endings[place], place, False


def as_read(document: Document, place: int) -> Document:
    """The lines around a place as two pages, as the reader gave them."""
    above = document.lines[max(0, place - BEFORE) : place]
    below = document.lines[place : place + AFTER]
    lines = tuple(
        replace(line, number=number, page=page, line_in_page=number if page == 1 else number - len(above))
        for number, (page, line) in enumerate([*((1, line) for line in above), *((2, line) for line in below)], 1)
    )
    pages = (
        Page(1, "1", 612, 792, 1, len(above)),
        Page(2, "2", 612, 792, len(above) + 1, len(lines)),
        Page(3, "3", 612, 792, len(lines) + 1, len(lines)),
    )
    return Document(document.id, document.name, document.format, lines, pages, paged=True)


def as_text(document: Document, place: int) -> Document:
    """The lines around a place as two pages of plain text with a running header and page numbers."""
    above = document.lines[max(0, place - BEFORE) : place]
    below = document.lines[place : place + AFTER]
    pages = [("Annual Statement", above, 4), ("Annual Statement", below, 5)]
    text = "\f".join(
        "\n".join([header, "", *map(_indented, lines), "", f"Page {number}", ""]) for header, lines, number in pages
    )
    return spanwise.read((text + "\fAnnual Statement\n\nThe end.\n").encode(), name="planted.txt")


def _indented(line: Line) -> str:
    gap = "\n" if line.role == "heading" else ""
    return f"{gap}{' ' * round((line.box.x0 if line.box else 0) / 6)}{line.text}{gap}"


def planted(document: Document) -> Iterator[Case]:
    """Every case of one document."""
    for kind, place, truncated in cases(document):
        yield Case(f"{kind}, lines of the PDF", as_read(document, place), truncated)
        yield Case(f"{kind}, plain text", as_text(document, place), truncated)


def natural(document: Document) -> Iterator[Case]:
    """Every page whose next one begins with a heading of the outline, or inside a list."""
    heads = {section.first_line for section in document.sections if document.line(section.first_line).role == "heading"}
    inside = {
        place + 1
        for _, items in lists(document)
        for above, below in pairwise(items)
        for place in range(above + 1, below + 1)
    }
    for page in document.pages[1:]:
        if page.first_line in heads:
            yield Case("pages as they are", document, truncated=False, page=page.number - 1)
        elif page.first_line in inside:
            yield Case("pages as they are", document, truncated=True, page=page.number - 1)


def main(arguments: Sequence[str]) -> None:
    """Print both rates, overall, for each kind of list and for each half of the documents."""
    data = Path(os.environ.get("SPANWISE_DATA", "../shared/data")) / "pdfs"
    paths = [Path(argument) for argument in arguments] or [data]
    files = sorted(file for path in paths for file in (path.glob("*.pdf") if path.is_dir() else [path]))
    right: Counter[tuple[str, bool]] = Counter()
    total: Counter[tuple[str, bool]] = Counter()
    for number, file in enumerate(files):
        document = spanwise.read(str(file))
        for case in [*planted(document), *natural(document)]:
            first = max(1, case.page - 2)
            said = completeness(case.document, first_page=first, last_page=case.page, overlap_page=case.page + 1)
            half = f"planted in half {number % 2 + 1} of the documents"
            for group in (case.kind, *((half, "planted") if case.document is not document else ())):
                total[group, case.truncated] += 1
                right[group, case.truncated] += said == (not case.truncated)
    for group in sorted({group for group, _ in total}):
        lost, bounded = total[group, True], total[group, False]
        found = f"{right[group, True] / lost:6.1%} of {lost:5} noticed" if lost else " " * 23
        alarms = f"{1 - right[group, False] / bounded:6.1%} of {bounded:5} false alarms" if bounded else ""
        print(f"{group:40} {found}  {alarms}")


if __name__ == "__main__":
    main(sys.argv[1:])
