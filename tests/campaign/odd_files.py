"""Odd files under the bounds: generated bombs, and every file of the folder that SPANWISE_ODD_FILES names.

Each is read as a user would read it, under the limits that users have (or lower ones), in a reading process that is
watched from outside. Told for each: what came of it, how long it took, and the most memory that the reading process and
this one had. A traceback, a process that outlives its limits or a message of more than one sentence is a finding.

Usage: python tests/campaign/odd_files.py [--memory BYTES] [--seconds S] [--size N] [NAME]...
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import bombs

from spanwise.readers.port import Failure, Job, Limits
from spanwise.readers.process import ReadingProcess

_PEAK = re.compile(r"VmHWM:\s+(\d+) kB")
_SLACK = 1.5
"""A process has its interpreter and libraries beside what the limit is about."""


@dataclass(slots=True)
class Look:
    """What was seen of one file."""

    name: str
    size: int
    seconds: float
    child: int
    """Most bytes of memory of the reading process."""
    outcome: str

    def finding(self, limits: Limits) -> str | None:
        """What is wrong, if anything is."""
        if self.child > _SLACK * limits.memory + 100_000_000:
            return "too much memory"
        if self.seconds > limits.seconds + 30:
            return "too long"
        if "\n" in self.outcome or "Traceback" in self.outcome:
            return "no sentence"
        return None


def look(name: str, path: str, data: bytes | None, limits: Limits) -> Look:
    """Read one file in a process of its own."""
    reading, peak, over = ReadingProcess(), [0], threading.Event()

    def watch() -> None:
        while not over.wait(0.02):
            process = reading._process
            peak[0] = max(peak[0], memory_of(process.pid) if process is not None else 0)

    watching = threading.Thread(target=watch)
    watching.start()
    began = time.monotonic()
    try:
        outcome = reading.read(Job(path, name, limits=limits, data=data))
    finally:
        over.set()
        watching.join()
        reading.stop()
    told = f"{outcome.error}: {outcome.message}" if isinstance(outcome, Failure) else f"{outcome.lines} lines"
    size = len(data) if data is not None else os.stat(path).st_size
    return Look(name, size, time.monotonic() - began, peak[0], told)


def memory_of(pid: int | str) -> int:
    """The most bytes of memory that a process has had; 0 where that cannot be told."""
    try:
        found = _PEAK.search(Path(f"/proc/{pid}/status").read_text())
    except OSError:
        return 0
    return 1024 * int(found.group(1)) if found else 0


def everything(size: int, names: list[str]) -> Iterator[tuple[str, str, bytes | None]]:
    """Names, paths and bytes of what is to be read."""
    for bomb in bombs.BOMBS:
        if not names or bomb.name in names:
            yield bomb.name, "", bomb.make(size)
    folder = os.environ.get("SPANWISE_ODD_FILES")
    if folder and not names:
        for path in sorted(Path(folder).rglob("*")):
            if path.is_file():
                yield path.name, str(path.resolve()), None


def main() -> None:
    """Read everything and print what came of it."""
    given = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    given.add_argument("--memory", type=int, default=Limits().memory)
    given.add_argument("--seconds", type=float, default=60.0)
    given.add_argument("--size", type=int, default=1)
    given.add_argument("names", nargs="*")
    asked = given.parse_args()
    limits = Limits(memory=asked.memory, seconds=asked.seconds, cpu_seconds=asked.seconds)
    kinds: Counter[str] = Counter()
    findings = 0
    slowest, largest = 0.0, 0
    for name, path, data in everything(asked.size, asked.names):
        seen = look(name, path, data, limits)
        finding = seen.finding(limits)
        findings += finding is not None
        kinds[seen.outcome.partition(":")[0] if ":" in seen.outcome else "read"] += 1
        slowest, largest = max(slowest, seen.seconds), max(largest, seen.child)
        print(
            f"{seen.name[:44]:44} {seen.size:>10,} B {seen.seconds:6.1f} s {seen.child / 1e6:6.0f} MB  "
            f"{seen.outcome[:120]}{f'  FINDING: {finding}' if finding else ''}",
            flush=True,
        )
    told = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())
    print(f"{told}; slowest {slowest:.1f} s, largest {largest / 1e6:.0f} MB, {findings} findings")
    print(f"this process: {memory_of('self') / 1e6:.0f} MB (it made the bombs, too)")
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main()
