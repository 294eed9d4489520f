"""Figures of one sentence that change places: "8 in Europe and 6 in Asia" says nothing of 8 in Asia."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import pairwise

from spanwise.guard.comparators.difference import Difference
from spanwise.guard.evidence.context import Context
from spanwise.guard.evidence.search import Evidence, ReadClaim
from spanwise.guard.evidence.units import Unit
from spanwise.guard.sentence.words import words_of
from spanwise.text.quantities import Quantity, agrees
from spanwise.text.terms import stem

_NEAR = 0.5
"""Share of the claim that a sentence holds which it may be about."""
_LOOKED_AT = 3
_MOST = 8
"""Upper limit of figures of one sentence; more are a table."""
_LONGEST = 500
"""Characters; a longer sentence says several things."""
_TURNS = re.compile(
    r",?\s(?:and|while|whereas|but|versus|vs\.?|compared\s+(?:to|with)|against|then|followed\s+by)\s|[;,]\s(?!\d{4}\b)",
    re.IGNORECASE,
)
"""Where a sentence goes on to the next thing."""
_FROM_TO = re.compile(r"\bfrom\s+(?:\w+\s+){0,2}$", re.IGNORECASE)
_TO = re.compile(r"[^.;]{0,60}\bto\s+(?:\w+\s+){0,2}", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*")
_SILENT = frozenset(
    """
    a about almost an and approximately are around as at be been by for from had has have in is it its just nearly of on
    only or over some than that the to under up was were which with
    """.split()
)
"""Words that tell no part from another. Fewer than elsewhere are left out: "long" and "wide" tell parts apart."""
_PAIRED_IN = 3
_MOST_PAIRED = 12
"""Figures of one sentence; more stand in a table, where order pairs nothing."""


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of a sentence that says one thing."""

    figures: tuple[Quantity, ...]
    before: frozenset[str]
    """Stems before its first figure."""
    last: frozenset[str]
    """The last of them: the deed, where the part has no subject of its own."""
    after: frozenset[str]
    """Stems behind its last one."""
    text: str


def figures_stay_apart(said: ReadClaim, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """A figure has the words that its sentence gives it, and not those that it gives another figure.

    The start and the end of a change keep their places too.
    """
    del context
    figures = _figures(said.plain)
    if not figures or len(said.plain) > _LONGEST:
        return []
    near = [unit for unit, held in evidence.candidates[:_LOOKED_AT] if held >= _NEAR and _may_tell(unit.text, figures)]
    if not near:
        return []
    return [*_turned(said, near), *_moved(said, near, evidence)]


def _may_tell(text: str, figures: AbstractSet[str]) -> bool:
    """True if a sentence has one of these figures and others; a cheap test before the figures are parsed."""
    if len(text) > _LONGEST or (_TURNS.search(text) is None and "from" not in text.lower()):
        return False
    theirs = _figures(text)
    return len(theirs) > 1 and not figures.isdisjoint(theirs)


def _figures(text: str) -> set[str]:
    """Each number of a text in digits, spelled ones too."""
    return {word.plain for word in words_of(text) if word.number}


def _turned(said: ReadClaim, near: Sequence[Unit]) -> Iterator[Difference]:
    """Changes from one figure to another that the nearest sentences tell the other way round."""
    for start, end in _changes(said.quantities, said.plain):
        told = [(unit, *change) for unit in near for change in _changes(unit.quantities, unit.text)]
        if any(agrees(start, one) and agrees(end, other) for _, one, other in told):
            continue
        for unit, one, other in told:
            if agrees(start, other) and agrees(end, one):
                reason = f"the source goes from {one.original.strip()} to {other.original.strip()}"
                yield Difference("swapped", reason, (said.start + start.start, said.start + end.end), unit, denies=True)
                break


def _changes(found: Sequence[Quantity], text: str) -> Iterator[tuple[Quantity, Quantity]]:
    """Pairs of figures as in "from 12 to 9"."""
    figures = [one for one in found if one.value is not None and not one.iso]
    for one, other in pairwise(figures):
        if _FROM_TO.search(text[max(0, one.start - 30) : one.start]) and _TO.fullmatch(text[one.end : other.start]):
            yield one, other


def _moved(said: ReadClaim, near: Sequence[Unit], evidence: Evidence) -> Iterator[Difference]:
    """Figures of the claim with the words that the sentence attaches to another figure."""
    claimed = _parts(said.quantities, said.plain)
    for unit in near:
        parts = _parts(unit.quantities, unit.text)
        if len(parts) < 2:
            continue
        for ours in claimed:
            # A part that compares figures of several parts says by its grammar which words are whose.
            if sum(any(_same(one, theirs) for one in ours.figures for theirs in part.figures) for part in parts) > 1:
                continue
            for figure in ours.figures:
                other = _other(figure, ours.before | ours.after, parts)
                if other is None or _elsewhere(figure, unit, other, evidence):
                    continue
                at = said.start + figure.start, said.start + figure.end
                reason = f'the source says {figure.original.strip()} of something else, and here "{other.text}"'
                yield Difference("swapped", reason, at, unit, doubts=True)
                return


def _other(figure: Quantity, stems: frozenset[str], parts: Sequence[_Part]) -> _Part | None:
    """The part whose words stand with a figure of another part; None where the figure has its own."""
    own = [part for part in parts if any(_same(figure, one) for one in part.figures)]
    if len(own) != 1:
        return None
    for side in ("after", "last", "before"):
        of = {id(part): getattr(part, side) for part in parts}
        mine = of[id(own[0])]
        others = [part for part in parts if part is not own[0] and any(_alike(figure, one) for one in part.figures)]
        alone = mine.difference(*(of[id(part)] for part in others))
        if not others or not alone or not all(of.values()):
            continue
        if alone & stems:
            return None
        held = [(len(theirs), part) for part in others if (theirs := of[id(part)] - mine) and theirs <= stems]
        if held:
            return max(held, key=lambda one: one[0])[1]
    return None


def _alike(one: Quantity, other: Quantity) -> bool:
    """True if two figures are of one kind, so that one may be taken for the other."""
    return one.kind == other.kind or {one.kind, other.kind} <= {"number", "count"}


def _same(one: Quantity, other: Quantity) -> bool:
    """True if two figures agree; what they count may be left out of either ("31 people, 17 of them in the north")."""
    counts = {one.kind, other.kind} == {"number", "count"}
    return agrees(one, other) or (counts and one.value is not None and one.value == other.value)


def _elsewhere(figure: Quantity, unit: Unit, other: _Part, evidence: Evidence) -> bool:
    """True if another sentence says the figure with these words."""
    words = other.after or other.before
    return any(
        one is not unit and words & one.known and any(_same(figure, theirs) for theirs in one.quantities)
        for one, _ in evidence.candidates
    )


def _parts(found: Sequence[Quantity], text: str) -> Sequence[_Part]:
    """The parts of a sentence that have figures of their own; none where they are too many."""
    figures = [one for one in found if one.value is not None and not one.iso]
    if not 0 < len(figures) <= _MOST:
        return ()
    inside = {place for one in found for place in range(one.start, one.end)}
    cuts = [match.start() for match in _TURNS.finditer(text) if match.start() not in inside]
    words = ((match.start(), match[0].lower()) for match in _WORD.finditer(text) if match.start() not in inside)
    placed = [(place, stem(word)) for place, word in words if word not in _SILENT]
    parts = []
    for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True):
        own = tuple(one for one in figures if start <= one.start < end)
        if own:
            before = [one for place, one in placed if start <= place < own[0].start]
            after = frozenset(one for place, one in placed if own[-1].end <= place < end)
            parts.append(_Part(own, frozenset(before), frozenset(before[-1:]), after, text[start:end].strip(" ,;")))
    return parts


