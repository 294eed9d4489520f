"""Figures of financial statements that a question asks for: cells, and what is computed from them by formulas."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from spanwise.contract.compute import Computation, Operation, compute_formula
from spanwise.contract.result import Draft
from spanwise.domain.document import Line
from spanwise.domain.passage import Hit
from spanwise.domain.question import Metric, Question
from spanwise.errors import ComputationError
from spanwise.store.port import Store
from spanwise.synthesis.extractive.calibration import Weigh
from spanwise.synthesis.extractive.tables.drafting import (
    Figure,
    cells_draft,
    computed_draft,
    computed_of,
    figure_at,
    weighed,
)
from spanwise.synthesis.extractive.tables.matching import Place
from spanwise.synthesis.extractive.tables.table_question import TableQuestion
from spanwise.text.quantities import is_currency
from spanwise.text.sentences import places_within
from spanwise.text.tables.cell_units import Units
from spanwise.text.tables.financial_statements import (
    FORMULA_PART,
    HOLDS,
    LABELS_APART,
    SAYS_MORE,
    Table,
    alike,
    match,
    of_a_part,
    plain,
    read_table,
    titled,
)
from spanwise.text.tables.grid import Grid, years_of
from spanwise.text.tables.table_reading import read_tables

PAGES = 10
"""Pages of the best hits that are read."""
MOST_FIGURES = 6
ENOUGH = 0.45
"""Least measure of figures that are shown: how sure they are to be what was asked for, before it is calibrated."""
LEAST_SHARE = 0.4
"""Share of a question's words that ask for figures, from which on figures answer it."""
_MATCH, _STATEMENT, _PERIOD, _RANK = 0.6, 0.25, 0.15, 0.02
_SEVERAL_YEARS = re.compile(r"\b(two|three|four|five|[2-5])[ -]years?\b", re.IGNORECASE)
_COUNTS = {"two": 2, "three": 3, "four": 4, "five": 5}
_COMPOUND = re.compile(r"\bcagr\b|\bcompound(?:ed)? (?:annual )?growth\b", re.IGNORECASE)
_SHARE = re.compile(r"%|\bper ?cent(?:age)?\b|\bshare\b|\bproportion\b", re.IGNORECASE)
_OF = re.compile(r"\b(?:of|to|over|divided by|by)\b", re.IGNORECASE)
_CHANGES: Mapping[str, Operation] = {
    "change": "difference",
    "difference": "difference",
    "percentage_change": "percentage_change",
}
_OVER_YEARS: Mapping[str, Operation] = {**_CHANGES, "average": "average", "total": "total"}
_SHARES = frozenset(("ratio", "percentage_share", "average", "value"))
_AVERAGE = re.compile(r"\b(?:average|mean)\b")
_INTERIM = re.compile(r"\b(?:three|six|nine)[ -]months?\b|\bquarter", re.IGNORECASE)
_PART = 0.2
"""What it costs that a figure is of a part that the question does not name."""


@dataclass(frozen=True, slots=True)
class _Page:
    """A page with its tables."""

    document: str
    lines: tuple[Line, ...]
    table: Table
    grids: tuple[Grid, ...]


@dataclass(frozen=True, slots=True)
class _Row:
    """The row that holds a metric."""

    metric: Metric
    page: _Page
    grid: Grid
    at: int
    sureness: float

    @property
    def years(self) -> list[str]:
        """The years of its figures, the latest first."""
        line = self.grid.rows[self.at]
        found = {
            year for head, cell in zip(self.grid.heads, line.cells, strict=True) if cell for year in years_of(head)
        }
        return sorted(found, reverse=True)

    def figure(self, year: str) -> Figure | None:
        """The figure of a year; of several that of the longest period."""
        line = self.grid.rows[self.at]
        columns = [
            at for at, head in enumerate(self.grid.heads) if year in years_of(head) and line.cells[at] is not None
        ]
        whole = [at for at in columns if not _INTERIM.search(self.grid.heads[at])] or columns
        if not whole:
            return None
        place = Place(self.grid, self.at, whole[0], self.sureness)
        return figure_at(place, Units(self.grid, self.page.lines), year, unsigned=self.metric.unsigned)


_Made: TypeAlias = tuple[Computation, list[Figure]]


