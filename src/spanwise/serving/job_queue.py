"""Background jobs (reading uploads, extracting), which can be watched and cancelled."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from spanwise.errors import BusyError, JobNotFoundError, SpanwiseError, WorkStoppedError
from spanwise.extraction.value_rows import Row
from spanwise.serving.cancellation import Stop
from spanwise.serving.corpus_limits import Limits
from spanwise.serving.entries import Entry

JobKind: TypeAlias = Literal["ingest", "extract"]
JobState: TypeAlias = Literal["waiting", "running", "done", "failed", "cancelled"]
Progress: TypeAlias = Callable[[int, int, str], None]
"""Called with the number of steps done, the total, and a description of the next step."""
Work: TypeAlias = Callable[[Progress, Stop], "Entry | Sequence[Row]"]
Watcher: TypeAlias = "Callable[[Job], None]"

ENDED: tuple[JobState, ...] = ("done", "failed", "cancelled")
_KEPT = 1_000
_KEPT_EXTRACTIONS = 20


@dataclass(frozen=True, slots=True)
class Job:
    """The state of a job at one moment."""

    id: str
    kind: JobKind
    state: JobState = "waiting"
    done: int = 0
    total: int = 0
    message: str = "waiting"
    name: str | None = None
    """Name of the document that is read."""
    document: Entry | None = None
    """The resulting document of an ingest."""
    error: Exception | None = None
    """Why it failed; None if it did not."""
    rows: tuple[Row, ...] | None = None
    """The resulting rows of an extraction."""

    @property
    def ended(self) -> bool:
        """True if its state is final."""
        return self.state in ENDED


@dataclass(slots=True)
class _Running:
    job: Job
    weight: int
    stop: Stop = field(default_factory=Stop)
    future: Future[None] | None = None
    watchers: list[Watcher] = field(default_factory=list)


class Jobs:
    """The jobs of one corpus, on threads of their own; the newest finished ones are remembered."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._lock = threading.RLock()
        self._jobs: dict[str, _Running] = {}
        self.told: Callable[[Job], None] | None = None
        """Called with every new job and after each change, to inform other processes of the same server."""
        self.changes = 0
        """Counts the changes of all jobs."""
        self._pools = {
            "ingest": ThreadPoolExecutor(limits.readers, thread_name_prefix="ingest"),
            "extract": ThreadPoolExecutor(1, thread_name_prefix="extract"),
        }

    def start(
        self,
        kind: JobKind,
        work: Work,
        *,
        name: str | None = None,
        weight: int = 0,
        dropped: Callable[[], None] = lambda: None,
    ) -> Job:
        """Queue a job.

        Args:
            kind: The kind of job.
            work: Called in a thread; its return value or exception is the outcome.
            name: Name of the document that is read.
            weight: Bytes that it occupies while it waits.
            dropped: Called if the job is not run at all.

        Raises:
            BusyError: Too many jobs, or too many bytes, are waiting.
            WorkStoppedError: The server is stopping.
        """
        with self._lock:
            going = [one for one in self._jobs.values() if not one.job.ended]
            if (
                len(going) >= self._limits.waiting_jobs
                or sum(one.weight for one in going) + weight > self._limits.waiting_bytes
            ):
                dropped()
                raise BusyError("Too many uploads are waiting to be read: try again when some are done.")
            running = _Running(Job(secrets.token_hex(8), kind, name=name), weight)
            self._jobs[running.job.id] = running
            self._forget_old()
            try:
                running.future = self._pools[kind].submit(self._run, running, work, dropped)
            except RuntimeError:  # the pool is closed
                del self._jobs[running.job.id]
                dropped()
                raise WorkStoppedError("The server is stopping: try again when it is back.") from None
            if self.told is not None:
                self.told(running.job)
            running.future.add_done_callback(lambda future: dropped() if future.cancelled() else None)
            return running.job

    def get(self, id: str) -> Job:
        """The current state of a job; raises `JobNotFoundError`."""
        return self._running(id).job

    def cancel(self, id: str) -> Job:
        """Cancel a job; a finished one is left as it is."""
        return self._cancel(self._running(id))

    def all(self) -> tuple[Job, ...]:
        """The remembered jobs, the newest first."""
        with self._lock:
            return tuple(one.job for one in reversed(self._jobs.values()))

    def watch(self, id: str, watcher: Watcher) -> Callable[[], None]:
        """Call `watcher` with the job now and after each change, from any thread; returns a function that ends that."""
        running = self._running(id)
        with self._lock:
            watcher(running.job)
            running.watchers.append(watcher)

        def unwatch() -> None:
            with self._lock, suppress(ValueError):
                running.watchers.remove(watcher)

        return unwatch

    def stop(self) -> None:
        """Cancel all jobs and accept no more."""
        for pool in self._pools.values():
            pool.shutdown(wait=False)
        with self._lock:  # after the shutdown, so that a job that is just being started is not missed
            going = [running for running in self._jobs.values() if not running.job.ended]
        for running in going:
            self._cancel(running)

    def close(self) -> None:
        """Cancel all jobs and wait for them to end."""
        self.stop()
        for pool in self._pools.values():
            pool.shutdown(wait=True)

    def _run(self, running: _Running, work: Work, dropped: Callable[[], None]) -> None:
        def advance(done: int, total: int, message: str) -> None:
            self._change(running, done=done, total=total, message=message)

        try:
            if running.stop.asked:  # in the moment between being taken up and here
                dropped()
            running.stop.check()
            self._change(running, state="running", message="started")
            outcome = work(advance, running.stop)
        except WorkStoppedError:
            self._change(running, state="cancelled", message="cancelled")
        except SpanwiseError as error:
            self._change(running, state="failed", message="failed", error=error)
        except Exception as error:  # noqa: BLE001  # the border between one job and the server
            self._change(running, state="failed", message="failed", error=error)
        else:
            done = {"done": max(running.job.done, running.job.total), "message": "done"}
            if isinstance(outcome, Entry):
                self._change(running, state="done", document=outcome, **done)
            else:
                self._change(running, state="done", rows=tuple(outcome), **done)

    def _cancel(self, running: _Running) -> Job:
        running.stop.ask()
        if running.future is not None and running.future.cancel():
            self._change(running, state="cancelled", message="cancelled")
        return running.job

    def _change(self, running: _Running, **changes: object) -> None:
        with self._lock:
            running.job = replace(running.job, **changes)  # type: ignore[arg-type]
            self.changes += 1
            for watcher in list(running.watchers):
                watcher(running.job)
            if self.told is not None:
                self.told(running.job)

    def _running(self, id: str) -> _Running:
        with self._lock:
            running = self._jobs.get(id)
        if running is None:
            raise JobNotFoundError(f"There is no job {id[:64]!r}; those of an earlier run of the server are forgotten.")
        return running

    def _forget_old(self) -> None:
        ended = [running.job for running in self._jobs.values() if running.job.ended]
        extractions = [job for job in ended if job.kind == "extract"]
        for old in {job.id for job in (*ended[:-_KEPT], *extractions[:-_KEPT_EXTRACTIONS])}:
            del self._jobs[old]
