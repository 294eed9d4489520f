"""What could answer: every sentence of the best passages, and every list that starts in one of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from spanwise.domain.passage import Passage
from spanwise.domain.question import Question
from spanwise.store.port import Store
from spanwise.synthesis.extractive.blocks import blocks_of_lines, blocks_of_passage
from spanwise.synthesis.extractive.lists import Element, Listing, listings
from spanwise.synthesis.extractive.weights import Evidence, coverage
from spanwise.text.sentences import sentences
from spanwise.text.terms import terms

LIST_REACH = 150
"""Lines beyond a passage in which a list that starts in it may go on."""
_TITLE = 0.75
"""What a word counts that is not in a sentence but in the heading above it."""
_CONTEXT = 0.5
"""What a word counts that is only elsewhere in its passage."""
_RANK = 0.04
"""What each place down the ranking costs."""
_WORD = 0.0005
"""What each word costs: of two sentences that cover the question alike, the shorter says it more directly."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A possible answer: its elements with their lines, and how well it covers the question (in [0, 1])."""

    passage: Passage
    elements: tuple[Element, ...]
    relevance: float
    score: float


def sentence_candidates(evidence: Sequence[Evidence], weights: Mapping[str, float]) -> list[Candidate]:
    """One candidate a sentence; headings and labels name the subject and say nothing about it, so they are none."""
    candidates = []
    for hit in evidence:
        for block in blocks_of_passage(hit.passage):
            if block.role == "heading":
                continue
            for start, end in sentences(block.text):
                text = " ".join(block.text[start:end].split())
                words = len(text.split())
                if words < 4:
                    continue
                relevance = _relevance(hit.stems(block.offset + start, block.offset + end), hit, weights)
                element = Element(text, *block.lines_of(start, end))
                score = relevance - _RANK * hit.rank - _WORD * words
                candidates.append(Candidate(hit.passage, (element,), relevance, score))
    return candidates


def list_candidates(
    question: Question, evidence: Sequence[Evidence], store: Store, weights: Mapping[str, float]
) -> list[Candidate]:
    """One candidate a list; its heading introduces it as much as the words right before it do."""
    candidates = []
    for hit in evidence:
        passage = hit.passage
        lines = store.lines(passage.document, passage.line_start, passage.line_end + LIST_REACH)
        for listing in listings(blocks_of_lines(lines)):
            if listing.elements[0].line_start > passage.line_end + 3:
                break  # it belongs to a later passage, which is a hit of its own if it is one at all
            relevance = _relevance(hit.title | set(terms(listing.introduction)), hit, weights)
            score = relevance + _list_bonus(question, listing) - _RANK * hit.rank
            candidates.append(Candidate(passage, listing.elements, relevance, score))
    return candidates


def _list_bonus(question: Question, listing: Listing) -> float:
    """A question for a list wants the list, not the sentence that counts it; most of all one of the right length."""
    if question.count is None:
        return 0.2
    return 0.45 if question.count == len(listing.elements) else 0.05


def _relevance(inside: AbstractSet[str], hit: Evidence, weights: Mapping[str, float]) -> float:
    """What the words cover, and at a discount what only their heading or their passage adds."""
    own = coverage(inside, weights)
    titled = coverage(inside | hit.title, weights)
    return own + _TITLE * (titled - own) + _CONTEXT * (coverage(inside | hit.title | hit.text, weights) - titled)
