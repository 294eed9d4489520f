"""An answer from a table: figures as they stand, headings that a comparison chooses, or a figure that code computes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from spanwise.contract.answers import AmountAnswer, AnswerBase, QuantityAnswer, TextAnswer
from spanwise.contract.compute import Computation, Operand, compute
from spanwise.contract.items import AmountItem, QuantityItem, TextItem
from spanwise.contract.result import Draft, Source
from spanwise.contract.values import Amount, Quantity, Span
from spanwise.contract.wording import number
from spanwise.domain.document import Line
from spanwise.domain.passage import Hit
from spanwise.domain.question import Metric, Question
from spanwise.errors import ComputationError
from spanwise.store.port import Store
from spanwise.synthesis.extractive.calibration import Weigh, calibrated
from spanwise.synthesis.extractive.tables.asked import TableQuestion, asked
from spanwise.synthesis.extractive.tables.choose import Chooser, Index, Place
from spanwise.synthesis.extractive.tables.finding import grids_near
from spanwise.synthesis.extractive.tables.grid import Grid, without_note
from spanwise.synthesis.extractive.tables.measures import Counted, Measures
from spanwise.synthesis.extractive.tables.naming import Reckoned
from spanwise.synthesis.extractive.tables.reckon import reckon
from spanwise.synthesis.extractive.tables.told import Telling, covered, stems_asked
from spanwise.text.quantities import is_currency, quantities

PRINTED = 0.95
"""Least score of the cells of a printed page: its rows are not told apart as surely as those of a written table."""
_TOP = 2.0
"""Score that the measure of cells is told in; those that are named in full have about 1.7."""
_CENTS, _RATIO, _EXACT = 2, 4, 6
"""Decimals of a result as it is read, of a pure ratio, and of its value."""
_NEAREST = 3
_DEFINES = re.compile(r"\b(?:is|are)\s+(?:here\s+)?defined\s+as\b|[.?]\s+define\b", re.IGNORECASE)
"""A question that says itself how its figure is to be computed, which no word of an operation tells."""
_PRICE = re.compile(r"^how much (?:do|does|did|is|are|was|were)\b.*\b(?:costs?|charged?|paid|pay)\b|\bpriced?\b")
TOLD = 0.6
"""Least share of a question's weight that a sentence with the figure has."""
AHEAD = 0.1
"""How much more of it than the best cell."""


@dataclass(frozen=True, slots=True)
class _Found:
    """What one table answers."""

    reckoned: Reckoned
    measures: Measures
    piped: bool


def answer(question: Question, hits: Sequence[Hit], store: Store, weigh: Weigh = calibrated) -> Draft | None:
    """The draft of an answer from the tables near the hits, or None where no table answers.

    What is computed has a record of its operands, and cites the row of each of them, the heads of its columns, and the
    line that says what the table counts in.
    """
    if question.model is not None:
        return None
    wanted = asked(question.text)
    if wanted.wanted == "text" or _DEFINES.search(question.text):
        return None
    best: _Found | None = None
    near = grids_near(hits, store)
    for grid, lines in near:
        found = _in_grid(wanted, question.metrics, grid, lines)
        if found is not None and (best is None or found.reckoned.score > best.reckoned.score):
            best = found
    if wanted.wanted == "value" and near and "|" in near[0][1][0].text + near[0][1][-1].text + _first(near[0]):
        told = _told_beside(wanted, question, near[0], best, weigh)
        if told is not None:
            return told
    draft = _drafted(best, weigh) if best is not None else None
    if draft is None or not _fits(question, draft.answer) or (wanted.wanted == "value" and _no_price(wanted, best)):
        return None
    return draft


def _no_price(wanted: TableQuestion, found: _Found | None) -> bool:
    """Whether a price is asked for and the cell is a weight, a length or a time."""
    if found is None or found.reckoned.kind == "computed" or not _PRICE.search(wanted.text):
        return False
    kinds = {one.kind for place in found.reckoned.places for one in quantities(place.cell.text)}
    return bool(kinds) and kinds <= {"count", "duration"}


