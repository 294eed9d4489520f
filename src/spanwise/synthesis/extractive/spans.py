"""The piece of a sentence that answers: every short run of words, scored by a fitted model of its ends and its whole.

`fitting/spans.py` writes the weights (`spans.json`) and prints how good the pieces are on articles never seen.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

from spanwise.synthesis.extractive.span_features import Wholes, end_features, start_features
from spanwise.synthesis.extractive.span_tokens import Asking, Words, pieces, take_apart

TIMES = ("date", "period", "year", "duration", "ordinal")
"""Kinds of quantities that say when."""
MOST_PIECES = 60
"""Pieces whose whole is looked at, chosen by their two ends."""
_PART = (
    r"\d+(?:[.,]\d+)?\s?(?:years?|months?|weeks?|days?|hours?|hrs?|h|minutes?|mins?|seconds?|secs?"
    r"|feet|foot|ft|inch(?:es)?|in|pounds?|lbs?|ounces?|oz|stones?|st)\b"
)
_SIDE = r"\d+(?:[.,]\d+)?(?:\s?(?!by\b|x\b)[a-z]{1,12}\b)?"
_FIGURE = re.compile(
    rf"(?<!\w)(?:{_PART}(?:(?:,?\s(?:and\s)?){_PART}){{1,3}}|{_SIDE}(?:\s?(?:by|x|\u00d7)\s?{_SIDE}){{1,2}}|\d{{1,2}}h\d\d"
    r"|[-+\u2212]?\d+(?:[.,:/]\d+)*(?:\s?[ap](?:m\b|\.m\.))?)",
    re.IGNORECASE,
)
"""What is one figure to a reader, though it is several tokens.

A duration or length in two units ("2 h 15 min"), sides ("105 m by 68 m"), a time of day, a ratio, a number below zero.
"""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a sentence, `text[start:end]`, and how it stands among all pieces of the sentence."""

    start: int
    end: int
    chance: float
    """The chance that it is the one."""
    second: float = 0.0
    """The chance of the next best."""
    score: float = 0.0
    """Unnormalised: compares pieces of different sentences for one question."""
    pieces: int = 1
    """How many there are."""
    words: int = 1
    kind: str = "knone"
    """What quantity it is, as a feature."""
    capitals: bool = False
    """Whether it is a name."""
    asked: int = 0
    """How many of its words are the question's own, at most 2."""
    counts: bool = False
    """Whether the question asks how many, how much or how long."""
    times: bool = False
    """Whether it asks when."""

    @property
    def fits(self) -> bool:
        """Whether it may stand alone: a question for a count is answered by nothing else, and "when" by no other."""
        if self.times:
            return not self.kind.startswith("k ") or self.kind.removeprefix("k ") in TIMES
        return not self.counts or self.kind != "knone"


class SpanWeights:
    """The weight of each feature: in every question, and besides in those that ask in one way."""

    def __init__(self, weights: Mapping[str, float]) -> None:
        self._weights = weights
        self._merged: dict[str, Mapping[str, float]] = {}

    def of(self, asking: Asking) -> Mapping[str, float]:
        """The weights in a question that asks in this way, all together."""
        if asking.fine not in self._merged:
            merged = dict(self._weights)
            for kind in dict.fromkeys((asking.kind, asking.fine)):
                for name, weight in self._weights.items():
                    if name.startswith(f"{kind} "):
                        plain = name[len(kind) + 1 :]
                        merged[plain] = merged.get(plain, 0.0) + weight
            self._merged[asking.fine] = merged
        return self._merged[asking.fine]


@lru_cache(maxsize=64)  # the closer look, the answer and the look for rivals ask for the same ones
def best_piece(question: str, sentence: str, weights: SpanWeights | None = None) -> Piece | None:
    """The piece that most likely answers; None when the sentence has none.

    Args:
        question: The question as asked.
        sentence: One sentence, on one line.
        weights: Another model than the shipped one.
    """
    words = take_apart(question, sentence)
    fitted = (weights or shipped()).of(words.asking)
    starts: dict[int, float] = {}
    ends: dict[int, float] = {}
    edges = []
    for first, last in pieces(words):
        if first not in starts:
            starts[first] = _sum(fitted, start_features(words, first))
        if last not in ends:
            ends[last] = _sum(fitted, end_features(words, last))
        edges.append((-starts[first] - ends[last], first, last))
    if not edges:
        return None
    # Pieces whose two ends already speak against them take no share worth the time.
    wholes = Wholes(words)
    scored = [
        (_sum(fitted, wholes.features(first, last)) - ends_cost, -first, -last)
        for ends_cost, first, last in sorted(edges)[:MOST_PIECES]
    ]
    scored.sort(reverse=True)
    return _piece(words, scored, len(edges), wholes, sentence)


def _piece(words: Words, scored: Sequence[tuple[float, int, int]], many: int, wholes: Wholes, sentence: str) -> Piece:
    top, first, last = scored[0][0], -scored[0][1], -scored[0][2]
    total = sum(math.exp(score - top) for score, _, _ in scored)
    looks = wholes.features(first, last)
    opening, closing = _whole_range(words, first, _with_noun(words, first, last))
    start, end = words.spans[opening][0], words.spans[closing][1]
    cut = [one.span() for one in _FIGURE.finditer(sentence) if one.start() < end and start < one.end()]
    return Piece(
        start=min([start, *(low for low, _ in cut)]),
        end=max([end, *(high for _, high in cut)]),
        chance=1 / total,
        second=math.exp(scored[1][0] - top) / total if len(scored) > 1 else 0.0,
        score=top,
        pieces=many,
        words=last - first + 1,
        kind=looks[2],
        capitals="Caps" in looks or "Caps cut" in looks,
        asked=int(looks[1][1:]),
        counts=words.asking.kind in ("many", "much", "long"),
        times=words.asking.kind == "when",
    )


def _with_noun(words: Words, first: int, last: int) -> int:
    """The last token of a piece with what it counts, where it is a number in words: "a single pass", not "single"."""
    if words.asking.kind in ("many", "much", "long") and not {"9", "Y"} & set(words.looks[first : last + 1]):
        for following in range(last + 1, min(last + 4, len(words.spans))):
            if not words.asked(following):
                break
            last = following
    return last


def _whole_range(words: Words, first: int, last: int) -> tuple[int, int]:
    """The ends of a piece, outside of a range of values that it would cut: "1.5 to 2 metres", not "2 metres"."""
    for (low, high), kind in words.quantities.items():
        figures = sum(look in ("9", "Y") for look in words.looks[low : high + 1])
        if kind in ("count", "duration", "money", "number") and figures > 1 and low <= last and first <= high:
            first, last = min(first, low), max(last, high)
    return first, last


def _sum(weights: Mapping[str, float], features: Sequence[str]) -> float:
    return sum([weights.get(feature, 0.0) for feature in features])


@lru_cache(maxsize=1)
def shipped() -> SpanWeights:
    """The model that is shipped."""
    text = resources.files("spanwise.synthesis.extractive").joinpath("spans.json").read_text(encoding="utf-8")
    groups: dict[str, dict[str, float]] = json.loads(text)
    return SpanWeights(
        {f"{kind} {name}" if kind else name: weight for kind, names in groups.items() for name, weight in names.items()}
    )
