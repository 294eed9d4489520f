"""Reply formats of providers: Chat Completions, Embeddings, Responses and Anthropic Messages, whole or as events."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol, TypeAlias

Json: TypeAlias = dict[str, object]


@dataclass(frozen=True, slots=True)
class WrittenReply:
    """A reply of the fake provider's model.

    Attributes:
        text: The reply, or the arguments of `tool`.
        tool: The tool that the request offers; None for a plain text.
        refused: The text is a refusal.
        cut: The reply was cut by the limit on output tokens.
    """

    text: str
    tool: str | None = None
    refused: bool = False
    cut: bool = False


class Wire(Protocol):
    """The reply format of one protocol."""

    def whole(self, said: WrittenReply, model: str) -> Json:
        """The body of a reply that is not streamed."""

    def events(self, said: WrittenReply, model: str) -> Iterator[tuple[str | None, object]]:
        """The events of a streamed reply: name (None if it has none) and data."""

    def error(self, status: int, message: str) -> Json:
        """The body of a failed request."""


def wire_of(path: str) -> Wire | None:
    """The protocol for a path; None if there is none."""
    return next((wire for end, wire in _WIRES.items() if path.partition("?")[0].endswith(end)), None)


def pieces_of(text: str) -> list[str]:
    """The pieces in which a text is streamed."""
    return [word + " " for word in text.split(" ")[:-1]] + text.split(" ")[-1:]


def wanted_tool(body: Mapping[str, object]) -> str | None:
    """The name of the first tool that a request offers, which stands for the answer; None if there is none."""
    tools = body.get("tools")
    if not isinstance(tools, list) or not tools or not isinstance(tools[0], dict):
        return None
    function = tools[0].get("function", tools[0])
    return str(function["name"])


def has_schema(body: Mapping[str, object]) -> bool:
    """True if a request has a schema, as the reply format or as a tool."""
    text = body.get("text")
    formatted = "response_format" in body or "output_config" in body or "output_format" in body
    return formatted or bool(body.get("tools")) or (isinstance(text, dict) and _is_schema(text.get("format")))


def _is_schema(asked: object) -> bool:
    return isinstance(asked, dict) and asked.get("type") == "json_schema"


class _Chat:
    """POST /v1/chat/completions, of OpenAI and compatible servers."""

    def whole(self, said: WrittenReply, model: str) -> Json:
        message: Json = {"role": "assistant", "content": said.text}
        if said.refused:
            message = {"role": "assistant", "content": None, "refusal": said.text}
        elif said.tool:
            call = {"id": "call_1", "type": "function", "function": {"name": said.tool, "arguments": said.text}}
            message = {"role": "assistant", "content": None, "tool_calls": [call]}
        choice = {"index": 0, "message": message, "finish_reason": _chat_finish(said)}
        return _chat("chat.completion", model, [choice]) | {"usage": _chat_usage(said)}

    def events(self, said: WrittenReply, model: str) -> Iterator[tuple[str | None, object]]:
        for piece in pieces_of(said.text):
            delta = {"role": "assistant", "refusal" if said.refused else "content": piece}
            choice = {"index": 0, "delta": delta, "finish_reason": None}
            yield None, _chat("chat.completion.chunk", model, [choice])
        end = {"index": 0, "delta": {}, "finish_reason": _chat_finish(said)}
        yield None, _chat("chat.completion.chunk", model, [end])
        yield None, _chat("chat.completion.chunk", model, []) | {"usage": _chat_usage(said)}
        yield None, "[DONE]"

    def error(self, status: int, message: str) -> Json:
        kind = "invalid_request_error" if status < 500 else "server_error"
        return {"error": {"message": message, "type": kind, "code": None, "param": None}}


def _chat(kind: str, model: str, choices: list[Json]) -> Json:
    return {"id": "chatcmpl-1", "object": kind, "created": 1_700_000_000, "model": model, "choices": choices}


def _chat_finish(said: WrittenReply) -> str:
    return "length" if said.cut else "tool_calls" if said.tool else "stop"


def _chat_usage(said: WrittenReply) -> Json:
    written = len(said.text.split())
    return {"prompt_tokens": 11, "completion_tokens": written, "total_tokens": 11 + written}


class _Responses:
    """POST /v1/responses, of OpenAI."""

    def whole(self, said: WrittenReply, model: str) -> Json:
        written = len(said.text.split())
        return self._response(model, "incomplete" if said.cut else "completed", [self._item(said)]) | {
            "incomplete_details": {"reason": "max_output_tokens"} if said.cut else None,
            "usage": {
                "input_tokens": 11,
                "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
                "output_tokens": written,
                "output_tokens_details": {"reasoning_tokens": 0},
                "total_tokens": 11 + written,
            },
        }

    def events(self, said: WrittenReply, model: str) -> Iterator[tuple[str | None, object]]:
        begun = {"type": "message", "id": "msg_1", "role": "assistant", "status": "in_progress", "content": []}
        part: Json = {"type": "output_text", "text": "", "annotations": []}
        place: Json = {"item_id": "msg_1", "output_index": 0, "content_index": 0}
        happening: list[Json] = [
            {"type": "response.created", "response": self._response(model, "in_progress", [])},
            {"type": "response.output_item.added", "output_index": 0, "item": begun},
            {"type": "response.content_part.added", **place, "part": part},
            *(
                {"type": "response.output_text.delta", **place, "delta": piece, "logprobs": []}
                for piece in pieces_of(said.text)
            ),
            {"type": "response.output_text.done", **place, "text": said.text, "logprobs": []},
            {"type": "response.content_part.done", **place, "part": part | {"text": said.text}},
            {"type": "response.output_item.done", "output_index": 0, "item": self._item(said)},
            {"type": "response.incomplete" if said.cut else "response.completed", "response": self.whole(said, model)},
        ]
        for number, event in enumerate(happening):
            yield str(event["type"]), event | {"sequence_number": number}

    def error(self, status: int, message: str) -> Json:
        kind = "invalid_request_error" if status < 500 else "server_error"
        return {"error": {"message": message, "type": kind, "code": None, "param": None}}

    def _item(self, said: WrittenReply) -> Json:
        if said.tool:
            call: Json = {"type": "function_call", "id": "fc_1", "call_id": "call_1", "status": "completed"}
            return call | {"name": said.tool, "arguments": said.text}
        part: Json = {"type": "output_text", "text": said.text, "annotations": []}
        if said.refused:
            part = {"type": "refusal", "refusal": said.text}
        return {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [part]}

    def _response(self, model: str, status: str, output: list[Json]) -> Json:
        return {
            "id": "resp_1",
            "object": "response",
            "created_at": 1_700_000_000,
            "status": status,
            "model": model,
            "output": output,
            "parallel_tool_calls": True,
            "tool_choice": "auto",
            "tools": [],
        }


class _Messages:
    """POST /v1/messages, of Anthropic."""

    def whole(self, said: WrittenReply, model: str) -> Json:
        block: Json = {"type": "text", "text": said.text}
        if said.tool:
            block = {"type": "tool_use", "id": "toolu_1", "name": said.tool, "input": _object(said.text)}
        return self._message(model) | {
            "content": [block],
            "stop_reason": self._stop(said),
            "usage": {"input_tokens": 11, "output_tokens": len(said.text.split())},
        }

    def events(self, said: WrittenReply, model: str) -> Iterator[tuple[str | None, object]]:
        started = self._message(model) | {"content": [], "stop_reason": None}
        usage = {"output_tokens": len(said.text.split())}
        happening: list[Json] = [
            {"type": "message_start", "message": started | {"usage": {"input_tokens": 11, "output_tokens": 0}}},
            {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
            *(
                {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": piece}}
                for piece in pieces_of(said.text)
            ),
            {"type": "content_block_stop", "index": 0},
            {
                "type": "message_delta",
                "delta": {"stop_reason": self._stop(said), "stop_sequence": None},
                "usage": usage,
            },
            {"type": "message_stop"},
        ]
        for event in happening:
            yield str(event["type"]), event

    def error(self, status: int, message: str) -> Json:
        kind = {429: "rate_limit_error", 529: "overloaded_error"}.get(status, "invalid_request_error")
        return {
            "type": "error",
            "error": {"type": kind if status < 500 or status == 529 else "api_error", "message": message},
        }

    def _message(self, model: str) -> Json:
        return {"id": "msg_1", "type": "message", "role": "assistant", "model": model, "stop_sequence": None}

    def _stop(self, said: WrittenReply) -> str:
        if said.refused:
            return "refusal"
        return "max_tokens" if said.cut else "tool_use" if said.tool else "end_turn"


def _object(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return {"text": text}


class _Embeddings(_Chat):
    """POST /v1/embeddings, of OpenAI; the text of a reply is a JSON list of vectors."""

    def whole(self, said: WrittenReply, model: str) -> Json:
        data = [{"object": "embedding", "index": at, "embedding": one} for at, one in enumerate(json.loads(said.text))]
        return {"object": "list", "data": data, "model": model, "usage": {"prompt_tokens": 11, "total_tokens": 11}}


_WIRES: Mapping[str, Wire] = {
    "/chat/completions": _Chat(),
    "/embeddings": _Embeddings(),
    "/responses": _Responses(),
    "/messages": _Messages(),
}
