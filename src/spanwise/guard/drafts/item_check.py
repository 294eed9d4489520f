"""Check of one item of a draft against its own lines: its words, its value, its yes or no, or its computation."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from spanwise.contract.compute import MAGNITUDES, Computation, Operand
from spanwise.contract.items import BooleanItem, Item, TextItem
from spanwise.contract.validation.cited import MOST_SHOWN, NEAR_BEFORE, NEAR_BEHIND, Cited, Stretch, around
from spanwise.contract.validation.problems import Fault
from spanwise.contract.validation.value_faults import format_faults, line_faults
from spanwise.contract.values import Amount, Price, Quantity
from spanwise.domain.question import SentenceModel
from spanwise.errors import ComputationError
from spanwise.store.port import Lines
from spanwise.text.expectations.asked_comparisons import asked_comparison, asked_trend, holds
from spanwise.text.expectations.polarity import polarity, scope_words
from spanwise.text.fold import folded, stands_in
from spanwise.text.framing.frames import only_framed
from spanwise.text.passage_reading import read_passage
from spanwise.text.quantities import quantities, scale_of
from spanwise.text.readable import readable
from spanwise.text.sentences import on_one_line, sentences
from spanwise.text.tables.grid import scales_in
from spanwise.text.terms import terms

_ISO_DAY = re.compile(r"\d{4}-\d\d-\d\d")
CLAUSE = "the cited sentence speaks like the clauses that are asked for"
LIKELY = 0.15
"""Least probability of a clause from which its being there is a yes. On contracts that the models never saw it gives
the best balance between clauses that are missed and clauses that are not there."""


@dataclass(frozen=True)
class ItemCheck:
    """One item with everything that it is checked against."""

    item: Item
    documents: tuple[str, ...]
    """The document of each span."""
    store: Lines
    asked: str = ""
    sentence: str = ""
    """The evidence of a yes or no."""
    computation: Computation | None = None
    written: str = ""
    """How the source writes its value; shown where the cited lines hold these words."""
    model: SentenceModel | None = None
    """How clauses speak whose being there is a yes."""

    @cached_property
    def cited(self) -> Cited:
        """The lines that it cites, which must exist."""
        stretches = [
            Stretch(self.store.lines(document, span.line_start, span.line_end))
            for span, document in zip(self.item.spans, self.documents, strict=True)
        ]
        return Cited(stretches, self._around)

    def _around(self) -> str:
        number = self.item.spans[0].line_start
        lines = self.store.lines(self.documents[0], max(1, number - NEAR_BEFORE), number + NEAR_BEHIND)
        return around(lines, number)


def fault_of(held: ItemCheck) -> Fault | None:
    """Why an item does not hold; None when it does."""
    return next((fault for check in _CHECKS if (fault := check(held))), None)


def reason_of(held: ItemCheck) -> str:
    """Why an item holds, in words."""
    if isinstance(held.item, BooleanItem):
        return CLAUSE if held.model else "the cited sentence states or denies exactly what is asked"
    if held.computation is not None:
        return "computed from figures of the cited lines, and computed again with the same result"
    if isinstance(held.item, TextItem):
        return "the cited lines hold these words"
    return "the cited lines state this value"


def says_value(held: ItemCheck) -> bool:
    """True if what is to be shown is the item's value, in words or rounded, and no period but one that is cited.

    A value that is told without its sign ("paid $10 million" of a row that prints (10)) is the same.
    """
    value = held.item.value
    if not isinstance(value, Amount | Price | Quantity):
        return False
    text, _, period = (
        held.written.removesuffix(")").rpartition(" (") if held.written.endswith(")") else (held.written, "", "")
    )
    found = quantities(text)
    if len(found) != 1 or found[0].value is None or (period and not held.cited.holds(period)):
        return False
    if isinstance(value, Amount | Price) and found[0].unit != value.currency:
        return False
    said, wanted = abs(found[0].value), abs(Decimal(repr(value.value)))
    digits = re.search(r"\d[\d,]*(?:\.(\d+))?", text)
    decimals = len(digits[1] or "") if digits else 0
    figure = Decimal(digits.group().replace(",", "")) if digits else said
    factor = said / figure if figure else Decimal(1)
    return abs(said - wanted) <= factor * Decimal(1).scaleb(-decimals) / 2 + wanted * Decimal("1e-9")


def _evidence_exists(held: ItemCheck) -> Fault | None:
    item = held.item
    words = item.text if isinstance(item, TextItem) else held.sentence if isinstance(item, BooleanItem) else None
    if not item.spans or (words is not None and not words.strip()):
        return Fault("no_spans", "the item has no text or no evidence")
    if len(held.documents) != len(item.spans):
        return Fault("no_spans", "the item does not say which document each span is of")
    for span, document in zip(item.spans, held.documents, strict=True):
        lines = held.store.lines(document, span.line_start, span.line_end)
        if not lines or len(lines) != span.line_end - span.line_start + 1:
            return Fault("line_missing", f"{document} has no lines {span.line_start} to {span.line_end}")
    if not any(line.text.strip() for stretch in held.cited.stretches for line in stretch.lines):
        return Fault("no_spans", "the cited lines are instructions, which prove nothing")
    return None


def _words_stand_there(held: ItemCheck) -> Fault | None:
    """The words of a text, and of the sentence behind a yes or no; not of a figure that code computed."""
    item = held.item
    if held.computation is not None and isinstance(item, TextItem):
        return None
    words = item.text if isinstance(item, TextItem) else held.sentence if isinstance(item, BooleanItem) else None
    if words is None:
        return None
    if isinstance(item, TextItem) and _same_day(words, held):
        return None
    if not held.cited.holds(words):
        return Fault("value_not_in_lines", "the cited lines do not hold these words")
    if isinstance(item, TextItem) and _only_framed(words, held):
        return Fault("value_not_in_lines", "the cited lines hold these words, but do not state them")
    return None


def _same_day(words: str, held: ItemCheck) -> bool:
    """True if a text is nothing but a day that the cited lines state in another form: 2024-03-15 for 15 March 2024."""
    if not _ISO_DAY.fullmatch(words.strip()):
        return False
    return any(one.iso == words.strip() for one, _ in held.cited.quantities)


def _only_framed(words: str, held: ItemCheck) -> bool:
    """True if no sentence of the cited lines states some words, and one denies, asks, supposes or withdraws them."""
    said = folded(words)
    texts = [on_one_line(one.text[slice(*span)]) for one in held.cited.stretches for span in sentences(one.text)]
    holding = [text for text in texts if stands_in(said, folded(text))]
    if not holding and len(held.cited.text) <= MOST_SHOWN:
        holding = [shown for text in texts if stands_in(said, folded(shown := readable(text)))]
    return bool(holding) and all(only_framed(said, text, held.asked) for text in holding)


def _polarity_follows(held: ItemCheck) -> Fault | None:
    """A yes or no from its sentence, and what is asked about from the lines around it that are cited."""
    item = held.item
    if not isinstance(item, BooleanItem):
        return None
    if held.computation is not None:
        return _comparison_fault(item, held.asked, held.computation)
    if held.model is not None:
        return clause_fault(item, held.sentence, held.documents, held.model, held.store)
    if polarity(held.asked, held.sentence) is not item.boolean:
        says = "yes" if item.boolean else "no"
        return Fault("value_not_in_lines", f"the sentence does not say {says} explicitly")
    cited = {term for stretch in held.cited.stretches for line in stretch.lines for term in terms(line.text)}
    if not cited.issuperset(scope_words(held.asked)):
        return Fault("value_not_in_lines", "the cited lines do not speak of what the question asks about")
    return None


def _comparison_fault(item: BooleanItem, question: str, made: Computation) -> Fault | None:
    """Why a yes or no does not follow from the difference of two figures, of which one may be the question's own."""
    asked = asked_comparison(question)
    trend = asked_trend(question) if asked is None else None
    if trend is not None:
        follows = made.operation in ("difference", "formula") and trend.says(made.value) is item.boolean
        return None if follows else Fault("value_not_in_lines", "the figure that was computed says the opposite")
    given = asked.threshold if asked is not None and asked.kind == "test" else None
    if asked is None or asked.kind != "test" or made.operation != "difference":
        return Fault("value_not_in_lines", "the question asks for no comparison of two figures")
    if (given is not None) is not any(not operand.document for operand in made.operands[1:]):
        return Fault("value_not_in_lines", "the figure that is compared with is not the question's")
    if given is not None and made.operands[1].number.scaleb(MAGNITUDES[made.magnitude]) != given.value:
        return Fault("value_not_in_lines", f"the question does not compare with {made.operands[1]}")
    if holds(made.value, asked.sign) is not item.boolean:
        return Fault("value_not_in_lines", "the two figures say the opposite")
    return None


