"""Whether the best passages of a filing speak of what is asked at all: a long question covers no sentence well."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from importlib import resources

from spanwise.domain.passage import Hit
from spanwise.domain.question import Question
from spanwise.synthesis.extractive.candidates import Candidate

FEATURES = ("words", "page_words", "expert_words")
"""Factors of hits that are about the question's subject; names and years are in every question about a filing."""
LOOKED_AT = 3
"""Hits whose best value counts."""
ENOUGH = 0.5
"""Least probability with which the best sentence is shown."""
PROFILE = "filings"
PLAIN = ("person", "place", "date")
"""Types of which sentences say by themselves whether they answer: these questions are short and plain."""


def judged(question: Question, hits: Sequence[Hit], candidates: Sequence[Candidate]) -> list[Candidate]:
    """Sentences of filings with the probability that the passages speak of the question; other kinds as they are.

    The best sentence keeps its lead: the others are as much less likely as they were. A list that does not answer is
    left out, so that it does not stand before a sentence that does.
    """
    if question.profile != PROFILE or question.answer_type in PLAIN:
        return list(candidates)
    best = max((one.relevance for one in candidates if one.sentence is not None), default=0.0)
    likely = on_topic(hits)
    found = []
    for one in candidates:
        if one.sentence is None and one.answers:
            found.append(one)
        elif one.sentence is not None and best > 0:
            share = one.relevance / best
            found.append(replace(one, relevance=round(likely * share, 4), score=likely * share, enough=ENOUGH))
    return found


def on_topic(hits: Sequence[Hit]) -> float:
    """Probability that a question with these hits belongs to the documents."""
    bias, weights = _fitted()
    logit = bias + sum(weight * value for weight, value in zip(weights, looks(hits), strict=True))
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, logit))))


def looks(hits: Sequence[Hit]) -> tuple[float, ...]:
    """The features of a question: the best value of each factor among the first hits.

    Where no table is asked for, pages are not read, and count as the passages do.
    """
    first = [{"page_words": hit.factors.get("words", 0.0), **hit.factors} for hit in hits[:LOOKED_AT]]
    return tuple(max((factors.get(name, 0.0) for factors in first), default=0.0) for name in FEATURES)


@lru_cache(maxsize=1)
def _fitted() -> tuple[float, tuple[float, ...]]:
    text = resources.files(__package__).joinpath("topic.json").read_text(encoding="utf-8")
    data = json.loads(text)
    return float(data["bias"]), tuple(float(data["weights"][name]) for name in FEATURES)
