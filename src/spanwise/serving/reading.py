"""Uploaded files become documents in processes of their own, a few at a time, each under a limit of time and pages."""

from __future__ import annotations

import queue
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from spanwise.readers.job import Failure, Job
from spanwise.readers.members import Contents, contents_from
from spanwise.readers.process import ReadingProcess
from spanwise.readers.reading import error_of
from spanwise.readers.registry import supported_suffixes
from spanwise.serving.cancellation import Stop
from spanwise.serving.limits import Limits
from spanwise.store.codec import Record

T = TypeVar("T")
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
        job = Job(str(content), name, password, self._limits)
        return self._done(job, stop, lambda process: process.read(job, lambda: stop.asked))

    def contents(self, content: Path, name: str, stop: Stop) -> Contents:
        """The documents inside of a file."""
        arguments = {"suffixes": sorted(supported_suffixes())}
        function = "spanwise.readers.members:contents"
        job = Job(str(content), name, None, self._limits, function=function, arguments=arguments)
        return contents_from(self._done(job, stop, lambda process: process.make(job)))

    def member(self, content: Path, inner: str, name: str, stop: Stop) -> bytes:
        """The bytes of a document inside of a file, `name` as a whole."""
        function = "spanwise.readers.members:member"
        job = Job(str(content / inner), name, None, self._limits, function=function)
        return self._done(job, stop, lambda process: process.make(job))

    def _done(self, job: Job, stop: Stop, act: Callable[[ReadingProcess], T | Failure]) -> T:
        process = self._free(stop)
        try:
            with stop.calling(process.dismiss):
                outcome = act(process)
        finally:
            self._idle.put(process)
        stop.check()
        if isinstance(outcome, Failure):
            # The path is ours and says nothing to who sent the file.
            raise error_of(replace(outcome, message=outcome.message.replace(outcome.path, job.name)), job.name)
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
