"""The list of comparators that every claim is checked with."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias

from spanwise.guard.comparators.additions import nothing_is_added
from spanwise.guard.comparators.attachments import figures_stay_apart, years_stay_with_figures
from spanwise.guard.comparators.borrowed import names_stay_with_words
from spanwise.guard.comparators.causes import causes_are_given
from spanwise.guard.comparators.cells import cells_keep_their_heads, labels_keep_their_members
from spanwise.guard.comparators.closed_words import small_words_stay
from spanwise.guard.comparators.conditions import conditions_are_kept
from spanwise.guard.comparators.coordination import (
    deeds_keep_their_objects,
    names_stay_in_their_part,
    statements_stay_apart,
)
from spanwise.guard.comparators.copies import made_from_another
from spanwise.guard.comparators.denied import nothing_denied_is_affirmed
from spanwise.guard.comparators.difference import Difference
from spanwise.guard.comparators.figures import figures_agree
from spanwise.guard.comparators.foreign import denials_stay, words_are_found
from spanwise.guard.comparators.framing import frame_is_kept
from spanwise.guard.comparators.other_lines import other_lines_agree
from spanwise.guard.comparators.polarity import polarity_is_kept
from spanwise.guard.comparators.privatives import privatives_stay
from spanwise.guard.comparators.quotations import quotations_stand
from spanwise.guard.comparators.records import record_agrees
from spanwise.guard.comparators.rivals import names_change_no_places
from spanwise.guard.comparators.roles import names_keep_their_places
from spanwise.guard.comparators.slots import operators_agree
from spanwise.guard.comparators.subjects import subject_is_kept
from spanwise.guard.comparators.tense import tense_is_kept
from spanwise.guard.comparators.units import units_agree
from spanwise.guard.evidence.context import Context
from spanwise.guard.evidence.search import Evidence, ReadClaim
from spanwise.guard.evidence.stretches import is_quoted
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
    names_stay_with_words,
    names_change_no_places,
    operators_agree,
    frame_is_kept,
    nothing_is_added,
    causes_are_given,
    polarity_is_kept,
    units_agree,
    small_words_stay,
    conditions_are_kept,
    subject_is_kept,
    names_stay_in_their_part,
    statements_stay_apart,
    deeds_keep_their_objects,
    nothing_denied_is_affirmed,
    privatives_stay,
    tense_is_kept,
    cells_keep_their_heads,
    labels_keep_their_members,
    other_lines_agree,
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
        *(subject_is_kept, names_stay_in_their_part, statements_stay_apart, deeds_keep_their_objects),
        *(cells_keep_their_heads, labels_keep_their_members),
    ]
)
"""Comparators that say nothing of a claim whose very words stand in a passage."""


def differences(said: ReadClaim, evidence: Evidence, context: Context) -> Iterator[Difference]:
    """The differences that all comparators find, each with the name of its comparator."""
    quoted = is_quoted(said, evidence, context)
    for comparator in COMPARATORS if said.language == ENGLISH else _OF_ANY_LANGUAGE:
        if quoted and comparator in _OF_PARAPHRASES:
            continue
        for found in comparator(said, evidence, context):
            yield replace(found, by=comparator.__name__)
