"""The extractive mode: from the hits to a draft that holds the best sentence, or the elements of the best list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from spanwise.contract.answers import TextAnswer
from spanwise.contract.items import TextItem
from spanwise.contract.result import Draft, Source
from spanwise.contract.values import Span
from spanwise.domain.passage import Hit, Passage
from spanwise.domain.question import Question
from spanwise.store.port import Store
from spanwise.synthesis.extractive.blocks import blocks_of_lines, blocks_of_passage
from spanwise.synthesis.extractive.lists import Listing, listings
from spanwise.synthesis.extractive.weights import coverage, keyword_weights
from spanwise.text.sentences import sentences
from spanwise.text.terms import terms

READ = 12
"""How many of the best passages are read sentence by sentence."""
LIST_READ = 6
"""How many of the best passages are looked through for lists, with the lines that follow them."""
LIST_REACH = 150
"""Lines beyond a passage in which a list that starts in it may go on."""
ENOUGH = 0.55
"""Least relevance of evidence that answers; below it the answer is not found."""
_TITLE = 0.75
"""What a word counts that is not in a sentence but in the heading above it."""
_CONTEXT = 0.5
"""What a word counts that is only elsewhere in its passage."""
_RANK = 0.04
"""What each place down the ranking costs."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A possible answer: its elements with their lines, and how well it covers the question."""

    passage: Passage
    elements: tuple[tuple[str, int, int], ...]
    relevance: float
    score: float


def extract(question: Question, hits: Sequence[Hit], store: Store) -> Draft:
    """Draft an answer from the hits alone: no model, no word that is not in the source.

    Returns:
        A draft whose answer is empty (`answer_found` False) when nothing covers enough of the question.
    """
    weights = keyword_weights(question.keywords, hits)
    candidates = _sentence_candidates(hits[:READ], weights)
    if question.answer_shape == "listing":
        candidates += _list_candidates(question, hits[:LIST_READ], store, weights)
    # Equal scores keep the order of the hits, so the same corpus gives the same answer.
    best = max(candidates, key=lambda candidate: candidate.score, default=None)
    lacking = tuple(word for word in question.keywords if not any(word in terms(hit.passage.text) for hit in hits))
    nearest = tuple(_source(candidate) for candidate in sorted(candidates, key=lambda c: -c.score)[:3])
    if best is None or best.relevance < ENOUGH:
        return Draft(_empty(), (), best.relevance if best else 0.0, nearest, lacking)
    return _draft(question, best, weights, nearest, lacking)


def _sentence_candidates(hits: Sequence[Hit], weights: Mapping[str, float]) -> list[_Candidate]:
    candidates = []
    for rank, hit in enumerate(hits):
        title = set(terms(hit.passage.section or ""))
        around = set(terms(hit.passage.text))
        for block in blocks_of_passage(hit.passage):
            for start, end in sentences(block.text):
                text = " ".join(block.text[start:end].split())
                if len(text.split()) < 4:  # a heading, a label: it names the subject and says nothing about it
                    continue
                relevance = _relevance(set(terms(text)), title, around, weights)
                # Equal relevance: the shorter sentence says it more directly.
                score = relevance - _RANK * rank - 0.0005 * len(text.split())
                candidates.append(_Candidate(hit.passage, ((text, *block.lines_of(start, end)),), relevance, score))
    return candidates


def _list_candidates(
    question: Question, hits: Sequence[Hit], store: Store, weights: Mapping[str, float]
) -> list[_Candidate]:
    candidates = []
    for rank, hit in enumerate(hits):
        passage = hit.passage
        lines = store.lines(passage.document, passage.line_start, passage.line_end + LIST_REACH)
        blocks = blocks_of_lines(lines)
        title = set(terms(passage.section or ""))
        around = set(terms(passage.text))
        for listing in listings(blocks):
            if listing.elements[0].line_start > passage.line_end + 3:
                break  # it belongs to a later passage, which is a hit of its own if it is one at all
            # The heading introduces the list as much as the words right before it do.
            relevance = _relevance(title | set(terms(listing.introduction)), title, around, weights)
            score = relevance + _list_bonus(question, listing) - _RANK * rank
            elements = tuple((element.text, element.line_start, element.line_end) for element in listing.elements)
            candidates.append(_Candidate(passage, elements, relevance, score))
    return candidates


def _list_bonus(question: Question, listing: Listing) -> float:
    """A question for a list wants the list, not the sentence that counts it; most of all one of the right length."""
    if question.count is None:
        return 0.2
    return 0.45 if question.count == len(listing.elements) else 0.05


def _relevance(inside: set[str], title: set[str], around: set[str], weights: Mapping[str, float]) -> float:
    """What the words cover, and at a discount what only their heading or their passage adds."""
    own = coverage(inside, weights)
    titled = coverage(inside | title, weights)
    return own + _TITLE * (titled - own) + _CONTEXT * (coverage(inside | title | around, weights) - titled)


def _draft(
    question: Question,
    best: _Candidate,
    weights: Mapping[str, float],
    nearest: tuple[Source, ...],
    lacking: tuple[str, ...],
) -> Draft:
    items = [TextItem(text=text, spans=[Span(line_start=first, line_end=last)]) for text, first, last in best.elements]
    complete = question.count is None or question.count == len(items)
    caveats = (
        [] if complete else [f"The question asks for {question.count} elements, and the list found has {len(items)}."]
    )
    answer = TextAnswer(
        items=items,
        extraction_method="verbatim",
        confidence=round(best.relevance, 4),
        caveats=caveats,
        answer_found=True,
        complete_answer_found=complete,
        context_completeness_weak=round(best.relevance, 4),
        context_structured=True,
        keywords_found=[word for word in weights if word not in lacking],
        conflicting_evidence=False,
    )
    return Draft(answer, tuple((best.passage.document,) for _ in items), best.relevance, nearest, lacking)


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


def _source(candidate: _Candidate) -> Source:
    return Source(candidate.passage.document, candidate.elements[0][1], candidate.elements[-1][2])
