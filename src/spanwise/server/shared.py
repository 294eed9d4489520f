"""State shared by the processes of a server, or by several servers over one database: sessions, jobs, metrics.

It is an SQLite file that lives as long as the server or, if its first corpus is in PostgreSQL, tables beside that
corpus, which outlive every server and are shared by all. Responses are made here, too: server-sent events, and JSON
also for text with a lone surrogate, which UTF-8 cannot encode.
"""

from __future__ import annotations

import json
import os
import secrets
import threading
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from fastapi.responses import JSONResponse
from pydantic import BaseModel
from pydantic_core import PydanticSerializationError
from sse_starlette import EventSourceResponse, ServerSentEvent

from spanwise.errors import CorpusError, JobNotFoundError, StorageError
from spanwise.server.access import MOST, Session, Sessions
from spanwise.server.server_settings import ServerSettings, digest_of
from spanwise.serving.corpus_library import Library
from spanwise.serving.job_queue import Job
from spanwise.serving.server_tables import ServerTables

_TABLES = (
    "CREATE TABLE server_sessions (id TEXT PRIMARY KEY, token TEXT, names TEXT, until DOUBLE PRECISION)",
    "CREATE TABLE server_jobs (id TEXT PRIMARY KEY, corpus TEXT, worker TEXT, ended INTEGER, stop INTEGER, "
    "record TEXT, began DOUBLE PRECISION)",
    "CREATE TABLE server_figures (worker TEXT PRIMARY KEY, record TEXT, beat INTEGER)",
)
_MOST_JOBS = 2_000
_LISTED_JOBS = 1_000
_LONGEST_HEAD = 100_000
"""Characters of a job's record that are read for the list of jobs; without its rows it has no more."""
_ROWS = ',"rows":['
_WITHOUT_END = 1_000_000_000
_LOOK_SECONDS = 0.25
_DATABASE_LOOK_SECONDS = 1.0
"""The same for a database, where each look is a message to another machine."""
_PROGRESS_SECONDS = 0.5
_FRESH_SECONDS = 2.0
"""Seconds for which a session read from a database is trusted without another look."""
LOST = "the process that did it has ended: do it again"


