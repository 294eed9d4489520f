"""Replies on disk: a cache, so that no call is paid for twice, and recordings that replay a run without a provider."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import threading
import weakref
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Self

from spanwise import errors
from spanwise.errors import InputError, ModelError, ModelSetupError, NotRecordedError, StorageError, WindowExceededError
from spanwise.llm.layer import Layer, Steps
from spanwise.llm.port import Call, Model, ModelProfile, Reply
from spanwise.llm.structured import parse_reply


class Recording(Layer):
    """Appends every reply to a file, failures included."""

    def __init__(self, inner: Model, path: str | os.PathLike[str]) -> None:
        super().__init__(inner)
        self._path = Path(path)
        self._lock = threading.Lock()

    def steps(self, call: Call) -> Steps:
        """Ask, and record the reply."""
        reply: Reply = yield call
        line = {"call": call.hash, "purpose": call.purpose, "reply": json.loads(to_json(reply))}
        try:
            with self._lock, self._path.open("a", encoding="ascii") as file:
                file.write(json.dumps(line, sort_keys=True) + "\n")
        except OSError as error:
            raise StorageError(f"The recording {self._path} cannot be written ({error.strerror or error}).") from None
        return reply


class Replay:
    """A model that answers from a recording, without any network.

    A call that was made several times gets its replies in the recorded order, then the last one again.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Read a recording; raises `ModelSetupError` if it is invalid."""
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
        """A profile that supports every schema, as replies were repaired before they were recorded."""
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
        """As `complete`."""
        return self.complete(call)


def to_json(reply: Reply) -> str:
    """The stored parts of a reply as JSON, without its usage."""
    kept: dict[str, str | int | None] = {"text": reply.text, "model": reply.model, "finish": reply.finish}
    if reply.error is not None:
        kept |= {"error": type(reply.error).__name__, "message": str(reply.error)}
    if isinstance(reply.error, WindowExceededError):  # what the flow does next depends on it
        kept |= {"window": reply.error.window, "prompt_tokens": reply.error.prompt_tokens}
    return json.dumps(kept, ensure_ascii=True, sort_keys=True)


def from_json(call: Call, kept: str) -> Reply:
    """The reply to a call from its stored parts, parsed again and marked as cached; raises `ValueError` if invalid."""
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


MAX_BYTES = 256 * 1024 * 1024
"""Default limit of the replies in a cache, in bytes."""

_BUSY = 10.0  # seconds to wait while another process writes
_EVICTED = 0.1  # share of the limit that is freed at a time, so that not every write has to evict

_SCHEMA = """
CREATE TABLE IF NOT EXISTS replies (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  key TEXT NOT NULL UNIQUE,
  reply TEXT NOT NULL,
  size INTEGER NOT NULL
);
"""

_FORKED: list[sqlite3.Connection] = []
"""Connections inherited by fork, which SQLite requires to be neither used nor closed here."""


class Cache:
    """A file of replies that threads and processes may share. The oldest are removed when it is full.

    The file is closed by `close`, at the end of a `with`, or when the cache is garbage-collected.
    """

    def __init__(self, path: str | os.PathLike[str], *, max_bytes: int = MAX_BYTES) -> None:
        """Open the file, or create it; `max_bytes` limits the total size of its replies."""
        if max_bytes < 1:
            raise InputError(f"max_bytes is {max_bytes}; a cache needs at least 1.")
        self._path = Path(path)
        self._max_bytes = max_bytes
        self._lock = threading.Lock()
        self._process = 0
        self._open: sqlite3.Connection | None = None
        self._let_go: Callable[[], object]
        self._held = 0
        with self._lock:
            self._connection()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def get(self, key: str) -> str | None:
        """The reply stored under a key; None if there is none, or the file cannot be read."""
        with self._lock, suppress(sqlite3.Error, StorageError):
            row = self._connection().execute("SELECT reply FROM replies WHERE key = ?", (key,)).fetchone()
            return None if row is None else str(row[0])
        return None

    def put(self, key: str, reply: str) -> None:
        """Store a reply; errors of the file are ignored, since a cache only saves work."""
        size = len(key) + len(reply)
        if size > self._max_bytes:
            return
        with self._lock, suppress(sqlite3.Error, StorageError):
            connection = self._connection()
            with connection:
                connection.execute(
                    "INSERT OR REPLACE INTO replies (key, reply, size) VALUES (?, ?, ?)", (key, reply, size)
                )
                self._held += size
                if self._held > self._max_bytes:
                    self._evict(connection)

    def close(self) -> None:
        """Close the file; using the cache afterwards opens it again."""
        with self._lock:
            if self._open is not None:
                self._open = None
                self._let_go()

    def _connection(self) -> sqlite3.Connection:
        if self._open is not None and self._process != os.getpid():  # a connection must not cross a fork
            self._open = None
            self._let_go()
        if self._open is None:
            try:
                self._open = self._connected()
            except (sqlite3.Error, OSError) as error:
                raise StorageError(
                    f"The cache {self._path} cannot be used ({error}); give another path or delete the file."
                ) from None
            self._process = os.getpid()
            self._let_go = weakref.finalize(self, _close, self._open, self._process)
        return self._open

    def _connected(self) -> sqlite3.Connection:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(self._path, timeout=_BUSY, check_same_thread=False)
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.executescript(_SCHEMA)
            self._held = int(connection.execute("SELECT coalesce(sum(size), 0) FROM replies").fetchone()[0])
        except BaseException:
            connection.close()
            raise
        return connection

    def _evict(self, connection: sqlite3.Connection) -> None:
        """Delete the oldest replies until there is some room, counting those of other processes, too."""
        held = int(connection.execute("SELECT coalesce(sum(size), 0) FROM replies").fetchone()[0])
        room = self._max_bytes * (1 - _EVICTED)
        last = 0
        for number, size in connection.execute("SELECT number, size FROM replies ORDER BY number"):
            if held <= room:
                break
            held, last = held - size, number
        connection.execute("DELETE FROM replies WHERE number <= ?", (last,))
        self._held = held


def _close(connection: sqlite3.Connection, process: int) -> None:
    if process == os.getpid():
        connection.close()
    else:
        _FORKED.append(connection)


class Cached(Layer):
    """Answers from the cache if the same was asked of the same model; failures are never cached."""

    def __init__(self, inner: Model, cache: Cache) -> None:
        super().__init__(inner)
        self._cache = cache

    def steps(self, call: Call) -> Steps:
        """Look the call up, or else ask and store the reply."""
        key = hashlib.sha256(f"{self.profile.name}\n{call.hash}".encode()).hexdigest()
        kept = self._cache.get(key)
        if kept is not None:
            with suppress(ValueError, RecursionError):
                found = from_json(call, kept)
                if found.error is None:
                    return found
        reply: Reply = yield call
        if reply.error is None:
            self._cache.put(key, to_json(reply))
        return reply
