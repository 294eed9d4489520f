"""Drafts of what tables answer: typed cells with unit and period, computed figures, headings, small tables."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Literal, TypeAlias

from spanwise.contract.answers import AmountAnswer, AnswerBase, QuantityAnswer, TableAnswer, TextAnswer
from spanwise.contract.compute import MAGNITUDES, Computation, Operand, Operation, compute, compute_formula
from spanwise.contract.items import AmountItem, Item, QuantityItem, TableItem, TextItem
from spanwise.contract.rendering import number
from spanwise.contract.result import Draft, Source
from spanwise.contract.validation.cited import NEAR_BEFORE, NEAR_BEHIND, Cited, Stretch, around
from spanwise.contract.validation.value_faults import format_faults, line_faults
from spanwise.contract.values import Amount, Quantity, Span, TableValue
from spanwise.domain.document import Line
from spanwise.store.port import Store
from spanwise.synthesis.extractive.calibration import Kind, Weigh
from spanwise.synthesis.extractive.tables.matching import Place
from spanwise.text.quantities import is_currency, quantities
from spanwise.text.quantities.currencies import SIGNS
from spanwise.text.tables.cell_units import Counted, Units
from spanwise.text.tables.grid import Grid, is_year, without_note, years_of

_DECIMALS = 2
_EXACT = 6
"""Decimals of a result as it is read, and of the value of one that is no money."""
_NEAREST = 3
_UNIT_HEADS = frozenset(["unit", "units", "einheit", "unit\u00e9", "unidad", "unit\u00e0"])
"""Heads of a column that tells what the figures of a row are counted in."""
_SPENT = re.compile(
    r"\b(?:costs?|expens\w+|tax(?:es)?|paid|payments?|purchases?|repayments?|used in|depreciation|amorti[sz]ation"
    r"|charges?|impairments?|dividends?|additions?|capital expenditures?)\b",
    re.IGNORECASE,
)
_HELD = re.compile(
    r"\b(?:liabilit\w+|assets?|payables?|receivables?|benefits?|credits?|income|profit)\b", re.IGNORECASE
)
"""Words of a row of what is held, owed or earned."""
_OF_SPENT: dict[Operation, str] = {
    "difference": "abs(x1) - abs(x2)",
    "percentage_change": "(abs(x1) - abs(x2)) / abs(x2) * 100",
}
_SIGN_OF = {code: sign for sign, code in reversed(SIGNS.items())}
Method: TypeAlias = Literal["verbatim", "computed", "inferred"]


@dataclass(frozen=True, slots=True)
class Figure:
    """A cell with what it is counted in and the period that it is of."""

    place: Place
    counted: Counted
    period: str = ""
    unsigned: bool = False
    """Whether it is told without its sign."""

    @property
    def operand(self) -> Operand:
        """The figure as one that is computed with."""
        line, head = self.place.line, self.place.head
        parts = (*line.groups, without_note(line.label), head)
        return Operand(
            value=f"{self.place.cell.value:f}",
            unit=self.counted.unit,
            magnitude=self.counted.magnitude,
            document=self.place.grid.document,
            line_start=line.first,
            line_end=line.last,
            label=", ".join(part for part in parts if part),
        )

    @property
    def is_spent(self) -> bool:
        """True if it is a cost or a payment in a row of which all are printed as negatives."""
        cells = [cell for cell in self.place.line.cells if cell is not None and cell.value]
        label = self.place.line.label
        spent = _SPENT.search(label) is not None and _HELD.search(label) is None
        return bool(cells) and all(one.value < 0 for one in cells) and spent

    @property
    def counted_operand(self) -> Operand:
        """The figure as one that is only counted, which needs no unit."""
        return replace(self.operand, unit="", magnitude="")

    @property
    def value(self) -> Decimal:
        """The value in full."""
        return self.place.cell.value.scaleb(MAGNITUDES[self.counted.magnitude])

    @property
    def _unit_beside(self) -> str:
        """What the column of units says of its row: "120 | uV"."""
        heads = self.place.grid.heads
        columns = [at for at, head in enumerate(heads) if head.strip(". ").lower() in _UNIT_HEADS]
        beside = self.place.line.texts[columns[0]] if columns and columns[0] != self.place.column else ""
        return beside if beside and beside not in self.place.cell.text else ""

    @property
    def written(self) -> str:
        """The figure as a reader needs it: "$32,765 million (2018)"."""
        text = without_note(self.place.cell.text)
        unit, cell = self.counted.unit, self.place.cell
        if cell.value < 0 and "(" in text:
            text = f"{abs(cell.value) if self.unsigned else cell.value:,f}"
        if is_currency(unit) and not cell.scaled:
            text = money(abs(cell.value) if self.unsigned else cell.value, unit, self.counted.magnitude)
        elif unit == "%" and "%" not in text:
            text = f"{text} %"
        elif self.counted.magnitude:
            text = f"{text} {self.counted.magnitude}"
        elif not unit and (named := self._unit_beside):
            text = f"{text} {named}"
        return f"{text} ({self.period})" if self.period and self.period not in text else text


def figure_at(place: Place, units: Units, period: str = "", *, unsigned: bool = False) -> Figure:
    """The figure of a cell; its period is the year of its head where none is given."""
    years = sorted(years_of(place.head))
    return Figure(
        place,
        units.of(place.row, place.column),
        period or (years[0] if len(years) == 1 else ""),
        unsigned=unsigned,
    )


def money(value: Decimal, currency: str, magnitude: str) -> str:
    """Money in words: the sign of its currency, the figure, the magnitude."""
    sign, minus = _SIGN_OF.get(currency, f"{currency} "), "-" if value < 0 else ""
    return f"{minus}{sign}{abs(value):,f} {magnitude}".strip()


def cells_draft(
    figures: Sequence[Figure], confidence: float, store: Store, *, caveats: Sequence[str] = (), plain: bool = False
) -> Draft:
    """The figures as typed values; as texts where these are of several kinds, not stated, or not wanted (`plain`)."""
    items = [_typed(one) for one in figures]
    written = tuple(one.written for one in figures)
    document = figures[0].place.grid.document
    if plain or len({type(item) for item in items}) > 1 or not all(states(item, document, store) for item in items):
        items = [TextItem(text=one.place.cell.text, spans=_spans([one])) for one in figures]
    told = tuple(dict.fromkeys(told for one in figures if (told := _counts_in(one))))
    flags = _flags(confidence, "verbatim", [*told, *caveats])
    return _draft(_answer_of(items, flags), [one.place for one in figures], written)


def states(item: Item, document: str, store: Store) -> bool:
    """True if the lines that an item cites state its value, as the guard will ask."""
    if format_faults(item):
        return False
    stretches = [Stretch(store.lines(document, span.line_start, span.line_end)) for span in item.spans]
    number = item.spans[0].line_start
    near = store.lines(document, max(1, number - NEAR_BEFORE), number + NEAR_BEHIND)
    return not line_faults(item, Cited(stretches, lambda: around(near, number)))


def computed_of(operation: Operation, figures: Sequence[Figure], *, sized: bool) -> Computation:
    """An operation over figures.

    Of what is spent and printed as a negative more is further from zero where a question asks how much it grew
    (`sized`), and not what the change of the figure is.

    Raises:
        ComputationError: They have different units, or a division by zero.
    """
    operands = [one.counted_operand if operation == "count" else one.operand for one in figures]
    formula = _OF_SPENT.get(operation)
    if not sized or formula is None or not all(one.is_spent for one in figures):
        return compute(operation, operands)
    unit, magnitude = ("%", "") if operation == "percentage_change" else (operands[0].unit, operands[0].magnitude)
    return compute_formula(formula, operands, unit=unit, magnitude=magnitude)


def computed_draft(
    computation: Computation, figures: Sequence[Figure], confidence: float, *, caveats: Sequence[str] = ()
) -> Draft:
    """A figure that code computed; it cites the rows of its operands, the heads, and the lines that state the scale."""
    spans = _spans(figures)
    unit, result = computation.unit, Decimal(computation.result)
    rounded = round(result, _DECIMALS)
    if is_currency(unit):
        amount = Amount(value=float(round(computation.value, _DECIMALS)), currency=unit)
        item: Item = AmountItem(amount=amount, spans=spans)
        written = money(Decimal(_plain(rounded)), unit, computation.magnitude)
    else:
        named = " ".join(part for part in (computation.magnitude, unit) if part)
        words = f"{named}s" if unit == "day" else named
        written = f"{number(float(rounded or round(result, _EXACT)))} {words}".strip()
        value = float(round(computation.value, _EXACT))
        item = QuantityItem(quantity=Quantity(value=value, unit=unit, original=written), spans=spans)
    flags = _flags(confidence, "computed", caveats)
    return _draft(_answer_of([item], flags), [one.place for one in figures], (written,), (computation,))


def headings_draft(names: Sequence[str], places: Sequence[Place], confidence: float) -> Draft:
    """Labels of rows, or periods, that the cells of a table choose."""
    if len(names) == len(places):
        spans = [_rows_and_heads([place]) for place in places]
    else:
        spans = [_rows_and_heads(places)] * len(names)
    items = [TextItem(text=name, spans=held) for name, held in zip(names, spans, strict=True)]
    method: Method = "inferred" if len(places) > len(names) else "verbatim"
    return _draft(_answer_of(items, _flags(confidence, method, ())), places)


def records_draft(
    grid: Grid,
    rows: Sequence[int],
    columns: Sequence[int],
    confidence: float,
    store: Store,
    near: Sequence[Line] = (),
    *,
    plain: bool = False,
) -> Draft:
    """Cells of some columns in some rows: figures or texts of one column, a small table of several."""
    column = columns[0] - 1
    cells = [grid.rows[row].cells[column] for row in rows] if len(columns) == 1 and column >= 0 else []
    if cells and all(cell is not None and not is_year(cell.text) for cell in cells):
        units = Units(grid, near)
        return cells_draft(
            [figure_at(Place(grid, row, column, 1.0), units) for row in rows], confidence, store, plain=plain
        )
    held = [[grid.texts(row)[column] for column in columns] for row in rows]
    heads = [Span(line_start=first, line_end=last) for first, last in grid.head_lines]
    lines = [Span(line_start=grid.rows[row].first, line_end=grid.rows[row].last) for row in rows]
    items: list[Item]
    if len(columns) == 1:
        texts = dict.fromkeys(cells[0] for cells in held)
        first = {text: lines[[cells[0] for cells in held].index(text)] for text in texts}
        items = [TextItem(text=text, spans=[line, *heads]) for text, line in first.items()]
    else:
        value = TableValue(headers=[grid.names[column] for column in columns], rows=held)
        items = [TableItem(table=value, spans=[*lines, *heads])]
    sources = tuple(Source(grid.document, span.line_start, span.line_end) for span in lines[:_NEAREST])
    answer = _answer_of(items, _flags(confidence, "verbatim", ()))
    return Draft(answer, tuple((grid.document,) * len(item.spans) for item in items), confidence, sources)


def in_part(draft: Draft, shown: int, of: int, *, whole: bool, caveats: Sequence[str] = ()) -> Draft:
    """A draft of rows, called incomplete where rows of its table are left out.

    Args:
        draft: The rows that are shown.
        shown: How many they are.
        of: How many of the rows that were read are as asked for.
        whole: False if the table goes on where it was not read.
        caveats: What else is left out.
    """
    told = [f"The table has more rows: {shown} of {of} are given."] if of > shown else []
    told += [] if whole else ["The table goes on beyond the rows that were read."]
    told += caveats
    return draft.saying(caveats=[*draft.answer.caveats, *told], complete_answer_found=False) if told else draft


def told_draft(texts: Sequence[str], document: str, line: int, confidence: float, store: Store) -> Draft:
    """Figures of a sentence beside a table, as typed values where the sentence states them as such."""
    spans = [Span(line_start=line, line_end=line)]
    items = [_told(text, spans) for text in texts]
    if len({type(item) for item in items}) > 1 or not all(states(item, document, store) for item in items):
        items = [TextItem(text=text, spans=spans) for text in texts]
    answer = _answer_of(items, _flags(confidence, "verbatim", ()))
    sources = (Source(document, line, line),)
    return Draft(answer, ((document,),) * len(items), confidence, sources, written=tuple(texts), path="told")


def _told(text: str, spans: list[Span]) -> Item:
    found = quantities(text)
    if len(found) != 1 or found[0].value is None:
        return TextItem(text=text, spans=spans)
    one, value = found[0], float(found[0].value)
    if one.kind == "money":
        return AmountItem(amount=Amount(value=value, currency=one.unit), spans=spans)
    return QuantityItem(quantity=Quantity(value=value, unit=one.unit, original=text), spans=spans)


def weighed(kind: Kind, measure: float, weigh: Weigh) -> float:
    """The calibrated chance of a kind of answer."""
    return weigh(kind, max(0.0, min(1.0, measure)))


def _typed(figure: Figure) -> Item:
    spans, unit = _spans([figure]), figure.counted.unit
    if is_currency(unit):
        return AmountItem(amount=Amount(value=float(figure.value), currency=unit), spans=spans)
    cell = figure.place.cell
    named = unit or cell.unit
    return QuantityItem(quantity=Quantity(value=float(figure.value), unit=named, original=cell.text), spans=spans)


def _answer_of(items: Sequence[Item], flags: AnswerBase) -> AnswerBase:
    classes: dict[type[Item], type[AnswerBase]] = {
        AmountItem: AmountAnswer,
        QuantityItem: QuantityAnswer,
        TableItem: TableAnswer,
        TextItem: TextAnswer,
    }
    return classes[type(items[0])].model_validate({**flags.model_dump(), "items": list(items)})


def _draft(
    answer: AnswerBase,
    places: Sequence[Place],
    written: tuple[str, ...] = (),
    computations: tuple[Computation, ...] = (),
) -> Draft:
    document = places[0].grid.document
    return Draft(
        answer,
        tuple((document,) * len(item.spans) for item in answer.items),
        answer.confidence,
        tuple(Source(document, place.line.first, place.line.last) for place in places[:_NEAREST]),
        written=written,
        computations=computations,
    )


def _spans(figures: Sequence[Figure]) -> list[Span]:
    stated = [line for one in figures for line in one.counted.lines]
    return _rows_and_heads([one.place for one in figures], stated)


def _rows_and_heads(places: Sequence[Place], stated: Sequence[int] = ()) -> list[Span]:
    """The rows of the cells, the heads of their tables, and the lines that state what is counted in; each once."""
    lines: dict[tuple[int, int], None] = {}
    for place in places:
        lines[(place.line.first, place.line.last)] = None
    for place in places:
        for held in place.grid.head_lines:
            lines[held] = None
    for line in stated:
        lines.setdefault((line, line))
    return [Span(line_start=first, line_end=last) for first, last in lines]


def _counts_in(figure: Figure) -> str:
    """What the figure is counted in where the cell itself does not say it."""
    counted = figure.counted
    if counted.magnitude:
        of = f" of {counted.unit}" if is_currency(counted.unit) else ""
        return f"The table counts in {counted.magnitude}s{of}."
    return "The table counts in percent." if counted.unit == "%" and "%" not in figure.place.cell.text else ""


def _plain(value: Decimal) -> str:
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _flags(confidence: float, method: Method, caveats: Sequence[str]) -> AnswerBase:
    return AnswerBase(
        extraction_method=method,
        confidence=confidence,
        caveats=list(dict.fromkeys(caveats)),
        answer_found=True,
        complete_answer_found=True,
        context_completeness_weak=confidence,
        context_structured=True,
        conflicting_evidence=False,
    )
