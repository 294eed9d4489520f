"""What speaks for a piece of a sentence as the answer: the words at its two ends, and how it looks as a whole.

Features have names, and a linear model weighs them; `fitting/spans.py` fits it.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache, reduce
from itertools import accumulate
from operator import or_

from spanwise.synthesis.extractive.span_tokens import FUNCTION, MOST_WORDS, VERBS, Words

_FAR = 13
"""Words beyond which a word of the question is not looked for."""
_PATTERN = 4
"""Words of the longest piece whose looks are a pattern."""
_NAMES = ("Cap", "CAP")
_QUOTES = '"\u201c\u201d'
_HOLDS = (
    ("v", VERBS),
    (",", frozenset(",")),
    ("and", frozenset(("and", "or"))),
    ("of", frozenset(("of",))),
    ("prep", frozenset(("in", "on", "at", "by", "for", "to", "from", "with"))),
    ("rel", frozenset(("which", "that", "who", "where", "when"))),
)
_HELD_NAMES = tuple(
    tuple(name for at, (name, _) in enumerate(_HOLDS) if held >> at & 1) for held in range(1 << len(_HOLDS))
)
"""The names for each set of places in `_HOLDS`, a set being the bits of a number."""
# Names that every piece has one of: to put them together anew for each piece would take as long as all the rest.
_ASKED = ("o0", "o1", "o2")
_NOUN = ("hFalse", "hTrue")
_NEAR = tuple(f"x{near}" for near in range(9))
_SIDES = tuple(f"s{side}" for side in range(5))
_OPEN = ("par0", "par1")
_SIZES = tuple(f"n{size}" for size in range(MOST_WORDS + 1))
_RAREST = tuple(f"y{rare}" for rare in range(6))
_RARE = tuple(f"z{rare}" for rare in range(6))


def start_features(words: Words, first: int) -> list[str]:
    """What speaks for a piece that begins here."""
    looks = words.looks
    look = looks[first]
    before = looks[first - 1] if first else "^"
    found = [
        f"<{before}",
        f"<<{looks[first - 2] if first > 1 else '^'} {before}",
        f"[{look}",
        f"[q{bool(words.roles[first])}",
        f"<[{before} {look}",
        f"<q{bool(first and words.roles[first - 1])}",
        *_nearest(words, first, -1, "<"),
    ]
    if first + 1 < len(looks):
        found.append(f"[[{look} {looks[first + 1]}")
    if first == 0:
        found.append("^")
    elif words.texts[first - 1].isalpha() and before not in _NAMES:
        found.append(f"<w{words.texts[first - 1].lower()}")
    return found


def end_features(words: Words, last: int) -> list[str]:
    """What speaks for a piece that ends here."""
    looks = words.looks
    look = looks[last]
    size = len(looks)
    after = looks[last + 1] if last + 1 < size else "$"
    found = [
        f">{after}",
        f">>{after} {looks[last + 2] if last + 2 < size else '$'}",
        f"]{look}",
        f"]q{bool(words.roles[last])}",
        f"]>{look} {after}",
        f">q{last + 1 < size and bool(words.roles[last + 1])}",
        f">n{last + 1 < size and words.nouns[last + 1]}",
        *_nearest(words, last, 1, ">"),
    ]
    if last:
        found.append(f"]]{looks[last - 1]} {look}")
    return found


def _nearest(words: Words, edge: int, step: int, mark: str) -> list[str]:
    """How far the next word of the question is, which one it is, and how many commas part them."""
    size = len(words.looks)
    commas = 0
    for gap in range(1, _FAR):
        at = edge + step * gap
        if not 0 <= at < size:
            break
        commas += words.looks[at] in ",;:"
        if words.roles[at]:
            return [f"{mark}d{min(gap, 9)}", f"{mark}r{words.roles[at]}{min(gap, 3)}", f"{mark}c{min(commas, 2)}"]
    return [f"{mark}d9", f"{mark}r-3", f"{mark}c2"]


class Wholes:
    """What speaks for the pieces of one sentence as wholes: what its tokens have is added up once, not for each."""

    def __init__(self, words: Words) -> None:
        """Add up what the tokens have."""
        self._words = words
        self._asked = _added(map(bool, words.roles))
        self._nouns = _added(words.nouns)
        self._inside = _added(at in words.inside for at in range(len(words.texts)))
        self._names = _added(look in _NAMES for look in words.looks)
        self._holds = [_held(look) for look in words.looks]
        self._opened = _added((text == "(") - (text == ")") for text in words.texts)
        self._brackets = _added(text in "()[]" for text in words.texts)
        self._quotes = _added(text in _QUOTES for text in words.texts)
        self._places = [(at, words.rarities[at]) for at, role in enumerate(words.roles) if role]
        new = [
            not role and look[0].isalnum() and look not in FUNCTION
            for role, look in zip(words.roles, words.looks, strict=True)
        ]
        self._new = _added(new)
        self._news = [rarity for rarity, is_new in zip(words.rarities, new, strict=True) if is_new]

    def features(self, first: int, last: int) -> list[str]:
        """What speaks for the piece of the tokens `[first, last]`, at most `MOST_WORDS` of them."""
        words, end = self._words, last + 1
        size = end - first
        found = [_SIZES[size], _ASKED[min(2, self._asked[end] - self._asked[first])], self._quantity(first, last)]
        if names := self._names[end] - self._names[first]:
            found += self._capitals(first, last, names)
        found.append(_NOUN[self._nouns[end] > self._nouns[first]])
        if words.nouns[last]:
            found.append("hl")
        found += _HELD_NAMES[reduce(or_, self._holds[first:end])]
        if size <= _PATTERN:
            found.append("p" + " ".join(words.looks[first:end]))
        found += self._place(first, last)
        found += self._rare(first, last)
        found += self._marks(first, last)
        return found

    def _quantity(self, first: int, last: int) -> str:
        words = self._words
        kind = words.quantities.get((first, last))
        if kind is not None:
            return f"k {kind}"
        if first in words.inside or last in words.inside:
            return "kpart"
        return "kin" if self._inside[last + 1] > self._inside[first] else "knone"

    def _capitals(self, first: int, last: int, names: int) -> list[str]:
        looks, size = self._words.looks, last + 1 - first
        if names < size:
            return ["some caps"]
        cut = (first > 0 and looks[first - 1] in _NAMES) or (last + 1 < len(looks) and looks[last + 1] in _NAMES)
        return ["Caps cut" if cut else "Caps", f"Caps{min(size, 3)}"]

    def _place(self, first: int, last: int) -> list[str]:
        """On which side the question's words stand, and how near."""
        left = right = near = 0.0
        for at, rarity in self._places:
            if at < first:
                left += rarity
                near += rarity / (1 + first - at)
            elif at > last:
                right += rarity
                near += rarity / (1 + at - last)
        total = left + right
        return [_SIDES[round(4 * left / total)] if total else "s-1", _NEAR[min(8, int(near * 6))]]

    def _rare(self, first: int, last: int) -> list[str]:
        """How rare the words are that the question does not have."""
        news = self._news[self._new[first] : self._new[last + 1]]
        return [_RAREST[int(5 * max(news))], _RARE[int(5 * sum(news) / len(news))]] if news else ["y-1", "z-1"]

    def _marks(self, first: int, last: int) -> list[str]:
        """Brackets and quotation marks that are left open, or that stand around it."""
        texts, looks, end = self._words.texts, self._words.looks, last + 1
        found = [_OPEN[self._opened[first] > 0]]
        if (self._brackets[end] - self._brackets[first]) % 2:
            found.append("unb")
        if (self._quotes[end] - self._quotes[first]) % 2:
            found.append("unq")
        if first and end < len(texts):
            if texts[first - 1] in '"\u201c' and texts[end] in '"\u201d,':
                found.append("quoted")
            if looks[first] in ("low", "Cap") and looks[first - 1] in ("the", "a", "an"):
                found.append("thecut")
        return found


def _added(counts: Iterable[int]) -> list[int]:
    """The sums of the first 0, 1, 2, ... of some counts."""
    return list(accumulate(counts, initial=0))


@lru_cache(maxsize=4096)
def _held(look: str) -> int:
    """Which of `_HOLDS` a look is in, one bit each."""
    return sum(1 << at for at, (_, these) in enumerate(_HOLDS) if look in these)
