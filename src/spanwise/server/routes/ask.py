"""Questions over HTTP: the whole answer as JSON, or what happens on the way as events."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

from spanwise.answering.events import Answer, CallAnswered, CheckedText, CitedText, EngineEvent
from spanwise.contract.record import CitationRecord, ResultRecord
from spanwise.server.examples import RESULT
from spanwise.server.models import Ask, CallEvent, TextEvent
from spanwise.server.problems import problem_of
from spanwise.server.sse import MEDIA_TYPE, event, stream
from spanwise.server.state import LibraryDep, State, StateDep
from spanwise.server.wire import json_text
from spanwise.serving.cancellation import Stop
from spanwise.serving.corpus_library import Library

router = APIRouter(prefix="/v1/corpora/{corpus}", tags=["questions"])

_ANSWERS: dict[int | str, dict[str, Any]] = {
    200: {
        "description": (
            "The result; or, where the header Accept asks for text/event-stream, the events `call`, `text`, `citation` "
            "and, last, `result` or `error`"
        ),
        "content": {"application/json": {"example": RESULT}, MEDIA_TYPE: {"schema": {"type": "string"}}},
    }
}


@router.post("/ask", response_model=ResultRecord, responses=_ANSWERS)
async def ask(library: LibraryDep, asked: Ask, request: Request, state: StateDep) -> Response:
    """Answer a question. Who goes away before the end stops it; the answer is kept under its `trace_id`."""
    if MEDIA_TYPE in request.headers.get("accept", ""):
        return stream(_told(library, asked, request, state), state.settings)

    def answered(stop: Stop) -> str:
        result = library.ask(
            asked.question,
            documents=asked.documents,
            type=asked.type,
            shape=asked.shape,
            scope=None if asked.scope is None else asked.scope.read(),
            policy=asked.policy,
            stop=stop,
        )
        return json_text(result.to_record())

    return Response(await state.work.run(request, answered), media_type="application/json")


async def _told(library: Library, asked: Ask, request: Request, state: State) -> AsyncIterator[dict[str, str]]:
    def happening(stop: Stop) -> Iterator[EngineEvent]:
        return library.stream(
            asked.question,
            documents=asked.documents,
            type=asked.type,
            shape=asked.shape,
            scope=None if asked.scope is None else asked.scope.read(),
            policy=asked.policy,
            stop=stop,
        )

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
            return event("citation", CitationRecord.model_validate(citation))
        case Answer(result):
            return event("result", result.to_record())
