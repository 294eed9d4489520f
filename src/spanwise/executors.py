"""Tasks run on any executor: outcomes in the order of the tasks; a task that kills its worker gets the outcome `Died`.

An executor is one in the sense of `concurrent.futures`: processes that this module starts, an executor that the caller
passes in, or a Dask cluster. `pool_of` opens one and `mapped` runs the tasks. When a worker dies, every task that was
under way is run again on its own: the task whose worker dies a second time is the culprit, and the others get their
normal outcomes.
"""

from __future__ import annotations

import contextlib
import math
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, wait
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, Final, TypeAlias, TypeVar

from spanwise.errors import InputError, MissingExtraError, ServiceError, install_line

A = TypeVar("A")
T = TypeVar("T")
Client: TypeAlias = "str | Executor | Any"
"""The address `tcp://HOST:PORT` of a Dask scheduler, a `distributed.Client`, or any `concurrent.futures.Executor`."""

SCHEMES = ("tcp://", "tls://", "ucx://", "ws://", "wss://")
_AHEAD = 4
"""Tasks queued per worker: enough that none is idle, few enough that an interrupt loses little."""
_CONNECT_SECONDS = 30.0
_NOBODY_SECONDS = 60.0
"""Seconds that a cluster may have no worker before the run is given up."""
_LOOK_SECONDS = 2.0
_ATTEMPTS = 5
"""Consecutive times that a lost scheduler or pool is replaced before the run is given up."""


@dataclass(frozen=True, slots=True)
class Died:
    """The outcome of a task whose worker process ended although that task ran alone."""

    message: str


_STARTING = threading.Lock()


@contextmanager
def outside_current_folder() -> Iterator[None]:
    """Keep Python processes that are started meanwhile from importing modules of the current folder.

    A process that `multiprocessing` spawns looks there until it has the module path of its parent, and a `signal.py`
    among somebody's documents must not be run.
    """
    with _STARTING:
        before = os.environ.get("PYTHONSAFEPATH")
        os.environ["PYTHONSAFEPATH"] = "1"
        try:
            yield
        finally:
            if before is None:
                del os.environ["PYTHONSAFEPATH"]
            else:
                os.environ["PYTHONSAFEPATH"] = before


class Pool:
    """An executor together with the means to replace it when its workers or its scheduler are lost."""

    def __init__(
        self,
        make: Callable[[], Executor],
        size: Callable[[], int],
        *,
        ours: bool,
        end: Callable[[], None] | None = None,
    ) -> None:
        """Use `pool_of` instead."""
        self._make = make
        self._size = size
        self._ours = ours
        self._end = end
        self._executor: Executor | None = None
        self._nobody_since: float | None = None
        self._seen, self._seen_at = 1, -math.inf

    def size(self) -> int:
        """The number of tasks that run at the same time, at least 1; refreshed at most every `_LOOK_SECONDS`."""
        now = time.monotonic()
        if now - self._seen_at > _LOOK_SECONDS:
            self._seen, self._seen_at = max(1, self._size()), now
        return self._seen

    def start(self) -> Executor:
        """Create the executor if there is none yet, and return it."""
        if self._executor is None:
            with outside_current_folder():
                self._executor = self._make()
            self._seen_at = -math.inf
        return self._executor

    def submit(self, function: Callable[[A], T], task: A) -> Future[T]:
        """Submit a task; if the executor is broken, the error is in the returned future."""
        executor = self.start()
        try:
            with outside_current_folder():  # submitting a task starts the processes
                return executor.submit(function, task)
        except BrokenExecutor as error:
            refused: Future[T] = Future()
            refused.set_exception(error)
            return refused

    def settle(self, future: Future[T]) -> Future[T]:
        """Wait until a task has ended, with a result or an error."""
        while not wait([future], timeout=_LOOK_SECONDS).done:
            self._check_workers()
        return future

    def renew(self) -> None:
        """Close the executor, so that the next task starts a new one; an error if the caller passed it in."""
        if not self._ours:
            raise ServiceError(
                "the workers that were given have ended: what was written is kept; start others and run it again"
            )
        self.close()

    def close(self) -> None:
        """Shut down the executor, unless the caller passed it in."""
        executor, self._executor = self._executor, None
        if not self._ours:
            return
        if executor is not None and self._end is None:
            executor.shutdown(wait=True, cancel_futures=True)
        elif self._end is not None:
            self._end()

    def _check_workers(self) -> None:
        if self._size() > 0:
            self._nobody_since = None
            return
        now = time.monotonic()
        self._nobody_since = self._nobody_since or now
        if now - self._nobody_since > _NOBODY_SECONDS:
            raise ServiceError(
                f"the cluster has had no worker for {_NOBODY_SECONDS:.0f} s: what was written is kept; start workers "
                "and run it again"
            )


