"""From the draft of words to a draft of typed values: of the type that is demanded, or that the question asks for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from spanwise.contract.answers import AnswerBase, BooleanAnswer, TextAnswer
from spanwise.contract.items import BooleanItem
from spanwise.contract.registry import item_class_of, label_of, resolve, value_class_of
from spanwise.contract.rendering import shortened
from spanwise.contract.result import Draft
from spanwise.contract.values import Span
from spanwise.domain.passage import Hit
from spanwise.domain.question import Question
from spanwise.store.port import Store
from spanwise.synthesis.extractive.candidates import Candidate
from spanwise.synthesis.extractive.typed.evidence_texts import FLOOR, candidate_pieces, passage_pieces
from spanwise.synthesis.extractive.typed.fillers import ANYWHERE, BY_CLASS, FILLERS, FLOORS, NAMES, OF_CLAUSES, TEXTS
from spanwise.synthesis.extractive.typed.slot_filling import (
    Picked,
    anywhere,
    custom_values,
    from_pieces,
    holds,
    of_the_text,
    tables_of,
)

TABLE_HITS = 6
"""Passages in which tables are looked for."""
_LONGEST_CAVEAT = 300


def typed(question: Question, draft: Draft, ranked: Sequence[Candidate], hits: Sequence[Hit], store: Store) -> Draft:
    """The draft with typed values where they are demanded or where the question asks for them.

    A type that was demanded is never given up for a text: where no value is found the answer has no items, and what was
    found instead stands in its caveats. A type that only the words ask for gives way to the draft as it is.
    """
    modelled = question.model is not None
    if question.demanded in (None, "text"):
        return _detected(question, draft, ranked, hits, store, modelled=modelled)
    answer_class = resolve(question.answer_shape, question.demanded or "text").answer_class
    if issubclass(answer_class, TextAnswer) or (isinstance(draft.answer, answer_class) and draft.answer.items):
        return draft
    if label_of(answer_class) == "boolean":
        return clause_draft(question, ranked, draft) or _nothing(answer_class, draft, ranked)
    picked = _demanded(question, answer_class, ranked, hits, store, modelled=modelled)
    if not picked:
        return _nothing(answer_class, draft, ranked)
    return _drafted(answer_class, picked, draft)


def without_value(question: Question, draft: Draft) -> Draft:
    """A draft of nothing in the class that is demanded; as it is when none is."""
    if question.demanded in (None, "text"):
        return draft
    return _nothing(resolve(question.answer_shape, question.demanded or "text").answer_class, draft)


def _detected(
    question: Question,
    draft: Draft,
    ranked: Sequence[Candidate],
    hits: Sequence[Hit],
    store: Store,
    *,
    modelled: bool,
) -> Draft:
    kind = question.answer_type
    if modelled and kind in TEXTS:
        pieces = candidate_pieces(ranked, modelled=True, floor=FLOORS.get(kind, FLOOR))
        picked = from_pieces(question, TEXTS[kind], pieces, store, several=kind == "party")
        return _drafted(TextAnswer, picked if kind in NAMES else _in_words(picked, draft), draft) if picked else draft
    if question.demanded is None and kind in ANYWHERE:
        return _recognised(question, draft, hits, store)
    if question.demanded is not None or kind not in ("amount", "date", "quantity"):
        return draft
    if modelled:
        pieces = candidate_pieces(ranked, modelled=True)
        picked = _in_words(from_pieces(question, OF_CLAUSES[kind], pieces, store, several=False), draft)
    else:
        picked = of_the_text(question, draft, FILLERS[kind], ranked)
    if not picked:
        return draft
    made = _drafted(resolve(question.answer_shape, kind).answer_class, picked, draft)
    return made if all(holds(item, one, store) for item, one in zip(made.answer.items, picked, strict=True)) else draft


def _recognised(question: Question, draft: Draft, hits: Sequence[Hit], store: Store) -> Draft:
    """The addresses or account numbers that stand beside the words which ask for them; else the draft as it is."""
    kind, several = question.answer_type, question.answer_shape == "listing"
    picked = anywhere(question, FILLERS[kind], hits, store, several=several)
    if not picked:
        return draft
    made = _drafted(resolve(question.answer_shape, kind).answer_class, picked, draft)
    return made if all(holds(item, one, store) for item, one in zip(made.answer.items, picked, strict=True)) else draft


def _in_words(picked: Sequence[Picked], draft: Draft) -> list[Picked]:
    """Values that nobody demanded are shown with the sentence that says them, where that is the answer in words."""
    said = {
        (item.spans[0].line_start, item.spans[0].line_end): item.text
        for item in (draft.answer.items if isinstance(draft.answer, TextAnswer) else ())
    }
    return [replace(one, written=said.get(one.spans[0], one.written)) for one in picked]


def _demanded(
    question: Question,
    answer_class: type[AnswerBase],
    ranked: Sequence[Candidate],
    hits: Sequence[Hit],
    store: Store,
    *,
    modelled: bool,
) -> list[Picked]:
    label = label_of(answer_class) or ""
    several = question.answer_shape == "listing"
    pieces = list(candidate_pieces(ranked, modelled=modelled, several=several))
    if label == "table":
        return tables_of(question, [*pieces, *passage_pieces(hits[:TABLE_HITS], 0.5)], store)
    filler = (OF_CLAUSES if modelled else FILLERS).get(label)
    value_class = value_class_of(answer_class)
    if filler is None or (value_class is not None and value_class not in BY_CLASS):
        return custom_values(question, value_class, hits) if value_class is not None else []
    picked = from_pieces(question, filler, pieces, store, several=several)
    if picked or label not in ANYWHERE:
        return picked
    return anywhere(question, filler, hits, store, several=several)


def _drafted(
    answer_class: type[AnswerBase], picked: Sequence[Picked], draft: Draft, *, caveats: Sequence[str] = ()
) -> Draft:
    item_class, label = item_class_of(answer_class), label_of(answer_class)
    if item_class is None or label is None:
        return draft
    items = [item_class.model_validate({label: one.value, "spans": _spans(one)}) for one in picked]
    relevance = round(min(one.relevance for one in picked), 4)
    answer = answer_class.model_validate(
        {
            **draft.answer.model_dump(exclude={"items", "suggested_clarification"}),
            "items": items,
            "extraction_method": "verbatim",
            "confidence": relevance,
            "caveats": list(dict.fromkeys([*caveats, *(one.caveat for one in picked if one.caveat)])),
            "answer_found": True,
            "complete_answer_found": True,
            "context_completeness_weak": relevance,
        }
    )
    sources = tuple((one.document,) * len(one.spans) for one in picked)
    written = tuple(one.written for one in picked)
    return replace(draft, answer=answer, sources=sources, relevance=relevance, written=written, asked="", sentences=())


def _spans(one: Picked) -> list[Span]:
    quote = one.written if one.quoted and one.written else None
    return [
        Span(line_start=first, line_end=last, quote=quote if at == 0 else None)
        for at, (first, last) in enumerate(one.spans)
    ]


def _nothing(answer_class: type[AnswerBase], draft: Draft, ranked: Sequence[Candidate] = ()) -> Draft:
    """No value, and what the evidence says instead."""
    label = (label_of(answer_class) or "value").replace("_", " ")
    missing = "Neither yes nor no is stated explicitly" if label == "boolean" else f"No {label} is stated"
    nearest = [max(ranked, key=lambda one: one.relevance).elements[0].text] if ranked else []
    caveats = [f"{missing}; the nearest evidence says: {shortened(text, _LONGEST_CAVEAT)}" for text in nearest]
    answer = answer_class.model_validate(
        {
            **draft.answer.model_dump(exclude={"items"}),
            "items": [],
            "extraction_method": "na",
            "confidence": 0.0,
            "caveats": caveats,
            "answer_found": False,
            "complete_answer_found": False,
        }
    )
    return replace(draft, answer=answer, sources=(), asked="", sentences=(), written=())


LIKELY = 0.15
"""Least probability of the clause (the guard reads it again); see `fitting/contracts.py`."""
_CAVEAT = "Yes, because the contract has this clause; what it says in detail stands in the cited lines."


def clause_draft(question: Question, ranked: Sequence[Candidate], draft: Draft) -> Draft | None:
    """A yes with the clause; None where none is likely, or where the question is not about a clause being there.

    That no clause was found is not a no: no line says so.
    """
    if question.model is None or question.answer_type not in ("text", "boolean") or not ranked:
        return None
    best = ranked[0]
    if best.relevance < LIKELY:
        return None
    element = best.elements[0]
    span = Span(line_start=element.line_start, line_end=element.line_end)
    relevance = round(best.relevance, 4)
    answer = BooleanAnswer.model_validate(
        {
            **draft.answer.model_dump(exclude={"items"}),
            "items": [BooleanItem(boolean=True, spans=[span])],
            "extraction_method": "inferred",
            "confidence": relevance,
            "caveats": [_CAVEAT],
            "answer_found": True,
            "complete_answer_found": True,
            "context_completeness_weak": relevance,
        }
    )
    return replace(
        draft,
        answer=answer,
        sources=((best.passage.document,),),
        relevance=relevance,
        asked=question.text,
        sentences=(element.text,),
        written=(),
        model=question.model,
    )
