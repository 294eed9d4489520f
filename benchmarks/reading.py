"""How fast PDFs are read, against bare pypdfium2 text extraction in the same run, and in how much memory.

    python benchmarks/reading.py [file or folder ...]

Without arguments it reads the PDFs under $SPANWISE_DATA/pdfs (default: ../shared/data). Both sides take turns on each
file, so that a busy machine slows both; what counts is the ratio of their medians.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

import pypdfium2

from spanwise.readers.pdf import read_pdf
from spanwise.readers.port import ReadOptions

ROUNDS = 5
_MEMORY = """
import resource, sys
from pathlib import Path
from spanwise.readers.pdf import read_pdf
from spanwise.readers.port import ReadOptions
document = read_pdf(Path(sys.argv[1]).read_bytes(), "document.pdf", ReadOptions())
status = Path("/proc/self/status")
if status.exists():  # what resource reports starts at the size of the parent
    peak = next(int(line.split()[1]) for line in status.read_text().splitlines() if line.startswith("VmHWM")) // 1024
else:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // (1024 * 1024 if sys.platform == "darwin" else 1024)
print(peak)
"""


def bare(data: bytes) -> int:
    """Text of every page with pypdfium2 alone; returns how many pages there are."""
    document = pypdfium2.PdfDocument(data)
    pages = len(document)
    for index in range(pages):
        page = document[index]
        text_page = page.get_textpage()
        text_page.get_text_range()
        text_page.close()
        page.close()
    document.close()
    return pages


def whole(data: bytes) -> int:
    """Everything that the reader does; returns how many pages there are."""
    return len(read_pdf(data, "document.pdf", ReadOptions()).pages)


def seconds(work: Callable[[bytes], int], data: bytes) -> float:
    """Wall-clock time of one run."""
    start = time.perf_counter()
    work(data)
    return time.perf_counter() - start


def peak_megabytes(path: Path) -> int:
    """Peak resident memory of a fresh process that reads one file."""
    done = subprocess.run([sys.executable, "-c", _MEMORY, str(path)], capture_output=True, text=True, check=True)
    return int(done.stdout)


def measure(path: Path) -> tuple[int, float, float]:
    """Pages, and the median seconds of bare extraction and of the whole reader."""
    data = path.read_bytes()
    pages = bare(data)
    whole(data)
    turns = [(seconds(bare, data), seconds(whole, data)) for _ in range(ROUNDS)]
    return pages, median(turn[0] for turn in turns), median(turn[1] for turn in turns)


def find(arguments: Sequence[str]) -> list[Path]:
    """The PDFs that the arguments name."""
    folder = Path(os.environ.get("SPANWISE_DATA", "../shared/data")) / "pdfs"
    places = [Path(argument) for argument in arguments] or [folder]
    return sorted(path for place in places for path in (place.glob("*.pdf") if place.is_dir() else [place]))


def main(arguments: Sequence[str]) -> int:
    """Print one row a file and the median ratio."""
    paths = find(arguments)
    if not paths:
        print("no PDFs found: name files or a folder, or set SPANWISE_DATA", file=sys.stderr)
        return 2
    print(f"{'file':42} {'pages':>5} {'bare p/s':>9} {'reader p/s':>10} {'ratio':>6} {'peak MB':>8}")
    ratios = []
    for path in paths:
        pages, base, ours = measure(path)
        ratios.append(base / ours)
        memory = peak_megabytes(path)
        speeds = f"{pages / base:9.0f} {pages / ours:10.0f} {base / ours:6.2f}"
        print(f"{path.stem[:42]:42} {pages:5} {speeds} {memory:8}", flush=True)
    print(f"median ratio {median(ratios):.2f} over {len(ratios)} files (goal: 0.60)")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
