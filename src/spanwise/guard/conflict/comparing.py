"""True if two sentences contradict each other: put side by side, what differs in them is given to each comparator.

Two sentences are about one thing where nearly all their words are the same, in order. A difference is a conflict where
a comparator says so and nothing else that differs explains it: another subject, another period, a narrower case.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from spanwise.guard.conflict import figures, words
from spanwise.guard.conflict.pair import Difference, Pair, paired
from spanwise.guard.conflict.scope import asserted, frame
from spanwise.guard.conflict.sentence import Sentence

_FEWEST_CONTENT = 2
"""Content words and figures, of two sentences whose words are not the same."""
COMPARATORS: tuple[Callable[[Pair], Difference | None], ...] = (
    words.turned,
    figures.digits,
    figures.bound,
    figures.number,
    figures.date,
    words.negation,
    words.roles,
    words.name,
)


def difference(one: Sentence, other: Sentence) -> Difference | None:
    """Where two sentences contradict each other, or None."""
    if one.keys == other.keys and one.stated == other.stated:
        return None
    if one.keys != other.keys and min(map(_told, (one, other))) < _FEWEST_CONTENT:
        return None
    pair = paired(one, other)
    if pair is None:
        return words.roles(Pair(one, other, (), (), 0.0)) or figures.in_other_words(one, other)
    introduced = frame(pair)
    if introduced is not None:
        if not asserted(introduced):
            return None
        if not any(token.denies for side in introduced.telling for token in side):
            pair = replace(pair, edits=tuple(edit for edit in pair.edits if edit is not introduced))
    for comparator in COMPARATORS:
        if (differs := comparator(pair)) is not None:
            return differs
    return None


def _told(said: Sentence) -> int:
    """Content words and figures of a sentence."""
    return len(said.content) + len(said.slots)
