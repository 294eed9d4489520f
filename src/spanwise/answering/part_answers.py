"""Questions with several parts or subjects, each answered separately and joined, and comparisons of two values.

Each side of a comparison is extracted as a value, and code compares the two.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass, replace
from decimal import Decimal

from spanwise.contract.answers import AmountAnswer, AnswerBase, BooleanAnswer, QuantityAnswer, TextAnswer
from spanwise.contract.compute import MAGNITUDES, Computation, Operand, compare, compute
from spanwise.contract.items import AmountItem, BooleanItem, Item, QuantityItem, TextItem
from spanwise.contract.rendering import shortened, worded
from spanwise.contract.result import Draft
from spanwise.contract.values import Amount, Quantity, Span
from spanwise.domain.passage import Hit
from spanwise.domain.question import Question
from spanwise.errors import ComputationError
from spanwise.retrieval.subject import MOST_GROUPS, Subject
from spanwise.store.port import Store
from spanwise.synthesis.extractive.answer import nothing
from spanwise.synthesis.extractive.typed.extractors import Around
from spanwise.synthesis.extractive.typed.fillers import FILLERS
from spanwise.text.expectations.asked_comparisons import AskedComparison, AskedTrend, holds
from spanwise.text.patterns import lazy_pattern
from spanwise.text.quantities import quantities
from spanwise.text.readable import readable
from spanwise.text.sentences import sentences
from spanwise.text.terms import terms

_UNANSWERED = 0.5
"""Factor that a part without answer contributes to the probability that the joined answer is right."""
_PRONOUN = re.compile(r"\b(?:(its|their)|it|they|them)\b", re.IGNORECASE)
_NAMING = (
    re.compile(r"(?<=[\w,] )((?:[A-Z][\w&.-]*\s?){1,4}\b)(?!')"),
    lazy_pattern(
        r"^\W*(?:what|which)\s+(?:is|are|was|were|does)\s+(?:an?\s+)?"
        r"([^?,]{2,50}?)(?=\s+(?:in|of|for|mean)\b|[?,]|$)",
        re.IGNORECASE,
    ),
    re.compile(r"\b(the\s+\w+(?:\s\w+)?)\W*$", re.IGNORECASE),
)
"""Patterns of what a question is about: a proper name, the thing asked for, or its last words; each is bounded."""
_REFERS_BACK = re.compile(r"\b(?:it|its|he|she|they|them|him|her|his|their|this|that|these|those)\b", re.IGNORECASE)


def answered_by_parts(question: Question) -> bool:
    """True if a question consists of parts that can be asked separately."""
    return question.pattern in ("independent", "sequential") and len(question.parts) > 1


def refers_back(part: str) -> bool:
    """True if a part has a pronoun that may refer to another part, so that it cannot be searched for alone."""
    return bool(_REFERS_BACK.search(part))


def with_antecedent(part: str, before: Sequence[str]) -> str | None:
    """A part with its pronoun replaced by what the nearest earlier part names; None if there is nothing to replace.

    "What does Purge mean? How is it different from Clear?" leads to "How is Purge different from Clear?".
    """
    if _PRONOUN.search(part) is None:
        return None
    named = (match[1].strip() for earlier in reversed(before) for one in _NAMING if (match := one.search(earlier)))
    if (meant := next(named, None)) is None:
        return None
    return _PRONOUN.sub(lambda found: f"{meant}'s" if found[1] else meant, part, count=1)


def joined(parts: Sequence[str], drafts: Sequence[Draft]) -> Draft:
    """A draft that joins the drafts of all parts: their items, and a caveat for each part without an answer.

    Of a part with possible answers only the most likely one is used. All items must be of one class: where the parts
    have values of different kinds, each becomes a text in the source's words. A yes or no becomes its sentence, since
    it says little alone. A computed figure keeps the record of its computation.
    """
    kind = _common([draft for draft in drafts if draft.answer.answer_found])
    drafts = _each_once(drafts, _texts if kind is TextAnswer else lambda draft: draft.answer.items)
    answered = [draft for draft in drafts if draft.answer.answer_found]
    items: list[Item] = []
    written: list[str] = []
    sources: list[tuple[str, ...]] = []
    caveats: list[str] = []
    computations: list[Computation | None] = []
    for part, told in zip(parts, drafts, strict=True):
        draft = _with_items(told, range(min(1, len(told.answer.items)))) if told.possible else told
        if told.possible:
            caveats.append(f"No line answers this part of the question for certain: {part}")
        if draft.answer.answer_found:
            items += _texts(draft) if kind is TextAnswer else draft.answer.items
            written += draft.written if kind is not TextAnswer else ()
            sources += draft.sources
            computations += draft.computations or [None] * len(draft.answer.items)
            caveats += draft.answer.caveats
        else:
            caveats.append(f"No answer was found to this part of the question: {part}")
    # The joined answer is right if every part is.
    relevance = math.prod(draft.relevance if draft.answer.answer_found else _UNANSWERED for draft in drafts)
    asked = dict.fromkeys(one for draft in answered if (one := draft.answer.suggested_clarification))
    answer = kind.of_items(
        items,
        round(relevance, 4),
        extraction_method="computed" if any(computations) else "verbatim",
        caveats=caveats,
        complete_answer_found=all(draft.answer.complete_answer_found for draft in drafts),
        keywords_found=list(dict.fromkeys(word for draft in answered for word in draft.answer.keywords_found)),
        conflicting_evidence=any(draft.answer.conflicting_evidence for draft in answered),
        suggested_clarification="\n".join(asked) or None,
    )
    nearest = tuple(source for draft in drafts for source in draft.nearest[:1])
    lacking = tuple(dict.fromkeys(stem for draft in drafts for stem in draft.lacking))
    return Draft(
        answer,
        tuple(sources),
        relevance,
        nearest,
        lacking,
        asked=" ".join(parts),
        path="parts",
        written=tuple(written),
        computations=tuple(computations) if any(computations) else (),
    )


def _each_once(drafts: Sequence[Draft], shown: Callable[[Draft], Sequence[Item]]) -> list[Draft]:
    """The drafts without items that are shown as those of an earlier draft; one line may answer two parts."""
    seen: set[tuple[object, ...]] = set()
    kept = []
    for draft in drafts:
        keys = [
            # Not by the quotes: they are told of some spans only.
            (item.model_dump_json(exclude={"spans"}), *((one.line_start, one.line_end) for one in item.spans), names)
            for item, names in zip(shown(draft), draft.sources, strict=True)
        ]
        kept.append(_with_items(draft, [at for at, key in enumerate(keys) if key not in seen]))
        seen.update(keys)
    return kept


def _with_items(draft: Draft, places: Sequence[int]) -> Draft:
    """The draft with the items at these indexes only."""
    items = draft.answer.items
    if len(places) == len(items):
        return draft
    return replace(
        draft.saying(items=[items[at] for at in places]),
        sources=tuple(draft.sources[at] for at in places),
        sentences=tuple(draft.sentences[at] for at in places) if draft.sentences else (),
        written=tuple(draft.written[at] for at in places) if draft.written else (),
        computations=tuple(draft.computations[at] for at in places) if draft.computations else (),
    )


def _common(drafts: Sequence[Draft]) -> type[AnswerBase]:
    """The class of all parts' answers; text if they differ, are boolean, or have no wording from the source."""
    kinds = {type(draft.answer) for draft in drafts}
    plain = all(len(draft.written) == len(draft.answer.items) and not any(draft.computations) for draft in drafts)
    kind = next(iter(kinds))
    return kind if len(kinds) == 1 and plain and kind is not BooleanAnswer else TextAnswer


