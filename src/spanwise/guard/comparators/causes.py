"""Causes: a claim gives one thing as the reason of another where the sources only say both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from spanwise.guard.comparators.difference import Difference
from spanwise.guard.comparators.subjects import of_another, subject_of
from spanwise.guard.evidence.context import Context
from spanwise.guard.evidence.search import Evidence, ReadClaim
from spanwise.guard.evidence.stretches import is_quoted
from spanwise.guard.evidence.units import Unit, share
from spanwise.guard.sentence.operators import Operator, operators
from spanwise.guard.sentence.words import Word, words_of
from spanwise.guard.verification import FindingKind
from spanwise.text.terms import stem, terms

_SAID = 0.7
"""Share of a part's words that a sentence has which says the part."""
_FEWEST = 2
"""Content words of a part that says something."""
_BESIDE = 1
"""Sentences between two parts that may be each other's reason by standing side by side."""
_UNSAID = 0.2
"""Share of a reason's words up to which the sentences beside what happened say nothing of it."""
_PARTLY = 0.5
"""Share of a reason's words that a sentence has, wherever it stands, which may give it in other words."""
_LOOSE = frozenset(map(stem, "so thus hence reason result cause why therefore accordingly".split()))
"""Stems of words that join a reason to what follows from it in looser ways."""


def causes_are_given(said: ReadClaim, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """Where a claim says "because", a sentence says so, or both parts stand side by side."""
    if is_quoted(said, evidence, context):
        return []
    words = words_of(said.plain)
    found = [one for one in operators(words) if one.name == "cause"] + _purposes(words)
    return [fault for one in found if (fault := _fault(one, said, evidence, context)) is not None][:1]


def _fault(cause: Operator, said: ReadClaim, evidence: Evidence, context: Context) -> Difference | None:
    words = words_of(said.plain)
    start, end = words[cause.first].start, words[cause.last - 1].end
    parts = [_weights(said.plain[:start], context), _weights(said.plain[end:], context)]
    if len(parts[0]) < _FEWEST or len(parts[1]) < (1 if cause.group == "purpose" else _FEWEST):
        return None
    units = [unit for unit, _ in evidence.candidates]
    purpose = cause.group == "purpose"
    at = said.start + start, said.start + end
    written = said.plain[start:end]
    kind: FindingKind = "overstated"
    if unit := _given_otherwise(parts, units):
        told = f'the answer gives another reason with "{written}" than the source'
    elif unit := _of_somebody_else(parts[1], units, said, context):
        kind, told = "swapped", f'the source gives this reason of another one: "{unit.text}"'
    elif not purpose and (unit := _unsaid(parts, units, context)):
        told = f'the answer adds a reason with "{written}", which no source gives'
    elif not purpose and (unit := _apart(parts, units)):
        told = f'the answer says "{written}", no source gives this as the reason'
    else:
        return None
    return Difference(kind, told, at, unit, doubts=True)


def _apart(parts: Sequence[Mapping[str, float]], units: Sequence[Unit]) -> Unit | None:
    """The sentence that says one part where another one, far from it, says the other, and neither gives a reason."""
    saying = [[unit for unit in units if share(unit.known, part) >= _SAID] for part in parts]
    if not all(saying) or any(_joins(unit) for unit in (*saying[0], *saying[1])):
        return None
    if any(
        abs(one.number - other.number) <= _BESIDE
        for one in saying[0]
        for other in saying[1]
        if one.source == other.source
    ):
        return None
    return saying[0][0]


def _purposes(words: Sequence[Word]) -> list[Operator]:
    """Words that tell what something is done for, the last of a claim ("closed for cleaning")."""
    found = [at for at, word in enumerate(words[:-1]) if word.plain == "for" and words[at + 1].plain.endswith("ing")]
    return [Operator("purpose", "cause", at, at + 1, at + 1) for at in found[-1:]]


def _given_otherwise(parts: Sequence[Mapping[str, float]], units: Sequence[Unit]) -> Unit | None:
    """A sentence that says what happened and gives a reason for it which has nothing of the claim's."""
    happened, reason = parts
    for unit in units:
        words = words_of(unit.text)
        cause = next((one for one in operators(words) if one.name == "cause"), None)
        if cause is None or unit.fact is not None or share(unit.known, reason) > 0:
            continue
        what = frozenset(stem(word.plain) for word in words[: cause.first])
        if share(what, happened) >= _SAID:
            return unit
    return None


def _of_somebody_else(
    reason: Mapping[str, float], units: Sequence[Unit], said: ReadClaim, context: Context
) -> Unit | None:
    """The one sentence that has the claim's reason, where its subject is neither the claim's nor a pronoun."""
    subject = subject_of(said.plain)
    having = [unit for unit in units if share(unit.known, reason) >= _SAID]
    return having[0] if subject and len(having) == 1 and of_another(having[0], subject, said, context) else None


def _unsaid(parts: Sequence[Mapping[str, float]], units: Sequence[Unit], context: Context) -> Unit | None:
    """The sentence that says one side of "because" and gives no reason, where none says anything of the other side."""
    for one, other in (parts, parts[::-1]):
        saying = next((unit for unit in units if share(unit.known, one) >= _SAID), None)
        if saying is None or saying.fact is not None or _joins(saying):
            continue
        beside = context.sources.units[max(0, saying.number - _BESIDE) : saying.number + _BESIDE + 1]
        near = saying.known.union(*(unit.known for unit in beside if unit.source == saying.source))
        if share(near, other) <= _UNSAID and all(share(unit.known, other) < _PARTLY for unit in units):
            return saying
    return None


def _weights(text: str, context: Context) -> dict[str, float]:
    return {stem: context.sources.weight(stem) for stem in map(context.sources.said_as, terms(text))}


def _joins(unit: Unit) -> bool:
    """True if a sentence gives a reason for something."""
    words = words_of(unit.text)
    return any(one.name == "cause" for one in operators(words)) or any(stem(word.plain) in _LOOSE for word in words)
