"""Claims whose very words stand in a passage."""

from __future__ import annotations

from spanwise.guard.context import Context
from spanwise.guard.evidence import Evidence, Said
from spanwise.text.quotes import place_after

_ENDS = " .,;:!?'\"*"
_FEWEST = 4


def is_quoted(said: Said, evidence: Evidence, context: Context) -> bool:
    """Whether the words of a claim stand in the passage of its best evidence, in order and whole."""
    return _place(said, evidence, context) is not None


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
