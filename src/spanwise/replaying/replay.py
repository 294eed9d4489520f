"""Verification of a result from its trace: no model is called, and every check is repeated.

The steps: the draft is rebuilt from the recorded model replies (mode `typed`), checked by the guard against the lines
in the trace, and decided on again. The result's items, citations, claims, text and metadata must be equal to the
recorded ones. Finally, the cited documents are read again if they still exist.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import cast

from pydantic import TypeAdapter, ValidationError

from spanwise.answering.conflicting_answers import CONTRADICTORY_SOURCES, contradictory
from spanwise.answering.decision import Signals
from spanwise.answering.model_writers import merged
from spanwise.answering.outcome import CORRECTED_WORD, evidence_of, shows_evidence
from spanwise.answering.trace import Proof, draft_of
from spanwise.contract.answers import AnswerBase
from spanwise.contract.record import Step, Trace, load_trace
from spanwise.contract.result import Draft, Result, Source, decision_of, result_of
from spanwise.contract.validation.problems import Problem
from spanwise.domain.claim import Citation
from spanwise.domain.document import Document
from spanwise.errors import SpanwiseError, StructuredOutputError, TraceError, expect
from spanwise.export.formats import formatted
from spanwise.guard.drafts.check import check
from spanwise.guard.drafts.checked import Checked, cite
from spanwise.llm.structured import parse_structured
from spanwise.readers.members import file_of
from spanwise.readers.reading import read
from spanwise.store.port import StoredDocument
from spanwise.synthesis.generation.writing import better

_STEPS = (
    *("settings", "parsing", "question", "dispatch", "retrieval", "generation", "validation", "route", "passes"),
    "proof",
)
_REDRAFTED = "typed"
"""The mode whose drafts can be rebuilt from the recorded replies."""
_DIGITS = 4
_SHOWN = 200
"""Most characters of a line that a message quotes."""


def replay(trace_path: str | os.PathLike[str], *, documents: bool = True) -> Result:
    """Verify the answer of a trace and return its result.

    A typed draft is rebuilt from the recorded replies of the model. The draft is checked against the lines that the
    trace contains, and the decision is made again; every item, claim, citation and word must come out the same. Then
    each cited document that still exists is read again: if it is gone, or if its bytes or its reading have changed, a
    warning `document_changed` says how that affects the cited lines.

    Args:
        trace_path: A file written by `Result.save_trace` or `spanwise ask --trace`.
        documents: Whether to read the documents again. Otherwise, only the trace is opened.

    Raises:
        TraceError: The file is not a trace or was edited, a check has another outcome, or a cited line of an existing
            document has changed.
    """
    expect(trace_path, (str, os.PathLike), "the path of a trace", "it as text or a pathlib.Path", TraceError)
    sections = load_trace(Path(trace_path))
    generation = _section(sections, "generation")
    route = _section(sections, "route")
    result = result_of(sections.get("result"), decision_of(route), formatted)
    signals = _signals(route, _section(sections, "validation"))
    draft = draft_of(_section(generation, "draft"))
    proof = Proof.from_json(_section(sections, "proof").get("documents"))
    try:
        if _section(sections, "settings").get("mode") == _REDRAFTED and signals is not None:
            _check_replies(generation, draft)
        checked = _recheck(result, draft, proof, signals)
        _check_told(result, draft, checked, proof, sections, shown=shows_evidence(result.decision, checked))
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


def _signals(route: Mapping[str, object], validation: Mapping[str, object]) -> Signals | None:
    """The signals on which the decision was based; None if the question was unclear and nothing was searched."""
    try:
        signals = TypeAdapter(Signals | None).validate_python(route.get("basis"))
        problems = TypeAdapter(tuple[Problem, ...]).validate_python(validation.get("problems"))
    except ValidationError as error:
        raise TraceError(f"the decision in the trace cannot be read: {error.errors()[0]['msg']}") from error
    invalid = signals is not None and _of(route, "basis").get("invalid") is True
    return signals and replace(signals, problems=problems if invalid else ())


def _recheck(result: Result, draft: Draft, proof: Proof, signals: Signals | None) -> Checked:
    """Repeat every check; return the checked answer, or raise a `TraceError` if anything differs."""
    if not all(proof.has(place) for place in draft.read):
        raise TraceError("the trace lacks lines that its answer was written from")
    checked = check(draft, proof)
    if checked.answer.model_dump() != result.answer.model_dump():
        raise TraceError("the typed answer of the trace does not come out of its own lines any more")
    decided = result.decision if signals is None else signals.decide(draft, checked.answer)
    if (decided.kind, decided.review) != (result.decision.kind, result.decision.review):
        raise TraceError(f"the answer of the trace is decided otherwise now: {decided.kind}, {decided.reason}")
    if result.text != (checked.text if decided.kind == "ship" else decided.message):
        raise TraceError("the guard finds another answer in the same lines: the trace was made by another version")
    citations, claims = evidence_of(result.decision, checked)
    if result.citations != citations:
        raise TraceError("a citation of the trace does not come out of its own lines any more")
    if result.claims != claims:
        raise TraceError("a claim of the trace does not come out of its own lines any more")
    return checked


def _section(record: Mapping[str, object], name: str) -> Mapping[str, object]:
    section = record.get(name)
    if not isinstance(section, dict):
        raise TraceError(f"the trace lacks a part: {name}")
    return cast("Mapping[str, object]", section)


def _check_told(
    result: Result, draft: Draft, checked: Checked, proof: Proof, sections: Mapping[str, object], *, shown: bool
) -> None:
    """Compare confidence, completeness, warnings, computations and nearest evidence with the data they derive from."""
    for what in _differing(result, draft, checked, proof, sections, shown=shown):
        raise TraceError(f"{what} of the trace does not come out of the rest of it")


def _differing(
    result: Result, draft: Draft, checked: Checked, proof: Proof, sections: Mapping[str, object], *, shown: bool
) -> Iterator[str]:
    asked, validation = _of(sections, "question"), _of(sections, "validation")
    # A misspelled question is reported as written, but was searched for as corrected.
    corrected = any(detail.get("code") == CORRECTED_WORD for detail in result.warning_details)
    text = _of(sections, "settings").get("text") if corrected else asked.get("text")
    if (result.trace_id, result.question) != (sections.get("id"), text):
        yield "the question"
    found = checked.answer.answer_found and shown
    sure = (draft.relevance if checked.confidence is None else checked.confidence) if found else 0.0
    if result.confidence != round(sure, _DIGITS):
        yield "the confidence"
    complete = result.completeness
    told = {"strong": complete.strong, "why": complete.why}
    if complete.weak != checked.answer.context_completeness_weak or told != validation.get("completeness"):
        yield "the completeness"
    warned = [*checked.warning_details]
    if _plain(result.warning_details[: len(warned)]) != _plain(warned):
        yield "a warning"
    for detail in result.warning_details:
        if detail.get("code") == CONTRADICTORY_SOURCES and _plain(detail) != _plain(contradictory(checked)):
            yield "a warning"
    made = [one.to_dict() if one else None for one in draft.computations]
    if _plain(result.meta.get("computations")) != _plain(made):
        yield "a computation"
    if not _nearest_stands(result, proof):
        yield "the nearest evidence"


def _nearest_stands(result: Result, proof: Proof) -> bool:
    """True if the nearest evidence is equal to its lines, as far as the trace contains them."""
    known = {stored.name for stored in proof.documents()}
    for near in result.missing.nearest if result.missing is not None else ():
        place = Source(near.document, near.line_start, near.line_end)
        if near.document in known and proof.has(place) and cite(place, proof, id=near.id) != near:
            return False
    return True


def _of(sections: Mapping[str, object], name: str) -> Mapping[str, object]:
    section = sections.get(name)
    return section if isinstance(section, Mapping) else {}


def _plain(value: object) -> object:
    """The value after a round trip through JSON."""
    return json.loads(json.dumps(value))


@dataclass(frozen=True, slots=True)
class _Recorded:
    """The fields of a recorded model call that are needed."""

    document: str
    reply: str
    error: str | None


def _check_replies(generation: Mapping[str, object], draft: Draft) -> None:
    """Check that the draft of a typed answer follows from the recorded replies."""
    answers: dict[str, AnswerBase] = {}
    for call in _of_pass(generation):
        answer = _said(call, type(draft.answer))
        known = answers.get(call.document)
        answers[call.document] = answer if known is None or better(answer, known) else known
    items, sources = merged({name: answer for name, answer in answers.items() if answer.items})
    same = [item.model_dump() for item in items] == [item.model_dump() for item in draft.answer.items]
    if not same or tuple(sources) != draft.sources:
        raise TraceError("the draft in the trace is not what the recorded replies of the model say")


def _of_pass(generation: Mapping[str, object]) -> list[_Recorded]:
    """The calls of the pass that was chosen, without failed ones."""
    calls, kept = generation.get("calls"), generation.get("pass")
    if not isinstance(calls, list):
        raise TraceError("the trace does not say which calls were made")
    own = [call for call in calls if isinstance(call, dict) and call.get("pass") == kept]
    try:
        return [call for call in _adapter().validate_python(own) if call.error is None]
    except ValidationError as error:
        raise TraceError(f"the calls in the trace cannot be read: {error.errors()[0]['msg']}") from error


def _said(call: _Recorded, answer_class: type[AnswerBase]) -> AnswerBase:
    try:
        return parse_structured(call.reply, answer_class)
    except StructuredOutputError as error:
        raise TraceError(f"a reply in the trace about {call.document} holds no {answer_class.__name__}") from error


@lru_cache(maxsize=1)
def _adapter() -> TypeAdapter[Sequence[_Recorded]]:
    return TypeAdapter(Sequence[_Recorded])


def changed(stored: StoredDocument, citations: Sequence[Citation]) -> str | None:
    """A message about how a document has changed since it was cited; None if it has not, or never was a file."""
    if stored.source is None:
        return None
    if not _there(stored.source.path):
        return f"{stored.name} is not at its place any more, so only the lines in the trace were checked"
    try:
        document = _read(stored)
    except (SpanwiseError, ImportError) as error:
        return f"{stored.name} can no longer be read, so only the lines in the trace were checked: {error}"
    own = [citation for citation in citations if citation.document == stored.name]
    gone = next((citation for citation in own if _text(document, citation) != citation.quote), None)
    if gone is not None:
        raise TraceError(_told(gone, document, stored))
    if document.id != stored.id:
        return f"{stored.name} has changed since, but every cited line still says the same"
    if len(document.lines) != stored.lines:
        return (
            f"{stored.name} is the same file, but is read otherwise now ({stored.lines} lines then, "
            f"{len(document.lines)} now); every cited line still says the same"
        )
    return None


def _read(stored: StoredDocument) -> Document:
    """The document, read again with its original reader."""
    path = stored.source.path if stored.source is not None else stored.name
    document = read(path, name=stored.name)
    if document.format != stored.format:
        return read(path, name=stored.name, reader=stored.format)
    return document


def _there(path: str) -> bool:
    try:
        return os.path.exists(file_of(path))
    except ValueError:  # a path with a null byte
        return False


def _text(document: Document, citation: Citation) -> str | None:
    if not 1 <= citation.line_start <= citation.line_end <= len(document.lines):
        return None
    return document.text(citation.line_start, citation.line_end)


def _told(gone: Citation, document: Document, stored: StoredDocument) -> str:
    first = gone.line_start
    now = "does not exist any more"
    if 1 <= first <= len(document.lines):
        now = f"now says {document.line(first).text[:_SHOWN]!r}"
    quote = gone.quote.split("\n")
    texts = [line.text for line in document.lines]
    starts = (at for at, text in enumerate(texts) if text == quote[0])
    moved = next((at + 1 for at in starts if texts[at : at + len(quote)] == quote), None)
    found = f"; the same words stand on line {moved} now" if moved is not None else ""
    why = "the file has changed" if document.id != stored.id else "the same file is read otherwise now"
    return f"the citation {gone.id} no longer holds: {why}, and {stored.name}, line {first}, {now}{found}; ask again"
