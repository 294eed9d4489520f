"""The published form of a verification: what the HTTP API and the tools for agents give."""

from __future__ import annotations

from spanwise.contract.record import ClaimRecord, PublishedRecord
from spanwise.guard.verification import AccountedPart, AccountedPassage, Finding, Place


class VerificationReport(PublishedRecord):
    """An answer held against its passages, claim by claim."""

    score: float
    supported: bool
    supported_share: float
    citations_hold: bool
    attributed_share: float
    reason: str
    claims: list[ClaimRecord]
    evidence: list[Place]
    findings: list[Finding]
    account: list[AccountedPart]
    passages: list[AccountedPassage]
