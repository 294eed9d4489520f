"""Roles of lines, and which lines make one paragraph, list item or table row."""

from __future__ import annotations

import re
from collections.abc import Sequence

from spanwise.domain.document import LineRole
from spanwise.readers.pdf.headings import Body, stands_apart
from spanwise.readers.pdf.lines import VisualLine

_ITEM = re.compile(
    r"[•●○◦▪■□◆◇▶►➢➤✓✔❖∙·\u2023\u2043\uf000-\uf0ff]\s*\S|[o*–—-]\s{1,4}\S|"
    r"\((?:[a-zA-Z]{1,2}|[ivxIVX]{1,6}|\d{1,3})\)\s{1,4}\S|(?:[a-z]|[ivx]{1,5}|\d{1,3})[.)]\s{1,4}\S"
)
_FIGURES = re.compile(r"(?:\s{1,4}[$€£]?\s?\(?[$€£]?\d[\d,.]*\)?%?|\s{1,4}[—–]){2,}\s*$")
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
    """The block of each line; lines that continue a list item take its role.

    Args:
        lines: All lines of the document in reading order.
        roles: Their roles so far; the second line of a list item becomes a list item here.
        starts: Indexes of lines that begin a section, with or without a line of their own.
        body: What running text looks like.
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
