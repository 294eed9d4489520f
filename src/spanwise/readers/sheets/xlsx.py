"""What an XLSX file defines besides cell values: number formats, colours, hidden rows and columns.

python-calamine, which reads the values of every kind of spreadsheet, provides none of these.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple

from lxml import etree

from spanwise.domain.document import HiddenReason
from spanwise.readers.bounds import Budget
from spanwise.readers.invisible import TINIEST, look_alike
from spanwise.readers.office import Package, R, child_of, elements, integer, local, words_in
from spanwise.readers.palette import BLACK, RGB, WHITE, indexed_colours, of_name, of_sheet, only_colour, theme_colours
from spanwise.readers.sheets.number_formats import (
    BUILT_IN,
    GENERAL,
    CellValue,
    Condition,
    ValueAt,
    colour_name,
    place_at,
    read_conditions,
)

_MOST_COLUMNS = 16_384
_MOST_DRESSED = 500
"""Most tables with colours of their own, and most conditional formats, that are examined per sheet."""
_NOTES = "comment", "threadedComment"
_MESSAGES = "promptTitle", "prompt", "errorTitle", "error"
_FLAT, _THIN = 2.0, 0.3
"""Height of a row in points, and width of a column in characters, at which nothing shows."""


class _Style(NamedTuple):
    """The appearance of cells of one format."""

    code: str = GENERAL
    reason: HiddenReason | None = None
    """Why text in them is hidden by its own colours or size; None if it is visible."""
    letters: RGB | None = None
    ground: RGB | None = None
    """The background colour; like `letters` None if unknown."""


class _Piece(NamedTuple):
    """A run of a cell's text."""

    text: str
    letters: RGB | None
    """Its colour, if it differs from that of the cell."""
    tiny: bool

    def unseen_on(self, ground: RGB, reason: HiddenReason | None) -> HiddenReason | None:
        """Why it is hidden on the cell's background, where the rest of the cell is hidden for `reason`.

        None if visible.
        """
        if self.tiny or self.letters is None:
            return "tiny" if self.tiny else reason
        return "no_contrast" if look_alike(self.letters, ground) else None


@dataclass(slots=True)
class Look:
    """The appearance of one sheet; rows and columns count from 0."""

    codes: dict[tuple[int, int], str] = field(default_factory=dict)
    """The number formats of cells, by row and column."""
    unseen: dict[tuple[int, int], HiddenReason] = field(default_factory=dict)
    """Why the text of a cell is hidden, by row and column."""
    no_height: bool = False
    """True if rows that declare no height are hidden."""
    hidden_rows: set[int] = field(default_factory=set)
    hidden_columns: set[int] = field(default_factory=set)
    conditions: list[Condition] = field(default_factory=list)
    """Conditional formats, in order of priority."""
    colours: dict[tuple[int, int], tuple[RGB | None, RGB | None]] = field(default_factory=dict)
    """Text and background colour of cells."""
    pieces: dict[tuple[int, int], list[tuple[str, HiddenReason | None]]] = field(default_factory=dict)
    """The runs of cells whose text is not uniform, each with the reason why it is hidden, by row and column."""
    last_row: int = -1
    """The row that was read last."""
    rows: int = 0
    columns: int = 0
    """The number of rows and columns in use."""
    shown: dict[tuple[int, int], str] = field(default_factory=dict)
    """The text that the file itself gives as shown in a cell, by row and column."""
    asides: list[tuple[str, HiddenReason]] = field(default_factory=list)
    """What it says beside its cells, and why nobody sees it: notes, and what shows once a cell is chosen."""
    palette: Mapping[str, str] = field(default_factory=dict)
    """The colours of the workbook: those of its theme by their roles, and its own by their numbers."""
    _row: int = -1
    """The row whose conditional formats were asked for last."""
    _ahead: list[tuple[tuple[tuple[int, int], tuple[int, int]], int]] = field(default_factory=list)
    """The areas of conditional formats that begin below that row, the nearest last, each with the format's rank."""
    _reached: list[tuple[tuple[tuple[int, int], tuple[int, int]], int]] = field(default_factory=list)
    """The areas that the row lies in, or that end above it."""

    def format(self, place: tuple[int, int], value: CellValue, value_at: ValueAt) -> tuple[str, HiddenReason | None]:
        """The number format of a cell, and why its text is hidden; None if it is visible."""
        code, reason = self.codes.get(place, GENERAL), self.unseen.get(place)
        about = self._conditions_of(place) if self.conditions else []
        named = of_name(colour_name(value, code), self.palette) if "[" in code else None
        if not about and named is None:
            return code, reason
        ink, paper = self.colours.get(place, (BLACK, WHITE))
        ink = named or ink
        for one in reversed(about):
            if one.holds(place, value_at) is False:
                continue  # An unknown condition counts as met: a format that hides text is there to do so.
            if one.bare:
                return code, "hidden_markup"
            ink, paper, code = one.letters or ink, one.ground or paper, code if one.code is None else one.code
        if reason == "tiny":
            return code, reason
        return code, "no_contrast" if ink and paper and look_alike(ink, paper) else None

    def _conditions_of(self, place: tuple[int, int]) -> list[Condition]:
        """The conditional formats of a cell in order of priority; cells are asked for row by row, downwards."""
        row, column = place
        if self._row < 0:
            self._ahead = sorted(
                ((area, rank) for rank, one in enumerate(self.conditions) for area in one.areas), reverse=True
            )
        if row != self._row:
            self._row = row
            while self._ahead and self._ahead[-1][0][0][0] <= row:
                self._reached.append(self._ahead.pop())
            self._reached = [one for one in self._reached if one[0][1][0] >= row]
        ranks = {rank for ((_, left), (_, right)), rank in self._reached if left <= column <= right}
        return [self.conditions[rank] for rank in sorted(ranks)]


