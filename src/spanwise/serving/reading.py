"""Uploaded files become documents in processes of their own, a few at a time, each under a limit of time and pages."""

from __future__ import annotations

import queue
from dataclasses import replace
from pathlib import Path

from spanwise.readers.job import Failure, Job
from spanwise.readers.process import ReadingProcess
from spanwise.readers.reading import error_of
from spanwise.serving.limits import Limits
from spanwise.serving.stopping import Stop
from spanwise.store.codec import Record

_LOOK_SECONDS = 0.2


class Readers:
    """The processes that read uploads."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits.reading
        self._idle: queue.LifoQueue[ReadingProcess] = queue.LifoQueue()
        self._all = [ReadingProcess() for _ in range(limits.readers)]
        for process in self._all:
            self._idle.put(process)

    def read(self, content: Path, name: str, password: str | None, stop: Stop) -> Record:
        """Read one file.

        Raises:
            DocumentError: It cannot be read; its subclasses say why.
            WorkStoppedError: It was stopped.
        """
        process = self._free(stop)
        try:
            with stop.calling(process.dismiss):
                outcome = process.read(Job(str(content), name, password, self._limits), lambda: stop.asked)
        finally:
            self._idle.put(process)
        stop.check()
        if isinstance(outcome, Failure):
            # The path is ours and says nothing to who sent the file.
            raise error_of(replace(outcome, message=outcome.message.replace(outcome.path, name)), name)
        return outcome

    def close(self) -> None:
        """End all of them, whatever they read."""
        for process in self._all:
            process.stop()

    def _free(self, stop: Stop) -> ReadingProcess:
        while True:
            stop.check()
            try:
                return self._idle.get(timeout=_LOOK_SECONDS)
            except queue.Empty:
                continue
