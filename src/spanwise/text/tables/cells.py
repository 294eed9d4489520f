"""Tables whose cells are told apart in the lines: by pipes (Markdown, CSV) or by gaps (HTML, DOCX, PDF, text)."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from typing import TypeAlias

from spanwise.domain.document import Line
from spanwise.text.tables.grid import Grid, GridRow, heads_a_column, is_year, read_cell, read_scale, without_note
from spanwise.text.tables.placed import columns_of, nearest_column
from spanwise.text.tables.printed_tables import heads_of_lines

MOST_ROWS = 400
MOST_COLUMNS = 40
Cells: TypeAlias = list[str]
_RULE = re.compile(r"\s*\|?[\s:|-]{3,}\|?\s*")
_PIPE = re.compile(r"(?<!\\)\|")
_SIGNS = re.compile(r"[\s$\u20ac\u00a3\u00a5%]{1,200}")
"""A line that says nothing but what each column is counted in."""
_GAP = re.compile(r"\s{2,}|\t")
_GROUPS = 2
"""How many labels without figures, one under the other, a row is said to stand under."""
_CAPTION_WORDS = 40
_GROUP_WORDS = 10
_MISSING, _WIDE = 2, 16
"""Empty cells of a short row of a table that is so wide at most, whose place is looked for."""
_HEAD_WORDS = 14
"""Words of a cell that may be the head of a column."""


def cell_grids(document: str, lines: Sequence[Line]) -> Iterator[Grid]:
    """The tables with marked cells among contiguous lines."""
    run: list[Line] = []
    before = ""
    for at, line in enumerate(lines):
        empty = not line.text.strip()
        # The tables of a sheet and of Markdown end with an empty line, and with their sheet.
        if run and "|" in run[0].text and (empty or line.page != run[0].page):
            if grid := _grid(document, run, before):
                yield grid
            run, before = [], ""
        if empty or (run and _SIGNS.fullmatch(line.text)):
            continue
        if _may_be_row(line) and (not run or ("|" in line.text) == ("|" in run[0].text)):
            run.append(line)
            continue
        if run and _opens_group(line, lines[at + 1 : at + 2 + _GROUPS], run[0]):
            run.append(line)
            continue
        if grid := _grid(document, run, before):
            yield grid
        run, before = ([line], "") if _may_be_row(line) else ([], line.text)
    if grid := _grid(document, run, before):
        yield grid


def _may_be_row(line: Line) -> bool:
    return "|" in line.text or line.role == "table_row"


def _opens_group(line: Line, following: Sequence[Line], first: Line) -> bool:
    """True for a label alone behind which a row of figures goes on with the table that begins with `first`."""
    if len(line.text.split()) > _GROUP_WORDS or line.text.rstrip().endswith((".", ";", ",")):
        return False
    below = next((one for one in following if _may_be_row(one)), None)
    if below is None or below.page != line.page or not all(one.text.strip() for one in following):
        return False
    marked = "|" in first.text
    return marked == ("|" in below.text) and bool(_figures(_by_pipes(below.text) if marked else _by_gaps(below.text)))


def _grid(document: str, lines: Sequence[Line], before: str) -> Grid | None:
    written = [line for line in lines[: MOST_ROWS + 1] if not _RULE.fullmatch(line.text)]
    cells = _split(written)
    if len(written) < 2 or not cells or (width := max(map(len, cells))) < 2:
        return None
    marked = "|" in lines[0].text
    top = next((at for at, one in enumerate(cells) if _figures(one)), 0)
    texts = (None if marked else _in_columns(written, cells, top)) or _by_kind(cells, width, top, marked=marked)
    rows = [(line.number, one) for line, one in zip(written, texts, strict=True)]
    width = len(texts[0])
    # A printed table whose head could not be told from its lines has none, rather than a row of figures.
    headless = not marked and len(_figures(rows[0][1])) > 0
    split = 0 if headless else _end_of_head(rows)
    return Grid(
        document=document,
        first=lines[0].number,
        last=lines[-1].number,
        heads=tuple(_heads([one for _, one in rows[:split]], width)),
        head_lines=tuple((number, number) for number, _ in rows[:split]),
        rows=tuple(grid_rows(rows[split:])),
        corner=" ".join(dict.fromkeys(one[0] for _, one in rows[:split] if one[0])),
        caption=before if len(before.split()) <= _CAPTION_WORDS else "",
        printed=not marked,
    )


def _in_columns(lines: Sequence[Line], cells: Sequence[Cells], top: int) -> list[Cells] | None:
    """Rows whose lines say where their cells stand; None where that does not tell columns apart.

    A head (above row `top`) that stands over several columns is the head of each.
    """
    places = [_places(line, one) for line, one in zip(lines, cells, strict=True)]
    body = [row for row in places[top:] if len(row) > 1]
    columns = columns_of(body)
    if not all(places) or not max(2, *map(len, body), 0) <= len(columns) <= MOST_COLUMNS:
        return None
    printed = all(line.box is not None for line in lines)
    rows: list[Cells] = heads_of_lines(lines[:top], columns) if printed else []
    for at, (texts, row) in list(enumerate(zip(cells, places, strict=True)))[len(rows) :]:
        placed = [""] * len(columns)
        for text, (x0, x1) in zip(texts, row, strict=True):
            shared = [min(x1, right) - max(x0, left) for left, right in columns]
            over = [column for column, one in enumerate(shared) if one > 0]
            best = shared.index(max(shared)) if over else nearest_column(x0, x1, columns)
            for column in over if at < top and over else (best,):
                if placed[column]:
                    return None
                placed[column] = text
        rows.append(placed)
    return rows


def _places(line: Line, cells: Cells) -> list[tuple[float, float]]:
    """The edges of the cells of a row; nothing where they are not known."""
    edges = line.edges
    if not edges and len(cells) == 1 and line.box is not None:
        edges = line.box.x0, line.box.x1
    return list(zip(edges[::2], edges[1::2], strict=True)) if len(edges) == 2 * len(cells) else []


def _by_kind(cells: Sequence[Cells], width: int, top: int, *, marked: bool) -> list[Cells]:
    """Rows of which only the order of the cells is known."""
    full = [[read_cell(cell) is not None for cell in one] for one in cells[1:] if len(one) == width]
    shares = [sum(column) / len(full) for column in zip(*full, strict=True)]
    rows: list[Cells] = []
    for at, one in enumerate(cells):
        over = _over_repeated(one, cells[at + 1], width) if at + 1 < top else None
        rows.append(over or _aligned(one, width, shares, head=at < top, marked=marked))
    return rows


def _split(lines: Sequence[Line]) -> list[Cells]:
    """The cells of every row, by the mark that parts most rows alike."""
    texts = [line.text for line in lines]
    if texts and "|" in texts[0]:
        return [_by_pipes(text) for text in texts]
    if lines and lines[0].box is None and not lines[0].edges and (columns := spaced_columns(texts)):
        return [[text[left:right].strip() for left, right in columns] for text in texts]
    if any(_GAP.search(text.strip()) for text in texts):
        return [_by_gaps(text) for text in texts]
    return []


_LEAST_SET, _MOST_SET, _LONGEST_SET = 3, 400, 400
"""Lines of a table that is set with spaces, and characters of one."""


def spaced_columns(texts: Sequence[str]) -> list[tuple[int, int]]:
    """Where each column begins, and where the next one does; nothing where lines are not set in columns.

    One space parts two cells where it stands below and above others. What few lines fill is no column of its own, and
    no gap of two spaces may lie within a cell.
    """
    if not _LEAST_SET <= len(texts) <= _MOST_SET or any("\t" in one or len(one) > _LONGEST_SET for one in texts):
        return []
    wide = range(max(map(len, texts)))
    inked = [any(at < len(one) and not one[at].isspace() for one in texts) for at in wide]
    starts: list[int] = []
    for start in (at for at, ink in enumerate(inked) if ink and not (at and inked[at - 1])):
        end = next(at for at in range(start, len(inked) + 1) if at == len(inked) or not inked[at])
        filled = sum(bool(one[start:end].strip()) for one in texts)
        if not starts or 2 * filled >= len(texts):
            starts.append(start)
    columns = list(zip(starts, [*starts[1:], _LONGEST_SET], strict=True))
    cut = [[one[left:right].strip() for left, right in columns] for one in texts]
    return columns if len(columns) > 1 and not any(_GAP.search(cell) for row in cut for cell in row) else []


def _by_pipes(text: str) -> Cells:
    parts = _PIPE.split(text.strip())
    if parts and not parts[0].strip():
        parts = parts[1:]
    if len(parts) > 1 and not parts[-1].strip():
        parts = parts[:-1]
    return [" ".join(part.replace("\\|", "|").split()) for part in parts[:MOST_COLUMNS]]


def _by_gaps(text: str) -> Cells:
    joined: Cells = []
    for part in _GAP.split(text.strip())[:MOST_COLUMNS]:
        # A currency sign is often printed apart from its figure.
        if joined and joined[-1].endswith(("$", "\u20ac", "\u00a3", "\u00a5", "(")) and part[:1].isdigit():
            joined[-1] += part
        else:
            joined.append(part)
    return joined


def _over_repeated(cells: Cells, below: Cells, width: int) -> Cells | None:
    """A row over heads that repeat, each cell over one turn of them ("2024" and "2025" over wheat, rye, wheat, rye)."""
    names = below[1 - width :]
    for labels in (1, 0):
        turns = len(cells) - labels
        each = (width - 1) // turns if turns > 1 else 0
        if each > 1 and len(names) == width - 1 == each * turns and names == names[:each] * turns:
            label = cells[:labels] or [""]
            return [*label, *(cell for cell in cells[labels:] for _ in range(each))]
    return None


def _aligned(cells: Cells, width: int, shares: Sequence[float], *, head: bool, marked: bool) -> Cells:
    """A row of as many cells as the table has columns.

    Figures stand where full rows have figures (`shares`, of each column), texts where they have texts; where that
    leaves a choice, the label of a row of figures is kept to the left.
    """
    missing = width - len(cells)
    if missing <= 0:
        return cells
    if marked:
        return [*cells, *[""] * missing]  # an empty cell between others has its mark
    if head and shares and len(cells) > 1:
        return [*[""] * missing, *cells]  # heads stand over the columns of figures, at the right
    usual = _by_label(cells, missing)
    if head or missing > _MISSING or len(cells) < 2 or not shares or width > _WIDE:
        return usual
    layouts = [usual]
    for gaps in combinations(range(1, width), missing):
        held = iter(cells)
        layouts.append(["" if at in gaps else next(held) for at in range(width)])
    return max(layouts, key=lambda row: round(_fits(row, shares), 6))  # the first of equals


def _fits(row: Cells, shares: Sequence[float]) -> float:
    """How well the cells of a row are of the kind of their columns, as a log likelihood."""
    likely = (
        share if read_cell(cell) is not None else 1 - share for cell, share in zip(row, shares, strict=True) if cell
    )
    return sum(math.log(0.05 + 0.9 * one) for one in likely)


def _by_label(cells: Cells, missing: int) -> Cells:
    """A short row by its own cells alone."""
    figures = [read_cell(cell) is not None for cell in cells]
    if cells and not figures[0] and len(cells) > 1 and all(figures[1:]):
        return [cells[0], *[""] * missing, *cells[1:]]
    if (
        missing == 1
        and cells
        and all(len(cell.split()) <= _HEAD_WORDS and not one for cell, one in zip(cells, figures, strict=True))
    ):
        return ["", *cells] if all(heads_a_column(cell) for cell in cells) else [*cells, ""]
    return ["", *[""] * (missing - 1), *cells] if all(figures) and cells else [*cells, *[""] * missing]


def _end_of_head(rows: Sequence[tuple[int, Cells]]) -> int:
    """How many rows at the top are heads."""
    for at, (_, cells) in enumerate(rows):
        filled = [cell for cell in cells[1:] if cell]
        if not filled:
            # A label alone opens a group once there are heads, and is a caption before or when it states a scale.
            if any(any(above[1:]) for _, above in rows[:at]) and read_scale(cells[0]) is None:
                return at
            continue
        figures = _figures(cells)
        dashed = all(not any(character.isdigit() for character in cell) for cell in figures)
        if figures and not (dashed and not cells[0]) and not (not cells[0] and len(figures) < len(filled)):
            return max(at, 1) if at or cells[0] else 1
        if at and cells[0] and _has_years(rows[at - 1][1]) and all(is_year(cell) for cell in filled):
            return at  # under a head of years a row of "2019" counts something
        merged = at and any(cell and cell == above for cell, above in zip(cells, rows[at - 1][1], strict=True))
        if at and cells[0] and all(rows[0][1]) and read_scale(cells[0]) is None and _has_words(filled) and not merged:
            return at  # a full head names every column: what follows are records, unless a head goes on in it
    return min(1, len(rows))


def _figures(cells: Sequence[str]) -> list[str]:
    return [cell for cell in cells[1:] if cell and read_cell(cell) is not None and not heads_a_column(cell)]


def _has_years(cells: Sequence[str]) -> bool:
    return any(is_year(cell) for cell in cells[1:])


def _has_words(cells: Sequence[str]) -> bool:
    return any(any(map(str.isalpha, cell)) and not heads_a_column(cell) for cell in cells)


def _heads(rows: Sequence[Sequence[str]], width: int) -> list[str]:
    """The head of each column but the first; one that spans columns is the head of all of them."""
    spread = [_spread(cells[1:]) if at + 1 < len(rows) else list(cells[1:]) for at, cells in enumerate(rows)]
    return [" ".join(dict.fromkeys(cells[column] for cells in spread if cells[column])) for column in range(width - 1)]


def _spread(cells: Sequence[str]) -> list[str]:
    """Each head over the columns that it spans: to its right where the first column has one, else to both sides."""
    filled = [at for at, cell in enumerate(cells) if cell]
    if not filled or len(filled) == len(cells):
        return list(cells)
    if filled[0] == 0 and len(filled) > 1:
        width = min(right - left for left, right in pairwise(filled))
        held = ((at, max(one for one in filled if one <= at)) for at in range(len(cells)))
        return [cells[one] if at - one < width else "" for at, one in held]
    return [cells[min(filled, key=lambda one: (abs(one - at), one))] for at in range(len(cells))]


def grid_rows(rows: Sequence[tuple[int, Cells]]) -> Iterator[GridRow]:
    """The rows of a grid by their cells as written; labels alone become the groups of those below."""
    groups: list[str] = []
    open_group = False
    for number, cells in rows:
        label, figures = cells[0], tuple(read_cell(cell) for cell in cells[1:])
        names = {cell for cell in cells[1:] if cell}
        # A label alone, or one text over all columns, opens a group.
        if names <= {label} or (len(names) == 1 and not (label or any(figures))):
            name = label or "".join(names)
            if any(character.isalpha() for character in name):
                groups = [*groups[-(_GROUPS - 1) :], name] if open_group else [name]
                open_group = True
            continue
        open_group = False
        yield GridRow(label, tuple(groups), figures, tuple(cells[1:]), number, number)
        if groups and closes(label, groups[-1]):
            groups = []


def closes(label: str, group: str) -> bool:
    """True if a row is the total of its group, behind which other things are told."""
    plain, of = without_note(label).lower(), without_note(group).lower()
    return plain.startswith("total") and plain.removeprefix("total").strip() == of
