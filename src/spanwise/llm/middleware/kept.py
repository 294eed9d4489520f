"""A reply as JSON that a cache or a recording keeps, and back."""

from __future__ import annotations

import json

from spanwise import errors
from spanwise.errors import ModelError
from spanwise.llm.port import Call, Reply
from spanwise.llm.structured import parse_reply


def to_json(reply: Reply) -> str:
    """What has to be kept of a reply; what it cost is not part of it."""
    kept: dict[str, str | None] = {"text": reply.text, "model": reply.model, "finish": reply.finish}
    if reply.error is not None:
        kept |= {"error": type(reply.error).__name__, "message": str(reply.error)}
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
