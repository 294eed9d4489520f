"""Bombs at every door: the command line, the library, and a server's upload, each under the limits that users have.

Each bomb lies in a folder beside a file that is fine. It may be read, or be one sentence and a typed error (exit code
2, a failed job); the file beside it is read and answers. Printed is what each door made of it, how long it took, and
the most memory that one of its processes had. `spanwise.answer` takes texts: bombs that are texts are given to it.

Usage: python tests/campaign/doors.py [--size N] [--all] [NAME]...
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import bombs
import httpx
from odd_files import memory_of
from traffic import CORPUS, served

import spanwise
from spanwise.errors import SpanwiseError

QUESTION = "What is the late fee of the club?"
FINE = "Rules of the club\n\nThe late fee of the club is 7 dollars a week.\n"
MOST = 1024 * 1024 * 1024 + 200_000_000
"""Bytes: the bound of a reading process, and what it needs to start."""
CHOSEN = (
    "form-draws-itself-twice.pdf", "flate-of-flate.pdf", "packed-objects-unpack-to-gigabytes.pdf",
    "letters-that-mean-a-book.pdf", "table-of-contents-in-a-ring.pdf", "deep-page-tree.pdf",
    "entries-of-a-package.docx", "size-that-is-a-lie.docx", "tables-in-tables.docx", "packages-in-packages.docx",
    "laughs.xlsx", "packages-in-packages.xlsx", "laughs.pptx", "groups-in-groups.pptx", "deep.html", "headings.txt",
)  # fmt: skip
TEXTS = (".txt", ".md", ".csv")
Door = Callable[[Path, Path], str]


def run(*words: str, folder: Path) -> tuple[int, str]:
    """A command's exit code, and what it says."""
    command = [sys.executable, "-m", "spanwise", *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=600, check=False)
    if "Traceback" in done.stderr:
        raise AssertionError(done.stderr)
    return done.returncode, done.stdout + done.stderr


def by_index(bomb: Path, folder: Path) -> str:
    """`spanwise index` of the folder, then `spanwise ask`."""
    code, told = run("index", bomb.parent.name, "--corpus", "by-index.db", folder=folder)
    failed = [line for line in told.splitlines() if line.startswith("failed: ")]
    expected = (2, 1) if failed else (0, 0)
    assert (code, len(failed)) == expected, told
    code, answer = run("ask", "--corpus", "by-index.db", "--document", "fine.txt", QUESTION, folder=folder)
    assert code == 0, answer
    assert "7 dollars" in answer, answer
    return failed[0].removeprefix("failed: ") if failed else "read"


def by_ask(bomb: Path, folder: Path) -> str:
    """`spanwise ask` of the file alone."""
    code, told = run("ask", f"{bomb.parent.name}/{bomb.name}", QUESTION, folder=folder)
    if code != 2:
        return "read"
    assert told.startswith("spanwise: "), told
    assert told.count("\n") == 1, told
    return told.strip().removeprefix("spanwise: ")


def by_corpus(bomb: Path, _: Path) -> str:
    """`Corpus.add` of the folder, then `Engine.ask`."""
    with spanwise.Corpus.memory() as corpus:
        report = corpus.add(bomb.parent)
        assert "fine.txt" in report.added, report
        assert "7 dollars" in spanwise.Engine(corpus).ask(QUESTION, documents=["fine.txt"]).text
        return report.failed[0].message if report.failed else "read"


def by_library(bomb: Path, _: Path) -> str:
    """`spanwise.ask` of the file alone; of a text, `spanwise.answer` as well."""
    if bomb.suffix in TEXTS:
        spanwise.answer(QUESTION, [bomb.read_text(errors="replace"), FINE])
    try:
        spanwise.ask(QUESTION, bomb)
    except SpanwiseError as error:
        return str(error)
    return "read"


def at_server(address: str) -> Door:
    """Uploads to a server, then a question."""

    def by_upload(bomb: Path, _: Path) -> str:
        with httpx.Client(base_url=address, timeout=300) as client:
            jobs = []
            for path in (bomb, bomb.parent / "fine.txt"):
                with path.open("rb") as content:
                    sent = client.post(f"{CORPUS}/documents", files={"file": (path.name, content)})
                assert sent.status_code in (202, 413, 415), sent.text
                if sent.status_code != 202:
                    return str(sent.json()["detail"])
                while (job := client.get(sent.headers["location"]).json())["state"] in ("waiting", "running"):
                    time.sleep(0.05)
                jobs.append(job)
            assert jobs[1]["state"] == "done", jobs[1]
            body = {"question": QUESTION, "documents": [jobs[1]["document"]["id"]]}
            assert "7 dollars" in client.post(f"{CORPUS}/ask", json=body).json()["text"]
            assert jobs[0]["state"] in ("done", "failed"), jobs[0]
            return "read" if jobs[0]["state"] == "done" else str(jobs[0]["problem"]["detail"])

    return by_upload