def _first(near: tuple[Grid, tuple[Line, ...]]) -> str:
    grid, lines = near
    return next((line.text for line in lines if line.number == grid.first), "")


def _told_beside(
    wanted: TableQuestion,
    question: Question,
    near: tuple[Grid, tuple[Line, ...]],
    best: _Found | None,
    weigh: Weigh,
) -> Draft | None:
    """The figures of a sentence beside the table where it speaks more of the question than the best cell does."""
    grid, lines = near
    index = Index(grid)
    telling = Telling(lines, [*index.labels, *index.heads, index.caption])
    told = telling.find(question.text, wanted.years)
    if told is None or told.coverage < TOLD:
        return None
    if best is not None:
        place = best.reckoned.places[0]
        index = Index(place.grid)
        asked_for = stems_asked(question.text)
        of_cell = covered(asked_for & (index.words_at(place) | index.caption), telling.weights(asked_for))
        if told.coverage < of_cell + AHEAD:
            return None
    span = Span(line_start=told.line, line_end=told.line)
    confidence = weigh("told", told.coverage)
    flags = _flags_of(confidence, "verbatim", ())
    items = [TextItem(text=text, spans=[span]) for text in told.texts]
    source = Source(grid.document, told.line, told.line)
    return Draft(TextAnswer(items=items, **flags.model_dump()), ((grid.document,),) * len(items), confidence, (source,))


def _fits(question: Question, drafted: AnswerBase) -> bool:
    """Whether an answer is of the type that was demanded, or text that a value of that type is read from."""
    demanded = question.demanded
    kinds: dict[str, tuple[type[AnswerBase], ...]] = {
        "amount": (AmountAnswer, TextAnswer),
        "quantity": (QuantityAnswer, TextAnswer),
        "text": (AnswerBase,),
    }
    return demanded is None or isinstance(drafted, kinds.get(demanded, ()))


def _in_grid(wanted: TableQuestion, metrics: Sequence[Metric], grid: Grid, lines: Sequence[Line]) -> _Found | None:
    made = reckon(wanted, Chooser(Index(grid), metrics))
    if made is None:
        return None
    piped = any(line.number == grid.first and "|" in line.text for line in lines)
    if not piped and (made.kind != "computed" or made.operation == "count" or made.score < PRINTED):
        return None
    return _Found(made, Measures(grid, lines), piped)


def _drafted(found: _Found, weigh: Weigh) -> Draft | None:
    if found.reckoned.kind == "computed":
        return _computed(found, weigh)
    if found.reckoned.kind == "headings":
        return _headings(found, weigh)
    return _cells(found, weigh)


def _computed(found: _Found, weigh: Weigh) -> Draft | None:
    made = found.reckoned
    counted = [found.measures.of(place) for place in made.places]
    try:
        computation = compute(made.operation or "total", _operands(made, counted))
    except ComputationError:
        return None
    spans = _spans(made.places, counted)
    if not spans:
        return None
    flags = _flags_of(weigh("computed_cells", _measure(made)), "computed", ())
    if is_currency(computation.unit):
        amount = Amount(value=float(round(computation.value, _CENTS)), currency=computation.unit)
        answered: AnswerBase = AmountAnswer(items=[AmountItem(amount=amount, spans=spans)], **flags.model_dump())
    else:
        quantity = _quantity(computation)
        answered = QuantityAnswer(items=[QuantityItem(quantity=quantity, spans=spans)], **flags.model_dump())
    return _draft(answered, made, [spans], (computation,))


def _operands(made: Reckoned, counted: Sequence[Counted]) -> list[Operand]:
    """The cells as operands; what is only counted needs no unit."""
    return [
        Operand(
            value=f"{place.cell.value:f}",
            unit="" if made.operation == "count" else one.unit,
            magnitude="" if made.operation == "count" else one.magnitude,
            document=place.grid.document,
            line_start=place.line.first,
            line_end=place.line.last,
            label=", ".join(part for part in (*place.line.groups, without_note(place.line.label), place.head) if part),
        )
        for place, one in zip(made.places, counted, strict=True)
    ]


