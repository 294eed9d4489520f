"""Headings that a comparison chooses, the parts of a total, the years of a table; and how many of them there are."""

from __future__ import annotations

import re
from collections.abc import Sequence

from spanwise.synthesis.extractive.tables.matching import (
    Chooser,
    Place,
    Solution,
    at_years,
    plain,
    words_of,
    years_asked,
)
from spanwise.synthesis.extractive.tables.table_question import TableQuestion
from spanwise.text.tables.grid import GridRow, read_cell, without_note
from spanwise.text.terms import terms

_RANKED = re.compile(r"\b(?:second|third|fourth|fifth|next)[ -]")


def which(question: TableQuestion, chooser: Chooser) -> Solution | None:
    """The headings that a comparison chooses: years, or labels of rows."""
    if re.search(r"\b(?:which|what) (?:fiscal |financial )?(?:year|period|quarter|month)", question.text):
        return _which_period(question, chooser)
    return _which_row(question, chooser)


def _which_period(question: TableQuestion, chooser: Chooser) -> Solution | None:
    places = _row_of_years(question, chooser)
    chosen = _compared(question, places)
    if not chosen:
        return None
    headings = tuple(dict.fromkeys(_year_at(place, chooser) for place in chosen))
    return Solution("headings", tuple(chosen), places[0].score, None, headings)


def _row_of_years(question: TableQuestion, chooser: Chooser) -> list[Place]:
    years = question.years if len(question.years) > 1 else sorted(chooser.index.years, reverse=True)
    if question.spans:
        years = years_asked(question, chooser)
    text = re.sub(r"[\d,.]{2,}\d", " ", question.text)
    return at_years(question, words_of(text, chooser), chooser, list(years))


def _compared(question: TableQuestion, places: Sequence[Place]) -> list[Place]:
    """The cells that are on the asked side of the threshold, or the highest or lowest one."""
    if not places:
        return []
    if question.threshold is not None:
        limit = question.threshold_bare if question.threshold_bare is not None else question.threshold
        if question.more:
            return [place for place in places if place.cell.value > limit]
        return [place for place in places if place.cell.value < limit]
    key = max if question.more else min
    return [key(places, key=lambda place: abs(place.cell.value))]


def _year_at(place: Place, chooser: Chooser) -> str:
    years = sorted(chooser.index.years_at(place.row, place.column))
    return years[0] if years else place.head


def _which_row(question: TableQuestion, chooser: Chooser) -> Solution | None:
    rows = _rows_at(question, chooser)
    asked = frozenset(terms(question.text))
    named = [place for place in rows if asked.issuperset(terms(place.line.label))]
    chosen = _compared(question, named if len(named) > 1 else rows)  # "which is larger, Ayr or Perth?"
    names = tuple(without_note(place.line.label) for place in chosen)
    if not chosen or _RANKED.search(question.text) or any(read_cell(name) is not None for name in names):
        return None  # a rank or a year in the first column is not what the rows are about
    return Solution("headings", tuple(chosen), min(1.0, rows[0].score), None, names)


def _rows_at(question: TableQuestion, chooser: Chooser) -> list[Place]:
    """The cells of one column in the rows of one block, totals left out."""
    words = words_of(question.text, chooser)
    year = question.years[0] if question.years else None
    places = chooser.places(words, year)
    if not places:
        return []
    column = places[0].column
    held = sorted((place for place in places if place.column == column), key=lambda place: place.row)
    return [place for place in held if place.line.label and not _is_total(place.line)]


def _is_total(row: GridRow) -> bool:
    return bool(re.match(r"(?:sub-?)?total\b|net\b|gross\b", row.label.strip().lower())) or not row.label


def periods_asked(question: TableQuestion, chooser: Chooser) -> Solution | None:
    """Every year of the table, the latest first, each with a cell of it."""
    years = sorted(chooser.index.years, reverse=True)
    places = []
    for year in years:
        at = chooser.places(words_of(question.text, chooser), year)
        if at:
            places.append(at[0])
    if not places:
        return None
    return Solution("headings", tuple(places), 1.0, None, tuple(years))


def parts(question: TableQuestion, chooser: Chooser) -> Solution | None:
    """The labels of the rows that make up the group or the total that is named; of two at least."""
    rows = _block(question, chooser)
    if len(rows) < 2:
        return None
    return Solution("headings", tuple(rows), 1.0, None, tuple(without_note(place.line.label) for place in rows))


def _block(question: TableQuestion, chooser: Chooser) -> list[Place]:
    """A cell of each row that makes up the group, or the total, that a question names."""
    spoken = f" {plain(question.text)} "
    rows = chooser.grid.rows
    group = max(
        (
            name
            for row in rows
            for name in row.groups[-1:]
            if plain(name) and f" {plain(without_note(name))} " in spoken
        ),
        key=len,
        default=None,
    )
    if group is not None:
        return [
            place
            for at, row in enumerate(rows)
            if row.groups[-1:] == (group,) and not _is_total(row) and (place := _some(chooser, at))
        ]
    for at, row in enumerate(rows):
        name = plain(without_note(row.label))
        if not name.startswith("total") or not name.removeprefix("total ").strip():
            continue
        if f" {name.removeprefix('total ')} " in spoken:
            first = at
            while first and not _is_total(rows[first - 1]) and rows[first - 1].groups == row.groups:
                first -= 1
            return [place for one in range(first, at) if (place := _some(chooser, one))]
    return []


def _some(chooser: Chooser, row: int) -> Place | None:
    cells = chooser.grid.rows[row].cells
    column = next((at for at, cell in enumerate(cells) if cell is not None), None)
    return None if column is None else Place(chooser.grid, row, column, 1.0)


def count_periods(question: TableQuestion, chooser: Chooser) -> Solution | None:
    """At how many years a figure is on the asked side of a threshold."""
    places = _row_of_years(question, chooser)
    if not places or question.threshold is None:
        return None
    return Solution("computed", tuple(_compared(question, places)), places[0].score, "count")


def count_parts(question: TableQuestion, chooser: Chooser) -> Solution | None:
    """How many rows make up the group or the total that is named."""
    rows = _block(question, chooser)
    return Solution("computed", tuple(rows), 1.0, "count") if rows else None


def count_rows(question: TableQuestion, chooser: Chooser) -> Solution | None:
    """How many rows are on the asked side of a threshold."""
    rows = _rows_at(question, chooser)
    if not rows or question.threshold is None:
        return None
    return Solution("computed", tuple(_compared(question, rows)), 1.0, "count")
