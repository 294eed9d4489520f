"""How much each word of the question counts: rare among the hits counts more, absent from all of them counts most."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from spanwise.domain.passage import Hit, Passage
from spanwise.text.terms import terms


@dataclass(frozen=True, slots=True)
class Evidence:
    """A hit as the extractive mode reads it: what its heading and its text speak of, as stems."""

    passage: Passage
    rank: int
    """Place in the ranking, from 0."""
    title: frozenset[str]
    text: frozenset[str]


def read_hits(hits: Sequence[Hit]) -> list[Evidence]:
    """The hits with their stems, in their order."""
    return [
        Evidence(hit.passage, rank, frozenset(terms(hit.passage.section or "")), frozenset(terms(hit.passage.text)))
        for rank, hit in enumerate(hits)
    ]


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
