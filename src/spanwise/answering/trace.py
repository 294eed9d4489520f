"""The trace: inputs and outputs of every step as records, with the cited lines, so that it can be checked alone.

A trace is a list of steps (settings, parsing, question, dispatch, retrieval, generation, validation, route, passes,
proof), and `spanwise.replaying` repeats its checks without the documents. `Proof` is the excerpt of the documents.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from functools import lru_cache
from typing import TypeAlias

from pydantic import TypeAdapter, ValidationError
from pydantic_core import to_jsonable_python

from spanwise.answering.decision import LAST_ATTEMPT
from spanwise.answering.loop import Pass, Run, Writer, wants_stronger
from spanwise.answering.part_answers import answered_by_parts
from spanwise.answering.request import Request
from spanwise.contract.record import Step, Trace
from spanwise.contract.registry import answer_classes
from spanwise.contract.result import Decision, Draft, Source
from spanwise.contract.validation.cited import NEAR_BEFORE, NEAR_BEHIND
from spanwise.domain.document import Line, Page
from spanwise.domain.passage import Passage
from spanwise.domain.question import Question
from spanwise.errors import DocumentNotFoundError, TraceError
from spanwise.retrieval.scope import scope_of, wants_overlap
from spanwise.store.port import Lines, Store, StoredDocument

_Range: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Kept:
    """The excerpt of one document: lines in order, their pages, and the passages that contain the cited lines."""

    stored: StoredDocument
    pages: tuple[Page, ...]
    lines: tuple[Line, ...]
    passages: tuple[Passage, ...]


class Proof:
    """An excerpt of some documents that proves an answer, as a `spanwise.store.port.Lines`."""

    def __init__(self, kept: Iterable[Kept]) -> None:
        """Index the excerpts by document name."""
        self._kept = {one.stored.name: one for one in kept}

    @classmethod
    def of(cls, draft: Draft, store: Lines) -> Proof:
        """The cited lines of a draft with the lines around that may give scale and scope; else the nearest evidence."""
        ranges: dict[str, list[tuple[int, int]]] = {}
        touched: dict[str, list[tuple[int, int]]] = {}
        proving = (*draft.cited, *draft.read)
        before, behind = (NEAR_BEFORE, NEAR_BEHIND) if proving else (0, 0)
        for place in proving or draft.nearest:
            touched.setdefault(place.document, []).append((place.line_start, place.line_end))
            first, last = max(1, place.line_start - before), place.line_end + behind
            ranges.setdefault(place.document, []).append((first, last))
        return cls(_kept(name, ranges[name], touched[name], store) for name in ranges)

    def documents(self) -> tuple[StoredDocument, ...]:
        """The documents, in the order in which they were cited."""
        return tuple(one.stored for one in self._kept.values())

    def stored(self, name: str) -> StoredDocument:
        """Metadata of one document."""
        return self._of(name).stored

    def lines(self, name: str, first: int, last: int) -> tuple[Line, ...]:
        """The lines out of `first..last` that are in the excerpt."""
        return tuple(line for line in self._of(name).lines if first <= line.number <= last)

    def pages(self, name: str) -> tuple[Page, ...]:
        """The pages of the lines in the excerpt."""
        return self._of(name).pages

    def passages(self, name: str, first: int = 1, last: int | None = None) -> tuple[Passage, ...]:
        """The passages in the excerpt that overlap the lines `first..last`."""
        return tuple(
            passage
            for passage in self._of(name).passages
            if passage.line_end >= first and (last is None or passage.line_start <= last)
        )

    def has(self, place: Source) -> bool:
        """True if every line of a place is in the excerpt."""
        found = self.lines(place.document, place.line_start, place.line_end)
        return bool(found) and len(found) == place.line_end - place.line_start + 1

    def to_json(self) -> object:
        """The excerpts as JSON values, as a trace stores them."""
        return _kept_passages().dump_python(tuple(self._kept.values()), mode="json")

    @classmethod
    def from_json(cls, record: object) -> Proof:
        """The proof stored in a trace; a `TraceError` if it is not valid."""
        try:
            kept = _kept_passages().validate_python(record)
        except ValidationError as error:
            raise TraceError(f"the proof in the trace cannot be read: {error.errors()[0]['msg']}") from error
        for one in kept:
            numbers = [line.number for line in one.lines]
            if numbers != sorted(set(numbers)):
                raise TraceError(f"the proof in the trace has lines of {one.stored.name} twice or in disorder")
        return cls(kept)

    def _of(self, name: str) -> Kept:
        if name not in self._kept:
            raise DocumentNotFoundError(f"the proof has no document {name!r}", document=name)
        return self._kept[name]


def _kept(name: str, near: Sequence[_Range], touched: Sequence[_Range], store: Lines) -> Kept:
    lines = tuple(line for first, last in _joined(near) for line in store.lines(name, first, last))
    passages = {one.id: one for first, last in _joined(touched) for one in store.passages(name, first, last)}
    pages = {line.page for line in lines}
    return Kept(
        store.stored(name),
        tuple(page for page in store.pages(name) if page.number in pages),
        lines,
        tuple(sorted(passages.values(), key=lambda passage: passage.line_start)),
    )


def _joined(ranges: Sequence[_Range]) -> list[_Range]:
    """The same lines as sorted ranges without overlap, since each fetch costs more than its lines."""
    joined: list[_Range] = []
    for first, last in sorted(ranges):
        if joined and first <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(last, joined[-1][1]))
        else:
            joined.append((first, last))
    return joined


@lru_cache(maxsize=1)
def _kept_passages() -> TypeAdapter[tuple[Kept, ...]]:
    return TypeAdapter(tuple[Kept, ...])


def trace_of(request: Request, question: Question, run: Run, decision: Decision, store: Store, writer: Writer) -> Trace:
    """The trace of a run; its id is a hash of everything but the proof, so the same run has the same id."""
    best = run.best
    proof = Proof.of(best.drafted.draft, store)
    names = dict.fromkeys(hit.passage.document for hit in best.drafted.hits)
    steps = (
        Step("settings", {**asdict(request), "mode": writer.name, "model": writer.model}),
        Step("parsing", {"documents": [_document(store.stored(name)) for name in names]}),
        Step("question", _question(question)),
        Step("dispatch", asdict(dispatched(question, request, tuple(names), store, writer))),
        Step("retrieval", _retrieval(best)),
        Step(
            "generation",
            {
                "pass": best.number,
                "draft": draft_record(best.drafted.draft),
                "meta": dict(best.drafted.meta),
                "calls": [{"pass": one.number, **call} for one in run.passes for call in one.drafted.calls],
            },
        ),
        Step(
            "validation",
            {
                "problems": [asdict(problem) for problem in best.drafted.problems],
                "warnings": [dict(detail) for detail in best.checked.warning_details],
                "kept": len(best.checked.answer.items),
                "completeness": {"strong": best.continuation.strong, "why": best.continuation.why},
                "overlap": {
                    "document": best.continuation.document,
                    "page": best.continuation.page,
                    "lines": [[line.number, line.text] for line in best.continuation.lines],
                },
            },
        ),
        Step(
            "route",
            {
                **asdict(decision),
                "exhausted": run.exhausted,
                # The signals of the decision; the problems are in `validation`.
                "basis": None
                if question.clarification is not None
                else {
                    **_picked(run.signals, "strong", "attempt", "on_invalid", "drafted", "readable"),
                    "invalid": bool(run.signals.problems),
                },
            },
        ),
        Step("passes", {"records": _passes(run.passes)}),
    )
    # The proof follows from the documents, whose digests are in `parsing`, and is by far the longest part.
    content = json.dumps([[step.name, step.record] for step in steps], sort_keys=True, ensure_ascii=False)
    id_ = hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return Trace(id_, (*steps, Step("proof", {"documents": proof.to_json()})))


def draft_record(draft: Draft) -> dict[str, object]:
    """A draft as JSON values; `draft_of` restores it."""
    return {
        "answer_schema": type(draft.answer).__name__,
        **_picked(draft, *Draft.__dataclass_fields__),
        "computations": [made.to_dict() if made else None for made in draft.computations],
    }


def _picked(record: object, *names: str) -> dict[str, object]:
    """Some fields of a record as JSON values."""
    return {name: to_jsonable_python(getattr(record, name), fallback=dict) for name in names}


def draft_of(record: Mapping[str, object]) -> Draft:
    """The draft from a record of `draft_record`; a `TraceError` if it is not valid."""
    name = record.get("answer_schema")
    answer_class = next((one for one in answer_classes().values() if one.__name__ == name), None)
    if answer_class is None:
        raise TraceError(f"the trace has an answer of the class {name}, which is not registered: register it first")
    try:
        given = {field: record[field] for field in Draft.__dataclass_fields__ if field in record or field not in _LATER}
        given["answer"] = answer_class.model_validate(given["answer"])
        draft = _adapter().validate_python(given)
    except (KeyError, ValidationError) as error:
        raise TraceError(f"the draft in the trace cannot be read: {error}") from error
    if [len(names) for names in draft.sources] != [len(item.spans) for item in draft.answer.items]:
        raise TraceError("the draft in the trace cannot be read: its spans and their documents do not match")
    return draft


_LATER = frozenset(["policy", "path", "possible"])
"""Fields that may be missing in a trace of an earlier version."""


@lru_cache(maxsize=1)
def _adapter() -> TypeAdapter[Draft]:
    return TypeAdapter(Draft)


def _document(stored: StoredDocument) -> dict[str, object]:
    # Written by hand because `asdict` takes ten times as long, and a question has close to twenty documents.
    known: dict[str, object] = {field.name: getattr(stored, field.name) for field in fields(stored)}
    return {**known, "source": asdict(stored.source) if stored.source is not None else None}


_ASKED = (
    *("text", "intent", "profile", "entities", "constraints", "times", "answer_shape", "scope", "pages", "limits"),
    *("parts", "pattern", "clarification", "retrieval_brief", "generation_brief", "notes"),
)


def _question(question: Question) -> dict[str, object]:
    return {
        **_picked(question, *_ASKED),
        "keywords": [_picked(keyword, "text", "weight", "source") for keyword in question.keywords],
        "answer_type": question.demanded or question.answer_type,
    }


def _retrieval(best: Pass) -> dict[str, object]:
    asked = best.question
    hits = (
        {
            **_picked(hit.passage, "id", "document", "line_start", "line_end", "page", "section"),
            "score": round(hit.score, 6),
            "factors": dict(hit.factors),
        }
        for hit in best.drafted.hits
    )
    return {
        "query": asked.retrieval_brief.query,
        "keywords": [keyword.text for keyword in asked.keywords],
        "hits": list(hits),
    }


def _passes(passes: Sequence[Pass]) -> list[dict[str, object]]:
    before = [0.0, *(one.confidence for one in passes)]
    return [one.to_dict(confidence) for one, confidence in zip(passes, before, strict=False)]


@dataclass(frozen=True, slots=True)
class Activation:
    """Whether an optional part of the pipeline is used for a question, and why."""

    on: bool
    why: str


@dataclass(frozen=True, slots=True)
class Dispatch:
    """The decisions on how to process one question; they are deterministic for the same question and documents."""

    mode: str
    strategy: str | None
    """How passages are sent to the model; None if the mode has no such choice."""
    model: str | None
    most_passes: int
    activations: Mapping[str, Activation]
    chosen: tuple[str, ...]
    """Names of the options that the caller set: documents, scope, profile, type, shape, language."""


def dispatched(question: Question, request: Request, names: Sequence[str], store: Store, writer: Writer) -> Dispatch:
    """The decisions on one question, computed by the same rules that the pipeline follows."""
    paged = any(store.stored(name).paged for name in names)
    return Dispatch(
        mode=writer.name,
        strategy=writer.strategy,
        model=writer.model,
        most_passes=LAST_ATTEMPT,
        activations={
            "page_numbers": Activation(paged, "a document has pages" if paged else "no document has pages"),
            "outline_navigation": _outline(question, names, store),
            "overlap": _overlap(question, paged=paged),
            "parts": _parts(question, writer),
            "stronger_model": _stronger(question, request),
            "rephrase": Activation(
                writer.model is not None,
                "a model may see what words do not" if writer.model else "without a model there is no other wording",
            ),
        },
        chosen=tuple(
            name
            for name in ("documents", "scope", "profile", "type", "shape", "language")
            if getattr(request, name) is not None
        ),
    )


def _outline(question: Question, names: Sequence[str], store: Store) -> Activation:
    if question.scope is None:
        return Activation(False, "the question names no section")
    if not any(store.sections(name) for name in names):
        return Activation(False, "no document has an outline")
    return Activation(True, f"the question names the section {question.scope!r}")


def _overlap(question: Question, *, paged: bool) -> Activation:
    if not wants_overlap(question, scope_of(question)):
        return Activation(False, f"the answer is {question.answer_shape}, which ends where it is read")
    why = "lists and tables may go on over the page" if paged else "no document has pages"
    return Activation(paged, why)


def _stronger(question: Question, request: Request) -> Activation:
    why = wants_stronger(question)
    if request.stronger is None:
        return Activation(False, "no stronger model is named")
    return Activation(why is not None, why or "one value is asked for; a second pass would be written by it")


def _parts(question: Question, writer: Writer) -> Activation:
    if not answered_by_parts(question):
        return Activation(False, f"the question is {question.pattern}")
    if writer.model is not None:
        return Activation(False, "the model is told the parts and answers them together")
    return Activation(True, f"{len(question.parts)} parts are answered one by one")
