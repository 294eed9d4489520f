"""Uploaded files: their folder beside the corpus, and the processes that read them.

Half-written uploads are in `partial/`, whole ones under names that we chose.
"""

from __future__ import annotations

import hashlib
import os
import queue
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


_MOST_CHECKED = 10_000


class Files:
    """Uploaded files by document and content; no part of a path ever comes from a client."""

    def __init__(self, folder: Path) -> None:
        """Make the folder where it is missing.

        Where no other process serves these files, uploads that were under way when the last one ended are removed.
        """
        self._folder = folder.absolute()
        self._partial = self._folder / "partial"
        self._guard = threading.Lock()
        self._checked: dict[tuple[str, int, int, int], str] = {}
        self._in_use = InUse(folder.with_name(f"{folder.name}.lock"))
        try:
            self._partial.mkdir(parents=True, exist_ok=True, mode=0o700)
            self.alone = self._in_use.begin()
            """True if no other process serves these files: then what is left over can be removed."""
            if self.alone:
                for left in self._partial.iterdir():
                    left.unlink(missing_ok=True)
        except OSError as error:
            self._in_use.end()
            raise StorageError(f"{folder} cannot be written ({error.strerror}): check its permissions.") from error

    def settled(self) -> None:
        """Let other processes serve these files too, now that left-overs are removed."""
        self._in_use.share()

    def close(self) -> None:
        """Let others know that these files are in use no more."""
        self._in_use.end()

    def partial(self) -> Path:
        """A path for a new upload; nothing is there yet."""
        return self._partial / secrets.token_hex(16)

    def keep(self, content: Path, document_id: str, sha256: str, suffix: str) -> Path:
        """Move a whole upload to its place, on the disk for good, and say where that is."""
        # The id stands before the digest: two documents of the same content are two files, each its own to remove.
        target = self._folder / f"{document_id}-{sha256}{suffix}"
        try:
            _to_disk(content)
            content.replace(target)
            _to_disk(self._folder)
        except OSError as error:
            raise StorageError(f"An upload cannot be kept ({error.strerror}): make room, and send it again.") from error
        return target

    def bytes(self) -> int:
        """Of all whole files."""
        with os.scandir(self._folder) as files:
            return sum(one.stat().st_size for one in files if one.is_file())

    def place(self, document_id: str, sha256: str) -> Path | None:
        """Where the file of a document is kept, if it was uploaded."""
        return next(iter(self._folder.glob(f"{document_id}-{sha256}.*")), None)

    def drop(self, path: Path) -> None:
        """Remove a file if it is one of ours."""
        if path.parent == self._folder:
            path.unlink(missing_ok=True)

    def drop_all_but(self, used: Collection[Path]) -> int:
        """Remove whole files that no document uses, and say how many there were."""
        wanted = set(used)
        removed = 0
        for path in self._folder.iterdir():
            if path.is_file() and path not in wanted:
                with suppress(OSError):
                    path.unlink()
                    removed += 1
        return removed

    def unchanged(self, source: Source, sha256: str) -> Path | None:
        """The file of a document if its bytes are still those that were read; each state is hashed once."""
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
except ImportError:  # a system without such locks: there, one process serves a corpus
    fcntl = None  # type: ignore[assignment]


class InUse:
    """Held alone while left-overs are removed, and by everybody together after that."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: int | None = None

    def begin(self) -> bool:
        """Say that the files are in use; whether nobody else says so."""
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
        """Let others in, and wait for who is there alone."""
        if self._file is not None and fcntl is not None:
            fcntl.flock(self._file, fcntl.LOCK_SH)

    def end(self) -> None:
        """The files are in use no more."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
