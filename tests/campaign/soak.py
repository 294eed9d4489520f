"""Whether the memory of a server levels off while documents are changed and asked for half an hour.

Printed are the memory of the server (resident, and what of it no file backs) and of the processes that read for it,
the files that it has open and the size of its journal. It fails where the memory of the last third grows by more than
`--growth` kB a minute, by the line that fits the least sample of each minute best: an index that is just being written
takes 15 MB, and gives them back.

Usage: python tests/campaign/soak.py [--minutes N] [--askers N] [--pace SECONDS] [--growth KB] [--seed N]
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path

from traffic import Ledger, Traffic, served

_BETWEEN = 10.0
"""Seconds between two samples."""


def memory_of(process: int) -> tuple[int, int]:
    """Kilobytes of a process that are in memory, and those of them that are its own."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    sizes = {name: int(size.split()[0]) for name, _, size in (line.partition(":") for line in lines) if "kB" in size}
    return sizes.get("VmRSS", 0), sizes.get("RssAnon", 0)


def children_of(process: int) -> list[int]:
    """The processes that a process started and that still run."""
    found: list[int] = []
    for thread in Path(f"/proc/{process}/task").glob("*/children"):
        with suppress(OSError):  # a thread that has ended meanwhile
            found += map(int, thread.read_text().split())
    return found


def slope(samples: list[tuple[float, int]]) -> float:
    """Kilobytes a minute."""
    least: dict[int, int] = {}
    for at, size in samples:
        least[int(at / 60)] = min(size, least.get(int(at / 60), size))
    return statistics.linear_regression(list(least), list(least.values())).slope if len(least) > 1 else 0.0


def main() -> int:
    """Let everybody work, look every ten seconds, and say how much the memory grew."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--askers", type=int, default=2)
    parser.add_argument("--pace", type=float, default=0.05)
    parser.add_argument("--growth", type=float, default=500.0)
    parser.add_argument("--seed", type=int, default=15)
    asked = parser.parse_args()
    ledger, ended = Ledger(), threading.Event()
    samples: list[tuple[float, int]] = []
    with tempfile.TemporaryDirectory(prefix="soak-") as folder:
        corpus = Path(folder, "corpus.db")
        with served(corpus) as (address, process):
            traffic = Traffic(address, corpus, ledger, asked.seed)
            traffic.begin()
            began = time.monotonic()

            def look() -> None:
                print(
                    f"{'minute':>7}{'MB':>9}{'own MB':>9}{'readers MB':>12}{'files':>7}{'journal MB':>12}{'asked':>8}"
                )
                while not ended.wait(_BETWEEN):
                    whole, own = memory_of(process)
                    readers = 0
                    for one in children_of(process):
                        with suppress(OSError):
                            readers += memory_of(one)[0]
                    files = len(os.listdir(f"/proc/{process}/fd"))
                    journal = Path(f"{corpus}-wal").stat().st_size
                    seconds = time.monotonic() - began
                    samples.append((seconds, own))
                    shown = f"{seconds / 60:>7.1f}{whole / 1024:>9.1f}{own / 1024:>9.1f}{readers / 1024:>12.1f}"
                    print(f"{shown}{files:>7}{journal / 2**20:>12.1f}{ledger.counts['asked']:>8}", flush=True)

            looking = threading.Thread(target=look)
            looking.start()
            traffic.run(askers=asked.askers, questions=10**9, seconds=60 * asked.minutes, pace=asked.pace)
            ended.set()
            looking.join()
    for what, count in sorted(ledger.counts.items()):
        print(f"{what:<40}{count:>8}")
    grown = slope(samples[2 * len(samples) // 3 :])
    for told in ledger.wrong[:20]:
        print(told)
    print(f"{len(ledger.wrong)} wrong; the last third grew by {grown:.0f} kB a minute")
    return bool(ledger.wrong) or grown > asked.growth


if __name__ == "__main__":
    sys.exit(main())