@contextmanager
def pool_of(client: Client | None, workers: int) -> Iterator[Pool]:
    """The pool that runs the tasks: `workers` new processes, or the caller's client."""
    pool = _pool(client, workers)
    try:
        yield pool
    finally:
        pool.close()


def _pool(client: Client | None, workers: int) -> Pool:
    if client is None:
        import multiprocessing  # importing these two takes longer than reading a small document
        from concurrent.futures import ProcessPoolExecutor

        context = multiprocessing.get_context("spawn")  # the libraries that rank and read have threads of their own
        make = partial(ProcessPoolExecutor, workers, context, _end_with, (os.getpid(),))
        return Pool(make, lambda: workers, ours=True)
    if isinstance(client, str):
        cluster = _Cluster(client)
        return Pool(cluster.connect, cluster.size, ours=True, end=cluster.close)
    if isinstance(client, Executor):
        most = getattr(client, "_max_workers", None) or os.cpu_count() or 1
        return Pool(lambda: client, lambda: most, ours=False)
    if hasattr(client, "get_executor") and hasattr(client, "nthreads"):
        return Pool(partial(client.get_executor, pure=False, retries=0), partial(_threads, client), ours=False)
    raise InputError(
        f"client is of type {type(client).__name__}: give tcp://HOST:PORT of a Dask scheduler, a distributed.Client or "
        "a concurrent.futures.Executor"
    )


def _end_with(parent: int) -> None:
    """End this worker process when its parent process has ended; it would wait for tasks for ever."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1.0)
        os._exit(1)

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is handled by the parent process
    threading.Thread(target=watch, daemon=True).start()


class _Cluster:
    """A Dask cluster, given by its address; `connect` opens a new connection, as is needed after a restart."""

    def __init__(self, address: str) -> None:
        if not address.startswith(SCHEMES):
            raise InputError(f"{address!r} is no address of a Dask scheduler: write it as tcp://HOST:PORT")
        try:
            import distributed
        except ImportError as error:
            raise MissingExtraError(f"a cluster needs Dask: {install_line('dask')}") from error
        self._library: Any = distributed
        self._address = address
        self._client: Any = None

    def connect(self) -> Executor:
        try:
            self._client = self._library.Client(self._address, timeout=_CONNECT_SECONDS, set_as_default=False)
        except (OSError, TimeoutError, ValueError) as error:
            raise ServiceError(
                f"no Dask scheduler answers at {self._address}: start it (dask scheduler), or name another one"
            ) from error
        executor: Executor = self._client.get_executor(pure=False, retries=0)
        return executor

    def size(self) -> int:
        return 0 if self._client is None else _threads(self._client)

    def close(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            with contextlib.suppress(OSError, TimeoutError):
                client.close(timeout=_LOOK_SECONDS)


def _threads(client: Any) -> int:  # noqa: ANN401  # distributed is not installed everywhere
    try:
        return sum(client.nthreads().values())
    except (OSError, TimeoutError, ValueError):  # its scheduler is being restarted
        return 0


_DIED: Final = Died("the process that worked on it ended (a crash, or out of memory): it is not tried again")


def mapped(function: Callable[[A], T], tasks: Sequence[A], pool: Pool) -> Iterator[T | Died]:
    """The outcomes of `function` for the tasks, in the order of the tasks.

    A task that was under way when a worker died is run once more on its own. If its worker dies again its outcome is
    `Died`; the other tasks get their normal outcomes.
    """
    run = _Run(function, tasks, pool)
    try:
        yield from run.outcomes()
    finally:
        run.cancel()


@cache
def _version() -> str:
    from importlib import metadata  # with its parsers of mail it takes longer to import than the rest of this module

    return metadata.version("spanwise")


def _of_one_version(version: str, function: Callable[[A], T], task: A) -> T:
    """Run the task if this worker has the caller's version of Spanwise; two versions may answer differently."""
    if version != _version():
        raise ServiceError(
            f"a worker has version {_version()} of Spanwise, and the work was sent by version {version}: install the "
            "same one on both; what was written is kept"
        )
    return function(task)


