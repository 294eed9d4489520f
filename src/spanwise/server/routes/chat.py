"""The paths of OpenAI's API that existing clients call: chat completions, and corpora as models.

Requests and responses have the form that these clients expect.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator, Mapping
from contextlib import aclosing
from typing import TYPE_CHECKING, Annotated, Any, Literal

from fastapi import APIRouter, Request
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field

from spanwise.answering.ask import Answer, EngineEvent
from spanwise.contract.registry import SHAPES
from spanwise.domain.claim import Policy
from spanwise.errors import WorkStoppedError
from spanwise.export.plain import lead, pieces, unlinked_result
from spanwise.export.provider_formats import openai_chat
from spanwise.server.http_problems import ProblemError, problem_of
from spanwise.server.models import MOST_DOCUMENTS, DocumentId, Label, Sent, Told
from spanwise.server.running_state import State, StateDep, open_to
from spanwise.server.shared import MEDIA_TYPE, json_text, stream
from spanwise.serving.cancellation import Stop
from spanwise.serving.corpus_library import Library

if TYPE_CHECKING:
    from spanwise.contract.result import Result


MODEL = "spanwise"
"""The model name of the default corpus; others are `spanwise/NAME`."""
MOST_MESSAGES = 2_000
MOST_PARTS = 1_000
_MOST_TOOLS = 1_000


class Part(BaseModel):
    """A part of a message."""

    model_config = ConfigDict(extra="ignore")

    type: str
    text: str | None = None


class Message(BaseModel):
    """A turn of the conversation."""

    model_config = ConfigDict(extra="ignore")

    role: Literal["developer", "system", "user", "assistant", "tool", "function"]
    content: str | Annotated[list[Part], Field(max_length=MOST_PARTS, fail_fast=True)] | None = None


class StreamOptions(BaseModel):
    """How a stream ends."""

    model_config = ConfigDict(extra="ignore")

    include_usage: bool | None = None


class ResponseFormat(BaseModel):
    """The form of the answer; only `text` is supported."""

    model_config = ConfigDict(extra="ignore")

    type: str


class Asking(Sent):
    """Options that OpenAI's format lacks: where to look, and what kind of answer is wanted."""

    documents: list[DocumentId] | None = Field(default=None, min_length=1, max_length=MOST_DOCUMENTS, fail_fast=True)
    type: Label | None = None
    shape: Literal[SHAPES] | None = None  # type: ignore[valid-type]
    policy: Policy | None = None


class ChatRequest(BaseModel):
    """A request for a completion. Parameters that steer a model's sampling are accepted and have no effect.

    Lists are bounded, and validated only up to their first fault.
    """

    model_config = ConfigDict(
        extra="ignore",
        json_schema_extra={
            "examples": [
                {"model": MODEL, "messages": [{"role": "user", "content": "What does Rent mean?"}], "stream": False}
            ]
        },
    )

    model: str = Field(max_length=500, description="`spanwise`, or `spanwise/NAME` for the corpus of that name.")
    messages: list[Message] = Field(
        fail_fast=True,
        min_length=1,
        max_length=MOST_MESSAGES,
        description="The last message of the user is the question.",
    )
    stream: bool | None = None
    stream_options: StreamOptions | None = None
    n: int | None = None
    tools: Annotated[list[object], Field(max_length=_MOST_TOOLS)] | None = None
    tool_choice: object = None
    functions: Annotated[list[object], Field(max_length=_MOST_TOOLS)] | None = None
    function_call: object = None
    response_format: ResponseFormat | None = None
    logprobs: bool | None = None
    modalities: Annotated[list[str], Field(max_length=10, fail_fast=True)] | None = None
    web_search_options: object = None
    spanwise: Asking | None = None


class Usage(Told):
    """Tokens that a model read and wrote for the answer; none where no model was called."""

    prompt_tokens: int
    completion_tokens: int
    total_tokens: int


class UrlCitation(Told):
    """The part of the answer that a document supports; the URL is the document's, with the page if it has pages."""

    start_index: int
    end_index: int
    title: str
    url: str


class Annotation(Told):
    """A citation."""

    type: Literal["url_citation"]
    url_citation: UrlCitation


class About(Told):
    """Facts about the answer that OpenAI's format lacks; the result is `/v1/corpora/{corpus}/results/{trace_id}`."""

    corpus: str
    trace_id: str
    decision: str
    confidence: float
    review: bool


class AnswerMessage(Told):
    """The answer."""

    role: Literal["assistant"]
    content: str
    refusal: None = None
    annotations: list[Annotation]
    spanwise: About


class Choice(Told):
    """The only choice."""

    index: Literal[0] = 0
    message: AnswerMessage
    finish_reason: Literal["stop"] = "stop"
    logprobs: None = None


class Completion(Told):
    """An answer in one piece."""

    id: str
    object: Literal["chat.completion"] = "chat.completion"
    created: int
    model: str
    choices: list[Choice]
    usage: Usage


class ModelCard(Told):
    """A corpus as a model."""

    id: str
    object: Literal["model"] = "model"
    created: int = 0
    owned_by: str = "spanwise"


class ModelList(Told):
    """The corpora that the token opens, as models."""

    object: Literal["list"] = "list"
    data: list[ModelCard]


class UnsupportedError(ProblemError):
    """A parameter that asks for something that an answer from documents cannot provide."""

    def __init__(self, param: str, detail: str) -> None:
        super().__init__(400, "unsupported_parameter", detail)
        self.param = param


