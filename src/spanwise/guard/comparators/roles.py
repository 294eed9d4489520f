"""Who does what to whom: two names, or two nouns, that change places around a verb ("Beta bought Acme")."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from spanwise.guard.comparators.difference import Difference
from spanwise.guard.evidence.context import Context
from spanwise.guard.evidence.search import Evidence, ReadClaim
from spanwise.guard.evidence.units import Unit
from spanwise.guard.sentence.synonyms import interchangeable
from spanwise.text.patterns import lazy_pattern
from spanwise.text.terms import STOPWORDS, stem

_CANDIDATES = 3
_LONGEST = 600
"""Characters of a sentence that is looked at."""
_NAME = r"[A-Z][\w&'\u2019-]{0,40}(?:\.(?=\s[a-z]))?(?:\s(?:of\s)?[A-Z][\w&'\u2019-]{0,40}(?:\.(?=\s[a-z]))?){0,4}"
_AUX = "was|were|is|are|been|be|being|has|have|had|will|would|later|then|also|must|shall|may|can|should"
_DEED = lazy_pattern(
    rf"(?P<one>{_NAME}),?\s(?P<aux>(?:(?:{_AUX})\s){{0,3}})"
    rf"(?P<verb>[a-z]{{3,20}})\s(?P<by>by\s)?(?:(?:the|its|all of)\s)?(?P<other>{_NAME})"
)
_DET = r"(?:the|a|an|its|their|each|every|any)\s"
_NOUN = r"[a-z][a-z-]{1,24}"
_DEED_OF_THINGS = lazy_pattern(
    rf"\b{_DET}(?:{_NOUN}\s){{0,2}}?(?P<one>{_NOUN})\s(?P<aux>(?:(?:{_AUX})\s){{0,3}})"
    rf"(?P<verb>[a-z]{{3,20}})\s(?P<by>by\s)?{_DET}(?P<other>{_NOUN}(?:\s{_NOUN}){{0,2}})",
    re.IGNORECASE,
)
"""The same of what is named by a noun ("The director is appointed by the committee")."""
_BE = frozenset(["was", "were", "is", "are", "been", "be", "being"])
_MUTUAL = frozenset(
    stem(word)
    for word in (
        "married marries wed met meets joined fought fights faced faces played plays and with via near versus merged "
        "partnered resembles dated equals borders neighbors accompanied engaged divorced contacted"
    ).split()
)
"""Stems of verbs that say the same in both directions, and of words that are no verb."""


@dataclass(frozen=True, slots=True)
class _Deed:
    """Who did what to whom, as the words of the names."""

    agent: frozenset[str]
    verb: str
    patient: frozenset[str]
    start: int
    end: int
    text: str
    named: bool
    """Whether both are names; two things may do the same to each other in two sentences."""


def names_keep_their_places(said: ReadClaim, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """Where a claim says that one did something to another, no near sentence says that the other did it."""
    del context
    return [fault for deed in _deeds(said.plain) if (fault := _turned(deed, said, evidence)) is not None]


def _turned(deed: _Deed, said: ReadClaim, evidence: Evidence) -> Difference | None:
    turned: Unit | None = None
    told = ""
    for unit, _ in evidence.candidates[:_CANDIDATES]:
        stated = list(_deeds(unit.text))
        if turned is None and _paired_otherwise(deed, stated):
            turned, told = unit, unit.text
        for theirs in stated:
            if deed.named != theirs.named or not interchangeable(deed.verb, theirs.verb):
                continue
            if deed.agent & theirs.agent and deed.patient & theirs.patient:
                return None
            if deed.agent & theirs.patient and deed.patient & theirs.agent and turned is None:
                turned, told = unit, theirs.text
    if turned is None:
        return None
    reason = f'the answer says "{deed.text}", the source "{told}"'
    at = said.start + deed.start, said.start + deed.end
    return Difference("swapped", reason, at, turned, denies=deed.named, doubts=True)


def _paired_otherwise(deed: _Deed, stated: Sequence[_Deed]) -> bool:
    """True if a sentence says that one did it to a third, and another to the second ("A pays C and B pays D")."""
    same = [one for one in stated if deed.named and one.named and interchangeable(deed.verb, one.verb)]
    return any(deed.agent & one.agent for one in same) and any(deed.patient & one.patient for one in same)


def _deeds(text: str) -> Iterator[_Deed]:
    for pattern in (_DEED, _DEED_OF_THINGS):
        named = pattern is _DEED
        for match in pattern.finditer(text[:_LONGEST]):
            verb = match["verb"].lower()
            passive = match["by"] is not None and not _BE.isdisjoint(match["aux"].lower().split())
            if verb in STOPWORDS or stem(verb) in _MUTUAL or (match["by"] is not None and not passive):
                continue
            one, other = (_words(match[side]) if named else _stems(match[side]) for side in ("one", "other"))
            agent, patient = (other, one) if passive else (one, other)
            if agent and patient and agent.isdisjoint(patient):
                yield _Deed(agent, verb, patient, match.start(), match.end(), match.group(), named)


def _stems(phrase: str) -> frozenset[str]:
    return frozenset(stem(word) for word in phrase.lower().split() if word not in STOPWORDS)


def _words(name: str) -> frozenset[str]:
    words = (word.lower().removesuffix("'s").removesuffix("\u2019s") for word in re.findall(r"[\w&'\u2019-]+", name))
    return frozenset(word for word in words if word not in STOPWORDS and len(word) > 1)
