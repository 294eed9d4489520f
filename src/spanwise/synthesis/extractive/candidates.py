"""What could answer: every sentence of the best passages, and every list that starts in one of them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from spanwise.domain.passage import Passage
from spanwise.domain.question import Question, SentenceModel
from spanwise.store.port import Store
from spanwise.synthesis.extractive.lists import Element, Listing, listings
from spanwise.text.blocks import blocks_of_lines
from spanwise.text.reading import Reading, coverage
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
_LEAST_WORDS = 4
"""Shorter ones are headings and labels: they name the subject and say nothing about it."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A possible answer: its elements with their lines, and how well it covers the question (in [0, 1])."""

    passage: Passage
    elements: tuple[Element, ...]
    relevance: float
    score: float


def sentence_candidates(readings: Sequence[Reading], weights: Mapping[str, float]) -> list[Candidate]:
    """One candidate a sentence, by the words that it shares with the question."""
    candidates = []
    for rank, reading in enumerate(readings):
        for sentence in reading.sentences:
            words = len(sentence.text.split())
            if sentence.role == "heading" or words < _LEAST_WORDS:
                continue
            relevance = _relevance(frozenset(sentence.stems), reading, weights)
            element = Element(sentence.text, sentence.line_start, sentence.line_end)
            score = relevance - _RANK * rank - _WORD * words
            candidates.append(Candidate(reading.passage, (element,), relevance, score))
    return candidates


def modelled_candidates(readings: Sequence[Reading], model: SentenceModel) -> list[Candidate]:
    """One candidate a sentence, by how much it speaks like answers to this intent do; neighbours that do are joined."""
    candidates = []
    for reading in readings:
        logits = [model.logit(features) for features in reading.features]
        for at, (sentence, logit) in enumerate(zip(reading.sentences, logits, strict=True)):
            first, last = at, at
            # A clause is often several sentences of one paragraph.
            while first > 0 and logits[first - 1] > 0 and reading.sentences[first - 1].block == sentence.block:
                first -= 1
            while (
                last + 1 < len(logits) and logits[last + 1] > 0 and reading.sentences[last + 1].block == sentence.block
            ):
                last += 1
            joined = reading.sentences[first : last + 1]
            element = Element(" ".join(part.text for part in joined), joined[0].line_start, joined[-1].line_end)
            relevance = 1 / (1 + math.exp(-max(-30.0, min(30.0, logit))))
            candidates.append(Candidate(reading.passage, (element,), relevance, logit))
    return candidates


def list_candidates(
    question: Question, readings: Sequence[Reading], store: Store, weights: Mapping[str, float]
) -> list[Candidate]:
    """One candidate a list; its heading introduces it as much as the words right before it do."""
    candidates = []
    for rank, reading in enumerate(readings):
        passage = reading.passage
        lines = store.lines(passage.document, passage.line_start, passage.line_end + LIST_REACH)
        for listing in listings(blocks_of_lines(lines)):
            if listing.elements[0].line_start > passage.line_end + 3:
                break  # it belongs to a later passage, which is a hit of its own if it is one at all
            relevance = _relevance(reading.title | set(terms(listing.introduction)), reading, weights)
            score = relevance + _list_bonus(question, listing) - _RANK * rank
            candidates.append(Candidate(passage, listing.elements, relevance, score))
    return candidates


def _list_bonus(question: Question, listing: Listing) -> float:
    """A question for a list wants the list, not the sentence that counts it; most of all one of the right length."""
    if question.count is None:
        return 0.2
    return 0.45 if question.count == len(listing.elements) else 0.05


def _relevance(inside: AbstractSet[str], reading: Reading, weights: Mapping[str, float]) -> float:
    """What the words cover, and at a discount what only their heading or their passage adds."""
    own = coverage(inside, weights)
    titled = coverage(inside | reading.title, weights)
    around = coverage(inside | reading.title | reading.text, weights)
    return own + _TITLE * (titled - own) + _CONTEXT * (around - titled)