def below(process: int) -> Iterator[int]:
    """A process, and all that it started."""
    yield process
    for thread in Path(f"/proc/{process}/task").glob("*/children"):
        try:
            found = thread.read_text().split()
        except OSError:
            continue
        for one in found:
            yield from below(int(one))


@contextmanager
def watched() -> Iterator[list[int]]:
    """The most memory of one process below this one meanwhile."""
    most, over = [0], threading.Event()

    def watch() -> None:
        while not over.wait(0.02):
            _, *others = below(os.getpid())
            most[0] = max(most[0], *map(memory_of, others), 0)

    watching = threading.Thread(target=watch)
    watching.start()
    try:
        yield most
    finally:
        over.set()
        watching.join()


def odd_places(folder: Path) -> int:
    """Pipes, devices, links that lead nowhere: each refused or named at once, the file beside them read."""
    place = folder / "odd"
    place.mkdir()
    (place / "fine.txt").write_text(FINE)
    (place / "nothing.txt").symlink_to("nowhere")
    (place / "memory.txt").symlink_to("/proc/self/mem")
    os.mkfifo(place / "pipe.txt")
    code, told = run("index", "odd", "--corpus", "odd.db", folder=folder)
    findings = int(code != 0 or told.count("skipped: ") != 3)
    print(f"odd places in a folder: exit code {code}, {told.count('skipped: ')} of 3 named")
    for path in ("odd/pipe.txt", "odd/nothing.txt", "/dev/zero", "/dev/stdin", "/proc/self/mem", "/proc/kmsg"):
        began = time.monotonic()
        outcomes = [run("ask", path, QUESTION, folder=folder), run("index", path, "--corpus", "o.db", folder=folder)]
        typed = []
        for call in (lambda at: spanwise.ask(QUESTION, at), lambda at: spanwise.Corpus.memory().add(at)):
            try:
                call(folder / path)
            except SpanwiseError as error:
                typed.append(type(error).__name__)
        sound = len(typed) == 2 and all(code == 2 and told.count("\n") == 1 for code, told in outcomes)
        findings += not sound
        told = outcomes[0][1].strip()
        print(f"{path:20} {time.monotonic() - began:5.1f} s  {' '.join(typed)}  {told}{'' if sound else '  FINDING'}")
    return findings


def main() -> int:
    """Bring every bomb to every door."""
    given = argparse.ArgumentParser()
    given.add_argument("--size", type=int, default=1)
    given.add_argument("--all", action="store_true")
    given.add_argument("names", nargs="*")
    asked = given.parse_args()
    wanted = asked.names or ([] if asked.all else CHOSEN)
    findings, rows, largest, slowest = 0, 0, 0, 0.0
    with tempfile.TemporaryDirectory(prefix="doors-") as name:
        folder = Path(name)
        findings += odd_places(folder)
        with served(folder / "served.db") as (address, _):
            doors: dict[str, Door] = {
                "index": by_index, "ask": by_ask, "Corpus.add": by_corpus, "spanwise.ask": by_library,
                "upload": at_server(address),
            }  # fmt: skip
            for number, bomb in enumerate(one for one in bombs.BOMBS if not wanted or one.name in wanted):
                place = folder / f"d{number}"
                place.mkdir()
                (place / "fine.txt").write_text(FINE)
                path = place / bomb.name
                path.write_bytes(bomb.make(asked.size))
                for door, bring in doors.items():
                    began = time.monotonic()
                    with watched() as most:
                        try:
                            told, finding = bring(path, folder), ""
                        except Exception as error:  # a finding, told below
                            told, finding = f"{type(error).__name__}: {error}", "FINDING"
                    if most[0] > MOST or "\n" in told:
                        finding = "FINDING"
                    seconds = time.monotonic() - began
                    findings, rows = findings + bool(finding), rows + 1
                    largest, slowest = max(largest, most[0]), max(slowest, seconds)
                    shown = json.dumps(told[:110], ensure_ascii=False)
                    print(
                        f"{bomb.name[:40]:40} {door:13}{seconds:6.1f} s {most[0] / 1e6:6.0f} MB  {shown} {finding}",
                        flush=True,
                    )
                (folder / "by-index.db").unlink()
    print(f"{rows} rows; slowest {slowest:.1f} s, largest {largest / 1e6:.0f} MB, {findings} findings")
    return findings > 0


if __name__ == "__main__":
    sys.exit(main())
