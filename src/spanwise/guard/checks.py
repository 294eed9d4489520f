"""What can be wrong with a claim, a function for each: from the claim and its evidence it says what it finds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from spanwise.guard.evidence import Evidence, Said
from spanwise.guard.sources import Sources, Unit
from spanwise.guard.verification import FindingKind
from spanwise.text.quantities import Quantity, agrees, measure


@dataclass(frozen=True, slots=True)
class Fault:
    """What a check finds, before places get their ids."""

    kind: FindingKind
    reason: str
    at: tuple[int, int]
    """Range of the answer."""
    unit: Unit | None = None
    denies: bool = False


Check: TypeAlias = Callable[[Said, Evidence, Sources], Iterator[Fault]]


def citation_exists(said: Said, evidence: Evidence, sources: Sources) -> Iterator[Fault]:
    """A citation names a passage that was given."""
    del evidence, sources
    for mark in said.marks:
        for name in mark.unknown:
            yield Fault("fabricated", f"it cites {name}, which was not given", (mark.start, mark.end))


def figures_agree(said: Said, evidence: Evidence, sources: Sources) -> Iterator[Fault]:
    """Every number, amount, share and date of the claim stands in its evidence with its sign, unit and magnitude."""
    del sources
    near = list(dict.fromkeys([*evidence.best, *(unit for unit, held in evidence.candidates if held >= 0.4)]))
    stated = [(unit, quantity) for unit in near for quantity in unit.quantities]
    for ours in said.quantities:
        if any(agrees(ours, theirs) for _, theirs in stated):
            continue
        other = next(((unit, theirs) for unit, theirs in stated if _comparable(ours, theirs)), None)
        yield _figure_fault(said, ours, other)


def _comparable(ours: Quantity, theirs: Quantity) -> bool:
    if ours.iso or theirs.iso:
        return bool(ours.iso and theirs.iso)
    return measure(ours)[0] == measure(theirs)[0]


def _figure_fault(said: Said, ours: Quantity, other: tuple[Unit, Quantity] | None) -> Fault:
    at = said.start + ours.start, said.start + ours.end
    kind: FindingKind = "date_changed" if ours.iso else "number_changed"
    if other is None:
        return Fault("not_in_sources", f"no passage near it says {ours.original}", at)
    unit, theirs = other
    return Fault(kind, f"the answer says {ours.original}, the source {theirs.original}", at, unit, denies=True)


CHECKS: Sequence[Check] = (citation_exists, figures_agree)
