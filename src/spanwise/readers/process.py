"""Reading files in separate processes: one that crashes, hangs or needs too much memory costs only its own file.

Each process is a plain child that gets one job at a time. So the caller's main module is not imported again (no
`__main__` guard is needed), and it is always known which file a process died of. What it sends back is checked data
(`wire`), never code. Processes are reused for further files, and end with this one, however it ends.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from typing import IO, Final, TypeAlias, TypeVar

from spanwise import errors
from spanwise.readers import wire
from spanwise.readers.bounds import cores
from spanwise.readers.members import file_of
from spanwise.readers.port import Failure, Job, Limits, Outcome, PageProgress

T = TypeVar("T")

OVER_MEMORY: Final = 86
"""Exit status of a process that took too much memory where the kernel does not enforce that limit."""
_FILES_A_PROCESS = 500
"""Files after which a process is replaced: libraries for hostile formats leak now and then."""
_GRACE_SECONDS = 10.0
"""Seconds after its time limit until a process is killed that could not end itself."""
_START_SECONDS = 60.0
_OUT_OF_MEMORY = ("SIGABRT", "SIGTRAP", "SIGILL")
"""Signals by which C and C++ libraries end the process when they get no memory."""
_LEAST_ANSWER = 64 * 1024 * 1024
"""Bytes that may come back in any case: a lower limit of memory applies to the reading."""
_MOST_PROCESSES = 4
"""Most processes for one document: beyond that, the work that is not split by pages takes most of the time."""
_SHORT_TEXT = {".txt", ".text", ".csv", ".log"}
"""Suffixes of files that are mostly read without another process."""
_COMMAND = "from spanwise.readers.child import serve; serve()"


class ReadingProcess:
    """A child process that does one job at a time; it is started when first needed and replaced when it dies."""

    def __init__(self) -> None:
        """Prepare; nothing is started yet."""
        self._stopped = threading.Event()
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._greeted = False
        self._served = 0

    def start(self, suffixes: Sequence[str]) -> None:
        """Start the process ahead of time, with the readers for `suffixes` loaded."""
        with contextlib.suppress(OSError, EOFError):
            self._living(lambda: False, suffixes)

    def stop(self) -> None:
        """End the process at once and for good; a file that is being read is dropped."""
        self._stopped.set()
        self.dismiss()

    def read(
        self, job: Job, unwanted: Callable[[], bool] = lambda: False, progress: PageProgress | None = None
    ) -> Outcome:
        """Read one file; a process that dies, sends invalid data or takes too long is a failure of the file.

        `unwanted` is asked before a process is started, and True cancels the job: a `dismiss` before that moment finds
        no process to end. `progress` is called with the pages recognised.
        """
        return self._done(job, _record, unwanted, progress)

    def make(self, job: Job) -> bytes | Failure:
        """The bytes that the function of the job returns for its file, or the failure."""
        return self._done(job, _bytes, lambda: False)

    def dismiss(self) -> None:
        """End the process at once; the next file gets a new one."""
        self._end()

    def _done(
        self,
        job: Job,
        receive: Callable[[Job, wire.Incoming], T | Failure],
        unwanted: Callable[[], bool],
        progress: PageProgress | None = None,
    ) -> T | Failure:
        late = threading.Event()
        job = replace(job, limits=job.limits.of_size(_size(job)))
        try:
            requests, answers = _pipes(self._living(unwanted))
            incoming = wire.Incoming(answers, max(job.limits.memory, _LEAST_ANSWER))
            if not self._greeted:
                with self._ending_after(_START_SECONDS, late):
                    incoming.frame()
                self._greeted = True
            with self._ending_after(job.limits.seconds + _GRACE_SECONDS, late) as begin_anew:
                incoming.told = _Recognising(job.limits, begin_anew, progress).told
                wire.send_json(requests, wire.ASKED, job.to_json())
                wire.send_bytes(requests, job.data or b"")
                wire.send(requests, wire.END, b"")
                requests.flush()
                import_module("spanwise.readers.received")  # it takes a moment, and the process reads meanwhile
                made = receive(job, incoming)
        except (OSError, EOFError, ValueError, wire.GoneError) as error:  # ValueError: another thread closed the pipe
            greeted, status = self._greeted, self._end()
            return _died(job, status, late.is_set()) if greeted else _not_started(job, status, error)
        except wire.WireError as error:
            self._end()
            message = (
                f"{job.name} was not taken: the process that read it sent {error}, as a file does that attacks it."
            )
            return Failure(job.path, message, "DamagedDocumentError")
        except BaseException:  # Ctrl-C: nobody knows how far the process is.
            self._end()
            raise
        if incoming.worn:
            self._end()
        return made

    @contextmanager
    def _ending_after(self, seconds: float, late: threading.Event) -> Iterator[Callable[[], None]]:
        """End the process if the block takes more than `seconds`; yields a function that restarts the time."""
        over, turn = threading.Event(), threading.Lock()
        clocks: list[threading.Timer] = []

        def give_up() -> None:
            with turn:
                # Otherwise the process already reads the next file, or the time was restarted.
                if not over.is_set() and threading.current_thread() is clocks[-1]:
                    late.set()
                    self._end()

        def begin() -> None:
            with turn:
                for clock in clocks:
                    clock.cancel()
                clocks[:] = [threading.Timer(seconds, give_up)]
                clocks[0].daemon = True
                clocks[0].start()

        begin()
        try:
            yield begin
        finally:
            with turn:
                over.set()
                clocks[0].cancel()

    def _end(self) -> int | None:
        """End the process and return its exit status; None if there was none, or another thread ends it."""
        with self._lock:
            process, self._process = self._process, None
        if process is None:
            return None
        _kill(process)
        status = process.wait()
        for pipe in (process.stdin, process.stdout):
            with contextlib.suppress(OSError):  # Closing flushes what can no longer be sent.
                if pipe is not None:
                    pipe.close()
        return status

    def _living(self, unwanted: Callable[[], bool], suffixes: Sequence[str] = ()) -> subprocess.Popen[bytes]:
        """The running process, or a new one; raises `EOFError` if it was stopped or is unwanted."""
        before = self._process
        if before is not None and (self._served >= _FILES_A_PROCESS or before.poll() is not None):
            self._end()
        with self._lock:
            if self._stopped.is_set() or unwanted():
                raise EOFError
            if self._process is None:
                self._process = _started(suffixes)
                self._greeted, self._served = False, 0
            self._served += 1
            return self._process


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and those that it started, such as one that recognises a page."""
    if process.returncode is None and hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()


