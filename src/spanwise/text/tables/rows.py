"""Rows of tables in lines: a label with its figures, on one line or each on its own; columns that spaces set."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

MOST_CELLS = 40
_LONGEST_LABEL = 220
_TOTALS = 2
"""Figures that a line has at least that is a row without a label."""
_GROUPED = r"\d{1,3}(?:[ .\u00a0\u2009\u202f]\d{3}){1,5}(?:,\d{1,4})?"
"""A figure whose thousands other marks part than a comma."""
_FIGURE = rf"(?:{_GROUPED}|\d(?:[\d,]{{0,18}}\d)?(?:\.\d{{1,6}})?)"
_CELL = re.compile(
    rf"[\s$\u20ac\u00a3\u00a5]{{0,6}}(?:[(\-\u2013\u2014]?\s?[$\u20ac\u00a3\u00a5]?\s?{_FIGURE}\s?(?:%|pp|x)?\s?\)?"
    r"|[\u2014\u2013-]|\*|N/?M|n/?m)[\s%$)\u20ac\u00a3\u00a5]{0,6}"
)
_CELL_ENDS = frozenset("$\u20ac\u00a3\u00a5%()xpMm*-\u2013\u2014")
"""Characters besides digits with which a figure or a mark can end."""
_MARKS = re.compile(r"[\s$\u20ac\u00a3\u00a5%()]{1,8}")
_GAP = re.compile(r"\s{2,}|\t")
_YEAR = re.compile(r"\(?(?:FY\s?)?(?:19|20)\d\d\)?", re.IGNORECASE)
_DIGIT = re.compile(r"\d")
_YEAR_LAST = re.compile(r"(?:19|20)\d\d[\s$\u20ac\u00a3\u00a5%()]*(?:\n|\Z)")


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table; its text is lines `first..last`."""

    label: str
    cells: tuple[str, ...]
    """Its figures as written, in order; currency signs that stand alone left out."""
    first: int
    last: int
    text: str
    """The lines joined by single spaces."""

    @property
    def heads(self) -> bool:
        """True if it is a head of columns: years and nothing else."""
        return bool(self.cells) and all(_YEAR.fullmatch(cell) for cell in self.cells)


def table_rows(lines: Iterable[tuple[int, str]]) -> list[Row]:
    """The rows among numbered, contiguous lines.

    A line of figures alone continues the row before it, since some sources have each cell on a line of its own; it is
    a row without a label, the total of those above, where it has as many figures as that row already has.
    """
    return list(_rows(lines))


def _rows(lines: Iterable[tuple[int, str]]) -> Iterator[Row]:
    label, first, last = "", 0, 0
    cells: list[str] = []
    texts: list[str] = []
    open_label = False
    for number, raw in lines:
        text = " ".join(raw.split())
        if not text:
            continue
        name, found = split_row(raw)
        if not name and (found or _MARKS.fullmatch(text)):
            if open_label and len(cells) == len(found) >= _TOTALS:
                yield Row(label, tuple(cells), first, last, " ".join(texts))
                label, cells, first, last, texts = "", list(found), number, number, [text]
                continue
            # Figures alone: they belong to the label above, if there is one.
            if open_label and len(cells) + len(found) <= MOST_CELLS:
                cells += found
                last = number
                texts.append(text)
            continue
        if open_label and cells:
            yield Row(label, tuple(cells), first, last, " ".join(texts))
        label, cells, first, last, texts = name, list(found), number, number, [text]
        open_label = len(name) <= _LONGEST_LABEL
    if open_label and cells:
        yield Row(label, tuple(cells), first, last, " ".join(texts))


def may_have_head(text: str) -> bool:
    """True if some line of a text ends with a year, as at least one line does of a row that is a head of columns."""
    return _YEAR_LAST.search(text) is not None


def split_row(line: str) -> tuple[str, tuple[str, ...]]:
    """The label of a line and the figures that end it; no figures where it is a sentence."""
    stripped = line.strip()
    if stripped and not (stripped[-1] in _CELL_ENDS or stripped[-1].isdecimal()):
        return " ".join(stripped.split()), ()  # most lines: they end as no figure does
    parts = [part for part in _GAP.split(stripped) if part]
    cells: list[str] = []
    while parts and (_CELL.fullmatch(parts[-1]) or _MARKS.fullmatch(parts[-1])):
        cells.append(parts.pop())
    if not cells and parts:
        # One space between the cells: two figures at the end make a row, one may end a sentence.
        words = parts[-1].split(" ")
        tail: list[str] = []
        while words and (_CELL.fullmatch(words[-1]) or _MARKS.fullmatch(words[-1])):
            tail.append(words.pop())
        if sum(bool(_DIGIT.search(word)) for word in tail) >= 2 or not words:
            cells, parts = tail, [*parts[:-1], " ".join(words)]
    figures = tuple(cell.strip(" $\u20ac\u00a3\u00a5") for cell in reversed(cells) if not _MARKS.fullmatch(cell))
    return " ".join(" ".join(parts).split()), figures


_MOST_LINES = 400
_LONGEST = 400
_LEAST_LINES = 3
_WIDE_GAP = re.compile(r"\s{2,}")


def spaced_columns(texts: Sequence[str]) -> list[tuple[int, int]]:
    """Where each column begins, and where the next one does; nothing where lines are not set in columns.

    One space parts two cells where it stands below and above others. What few lines fill is no column of its own, and
    no gap of two spaces may lie within a cell.
    """
    if not _LEAST_LINES <= len(texts) <= _MOST_LINES or any("\t" in one or len(one) > _LONGEST for one in texts):
        return []
    wide = range(max(map(len, texts)))
    inked = [any(at < len(one) and not one[at].isspace() for one in texts) for at in wide]
    starts: list[int] = []
    for start in (at for at, ink in enumerate(inked) if ink and not (at and inked[at - 1])):
        end = next(at for at in range(start, len(inked) + 1) if at == len(inked) or not inked[at])
        filled = sum(bool(one[start:end].strip()) for one in texts)
        if not starts or 2 * filled >= len(texts):
            starts.append(start)
    columns = list(zip(starts, [*starts[1:], _LONGEST], strict=True))
    cut = [[one[left:right].strip() for left, right in columns] for one in texts]
    return columns if len(columns) > 1 and not any(_WIDE_GAP.search(cell) for row in cut for cell in row) else []
