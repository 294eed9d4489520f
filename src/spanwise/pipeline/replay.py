"""Proves a result again from its trace: no model is called, and every check is made once more."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

from pydantic import TypeAdapter, ValidationError

from spanwise.contract.record import result_of
from spanwise.contract.result import Decision, Result
from spanwise.contract.tracing import load_trace
from spanwise.domain.claim import Citation
from spanwise.domain.trace import Step, Trace
from spanwise.errors import SpanwiseError, TraceError
from spanwise.guard.guard import check
from spanwise.pipeline.proof import Proof
from spanwise.pipeline.tracing import draft_of
from spanwise.readers.registry import read
from spanwise.store.port import StoredDocument

_STEPS = ("settings", "parsing", "question", "retrieval", "generation", "validation", "route", "passes", "proof")


def replay(trace_path: str | os.PathLike[str]) -> Result:
    """Check the answer of a trace again and return its result.

    The draft is held against the lines that the trace carries, as it was at first; every item and citation has to come
    out the same. Then each cited document that is still at its place is read again: where its bytes or the
    reader changed, a warning `document_changed` says what that did to the cited lines.

    Raises:
        TraceError: The file is not a trace or was edited, the check comes out otherwise, or a cited line of a document
            that is still there says something else now.
    """
    record = load_trace(Path(trace_path))
    try:
        decision = _decision(cast("Mapping[str, object]", record["route"]))
        result = result_of(record["result"], decision)
        draft = draft_of(cast("Mapping[str, Mapping[str, object]]", record["generation"])["draft"])
        proof = Proof.from_json(cast("Mapping[str, object]", record["proof"])["documents"])
    except (KeyError, TypeError) as error:
        raise TraceError(f"{os.fspath(trace_path)} lacks a part of a trace: {error}") from error
    checked = check(draft, proof)
    if result.decision.kind == "ship" and checked.text != result.text:
        raise TraceError("the guard finds another answer in the same lines: the trace was made by another version")
    if result.citations and checked.citations != result.citations:
        raise TraceError("a citation of the trace does not come out of its own lines any more")
    if checked.answer.model_dump() != result.answer.model_dump():
        raise TraceError("the typed answer of the trace does not come out of its own lines any more")
    changes = [change for stored in proof.documents() if (change := _changed(stored, result.citations))]
    steps = tuple(Step(name, cast("Mapping[str, object]", record[name])) for name in _STEPS if name in record)
    return replace(
        result,
        trace=Trace(str(record["id"]), steps),
        warnings=(*result.warnings, *(["document_changed"] if changes else [])),
        warning_details=(
            *result.warning_details,
            *({"code": "document_changed", "message": change} for change in changes),
        ),
    )


def _decision(record: Mapping[str, object]) -> Decision:
    try:
        return TypeAdapter(Decision).validate_python({k: v for k, v in record.items() if k != "exhausted"})
    except ValidationError as error:
        raise TraceError(f"the decision in the trace cannot be read: {error.errors()[0]['msg']}") from error


def _changed(stored: StoredDocument, citations: Sequence[Citation]) -> str | None:
    """What became of a document since; None when nothing did, or when it is not where it was."""
    if stored.source is None or not os.path.exists(stored.source.path):
        return None
    try:
        document = read(stored.source.path, name=stored.name)
    except SpanwiseError as error:
        return f"{stored.name} can no longer be read: {error}"
    gone = [
        citation
        for citation in citations
        if citation.document == stored.name
        and (
            citation.line_end > len(document.lines)
            or document.text(citation.line_start, citation.line_end) != citation.quote
        )
    ]
    if gone:
        first = gone[0]
        now = "does not exist any more"
        if first.line_end <= len(document.lines):
            now = f"now says {document.text(first.line_start, first.line_end)[:200]!r}"
        raise TraceError(
            f"the citation {first.id} no longer holds: {stored.name}, line {first.line_start}, {now}; ask again"
        )
    if document.id != stored.id:
        return f"{stored.name} has changed since, but every cited line still says the same"
    return None
