"""Roles of lines, and which lines make one paragraph, list item, table row or footnote.

Lines of one block have to follow each other. So what goes on over the end of a page is brought together: the rest of a
footnote comes first on the next page, or else the footnotes come before the paragraph that goes on there.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from spanwise.domain.document import LineRole
from spanwise.readers.pdf.set_headings import Body, stands_apart
from spanwise.readers.pdf.visual_lines import VisualLine
from spanwise.text.list_marks import BULLETS, DASHES, OF_SYMBOLS, TICKS

_ITEM = re.compile(
    rf"[{BULLETS}{OF_SYMBOLS}{TICKS}]\s*\S|[o{DASHES}]\s{{1,4}}\S|"
    r"\((?:[a-zA-Z]{1,2}|[ivxIVX]{1,6}|\d{1,3})\)\s{1,4}\S|(?:[a-z]|[ivx]{1,5}|\d{1,3})[.)]\s{1,4}\S"
)
_FIGURES = re.compile(r"(?:\s{1,4}[$€£]?\s?\(?[$€£]?\d[\d,.]*(?:\^\d{1,2})?\)?%?|\s{1,4}[—–]){2,}\s*$")
_FIGURE_ENDINGS = frozenset("0123456789)%—–")
_CAPTION = re.compile(r"(?:Table|Figure|Fig\.|Chart|Exhibit|Box)\s\d{1,3}(?:[.-]\d{1,3})?[.:]\s")
_ENDS = frozenset('.!?:;”"')


def line_role(line: VisualLine) -> LineRole:
    """What a line is by itself, headings aside."""
    if line.cells >= 2:
        return "table_row"
    if line.labelled or _ITEM.match(line.text):
        return "list_item"
    # Only the end of the line can hold its figures, and a search over a very long line would be slow.
    figures = line.text[-1] in _FIGURE_ENDINGS and len(line.text) < 300 and _FIGURES.search(line.text)
    return "table_row" if figures else "text"


def number_blocks(lines: Sequence[VisualLine], roles: list[LineRole], starts: frozenset[int], body: Body) -> list[int]:
    """The block of each line, in place of whose role a list item's is put where it goes on with one.

    `starts` are the indexes of lines that begin a section, with or without a line of their own.
    """
    blocks: list[int] = []
    block = 0
    for index in range(len(lines)):
        if index == 0 or index in starts or not _continues(lines, roles, index, body):
            block += 1
        elif roles[index] == "text" and roles[index - 1] == "list_item":
            roles[index] = "list_item"
        blocks.append(block)
    return blocks


def _continues(lines: Sequence[VisualLine], roles: Sequence[LineRole], index: int, body: Body) -> bool:
    above, line = lines[index - 1], lines[index]
    role, role_above = roles[index], roles[index - 1]
    if role == "heading" or role_above == "heading":
        # Two headings run on only as the lines of one; `starts` has parted the others.
        return role == role_above
    if role in ("table_row", "list_item") or role_above == "table_row" or line.opens:
        return False
    if _CAPTION.match(line.text) and above.text.rstrip()[-1:] in _ENDS:
        return False
    if abs(line.size - above.size) > 0.15 * max(line.size, above.size):
        return False
    if above.page != line.page or above.region != line.region:
        return runs_on(above.text, line.text)
    parted = stands_apart(above, line, body) or line.bold != above.bold
    return not (parted or _ends_short(above) or _is_indented(above, line, role_above))


def runs_on(above: str, below: str) -> bool:
    """True if a sentence goes on over a column's or a page's end."""
    return above.rstrip()[-1:] not in _ENDS and below[:1].islower()


def _ends_short(line: VisualLine) -> bool:
    width = line.right - line.left
    return line.x1 < line.right - 0.2 * width and line.text.rstrip()[-1:] in _ENDS


def _is_indented(above: VisualLine, line: VisualLine, role_above: LineRole) -> bool:
    indent = line.x0 - above.x0
    if role_above == "list_item":
        return indent < -0.8 * line.size and above.text.rstrip()[-1:] in _ENDS
    return abs(indent) > 0.8 * line.size and above.text.rstrip()[-1:] in _ENDS


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
    while (
        small
        and (line := lines[small - 1]).size <= _SMALLER * body.size
        and line.top > _LOWER * height
        and line.cells == 1
        and line.frame == 0
    ):
        small -= 1
    found = list(lines[small:])
    return [] if not small or any(below.top < above.top for above, below in pairwise(found)) else found


def _before_paragraph(page: list[VisualLine], notes: int, following: VisualLine, body: Body) -> None:
    """Put the footnotes at the end of a page before its last paragraph if that one goes on on the next page."""
    text = page[:-notes]
    roles = [line_role(line) for line in text]
    if text and roles[-1] != "table_row" and runs_on(text[-1].text, following.text):
        blocks = number_blocks(text, roles, frozenset(), body)
        page[:] = [*(first := text[: blocks.index(blocks[-1])]), *page[-notes:], *text[len(first) :]]
