"""Operators in the same place of a claim and a sentence: the opposite one, or one that says more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spanwise.guard.comparators.difference import Difference
from spanwise.guard.context import Context
from spanwise.guard.evidence import Evidence, Said
from spanwise.guard.operators import Operator
from spanwise.guard.pairing import Pair
from spanwise.guard.statements import is_negation
from spanwise.guard.stretches import nearest_stretch
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
        ),
    )
}
_ORDER = {"all": 3, "many": 2, "some": 1, "duty": 3, "future": 3, "advice": 2, "option": 1}
"""How much, or how firmly, an operator says something."""
_NEGATED = {"most": "least", "least": "most", "before": "after", "after": "before"}


def operators_agree(said: Said, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """Bounds, quantifiers, exclusivity and modality of the claim are those of its evidence."""
    pair = nearest_stretch(said, evidence, context)
    if pair is None:
        return []
    return list(_differences(pair, said))


def _differences(pair: Pair, said: Said) -> Iterator[Difference]:
    for ours in pair.operators:
        same = [one for one in pair.their_operators if one.group == ours.group and _same_slot(ours, one, pair)]
        if not same or any(_name(one, pair.theirs) == _name(ours, pair.ours) for one in same):
            continue
        other = same[0]
        one, two = _name(ours, pair.ours), _name(other, pair.theirs)
        if frozenset((one, two)) in _OPPOSITE:
            yield _fault(ours, other, pair, said, denies=True)
        elif one in _ORDER and two in _ORDER and _ORDER[one] != _ORDER[two]:
            yield _fault(ours, other, pair, said, denies=_ORDER[one] > _ORDER[two])


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
    before = ours.first - 1
    return before >= 0 and pair.match[before] == theirs.first - 1 >= 0 and pair.match[ours.anchor] < 0


def _fault(ours: Operator, theirs: Operator, pair: Pair, said: Said, *, denies: bool) -> Difference:
    first, last = min(ours.first, ours.anchor), max(ours.last - 1, ours.anchor)
    at = said.start + pair.ours[first].start, said.start + pair.ours[last].end
    low, high = min(theirs.first, theirs.anchor), max(theirs.last - 1, theirs.anchor)
    written = said.plain[pair.ours[first].start : pair.ours[last].end]
    source = pair.unit.text[pair.theirs[low].start : pair.theirs[high].end]
    reason = f'the answer says "{written}", the source "{source}"'
    kind: FindingKind = "overstated" if ours.group in ("quantity", "modality") else "number_changed"
    return Difference(kind, reason, at, pair.unit, denies=denies, doubts=True)
