"""Reading processes: what becomes of a file whose reading dies, hangs, swells or lies, and of all the others."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from spanwise.errors import DamagedDocumentError, LimitError
from spanwise.readers import process
from spanwise.readers.port import Failure, Job, Limits
from spanwise.readers.process import ReadingProcess, read_all
from spanwise.readers.reading import read

# A reader's library that dies, hangs, counts or swells, in a real child process.
SERVE = """
import os, signal, sys, time
from spanwise.readers import child

read_here = child.read_here

def read(path, *, name, **rest):
    print("a library prints this")
    print("and complains", file=sys.stderr)
    if "dies" in name:
        os.kill(os.getpid(), signal.SIGSEGV)
    if "killed" in name:
        os.kill(os.getpid(), signal.SIGKILL)
    if "hangs" in name:
        time.sleep(600)
    if "counts" in name:
        while True:
            pass
    if "swells" in name:
        kept = [b"x" * 10_000_000 for _ in range(1_000)]
    return read_here(path, name=name, **rest)

child.read_here = read
{more}
child.serve()
"""
# As on a system that holds no process to its address space.
NO_ADDRESS_SPACE = "child._address_space = lambda: None"


def jobs(folder: Path, *names: str) -> list[Job]:
    for name in names:
        (folder / name).write_text(f"# Text of {name}.")
    return [Job(str(folder / name), name) for name in names]


@pytest.fixture
def pool(monkeypatch: pytest.MonkeyPatch) -> Iterator[process._Pool]:
    """Processes of this test alone."""
    with contextlib.closing(Pool()) as own:
        monkeypatch.setattr(process, "_pool", own)
        yield own


class Pool(process._Pool):
    def close(self) -> None:
        self.stop()


@pytest.fixture
def hostile(pool: process._Pool, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: ARG001 - alone
    monkeypatch.setattr(process, "_COMMAND", SERVE.replace("{more}", ""))


@pytest.mark.usefixtures("hostile")
def test_process_that_dies_fails_only_its_file(tmp_path: Path) -> None:
    given = jobs(tmp_path, "a.md", "dies.md", "b.md", "killed.md", "c.md")
    outcomes = dict(read_all(given, 2))
    failed = {job.name: outcome for job, outcome in outcomes.items() if isinstance(outcome, Failure)}
    assert set(failed) == {"dies.md", "killed.md"}
    assert {job.name for job in outcomes} == {job.name for job in given}
    assert "damaged" in failed["dies.md"].message
    assert "was killed" in failed["killed.md"].message


@pytest.mark.usefixtures("hostile")
@pytest.mark.parametrize(
    ("name", "limits", "said"),
    [
        ("hangs.md", Limits(seconds=1), "takes longer than 1 seconds"),
        ("counts.md", Limits(cpu_seconds=1), "more than 1 seconds of processor time"),
        ("swells.md", Limits(memory=100_000_000), "100,000,000 bytes of memory"),
    ],
)
def test_limits_end_what_a_library_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, limits: Limits, said: str
) -> None:
    monkeypatch.setattr(process, "_GRACE_SECONDS", 0.0)
    first, bad, last = jobs(tmp_path, "a.md", name, "b.md")
    given = [first, replace(bad, limits=limits), last]  # the others have all that they need
    outcomes = {job.name: outcome for job, outcome in read_all(given, 1)}
    [failed] = [outcome for outcome in outcomes.values() if isinstance(outcome, Failure)]
    assert (failed.error, failed.path) == ("LimitError", bad.path)
    assert said in failed.message
    assert failed.message.count(". ") == 0


def test_memory_is_watched_where_the_kernel_does_not_bound_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "_COMMAND", SERVE.replace("{more}", NO_ADDRESS_SPACE))
    [job] = jobs(tmp_path, "swells.md")
    reading = ReadingProcess()
    failed = reading.read(replace(job, limits=Limits(memory=200_000_000)))
    assert isinstance(failed, Failure)
    assert "200,000,000 bytes of memory" in failed.message
    assert not isinstance(reading.read(jobs(tmp_path, "a.md")[0]), Failure)
    reading.stop()


def test_alarm_ends_a_process_whose_parent_does_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "_COMMAND", SERVE.replace("{more}", "child._GRACE_SECONDS = 0.0"))
    [job] = jobs(tmp_path, "hangs.md")
    began = time.monotonic()
    failed = ReadingProcess().read(replace(job, limits=Limits(seconds=1)))
    assert isinstance(failed, Failure)
    assert "takes longer" in failed.message
    assert time.monotonic() - began < 60


@pytest.mark.usefixtures("hostile")
def test_what_libraries_print_reaches_nobody(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert read(jobs(tmp_path, "a.md")[0].path).lines
    assert capfd.readouterr() == ("", "")


@pytest.mark.usefixtures("pool")
def test_processes_are_replaced_in_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "_FILES_A_PROCESS", 2)
    outcomes = dict(read_all(jobs(tmp_path, *(f"{number}.md" for number in range(7))), 1))
    assert not any(isinstance(outcome, Failure) for outcome in outcomes.values())


def test_process_that_was_killed_while_it_waited_is_replaced(tmp_path: Path) -> None:
    [job] = jobs(tmp_path, "a.md")
    reading = ReadingProcess()
    reading.read(job)
    assert reading._process is not None
    os.kill(reading._process.pid, signal.SIGKILL)
    os.waitid(os.P_PID, reading._process.pid, os.WEXITED | os.WNOWAIT)
    assert not isinstance(reading.read(job), Failure)
    reading.stop()


def test_giving_up_leaves_no_process(tmp_path: Path, pool: process._Pool) -> None:
    reading = read_all(jobs(tmp_path, *(f"{number}.md" for number in range(20))), 2)
    next(reading)
    children = [one._process for one in pool._all]
    reading.close()  # type: ignore[attr-defined]
    pool.stop()
    assert children
    assert all(child is None or child.poll() is not None for child in children)


def test_process_that_does_not_start_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "_COMMAND", "import nothing_of_that_name")
    failed = ReadingProcess().read(jobs(tmp_path, "a.md")[0])
    assert isinstance(failed, Failure)
    assert "spanwise doctor" in failed.message


def test_modules_in_the_folder_of_the_documents_are_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("json", "zlib", "selectolax", "pikepdf", "spanwise"):
        (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'run')!r}, 'w')")
    monkeypatch.chdir(tmp_path)
    reading = ReadingProcess()
    assert not isinstance(reading.read(jobs(tmp_path, "a.html")[0]), Failure)
    reading.stop()
    assert not (tmp_path / "run").exists()


def test_process_ends_with_its_parent(tmp_path: Path) -> None:
    """Also when the parent is killed in the middle of a file."""
    [job] = jobs(tmp_path, "hangs.md")
    script = tmp_path / "parent.py"
    script.write_text(
        "import sys, threading, time\n"
        "from spanwise.readers import process\n"
        "from spanwise.readers.port import Job\n"
        f"process._COMMAND = {SERVE.replace('{more}', '')!r}\n"
        "reading = process.ReadingProcess()\n"
        f"threading.Thread(target=reading.read, args=(Job({job.path!r}, 'hangs.md'),), daemon=True).start()\n"
        "while not reading._greeted: time.sleep(0.01)\n"
        "time.sleep(0.3)\n"
        "print(reading._process.pid, flush=True)\n"
        "time.sleep(600)\n"
    )
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        parent.kill()
    until = time.monotonic() + 60
    while alive(child):
        assert time.monotonic() < until
        time.sleep(0.05)


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{pid}/stat")
    return not (state.exists() and state.read_text().rsplit(")", 1)[1].split()[0] == "Z")


def test_process_leaves_ctrl_c_to_its_parent(tmp_path: Path) -> None:
    reading = ReadingProcess()
    for job in jobs(tmp_path, "a.md", "b.md"):
        assert not isinstance(reading.read(job), Failure)
        assert reading._process is not None
        reading._process.send_signal(signal.SIGINT)
        time.sleep(0.1)
        assert reading._process.poll() is None
    reading.stop()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks here")
def test_a_fork_does_not_write_into_the_pipes_of_its_parent(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A heading.")
    script = tmp_path / "forks.py"
    script.write_text(
        "import os, spanwise\n"
        f"first = spanwise.read({str(tmp_path / 'a.md')!r})\n"
        "child = os.fork()\n"
        f"assert spanwise.read({str(tmp_path / 'a.md')!r}) == first\n"
        "if child: assert os.waitpid(child, 0)[1] == 0\n"
    )
    subprocess.run([sys.executable, "-W", "ignore", script], check=True, timeout=60)


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


# A process that a file has taken over may send anything --------------------------------------------------------------

LIAR = """
import struct, sys, time
from spanwise.readers import wire
out = sys.stdout.buffer
wire.send(out, wire.HELLO, b"")
out.flush()
sys.stdin.buffer.read(20)
{lie}
out.flush()
time.sleep(20)
"""
HEAD = 'wire.send_json(out, wire.DOCUMENT, ["a.md", "0" * 64, "markdown", False, {lines}])\n'
END = 'wire.send(out, wire.END, b"")\n'


def packed(value: object) -> str:
    import zlib

    return repr(zlib.compress(json.dumps(value).encode()))


def run_of(value: object, lines: int = 1) -> str:
    return (
        HEAD.format(lines=lines) + f'wire.send(out, wire.RUN, struct.pack(">QQ", 1, {lines}) + {packed(value)})\n' + END
    )


@pytest.mark.parametrize(
    "lie",
    [
        "import pickle, os; out.write(pickle.dumps(os.system))",
        'out.write(b"D" + struct.pack(">I", 2**32 - 1))',
        'out.write(b"D" + struct.pack(">I", 3) + b"[1]")',
        'wire.send(out, wire.DOCUMENT, b"[" * 1_000_000)',
        'wire.send(out, wire.DOCUMENT, b"[NaN, 1, 2, 3, 4]")',
        'wire.send(out, wire.DOCUMENT, b"[" + b"1" * 10_000 + b",1,1,1,1]")',
        'wire.send_json(out, wire.DOCUMENT, ["b.md", "0" * 64, "markdown", False, 1])',
        'wire.send_json(out, wire.DOCUMENT, ["a.md", "../../etc", "markdown", False, 1])',
        'wire.send_json(out, wire.DOCUMENT, ["a.md", "0" * 64, "markdown", False, -1])',
        'wire.send_json(out, wire.DOCUMENT, ["a.md", "0" * 64, "markdown", False, True])',
        HEAD.format(lines=5) + END,
        HEAD.format(lines=1) + 'wire.send(out, wire.HELLO, b"")',
        HEAD.format(lines=1) + 'wire.send(out, wire.RUN, b"short")',
        HEAD.format(lines=1) + 'wire.send(out, wire.RUN, struct.pack(">QQ", 1, 1) + b"no zlib")',
        HEAD.format(lines=1) + 'wire.send(out, wire.RUN, struct.pack(">QQ", 2, 2))',
        HEAD.format(lines=2**50) + 'wire.send(out, wire.RUN, struct.pack(">QQ", 1, 2**50))',
        HEAD.format(lines=1)
        + 'import zlib; wire.send(out, wire.RUN, struct.pack(">QQ", 1, 1) + zlib.compress(b" " * 2**28))',
        run_of([1, 1, ["two\nlines"], [0], [0], [None]]),
        run_of([1, 1, ["one"], [9], [0], [None]]),
        run_of([1, 1, ["one"], [0], [0], [[1, 2]]]),
        run_of([1, 1, ["one"], [0], [0], [[1, 2, 3, "4"]]]),
        run_of([1, 1, ["one", "two"], [0], [0], [None]]),
        run_of([1, 1, ["one"], [], [0], [None]]),
        run_of([1, 1, ["one"], [0], [0], [None], [], []]),
        run_of([1, 1, ["\ud800"], [0], [0], [None]]),
        run_of({"lines": 1}),
        run_of([1, 1, ["one"], [0], [0], [None]]),  # no details
        HEAD.format(lines=1) + 'wire.send_json(out, wire.PASSAGES, [[1, 9, 1, "text", None, []]])',
        HEAD.format(lines=1) + 'wire.send_json(out, wire.PASSAGES, [[1, 1, 1, "text", None, [[1, "king"]]]])',
        HEAD.format(lines=1) + 'wire.send_json(out, wire.SECTIONS, [["title", 1, 1, 2**60, 1, 1]])',
        HEAD.format(lines=1) + "wire.send_json(out, wire.PAGES, [[1, 1, 0, 0, 1, 1, True]])",
        'wire.send_json(out, wire.FAILED, ["SystemExit"])',
        2 * 'wire.send_json(out, wire.FAILED, ["LimitError", "no"])\n',
    ],
)
def test_lies_are_a_failure_of_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lie: str) -> None:
    monkeypatch.setattr(process, "_COMMAND", LIAR.replace("{lie}", lie))
    reading = ReadingProcess()
    failed = reading.read(jobs(tmp_path, "a.md")[0])
    assert isinstance(failed, Failure)
    assert failed.error in ("DamagedDocumentError", "LimitError")
    assert len(failed.message) < 300
    assert reading._process is None


def test_a_failure_names_no_error_but_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lie = 'wire.send_json(out, wire.FAILED, ["_rebuild_document_error", "a\\u001b[2J"])\n' + END
    monkeypatch.setattr(process, "_COMMAND", LIAR.replace("{lie}", lie))
    reading = ReadingProcess()
    failed = reading.read(jobs(tmp_path, "a.md")[0])
    reading.stop()
    assert failed == Failure(str(tmp_path / "a.md"), "a [2J", "DocumentError")


def test_a_flood_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = 'wire.send_json(out, wire.PAGES, [[1, "label", 0, 0, 1, 1, True]] * 100_000)'
    monkeypatch.setattr(process, "_COMMAND", LIAR.replace("{lie}", f"{HEAD.format(lines=1)}\nwhile True: {page}"))
    monkeypatch.setattr(process, "_LEAST_ANSWER", 10_000_000)
    failed = ReadingProcess().read(replace(jobs(tmp_path, "a.md")[0], limits=Limits(memory=10_000_000)))
    assert isinstance(failed, Failure)
    assert "bytes" in failed.message


def test_records_come_through_as_they_are(standard: Path) -> None:
    from spanwise.readers.registry import read_here
    from spanwise.store.codec import decode, encode

    document = read_here(standard)
    record = encode(document)
    reading = ReadingProcess()
    assert reading.read(Job(str(standard), standard.name)) == record
    reading.stop()
    assert decode(record) == document == read(standard)


def test_errors_keep_their_types() -> None:
    with pytest.raises(DamagedDocumentError) as damaged:
        read(b"%PDF-1.7 and nothing more", name="a.pdf")
    assert damaged.value.document == "a.pdf"
    with pytest.raises(LimitError):
        read(b"# A\n" * 50_000, name="a.md", limits=Limits(lines=100))
