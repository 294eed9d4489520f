"""A question and a sentence, taken apart into words: what each looks like, and what the question makes of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from spanwise.text.expectations.forms import asking_part
from spanwise.text.quantities import quantities
from spanwise.text.related import rarity
from spanwise.text.terms import STOPWORDS, terms

MOST_WORDS = 10
"""Words of the longest piece."""
MOST_TOKENS = 120
"""Longer sentences are not searched."""
KIN = 5
"""Letters that two stems of one family share at their beginning."""
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
KINDS = (*(name for name, _ in _KINDS), "other")
"""The ways to ask."""
_NAMED = re.compile(
    r"\b(?:what|which)\s+(?:\w+\s+){0,2}?(?:\w+(?:er|or|ist|ian|ant|man|woman)|king|queen|pope|emperor|name|group|people"
    r"|company|team|organization|band|person)\b",
    re.IGNORECASE,
)
_NOUN = re.compile(r"\b(?:what|which|how\s+many)\s+(?:(?:type|kind|sort|form)s?\s+of\s+)?(\w+)", re.IGNORECASE)
FUNCTION = STOPWORDS | frozenset(
    "upon via among amongst against within without toward towards near also called known".split()
)
"""Words that carry the form of a sentence."""
VERBS = frozenset(
    "is are was were be been being has have had did does do can could may might must shall will would".split()
)
_YEAR = re.compile(r"1\d{3}|20[0-2]\d")
_ENDINGS = {
    "ing": ("ing",),
    "ed": ("ed",),
    "ly": ("ly",),
    "ion": ("ion", "ment", "ity", "ness", "ism"),
    "ous": ("ous", "ive", "al", "ic", "able", "ary"),
    "er": ("er", "or", "ist"),
}
_FAMILIES = tuple((ending, family) for family, endings in _ENDINGS.items() for ending in endings)
_QUOTES = '$\u00a3\u20ac"\u201c'
_STOPS = frozenset(".;:?!")


@dataclass(frozen=True, slots=True)
class Asking:
    """How a question asks, and for what."""

    kind: str
    """One of KINDS."""
    fine: str
    """The same, or `named` for a "what" or "which" before somebody or something that has a name."""
    places: Mapping[str, int]
    """The place of each stem among the question's content words."""
    nouns: frozenset[str]
    """Stems of the noun after "what" or "which"."""
    beginnings: frozenset[str]
    """How the longer stems begin."""


@dataclass(frozen=True, slots=True)
class Words:
    """A sentence taken apart beside a question; every tuple has one element a token."""

    asking: Asking
    spans: tuple[tuple[int, int], ...]
    texts: tuple[str, ...]
    looks: tuple[str, ...]
    """What each token looks like: a function word itself, `Cap`, `CAP`, `Y` (a year), `9`, an ending, or a mark."""
    roles: tuple[str, ...]
    """`f`, `l` or `m` where the question has the word, as its first, last or another one; `k` for kin of one; else
    nothing."""
    nouns: tuple[bool, ...]
    """Whether it is the noun after "what" or "which"."""
    rarities: tuple[float, ...]
    """In [0, 1]; 0 for function words and marks."""
    quantities: Mapping[tuple[int, int], str]
    """The kind of the quantity that a range of tokens `[first, last]` is."""
    inside: frozenset[int]
    """Tokens of quantities."""

    def asked(self, at: int) -> bool:
        """Whether the question has the very word."""
        return self.roles[at] in ("f", "m", "l")


@lru_cache(maxsize=256)
def asking(question: str) -> Asking:
    """Look at a question's form."""
    part = asking_part(question)
    kind = next((name for name, pattern in _ASKED if pattern.search(part)), "other")
    stems = terms(question)
    noun = _NOUN.search(question)
    return Asking(
        kind,
        "named" if kind == "which" and _NAMED.search(question) else kind,
        {stem: at for at, stem in reversed(list(enumerate(stems)))},
        frozenset(terms(noun[1])) if noun else frozenset(),
        frozenset(stem[:KIN] for stem in stems if len(stem) >= KIN and stem.isalpha()),
    )


def take_apart(question: str, sentence: str) -> Words:
    """Tokens of a sentence with what the question makes of them."""
    asked = asking(question)
    tokens = [match.span() for match in _TOKEN.finditer(sentence)][:MOST_TOKENS]
    texts = [sentence[start:end] for start, end in tokens]
    stems = [_stems(word) for word in texts]
    found, inside = _quantities(sentence, tokens)
    return Words(
        asked,
        tuple(tokens),
        tuple(texts),
        tuple(_look(word) for word in texts),
        tuple(_role(asked, own) for own in stems),
        tuple(any(stem in asked.nouns for stem in own) for own in stems),
        tuple(map(_rarest, texts)),
        found,
        inside,
    )


@lru_cache(maxsize=16384)
def _stems(word: str) -> tuple[str, ...]:
    return tuple(terms(word)) if word[0].isalnum() else ()


@lru_cache(maxsize=16384)
def _rarest(word: str) -> float:
    return max(map(rarity, _stems(word)), default=0.0)


@lru_cache(maxsize=16384)
def _look(word: str) -> str:
    low = word.lower()
    if low in FUNCTION or not word[0].isalnum():
        return low
    if any(character.isdigit() for character in word):
        return "Y" if _YEAR.fullmatch(word) else "9"
    if word[0].isupper():
        return "CAP" if len(word) > 1 and word.isupper() else "Cap"
    for ending, family in _FAMILIES:
        if low.endswith(ending) and len(low) > len(ending) + 2:
            return family
    return "pl" if low.endswith("s") and not low.endswith("ss") else "low"


def _role(asked: Asking, stems: Sequence[str]) -> str:
    place = next((asked.places[stem] for stem in stems if stem in asked.places), None)
    if place is None:
        return "k" if any(len(stem) >= KIN and stem[:KIN] in asked.beginnings for stem in stems) else ""
    if place == 0:
        return "f"
    return "l" if place == max(asked.places.values()) else "m"


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
    looks, size = words.looks, len(words.spans)
    # Each token is in many pieces, so what it is in all of them is told before.
    new = [look[0].isalnum() and look not in FUNCTION and not words.asked(at) for at, look in enumerate(looks)]
    closing = [_may_close(look) for look in looks]
    for first in range(size):
        if not _may_open(looks[first]):
            continue
        news = False
        for last in range(first, min(first + MOST_WORDS, size)):
            if looks[last] in _STOPS and last > first:
                break
            news = news or new[last]
            if news and closing[last]:
                yield first, last


def _may_open(look: str) -> bool:
    return (look[0].isalnum() or look in _QUOTES) and look not in VERBS and look not in ("and", "or", "of")


def _may_close(look: str) -> bool:
    return (look[0].isalnum() or look == "%") and (look not in FUNCTION or look in ("one", "two", "s"))
