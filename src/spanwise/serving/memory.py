"""The memory of a process that runs for weeks: what is freed goes back to the system."""

from __future__ import annotations

import ctypes
from contextlib import suppress

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
