"""Replies written down as JSON lines, and a model that gives them again: the same run without a provider.

One line is one reply with the hash of its call, so that a recording survives changes of providers and libraries. It
holds what the model said (which may quote documents), no prompts and no keys.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Mapping
from pathlib import Path

from spanwise import errors
from spanwise.errors import ModelError, ModelSetupError, NotRecordedError, StorageError, WindowExceededError
from spanwise.llm.layer import Layer, Steps
from spanwise.llm.port import Call, Model, ModelProfile, Reply
from spanwise.llm.structured import parse_reply


class Recording(Layer):
    """Appends each reply to a file, failures too."""

    def __init__(self, inner: Model, path: str | os.PathLike[str]) -> None:
        super().__init__(inner)
        self._path = Path(path)
        self._lock = threading.Lock()

    def steps(self, call: Call) -> Steps:
        """Ask, and write down."""
        reply: Reply = yield call
        line = {"call": call.hash, "purpose": call.purpose, "reply": json.loads(to_json(reply))}
        try:
            with self._lock, self._path.open("a", encoding="ascii") as file:
                file.write(json.dumps(line, sort_keys=True) + "\n")
        except OSError as error:
            raise StorageError(f"The recording {self._path} cannot be written ({error.strerror or error}).") from None
        return reply


class Replay:
    """A model that answers from a recording, and calls nobody.

    A call that was made several times gets its replies in the order in which they were recorded, then the last again.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Read a recording."""
        self._replies: dict[str, list[str]] = {}
        self._lock = threading.Lock()
        try:
            with Path(path).open(encoding="utf-8") as file:
                for line in file:
                    said = json.loads(line)
                    self._replies.setdefault(str(said["call"]), []).append(json.dumps(said["reply"]))
        except OSError as error:
            raise ModelSetupError(f"The recording {path} cannot be read ({error.strerror or error}).") from None
        except (ValueError, KeyError, TypeError, RecursionError):
            raise ModelSetupError(
                f"{path} is not a recording: each line is a JSON object with call and reply."
            ) from None

    @property
    def profile(self) -> ModelProfile:
        """It takes every schema: the replies were repaired when they were recorded."""
        return ModelProfile("replay", native_schema=True, json_schema=True, structured=True)

    def complete(self, call: Call) -> Reply:
        """The recorded reply, or one with a `NotRecordedError`."""
        with self._lock:
            replies = self._replies.get(call.hash, [])
            kept = replies.pop(0) if len(replies) > 1 else replies[0] if replies else None
        if kept is None:
            return Reply(
                error=NotRecordedError(
                    f"The recording has no reply to this call ({call.purpose}); record it again with the same input."
                )
            )
        try:
            return from_json(call, kept)
        except ValueError:
            return Reply(error=NotRecordedError("A reply in the recording is damaged; record it again."))

    async def acomplete(self, call: Call) -> Reply:
        """The same."""
        return self.complete(call)


def to_json(reply: Reply) -> str:
    """What has to be kept of a reply; what it cost is not part of it."""
    kept: dict[str, str | int | None] = {"text": reply.text, "model": reply.model, "finish": reply.finish}
    if reply.error is not None:
        kept |= {"error": type(reply.error).__name__, "message": str(reply.error)}
    if isinstance(reply.error, WindowExceededError):  # what the flow does next depends on it
        kept |= {"window": reply.error.window, "prompt_tokens": reply.error.prompt_tokens}
    return json.dumps(kept, ensure_ascii=True, sort_keys=True)


def from_json(call: Call, kept: str) -> Reply:
    """The reply to a call, parsed again; it is marked as cached and cost nothing."""
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
