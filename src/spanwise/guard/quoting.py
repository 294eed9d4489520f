"""Claims whose very words stand in a passage."""

from __future__ import annotations

import re

from spanwise.guard.context import Context
from spanwise.guard.evidence import Evidence, Said
from spanwise.guard.statements import is_negation
from spanwise.text.fold import folded
from spanwise.text.quotes import place_after

_ENDS = " .,;:!?'\"*"
_CLAUSE_ENDS = re.compile(r"[.,;:!?()]|\b(?:but|and|or|that|which|because|if|when)\b")
_LOOK_BACK = 60
_FEWEST = 4
_NEAREST = 3


def is_quoted(said: Said, evidence: Evidence, context: Context) -> bool:
    """Whether the words of a claim stand in the passage of its best evidence, in order and whole."""
    return _place(said, evidence, context) is not None


def before_quoted(said: Said, evidence: Evidence, context: Context) -> str:
    """What stands before a quoted claim in its clause and holds a negation; nothing where none does."""
    place = _place(said, evidence, context)
    if place is None or _begins_a_unit(said, evidence):
        return ""
    text = context.sources.sources[evidence.best[0].source].folded
    before = _CLAUSE_ENDS.split(text[max(0, place[0] - _LOOK_BACK) : place[0]])[-1]
    return before.strip() if any(is_negation(word) for word in before.split()) else ""


def _begins_a_unit(said: Said, evidence: Evidence) -> bool:
    """Whether the claim is a sentence or line of the source from its first word on."""
    words = said.folded.strip(_ENDS)
    near = [*evidence.best, *(unit for unit, _ in evidence.candidates[:_NEAREST])]
    return any(folded(unit.text).lstrip(_ENDS).startswith(words) for unit in near)


def _place(said: Said, evidence: Evidence, context: Context) -> tuple[int, int] | None:
    """Where the words stand in the folded passage; looked for once, since several checks ask."""
    if said.index not in context.quoted:
        context.quoted[said.index] = _found(said, evidence, context)
    return context.quoted[said.index]


def _found(said: Said, evidence: Evidence, context: Context) -> tuple[int, int] | None:
    words = said.folded.strip(_ENDS)
    if not evidence.best or words.count(" ") < _FEWEST - 1:
        return None
    return place_after(words, context.sources.sources[evidence.best[0].source].folded, 0)
