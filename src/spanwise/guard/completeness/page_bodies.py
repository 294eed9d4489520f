"""The lines of a page without what repeats from page to page.

Readers put running headers apart where they recognise them; short documents and text formats keep some as lines.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from spanwise.domain.document import Document, Line
from spanwise.guard.completeness.line_forms import cells, is_blank, is_heading
from spanwise.guard.completeness.list_markers import marker_of

_FURNITURE_LINES = 4
"""Lines at the top and at the bottom of a page that may repeat from page to page."""
_PAGES_BESIDE = (-2, -1, 1, 2)
"""Where a header is looked for again: left and right pages may differ."""
_PAGE_NUMBER = re.compile(
    r"[\W_]{0,9}(?:(?:page|p\.|pg\.?)\s{0,3})?(?:[a-z]{1,3}-)?(?:\d{1,4}|[ivxl]{1,6})"
    r"(?:\s{0,3}(?:of|/)\s{0,3}\d{1,4})?[\W_]{0,9}",
    re.IGNORECASE,
)
_WORD_PAGE = re.compile(r"^(?:page|p\.|pg\.?)\s{0,3}")
_DASHES = " -\u2013\u2014|[]"
_DIGITS = re.compile(r"\d+")
_LETTERS = re.compile(r"[^\W\d_]")


def page_body(document: Document, page: int) -> list[Line]:
    """The lines of a page without blank ones, page numbers and what the pages beside it repeat."""
    lines = _lines_of(document, page)
    tops, bottoms = set[str](), set[str]()
    for other in (page + step for step in _PAGES_BESIDE):
        if 1 <= other <= len(document.pages):
            beside = _lines_of(document, other)
            tops.update(map(_repetition, beside[:_FURNITURE_LINES]))
            bottoms.update(map(_repetition, beside[-_FURNITURE_LINES:]))
    label = document.pages[page - 1].label
    start = _repeated(lines, tops, label)
    end = len(lines) - _repeated(lines[start:][::-1], bottoms, label)
    return lines[start:end]


def pattern(text: str) -> str:
    """A text without case and spaces."""
    return "".join(text.casefold().split())


def _repeated(lines: Sequence[Line], patterns: set[str], label: str) -> int:
    """How many of the first lines are furniture; what stands outside the page's own number is, too."""
    count = 0
    for place, line in enumerate(lines[:_FURNITURE_LINES]):
        text = line.text.strip()
        own = _WORD_PAGE.sub("", text.casefold()).strip(_DASHES) == label.casefold()
        unmarked = marker_of(text) is None
        number = unmarked and _PAGE_NUMBER.fullmatch(text) is not None
        repeats = unmarked and line.role != "table_row" and _repetition(line) in patterns
        outermost = 2 * place < len(lines)  # on a page of a few lines the number at its bottom is near the top, too
        if (own and outermost) or (place == count and (number or repeats)):
            count = place + 1
    return count


def _repetition(line: Line) -> str:
    """What two copies of a running header or footer have in common: all but the number of the page.

    The numbers of headings and of rows of tables tell two of them apart.
    """
    same = pattern(line.text)
    return same if is_heading(line) or _columns(line) else _DIGITS.sub("0", same)


def _columns(line: Line) -> bool:
    """Whether a line has figures in columns, or nothing but figures."""
    return cells(line) > 2 or not _LETTERS.search(line.text)


def _lines_of(document: Document, page: int) -> list[Line]:
    place = document.pages[page - 1]
    return [line for line in document.lines[place.first_line - 1 : place.last_line] if not is_blank(line)]
