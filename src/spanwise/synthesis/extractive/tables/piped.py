"""Tables that Markdown writes with pipes, read from numbered lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from spanwise.domain.document import Line
from spanwise.synthesis.extractive.tables.grid import Grid, GridRow, heads_a_column, is_year, read_cell, without_note
from spanwise.text.scales import read_scale

MOST_ROWS = 400
MOST_COLUMNS = 40
_RULE = re.compile(r"\s*\|?[\s:|-]{3,}\|?\s*")
_PIPE = re.compile(r"(?<!\\)\|")
_GROUPS = 2
"""How many labels without figures, one under the other, a row is said to stand under."""
_CAPTION_WORDS = 40


def piped_grids(document: str, lines: Sequence[Line]) -> Iterator[Grid]:
    """The pipe tables among contiguous lines."""
    run: list[tuple[int, list[str]]] = []
    before = ""
    for line in lines:
        if "|" in line.text:
            if not _RULE.fullmatch(line.text):
                run.append((line.number, _cells(line.text)))
            continue
        if not line.text.strip():
            continue
        if grid := _grid(document, run, before):
            yield grid
        run, before = [], line.text
    if grid := _grid(document, run, before):
        yield grid


def _cells(text: str) -> list[str]:
    parts = _PIPE.split(text.strip())
    if parts and not parts[0].strip():
        parts = parts[1:]
    if len(parts) > 1 and not parts[-1].strip():
        parts = parts[:-1]
    return [" ".join(part.replace("\\|", "|").split()) for part in parts[:MOST_COLUMNS]]


def _grid(document: str, run: Sequence[tuple[int, list[str]]], before: str) -> Grid | None:
    if len(run) < 2 or max(len(cells) for _, cells in run) < 2:
        return None
    width = max(len(cells) for _, cells in run)
    rows = [(number, [*cells, *[""] * (width - len(cells))]) for number, cells in run[:MOST_ROWS]]
    split = _end_of_head(rows)
    heads = _heads([cells for _, cells in rows[:split]], width)
    corner = " ".join(cells[0] for _, cells in rows[:split] if cells[0])
    caption = f"{corner} \n{before}" if len(before.split()) <= _CAPTION_WORDS else corner
    return Grid(
        document=document,
        first=run[0][0],
        last=run[-1][0],
        heads=tuple(heads),
        head_lines=tuple((number, number) for number, _ in rows[:split]),
        rows=tuple(_rows(rows[split:])),
        caption=caption,
    )


def _end_of_head(rows: Sequence[tuple[int, list[str]]]) -> int:
    """How many rows at the top are heads."""
    for at, (_, cells) in enumerate(rows):
        filled = [cell for cell in cells[1:] if cell]
        if not filled:
            # A label alone opens a group once there are heads, and is a caption before or when it states a scale.
            if any(any(above[1:]) for _, above in rows[:at]) and read_scale(cells[0]) is None:
                return at
            continue
        figures = [cell for cell in filled if read_cell(cell) is not None and not heads_a_column(cell)]
        dashed = all(not any(character.isdigit() for character in cell) for cell in figures)
        if figures and not (dashed and not cells[0]) and not (not cells[0] and len(figures) < len(filled)):
            return max(at, 1) if at or cells[0] else 1
        if at and cells[0] and _has_years(rows[at - 1][1]) and all(is_year(cell) for cell in filled):
            return at  # under a head of years a row of "2019" counts something
    return min(1, len(rows))


def _has_years(cells: Sequence[str]) -> bool:
    return any(is_year(cell) for cell in cells[1:])


def _heads(rows: Sequence[Sequence[str]], width: int) -> list[str]:
    """What stands above each column but the first; a head that spans columns stands above all of them."""
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


def _rows(rows: Sequence[tuple[int, list[str]]]) -> Iterator[GridRow]:
    groups: list[str] = []
    open_group = False
    for number, cells in rows:
        label, figures = cells[0], tuple(read_cell(cell) for cell in cells[1:])
        if not any(cells[1:]) or (not any(figures) and not label):
            name = label or next((cell for cell in cells[1:] if cell), "")
            if any(character.isalpha() for character in name):
                groups = [*groups[-(_GROUPS - 1) :], name] if open_group else [name]
                open_group = True
            continue
        open_group = False
        yield GridRow(label, tuple(groups), figures, tuple(cells[1:]), number, number)
        if groups and _closes(label, groups[-1]):
            groups = []


def _closes(label: str, group: str) -> bool:
    """Whether a row is the total of its group, behind which other things are told."""
    plain, of = without_note(label).lower(), without_note(group).lower()
    return plain.startswith("total") and plain.removeprefix("total").strip() == of
