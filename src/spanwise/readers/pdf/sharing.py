"""The pages of a large document, read by copies of this process at the same time.

A copy (fork) has everything open already, and costs a few milliseconds. Each takes the next page that nobody has taken
yet, and at its end sends what it made as JSON. Whatever a copy does not send, because it died of a page or ran into a
bound, is read by the process itself, which then meets the same end: what becomes of a document is the same as without.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import struct
import sys
import warnings
from collections.abc import Callable, Iterator
from typing import TypeVar

from spanwise.readers.bounds import address_space, hold_to
from spanwise.readers.port import ReadOptions

T = TypeVar("T")

LEAST_PAGES = 16
"""Fewer are read before a copy would have begun."""
_BEFORE = 4
"""So many pages are read first: most of what is found out about fonts and shapes is found there, and copies know it."""
_MOST_TURNS = 500
"""What fits into the smallest pipe."""
_TURN = struct.Struct("=II")


def read_together(
    count: int,
    read: Callable[[int], T],
    packed: Callable[[T], object],
    unpacked: Callable[[object], T],
    options: ReadOptions,
) -> list[T]:
    """What `read` makes of each page, by its index; the result does not depend on who read which.

    `packed` turns what it made into what JSON can hold, `unpacked` undoes that. The copies have so many parts of the
    memory and of the processor time of the options beside those of this process.
    """
    processes = min(options.processes, count // (LEAST_PAGES // 2)) if sys.platform == "linux" else 1
    if processes < 2:
        return [read(index) for index in range(count)]
    found = {index: read(index) for index in range(_BEFORE)}
    turns = _turns(_BEFORE, count)
    copies: list[_Copy] = []
    try:
        with contextlib.suppress(OSError):  # no more processes: then there are fewer
            while len(copies) < processes - 1:
                copies.append(_Copy(turns, read, packed, options))
        found |= {index: read(index) for index in _taken(turns)}
        for copy in copies:
            found |= {index: unpacked(row) for index, row in copy.finished()}
    finally:
        os.close(turns)
        for copy in copies:
            copy.end()
    return [found[index] if index in found else read(index) for index in range(count)]


def _turns(first: int, count: int) -> int:
    """A pipe that gives each stretch of pages once, to whom reads it first."""
    turns, given = os.pipe()
    size = 1 + count // _MOST_TURNS
    os.write(given, b"".join(_TURN.pack(at, min(at + size, count)) for at in range(first, count, size)))
    os.close(given)
    return turns


def _taken(turns: int) -> Iterator[int]:
    while turn := os.read(turns, _TURN.size):
        yield from range(*_TURN.unpack(turn))


class _Copy:
    """A copy of this process that reads pages."""

    def __init__(
        self, turns: int, read: Callable[[int], T], packed: Callable[[T], object], options: ReadOptions
    ) -> None:
        answers, sending = os.pipe()
        with warnings.catch_warnings():
            # Beside this thread there is only one that waits for requests, and holds nothing that a copy needs.
            warnings.simplefilter("ignore", DeprecationWarning)
            self._process = os.fork()
        if not self._process:
            _help(turns, sending, read, packed, options)
        os.close(sending)
        self._answers = os.fdopen(answers, "rb")

    def finished(self) -> list[tuple[int, object]]:
        """The pages that it has read, when it has finished; none if it died."""
        try:
            return [(index, row) for index, row in json.load(self._answers)]
        except ValueError:
            return []

    def end(self) -> None:
        """End it, whatever it does."""
        self._answers.close()
        os.kill(self._process, signal.SIGKILL)
        os.waitpid(self._process, 0)


def _help(
    turns: int, sending: int, read: Callable[[int], T], packed: Callable[[T], object], options: ReadOptions
) -> None:
    """Be a copy: read pages until none is left, and end."""
    try:
        # Else who waits for this process would not see that it died, as long as a copy holds its pipes.
        low, high = sorted((turns, sending))
        for first, last in ((3, low), (low + 1, high), (high + 1, os.sysconf("SC_OPEN_MAX"))):
            os.closerange(first, last)
        limits, share = options.limits, options.processes
        space = address_space()
        done: list[tuple[int, object]] = []
        if space is not None and hold_to(space + limits.memory // share, limits.cpu_seconds / share):
            with contextlib.suppress(Exception):  # the process itself reads the rest, and tells what is wrong
                done.extend((index, packed(read(index))) for index in _taken(turns))
        with open(sending, "w", encoding="ascii") as file:
            json.dump(done, file)
    finally:
        os._exit(0)
