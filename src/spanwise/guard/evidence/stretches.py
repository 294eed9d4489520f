"""The stretch of a source that a claim was made from: the nearest unit, with those beside it that hold more of it."""

from __future__ import annotations

from collections.abc import Sequence

from spanwise.guard.evidence.alignment import LONGEST, Alignment, align, most_shared
from spanwise.guard.evidence.context import Context
from spanwise.guard.evidence.pair import Pair
from spanwise.guard.evidence.search import Evidence, ReadClaim
from spanwise.guard.evidence.units import Sources, Unit
from spanwise.guard.sentence.words import Word
from spanwise.text.quotes import place_after
from spanwise.text.terms import stem

_CANDIDATES = 3
_LEAST_SHARE = 0.5
"""Share of the claim's weight that a unit has to hold to be put beside it; the first may hold less."""
_LEAST_OF_FIRST = 0.3
_LONGEST_UNIT = LONGEST * 12
_BESIDE = 2
"""Units on either side that may belong to the stretch: lines that were wrapped, a heading."""
_LEFT_OVER = 2
"""Words at an end of the claim beyond those that the unit has there, from which the unit beside it is tried."""


def nearest_stretch(said: ReadClaim, evidence: Evidence, context: Context) -> Pair | None:
    """The words of a source that a claim shares most with, in their order; None where nothing is near."""
    if said.index not in context.stretches:
        nearest = _nearest(said, evidence)
        pair = None
        if nearest is not None:
            alignment, unit = _widened(said.plain, *nearest, context.sources)
            pair = Pair(alignment, unit, said.plain, one_unit=context.sources.units[unit.number] is unit)
        context.stretches[said.index] = pair
    return context.stretches[said.index]


def _nearest(said: ReadClaim, evidence: Evidence) -> tuple[Alignment, Unit] | None:
    nearest: tuple[Alignment, Unit] | None = None
    for unit, held in evidence.candidates[:_CANDIDATES]:
        least = _LEAST_OF_FIRST if nearest is None else _LEAST_SHARE
        # In a short source the words that it has weigh little beside those that it lacks.
        if held < least and (nearest is not None or 2 * len(unit.known.intersection(said.wanted)) < len(said.wanted)):
            break
        if len(unit.text) > _LONGEST_UNIT:
            continue
        if nearest is not None and not _may_be_nearer(unit, said, *nearest):
            continue
        alignment = align(said.plain, unit.text)
        if nearest is None or _nearness(alignment) > _nearness(nearest[0]):
            nearest = alignment, unit
    return nearest


def _may_be_nearer(unit: Unit, said: ReadClaim, alignment: Alignment, nearest: Unit) -> bool:
    if alignment.share >= 1:
        return len(unit.text) < len(nearest.text)
    return most_shared(said.plain, unit.text) > alignment.share


def _nearness(alignment: Alignment) -> tuple[float, int]:
    """Share of the claim in order; of two that have all of it the one that says less else ("Some say that ...")."""
    return alignment.share, -len(alignment.theirs) if alignment.share >= 1 else 0


def _widened(text: str, alignment: Alignment, unit: Unit, sources: Sources) -> tuple[Alignment, Unit]:
    """With the units before and behind it, while each has more of what is left over at that end."""
    if unit.fact is not None:
        return alignment, unit
    for step in (-1, 1):
        at = unit.number
        for _ in range(_BESIDE):
            at += step
            left = _left_over(alignment, step)
            beside = sources.units[at] if 0 <= at < len(sources.units) else None
            if beside is None or beside.source != unit.source or not _has_some(beside, left):
                break
            wider = _joined(*((beside, unit) if step < 0 else (unit, beside)))
            aligned = align(text, wider.text) if len(wider.text) <= _LONGEST_UNIT else alignment
            if aligned.common <= alignment.common:
                break
            alignment, unit = aligned, wider
    return alignment, unit


def _left_over(alignment: Alignment, step: int) -> Sequence[Word]:
    """Words at the beginning (-1) or end (1) of the claim that the source does not have there."""
    if not alignment.changes:
        return ()
    change = alignment.changes[0 if step < 0 else -1]
    at_end = change.before == 0 if step < 0 else change.before + len(change.ours) == len(alignment.ours)
    return change.ours if at_end and len(change.ours) - len(change.theirs) >= _LEFT_OVER else ()


def _has_some(unit: Unit, words: Sequence[Word]) -> bool:
    return unit.fact is None and any(word.plain in unit.known or stem(word.plain) in unit.known for word in words)


def _joined(first: Unit, last: Unit) -> Unit:
    return Unit(
        number=first.number,
        source=first.source,
        start=first.start,
        end=last.end,
        line_start=first.line_start,
        line_end=last.line_end,
        text=f"{first.text} {last.text}",
        stems=(*first.stems, *last.stems),
    )


_ENDS = " .,;:!?'\"*"
_FEWEST = 4


def is_quoted(said: ReadClaim, evidence: Evidence, context: Context) -> bool:
    """Whether the words of a claim stand in the passage of its best evidence, in order and whole."""
    return _place(said, evidence, context) is not None


def _place(said: ReadClaim, evidence: Evidence, context: Context) -> tuple[int, int] | None:
    """Where the words stand in the folded passage; looked for once, since several checks ask."""
    if said.index not in context.quoted:
        context.quoted[said.index] = _found(said, evidence, context)
    return context.quoted[said.index]


def _found(said: ReadClaim, evidence: Evidence, context: Context) -> tuple[int, int] | None:
    words = said.folded.strip(_ENDS)
    if not evidence.best or words.count(" ") < _FEWEST - 1:
        return None
    return place_after(words, context.sources.sources[evidence.best[0].source].folded, 0)
