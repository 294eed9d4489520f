"""Proves a result again from its trace: no model is called, and every check is made once more."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

from pydantic import TypeAdapter, ValidationError

from spanwise.answering.decision import Basis, OnInvalid
from spanwise.answering.evidence_snapshot import Proof
from spanwise.answering.result import shows_evidence
from spanwise.answering.trace import draft_of
from spanwise.contract.result import Decision, Draft, Result, result_of
from spanwise.contract.trace_file import load_trace
from spanwise.contract.validation.problems import Problem
from spanwise.domain.trace import Step, Trace
from spanwise.errors import SpanwiseError, TraceError
from spanwise.export.formats import formatted
from spanwise.guard.drafts.check import check
from spanwise.guard.drafts.checked import Checked
from spanwise.replaying.documents import changed
from spanwise.replaying.metadata import check_told
from spanwise.replaying.replies import check_replies

_STEPS = (
    "settings",
    "parsing",
    "question",
    "dispatch",
    "retrieval",
    "generation",
    "validation",
    "route",
    "passes",
    "proof",
)
_REDRAFTED = "typed"
"""The mode whose drafts can be made again from the replies."""


def replay(trace_path: str | os.PathLike[str], *, documents: bool = True) -> Result:
    """Check the answer of a trace again and return its result.

    A typed draft is made again from the recorded replies of the model. The draft is held against the lines that the
    trace carries, and the decision is made again; every item, claim, citation and word has to come out the same. Then
    each cited document that is still at its place is read again: where it is gone, or its bytes or its reading changed,
    a warning `document_changed` says what that did to the cited lines.

    Args:
        trace_path: A file that `Result.save_trace` or `spanwise ask --trace` wrote.
        documents: Whether the documents are read again. Without, nothing but the trace is opened.

    Raises:
        TraceError: The file is not a trace or was edited, a check comes out otherwise, or a cited line of a document
            that is still there says something else now.
    """
    sections = load_trace(Path(trace_path))
    generation = _section(sections, "generation")
    route = _Route.of(_section(sections, "route"))
    result = result_of(sections.get("result"), route.decision, formatted)
    draft = draft_of(_section(generation, "draft"))
    proof = Proof.from_json(_section(sections, "proof").get("documents"))
    try:
        if _section(sections, "settings").get("mode") == _REDRAFTED and route.basis is not None:
            check_replies(generation, draft)
        checked = _recheck(result, draft, proof, route, _problems(_section(sections, "validation")))
        check_told(result, draft, checked, proof, sections, shown=shows_evidence(result.decision, checked))
        told = [change for one in proof.documents() if documents and (change := changed(one, result.citations))]
    except TraceError:
        raise
    except SpanwiseError as error:
        raise TraceError(f"the trace does not hold what it takes to check it: {error}") from error
    steps = tuple(Step(name, _section(sections, name)) for name in _STEPS if name in sections)
    return replace(
        result,
        trace=Trace(str(sections.get("id")), steps),
        warnings=(*result.warnings, *(["document_changed"] if told else [])),
        warning_details=(
            *result.warning_details,
            *({"code": "document_changed", "message": change} for change in told),
        ),
    )


@dataclass(frozen=True, slots=True)
class _Signals:
    """The basis of a decision as a trace holds it; its problems stand elsewhere."""

    strong: bool | None
    attempt: int
    on_invalid: OnInvalid
    drafted: bool
    readable: bool
    invalid: bool


@dataclass(frozen=True, slots=True)
class _Route:
    """The decision of a trace and what it was made from; that is None where nothing was looked for."""

    decision: Decision
    basis: _Signals | None

    @classmethod
    def of(cls, record: Mapping[str, object]) -> _Route:
        known = {name: value for name, value in record.items() if name in Decision.__dataclass_fields__}
        try:
            return TypeAdapter(cls).validate_python({"decision": known, "basis": record.get("basis")})
        except ValidationError as error:
            raise TraceError(f"the decision in the trace cannot be read: {error.errors()[0]['msg']}") from error


def _recheck(result: Result, draft: Draft, proof: Proof, route: _Route, problems: tuple[Problem, ...]) -> Checked:
    """Make every check again; return what the guard left of the draft.

    Raises:
        TraceError: One comes out otherwise.
    """
    if not all(proof.has(place) for place in draft.read):
        raise TraceError("the trace lacks lines that its answer was written from")
    checked = check(draft, proof)
    if checked.answer.model_dump() != result.answer.model_dump():
        raise TraceError("the typed answer of the trace does not come out of its own lines any more")
    decided = route.decision
    if route.basis is not None:
        signals = route.basis
        basis = Basis(
            signals.strong,
            problems if signals.invalid else (),
            signals.attempt,
            signals.on_invalid,
            signals.drafted,
            signals.readable,
        )
        decided = basis.decide(draft, checked.answer)
    if (decided.kind, decided.review) != (result.decision.kind, result.decision.review):
        raise TraceError(f"the answer of the trace is decided otherwise now: {decided.kind}, {decided.reason}")
    shipped, shown = decided.kind == "ship", shows_evidence(result.decision, checked)
    if result.text != (checked.text if shipped else decided.message):
        raise TraceError("the guard finds another answer in the same lines: the trace was made by another version")
    if result.citations != (checked.citations if shown else ()):
        raise TraceError("a citation of the trace does not come out of its own lines any more")
    if result.claims != (checked.claims if shown else ()):
        raise TraceError("a claim of the trace does not come out of its own lines any more")
    return checked


def _problems(validation: Mapping[str, object]) -> tuple[Problem, ...]:
    try:
        return TypeAdapter(tuple[Problem, ...]).validate_python(validation.get("problems"))
    except ValidationError as error:
        raise TraceError(f"the problems in the trace cannot be read: {error.errors()[0]['msg']}") from error


def _section(record: Mapping[str, object], name: str) -> Mapping[str, object]:
    section = record.get(name)
    if not isinstance(section, dict):
        raise TraceError(f"the trace lacks a part: {name}")
    return cast("Mapping[str, object]", section)
