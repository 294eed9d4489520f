"""Uploaded files: their folder beside the corpus, and the processes that read them.

Unfinished uploads are in `partial/`, finished ones under names chosen here.
"""

from __future__ import annotations

import hashlib
import os
import queue
import re
import secrets
import threading
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from spanwise.errors import StorageError
from spanwise.readers.members import Contents, contents_from
from spanwise.readers.port import Failure, Job
from spanwise.readers.process import ReadingProcess
from spanwise.readers.reading import error_of
from spanwise.readers.registry import supported_suffixes
from spanwise.serving.cancellation import Stop
from spanwise.serving.corpus_limits import Limits
from spanwise.store.codec import Record
from spanwise.store.port import Source

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
        """The documents inside a file."""
        arguments = {"suffixes": sorted(supported_suffixes())}
        function = "spanwise.readers.members:contents"
        job = Job(str(content), name, None, self._limits, function=function, arguments=arguments)
        return contents_from(self._done(job, stop, lambda process: process.make(job)))

    def member(self, content: Path, inner: str, name: str, stop: Stop) -> bytes:
        """The bytes of a document inside a file; `name` is its name in messages."""
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
            # The path is the server's own and means nothing to the client.
            raise error_of(replace(outcome, message=outcome.message.replace(outcome.path, job.name)), job.name)
        return outcome

    def close(self) -> None:
        """End all processes at once."""
        for process in self._all:
            process.stop()

    def _free(self, stop: Stop) -> ReadingProcess:
        while True:
            stop.check()
            try:
                return self._idle.get(timeout=_LOOK_SECONDS)
            except queue.Empty:
                continue


_MOST_CHECKED = 10_000
# The names of finished and of unfinished files; a file of any other name is not ours, and is never deleted.
_FINISHED = re.compile(r"[0-9a-f]{16}-[0-9a-f]{64}\.[a-z0-9]+")
_UNFINISHED = re.compile(r"[0-9a-f]{32}(?:\.[a-z0-9]+)?")


class Files:
    """Uploaded files, named by document id and content; no part of a path ever comes from a client."""

    def __init__(self, folder: Path) -> None:
        """Create the folder if it is missing.

        If no other process serves these files, unfinished uploads of an earlier process are deleted.
        """
        self._folder = folder.absolute()
        self._partial = self._folder / "partial"
        self._guard = threading.Lock()
        self._checked: dict[tuple[str, int, int, int], str] = {}
        self._in_use = InUse(folder.with_name(f"{folder.name}.lock"))
        try:
            for made in (self._folder, self._partial):  # folders above the last one would be open to everybody
                made.mkdir(parents=True, exist_ok=True, mode=0o700)
            self.alone = self._in_use.begin()
            """True if no other process serves these files, so that left-over ones can be deleted."""
            if self.alone:
                for left in self._partial.iterdir():
                    if _UNFINISHED.fullmatch(left.name):
                        left.unlink(missing_ok=True)
        except OSError as error:
            self._in_use.end()
            raise StorageError(f"{folder} cannot be written ({error.strerror}): check its permissions.") from error

    def settled(self) -> None:
        """Let other processes serve these files, too, once left-over ones are deleted."""
        self._in_use.share()

    def close(self) -> None:
        """Release the lock."""
        self._in_use.end()

    def partial(self) -> Path:
        """A path for a new upload, which does not exist yet."""
        return self._partial / secrets.token_hex(16)

    def keep(self, content: Path, document_id: str, sha256: str, suffix: str) -> Path:
        """Move a finished upload to its final place, durably, and return its path."""
        # The id is part of the name, so that two documents of the same content have a file each.
        target = self._folder / f"{document_id}-{sha256}{suffix}"
        try:
            _to_disk(content)
            content.replace(target)
            _to_disk(self._folder)
        except OSError as error:
            raise StorageError(f"An upload cannot be kept ({error.strerror}): make room, and send it again.") from error
        return target

    def bytes(self) -> int:
        """Total bytes of all finished files."""
        with os.scandir(self._folder) as files:
            return sum(one.stat().st_size for one in files if one.is_file())

    def place(self, document_id: str, sha256: str) -> Path | None:
        """The path of a document's uploaded file; None if there is none."""
        return next(iter(self._folder.glob(f"{document_id}-{sha256}.*")), None)

    def drop(self, path: Path) -> None:
        """Delete a file, if it is in this folder."""
        if path.parent == self._folder:
            path.unlink(missing_ok=True)

    def drop_all_but(self, used: Collection[Path]) -> None:
        """Delete finished files that no document uses."""
        wanted = set(used)
        for path in self._folder.iterdir():
            if _FINISHED.fullmatch(path.name) and path.is_file() and path not in wanted:
                with suppress(OSError):
                    path.unlink()

    def unchanged(self, source: Source, sha256: str) -> Path | None:
        """The file of a document if its bytes are still those that were read, else None.

        Each state is hashed only once.
        """
        path = Path(source.path)
        try:
            status = path.stat()
            state = (source.path, status.st_ino, status.st_size, status.st_mtime_ns)
            with self._guard:
                digest = self._checked.get(state)
            if digest is None:
                with path.open("rb") as file:
                    digest = hashlib.file_digest(file, "sha256").hexdigest()
                with self._guard:
                    if len(self._checked) >= _MOST_CHECKED:
                        self._checked.clear()
                    self._checked[state] = digest
        except (OSError, ValueError):
            return None
        return path if digest == sha256 else None


def _to_disk(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


try:
    import fcntl
except ImportError:  # a system without such locks, where only one process serves a corpus
    fcntl = None  # type: ignore[assignment]


class InUse:
    """A file lock: exclusive while left-over files are deleted, shared afterwards."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: int | None = None

    def begin(self) -> bool:
        """Take the lock; True if exclusively, as no other process holds it."""
        self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        if fcntl is None:
            return True
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.share()
            return False
        return True

    def share(self) -> None:
        """Change to a shared lock, waiting for a process that holds it exclusively."""
        if self._file is not None and fcntl is not None:
            fcntl.flock(self._file, fcntl.LOCK_SH)

    def end(self) -> None:
        """Release the lock."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