@dataclass(slots=True)
class _Expression:
    """A formula over figures as it is written down; each figure once."""

    rows: Mapping[str, _Row]
    metrics: Mapping[str, Metric]
    figures: list[Figure] = field(default_factory=list)
    missing: bool = False

    def of(self, formula: str, year: str) -> str:
        """The formula in one year, in terms of its operands."""
        return FORMULA_PART.sub(lambda found: self._part(found[1], found[2], bool(found[4]), found[3] or year), formula)

    def computed(self, text: str, unit: str) -> _Made | None:
        """What the formula comes to; None where one of its figures was not found."""
        operands = [one.operand for one in self.figures]
        magnitude = ""
        if unit == "money":
            unit = next((one.unit for one in operands if is_currency(one.unit)), "")
            magnitude = next((one.magnitude for one in operands if one.magnitude), "")
        try:
            return (
                None
                if self.missing
                else (compute_formula(text, operands, unit=unit, magnitude=magnitude), self.figures)
            )
        except ComputationError:
            return None

    def _part(self, name: str, taken: str | None, optional: bool, year: str) -> str:
        row = self.rows.get(name)
        if row is None and taken is None and name in self.metrics and self.metrics[name].formulas:
            return f"({self.of(self.metrics[name].formulas[0], year)})"
        now = self._operand(row, year)
        if now is None or row is None:
            self.missing = self.missing or not optional
            return "0"
        before = self._operand(row, _before(row, year)) if taken else None
        if taken == "change":
            self.missing = self.missing or before is None
            return f"({now} - {before})"
        return f"(({now} + {before}) / 2)" if before is not None else now

    def _operand(self, row: _Row | None, year: str | None) -> str | None:
        figure = row.figure(year) if row is not None and year is not None else None
        if figure is None:
            return None
        if figure not in self.figures:
            self.figures.append(figure)
        name = f"x{self.figures.index(figure) + 1}"
        return f"abs({name})" if figure.unsigned else name


def statement_answer(
    question: Question, wanted: TableQuestion, hits: Sequence[Hit], store: Store, weigh: Weigh
) -> Draft | None:
    """The figures asked for, or what is computed from them, of one document; None where they are not found.

    A figure that is defined by a formula is computed, unless the document reports it itself.
    """
    # "When will the dividend be paid?" asks for no figure, though it names one.
    about_figures = question.answer_type not in ("person", "place", "date", "boolean")
    if not question.named_metrics or question.metric_share < LEAST_SHARE or not about_figures:
        return None
    pages = list(_pages(hits, store))
    if any(_is_reported(one, pages) for one in question.named_metrics):
        return None  # the cell itself is the answer
    rows = {row.metric.name: row for metric in question.metrics if (row := _best_row(question, wanted, metric, pages))}
    # One document answers: figures of different ones would not be of the same company.
    rows = {name: row for name, row in rows.items() if row.page.document == next(iter(rows.values())).page.document}
    years = _years(wanted, rows)
    if not years:
        return None
    caveats = [] if wanted.years else [f"The question names no period; this is {years[0]}."]
    if made := _computed(question, wanted, rows, years):
        measure = min(row.sureness for row in rows.values()) * _asked_for(question)
        return computed_draft(*made, weighed("computed_cells", measure, weigh), caveats=caveats)
    held = [rows[one.name] for one in question.named_metrics if one.name in rows]
    found = [figure for year in years for row in held if (figure := row.figure(year))]
    measure = sum(row.sureness for row in held) / len(question.named_metrics) * _asked_for(question)
    if not found or len(held) < len(question.named_metrics) or measure < ENOUGH:
        return None
    plain = question.demanded == "text"
    return cells_draft(found[:MOST_FIGURES], weighed("cells", measure, weigh), store, caveats=caveats, plain=plain)


def _is_reported(metric: Metric, pages: Sequence[_Page]) -> bool:
    """True if a row reports a figure by its name that is a percentage by its formula."""
    name = plain(metric.name)
    rows = (row for page in pages for grid in page.grids for row in grid.rows if metric.formulas)
    return any(
        plain(row.name) == name and any(one and one.unit == metric.unit == "%" for one in row.cells) for row in rows
    )


def _asked_for(question: Question) -> float:
    """What is left of a measure where the question says more than which figures it wants."""
    return 0.6 + 0.4 * question.metric_share


def _computed(
    question: Question, wanted: TableQuestion, rows: Mapping[str, _Row], years: Sequence[str]
) -> _Made | None:
    """What is computed of the rows; None where the figures are wanted as they stand."""
    for way in (_by_own_formula, _by_known_formula, _over_years):
        if made := way(question, wanted, rows, years):
            return made
    return None


def _by_own_formula(
    question: Question, wanted: TableQuestion, rows: Mapping[str, _Row], years: Sequence[str]
) -> _Made | None:
    """By the formula that the question writes."""
    if not question.formula:
        return None
    expression = _Expression(rows, {one.name: one for one in question.named_metrics})
    text = expression.of(question.formula, years[0])
    unit = _unit_of(question.formula, wanted.text)
    return expression.computed(f"({text}) * 100" if unit == "%" else text, unit)


def _by_known_formula(
    question: Question, wanted: TableQuestion, rows: Mapping[str, _Row], years: Sequence[str]
) -> _Made | None:
    """By a formula of the profile, or as the share of one figure in another; averaged, or compared, over years."""
    if question.formula:
        return None
    asked = question.named_metrics
    unit = asked[0].unit
    formulas = [formula for one in asked for formula in one.formulas if one.name not in rows]
    if not formulas and len(asked) == 2 and wanted.wanted in _SHARES:
        shares = _SHARE.search(wanted.text) is not None and _OF.search(wanted.text) is not None
        if wanted.wanted == "ratio" or shares:
            unit = "%" if shares else ""
            formulas = [f"{{{asked[0].name}}} / {{{asked[1].name}}}" + (" * 100" if shares else "")]
    averaged = _AVERAGE.search(wanted.text) is not None and len(years) > 1
    for formula in formulas:
        expression = _Expression(rows, {one.name: one for one in asked})
        if averaged:
            terms = [expression.of(formula, year) for year in years]
            text = f"({' + '.join(terms)}) / {len(terms)}"
        elif wanted.wanted in _CHANGES and len(years) > 1:
            text = f"({expression.of(formula, years[0])}) - ({expression.of(formula, years[1])})"
        else:
            text = expression.of(formula, years[0])
        if made := expression.computed(text, unit):
            return made
    return None


