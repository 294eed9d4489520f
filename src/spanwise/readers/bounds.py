"""The budget of reading one document: counters and a deadline that raise `LimitError`, naming the limit exceeded.

`Budget` is charged by the readers themselves; `hold_to` sets limits in the kernel, for libraries that no budget
can interrupt.
"""

from __future__ import annotations

import math
import os
import time
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager

from spanwise.errors import LimitError
from spanwise.readers.port import Limits

RATIO, RATIO_FROM = 400, 32 * 1024 * 1024
"""Real documents pack ten to a hundred times; more than `RATIO` from this size on is made to explode."""
UNPACKABLE = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, RuntimeError, ValueError)
"""The errors that unpacking an archive raises when it is damaged or uses an unknown compression method."""
_CLOCK_EVERY = 512
"""Steps between two checks of the clock: often enough for a limit in seconds, rare enough to cost nothing."""


def hold_to(space: int | None, cpu_seconds: float) -> bool:
    """Limit this process, in the kernel, to `space` bytes of memory and `cpu_seconds` more of processor time.

    Returns False if no limit of memory could be set, so that the caller has to watch it; True where the system has no
    such limits at all (Windows).
    """
    try:
        import resource
    except ImportError:
        return True
    used = resource.getrusage(resource.RUSAGE_SELF)
    _limit(resource.RLIMIT_CPU, math.ceil(used.ru_utime + used.ru_stime + cpu_seconds))
    return space is not None and _limit(resource.RLIMIT_AS, space)


def cores() -> int:
    """The number of processor cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def address_space() -> int | None:
    """The bytes of address space that this process uses now; None where the system does not say (no /proc)."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return None


def _limit(what: int, most: int) -> bool:
    """Set a resource limit of this process, no higher than its hard limit; False if the system refuses."""
    import resource

    try:
        _, hard = resource.getrlimit(what)
        resource.setrlimit(what, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))
    except (OSError, ValueError):
        return False
    return True


def beyond(name: str, what: str, field: str, *, trusted: bool = True) -> LimitError:
    """The error for a document of which `what` exceeds `Limits.field`."""
    trust = " if you trust it" if trusted else ""
    return LimitError(f"{name} {what}: split it, or raise the limit (Limits.{field}){trust}.", document=name)


class Budget:
    """What reading one document has used so far; every method that counts raises `LimitError` beyond its limit."""

    def __init__(self, name: str, limits: Limits) -> None:
        self.name = name
        self.limits = limits
        self._deadline = time.monotonic() + limits.seconds
        self._lines = 0
        self._objects = 0
        self._steps = 0

    def line(self) -> None:
        """Charge one line."""
        self._lines += 1
        if self._lines > self.limits.lines:
            raise self.over(f"more than {self.limits.lines:,} lines", "lines")
        self.step()

    def object(self) -> None:
        """Charge one element of a tree."""
        self._objects += 1
        if self._objects > self.limits.objects:
            raise self.over(f"more than {self.limits.objects:,} elements", "objects")
        self.step()

    def pages(self, pages: int) -> None:
        """Check the number of pages."""
        if pages > self.limits.pages:
            raise self.over(f"more than {self.limits.pages:,} pages", "pages")

    def depth(self, depth: int, what: str) -> None:
        """Check how deeply `what` (tables, elements, ...) is nested."""
        if depth > self.limits.depth:
            raise self.over(f"{what} nested deeper than {self.limits.depth}", "depth")

    def unpacked(self, size: int) -> None:
        """Check the number of bytes that a packed file unpacks to."""
        if size > self.limits.unpacked_bytes:
            raise self.over(f"more than {self.limits.unpacked_bytes:,} bytes when unpacked", "unpacked_bytes")

    def step(self) -> None:
        """Count a step, and check the deadline every `_CLOCK_EVERY` steps."""
        self._steps += 1
        if self._steps % _CLOCK_EVERY == 0:
            self.clock()

    def clock(self) -> None:
        """Check the deadline (`Limits.seconds` after the budget was made) now."""
        if time.monotonic() > self._deadline:
            raise LimitError(
                f"{self.name} takes longer than {self.limits.seconds:g} seconds to read: split it, "
                "or raise the limit (Limits.seconds).",
                document=self.name,
            )

    @contextmanager
    def beside(self) -> Iterator[None]:
        """Stop the clock for the time of something that has a limit of its own, such as text recognition."""
        started = time.monotonic()
        try:
            yield
        finally:
            self._deadline += time.monotonic() - started

    def over(self, what: str, field: str) -> LimitError:
        """The error for a document that has `what`, which is more than `Limits.field` allows."""
        return beyond(self.name, f"has {what}", field)