class Shared:
    """One process's access to the shared state; safe to use from many threads."""

    patience = 15.0
    """Seconds of silence after which another process counts as gone, measured by the observer's own clock."""

    def __init__(self, place: Path | str, worker: int | None = None, *, server: str = "") -> None:
        """Open the shared state, or create it.

        Args:
            place: A file in a private folder, or the URL of a corpus in a database.
            worker: Number of this process; its process id by default.
            server: An id that the processes of one server have in common.
        """
        self._place = place
        self._server = server or secrets.token_hex(8)
        self.worker = self._named(os.getpid() if worker is None else worker)
        self._told: dict[str, tuple[str, float]] = {}
        self._untold: dict[str, tuple[object, ...]] = {}
        self._telling = threading.Lock()
        self._beats: dict[str, tuple[int, float]] = {}
        self._beat = 0
        self._ended = threading.Event()
        self._watching: threading.Thread | None = None
        # Nothing in a file is needed after the server ends.
        self._tables = ServerTables(
            place, _TABLES, "What the processes of this server know together", synchronous="OFF"
        )
        self.rows = self._tables.rows
        self.sessions = SharedSessions(self, 0.0 if isinstance(place, Path) else _FRESH_SECONDS)

    def _named(self, worker: int) -> str:
        return f"{self._server}:{worker}"

    # Jobs ------------------------------------------------------------------------------------------------------------

    def tell(self, corpus: str, job: Job, record: Callable[[Job], str]) -> None:
        """Publish the state of a job of this process; mere progress only now and then."""
        state, at = self._told.get(job.id, ("", 0.0))
        now = time.monotonic()
        if state == job.state and now - at < _PROGRESS_SECONDS:
            return
        self._told[job.id] = job.state, now
        if job.ended:
            self._told.pop(job.id, None)
        self._untold[job.id] = (job.id, corpus, self.worker, int(job.ended), record(job), time.time())
        with suppress(StorageError, CorpusError), self._telling:  # the next look publishes it then; the job goes on
            self._tell()

    def _tell(self) -> None:
        for id_, told in list(self._untold.items()):
            self.rows(
                "INSERT INTO server_jobs VALUES (?, ?, ?, ?, 0, ?, ?) "
                "ON CONFLICT (id) DO UPDATE SET ended = excluded.ended, record = excluded.record",
                told,
            )
            if self._untold.get(id_) is told:
                del self._untold[id_]
            if told[3]:
                self.rows(
                    "DELETE FROM server_jobs WHERE ended = 1 AND id IN "
                    "(SELECT id FROM server_jobs ORDER BY began DESC LIMIT ? OFFSET ?)",
                    (_WITHOUT_END, _MOST_JOBS),
                )

    def job(self, corpus: str, id: str) -> str | None:
        """The last published record of a job of any process; None if there is none."""
        found = self.rows("SELECT record FROM server_jobs WHERE id = ? AND corpus = ?", (id, corpus))
        return str(found[0][0]) if found else None

    def jobs(self, corpus: str) -> list[str]:
        """The records of the jobs of all processes, the newest first, without the rows of extractions."""
        statement = "SELECT substr(record, 1, ?) FROM server_jobs WHERE corpus = ? ORDER BY began DESC, id LIMIT ?"
        return [_without_rows(str(row[0])) for row in self.rows(statement, (_LONGEST_HEAD, corpus, _LISTED_JOBS))]

    def stop_job(self, corpus: str, id: str) -> None:
        """Ask the process that runs a job to cancel it."""
        self.rows("UPDATE server_jobs SET stop = 1 WHERE id = ? AND corpus = ? AND ended = 0", (id, corpus))

    def lost(self, worker: int) -> None:
        """Mark the jobs of a process of this server that is gone as failed."""
        self._lost(self._named(worker))

    def _lost(self, worker: str) -> None:
        for id_, record in self.rows("SELECT id, record FROM server_jobs WHERE worker = ? AND ended = 0", (worker,)):
            told = json.loads(record) | {"state": "failed", "message": LOST}
            statement = "UPDATE server_jobs SET ended = 1, record = ? WHERE id = ? AND ended = 0"
            self.rows(statement, (json.dumps(told), id_))

    # Figures ---------------------------------------------------------------------------------------------------------

    def count(self, record: str) -> None:
        """Publish the metrics of this process, which also shows that it is alive."""
        self._beat += 1
        self.rows(
            "INSERT INTO server_figures VALUES (?, ?, ?) "
            "ON CONFLICT (worker) DO UPDATE SET record = excluded.record, beat = excluded.beat",
            (self.worker, record, self._beat),
        )

    def counted(self) -> list[str]:
        """The metrics of all other processes of this server, ended ones included, so that no counter ever decreases."""
        return [
            str(record)
            for worker, record in self.rows("SELECT worker, record FROM server_figures")
            if worker != self.worker and worker.startswith(f"{self._server}:")
        ]

    def bury(self) -> None:
        """Mark the jobs of processes that have been silent for too long as failed, on whatever machine."""
        now, known = time.monotonic(), self._beats
        rows = self.rows("SELECT worker, beat FROM server_figures WHERE worker <> ?", (self.worker,))
        self._beats = {
            worker: known[worker] if worker in known and known[worker][0] == beat else (beat, now)
            for worker, beat in rows
        }
        for worker, (_, since) in self._beats.items():
            if now - since > self.patience:
                self._lost(worker)
                if not worker.startswith(f"{self._server}:"):
                    self.rows("DELETE FROM server_figures WHERE worker = ?", (worker,))

    # In the background -----------------------------------------------------------------------------------------------

    def watch(self, libraries: Mapping[str, Library], figures: Callable[[], str]) -> None:
        """Start the thread that cancels jobs at the request of other processes and publishes metrics."""

        def look() -> None:
            seconds = _LOOK_SECONDS if isinstance(self._place, Path) else _DATABASE_LOOK_SECONDS
            while not self._ended.wait(seconds):
                with suppress(StorageError, CorpusError):
                    self.count(figures())
                    with self._telling:
                        self._tell()
                    self.bury()
                    for id_, corpus in self.rows(
                        "SELECT id, corpus FROM server_jobs WHERE stop = 1 AND ended = 0 AND worker = ?", (self.worker,)
                    ):
                        with suppress(JobNotFoundError, KeyError):
                            libraries[str(corpus)].jobs.cancel(str(id_))

        self._watching = threading.Thread(target=look, name="shared", daemon=True)
        self._watching.start()

    def close(self) -> None:
        """Stop the thread and close the tables."""
        self._ended.set()
        if self._watching is not None:
            self._watching.join(5)
        self._tables.close()