def _quantity(computation: Computation) -> Quantity:
    """The result to be read: two decimals, four of a pure ratio."""
    ratio = computation.operation == "ratio"
    result = round(Decimal(computation.result), _RATIO if ratio else _CENTS)
    unit = " ".join(part for part in (computation.magnitude, computation.unit) if part)
    written = number(float(result))
    value = float(round(computation.value, _EXACT))
    return Quantity(value=value, unit=computation.unit, original=f"{written} {unit}".strip())


def _cells(found: _Found, weigh: Weigh) -> Draft:
    made = found.reckoned
    counted = [found.measures.of(place) for place in made.places]
    spans = [_spans([place], [one]) for place, one in zip(made.places, counted, strict=True)]
    items = [TextItem(text=place.cell.text, spans=held) for place, held in zip(made.places, spans, strict=True)]
    told = tuple(dict.fromkeys(_told(place, one) for place, one in zip(made.places, counted, strict=True)))
    flags = _flags_of(weigh("cells", _measure(made)), "verbatim", [caveat for caveat in told if caveat])
    return _draft(TextAnswer(items=items, **flags.model_dump()), made, spans)


def _told(place: Place, counted: Counted) -> str:
    """What the figure is counted in where the cell itself does not say it."""
    if counted.magnitude:
        of = f" of {counted.unit}" if is_currency(counted.unit) else ""
        return f"The table counts in {counted.magnitude}s{of}."
    return "The table counts in percent." if counted.unit == "%" and "%" not in place.cell.text else ""


def _headings(found: _Found, weigh: Weigh) -> Draft:
    made = found.reckoned
    names = made.headings
    if len(names) == len(made.places):
        spans = [_spans([place], []) for place in made.places]
    else:
        spans = [_spans(made.places, [])] * len(names)
    items = [TextItem(text=name, spans=held) for name, held in zip(names, spans, strict=True)]
    method: Literal["inferred", "verbatim"] = "inferred" if len(made.places) > len(names) else "verbatim"
    flags = _flags_of(weigh("headings", _measure(made)), method, [])
    return _draft(TextAnswer(items=items, **flags.model_dump()), made, spans)


def _draft(
    answered: AnswerBase, made: Reckoned, spans: Sequence[list[Span]], computations: tuple[Computation, ...] = ()
) -> Draft:
    document = made.places[0].grid.document
    return Draft(
        answered,
        tuple((document,) * len(held) for held in spans),
        answered.confidence,
        tuple(Source(document, place.line.first, place.line.last) for place in made.places[:_NEAREST]),
        computations=computations,
    )


def _spans(places: Sequence[Place], counted: Sequence[Counted]) -> list[Span]:
    """The rows of the cells, the heads of their columns, and the lines that state what is counted in; each once."""
    lines: dict[tuple[int, int], None] = {}
    for place in places:
        lines[(place.line.first, place.line.last)] = None
    for place in places[:1]:
        for first, last in place.grid.head_lines:
            lines[(first, last)] = None
    for one in counted:
        for line in one.lines:
            lines.setdefault((line, line))
    return [Span(line_start=first, line_end=last) for first, last in lines]


def _measure(made: Reckoned) -> float:
    """How well the cells are named, in [0, 1]."""
    return max(0.0, min(1.0, made.score / _TOP))


def _flags_of(
    confidence: float, method: Literal["verbatim", "computed", "inferred"], caveats: Sequence[str]
) -> AnswerBase:
    return AnswerBase(
        extraction_method=method,
        confidence=confidence,
        caveats=list(caveats),
        answer_found=True,
        complete_answer_found=True,
        context_completeness_weak=confidence,
        context_structured=True,
        conflicting_evidence=False,
    )
