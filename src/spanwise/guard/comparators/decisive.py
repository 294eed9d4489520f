"""Which differences decide: those that are the only one between a claim and the sentence that it repeats.

Where more than that differs the claim is a free wording, of which the fitted score tells more than any single word: of
what comparators found in such claims people called no more wrong than of other claims. A negation decides anyway,
and so does what limits a statement ("only", "some", "may") and is added or left out.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from spanwise.guard.comparators.difference import Difference
from spanwise.guard.context import Context
from spanwise.guard.evidence import Evidence, Said
from spanwise.guard.operators import is_content
from spanwise.guard.pairing import Pair
from spanwise.guard.stretches import nearest_stretch

_EXPLAINED = 0.95
"""Share of a claim's content words that the sentence has, for a difference of the whole claim."""
_OF_WORDINGS = frozenset("figures_agree frame_is_kept made_from_another nothing_is_added operators_agree".split())
"""Comparators that often find a difference in a free wording; the others say of themselves where they apply."""
_OF_FIGURES = frozenset(["number_changed", "date_changed"])


def decided(faults: Iterable[Difference], said: Said, evidence: Evidence, context: Context) -> tuple[Difference, ...]:
    """The differences without those that would decide but for others; a figure that is lacked stays as a finding."""
    kept = (fault if _decides(fault, said, evidence, context) else _found_only(fault) for fault in faults)
    return tuple(fault for fault in kept if fault is not None)


def _found_only(fault: Difference) -> Difference | None:
    """What is left of a difference among others: another name still is a doubt, a figure that is lacked a finding."""
    if fault.denies and fault.kind in ("swapped", "not_in_sources"):
        return replace(fault, denies=False, doubts=True)
    return replace(fault, doubts=False) if fault.by == "figures_agree" else None


def _decides(fault: Difference, said: Said, evidence: Evidence, context: Context) -> bool:
    if fault.by not in _OF_WORDINGS or fault.always or not (fault.denies or fault.doubts):
        return True
    pair = nearest_stretch(said, evidence, context)
    if pair is None or (fault.denies and fault.kind in _OF_FIGURES):
        return True
    if fault.by == "figures_agree" and pair.alignment.near_copy:  # "1997-97" for "1996-97" differs in two places
        return True
    low, high = fault.at[0] - said.start, fault.at[1] - said.start
    if low <= 0 and high >= len(said.plain) - 1:
        content = [index for index, word in enumerate(pair.ours) if is_content(word)]
        return sum(map(pair.explained, content)) >= _EXPLAINED * len(content)
    # Two words that changed places differ at both.
    return _changes_elsewhere(pair, low, high) <= (fault.kind == "swapped")


def _changes_elsewhere(pair: Pair, low: int, high: int) -> int:
    """Places outside of a range of the claim where content words differ, but for what opens it ("In practice, ...")."""
    changes = [
        change
        for change in pair.alignment.changes
        if not (change.ours and change.ours[0].start < high and low < change.ours[-1].end)
        and (change.before or change.theirs)
    ]
    return sum(any(is_content(word) for word in (*change.ours, *change.theirs)) for change in changes)
