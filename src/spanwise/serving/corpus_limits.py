"""Limits of one served corpus, and of the memory of a long-running process."""

from __future__ import annotations

import ctypes
from contextlib import suppress
from dataclasses import dataclass

from spanwise.readers.port import Limits as ReadingLimits

LONGEST_TEXT = 200_000
"""Most characters of a text to be verified; no answer is that long."""


_UPLOADS = ReadingLimits(file_bytes=100 * 1024 * 1024, pages=5_000, seconds=120.0, cpu_seconds=120.0)


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one `Library`; exceeding one raises an error that names it."""

    reading: ReadingLimits = _UPLOADS
    """Limits of reading one uploaded file, its size included."""
    documents: int = 100_000
    """Documents in the corpus."""
    files_bytes: int = 0
    """Total bytes of its uploaded files; 0 means no limit."""
    readers: int = 2
    """Processes that read uploads in parallel."""
    busy_seconds: float = 30.0
    """Seconds that a change waits for another program that is writing to the corpus."""
    answers: int = 10_000
    """Results kept with their traces; the oldest are removed first."""
    passages: int = 20_000
    """Passages that one text is verified against."""
    rows: int = 100_000
    """Rows of one extraction, counted in advance as fields times documents."""
    picture_seconds: float = 20.0
    """Seconds that drawing one page may take."""
    picture_bytes: int = 1024 * 1024 * 1024
    """Bytes of memory of a process that draws pages."""
    waiting_jobs: int = 1_000
    """Jobs (uploads and extractions) that run or wait at the same time."""
    waiting_bytes: int = 4 * 1024 * 1024 * 1024
    """Total bytes of the uploads that run or wait."""


# Of glibc's malloc.h.
_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENAS = -1, -3, -8


def give_freed_memory_back() -> None:
    """Configure glibc's allocator to return most freed memory to the system; does nothing with another C library.

    By default it keeps a heap for each of many threads, and allocates in these heaps the blocks of a megabyte that an
    index consists of: after some thousand uploads they take four times of what is used. Returning blocks to the system
    at once costs a few microseconds. Call it before threads are started, in a process of one's own.
    """
    with suppress(OSError, AttributeError, TypeError):
        libc = ctypes.CDLL(None)
        libc.gnu_get_libc_version  # noqa: B018  # only glibc has it, and these numbers
        libc.mallopt(_ARENAS, 2)
        libc.mallopt(_MMAP_THRESHOLD, 128 * 1024)
        libc.mallopt(_TRIM_THRESHOLD, 1024 * 1024)
