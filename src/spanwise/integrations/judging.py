"""Common base of metrics for evaluation libraries: a score in [0, 1] and a reason, without a judge."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from spanwise.guard.failing import failures
from spanwise.guard.verification import Verification
from spanwise.guard.verify import verify

HOLDS = "every claim is supported"
_SHOWN = 20
"""Claims that a reason names."""


@dataclass(frozen=True, slots=True)
class Judged:
    """An answer held against its passages."""

    score: float
    """Share of the claims that hold; 0 for a text without claims, which proves nothing."""
    reason: str
    verification: Verification


def judged(answer: object, passages: Iterable[object], *, citations: bool = True) -> Judged:
    """Hold an answer against its passages.

    Args:
        answer: A text, or what prints as one; None for none.
        passages: In any form that `spanwise.verify` takes.
        citations: A claim has to be supported by what it cites, where it cites something; else by any passage.
    """
    verification = verify("" if answer is None else str(answer), list(passages))
    score = verification.attributed_share if citations else verification.supported_share
    found = failures(verification, holding=citations)
    more = [f"and {len(found) - _SHOWN} more"] if len(found) > _SHOWN else []
    reason = "\n".join([*map(str, found[:_SHOWN]), *more]) or verification.reason or HOLDS
    return Judged(score, reason, verification)
