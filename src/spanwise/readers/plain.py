"""Plain text, CSV and TSV: each line or record of the file is a line of the document, numbered as in an editor."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby, islice
from typing import NamedTuple

from spanwise.domain.document import Document, LineRole
from spanwise.readers.bounds import Budget
from spanwise.readers.builder import DocumentBuilder
from spanwise.readers.decoding import decode
from spanwise.readers.flowing import add_cells
from spanwise.readers.port import ReadOptions
from spanwise.readers.typed_headings import FULL, SMALL_WORDS, find_headings
from spanwise.text.list_marks import BULLETS, DASHES

_LINE_END = re.compile(r"\r\n|\n|\r")
_LIST_ITEM = re.compile(
    rf"\s{{0,40}}(?:[{BULLETS}{DASHES}]\s"
    r"|\((?:[a-zA-Z]{1,4}|\d{1,3})\)\s"  # (a) (iv) (12)
    r"|(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{2,5})[.)]\s"  # 1. a) iv.
    r"|\d{1,3}(?:\.\d{1,3}){1,4}\.?\s)"  # 2.1.3
)
_RULE = re.compile(r"\s*[-=_*~.#+|][-=_*~.#+|\s]{2,}")
_NARROWEST = 60
"""Width assumed for narrower texts: below it nobody breaks a line for want of room."""
_GAP = re.compile(r"\t+|\s{3,}|\s?\.{4,}\s?|(?:\s\.){3,}\s?")
_NUMBER = re.compile(r"[$€£(]{0,2}\s?\d[\d,.]*\)?%?")


class _Row(NamedTuple):
    """A physical line: its text, and the number of form feeds (page breaks) before it."""

    text: str
    pages: int


def read_text(data: bytes, name: str, options: ReadOptions) -> Document:
    """Read plain text. Blank lines count as lines, and a form feed begins a page."""
    budget = Budget(name, options.limits)
    decoded = decode(data, name)
    builder = DocumentBuilder(data, format="text", budget=budget)
    builder.tell(decoded.notices(name))
    rows = list(_rows(decoded.text, budget))
    add_prose([row.text for row in rows], builder, [row.pages for row in rows])
    return builder.build(paged=builder.page > 1)


def _rows(text: str, budget: Budget) -> Iterator[_Row]:
    """The physical lines; what follows the last line end counts only if it is not empty."""
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
    # A form feed inside a line cannot split it without shifting all later line numbers from those of an editor, so the
    # whole line goes to the page of its first visible character.
    before = len(raw) - len(raw.lstrip("\f \t"))
    return _Row(raw.replace("\f", " " if raw.strip("\f \t").count("\f") else ""), raw[:before].count("\f"))


def add_prose(texts: Sequence[str], builder: DocumentBuilder, pages: Sequence[int] | None = None) -> None:
    """Add physical lines, with the headings, lists and rows among them.

    `pages` has the number of pages that begin before each line.
    """
    headings = find_headings(texts)
    width = max(map(len, texts), default=0)
    roles = _roles(texts)
    previous: LineRole | None = None
    for index, text in enumerate(texts):
        for _ in range(pages[index] if pages else 0):
            builder.new_page()
        heading = headings.get(index)
        role: LineRole = "heading" if heading and heading.whole_line else roles[index]
        if role == "text" and previous == "list_item" and not _wrapped(texts[index - 1], text, width):
            previous = None
        if index == 0 or _starts_block(role, previous):
            builder.new_block()
        number = builder.line(text, _continued(role, previous))
        if heading and heading.title:
            builder.heading(heading.level, heading.title, number)
        previous = _continued(role, previous)


def _roles(texts: Sequence[str]) -> list[LineRole]:
    """The role of each line.

    In a block that is set in columns, all lines are rows if at least half of them certainly are.
    """
    roles = [_role(text) for text in texts]
    for _, held in groupby(range(len(texts)), key=lambda index: bool(texts[index].strip())):
        block = [index for index in held if roles[index] != "blank"]
        rows = sum(roles[index] == "table_row" for index in block)
        if len(block) > rows >= len(block) / 2:
            from spanwise.text.tables.cells import spaced_columns  # few texts have tables, and it loads much

            if not spaced_columns([texts[index] for index in block]):
                continue
            for index in block:
                roles[index] = "table_row"
    return roles


def _wrapped(above: str, text: str, width: int) -> bool:
    """True if a line may continue the list item above: it is indented, within a sentence, or broken for room."""
    plain = text.lstrip()
    if len(plain) < len(text) or not plain[:1].isupper() or above.rsplit(maxsplit=1)[-1].lower() in SMALL_WORDS:
        return True
    return len(above) + len(plain.split(maxsplit=1)[0]) >= FULL * max(width, _NARROWEST)


def _starts_block(role: LineRole, previous: LineRole | None) -> bool:
    """True if a line begins a block; a plain line continues the paragraph or list item above it."""
    if role == "text":
        return previous not in ("text", "list_item")
    return role != "blank" or previous != "blank"


def _continued(role: LineRole, previous: LineRole | None) -> LineRole:
    return "list_item" if role == "text" and previous == "list_item" else role


def _role(text: str) -> LineRole:
    if not text.strip() or _RULE.fullmatch(text):
        return "blank"  # A drawn rule has no content to cite.
    if _is_table_row(text):
        return "table_row"
    return "list_item" if _LIST_ITEM.match(text) else "text"


def _is_table_row(text: str) -> bool:
    """True for cells with wide gaps between them: at least three, or two of which the last is a number."""
    if "   " not in text and "\t" not in text and "...." not in text and " . ." not in text:
        return False
    cells = [cell for cell in _GAP.split(text.strip()) if cell]
    if len(cells) < 2:
        return False
    return len(cells) >= 3 or _NUMBER.fullmatch(cells[-1].strip()) is not None


_MARKS = "\t;,|"
"""Separators between cells, the comma last: the others may separate cells whose figures contain commas."""
_SAMPLE = 400
"""Records from which the separator is determined."""
_HEAD = 1_000_000
"""Characters of a file that are examined for that."""
_LONGEST_CELL = 10_000_000
"""Most characters of a cell; the library's own limit is less than a long report takes in one."""
_SAME_WIDTH = 0.5
"""Least share of the records with several cells that must have the same number of them."""
_MOST_BREAKS = 100
"""Most lines of a record: if there are more, a quotation mark was left open and is an ordinary character."""
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r|$)")
_SAYS = re.compile(r"sep=([\t;,|])\s*")


