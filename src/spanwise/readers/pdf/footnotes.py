"""Footnotes at the foot of a page: each a block of its own, and none between two halves of a sentence.

Lines of one block have to follow each other. So what goes on over the end of a page is brought together: the rest of
a footnote comes first on the next page, or else the footnotes come before the paragraph that goes on there.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from spanwise.readers.pdf.blocks import line_role, number_blocks, runs_on
from spanwise.readers.pdf.headings import Body
from spanwise.readers.pdf.lines import VisualLine

_SMALLER = 0.92
"""The size of footnotes against that of the text, at most."""
_LOWER = 0.4
"""Share of a page's height above which there are none."""
_MISSED = 5
"""So many numbers on from the last footnote that was found, the next one is taken for one no more."""
_APART = -1
"""The region of footnotes, which is none of the text's."""
_MARK = re.compile(r"(?P<number>\d{1,3})(?!\d|[.,]\d)\W{0,2}[^\W\d]|[*\u2020\u2021\u00a7]{1,3}\s?[^\W\d]")


def arrange(pages: Sequence[list[VisualLine]], heights: Sequence[float], body: Body) -> None:
    """Have each footnote open a block, and bring together what the end of a page parts, both in place."""
    before: list[VisualLine] = []
    number = 0
    for at, (lines, height) in enumerate(zip(pages, heights, strict=True)):
        found = _foot(lines, height, body)
        for place, line in enumerate(found):
            if (mark := _MARK.match(line.text)) and _follows(mark, number, first=not place and not before):
                number, line.opens = int(mark["number"] or number), True
        first = next((place for place, line in enumerate(found) if line.opens), len(found))
        rest, notes = found[:first], found[first:]
        if not (rest and before and runs_on(before[-1].text, rest[0].text)):
            rest = []
        for line in (*rest, *notes):
            line.region = _APART
        text = lines[: len(lines) - len(rest) - len(notes)]
        if rest:
            lines[:] = [*rest, *text, *notes]
        elif before and text:
            _before_paragraph(pages[at - 1], len(before), text[0], body)
        before = notes or rest


def _follows(mark: re.Match[str], number: int, *, first: bool) -> bool:
    """True if a mark can be the next one after a number; a figure that begins a line of a footnote is none."""
    return first or mark["number"] is None or int(mark["number"]) in (1, *range(number + 1, number + _MISSED))


def _foot(lines: Sequence[VisualLine], height: float, body: Body) -> list[VisualLine]:
    """The lines of small print at the end of a page, under its text."""
    small = len(lines)
    while small and _is_small(lines[small - 1], height, body):
        small -= 1
    found = list(lines[small:])
    return [] if not small or any(below.top < above.top for above, below in pairwise(found)) else found


def _is_small(line: VisualLine, height: float, body: Body) -> bool:
    return line.size <= _SMALLER * body.size and line.top > _LOWER * height and line.cells == 1 and line.frame == 0


def _before_paragraph(page: list[VisualLine], notes: int, following: VisualLine, body: Body) -> None:
    """Put the footnotes at the end of a page before its last paragraph if that one goes on on the next page."""
    text = page[:-notes]
    roles = [line_role(line) for line in text]
    if text and roles[-1] != "table_row" and runs_on(text[-1].text, following.text):
        blocks = number_blocks(text, roles, frozenset(), body)
        page[:] = [*(first := text[: blocks.index(blocks[-1])]), *page[-notes:], *text[len(first) :]]
