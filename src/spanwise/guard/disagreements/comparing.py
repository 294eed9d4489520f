"""Whether two sentences contradict each other: aligned word by word, with a figure or a "not" that is another.

A figure contradicts another where the words around both are the same. Sentences about different things differ in a name
or another content word, those about different periods in a date and a figure; neither is a conflict.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from spanwise.guard.disagreements.aligning import (
    COPIED,
    Alignment,
    Disagreement,
    aligned,
    found,
    outcome,
    says_when,
)
from spanwise.guard.disagreements.denying import negation, opposite, turned
from spanwise.guard.disagreements.differing import figures, no_such_day
from spanwise.guard.disagreements.wording import Token, Wording
from spanwise.guard.statements import ROLES, meaning

_LONGEST = 400
"""Words of a sentence that is compared."""
_FEWEST_CONTENT = 2
"""Of two sentences whose words are not the same."""
_MOST_ADDED = 0.34
"""Content words that one of the two says beyond the other, as a share of its own."""
_PARAPHRASED = 0.75
"""Share of content words in common from which two sentences in other words speak of one thing."""
_FEWEST_PARAPHRASED = 3
_LIGHT = "apply carry bear amount equal set fix incur accrue stand come remain include".split()
"""Verbs that say little where a figure is given."""


def disagreement(one: Wording, other: Wording) -> Disagreement | None:
    """Where two sentences contradict each other, or None."""
    if max(len(one.keys), len(other.keys)) > _LONGEST:
        return None
    if one.keys != other.keys and min(len(one.content), len(other.content)) < _FEWEST_CONTENT:
        return None
    if one.keys == other.keys and one.stated == other.stated:
        return None
    if _about_others(one, other) and _in_other_words(one, other) is None:
        return None  # whatever their alignment is, which takes longest
    alignment = aligned(one, other)
    if alignment is not None and alignment.share >= COPIED:
        return _in_copies(one, other, alignment)
    return _in_other_words(one, other)


def _about_others(one: Wording, other: Wording) -> bool:
    """Whether each speaks of something that the other does not, and not of its opposite.

    What stands in one alone is in no copied part, so `_same_subject` would not hold, and `turned` would only for one
    word that is the opposite of one other.
    """
    ours, theirs = _beyond(one, other), _beyond(other, one)
    if not ours or not theirs:
        return False
    return max(len(ours), len(theirs)) > 1 or not opposite(ours[0], theirs[0])


def _beyond(one: Wording, other: Wording) -> list[Token]:
    """The content words of a sentence that the other has neither as they are nor by their meaning."""
    return [
        token
        for token in one.content_tokens
        if token.key not in other.key_set and meaning(token.plain) not in other.content
    ]


def _in_copies(one: Wording, other: Wording, alignment: Alignment) -> Disagreement | None:
    ours = [token for said, _ in alignment.edits for token in said]
    theirs = [token for _, said in alignment.edits for token in said]
    if exchanged := turned(alignment) or no_such_day(alignment):
        return exchanged
    if not _same_subject(one, ours, theirs) or any(_other_party(*edit) for edit in alignment.edits):
        return None
    return figures(one, other, alignment) or negation(alignment)


def _same_subject(one: Wording, ours: Sequence[Token], theirs: Sequence[Token]) -> bool:
    """Whether what is said beyond the other is no name, no other section, and little."""
    left = {meaning(token.plain): token for token in ours if token.content}
    right = {meaning(token.plain): token for token in theirs if token.content}
    beyond = [left[key] for key in left.keys() - right.keys()] + [right[key] for key in right.keys() - left.keys()]
    if left.keys() - right.keys() and right.keys() - left.keys():
        return False
    return not any(token.name for token in beyond) and len(beyond) <= max(1.0, _MOST_ADDED * len(one.content))


def _other_party(ours: Sequence[Token], theirs: Sequence[Token]) -> bool:
    """Whether a name or a party stands in the place of another, even where both sentences name both."""
    left, right = ({token.plain for token in side if token.name or token.plain in ROLES} for side in (ours, theirs))
    return bool(left) and bool(right) and left.isdisjoint(right)


def _in_other_words(one: Wording, other: Wording) -> Disagreement | None:
    """One figure of a kind in each of two sentences that share nearly all content words."""
    if len(one.slots) != 1 or len(other.slots) != 1:
        return None
    left, right = one.content - _light(), other.content - _light()
    shared, every = len(left & right), len(left | right)
    if shared < _FEWEST_PARAPHRASED or shared < _PARAPHRASED * every:
        return None
    if one.denials % 2 != other.denials % 2:
        return None
    pair = (one.slots[0], other.slots[0])
    if outcome(pair) != "different":
        return None
    return found("date", pair, (pair,)) if says_when(pair) else found("number", pair)


@cache  # loading a stemmer takes longer than an import may
def _light() -> frozenset[str]:
    return frozenset(map(meaning, _LIGHT))
