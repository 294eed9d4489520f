"""A pydantic-ai model behind our `Model` interface: one request per call, without retries or agents."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterator, Sequence
from contextlib import suppress
from queue import SimpleQueue
from typing import NoReturn
from weakref import finalize

from pydantic_ai import direct, messages
from pydantic_ai.models import Model as TheirModel
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition

from spanwise.errors import (
    CutReplyError,
    EmptyReplyError,
    ModelError,
    RefusedError,
    UnofferedToolError,
    WindowExceededError,
)
from spanwise.llm.port import Call, ModelProfile, Reply, Usage, json_schema_of
from spanwise.llm.provider_errors import provider_error
from spanwise.llm.run import await_for, submit, wait_for
from spanwise.llm.structured import parse_reply
from spanwise.text.tokens import count_tokens

_ANSWER_TOOL = "give_answer"


class ProviderModel:
    """The models of one provider. The API key is only in the client, and in nothing that is printed or stored."""

    def __init__(
        self,
        make: Callable[[str], TheirModel],
        name: str,
        profile: ModelProfile,
        *,
        timeout: float,
        settings: ModelSettings,
        close: Callable[[], Coroutine[object, object, None]],
        window: Callable[[], Coroutine[object, object, int | None]],
        secrets: Sequence[str] = (),
    ) -> None:
        """Take a function that makes a pydantic-ai model from a name, and the name for calls that give none.

        `timeout` is the limit in seconds of a whole request; `settings` are sent with each request; `close` closes the
        connections when the model is no longer used; `window` asks the server for the context window; `secrets` are
        removed from error messages.
        """
        self._make = make
        self._name = name
        self._profile = profile
        self._timeout = timeout
        self._settings = settings
        self._window = window
        self._secrets = tuple(secrets)
        self._made = {name: make(name)}
        finalize(self, _close, close)

    def __repr__(self) -> str:
        return f"ProviderModel({self._profile.name!r})"

    def __reduce__(self) -> NoReturn:
        raise TypeError("A model cannot be sent to another process; send its name and call model_from there.")

    @property
    def profile(self) -> ModelProfile:
        """The abilities of the model."""
        return self._profile

    def served_window(self) -> int | None:
        """The context window in tokens as the server itself states it; None if it does not."""
        return wait_for(self._window())

    def complete(self, call: Call) -> Reply:
        """Send one request and wait for its reply."""
        return wait_for(self._request(call))

    async def acomplete(self, call: Call) -> Reply:
        """Send one request and await its reply."""
        return await await_for(self._request(call))

    def stream(self, call: Call) -> Iterator[str | Reply]:
        """Send one request; yield its text as it comes, then its reply."""
        arriving: SimpleQueue[str | Reply] = SimpleQueue()
        work = submit(self._stream(call, arriving.put))
        try:
            while isinstance(piece := arriving.get(), str):
                yield piece
            yield piece
        finally:
            work.cancel()

    async def astream(self, call: Call) -> AsyncGenerator[str | Reply, None]:
        """As `stream`, for async code."""
        arriving: asyncio.Queue[str | Reply] = asyncio.Queue()
        loop = asyncio.get_running_loop()
        work = submit(self._stream(call, lambda piece: _put(loop, arriving, piece)))
        try:
            while isinstance(piece := await arriving.get(), str):
                yield piece
            yield piece
        finally:
            work.cancel()

    async def _request(self, call: Call) -> Reply:
        try:
            response = await direct.model_request(
                self._model(call),
                _messages(call),
                model_settings=self._model_settings(call),
                model_request_parameters=self._parameters(call),
            )
        except Exception as error:  # noqa: BLE001  # SDKs raise what they like; each becomes one of our errors
            return await self._failed(call, error)
        return self._reply(call, response)

    async def _failed(self, call: Call, error: Exception, shown: str = "") -> Reply:
        """The reply for an exception.

        If the prompt was too long, the error has the context window, if it can be found out.
        """
        typed = self._error(call, error)
        if isinstance(typed, WindowExceededError) and typed.window is None:
            typed.window = await self._window()
        return Reply(shown, error=typed, usage=Usage(requests=1), model=self._profile.name)

    async def _stream(self, call: Call, put: Callable[[str | Reply], None]) -> None:
        shown: list[str] = []
        try:
            async with direct.model_request_stream(
                self._model(call),
                _messages(call),
                model_settings=self._model_settings(call),
                model_request_parameters=self._parameters(call),
            ) as stream:
                async for event in stream:
                    if text := _delta(event):
                        shown.append(text)
                        put(text)
                reply = self._reply(call, stream.get())
        except Exception as error:  # noqa: BLE001  # as above; whatever it is, the consumer waits for a reply
            reply = await self._failed(call, error, "".join(shown))
        put(reply)

    def _model(self, call: Call) -> TheirModel:
        provider = self._profile.name.partition(":")[0]
        name = (call.model or self._name).removeprefix(f"{provider}:")
        if name not in self._made:
            self._made[name] = self._make(name)
        return self._made[name]

    def _model_settings(self, call: Call) -> ModelSettings:
        settings = ModelSettings(**self._settings, request_timeout=self._timeout)
        if call.max_output_tokens is not None:
            settings["max_tokens"] = call.max_output_tokens
        if call.temperature is not None and not self._profile.rejects_temperature:
            settings["temperature"] = call.temperature
        return settings

    def _parameters(self, call: Call) -> ModelRequestParameters:
        """How the schema of a call is sent: as the reply format if supported, else as a tool that must be called."""
        if call.schema is None:
            return ModelRequestParameters()
        schema = dict(json_schema_of(call.schema))
        name = call.schema.__name__ if isinstance(call.schema, type) else str(schema.get("title", "answer"))
        if self._profile.native_schema:
            wanted = OutputObjectDefinition(json_schema=schema, name=name, strict=True)
            return ModelRequestParameters(output_mode="native", output_object=wanted)
        tool = ToolDefinition(
            name=_ANSWER_TOOL, parameters_json_schema=schema, description="Give the answer.", strict=True
        )
        return ModelRequestParameters(output_mode="tool", output_tools=[tool], allow_text_output=False)

    def _reply(self, call: Call, response: messages.ModelResponse) -> Reply:
        text = _text(response)
        reply = Reply(
            text,
            usage=self._usage(call, response, text),
            model=response.model_name or self._profile.name,
            finish="length" if response.finish_reason == "length" else "stop",
        )
        if response.finish_reason == "content_filter":
            return reply.but(error=RefusedError(f"{self._profile.name} refuses to answer this."))
        if self._unoffered(call, response):
            called = f"{self._profile.name} called a tool that nobody offered instead of answering; ask another model."
            return reply.but(error=UnofferedToolError(called))
        if response.finish_reason is None and not (response.provider_details or {}).get("finish_reason"):
            cut = f"The reply of {self._profile.name} ended before it was whole; ask again."
            return reply.but(error=CutReplyError(cut))
        if not text.strip():
            return reply.but(error=self._nothing(reply))
        return parse_reply(call, reply)

    def _unoffered(self, call: Call, response: messages.ModelResponse) -> bool:
        offered = {_ANSWER_TOOL} if call.schema is not None and not self._profile.native_schema else set()
        return any(part.tool_name not in offered for part in response.parts if isinstance(part, messages.ToolCallPart))

    def _nothing(self, reply: Reply) -> ModelError:
        if reply.finish == "length":
            error = CutReplyError(
                f"{self._profile.name} used all its output tokens before it wrote an answer; raise max_output_tokens."
            )
            error.retryable = False  # the same would happen again
            return error
        return EmptyReplyError(f"{self._profile.name} answered with an empty text; try again.")

    def _usage(self, call: Call, response: messages.ModelResponse, text: str) -> Usage:
        spent = response.usage
        if not spent.input_tokens and not spent.output_tokens:
            prompt = count_tokens(call.system) + count_tokens(call.prompt)
            return Usage(prompt, count_tokens(text), estimated=True, requests=1)
        own = call.model in (None, self._name, self._profile.name)
        cost = self._profile.cost_usd(spent.input_tokens, spent.output_tokens) if own else None
        return Usage(spent.input_tokens, spent.output_tokens, requests=1, cost_usd=cost)

    def _error(self, call: Call, error: Exception) -> ModelError:
        if isinstance(error, ModelError):
            return error
        return provider_error(error, self._profile.name, with_schema=call.schema is not None, secrets=self._secrets)


def _put(loop: asyncio.AbstractEventLoop, arriving: asyncio.Queue[str | Reply], piece: str | Reply) -> None:
    with suppress(RuntimeError):  # the consumer's loop is closed
        loop.call_soon_threadsafe(arriving.put_nowait, piece)


def _close(close: Callable[[], Coroutine[object, object, None]]) -> None:
    with suppress(RuntimeError):  # the interpreter ends
        submit(close())


def _messages(call: Call) -> list[messages.ModelMessage]:
    parts: list[messages.ModelRequestPart] = [messages.SystemPromptPart(call.system)] if call.system else []
    return [messages.ModelRequest(parts=[*parts, messages.UserPromptPart(call.prompt)])]


def _delta(event: messages.ModelResponseStreamEvent) -> str:
    if isinstance(event, messages.PartStartEvent) and isinstance(event.part, messages.TextPart):
        return event.part.content
    if isinstance(event, messages.PartDeltaEvent) and isinstance(event.delta, messages.TextPartDelta):
        return event.delta.content_delta
    return ""


def _text(response: messages.ModelResponse) -> str:
    """The text of the reply, or the arguments of the tool call that contains the answer."""
    called = [part.args_as_json_str() for part in response.parts if isinstance(part, messages.ToolCallPart)]
    said = [part.content for part in response.parts if isinstance(part, messages.TextPart)]
    return called[-1] if called else "".join(said)