class _Recognising:
    """Progress reports of text recognition: each gives the process more time, within the document's limits."""

    def __init__(self, limits: Limits, begin_anew: Callable[[], None], progress: PageProgress | None) -> None:
        self._limits = limits
        self._begin_anew = begin_anew
        self._progress = progress
        self._until = time.monotonic() + limits.seconds + limits.recognition_seconds
        self._done = 0

    def told(self, done: int, total: int) -> None:
        """Take one report; raises `WireError` if it cannot be true."""
        if not self._done < done <= total <= self._limits.recognised_pages:
            raise wire.WireError("pages that were never asked for")
        self._done = done
        if time.monotonic() < self._until:
            self._begin_anew()
        if self._progress is not None:
            self._progress(done, total)


def start_problem() -> str | None:
    """Why reading processes cannot start, as Python's error message; None if they can."""
    try:
        command = [sys.executable, "-P", "-c", "import spanwise.readers.child"]
        done = subprocess.run(  # noqa: S603 - our own interpreter and code
            command, capture_output=True, text=True, check=False, timeout=_START_SECONDS, env=_environment()
        )
    except (OSError, subprocess.SubprocessError) as error:
        return str(error)
    return None if done.returncode == 0 else (done.stderr.strip().splitlines() or ["it was ended"])[-1]


def _environment() -> dict[str, str]:
    places = (os.path.abspath(place) for place in sys.path if place)
    return {**os.environ, "PYTHONPATH": os.pathsep.join(places), "MALLOC_ARENA_MAX": "1"}


