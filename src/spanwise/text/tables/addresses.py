"""Where the cells of a spreadsheet's rows stand, as spreadsheets write it: `Prices!A7:C8`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from spanwise.domain.document import Line
from spanwise.text.tables.grid import read_cell

_PIPE = re.compile(r"(?<!\\)\|")
_PLAIN = re.compile(r"[^\W\d]\w{0,30}")


def cells_address(sheet: str, lines: Sequence[Line], said: str = "") -> str:
    """The range of cells that some rows of one sheet take, whole rows (`Prices!7:8`) where one is a text without cells.

    Args:
        sheet: The name of the sheet.
        lines: Its rows, at least one; the number of a line in its page is the number of the row.
        said: What is cited from a row: the one cell of it that says just that is all that is named (`Prices!C7`).
    """
    called = sheet if _PLAIN.fullmatch(sheet) else "'" + sheet.replace("'", "''") + "'"
    if any(line.role != "table_row" for line in lines):
        return f"{called}!{lines[0].line_in_page}:{lines[-1].line_in_page}"
    if len(lines) == 1 and len(holding := _holding(lines[0], said)) == 1:
        return f"{called}!{_letters(holding[0])}{lines[0].line_in_page}"
    columns = [at for line in lines for at, cell in enumerate(_cells(line.text)) if cell.strip()] or [0]
    first = f"{_letters(min(columns))}{lines[0].line_in_page}"
    last = f"{_letters(max(columns))}{lines[-1].line_in_page}"
    return f"{called}!{first}" if first == last else f"{called}!{first}:{last}"


def _holding(line: Line, said: str) -> list[int]:
    """The cells of a row that say the same, or the same figure."""
    figure = read_cell(said.strip())
    cells = [(at, cell.strip()) for at, cell in enumerate(_cells(line.text)) if cell.strip()] if said.strip() else []
    same = [at for at, cell in cells if cell.replace("\\|", "|") == said.strip()]
    if same or figure is None:
        return same
    return [at for at, cell in cells if (one := read_cell(cell)) is not None and one.value == figure.value]


def _cells(text: str) -> list[str]:
    cells = _PIPE.split(text)
    return cells[1:] if not cells[0].strip() and len(cells) > 1 else cells


def _letters(column: int) -> str:
    """The letters of a column that is counted from 0."""
    letters = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters
