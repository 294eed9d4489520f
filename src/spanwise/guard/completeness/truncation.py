"""Whether the pages that were read end where the text ends too, seen from the top of the page after them.

What is compared is the end of the last page read and the top of the next one, which no model sees. Nothing here asks a
model, and nothing judges the answer: a list that goes on is cut off, whatever the answer says.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from spanwise.contract.values import Span
from spanwise.domain.document import Document, Line
from spanwise.errors import InputError
from spanwise.guard.completeness.lines import (
    Marker,
    cells,
    dangles,
    ended,
    in_capitals,
    is_blank,
    is_heading,
    is_numbered_title,
    marker_of,
    page_body,
    pattern,
)

_LINES_BACK = 80
"""How far above the page's end the item is looked for that the next page goes on from."""
_LINES_DOWN = 12
"""How far below the next page's top an open list may go on: an item has paragraphs without a mark."""
_PROSE = 50
"""Characters of a line that only running text has."""
_END = 12
_OPEN_ITEM = re.compile(r"[;,](?:\s?(?:and|or))?(?:\s?\d{1,3})?\s*$")
"""An item after which another one has to come, a footnote's mark left out."""
_CONTINUED = re.compile(
    r"\(?\b(?:continued|cont['\u2019]?d\.?)(?:\s{1,3}(?:on|from)\b.{0,40})?\)?[.:]?$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class BoundaryCheck:
    """How a span lies in its text. A hint for triage: it decides no route by itself."""

    starts_clean: bool
    """It begins where a paragraph or a sentence begins, not in the middle of one."""
    ends_clean: bool
    """It ends with a full stop, a question or exclamation mark, or with a heading or a row of a table."""
    contiguous: bool
    """No blank line and no heading parts its lines."""


def completeness(
    document: Document,
    *,
    first_page: int,
    last_page: int,
    overlap_page: int | None = None,
    last_line: int | None = None,
) -> bool | None:
    """Whether pages `first_page..last_page` hold all of what they end with.

    Running headers, page numbers and blank lines are skipped at the page's end and on the next page. A page without any
    line is passed over, and the one after it is looked at. A fresh paragraph after a finished one counts as bounded,
    unless it stands inside a list whose next item comes within a few lines.

    Args:
        document: The whole document.
        first_page: 1-based position of the first page that was read.
        last_page: The last one.
        overlap_page: The page after it, when it was retrieved to look at its top.
        last_line: The last line of the section that was read, when that is known: a section that ends above the last
            line of `last_page` is bounded by what follows it there, unless `overlap_page` begins with the very item
            after its last one.

    Returns:
        True when the text is bounded: the next page begins something new, or there is none. False when it is
        truncated: a list, a table, a sentence or a word goes on. None when that was not checked: the next page was not
        retrieved, or it has no text to read (a scan).

    Raises:
        InputError: The pages are not pages of the document in that order.
    """
    if not 1 <= first_page <= last_page <= len(document.pages):
        raise InputError(
            f"{document.name} has pages 1 to {len(document.pages)}: pages {first_page} to {last_page} cannot be checked"
        )
    tail = _tail(document, first_page, last_page)
    if last_line is not None and tail and last_line < tail[-1].number:
        return not _has_next_item(document, [line for line in tail if line.number <= last_line], tail[-1], overlap_page)
    if last_page == len(document.pages):
        return True
    if overlap_page is None:
        return None
    if not last_page < overlap_page <= len(document.pages):
        raise InputError(f"page {overlap_page} does not come after page {last_page} of {document.name}")
    for page in document.pages[overlap_page - 1 :]:
        if not page.readable:
            return None
        head = page_body(document, page.number)
        if head:
            return not _goes_on(tail, head)
    return True


def span_boundaries(span: Span, document: Document) -> BoundaryCheck:
    """Whether a span starts and ends where its text does, and whether its lines belong together.

    Raises:
        IndexError: The span is reversed or names lines that the document does not have.
    """
    document.text(span.line_start, span.line_end)  # the same check of the range as for snippets
    lines = document.lines[span.line_start - 1 : span.line_end]
    before = document.lines[span.line_start - 2] if span.line_start > 1 else None
    first, last = lines[0], lines[-1]
    opens = before is None or before.block != first.block or is_blank(before) or bool(marker_of(first.text))
    if not opens and before is not None:
        opens = ended(before.text) and not first.text.lstrip()[:1].islower()
    parted = any(is_blank(line) for line in lines) or any(line.role == "heading" for line in lines[1:])
    return BoundaryCheck(
        starts_clean=opens and not is_blank(first),
        ends_clean=ended(last.text) or last.role in ("heading", "table_row"),
        contiguous=not parted,
    )


def _goes_on(tail: Sequence[Line], head: Sequence[Line]) -> bool:
    """Whether what stands at the top of a page goes on with what the page before ended with."""
    if tail and head and (title := _without_continued(head[0])) is not None:
        # Of a table or list that began on the pages read; else it is a running header, as of the notes to accounts.
        seen = {pattern(line.text) for line in tail}
        began = pattern(head[0].text) not in seen and any(text.startswith(pattern(title)) for text in seen)
        return began or _goes_on(tail, head[1:])
    if not tail or not head:
        return False
    top = head[0]
    marker = marker_of(top.text)
    if _without_continued(tail[-1]) is not None or (marker is not None and _enumerates(marker, top, tail)):
        return True
    if is_heading(top):
        return False
    begun_above = marker is not None and marker.bracketed and not marker.first  # nothing begins with (f)
    return (
        begun_above or _columns_go_on(tail, head) or _sentence_goes_on(tail, top, marker) or _list_goes_on(tail, head)
    )


def _has_next_item(document: Document, read: Sequence[Line], foot: Line, page: int | None) -> bool:
    """Whether a page begins with the item after the last one that was read, and no heading stands between the two."""
    if page is None or not foot.page < page <= len(document.pages):
        return False
    head = page_body(document, page)
    marker = marker_of(head[0].text) if head else None
    if marker is None or not marker.bracketed or not read:
        return False
    if marker.is_bullet and not _OPEN_ITEM.search(read[-1].text[-_END:]):
        return False
    between = document.lines[read[-1].number : foot.number]
    return not any(line.role == "heading" for line in between) and _enumerates(marker, head[0], read)


def _without_continued(line: Line) -> str | None:
    """The words before "(continued)"; None where the line does not end so."""
    text = line.text.strip()
    found = _CONTINUED.search(text[-60:])
    return None if found is None else text[: len(text) - len(found[0])].rstrip(" -\u2013\u2014(")


def _enumerates(marker: Marker, line: Line, tail: Sequence[Line]) -> bool:
    """Whether a mark follows one of the page before, and neither is the number of a heading."""
    for place in reversed(range(len(tail))):
        above = tail[place]
        before = marker_of(above.text)
        if before is not None and marker.follows(before):
            if marker.is_bullet:
                return _same_indent(line, above)
            titles = is_numbered_title(line, marker) and (line.role == "heading" or is_numbered_title(above, before))
            # Titles stand over text; what has none between two of them is a list of short items.
            return not titles or all(between.block == above.block for between in tail[place + 1 :])
        if above.role == "heading" and (before is None or not before.bracketed):
            return False
    return False


def _columns_go_on(tail: Sequence[Line], head: Sequence[Line]) -> bool:
    """Whether both sides of the break are rows with the same number of cells, without a heading between them."""
    above = cells(tail[-1])
    for line in head[:3] if above else ():
        if is_heading(line):
            return False
        if cells(line) == above:
            return True
    return False


def _sentence_goes_on(tail: Sequence[Line], top: Line, marker: Marker | None) -> bool:
    """Whether the last sentence has no end, or the first one no beginning."""
    if tail[-1].role in ("heading", "table_row"):
        return False
    if dangles(tail[-1].text):
        return True
    if marker is not None:
        return False
    title = top.role == "table_row" or in_capitals(top.text)
    return top.text.lstrip()[:1].islower() or (_unfinished(tail) and not title)


def _unfinished(tail: Sequence[Line]) -> bool:
    """Whether the last paragraph lacks the full stop that paragraphs like it have."""
    last = tail[-1]
    paragraph = [line for line in tail if line.block == last.block]
    if ended(last.text) or len(paragraph) < 2 or max(len(line.text) for line in paragraph) < _PROSE:
        return False
    if last.role != "list_item":
        return True
    others = [above for above, below in pairwise(tail) if above.block != below.block and above.role == "list_item"]
    return any(line.text.rstrip()[-1:] in (".", ";") for line in others)


def _list_goes_on(tail: Sequence[Line], head: Sequence[Line]) -> bool:
    """Whether the item that the page ends with has its next one below the paragraphs that the page begins with."""
    marks = (marker_of(line.text) for line in reversed(tail[-_LINES_DOWN:]))
    last = next((mark for mark in marks if mark is not None), None)
    for line in head[1:_LINES_DOWN] if last is not None and last.bracketed and not last.is_bullet else ():
        if is_heading(line):
            return False
        marker = marker_of(line.text)
        if marker is not None and last is not None and marker.follows(last):
            return True
    return False


def _same_indent(line: Line, above: Line) -> bool:
    if line.box is None or above.box is None:
        return len(line.text) - len(line.text.lstrip()) == len(above.text) - len(above.text.lstrip())
    height = max(line.box.y1 - line.box.y0, 1.0)
    return abs(line.box.x0 - above.box.x0) <= 1.5 * height


def _tail(document: Document, first_page: int, last_page: int) -> list[Line]:
    """The last lines of the pages that were read, oldest first."""
    found: list[Line] = []
    for page in range(last_page, first_page - 1, -1):
        found = [*page_body(document, page), *found]
        if len(found) >= _LINES_BACK:
            break
    return found[-_LINES_BACK:]