class _Run:
    def __init__(self, function: Callable[[A], T], tasks: Sequence[A], pool: Pool) -> None:
        self._function: Callable[[Any], Any] = partial(_of_one_version, _version(), function)
        self._tasks = tasks
        self._pool = pool
        self._going: dict[int, Future[Any]] = {}
        self._settled: dict[int, Future[Any] | Died] = {}
        self._next = 0
        self._started = False

    def outcomes(self) -> Iterator[Any]:
        for at in range(len(self._tasks)):
            end = min(len(self._tasks), at + _AHEAD * self._pool.size())
            while self._next < end:
                self._going[self._next] = self._pool.submit(self._function, self._tasks[self._next])
                self._next += 1
            if at not in self._settled:
                if _ended_badly(self._pool.settle(self._going[at])):
                    self._sift()
                else:
                    self._settled[at] = self._going.pop(at)
            settled = self._settled.pop(at)
            yield settled if isinstance(settled, Died) else settled.result()

    def cancel(self) -> None:
        for future in self._going.values():
            future.cancel()

    def _sift(self) -> None:
        """Wait for all tasks under way, then run each one that lost its worker again on its own."""
        going, self._going = sorted(self._going.items()), {}
        ended = {at: self._pool.settle(future) for at, future in going}
        suspects = [at for at, future in ended.items() if _ended_badly(future)]
        self._settled |= {at: future for at, future in ended.items() if at not in suspects}
        if not all(_killed_by_cluster(ended[at]) for at in suspects):
            self._pool.renew()
        for at in suspects:
            self._settled[at] = self._alone(at)

    def _alone(self, at: int) -> Future[Any] | Died:
        for _ in range(_ATTEMPTS):
            future = self._pool.settle(self._pool.submit(self._function, self._tasks[at]))
            if not _ended_badly(future):
                return future
            if _killed_by_cluster(future):
                return _DIED  # the cluster itself goes on
            self._pool.renew()
            if not future.cancelled():
                self._check_start()
                return _DIED
        raise ServiceError("the scheduler is gone again and again: what was written is kept; run it again later")

    def _check_start(self) -> None:
        """Raise an error if no worker can start at all, as in a script without a `__main__` guard."""
        if not self._started and _ended_badly(self._pool.settle(self._pool.submit(_started, None))):
            raise ServiceError(
                "no process could be started: a script that has several of them at work must be a file that does it "
                'below `if __name__ == "__main__":`; nothing was lost'
            )
        self._started = True


def _started(_nothing: None) -> None:
    """Do nothing; a worker that returns from it has started."""


def _ended_badly(future: Future[Any]) -> bool:
    """True if a task has no outcome because its worker, its pool or its scheduler was lost."""
    return future.cancelled() or isinstance(future.exception(), BrokenExecutor) or _killed_by_cluster(future)


def _killed_by_cluster(future: Future[Any]) -> bool:
    return not future.cancelled() and type(future.exception()).__name__ == "KilledWorker"
