"""Paraphrases: what the rules of statements see where a claim has nearly all its words from one sentence."""

from __future__ import annotations

import re
from collections.abc import Sequence

from spanwise.guard.checking.faults import Fault
from spanwise.guard.conflicts import conflict
from spanwise.guard.context import Context
from spanwise.guard.evidence import Evidence, Said
from spanwise.guard.quoting import is_quoted
from spanwise.guard.sources import share
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
    if not evidence.best or len(said.plain.split()) > _LONGEST or len(said.weights) < _FEWEST:
        return []
    if is_quoted(said, evidence, context):
        return []
    unit = evidence.best[0]
    about = {stem: weight for stem, weight in said.weights.items() if not stem[0].isdigit()}
    if share(unit.known, about) < _NEARLY_ALL or len(unit.text.split()) > _LONGEST or unit.fact is not None:
        return []
    reason = conflict(said.statement, unit.statement)
    if reason and NEGATION.search(said.plain) and NEGATION.search(unit.text):
        return []  # "shall not grant" and "nothing grants" say the same
    kind = next((kind for words, kind in _KINDS if reason and reason.startswith(words)), None)
    if kind == "swapped" and not ROLES.intersection(re.findall(r"\w+", reason or "")):
        return []
    return [Fault(kind, reason, (said.start, said.end), unit, denies=True)] if kind and reason else []
