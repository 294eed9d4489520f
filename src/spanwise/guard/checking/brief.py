"""Claims of a word or two: "Dogs are permitted." where the source says that they are not."""

from __future__ import annotations

import re
from collections.abc import Sequence

from spanwise.guard.checking.faults import Fault
from spanwise.guard.context import Context
from spanwise.guard.contrasts import denies_softly
from spanwise.guard.evidence import Evidence, Said
from spanwise.guard.quoting import is_quoted
from spanwise.guard.sources import Unit
from spanwise.guard.statements import AUXILIARIES, is_negation
from spanwise.text.polarity import NEGATION

_BRIEF = 2
"""Content words up to which the checks that put a claim beside a sentence see too little of it."""
_ALL = 0.999
"""Share of the claim, up to rounding, that a sentence holds which has each of its words."""
_ORDINAL = re.compile(r"\bNos?\.\s?(?=\d)")
"""The "No." of "No. 17" denies nothing."""
_WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)*")


def brief_claims_deny_alike(said: Said, evidence: Evidence, context: Context) -> Sequence[Fault]:
    """A claim of one or two content words denies where the sentences that have them do, and only there.

    Where such a sentence says nothing else, it denies the claim; where it says more, the claim is only in doubt.
    """
    if not 0 < len(said.wanted) <= _BRIEF:
        return []
    says_something = any(word in AUXILIARIES or is_negation(word) for word in _words(said.plain))
    if not says_something or is_quoted(said, evidence, context):
        return []
    about = [unit for unit, held in evidence.candidates if held >= _ALL and unit.fact is None]
    ours = _denies(said.plain)
    if not about or any(_denies(unit.text) == ours for unit in about):
        return []
    unit = about[0]
    reason = "the answer denies what the source says" if ours else "the answer says what the source denies"
    at = said.start, said.end
    return [Fault("negated", reason, at, unit, denies=_only_that(said, unit), doubts=True)]


def _only_that(said: Said, unit: Unit) -> bool:
    """Whether a sentence says no more than the claim, and one of them denies it with a plain "not"."""
    plain = bool(_not_in(said.plain)) != bool(_not_in(unit.text))
    return plain and unit.known <= said.wanted.keys()


def _denies(text: str) -> bool:
    """Whether it denies: two denials ("not prohibited") undo each other."""
    words = _words(_ORDINAL.sub("", text))
    return sum(is_negation(word) or denies_softly(word) for word in words) % 2 == 1


def _not_in(text: str) -> re.Match[str] | None:
    return NEGATION.search(_ORDINAL.sub("", text))


def _words(text: str) -> list[str]:
    return [match.group() for match in _WORD.finditer(text.lower().replace("\u2019", "'"))]
