"""Other lines: what one line says, another line of the same passage takes back, amends, or states otherwise.

A correction, a value that took the place of another one, and what was dropped tell more of a thing than the line that
said it first. What stands only inside of a longer sentence gives way to a line that plainly states something else.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from spanwise.guard.comparators.difference import Difference
from spanwise.guard.evidence.context import Context
from spanwise.guard.evidence.pair import Pair
from spanwise.guard.evidence.search import Evidence, ReadClaim
from spanwise.guard.evidence.stretches import nearest_stretch
from spanwise.guard.evidence.units import Unit, share
from spanwise.guard.sentence.small_words import may_negate
from spanwise.guard.sentence.words import words_of
from spanwise.text.injection.directed import gives_way
from spanwise.text.quantities import Quantity, agrees, measure
from spanwise.text.terms import placed_terms

_LONGEST = 400
"""Characters; a longer sentence says several things."""
_ABOUT = 0.5
"""Share of a claim's words besides its figures that a line holds which amends it."""
_THE_SAME = 0.85
"""The same where the line does not say which figure it replaces: of "the small kiln" it has more than "the kiln"."""
_DROPPED = 0.6
"""Share of a claim's words that a line holds which says that the thing was dropped."""
_SAID = 0.8
"""Share of a claim, in its order, that a line holds which says it inside of something longer."""
_INSIDE = 2
"""Words of a line before the claim's that make it a part of something longer."""
_FIRST = 3
"""Words with which a line and a claim begin that speak of the same."""
_AMENDING = re.compile(
    r"\b(?:correction|corrected|corrigendum|erratum|amend(?:ed|ment|s)|addendum|from now on|with immediate effect"
    r"|henceforth|instead of|in place of|has (?:since )?been (?:changed|moved|raised|reduced"
    r"|lowered|increased|cut|extended|shortened|postponed|brought forward|put back|replaced|reset))\b",
    re.IGNORECASE,
)
_REPLACED = re.compile(
    r"\b(?:instead of|rather than|in place of|not|(?:raised|reduced|lowered|increased|cut|changed|moved|extended"
    r"|shortened|went up|went down|rose|fell) from)\s+(?:the |about )?$",
    re.IGNORECASE,
)
"""Words right before a value that no longer holds."""
_WITHDRAWN = re.compile(
    r"\b(?:is|are|was|were|been|be)\s(?:\w{2,20}ly\s)?(?:dropped|cancell?ed|withdrawn|abolished|called off|scrapped"
    r"|discontinued|revoked|repealed|rescinded|rejected|voted down|turned down|overturned|annulled)\b",
    re.IGNORECASE,
)
_PAST = frozenset(
    "was were had been before earlier former formerly first from instead original originally previous previously until "
    "initially once planned proposed would".split()
)
"""Words of a claim that may itself tell of what no longer holds."""


def other_lines_agree(said: ReadClaim, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """What a claim repeats is not amended, dropped or plainly stated otherwise by another line of the passage."""
    pair = nearest_stretch(said, evidence, context)
    if pair is None or pair.unit.fact is not None:
        return []
    words = frozenset(word.plain for word in words_of(said.plain))
    current = _PAST.isdisjoint(words)
    inside = _inside(pair) and not _AMENDING.search(pair.unit.text)
    for unit, held in evidence.candidates:
        if unit.fact is not None or unit.source != pair.unit.source or len(unit.text) > _LONGEST:
            continue
        told = ""
        other = unit.end <= pair.unit.start or pair.unit.end <= unit.start
        if current and said.quantities and _AMENDING.search(unit.text) and _amended(said, unit, context):
            told = "another line gives another figure in the place of this one"
        elif (
            current
            and other
            and (held >= _DROPPED or _begins_alike(said, unit))
            and _WITHDRAWN.search(unit.text)
            and not may_negate(said.plain)
        ):
            told = "" if _WITHDRAWN.search(said.plain) else "another line says that this was dropped"
        elif inside and other and _plainly_otherwise(said, unit):
            told = "it is said only in passing, and another line states something else"
        if told:
            reason = f'{told}: "{unit.text}"'
            return [Difference("negated", reason, (said.start, said.end), unit, doubts=True)]
    return []


def _amended(said: ReadClaim, unit: Unit, context: Context) -> bool:
    """True if an amending line replaces a figure of the claim, or has only other figures of the same kind."""
    inside = [(one.start, one.end) for one in said.quantities]
    counted = {stem for place, stem in placed_terms(said.plain) if any(low <= place < high for low, high in inside)}
    about = {stem: weight for stem, weight in said.wanted.items() if stem not in counted and not stem[0].isdigit()}
    held = share(context.sources.told_of(unit), about) if about else 0.0
    if held < _ABOUT:
        return False
    old = [one for one in unit.quantities if _REPLACED.search(unit.text, 0, one.start)]
    new = [one for one in unit.quantities if one not in old]
    if any(_same(ours, one) for ours in said.quantities for one in new):
        return False
    if any(_same(ours, one) for ours in said.quantities for one in old):
        return True
    if held < _THE_SAME:
        return False
    kinds = {measure(one)[0] for one in new if not one.iso and one.kind != "number"}
    return any(not ours.iso and measure(ours)[0] in kinds for ours in said.quantities)


def _same(ours: Quantity, theirs: Quantity) -> bool:
    bare = "number" in (ours.kind, theirs.kind) and ours.value is not None and ours.value == theirs.value
    return bare or agrees(ours, theirs)


def _inside(pair: Pair) -> bool:
    """True if the words of a claim stand in the midst of a longer sentence."""
    found = [place for place in pair.match if place >= 0]
    return pair.alignment.share >= _SAID and bool(found) and min(found) >= _INSIDE


def _begins_alike(said: ReadClaim, unit: Unit) -> bool:
    """True if a line begins with the first words of a claim."""
    ours, theirs = (words_of(text)[:_FIRST] for text in (said.plain, unit.text))
    return [word.plain for word in ours] == [word.plain for word in theirs] and not any(word.number for word in ours)


def _plainly_otherwise(said: ReadClaim, unit: Unit) -> bool:
    """True if a line begins with the first words of a claim, and goes on with something else."""
    return _begins_alike(said, unit) and gives_way(said.plain, [unit.text], said.plain)