def _over_years(
    question: Question, wanted: TableQuestion, rows: Mapping[str, _Row], years: Sequence[str]
) -> _Made | None:
    """A change, a growth rate, a total or an average of one figure over the years."""
    row = rows.get(question.named_metrics[0].name)
    if row is None or len(years) < 2 or len(question.named_metrics) > 1:
        return None
    if _COMPOUND.search(wanted.text):
        expression = _Expression(rows, {})
        name, span = row.metric.name, int(years[0]) - int(years[-1])
        last, first = (expression.of(f"{{{name}}}", year) for year in (years[0], years[-1]))
        return expression.computed(f"(({last} / {first}) ** (1 / {span}) - 1) * 100", "%")
    operation = _OVER_YEARS.get(wanted.wanted)
    figures = [figure for year in years if (figure := row.figure(year))]
    if operation is None or len(figures) < 2:
        return None
    chosen = figures[:2] if wanted.wanted in _CHANGES else figures
    try:
        return computed_of(operation, chosen, sized=wanted.sized), chosen
    except ComputationError:
        return None


def _unit_of(formula: str, asked: str) -> str:
    """The unit of a formula that a question writes: money where nothing is divided."""
    if "/" not in FORMULA_PART.sub("", formula):
        return "money"
    if _SHARE.search(asked):
        return "%"
    return "day" if re.search(r"\b36[05]\b", formula) else ""


def _years(wanted: TableQuestion, rows: Mapping[str, _Row]) -> list[str]:
    """The years asked for, the latest first: those named, those of a span, or the latest of the tables."""
    known = sorted({year for row in rows.values() for year in row.years}, reverse=True)
    named = sorted(set(wanted.years), reverse=True)
    if not known:
        return []
    if wanted.base:
        return [known[0], wanted.base] if wanted.base in known and known[0] > wanted.base else []
    if wanted.spans and len(named) == 2 and wanted.wanted not in _CHANGES:
        return [year for year in known if named[1] <= year <= named[0]]
    if not set(named) <= set(known):
        return []
    latest = named or known[:1]
    if len(latest) == 1:
        several = _SEVERAL_YEARS.search(wanted.text)
        count = _COUNTS.get(several[1].lower(), 0) or int(several[1]) if several else 0
        if wanted.wanted in _CHANGES:
            count = 2
        if count:
            return [year for year in known if year <= latest[0]][:count]
    return latest


def _before(row: _Row, year: str) -> str | None:
    return next((one for one in row.years if one < year), None)


def _pages(hits: Sequence[Hit], store: Store) -> Iterator[_Page]:
    """The pages of the best hits, each once, the best first."""
    seen: set[tuple[str, int, int]] = set()
    known = {name: store.pages(name) for name in dict.fromkeys(hit.passage.document for hit in hits)}
    for hit in hits:
        passage = hit.passage
        for first, last in places_within(passage.line_start, passage.line_end, known[passage.document]):
            place = (passage.document, first, last)
            if place in seen:
                continue
            if len(seen) == PAGES:
                return
            seen.add(place)
            lines = tuple(store.lines(*place))
            table = read_table([(one.number, one.text) for one in lines])
            yield _Page(passage.document, lines, table, tuple(read_tables(passage.document, lines)))


def _best_row(question: Question, wanted: TableQuestion, metric: Metric, pages: Sequence[_Page]) -> _Row | None:
    best: _Row | None = None
    years = set(wanted.years)
    statement = next((one for one in question.statements if one.name == metric.statement), None)
    for rank, page in enumerate(pages):
        here = alike(statement, page.table) * (0.5 + 0.5 * titled(statement, page.table)) if statement else 0.5
        for grid in page.grids:
            known = frozenset(year for head in grid.heads for year in years_of(head))
            period = len(years & known) / len(years) if years else 1.0
            if not known or not period:
                continue  # the figures of another year are no answer
            for at, row in enumerate(grid.rows):
                degree = match(metric, plain(row.name))
                # "Changes in working capital" is not what "working capital" is computed to be.
                if degree < (SAYS_MORE if metric.formulas else HOLDS) - LABELS_APART or not any(row.cells):
                    continue
                sureness = _MATCH * degree + _STATEMENT * here + _PERIOD * period - _RANK * rank
                sureness -= _PART * of_a_part(grid, row, wanted.text)
                if best is None or sureness > best.sureness:
                    best = _Row(metric, page, grid, at, sureness)
    return best
