"""The published form of a verification: what the HTTP API and the tools for agents give."""

from __future__ import annotations

from spanwise.contract.record import ClaimRecord, Record
from spanwise.guard.verification import AccountKind, FindingKind


class PlaceRecord(Record):
    """A place in one of the passages."""

    id: str
    passage: int
    passage_id: str
    document: str
    page: int | None
    line_start: int
    line_end: int
    start: int
    end: int
    quote: str


class FindingRecord(Record):
    """Something that is wrong with a claim."""

    kind: FindingKind
    reason: str
    claim: int
    at: tuple[int, int]
    source: str | None
    denies: bool


class PartRecord(Record):
    """What became of one stretch of the answer."""

    start: int
    end: int
    kind: AccountKind
    reason: str
    claim: int | None
    sentence: int | None


class PassageRecord(Record):
    """What became of one passage."""

    passage: int
    passage_id: str
    read: bool
    reason: str
    claims: list[int]


class VerificationReport(Record):
    """An answer held against its passages, claim by claim."""

    score: float
    supported: bool
    supported_share: float
    citations_hold: bool
    attributed_share: float
    reason: str
    claims: list[ClaimRecord]
    evidence: list[PlaceRecord]
    findings: list[FindingRecord]
    account: list[PartRecord]
    passages: list[PassageRecord]
