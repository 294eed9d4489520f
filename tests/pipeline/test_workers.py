from __future__ import annotations

import contextlib
import pickle
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from spanwise.pipeline import workers
from spanwise.pipeline.workers import Failure, Job, read_all
from spanwise.readers.port import Limits

# A reader's library that dies, and one that hangs, in a real child process.
SERVE = """
import os, signal, time
from spanwise.pipeline import workers

read_job = workers.read_job

def read(job):
    print("a library prints this")
    if "dies" in job.name:
        os.kill(os.getpid(), signal.SIGKILL)
    if "hangs" in job.name:
        time.sleep(600)
    return read_job(job)

workers.read_job = read
workers.serve()
"""


def jobs(folder: Path, *names: str) -> list[Job]:
    for name in names:
        (folder / name).write_text(f"Text of {name}.")
    return [Job(str(folder / name), name) for name in names]


def test_worker_that_dies_fails_only_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_COMMAND", SERVE)
    given = jobs(tmp_path, "a.txt", "dies.txt", "b.txt", "dies2.txt", "c.txt")
    outcomes = dict(read_all(given, 2))
    failed = {job.name for job, outcome in outcomes.items() if isinstance(outcome, Failure)}
    assert failed == {"dies.txt", "dies2.txt"}
    assert {job.name for job in outcomes} == {job.name for job in given}


def test_worker_that_hangs_fails_only_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_COMMAND", SERVE)
    monkeypatch.setattr(workers, "_GRACE_SECONDS", 0.0)
    first, hanging, last = jobs(tmp_path, "a.txt", "hangs.txt", "b.txt")
    given = [first, replace(hanging, limits=Limits(seconds=2)), last]  # the others have all the time they need
    outcomes = {job.name: outcome for job, outcome in read_all(given, 2)}
    assert [name for name, outcome in outcomes.items() if isinstance(outcome, Failure)] == ["hangs.txt"]


def test_workers_are_replaced_in_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_FILES_A_WORKER", 2)
    outcomes = dict(read_all(jobs(tmp_path, *(f"{number}.txt" for number in range(7))), 1))
    assert not any(isinstance(outcome, Failure) for outcome in outcomes.values())


def test_giving_up_leaves_no_worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[subprocess.Popen[bytes]] = []

    class Recorded(subprocess.Popen[bytes]):
        def __init__(self, *arguments: Any, **options: Any) -> None:
            super().__init__(*arguments, **options)
            started.append(self)

    monkeypatch.setattr(workers.subprocess, "Popen", Recorded)
    reading = read_all(jobs(tmp_path, *(f"{number}.txt" for number in range(20))), 2)
    next(reading)
    reading.close()  # type: ignore[attr-defined]
    assert started
    assert all(process.poll() is not None for process in started)


@contextlib.contextmanager
def served() -> Iterator[subprocess.Popen[bytes]]:
    """A worker, killed in the end if it has not ended by itself."""
    command = [sys.executable, "-c", workers._COMMAND]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as worker:
        try:
            yield worker
        finally:
            worker.kill()


def test_worker_ends_with_its_parent() -> None:
    with served() as worker:
        assert worker.stdin is not None
        worker.stdin.close()
        assert worker.wait(60) == 0


def test_worker_leaves_ctrl_c_to_its_parent(tmp_path: Path) -> None:
    with served() as worker:
        assert worker.stdin is not None
        assert worker.stdout is not None
        for job in jobs(tmp_path, "a.txt", "b.txt"):
            pickle.dump(job, worker.stdin)
            worker.stdin.flush()
            assert pickle.load(worker.stdout).name == job.name
            worker.send_signal(signal.SIGINT)
        worker.stdin.close()
        assert worker.wait(60) == 0


def test_script_without_a_main_guard(tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    for number in range(4):
        (folder / f"{number}.txt").write_text("A clause.\n" * 50_000)
    script = tmp_path / "script.py"
    script.write_text(
        "import spanwise\n"
        "print('started')\n"
        f"print(len(spanwise.Corpus.memory().add({str(folder)!r}, workers=2).added))\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["started", "4"]