class Looks:
    """The sheets of an XLSX file."""

    def __init__(self, package: Package, book: str, budget: Budget) -> None:
        self._budget = budget
        self._package = package
        related = package.relations(book)
        root = package.xml(book)
        self._paths = {
            element.get("name") or "": related[id_].path
            for element in (() if root is None else root.iter("{*}sheet"))
            if (id_ := element.get(f"{R}id") or "") in related
        }
        parts = {one.kind: one.path for one in related.values()}
        styles = package.xml(parts.get("styles", ""))
        self._theme = theme_colours(package.xml(parts.get("theme", ""))) | indexed_colours(styles)
        self._styles = list(_styles(styles, self._theme))
        self._formats = [] if styles is None else _list(styles, "dxfs")
        self._judged: dict[tuple[str, RGB, HiddenReason | None], list[tuple[str, HiddenReason | None]]] = {}
        self._dressed = dict(self._dressed_strings(parts.get("sharedStrings", "")))

    def _dressed_strings(self, path: str) -> Iterator[tuple[str, list[_Piece]]]:
        """The shared strings whose runs differ in appearance, by their index."""
        for number, element in enumerate(self._parsed(path, "si")):
            if pieces := _pieces(element, self._theme):
                yield str(number), pieces

    def _parsed(self, path: str, *names: str) -> Iterator[etree._Element]:
        """The elements of these names in a part, one at a time; each is cleared when the next is requested."""
        if (stream := self._package.stream(path)) is None:
            return
        # On end events: clearing an element on its start event, while it is still being filled, breaks the library.
        tags = tuple(f"{{*}}{name}" for name in names)
        with stream as file:
            for _, element in etree.iterparse(file, events=("end",), tag=tags, resolve_entities=False, no_network=True):
                self._budget.step()
                yield element
                element.clear(keep_tail=False)
                parent = element.getparent()
                while parent is not None and element.getprevious() is not None:
                    del parent[0]

    def of(self, name: str) -> Look:
        """The appearance of the sheet of that name; a plain one if nothing is known."""
        look = Look(palette=self._theme)
        path = self._paths.get(name, "")
        # Tables have colours of their own.
        related = list(self._package.relations(path).values())
        tables = [one.path for one in related if one.kind == "table"]
        dressed = [table.get("ref") or "" for one in tables if (table := self._package.xml(one)) is not None]
        notes = (self._parsed(one.path, *_NOTES) for one in related if one.kind in ("comments", "threadedComment"))
        look.asides += [(words_in(note, ""), "comment") for note in chain.from_iterable(notes)]
        for element in self._parsed(path, "sheetFormatPr", "col", "row", "conditionalFormatting", "dataValidation"):
            if local(element) == "dataValidation":
                look.asides += [(said, "closed") for said in _upon_choice(element)]
            elif local(element) != "conditionalFormatting":
                self._add(element, look)
            elif len(look.conditions) < _MOST_DRESSED:
                look.conditions += read_conditions(element, self._formats, self._theme)
        look.conditions.sort(key=lambda one: one.priority)
        if look.conditions:  # they may change the background of every run
            look.pieces = {}
        for area in dressed[:_MOST_DRESSED] if look.unseen else ():  # their ground may be another than the cells' own
            first, _, last = area.partition(":")
            start, end = place_at(first), place_at(last or first)
            if start is not None and end is not None:
                look.unseen = {
                    at: why
                    for at, why in look.unseen.items()
                    if why != "no_contrast" or not (start[0] <= at[0] <= end[0] and start[1] <= at[1] <= end[1])
                }
        return look

    def _add(self, element: etree._Element, look: Look) -> None:
        kind = local(element)
        if kind == "col" and (_is_hidden(element) or 0 <= _size(element.get("width")) <= _THIN):
            first, last = (integer(element.get(end)) for end in ("min", "max"))
            look.hidden_columns.update(range(first - 1, min(last, _MOST_COLUMNS)))
        elif kind == "sheetFormatPr":
            look.no_height = element.get("zeroHeight") in ("1", "true")
        elif kind == "row":
            self._add_row(element, look)

    def _add_row(self, element: etree._Element, look: Look) -> None:
        # Some programs leave the places out: a row then follows the one before it, and so does a cell.
        row = look.last_row = integer(element.get("r"), look.last_row + 2) - 1
        flat = look.no_height and element.get("ht") is None
        if flat or _is_hidden(element) or 0 <= _size(element.get("ht")) <= _FLAT:
            look.hidden_rows.add(row)
        column = -1
        for cell in element.iterchildren("{*}c"):
            self._budget.step()
            number = integer(cell.get("s"))
            style = self._styles[number] if 0 <= number < len(self._styles) else _Style()
            place = place_at(cell.get("r") or "") if cell.get("r") else (row, column + 1)
            if place is not None:
                column = place[1]
                look.rows, look.columns = max(look.rows, place[0] + 1), max(look.columns, place[1] + 1)
                if style.code != GENERAL:
                    look.codes[place] = style.code
                if style.reason is not None:
                    look.unseen[place] = style.reason
                if style.ground is not None and (pieces := self._pieces_of(cell, style.ground, style.reason)):
                    look.pieces[place] = pieces
                if style.letters != BLACK or style.ground != WHITE:
                    look.colours[place] = style.letters, style.ground

    def _pieces_of(
        self, cell: etree._Element, ground: RGB, reason: HiddenReason | None
    ) -> list[tuple[str, HiddenReason | None]]:
        """The runs of a cell whose text is not uniform, and why each is hidden; empty for uniform text."""
        kind = cell.get("t")
        inside = child_of(cell, "is" if kind == "inlineStr" else "v") if kind in ("s", "inlineStr") else None
        if inside is None:
            return []
        key = (inside.text or "", ground, reason)
        if kind == "s" and key in self._judged:
            return self._judged[key]
        pieces = self._dressed.get(key[0], []) if kind == "s" else _pieces(inside, self._theme)
        judged = [(one.text, one.unseen_on(ground, reason)) for one in pieces]
        if kind == "s" and judged:
            self._judged[key] = judged
        return judged


