"""The right to write to a corpus: one holder on the machine, let go by the kernel when the holder dies."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

from spanwise.errors import CorpusBusyError, StorageError


class WriteLock:
    """Taken at once or after a short wait, or not at all; it is a `spanwise.store.port.Lock`."""

    def __init__(self, corpus: Path | None) -> None:
        """Make the lock of the corpus in the file `corpus`; None for one in memory, which only threads share."""
        self._corpus = corpus
        self._thread = threading.Lock()

    @contextmanager
    def held(self, wait: float = 0) -> Iterator[None]:
        """Hold the lock.

        Args:
            wait: Seconds, at most, for each of the thread and the process that hold it to let it go.
        """
        if not self._thread.acquire(timeout=wait):
            raise CorpusBusyError(
                f"Another thread is writing to the corpus {self._corpus or 'in memory'}; try again when it is done.",
                path=str(self._corpus or ""),
            )
        try:
            with self._file_held(self._corpus, wait) if self._corpus else nullcontext():
                yield
        finally:
            self._thread.release()

    @contextmanager
    def _file_held(self, corpus: Path, wait: float) -> Iterator[None]:
        # Loads asyncio and more, for nothing where the corpus is in memory or only read.
        from filelock import FileLock, Timeout

        lock = FileLock(f"{corpus}.lock", timeout=wait, poll_interval=0.01)
        try:
            lock.acquire()
        except Timeout:
            raise CorpusBusyError(
                f"Another process is writing to the corpus {corpus}; try again when it is done.", path=str(corpus)
            ) from None
        except OSError as error:
            raise StorageError(
                f"The corpus {corpus} cannot be written ({error.strerror or error}); "
                "check the permissions of its folder."
            ) from error
        try:
            yield
        finally:
            lock.release()
