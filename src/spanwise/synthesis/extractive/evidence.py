"""How a sentence looks as the answer to a question: a row of numbers, which a fitted model turns into a probability."""

from __future__ import annotations

import math
import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

from spanwise.domain.question import Question
from spanwise.text.abbreviations import abbreviations, spelled_out
from spanwise.text.reading import Reading
from spanwise.text.terms import placed_terms, terms

# To look at the first letter before all else takes a third of the time.
NEGATION = re.compile(r"(?=[ncw])(?:\b(?:not|never|no|cannot|without|neither|nor|none)\b|n['\u2019]t\b)", re.IGNORECASE)
_NUMBER = re.compile(r"\d")
_COUNT = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozens?|hundreds?|thousands?|millions?"
    r"|billions?|half|third|quarter|single|fraction|several|percent)\b",
    re.IGNORECASE,
)
_TIME = re.compile(
    r"\b(?:1\d{3}|20\d{2}|\d{3,4}s|centur(?:y|ies)|january|february|march|april|may|june|july|august|september|october"
    r"|november|december|spring|summer|autumn|winter|when|after|before|until|during|days?|weeks?|years?)\b",
    re.IGNORECASE,
)
_PLACE = re.compile(r"\b(?:in|at|on|from|to|near|within|into|under|between)\s+(?:the\s+)?\w")
_NAME = re.compile(r"(?<=[\w,;:()\"'\u201c-] )[A-Z][\w'\u2019-]+")
_PRONOUN = re.compile(r"^\W*(?:it|he|she|they|this|these|those|that|such|its|his|her|their)\b", re.IGNORECASE)
MOST = 32
"""Sentences of one question that are looked at closely."""
_LEAST_WORDS = 4
"""Shorter ones are headings and labels: they name the subject and say nothing about it."""
_SCORE = 0.3
_RANK = 0.02
"""What the score of a passage and its place count before the close look."""
_LOW, _LOWER = 0.7, 0.45
"""Coverage below which a sentence and its neighbours speak of something else: the less, the more likely."""
_BACK = 4
"""Sentences before one in which its subject may be named."""
_KIN = 5
"""Letters that two stems share at their beginning to be kin (destruct, destroy are not; execut, execution are)."""
_KIN_WORTH = 0.6
HEADING = 0.85
"""What a word counts that only the heading of a sentence has. Set by hand: the public articles have no headings."""
NAMES = (
    "own", "kin", "before", "after", "around", "pairs", "tight", "unseen", "missing", "score", "rank",
    "typed", "untyped", "entities", "entities_around", "numbers", "negated", "unnegated", "length", "row", "item",
    "pronoun", "spoken_of", "first", "news", "asked", "low", "lower", "choice",
)  # fmt: skip
"""The features in their order."""


@dataclass(frozen=True)
class Asked:
    """What a question wants of a sentence."""

    question: Question
    weights: Mapping[str, float]
    """How much each of its stems counts."""
    total: float
    unseen: float
    """Share of the question's weight that no passage has."""
    introduced: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Abbreviations that the passages introduce, with the stems of the question that they stand for."""

    @classmethod
    def of(cls, question: Question, weights: Mapping[str, float], readings: Sequence[Reading]) -> Asked:
        """Look at a question beside the passages that were found for it."""
        total = sum(weights.values())
        seen = {stem for stem in weights if any(stem in one.text or stem in one.title for one in readings)}
        absent = sum(weight for stem, weight in weights.items() if stem not in seen)
        introduced = abbreviations((one.passage for one in readings), question.stems)
        return cls(question, weights, total, absent / total if total else 1.0, introduced)

    @cached_property
    def pairs(self) -> frozenset[tuple[str, str]]:
        """Stems that are neighbours in the question."""
        stems = [stem for stem in terms(self.question.text) if stem in self.weights]
        return frozenset(pairwise(stems))

    @cached_property
    def names(self) -> frozenset[str]:
        """Stems of the question's names."""
        return frozenset(stem for name in self.question.entities for stem in terms(name))

    @cached_property
    def numbers(self) -> frozenset[str]:
        """Stems of the question that are numbers."""
        return frozenset(stem for stem in self.weights if _NUMBER.search(stem))

    @cached_property
    def short(self) -> Mapping[str, frozenset[str]]:
        """Initials ("ce") that documents write instead of longer names of the question, with what they stand for."""
        names = [name.split() for name in self.question.entities]
        return {
            "".join(word[0] for word in name if word[0].isupper()).lower(): frozenset(terms(" ".join(name)))
            for name in names
            if sum(word[0].isupper() for word in name) > 1
        } | dict(self.introduced)

    def covered(self, had: Container[str], also: Container[str] = ()) -> float:
        """Share of the question's weight that some stems cover, and others with them."""
        if not self.total:
            return 0.0
        return sum([weight for stem, weight in self.weights.items() if stem in had or stem in also]) / self.total

    def with_names(self, stems: frozenset[str]) -> frozenset[str]:
        """Some stems, and those of the names that they give by their initials, or the other way round."""
        return spelled_out(stems, self.short)

    @cached_property
    def negated(self) -> bool:
        """Whether the question itself denies something."""
        return bool(NEGATION.search(self.question.text))

    @cached_property
    def kin(self) -> Mapping[str, str]:
        """The beginning of each longer stem."""
        return {stem: stem[:_KIN] for stem in self.weights if len(stem) >= _KIN and stem.isalpha()}


