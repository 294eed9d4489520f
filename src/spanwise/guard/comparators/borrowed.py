"""Borrowed words: a figure or a name that another sentence, or another row of the table, has in the claim's place."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from spanwise.guard.comparators.difference import Difference
from spanwise.guard.evidence.context import Context
from spanwise.guard.evidence.search import Evidence, ReadClaim
from spanwise.guard.evidence.units import Unit, share
from spanwise.guard.verification import FindingKind
from spanwise.text.quantities import Quantity, agrees, measure
from spanwise.text.terms import placed_terms, terms

_FEWEST = 2
"""Content words of a claim besides its figures and the name it begins with."""
_ABOUT = 0.8
"""Share of these words that the sentence holds which the claim is about."""
_STRANGE = 0.2
"""The most of them that a sentence holds which says something else."""
_LITTLE = 0.4
"""The same for a name: who did one thing did others too, and they have words in common."""
_MOST = 12
"""Sentences that are looked at."""
_LONGEST = 400
"""Characters; a longer sentence says several things."""
_LABEL = re.compile(r"[|\s]*(?P<label>[^|\d$\u20ac\u00a3\u00a5(\n]{1,60}?)[\s|(]*(?=[-\d$\u20ac\u00a3\u00a5(|]|\s{2})")
_LONGEST_LABEL = 5
"""Words."""
_NAME = re.compile(
    r"(?!(?:The|This|These|That|In|On|At|For|If|When|A|An)\b)"
    r"[A-Z][a-z'\u2019-]{1,30}(?: (?:[A-Z]\. )?[A-Z][a-z'\u2019-]{1,30}){1,3}\b"
)
_OPENING = ' -*\u2022#"\u201c'


def figures_stay_with_words(said: ReadClaim, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """A figure is not taken from another sentence, or row, where the one that the claim is about has its own."""
    del context
    if not said.quantities:
        return []
    about = _besides_figures(said)
    if len(about) < _FEWEST:
        return []
    near = _near(evidence)
    found = (_from_a_row(ours, near, said) or _from_elsewhere(ours, near, about, said) for ours in said.quantities)
    return [fault for fault in found if fault is not None]


def names_stay_with_words(said: ReadClaim, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """The name that a claim begins with is no other sentence's where the one it is about names somebody else."""
    del context
    match = _NAME.match(said.plain.lstrip(_OPENING))
    if match is None:
        return []
    name = frozenset(terms(match.group()))
    about = {stem: weight for stem, weight in _besides_figures(said).items() if stem not in name}
    near = _near(evidence)
    having = [unit for unit in near if not unit.known.isdisjoint(name)]
    strange = bool(having) and all(share(unit.known, about) <= _LITTLE for unit in having)
    if len(about) < _FEWEST or not strange or not _proper(match.group(), near):
        return []
    for unit in near:
        others = [other for other in _names(unit) if about.keys().isdisjoint(terms(other)) and _proper(other, near)]
        if others and share(unit.known, about) >= _ABOUT:
            reason = f"the source says it of {others[0]}, not of {match.group()}"
            return [Difference("swapped", reason, (said.start, said.end), unit, doubts=True)]
    return []


def _besides_figures(said: ReadClaim) -> Mapping[str, float]:
    """The weights of the claim's stems outside its figures and dates."""
    inside = {place for one in said.quantities for place in range(one.start, one.end)}
    placed = placed_terms(said.plain)
    counted = {stem for place, stem in placed if place in inside} - {
        stem for place, stem in placed if place not in inside
    }
    return {stem: weight for stem, weight in said.wanted.items() if stem not in counted and not stem[0].isdigit()}


def _near(evidence: Evidence) -> list[Unit]:
    return list(dict.fromkeys([*evidence.best, *(unit for unit, _ in evidence.candidates)]))[:_MOST]


