"""What one document may cost while it is read: a budget that raises `LimitError` and names the bound."""

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
"""How an archive says that it is damaged, or packed in a way that is not known."""
_CLOCK_EVERY = 512
"""Steps between two looks at the clock: often enough for a bound in seconds, too rare to cost anything."""


def hold_to(space: int | None, cpu_seconds: float) -> bool:
    """Have the kernel hold this process to bytes of memory and processor seconds; False if not to the first."""
    try:
        import resource
    except ImportError:
        return True
    used = resource.getrusage(resource.RUSAGE_SELF)
    _limit(resource.RLIMIT_CPU, math.ceil(used.ru_utime + used.ru_stime + cpu_seconds))
    return space is not None and _limit(resource.RLIMIT_AS, space)


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def address_space() -> int | None:
    """Bytes of address space that this process uses; None where that cannot be told."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return None


def _limit(what: int, most: int) -> bool:
    """Set a limit of this process as far as it may; False where the system refuses."""
    import resource

    try:
        _, hard = resource.getrlimit(what)
        resource.setrlimit(what, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))
    except (OSError, ValueError):
        return False
    return True


def beyond(name: str, what: str, field: str, *, trusted: bool = True) -> LimitError:
    """The error for a document of which something is more than a field of `Limits` says."""
    trust = " if you trust it" if trusted else ""
    return LimitError(f"{name} {what}: split it, or raise the limit (Limits.{field}){trust}.", document=name)


class Budget:
    """Counts what reading one document has used; all that counts raises `LimitError` beyond its limit."""

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
        """Check how many pages there are."""
        if pages > self.limits.pages:
            raise self.over(f"more than {self.limits.pages:,} pages", "pages")

    def depth(self, depth: int, what: str) -> None:
        """Check how deep structure is nested."""
        if depth > self.limits.depth:
            raise self.over(f"{what} nested deeper than {self.limits.depth}", "depth")

    def unpacked(self, size: int) -> None:
        """Check how many bytes a packed file unpacks to."""
        if size > self.limits.unpacked_bytes:
            raise self.over(f"more than {self.limits.unpacked_bytes:,} bytes when unpacked", "unpacked_bytes")

    def step(self) -> None:
        """Look at the clock from time to time."""
        self._steps += 1
        if self._steps % _CLOCK_EVERY == 0:
            self.clock()

    def clock(self) -> None:
        """Look at the clock now."""
        if time.monotonic() > self._deadline:
            raise LimitError(
                f"{self.name} takes longer than {self.limits.seconds:g} seconds to read: split it, "
                "or raise the limit (Limits.seconds).",
                document=self.name,
            )

    @contextmanager
    def beside(self) -> Iterator[None]:
        """Take no account of the time of something that has a bound of its own."""
        started = time.monotonic()
        try:
            yield
        finally:
            self._deadline += time.monotonic() - started

    def over(self, what: str, field: str) -> LimitError:
        """The error for a document that has more than it may."""
        return beyond(self.name, f"has {what}", field)