def _started(suffixes: Sequence[str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(  # noqa: S603 - our own interpreter and code
        # -P: a json.py in the documents' folder must not be imported.
        [sys.executable, "-P", "-c", _COMMAND, *suffixes],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,  # what libraries print about hostile files interests nobody
        env=_environment(),
        start_new_session=True,  # so that what it starts can be ended with it
    )


def _size(job: Job) -> int:
    try:
        return len(job.data) if job.data is not None else os.stat(file_of(job.path)).st_size
    except (OSError, ValueError):
        return 0


def _pipes(process: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes]]:
    if process.stdin is None or process.stdout is None:
        raise EOFError
    return process.stdin, process.stdout


def _record(job: Job, incoming: wire.Incoming) -> Outcome:
    from spanwise.readers.received import Assembly

    kind, content = incoming.frame()
    if kind != wire.DOCUMENT:
        return _failure(job, kind, content, incoming)
    assembly = Assembly(content, job.name)
    while True:
        kind, content = incoming.frame()
        if kind == wire.END:
            incoming.ended(content)
            return assembly.record()
        if kind == wire.FAILED:
            return _failure(job, kind, content, incoming)
        assembly.take(kind, content)


def _bytes(job: Job, incoming: wire.Incoming) -> bytes | Failure:
    parts: list[bytes] = []
    while True:
        kind, content = incoming.frame()
        if kind == wire.END:
            incoming.ended(content)
            return b"".join(parts)
        if kind != wire.BYTES:
            return _failure(job, kind, content, incoming)
        parts.append(content)


def _failure(job: Job, kind: bytes, content: bytes, incoming: wire.Incoming) -> Failure:
    """The failure in a frame, which must be the last of its answer."""
    from spanwise.readers.received import failure_from

    error, message = failure_from(kind, content)
    kind, content = incoming.frame()
    if kind != wire.END:
        raise wire.WireError("more than a failure")
    incoming.ended(content)
    known = getattr(errors, error, None)
    named = isinstance(known, type) and issubclass(known, errors.DocumentError | errors.InputError)
    return Failure(job.path, message, error if named or error == "ImportError" else "DocumentError")


def _died(job: Job, status: int | None, late: bool) -> Failure:
    """The failure of a file whose process died, worded by how it died."""
    limits = job.limits
    advice = "split it, save it again in a simpler form, or raise the limit"
    ended = "" if status is None or status >= 0 else signal.Signals(-status).name
    if late or ended == "SIGALRM":
        why = f"takes longer than {limits.seconds:g} seconds to read: {advice} (Limits.seconds) if you trust it"
    elif ended == "SIGXCPU":
        why = (
            f"takes more than {limits.cpu_seconds:g} seconds of processor time to read: {advice} (Limits.cpu_seconds) "
            "if you trust it"
        )
    elif status == OVER_MEMORY:
        why = f"needs more than {limits.memory:,} bytes of memory to read: {advice} (Limits.memory) if you trust it"
    elif ended in _OUT_OF_MEMORY:
        why = (
            f"needs more than {limits.memory:,} bytes of memory to read, or is damaged: {advice} (Limits.memory) if "
            "you trust it"
        )
    elif ended == "SIGKILL":
        why = "was not read: the process that read it was killed, as the system does when memory is short; try it again"
    else:
        why = (
            "is damaged, or nested too deep for the library that reads it, which broke down: save it again with the "
            "program that made it"
        )
    return Failure(job.path, f"{job.name} {why}.", "LimitError")


def _not_started(job: Job, status: int | None, error: Exception) -> Failure:
    why = f"status {status}" if status is not None else getattr(error, "strerror", None) or "it was stopped"
    message = f"{job.name} was not read: the process that reads files does not start ({why}); run spanwise doctor."
    return Failure(job.path, message, "DocumentError")


class _Pool:
    """Idle reading processes, kept for the next file."""

    def __init__(self) -> None:
        self._most = max(2, os.cpu_count() or 1)
        self._of_the_parent: list[object] = []
        self._start()

    def _start(self) -> None:
        self._turn = threading.BoundedSemaphore(self._most)
        self._lock = threading.Lock()
        self._idle: list[ReadingProcess] = []
        self._all: set[ReadingProcess] = set()

    def leave_to_parent(self) -> None:
        """Begin anew after a fork: parent and child must not write into the same pipes."""
        self._of_the_parent.append(self._all)
        self._start()

    @contextmanager
    def taken(self, *, wait: bool = False) -> Iterator[ReadingProcess]:
        """Lend a process to one caller; with `wait`, no more than the pool's limit are lent at a time."""
        with self._turn if wait else contextlib.nullcontext():
            with self._lock:
                process = self._idle.pop() if self._idle else ReadingProcess()
                self._all.add(process)
            try:
                yield process
            finally:
                with self._lock:
                    kept = len(self._idle) < self._most
                    if kept:
                        self._idle.append(process)
                    else:
                        self._all.discard(process)
                if not kept:
                    process.stop()

    def stop(self) -> None:
        with self._lock:
            processes, self._all = self._all, set()
            self._idle.clear()
        for process in processes:
            process.stop()


_pool = _Pool()
"""The pool of this process, shared by all callers."""
atexit.register(_pool.stop)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.leave_to_parent)


