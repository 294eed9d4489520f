"""From a draft nobody checked to a result that proves itself. Only the guard turns the first into the second."""

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
"""Least calibrated confidence of an answer; what is less likely ships as a possible answer, marked for review."""
POSSIBLE = "possible"
"""The action of a decision that ships possible answers."""


@dataclass(frozen=True, slots=True)
class Source:
    """Source of a line of a draft: the document, and global line numbers."""

    document: str
    line_start: int
    line_end: int


@dataclass(frozen=True, slots=True)
class Draft:
    """An answer that nobody has checked yet."""

    answer: AnswerBase
    sources: tuple[tuple[str, ...], ...]
    """For each item, the names of the documents that its spans are of, in their order."""
    relevance: float
    """Share of the question that the evidence covers, in [0, 1]."""
    nearest: tuple[Source, ...] = ()
    """The best evidence that was seen, also when it did not answer."""
    lacking: tuple[str, ...] = ()
    """Words of the question that no evidence had."""
    asked: str = ""
    """The question, where what is said of it is checked against it: yes and no."""
    sentences: tuple[str, ...] = ()
    """For each item that says yes or no, the sentence from which that follows."""
    written: tuple[str, ...] = ()
    """For each item, the words of the source that say its value, shown in its place; empty where there are none."""
    model: SentenceModel | None = field(default=None, repr=False)
    """Model of clauses of the kind that is asked for, where a yes rests on there being one."""
    computations: tuple[Computation | None, ...] = ()
    """For each item, how code computed it; empty when nothing was computed."""
    reworded: bool = False
    """True if a model wrote it: what it says to be inferred or put together need not stand in the lines as it is."""
    prose: str | None = None
    """Running text by a model, with its citation marks; the answer has no items before it is checked."""
    policy: Policy = "prune"
    """Policy for what is not supported."""
    read: tuple[Source, ...] = ()
    """The passages that the prose was written from, in the order of their numbers in its marks."""
    path: str = ""
    """How it was found: `sentence`, `list`, `definition`, `clause`, `cell`, `computed` or `yes_or_no`, each of which
    is calibrated by itself; empty where a model wrote it."""
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
        """Every place that it cites, item by item."""
        return tuple(place for places in self.places for place in places)

    @property
    def documents(self) -> tuple[str, ...]:
        """Names of the documents that it cites, each once."""
        return tuple(dict.fromkeys(name for names in self.sources for name in names))

    def saying(self, **fields: object) -> Draft:
        """The draft with other fields of its answer."""
        return replace(self, answer=self.answer.model_copy(update=fields))

    @property
    def proved(self) -> bool:
        """True if code drew every conclusion and figure, so that the guard draws each again; no model wrote a word."""
        return not self.reworded and self.prose is None


@dataclass(frozen=True, slots=True)
class Decision:
    """The next step and its reason; made by code that only reads flags."""

    kind: DecisionKind
    reason: str
    action: str | None = None
    keywords: tuple[str, ...] = ()
    pages: tuple[int, ...] = ()
    message: str = ""
    review: Literal["check", "review"] | None = None

    @property
    def possible(self) -> bool:
        """True if what ships are possible answers."""
        return self.action == POSSIBLE


def decision_of(record: object) -> Decision:
    """The decision in the step `route` of a trace."""
    route = record if isinstance(record, Mapping) else {}
    known = {name: route[name] for name in Decision.__dataclass_fields__ if name in route}
    try:
        return TypeAdapter(Decision).validate_python(known)
    except ValidationError as error:
        raise TraceError(f"the decision in the trace cannot be read: {error.errors()[0]['msg']}") from error


class Highlighter(Protocol):
    """Writes copies of the cited PDFs with highlight annotations, and says where."""

    def __call__(self, citations: Sequence[Citation], path: Path) -> tuple[Path, ...]:
        """Mark `citations` in copies that start at `path`."""


