"""The tables among lines of a document, whatever format it was read from, and the printed rows they are made of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from spanwise.domain.document import Line
from spanwise.text.patterns import lazy_pattern
from spanwise.text.tables.cells import cell_grids, closes
from spanwise.text.tables.grid import Grid, GridRow, lines_between, read_cell, read_scale, years_of

MOST_CELLS = 40
_LONGEST_LABEL = 220
_TOTALS = 2
"""Figures that a line has at least that is a row without a label."""
_GROUPED = r"\d{1,3}(?:[ .\u00a0\u2009\u202f]\d{3}){1,5}(?:,\d{1,4})?"
"""A figure whose thousands other marks part than a comma."""
_FIGURE = rf"(?:{_GROUPED}|\d(?:[\d,]{{0,18}}\d)?(?:\.\d{{1,6}})?)"
_CELL = re.compile(
    rf"[\s$\u20ac\u00a3\u00a5]{{0,6}}(?:[(\-\u2013\u2014]?\s?[$\u20ac\u00a3\u00a5]?\s?{_FIGURE}\s?(?:%|pp|x)?\s?\)?(?:\^\d{{1,2}})?"
    r"|[\u2014\u2013-]|\*|N/?M|n/?m)[\s%$)\u20ac\u00a3\u00a5]{0,6}"
)
_CELL_ENDS = frozenset("$\u20ac\u00a3\u00a5%()xpMm*-\u2013\u2014")
"""Characters besides digits with which a figure or a mark can end."""
_MARKS = re.compile(r"[\s$\u20ac\u00a3\u00a5%()]{1,8}")
_YEAR_CELL = re.compile(r"\(?(?:FY\s?)?(?:19|20)\d\d\)?", re.IGNORECASE)
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
        return bool(self.cells) and all(_YEAR_CELL.fullmatch(cell) for cell in self.cells)


def table_rows(lines: Iterable[tuple[int, str]]) -> list[Row]:
    """The rows among numbered, contiguous lines.

    A line of figures alone continues the row before it, since some sources have each cell on a line of its own; it is
    a row without a label, the total of those above, where it has as many figures as that row already has.
    """
    return list(_printed_rows(lines))


def _printed_rows(lines: Iterable[tuple[int, str]]) -> Iterator[Row]:
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


MOST_ROWS = 120
"""Rows under one head."""
_CAPTION_LINES = 10
"""Lines above a head in which its scale and its title may stand."""
_CAPTION_BEHIND = 3
"""Lines behind a head in which its scale may stand."""
_CAPTION_WORDS = 24
_GROUP_WORDS = 10
_GROUPS = 2
_LONGEST_HEAD = 200
_YEAR = re.compile(r"(?:19|20)\d\d")
_DATES = lazy_pattern(
    r"\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?|fiscal|financial|years?|months?|weeks?|quarters?|periods?|ended|ending|end|as|of|at|and"
    r"|for|the|three|six|nine|twelve|fy|restated|audited|unaudited)\b|[\d\s.,:;()*$\u20ac\u00a3'\u2019-]",
    re.IGNORECASE,
)
_CHANGES = re.compile(r"\b(?:changes?|variance|vs\.?|versus|increase|decrease|growth|compared)\b|%", re.IGNORECASE)
"""Words of a head behind which no period stands but what changed from one to the other."""
_GAP = re.compile(r"\s{2,}|\t")
_HEAD_GAP = 4
"""Lines between two periods of one head that are printed under each other."""
_MOST_ALONE = 12
_NOTE_NUMBER = re.compile(r"\(?\d{1,2}\)?")


@dataclass(slots=True)
class _Open:
    """A table whose head was read."""

    heads: tuple[str, ...]
    first: int
    last: int
    corner: str
    page: int
    open: bool = False
    """True if columns without a period stand behind the others."""
    alone: bool = False
    """True if each period is printed on a line of its own."""
    rows: list[GridRow] = field(default_factory=list)
    groups: list[str] = field(default_factory=list)
    in_group: bool = False


def printed_grids(document: str, lines: Sequence[Line]) -> Iterator[Grid]:
    """The tables with a head of years or dates among contiguous lines."""
    rows = {row.first: row for row in table_rows((line.number, line.text) for line in lines)}
    table: _Open | None = None
    above: Line | None = None
    done = 0
    for line in lines:
        if line.number <= done or not line.text.strip():
            continue
        row = rows.get(line.number)
        done = row.last if row is not None else line.number
        head = _head(line, row, above)
        above = line
        if head is not None and table is not None and _continues(table, head):
            table.heads, table.last = (*table.heads, *head.heads), head.last
        elif head is not None or (table is not None and line.page != table.page):
            if table is not None and table.rows:
                yield _closed(document, table, lines)
            table = head
        elif table is not None and row is not None:
            _add_row(table, row)
        elif table is not None and not table.rows and (_is_prose(line) or _has_more_heads(line, table)):
            table = None  # a date that text follows heads no columns, and one over other heads heads several
        elif table is not None:
            _add_group(table, line)
    if table is not None and table.rows:
        yield _closed(document, table, lines)


def _continues(table: _Open, head: _Open) -> bool:
    """True if each period of a head is printed on a line of its own, and this is the next one."""
    alone = len(head.heads) == 1 and head.last - head.first < 2
    return (
        alone
        and not table.rows
        and len(table.heads) < _MOST_ALONE
        and 0 < head.first - table.last <= _HEAD_GAP
        and table.alone
    )


def _head(line: Line, row: Row | None, above: Line | None) -> _Open | None:
    """The head of columns that a line is, with what the line above says of several columns at once."""
    more = False
    if row is not None and row.heads:
        heads, corner = row.cells, row.label
    elif row is None and (dated := _dated(line.text)):
        heads, corner, more = dated
    else:
        return None
    over = line if row is not None and row.last > row.first else above
    wide = _GAP.split(over.text.strip()) if over is not None and over.number >= line.number - 2 else []
    if len(wide) > 1 and len(heads) % len(wide) == 0 and not any(map(read_cell, wide)):
        heads = tuple(f"{wide[at * len(wide) // len(heads)]} {head}" for at, head in enumerate(heads))
    last = row.last if row is not None else line.number
    return _Open(heads, line.number, last, corner, line.page, more, alone=len(heads) == 1)


def may_head(text: str) -> bool:
    """True if a line may be a head of years or dates, or of a part of one; every printed table has such a line."""
    if not _YEAR.search(text):
        return False
    cells = split_row(text)[1]
    return (bool(cells) and all(_YEAR.search(cell) for cell in cells)) or _dated(text) is not None


def _dated(text: str) -> tuple[tuple[str, ...], str, bool] | None:
    """The dates of a line that says nothing else, the head of the labels before them, and if changes follow them."""
    if len(text) > _LONGEST_HEAD or not _YEAR.search(text):
        return None
    parts = _GAP.split(text.strip())
    corner = parts.pop(0) if len(parts) > 2 and not _YEAR.search(parts[0]) else ""
    changed = next((at for at, part in enumerate(parts) if _CHANGES.search(part)), len(parts))
    if len(parts) > 1 and changed:
        dates, rest = parts[:changed], parts[changed:]
    else:
        found = _CHANGES.search(text)
        dates, rest = [text[: found.start()]] if found else [text], [text[found.start() :]] if found else []
    if _DATES.sub("", " ".join(dates)) or _DATES.sub("", _CHANGES.sub("", " ".join(rest))):
        return None
    years = [year for part in dates for year in _YEAR.findall(part)]
    named = [part for part in dates if years_of(part)]
    heads = tuple(named) if len(named) == len(years) else tuple(years)
    return (heads, corner, bool(rest)) if heads else None


def _add_row(table: _Open, row: Row) -> None:
    cells = row.cells
    if table.open:
        cells = cells[: len(table.heads)]
    elif len(cells) == len(table.heads) + 1 and _NOTE_NUMBER.fullmatch(cells[0]):
        cells = cells[1:]  # the number of a note
    table.in_group = False
    if len(cells) != len(table.heads) or len(table.rows) >= MOST_ROWS:
        return
    figures = tuple(read_cell(cell) for cell in cells)
    table.rows.append(GridRow(row.label, tuple(table.groups), figures, cells, row.first, row.last))
    if table.groups and (not row.label or row.label.lower().startswith("total")):
        # Sections of statements end with a total, whatever it is called.
        table.groups = table.groups[:-1] if not row.label or closes(row.label, table.groups[-1]) else []


def _has_more_heads(line: Line, table: _Open) -> bool:
    """True for a row of a format that marks its cells which names more columns than the row of periods above it."""
    return line.box is None and len(line.edges) // 2 > len(table.heads) + 1


def _is_prose(line: Line) -> bool:
    text = line.text.strip()
    return len(text.split()) > _GROUP_WORDS and text.endswith(".") and read_scale(text) is None


def _add_group(table: _Open, line: Line) -> None:
    text = line.text.strip()
    if len(text.split()) > _GROUP_WORDS or text.endswith((".", ";", ",")) or not text[:1].isalpha() or read_scale(text):
        table.in_group = False
        return
    table.groups = [*table.groups[-(_GROUPS - 1) :], text] if table.in_group else [text]
    table.in_group = True


def _closed(document: str, table: _Open, lines: Sequence[Line]) -> Grid:
    reach = lines_between(lines, table.first - _CAPTION_LINES, table.last + _CAPTION_BEHIND)
    near = [line for line in reach if line.page == table.page]
    scaled = [line for line in near if read_scale(line.text) is not None]
    scale = next((line for line in reversed(scaled) if line.number <= table.last), scaled[0] if scaled else None)
    head_lines = [(table.first, table.last)]
    if scale is not None and not table.first <= scale.number <= table.last:
        head_lines.insert(0, (scale.number, scale.number))
    above = [line for line in near if line.number < table.first]
    over = next((line.number for line in reversed(above) if len(split_row(line.text)[1]) > 1), 0)
    titles = [line for line in above if line.number > over and len(line.text.split()) <= _CAPTION_WORDS]
    captions = [line.text for line in titles if not line.text.strip().endswith(".") and line is not scale]
    return Grid(
        document=document,
        first=table.first,
        last=table.rows[-1].last,
        heads=table.heads,
        head_lines=tuple(head_lines),
        rows=tuple(table.rows),
        corner=table.corner,
        caption="\n".join([scale.text if scale is not None else "", *reversed(captions)]),
        printed=True,
    )


_BEHIND_YEARS = frozenset("$\u20ac\u00a3\u00a5%()")
"""Characters besides spaces that may stand behind the last year of a head."""


def read_tables(document: str, lines: Sequence[Line]) -> Iterator[Grid]:
    """The tables among contiguous lines, in their order: printed rows under years, then rows of marked cells."""
    piped = [line for line in lines if "|" in line.text]
    printed = list(printed_grids(document, lines)) if len(piped) < 2 else []
    yield from printed
    taken = {number for grid in printed for number in range(grid.first, grid.last + 1)}
    for grid in cell_grids(document, lines):
        if taken.isdisjoint(range(grid.first, grid.last + 1)):
            yield grid


def may_have_table(text: str, *, rows: bool = False) -> bool:
    """True if lines can have a table; `rows` tells that a reader has marked rows among them."""
    # The last characters of lines that end with a year tell most lines apart before a pattern has to be looked for.
    return (
        rows
        or "|" in text
        or any(
            (line[-1].isdecimal() or line[-1].isspace() or line[-1] in _BEHIND_YEARS) and may_have_head(line)
            for line in text.split("\n")
            if line
        )
    )