def years_stay_with_figures(said: ReadClaim, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """Where a sentence pairs figures with years one by one, or "respectively", the claim pairs them the same way."""
    del context
    claimed = list(_pairs_of_years(said.quantities, said.plain))
    if not claimed:
        return []
    for unit, _ in evidence.candidates[:_PAIRED_IN]:
        stated = list(_pairs_of_years(unit.quantities, unit.text))
        if len(stated) > 1 and (faults := list(_years_exchanged(said, claimed, unit, stated))):
            return faults
    return []


def _years_exchanged(
    said: ReadClaim,
    claimed: Sequence[tuple[Quantity, Quantity]],
    unit: Unit,
    stated: Sequence[tuple[Quantity, Quantity]],
) -> Iterator[Difference]:
    """A figure and a year of which the source pairs each with another one."""
    for figure, year in claimed:
        years = [theirs for other, theirs in stated if agrees(figure, other)]
        figures = [other for other, theirs in stated if theirs.iso == year.iso]
        if years and figures and all(one.iso != year.iso for one in years):
            told = f'the source says "{figure.original}" of {years[0].original}, not of {year.original}'
            at = said.start + min(figure.start, year.start), said.start + max(figure.end, year.end)
            yield Difference("swapped", told, at, unit, denies=True)


def _pairs_of_years(found: Sequence[Quantity], text: str) -> Iterator[tuple[Quantity, Quantity]]:
    """Each figure with its year, where the sentence leaves no doubt: they alternate, or come "respectively"."""
    years = [one for one in found if one.iso and one.value is None]
    figures = [one for one in found if one.value is not None and not one.iso and one.kind in _PAIRED]
    if len(years) != len(figures) or not 1 <= len(years) <= _MOST_PAIRED // 2:
        return
    order = [one in years for one in sorted((*years, *figures), key=lambda one: one.start)]
    alternate = all(one is not other for one, other in itertools.pairwise(order))
    blocks = "respectively" in text.lower() and order == sorted(order, reverse=order[0])
    if alternate or blocks:
        yield from zip(figures, years, strict=True)


_PAIRED = ("money", "percent", "percentage_points", "number", "count")
