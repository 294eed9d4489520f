"""The result of checking an answer: its claims with their evidence, the findings, an account of every part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Literal, TypeAlias, TypedDict, cast

from spanwise.domain.claim import Claim, ClaimDict
from spanwise.guard.conflicts.values import Side

FindingKind: TypeAlias = Literal[
    "fabricated",
    "wrong_place",
    "number_changed",
    "date_changed",
    "negated",
    "swapped",
    "overstated",
    "stitched",
    "not_in_sources",
]
"""Kinds of findings. `fabricated`: it cites or quotes what does not exist. `wrong_place`: it cites one
passage and another one says it. `number_changed`, `date_changed`: the source has another figure or date. `negated`:
one denies what the other says. `swapped`: it takes a name or value of something else. `overstated`: it says more, or
says it more firmly. `stitched`: its quotation joins words that stand apart. `not_in_sources`: no passage has this."""

AccountKind: TypeAlias = Literal["claim", "heading", "question", "hedge", "refusal", "markup", "comment", "unchecked"]

NOTHING_TO_CHECK = "there is nothing to check: the text makes no claim"


@dataclass(frozen=True, slots=True)
class Place:
    """A place in one of the passages."""

    id: str
    """`e1`, `e2` ... in the order of the claims."""
    passage: int
    """1-based position of the passage among those given."""
    passage_id: str
    document: str
    page: int | None
    line_start: int
    line_end: int
    start: int
    """Range in the text of the passage, end exclusive."""
    end: int
    quote: str
    """The words that stand there."""


def where(place: Place | Side) -> str:
    """Where a quote stands, in words: `report.pdf, page 6, lines 120-123`."""
    lines = f"line {place.line_start}"
    if place.line_end > place.line_start:
        lines = f"lines {place.line_start}-{place.line_end}"
    return f"{place.document}, {lines}" if place.page is None else f"{place.document}, page {place.page}, {lines}"


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault of a claim."""

    kind: FindingKind
    reason: str
    """In words, for a person."""
    claim: int
    """Index of the claim, from 0."""
    at: tuple[int, int]
    """Range of the answer, end exclusive."""
    source: str | None = None
    """The id of the `Place` that shows it; None where there is none."""
    denies: bool = False
    """True if the source contradicts the claim, rather than lacking what it says."""


@dataclass(frozen=True, slots=True)
class AccountedPart:
    """The outcome of one part of the answer."""

    start: int
    end: int
    kind: AccountKind
    reason: str = ""
    claim: int | None = None
    """Index of its claim."""
    sentence: int | None = None
    """Which sentence, list item or cell it belongs to, from 0; None of a comment."""


@dataclass(frozen=True, slots=True)
class AccountedPassage:
    """The outcome of one passage."""

    passage: int
    """1-based."""
    passage_id: str
    read: bool
    reason: str
    """Why it was not read; empty when it was."""
    claims: tuple[int, ...]
    """Indices of the claims that rest on it."""


class PlaceDict(TypedDict):
    """`Place` as JSON values, as the classes after it are those of their values."""

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


class FindingDict(TypedDict):
    """`Finding`."""

    kind: FindingKind
    reason: str
    claim: int
    at: list[int]
    source: str | None
    denies: bool


class PartDict(TypedDict):
    """`AccountedPart`."""

    start: int
    end: int
    kind: AccountKind
    reason: str
    claim: int | None
    sentence: int | None


class PassageDict(TypedDict):
    """`AccountedPassage`."""

    passage: int
    passage_id: str
    read: bool
    reason: str
    claims: list[int]


class VerificationDict(TypedDict):
    """The value of `Verification.to_dict`."""

    score: float
    supported: bool
    supported_share: float
    citations_hold: bool
    attributed_share: float
    reason: str
    claims: list[ClaimDict]
    evidence: list[PlaceDict]
    findings: list[FindingDict]
    account: list[PartDict]
    passages: list[PassageDict]


@dataclass(frozen=True)
class Verification:
    """An answer held against its passages, claim by claim."""

    text: str
    claims: tuple[Claim, ...]
    """The `citations` of a claim are ids of `evidence`."""
    evidence: tuple[Place, ...]
    findings: tuple[Finding, ...]
    account: tuple[AccountedPart, ...]
    """Every part of the answer in order: a claim, what is none, and what was not checked with the reason."""
    passages: tuple[AccountedPassage, ...]
    score: float
    """How likely it is, in [0, 1], that every claim holds that was checked; 1 for words that claim nothing, such as a
    refusal, and 0 for a text without words."""
    citations_hold: bool = True
    """True if every citation names a passage that was given and that supports its claim without the others; True of an
    answer that cites nothing."""

    @property
    def supported(self) -> bool:
        """True if there are claims and every one of them is supported, wherever it cites."""
        return bool(self.claims) and all(claim.support == "supported" for claim in self.claims)

    @property
    def supported_share(self) -> float:
        """Share of the claims that are supported; 0 when there is none."""
        return self._share([claim.support == "supported" for claim in self.claims])

    @property
    def attributed_share(self) -> float:
        """Share of the claims that are supported where they cite, or cite nothing; 0 when there is none."""
        right = ("holds", "none")
        return self._share([claim.support == "supported" and claim.cited in right for claim in self.claims])

    @property
    def reason(self) -> str:
        """Why nothing is said of the whole: there is nothing to check; empty where there are claims."""
        return "" if self.claims else NOTHING_TO_CHECK

    def _share(self, flags: Sequence[bool]) -> float:
        return sum(flags) / len(flags) if flags else 0.0

    def evidence_of(self, claim: Claim) -> tuple[Place, ...]:
        """The places that a claim is held against, the best first."""
        return tuple(self._places[name] for name in claim.citations)

    def findings_of(self, claim: Claim) -> tuple[Finding, ...]:
        """The findings of a claim."""
        return tuple(self._findings.get(self._numbers[claim], ()))

    @cached_property
    def _places(self) -> dict[str, Place]:
        return {place.id: place for place in self.evidence}

    @cached_property
    def _numbers(self) -> dict[Claim, int]:
        return {claim: number for number, claim in reversed(list(enumerate(self.claims)))}

    @cached_property
    def _findings(self) -> dict[int, list[Finding]]:
        found: dict[int, list[Finding]] = {}
        for finding in self.findings:
            found.setdefault(finding.claim, []).append(finding)
        return found

    def to_dict(self) -> VerificationDict:
        """Everything as JSON values."""
        values = {
            "score": self.score,
            "supported": self.supported,
            "supported_share": self.supported_share,
            "citations_hold": self.citations_hold,
            "attributed_share": self.attributed_share,
            "reason": self.reason,
            "claims": [
                {
                    "at": [claim.start, claim.end],
                    "text": claim.text,
                    "support": claim.support,
                    "verdict": claim.verdict,
                    "reason": claim.reason,
                    "score": claim.score,
                    "citations": list(claim.citations),
                    "cited": claim.cited,
                }
                for claim in self.claims
            ],
            "evidence": [asdict(place) for place in self.evidence],
            "findings": [asdict(finding) | {"at": list(finding.at)} for finding in self.findings],
            "account": [asdict(part) for part in self.account],
            "passages": [asdict(passage) | {"claims": list(passage.claims)} for passage in self.passages],
        }
        return cast(VerificationDict, values)