def start_early(paths: Sequence[str]) -> None:
    """Start the process that will read `paths`, while the caller is still loading its own modules."""
    suffixes = {os.path.splitext(path)[1].lower() for path in paths}
    if suffixes - _SHORT_TEXT:
        with _pool.taken() as process:
            process.start(sorted(suffixes))


def read_elsewhere(job: Job, progress: PageProgress | None = None) -> Outcome:
    """Read one file in a reading process; `progress` is called with the pages recognised."""
    with _pool.taken(wait=True) as process:
        return process.read(replace(job, processes=_processes(1)), progress=progress)


def _processes(files: int) -> int:
    """How many processes may read the pages of each of `files` files that are read at the same time."""
    return max(1, min(cores() // files, _MOST_PROCESSES))


def make_elsewhere(job: Job) -> bytes | Failure:
    """The bytes that the function of a job returns for its file, run in a reading process, or the failure."""
    with _pool.taken(wait=True) as process:
        return process.make(job)


@dataclass(frozen=True, slots=True)
class PagesRecognised:
    """Progress of the text recognition of a document, in pages."""

    done: int
    total: int


_News: TypeAlias = Outcome | PagesRecognised


def read_all(jobs: Sequence[Job], workers: int) -> Iterator[tuple[Job, _News]]:
    """Read files in `workers` processes; yields progress reports, and each file's outcome as soon as it is there.

    The order is that of completion. Only a few results are buffered: readers wait for a slow consumer.
    """
    waiting: queue.SimpleQueue[Job] = queue.SimpleQueue()
    for job in jobs:
        waiting.put(job)
    done: queue.Queue[tuple[Job, _News]] = queue.Queue(maxsize=workers)
    workers = min(workers, len(jobs))
    hands = [_Hand(waiting, done, _processes(workers)) for _ in range(workers)]
    for hand in hands:
        hand.start()
    try:
        unread = len(jobs)
        while unread:
            job, news = done.get()
            unread -= not isinstance(news, PagesRecognised)
            yield job, news
    finally:
        for hand in hands:
            hand.stop()


class _Hand(threading.Thread):
    """A thread that feeds one process from the queue of jobs."""

    def __init__(self, waiting: queue.SimpleQueue[Job], done: queue.Queue[tuple[Job, _News]], processes: int) -> None:
        super().__init__(daemon=True)
        self._processes = processes
        self._waiting = waiting
        self._done = done
        self._stopped = threading.Event()
        self._turn = threading.Lock()
        self._process: ReadingProcess | None = None

    def run(self) -> None:
        with _pool.taken() as process:
            self._process = process
            self._work(process)
            with self._turn:
                self._process = None  # the pool may lend it to another caller now

    def stop(self) -> None:
        """End at once; the file that is being read is dropped."""
        self._stopped.set()
        with self._turn:
            if self._process is not None:
                self._process.dismiss()

    def _work(self, process: ReadingProcess) -> None:
        while not self._stopped.is_set():
            try:
                job = self._waiting.get_nowait()
            except queue.Empty:
                break
            shared = replace(job, processes=self._processes)
            self._give(job, process.read(shared, self._stopped.is_set, partial(self._tell, job)))

    def _tell(self, job: Job, done: int, total: int) -> None:
        self._give(job, PagesRecognised(done, total))

    def _give(self, job: Job, news: _News) -> None:
        while not self._stopped.is_set():
            try:
                self._done.put((job, news), timeout=0.2)
                break
            except queue.Full:
                continue
