"""Which way a comparison points, and what is compared with what: "twice as common in X as in Y"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from spanwise.guard.evidence import Context, Difference, Evidence, ReadClaim, is_quoted, nearest_stretch
from spanwise.guard.lexicon import is_negation, meanings_of, words_of_class
from spanwise.guard.sentence import Word, words_of
from spanwise.guard.units import Unit

_DENIED_WITHIN = 2
"""Words before a comparison in which a negation turns it round."""
_SAID = 0.75
"""Share of a claim's content words that a sentence has which it was made from."""
_COMPARING = 8
"""Words from a comparative, or the "as" of a multiple, to the "than" or "as" that belongs to it, at most."""
_STANDARD = 6
"""Words behind that which name what something is compared with, at most."""
_LOOKED_AT = 3
"""Sentences that may make the comparison of a claim."""
_JOINTS = frozenset(["than", "as", "most", "least"])
_TWO_SIDES = 2
_PARTS = frozenset("half third quarter fifth tenth".split())
_MULTIPLES = frozenset(["twice", "thrice", "times"])
_NO_COMPARATIVES = frozenset(["rather", "other", "another", "either"])
_ALL_OTHERS = frozenset(["other", "others", "rest", "else", "elsewhere"])
"""Words for whatever is not the subject of a comparison."""


def directions_agree(said: ReadClaim, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """No claim points up where the sentence that it was made from only points down, or turns what is compared."""
    if is_quoted(said, evidence, context):
        return []
    ours = words_of(said.plain)
    for unit, _ in evidence.candidates[:_LOOKED_AT] if any(word.plain in ("as", "than") for word in ours) else ():
        turned = turned_round(said.plain, unit.text)
        if turned is not None:
            told = "the answer turns round what is compared with what in"
            return [_fault(told, said, unit)] if turned == "wrongly" else []
    own = _directions(ours)
    pair = nearest_stretch(said, evidence, context) if len(own) == 1 else None
    if pair is None:
        return []
    compared = words_of_class("direction", "up") | words_of_class("direction", "down")
    content = [at for at, word in enumerate(pair.ours) if word.content and word.plain not in compared]
    others = _directions(pair.theirs)
    if len(others) != 1 or own == others or sum(map(pair.explained, content)) < _SAID * len(content):
        return []
    return [_fault("the answer points the other way than", said, pair.unit)]


def comparisons_have_two_sides(said: ReadClaim, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """No claim compares two things of which the sentences nearest to it say nothing that compares, nor two figures."""
    del context
    if not any(True for _ in _comparisons(words_of(said.plain))) or not evidence.candidates:
        return []
    near = [unit for unit, _ in evidence.candidates[:_LOOKED_AT]]
    comparing = any(_side(word.plain) or word.plain in _JOINTS for unit in near for word in words_of(unit.text))
    figures = sum(len(unit.quantities) for unit in near)
    if comparing or figures >= _TWO_SIDES:
        return []
    reason = "the answer compares what the source does not compare"
    return [Difference("overstated", reason, (said.start, said.end), near[0], doubts=True)]


def _fault(told: str, said: ReadClaim, unit: Unit) -> Difference:
    return Difference("negated", f'{told} "{unit.text}"', (said.start, said.end), unit, doubts=True)


def _directions(words: Sequence[Word]) -> set[str]:
    """The sides to which the comparisons of a sentence point; a denied one may point anywhere."""
    found = set[str]()
    for at, word in enumerate(words):
        if side := _side(word.plain):
            denied = any(is_negation(one.plain) for one in words[max(0, at - _DENIED_WITHIN) : at])
            found.update(("up", "down") if denied else (side,))
    return found


def _side(word: str) -> str:
    return next((side for side in ("up", "down") if word in words_of_class("direction", side)), "")


# What is compared with what: the subject of a comparison and its standard, in the terms of the grammar of comparison.


class _Comparison(NamedTuple):
    side: str
    """Where it points, or the comparative itself where no list knows that ("older")."""
    subject: AbstractSet[str | int]
    standard: AbstractSet[str | int]
    """Meanings of the content words before and behind "than" or the second "as"."""


def turned_round(ours: str, theirs: str) -> str | None:
    """Whether a claim turns round what is compared: "rightly" where it turns the comparative as well, or "wrongly".

    "Half as many" turns "twice as many"; None where both sentences compare the same way.
    """
    for one in _comparisons(words_of(ours)):
        for other in _comparisons(words_of(theirs)):
            behind = other.standard - one.standard
            crossed = (one.standard - other.standard) & other.subject and (not other.standard or one.subject & behind)
            if crossed and (one.side == other.side or {one.side, other.side} == {"up", "down"}):
                return "wrongly" if one.side == other.side else "rightly"
    return None


def _comparisons(words: Sequence[Word]) -> Iterator[_Comparison]:
    for at, word in enumerate(words):
        if word.plain not in ("as", "than") or any(behind.number for behind in words[at + 1 : at + 2]):
            continue  # "more than 30" is a bound
        near = range(max(0, at - _COMPARING), at)
        sides = [side for place in near if (side := _compared(words, place, word.plain))]
        if sides:
            standard = _meanings(words[at + 1 : at + 1 + _STANDARD])
            yield _Comparison(sides[-1], _meanings(words[:at]), standard)


def _compared(words: Sequence[Word], at: int, joint: str) -> str:
    """The side of a comparative before "than", or of a multiple before "as" ("half as often as")."""
    word = words[at].plain
    if joint == "as":
        behind = words[at + 1].plain if at + 1 < len(words) else ""
        return "" if behind != "as" else "down" if word in _PARTS else "up" if word in _MULTIPLES else ""
    right_before = words[at + 1].plain == "than" and word.endswith("er") and words[at].content
    return _side(word) or (word if right_before and word not in _NO_COMPARATIVES else "")


def _meanings(words: Sequence[Word]) -> AbstractSet[str | int]:
    content = (word.plain for word in words if word.content and word.plain not in _ALL_OTHERS)
    return frozenset[str | int]().union(*map(meanings_of, content))
