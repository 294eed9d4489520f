"""Parties: "The tenant returns the deposit" where the source says that the landlord does."""

from __future__ import annotations

from collections.abc import Sequence

from spanwise.guard.aligning import words_of
from spanwise.guard.comparators.difference import Difference
from spanwise.guard.context import Context
from spanwise.guard.contrasts import opposite
from spanwise.guard.evidence import Evidence, Said
from spanwise.guard.sources import share
from spanwise.guard.statements import ROLES
from spanwise.text.terms import stem

_ALL_BUT_IT = 0.85
"""Share of the claim's words besides the party that the sentence about the other party holds."""
_FEWEST = 2
_CANDIDATES = 5
_LONGEST = 60
"""Words; a longer sentence says several things."""


def parties_keep_their_deeds(said: Said, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """A deed of one party in the claim is not one that its evidence gives to the opposite party alone."""
    del context
    parties = [word.plain for word in words_of(said.plain) if word.plain in ROLES]
    about = {one: weight for one, weight in said.wanted.items() if parties and one != stem(parties[0])}
    if len(parties) != 1 or len(about) < _FEWEST:
        return []
    near = [
        unit
        for unit, _ in evidence.candidates[:_CANDIDATES]
        if unit.fact is None and len(unit.text.split()) <= _LONGEST and share(unit.known, about) >= _ALL_BUT_IT
    ]
    named = [ROLES.intersection(word.plain for word in words_of(unit.text)) for unit in near]
    if any(parties[0] in theirs for theirs in named):
        return []
    for unit, theirs in zip(near, named, strict=True):
        if len(theirs) == 1 and opposite(parties[0], min(theirs)):
            reason = f"the answer speaks of the {parties[0]}, the source of the {min(theirs)}"
            return [Difference("swapped", reason, (said.start, said.end), unit, doubts=True)]
    return []
