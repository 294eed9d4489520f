"""What an XLSX file says of its cells beside their values: number formats, and hidden rows and columns.

python-calamine, which reads the values of every kind of spreadsheet, tells none of it.
"""

from __future__ import annotations

import io
import posixpath
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import takewhile

from lxml import etree

from spanwise.readers.bounds import Budget
from spanwise.readers.office import Package, R, elements, integer, local
from spanwise.readers.sheets.formats import BUILT_IN, GENERAL

_MOST_COLUMNS = 16_384


@dataclass(slots=True)
class Look:
    """How one sheet looks: places count from 0."""

    codes: dict[tuple[int, int], str] = field(default_factory=dict)
    """The number format of cells that have one, by row and column."""
    hidden_rows: set[int] = field(default_factory=set)
    hidden_columns: set[int] = field(default_factory=set)
    rows: int = 0
    columns: int = 0
    """How far it reaches."""


class Looks:
    """The sheets of an XLSX file by their names."""

    def __init__(self, data: bytes, budget: Budget) -> None:
        self._budget = budget
        self._archive = zipfile.ZipFile(io.BytesIO(data))
        package = Package(data, budget)
        book = next((one.path for one in package.relations("").values() if one.kind == "officeDocument"), "")
        related = package.relations(book)
        root = package.xml(book)
        self._paths = {
            element.get("name") or "": related[id_].path
            for element in (() if root is None else root.iter("{*}sheet"))
            if (id_ := element.get(f"{R}id") or "") in related
        }
        styles = next((one.path for one in related.values() if one.kind == "styles"), "")
        self._codes = list(_codes(package.xml(styles)))

    def of(self, name: str) -> Look:
        """How the sheet of that name looks; plain where nothing is told of it."""
        look = Look()
        path = self._paths.get(name)
        try:
            entry = self._archive.getinfo(path) if path else None
        except KeyError:
            entry = None
        if entry is None:
            return look
        with self._archive.open(entry) as file:
            for _, element in etree.iterparse(
                file, events=("start",), tag=("{*}col", "{*}row", "{*}c"), resolve_entities=False, no_network=True
            ):
                self._budget.step()
                self._add(element, look)
                element.clear(keep_tail=False)
        return look

    def _add(self, element: etree._Element, look: Look) -> None:
        kind = local(element)
        if kind == "c":
            style = integer(element.get("s")) or 0
            code = self._codes[style] if 0 < style < len(self._codes) else GENERAL
            if (place := _place(element.get("r") or "")) is not None:
                look.rows, look.columns = max(look.rows, place[0] + 1), max(look.columns, place[1] + 1)
                if code != GENERAL:
                    look.codes[place] = code
        elif element.get("hidden") in ("1", "true"):
            if kind == "row":
                look.hidden_rows.add((integer(element.get("r")) or 0) - 1)
            else:
                first, last = (integer(element.get(end)) or 0 for end in ("min", "max"))
                look.hidden_columns.update(range(first - 1, min(last, _MOST_COLUMNS)))


def _codes(styles: etree._Element | None) -> Iterator[str]:
    """The number format of each style of cells."""
    if styles is None:
        return
    named = {integer(one.get("numFmtId")): one.get("formatCode") or GENERAL for one in styles.iter("{*}numFmt")}
    formats = next(styles.iter("{*}cellXfs"), None)
    for one in () if formats is None else elements(formats):
        number = integer(one.get("numFmtId")) or 0
        yield named.get(number) or BUILT_IN.get(number, GENERAL)


def _place(address: str) -> tuple[int, int] | None:
    """Row and column of an address like "B7", from 0."""
    letters = "".join(takewhile(str.isalpha, address.upper()))
    digits = address[len(letters) :]
    if not letters or not digits.isdecimal() or len(address) > 10:
        return None
    column = 0
    for letter in letters:
        column = column * 26 + ord(letter) - ord("A") + 1
    return int(digits) - 1, column - 1


def is_xlsx(data: bytes) -> bool:
    """True for the packed kind whose parts are XML."""
    if not data.startswith(b"PK"):
        return False
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return any(posixpath.normpath(name).lower() == "xl/workbook.xml" for name in archive.namelist())
    except (zipfile.BadZipFile, ValueError, OSError):
        return False
