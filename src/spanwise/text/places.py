"""Places: the page that a line is on, or a piece of it where a format has no pages and everything is one."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from spanwise.domain.document import Page

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
