"""A claim beside the sentence it was made from, word by word: what was put in the place of what."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache

from spanwise.text.fold import folded

LONGEST = 400
"""Words of either side; comparing takes time with the square of them."""
NEAR_COPY = 0.78
"""Share of a claim's words that a sentence has in the same order when the claim was made from it."""
_WORD = re.compile(
    r"(?P<number>(?:(?<![\w.)])[-\u2212+](?=[$\u20ac\u00a3\u00a5]?\d)|\((?=[$\u20ac\u00a3\u00a5]?\s?\d[\d,.]*%?\)))?"
    r"(?:[$\u20ac\u00a3\u00a5]\s?)?\d+(?:[.,]\d+)*)|[^\W_]+(?:['\u2019][^\W_]+)*|[%$\u20ac\u00a3\u00a5]"
)
_ENDS = frozenset([".", ":", "!", "?", ".)", ";", "-", "*", "\u2022"])
_SIGNS = str.maketrans("", "", "$\u20ac\u00a3\u00a5 ,+\u00a0\u2009\u202f")


@dataclass(frozen=True, slots=True)
class Word:
    """A word, number or sign at `text[start:end]`."""

    plain: str
    """Lower case; a number with its sign and without its commas."""
    start: int
    end: int
    capital: bool
    """Whether it begins with a capital, and no sentence begins with it."""
    number: bool


@dataclass(frozen=True, slots=True)
class Change:
    """Words of the source and what the claim has in their place; either may be empty."""

    ours: tuple[Word, ...]
    theirs: tuple[Word, ...]
    before: int
    """Index of the claim's word at which it stands."""


@dataclass(frozen=True, slots=True)
class Alignment:
    """Two sentences side by side."""

    ours: tuple[Word, ...]
    theirs: tuple[Word, ...]
    common: int
    """Words that both have, in order."""
    changes: tuple[Change, ...]

    @property
    def share(self) -> float:
        """Share of the claim's words that the source has in the same order."""
        return self.common / len(self.ours) if self.ours else 0.0

    @property
    def near_copy(self) -> bool:
        """Whether the claim was made from the sentence."""
        whole = self.common / len(self.theirs) if self.theirs else 0.0
        return self.share >= NEAR_COPY or (whole >= NEAR_COPY and self.share >= NEAR_COPY - 0.1)


@lru_cache(maxsize=4096)
def words_of(text: str) -> tuple[Word, ...]:
    """The words of a text, signs of numbers kept."""
    found: list[Word] = []
    for match in _WORD.finditer(text):
        written = match.group()
        if match["number"]:
            negative = written[0] in "-\u2212("
            currency = next((sign for sign in written if sign in "$\u20ac\u00a3\u00a5"), "")
            plain = written.lstrip("-\u2212(").translate(_SIGNS)
            if currency:
                found.append(Word(currency, match.start(), match.start() + 1, capital=False, number=False))
            found.append(
                Word(f"-{plain}" if negative else plain, match.start(), match.end(), capital=False, number=True)
            )
        else:
            plain = folded(written).removesuffix("'s")
            inside = bool(found) and text[found[-1].end : match.start()].strip(" \"'\u201c\u201d(") not in _ENDS
            found.append(Word(plain, match.start(), match.end(), inside and written[0].isupper(), number=False))
    return tuple(found)


def align(ours: str, theirs: str) -> Alignment:
    """Put a claim beside a sentence; what is longer than `LONGEST` words is cut."""
    left, right = words_of(ours)[:LONGEST], words_of(theirs)[:LONGEST]
    matcher = SequenceMatcher(None, [word.plain for word in left], [word.plain for word in right], autojunk=False)
    changes = [
        Change(left[first:last], right[low:high], first)
        for tag, first, last, low, high in matcher.get_opcodes()
        if tag != "equal"
    ]
    common = sum(block.size for block in matcher.get_matching_blocks())
    return Alignment(left, right, common, _trimmed(changes, left))


def _trimmed(changes: Sequence[Change], ours: Sequence[Word]) -> tuple[Change, ...]:
    """Without what the source says before the claim begins and after it ends: a claim may say less."""
    return tuple(
        change
        for index, change in enumerate(changes)
        if change.ours or not ((index == 0 and change.before == 0) or (change.before == len(ours)))
    )
