"""The piece of a sentence that answers: every short run of words, scored by a fitted model of its ends and its whole.

`fitting/spans.py` writes the weights (`spans.json`) and prints how good the pieces are on articles never seen.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from heapq import nsmallest
from importlib import resources

from spanwise.text.quantities import quantities
from spanwise.text.terms import STOPWORDS, terms

MOST_WORDS = 10
"""Words of the longest piece."""
MOST_PIECES = 60
"""Pieces whose whole is looked at, chosen by their two ends."""
MOST_TOKENS = 120
"""Longer sentences are not searched."""
# An initial keeps its full stop, which ends no name: "Mary N. Dillon".
_TOKEN = re.compile(r"\b[A-Z]\.(?=\s+[A-Z])|[^\W_]+(?:[-\u2010\u2011'\u2019.,&/][^\W_]+)*|[^\w\s]")
_KINDS = (
    ("when", r"\bwhen\b|\b(?:what|which)\s+(?:\w+\s+)?(?:years?|centur\w+|decades?|dates?|days?|months?|time)\b"),
    ("many", r"\bhow\s+(?:many|often|old|far|large|big|high|tall|fast)\b|\bwhat\s+(?:percent\w*|number)\b"),
    ("much", r"\bhow\s+much\b"),
    ("long", r"\bhow\s+long\b"),
    ("who", r"\bwho(?:m|se)?\b"),
    ("where", r"\bwhere\b|\b(?:what|which)\s+(?:\w+\s+)?(?:city|cities|countr\w+|states?|places?|regions?|areas?)\b"),
    ("why", r"\bwhy\b"),
    ("how", r"\bhow\b"),
    ("be", r"\bwhat\s+(?:is|are|was|were|'s)\b"),
    ("do", r"\bwhat\s+(?:do|does|did|can|could|has|have|had|will|would|must|may)\b|\bwhat\W*$"),
    ("which", r"\b(?:what|which)\b"),
)
_ASKED = tuple((name, re.compile(pattern, re.IGNORECASE)) for name, pattern in _KINDS)
_NOUN = re.compile(r"\b(?:what|which|how\s+many)\s+(?:(?:type|kind|sort|form)s?\s+of\s+)?(\w+)", re.IGNORECASE)
_FUNCTION = STOPWORDS | frozenset(
    "upon via among amongst against within without toward towards near also called known".split()
)
_VERBS = frozenset(
    "is are was were be been being has have had did does do can could may might must shall will would".split()
)


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a sentence, `text[start:end]`, and the chance that it is the one among all pieces."""

    start: int
    end: int
    chance: float


@dataclass(frozen=True, slots=True)
class Words:
    """A sentence taken apart beside a question."""

    kind: str
    """How the question asks."""
    spans: tuple[tuple[int, int], ...]
    looks: tuple[str, ...]
    """What each token looks like: a function word itself, `Cap`, `9`, `low`, or a mark."""
    asked: tuple[bool, ...]
    """Whether the question has it."""
    nouns: tuple[bool, ...]
    """Whether it is the noun after "what" or "which"."""
    quantities: Mapping[tuple[int, int], str]
    """The kind of the quantity that a range of tokens `[first, last]` is."""
    inside: frozenset[int]
    """Tokens of quantities."""


def take_apart(question: str, sentence: str) -> Words:
    """Tokens of a sentence with what the question makes of them."""
    tokens = [match.span() for match in _TOKEN.finditer(sentence)][:MOST_TOKENS]
    wanted = frozenset(terms(question))
    noun = _NOUN.search(question)
    nouns = frozenset(terms(noun[1])) if noun else frozenset()
    looks, asked, named = [], [], []
    for start, end in tokens:
        word = sentence[start:end]
        looks.append(_look(word))
        stems = terms(word) if word[0].isalnum() else []
        asked.append(any(stem in wanted for stem in stems))
        named.append(any(stem in nouns for stem in stems))
    found, inside = _quantities(sentence, tokens)
    kind = next((name for name, pattern in _ASKED if pattern.search(question)), "other")
    return Words(kind, tuple(tokens), tuple(looks), tuple(asked), tuple(named), found, inside)


def _look(word: str) -> str:
    low = word.lower()
    if low in _FUNCTION or not word[0].isalnum():
        return low
    if any(character.isdigit() for character in word):
        return "9"
    return "Cap" if word[0].isupper() else "low"


def _quantities(sentence: str, tokens: Sequence[tuple[int, int]]) -> tuple[dict[tuple[int, int], str], frozenset[int]]:
    found: dict[tuple[int, int], str] = {}
    inside: set[int] = set()
    for quantity in quantities(sentence):
        covered = [at for at, (start, end) in enumerate(tokens) if start < quantity.end and end > quantity.start]
        if covered:
            found[covered[0], covered[-1]] = quantity.kind
            inside.update(covered)
    return found, frozenset(inside)


def pieces(words: Words) -> Iterator[tuple[int, int]]:
    """Ranges of tokens `[first, last]` that may answer: no mark and no verb form at either end, not all of it asked."""
    size = len(words.spans)
    for first in range(size):
        if not _may_open(words.looks[first]):
            continue
        for last in range(first, min(first + MOST_WORDS, size)):
            if words.looks[last] in ".;:?!" and last > first:
                break
            if _may_close(words.looks[last]) and not all(words.asked[first : last + 1]):
                yield first, last