def question_of(request: ChatRequest) -> str:
    """The question of a request: the last user message; raises `UnsupportedError` if the request cannot be honoured."""
    for param, why in _unsupported(request):
        raise UnsupportedError(param, f"{param} cannot be honoured: {why}.")
    last = next((one for one in reversed(request.messages) if one.role == "user"), None)
    if last is None:
        raise UnsupportedError("messages", "There is no message of the user: the last one of the user is the question.")
    parts = last.content if isinstance(last.content, list) else [Part(type="text", text=last.content or "")]
    if any(part.type != "text" or part.text is None for part in parts):
        raise UnsupportedError("messages", "Only parts of the type text can be asked: put documents into the corpus.")
    # JSON can contain lone surrogates, and an answer that quotes them could not be sent.
    return "\n".join(part.text or "" for part in parts).encode("utf-8", "replace").decode()


def _unsupported(request: ChatRequest) -> Iterator[tuple[str, str]]:
    form = request.response_format
    wants = {
        "n": (request.n not in (None, 1), "documents give one answer"),
        "tools": (bool(request.tools), "no tools are called here"),
        "functions": (bool(request.functions), "no functions are called here"),
        "tool_choice": (request.tool_choice not in (None, "none", "auto"), "no tools are called here"),
        "function_call": (request.function_call not in (None, "none", "auto"), "no functions are called here"),
        "response_format": (
            form is not None and form.type != "text",
            "a completion is text here, and typed answers come from POST /v1/corpora/{corpus}/ask",
        ),
        "logprobs": (bool(request.logprobs), "there are none, and `spanwise.confidence` is given in any case"),
        "modalities": (request.modalities not in (None, ["text"]), "a completion is text here"),
        "web_search_options": (request.web_search_options is not None, "only the corpus is searched"),
    }
    return ((param, why) for param, (wanted, why) in wants.items() if wanted)


def completion(result: Result, corpus: str, model: str, created: int) -> Completion:
    """The answer as one completion."""
    result = unlinked_result(result)
    message = {**openai_chat(result), "spanwise": about(result, corpus)}
    return Completion(
        id=_id(result),
        created=created,
        model=model,
        choices=[Choice(message=AnswerMessage.model_validate(message))],
        usage=usage(result),
    )


def chunks(result: Result, corpus: str, model: str, created: int, *, with_usage: bool) -> Iterator[dict[str, object]]:
    """The answer as chunks of a stream; each has the annotations of the citations that end with it."""
    result = unlinked_result(result)
    head = {"id": _id(result), "object": "chat.completion.chunk", "created": created, "model": model}
    whole = completion(result, corpus, model, created).choices[0].message
    notes = {one.id: note.model_dump() for one, note in zip(result.citations, whole.annotations, strict=True)}
    yield head | _choice({"role": "assistant", "content": "", "refusal": None})
    if before := lead(result):
        yield head | _choice({"content": before})
    for piece in pieces(result):
        ended = [notes.pop(one.id) for one in piece.citations if one.at[1] == piece.end and one.id in notes]
        yield head | _choice({"content": piece.text} | ({"annotations": ended} if ended else {}))
    rest = {"annotations": list(notes.values())} if notes else {}
    yield head | _choice({**rest, "spanwise": whole.spanwise.model_dump()}, finish="stop")
    if with_usage:
        yield head | {"choices": [], "usage": usage(result).model_dump()}


def _choice(delta: Mapping[str, object], finish: str | None = None) -> dict[str, object]:
    return {"choices": [{"index": 0, "delta": dict(delta), "finish_reason": finish, "logprobs": None}]}


def _id(result: Result) -> str:
    return f"chatcmpl-{result.trace_id}"


def about(result: Result, corpus: str) -> About:
    """The fields of a result that OpenAI's format lacks."""
    return About(
        corpus=corpus,
        trace_id=result.trace_id,
        decision=result.decision.kind,
        confidence=result.confidence,
        review=result.review,
    )


def usage(result: Result) -> Usage:
    """The tokens that an answer took."""
    read, written = (int(result.metrics.get(name, 0)) for name in ("prompt_tokens", "completion_tokens"))
    return Usage(prompt_tokens=read, completion_tokens=written, total_tokens=read + written)


router = APIRouter(prefix="/v1", tags=["openai"])

FIRST_SECONDS = 2.0
"""Seconds that a stream waits for the answer before it begins: an error until then gets its own HTTP status."""
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

    Earlier turns and instructions are accepted and not used. Parameters that steer a model's sampling have no effect;
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
    """The corpus behind a model's name; raises `ProblemError` (404)."""
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
    """The events of a stream, once there is an answer or `FIRST_SECONDS` have passed."""
    answer = asyncio.ensure_future(_answer(state.work.events(happening)))
    await asyncio.wait((answer,), timeout=FIRST_SECONDS)
    if answer.done():
        answer.result()  # an error before anything is sent gets an HTTP status
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
        for chunk in told(await answer):  # a client that disconnects cancels what is awaited
            yield {"data": json.dumps(chunk)}
        yield {"data": _DONE}
    except Exception as error:  # noqa: BLE001  # the stream has begun: the error is its last event
        yield {"data": json_text(problem_of(error, request.url.path)[0], exclude_none=True)}
