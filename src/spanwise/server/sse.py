"""Server-sent events: one event is a name and a JSON value on one line."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from pydantic import BaseModel
from sse_starlette import EventSourceResponse, ServerSentEvent

from spanwise.server.settings import ServerSettings
from spanwise.server.wire import json_text

MEDIA_TYPE = "text/event-stream"
EVENTS: dict[str, Any] = {
    "description": "Server-sent events",
    "content": {MEDIA_TYPE: {"schema": {"type": "string"}}},
}
_SEND_SECONDS = 30.0
_WORDS_SECONDS = 1.0
"""For the last event of a stream whose question was told to stop."""


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