def read_delimited(data: bytes, name: str, options: ReadOptions) -> Document:
    """Read a table of separated values (CSV); the separator is determined from the records."""
    budget = Budget(name, options.limits)
    decoded = decode(data, name)
    builder = DocumentBuilder(data, format="csv", budget=budget, rows=True)
    builder.tell(decoded.notices(name))
    text = decoded.text
    said = _SAYS.match(text)  # as Excel writes it in the first line
    mark = said[1] if said else _mark(text)
    in_table, longer, empty = False, 0, 0
    for at, (cells, lines) in enumerate(_records(text, mark, quoted=_is_quoted(text, mark))):
        longer += lines > 1
        shown = [] if said and at == 0 else [" ".join(cell.split()) for cell in cells]
        if not any(shown):
            empty += 1  # a line of its own only if something follows: sheets are saved with a million empty rows
            continue
        for _ in range(empty):
            in_table = add_cells(builder, [], in_table=in_table)
        in_table, empty = add_cells(builder, shown, in_table=in_table), 0
    if longer:
        builder.notice(
            "records", f"{longer} records run over several lines: numbers are those of records, as in a sheet."
        )
    return builder.build()


def _mark(text: str) -> str:
    """The separator that splits the most records into the same number of cells (two or more)."""
    best, found = 0, _MARKS[0]
    head = text[:_HEAD]
    for mark in _MARKS:
        sample = islice(_records(head, mark, quoted=_is_quoted(head, mark)), _SAMPLE)
        widths = [len(cells) for cells, _ in sample if len(cells) > 1]
        same = max(Counter(widths).values(), default=0)
        if same > best and same >= _SAME_WIDTH * len(widths):
            best, found = same, mark
    return found


def _is_quoted(text: str, mark: str) -> bool:
    """True if quotation marks enclose cells; an unclosed one would swallow what follows."""
    lines = 1
    try:
        for _, lines in _records(text, mark, quoted=True):
            if lines > _MOST_BREAKS:
                return False
    except csv.Error:
        return False
    last = text[-_HEAD:].rstrip("\r\n")
    return lines == 1 or '"' in last[max(last.rfind("\n"), last.rfind("\r")) + 1 :]


def _records(text: str, mark: str, *, quoted: bool) -> Iterator[tuple[list[str], int]]:
    """The cells of each record, and the number of lines of the file that it takes."""
    lines = (line[0] for line in _LINE.finditer(text) if line[0])
    if not quoted:
        yield from ((line.rstrip("\r\n").split(mark), 1) for line in lines)
        return
    csv.field_size_limit(_LONGEST_CELL)
    reader = csv.reader(lines, delimiter=mark, skipinitialspace=True)
    before = 0
    for cells in reader:
        yield cells, reader.line_num - before
        before = reader.line_num
