"""Two sentences side by side: the figures in one place of both, and the words that one has in the place of others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from typing import TypeAlias

from spanwise.guard.conflict.lexicon import lexicon
from spanwise.guard.conflict.quantities import Outcome, compared, is_time
from spanwise.guard.conflict.sentence import LABEL, SLOT, Sentence, Token
from spanwise.guard.conflict.values import ConflictKind
from spanwise.guard.statements import meaning
from spanwise.guard.synonyms import interchangeable

COPIED = 0.7
"""Share of its words that a sentence has in common, in order, with one that says the same but for a detail."""
_LONGEST_CHANGE = 200
"""Words between the first and the last difference of two sentences; aligning them takes time with the square of it."""
Slots: TypeAlias = tuple[Token, Token]


@dataclass(frozen=True, slots=True)
class Difference:
    """Where two sentences contradict each other; the ranges are offsets in them, empty where one lacks a "not"."""

    kind: ConflictKind
    reason: str
    ours: tuple[int, int]
    theirs: tuple[int, int]
    times: tuple[Slots, ...] = ()
    """The dates that differ, where nothing else does."""
    names: bool = False
    """True if what differs names one of several things: the number of a section, the year of "the 2024 notes"."""


@dataclass(frozen=True)
class Edit:
    """Words of one sentence in the place of those of the other; one of the two may be empty."""

    ours: Sequence[Token]
    theirs: Sequence[Token]
    first: bool
    """True if it begins both sentences."""

    @cached_property
    def telling(self) -> tuple[tuple[Token, ...], tuple[Token, ...]]:
        """Its tokens that may make a difference, without those whose synonym is on the other side."""
        letters = _letters(self.ours)
        if letters is not None and letters == _letters(self.theirs):
            return (), ()  # "Pre-Retirement", broken over two lines
        left, right = [token for token in self.ours if tells(token)], [token for token in self.theirs if tells(token)]
        for token in list(left):
            same = next((other for other in right if _same_word(token, other)), None)
            if same is not None:
                left.remove(token)
                right.remove(same)
        return tuple(left), tuple(right)


@dataclass(frozen=True)
class Pair:
    """Two annotated sentences of which most words are the same, in order."""

    one: Sentence
    other: Sentence
    slots: tuple[Slots, ...]
    """Figures and labels in the same place."""
    edits: tuple[Edit, ...]
    share: float
    """Of the words, in [0, 1]: how many of them the two have in common, in order."""

    @cached_property
    def outcomes(self) -> tuple[tuple[Slots, Outcome], ...]:
        """The figures in the same place, and how each two compare."""
        return tuple((slots, outcome(slots)) for slots in self.slots if slots[0].key == SLOT)

    @cached_property
    def different(self) -> tuple[Slots, ...]:
        """Figures in the same place that are not the same."""
        return tuple(slots for slots, found in self.outcomes if found == "different")

    @cached_property
    def labels(self) -> tuple[Slots, ...]:
        """Labels in the same place that are not the same."""
        return tuple(slots for slots in self.slots if slots[0].key == LABEL and slots[0].plain != slots[1].plain)

    @cached_property
    def changes(self) -> tuple[Edit, ...]:
        """The edits that may make a difference."""
        return tuple(edit for edit in self.edits if any(edit.telling))

    @property
    def sole(self) -> tuple[tuple[Token, ...], tuple[Token, ...]] | None:
        """The two sides of the one change, where nothing else differs."""
        if len(self.changes) != 1 or self.different or self.labels:
            return None
        return self.changes[0].telling


def tells(token: Token) -> bool:
    """True if a token may make a difference: a content word, a denial, a figure, a word that parts two things."""
    words = lexicon()
    if token.digits or token.denies or token.content:
        return not words.has("neutral", token.plain)
    return words.has("parting", token.plain) or token.plain in words.quantifiers


def _letters(tokens: Sequence[Token]) -> str | None:
    """The letters of some words; None where there are none, or a figure among them."""
    if not tokens or any(token.key == SLOT for token in tokens):
        return None
    return "".join(character for token in tokens for character in token.plain if character.isalnum())


def _same_word(one: Token, other: Token) -> bool:
    if one.digits or other.digits:
        return one.key == other.key == SLOT and outcome((one, other)) == "same"
    return meaning(one.plain) == meaning(other.plain) or interchangeable(one.plain, other.plain)


def paired(one: Sentence, other: Sentence) -> Pair | None:
    """Two sentences side by side, or None where too little is the same."""
    left, right = one.tokens, other.tokens
    size = min(len(left), len(right))
    first = next((at for at in range(size) if left[at].key != right[at].key), size)
    last = next((at for at in range(size - first) if left[-1 - at].key != right[-1 - at].key), size - first)
    ends = len(left) - last, len(right) - last
    ours, theirs = left[first : ends[0]], right[first : ends[1]]
    if max(len(ours), len(theirs)) > _LONGEST_CHANGE:
        return None
    matcher = SequenceMatcher(None, [token.key for token in ours], [token.key for token in theirs], autojunk=False)
    total = max(1, len(left) + len(right))
    if 2 * (first + last) + matcher.quick_ratio() * (len(ours) + len(theirs)) < COPIED * total:
        return None
    slots = list(_slots(left[:first], right[:first]))
    edits = []
    same = first + last
    for operation, start, end, begin, stop in matcher.get_opcodes():
        if operation == "equal":
            slots += _slots(ours[start:end], theirs[begin:stop])
            same += end - start
        else:
            edits.append(Edit(ours[start:end], theirs[begin:stop], first + start + begin == 0))
    slots += _slots(left[ends[0] :], right[ends[1] :])
    share = 2 * same / total
    return Pair(one, other, tuple(slots), tuple(edits), share) if share >= COPIED else None


def _slots(ours: Sequence[Token], theirs: Sequence[Token]) -> Iterator[Slots]:
    return ((left, right) for left, right in zip(ours, theirs, strict=True) if left.digits and left.key == right.key)


def outcome(slots: Slots) -> Outcome:
    """How two figures compare; "unknown" for labels."""
    left, right = slots[0].quantity, slots[1].quantity
    return compared(left, right) if left is not None and right is not None else "unknown"


def says_when(slots: Slots) -> bool:
    """True if one of two figures is a date or a period."""
    return any(token.quantity is not None and is_time(token.quantity) for token in slots)


def found(kind: ConflictKind, reason: str, ours: Sequence[Token], theirs: Sequence[Token]) -> Difference:
    """A difference between some words of each of two sentences."""
    at = [(side[0].start, side[-1].end) if side else (0, 0) for side in (ours, theirs)]
    return Difference(kind, reason, at[0], at[1])
