"""The extractive mode: from the hits to a draft that holds the best sentence, or the elements of the best list."""

from __future__ import annotations

from collections.abc import Sequence

from spanwise.contract.answers import TextAnswer
from spanwise.contract.items import TextItem
from spanwise.contract.result import Draft, Source
from spanwise.contract.values import Span
from spanwise.domain.passage import Hit
from spanwise.domain.question import Question
from spanwise.store.port import Store
from spanwise.synthesis.extractive.candidates import (
    Candidate,
    list_candidates,
    modelled_candidates,
    sentence_candidates,
)
from spanwise.text.reading import read_passage, stem_weights

READ = 12
"""How many of the best passages are read sentence by sentence."""
LIST_READ = 6
"""How many of the best passages are looked through for lists, with the lines that follow them."""
ENOUGH = 0.55
"""Least relevance of evidence that answers; below it the answer is not found."""
ENOUGH_BY_MODEL = 0.4
"""The same for the probability that a sentence model gives; cross-validation is flat between 0.35 and 0.5."""
NEAREST = 3
"""How many pieces of evidence are shown when nothing answers."""


def extract(question: Question, hits: Sequence[Hit], store: Store) -> Draft:
    """Draft an answer from the hits alone: no model, no word that is not in the source.

    Returns:
        A draft whose answer is empty (`answer_found` False) when nothing covers enough of the question.
    """
    readings = [read_passage(hit.passage) for hit in hits]
    weights = stem_weights(question.stems, readings)
    if question.model is not None:
        candidates = modelled_candidates(readings, question.model)
    else:
        candidates = sentence_candidates(readings[:READ], weights)
        if question.answer_shape == "listing":
            candidates += list_candidates(question, readings[:LIST_READ], store, weights)
    # Sorting is stable, so equal scores keep the order of the hits: the same corpus gives the same answer.
    ranked = sorted(candidates, key=lambda candidate: -candidate.score)
    best = ranked[0] if ranked else None
    lacking = tuple(stem for stem in question.stems if not any(stem in reading.text for reading in readings))
    nearest = tuple(_source(candidate) for candidate in ranked[:NEAREST])
    enough = ENOUGH if question.model is None else ENOUGH_BY_MODEL
    if best is None or best.relevance < enough:
        return Draft(_empty(), (), best.relevance if best else 0.0, nearest, lacking)
    found = tuple(stem for stem in question.stems if stem not in lacking)
    sources = ((best.passage.document,),) * len(best.elements)
    return Draft(_answer(question, best, found), sources, best.relevance, nearest, lacking)


def _answer(question: Question, best: Candidate, found: Sequence[str]) -> TextAnswer:
    size = len(best.elements)
    complete = question.count is None or question.count == size
    caveat = f"The question asks for {question.count} elements, and the list found has {size}."
    return TextAnswer(
        items=[
            TextItem(text=element.text, spans=[Span(line_start=element.line_start, line_end=element.line_end)])
            for element in best.elements
        ],
        extraction_method="verbatim",
        confidence=round(best.relevance, 4),
        caveats=[] if complete else [caveat],
        answer_found=True,
        complete_answer_found=complete,
        context_completeness_weak=round(best.relevance, 4),
        context_structured=True,
        keywords_found=list(found),
        conflicting_evidence=False,
    )


def _empty() -> TextAnswer:
    return TextAnswer(
        items=[],
        extraction_method="na",
        confidence=0.0,
        answer_found=False,
        complete_answer_found=False,
        context_completeness_weak=0.0,
        context_structured=True,
        conflicting_evidence=False,
    )


def _source(candidate: Candidate) -> Source:
    first, last = candidate.elements[0], candidate.elements[-1]
    return Source(candidate.passage.document, first.line_start, last.line_end)