def _without_rows(record: str) -> str:
    """The record of a job, or its beginning, without its rows, which come last and may be a hundred megabytes."""
    head, rows, _ = record.partition(_ROWS)  # a quotation mark within a text is escaped, so this is no text
    return f'{head},"rows":null}}' if rows else record


class SharedSessions(Sessions):
    """Sessions that every process knows; again only the digest of an id is stored."""

    def __init__(self, shared: Shared, fresh: float) -> None:
        super().__init__(clock=time.time)
        self._shared = shared
        self._fresh = fresh
        self._looked: dict[str, float] = {}

    def __len__(self) -> int:
        return int(self._shared.rows("SELECT count(*) FROM server_sessions")[0][0])

    def begin(self, token: str, names: frozenset[str]) -> str:
        """Begin a session for a valid token; returns its id, which cannot be guessed."""
        made = super().begin(token, names)
        session = self._open.pop(digest_of(made))
        self._shared.rows("DELETE FROM server_sessions WHERE until <= ?", (self._clock(),))
        self._shared.rows(
            "DELETE FROM server_sessions WHERE id IN "
            "(SELECT id FROM server_sessions ORDER BY until DESC LIMIT ? OFFSET ?)",
            (_WITHOUT_END, MOST - 1),
        )
        self._shared.rows(
            "INSERT INTO server_sessions VALUES (?, ?, ?, ?)",
            (digest_of(made), session.token, json.dumps(sorted(names)), session.until),
        )
        return made

    def find(self, id: str) -> Session | None:
        """The session with that id; None if there is none, or it has ended."""
        digest, now = digest_of(id), time.monotonic()
        if digest in self._open and now - self._looked[digest] < self._fresh:
            return super().find(id)
        found = self._shared.rows("SELECT token, names, until FROM server_sessions WHERE id = ?", (digest,))
        self._forget_old()
        if not found:
            self._open.pop(digest, None)
            return None
        token, names, until = found[0]
        self._open[digest] = Session(str(token), frozenset(json.loads(str(names))), float(until))
        self._looked = {one: at for one, at in self._looked.items() if one in self._open} | {digest: now}
        return super().find(id)

    def end(self, id: str) -> None:
        """Delete a session."""
        super().end(id)
        self._shared.rows("DELETE FROM server_sessions WHERE id = ?", (digest_of(id),))

    def clear(self) -> None:
        """Do nothing, as other processes still use the sessions."""


MEDIA_TYPE = "text/event-stream"
EVENTS: dict[str, Any] = {"description": "Server-sent events", "content": {MEDIA_TYPE: {"schema": {"type": "string"}}}}
_SEND_SECONDS = 30.0
_WORDS_SECONDS = 1.0
"""Seconds for the last event of a stream whose question was cancelled."""


def json_text(value: BaseModel, *, exclude_none: bool = False) -> str:
    """A record as JSON; a lone surrogate becomes an escape."""
    try:
        return value.model_dump_json(exclude_none=exclude_none)
    except PydanticSerializationError:
        return json.dumps(value.model_dump(exclude_none=exclude_none), allow_nan=False)


class AnyJSON(JSONResponse):
    """A response with JSON values that may contain lone surrogates."""

    def render(self, content: object) -> bytes:
        """The content as UTF-8, or as ASCII with escapes where that is impossible."""
        try:
            return super().render(content)
        except UnicodeEncodeError:
            return json.dumps(content, allow_nan=False, separators=(",", ":")).encode()


def event(name: str, value: BaseModel) -> dict[str, str]:
    """A server-sent event of that name."""
    return {"event": name, "data": json_text(value)}


def stream(events: AsyncIterator[dict[str, str]], settings: ServerSettings) -> EventSourceResponse:
    """A response that sends events as they come, and a comment at intervals while there are none."""
    return EventSourceResponse(
        events,
        ping=settings.heartbeat_seconds,
        ping_message_factory=lambda: ServerSentEvent(comment="still here", sep="\n"),
        sep="\n",
        send_timeout=_SEND_SECONDS,
        shutdown_grace_period=settings.grace_seconds + _WORDS_SECONDS,
    )
