"""The published form of a result: what `--json` and the HTTP API print, version 1."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypedDict

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from spanwise.contract.registry import answer_classes
from spanwise.contract.result import DecisionKind, MissingKind
from spanwise.domain.claim import Citation, Cited, Claim, Support, Verdict
from spanwise.domain.document import Box
from spanwise.errors import TraceError

if TYPE_CHECKING:
    from spanwise.contract.answers import AnswerBase
    from spanwise.contract.result import Decision, Missing, Result

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
    cells: str | None = None


class ClaimRecord(Record):
    """A checked statement of the answer."""

    at: tuple[int, int]
    text: str
    support: Support
    verdict: Verdict
    reason: str
    score: float
    citations: list[str]
    cited: Cited = "none"


class CompletenessRecord(Record):
    """Whether the evidence was enough, from inside (weak) and from outside (strong)."""

    weak: float
    strong: bool | None
    why: str


class MissingRecord(Record):
    """Why there is no answer, the nearest evidence, and what would answer."""

    kind: MissingKind = "off_corpus"
    reason: str
    nearest: list[CitationRecord]
    what: str


class ResultRecord(Record):
    """One answered (or honestly unanswered) question."""

    schema_version: Literal[1] = SCHEMA_VERSION
    trace_id: str
    question: str
    decision: DecisionKind
    decision_reason: str
    text: str
    confidence: float = Field(ge=0, le=1)
    review: bool = Field(description="True if somebody should look at the cited lines before the answer is used.")
    possible: bool = Field(
        default=False,
        description="True if the items are possible answers, the most likely first: no line answers it for certain.",
    )
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


class BoxDict(TypedDict):
    """`BoxRecord` as JSON values, as the classes after it are those of their records."""

    page: int
    x0: float
    y0: float
    x1: float
    y1: float


class CitationDict(TypedDict):
    """From a place in the answer's text to lines of a document."""

    id: str
    item: int
    document: str
    line_start: int
    line_end: int
    page: int | None
    page_label: str | None
    boxes: list[BoxDict]
    quote: str
    at: list[int]
    cells: str | None


class ClaimDict(TypedDict):
    """A checked statement of the answer."""

    at: list[int]
    text: str
    support: Support
    verdict: Verdict
    reason: str
    score: float
    citations: list[str]
    cited: Cited


class CompletenessDict(TypedDict):
    """Whether the evidence was enough."""

    weak: float
    strong: bool | None
    why: str


class MissingDict(TypedDict):
    """Why there is no answer."""

    kind: MissingKind
    reason: str
    nearest: list[CitationDict]
    what: str


class ResultDict(TypedDict):
    """What `Result.to_dict` gives."""

    schema_version: int
    trace_id: str
    question: str
    decision: DecisionKind
    decision_reason: str
    text: str
    confidence: float
    review: bool
    possible: bool
    answer: dict[str, object]
    answer_schema: str
    citations: list[CitationDict]
    claims: list[ClaimDict]
    warnings: list[str]
    warning_details: list[dict[str, object]]
    completeness: CompletenessDict
    missing: MissingDict | None
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
        review=result.review,
        possible=result.possible,
        answer=result.answer.model_dump(mode="json"),
        answer_schema=type(result.answer).__name__,
        citations=[citation_record(citation) for citation in result.citations],
        claims=[
            ClaimRecord(
                at=(claim.start, claim.end),
                text=claim.text,
                support=claim.support,
                verdict=claim.verdict,
                reason=claim.reason,
                score=claim.score,
                citations=list(claim.citations),
                cited=claim.cited,
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
        kind=missing.kind,
        reason=missing.reason,
        nearest=[citation_record(citation) for citation in missing.nearest],
        what=missing.what,
    )


def citation_record(citation: Citation) -> CitationRecord:
    """The published form of one citation."""
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
        cells=citation.cells,
    )


def result_of(published: object, decision: Decision) -> Result:
    """The result that a published record describes; what a record does not have (trace, highlighter) is left empty.

    Raises:
        TraceError: It is no such record, or its answer is of a class that is not registered here.
    """
    from spanwise.contract.result import Completeness, Result

    try:
        record = ResultRecord.model_validate(published)
        answer = _answer(record)
    except ValidationError as error:
        raise TraceError(f"the result cannot be read: {error.errors()[0]['msg']}") from error
    missing = record.missing
    return Result(
        trace_id=record.trace_id,
        question=record.question,
        decision=decision,
        text=record.text,
        answer=answer,
        confidence=record.confidence,
        citations=tuple(_cited(one) for one in record.citations),
        claims=tuple(
            Claim(*one.at, one.text, one.support, one.verdict, one.reason, one.score, tuple(one.citations), one.cited)
            for one in record.claims
        ),
        warnings=tuple(record.warnings),
        warning_details=tuple(record.warning_details),
        completeness=Completeness(record.completeness.weak, record.completeness.strong, record.completeness.why),
        missing=None if missing is None else _missed(missing),
        used_chunk_ids=tuple(record.used_chunk_ids),
        metrics=record.metrics,
        meta=record.meta,
    )


def _missed(record: MissingRecord) -> Missing:
    from spanwise.contract.result import Missing

    return Missing(record.reason, tuple(map(_cited, record.nearest)), record.what, record.kind)


def _answer(record: ResultRecord) -> AnswerBase:
    answer_class = next((one for one in answer_classes().values() if one.__name__ == record.answer_schema), None)
    if answer_class is None:
        raise TraceError(
            f"the answer is of the class {record.answer_schema}, which is not registered: register it first"
        )
    return answer_class.model_validate(record.answer)


def _cited(record: CitationRecord) -> Citation:
    return Citation(
        id=record.id,
        item=record.item,
        document=record.document,
        line_start=record.line_start,
        line_end=record.line_end,
        page=record.page,
        page_label=record.page_label,
        boxes=tuple(Box(box.page, box.x0, box.y0, box.x1, box.y1) for box in record.boxes),
        quote=record.quote,
        at=record.at,
        cells=record.cells,
    )
