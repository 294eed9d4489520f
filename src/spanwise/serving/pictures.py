"""Pictures of PDF pages: drawn in a few processes that can be killed, and cached."""

from __future__ import annotations

import hashlib
import os
import queue
import subprocess
import sys
import threading
from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from spanwise import errors
from spanwise.errors import BusyError, DocumentError, DocumentNotFoundError, LimitError, SpanwiseError, WorkStoppedError
from spanwise.serving.cancellation import Stop
from spanwise.serving.corpus_limits import Limits
from spanwise.serving.drawing import MOST_PIXELS, read_frame, write_frame

PROCESSES: Final = 2
"""Drawing processes per corpus: a page that takes long blocks only one of them."""
KEPT_BYTES: Final = 32 * 1024 * 1024
"""Bytes of cached pictures per corpus: about a hundred pages."""
_LOOK_SECONDS: Final = 0.1
# A cancelled drawing may go on for so long, as starting a new process would take longer.
_UNWANTED_SECONDS: Final = 0.5
_PAGES_A_PROCESS: Final = 1_000
_LARGEST: Final = 3 * MOST_PIXELS + MOST_PIXELS // 8
_COMMAND: Final = "from spanwise.serving.drawing import serve; serve()"


@dataclass(frozen=True, slots=True)
class PageRequest:
    """A page to be drawn."""

    path: Path
    name: str
    """The document's name, for messages."""
    sha256: str
    """Digest of the file; a file with other content is not drawn."""
    page: int
    width: int
    """In pixels."""
    password: str | None = None

    @property
    def key(self) -> tuple[str, int, int, str]:
        """The cache key.

        The password is part of it, so that a wrong one does not get a picture made with the right one.
        """
        return self.sha256, self.page, self.width, hashlib.sha256((self.password or "").encode()).hexdigest()


class Pictures:
    """Draws pages and caches the pictures used last; safe to use from many threads."""

    def __init__(self, limits: Limits) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[str, int, int, str], bytes] = OrderedDict()
        self._bytes = 0
        self._processes = [_Process(limits) for _ in range(PROCESSES)]
        self._idle: queue.LifoQueue[_Process] = queue.LifoQueue()
        for process in self._processes:
            self._idle.put(process)

    def draw(self, wanted: PageRequest, stop: Stop) -> bytes:
        """A page as a PNG.

        Raises:
            DocumentNotFoundError: The file is missing or has changed.
            DocumentError: The page cannot be drawn; its subclasses say why.
            WorkStoppedError: It was stopped.
        """
        picture = self._found(wanted)
        if picture is not None:
            return picture
        process = self._free(stop)
        try:
            picture = self._found(wanted) or process.draw(wanted, stop)  # another thread may have drawn it meanwhile
        finally:
            self._idle.put(process)
        self._keep(wanted, picture)
        return picture

    def warm(self) -> None:
        """Start the next drawing process ahead of time."""
        with suppress(queue.Empty):
            process = self._idle.get_nowait()
            try:
                with suppress(BusyError, WorkStoppedError):  # the next request for a page reports it
                    process.start()
            finally:
                self._idle.put(process)

    def close(self) -> None:
        """End the processes at once."""
        for process in self._processes:
            process.stop()

    def _free(self, stop: Stop) -> _Process:
        while True:
            stop.check()
            with suppress(queue.Empty):
                return self._idle.get(timeout=_LOOK_SECONDS)

    def _found(self, wanted: PageRequest) -> bytes | None:
        with self._lock:
            picture = self._kept.get(wanted.key)
            if picture is not None:
                self._kept.move_to_end(wanted.key)
            return picture

    def _keep(self, wanted: PageRequest, picture: bytes) -> None:
        with self._lock:
            self._bytes += len(picture) - len(self._kept.pop(wanted.key, b""))
            self._kept[wanted.key] = picture
            while self._bytes > KEPT_BYTES:
                self._bytes -= len(self._kept.popitem(last=False)[1])