def _upon_choice(validation: etree._Element) -> Iterator[str]:
    """What a sheet says about a cell while it is chosen or typed into: prompts, errors, and the values of a list."""
    yield " ".join(filter(None, map(validation.get, _MESSAGES)))
    for formula in validation.iter("{*}formula1", "{*}f"):
        if (told := (formula.text or "").strip()).startswith('"'):  # else a place that holds the values
            yield told.strip('"').replace(",", ", ")


def _pieces(text: etree._Element, theme: dict[str, str]) -> list[_Piece]:
    """The runs of a text, if any of them looks different from its cell; else empty."""
    found = []
    for run in text.iterchildren("{*}r"):
        font = child_of(run, "rPr")
        letters = None if child_of(font, "color") is None else _colours(font, None, None, theme)[0]
        said = child_of(run, "t")
        found.append(_Piece("" if said is None else said.text or "", letters, _unseen(font, None, None) == "tiny"))
    return found if any(one.tiny or one.letters for one in found) else []


def _is_hidden(element: etree._Element) -> bool:
    return element.get("hidden") in ("1", "true")


def _size(text: str | None) -> float:
    """A height or a width; -1 if none is given."""
    try:
        return float(text[:24]) if text else -1.0
    except ValueError:
        return -1.0


def _styles(styles: etree._Element | None, theme: dict[str, str]) -> Iterator[_Style]:
    """The appearance of each cell format."""
    if styles is None:
        return
    named = {integer(one.get("numFmtId")): one.get("formatCode") or GENERAL for one in styles.iter("{*}numFmt")}
    fonts, fills = (_list(styles, name) for name in ("fonts", "fills"))
    for one in _list(styles, "cellXfs"):
        number = integer(one.get("numFmtId"))
        font, fill = (
            among[at] if 0 <= (at := integer(one.get(name))) < len(among) else None
            for name, among in (("fontId", fonts), ("fillId", fills))
        )
        code = named.get(number) or BUILT_IN.get(number, GENERAL)
        letters, ground = _colours(font, child_of(fill, "patternFill"), child_of(fill, "gradientFill"), theme)
        yield _Style(code, _unseen(font, letters, ground), letters, ground)


def _list(styles: etree._Element, name: str) -> list[etree._Element]:
    holder = child_of(styles, name)
    return [] if holder is None else list(elements(holder))


def _colours(
    font: etree._Element | None,
    pattern: etree._Element | None,
    gradient: etree._Element | None,
    theme: dict[str, str],
) -> tuple[RGB | None, RGB | None]:
    """The text colour of a font and the background of a fill; None where there is no single known colour."""
    colour = child_of(font, "color")
    letters = BLACK if colour is None or colour.get("auto") else of_sheet(colour, theme)
    kind = "none" if pattern is None else pattern.get("patternType", "none")
    if gradient is not None:
        return letters, only_colour([of_sheet(one, theme) for one in gradient.iter("{*}color")])
    if kind not in ("none", "solid"):
        return letters, None
    return letters, WHITE if kind == "none" else of_sheet(child_of(pattern, "fgColor"), theme)


def _unseen(font: etree._Element | None, letters: RGB | None, ground: RGB | None) -> HiddenReason | None:
    """Why text in a font is hidden on a background; None if it is visible."""
    size = child_of(font, "sz")
    if size is not None and 0 <= _size(size.get("val")) <= TINIEST:
        return "tiny"
    return "no_contrast" if letters and ground and look_alike(letters, ground) else None
