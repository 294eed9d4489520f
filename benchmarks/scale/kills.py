"""Kill loops: SIGKILL to each role while it works; what was acknowledged has to be there afterwards, and to be right.

* batch: the process that gives out the work; its rows stay, and in the end are those of a plain loop.
* worker: processes of a Dask cluster that do the work.
* scheduler: of that cluster, started anew with its workers, as a supervisor would.
* server: a worker of `spanwise serve --workers 2`, or all of it, while documents are uploaded.
* database: a PostgreSQL, all of its processes or one that serves a connection, while documents and rows
  are written to it.

Usage: python benchmarks/scale/kills.py [--kills 20] [ROLE ...]
"""

from __future__ import annotations

import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from postgres import A_DOCUMENT, WORDS, documents
from postgres_server import Server, postgres

import spanwise
from spanwise import batch
from spanwise.errors import StorageError
from spanwise.extraction.fields import Field
from spanwise.extraction.sinks import open_sink
from spanwise.extraction.value_rows import nothing

_DOCUMENTS = 40
_QUESTIONS = 8
_PATIENCE = 180.0
PYTHON = [sys.executable, "-m"]


class LostError(AssertionError):
    """Something that was acknowledged is gone or wrong."""


def made(folder: Path) -> tuple[Path, Path, list[dict]]:
    """A corpus, a question file, and the rows of the plain loop."""
    file, asked = folder / "corpus.db", folder / "questions.jsonl"
    words = WORDS[:_QUESTIONS]
    asked.write_text("".join(json.dumps(f"What is the {word} fee?") + "\n" for word in words))
    with spanwise.Corpus.open(file) as corpus:
        with corpus.writing() as writing:  # reading files is not what is killed here
            for record in documents(_DOCUMENTS * A_DOCUMENT, random.Random(20)):
                writing.put(record)
        tasks = batch.tasks_of(batch.read_questions(asked)[0], corpus)
    asking = batch.Asking(str(file))
    rows = [row.to_dict() for task in tasks for row in batch.answer(asking, task).rows]
    return file, asked, json.loads(json.dumps(rows))


def rows_in(out: Path) -> list[dict]:
    """The whole rows of a file."""
    if not out.exists():
        return []
    return [json.loads(line) for line in out.read_bytes().split(b"\n")[:-1]]


