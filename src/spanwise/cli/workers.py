"""`spanwise serve --workers N`: processes that serve on one socket, each replaced when it dies."""

from __future__ import annotations

import multiprocessing
import os
import secrets
import signal
import socket
import tempfile
import threading
import time
from collections.abc import Callable
from multiprocessing.connection import wait
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import TypeAlias

from spanwise.cli.output import stderr
from spanwise.cli.serve_plan import Asked

Known: TypeAlias = "tuple[Path | str, str]"
"""Where the processes of one server keep what they know together, and what they have in common."""
_YOUNG_SECONDS = 10.0
"""A process that ends sooner never served."""
_MOST_YOUNG = 5
_LOOK_SECONDS = 0.5
_END_SECONDS = 20.0


def supervise(asked: Asked, workers: int, listener: socket.socket, place: str | None) -> int:
    """Keep so many processes serving until this one is told to end; returns the exit code.

    What they know together is in the database `place`, or in a file that goes with them. A process that dies is
    replaced by another one: what it had acknowledged is stored, its running requests are lost.
    """
    from spanwise.server.shared import Shared

    told = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: told.set())
    with tempfile.TemporaryDirectory(prefix="spanwise-serve-") as folder:
        known = (place or Path(folder, "shared.db"), secrets.token_hex(8))
        shared = Shared(known[0], server=known[1])
        try:
            fleet = _Fleet(lambda first: _start(asked, listener, known, first=first), workers, shared.lost)
            return fleet.keep(told)
        finally:
            shared.close()


class _Fleet:
    def __init__(self, start: Callable[[bool], SpawnProcess], workers: int, lost: Callable[[int], None]) -> None:
        self._start = start
        self._lost = lost
        self._young = 0
        self._living = {process: time.monotonic() for process in (start(at == 0) for at in range(workers))}

    def keep(self, told: threading.Event) -> int:
        code = 0
        try:
            while not told.is_set() and not code:
                wait([process.sentinel for process in self._living], timeout=_LOOK_SECONDS)
                for process in [one for one in self._living if not one.is_alive()]:
                    code = code or self._ended(process, told)
        finally:
            self._end()
        return code

    def _ended(self, process: SpawnProcess, told: threading.Event) -> int:
        """Replace a process; an exit code where that is of no use."""
        began = self._living.pop(process)
        self._lost(process.pid or 0)
        if told.wait(_LOOK_SECONDS):  # Ctrl-C reaches all of them at once
            return 0
        self._young = self._young + 1 if time.monotonic() - began < _YOUNG_SECONDS else 0
        if self._young >= _MOST_YOUNG or process.exitcode == os.EX_USAGE:
            stderr().print("spanwise: its processes end as soon as they begin; the first lines above say why")
            return 3 if process.exitcode != os.EX_USAGE else 2
        stderr().print(f"spanwise: process {process.pid} ended (exit code {process.exitcode}): another one takes over")
        self._living[self._start(False)] = time.monotonic()
        return 0

    def _end(self) -> None:
        for process in self._living:
            process.terminate()
        until = time.monotonic() + _END_SECONDS
        for process in self._living:
            process.join(max(0.0, until - time.monotonic()))
            if process.is_alive():
                process.kill()
                process.join(5)


def _start(asked: Asked, listener: socket.socket, known: Known, *, first: bool) -> SpawnProcess:
    process = multiprocessing.get_context("spawn").Process(
        target=_work, args=(asked, listener, known, first, os.getpid()), name="spanwise-serve"
    )
    process.start()
    return process


def _work(asked: Asked, listener: socket.socket, known: Known, first: bool, parent: int) -> None:
    from spanwise.cli.serving import run_worker
    from spanwise.errors import SpanwiseError

    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    try:
        run_worker(asked, listener, known, first=first)
    except SpanwiseError as error:
        stderr().print(f"spanwise: {error}", markup=False)
        raise SystemExit(os.EX_USAGE) from None


def _end_with(parent: int) -> None:
    """End when the process that watches over this one is gone: nobody else would end it."""
    while os.getppid() == parent:
        time.sleep(_LOOK_SECONDS)
    os.kill(os.getpid(), signal.SIGTERM)
