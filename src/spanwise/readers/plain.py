"""Plain text: one line of the file is one line of the document, so that numbers agree with an editor's."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from spanwise.domain.document import Document, LineRole
from spanwise.readers.bounds import Budget
from spanwise.readers.builder import DocumentBuilder
from spanwise.readers.decoding import decode
from spanwise.readers.headings import FULL, SMALL_WORDS, find_headings
from spanwise.readers.port import ReadOptions

_LINE_END = re.compile(r"\r\n|\n|\r")
_LIST_ITEM = re.compile(
    r"\s{0,40}(?:[-*•‣◦▪–—·]\s"  # bullets
    r"|\((?:[a-zA-Z]{1,4}|\d{1,3})\)\s"  # (a) (iv) (12)
    r"|(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{2,5})[.)]\s"  # 1. a) iv.
    r"|\d{1,3}(?:\.\d{1,3}){1,4}\.?\s)"  # 2.1.3
)
_RULE = re.compile(r"\s*[-=_*~.#+|][-=_*~.#+|\s]{2,}")
_NARROWEST = 60
"""Characters of the longest line of a text below which nobody breaks lines for want of room."""
_GAP = re.compile(r"\t+|\s{3,}|\s?\.{4,}\s?|(?:\s\.){3,}\s?")
_NUMBER = re.compile(r"[$€£(]{0,2}\s?\d[\d,.]*\)?%?")


class _Row(NamedTuple):
    """A physical line: its text, and how many form feeds open a page before it."""

    text: str
    pages: int


def read_text(data: bytes, name: str, options: ReadOptions) -> Document:
    """Read plain text.

    Blank lines are lines too. A form feed starts a page.

    Raises:
        DocumentError: The bytes are not text, or cross a limit.
    """
    budget = Budget(name, options.limits)
    decoded = decode(data, name)
    builder = DocumentBuilder(data, format="text", budget=budget)
    for notice in decoded.notices(name):
        builder.notice(notice.code, notice.message)
    rows = list(_rows(decoded.text, budget))
    add_prose([row.text for row in rows], builder, [row.pages for row in rows])
    return builder.build(paged=builder.page > 1)


def _rows(text: str, budget: Budget) -> Iterator[_Row]:
    """The physical lines; the one after the last line end counts only when something stands in it."""
    start = 0
    for match in _LINE_END.finditer(text):
        budget.step()
        yield _row(text[start : match.start()])
        start = match.end()
    rest = text[start:]
    if rest.strip("\f"):
        yield _row(rest)


def _row(raw: str) -> _Row:
    if "\f" not in raw:
        return _Row(raw, 0)
    # A form feed inside a line cannot split it without putting every later number out of step with an editor, so the
    # line goes whole to the page on which its first visible character stands.
    before = len(raw) - len(raw.lstrip("\f \t"))
    return _Row(raw.replace("\f", " " if raw.strip("\f \t").count("\f") else ""), raw[:before].count("\f"))


def add_prose(texts: Sequence[str], builder: DocumentBuilder, pages: Sequence[int] | None = None) -> None:
    """Add physical lines, with the headings, lists and rows among them.

    Args:
        texts: The lines.
        builder: Where they go.
        pages: How many pages begin before each of them; none by default.
    """
    headings = find_headings(texts)
    width = max(map(len, texts), default=0)
    previous: LineRole | None = None
    for index, text in enumerate(texts):
        for _ in range(pages[index] if pages else 0):
            builder.new_page()
        heading = headings.get(index)
        role: LineRole = "heading" if heading and heading.whole_line else _role(text)
        if role == "text" and previous == "list_item" and not _wrapped(texts[index - 1], text, width):
            previous = None
        if index == 0 or _starts_block(role, previous):
            builder.new_block()
        number = builder.line(text, _continued(role, previous))
        if heading and heading.title:
            builder.heading(heading.level, heading.title, number)
        previous = _continued(role, previous)


def _wrapped(above: str, text: str, width: int) -> bool:
    """True if a line may go on with the list item above it: indented, within a sentence, or for want of room."""
    plain = text.lstrip()
    if len(plain) < len(text) or not plain[:1].isupper() or above.rsplit(maxsplit=1)[-1].lower() in SMALL_WORDS:
        return True
    return len(above) + len(plain.split(maxsplit=1)[0]) >= FULL * max(width, _NARROWEST)


def _starts_block(role: LineRole, previous: LineRole | None) -> bool:
    """Whether a line opens a paragraph; a plain line goes on with the paragraph or list item above it."""
    if role == "text":
        return previous not in ("text", "list_item")
    return role != "blank" or previous != "blank"


def _continued(role: LineRole, previous: LineRole | None) -> LineRole:
    return "list_item" if role == "text" and previous == "list_item" else role


def _role(text: str) -> LineRole:
    if not text.strip() or _RULE.fullmatch(text):
        return "blank"  # A drawn rule is nothing to cite.
    if _is_table_row(text):
        return "table_row"
    return "list_item" if _LIST_ITEM.match(text) else "text"


def _is_table_row(text: str) -> bool:
    """Cells with wide gaps between them: three or more, or two of which the last is a number."""
    if "   " not in text and "\t" not in text and "...." not in text and " . ." not in text:
        return False
    cells = [cell for cell in _GAP.split(text.strip()) if cell]
    if len(cells) < 2:
        return False
    return len(cells) >= 3 or _NUMBER.fullmatch(cells[-1].strip()) is not None
