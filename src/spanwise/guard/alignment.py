"""A claim beside the sentence it was made from: what was put in the place of what, and which words are the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from spanwise.guard.figures import compared
from spanwise.guard.lexicon import interchangeable
from spanwise.guard.sentence import Once, Operator, Word, operators, words_of
from spanwise.guard.units import Unit
from spanwise.text.quantities import Quantity, quantities

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


@dataclass(eq=False)
class Pair:
    """A claim beside one sentence of a source."""

    alignment: Alignment
    unit: Unit
    text: str
    """Of the claim, in which the places of its words are."""
    one_unit: bool = True
    """True if the sentence is one unit of the source."""

    @property
    def sure(self) -> bool:
        """True if all of the claim was made from one sentence."""
        return self.one_unit and self.alignment.copied

    @property
    def ours(self) -> tuple[Word, ...]:
        """Words of the claim."""
        return self.alignment.ours

    @property
    def theirs(self) -> tuple[Word, ...]:
        """Words of the sentence."""
        return self.alignment.theirs

    @Once
    def match(self) -> tuple[int, ...]:
        """For each word of the claim the index of the sentence's word that it is matched with; -1 for none."""
        found, free = self._in_order()
        for index, word in enumerate(self.ours):
            if found[index] >= 0 or not word.content:
                continue
            others = [place for place in sorted(free) if same_word(word, self.theirs[place])]
            if others:
                expected = self._expected(found, index)
                found[index] = min(others, key=lambda place: abs(place - expected))
                free.discard(found[index])
        return tuple(found)

    def _in_order(self) -> tuple[list[int], set[int]]:
        """What both have in the same order, and the content words of the sentence that are left."""
        found = [-1] * len(self.ours)
        at_ours = at_theirs = 0
        for change in (*self.alignment.gaps, None):
            before = len(self.ours) if change is None else change.before
            while at_ours < before:
                found[at_ours] = at_theirs
                at_ours, at_theirs = at_ours + 1, at_theirs + 1
            if change is not None:
                at_ours, at_theirs = at_ours + len(change.ours), at_theirs + len(change.theirs)
        used = set(found)
        return found, {place for place, word in enumerate(self.theirs) if place not in used and word.content}

    def _expected(self, found: list[int], index: int) -> int:
        """Where a word would stand, were the sentence worded like the claim."""
        for step in range(1, len(found)):
            if index - step >= 0 and found[index - step] >= 0:
                return found[index - step] + step
            if index + step < len(found) and found[index + step] >= 0:
                return found[index + step] - step
        return index

    @Once
    def _agreed(self) -> tuple[tuple[Quantity, tuple[Quantity, ...]], ...]:
        """The claim's figures and dates that the sentence has, however it writes them, with those of the sentence."""
        own = quantities(self.text)
        stated = self.unit.quantities if own else ()
        found = ((one, tuple(other for other in stated if compared(one, other) == "same")) for one in own)
        return tuple(pair for pair in found if pair[1])

    def explained(self, index: int) -> bool:
        """True if the sentence has a word of the claim: itself, a form or synonym of it, or its figure."""
        place = self.ours[index].start
        return self.match[index] >= 0 or any(one.start <= place < one.end for one, _ in self._agreed)

    def in_one_figure(self, one: int, other: int) -> bool:
        """True if two words of the claim belong to one figure or date that the sentence has, in whatever order."""
        starts = [self.ours[index].start for index in (one, other)]
        return any(all(figure.start <= start < figure.end for start in starts) for figure, _ in self._agreed)

    def same_figures(self, change: Change) -> bool:
        """True if all that differs is how the figures in this place are written."""
        if not change.ours or not change.theirs:
            return False
        low, high = change.theirs[0].start, change.theirs[-1].end
        here = [one for one, others in self._agreed if any(low < other.end and other.start < high for other in others)]
        return all(any(one.start <= word.start < one.end for one in here) for word in change.ours)

    @Once
    def operators(self) -> tuple[Operator, ...]:
        """Operators of the claim."""
        return operators(self.ours)

    @Once
    def their_operators(self) -> tuple[Operator, ...]:
        """Operators of the sentence."""
        return operators(self.theirs)

    def operators_in(self, change: Change) -> tuple[frozenset[str], frozenset[str]]:
        """The classes of operators of the claim and of the sentence that have a word in the place of a change."""
        sides = ((self.operators, self.ours, change.ours), (self.their_operators, self.theirs, change.theirs))
        own, other = (
            frozenset(
                one.name
                for one in found
                if here and words[one.first].start < here[-1].end and here[0].start < words[one.last - 1].end
            )
            for found, words, here in sides
        )
        return own, other


def same_word(one: Word, other: Word) -> bool:
    """True if two words are forms of one word, or may stand for each other."""
    if one.number or other.number:
        return one.plain == other.plain
    return one.plain == other.plain or interchangeable(one.plain, other.plain)
