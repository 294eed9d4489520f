"""The published form of a result: what `--json` and the HTTP API print, version 1."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict, Field

from spanwise.domain.claim import Citation, Support, Verdict

if TYPE_CHECKING:
    from spanwise.contract.result import Missing, Result

SCHEMA_VERSION: Literal[1] = 1


class Record(BaseModel):
    """Base of the published records."""

    model_config = ConfigDict(extra="forbid")


class BoxRecord(Record):
    """A rectangle in PDF points, origin top left."""

    page: int
    x0: float
    y0: float
    x1: float
    y1: float


class CitationRecord(Record):
    """From a place in the answer's text to lines of a document."""

    id: str
    item: int
    document: str
    line_start: int
    line_end: int
    page: int | None
    page_label: str | None
    boxes: list[BoxRecord]
    quote: str
    at: tuple[int, int]


class ClaimRecord(Record):
    """A checked statement of the answer."""

    at: tuple[int, int]
    text: str
    support: Support
    verdict: Verdict
    reason: str
    score: float
    citations: list[str]


class CompletenessRecord(Record):
    """Whether the evidence was enough, from inside (weak) and from outside (strong)."""

    weak: float
    strong: bool | None
    why: str


class MissingRecord(Record):
    """Why there is no answer, the nearest evidence, and what would answer."""

    reason: str
    nearest: list[CitationRecord]
    what: str


class ResultRecord(Record):
    """One answered (or honestly unanswered) question."""

    schema_version: Literal[1] = SCHEMA_VERSION
    trace_id: str
    question: str
    decision: Literal["ship", "clarify", "refetch", "reparse", "not_found"]
    decision_reason: str
    text: str
    confidence: float = Field(ge=0, le=1)
    review: bool
    answer: dict[str, object]
    answer_schema: str
    citations: list[CitationRecord]
    claims: list[ClaimRecord]
    warnings: list[str]
    warning_details: list[dict[str, object]]
    completeness: CompletenessRecord
    missing: MissingRecord | None
    used_chunk_ids: list[str]
    metrics: dict[str, float]
    meta: dict[str, object]


def record_of(result: Result) -> ResultRecord:
    """The published form of a result."""
    return ResultRecord(
        trace_id=result.trace_id,
        question=result.question,
        decision=result.decision.kind,
        decision_reason=result.decision.reason,
        text=result.text,
        confidence=result.confidence,
        review=result.decision.review is not None,
        answer=result.answer.model_dump(mode="json"),
        answer_schema=type(result.answer).__name__,
        citations=[_citation(citation) for citation in result.citations],
        claims=[
            ClaimRecord(
                at=(claim.start, claim.end),
                text=claim.text,
                support=claim.support,
                verdict=claim.verdict,
                reason=claim.reason,
                score=claim.score,
                citations=list(claim.citations),
            )
            for claim in result.claims
        ],
        warnings=list(result.warnings),
        warning_details=[dict(detail) for detail in result.warning_details],
        completeness=CompletenessRecord(
            weak=result.completeness.weak, strong=result.completeness.strong, why=result.completeness.why
        ),
        missing=_missing(result.missing),
        used_chunk_ids=list(result.used_chunk_ids),
        metrics=dict(result.metrics),
        meta=dict(result.meta),
    )


def _missing(missing: Missing | None) -> MissingRecord | None:
    if missing is None:
        return None
    return MissingRecord(
        reason=missing.reason, nearest=[_citation(citation) for citation in missing.nearest], what=missing.what
    )


def _citation(citation: Citation) -> CitationRecord:
    return CitationRecord(
        id=citation.id,
        item=citation.item,
        document=citation.document,
        line_start=citation.line_start,
        line_end=citation.line_end,
        page=citation.page,
        page_label=citation.page_label,
        boxes=[BoxRecord(page=box.page, x0=box.x0, y0=box.y0, x1=box.x1, y1=box.y1) for box in citation.boxes],
        quote=citation.quote,
        at=citation.at,
    )
