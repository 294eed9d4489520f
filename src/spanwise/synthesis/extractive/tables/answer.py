"""What tables answer: a figure of a statement, a cell, a computed figure, a heading, a record, a figure told beside."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from spanwise.contract.answers import AmountAnswer, QuantityAnswer, TableAnswer, TextAnswer
from spanwise.contract.rendering import worded
from spanwise.contract.result import Draft
from spanwise.domain.passage import Hit
from spanwise.domain.question import Question
from spanwise.errors import ComputationError
from spanwise.store.port import Store
from spanwise.synthesis.extractive.calibration import Weigh, calibrated
from spanwise.synthesis.extractive.tables.drafting import (
    cells_draft,
    computed_draft,
    computed_of,
    figure_at,
    headings_draft,
    told_draft,
    weighed,
)
from spanwise.synthesis.extractive.tables.listings import listing_answer
from spanwise.synthesis.extractive.tables.matching import Chooser, Index, Solution
from spanwise.synthesis.extractive.tables.near import NearTable, tables_near
from spanwise.synthesis.extractive.tables.operations import solve
from spanwise.synthesis.extractive.tables.record_answers import column_answer, record_answer
from spanwise.synthesis.extractive.tables.records import EACH
from spanwise.synthesis.extractive.tables.statements import statement_answer
from spanwise.synthesis.extractive.tables.surrounding_text import Telling, covered, stems_asked
from spanwise.synthesis.extractive.tables.table_question import TableQuestion, asked
from spanwise.text.expectations.forms import expectation
from spanwise.text.quantities import quantities
from spanwise.text.tables.bands import banded_rows
from spanwise.text.tables.cell_units import Units
from spanwise.text.tables.financial_statements import of_a_part
from spanwise.text.tables.financial_statements import plain as stemmed
from spanwise.text.tables.grid import read_cell, years_of

_TOP = 2.0
"""Score that the measure of cells is told in; those that are named in full have about 1.7."""
_OF_ROWS = frozenset(["count_periods", "count_parts", "count_rows", "which", "periods", "parts"])
"""What a question wants that names a figure and asks for the rows or the periods of its table."""
_DEFINES = re.compile(r"\b(?:is|are)\s+(?:here\s+)?defined\s+as\b|[.?]\s+define\b", re.IGNORECASE)
"""A question that says itself how its figure is to be computed, which no word of an operation tells."""
_PROSE = re.compile(
    r"^why\b|^(?:what|how|which)\b.*\b(?:consists?|represents?|relates?|refers?|compris\w+|includes?|excludes?|means?"
    r"|reflects?|recogni[sz]ed|calculated|determined|measured|defined|accounted|led to|caused?|drove|driven|due to"
    r"|because|entitle\w*)\b"
)
"""A question for a description or a reason, which sentences give."""
_PRICE = re.compile(r"^how much (?:do|does|did|is|are|was|were)\b.*\b(?:costs?|charged?|paid|pay)\b|\bpriced?\b")
ENOUGH = 0.25
"""Least chance of a table's answer that goes before what sentences say."""
TOLD = 0.6
"""Least share of a question's weight that a sentence with the figure has."""
_PART = 0.4
"""What it costs that a figure is of a part that the question does not name."""
AHEAD = 0.1
"""How much more of it than the best cell."""


def table_candidates(question: Question, hits: Sequence[Hit], store: Store, weigh: Weigh = calibrated) -> list[Draft]:
    """The drafts of answers from the tables near the hits, the likeliest first; none where no table answers.

    Each cites the rows of its cells, the heads of their columns, and the line that says what the table counts in; what
    is computed has a record of its operands.
    """
    if question.model is not None:
        return []
    wanted = asked(question.text)
    near = tables_near(hits, store)
    one_figure = len(question.named_metrics) == 1 and not (question.formula or question.named_metrics[0].formulas)
    if one_figure and _names_another_row(question, near):
        question = replace(question, metrics=(), named_metrics=())
    found = [*_of_statements(question, wanted, hits, store, weigh), *_of_tables(question, wanted, near, store, weigh)]
    listed = listing_answer(question, near, store, weigh)
    return [*filter(None, [listed]), *(draft for draft in found if _fits(question, draft))]


def answer(question: Question, hits: Sequence[Hit], store: Store, weigh: Weigh = calibrated) -> Draft | None:
    """The likeliest draft from the tables near the hits, or None where none answers."""
    return next(iter(table_candidates(question, hits, store, weigh)), None)


def _names_another_row(question: Question, near: Sequence[NearTable]) -> bool:
    """True if a row is named beside the figure, so that a part of it is asked for: "revenue in North America"."""
    spoken = f" {stemmed(question.text)} "
    names = (name for metric in (*question.metrics, *question.named_metrics) for name in (metric.name, *metric.rows))
    own = frozenset(stem for name in names for stem in stemmed(name).split())
    labels = {stemmed(row.label) for table in near for row in table.grid.rows if not years_of(row.label)}
    return any(label and f" {label} " in spoken and not own.issuperset(label.split()) for label in labels)


def _of_statements(
    question: Question, wanted: TableQuestion, hits: Sequence[Hit], store: Store, weigh: Weigh
) -> Iterator[Draft]:
    other = wanted.wanted in _OF_ROWS or EACH.search(wanted.text)
    draft = statement_answer(question, wanted, hits, store, weigh) if not other else None
    if draft is not None:
        yield draft


