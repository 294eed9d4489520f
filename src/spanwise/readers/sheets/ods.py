"""What an ODS file says of its cells beside their values: how numbers are shown, and hidden rows and columns."""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

from spanwise.readers.bounds import Budget
from spanwise.readers.office import Package, child_of, elements, integer, local, words_in
from spanwise.readers.sheets.xlsx import Look

_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_NUMBERS = ("float", "percentage", "currency")
_UNSEEN = ("collapse", "filter")
_MOST_REPEATED = 1_000
"""How often something is repeated in a sheet; more often only what is empty and stands for its rest."""
_GROUPS = frozenset(
    f"table-{kind}" for kind in ("rows", "row-group", "header-rows", "columns", "column-group", "header-columns")
)


class OpenLooks:
    """The sheets of an ODS file by their names."""

    def __init__(self, data: bytes, budget: Budget) -> None:
        self._budget = budget
        content = Package(data, budget, "OpenDocument file").xml("content.xml")
        sheets = child_of(content, "body", "spreadsheet")
        tables = () if sheets is None else sheets.iterchildren(f"{_TABLE}table")
        self._tables = {table.get(f"{_TABLE}name") or "": table for table in tables}

    def of(self, name: str) -> Look:
        """How the sheet of that name looks; plain where nothing is told of it."""
        look = Look()
        places = {"row": 0, "column": 0}
        for element in _flat(self._tables.get(name)):
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
            text = words_in(cell, "") if cell.get(f"{_OFFICE}value-type") in _NUMBERS else ""
            if text:
                yield from ((at, text) for at in range(column, column + min(repeated, _MOST_REPEATED)))
            column += repeated


def _flat(parent: etree._Element | None) -> Iterator[etree._Element]:
    """The rows and columns of a sheet, those in groups too."""
    for one in () if parent is None else elements(parent):
        if local(one) in ("table-row", "table-column"):
            yield one
        elif local(one) in _GROUPS:
            yield from _flat(one)
