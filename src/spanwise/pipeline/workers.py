"""Reading files in processes of their own: one that dies or hangs costs its file, never the others or the caller.

Each worker is a plain child process that is sent one path at a time, so the main module of the caller is not imported
again (no `__main__` guard is needed), and it is always known which file a worker died of.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import IO, TypeAlias

from spanwise.errors import SpanwiseError
from spanwise.readers.port import Limits
from spanwise.readers.registry import read
from spanwise.store.codec import Record, encode

# A worker starts anew after so many files: libraries for hostile formats leak now and then.
_FILES_A_WORKER = 500
# A reader ends by itself at its time limit; this is for one that a library holds fast.
_GRACE_SECONDS = 30.0
_COMMAND = "from spanwise.pipeline.workers import serve; serve()"


@dataclass(frozen=True, slots=True)
class Job:
    """A file to read."""

    path: str
    name: str
    password: str | None = None
    limits: Limits = field(default_factory=Limits)


@dataclass(frozen=True, slots=True)
class Failure:
    """A file that could not be read."""

    path: str
    message: str
    """One sentence that says what is wrong and what to do."""
    error: str
    """Name of the error's type, for example `PasswordError`."""


Outcome: TypeAlias = Record | Failure


def read_job(job: Job) -> Outcome:
    """Read one file, here."""
    try:
        return encode(read(job.path, name=job.name, password=job.password, limits=job.limits))
    except SpanwiseError as error:
        return Failure(job.path, str(error), type(error).__name__)
    except Exception as error:  # noqa: BLE001 - the border between one file and all the others
        return Failure(job.path, f"{job.name} could not be read ({type(error).__name__}: {error}).", "DocumentError")


def read_all(jobs: Sequence[Job], workers: int) -> Iterator[tuple[Job, Outcome]]:
    """Read files in `workers` processes and give each as soon as it is there, in no order.

    Few results wait at a time: a reader that is faster than who takes them is held up.
    """
    waiting: queue.SimpleQueue[Job] = queue.SimpleQueue()
    for job in jobs:
        waiting.put(job)
    done: queue.Queue[tuple[Job, Outcome]] = queue.Queue(maxsize=workers)
    hands = [_Hand(waiting, done) for _ in range(min(workers, len(jobs)))]
    for hand in hands:
        hand.start()
    try:
        for _ in jobs:
            yield done.get()
    finally:
        for hand in hands:
            hand.stop()


def serve() -> None:
    """Be a worker: read jobs from the standard input until it ends, and write what came of them."""
    # Ctrl-C goes to the whole group; the parent decides what becomes of its workers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _bound_memory(sys.argv[1:])
    requests = sys.stdin.buffer
    # Whatever a library prints must not get into the answers.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    while True:
        try:
            job: Job = pickle.load(requests)  # noqa: S301 - from the parent
            pickle.dump(read_job(job), answers, protocol=pickle.HIGHEST_PROTOCOL)
            answers.flush()
        except (EOFError, BrokenPipeError):  # The parent is done, or dead.
            return


def _bound_memory(arguments: Sequence[str]) -> None:
    """Hold this process to the bytes that its first argument says, where the system can."""
    with contextlib.suppress(ImportError, OSError):
        import resource

        for most in map(int, arguments[:1]):
            resource.setrlimit(resource.RLIMIT_AS, (most, most))


class ReadingProcess:
    """A process that reads one file at a time, started when it is first needed and replaced when it dies."""

    def __init__(self, memory: int | None = None) -> None:
        """Nothing is started yet.

        Args:
            memory: Bytes that it may ask for, where the system can hold it to that; who needs more dies.
        """
        self._memory = memory
        self._stopped = threading.Event()
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._served = 0

    def stop(self) -> None:
        """End at once; what is being read is dropped, and nothing more is read."""
        self._stopped.set()
        self.dismiss()

    def read(self, job: Job, unwanted: Callable[[], bool] = lambda: False) -> Outcome:
        """Read one file there; a process that dies or takes too long is a failure of the file.

        Args:
            job: The file.
            unwanted: Whether nobody waits for it any more. Who dismisses the process before it was started for this
                file would find none, and the file would be read to its end.
        """
        late, over = threading.Event(), threading.Event()
        turn = threading.Lock()

        def give_up() -> None:
            with turn:
                if not over.is_set():  # else the process reads the next file by now
                    late.set()
                    self.dismiss()

        seconds = job.limits.seconds + _GRACE_SECONDS
        clock = threading.Timer(seconds, give_up)
        clock.daemon = True
        clock.start()
        try:
            requests, answers = self._worker(unwanted)
            pickle.dump(job, requests)
            requests.flush()
            outcome: Outcome = pickle.load(answers)  # noqa: S301 - from our own child
        except (OSError, EOFError, ValueError, pickle.UnpicklingError):
            self.dismiss()
            why = (
                f"took longer than {seconds:.0f} seconds to read; split it"
                if late.is_set()
                else "ended the process that read it (out of memory, or a damaged file); split it, or save it again"
            )
            return Failure(job.path, f"{job.name} {why}.", "LimitError")
        else:
            return outcome
        finally:
            clock.cancel()
            with turn:
                over.set()

    def dismiss(self) -> None:
        """End the process at once; the next file gets a new one."""
        with self._lock:
            process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                with contextlib.suppress(OSError):  # What was not sent to it can be sent no more.
                    if pipe is not None:
                        pipe.close()

    def _worker(self, unwanted: Callable[[], bool]) -> tuple[IO[bytes], IO[bytes]]:
        """The pipes to and from a living worker."""
        if self._served >= _FILES_A_WORKER:
            self.dismiss()
        with self._lock:
            if self._stopped.is_set() or unwanted():
                raise EOFError
            if self._process is None:
                self._process = subprocess.Popen(  # noqa: S603 - our own interpreter and code
                    [sys.executable, "-c", _COMMAND, *([] if self._memory is None else [str(self._memory)])],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
                )
                self._served = 0
            self._served += 1
            requests, answers = self._process.stdin, self._process.stdout
        if requests is None or answers is None:
            raise EOFError
        return requests, answers


class _Hand(threading.Thread):
    """Feeds one process from the queue of files."""

    def __init__(self, waiting: queue.SimpleQueue[Job], done: queue.Queue[tuple[Job, Outcome]]) -> None:
        super().__init__(daemon=True)
        self._waiting = waiting
        self._done = done
        self._stopped = threading.Event()
        self._process = ReadingProcess()

    def run(self) -> None:
        while not self._stopped.is_set():
            try:
                job = self._waiting.get_nowait()
            except queue.Empty:
                break
            outcome = self._process.read(job)
            while not self._stopped.is_set():
                try:
                    self._done.put((job, outcome), timeout=0.2)
                    break
                except queue.Full:
                    continue
        self._process.dismiss()

    def stop(self) -> None:
        """End at once; what the worker is reading is dropped."""
        self._stopped.set()
        self._process.stop()
