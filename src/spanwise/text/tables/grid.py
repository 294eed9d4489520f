"""The model of a table that was read: rows with labels and groups, heads, cells, periods, scales, cell addresses."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from spanwise.domain.document import Line
from spanwise.text.quantities import Quantity, Scale, quantities, scale_of

_LONGEST_HEAD = 120
_LONGEST = 4000
_BARE = re.compile(
    r"(?:^|[\s(])(?:in )?(RMB|US\$|USD|EUR|GBP|JPY|[$\u20ac\u00a3\u00a5])?[\s\u2019']?(thousand|million|billion)s?\)?$",
    re.IGNORECASE,
)
_ABROAD = re.compile(
    r"(?<!\w)(?:(?P<thousand>tausend|tsd\.?|milliers|miles|migliaia|duizend|tusen)"
    r"|(?P<million>millionen|mio\.?|millones|milioni|miljoen|millions))\s+(?:d['\u2019]|de\s|di\s|von\s)?"
    r"(?P<of>euros?|\u20ac|eur|chf)(?!\w)|(?<!\w)[tk]\u20ac",
    re.IGNORECASE,
)
"""How captions in other languages of Europe say it: "in Tausend Euro", "en milliers d'euros", "T\u20ac"."""
_THOUSAND = re.compile(r"\((?:in )?1,000s?\)")
_PIPE = re.compile(r"(?<!\\)\|")


@lru_cache(maxsize=1024)
def read_scale(text: str) -> Scale | None:
    """The scale that a text states, also as a head does without a word before it ("RMB'Million", "(in million)")."""
    found = scale_of(text[:_LONGEST])
    if found is not None or len(text) > _LONGEST_HEAD:
        return found
    if match := _BARE.search(text.strip()):
        currency = f"{match[1]} " if match[1] else ""
        return scale_of(f"(in {currency}{match[2].lower()}s)")
    if match := _ABROAD.search(text):
        factor = "millions" if match["million"] else "thousands"
        return scale_of(f"(in {'CHF' if (match['of'] or '').lower() == 'chf' else 'EUR'} {factor})")
    return scale_of(_THOUSAND.sub("(in thousands)", text))


def scales_in(line: str) -> list[Scale]:
    """The scales that a line states: of a row of a pipe table those of its cells."""
    parts = _PIPE.split(line) if "|" in line else [line]
    return [scale for part in parts if (scale := read_scale(part.strip())) is not None]


_NOTE = re.compile(
    r"\s*(?:\((?:\d{1,2}(?:,\s?\d{1,2})*|[a-z])\)|"
    r"\((?:[Ss]ee )?[Nn]otes?\s[^()]{0,12}(?:\([a-z0-9]{1,3}\))?\s?\)|\[(?:\d{1,2}|[a-z][a-z ]{2,30})\]|"
    r"[*\u2020\u2021])\s*$"
)
_WORDS = re.compile(r"[^\W\d_]{2,}")
_FIGURE_ALONE = re.compile(
    r"[\s(\-\u2013\u2212$\u20ac\u00a3\u00a5]{0,6}\d[\d., \u00a0\u2009\u202f]{0,24}[\s)%$\u20ac\u00a3\u00a5]{0,6}"
)
_YEAR = re.compile(r"(?:(?<![\d.,])|(?<=\d\.\d\d\.)|(?<=\d\.\d\.))(?:19|20)\d\d(?!\d|,\d{3}(?!\d)|\.\d)")
_SPACED = re.compile(r"(?<=\d)[ \u00a0\u2009\u202f](?=\d{3}(?!\d))")
_COMMA = re.compile(r"(?<![\d.,(])(\d{1,15}),(\d{1,2})(?![\d.,])")
_SHORT_YEAR = re.compile(r"\bF(?:Y|iscal)?\s?'?(\d\d)\b", re.IGNORECASE)
_DIGIT = re.compile(r"\d")
_LONGEST_CELL = 60
LENGTHS = frozenset(["day", "week", "month", "year", "quarter"])


@dataclass(frozen=True, slots=True)
class Cell:
    """A figure of a table."""

    text: str
    """As written."""
    value: Decimal
    unit: str
    """`%`, an ISO 4217 code, a unit, or nothing where the cell does not say it."""
    scaled: bool
    """True if the cell itself carries a magnitude ("£41.5m")."""


@dataclass(frozen=True, slots=True)
class GridRow:
    """A row: its label, its cells, and the lines that it takes."""

    label: str
    groups: tuple[str, ...]
    """Labels of the rows without figures above it that it stands under, the outermost first."""
    cells: tuple[Cell | None, ...]
    """One for each column; None where there is no figure."""
    texts: tuple[str, ...]
    """The same as written."""
    first: int
    last: int

    @property
    def name(self) -> str:
        """Its label; a row without one is the total of its group."""
        return self.label or f"total {self.groups[-1] if self.groups else ''}".strip()


@dataclass(frozen=True, slots=True)
class Grid:
    """A table: every row has a cell, or None, for every column."""

    document: str
    first: int
    last: int
    heads: tuple[str, ...]
    """The head of each column but that of the labels; of several rows all, from top to bottom."""
    head_lines: tuple[tuple[int, int], ...]
    """The lines of the heads."""
    rows: tuple[GridRow, ...]
    corner: str
    """The head of the labels."""
    caption: str
    """The short lines before the table, each on a line of its own."""
    printed: bool = False
    """True if the columns were told apart by how a page is printed, which is less sure than marks between cells."""

    @property
    def names(self) -> tuple[str, ...]:
        """The head of every column, that of the labels first."""
        return (self.corner, *self.heads)

    @property
    def has_periods(self) -> bool:
        """True if its columns are of periods, or most of its labels, so that figures are told apart by them."""
        dated = sum(bool(years_of(row.label)) for row in self.rows)
        return any(map(years_of, self.heads)) or 2 * dated > len(self.rows) > 0

    @property
    def of_figures(self) -> bool:
        """True if a label and a head tell each figure: its columns are of periods, or all of figures."""
        filled = [(text, cell) for row in self.rows for text, cell in zip(row.texts, row.cells, strict=True) if text]
        return self.has_periods or 10 * sum(cell is not None for _, cell in filled) > 9 * len(filled) > 0

    def texts(self, row: int) -> tuple[str, ...]:
        """The cells of a row as written, its label first."""
        return (self.rows[row].label, *self.rows[row].texts)

    def figures(self) -> Iterator[tuple[int, int, Cell]]:
        """Every figure with its row and its column."""
        for at, row in enumerate(self.rows):
            for column, cell in enumerate(row.cells):
                if cell is not None:
                    yield at, column, cell


_SHORTEST, _LONGEST_SHORT = 3, 4
"""Letters of the head of a column that is short for a word."""


def names_head(grid: Grid, word: str, column: int | None = None) -> bool:
    """True if a word is, or is what is short in, the head of some column: of "Max." both "max" and "maximum"."""
    for head in grid.names if column is None else (grid.names[column],):
        short = head.strip(". ").lower()
        if short == word or (_SHORTEST <= len(short) <= _LONGEST_SHORT < len(word) and word.startswith(short)):
            return short.isalpha()
    return False


@lru_cache(maxsize=4096)
def read_cell(text: str) -> Cell | None:
    """The figure of a cell: exactly one quantity, with a note ("12 (1)") or words of its own unit at most."""
    if not text or len(text) > _LONGEST_CELL:
        return None
    # In a cell of its own a figure may be written as anywhere: "48 215", "3,40".
    plain = _COMMA.sub(r"\1.\2", _SPACED.sub("", text)) if _FIGURE_ALONE.fullmatch(text) else text
    found = quantities(plain) or quantities(plain.rstrip(")").lstrip("("))
    if len(found) == 2 and _NOTE.search(plain):
        found = quantities(_NOTE.sub("", plain))
    if len(found) != 1:
        return None
    quantity = found[0]
    rest = plain[: quantity.start] + " " + plain[quantity.end :]
    if _WORDS.search(rest) and quantity.kind != "percent":
        return None
    return _cell(text, quantity)


def _cell(text: str, quantity: Quantity) -> Cell | None:
    plain = quantity.original.strip()
    if quantity.kind in ("date", "period"):
        # In a row of figures 2019 may be a number; who reads the table knows whether the row is a head.
        return Cell(text, Decimal(plain), "", scaled=False) if plain.isdigit() and len(plain) == 4 else None
    if quantity.value is None:
        return None
    return Cell(text, quantity.value, "" if quantity.kind == "count" else quantity.unit, quantity.scaled)


def heads_a_column(text: str) -> bool:
    """True if a cell is a head: a year, a scale ("$'000", "2019 \u20acm"), or a length of time ("52 weeks")."""
    if is_year(text) or (read_scale(text) is not None and not _DIGIT.search(_YEAR.sub("", text.replace("000", "")))):
        return True
    cell = read_cell(text)
    return cell is not None and cell.unit in LENGTHS and text.strip()[-1:].isalpha()


def is_year(text: str) -> bool:
    """True if a cell is a year and nothing else."""
    return bool(_YEAR.fullmatch(without_note(text.strip()).strip(" *()")))


@lru_cache(maxsize=4096)
def years_of(text: str) -> frozenset[str]:
    """The years that a text names: 2019, FY19, F19."""
    return frozenset(_YEAR.findall(text)) | {f"20{short}" for short in _SHORT_YEAR.findall(text)}


def without_note(label: str) -> str:
    """A label without the marks of its footnotes."""
    label = label.strip().rstrip(":").strip()
    while (shorter := _NOTE.sub("", label)) != label and shorter:
        label = shorter.rstrip(":").strip()
    return label


def lines_between(lines: Sequence[Line], first: int, last: int) -> Sequence[Line]:
    """Of lines in their order those with the numbers `first` to `last`, both included."""
    begin, end = (bisect_left(lines, number, key=lambda line: line.number) for number in (first, last + 1))
    return lines[begin:end]


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
