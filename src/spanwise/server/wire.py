"""Response bodies: JSON, also of text with a lone surrogate, which UTF-8 cannot encode, and server-sent events."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

from fastapi.responses import JSONResponse
from pydantic import BaseModel
from pydantic_core import PydanticSerializationError
from sse_starlette import EventSourceResponse, ServerSentEvent

from spanwise.server.settings import ServerSettings

MEDIA_TYPE = "text/event-stream"
EVENTS: dict[str, Any] = {"description": "Server-sent events", "content": {MEDIA_TYPE: {"schema": {"type": "string"}}}}
_SEND_SECONDS = 30.0
_WORDS_SECONDS = 1.0
"""For the last event of a stream whose question was told to stop."""


def json_text(value: BaseModel, *, exclude_none: bool = False) -> str:
    """A record as JSON; half a character stands in it as its escape."""
    try:
        return value.model_dump_json(exclude_none=exclude_none)
    except PydanticSerializationError:
        return json.dumps(value.model_dump(exclude_none=exclude_none), allow_nan=False)


class AnyJSON(JSONResponse):
    """JSON values as a response, whatever characters they hold."""

    def render(self, content: object) -> bytes:
        """As UTF-8 where that can be."""
        try:
            return super().render(content)
        except UnicodeEncodeError:
            return json.dumps(content, allow_nan=False, separators=(",", ":")).encode()


def event(name: str, value: BaseModel) -> dict[str, str]:
    """An event of that name."""
    return {"event": name, "data": json_text(value)}


def stream(events: AsyncIterator[dict[str, str]], settings: ServerSettings) -> EventSourceResponse:
    """The answer that tells events as they come, and a comment now and then when there are none."""
    return EventSourceResponse(
        events,
        ping=settings.heartbeat_seconds,
        ping_message_factory=lambda: ServerSentEvent(comment="still here", sep="\n"),
        sep="\n",
        send_timeout=_SEND_SECONDS,
        shutdown_grace_period=settings.grace_seconds + _WORDS_SECONDS,
    )
