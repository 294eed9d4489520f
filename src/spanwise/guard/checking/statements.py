"""Paraphrases: what the rules of statements see where a claim has nearly all its words from one sentence."""

from __future__ import annotations

import re
from collections.abc import Sequence

from spanwise.guard.checking.faults import Fault
from spanwise.guard.checking.stretches import nearest_stretch
from spanwise.guard.conflicts import conflict
from spanwise.guard.context import Context
from spanwise.guard.contrasts import denies_softly
from spanwise.guard.evidence import Evidence, Said
from spanwise.guard.quoting import is_quoted
from spanwise.guard.sources import Unit, share
from spanwise.guard.statements import ROLES
from spanwise.guard.verification import FindingKind
from spanwise.text.polarity import NEGATION

_NEARLY_ALL = 0.85
"""Share of a claim's words, figures aside, that a sentence has to hold to be about just the same."""
_FEWEST = 3
"""Content words of a claim that says something of something."""
_LONGEST = 60
"""Words of either; in a longer sentence a negation may belong to something else."""
_KINDS: tuple[tuple[str, FindingKind], ...] = (
    ("the answer denies", "negated"),
    ("the answer says what the source denies", "negated"),
    ("the answer says every", "number_changed"),
    ("the answer speaks of", "swapped"),
)
"""How the reasons begin that count here; the others are found by checks that know them better."""


def statement_agrees(said: Said, evidence: Evidence, context: Context) -> Sequence[Fault]:
    """A claim does not deny what a sentence says, nor affirm what it denies, nor turn around who does what to whom."""
    unit = evidence.best[0] if evidence.best else None
    if unit is None or not _about_the_same(said, unit, context) or is_quoted(said, evidence, context):
        return []
    if _was_looked_at(said, unit, evidence, context):  # asked first: reading both as statements takes far longer
        return []
    reason = conflict(said.statement, unit.statement)
    kind = next((kind for words, kind in _KINDS if reason and reason.startswith(words)), None)
    if not reason or not kind or _is_harmless(reason, kind, said, unit):
        return []
    return [Fault(kind, reason, (said.start, said.end), unit, denies=True)]


def _about_the_same(said: Said, unit: Unit, context: Context) -> bool:
    """Whether a sentence has nearly all the words of a claim, and neither is too long to tell what belongs to what."""
    if len(said.wanted) < _FEWEST or unit.fact is not None:
        return False
    about = {stem: weight for stem, weight in said.wanted.items() if not stem[0].isdigit()}
    same = share(context.sources.told_of(unit), about) >= _NEARLY_ALL
    return same and len(said.plain.split()) <= _LONGEST and len(unit.text.split()) <= _LONGEST


def _is_harmless(reason: str, kind: FindingKind, said: Said, unit: Unit) -> bool:
    """Whether both deny it ("shall not grant" and "nothing grants"), or the names are no parties."""
    both = all(_denies(text) for text in (said.plain, unit.text))
    return both or (kind == "swapped" and not ROLES.intersection(re.findall(r"\w+", reason)))


def _denies(text: str) -> bool:
    """Whether it denies something, with "not" or with a word like "avoid"."""
    return bool(NEGATION.search(text)) or any(denies_softly(word) for word in re.findall(r"[a-z]+", text.lower()))


def _was_looked_at(said: Said, unit: Unit, evidence: Evidence, context: Context) -> bool:
    """Whether it is a copy that denies as often: each word that differs was looked at already."""
    nearest = nearest_stretch(said, evidence, context)
    if nearest is None or not nearest.alignment.near_copy:
        return False
    return bool(NEGATION.search(said.plain)) == bool(NEGATION.search(unit.text))
