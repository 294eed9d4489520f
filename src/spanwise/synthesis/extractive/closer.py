"""A closer look at the few sentences that stand out: their best pieces, rare words that are missing, words in order."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise

from spanwise.synthesis.extractive.apart import KIN, KINDS, asking
from spanwise.synthesis.extractive.evidence import NAMES, NEGATION, Asked, with_heading
from spanwise.synthesis.extractive.opposites import opposed
from spanwise.synthesis.extractive.spans import Piece, SpanWeights, best_piece
from spanwise.text.rarity import rarity
from spanwise.text.reading import Reading
from spanwise.text.terms import stem, terms

CLOSE = 6
"""Sentences that are looked at."""
_WORD = re.compile(r"[^\W_]+(?:['\u2019.,-][^\W_]+)*")
_MOST_WORDS = 200
"""Words of a question or a sentence of which runs are compared."""
_NEAR = 3
_TIMES = ("date", "period", "year", "duration")
OWN = (
    "general", "general_kin", "rarest_missing", "bigrams", "trigrams", "near_pairs", "run", "first_stem", "last_stem",
    "second_stem", "capitals", "figures", "words", "capital_missing", "general_own", "piece", "chance",
    "next_chance", "pieces", "fits", "named", "asked_piece", "piece_words", "opposed", "opposed_around",
    "rarest_absent", "mean_absent", "rarest_strange", "strange", "logit",
)  # fmt: skip
"""What a sentence has by itself."""
BESIDE = ("own", "general_kin", "near_pairs", "piece", "logit")
"""Features that are also compared with the best of the question."""
LOOK = (*NAMES, *OWN, *(f"{name}_behind" for name in BESIDE))
"""The features of a closer look: those of the first look, its own, and how far some are behind the best."""
WHOLE = ("lead", "best", "close", "denies", "stems", *(f"asks_{kind}" for kind in KINDS))
"""Features of a question with all its sentences, in the order of `whole`."""
_PLACES = tuple((*NAMES, *OWN).index(name) for name in BESIDE)


@dataclass(frozen=True)
class Wanted:
    """What the words of a question ask of a sentence's words."""

    text: str
    asked: Asked

    @cached_property
    def stems(self) -> tuple[str, ...]:
        """Stems of the content words in their order, each once."""
        return tuple(dict.fromkeys(terms(self.text)))

    @cached_property
    def rarities(self) -> Mapping[str, float]:
        """How rare each of them is."""
        return {one: rarity(one) for one in self.stems}

    @cached_property
    def total(self) -> float:
        """What they count together, or 1 when there are none."""
        return sum(self.rarities.values()) or 1.0

    @cached_property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Content words next to each other, each two once."""
        return tuple(dict.fromkeys(pairwise(terms(self.text))))

    @cached_property
    def words(self) -> tuple[str, ...]:
        """All words in lower case."""
        return _words(self.text)

    @cached_property
    def runs_of_two(self) -> frozenset[tuple[str, ...]]:
        """Every two of them in a row."""
        return frozenset(_runs(self.words, 2))

    @cached_property
    def runs_of_three(self) -> frozenset[tuple[str, ...]]:
        """Every three of them in a row."""
        return frozenset(_runs(self.words, 3))

    @cached_property
    def capitals(self) -> tuple[str, ...]:
        """Stems of the words with a capital, the first word of the question left out."""
        return tuple(one for word in _WORD.findall(self.text)[1:] if word[0].isupper() for one in terms(word))

    @cached_property
    def numbers(self) -> tuple[str, ...]:
        """Those that begin with a figure."""
        return tuple(one for one in self.stems if one[0].isdigit())

    @cached_property
    def forms(self) -> frozenset[str]:
        """Stems of all words."""
        return _forms(self.words)


def look(
    asked: Asked,
    readings: Sequence[Reading],
    chosen: Sequence[tuple[int, int]],
    rows: Sequence[Sequence[float]],
    logits: Sequence[float],
    weights: SpanWeights | None = None,
) -> list[tuple[float, ...]]:
    """The features LOOK of a few sentences of one question.

    Args:
        asked: The question.
        readings: The passages.
        chosen: The sentences, as places of the passage and of the sentence in it.
        rows: Their features of the first look.
        logits: How the first look ranks them.
        weights: Another model of pieces than the shipped one.
    """
    question = asked.question.text
    wanted = Wanted(question, asked)
    kind = asking(question).kind
    found = []
    for (rank, at), row, logit in zip(chosen, rows, logits, strict=True):
        reading = readings[rank]
        text = reading.sentences[at].text
        # Asked for as everybody does, so that it is found once.
        piece = best_piece(question, text) if weights is None else best_piece(question, text, weights)
        own = (*_words_of(wanted, text, reading.title), *_of_piece(kind, piece), *_missing(wanted, text, reading))
        found.append((*row, *own, logit))
    best = [max(row[place] for row in found) for place in _PLACES] if found else []
    return [(*row, *(row[place] - top for place, top in zip(_PLACES, best, strict=True))) for row in found]


def whole(question: str, logits: Sequence[float]) -> tuple[float, ...]:
    """The features WHOLE, from how the closer look ranks its sentences (at least one)."""
    ranked = sorted(logits, reverse=True)
    kind = asking(question).kind
    return (
        ranked[0] - ranked[1] if len(ranked) > 1 else 3.0,
        ranked[0],
        float(len(ranked)),
        float(bool(NEGATION.search(question))),
        float(len(set(terms(question)))),
        *(float(kind == one) for one in KINDS),
    )


def _words_of(wanted: Wanted, text: str, title: frozenset[str]) -> tuple[float, ...]:
    """How much of the question the sentence and its heading say, words weighed by their rarity and in order."""
    stems = terms(text)
    alone = wanted.asked.with_names(frozenset(stems))
    had = alone | wanted.asked.with_names(title)
    words = _words(text)
    weights, total = wanted.rarities, wanted.total
    said = sum(weight for one, weight in weights.items() if one in alone) / total
    general = with_heading(said, sum(weight for one, weight in weights.items() if one in had) / total)
    beginnings = _beginnings(had)
    kin = sum(weight for one, weight in weights.items() if one in had or _kin(one, beginnings)) / total
    both = [(a, b) for a, b in wanted.pairs if a in alone and b in alone]
    near = {pair for gap in range(1, _NEAR + 1) for pair in zip(stems, stems[gap:], strict=False)} if both else ()
    pairs = sum(min(weights[a], weights[b]) for a, b in both if (a, b) in near or (b, a) in near) / total
    return (
        general,
        kin,
        max((weight for one, weight in weights.items() if one not in had), default=0.0),
        _share_of_runs(wanted.runs_of_two, words, 2),
        _share_of_runs(wanted.runs_of_three, words, 3),
        pairs,
        _longest_run(wanted.words, words) / max(1, len(wanted.words)),
        *(float(bool(some) and some[0] in had) for some in (wanted.stems, wanted.stems[::-1], wanted.stems[1:])),
        _share(wanted.capitals, had),
        _share(wanted.numbers, had),
        len(words) / 30,
        float(any(one not in had for one in wanted.capitals)),
        general * kin,
    )


def _of_piece(kind: str, piece: Piece | None) -> tuple[float, ...]:
    """How good the best piece of the sentence is."""
    if piece is None:
        return (-5.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    return (
        piece.score,
        piece.chance,
        piece.second,
        math.log1p(piece.pieces),
        _fits(kind, piece),
        float(piece.capitals),
        float(piece.asked == 0) - float(piece.asked > 1),
        float(piece.words),
    )


def _fits(kind: str, piece: Piece) -> float:
    """Whether the piece is of the kind that is asked for: 1, -1 when not, 0 when any will do."""
    if kind == "when":
        return 1.0 if piece.kind.removeprefix("k ") in _TIMES else 0.5 if piece.kind.startswith("k ") else -1.0
    if kind in ("many", "much", "long"):
        return 1.0 if piece.kind.startswith("k ") else -1.0
    if kind == "who":
        return 1.0 if piece.capitals else -1.0
    return float(kind == "where" and piece.capitals)


def _missing(wanted: Wanted, text: str, reading: Reading) -> tuple[float, ...]:
    """What the sentence contradicts, and what its whole passage lacks."""
    had = wanted.asked.with_names(reading.text | reading.title)
    absent = [one for one in wanted.stems if one not in had]
    beginnings = _beginnings(had) if absent else frozenset()
    strange = [one for one in absent if not _kin(one, beginnings)]
    return (
        float(opposed(wanted.forms, _forms(_words(text)))),
        float(opposed(wanted.forms, _forms_of(reading.passage.text))),
        max(map(rarity, absent), default=0.0),
        sum(map(rarity, absent)) / max(1, len(wanted.stems)),
        max(map(rarity, strange), default=0.0),
        float(len(strange)),
    )


def _beginnings(stems: AbstractSet[str]) -> AbstractSet[str]:
    return {one[:KIN] for one in stems}


def _kin(one: str, beginnings: AbstractSet[str]) -> bool:
    return len(one) >= KIN and one[:KIN] in beginnings


def _words(text: str) -> tuple[str, ...]:
    return tuple(map(str.lower, _WORD.findall(text)))


def _forms(words: Sequence[str]) -> frozenset[str]:
    return frozenset(map(stem, words))


@lru_cache(maxsize=256)
def _forms_of(passage: str) -> frozenset[str]:
    return _forms(_words(passage))


def _runs(words: Sequence[str], size: int) -> Iterable[tuple[str, ...]]:
    """Every run of so many words."""
    return zip(*(words[at:] for at in range(size)), strict=False)


def _share_of_runs(asked: frozenset[tuple[str, ...]], words: Sequence[str], size: int) -> float:
    """Share of the question's runs of so many words that the sentence has."""
    return len(asked.intersection(_runs(words, size))) / max(1, len(asked))


def _longest_run(asked: Sequence[str], words: Sequence[str]) -> int:
    """Words of the longest run that both have."""
    longest = 0
    before: dict[int, int] = {}
    places: dict[str, list[int]] = {}
    for at, word in enumerate(words[:_MOST_WORDS]):
        places.setdefault(word, []).append(at)
    for word in asked[:_MOST_WORDS]:
        before = {at: before.get(at - 1, 0) + 1 for at in places.get(word, ())}
        longest = max(longest, max(before.values(), default=0))
    return longest


def _share(wanted: Sequence[str], had: AbstractSet[str]) -> float:
    return sum(one in had for one in wanted) / len(wanted) if wanted else 0.5
