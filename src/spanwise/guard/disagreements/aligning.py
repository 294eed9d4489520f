"""Two sentences side by side: which figure stands where the other has one, and which words were exchanged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from typing import TypeAlias

from spanwise.guard.disagreements.slots import Outcome, compared, is_time
from spanwise.guard.disagreements.values import ConflictKind
from spanwise.guard.disagreements.wording import LABEL, SLOT, Token, Wording

COPIED = 0.7
"""Share of its words that a sentence has in common, in order, with one that says the same but for a detail."""
_LONGEST_CHANGE = 200
"""Words between the first and the last difference of two sentences; aligning them takes time with the square of it."""
Pair: TypeAlias = tuple[Token, Token]


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Where two sentences disagree; the ranges are offsets in the sentences, empty where one lacks a "not"."""

    kind: ConflictKind
    one: tuple[int, int]
    other: tuple[int, int]
    times: tuple[Pair, ...] = ()
    """The dates that differ, where nothing else does."""
    names: bool = False
    """Whether what differs is part of a name: the number of a section, the year of "the 2024 notes"."""


@dataclass(frozen=True)
class Alignment:
    """Two sentences side by side."""

    pairs: tuple[Pair, ...]
    """Figures and labels in the same place."""
    edits: tuple[tuple[Sequence[Token], Sequence[Token]], ...]
    """Words, figures and labels of the one in the place of those of the other."""
    share: float
    """Of the words, in [0, 1]: how many of them the two have in common, in order."""

    @cached_property
    def outcomes(self) -> tuple[tuple[Pair, Outcome], ...]:
        """The figures in the same place, and what each two are to each other."""
        return tuple((pair, outcome(pair)) for pair in self.pairs if pair[0].key == SLOT)


def aligned(one: Wording, other: Wording) -> Alignment | None:
    """Two sentences side by side, or None where too little is the same."""
    if one.keys == other.keys:
        return Alignment(tuple(_slots(one.tokens, other.tokens)), (), 1.0)
    size = min(len(one.keys), len(other.keys))
    first = next((place for place in range(size) if one.keys[place] != other.keys[place]), size)
    last = next(
        (place for place in range(size - first) if one.keys[-1 - place] != other.keys[-1 - place]), size - first
    )
    left, right = one.tokens[first : len(one.tokens) - last], other.tokens[first : len(other.tokens) - last]
    if max(len(left), len(right)) > _LONGEST_CHANGE:
        return None
    matcher = SequenceMatcher(None, [token.key for token in left], [token.key for token in right], autojunk=False)
    total = len(one.keys) + len(other.keys)
    most = 2 * (first + last) + matcher.quick_ratio() * (len(left) + len(right))
    if most < COPIED * total:
        return None
    pairs = list(_slots(one.tokens[:first], other.tokens[:first]))
    edits: list[tuple[Sequence[Token], Sequence[Token]]] = []
    for operation, start, end, begin, stop in matcher.get_opcodes():
        if operation == "equal":
            pairs += _slots(left[start:end], right[begin:stop])
        else:
            edits.append((left[start:end], right[begin:stop]))
    pairs += _slots(one.tokens[len(one.tokens) - last :], other.tokens[len(other.tokens) - last :])
    same = first + last + sum(block.size for block in matcher.get_matching_blocks())
    return Alignment(tuple(pairs), tuple(edits), 2 * same / total)


def _slots(ours: Sequence[Token], theirs: Sequence[Token]) -> Iterator[Pair]:
    return (
        (left, right)
        for left, right in zip(ours, theirs, strict=True)
        if left.key in (SLOT, LABEL) and left.key == right.key
    )


def outcome(pair: Pair) -> Outcome:
    """What two figures in one place are to each other; "unknown" of labels."""
    left, right = pair[0].quantity, pair[1].quantity
    return compared(left, right) if left is not None and right is not None else "unknown"


def says_when(pair: Pair) -> bool:
    """Whether one of two figures is a date or a period."""
    return any(token.quantity is not None and is_time(token.quantity) for token in pair)


def found(kind: ConflictKind, pair: Pair, times: tuple[Pair, ...] = ()) -> Disagreement:
    """A disagreement of two words or figures."""
    return Disagreement(kind, (pair[0].start, pair[0].end), (pair[1].start, pair[1].end), times)
