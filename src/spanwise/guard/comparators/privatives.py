"""Words that take away what the noun behind them says: a former chair is no chair, a deputy judge is not the judge.

The privative adjectives of semantics (Partee 2010), and titles that are another office than the one they are built of.
"""

from __future__ import annotations

from collections.abc import Sequence

from spanwise.guard.comparators.difference import Difference
from spanwise.guard.evidence.context import Context
from spanwise.guard.evidence.search import Evidence, ReadClaim
from spanwise.guard.evidence.stretches import nearest_stretch
from spanwise.guard.sentence.lexicon import words_of_class
from spanwise.guard.sentence.operators import is_content

_POSSESSIVES = frozenset(["my", "your", "his", "her", "its", "our", "their"])


def privatives_stay(said: ReadClaim, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """Whoever a source calls a former or deputy something is not called that thing itself, unless it was long ago."""
    pair = nearest_stretch(said, evidence, context)
    if pair is None:
        return []
    privative, since = words_of_class("scope", "privative"), words_of_class("scope", "no_longer")
    own, theirs = {word.plain for word in pair.ours}, [word.plain for word in pair.theirs]
    if own & (privative | since):
        return []
    for index, place in enumerate(pair.match):
        noun = pair.ours[index]
        if place < 1 or not is_content(noun) or theirs[place - 1] not in privative:
            continue
        if index and pair.ours[index - 1].plain in _POSSESSIVES:
            continue  # "leaving their economy": whose it was is what tells it
        between = theirs[place : max(pair.match)]
        if theirs.count(theirs[place]) > 1 or not words_of_class("scope", "succession").isdisjoint(between):
            continue  # "the former chair, who was followed by X": the claim may speak of X
        told = f'the source says "{theirs[place - 1]} {theirs[place]}", the answer "{noun.plain}"'
        at = said.start + noun.start, said.start + noun.end
        return [Difference("overstated", told, at, pair.unit, denies=True, doubts=True)]
    return []
