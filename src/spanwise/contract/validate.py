"""Validation of an answer against the document it cites: all problems, each with a code, in bounded time.

`validate_answer` runs the checks in `spanwise.contract.validation`, and those between values: parts against their
total, starts against ends, several items that share one wide span.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from pydantic import BaseModel

from spanwise.contract.answers import AnswerBase, AnswerWithEvidence, TextAnswer
from spanwise.contract.items import Item, TextItem
from spanwise.contract.validation.cited import Cited
from spanwise.contract.validation.figure_faults import countable, normal_iso, starts_before
from spanwise.contract.validation.item_faults import Evidence, item_faults
from spanwise.contract.validation.problems import (
    CODES,
    MOST_ITEMS,
    MOST_SPANS,
    MOST_TABLE_LINES,
    MOST_WORK,
    Asked,
    Code,
    Fault,
    Problem,
    base_text_problems,
    flag_problems,
    shape_problems,
)
from spanwise.contract.values import (
    Address,
    Amount,
    DateRange,
    DateValue,
    Iban,
    PersonName,
    Price,
    Quantity,
    Span,
    TableValue,
)
from spanwise.domain.document import Document
from spanwise.errors import expect
from spanwise.text.quantities import quantities
from spanwise.text.tables.table_reading import split_row

_WIDE = 3
"""Least number of lines of a span that is too wide to be the evidence of several items at once."""
_TOTAL = re.compile(r"\b(?:totals?|sum|altogether|combined|aggregate)\b", re.IGNORECASE)
_TOTAL_FIELDS = frozenset(["total", "sum", "total_amount", "grand_total", "total_value"])
_STARTS = ("start", "begin", "from")
_ENDS = ("end", "until", "to")
_PLAIN = (str, Address, Amount, DateRange, DateValue, Iban, PersonName, Price, Quantity, TableValue)
"""Value classes that have no fields to be checked against each other."""
_MOST_PARTS = 200
_LONGEST_CAVEAT = 2000
_DEEPEST = 6


@dataclass(frozen=True, slots=True)
class _Figure:
    """The number of one item, with its unit and the lines that it cites."""

    item: int
    value: Decimal
    unit: str
    lines: frozenset[tuple[int, int]]
    label: str
    """Words that describe it: its unit, its quotes and the labels of cited total rows."""


def crossing_problems(answer: AnswerBase, items: Sequence[Item], evidence: Evidence) -> Iterator[Problem]:
    """Problems between the items of an answer."""
    yield from _shared_spans(items)
    yield from _totals(answer, items, evidence)
    for caveat in answer.caveats[:_MOST_PARTS]:
        if fault := _equation_fault(caveat):
            yield Problem(fault.code, fault.message)


def inner_faults(value: object, depth: int = 0) -> Iterator[Fault]:
    """Problems between the fields of one registered value: a `total` against its list, starts against ends."""
    if isinstance(value, _PLAIN):
        return
    if isinstance(value, list):
        for part in value[:_MOST_PARTS]:
            yield from inner_faults(part, depth)
    if not isinstance(value, BaseModel) or depth > _DEEPEST:
        return
    fields = {name: getattr(value, name, None) for name in type(value).model_fields}
    yield from _total_of_fields(fields)
    yield from _ends_of_fields(fields)
    for part in fields.values():
        yield from inner_faults(part, depth + 1)


def _shared_spans(items: Sequence[Item]) -> Iterator[Problem]:
    sharing: dict[tuple[tuple[int, int], ...], list[int]] = defaultdict(list)
    for index, item in enumerate(items):
        sharing[tuple((span.line_start, span.line_end) for span in item.spans[:_MOST_PARTS])].append(index)
    for spans, indexes in sharing.items():
        if len(indexes) > 1 and any(last - first + 1 >= _WIDE for first, last in spans):
            first, last = next(span for span in spans if span[1] - span[0] + 1 >= _WIDE)
            message = f"{len(indexes)} items share lines {first} to {last}: cite for each the lines that say it"
            yield Problem("shared_span", message, indexes[0])


def _totals(answer: AnswerBase, items: Sequence[Item], evidence: Evidence) -> Iterator[Problem]:
    """Problems of totals that are not the sum of their parts."""
    computed = answer.extraction_method == "computed"
    if not computed and not any(_names_total(item, evidence) for item in items):
        return
    figures = [figure for index, item in enumerate(items) if (figure := _figure(index, item, evidence))]
    for total in figures:
        parts = _parts(total, figures, evidence, computed=computed)
        if parts and (fault := _sum_fault(total.value, [part.value for part in parts])):
            yield Problem(fault.code, fault.message, total.item)
    if computed and len(items) == 1 and figures and any(_TOTAL.search(caveat) for caveat in answer.caveats):
        operands = _operands(items[0], figures[0].unit, evidence)
        if operands and (fault := _sum_fault(figures[0].value, operands)):
            yield Problem(fault.code, fault.message, 0)


def _names_total(item: Item, evidence: Evidence) -> bool:
    """True if a cited line, a quote or the unit contains a word for a total."""
    if not isinstance(item.value, Amount | Price | Quantity):
        return False
    lines = evidence.document.lines
    for span in item.spans[:_MOST_PARTS]:
        if _TOTAL.search(span.quote or ""):
            return True
        if _exists(span, evidence) and _TOTAL.search(lines[span.line_start - 1].text):
            return True
    return _TOTAL.search(item.value.unit or "") is not None


def _figure(index: int, item: Item, evidence: Evidence) -> _Figure | None:
    value = item.value
    if not isinstance(value, Amount | Price | Quantity) or not countable(value.value):
        return None
    spans = [span for span in item.spans[:_MOST_PARTS] if _exists(span, evidence)]
    said = [span.quote or "" for span in spans]
    rows = (evidence.document.lines[span.line_start - 1].text for span in spans)
    said += [split_row(row)[0] for row in rows if _TOTAL.search(row)]
    unit = value.unit or ""
    return _Figure(
        index,
        Decimal(repr(value.value)),
        value.currency if isinstance(value, Amount | Price) else unit,
        frozenset((span.line_start, span.line_end) for span in spans),
        " ".join([unit, *said]),
    )


def _parts(total: _Figure, figures: Sequence[_Figure], evidence: Evidence, *, computed: bool) -> list[_Figure]:
    """The items of which an item is the total; empty if nothing says that it is one."""
    named = bool(_TOTAL.search(total.label))
    if not named and not (computed and len(total.lines) > 1):
        return []
    others = [other for other in figures if other.item != total.item and other.unit == total.unit]
    cites_them = [other for other in others if other.lines and other.lines < total.lines]
    if computed and len(cites_them) > 1 and frozenset().union(*(one.lines for one in cites_them)) == total.lines:
        return cites_them
    if not named or len(others) < 2 or len(others) != len(figures) - 1:
        return []
    if any(_TOTAL.search(other.label) for other in others):
        return []  # sums of sums, whose parts cannot be told apart
    return others if computed or _are_a_block(total, others, evidence) else []


def _are_a_block(total: _Figure, parts: Sequence[_Figure], evidence: Evidence) -> bool:
    """True if the cited lines are consecutive rows that end with the total, so that no part is left out."""
    lines = sorted(line for one in (*parts, total) for line in one.lines)
    one_each = len(lines) == len(parts) + 1 and all(first == last for first, last in lines)
    if not one_each or lines[-1] not in total.lines or lines[-1][0] - lines[0][0] != len(parts):
        return False
    above = lines[0][0] - 1
    return above < 1 or not any(
        quantity.value is not None for quantity in quantities(evidence.document.line(above).text)
    )


def _sum_fault(total: Decimal, parts: Sequence[Decimal]) -> Fault | None:
    """The fault of a total that differs from the sum of its parts by more than rounding; None if they agree."""
    made = sum(parts, Decimal(0))
    room = sum((_last_digit(part) for part in (*parts, total)), Decimal(0)) / 2 if len(parts) > 2 else Decimal(0)
    if abs(made - total) <= max(room, abs(total) * Decimal("1e-9")):
        return None
    written = " + ".join(f"{part.normalize():f}" for part in parts[:8]) + (" + ..." if len(parts) > 8 else "")
    return Fault("total_disagrees", f"{written} makes {made.normalize():f}, not {total.normalize():f}")


def _last_digit(value: Decimal) -> Decimal:
    """The value of one unit in the last digit; 1 for a whole number."""
    exponent = value.normalize().as_tuple().exponent
    return Decimal(1).scaleb(min(exponent, 0)) if isinstance(exponent, int) else Decimal(0)


def _operands(item: Item, unit: str, evidence: Evidence) -> list[Decimal]:
    """The one figure of each span of a computed item; empty if a span has several or there is only one."""
    found: list[Decimal] = []
    for span in item.spans[:_MOST_PARTS]:
        if not _exists(span, evidence):
            return []
        cited = Cited([evidence.reading.stretch(span.line_start, span.line_end)])
        values = {
            quantity.value
            for quantity, _ in cited.quantities
            if quantity.kind in ("money", "number", "count", "percent")
            and quantity.value is not None
            and (quantity.kind != "money" or quantity.unit == unit)
        }
        if len(values) != 1:
            return []
        found += values
    return found if len(found) > 1 else []


def _exists(span: Span, evidence: Evidence) -> bool:
    return 1 <= span.line_start <= span.line_end <= min(len(evidence.document.lines), span.line_start + 50)


def _equation_fault(caveat: str) -> Fault | None:
    """The fault of a wrong addition that a caveat writes out ("100 + 250 = 400"); None if it is right or has none."""
    left, _, right = caveat.partition("=")
    if not 0 < left.count("+") < _MOST_PARTS or "+" in right or "=" in right or len(caveat) > _LONGEST_CAVEAT:
        return None
    numbers = [_only(part) for part in left.split("+")]
    total, parts = _only(right), [number for number in numbers if number is not None]
    return _sum_fault(total, parts) if total is not None and len(parts) == len(numbers) else None


def _only(text: str) -> Decimal | None:
    """The value of the only figure in a text; None if there is none or several."""
    values = [quantity.value for quantity in quantities(text) if quantity.value is not None]
    return values[0] if len(values) == 1 else None


def _total_of_fields(fields: dict[str, object]) -> Iterator[Fault]:
    totals = [number for name in fields if name in _TOTAL_FIELDS and (number := _number(fields[name])) is not None]
    lists = [value for value in fields.values() if isinstance(value, list) and value]
    if len(totals) != 1 or len(lists) != 1:
        return
    parts = [_number(part) for part in lists[0][:_MOST_PARTS]]
    known = [part for part in parts if part is not None]
    if len(known) == len(lists[0]) > 1 and (fault := _sum_fault(totals[0], known)):
        yield fault


def _number(value: object) -> Decimal | None:
    """The number of a field, or of an object that contains exactly one number; else None."""
    if isinstance(value, BaseModel):
        numbers = [found for name in type(value).model_fields if (found := _number(getattr(value, name))) is not None]
        return numbers[0] if len(numbers) == 1 else None
    if isinstance(value, float | int) and not isinstance(value, bool) and countable(value):
        return Decimal(repr(value))
    return None


def _ends_of_fields(fields: dict[str, object]) -> Iterator[Fault]:
    """Faults of fields whose names differ only in "start" and "end" and whose dates are in the wrong order."""
    for start_word, end_word in zip(_STARTS, _ENDS, strict=True):
        for name, value in fields.items():
            if start_word not in name.split("_"):
                continue
            other = "_".join(end_word if part == start_word else part for part in name.split("_"))
            start, end = _day(value), _day(fields.get(other))
            if start and end and name != "iso_start" and not starts_before(start, end):
                yield Fault("range_reversed", f"{other} is {end}, before {name}, which is {start}")


def _day(value: object) -> str | None:
    if isinstance(value, DateValue):
        return normal_iso(value.iso)
    return normal_iso(value) if isinstance(value, str) else None


__all__ = ["CODES", "Asked", "Code", "Problem", "validate_answer"]


def validate_answer(
    answer: AnswerBase | AnswerWithEvidence, document: Document, *, question: Asked | None = None
) -> list[Problem]:
    """Everything that is wrong with an answer; an empty list if its lines prove it.

    Checked are the flags, every span and quote, and every value: an item marked `verbatim` must have its value, or a
    quote, in the lines that it cites. A `computed` or `inferred` value need not be written there, but its lines must
    exist.

    Args:
        answer: The answer of a model or an extractor.
        document: The document to which the line numbers of the spans refer.
        question: The parsed question, if the answer must be of the class that it asks for.

    Returns:
        The problems: those of the answer as a whole, then those of each item in order. At most `MOST_ITEMS` items are
            checked; having more is a problem too.
    """
    expect(answer, (AnswerBase, AnswerWithEvidence), "the answer", "one of the classes of answers")
    expect(document, Document, "the document", "what spanwise.read(path) returns")
    if isinstance(answer, AnswerWithEvidence):
        answer = _as_text(answer)
    items = getattr(answer, "items", None)
    looked_at = _within_bounds(items) if isinstance(items, list) else []
    evidence = Evidence(document)
    return [
        *shape_problems(answer, question),
        *flag_problems(answer),
        *base_text_problems(answer),
        *_too_many(items, looked_at),
        *_of_items(looked_at, answer.extraction_method, evidence),
        *crossing_problems(answer, looked_at, evidence),
    ]


def _as_text(answer: AnswerWithEvidence) -> TextAnswer:
    """The smallest contract as a text answer: verbatim if it has quotes, else inferred, for the reader to judge."""
    quotes: list[str | None] = [*answer.quotes[: MOST_SPANS + 1]] if answer.quotes else [None]
    spans = [Span(line_start=answer.evidence_start, line_end=answer.evidence_end, quote=quote) for quote in quotes]
    items = [TextItem(text=answer.answer, spans=spans)]
    method = "verbatim" if answer.quotes else "inferred"
    return TextAnswer.of_items(items, answer.confidence, extraction_method=method, caveats=answer.caveats)


def _within_bounds(items: Sequence[Item]) -> Sequence[Item]:
    """The first items, as many as can be checked in bounded time."""
    work = 0
    for index, item in enumerate(items[:MOST_ITEMS]):
        work += 1 + sum(_width(span) for span in item.spans[:MOST_SPANS])
        if isinstance(item.value, TableValue):
            work += sum(map(len, item.value.rows))
        if work > MOST_WORK:
            return items[:index]
    return items[:MOST_ITEMS]


def _width(span: Span) -> int:
    return min(max(span.line_end - span.line_start + 1, 1), MOST_TABLE_LINES)


def _too_many(items: object, looked_at: Sequence[Item]) -> Iterator[Problem]:
    if not isinstance(items, list) or len(items) == len(looked_at):
        return
    checked = f"the answer has {len(items):,} items, and the first {len(looked_at):,} are checked"
    if len(items) > MOST_ITEMS:
        yield Problem("too_many_items", f"{checked}: ask for fewer at a time")
    if len(looked_at) < MOST_ITEMS:
        yield Problem("too_large", f"{checked}: together they cite too many lines, or have too many cells")


def _of_items(items: Sequence[Item], method: str, evidence: Evidence) -> Iterator[Problem]:
    for index, item in enumerate(items):
        for fault in (*item_faults(item, method, evidence), *inner_faults(item.value)):
            yield Problem(fault.code, fault.message, index, fault.span)
