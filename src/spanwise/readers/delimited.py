"""CSV and TSV: a line for each record, its cells between pipes, so that its number is that of the row in a sheet."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice

from spanwise.domain.document import Document
from spanwise.readers.bounds import Budget
from spanwise.readers.builder import DocumentBuilder
from spanwise.readers.decoding import decode
from spanwise.readers.flowing import add_cells
from spanwise.readers.port import ReadOptions

_MARKS = "\t;,|"
"""What parts cells; before a comma the others, which stand between cells where commas are in their figures."""
_SAMPLE = 400
"""Records that the mark is told from."""
_HEAD = 1_000_000
"""Characters of a file in which quotation marks are looked at for that."""
_SAME_WIDTH = 0.5
"""Least share of the records with cells that have the same number of them."""
_MOST_BREAKS = 100
"""Lines of one record: where there are more, a quotation mark was left open and is a sign like any other."""
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r|$)")
_SAYS = re.compile(r"sep=([\t;,|])\s*")


def read_delimited(data: bytes, name: str, options: ReadOptions) -> Document:
    """Read a table of comma-separated values; the mark between cells is told from the records.

    Raises:
        DocumentError: The bytes are not text, or cross a limit.
    """
    budget = Budget(name, options.limits)
    decoded = decode(data, name)
    builder = DocumentBuilder(data, format="csv", budget=budget, rows=True)
    for notice in decoded.notices(name):
        builder.notice(notice.code, notice.message)
    text = decoded.text
    said = _SAYS.match(text)  # as Excel writes it in the first line
    mark = said[1] if said else _mark(text)
    in_table, longer = False, 0
    for cells, lines in _records(text, mark, quoted=_is_quoted(text, mark)):
        shown = [] if said and builder.next_line == 1 else [" ".join(cell.split()) for cell in cells]
        in_table = add_cells(builder, shown, in_table=in_table)
        longer += lines > 1
    if longer:
        builder.notice(
            "records", f"{longer} records run over several lines: numbers are those of records, as in a sheet."
        )
    return builder.build()


def _mark(text: str) -> str:
    """The mark that parts most records into the same number of cells, not counting those without any."""
    best, found = 0, _MARKS[0]
    for mark in _MARKS:
        sample = islice(_records(text, mark, quoted=_is_quoted(text[:_HEAD], mark)), _SAMPLE)
        widths = [len(cells) for cells, _ in sample if len(cells) > 1]
        same = max(Counter(widths).values(), default=0)
        if same > best and same >= _SAME_WIDTH * len(widths):
            best, found = same, mark
    return found


def _is_quoted(text: str, mark: str) -> bool:
    """True if quotation marks enclose cells; one that is never closed would swallow what follows."""
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
    """The cells of each record, and how many lines of the file it takes."""
    lines = (line[0] for line in _LINE.finditer(text) if line[0])
    if not quoted:
        yield from ((line.rstrip("\r\n").split(mark), 1) for line in lines)
        return
    reader = csv.reader(lines, delimiter=mark, skipinitialspace=True)
    before = 0
    for cells in reader:
        yield cells, reader.line_num - before
        before = reader.line_num