def _texts(draft: Draft) -> list[TextItem]:
    if isinstance(draft.answer, BooleanAnswer):
        rests = zip(draft.answer.items, draft.sentences, strict=True)
        return [TextItem(text=sentence, spans=item.spans) for item, sentence in rests]
    said = draft.written or ("",) * len(draft.answer.items)
    return [
        item if isinstance(item, TextItem) else TextItem(text=words or worded(item), spans=item.spans)
        for item, words in zip(draft.answer.items, said, strict=True)
    ]


DOUBTFUL = 0.5
"""Upper limit of the confidence in an answer that may not be about the subject."""
_LONGEST = 160
Write = Callable[[Sequence[Hit]], Draft]


def about(question: Question, subject: Subject, hits: Sequence[Hit], store: Store, write: Write) -> Draft:
    """The draft of a question, given the subject that it was found to be about.

    Returns:
        An empty draft with the reason if no document knows the subject; the answers of all document groups if several
        fit, or a clarifying question if too many do; else the draft that `write` makes of the hits, with limited
        confidence if it cites documents that are not about the subject.
    """
    if subject.kind == "absent" or (subject.kind == "mentioned" and not any(subject.allows(hit) for hit in hits)):
        return nothing(question, None, hits, subject.stems).saying(caveats=[subject.message])
    draft = _of_groups(question, subject, hits, write) if subject.kind == "several" else write(hits)
    if subject.missing:
        told = f"None of the documents is about {subject.missing}, and none mentions it."
        draft = draft.saying(caveats=[*draft.answer.caveats, told])
    if all(
        subject.owns(place.document, "\n".join(line.text for line in store.lines(*astuple(place))))
        for place in set(draft.cited)
    ):
        return draft
    unsure = draft.saying(confidence=min(draft.answer.confidence, DOUBTFUL))
    return replace(unsure, relevance=min(draft.relevance, DOUBTFUL))


