"""Figures: each number, amount, share, duration and date of a claim occurs in its evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations, pairwise

from spanwise.guard.comparators.cells import told_in_cells
from spanwise.guard.comparators.difference import Difference
from spanwise.guard.evidence.context import Context
from spanwise.guard.evidence.search import Evidence, ReadClaim
from spanwise.guard.evidence.units import Unit, share
from spanwise.guard.sentence.words import words_of
from spanwise.guard.verification import FindingKind
from spanwise.text.quantities import Quantity, agrees, measure
from spanwise.text.terms import placed_terms, terms

_REWRITTEN = 3
"""Sentences in which a figure is looked for in other words."""
_MOST = 6
"""Units whose figures are read for one claim, at most."""
_NEAR = 0.35
"""Share of the claim that a unit has to hold for its figures to count as said of the same thing."""
_COMPARING = frozenset(
    "more less fewer higher lower greater exceeds exceeded exceed difference total together altogether sum combined "
    "not longer shorter cheaper dearer remaining left saves saved increase decrease rose fell up down against "
    "of".split()
)
"""Words with which figures are added or taken from each other."""
_BARE = ("number", "count")
"""Kinds of figures that say nothing without what they count."""
_AHEAD = 40
"""Characters after a figure in which the word that it counts is looked for."""
_CLOSELY = 0.65
"""The same, for a figure that it lacks to keep the claim from being supported."""
_FROM = 9
"""Characters before and in a range in which "from" stands."""
_FEW = 13
"""Counts below it are the sum or the difference of something wherever there are figures."""
_MOST_OPERANDS = 12
"""Figures near of which sums and differences are looked at."""
_FEWEST_ABOUT = 2
"""Content words of a claim besides its figures that tell what it is about."""
_HALF = 0.5
"""Share of them from which a sentence may be about the same."""
_SURELY_NEAR = 0.8
"""The same, for another figure of its to contradict the claim's."""


