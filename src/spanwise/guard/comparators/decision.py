"""Which differences decide: those that are the only one between a claim and the sentence that it repeats.

Where more than that differs the claim is a free wording, of which the fitted score tells more than any single word: of
what comparators found in such claims people called no more wrong than of other claims. What limits a
statement ("only", "some", "may") and is added or left out decides anyway.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from spanwise.guard.comparators.difference import Difference
from spanwise.guard.comparators.framing import PRONOUNS
from spanwise.guard.evidence.context import Context
from spanwise.guard.evidence.pair import Pair
from spanwise.guard.evidence.search import Evidence, ReadClaim
from spanwise.guard.evidence.stretches import nearest_stretch
from spanwise.guard.sentence.operators import is_content

_EXPLAINED = 0.95
"""Share of a claim's content words that the sentence has, for a difference of the whole claim."""
_OF_WORDINGS = frozenset(
    "figures_agree frame_is_kept made_from_another nothing_is_added operators_agree polarity_is_kept".split()
)
"""Comparators that often find a difference in a free wording; the others say of themselves where they apply."""
_OF_COPIES = frozenset(["figures_agree", "polarity_is_kept"])
"""Of those, which decide of a copy with other changes too ("1997-97" for "1996-97", "even if not" for "only if")."""
_OF_REARRANGED = frozenset(["names_stay_in_their_part", "privatives_stay"])
"""Comparators of words that are put together otherwise: where the sentence lacks some, the claim rewords it."""
_OF_FIGURES = frozenset(["number_changed", "date_changed"])


def decided(
    faults: Iterable[Difference], said: ReadClaim, evidence: Evidence, context: Context
) -> tuple[Difference, ...]:
    """The differences without those that would decide but for others; a figure that is lacked stays as a finding."""
    kept = (fault if _decides(fault, said, evidence, context) else _found_only(fault) for fault in faults)
    return tuple(fault for fault in kept if fault is not None)


def _found_only(fault: Difference) -> Difference | None:
    """What is left of a difference among others: another name still is a doubt, a figure that is lacked a finding."""
    if fault.denies and fault.kind in ("swapped", "not_in_sources"):
        return replace(fault, denies=False, doubts=True)
    return replace(fault, doubts=False) if fault.by == "figures_agree" else None


def _decides(fault: Difference, said: ReadClaim, evidence: Evidence, context: Context) -> bool:
    if fault.by in _OF_REARRANGED:
        pair = nearest_stretch(said, evidence, context)
        return pair is None or pair.alignment.near_copy or _explained(pair)
    if fault.by not in _OF_WORDINGS or fault.always or not (fault.denies or fault.doubts):
        return True
    pair = nearest_stretch(said, evidence, context)
    if pair is None or (fault.denies and fault.kind in _OF_FIGURES):
        return True
    if fault.by in _OF_COPIES and pair.alignment.near_copy:
        return True
    low, high = fault.at[0] - said.start, fault.at[1] - said.start
    if low <= 0 and high >= len(said.plain) - 1:
        return _explained(pair)
    # Two words that changed places differ at both.
    return _changes_elsewhere(pair, low, high) <= (fault.kind == "swapped")


def _explained(pair: Pair) -> bool:
    """True if the sentence has nearly all content words of the claim."""
    named = _named(pair)
    content = [index for index, word in enumerate(pair.ours) if is_content(word) and index not in named]
    return sum(map(pair.explained, content)) >= _EXPLAINED * len(content)


def _named(pair: Pair) -> frozenset[int]:
    """Words of the claim in the place of a pronoun of the sentence: "assigns the agreement" for "assigns it"."""
    changes = [change for change in pair.alignment.changes if change.theirs]
    named = [change for change in changes if all(word.plain in PRONOUNS for word in change.theirs)]
    return frozenset(index for one in named for index in range(one.before, one.before + len(one.ours)))


def _changes_elsewhere(pair: Pair, low: int, high: int) -> int:
    """Places outside of a range of the claim where content words differ, but for what opens it ("In practice, ...")."""
    changes = [
        change
        for change in pair.alignment.changes
        if not (change.ours and change.ours[0].start < high and low < change.ours[-1].end)
        and (change.before or change.theirs)
    ]
    return sum(any(is_content(word) for word in (*change.ours, *change.theirs)) for change in changes)