def shortlist(
    asked: Asked,
    readings: Sequence[Reading],
    scores: Sequence[float],
    among: Container[tuple[int, int]] | None = None,
) -> list[tuple[int, int]]:
    """The sentences that are worth a close look, as places of the passage and the sentence in it, in their order.

    Args:
        asked: The question.
        readings: The passages, best first.
        scores: Their scores, each as a share of the best one's.
        among: The places that are looked at; None for all.
    """
    found = []
    for rank, (reading, score) in enumerate(zip(readings, scores, strict=True)):
        for at, sentence in enumerate(reading.sentences):
            if sentence.role == "heading" or sentence.text.count(" ") < _LEAST_WORDS - 1:
                continue
            if among is not None and (rank, at) not in among:
                continue
            worth = asked.covered(asked.with_names(frozenset(sentence.stems))) + _SCORE * score - _RANK * rank
            found.append((-worth, rank, at))
    return sorted((rank, at) for _, rank, at in sorted(found)[:MOST])


def measure(asked: Asked, reading: Reading, at: int, *, rank: int, score: float, choice: int) -> tuple[float, ...]:
    """The features of one sentence.

    Args:
        asked: The question.
        reading: The passage.
        at: Place of the sentence in the passage.
        rank: Place of the passage among the hits, from 0.
        score: The passage's score as a share of the best one's.
        choice: How many sentences are looked at.
    """
    sentence = reading.sentences[at]
    weights = asked.weights
    alone = asked.with_names(frozenset(sentence.stems))
    inside = alone | asked.with_names(reading.title)
    own = with_heading(asked.covered(alone), asked.covered(inside))
    with_before = inside | _said_before(reading, at)
    before = asked.covered(with_before)
    following = reading.sentences[at + 1 : at + 2]
    near = with_before.union(*(one.stems for one in following))
    after = asked.covered(near)
    around = asked.covered(near, reading.text)
    places = [place for place, stem in enumerate(sentence.stems) if stem in weights]
    typed = _typed(asked, sentence.text)
    denied = bool(NEGATION.search(sentence.text))
    words = len(sentence.text.split())
    pronoun = bool(_PRONOUN.match(sentence.text))
    return (
        own,
        _kin(asked, inside) if asked.total else 0.0,
        before - own,
        after - before,
        around - after,
        _share_of_pairs(asked, sentence.stems, alone),
        len(set(places)) / (1 + places[-1] - places[0]) if len(places) > 1 else 0.0,
        asked.unseen,
        float(around >= 1 - 1e-9),
        score,
        math.log1p(rank),
        float(typed is True),
        float(typed is False),
        _missing(asked.names, inside),
        _missing(asked.names, near, reading.text),
        _missing(asked.numbers, near),
        float(denied and not asked.negated),
        float(asked.negated and not denied),
        math.log1p(words),
        float(sentence.role == "table_row"),
        float(sentence.role == "list_item"),
        float(pronoun),
        before - own if pronoun else 0.0,
        float(at == 0),
        min(1.0, (len(sentence.stems) - len(places)) / 8),
        math.log1p(len(weights)),
        max(0.0, _LOW - after),
        max(0.0, _LOWER - after),
        math.log1p(choice),
    )


def with_heading(alone: float, inside: float) -> float:
    """A share of the question that a sentence says, and more of it with its heading.

    What the heading says is said of every sentence under it, though a sentence that says it itself is better.
    """
    return alone + HEADING * (inside - alone)


def _said_before(reading: Reading, at: int) -> frozenset[str]:
    """Stems of the sentence before, and of those before it in the same paragraph: "Public cloud. ... It exists ..."."""
    found: set[str] = set()
    block = reading.sentences[at].block
    for back in range(1, min(at, _BACK) + 1):
        earlier = reading.sentences[at - back]
        if back > 1 and earlier.block != block:
            break
        found.update(earlier.stems)
    return frozenset(found)


def _kin(asked: Asked, inside: frozenset[str]) -> float:
    """Weight of the stems that the sentence lacks but has a kin of, as a share."""
    lacking = [stem for stem in asked.kin if stem not in inside]
    if not lacking:
        return 0.0
    beginnings = {stem[:_KIN] for stem in inside}
    return sum(asked.weights[stem] for stem in lacking if asked.kin[stem] in beginnings) * _KIN_WORTH / asked.total


def _share_of_pairs(asked: Asked, stems: Sequence[str], had: frozenset[str]) -> float:
    """Share of the question's neighbours that are as near in some stems, all of which are in a set."""
    both = [pair for pair in asked.pairs if pair[0] in had and pair[1] in had]
    if not both:
        return 0.0  # most sentences: nothing to be put together
    near = set(pairwise(stems)) | set(zip(stems, stems[2:], strict=False))
    return len(near.intersection(both)) / len(asked.pairs)


def _missing(wanted: frozenset[str], had: frozenset[str], also: Container[str] = ()) -> float:
    return sum(stem not in had and stem not in also for stem in wanted) / len(wanted) if wanted else 0.0


def _typed(asked: Asked, text: str) -> bool | None:
    """Whether the sentence has a value of the kind that is asked for; None when any will do."""
    kind = asked.question.answer_type
    if kind == "date":
        return _new(asked, _TIME, text)
    if kind in ("quantity", "amount"):
        return _new(asked, _COUNT, text)
    if kind == "person":
        return _new(asked, _NAME, text)
    if kind == "place":
        return bool(_PLACE.search(text))
    return None


def _new(asked: Asked, pattern: re.Pattern[str], text: str) -> bool:
    """Whether the pattern finds a word that the question does not have itself."""
    own = asked.weights
    return any(all(stem not in own for _, stem in placed_terms(match.group())) for match in pattern.finditer(text))
