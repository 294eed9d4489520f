"""Routes for questions, verification and extraction; an answer is one JSON object, or a stream of events."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import aclosing
from typing import Annotated, Any, cast, get_args

from fastapi import APIRouter, Query, Request
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, RootModel

from spanwise.answering.ask import Answer, CallAnswered, CheckedText, CitedText, EngineEvent
from spanwise.contract.record import ResultRecord
from spanwise.domain.claim import Citation, Policy
from spanwise.extraction.fields import Field
from spanwise.guard.conflicts.values import Side
from spanwise.guard.record import VerificationReport
from spanwise.questions.profiles import SHIPPED
from spanwise.server.http_problems import problem_of
from spanwise.server.models import (
    EXAMPLES,
    MOST_DOCUMENTS,
    Ask,
    CallEvent,
    Choices,
    ConflictInfo,
    ConflictList,
    ConflictSide,
    DocumentId,
    Extract,
    JobInfo,
    PlanInfo,
    Suggestions,
    TextEvent,
    Verify,
)
from spanwise.server.routes.jobs import told
from spanwise.server.running_state import LibraryDep, State, StateDep
from spanwise.server.shared import MEDIA_TYPE, event, json_text, stream
from spanwise.serving.cancellation import Stop
from spanwise.serving.corpus_library import AskOptions, Library
from spanwise.serving.entries import id_of
from spanwise.text.languages.data import languages

router = APIRouter(prefix="/v1/corpora/{corpus}", tags=["questions"])

_ANSWERS: dict[int | str, dict[str, Any]] = {
    200: {
        "description": (
            "The result; or, where the header Accept asks for text/event-stream, the events `call`, `text`, `citation` "
            "and, last, `result` or `error`"
        ),
        "content": {"application/json": {"example": EXAMPLES["result"]}, MEDIA_TYPE: {"schema": {"type": "string"}}},
    }
}


@router.post("/ask", response_model=ResultRecord, responses=_ANSWERS)
async def ask(library: LibraryDep, asked: Ask, request: Request, state: StateDep) -> Response:
    """Answer a question; the answer is kept under its `trace_id`. It is cancelled if the client disconnects."""
    if MEDIA_TYPE in request.headers.get("accept", ""):
        return stream(_told(library, asked, request, state), state.settings)

    def answered(stop: Stop) -> str:
        return json_text(library.ask(asked.question, **_options(asked, stop)).to_record())

    return Response(await state.work.run(request, answered), media_type="application/json")


@router.post("/plan")
async def plan(library: LibraryDep, asked: Ask, request: Request, state: StateDep) -> PlanInfo:
    """An upper bound of what the same question to `ask` will cost; no model is called, and nothing is kept."""

    def planned(stop: Stop) -> PlanInfo:
        found = library.plan(asked.question, **_options(asked, stop))
        if found is None:
            return PlanInfo()
        return PlanInfo.from_source(found)

    return await state.work.run(request, planned)


@router.get("/choices")
def choices(library: LibraryDep) -> Choices:
    """What a question may choose: models that the operator has named, modes, policies and kinds of documents."""
    engines = library.engines
    return Choices(
        model=engines.model,
        models=list(engines.models),
        mode=engines.mode,
        modes=list(engines.modes()),
        policies=list(get_args(Policy)),
        profile=engines.profile if engines.profile in SHIPPED else None,
        profiles=list(SHIPPED),
        languages=sorted(languages()),
    )


@router.get("/suggestions")
async def suggestions(library: LibraryDep, request: Request, state: StateDep) -> Suggestions:
    """Questions that the documents suggest by what they define, list and date; each of them is answered."""
    return Suggestions(questions=await state.work.run(request, lambda stop: library.suggestions(stop=stop)))


def _options(asked: Ask, stop: Stop) -> AskOptions:
    scope = None if asked.scope is None else asked.scope.read()
    return cast(AskOptions, {**asked.model_dump(exclude={"question"}), "scope": scope, "stop": stop})


async def _told(library: Library, asked: Ask, request: Request, state: State) -> AsyncIterator[dict[str, str]]:
    def happening(stop: Stop) -> Iterator[EngineEvent]:
        return library.stream(asked.question, **_options(asked, stop))

    try:
        async with aclosing(state.work.events(happening)) as events:
            async for one in events:
                yield _event(one)
    except Exception as error:  # noqa: BLE001  # the stream has begun: the error is its last event
        yield event("error", problem_of(error, request.url.path)[0])


def _event(happened: EngineEvent) -> dict[str, str]:
    match happened:
        case CallAnswered(purpose, done, total):
            return event("call", CallEvent(purpose=purpose, done=done, total=total))
        case CheckedText(text):
            return event("text", TextEvent(text=text))
        case CitedText(citation):
            return event("citation", RootModel[Citation](citation))
        case Answer(result):
            return event("result", result.to_record())


checking = APIRouter(prefix="/v1/corpora/{corpus}")


@checking.post("/verify", response_model=VerificationReport, tags=["checking"])
async def verify(library: LibraryDep, given: Verify, request: Request, state: StateDep) -> Response:
    """Check an answer, claim by claim, against passages and documents; all documents where neither is given."""
    passages = None if given.passages is None else [_passage(one) for one in given.passages]

    def checked(stop: Stop) -> bytes:
        found = library.verify(
            given.text, passages=passages, documents=given.documents, question=given.question, stop=stop
        )
        return json_text(VerificationReport.model_validate(found.to_dict())).encode()

    # Serialised in the thread, too, as the report of a long text is long.
    return Response(await state.work.run(request, checked), media_type="application/json")


@checking.get("/conflicts", response_model=ConflictList, tags=["checking"])
async def conflicts(
    library: LibraryDep,
    request: Request,
    state: StateDep,
    document: Annotated[
        list[DocumentId] | None,
        Query(max_length=MOST_DOCUMENTS, description="Ids of the documents; all where none is named."),
    ] = None,
) -> Response:
    """Places where documents say different things of the same, without a model."""

    def found(stop: Stop) -> bytes:
        conflicts = library.conflicts(documents=document or None, stop=stop)
        told = [ConflictInfo.from_source(each, one=_side(each.one), other=_side(each.other)) for each in conflicts]
        return json_text(ConflictList(conflicts=told)).encode()

    return Response(await state.work.run(request, found), media_type="application/json")


@checking.post("/extract", status_code=202, response_model=JobInfo, tags=["extraction"])
def extract(library: LibraryDep, wanted: Extract, request: Request) -> Response:
    """Fill fields from every document, without a model; the rows are in the job when it is done."""
    names = _unique([one.name for one in wanted.fields])
    fields = [Field(name, one.question, one.type, one.shape) for name, one in zip(names, wanted.fields, strict=True)]
    job = library.extract_later(fields, documents=wanted.documents)
    place = str(request.url_for("job", corpus=library.name, id=job.id).path)
    return JSONResponse(told(job, place).model_dump(mode="json"), 202, {"Location": place})


def _passage(given: str | BaseModel) -> object:
    return given if isinstance(given, str) else given.model_dump(exclude_none=True)


def _unique(names: Sequence[str]) -> list[str]:
    """The names, with a number added to repeated ones."""
    found: dict[str, None] = {}
    for name in names:
        number, chosen = 2, name
        while chosen in found:
            chosen, number = f"{name}_{number}", number + 1
        found[chosen] = None
    return list(found)


def _side(side: Side) -> ConflictSide:
    return ConflictSide.from_source(side, document_id=id_of(side.document))
