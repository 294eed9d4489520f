"""Knowing whether another process serves the same files: locks that the kernel lets go when their holder dies."""

from __future__ import annotations

import os
from pathlib import Path

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
        """Say that the files are in use; whether nobody else says so.

        Raises:
            OSError: The lock cannot be made.
        """
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