def _value_stands_there(held: ItemCheck) -> Fault | None:
    """Any other value, unless code computed it."""
    if isinstance(held.item, TextItem | BooleanItem):
        return None
    faults = format_faults(held.item)
    if not faults and held.computation is None:
        faults = line_faults(held.item, held.cited)
    return faults[0] if faults else None


def _computed_again(held: ItemCheck) -> Fault | None:
    """A computed value from its record: the same result once more, and operands that the cited lines state."""
    made = held.computation
    if made is None:
        return None
    try:
        same = made.replay() == made
        agrees = same and _says_result(held.item, made)
    except ComputationError as error:
        return Fault("total_disagrees", f"the value cannot be computed again: {error}")
    if not agrees:
        return Fault("total_disagrees", "computing the value again gives another one")
    tested = isinstance(held.item, BooleanItem)
    for operand in made.operands[:1] if tested and not made.operands[-1].document else made.operands:
        if fault := _operand_fault(operand, held):
            return fault
    return None


def _says_result(item: Item, made: Computation) -> bool:
    """True if an item says what was computed, in full or in the magnitude of its operands, rounded or not."""
    value = item.value
    if isinstance(value, Amount | Price):
        return value.currency == made.unit and _rounds_to(made.value, value.value)
    if isinstance(value, Quantity):
        results = (made.value, Decimal(made.result))
        return any(_rounds_to(result, value.value) for result in results)
    return _is_result(value, made) if isinstance(value, str) else True