def figures_agree(said: ReadClaim, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """Every figure of the claim agrees with one beside it in its evidence: sign, unit and magnitude."""
    if not said.quantities:
        return []
    told = told_in_cells(said, context)
    near = list(dict.fromkeys([*evidence.best, *(unit for unit, held in evidence.candidates if held >= _NEAR)]))[:_MOST]
    about = _besides_figures(said)  # once, since a claim may be a column of figures
    closely = _closely(near, about, context)
    borrowed = ((ours, _instead(ours, near, said, about, context)) for ours in said.quantities)
    taken = [_fault(said, ours, other, closely=True) for ours, other in borrowed if other is not None]
    if taken:
        return [replace(fault, denies=False, doubts=True, always=True) for fault in taken]
    return [
        _fault(said, ours, _against(ours, near, said, about, context), closely=closely)
        for ours in said.quantities
        if not any(_said(ours, theirs, unit) for unit in near for theirs in unit.quantities)
        and not any(figure in ours.original for figure in told)
        and not any(_begins_or_ends(ours, theirs, unit, said) for unit in near for theirs in unit.quantities)
        and not any(_part_of(ours, unit) for unit in near)
        and not _worked_out(ours, [unit for unit, _ in evidence.candidates[:_MOST]], said)
    ]


def _instead(
    ours: Quantity, near: Sequence[Unit], said: ReadClaim, about: Mapping[str, float], context: Context
) -> tuple[Unit, Quantity] | None:
    """The figure of the sentence that says all else, where the claim has one of a sentence about something else."""
    if len(about) < _FEWEST_ABOUT:
        return None
    beside = (unit for unit in near if share(context.sources.told_of(unit), about) >= _HALF)
    if any(agrees(ours, theirs) for unit in beside for theirs in unit.quantities):
        return None  # as of most figures, and the figures of a sentence take long to read
    having = [unit for unit in near if any(agrees(ours, theirs) for theirs in unit.quantities)]
    if not having:
        return None
    return _against(ours, [unit for unit in near if unit not in having], said, about, context)


def _begins_or_ends(ours: Quantity, theirs: Quantity, unit: Unit, said: ReadClaim) -> bool:
    """True if a figure is an end of a range whose other end the claim has too, or one that a change begins or ends."""
    ends = measure(theirs)[1:]
    if ours.value is None or theirs.value is not None or ours.value not in ends:
        return False
    both = all(any(one.value == end for one in said.quantities) for end in ends)
    return both or "from" in unit.text[: theirs.start + len("from")].lower()[-_FROM:]


def _part_of(ours: Quantity, unit: Unit) -> bool:
    """True if a count is the part of a sentence that names the whole too ("four of the nine boats")."""
    words = words_of(unit.text) if ours.kind in _BARE and ours.value is not None else ()
    return any(one.plain == str(ours.value) and behind.plain == "of" for one, behind in pairwise(words))


def _worked_out(ours: Quantity, near: Sequence[Unit], said: ReadClaim) -> bool:
    """True if a figure is the sum or the difference of two that stand near, and a word of comparison says so."""
    if ours.value is None or ours.iso or (ours.kind in _BARE and ours.value < _FEW):
        return False
    figures = [(unit, one) for unit in near for one in unit.quantities if one.value is not None and not one.iso]
    for (unit, one), (other, two) in combinations(figures[:_MOST_OPERANDS], 2):
        words = (word.plain for text in (said.plain, unit.text, other.text) for word in words_of(text))
        alike = (measure(one)[0] == measure(two)[0] == measure(ours)[0]) or unit is other
        if one.value is None or two.value is None or not alike or not ours.value:
            continue
        if ours.value in (one.value + two.value, abs(one.value - two.value)) and not _COMPARING.isdisjoint(words):
            return True
    return False


def _said(ours: Quantity, theirs: Quantity, unit: Unit) -> bool:
    """True if a figure is the source's, rounded where the claim says "about", or without what both count."""
    if agrees(ours, theirs) or (ours.bound == "about" and agrees(ours, theirs, tolerance=0.05)):
        return True
    bare = (ours.kind, theirs.kind) == ("count", "number") and ours.value == theirs.value
    return bare and bool(unit.known.intersection(terms(ours.original)))


def _against(
    ours: Quantity, near: Sequence[Unit], said: ReadClaim, about: Mapping[str, float], context: Context
) -> tuple[Unit, Quantity] | None:
    """A figure of the same dimension in a sentence that is about the same thing and says none of the claim's."""
    if any(_overlap(ours, theirs) for unit in near for theirs in unit.quantities):
        return None
    for unit in near:
        if share(context.sources.told_of(unit), about) < _SURELY_NEAR:
            continue
        free = [one for one in unit.quantities if not any(agrees(own, one) for own in said.quantities)]
        for theirs in free:
            if _comparable(ours, theirs) and (ours.kind not in _BARE or _counts_alike(ours, theirs, said, unit)):
                return unit, theirs
    return None


def _counts_alike(ours: Quantity, theirs: Quantity, said: ReadClaim, unit: Unit) -> bool:
    """True if two bare numbers precede the same word, and so count the same."""
    one, other = (
        terms(text[place : place + _AHEAD])[:1] for text, place in ((said.plain, ours.end), (unit.text, theirs.end))
    )
    return one == other and (bool(one) or ours.unit == theirs.unit != "")


def _closely(near: Sequence[Unit], about: Mapping[str, float], context: Context) -> bool:
    """True if one sentence says the rest of the claim, so that the figure is all that it lacks."""
    plain = (unit for unit in near if unit.fact is None)
    return len(about) > 1 and any(share(context.sources.told_of(unit), about) >= _CLOSELY for unit in plain)


def _besides_figures(said: ReadClaim) -> Mapping[str, float]:
    """The weights of the claim's stems outside its figures, their units and periods included."""
    inside = [(one.start, one.end + len(one.per) + len(" per ") if one.per else one.end) for one in said.quantities]
    counted = {
        stem
        for place, stem in placed_terms(said.plain, said.language)
        if any(low <= place < high for low, high in inside)
    }
    return {stem: weight for stem, weight in said.weights.items() if stem not in counted and not stem[0].isdigit()}


def _overlap(ours: Quantity, theirs: Quantity) -> bool:
    """True if one of them is a range that the other lies in or touches."""
    if ours.value is not None and theirs.value is not None:
        return False
    (dimension, low, high), (other, least, most) = measure(ours), measure(theirs)
    if dimension != other or low is None or high is None or least is None or most is None:
        return False
    return low <= most and least <= high


def _comparable(ours: Quantity, theirs: Quantity) -> bool:
    if ours.iso or theirs.iso:
        return bool(ours.iso and theirs.iso)
    return measure(ours)[0] == measure(theirs)[0]


def written_otherwise(said: ReadClaim, evidence: Evidence) -> frozenset[str]:
    """Stems of the claim's figures that one of the nearest sentences writes otherwise ("12 months", "one year")."""
    if not said.quantities:
        return frozenset()
    near = [unit for unit, _ in evidence.candidates[:_REWRITTEN]]
    placed = placed_terms(said.plain, said.language)
    ranges = [(one.start, one.end) for one in said.quantities]
    counted = {stem for place, stem in placed if any(start <= place < end for start, end in ranges)}
    lacking = frozenset(stem for stem in counted if not any(stem in unit.known for unit in near))
    if not lacking:
        return lacking
    same = [
        one
        for one in said.quantities
        if any(agrees(one, other) and agrees(other, one) for unit in near for other in unit.quantities)
    ]
    outside = {stem for place, stem in placed if not any(one.start <= place < one.end for one in same)}
    return lacking - outside


def _fault(said: ReadClaim, ours: Quantity, other: tuple[Unit, Quantity] | None, *, closely: bool) -> Difference:
    at = said.start + ours.start, said.start + ours.end
    if other is None:
        return Difference(
            "not_in_sources", f"the lines that come nearest do not say {ours.original.strip()}", at, doubts=closely
        )
    unit, theirs = other
    kind: FindingKind = "date_changed" if ours.iso else "number_changed"
    reason = f"the answer says {ours.original.strip()}, the source {theirs.original.strip()}"
    return Difference(kind, reason, at, unit, denies=True)
