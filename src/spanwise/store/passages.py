"""Splitting of a document into passages: contiguous lines of one section, which end where a paragraph ends."""

from __future__ import annotations

import heapq
from array import array
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from spanwise.domain.document import Document, Line, LineRole, Section
from spanwise.domain.passage import Passage

LEAST_WORDS = 40
TARGET_WORDS = 160
MOST_WORDS = 200
MOST_TABLE_WORDS = 400
# In a line without spaces (Chinese, Japanese, Thai, a dump of data) this many characters count as a word.
CHARACTERS_A_WORD = 8


@dataclass(frozen=True, slots=True)
class _Unit:
    """Lines that stay together: a paragraph, list item, heading or table, or a piece of one that is too long."""

    first: int
    last: int
    words: int
    section: int
    heading: bool
    leads: bool
    """True if it belongs to the unit that follows: a heading, or a short text that ends in a colon."""


def build_passages(document: Document) -> Iterator[Passage]:
    """The passages of a document, each of about 120 to 200 words, in order.

    Every line that is not blank is in exactly one passage. A passage stays within one innermost section, except that
    headings without text of their own are joined to the text that follows. A table may have twice as many words before
    it is split between two rows.
    """
    for section in _by_section(_units(document)):
        for group in _balanced(section):
            yield _passage(document, group)


def innermost_sections(sections: Sequence[Section], lines: int) -> list[int]:
    """For each line, the index of the innermost section that contains it, or -1."""
    order = sorted(range(len(sections)), key=lambda at: (sections[at].first_line, sections[at].level, at))
    edges = sorted({1, *(s.first_line for s in sections), *(s.last_line + 1 for s in sections)})
    inside: list[tuple[int, int, int]] = []
    found = [-1] * lines
    following = 0
    for edge, next_edge in zip(edges, [*edges[1:], lines + 1], strict=True):
        while following < len(order) and sections[order[following]].first_line <= edge:
            at = order[following]
            heapq.heappush(inside, (-sections[at].level, -sections[at].first_line, -at))
            following += 1
        while inside and sections[-inside[0][2]].last_line < edge:
            heapq.heappop(inside)
        if inside:
            first, last = max(edge, 1), min(next_edge, lines + 1)
            found[first - 1 : last - 1] = [-inside[0][2]] * max(0, last - first)
    return found


def block_shapes(lines: Iterable[Line]) -> tuple[tuple[int, LineRole], ...]:
    """The number of lines and the role of each block; consecutive blank lines are a block of their own."""
    runs = groupby(lines, key=lambda line: (line.block, _shown_role(line)))
    return tuple((sum(1 for _ in run), role) for (_, role), run in runs)


def _units(document: Document) -> Iterator[_Unit]:
    section_of = innermost_sections(document.sections, len(document.lines))
    written = (line for line in document.lines if not _blank(line))
    # Rows of one table are separate blocks, but belong together.
    runs = groupby(
        written,
        key=lambda line: (section_of[line.number - 1], line.role == "table_row" or line.block, line.role == "heading"),
    )
    for (section, table, heading), run in runs:
        numbers, weights = array("L"), array("L")  # a table may have millions of rows
        for line in run:
            numbers.append(line.number)
            weights.append(_words(line))
        for first, last, words in _pieces(weights, MOST_TABLE_WORDS if table is True else MOST_WORDS):
            short = not heading and words <= LEAST_WORDS
            yield _Unit(
                first=numbers[first],
                last=numbers[last],
                words=words,
                section=section,
                heading=heading,
                leads=heading or (short and document.lines[numbers[last] - 1].text.rstrip().endswith(":")),
            )


def _pieces(weights: Sequence[int], most: int) -> Iterator[tuple[int, int, int]]:
    """Pieces of about equal size with at most about `most` words, cut between lines: first index, last index, words."""
    left = sum(weights)
    pieces = -(-left // most)
    first = words = 0
    for at, weight in enumerate(weights):
        full = words + weight > most or (pieces > 1 and words + weight / 2 > left / pieces)
        if at > first and full:
            yield first, at - 1, words
            left, pieces = left - words, max(1, pieces - 1)
            first, words = at, 0
        words += weight
    if weights:
        yield first, len(weights) - 1, words


def _by_section(units: Iterable[_Unit]) -> Iterator[list[_Unit]]:
    """The units of each section; headings at its end move to the following section."""
    carried: deque[_Unit] = deque()
    words = 0
    held: list[_Unit] = []
    for _, run in groupby(units, key=lambda unit: unit.section):
        group: list[_Unit] = []
        for unit in run:
            carried.append(unit)
            words += unit.words
            if not unit.heading:
                group += carried
                carried.clear()
                words = 0
        while words > MOST_WORDS:  # bounded, because a document may consist of headings only
            group.append(carried.popleft())
            words -= group[-1].words
        if group:
            if held:
                yield held
            held = group
    if held or carried:
        yield [*held, *carried]


def _balanced(units: list[_Unit]) -> Iterator[list[_Unit]]:
    """Groups of units of about equal size, so that no tiny group remains at the end of a section."""
    left = sum(unit.words for unit in units)
    groups = max(1, round(left / TARGET_WORDS), -(-left // MOST_WORDS))
    group: list[_Unit] = []
    words = 0
    for unit in units:
        full = words + unit.words > MOST_WORDS or (groups > 1 and words + unit.words / 2 > left / groups)
        if full and words >= LEAST_WORDS:
            kept = len(group)
            while kept and group[kept - 1].leads:
                kept -= 1
            if not kept and words > MOST_WORDS:
                kept = len(group)
            if kept:
                yield group[:kept]
                done = sum(member.words for member in group[:kept])
                group, words = group[kept:], words - done
                left, groups = left - done, max(1, groups - 1)
        group.append(unit)
        words += unit.words
    if group:
        yield group


def _passage(document: Document, units: Sequence[_Unit]) -> Passage:
    first, last = units[0].first, units[-1].last
    lines = document.lines[first - 1 : last]
    # Headings of an outer section may precede the text; the passage belongs to the section of the text.
    body = next((unit for unit in units if not unit.heading), units[-1])
    return Passage(
        id=f"{document.name}:{first}-{last}",
        document=document.name,
        line_start=first,
        line_end=last,
        page=lines[0].page,
        text="\n".join(line.text for line in lines),
        section=document.sections[body.section].title if body.section >= 0 else None,
        blocks=block_shapes(lines),
    )


def _shown_role(line: Line) -> LineRole:
    return "blank" if _blank(line) else line.role


def _blank(line: Line) -> bool:
    return line.role == "blank" or not line.text.strip()


def _words(line: Line) -> int:
    return max(len(line.text.split()), len(line.text) // CHARACTERS_A_WORD)