def _of_tables(
    question: Question, wanted: TableQuestion, near: Sequence[NearTable], store: Store, weigh: Weigh
) -> Iterator[Draft]:
    apart = wanted.wanted == "text" or _DEFINES.search(question.text) or EACH.search(wanted.text)
    solutions = [] if apart else _solutions(question, wanted, near)
    best = max(solutions, key=lambda found: found[0].score, default=None)
    if wanted.wanted == "value" and near and not near[0].grid.printed:
        told = _told_beside(wanted, question, near[0], best, store, weigh)
        if told is not None:
            yield told
    plain = question.demanded == "text"
    drafted = (
        _drafted(*best, store, weigh, plain=plain, sized=wanted.sized)
        if best is not None and not _no_price(wanted, best[0])
        else None
    )
    # What is computed, and the cells of a table of periods, are no records.
    series = best is not None and (best[0].kind == "computed" or best[1].grid.of_figures)
    skipped = (series and drafted is not None) or _PROSE.search(wanted.text) is not None
    record = None if skipped else record_answer(question, wanted, near, store, weigh)
    column = None if series and drafted is not None else column_answer(question, wanted, near, weigh)
    found = [draft for draft in (drafted, record, column) if draft is not None]
    yield from sorted(found, key=lambda draft: -draft.relevance)


def _solutions(
    question: Question, wanted: TableQuestion, near: Sequence[NearTable]
) -> list[tuple[Solution, NearTable]]:
    found = []
    for table in near:
        made = solve(wanted, Chooser(Index(table.grid), question.metrics))
        if made is None:
            continue
        whole = table.grid.has_periods if made.kind == "headings" else table.grid.of_figures
        if made.kind != "computed" and not whole:
            continue  # the rows are records
        if not table.whole and made.kind != "cells":
            continue  # nothing is counted, compared or summed of some rows
        if made.kind == "cells" and (
            not all(place.head or sum(cell is not None for cell in place.line.cells) == 1 for place in made.places)
            or banded_rows(table.grid, question.text)[0]
        ):
            continue  # one of several figures that no head tells apart, or the row is that of a band
        parts = any(of_a_part(table.grid, place.line, wanted.text) for place in made.places)
        found.append((replace(made, score=made.score - _PART) if parts else made, table))
    return found


def _drafted(made: Solution, table: NearTable, store: Store, weigh: Weigh, *, plain: bool, sized: bool) -> Draft | None:
    measure = made.score / _TOP
    if made.kind == "headings":
        return headings_draft(made.headings, made.places, weighed("headings", measure, weigh))
    units = Units(table.grid, table.lines)
    index = Index(table.grid)
    figures = []
    for place in made.places:
        years = sorted(index.years_at(place.row, place.column))
        figures.append(figure_at(place, units, years[0] if len(years) == 1 else ""))
    if made.kind == "cells":
        return cells_draft(figures, weighed("cells", measure, weigh), store, plain=plain)
    try:
        computation = computed_of(made.operation or "total", figures, sized=sized)
    except ComputationError:
        return None
    return computed_draft(computation, figures, weighed("computed_cells", measure, weigh)) if figures else None


def _no_price(wanted: TableQuestion, found: Solution) -> bool:
    """True if a price is asked for and the cell is a weight, a length or a time."""
    if found.kind == "computed" or not _PRICE.search(wanted.text):
        return False
    kinds = {one.kind for place in found.places for one in quantities(place.cell.text)}
    return bool(kinds) and kinds <= {"count", "duration"}


def _told_beside(
    wanted: TableQuestion,
    question: Question,
    near: NearTable,
    best: tuple[Solution, NearTable] | None,
    store: Store,
    weigh: Weigh,
) -> Draft | None:
    """The figures of a sentence beside the table where it speaks more of the question than the best cell does."""
    index = Index(near.grid)
    telling = Telling(near.lines, [*index.labels, *index.heads, index.caption])
    told = telling.find(question.text, wanted.years)
    if told is None or told.coverage < TOLD:
        return None
    if best is not None:
        place = best[0].places[0]
        index = Index(place.grid)
        stems = stems_asked(question.text)
        of_cell = covered(stems & (index.words_at(place) | index.caption), telling.weights(stems))
        if told.coverage < of_cell + AHEAD:
            return None
    return told_draft(told.texts, near.grid.document, told.line, weighed("told", told.coverage, weigh), store)


def _fits(question: Question, draft: Draft) -> bool:
    """True if an answer is of the type that was demanded, or may be what is asked for: a price is no time or person."""
    demanded = question.demanded
    if demanded is None:
        form = expectation(question.text, question.language).form
        if form == "whether" and isinstance(draft.answer, (TextAnswer, TableAnswer)):
            return False  # the label of a row says neither yes nor no
        if form in ("how_long", "how_often") and isinstance(draft.answer, TextAnswer):
            # Whom to ask about the waiting list does not say how long the wait is.
            expected = expectation(question.text, question.language)
            cells = map(worded, draft.answer.items)
            if not any(expected.held(cell) == 1.0 or read_cell(cell) is not None for cell in cells):
                return False
        figure = isinstance(draft.answer, QuantityAnswer) and form in ("who", "where")
        return not figure and not (isinstance(draft.answer, AmountAnswer) and form in ("who", "where", "when"))
    if demanded == "text":
        return True
    kinds: dict[str, tuple[type, ...]] = {
        "amount": (AmountAnswer,),
        "quantity": (QuantityAnswer,),
        "table": (TableAnswer,),
    }
    return isinstance(draft.answer, kinds.get(demanded, ()))
