"""How much each word of the question counts: rare among the hits counts more, absent from all of them counts most."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence

from spanwise.domain.passage import Hit
from spanwise.text.terms import terms


def keyword_weights(keywords: Sequence[str], hits: Sequence[Hit]) -> dict[str, float]:
    """Inverse document frequency of each keyword over the hits (Robertson and Zaragoza 2009, with a floor)."""
    found = [set(terms(f"{hit.passage.section or ''} {hit.passage.text}")) for hit in hits]
    size = len(found)
    weights = {}
    for keyword in keywords:
        frequency = sum(keyword in stems for stems in found)
        weights[keyword] = max(0.2, math.log(1 + (size - frequency + 0.5) / (frequency + 0.5)))
    return weights


def coverage(stems: Collection[str], weights: Mapping[str, float]) -> float:
    """Share, in [0, 1], of the question's weight that these stems cover."""
    total = sum(weights.values())
    return sum(weight for stem, weight in weights.items() if stem in stems) / total if total else 0.0
