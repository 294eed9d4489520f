"""Figures that differ in sentences that are about one thing: which of them contradict each other."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from spanwise.guard.disagreements.aligning import Alignment, Disagreement, found, outcome, says_when
from spanwise.guard.disagreements.denying import beyond
from spanwise.guard.disagreements.slots import is_time
from spanwise.guard.disagreements.wording import LABEL, SLOT, Token, Wording

_FEWEST_BESIDE_LABEL = 6
_MANY = 3
"""Figures that all differ: two rows of one table, not two values of one thing."""
_COPIED_WITH_FIGURES = 0.85
"""Share of words in common where one of them has more figures, so that which stands for which is less sure."""
_MARKS = frozenset("note notes exhibit exhibits item items page pages table figure form part footnote".split())
_DETERMINERS = frozenset("the a an our its their this that such each".split())
_SINCE = frozenset(["effective", "since", "amended", "revised", "restated", "updated"])
_NEAR = 4
_DIGITS = re.compile(r"\d+")


def figures(one: Wording, other: Wording, alignment: Alignment) -> Disagreement | None:
    """A figure or a date that is another, in sentences that are about one thing."""
    different = [pair for pair, found_out in alignment.outcomes if found_out == "different"]
    if labels := [pair for pair in alignment.pairs if pair[0].key == LABEL and pair[0].plain != pair[1].plain]:
        alone = len(labels) == 1 and not different and not alignment.edits
        return replace(found("number", labels[0]), names=True) if alone and _refers(one, labels[0][0]) else None
    ours, theirs = ([token for edit in alignment.edits for token in edit[side] if token.key == SLOT] for side in (0, 1))
    added = ours + theirs
    if added and (alignment.share < _COPIED_WITH_FIGURES or _set_apart(one, ours) or _set_apart(other, theirs)):
        return None
    different = [pair for pair in different if not (_among(pair[1], ours) or _among(pair[0], theirs))]
    times = [pair for pair in different if says_when(pair)]
    amounts = [pair for pair in different if not says_when(pair)]
    if amounts:
        apart = any(not (_since(one, pair[0]) and _since(other, pair[1])) for pair in times)
        row = len(amounts) >= _MANY and not any(
            found_out == "same" and not says_when(pair) for pair, found_out in alignment.outcomes
        )
        return None if apart or row else found("number", amounts[0])
    changed = [pair for pair in times if _written(pair[0]) != _written(pair[1])]  # "December 31, 2022 and 2021"
    events = len(changed) > 1 and not any(found_out == "same" for _, found_out in alignment.outcomes)
    if events or any(beyond(*edit) for edit in alignment.edits):
        return None  # another event, with its own date
    if not times:
        return None
    return replace(found("date", times[0], tuple(times)), names=_names(one, times[0][0]))


def no_such_day(alignment: Alignment) -> Disagreement | None:
    """A date in the place of words with other digits, of a day that no calendar has: "September 31, 2019"."""
    if len(alignment.edits) != 1:
        return None
    ours, theirs = alignment.edits[0]
    date, words = (ours, theirs) if len(ours) == 1 else (theirs, ours)
    if len(date) != 1 or date[0].quantity is None or date[0].quantity.kind != "date":
        return None
    if len(words) > _NEAR or not any(token.key == LABEL for token in words):
        return None
    written = date[0].quantity.original.lower()
    figures = [token.plain for token in words if token.key == LABEL]
    if figures == _DIGITS.findall(written) and all(token.plain in written for token in words):
        return None
    whole = (words[0].start, words[-1].end)
    place = (date[0].start, date[0].end)
    return Disagreement("date", place, whole) if date is ours else Disagreement("date", whole, place)


def _names(one: Wording, token: Token) -> bool:
    """Whether a date belongs to a name, as in "the 2024 notes"."""
    place = one.tokens.index(token)
    before = one.tokens[place - 1].plain if place else ""
    return before in _DETERMINERS and any(after.content for after in one.tokens[place + 1 : place + 2])


def _refers(one: Wording, label: Token) -> bool:
    """Whether a label is a part of what is said, and not the mark of the sentence or of a note, a page, an exhibit."""
    place = one.tokens.index(label)
    before = one.tokens[place - 1].plain if place else ""
    return place > 0 and before not in _MARKS and len(one.tokens) >= _FEWEST_BESIDE_LABEL


def _set_apart(said: Wording, added: Sequence[Token]) -> bool:
    """Whether figures that one sentence has beyond the other make it about something else.

    That is another period, or a condition ("orders above $1,000"); not a date since which something holds.
    """
    return any(
        not _since(said, token) if is_time(token.quantity) else token.quantity.bound not in (None, "about")
        for token in added
        if token.quantity is not None
    )


def _among(token: Token, others: Sequence[Token]) -> bool:
    """Whether a figure is one that the other sentence has elsewhere: the two were not side by side."""
    return any(outcome((token, other)) == "same" for other in others)


def _written(token: Token) -> str:
    return token.quantity.original if token.quantity is not None else ""


def _since(said: Wording, token: Token) -> bool:
    """Whether a date says since when something holds: it orders two sources and does not part what they speak of."""
    place = said.tokens.index(token)
    return any(before.plain in _SINCE for before in said.tokens[max(0, place - _NEAR) : place])
