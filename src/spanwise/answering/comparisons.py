"""Questions that compare: each side is extracted as a value, and code compares the two."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from spanwise.contract.answers import AmountAnswer, AnswerBase, BooleanAnswer, QuantityAnswer, TextAnswer
from spanwise.contract.compute import MAGNITUDES, Computation, Operand, compare, compute
from spanwise.contract.items import AmountItem, BooleanItem, Item, QuantityItem, TextItem
from spanwise.contract.result import Draft
from spanwise.contract.values import Amount, Quantity, Span
from spanwise.domain.passage import Hit
from spanwise.errors import ComputationError
from spanwise.store.port import Store
from spanwise.synthesis.extractive.typed.extractors import Around
from spanwise.synthesis.extractive.typed.fillers import FILLERS
from spanwise.text.expectations.comparisons import AskedComparison, AskedTrend, holds
from spanwise.text.quantities import quantities
from spanwise.text.readable import readable
from spanwise.text.sentences import sentences
from spanwise.text.terms import terms

Asked = Callable[[str, str], tuple[Draft, tuple[Hit, ...]]]
"""Drafts the value, of the type with that label, that a question asks for, and tells what it was drafted from."""
_KINDS = ("amount", "quantity")


@dataclass(frozen=True, slots=True)
class _Side:
    """One of two things that are compared: its value, and where it stands; a figure of the question stands nowhere."""

    name: str
    value: Amount | Quantity
    spans: tuple[Span, ...] = ()
    documents: tuple[str, ...] = ()
    sentence: str = ""
    relevance: float = 1.0
    hits: tuple[Hit, ...] = ()
    magnitude: str = ""
    """Magnitude in which the lines state the value: a row of a table "in thousands"."""

    @property
    def operand(self) -> Operand:
        """The value as code computes with it."""
        unit = self.value.currency if isinstance(self.value, Amount) else self.value.unit
        first = self.spans[0] if self.spans else None
        return Operand(
            format(Decimal(repr(self.value.value)).scaleb(-MAGNITUDES[self.magnitude]).normalize(), "f"),
            unit,
            self.magnitude,
            self.documents[0] if self.documents else "",
            first.line_start if first else 0,
            first.line_end if first else 0,
            self.name,
        )


def compared(asked: AskedComparison, question: str, ask: Asked, store: Store) -> tuple[Draft, tuple[Hit, ...]] | None:
    """The draft of a comparison and its sources; None where a side has no value, or the sides have no common type."""
    for kind in _KINDS:
        limit = asked.threshold
        given = limit and _of_question(asked.other, "quantity" if limit.kind == "number" else kind)
        if limit is not None and given is None:
            continue
        one = _of_document(asked.one, kind, ask, store)
        if limit and given and limit.kind == "number" and one is not None and isinstance(one.value, Amount):
            # "Is net income above 600 million?" is of the currency of the net income.
            amount = Amount(value=float(limit.value or 0), currency=one.value.currency, unit=None)
            given = replace(given, value=amount)
        other = given or (_of_document(asked.other, kind, ask, store) if one is not None else None)
        if given and one is not None:
            other = given = replace(given, magnitude=one.magnitude)
        if one is None or other is None or (one.spans, one.documents) == (other.spans, other.documents):
            continue
        try:
            draft = _DRAFTS[asked.kind](asked, question, one, other)
        except ComputationError:  # another currency without a rate, another unit
            continue
        return draft, (*one.hits, *other.hits)
    return None


def trending(asked: AskedTrend, question: str, figure: Draft, store: Store) -> Draft | None:
    """The yes or no that the sign of a computed figure gives; None where the figure was not computed."""
    made = figure.computations[0] if len(figure.computations) == len(figure.answer.items) == 1 else None
    if made is None or made.operation not in ("difference", "formula"):
        return None
    item = BooleanItem(boolean=asked.says(made.value), spans=figure.answer.items[0].spans)
    flags = figure.answer.model_dump(exclude={"items"})
    answer = BooleanAnswer.model_validate({**flags, "items": [item], "extraction_method": "computed"})
    first = item.spans[0]
    row = "\n".join(one.text for one in store.lines(figure.sources[0][0], first.line_start, first.line_end))
    return Draft(
        answer,
        figure.sources,
        figure.relevance,
        asked=question,
        sentences=(readable(row),),
        computations=(made,),
        path=figure.path,
    )


def _of_question(text: str, kind: str) -> _Side | None:
    found = FILLERS[kind](text, Around())
    value = found[0].value if len(found) == 1 else None
    return _Side(text, value) if isinstance(value, Amount | Quantity) else None


def _of_document(name: str, kind: str, ask: Asked, store: Store) -> _Side | None:
    """The value that the documents give for a thing, where the cited lines speak of it."""
    draft, hits = ask(f"What is {name}?", kind)
    if len(draft.answer.items) != 1 or draft.answer.conflicting_evidence:
        return None
    item, documents = draft.answer.items[0], draft.sources[0]
    if not isinstance(item.value, Amount | Quantity):
        return None
    spans = tuple(Span(line_start=one.line_start, line_end=one.line_end) for one in item.spans)
    first = store.lines(documents[0], spans[0].line_start, spans[0].line_end)
    text = readable("\n".join(line.text for line in first))
    if frozenset(terms(name)).isdisjoint(terms(text)):
        return None
    said = draft.written[0] if draft.written else ""
    sentence = next((one for start, end in sentences(text) if said and said in (one := text[start:end])), text)
    stated = {quantity.value for line in first for quantity in quantities(line.text)}
    full = Decimal(repr(item.value.value))
    counts = next((one for one, power in MAGNITUDES.items() if full.scaleb(-power) in stated), "")
    return _Side(name, item.value, spans, documents, sentence, draft.relevance, hits, counts)


def _test(asked: AskedComparison, question: str, one: _Side, other: _Side) -> Draft:
    """Yes or no."""
    made = compute("difference", (one.operand, other.operand))
    yes = holds(made.value, asked.sign)
    if isinstance(one.value, Amount) and isinstance(other.value, Amount):
        yes = compare(_plain(one.value), asked.sign, _plain(other.value)).result
    item = BooleanItem(boolean=yes, spans=[*one.spans, *other.spans])
    return _draft(BooleanAnswer, question, [item], (one, other), made, one.sentence)


def _difference(asked: AskedComparison, question: str, one: _Side, other: _Side) -> Draft:
    """The larger less the smaller."""
    del asked
    larger, smaller = sorted((one, other), key=lambda side: -Decimal(side.operand.value))
    made = compute("difference", (larger.operand, smaller.operand))
    spans = [*larger.spans, *smaller.spans]
    if isinstance(one.value, Amount):
        amount = Amount(value=float(made.value), currency=made.unit, unit=None)
        return _draft(AmountAnswer, question, [AmountItem(amount=amount, spans=spans)], (larger, smaller), made)
    said = " ".join(part for part in (made.result, made.unit) if part)
    quantity = Quantity(value=float(made.value), unit=made.unit, original=said)
    return _draft(QuantityAnswer, question, [QuantityItem(quantity=quantity, spans=spans)], (larger, smaller), made)


def _choice(asked: AskedComparison, question: str, one: _Side, other: _Side) -> Draft:
    """The sentence of the one that is higher, or lower; both where they are equal."""
    made = compute("difference", (one.operand, other.operand))
    if not made.value:
        sides: tuple[_Side, ...] = (one, other)
    else:
        sides = (one,) if holds(made.value, asked.sign) else (other,)
    items = [TextItem(text=side.sentence, spans=list(side.spans)) for side in sides]
    draft = _draft(TextAnswer, question, items, sides, None)
    loser = other if sides[0] is one else one
    told = f"Compared with {loser.name}: {made.steps[-1]}."
    return Draft(
        draft.answer.model_copy(update={"caveats": [told]}),
        draft.sources,
        min(one.relevance, other.relevance),
        asked=question,
    )


_DRAFTS = {"test": _test, "difference": _difference, "choice": _choice}


def _plain(amount: Amount) -> Amount:
    return amount.model_copy(update={"unit": None})


def _draft(
    answer_class: type[AnswerBase],
    question: str,
    items: Sequence[Item],
    sides: tuple[_Side, ...],
    made: Computation | None,
    sentence: str = "",
) -> Draft:
    relevance = round(min(side.relevance for side in sides), 4)
    method = "computed" if made is not None else "verbatim"
    answer = answer_class.of_items(items, relevance, extraction_method=method)
    documents = tuple(name for side in sides for name in side.documents)
    sources = (documents,) if len(items) == 1 else tuple(side.documents for side in sides)
    return Draft(
        answer,
        sources,
        relevance,
        asked=question,
        sentences=(sentence,) if sentence else (),
        computations=(made,) if made is not None else (),
    )
