"""Lists that a sentence leads to: the ones it names in a row, and the ones that follow it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from spanwise.domain.question import Question
from spanwise.store.port import Store
from spanwise.synthesis.extractive.candidates import LIST_REACH, Candidate
from spanwise.synthesis.extractive.lists import Element, enumeration, listings, whole_list
from spanwise.text.blocks import blocks_of_lines
from spanwise.text.defining import asked_subject, named_alone
from spanwise.text.terms import terms

_SHARE = 0.25
"""Least relevance of a sentence with a list in it, as a share of the best one's: the number asked for is a sign."""
_BEFORE = 1.0
"""Lists of the number that is asked for go before sentences, as other lists do."""
_INTRODUCES = (":", "\u2014", "following", "following.", "as follows.", "below:")

_ANNOUNCES = ("follows:", "following:", "below:")
_POINTS = re.compile(
    r"\b(?:described|defined|discussed|detailed|depicted|explained|given|illustrated|included|listed|outlined|presented"
    r"|provided|set\s+(?:forth|out)|shown|specified|summari[sz]ed)\s+(?:(?:further\s+)?(?:below|above)"
    r"|(?:further\s+)?in\s+(?:the\s+(?:following|next)|figure|table|section|appendix|chapter|annex|exhibit|schedule|note)"
    r"[^,;]{0,60})[.:]?$",
    re.IGNORECASE,
)
"""The end of a sentence that says no more than where to look: "... are illustrated in Figure 2-1."."""
_END = 160
"""Characters at the end of a sentence in which it says where to look."""
_NEAR = 3
"""Lines between an introduction and the first element, at most."""


def enumerated_candidates(question: Question, candidates: Sequence[Candidate]) -> list[Candidate]:
    """The sentences that name as many elements in a row as the question asks for, as lists."""
    if question.count is None:
        return []
    sentences = [one for one in candidates if one.sentence is not None]
    best = max(sentences, key=lambda one: one.relevance, default=None)
    if best is None or not best.answers:
        return []
    found = []
    for one in sentences:
        elements = named_in_a_row(question, one.elements[0]) if one.relevance >= _SHARE * best.relevance else ()
        if elements:
            found.append(
                Candidate(one.passage, elements, best.relevance, _BEFORE + one.relevance, best.enough, kind="list")
            )
    return found


def named_in_a_row(question: Question, sentence: Element) -> tuple[Element, ...]:
    """The elements that a sentence names in a row, as many as are asked for; none where one only repeats the question.

    "What are the three service models?" is not answered by "five characteristics, three service models, and ...".
    """
    asked = set(terms(question.text))
    elements = enumeration(sentence, question.count)
    return () if any(asked.issuperset(terms(element.text)) for element in elements) else elements


def speaking(question: Question, candidates: Sequence[Candidate], store: Store) -> list[Candidate]:
    """The sentences that say something themselves.

    Not "The number of stores was as follows:" before a table, nor "Hybrid cloud." before what a hybrid cloud is.
    """
    subject = asked_subject(question.text)
    return [
        one
        for one in candidates
        if one.sentence is None
        or not (
            (_announces(one) and not introduced(one, store))
            or (subject is not None and named_alone(subject, one.sentence.text))
        )
    ]


def _announces(candidate: Candidate) -> bool:
    sentence = candidate.sentence
    if sentence is None:
        return False
    return sentence.text.endswith(_ANNOUNCES) or _POINTS.search(sentence.text[-_END:]) is not None


def introduced(candidate: Candidate, store: Store) -> tuple[Element, ...]:
    """The elements of the list that the sentence of a candidate only introduces; none when it says something itself."""
    sentence = candidate.sentence
    if sentence is None or not sentence.text.endswith(_INTRODUCES):
        return ()
    lines = store.lines(candidate.passage.document, sentence.line_start, sentence.line_end + LIST_REACH)
    for listing in listings(blocks_of_lines(lines)):
        between = listing.elements[0].line_start - sentence.line_end
        if 0 <= between <= _NEAR:
            return whole_list(listing, candidate.passage.document, store)
    return ()
