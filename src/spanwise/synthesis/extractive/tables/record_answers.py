"""Answers from records: the cells that a question asks for, and what is computed over the cells of a column."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib import resources

from spanwise.contract.compute import Operation, compute
from spanwise.contract.result import Draft
from spanwise.domain.question import Question
from spanwise.store.port import Store
from spanwise.synthesis.extractive.calibration import Weigh
from spanwise.synthesis.extractive.tables.drafting import computed_draft, figure_at, in_part, records_draft, weighed
from spanwise.synthesis.extractive.tables.matching import Place
from spanwise.synthesis.extractive.tables.near import NearTable
from spanwise.synthesis.extractive.tables.records import (
    ORDER_STEMS,
    Records,
    columns_shown,
    context_of,
    is_total,
    match_records,
)
from spanwise.synthesis.extractive.tables.table_question import TableQuestion
from spanwise.text.tables.cell_units import Units
from spanwise.text.tables.financial_statements import of_a_part
from spanwise.text.terms import terms

_OF_A_PART = 0.6
"""What is left of a measure where the record is of a part that the question does not name."""
_COLUMN = 0.75
"""Measure of what is computed over a column whose head is named."""
_OPERATIONS: Mapping[str, Operation] = {"total": "total", "average": "average"}
_COUNTED = re.compile(
    r"^how many ((?:[\w'\u2019-]+\s+){1,3}?)(?:are|were|is|was|do|does|did|have|has|in|of|on|at|from|with)\b"
)
FEATURES = (
    "covered",
    "in_row",
    "margin",
    "aimed",
    "ordered",
    "several_rows",
    "several_columns",
    "text",
    "first_hit",
    "printed",
    "known",
    "keyed",
    "whole",
    "relates",
    "formed",
)
"""What tells whether a record is right: the share of the question that the table covers, and the row alone; how far the
row is ahead; whether the columns are named, an order chose the row, there are several rows or columns, a text is
wanted, the table is at the best hit, and it is printed; all words of the question are known,
a cell that only this row has stands whole in it; all of this for one cell; a word relates rows to
others; and the cell has the form that is asked for."""


def record_answer(
    question: Question, wanted: TableQuestion, near: Sequence[NearTable], store: Store, weigh: Weigh
) -> Draft | None:
    """The cells of the record that a question means, of the table that covers it best."""
    best: tuple[float, Draft] | None = None
    for table in near:
        found = match_records(question, wanted, table)
        if found is None:
            continue
        measure = measured(found.features)
        if any(of_a_part(table.grid, table.grid.rows[row], wanted.text) for row in found.rows):
            measure *= _OF_A_PART
        if best is None or measure > best[0]:
            chance, plain = weighed("record", measure, weigh), question.demanded == "text"
            columns = found.columns if question.demanded else _labelled(found.rows, found.columns, table)
            draft = records_draft(table.grid, found.rows, columns, chance, store, table.lines, plain=plain)
            several = len(found.rows) > 1
            best = measure, in_part(draft, len(found.rows), found.described, whole=table.whole or not several)
    return best[1] if best is not None else None


def rows_answer(
    question: Question, places: Sequence[tuple[str, int]], near: Sequence[NearTable], chance: float, store: Store
) -> Draft | None:
    """Rows that were found as sentences, under the heads of their table; None where the first has none.

    Args:
        question: What was asked.
        places: Document and line of each, the likeliest first.
        near: Tables near what was found.
        chance: How likely the first of them answers.
        store: Where the lines are.
    """
    for table in near:
        grid = table.grid
        at = {row.first: at for at, row in enumerate(grid.rows)}
        rows = [at[line] for document, line in places if document == grid.document and line in at]
        if any(grid.heads) and places[0] == (grid.document, grid.rows[rows[0]].first if rows else 0):
            columns = sorted({column for row in rows for column in columns_shown(question.text, grid, row)})
            draft = records_draft(grid, rows, columns, chance, store, table.lines, plain=True)
            listed = len(grid.rows) if question.answer_shape == "listing" else len(rows)
            return in_part(draft, len(rows), listed, whole=True)
    return None


def _labelled(rows: Sequence[int], columns: tuple[int, ...], table: NearTable) -> tuple[int, ...]:
    """The columns, behind that of the labels where several rows have bare figures, which alone answer nothing."""
    lines = [table.grid.rows[row] for row in rows]
    figures = len(columns) == 1 and columns[0] > 0 and all(line.cells[columns[0] - 1] for line in lines)
    apart = len(lines) > 1 and len({line.label for line in lines} - {""}) == len(lines)
    return (0, *columns) if figures and apart else columns


def column_answer(question: Question, wanted: TableQuestion, near: Sequence[NearTable], weigh: Weigh) -> Draft | None:
    """The total or the average of a column, or how many rows there are, over the rows that a question describes."""
    operation = _OPERATIONS.get(wanted.wanted)
    counted = _COUNTED.match(wanted.text) if operation is None else None
    if operation is None and counted is None:
        return None
    asked = frozenset(terms(question.text)) - ORDER_STEMS
    for table in near:
        records = Records(table.grid, set(context_of(table)))
        if table.grid.has_periods or records.count < 2 or not table.whole:
            continue
        figures = [at for at in range(1, len(records.heads)) if records.numeric[at]]
        named = [at for at in figures if records.heads[at] & asked]
        if counted is not None:
            things = frozenset(terms(counted[1]))
            named = [] if named or not things & (records.context | records.heads[records.named]) else figures
            asked -= things
        if not named:
            continue
        column = named[0]
        conditions = [one for one in sorted(asked) if one in records.frequency and one not in records.heads[column]]
        rows = _described(records, [one for one in conditions if one not in records.context])
        held = [at for at in rows if table.grid.rows[at].cells[column - 1] is not None and not is_total(records, at)]
        known = asked & (records.heads[column] | records.context | frozenset(conditions))
        if len(held) < 2 or len(known) < len(asked):
            continue
        units = Units(table.grid, table.lines)
        chosen = [figure_at(Place(table.grid, at, column - 1, 1.0), units) for at in held]
        operands = [one.operand if operation else one.counted_operand for one in chosen]
        computation = compute(operation or "count", operands)
        return computed_draft(computation, chosen, weighed("computed_cells", _COLUMN, weigh))
    return None


def _described(records: Records, conditions: Sequence[str]) -> Sequence[int]:
    """The rows that have all words of a description; every row where there is none."""
    return [at for at in range(records.count) if records.rows[at].issuperset(conditions)]


def measured(features: Sequence[float]) -> float:
    """How likely a record is right: logistic, fitted on public tables (`fitting/tables.py`)."""
    bias, weights = _fitted()
    logit = bias + sum(weight * value for weight, value in zip(weights, features, strict=True))
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, logit))))


@lru_cache(maxsize=1)
def _fitted() -> tuple[float, tuple[float, ...]]:
    raw = json.loads(resources.files(__package__).joinpath("records.json").read_text(encoding="utf-8"))
    return float(raw["bias"]), tuple(float(raw["weights"][name]) for name in FEATURES)
