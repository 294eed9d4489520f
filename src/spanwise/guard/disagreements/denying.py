"""Sentences of which one denies what the other says: a "not", an opposite, "may" in the place of "must"."""

from __future__ import annotations

from collections.abc import Sequence

from spanwise.guard.conflicts import opposites
from spanwise.guard.disagreements.aligning import Alignment, Disagreement, found
from spanwise.guard.disagreements.wording import DENIALS, LABEL, SLOT, Token, denies
from spanwise.guard.statements import DUTY, PERMISSION, meaning

_TRUTH = frozenset(["true", "case", "correct"])
"""What "it is not true that" adds beside its denial."""
_NO_ADDITION = _TRUTH | DENIALS
_PERMITTED_OR_NOT = tuple(
    {one, other} for one in ("permitted", "allowed", "authorized") for other in ("prohibited", "forbidden")
)
_LIMITS = frozenset(["only", "limited", "withstanding", "necessarily"])
"""Behind these a "not" denies nothing that its absence affirms."""


def turned(alignment: Alignment) -> Disagreement | None:
    """A word in the place of its opposite, or "may" in that of "must", and nothing else."""
    if any(found == "different" for _, found in alignment.outcomes):
        return None
    changed = [edit for edit in alignment.edits if any(map(_matters, edit[0])) or any(map(_matters, edit[1]))]
    if len(changed) != 1:
        return None
    ours = [token for token in changed[0][0] if _matters(token)]
    theirs = [token for token in changed[0][1] if _matters(token)]
    if len(ours) == len(theirs) == 1 and opposite(ours[0], theirs[0]):
        return found("polarity", (ours[0], theirs[0]))
    return None


def _matters(token: Token) -> bool:
    return token.content or denies(token) or token.plain in DUTY | PERMISSION or token.key in (SLOT, LABEL)


def opposite(one: Token, other: Token) -> bool:
    """Whether a word is the opposite of another, or "may" where that is "must"."""
    pair = {one.plain, other.plain}
    forces = (pair & DUTY, pair & PERMISSION)
    return (one.key, other.key) in opposites() or all(forces) or pair in _PERMITTED_OR_NOT


def negation(alignment: Alignment) -> Disagreement | None:
    """A denial in one of the two and none in the other, and nothing else that is not the same."""
    ours = [token for said, _ in alignment.edits for token in _denials(said)]
    theirs = [token for _, said in alignment.edits for token in _denials(said)]
    if len(ours) % 2 == len(theirs) % 2:
        return None
    if any(beyond(*edit) for edit in alignment.edits if len(_denials(edit[0])) % 2 != len(_denials(edit[1])) % 2):
        return None
    left, right = ours[:1], theirs[:1]
    return Disagreement(
        "polarity",
        (left[0].start, left[0].end) if left else (0, 0),
        (right[0].start, right[0].end) if right else (0, 0),
    )


def beyond(ours: Sequence[Token], theirs: Sequence[Token]) -> bool:
    """Whether words that say something stand on one side only."""
    left, right = (
        {meaning(token.plain) for token in side if token.content and token.plain not in _NO_ADDITION}
        for side in (ours, theirs)
    )
    return bool(left ^ right)


def _denials(tokens: Sequence[Token]) -> list[Token]:
    """The denials among some words; "neither ... nor" is one, "whether or not" none."""
    found = [
        token
        for place, token in enumerate(tokens)
        if denies(token)
        and (place + 1 >= len(tokens) or tokens[place + 1].plain not in _LIMITS)
        and not (place and tokens[place - 1].plain == "or" and token.plain == "not")
    ]
    return found[:1] if {"neither", "nor"} <= {token.plain for token in found} else found
