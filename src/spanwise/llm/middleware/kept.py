"""A reply as JSON that a cache or a recording keeps, and back."""

from __future__ import annotations

import json
from collections.abc import Mapping

from spanwise import errors
from spanwise.errors import ModelError, WindowExceededError
from spanwise.llm.port import Call, Reply
from spanwise.llm.structured import parse_reply


def to_json(reply: Reply) -> str:
    """What has to be kept of a reply; what it cost is not part of it."""
    kept: dict[str, str | int | None] = {"text": reply.text, "model": reply.model, "finish": reply.finish}
    if reply.error is not None:
        kept |= {"error": type(reply.error).__name__, "message": str(reply.error)}
    if isinstance(reply.error, WindowExceededError):  # what the flow does next depends on it
        kept |= {"window": reply.error.window, "prompt_tokens": reply.error.prompt_tokens}
    return json.dumps(kept, ensure_ascii=True, sort_keys=True)


def from_json(call: Call, kept: str) -> Reply:
    """The reply to a call, parsed again; it is marked as cached and cost nothing.

    Raises:
        ValueError: It is not what `to_json` writes.
    """
    said = json.loads(kept)
    if not isinstance(said, dict) or not isinstance(said.get("text"), str):
        raise ValueError("not a kept reply")  # noqa: TRY004  # what is wrong is a text, not a type
    error = None
    if "error" in said:
        kind = getattr(errors, str(said["error"]), ModelError)
        error = (kind if isinstance(kind, type) and issubclass(kind, ModelError) else ModelError)(str(said["message"]))
        if isinstance(error, WindowExceededError):
            error.window, error.prompt_tokens = _number(said, "window"), _number(said, "prompt_tokens")
    model = said.get("model")
    return parse_reply(
        call,
        Reply(
            said["text"],
            error=error,
            model=None if model is None else str(model),
            finish=str(said.get("finish", "stop")),
            cached=True,
        ),
    )


def _number(said: Mapping[str, object], name: str) -> int | None:
    value = said.get(name)
    return value if isinstance(value, int) else None
