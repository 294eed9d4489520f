from __future__ import annotations

import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from spanwise.errors import CorpusBusyError
from spanwise.store.changes import WriteLock

HOLDER = """
import sys
from pathlib import Path
from spanwise.store.changes import WriteLock
with WriteLock(Path(sys.argv[1])).held():
    print("held", flush=True)
    sys.stdin.read()
"""


def test_second_holder_in_this_process(tmp_path: Path) -> None:
    lock = WriteLock(tmp_path / "c.db")
    with lock.held(), pytest.raises(CorpusBusyError, match="Another thread is writing"), lock.held():
        pass
    with lock.held():
        pass


def test_holder_in_another_process_until_it_is_killed(tmp_path: Path) -> None:
    lock = WriteLock(tmp_path / "c.db")
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path / "c.db")], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with holder:  # which ends with its standard input, if the test fails
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(CorpusBusyError, match=r"Another process is writing to the corpus .*c\.db"), lock.held():
            pass
        holder.kill()
    with lock.held():
        pass


def test_a_holder_that_is_done_soon_is_waited_for(tmp_path: Path) -> None:
    mine, other = WriteLock(tmp_path / "c.db"), WriteLock(tmp_path / "c.db")
    for lock in (mine, other):  # a thread of this handle, and a handle as another process has it
        held, release = threading.Event(), threading.Event()

        def hold(lock: WriteLock = lock, held: threading.Event = held, release: threading.Event = release) -> None:
            with lock.held():
                held.set()
                release.wait(0.1)

        with ThreadPoolExecutor(1) as pool:
            holding = pool.submit(hold)
            assert held.wait(10)
            with mine.held(10):
                pass
            release.set()
            holding.result()
