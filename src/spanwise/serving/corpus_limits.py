"""Limits of one served corpus, and of the memory of a process that runs for weeks."""

from __future__ import annotations

import ctypes
from contextlib import suppress
from dataclasses import dataclass

from spanwise.readers.port import Limits as ReadingLimits

LONGEST_TEXT = 200_000
"""Characters of a text that is verified; no answer is that long."""


_UPLOADS = ReadingLimits(file_bytes=100 * 1024 * 1024, pages=5_000, seconds=120.0, cpu_seconds=120.0)


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one `Library`; crossing one is an error that names it."""

    reading: ReadingLimits = _UPLOADS
    """Bounds of reading one uploaded file, its size among them."""
    documents: int = 100_000
    """Documents of the corpus."""
    files_bytes: int = 0
    """Bytes of its uploaded files together; 0 is no limit."""
    readers: int = 2
    """Processes that read uploads at the same time."""
    busy_seconds: float = 30.0
    """How long a change waits for another program that is writing to the corpus."""
    answers: int = 10_000
    """Results that are kept with their traces; the oldest go first."""
    passages: int = 20_000
    """Passages that one verification is held against."""
    rows: int = 100_000
    """Rows that one extraction gives, at most one for each field of each document counted beforehand."""
    picture_seconds: float = 20.0
    """Time that drawing one page may take."""
    picture_bytes: int = 1024 * 1024 * 1024
    """Memory that a process which draws pages may take."""
    waiting_jobs: int = 1_000
    """Uploads and extractions that run or wait at the same time."""
    waiting_bytes: int = 4 * 1024 * 1024 * 1024
    """Bytes of the uploads that run or wait."""


# Of glibc's malloc.h.
_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENAS = -1, -3, -8


def give_freed_memory_back() -> None:
    """Have the allocator of this process keep little of what is freed; where it is not glibc's, nothing is done.

    By default it keeps a heap for each of many threads, and puts blocks of a megabyte, of which an index is made, into
    these heaps: after some thousand uploads they hold four times of what is used. Blocks that go to the system at once
    cost a few microseconds. To be called before threads are started, by who owns the process.
    """
    with suppress(OSError, AttributeError, TypeError):
        libc = ctypes.CDLL(None)
        libc.gnu_get_libc_version  # noqa: B018  # only glibc has it, and these numbers
        libc.mallopt(_ARENAS, 2)
        libc.mallopt(_MMAP_THRESHOLD, 128 * 1024)
        libc.mallopt(_TRIM_THRESHOLD, 1024 * 1024)
