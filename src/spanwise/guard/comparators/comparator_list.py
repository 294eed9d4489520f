"""The list of comparators that every claim is checked with, and which of the differences that they find decide."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias

from spanwise.guard.alignment import Pair
from spanwise.guard.comparators.additions import (
    causes_are_given,
    is_turned_with_its_bound,
    limits_are_given,
    nothing_is_added,
    operators_agree,
)
from spanwise.guard.comparators.arguments import arguments_stay_with_their_verb, tells_of_others
from spanwise.guard.comparators.charges import what_costs_is_not_free
from spanwise.guard.comparators.copies import made_from_another, small_words_stay
from spanwise.guard.comparators.directions import comparisons_have_two_sides, directions_agree
from spanwise.guard.comparators.exclusions import (
    excluded_rightly,
    nothing_excluded_is_claimed,
    nothing_is_boundless,
    what_is_refused_is_not_granted,
    what_matters_is_not_denied,
)
from spanwise.guard.comparators.families import words_stay_in_their_group
from spanwise.guard.comparators.figures import (
    figures_agree,
    figures_stay_apart,
    hours_stay,
    lies_beyond_a_bound,
    units_agree,
    years_stay_with_figures,
)
from spanwise.guard.comparators.foreign import denials_stay, words_are_found
from spanwise.guard.comparators.framing import (
    PRONOUNS,
    conditions_are_kept,
    frame_is_kept,
    nothing_denied_is_affirmed,
    polarity_is_kept,
    privatives_stay,
    tense_is_kept,
)
from spanwise.guard.comparators.names import (
    names_change_no_places,
    names_keep_their_places,
    names_stay_with_words,
    statements_stay_apart,
    subject_is_kept,
)
from spanwise.guard.comparators.other_lines import (
    cells_keep_their_heads,
    labels_keep_their_members,
    other_lines_agree,
    quotations_stand,
    record_agrees,
)
from spanwise.guard.comparators.plans import nothing_is_there_before_it_is_told, what_is_open_is_not_done
from spanwise.guard.comparators.rivals import parts_stay_with_their_words
from spanwise.guard.comparators.unasserted import what_is_mentioned_is_asserted
from spanwise.guard.evidence import Context, Difference, Evidence, ReadClaim, is_quoted, nearest_stretch
from spanwise.guard.sentence import operators, words_of
from spanwise.text.languages import ENGLISH

Comparator: TypeAlias = Callable[[ReadClaim, Evidence, Context], Sequence[Difference]]

COMPARATORS: Sequence[Comparator] = (
    quotations_stand,
    record_agrees,
    made_from_another,
    names_keep_their_places,
    figures_agree,
    figures_stay_apart,
    years_stay_with_figures,
    hours_stay,
    names_stay_with_words,
    names_change_no_places,
    operators_agree,
    frame_is_kept,
    nothing_is_added,
    causes_are_given,
    limits_are_given,
    polarity_is_kept,
    directions_agree,
    units_agree,
    small_words_stay,
    conditions_are_kept,
    arguments_stay_with_their_verb,
    subject_is_kept,
    statements_stay_apart,
    nothing_denied_is_affirmed,
    nothing_excluded_is_claimed,
    privatives_stay,
    tense_is_kept,
    cells_keep_their_heads,
    labels_keep_their_members,
    other_lines_agree,
    words_stay_in_their_group,
    what_costs_is_not_free,
    parts_stay_with_their_words,
    what_is_open_is_not_done,
    what_is_mentioned_is_asserted,
    comparisons_have_two_sides,
    nothing_is_there_before_it_is_told,
    what_matters_is_not_denied,
    nothing_is_boundless,
    what_is_refused_is_not_granted,
)

_OF_ANY_LANGUAGE: Sequence[Comparator] = (
    quotations_stand,
    names_keep_their_places,
    figures_agree,
    words_are_found,
    denials_stay,
)
"""Comparators of claims in other languages than English, of which the words of all others are."""
_OF_PARAPHRASES = frozenset(
    [
        *(subject_is_kept, statements_stay_apart),
        arguments_stay_with_their_verb,
        *(cells_keep_their_heads, labels_keep_their_members),
        *(words_stay_in_their_group, parts_stay_with_their_words, what_is_open_is_not_done),
        *(what_is_mentioned_is_asserted, comparisons_have_two_sides),
        *(nothing_is_there_before_it_is_told, what_matters_is_not_denied, nothing_is_boundless),
        what_is_refused_is_not_granted,
    ]
)
"""Comparators that say nothing of a claim whose very words stand in a passage."""
_OF_POLARITY = frozenset(
    [
        *(arguments_stay_with_their_verb, frame_is_kept, nothing_denied_is_affirmed, operators_agree, polarity_is_kept),
        words_stay_in_their_group,
    ]
)
"""Comparators that say nothing of a claim which denies what its sentence excludes, or turns a bound and its deed."""


_SIZES, _TIMES = ("most", "least"), ("before", "after")


def differences(said: ReadClaim, evidence: Evidence, context: Context) -> Iterator[Difference]:
    """The differences that all comparators find, each with the name of its comparator."""
    quoted = is_quoted(said, evidence, context)
    pair = nearest_stretch(said, evidence, context)
    turned = excluded_rightly(said, evidence) or (pair is not None and is_turned_with_its_bound(pair, _SIZES))
    in_time = pair is not None and is_turned_with_its_bound(pair, _TIMES)
    for comparator in COMPARATORS if said.language == ENGLISH else _OF_ANY_LANGUAGE:
        if (quoted and comparator in _OF_PARAPHRASES) or (turned and comparator in _OF_POLARITY):
            continue
        for found in comparator(said, evidence, context):
            if turned and (found.kind == "negated" or (comparator is nothing_is_added and _limits(found, said))):
                continue
            # "The tenant does not mend it" does not contradict "the landlord mends it".
            turns = comparator in (polarity_is_kept, operators_agree) and found.kind in ("negated", "overstated")
            of_others = turns and found.denies and found.unit and tells_of_others(said, found.unit, context)
            open_yet = of_others or (in_time and comparator in _OF_POLARITY)
            always = found.always or (in_time and found.denies and comparator is operators_agree)
            yield replace(found, denies=found.denies and not open_yet, always=always, by=comparator.__name__)


def _limits(found: Difference, said: ReadClaim) -> bool:
    """True if what a claim adds is "only", with which it says what others may not."""
    added = words_of(said.plain[found.at[0] - said.start : found.at[1] - said.start])
    return any(one.group == "exclusivity" for one in operators(added))


# Which differences decide: those that are the only one between a claim and the sentence that it repeats. Where more
# than that differs the claim is a free wording, of which the fitted score tells more than any single word: of what
# comparators found in such claims people called no more wrong than of other claims. What limits a statement ("only",
# "some", "may") and is added or left out decides anyway.

_EXPLAINED = 0.95
"""Share of a claim's content words that the sentence has, for a difference of the whole claim."""
_OF_WORDINGS = frozenset(
    "figures_agree frame_is_kept made_from_another nothing_is_added operators_agree polarity_is_kept".split()
)
"""Comparators that often find a difference in a free wording; the others say of themselves where they apply."""
_OF_COPIES = frozenset(["figures_agree", "polarity_is_kept"])
"""Of those, which decide of a copy with other changes too ("1997-97" for "1996-97", "even if not" for "only if")."""
_OF_REARRANGED = frozenset(["privatives_stay"])
"""Comparators of words that are put together otherwise: where the sentence lacks some, the claim rewords it."""
_OF_FIGURES = frozenset(["number_changed", "date_changed"])


def decided(
    faults: Iterable[Difference], said: ReadClaim, evidence: Evidence, context: Context
) -> tuple[Difference, ...]:
    """The differences without those that would decide but for others; a figure that is lacked stays as a finding."""
    faults = list(faults)
    turned = any(fault.denies and fault.kind not in _OF_FIGURES for fault in faults)
    if turned and lies_beyond_a_bound(said, evidence):
        # "Not if it is three days late" does not contradict "if it is more than five days late".
        faults = [replace(fault, denies=False, doubts=fault.doubts or fault.denies) for fault in faults]
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
    content = [index for index, word in enumerate(pair.ours) if word.content and index not in named]
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
    return sum(any(word.content for word in (*change.ours, *change.theirs)) for change in changes)
