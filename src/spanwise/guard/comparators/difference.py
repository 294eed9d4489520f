"""A difference that a comparator finds between a claim and its sources."""

from __future__ import annotations

from dataclasses import dataclass

from spanwise.guard.sources import Unit
from spanwise.guard.verification import FindingKind


@dataclass(frozen=True, slots=True)
class Difference:
    """What is wrong with a claim, before places get their ids."""

    kind: FindingKind
    reason: str
    at: tuple[int, int]
    """Range of the answer."""
    unit: Unit | None = None
    """Where a source shows it."""
    denies: bool = False
    """Whether the source says otherwise, and does not merely fail to say it."""
    doubts: bool = False
    """Whether the claim is not supported for this alone, whatever speaks for it."""
    by: str = ""
    """Name of the comparator that found it."""
