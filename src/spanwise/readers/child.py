"""The main loop of a reading process: one request at a time, each under limits that the kernel enforces.

A library written in C takes memory and time without asking. So the limits do not depend on the readers: address space
and processor time are resource limits of the process, and an alarm ends it when its wall-clock time is over.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import queue
import signal
import sys
import threading
import time
from collections.abc import Sequence
from typing import IO

from spanwise.errors import SpanwiseError
from spanwise.readers import wire
from spanwise.readers.bounds import address_space, hold_to
from spanwise.readers.port import Job, Limits, job_from
from spanwise.readers.process import OVER_MEMORY
from spanwise.readers.registry import available_readers, read_here, too_much_memory
from spanwise.store.codec import encode
from spanwise.store.passages import build_passages

_GRACE_SECONDS = 5.0
"""Seconds beyond a reader's own time limit before the alarm: for a reader that is stuck inside a library."""
_WATCH_SECONDS = 0.05
_LONGEST_MESSAGE = 2_000
_LARGEST_REQUEST = 2 * 1024 * 1024 * 1024
_ALLOCATIONS = 20_000
"""Allocated objects between two garbage collections: pages make many objects, but hardly any cycles."""
_WORN = 64 * 1024 * 1024
"""Bytes of memory that a document may leave behind (libraries leak); beyond that the process is replaced."""


def serve() -> None:
    """Answer requests from standard input until it ends."""
    # Ctrl-C goes to the whole group; the parent decides what becomes of its workers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Whatever a library prints must not get into the answers.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    jobs: queue.SimpleQueue[Job] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(sys.stdin.buffer, jobs), daemon=True).start()
    _prepare(sys.argv[1:])
    gc.set_threshold(_ALLOCATIONS, 20, 20)
    gc.freeze()  # the modules stay
    bounds = _Bounds()
    with contextlib.suppress(BrokenPipeError):  # The parent is done, or dead.
        wire.send(answers, wire.HELLO, b"")
        answers.flush()
        while True:
            job = jobs.get()
            bounds.set(job.limits)
            _answer(job, answers, bounds)
            bounds.lift()
            wire.send(answers, wire.END, b"worn" if bounds.worn() else b"")
            answers.flush()


def _listen(requests: IO[bytes], jobs: queue.SimpleQueue[Job]) -> None:
    """Queue requests while one is being answered; at the end of the input, end the process at once."""
    try:
        while True:
            incoming = wire.Incoming(requests, _LARGEST_REQUEST)
            kind, content = incoming.frame()
            if kind != wire.ASKED:
                break
            jobs.put(job_from(json.loads(content), wire.received_bytes(incoming)))
    finally:
        if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
            os.killpg(0, signal.SIGKILL)  # with the processes that recognise pages
        os._exit(0)


def _answer(job: Job, answers: IO[bytes], bounds: _Bounds) -> None:
    def progress(done: int, total: int) -> None:
        bounds.set(job.limits)
        wire.send(answers, wire.PROGRESS, wire.PAIR.pack(done, total))
        answers.flush()

    try:
        if job.function is None:
            document = read_here(
                job.path if job.data is None else job.data,
                name=job.name,
                password=job.password,
                limits=job.limits,
                reader=job.reader,
                ocr=job.ocr,
                processes=job.processes,
                progress=progress,
            )
            wire.send_record(answers, encode(document, cut=False), build_passages(document))
        else:
            wire.send_bytes(answers, _called(job))
    except BrokenPipeError:
        raise
    except Exception as error:  # noqa: BLE001 - the border between one file and all the others
        if isinstance(error, MemoryError | RecursionError):
            error = too_much_memory(job.name, job.limits)
        told = str(error)
        if not isinstance(error, SpanwiseError | ImportError):
            told = f"{job.name} could not be read ({type(error).__name__}: {error})."
        message = told.encode("utf-8", "replace").decode()[:_LONGEST_MESSAGE]
        wire.send_json(answers, wire.FAILED, [type(error).__name__, message])


def _called(job: Job) -> bytes:
    module, _, name = (job.function or "").partition(":")
    if not module.startswith("spanwise."):
        raise ValueError(f"{job.function} is no function of Spanwise")
    made = getattr(importlib.import_module(module), name)(job, **(job.arguments or {}))
    if not isinstance(made, bytes):
        raise TypeError(f"{job.function} made no bytes")
    return made


def _prepare(suffixes: Sequence[str]) -> None:
    """Load the readers for `suffixes`, make this process the first that the kernel kills, and switch off core dumps."""
    for info in available_readers():
        if set(info.suffixes) & set(suffixes):
            with contextlib.suppress(ImportError):
                importlib.import_module(f"spanwise.readers.{info.name}")
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:
        file.write("1000")
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class _Bounds:
    """The limits of memory, processor time and wall-clock time of this process."""

    def __init__(self) -> None:
        """Measure the address space that the process takes before it reads anything."""
        self._space = address_space()
        self._watch: _Watch | None = None

    def set(self, limits: Limits) -> None:
        """Apply `limits`, counted from now."""
        with contextlib.suppress(AttributeError):  # not on every system
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.setitimer(signal.ITIMER_REAL, limits.seconds + _GRACE_SECONDS)
        if not hold_to(self._space and self._space + limits.memory, limits.cpu_seconds):
            self._watch = self._watch or _Watch()
            self._watch.most = limits.memory

    def lift(self) -> None:
        """Stop the alarm while the process waits for its next request."""
        with contextlib.suppress(AttributeError):
            signal.setitimer(signal.ITIMER_REAL, 0)

    def worn(self) -> bool:
        """True if the process has kept more than `_WORN` bytes since it started."""
        now = address_space()
        return now is not None and self._space is not None and now - self._space > _WORN


class _Watch(threading.Thread):
    """A thread that ends the process when it takes too much memory, for systems without that limit (macOS)."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.most = sys.maxsize
        self._before = _resident()
        self.start()

    def run(self) -> None:
        while _resident() - self._before <= self.most:
            time.sleep(_WATCH_SECONDS)
        os._exit(OVER_MEMORY)


def _resident() -> int:
    """The peak of this process's resident memory, in bytes."""
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else 1024 * peak
