"""Spreadsheets (XLSX, XLSM, XLSB, XLS, ODS): each sheet is a page, each row a line, with pipes between its cells.

A line's number in its page is the row's number, so that a citation leads to the cells.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from typing import TypeAlias

import python_calamine
from lxml import etree

from spanwise.domain.document import Document, HiddenReason
from spanwise.errors import DamagedDocumentError, LimitError, PasswordError
from spanwise.readers.bounds import Budget
from spanwise.readers.builder import DocumentBuilder
from spanwise.readers.flowing import add_cells
from spanwise.readers.office import Package
from spanwise.readers.port import ReadOptions
from spanwise.readers.sheets.number_formats import CellValue, shown
from spanwise.readers.sheets.ods import OldLooks, OpenLooks
from spanwise.readers.sheets.xlsx import Look, Looks

SheetLooks: TypeAlias = Looks | OpenLooks | OldLooks
Range: TypeAlias = tuple[tuple[int, int], tuple[int, int]]
MOST_CELLS = 20_000_000
"""Most cells of the rectangle that a sheet spans, empty ones included, as it is kept in memory while being read."""
_MOST_MERGED = 200
"""Most cells of a merged range in which its text is repeated."""


def read_sheets(data: bytes, name: str, options: ReadOptions) -> Document:
    """Read a workbook.

    Numbers are written as their cells show them, dates as ISO 8601, and formulas as the value saved with them. The text
    of hidden sheets, rows and columns, and invisible text in cells, is kept as hidden text.
    """
    budget = Budget(name, options.limits)
    builder = DocumentBuilder(data, format="sheets", budget=budget, rows=True)
    book = ""
    if data.startswith(b"PK"):
        package = Package(data, budget)  # this also checks the unpacked size, before anything is unpacked
        package.refuse_locked()
        book = next((one.path for one in package.relations("").values() if one.kind == "officeDocument"), "")
    try:
        # For XLSB, which is not examined here, nothing but the values of cells is known.
        looks: SheetLooks = (
            Looks(package, book, budget)
            if book.endswith(".xml")
            else (OpenLooks if data.startswith(b"PK") else OldLooks)(data, budget)
        )
        workbook = python_calamine.CalamineWorkbook.from_filelike(io.BytesIO(data))
        names = _add_sheets(workbook, looks, builder, budget)
    except python_calamine.PasswordError as error:
        message = f"{name} is protected by a password: save it without one and give that."
        raise PasswordError(message, document=name) from error
    except (python_calamine.CalamineError, etree.XMLSyntaxError) as error:
        raise _damaged(name, error) from error
    except BaseException as error:  # a panic in the library's Rust code is not an Exception in Python
        if type(error).__name__ != "PanicException":
            raise
        raise _damaged(name, error) from error
    return builder.build(paged=True, labels=names)


def _damaged(name: str, error: BaseException) -> DamagedDocumentError:
    told = " ".join(str(error).split())
    message = f"{name} is damaged ({told}): open it in the program that made it, save it again and give that."
    return DamagedDocumentError(message, document=name)


def _add_sheets(
    workbook: python_calamine.CalamineWorkbook, looks: SheetLooks, builder: DocumentBuilder, budget: Budget
) -> list[str]:
    """Add all worksheets; returns the names of the visible ones."""
    names: list[str] = []
    budget.pages(len(workbook.sheets_metadata))
    for about in workbook.sheets_metadata:
        if about.typ != python_calamine.SheetTypeEnum.WorkSheet:
            continue
        look = looks.of(about.name)
        if look.rows * look.columns > MOST_CELLS:
            raise _too_wide(budget.name, about.name)
        rows = _rows(workbook.get_sheet_by_name(about.name), look, builder, budget)
        for said, why in look.asides:
            builder.hide(said, why)
        if about.visible != python_calamine.SheetVisibleEnum.Visible:
            for cells in rows:
                builder.hide(" | ".join(filter(None, cells)), "hidden_markup")
            continue
        if names:
            builder.new_page()
        names.append(about.name)
        builder.heading(1, about.name, builder.next_line)
        _add_rows(rows, look, builder)
    return names or [""]


def _add_rows(rows: Iterator[list[str]], look: Look, builder: DocumentBuilder) -> None:
    """Add a line for each row, empty ones too, so that line numbers equal row numbers."""
    in_table = False
    for at, cells in enumerate(rows):
        seen = cells
        if at in look.hidden_rows or look.hidden_columns:
            unseen = [
                "" if at not in look.hidden_rows and column not in look.hidden_columns else cell
                for column, cell in enumerate(cells)
            ]
            builder.hide(" | ".join(filter(None, unseen)), "hidden_markup")
            seen = ["" if hidden else cell for cell, hidden in zip(cells, unseen, strict=True)]
        in_table = add_cells(builder, seen, in_table=in_table)


def _rows(
    sheet: python_calamine.CalamineSheet, look: Look, builder: DocumentBuilder, budget: Budget
) -> Iterator[list[str]]:
    """The texts of the cells of each row, from row 1 and column A on."""
    if sheet.start is None or sheet.end is None:
        return
    (top, left), (bottom, right) = sheet.start, sheet.end
    if (bottom - top + 1) * (right - left + 1) > MOST_CELLS:
        raise _too_wide(budget.name, sheet.name)
    merged = _merged(sheet.merged_cell_ranges or ())
    texts: dict[tuple[int, int], str] = {}
    kept = list(sheet.iter_rows()) if look.conditions else []

    def value_at(place: tuple[int, int]) -> object:
        row, column = place[0], place[1] - left
        return kept[row][column] if row < len(kept) and 0 <= column < len(kept[row]) else ""

    def text_of(place: tuple[int, int], value: CellValue) -> str:
        code, unseen = look.format(place, value, value_at)
        said = look.shown.get(place)
        text = " ".join((shown(value, code) if said is None else said).split())
        if not text:  # the cell's number format shows nothing
            return _seen_of([(str(value), unseen or "hidden_markup")], builder)
        return _seen_of(look.pieces.get(place) or [(text, unseen)], builder)

    for at, values in enumerate(kept or sheet.iter_rows()):
        budget.step()
        cells = [""] * left
        cells += ["" if value == "" else text_of((at, column), value) for column, value in enumerate(values, left)]
        said = (
            {merged.get((at, column), (at, column)) for column, cell in enumerate(cells) if cell} if merged else set()
        )
        for column in range(left, len(cells)) if merged else ():
            if (first := merged.get((at, column))) is not None:
                text = texts.setdefault(first, cells[column])
                cells[column] = text if said - {first} else cells[column]  # a text alone in its rows is a title
        yield cells


def _seen_of(pieces: Sequence[tuple[str, HiddenReason | None]], builder: DocumentBuilder) -> str:
    """The visible text of a cell whose pieces differ in appearance; the rest is recorded as hidden."""
    for piece, why in pieces:
        if why is not None:
            builder.hide(" ".join(piece.split()), why)
    return " ".join("".join(piece for piece, why in pieces if why is None).split())


def _merged(ranges: Sequence[Range]) -> dict[tuple[int, int], tuple[int, int]]:
    """For each cell of a merged range the range's first cell: a heading over two columns is the heading of each.

    Large ranges are left out.
    """
    found: dict[tuple[int, int], tuple[int, int]] = {}
    for (top, left), (bottom, right) in ranges:
        if (bottom - top + 1) * (right - left + 1) <= _MOST_MERGED:
            found |= {(row, column): (top, left) for row in range(top, bottom + 1) for column in range(left, right + 1)}
    return found


def _too_wide(document: str, sheet: str) -> LimitError:
    return LimitError(
        f"{document}: the sheet {sheet!r} spans more than {MOST_CELLS:,} cells: delete the empty rows and columns "
        "behind its data and save it again.",
        document=document,
    )