def _may_open(look: str) -> bool:
    return (
        (look[0].isalnum() or look in '$\u00a3\u20ac"\u201c') and look not in _VERBS and look not in ("and", "or", "of")
    )


def _may_close(look: str) -> bool:
    return (look[0].isalnum() or look == "%") and (look not in _FUNCTION or look in ("one", "two", "s"))


def start_features(words: Words, first: int) -> list[str]:
    """What speaks for a piece that begins here."""
    before = words.looks[first - 1] if first else "^"
    two = words.looks[first - 2] if first > 1 else "^"
    asked = words.asked[first - 1] if first else False
    back = next((gap for gap in range(1, 9) if first - gap >= 0 and words.asked[first - gap]), 9)
    return [
        f"<{before}",
        f"<<{two} {before}",
        f"[{words.looks[first]}",
        f"[q{words.asked[first]}",
        f"<q{asked}",
        f"<d{back}",
    ]


def end_features(words: Words, last: int) -> list[str]:
    """What speaks for a piece that ends here."""
    size = len(words.spans)
    after = words.looks[last + 1] if last + 1 < size else "$"
    asked = words.asked[last + 1] if last + 1 < size else False
    noun = words.nouns[last + 1] if last + 1 < size else False
    ahead = next((gap for gap in range(1, 9) if last + gap < size and words.asked[last + gap]), 9)
    return [f">{after}", f"]{words.looks[last]}", f"]q{words.asked[last]}", f">q{asked}", f">n{noun}", f">d{ahead}"]


def whole_features(words: Words, first: int, last: int) -> list[str]:
    """What speaks for a piece as a whole."""
    looks = words.looks[first : last + 1]
    found = [f"n{last - first + 1}", f"o{min(2, sum(words.asked[first : last + 1]))}"]
    kind = words.quantities.get((first, last))
    if kind is not None:
        found.append(f"k {kind}")
    elif first in words.inside or last in words.inside:
        found.append("kpart")
    else:
        found.append("kin" if any(at in words.inside for at in range(first, last + 1)) else "knone")
    capitals = [look == "Cap" for look in looks]
    if all(capitals):
        cut = (first > 0 and words.looks[first - 1] == "Cap") or (
            last + 1 < len(words.looks) and words.looks[last + 1] == "Cap"
        )
        found.append("Caps cut" if cut else "Caps")
    elif any(capitals):
        found.append("some caps")
    found += [f"h{any(words.nouns[first : last + 1])}"]
    found += [
        name
        for name, these in (("v", _VERBS), (",", ","), ("and", ("and", "or")), ("of", ("of",)))
        if any(look in these for look in looks)
    ]
    return found


def best_piece(question: str, sentence: str) -> Piece | None:
    """The piece that most likely answers; None when the sentence has none."""
    words = take_apart(question, sentence)
    weights = _weights(words.kind)
    starts: dict[int, float] = {}
    ends: dict[int, float] = {}
    edges = []
    for first, last in pieces(words):
        if first not in starts:
            starts[first] = _sum(weights, start_features(words, first))
        if last not in ends:
            ends[last] = _sum(weights, end_features(words, last))
        edges.append((-starts[first] - ends[last], first, last))
    if not edges:
        return None
    # Pieces whose two ends already speak against them take no share worth the time.
    scored = [
        (_sum(weights, whole_features(words, first, last)) - ends_cost, first, last)
        for ends_cost, first, last in nsmallest(MOST_PIECES, edges)
    ]
    top, first, last = max(scored, key=lambda one: (one[0], -one[1], -one[2]))
    chance = 1 / sum(math.exp(score - top) for score, _, _ in scored)
    return Piece(words.spans[first][0], words.spans[_with_noun(words, first, last)][1], chance)


def _with_noun(words: Words, first: int, last: int) -> int:
    """The last token of a piece with what it counts, where it is a number in words: "a single pass", not "single"."""
    if words.kind in ("many", "much", "long") and "9" not in words.looks[first : last + 1]:
        for following in range(last + 1, min(last + 4, len(words.spans))):
            if not words.asked[following]:
                break
            last = following
    return last


def _sum(weights: Mapping[str, float], features: Sequence[str]) -> float:
    return sum([weights.get(feature, 0.0) for feature in features])


@lru_cache(maxsize=len(_KINDS) + 1)
def _weights(kind: str) -> Mapping[str, float]:
    """The weight of each feature in a question that asks in this way: its general one and its own together."""
    everything = _shipped()
    merged = dict(everything)
    for name, weight in everything.items():
        if name.startswith(f"{kind} "):
            plain = name.removeprefix(f"{kind} ")
            merged[plain] = merged.get(plain, 0.0) + weight
    return merged


@lru_cache(maxsize=1)
def _shipped() -> Mapping[str, float]:
    text = resources.files("spanwise.synthesis.extractive").joinpath("spans.json").read_text(encoding="utf-8")
    weights: dict[str, float] = json.loads(text)
    return weights
