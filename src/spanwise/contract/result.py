"""`Draft`, an unchecked answer; `Decision`; and `Result`, an answer with its proof.

Only the guard makes results of drafts.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Generic, Literal, Protocol, cast

from pydantic import TypeAdapter, ValidationError
from typing_extensions import TypeVar

from spanwise.contract.answers import AnswerBase
from spanwise.contract.compute import Computation
from spanwise.contract.record import (
    TRACE_VERSION,
    Completeness,
    DecisionKind,
    Missing,
    ResultDict,
    ResultRecord,
    Trace,
    save_record,
    sealed,
)
from spanwise.contract.registry import answer_classes
from spanwise.domain.claim import Citation, Claim, Policy
from spanwise.domain.question import SentenceModel
from spanwise.errors import HighlightError, InputError, TraceError

ANSWERED = 0.7
"""Least calibrated confidence of an answer; anything less likely is returned as a possible answer, marked for
review."""
POSSIBLE = "possible"
"""The action of a decision to return possible answers."""


@dataclass(frozen=True, slots=True)
class Source:
    """A place that a draft cites: a document, and line numbers counted over all of it."""

    document: str
    line_start: int
    line_end: int


@dataclass(frozen=True, slots=True)
class Draft:
    """An answer that has not been checked yet."""

    answer: AnswerBase
    sources: tuple[tuple[str, ...], ...]
    """For each item, the document name of each of its spans."""
    relevance: float
    """In [0, 1]: the calibrated probability that an extracted answer is right, or the confidence that the model
    gave."""
    nearest: tuple[Source, ...] = ()
    """The best evidence that was found, even if it does not answer the question."""
    lacking: tuple[str, ...] = ()
    """Stems of the question that no evidence contained."""
    asked: str = ""
    """The question as text; answers of yes and no are checked against it. Empty if not needed."""
    sentences: tuple[str, ...] = ()
    """For each item of a yes-or-no answer, the sentence from which it follows."""
    written: tuple[str, ...] = ()
    """For each item, its value in the words of the source, which are displayed; empty if there are none."""
    model: SentenceModel | None = field(default=None, repr=False)
    """The sentence model for the clauses asked for, if a yes depends on the presence of one."""
    computations: tuple[Computation | None, ...] = ()
    """For each item, the computation it comes from, or None; empty if nothing was computed."""
    reworded: bool = False
    """True if a model wrote it, so that inferred or combined values need not be in the lines word for word."""
    prose: str | None = None
    """Running text by a model, with its citation markers; such an answer has no items before the check."""
    policy: Policy = "prune"
    """What is returned of text that is not supported."""
    read: tuple[Source, ...] = ()
    """The passages from which the prose was written, in the order of the numbers in its citation markers."""
    path: str = ""
    """How the answer was found: `sentence`, `list`, `definition`, `clause`, `cell`, `computed` or `yes_or_no`, each
    with its own calibration; `parts` if joined from several; empty if a model wrote it."""
    possible: bool = False
    """True if the items are possible answers instead of one answer: at most three, each with its own spans, the most
    likely first; `relevance` is the probability of the first."""

    @property
    def places(self) -> tuple[tuple[Source, ...], ...]:
        """For each item, the places that it cites."""
        return tuple(
            tuple(Source(name, span.line_start, span.line_end) for span, name in zip(item.spans, names, strict=True))
            for item, names in zip(self.answer.items, self.sources, strict=True)
        )

    @property
    def cited(self) -> tuple[Source, ...]:
        """All places that the draft cites, item by item."""
        return tuple(place for places in self.places for place in places)

    @property
    def documents(self) -> tuple[str, ...]:
        """Names of the cited documents, without duplicates."""
        return tuple(dict.fromkeys(name for names in self.sources for name in names))

    def saying(self, **fields: object) -> Draft:
        """The draft with some fields of its answer changed."""
        return replace(self, answer=self.answer.model_copy(update=fields))

    @property
    def proved(self) -> bool:
        """True if no model wrote any of it, so that the guard can repeat every inference and computation."""
        return not self.reworded and self.prose is None


@dataclass(frozen=True, slots=True)
class Decision:
    """The next step and its reason, decided by code from flags alone."""

    kind: DecisionKind
    reason: str
    action: str | None = None
    keywords: tuple[str, ...] = ()
    pages: tuple[int, ...] = ()
    message: str = ""
    review: Literal["check", "review"] | None = None

    @property
    def possible(self) -> bool:
        """True if possible answers are returned."""
        return self.action == POSSIBLE


def decision_of(record: object) -> Decision:
    """The decision recorded in the step `route` of a trace; a `TraceError` if it is not valid."""
    route = record if isinstance(record, Mapping) else {}
    known = {name: route[name] for name in Decision.__dataclass_fields__ if name in route}
    try:
        return TypeAdapter(Decision).validate_python(known)
    except ValidationError as error:
        raise TraceError(f"the decision in the trace cannot be read: {error.errors()[0]['msg']}") from error


class Highlighter(Protocol):
    """Writes copies of the cited PDFs with highlight annotations, and returns their paths."""

    def __call__(self, citations: Sequence[Citation], path: Path) -> tuple[Path, ...]:
        """Highlight `citations` in copies, the first of which is written to `path`."""


class Formatter(Protocol):
    """Converts a result into the format of another system."""

    def __call__(self, result: Result, name: str, /) -> object:
        """The result in the format with that name."""


@dataclass(frozen=True, slots=True)
class Result:
    """An answer with everything that proves it."""

    trace_id: str
    question: str
    decision: Decision
    text: str
    """The answer as text, one line for each item: possible answers as a numbered list, a list with bullets; if no
    answer is returned, the message that says why."""
    answer: AnswerBase
    confidence: float
    """In [0, 1], computed from the evidence."""
    citations: tuple[Citation, ...] = ()
    claims: tuple[Claim, ...] = ()
    warnings: tuple[str, ...] = ()
    warning_details: tuple[Mapping[str, object], ...] = ()
    completeness: Completeness = field(default_factory=lambda: Completeness(0.0, None, "not checked"))
    missing: Missing | None = None
    used_chunk_ids: tuple[str, ...] = ()
    metrics: Mapping[str, float] = field(default_factory=dict)
    meta: Mapping[str, object] = field(default_factory=dict)
    trace: Trace = field(default_factory=lambda: Trace(""))
    highlighter: Highlighter | None = field(default=None, repr=False, compare=False)
    formatter: Formatter | None = field(default=None, repr=False, compare=False)

    @property
    def possible(self) -> bool:
        """True if the items are only possible answers, the most likely first."""
        return self.decision.possible

    @property
    def review(self) -> bool:
        """True if a person should look at the cited lines before the answer is used.

        That is so for possible answers, and for an answer that is less likely than `ANSWERED`, may be incomplete,
        contains anything unproved, or cites a figure that was recognised in two ways in a scan. What code computed or
        inferred from its lines counts as proved, like a quotation.
        """
        decision = self.decision
        if decision.kind != "ship" or decision.review == "review":
            return decision.review is not None
        unsure = self.confidence < ANSWERED or decision.action is not None
        doubtful = any(citation.recognition and citation.recognition.doubtful for citation in self.citations)
        return unsure or doubtful or any(claim.verdict != "keep" for claim in self.claims)

    def to_dict(self) -> ResultDict:
        """The result as JSON values, schema version 1 (`spanwise schema result` prints the schema)."""
        return cast(ResultDict, self.to_record().model_dump(mode="json"))

    def to_record(self) -> ResultRecord:
        """The published form of the result."""
        return ResultRecord.model_validate(
            {
                **{name: getattr(self, name) for name in _PUBLISHED},
                "decision": self.decision.kind,
                "decision_reason": self.decision.reason,
                "answer": self.answer.model_dump(mode="json"),
                "answer_schema": type(self.answer).__name__,
                "warning_details": [dict(detail) for detail in self.warning_details],
                "metrics": dict(self.metrics),
                "meta": dict(self.meta),
            }
        )

    def to(self, format: str) -> object:
        """The result in the format of another system.

        Args:
            format: `anthropic` (pages), `anthropic-blocks` (lines), `openai` (Responses), `openai-chat`, `cohere`,
                `langchain`, `llamaindex`, `haystack`, `pydantic-ai`, `w3c`, `sarif` and `json` return JSON values;
                `markdown` (with footnotes), `html` and `csv` return text.

        Raises:
            InputError: There is no such format.
        """
        if self.formatter is None:
            raise InputError("this result does not know its formats: hand it spanwise.export.formats.formatted")
        return self.formatter(self, format)

    def save_trace(self, path: str | os.PathLike[str]) -> None:
        """Write the trace of the answer to a JSON file, which `spanwise.replay` can verify.

        Raises:
            StorageError: The file cannot be written.
        """
        save_record(trace_record(self), Path(path))

    def highlight(self, path: str | os.PathLike[str]) -> tuple[Path, ...]:
        """Write copies of the cited PDFs in which every cited rectangle is highlighted.

        Returns:
            The paths of the copies: `path` for the first cited PDF, then `STEM-2.pdf` and so on. The documents
                themselves are not changed.

        Raises:
            HighlightError: Nothing was cited, or the cited document is not a PDF or has changed since it was read.
            StorageError: The copy cannot be written.
        """
        if self.highlighter is None:
            raise HighlightError("this result does not know its documents: ask again with the documents at hand")
        return self.highlighter(self.citations, Path(path))


_ELSEWHERE = {"schema_version", "decision", "decision_reason", "answer", "answer_schema"}
_PUBLISHED = tuple(
    name for name in ResultRecord.model_fields if name not in {*_ELSEWHERE, "warning_details", "metrics", "meta"}
)
"""Fields that a record takes from the result unchanged."""


def result_of(published: object, decision: Decision, formatter: Formatter | None = None) -> Result:
    """The result that a published record describes; trace and highlighter are not in a record, and are left empty.

    A record has only the kind and the reason of its decision, so the whole decision is passed in.
    """
    try:
        record = ResultRecord.model_validate(published)
        answer = _answer(record)
    except ValidationError as error:
        raise TraceError(f"the result cannot be read: {error.errors()[0]['msg']}") from error
    return Result(
        trace_id=record.trace_id,
        question=record.question,
        decision=decision,
        text=record.text,
        answer=answer,
        confidence=record.confidence,
        citations=tuple(record.citations),
        claims=tuple(
            Claim(*one.at, one.text, one.support, one.verdict, one.reason, one.score, tuple(one.citations), one.cited)
            for one in record.claims
        ),
        warnings=tuple(record.warnings),
        warning_details=tuple(record.warning_details),
        completeness=record.completeness,
        missing=record.missing,
        used_chunk_ids=tuple(record.used_chunk_ids),
        metrics=record.metrics,
        meta=record.meta,
        formatter=formatter,
    )


def _answer(record: ResultRecord) -> AnswerBase:
    answer_class = next((one for one in answer_classes().values() if one.__name__ == record.answer_schema), None)
    if answer_class is None:
        raise TraceError(
            f"the answer is of the class {record.answer_schema}, which is not registered: register it first"
        )
    return answer_class.model_validate(record.answer)


def trace_record(result: Result) -> dict[str, object]:
    """The trace as JSON values: a section for each step, the result, the timings, and the seal.

    Two runs with the same input and the same model replies differ only in `timings`.
    """
    return sealed(unsealed_record(result))


def unsealed_record(result: Result) -> dict[str, object]:
    """The trace without its seal, which takes longer to compute than all the rest."""
    published = {**result.to_dict(), "metrics": {k: v for k, v in result.metrics.items() if k != "latency_ms"}}
    return {
        "trace_version": TRACE_VERSION,
        "id": result.trace.id,
        **{step.name: step.record for step in result.trace.steps},
        "result": published,
        "timings": {"latency_ms": result.metrics.get("latency_ms", 0.0)},
    }


AnswerT = TypeVar("AnswerT", bound=AnswerBase, default=AnswerBase)

META_KEYS = (
    "context_completeness_strong",
    "schema_used",
    "answer_shape",
    "answer_type",
    "fragments_applied",
    "prompt_version",
    "model_name",
    "retrieved_context",
    "raw_response",
    "notes",
)
"""Keys of the metadata of every generation.

`context_completeness_strong` is True (complete), False (truncated) or None (not checked), see `completeness`;
`schema_used` is the name of the answer's class; `answer_shape` and `answer_type` are what was asked for;
`fragments_applied` are the labels whose fragment the prompt contained; `retrieved_context` is what the model saw;
`raw_response` is its unchanged reply; `notes` say why another class or way was chosen than the one asked for.
"""


@dataclass
class GenerationResult(Generic[AnswerT]):
    """An answer and its metadata, which is kept out of the classes that a model fills."""

    answer: AnswerT
    meta: dict[str, object] = field(default_factory=dict)
    """Values for the keys in `META_KEYS`."""