class _Process:
    """A child process that draws one page at a time; started when needed and replaced after it was killed."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._lock = threading.Lock()
        self._stopped = False
        self._process: subprocess.Popen[bytes] | None = None
        self._drawn = 0

    def draw(self, wanted: PageRequest, stop: Stop) -> bytes:
        """A page as a PNG; raises `LimitError` if the process dies or takes too long."""
        process = self.start()
        self._drawn += 1
        clock = _Clock(process)
        clock.set(self._limits.picture_seconds)
        request = {name: getattr(wanted, name) for name in ("name", "sha256", "page", "width", "password")}
        try:
            with stop.calling(lambda: clock.set(_UNWANTED_SECONDS)):
                picture = _asked(process, {**request, "path": str(wanted.path)}, wanted)
        except SpanwiseError:
            raise
        except (OSError, EOFError, ValueError):
            self._dismiss()
            stop.check()
            why = (
                f"took longer than {self._limits.picture_seconds:g} seconds to draw"
                if clock.late
                else "needs more memory than is allowed, or is damaged"
            )
            raise LimitError(
                f"Page {wanted.page} of {wanted.name} {why}; its lines can still be read as text.", document=wanted.name
            ) from None
        finally:
            clock.stop()
        return picture

    def start(self) -> subprocess.Popen[bytes]:
        """The running process, started if necessary."""
        worn = self._drawn >= _PAGES_A_PROCESS  # libraries for hostile formats leak now and then
        if worn or (self._process is not None and self._process.poll() is not None):  # or it was ended while idle
            self._dismiss()
        with self._lock:
            if self._stopped:
                raise WorkStoppedError("The server is stopping: try again when it is back.")
            if self._process is None:
                try:
                    self._process = subprocess.Popen(  # noqa: S603 - our own interpreter and code
                        # -P: a json.py in the folder that the server was started in must not be imported.
                        [sys.executable, "-P", "-c", _COMMAND, str(self._limits.picture_bytes)],
                        stdin=subprocess.PIPE,
                        stdout=subprocess.PIPE,
                        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
                    )
                except OSError as error:
                    raise BusyError("No page can be drawn at the moment: try again soon.") from error
                self._drawn = 0
            return self._process

    def stop(self) -> None:
        """End the process at once and for good."""
        with self._lock:
            self._stopped = True
        self._dismiss()

    def _dismiss(self) -> None:
        with self._lock:
            process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                with suppress(OSError):  # closing flushes what can no longer be sent
                    if pipe is not None:
                        pipe.close()


class _Clock:
    """Kills a process when its time is over."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None
        self._over = False
        self.late = False

    def set(self, seconds: float) -> None:
        """Kill it in `seconds`, replacing an earlier time."""
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
            if self._over:
                return
            self._timer = threading.Timer(seconds, self._end)
            self._timer.daemon = True
            self._timer.start()

    def stop(self) -> None:
        """Switch the clock off, as the work is done."""
        with self._lock:
            self._over = True
            if self._timer is not None:
                self._timer.cancel()

    def _end(self) -> None:
        with self._lock:
            if not self._over:  # otherwise it already draws another page
                self.late = True
                self._process.kill()


def _asked(process: subprocess.Popen[bytes], request: dict[str, object], wanted: PageRequest) -> bytes:
    """The picture in the process's reply, which is not trusted, as a document may have taken over the process."""
    if process.stdin is None or process.stdout is None:
        raise EOFError
    write_frame(process.stdin, request)
    process.stdin.flush()
    told = read_frame(process.stdout)
    if "error" in told:
        raise _error(str(told["error"]), str(told.get("message", "")), wanted)
    length = told.get("bytes")
    if not isinstance(length, int) or not 0 < length <= _LARGEST:
        raise ValueError("no picture is of that size")
    picture = process.stdout.read(length)
    if len(picture) < length or not picture.startswith(b"\x89PNG\r\n\x1a\n"):
        raise EOFError
    return picture


def _error(kind: str, message: str, wanted: PageRequest) -> DocumentError:
    if kind == "FileNotFoundError":
        return DocumentNotFoundError(
            f"The file of {wanted.name} is not there any more, or has changed.", document=wanted.name
        )
    found = getattr(errors, kind, DocumentError)
    known = isinstance(found, type) and issubclass(found, DocumentError)
    return (found if known else DocumentError)(message.replace(str(wanted.path), wanted.name), document=wanted.name)
