"""From a question to hits: candidates of the full-text search, scored by every factor, the reasons kept with each."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping
from functools import lru_cache
from importlib import resources

from spanwise.domain.passage import Hit, Passage
from spanwise.domain.question import Question
from spanwise.retrieval.factors import FACTORS, Scene
from spanwise.store.port import Store
from spanwise.text.features import START_LINES
from spanwise.text.reading import read_passage, stem_weights

CANDIDATES = 20
"""Passages of the full-text search that are scored."""
MORE = 40
"""Passages that each other way to search adds, when the profile knows one."""
OPENINGS = 5
"""Documents whose beginning is looked at when the profile expects the answer there."""


def retrieve(question: Question, store: Store, *, documents: Collection[str] | None = None, k: int = 20) -> list[Hit]:
    """The `k` passages that most likely answer, best first; each hit carries the factors that made its score."""
    found = _candidates(question, store, documents)
    readings = [(read_passage(passage), score) for passage, score in found.values()]
    scene = Scene(
        weights=stem_weights(question.stems, [reading for reading, _ in readings]),
        best=max((score for _, score in readings), default=0.0),
    )
    weights = factor_weights(question.profile)
    hits = []
    for reading, score in readings:
        factors = {name: factor(question, reading, score, scene) for name, factor in FACTORS.items() if weights[name]}
        total = sum(weights[name] * value for name, value in factors.items())
        kept = {name: round(value, 4) for name, value in factors.items() if value}
        hits.append(Hit(reading.passage, round(total, 6), kept))
    hits.sort(key=lambda hit: (-hit.score, hit.passage.document, hit.passage.line_start))
    return hits[:k]


def _candidates(
    question: Question, store: Store, documents: Collection[str] | None
) -> dict[str, tuple[Passage, float]]:
    """Passages by their id with their full-text score, 0 for those that only another way to search found."""
    brief = question.retrieval_brief
    found = {
        hit.passage.id: (hit.passage, hit.score)
        for hit in store.search(brief.query or question.text, CANDIDATES, documents)
    }
    others: list[Passage] = []
    wordings = [*brief.expansions, *brief.sections]
    if wordings:
        others += [hit.passage for hit in store.search(" ".join(wordings), MORE, documents)]
    if question.model is not None:
        others += [hit.passage for hit in store.search(" ".join(question.model.terms()), MORE, documents)]
        if question.model.weights.get("@start", 0.0) > 0:
            names = dict.fromkeys(passage.document for passage in [*(p for p, _ in found.values()), *others])
            for name in list(names)[:OPENINGS]:
                others += store.passages(name, 1, START_LINES)
    for passage in others:
        found.setdefault(passage.id, (passage, 0.0))
    return found


def factor_weights(profile: str | None) -> Mapping[str, float]:
    """The weight of each factor for questions of a profile."""
    tables = _tables()
    return tables["default"] | tables.get(profile or "", {})


@lru_cache(maxsize=1)
def _tables() -> dict[str, dict[str, float]]:
    text = resources.files("spanwise.retrieval").joinpath("weights.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)