class Formatter(Protocol):
    """Gives a result in the shape that another system reads."""

    def __call__(self, result: Result, name: str, /) -> object:
        """The result in the format of that name."""


@dataclass(frozen=True, slots=True)
class Result:
    """An answer and everything that proves it."""

    trace_id: str
    question: str
    decision: Decision
    text: str
    """What the documents say, one line an item: of several possible answers a numbered list, of a list bullets; where
    nothing ships, why."""
    answer: AnswerBase
    confidence: float
    """In [0, 1], computed from evidence."""
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
        """True if the items are possible answers, the most likely first, and none of them is certain."""
        return self.decision.possible

    @property
    def review(self) -> bool:
        """True if somebody should look at the cited lines before the answer is used.

        So it is for possible answers, and for an answer that is less likely than `ANSWERED`, may not be complete,
        holds anything that was not proved, or cites a figure that a scan shows in two ways. What code computed or
        concluded from its lines is proved like a quotation.
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
        """The result in the shape that another system reads.

        Args:
            format: `anthropic` (pages), `anthropic-blocks` (lines), `openai` (Responses), `openai-chat`, `cohere`,
                `langchain`, `llamaindex`, `haystack`, `pydantic-ai`, `w3c`, `sarif` and `json` give JSON values;
                `markdown` (with footnotes), `html` and `csv` give text.

        Raises:
            InputError: There is no such format.
        """
        if self.formatter is None:
            raise InputError("this result does not know its formats: hand it spanwise.export.formats.formatted")
        return self.formatter(self, format)

    def save_trace(self, path: str | os.PathLike[str]) -> None:
        """Write how the answer was made as one JSON file, which `spanwise.replay` proves again.

        Raises:
            StorageError: The file cannot be written.
        """
        save_record(trace_record(self), Path(path))

    def highlight(self, path: str | os.PathLike[str]) -> tuple[Path, ...]:
        """Write copies of the cited PDFs in which every cited rectangle is highlighted.

        Returns:
            What was written: `path` for the first cited PDF, `STEM-2.pdf` and so on for others. The documents
            themselves are not touched.

        Raises:
            HighlightError: Nothing was cited, the cited document is not a PDF or is no longer the one that was read.
            StorageError: The copy cannot be written.
        """
        if self.highlighter is None:
            raise HighlightError("this result does not know its documents: ask again with the documents at hand")
        return self.highlighter(self.citations, Path(path))


_ELSEWHERE = {"schema_version", "decision", "decision_reason", "answer", "answer_schema"}
_PUBLISHED = tuple(
    name for name in ResultRecord.model_fields if name not in {*_ELSEWHERE, "warning_details", "metrics", "meta"}
)
"""Fields that a record takes from the result as they are."""


def result_of(published: object, decision: Decision, formatter: Formatter | None = None) -> Result:
    """The result that a published record describes; what a record does not have (trace, highlighter) is left empty.

    Of a decision a record has only the kind and the reason: the rest is given.
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
    """The trace as JSON values: a section for each part of the way, the result, the timings, and the seal.

    Two runs that got the same input and the same replies differ in `timings` only.
    """
    return sealed(unsealed_record(result))


def unsealed_record(result: Result) -> dict[str, object]:
    """The trace without its seal, which takes longer to make than all the rest."""
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

`context_completeness_strong` is True (bounded), False (truncated) or None (not checked), see `completeness`;
`schema_used` the name of the answer's class; `answer_shape` and `answer_type` what was asked for; `fragments_applied`
the labels whose fragment the prompt had; `retrieved_context` what the model saw; `raw_response` its reply as it came;
`notes` why another class or way was taken than the one asked for.
"""


@dataclass
class GenerationResult(Generic[AnswerT]):
    """An answer and its trace. The trace stands only here: no class that a model fills has a field for it."""

    answer: AnswerT
    meta: dict[str, object] = field(default_factory=dict)
    """By the keys of `META_KEYS`."""
