"""The published form of a result, as `--json` and the HTTP API print it (schema version 1), and its trace file.

A trace is one JSON record sealed with a SHA-256 digest, so that edits are detected.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeAlias, TypedDict

from pydantic import BaseModel, ConfigDict, Field

from spanwise.domain.claim import Citation, CitationDict, Cited, ClaimDict, Support, Verdict
from spanwise.errors import StorageError, TraceError


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a trace, such as `question` or `retrieval`, with its record in JSON values."""

    name: str
    record: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Trace:
    """The steps in order; `id` is a hash of the steps' records, so the same input has the same id."""

    id: str
    steps: tuple[Step, ...] = ()


SCHEMA_VERSION: Literal[1] = 1

DecisionKind: TypeAlias = Literal["ship", "clarify", "refetch", "reparse", "not_found"]
MissingKind: TypeAlias = Literal[
    "off_corpus", "wrong_shape", "unreadable_page", "truncated", "conflicting", "too_vague", "rejected"
]
"""What is missing for an answer, in this order: nothing is about it; something is, but not in the form asked for; a
page without text may contain it; the evidence continues on a page that was not read; sources differ; the question is
ambiguous; the checks rejected the answer."""


@dataclass(frozen=True, slots=True)
class Missing:
    """Why there is no answer, with the nearest evidence and what would answer the question."""

    reason: str
    nearest: tuple[Citation, ...]
    what: str
    kind: MissingKind = "off_corpus"


@dataclass(frozen=True, slots=True)
class Completeness:
    """Whether the evidence was enough: an estimate (`weak`, in [0, 1]) and what the documents show (`strong`)."""

    weak: float
    strong: bool | None
    """True bounded, False truncated, None not checked."""
    why: str


class PublishedRecord(BaseModel):
    """Base of the published records; each is read from what it publishes, field by field of the same name."""

    model_config = ConfigDict(extra="forbid", from_attributes=True, defer_build=True)


class ClaimRecord(PublishedRecord):
    """A checked statement of the answer."""

    at: tuple[int, int]
    text: str
    support: Support
    verdict: Verdict
    reason: str
    score: float
    citations: list[str]
    cited: Cited = "none"


class ResultRecord(PublishedRecord):
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
    citations: list[Citation]
    claims: list[ClaimRecord]
    warnings: list[str]
    warning_details: list[dict[str, object]]
    completeness: Completeness
    missing: Missing | None
    used_chunk_ids: list[str]
    metrics: dict[str, float]
    meta: dict[str, object]


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


TRACE_VERSION = 1
LARGEST_TRACE = 200_000_000
"""Most bytes of a trace file that is read."""
_UNSEALED = ("timings", "digest")
"""Fields that may differ between two runs with the same outcome, so the digest leaves them out."""


def sealed(record: Mapping[str, object]) -> dict[str, object]:
    """The trace with its digest, by which edits are detected."""
    return {**record, "digest": digest_of(record)}


def digest_of(record: Mapping[str, object]) -> str:
    """The SHA-256, in hexadecimal, of everything but the timings and the digest itself."""
    sealed = {name: value for name, value in record.items() if name not in _UNSEALED}
    content = json.dumps(sealed, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()


def save_record(record: Mapping[str, object], path: Path) -> None:
    """Write a sealed trace; the file is replaced as a whole, or not at all."""
    content = json.dumps(record, ensure_ascii=False, indent=1) + "\n"
    beside = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        beside.write_bytes(content.encode("utf-8", "surrogatepass"))
        beside.replace(path)
    except OSError as error:
        with suppress(OSError):  # where the place itself cannot be, neither can the file beside it
            beside.unlink()
        raise StorageError(f"cannot write {path}: {error.strerror}") from error


def load_trace(path: Path) -> dict[str, object]:
    """The record in a trace file; a `TraceError` if it is not a trace, has another version or was edited."""
    try:
        if path.stat().st_size > LARGEST_TRACE:
            raise TraceError(f"{path} is larger than {LARGEST_TRACE:,} bytes: it is not a trace")
        record = json.loads(path.read_bytes().decode("utf-8", "surrogatepass"))
    except OSError as error:
        raise TraceError(f"cannot read {path}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise TraceError(f"{path} is not a trace: it is not JSON ({error})") from error
    if not isinstance(record, dict) or "trace_version" not in record:
        raise TraceError(f"{path} is not a trace: give a file that `spanwise ask --trace` wrote")
    if record["trace_version"] != TRACE_VERSION:
        told = str(record["trace_version"])[:20]
        raise TraceError(f"{path} is a trace of version {told}, this program reads {TRACE_VERSION}: ask again")
    try:
        digest = digest_of(record)
    except (ValueError, RecursionError) as error:
        raise TraceError(f"{path} is not a trace: it is nested too deeply") from error
    if record.get("digest") != digest:
        raise TraceError(f"{path} was edited after it was written: its content does not have the digest it names")
    return record
