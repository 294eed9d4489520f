"""What the worker processes of one server know together, in an SQLite file: sessions, jobs, what each has counted."""

from __future__ import annotations

import json
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from spanwise.errors import JobNotFoundError
from spanwise.server.sessions import LONGEST, MOST, Session, Sessions
from spanwise.server.settings import digest_of
from spanwise.serving.corpus_library import Library
from spanwise.serving.jobs import Job

_TABLES = """
CREATE TABLE IF NOT EXISTS sessions (id TEXT PRIMARY KEY, token TEXT, names TEXT, until REAL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS jobs (
    id TEXT PRIMARY KEY, corpus TEXT, worker INTEGER, ended INTEGER, stop INTEGER, record TEXT, at REAL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS counted (worker INTEGER PRIMARY KEY, record TEXT);
"""
_MOST_JOBS = 2_000
_LOOK_SECONDS = 0.25
_PROGRESS_SECONDS = 0.5
LOST = "the worker process that did it has ended: do it again"


class Shared:
    """One worker's view of it; safe to use from many threads. The file goes with the server."""

    def __init__(self, path: Path, worker: int | None = None) -> None:
        """Open the file, or make it.

        Args:
            path: The file, in a folder that nobody else reads.
            worker: The number of this process; its own id by default.
        """
        self.worker = os.getpid() if worker is None else worker
        self._lock = threading.Lock()
        self._database = sqlite3.connect(path, timeout=10, isolation_level=None, check_same_thread=False)
        self._database.execute("PRAGMA journal_mode = WAL")
        self._database.execute("PRAGMA synchronous = OFF")  # nothing of it outlives the server
        self._database.executescript(_TABLES)
        self._told: dict[str, tuple[str, float]] = {}
        self._ended = threading.Event()
        self._watching: threading.Thread | None = None
        self.sessions = SharedSessions(self)

    def rows(self, statement: str, values: tuple[object, ...] = ()) -> list[tuple[object, ...]]:
        """Run one statement."""
        with self._lock:
            return self._database.execute(statement, values).fetchall()

    # Jobs ------------------------------------------------------------------------------------------------------------

    def tell(self, corpus: str, job: Job, record: Callable[[Job], str]) -> None:
        """Let the others know how a job of this process is; of mere progress only now and then."""
        state, at = self._told.get(job.id, ("", 0.0))
        now = time.monotonic()
        if state == job.state and now - at < _PROGRESS_SECONDS:
            return
        self._told[job.id] = job.state, now
        if job.ended:
            self._told.pop(job.id, None)
        self.rows(
            "INSERT INTO jobs VALUES (?, ?, ?, ?, 0, ?, ?) "
            "ON CONFLICT (id) DO UPDATE SET ended = excluded.ended, record = excluded.record, at = excluded.at",
            (job.id, corpus, self.worker, job.ended, record(job), now),
        )
        if job.ended:
            self.rows(
                "DELETE FROM jobs WHERE ended AND id IN (SELECT id FROM jobs ORDER BY at DESC LIMIT -1 OFFSET ?)",
                (_MOST_JOBS,),
            )

    def job(self, corpus: str, id: str) -> str | None:
        """A job of whatever process, as it was told last."""
        found = self.rows("SELECT record FROM jobs WHERE id = ? AND corpus = ?", (id, corpus))
        return str(found[0][0]) if found else None

    def stop_job(self, corpus: str, id: str) -> None:
        """Ask the process that does a job to stop it."""
        self.rows("UPDATE jobs SET stop = 1 WHERE id = ? AND corpus = ? AND NOT ended", (id, corpus))

    def lost(self, worker: int) -> None:
        """End the jobs and the figures of a process that is gone."""
        for id_, record in self.rows("SELECT id, record FROM jobs WHERE worker = ? AND NOT ended", (worker,)):
            told = json.loads(str(record)) | {"state": "failed", "message": LOST}
            self.rows("UPDATE jobs SET ended = 1, record = ? WHERE id = ?", (json.dumps(told), id_))

    # Figures ---------------------------------------------------------------------------------------------------------

    def count(self, record: str) -> None:
        """Let the others know what this process has counted."""
        self.rows("INSERT OR REPLACE INTO counted VALUES (?, ?)", (self.worker, record))

    def counted(self) -> list[str]:
        """What every other process has counted; those that are gone too, so that no counter ever falls."""
        return [str(row[0]) for row in self.rows("SELECT record FROM counted WHERE worker <> ?", (self.worker,))]

    # In the background -----------------------------------------------------------------------------------------------

    def watch(self, libraries: Mapping[str, Library], figures: Callable[[], str]) -> None:
        """Begin to stop jobs that others ask to stop, and to tell what was counted."""

        def look() -> None:
            while not self._ended.wait(_LOOK_SECONDS):
                with suppress(sqlite3.Error):
                    self.count(figures())
                    for id_, corpus in self.rows(
                        "SELECT id, corpus FROM jobs WHERE stop AND NOT ended AND worker = ?", (self.worker,)
                    ):
                        with suppress(JobNotFoundError, KeyError):
                            libraries[str(corpus)].jobs.cancel(str(id_))

        self._watching = threading.Thread(target=look, name="shared", daemon=True)
        self._watching.start()

    def close(self) -> None:
        """Let go of the file."""
        self._ended.set()
        if self._watching is not None:
            self._watching.join(5)
        with self._lock:
            self._database.close()


class SharedSessions(Sessions):
    """Sessions that every worker process knows; as before, an id itself is not kept."""

    def __init__(self, shared: Shared) -> None:
        super().__init__()
        self._shared = shared

    def __len__(self) -> int:
        return int(str(self._shared.rows("SELECT count(*) FROM sessions")[0][0]))

    def begin(self, token: str, names: frozenset[str]) -> str:
        """Begin a session for a token that is known to open these corpora; its id, which cannot be guessed."""
        made = super().begin(token, names)
        session = self._open.pop(digest_of(made))
        now = time.monotonic()
        self._shared.rows("DELETE FROM sessions WHERE until <= ?", (now,))
        self._shared.rows(
            "DELETE FROM sessions WHERE id IN (SELECT id FROM sessions ORDER BY until DESC LIMIT -1 OFFSET ?)",
            (MOST - 1,),
        )
        self._shared.rows(
            "INSERT INTO sessions VALUES (?, ?, ?, ?)",
            (digest_of(made), session.token, json.dumps(sorted(names)), now + LONGEST),
        )
        return made

    def find(self, id: str) -> Session | None:
        """The session of an id, if it is still open."""
        found = self._shared.rows(
            "SELECT token, names, until FROM sessions WHERE id = ? AND until > ?", (digest_of(id), time.monotonic())
        )
        if not found:
            return None
        token, names, until = found[0]
        return Session(str(token), frozenset(json.loads(str(names))), float(str(until)))

    def end(self, id: str) -> None:
        """Forget a session."""
        self._shared.rows("DELETE FROM sessions WHERE id = ?", (digest_of(id),))

    def clear(self) -> None:
        """Nothing: the other processes go on; the file goes with the server."""
