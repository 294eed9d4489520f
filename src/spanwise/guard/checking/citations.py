"""Citations: whether what is cited was given, and whether it is what supports the claim."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spanwise.guard.checking.faults import Fault
from spanwise.guard.context import Context
from spanwise.guard.evidence import Evidence, Said, find_evidence
from spanwise.guard.sources import Sources

_SAYS_IT = 0.6
"""Share of a claim that a passage has to hold to be what supports it."""
_MUCH_LESS = 0.3
"""How much less the cited passages hold than another one when the citation is on the wrong one."""


def citation_exists(said: Said, evidence: Evidence, context: Context) -> Sequence[Fault]:
    """A citation names a passage that was given."""
    del evidence, context
    return [
        Fault("fabricated", f"it cites {name}, which was not given", (mark.start, mark.end))
        for mark in said.marks
        for name in mark.unknown
    ]


def citation_holds(said: Said, evidence: Evidence, context: Context) -> Sequence[Fault]:
    """The cited passages say it, not only others."""
    return list(_misplaced(said, evidence, context.sources))


def _misplaced(said: Said, evidence: Evidence, sources: Sources) -> Iterator[Fault]:
    cited = {position - 1 for mark in said.marks for position in mark.cited}
    if not cited or not evidence.best or evidence.best[0].source in cited or evidence.together < _SAYS_IT:
        return
    there = find_evidence(said, sources, among=cited)
    if there.together <= evidence.together - _MUCH_LESS:
        place = sources.sources[evidence.best[0].source].given
        mark = next(mark for mark in said.marks if mark.cited)
        reason = f"passage {place.position} says it, not the one that is cited"
        yield Fault("wrong_place", reason, (mark.start, mark.end), evidence.best[0])
