"""Chat completions as OpenAI's clients speak them: what a request asks, and what an answer looks like to them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from spanwise.contract.registry import SHAPES
from spanwise.domain.claim import Policy
from spanwise.export.pieces import lead, pieces, unlinked_result
from spanwise.export.providers import openai_chat
from spanwise.server.models import MOST_DOCUMENTS, DocumentId, Label, Sent, Told
from spanwise.server.problems import ProblemError

if TYPE_CHECKING:
    from spanwise.contract.result import Result

MODEL = "spanwise"
"""The default corpus; another one is `spanwise/NAME`."""
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
    """The form of the answer; only text can be had."""

    model_config = ConfigDict(extra="ignore")

    type: str


class Asking(Sent):
    """What OpenAI's format has no place for: where to look, and what the answer has to be."""

    documents: list[DocumentId] | None = Field(default=None, min_length=1, max_length=MOST_DOCUMENTS, fail_fast=True)
    type: Label | None = None
    shape: Literal[SHAPES] | None = None  # type: ignore[valid-type]
    policy: Policy | None = None


class ChatRequest(BaseModel):
    """A request for a completion. Parameters that steer a model's sampling are taken and have no effect.

    Lists are bounded and given up at their first fault: a list of a million faults would hold up the server.
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
    """Which stretch of the answer rests on what; the URL is the document, with its page where it has pages."""

    start_index: int
    end_index: int
    title: str
    url: str


class Annotation(Told):
    """A citation."""

    type: Literal["url_citation"]
    url_citation: UrlCitation


class About(Told):
    """What OpenAI's format has no place for: the whole result is at `/v1/corpora/{corpus}/results/{trace_id}`."""

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
    """The only one."""

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
    """A parameter asks for something that an answer from documents cannot be."""

    def __init__(self, param: str, detail: str) -> None:
        super().__init__(400, "unsupported_parameter", detail)
        self.param = param


def question_of(request: ChatRequest) -> str:
    """The question of a request: the last message of the user."""
    for param, why in _unsupported(request):
        raise UnsupportedError(param, f"{param} cannot be honoured: {why}.")
    last = next((one for one in reversed(request.messages) if one.role == "user"), None)
    if last is None:
        raise UnsupportedError("messages", "There is no message of the user: the last one of the user is the question.")
    parts = last.content if isinstance(last.content, list) else [Part(type="text", text=last.content or "")]
    if any(part.type != "text" or part.text is None for part in parts):
        raise UnsupportedError("messages", "Only parts of the type text can be asked: put documents into the corpus.")
    # JSON can hold halves of characters, and no answer that quotes them could be sent.
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
    """The answer in one piece."""
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
    """The answer piece by piece; a piece comes with the annotations of the citations that end with it."""
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
    """What OpenAI's format has no place for."""
    return About(
        corpus=corpus,
        trace_id=result.trace_id,
        decision=result.decision.kind,
        confidence=result.confidence,
        review=result.review,
    )


def usage(result: Result) -> Usage:
    """The tokens of an answer."""
    read, written = (int(result.metrics.get(name, 0)) for name in ("prompt_tokens", "completion_tokens"))
    return Usage(prompt_tokens=read, completion_tokens=written, total_tokens=read + written)
