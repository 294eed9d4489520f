"""Small words: in a copy of a sentence no word that limits, orders or denies takes the place of another.

What the classes of operators do not know is noticed here: "but for guests" for "and guests", "on top of" for "below".
Neither does an operator stand in the place of words that are none, or none of its class: whatever "limited to" is,
it is not "including".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from spanwise.guard.comparators.additions import RESERVING
from spanwise.guard.comparators.difference import Difference
from spanwise.guard.evidence.alignment import Change
from spanwise.guard.evidence.context import Context
from spanwise.guard.evidence.pair import Pair
from spanwise.guard.evidence.search import Evidence, ReadClaim
from spanwise.guard.evidence.stretches import is_quoted, nearest_stretch
from spanwise.guard.sentence.contrasts import denies_softly
from spanwise.guard.sentence.lexicon import words_of_class
from spanwise.guard.sentence.operators import is_content
from spanwise.guard.sentence.small_words import is_negation
from spanwise.guard.sentence.words import Word

_AROUND = 5
"""Words that both have in a row before and behind the change, taken together."""
_LONGEST = 6
"""Words of a change on either side."""

_MOST_CONTENT = 2
"""Content words of it, those of operators with them."""
_OF_TENSE = frozenset(["future", "option", "cause"])
"""Classes that a claim may leave out for a tense or an order of its own; `additions` looks at what it leaves out."""
_OF_TIMES = frozenset(["before", "after"])
"""Classes whose words say other things as well ("upon", "since"); beside another operator they count."""


def small_words_stay(said: ReadClaim, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """A claim that repeats a sentence keeps the small words that limit what it says."""
    pair = None if is_quoted(said, evidence, context) else nearest_stretch(said, evidence, context)
    if pair is None or not (pair.alignment.near_copy or len(pair.alignment.changes) == 1):
        return []
    changed = next((change for change in pair.alignment.changes if _tells(change, pair)), None)
    if changed is None:
        return []
    at = said.start + changed.ours[0].start, said.start + changed.ours[-1].end
    written = said.plain[changed.ours[0].start : changed.ours[-1].end]
    return [Difference("overstated", f'the answer says "{written}" in other terms', at, pair.unit, doubts=True)]


def _tells(change: Change, pair: Pair) -> bool:
    """True if what stands in one place has a limiting word of its own and says nothing that the other says."""
    ours, theirs = change.ours, change.theirs
    before, behind = change.same_before > 0 or change.before == 0, change.same_after > 0 or change.last
    framed = before and behind and change.same_before + change.same_after >= _AROUND
    if not framed or not ours or max(len(ours), len(theirs)) > _LONGEST or pair.same_figures(change):
        return False
    if [word.plain for word in theirs] == ["of"]:
        return False  # "within a week of", "no later than a week after"
    own, other = pair.operators_in(change)
    if not theirs or own & other:
        return False
    if _overstates(own, other, pair) and max(sum(map(is_content, words)) for words in (ours, theirs)) <= _MOST_CONTENT:
        return not all(
            any(is_negation(word.plain) or denies_softly(word.plain) for word in side) for side in (ours, theirs)
        )
    behind_it = pair.ours[change.before + len(ours) :][:1]
    plain = not any(map(is_content, (*ours, *theirs))) or any(word.number for word in behind_it)
    return plain and bool(_limiting(ours, pair.theirs) or _limiting(theirs, pair.ours))


def _overstates(own: frozenset[str], other: frozenset[str], pair: Pair) -> bool:
    """True if the claim puts an operator in the place of another, adds a firm one, or drops one that is not only tense.

    Those of which both sentences have as many only changed places ("Because it rains, we stay": "We stay because ...").
    """
    said, told = (Counter(one.name for one in found) for found in (pair.operators, pair.their_operators))
    if all(said[name] == told[name] for name in own | other):
        return False
    return bool(own and other) or (
        bool((own - RESERVING - {"future"}) | (other - _OF_TENSE)) and not own | other <= _OF_TIMES
    )


def _limiting(words: Sequence[Word], others: Sequence[Word]) -> list[str]:
    """The limiting words among some, less those that the other sentence has anywhere."""
    known = {word.plain for word in others}
    limiting = words_of_class("scope", "limiting")
    return [word.plain for word in words if word.plain in limiting and word.plain not in known]