def _is_result(text: str, made: Computation) -> bool:
    """True if a text is a computed figure with its unit and nothing else."""
    found = quantities(text)
    if len(found) != 1 or found[0].value is None:
        return False
    rest = f"{text[: found[0].start]} {text[found[0].end :]}".split()
    if not set(rest) <= {made.unit, made.magnitude}:
        return False
    results = {made.value, Decimal(made.result)}
    return any(_rounds_to(result, float(found[0].value)) for result in results)


def _rounds_to(result: Decimal, said: float) -> bool:
    """True if a number is a result, or the result rounded to the number's own decimals, two or more."""
    written = Decimal(repr(said))
    exponent = written.as_tuple().exponent
    decimals = -exponent if isinstance(exponent, int) else 0
    room = Decimal(1).scaleb(-decimals) / 2 if decimals >= 2 else Decimal(0)
    return abs(result - written) <= max(room, abs(result) * Decimal("1e-9"))


def _operand_fault(operand: Operand, held: ItemCheck) -> Fault | None:
    """The fault of an item that does not cite an operand, or whose lines do not state its figure and magnitude."""
    stretch = _stretch_of(operand, held)
    if stretch is None:
        return Fault("line_missing", f"the item does not cite the operand {operand}")
    power = MAGNITUDES[operand.magnitude]
    for quantity in stretch.quantities:
        values = [value for value in (quantity.value, quantity.low, quantity.high) if value is not None]
        if quantity.iso and quantity.original.isdigit():
            values.append(Decimal(quantity.original))
        if quantity.scaled or not power:
            if operand.number.scaleb(power) in values:
                return None
        elif operand.number in values:
            return None if _scale_is_stated(power, held) else _no_scale(operand)
    if not operand.number and any(_NIL.search(line.text) for line in stretch.lines):
        return None
    return Fault("amount_not_in_lines", f"the cited lines do not state the operand {operand}")


_NIL = re.compile(r"(?:^|[\s|$\u20ac\u00a3\u00a5])[-\u2013\u2014](?=[\s|]|$)")
"""A dash where a table has no figure: zero."""


def _stretch_of(operand: Operand, held: ItemCheck) -> Stretch | None:
    for span, document in zip(held.item.spans, held.documents, strict=True):
        if document == operand.document and span.line_start <= operand.line_start <= operand.line_end <= span.line_end:
            return Stretch(held.store.lines(document, operand.line_start, operand.line_end))
    return None


def _scale_is_stated(power: int, held: ItemCheck) -> bool:
    """True if a cited line, or one near them, states a magnitude, or tells a figure of the operand's row in full."""
    factor = 10**power
    if any(scale.factor == factor for scale in held.cited.scales):
        return True
    for stretch in held.cited.stretches:
        if any(scale.factor == factor for line in stretch.lines for scale in scales_in(line.text)):
            return True
    if _told_in_full(factor, held):
        return True
    near = held.cited.surroundings() if held.cited.surroundings else ""
    return any((scale := scale_of(line)) is not None and scale.factor == factor for line in near.split("\n"))


def _told_in_full(factor: int, held: ItemCheck) -> bool:
    """True if a cited line says one of the cited figures with its magnitude: "$24.9 million" for 24.9."""
    every = [quantity for stretch in held.cited.stretches for quantity in stretch.quantities]
    full = {quantity.value for quantity in every if quantity.scaled and quantity.value}
    plain = [quantity.value for quantity in every if quantity.value and not quantity.scaled]
    return any(abs(value) * factor in full for value in plain)


def _no_scale(operand: Operand) -> Fault:
    return Fault("magnitude_not_in_lines", f"no line near says that figures are in {operand.magnitude}s")


_CHECKS: Sequence[Callable[[ItemCheck], Fault | None]] = (
    _evidence_exists,
    _words_stand_there,
    _polarity_follows,
    _value_stands_there,
    _computed_again,
)
"""In order; the first fault counts."""


def clause_fault(
    item: BooleanItem, sentence: str, documents: Sequence[str], model: SentenceModel, store: Lines
) -> Fault | None:
    """Why the cited lines hold no clause of the kind that is asked for; None when they do."""
    if not item.boolean:
        return Fault("value_not_in_lines", "that a clause is missing follows from no line")
    for span, document in zip(item.spans, documents, strict=True):
        for passage in store.passages(document, span.line_start, span.line_end):
            reading = read_passage(passage)
            for one, features in zip(reading.sentences, reading.features, strict=True):
                inside = span.line_start <= one.line_start and one.line_end <= span.line_end and one.text in sentence
                if inside and likelihood(model.logit(features)) >= LIKELY:
                    return None
    return Fault("value_not_in_lines", "no cited sentence speaks like a clause of this kind")


def likelihood(logit: float) -> float:
    """The logistic function, in (0, 1)."""
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, logit))))
