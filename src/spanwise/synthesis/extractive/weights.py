"""How much each word of the question counts: rare among the hits counts more, absent from all of them counts most."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from spanwise.domain.passage import Hit, Passage
from spanwise.text.terms import placed_terms, terms


@dataclass(frozen=True, slots=True)
class Evidence:
    """A hit as the extractive mode reads it: what its heading and its text speak of, as stems."""

    passage: Passage
    rank: int
    """Place in the ranking, from 0."""
    title: frozenset[str]
    text: frozenset[str]
    words: tuple[tuple[int, str], ...]
    """The stems of the text, each with its offset."""

    def stems(self, start: int, end: int) -> set[str]:
        """The stems of the words that begin in the range `[start, end)` of the text."""
        first = bisect_left(self.words, (start, ""))
        last = bisect_left(self.words, (end, ""))
        return {stem for _, stem in self.words[first:last]}


def read_hits(hits: Sequence[Hit]) -> list[Evidence]:
    """The hits with their stems, in their order."""
    evidence = []
    for rank, hit in enumerate(hits):
        words = tuple(placed_terms(hit.passage.text))
        title = frozenset(terms(hit.passage.section or ""))
        evidence.append(Evidence(hit.passage, rank, title, frozenset(stem for _, stem in words), words))
    return evidence


def keyword_weights(keywords: Sequence[str], evidence: Sequence[Evidence]) -> dict[str, float]:
    """Inverse document frequency of each keyword over the hits (Robertson and Zaragoza 2009, with a floor)."""
    size = len(evidence)
    weights = {}
    for keyword in keywords:
        frequency = sum(keyword in hit.text or keyword in hit.title for hit in evidence)
        weights[keyword] = max(0.2, math.log(1 + (size - frequency + 0.5) / (frequency + 0.5)))
    return weights


def coverage(stems: Collection[str], weights: Mapping[str, float]) -> float:
    """Share, in [0, 1], of the question's weight that these stems cover."""
    total = sum(weights.values())
    return sum(weight for stem, weight in weights.items() if stem in stems) / total if total else 0.0