def _of_groups(question: Question, subject: Subject, hits: Sequence[Hit], write: Write) -> Draft:
    labels = [label for label, _ in subject.groups]
    if len(labels) > MOST_GROUPS:
        shown = ", ".join(labels[:MOST_GROUPS])
        asked = f"The question fits {len(labels)} documents ({shown} and others). Which one do you mean?"
        return nothing(question, asked, hits)
    if all(own == (label,) for label, own in subject.groups) and (both := write(hits)).answer.conflicting_evidence:
        return both  # reports that differ on one thing are shown side by side, with a clarifying question
    drafts = [write([hit for hit in hits if hit.passage.document in own]) for _, own in subject.groups]
    found = [(label, draft) for label, draft in zip(labels, drafts, strict=True) if draft.answer.answer_found]
    if not found:
        return drafts[0]
    said = {_said(draft) for _, draft in found}
    if len(found) == len(labels) and len(said) == 1:
        return found[0][1]
    told = [f"{label}: {_said(draft)}" for label, draft in found]
    told += [f"{label}: no answer was found" for label in labels if label not in dict(found)]
    both = joined([f"{question.text} ({label})" for label, _ in found], [draft for _, draft in found])
    complete = len(found) == len(labels)
    return replace(both.saying(caveats=told, complete_answer_found=complete), asked=question.text)


def _said(draft: Draft) -> str:
    return shortened("; ".join(draft.written or [worded(item) for item in draft.answer.items]), _LONGEST)


Asked = Callable[[str, str], tuple[Draft, tuple[Hit, ...]]]
"""Drafts the value of a given type (a label) that a question asks for; returns the draft and its hits."""
_KINDS = ("amount", "quantity")


@dataclass(frozen=True, slots=True)
class _Side:
    """One side of a comparison: a value with its source, or a figure from the question, which has none."""

    name: str
    value: Amount | Quantity
    spans: tuple[Span, ...] = ()
    documents: tuple[str, ...] = ()
    sentence: str = ""
    relevance: float = 1.0
    hits: tuple[Hit, ...] = ()
    magnitude: str = ""
    """The magnitude in which the lines state the value, such as "thousand" in a table "in thousands"; empty if none."""

    @property
    def operand(self) -> Operand:
        """The value as an operand of a computation."""
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
    """The draft of a comparison and its hits; None if a side has no value, or the sides have no common type."""
    for kind in _KINDS:
        limit = asked.threshold
        given = limit and _of_question(asked.other, "quantity" if limit.kind == "number" else kind)
        if limit is not None and given is None:
            continue
        one = _of_document(asked.one, kind, ask, store)
        if limit and given and limit.kind == "number" and one is not None and isinstance(one.value, Amount):
            # "Is net income above 600 million?" means the currency of the net income.
            amount = Amount(value=float(limit.value or 0), currency=one.value.currency, unit=None)
            given = replace(given, value=amount)
        other = given or (_of_document(asked.other, kind, ask, store) if one is not None else None)
        if given and one is not None:
            other = given = replace(given, magnitude=one.magnitude)
        if one is None or other is None or (one.spans, one.documents) == (other.spans, other.documents):
            continue
        try:
            draft = _DRAFTS[asked.kind](asked, question, one, other)
        except ComputationError:  # another unit, or another currency without a rate
            continue
        return draft, (*one.hits, *other.hits)
    return None


def trending(asked: AskedTrend, question: str, figure: Draft, store: Store) -> Draft | None:
    """The yes or no that follows from the sign of a computed figure; None if the figure was not computed."""
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
    """The side with the value that the documents state for a thing; None if the cited lines do not mention it."""
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
    """The draft of the yes or no to a comparison."""
    made = compute("difference", (one.operand, other.operand))
    yes = holds(made.value, asked.sign)
    if isinstance(one.value, Amount) and isinstance(other.value, Amount):
        plain = [value.model_copy(update={"unit": None}) for value in (one.value, other.value)]
        yes = compare(plain[0], asked.sign, plain[1]).result
    item = BooleanItem(boolean=yes, spans=[*one.spans, *other.spans])
    return _draft(BooleanAnswer, question, [item], (one, other), made, one.sentence)


def _difference(asked: AskedComparison, question: str, one: _Side, other: _Side) -> Draft:
    """The draft of the larger value minus the smaller one."""
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
    """The sentence of the side that is higher or lower, as asked; of both sides if they are equal."""
    made = compute("difference", (one.operand, other.operand))
    if not made.value:
        sides: tuple[_Side, ...] = (one, other)
    else:
        sides = (one,) if holds(made.value, asked.sign) else (other,)
    items = [TextItem(text=side.sentence, spans=list(side.spans)) for side in sides]
    loser = other if sides[0] is one else one
    draft = _draft(TextAnswer, question, items, sides, None)
    draft = draft.saying(caveats=[f"Compared with {loser.name}: {made.steps[-1]}."])
    return replace(draft, relevance=min(one.relevance, other.relevance))


_DRAFTS = {"test": _test, "difference": _difference, "choice": _choice}


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
