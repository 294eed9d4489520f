"""What does not hold of a text, in words for whoever reads a failed check: the claim, why, and the nearest evidence."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from spanwise.domain.claim import Claim
from spanwise.guard.report import CITED, LABELS
from spanwise.guard.verification import Verification, where

_LONGEST = 300
"""Characters of a claim or a quote."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A claim that does not hold, with the lines that say why."""

    claim: Claim
    lines: tuple[str, ...]

    def __str__(self) -> str:
        return "\n".join(self.lines)


def failures(verification: Verification, *, holding: bool = True, citing: bool = False) -> list[Failure]:
    """The claims that are not supported, in the order of the text.

    Args:
        verification: What was checked.
        holding: Those too whose citations do not hold.
        citing: Those too that cite nothing.
    """
    wrong = {*(CITED if holding else ()), *(["none"] if citing else ())}
    return [
        Failure(claim, tuple(_lines(verification, index, wrong)))
        for index, claim in enumerate(verification.claims)
        if claim.support != "supported" or claim.cited in wrong
    ]


def _lines(verification: Verification, index: int, wrong: Collection[str]) -> Iterator[str]:
    claim = verification.claims[index]
    found = [finding for finding in verification.findings if finding.claim == index]
    yield f"{LABELS[claim.support]}: {_clipped(claim.text)}"
    if claim.support != "supported":
        yield f"  why: {_clipped(claim.reason)}"
    if claim.cited in wrong:
        told = [finding.reason for finding in found if finding.kind in ("fabricated", "wrong_place")]
        yield f"  citation: {'; '.join(dict.fromkeys(told)) or CITED.get(claim.cited, 'it cites nothing')}"
    places = {place.id: place for place in verification.evidence}
    denying = [finding.source for finding in found if finding.denies]
    nearest = next((places[one] for one in [*denying, *claim.citations] if one in places), None)
    told_of = "no passage comes near it" if nearest is None else f"{where(nearest)}: {_clipped(nearest.quote)}"
    yield f"  nearest: {told_of}"


def _clipped(text: str) -> str:
    plain = " ".join("".join(one if one.isprintable() else " " for one in text).split())
    return plain if len(plain) <= _LONGEST else plain[:_LONGEST] + "…"