def _from_elsewhere(
    ours: Quantity, near: Sequence[Unit], about: Mapping[str, float], said: ReadClaim
) -> Difference | None:
    """Where only sentences about something else have the figure, and the claim's own one has another."""
    if near and _has(near[0], ours) and share(near[0].known, about) > _STRANGE:
        return None  # as with most figures, which stand in the nearest sentence
    shares = [(unit, share(unit.known, about)) for unit in near]
    strange = [unit for unit, held in shares if held <= _STRANGE]
    own = [unit for unit, held in shares if held >= _ABOUT and _says_one_thing(unit)]
    # The figures of a sentence take long to read, so those that settle it in most cases are read first.
    instead = next((found for unit in own if strange and (found := _instead(unit, ours, said)) is not None), None)
    if instead is None or any(_has(unit, ours) for unit, held in shares if held > _STRANGE):
        return None
    return instead if any(_has(unit, ours) for unit in strange) else None


def _has(unit: Unit, ours: Quantity) -> bool:
    return any(agrees(ours, theirs) for theirs in unit.quantities)


def _instead(unit: Unit, ours: Quantity, said: ReadClaim) -> Difference | None:
    """A figure of a sentence that could replace the claim's, and that the claim does not have."""
    for theirs in unit.quantities:
        free = theirs.bound is None and _alike(ours, theirs)
        if free and not any(agrees(one, theirs) for one in said.quantities):
            return _other(ours, theirs, unit, said, sure=False)
    return None


def _from_a_row(ours: Quantity, near: Sequence[Unit], said: ReadClaim) -> Difference | None:
    """Where the row whose label the claim names has another figure in the column from which the claim's is."""
    rows = [(unit, label) for unit in near if (label := _label(unit))]
    named = [unit for unit, label in rows if all(stem in said.wanted for stem in label)]
    if len(named) != 1 or any(agrees(ours, theirs) for theirs in named[0].quantities):
        return None
    own = named[0].quantities
    for unit, label in rows:
        if len(unit.quantities) != len(own) or any(stem in said.wanted for stem in label):
            continue
        for theirs, instead in zip(unit.quantities, own, strict=True):
            if agrees(ours, theirs) and _alike(ours, instead):
                return _other(ours, instead, named[0], said, sure=True)
    return None


def _label(unit: Unit) -> Sequence[str]:
    """Stems of what a row of a table is called; nothing where a line is no row."""
    text = unit.text.strip()
    if unit.fact is not None or text[-1:] in ".!?;:":
        return ()
    match = _LABEL.match(text)
    if match is None or len(match["label"].split()) > _LONGEST_LABEL or not unit.quantities:
        return ()
    return terms(match["label"])


def _other(ours: Quantity, theirs: Quantity, unit: Unit, said: ReadClaim, *, sure: bool) -> Difference:
    at = said.start + ours.start, said.start + ours.end
    kind: FindingKind = "date_changed" if ours.iso else "number_changed"
    reason = f"the answer says {ours.original.strip()}, the source {theirs.original.strip()}"
    return Difference(kind, reason, at, unit, denies=sure, doubts=True)


def _alike(ours: Quantity, theirs: Quantity) -> bool:
    """True if two quantities are interchangeable: of one dimension, or dates of one kind."""
    if ours.iso or theirs.iso:
        return bool(ours.iso and theirs.iso)
    return measure(ours)[0] == measure(theirs)[0]


def _says_one_thing(unit: Unit) -> bool:
    return unit.fact is None and len(unit.text) <= _LONGEST


def _names(unit: Unit) -> list[str]:
    """The names of two words or more in a sentence."""
    return [match.group() for match in _NAME.finditer(unit.text)] if _says_one_thing(unit) else []


def _proper(name: str, near: Sequence[Unit]) -> bool:
    """True if no word of it occurs in lower case nearby, as those of "Confidential Information" do."""
    words = [word.lower() for word in name.split()]
    return not any(word in unit.text.split() for unit in near for word in words)
