"""Operators in the same place of a claim and a sentence: the opposite one, or one that says more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spanwise.guard.comparators.difference import Difference
from spanwise.guard.evidence.context import Context
from spanwise.guard.evidence.pair import Pair
from spanwise.guard.evidence.search import Evidence, ReadClaim
from spanwise.guard.evidence.stretches import nearest_stretch
from spanwise.guard.sentence.operators import Operator, is_content
from spanwise.guard.sentence.small_words import is_negation
from spanwise.guard.verification import FindingKind

_OPPOSITE = {
    frozenset(pair)
    for pair in (
        *(
            ("most", "least"),
            ("before", "after"),
            ("most", "after"),
            ("all", "none"),
            ("some", "none"),
            ("many", "none"),
            ("inside", "outside"),
            ("only", "shared"),
            ("ban", "option"),
            ("ban", "duty"),
            ("ban", "advice"),
            ("ban", "future"),
            ("release", "duty"),
        ),
    )
}
_ORDER = {"all": 3, "many": 2, "some": 1, "duty": 3, "future": 3, "advice": 2, "option": 1}
"""How much, or how firmly, an operator says something."""
_OF_SENTENCES = {"exclusivity": 0.7, "modality": 0.8}
"""Groups of which one operator in each sentence is compared wherever they stand, if all else is the same.

With each the share of the claim's content words that the sentence has then.
"""
_NEGATED = {"most": "least", "least": "most", "before": "after", "after": "before"}


def operators_agree(said: ReadClaim, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """Bounds, quantifiers, exclusivity and modality of the claim are those of its evidence."""
    pair = nearest_stretch(said, evidence, context)
    if pair is None:
        return []
    return list(_differences(pair, said))


def _differences(pair: Pair, said: ReadClaim) -> Iterator[Difference]:
    explained = sum(map(pair.explained, content := _content(pair)))
    for ours in pair.operators:
        group = [one for one in pair.their_operators if one.group == ours.group]
        same = [one for one in group if _same_slot(ours, one, pair)]
        beside = bool(same)
        alike = explained >= _OF_SENTENCES.get(ours.group, 1) * len(content)
        if not same and alike and ours.group in _OF_SENTENCES and len(_of_group(pair.operators, ours)) == 1:
            same = group[:1] if len(group) == 1 else []
        if not same or any(_name(one, pair.theirs) == _name(ours, pair.ours) for one in same):
            continue
        one = _name(ours, pair.ours)
        other = next((rival for rival in same if frozenset((one, _name(rival, pair.theirs))) in _OPPOSITE), same[0])
        two = _name(other, pair.theirs)
        if frozenset((one, two)) in _OPPOSITE:
            limited = ours.group == "modality" and any(rival.name == "only" for rival in pair.their_operators)
            yield _fault(ours, other, pair, said, denies=beside and not limited)
        elif one in _ORDER and two in _ORDER and _ORDER[one] != _ORDER[two]:
            yield _fault(ours, other, pair, said, denies=beside and _ORDER[one] > _ORDER[two])
        elif ours.group == "modality":
            yield _fault(ours, other, pair, said, denies=False)


def _content(pair: Pair) -> list[int]:
    """The content words of the claim that are no part of an operator, by index."""
    taken = {index for one in pair.operators for index in range(one.first, one.last)}
    return [index for index, word in enumerate(pair.ours) if index not in taken and is_content(word)]


def _of_group(found: Sequence[Operator], ours: Operator) -> list[Operator]:
    return [one for one in found if one.group == ours.group]


def _name(one: Operator, words: Sequence[object]) -> str:
    """The class of an operator; a bound behind "not" is the other one."""
    before = [getattr(word, "plain", "") for word in words[max(0, one.first - 1) : one.first]]
    if one.name in _NEGATED and any(map(is_negation, before)):
        return _NEGATED[one.name]
    return one.name


def _same_slot(ours: Operator, theirs: Operator, pair: Pair) -> bool:
    """True if two operators have the same argument, or follow the same word and have no argument in common."""
    if min(ours.anchor, theirs.anchor) < 0:
        return False
    if pair.match[ours.anchor] == theirs.anchor:
        return True
    if ours.group == "modality" and not pair.alignment.near_copy:
        return False  # another act
    before = ours.first - 1
    return before >= 0 and pair.match[before] == theirs.first - 1 >= 0 and pair.match[ours.anchor] < 0


def _fault(ours: Operator, theirs: Operator, pair: Pair, said: ReadClaim, *, denies: bool) -> Difference:
    first, last = _range(ours)
    at = said.start + pair.ours[first].start, said.start + pair.ours[last].end
    low, high = _range(theirs)
    written = said.plain[pair.ours[first].start : pair.ours[last].end]
    source = pair.unit.text[pair.theirs[low].start : pair.theirs[high].end]
    reason = f'the answer says "{written}", the source "{source}"'
    kind: FindingKind = "overstated" if ours.group in ("quantity", "modality") else "number_changed"
    # "Only" and what takes it back stand in two places of two sentences.
    return Difference(
        kind,
        reason,
        at,
        pair.unit,
        denies=denies,
        doubts=True,
        always=ours.group == "exclusivity" or (denies and ours.group != "bounds"),
    )


def _range(one: Operator) -> tuple[int, int]:
    """The first and the last word of an operator and of what it is about."""
    return (min(one.first, one.anchor), max(one.last - 1, one.anchor)) if one.anchor >= 0 else (one.first, one.last - 1)
