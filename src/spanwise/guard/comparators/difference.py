"""A difference that a comparator finds between a claim and its sources."""

from __future__ import annotations

from dataclasses import dataclass

from spanwise.guard.evidence.units import Unit
from spanwise.guard.verification import FindingKind


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference between a claim and its evidence, before the places of evidence get their ids."""

    kind: FindingKind
    reason: str
    at: tuple[int, int]
    """Range of the answer."""
    unit: Unit | None = None
    """Where a source shows it."""
    denies: bool = False
    """True if the source contradicts the claim, rather than lacking what it says."""
    doubts: bool = False
    """True if this alone keeps the claim from being supported, whatever its score."""
    always: bool = False
    """True if it decides of a free wording too."""
    by: str = ""
    """Name of the comparator that found it."""
