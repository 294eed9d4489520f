"""Whether two sentences contradict each other: aligned word by word, with a figure or a "not" that is another.

A figure contradicts another where the words around both are the same. Sentences about different things differ in a name
or another content word, those about different periods in a date and a figure; neither is a conflict.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import cache
from typing import TypeAlias

from spanwise.guard.conflicts import opposites
from spanwise.guard.disagreements.slots import compared, is_time
from spanwise.guard.disagreements.values import ConflictKind
from spanwise.guard.disagreements.wording import LABEL, SLOT, Token, Wording
from spanwise.guard.statements import DUTY, PERMISSION, ROLES, is_negation, meaning

_COPIED = 0.7
"""Share of its words that a sentence has in common, in order, with one that says the same but for a detail."""
_LONGEST = 400
"""Words of a sentence that is compared."""
_LONGEST_CHANGE = 200
"""Words between the first and the last difference of two sentences; aligning them takes time with the square of it."""
_FEWEST_CONTENT = 2
"""Of two sentences whose words are not the same."""
_MOST_ADDED = 0.34
"""Content words that one of the two says beyond the other, as a share of its own."""
_PARAPHRASED = 0.75
"""Share of content words in common from which two sentences in other words speak of one thing."""
_FEWEST_PARAPHRASED = 3
_FEWEST_BESIDE_LABEL = 6
_DENIALS = frozenset(
    "unable prohibited forbidden fails failed refuses refused denies denied lacks false untrue incorrect".split()
)
_TRUTH = frozenset(["true", "case", "correct"])
"""What "it is not true that" adds beside its denial."""
_PERMITTED_OR_NOT = tuple(
    {one, other} for one in ("permitted", "allowed", "authorized") for other in ("prohibited", "forbidden")
)
_LIGHT = "apply carry bear amount equal set fix incur accrue stand come remain include".split()
"""Verbs that say little where a figure is given."""
_LIMITS = frozenset(["only", "limited", "withstanding", "necessarily"])
"""Behind these a "not" denies nothing that its absence affirms."""
_MANY = 3
"""Figures that all differ: two rows of one table, not two values of one thing."""
_COPIED_WITH_FIGURES = 0.85
"""The same where one of them has more figures, so that which stands for which is less sure."""
_MARKS = frozenset("note notes exhibit exhibits item items page pages table figure form part footnote".split())
_DETERMINERS = frozenset("the a an our its their this that such each".split())
_SINCE = frozenset(["effective", "since", "amended", "revised", "restated", "updated"])
_NEAR = 4
_DIGITS = re.compile(r"\d+")
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


@dataclass(frozen=True, slots=True)
class _Alignment:
    """Two sentences side by side."""

    pairs: tuple[Pair, ...]
    """Figures and labels in the same place."""
    edits: tuple[tuple[Sequence[Token], Sequence[Token]], ...]
    share: float


def disagreement(one: Wording, other: Wording) -> Disagreement | None:
    """Where two sentences contradict each other, or None."""
    if max(len(one.keys), len(other.keys)) > _LONGEST:
        return None
    if one.keys != other.keys and min(len(one.content), len(other.content)) < _FEWEST_CONTENT:
        return None
    alignment = _aligned(one, other)
    if alignment is not None and alignment.share >= _COPIED:
        return _in_copies(one, alignment)
    return _in_other_words(one, other)


def _aligned(one: Wording, other: Wording) -> _Alignment | None:
    if one.keys == other.keys:
        return _Alignment(tuple(_slots(one.tokens, other.tokens)), (), 1.0)
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
    if most < _COPIED * total:
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
    return _Alignment(tuple(pairs), tuple(edits), 2 * same / total)


def _slots(ours: Sequence[Token], theirs: Sequence[Token]) -> Iterator[Pair]:
    return (
        (left, right)
        for left, right in zip(ours, theirs, strict=True)
        if left.key in (SLOT, LABEL) and left.key == right.key
    )


def _in_copies(one: Wording, alignment: _Alignment) -> Disagreement | None:
    ours = [token for said, _ in alignment.edits for token in said]
    theirs = [token for _, said in alignment.edits for token in said]
    if turned := _turned(alignment) or _no_such_day(alignment):
        return turned
    if not _same_subject(one, ours, theirs) or any(_other_party(*edit) for edit in alignment.edits):
        return None
    return _figures(one, alignment) or _negation(alignment)


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


def _figures(one: Wording, alignment: _Alignment) -> Disagreement | None:
    slots = [pair for pair in alignment.pairs if pair[0].key == SLOT]
    different = [pair for pair in slots if _outcome(pair) == "different"]
    if labels := [pair for pair in alignment.pairs if pair[0].key == LABEL and pair[0].plain != pair[1].plain]:
        alone = len(labels) == 1 and not different and not alignment.edits
        return replace(_found("number", labels[0]), names=True) if alone and _refers(one, labels[0][0]) else None
    ours, theirs = ([token for edit in alignment.edits for token in edit[side] if token.key == SLOT] for side in (0, 1))
    added = ours + theirs
    if added and (alignment.share < _COPIED_WITH_FIGURES or any(_sets_apart(one, token) for token in added)):
        return None
    different = [pair for pair in different if not (_among(pair[1], ours) or _among(pair[0], theirs))]
    times = [pair for pair in different if _is_time(pair)]
    amounts = [pair for pair in different if not _is_time(pair)]
    if amounts:
        apart = any(not _since(one, pair[0]) for pair in times)
        row = len(amounts) >= _MANY and not any(_outcome(pair) == "same" and not _is_time(pair) for pair in slots)
        return None if apart or row else _found("number", amounts[0])
    changed = [pair for pair in times if _written(pair[0]) != _written(pair[1])]  # "December 31, 2022 and 2021"
    events = len(changed) > 1 and not any(_outcome(pair) == "same" for pair in slots)
    if events or any(_beyond(*edit) for edit in alignment.edits):
        return None  # another event, with its own date
    if not times:
        return None
    return replace(_found("date", times[0], tuple(times)), names=_names(one, times[0][0]))


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


def _sets_apart(one: Wording, token: Token) -> bool:
    """Whether a figure that one sentence has beyond the other makes it about something else.

    That is another period, or a condition ("orders above $1,000"); not a date since which something holds.
    """
    if token.quantity is None:
        return False
    if not is_time(token.quantity):
        return token.quantity.bound not in (None, "about")
    return token not in one.tokens or not _since(one, token)


def _among(token: Token, others: Sequence[Token]) -> bool:
    """Whether a figure is one that the other sentence has elsewhere: the two were not side by side."""
    return any(_outcome((token, other)) == "same" for other in others)


def _outcome(pair: Pair) -> str:
    left, right = pair[0].quantity, pair[1].quantity
    return compared(left, right) if left is not None and right is not None else "unknown"


def _written(token: Token) -> str:
    return token.quantity.original if token.quantity is not None else ""


def _is_time(pair: Pair) -> bool:
    return any(token.quantity is not None and is_time(token.quantity) for token in pair)


def _since(one: Wording, token: Token) -> bool:
    """Whether a date says since when something holds: it orders two sources and does not part what they speak of."""
    place = one.tokens.index(token)
    return any(before.plain in _SINCE for before in one.tokens[max(0, place - _NEAR) : place])


def _found(kind: ConflictKind, pair: Pair, times: tuple[Pair, ...] = ()) -> Disagreement:
    return Disagreement(kind, (pair[0].start, pair[0].end), (pair[1].start, pair[1].end), times)


def _turned(alignment: _Alignment) -> Disagreement | None:
    """A word in the place of its opposite, or "may" in that of "must", and nothing else."""
    if any(_outcome(pair) == "different" for pair in alignment.pairs if pair[0].key == SLOT):
        return None
    changed = [edit for edit in alignment.edits if any(map(_matters, edit[0])) or any(map(_matters, edit[1]))]
    if len(changed) != 1:
        return None
    ours = [token for token in changed[0][0] if _matters(token)]
    theirs = [token for token in changed[0][1] if _matters(token)]
    if len(ours) == len(theirs) == 1 and _opposite(ours[0], theirs[0]):
        return _found("polarity", (ours[0], theirs[0]))
    return None


def _no_such_day(alignment: _Alignment) -> Disagreement | None:
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


def _matters(token: Token) -> bool:
    return token.content or _denies(token) or token.plain in DUTY | PERMISSION or token.key in (SLOT, LABEL)


def _opposite(one: Token, other: Token) -> bool:
    pair = {one.plain, other.plain}
    forces = (pair & DUTY, pair & PERMISSION)
    return (one.key, other.key) in opposites() or all(forces) or pair in _PERMITTED_OR_NOT


def _negation(alignment: _Alignment) -> Disagreement | None:
    """A denial in one of the two and none in the other, and nothing else that is not the same."""
    ours = [token for said, _ in alignment.edits for token in _denials(said)]
    theirs = [token for _, said in alignment.edits for token in _denials(said)]
    if len(ours) % 2 == len(theirs) % 2:
        return None
    if any(_beyond(*edit) for edit in alignment.edits if len(_denials(edit[0])) % 2 != len(_denials(edit[1])) % 2):
        return None
    left, right = ours[:1], theirs[:1]
    return Disagreement(
        "polarity",
        (left[0].start, left[0].end) if left else (0, 0),
        (right[0].start, right[0].end) if right else (0, 0),
    )


def _beyond(ours: Sequence[Token], theirs: Sequence[Token]) -> bool:
    """Whether words that say something stand on one side only."""
    left, right = (
        {meaning(token.plain) for token in side if token.content and token.plain not in _TRUTH | _DENIALS}
        for side in (ours, theirs)
    )
    return bool(left ^ right)


def _denials(tokens: Sequence[Token]) -> list[Token]:
    """The denials among some words; "neither ... nor" is one, "whether or not" none."""
    found = [
        token
        for place, token in enumerate(tokens)
        if _denies(token)
        and (place + 1 >= len(tokens) or tokens[place + 1].plain not in _LIMITS)
        and not (place and tokens[place - 1].plain == "or" and token.plain == "not")
    ]
    return found[:1] if {"neither", "nor"} <= {token.plain for token in found} else found


def _denies(token: Token) -> bool:
    return is_negation(token.plain) or token.plain in _DENIALS


def _in_other_words(one: Wording, other: Wording) -> Disagreement | None:
    """One figure of a kind in each of two sentences that share nearly all content words."""
    left, right = one.content - _light(), other.content - _light()
    shared, every = len(left & right), len(left | right)
    if shared < _FEWEST_PARAPHRASED or shared < _PARAPHRASED * every:
        return None
    if sum(map(_denies, one.tokens)) % 2 != sum(map(_denies, other.tokens)) % 2:
        return None
    ours = [token for token in one.tokens if token.key == SLOT]
    theirs = [token for token in other.tokens if token.key == SLOT]
    if len(ours) != 1 or len(theirs) != 1 or _outcome((ours[0], theirs[0])) != "different":
        return None
    pair = (ours[0], theirs[0])
    return _found("date", pair, (pair,)) if _is_time(pair) else _found("number", pair)


@cache  # loading a stemmer takes longer than an import may
def _light() -> frozenset[str]:
    return frozenset(map(meaning, _LIGHT))