@contextmanager
def running(*command: str, log: Path, **environment: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process in a group of its own; all of the group is ended."""
    with log.open("ab") as told:
        process = subprocess.Popen(
            [*PYTHON, *command], stdout=told, stderr=told, start_new_session=True, env={**os.environ, **environment}
        )
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(30)


def children(pid: int) -> list[int]:
    """Processes that a process has started, by /proc."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError, IndexError):
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
                if int(fields[1]) == pid:
                    found.append(int(entry.name))
    return found


def below(pid: int) -> list[int]:
    """All processes below a process."""
    found = children(pid)
    return found + [one for child in found for one in below(child)]


def batches(folder: Path, kills: int) -> None:
    """Kill the batch itself."""
    file, asked, expected = made(folder)
    out, chance, done, whole = folder / "rows.jsonl", random.Random(), 0, 0
    while done < kills:
        before = rows_in(out)
        with running(
            "spanwise",
            "batch",
            str(asked),
            "--corpus",
            str(file),
            "--out",
            str(out),
            "--workers",
            "1",
            log=folder / "log",
        ) as process:
            try:
                process.wait(chance.uniform(1.5, 9.0))
            except subprocess.TimeoutExpired:
                os.kill(process.pid, signal.SIGKILL)
                process.wait(30)
                done += 1
        after = rows_in(out)
        if after[: len(before)] != before or after != expected[: len(after)]:
            raise LostError("rows that were written are gone, or others than those of the plain loop")
        if len(after) == len(expected):
            whole += 1
            out.unlink()
    print(f"batch: {done} kills, {whole} batches came to their end, 0 rows lost or wrong")


@contextmanager
def cluster(folder: Path, port: int) -> Iterator[list[subprocess.Popen[bytes]]]:
    """A scheduler and two workers, each with a nanny that starts it anew."""
    quiet = {"DASK_DISTRIBUTED__LOGGING__DISTRIBUTED": "error"}
    here = ("--host", "127.0.0.1", "--port", str(port), "--dashboard-address", ":0")
    worker = (
        "distributed.cli.dask_worker",
        f"tcp://127.0.0.1:{port}",
        "--nworkers",
        "2",
        "--nthreads",
        "1",
        "--no-dashboard",
    )
    with (
        running("distributed.cli.dask_scheduler", *here, log=folder / "log", **quiet) as first,
        running(*worker, "--local-directory", str(folder), log=folder / "log", **quiet) as second,
    ):
        yield [first, second]


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def of_cluster(folder: Path, kills: int, *, scheduler: bool) -> None:
    """Kill workers of a cluster, or its scheduler, while a batch runs on it."""
    file, asked, expected = made(folder)
    out, chance, port = folder / "rows.jsonl", random.Random(), free_port()
    done = whole = 0
    while done < kills:
        command = (
            "spanwise",
            "batch",
            str(asked),
            "--corpus",
            str(file),
            "--out",
            str(out),
            "--client",
            f"tcp://127.0.0.1:{port}",
        )
        with running(*command, log=folder / "log") as process:
            until = time.monotonic() + _PATIENCE
            while process.poll() is None and time.monotonic() < until:
                with cluster(folder, port) as (_, workers):
                    done += _kills_of(process, workers, chance, out, len(expected), kills - done, once=scheduler)
        if process.returncode not in {0, 3} or time.monotonic() > until:
            print((folder / "log").read_text()[-2000:])
            raise LostError(f"the batch did not come to its end (exit code {process.returncode})")
        after = rows_in(out)
        died = [row for row in after if row["decision"] == "died"]
        if len(after) != len(expected) or [row for row in after if row not in died] != [
            one for one, row in zip(expected, after, strict=True) if row not in died
        ]:
            raise LostError("the rows are others than those of the plain loop")
        whole += 1
        out.unlink()
        print(f"  {done} kills, {whole} batches, {len(died)} rows named as killing their worker", flush=True)
    role = "scheduler" if scheduler else "worker"
    print(f"{role}: {done} kills, {whole} batches came to their end, 0 rows lost or wrong")


def _kills_of(process, workers, chance, out, total, left, *, once: bool) -> int:  # noqa: ANN001
    """Kill until the batch is done: the scheduler once (it goes with its context), or workers as they come."""
    done = 0
    began = len(rows_in(out))
    until = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < until:
        time.sleep(chance.uniform(0.2, 2.0))
        living = [one for one in below(workers.pid) if not children(one)]
        if process.poll() is not None or not living or done >= left:
            continue
        if once:
            if len(rows_in(out)) > began or len(rows_in(out)) == total:
                return 1  # leaving the context kills it with SIGKILL
        elif len(rows_in(out)) > began:  # something was done in between
            began = len(rows_in(out))
            with suppress(ProcessLookupError):
                os.kill(chance.choice(living), signal.SIGKILL)
            done += 1
    return done


def servers(folder: Path, kills: int) -> None:
    """Kill a worker of a server, or all of it, while documents are uploaded."""
    chance, port, done, known = random.Random(), free_port(), 0, set()
    file = folder / "served.db"
    base = f"http://127.0.0.1:{port}/v1"
    while done < kills:
        with running(
            "spanwise", "serve", "--workers", "2", "--port", str(port), "--corpus", str(file), log=folder / "log"
        ) as process:
            _wait_for(lambda: _get(f"{base}/ready") is not None)
            for _ in range(3):
                for _ in range(chance.randrange(1, 5)):
                    name = f"note-{done}-{len(known)}.txt"
                    if _uploaded(base, name):
                        known.add(name)
                _check(base, known)
                workers = [
                    one for one in children(process.pid) if b"spawn_main" in Path(f"/proc/{one}/cmdline").read_bytes()
                ]
                if done < kills and workers:
                    os.kill(chance.choice(workers), signal.SIGKILL)
                    done += 1
            _check(base, known)
        done += 1  # leaving the context killed all of it
    with spanwise.Corpus.open(file, create=False) as corpus:
        if missing := known - {one.name for one in corpus.documents()}:
            raise LostError(f"{len(missing)} acknowledged documents are gone")
    print(f"server: {done} kills, {len(known)} documents were acknowledged, 0 lost")


class Writers:
    """Two threads that write documents and rows to a database, and note what it acknowledged."""

    def __init__(self, url: str, folder: Path, corpus: spanwise.Corpus) -> None:
        self.url, self.folder, self.corpus = url, folder, corpus
        self.stored: list[str] = []
        self.written: list[str] = []
        self.faults: list[str] = []
        self.over = threading.Event()
        self.threads = [threading.Thread(target=self._guarded, args=(work,)) for work in (self._store, self._write)]

    def _guarded(self, work: Callable[[int], None]) -> None:
        number = 0
        while not self.over.is_set():
            number += 1
            try:
                work(number)
            except StorageError:  # told in words: it goes on when the database is there again
                time.sleep(0.05)
            except BaseException as error:  # noqa: BLE001  # nothing else may come of it
                self.faults.append(f"{type(error).__name__}: {error}")
                return

    def _store(self, number: int) -> None:
        file = self.folder / f"note-{number}.txt"
        file.write_text(f"The {fee_of(file.name)} is {number + 1} euros.\n")
        report = self.corpus.add(file)
        self.stored += report.added
        self.faults += map(str, report.failed)

    def _write(self, number: int) -> None:
        with open_sink(f"{self.url}&table=facts") as sink:
            for part in range(20):
                row = nothing(Field("fee", "What?"), f"d{number}-{part}", "x", decision="not_found", reason="")
                sink.write([row])
                self.written.append(row.document)


def fee_of(name: str) -> str:
    """What a document of the writers says something of."""
    number = int("".join(filter(str.isdigit, name)))
    return f"{WORDS[number % len(WORDS)]} fee of note {number}"


def databases(folder: Path, kills: int) -> None:
    """Kill a database under two that write to it: whoever had it open goes on when it is there again."""
    chance = random.Random()
    os.environ["XDG_CACHE_HOME"] = str(folder)
    with postgres(fsync="on") as server:
        url = server.corpus()
        with spanwise.Corpus.open(url) as corpus:
            writers = Writers(url, folder, corpus)
            for thread in writers.threads:
                thread.start()
            try:
                for done in range(kills):
                    _let_write(writers, server)
                    time.sleep(chance.uniform(0, 0.5))
                    _kill(server, chance)
                    if done % 10 == 9:
                        print(f"  {done + 1} kills, {len(writers.stored)} documents, {len(writers.written)} rows")
                _let_write(writers, server)
            finally:
                writers.over.set()
                for thread in writers.threads:
                    thread.join()
            _hold_against(writers, url, corpus)
        os.environ["XDG_CACHE_HOME"] = str(folder / "another machine")
        with spanwise.Corpus.open(url, create=False) as corpus:
            _hold_against(writers, url, corpus)
    if writers.faults:
        raise LostError(f"{len(writers.faults)} faults, the first: {writers.faults[0]}")
    count = f"{len(writers.stored)} documents and {len(writers.written)} rows"
    print(f"database: {kills} kills, {count} were acknowledged, 0 lost")


def _let_write(writers: Writers, server: Server) -> None:
    """Wait until both have written something more.

    PostgreSQL ends when the process is killed that puts right what the last kill left: it is started anew then, as
    whoever keeps a database running does.
    """
    before = len(writers.stored), len(writers.written)

    def written() -> bool:
        if server.process is not None and server.process.poll() is not None:
            with suppress(RuntimeError):
                server.start()
        return bool(writers.faults) or (len(writers.stored) > before[0] and len(writers.written) > before[1])

    _wait_for(written)


def _hold_against(writers: Writers, url: str, corpus: spanwise.Corpus) -> None:
    """Look for all that was acknowledged: listed, in the index and with its lines."""
    if missing := set(writers.stored) - {one.name for one in corpus.documents()}:
        raise LostError(f"{len(missing)} acknowledged documents are gone")
    with open_sink(f"{url}&table=facts") as sink:
        if missing := set(writers.written) - {document for document, _ in sink.held()}:
            raise LostError(f"{len(missing)} acknowledged rows are gone")
    for name in writers.stored:
        hits = corpus.search(fee_of(name), documents=[name])
        if not hits or fee_of(name) not in hits[0].passage.text:
            raise LostError(f"{name} is not found")


def _kill(server: Server, chance: random.Random) -> None:
    """Kill all processes of a database and start it anew, or one behind a connection, after which it heals itself."""
    assert server.process is not None
    serving = below(server.process.pid)
    if chance.random() < 0.5 and serving:
        with suppress(ProcessLookupError):
            os.kill(chance.choice(serving), signal.SIGKILL)
        return
    for one in (server.process.pid, *serving):
        with suppress(ProcessLookupError):
            os.kill(one, signal.SIGKILL)
    server.process.wait(30)
    _wait_for(lambda: not any(Path(f"/proc/{one}").exists() for one in serving))
    server.start()


def _uploaded(base: str, name: str) -> bool:
    """Upload a document: True once that was acknowledged; a connection that breaks acknowledges nothing."""
    body = (
        f'--x\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
        f"The fee of {name} is {len(name)} euros.\r\n--x--\r\n"
    ).encode()
    request = urllib.request.Request(
        f"{base}/corpora/default/documents", body, {"Content-Type": "multipart/form-data; boundary=x"}
    )
    with suppress(OSError):
        with urllib.request.urlopen(request, timeout=20) as answer:
            job = json.load(answer)
        for _ in range(200):
            told = _get(f"{base}/corpora/default/jobs/{job['id']}")
            if told is not None and told["state"] in {"done", "failed", "cancelled"}:
                return told["state"] == "done"
            time.sleep(0.05)
    return False


def _check(base: str, known: set[str]) -> None:
    listed: list[set[str]] = []

    def all_there() -> bool:
        told = _get(f"{base}/corpora/default/documents")
        if told is not None:
            listed.append({one["name"] for one in told["documents"]})
        return bool(listed)

    _wait_for(all_there)
    if missing := known - listed[-1]:
        raise LostError(f"{len(missing)} acknowledged documents are not listed")


def _get(url: str) -> dict | None:
    with suppress(OSError, urllib.error.URLError), urllib.request.urlopen(url, timeout=20) as answer:
        return json.load(answer)
    return None


def _wait_for(so: Callable[[], bool]) -> None:
    until = time.monotonic() + _PATIENCE
    while not so():
        if time.monotonic() > until:
            raise LostError("the server does not come back")
        time.sleep(0.2)


ROLES: dict[str, Callable[[Path, int], None]] = {
    "batch": batches,
    "worker": lambda folder, kills: of_cluster(folder, kills, scheduler=False),
    "scheduler": lambda folder, kills: of_cluster(folder, kills, scheduler=True),
    "server": servers,
    "database": databases,
}


def main() -> None:
    """Kill each role that was asked for so many times."""
    sys.stdout.reconfigure(line_buffering=True)
    arguments = sys.argv[1:]
    kills = int(arguments[arguments.index("--kills") + 1]) if "--kills" in arguments else 20
    for role in [one for one in arguments if one in ROLES] or list(ROLES):
        with tempfile.TemporaryDirectory(prefix=f"spanwise-kills-{role}-") as folder:
            began = time.monotonic()
            ROLES[role](Path(folder), kills)
            print(f"{role}: {time.monotonic() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main()
