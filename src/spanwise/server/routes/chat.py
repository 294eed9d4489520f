"""The paths of OpenAI's API that existing clients call: chat completions, and the corpora as models."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator
from contextlib import aclosing
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

from spanwise.answering.events import Answer, EngineEvent
from spanwise.errors import WorkStoppedError
from spanwise.server.completions import (
    MODEL,
    Asking,
    ChatRequest,
    Completion,
    ModelCard,
    ModelList,
    chunks,
    completion,
    question_of,
)
from spanwise.server.problems import ProblemError, problem_of
from spanwise.server.shared import MEDIA_TYPE, json_text, stream
from spanwise.server.state import State, StateDep, open_to
from spanwise.serving.cancellation import Stop
from spanwise.serving.corpus_library import Library

router = APIRouter(prefix="/v1", tags=["openai"])

FIRST_SECONDS = 2.0
"""How long a stream waits for the answer before it begins: an error until then has a status of its own."""
_DONE = "[DONE]"
_ANSWERS: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The answer; with `stream` the events of OpenAI's stream",
        "content": {MEDIA_TYPE: {"schema": {"type": "string"}}},
    }
}


@router.post("/chat/completions", response_model=Completion, responses=_ANSWERS)
async def chat_completions(asked: ChatRequest, request: Request, state: StateDep) -> Response:
    """Answer the last message of the user from the documents of a corpus, with citations as annotations.

    Earlier turns and instructions are taken and not used. Parameters that steer a model's sampling have no effect;
    those that would change what comes back (`n`, `tools`, `response_format`, ...) are refused.
    """
    library = _library(request, asked.model)
    question, where, created = question_of(asked), asked.spanwise or Asking(), int(time.time())

    def happening(stop: Stop) -> Iterator[EngineEvent]:
        return library.stream(
            question, documents=where.documents, type=where.type, shape=where.shape, policy=where.policy, stop=stop
        )

    if asked.stream:
        with_usage = bool(asked.stream_options and asked.stream_options.include_usage)

        def told(answer: Answer) -> Iterator[dict[str, object]]:
            return chunks(answer.result, library.name, asked.model, created, with_usage=with_usage)

        return stream(await _begun(state, request, happening, told), state.settings)

    def answered(stop: Stop) -> str:
        result = library.ask(
            question, documents=where.documents, type=where.type, shape=where.shape, policy=where.policy, stop=stop
        )
        return json_text(completion(result, library.name, asked.model, created))

    return Response(await state.work.run(request, answered), media_type="application/json")


@router.get("/models")
def models(request: Request) -> ModelList:
    """The corpora that the token opens, as models."""
    libraries = open_to(request)
    names = [MODEL] if libraries else []
    return ModelList(data=[ModelCard(id=name) for name in [*names, *(f"{MODEL}/{one.name}" for one in libraries)]])


@router.get("/models/{model:path}")
def model(model: str, request: Request) -> ModelCard:
    """One corpus as a model."""
    _library(request, model)
    return ModelCard(id=model)


def _library(request: Request, model: str) -> Library:
    """The corpus behind a model's name."""
    libraries = open_to(request)
    named = dict(zip([MODEL], libraries, strict=False)) | {f"{MODEL}/{one.name}": one for one in libraries}
    if model not in named:
        raise ProblemError(
            404, "model_not_found", f"There is no model {model[:100]!r}: GET /v1/models lists those that there are."
        )
    return named[model]


async def _begun(
    state: State,
    request: Request,
    happening: Callable[[Stop], Iterator[EngineEvent]],
    told: Callable[[Answer], Iterator[dict[str, object]]],
) -> AsyncIterator[dict[str, str]]:
    """The events of a stream, once there is an answer or it has taken long."""
    answer = asyncio.ensure_future(_answer(state.work.events(happening)))
    await asyncio.wait((answer,), timeout=FIRST_SECONDS)
    if answer.done():
        answer.result()  # an error before anything was sent has a status
    return _told(answer, request, told)


async def _answer(events: AsyncGenerator[EngineEvent, None]) -> Answer:
    async with aclosing(events):
        async for happened in events:
            if isinstance(happened, Answer):
                return happened
    raise WorkStoppedError("The answer did not come to its end: ask again.")


async def _told(
    answer: asyncio.Future[Answer], request: Request, told: Callable[[Answer], Iterator[dict[str, object]]]
) -> AsyncIterator[dict[str, str]]:
    try:
        for chunk in told(await answer):  # who stops listening cancels what is awaited
            yield {"data": json.dumps(chunk)}
        yield {"data": _DONE}
    except Exception as error:  # noqa: BLE001  # the stream has begun: the error is its last event
        yield {"data": json_text(problem_of(error, request.url.path)[0], exclude_none=True)}
