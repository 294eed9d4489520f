"""A claim beside the sentence it was made from, word by word: what was put in the place of what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from spanwise.guard.sentence.words import Word, words_of

LONGEST = 400
"""Words of either side; comparing takes time with the square of them."""
_LONG = 150
"""Words of both sides from which the ends that are the same are left out of the comparison."""
_GAP = 8
"""Words of a sentence in the place of few of the claim's from which they are a gap."""
NEAR_COPY = 0.78
"""Share of a claim's words that a sentence has in the same order when the claim was made from it."""
FEWEST_BETWEEN = 8
"""Words of a claim that are enough to tell a copy from, where others stand before or behind them."""


@dataclass(frozen=True, slots=True)
class Change:
    """Words of the source and what the claim has in their place; either may be empty."""

    ours: tuple[Word, ...]
    theirs: tuple[Word, ...]
    before: int
    """Index of the claim's word at which it stands."""
    same_before: int = 0
    """Words directly before it that both have in a row."""
    same_after: int = 0
    """Words directly behind it that both have in a row."""
    last: bool = False
    """True if both sentences end with it."""
    last_or_first: bool = False
    """True if the claim begins or ends with it."""


@dataclass(frozen=True, slots=True)
class Alignment:
    """Two sentences side by side."""

    ours: tuple[Word, ...]
    theirs: tuple[Word, ...]
    common: int
    """Words that both have, in order."""
    changes: tuple[Change, ...]
    gaps: tuple[Change, ...] = ()
    """The same with what the source says before the claim begins and after it ends."""

    @property
    def share(self) -> float:
        """Share of the claim's words that the source has in the same order."""
        return self.common / len(self.ours) if self.ours else 0.0

    @property
    def copied(self) -> bool:
        """True if the whole claim was made from the sentence."""
        whole = self.common / len(self.theirs) if self.theirs else 0.0
        return self.share >= NEAR_COPY or (whole >= NEAR_COPY and self.share >= NEAR_COPY - 0.1)

    @property
    def near_copy(self) -> bool:
        """True if the claim, or the greater part of it between words of its own, was made from the sentence."""
        if self.copied:
            return True
        words = len(self.ours) - self._own_at_ends
        return 2 * words > len(self.ours) and words >= FEWEST_BETWEEN and self.common / words >= NEAR_COPY

    @property
    def _own_at_ends(self) -> int:
        """Words of the claim before and behind all that both have, less those that stand in the place of others."""
        ends = [change for change in self.changes[:1] if change.before == 0]
        ends += [change for change in self.changes[-1:] if change.before + len(change.ours) == len(self.ours)]
        return sum(max(0, len(change.ours) - len(change.theirs)) for change in dict.fromkeys(ends))


def most_shared(ours: str, theirs: str) -> float:
    """An upper bound of the `share` of an alignment, cheap to compute: the words in common in any order."""
    left, right = words_of(ours)[:LONGEST], {word.plain for word in words_of(theirs)[:LONGEST]}
    return sum(word.plain in right for word in left) / len(left) if left else 0.0


def align(ours: str, theirs: str) -> Alignment:
    """Put a claim beside a sentence; what is longer than `LONGEST` words is cut.

    Where that leaves a gap in a long sentence, the claim is put beside the part of it that has most of its words.
    """
    left, right = words_of(ours)[:LONGEST], words_of(theirs)[:LONGEST]
    whole = _aligned(left, right)
    if all(len(change.theirs) <= len(change.ours) + _GAP for change in whole.changes):
        return whole
    part = _aligned(left, _densest(left, right))
    return part if part.common >= whole.common - 1 else whole


def _densest(left: Sequence[Word], right: tuple[Word, ...]) -> tuple[Word, ...]:
    """The stretch of a sentence, about as long as the claim, that holds most of the claim's words."""
    known = {word.plain for word in left}
    size = len(left) + _GAP
    held = [word.plain in known for word in right]
    counts = [sum(held[:size])]
    for start in range(1, max(1, len(right) - size + 1)):
        counts.append(counts[-1] - held[start - 1] + held[start + size - 1])
    first = max(range(len(counts)), key=counts.__getitem__)
    return right[first : first + size]


def _aligned(left: tuple[Word, ...], right: tuple[Word, ...]) -> Alignment:
    steps = _steps([word.plain for word in left], [word.plain for word in right])
    ends = (len(left), len(right))
    changes = [
        Change(
            *(left[first:last], right[low:high], first, _same(steps, at - 1), _same(steps, at + 1)),
            last=(last, high) == ends,
            last_or_first=first == 0 or last == len(left),
        )
        for at, (tag, first, last, low, high) in enumerate(steps)
        if tag != "equal"
    ]
    common = sum(last - first for tag, first, last, _, _ in steps if tag == "equal")
    return Alignment(left, right, common, _trimmed(changes, left), tuple(changes))


def _steps(left: Sequence[str], right: Sequence[str]) -> list[tuple[str, int, int, int, int]]:
    """What makes the words of one sentence those of the other; of long ones the same ends stay as they are.

    Comparing takes time with the square of the words, and with its cube where one word is repeated.
    """
    size = min(len(left), len(right))
    first = last = 0
    if size > _LONG:
        first = next((at for at in range(size) if left[at] != right[at]), size)
        last = next((at for at in range(size - first) if left[-1 - at] != right[-1 - at]), size - first)
    middle = SequenceMatcher(None, left[first : len(left) - last], right[first : len(right) - last], autojunk=False)
    steps = [("equal", 0, first, 0, first)] if first else []
    steps += [(tag, a + first, b + first, c + first, d + first) for tag, a, b, c, d in middle.get_opcodes()]
    if last:
        steps.append(("equal", len(left) - last, len(left), len(right) - last, len(right)))
    return steps


def _same(steps: Sequence[tuple[str, int, int, int, int]], at: int) -> int:
    """Words of a step that both have."""
    return steps[at][2] - steps[at][1] if 0 <= at < len(steps) and steps[at][0] == "equal" else 0


def _trimmed(changes: Sequence[Change], ours: Sequence[Word]) -> tuple[Change, ...]:
    """Without what the source says before the claim begins and after it ends: a claim may say less."""
    return tuple(
        change
        for index, change in enumerate(changes)
        if change.ours or not ((index == 0 and change.before == 0) or (change.before == len(ours)))
    )
