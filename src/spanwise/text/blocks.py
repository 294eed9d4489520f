"""Blocks of lines (a paragraph, a list item, a table row, a heading) as text in which every offset knows its line.

Blocks stand in places: the page that a line is on, or a piece of it where a format has no pages and everything is one.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby

from spanwise.domain.document import Line, LineRole, Page
from spanwise.domain.passage import Passage


@dataclass(frozen=True, slots=True)
class Block:
    """Contiguous lines; `text` is those lines joined by line breaks, line `first` first."""

    text: str
    first: int
    role: LineRole
    starts: tuple[int, ...]
    """Offset in `text` at which each line starts."""
    offset: int = 0
    """Where the block begins in the text of its passage."""
    left: float | None = None
    """Where its first line begins on the page, in points; None without a layout."""

    def lines_of(self, start: int, end: int) -> tuple[int, int]:
        """Numbers of the first and the last line that the range `[start, end)` of the text touches."""
        return (
            self.first + bisect_right(self.starts, start) - 1,
            self.first + bisect_right(self.starts, max(start, end - 1)) - 1,
        )


def blocks_of_passage(passage: Passage) -> list[Block]:
    """The blocks of a passage, blank ones left out; a passage that does not tell its blocks is one."""
    texts = passage.text.split("\n")
    blocks, position, offset = [], 0, 0
    for length, role in passage.blocks or ((len(texts), "text"),):
        rows = texts[position : position + length]
        if role != "blank":
            blocks.append(_block(rows, passage.line_start + position, role, offset=offset))
        position += length
        offset += sum(len(row) + 1 for row in rows)
    return blocks


def blocks_of_lines(lines: Iterable[Line]) -> list[Block]:
    """The blocks of some contiguous lines, blank ones left out."""
    blocks = []
    for _, group in groupby(lines, key=lambda line: (line.block, line.role)):
        members = list(group)
        if members[0].role != "blank":
            box = members[0].box
            left = box.x0 if box else None
            blocks.append(_block([line.text for line in members], members[0].number, members[0].role, left=left))
    return blocks


def _block(texts: Sequence[str], first: int, role: LineRole, *, offset: int = 0, left: float | None = None) -> Block:
    starts = tuple(accumulate((len(text) + 1 for text in texts[:-1]), initial=0))
    return Block("\n".join(texts), first, role, starts, offset, left)


LONGEST = 400
"""Lines of a page that is one place."""
PIECE = 120
"""Lines of each place of a longer one."""


def place_of(line: int, pages: Sequence[Page]) -> tuple[int, int]:
    """The first and the last line of the place that holds a line.

    Args:
        line: Number of the line.
        pages: All pages of the document, in order.
    """
    at = bisect_right(pages, line, key=lambda page: page.first_line) - 1
    if at < 0:
        return line, line
    first, last = pages[at].first_line, max(line, pages[at].last_line)
    if last - first < LONGEST:
        return first, last
    start = first + (line - first) // PIECE * PIECE
    return start, min(last, start + PIECE - 1)


def places_within(first: int, last: int, pages: Sequence[Page]) -> list[tuple[int, int]]:
    """The places that the lines `first..last` touch, in order."""
    found = [place_of(first, pages)]
    while found[-1][1] < last:
        following = place_of(found[-1][1] + 1, pages)
        if following[1] <= found[-1][1]:
            break
        found.append(following)
    return found
