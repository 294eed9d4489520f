"""The figure of a row of a table: the cell under the period that is asked for, with the scale and the currency."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from spanwise.store.port import Store
from spanwise.synthesis.extractive.typed.found import Around
from spanwise.synthesis.extractive.typed.pieces import Piece
from spanwise.text.quantities import scale_of
from spanwise.text.tables.rows import table_rows

_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_SIGNS = {"$": "USD", "\u20ac": "EUR", "\u00a3": "GBP", "\u00a5": "JPY"}


@dataclass(frozen=True, slots=True)
class RowCell:
    """A cell of a row as written, and what the lines around make of it."""

    text: str
    around: Around
    period: str | None
    chosen: bool
    """Whether the question names the period; else it is the first column."""


def currency_in(texts: Sequence[str]) -> str | None:
    """The currency whose sign stands in some lines, where it is only one."""
    found = {code for sign, code in _SIGNS.items() if any(sign in text for text in texts)}
    return next(iter(found)) if len(found) == 1 else None


def row_cell(piece: Piece, times: Sequence[str], store: Store) -> RowCell | None:
    """The cell of a row that a question means; None when the piece is no row, or which cell it is cannot be told."""
    lines = store.lines(piece.document, piece.line_start, piece.line_end)
    rows = table_rows([(line.number, line.text) for line in lines])
    if len(rows) != 1 or not piece.context:
        return None
    row = rows[0]
    above = [line.text for first, last in piece.context for line in store.lines(piece.document, first, last)]
    years = [year for text in above for year in _YEAR.findall(text)]
    wanted = {year for time in times for year in _YEAR.findall(time)}
    scale = next((found for text in above if (found := scale_of(text)) is not None), None)
    around = Around(scale, (scale.currency if scale else None) or currency_in([*above, row.text]))
    figures = [cell for cell in row.cells if any(character.isdigit() for character in cell)]
    if len(figures) == 1 and len(row.cells) == 1:
        return RowCell(figures[0], around, years[0] if len(years) == 1 else None, chosen=True)
    if len(years) != len(row.cells):
        return None
    if not wanted:
        return RowCell(row.cells[0], around, years[0], chosen=False)
    at = next((place for place, year in enumerate(years) if year in wanted), None)
    return None if at is None else RowCell(row.cells[at], around, years[at], chosen=True)
