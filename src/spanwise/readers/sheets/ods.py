"""What ODS and XLS files (BIFF8, MS-XLS) define besides cell values: number formats, hidden rows and columns."""

from __future__ import annotations

import io
import struct
from collections.abc import Iterator

import olefile
from lxml import etree

from spanwise.readers.bounds import Budget
from spanwise.readers.office import Package, child_of, elements, integer, local, words_in
from spanwise.readers.sheets.number_formats import BUILT_IN, GENERAL
from spanwise.readers.sheets.xlsx import Look

_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_NUMBERS = ("float", "percentage", "currency")
_UNSEEN = ("collapse", "filter")
_MOST_REPEATED = 1_000
"""Most repetitions of a row or cell that are followed; larger counts only fill the rest of a sheet."""
_GROUPS = frozenset(
    f"table-{kind}" for kind in ("rows", "row-group", "header-rows", "columns", "column-group", "header-columns")
)


class OpenLooks:
    """The sheets of an ODS file."""

    def __init__(self, data: bytes, budget: Budget) -> None:
        self._budget = budget
        content = Package(data, budget, "OpenDocument file").xml("content.xml")
        sheets = child_of(content, "body", "spreadsheet")
        tables = () if sheets is None else sheets.iterchildren(f"{_TABLE}table")
        self._tables = {table.get(f"{_TABLE}name") or "": table for table in tables}

    def of(self, name: str) -> Look:
        """The appearance of the sheet of that name; a plain one if nothing is known."""
        look = Look()
        table = self._tables.get(name)
        for note in () if table is None else table.iter(f"{_OFFICE}annotation"):
            look.asides.append((" ".join(words_in(one, "") for one in elements(note) if local(one) == "p"), "comment"))
        places = {"row": 0, "column": 0}
        for element in _flat(table):
            kind = local(element).removeprefix("table-")
            repeated = max(1, integer(element.get(f"{_TABLE}number-{kind}s-repeated"), 1))
            here = range(places[kind], places[kind] + min(repeated, _MOST_REPEATED))
            places[kind] += repeated
            if element.get(f"{_TABLE}visibility") in _UNSEEN:
                (look.hidden_rows if kind == "row" else look.hidden_columns).update(here)
            for column, text in self._shown(element) if kind == "row" else ():
                look.shown |= {(row, column): text for row in here}
        return look

    def _shown(self, row: etree._Element) -> Iterator[tuple[int, str]]:
        """The texts that the cells of a row show for their numbers, by column."""
        column = 0
        for cell in elements(row):
            self._budget.step()
            repeated = max(1, integer(cell.get(f"{_TABLE}number-columns-repeated"), 1))
            said = elements(cell) if cell.get(f"{_OFFICE}value-type") in _NUMBERS else ()
            text = " ".join(words_in(one, "") for one in said if local(one) == "p")  # and no comment beside it
            if text:
                yield from ((at, text) for at in range(column, column + min(repeated, _MOST_REPEATED)))
            column += repeated


def _flat(parent: etree._Element | None) -> Iterator[etree._Element]:
    """The rows and columns of a sheet, those inside groups included."""
    for one in () if parent is None else elements(parent):
        if local(one) in ("table-row", "table-column"):
            yield one
        elif local(one) in _GROUPS:
            yield from _flat(one)


_BOF, _EOF, _FORMAT, _XF, _SHEET, _ROW, _COLUMNS, _NUMERIC = 0x809, 0x0A, 0x41E, 0xE0, 0x85, 0x208, 0x7D, 0xBD
_CELLS = frozenset((0x203, 0x27E, 0x06))
"""Record types of a cell with a number or a formula."""
_BIFF8 = 0x600
_HIDDEN_ROW, _HIDDEN_COLUMN = 0x20, 0x01
_MOST_COLUMNS = 256


class OldLooks:
    """The sheets of an XLS file; none if the file is older than BIFF8 or damaged."""

    def __init__(self, data: bytes, budget: Budget) -> None:
        self._budget = budget
        self._data = b""
        self._places: dict[str, int] = {}
        self._formats: dict[int, str] = dict(BUILT_IN)
        self._codes: list[int] = []
        try:
            with olefile.OleFileIO(io.BytesIO(data)) as file:
                self._data = file.openstream("Workbook").read() if file.exists("Workbook") else b""
            self._take_globals()
        except (OSError, ValueError, IndexError, struct.error):
            self._places = {}

    def of(self, name: str) -> Look:
        """The appearance of the sheet of that name; a plain one if nothing is known."""
        look = Look()
        try:
            for kind, record in self._records(self._places.get(name, len(self._data))):
                self._take(kind, record, look)
        except struct.error:  # what was read before the damage is kept
            return look
        return look

    def _take(self, kind: int, record: bytes, look: Look) -> None:
        if kind in _CELLS:
            self._style(look, *struct.unpack_from("<HHH", record))
        elif kind == _NUMERIC:
            row, first = struct.unpack_from("<HH", record)
            for at in range((len(record) - 6) // 6):
                self._style(look, row, first + at, struct.unpack_from("<H", record, 4 + 6 * at)[0])
        elif kind == _ROW and struct.unpack_from("<H", record, 12)[0] & _HIDDEN_ROW:
            look.hidden_rows.add(struct.unpack_from("<H", record)[0])
        elif kind == _COLUMNS and struct.unpack_from("<H", record, 8)[0] & _HIDDEN_COLUMN:
            first, last = struct.unpack_from("<HH", record)
            look.hidden_columns.update(range(first, min(last, _MOST_COLUMNS - 1) + 1))

    def _style(self, look: Look, row: int, column: int, style: int) -> None:
        code = self._formats.get(self._codes[style], GENERAL) if style < len(self._codes) else GENERAL
        if code != GENERAL:
            look.codes[row, column] = code

    def _take_globals(self) -> None:
        for kind, record in self._records(0):
            if kind == _BOF and struct.unpack_from("<H", record)[0] != _BIFF8:
                return
            if kind == _FORMAT:
                self._formats[struct.unpack_from("<H", record)[0]] = _string(record, 2, "<H")
            elif kind == _XF:
                self._codes.append(struct.unpack_from("<H", record, 2)[0])
            elif kind == _SHEET:
                self._places[_string(record, 6, "<B")] = struct.unpack_from("<I", record)[0]

    def _records(self, at: int) -> Iterator[tuple[int, bytes]]:
        """The records from an offset to the end of its substream."""
        while at + 4 <= len(self._data):
            self._budget.step()
            kind, size = struct.unpack_from("<HH", self._data, at)
            yield kind, self._data[at + 4 : at + 4 + size]
            if kind == _EOF:
                return
            at += 4 + size


def _string(record: bytes, at: int, count: str) -> str:
    """A string preceded by its length, whose size is given by the struct format `count`."""
    start = at + struct.calcsize(count) + 1
    wide = record[start - 1] & 1
    size = struct.unpack_from(count, record, at)[0] * (1 + wide)
    return record[start : start + size].decode("utf-16-le" if wide else "latin-1", "replace")
