"""What serving costs: overhead of a question over `Engine.ask`, many clients at once, many uploads and removals.

    python benchmarks/serving.py [QUESTIONS] [UPLOADS]

Starts `spanwise serve` in a process of its own over the documents of examples/, without a model. Overhead is the median
of the differences between a question over HTTP and the same question asked of an `Engine` right after, in turns, so
that whatever else the machine does weighs on both.
"""

import asyncio
import json
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from spanwise.engine import Engine
from spanwise.ingest.corpus import Corpus

DOCUMENTS = Path(__file__).parent.parent / "examples" / "documents"
QUESTIONS = (
    "What is cloud computing?",
    "What are the five essential characteristics?",
    "Who are the authors?",
    "How much does the Company pay per month for the Services?",
    "Which law governs the agreement?",
    "When does the agreement end?",
    "What is the penalty for murder?",
    "What is a hybrid cloud?",
)
CLIENTS = 50
SENDERS = 8
BASE = "/v1/corpora/default"


@contextmanager
def serving(corpus: Path) -> Iterator[tuple[str, int]]:
    """The address of a server over a corpus, and the id of its process."""
    process = subprocess.Popen(
        [sys.executable, "-m", "spanwise", "serve", "--corpus", str(corpus), "--port", "0"],
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        line = process.stderr.readline() if process.stderr else ""
        found = re.search(r"at (http://\S+)", line)
        if found is None:
            raise SystemExit(f"the server does not start: {line}")
        yield found[1], process.pid
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()


def percentile(values: list[float], share: float) -> float:
    """The value below which so much of them lies, in milliseconds."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))] * 1000


def cpu_seconds(process: int) -> float:
    """What a process has worked so far."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def overhead(address: str, process: int, corpus: Path, most: int) -> None:
    """One question after another, over HTTP and of the engine itself, in turns."""
    direct: list[float] = []
    served: list[float] = []
    work = work_there = 0.0
    with Corpus.open(corpus) as opened, httpx.Client(base_url=address, timeout=60) as client:
        engine = Engine(opened)
        for number in range(-len(QUESTIONS), most):
            question = QUESTIONS[number % len(QUESTIONS)]
            if number == 0:
                work_there = cpu_seconds(process)
            began = time.perf_counter()
            client.post(f"{BASE}/ask", json={"question": question}).raise_for_status()
            between, work_before = time.perf_counter(), time.process_time()
            engine.ask(question)
            if number >= 0:  # the first round warms both up
                served.append(between - began)
                direct.append(time.perf_counter() - between)
                work += time.process_time() - work_before
        work_there = cpu_seconds(process) - work_there
    more = [(one - other) * 1000 for one, other in zip(served, direct, strict=True)]
    print(
        f"overhead: Engine.ask p50 {percentile(direct, 0.5):.1f} ms, over HTTP p50 {percentile(served, 0.5):.1f} ms, "
        f"difference p50 {statistics.median(more):.1f} ms; work a question {work / most * 1000:.1f} ms of the engine, "
        f"{work_there / most * 1000:.1f} ms of the server ({most} questions)"
    )


async def crowd(address: str, each: int) -> None:
    """Many clients, each of which asks one question after another."""
    took: list[float] = []
    errors = 0

    async def ask(client: httpx.AsyncClient, number: int) -> None:
        nonlocal errors
        for step in range(each):
            began = time.perf_counter()
            question = QUESTIONS[(number + step) % len(QUESTIONS)]
            try:
                response = await client.post(f"{BASE}/ask", json={"question": question})
                errors += response.status_code != 200
            except httpx.HTTPError:
                errors += 1
            took.append(time.perf_counter() - began)

    limits = httpx.Limits(max_connections=CLIENTS, max_keepalive_connections=CLIENTS)
    async with httpx.AsyncClient(base_url=address, timeout=120, limits=limits) as client:
        began = time.perf_counter()
        await asyncio.gather(*(ask(client, number) for number in range(CLIENTS)))
        seconds = time.perf_counter() - began
    p50, p99 = percentile(took, 0.5), percentile(took, 0.99)
    print(
        f"{CLIENTS} clients: {errors} errors, p50 {p50:.0f} ms, p99 {p99:.0f} ms ({p99 / p50:.1f} x p50), "
        f"{len(took) / seconds:.0f} answers/s ({len(took)} questions)"
    )


async def traffic(address: str, corpus: Path, most: int) -> None:
    """Uploads by several senders, half of which are removed again, with questions in between."""
    questions: list[float] = []
    kept: dict[str, str] = {}
    failed = 0
    ended = False

    async def send(client: httpx.AsyncClient, numbers: range) -> None:
        nonlocal failed
        for number in numbers:
            content = f"Note {number}\n\nThe deposit of tenant {number} is {number} dollars.\n".encode()
            files = {"file": (f"note-{number}.txt", content)}
            place = (await client.post(f"{BASE}/documents", files=files)).headers["location"]
            async with client.stream("GET", f"{place}/events") as events:
                told = [line async for line in events.aiter_lines() if line.startswith("data: ")]
            job = json.loads(told[-1].removeprefix("data: "))
            if job["state"] != "done":
                failed += 1
            elif number % 2:
                gone = await client.delete(f"{BASE}/documents/{job['document']['id']}")
                failed += gone.status_code != 204
            else:
                kept[job["document"]["id"]] = job["document"]["sha256"]

    async def ask(client: httpx.AsyncClient) -> None:
        while not ended:
            began = time.perf_counter()
            (await client.post(f"{BASE}/ask", json={"question": QUESTIONS[0]})).raise_for_status()
            questions.append(time.perf_counter() - began)
            await asyncio.sleep(0.2)

    async with httpx.AsyncClient(base_url=address, timeout=300) as client:
        before = {one["id"] for one in (await client.get(f"{BASE}/documents")).json()["documents"]}
        began = time.perf_counter()
        asking = asyncio.ensure_future(ask(client))
        await asyncio.gather(*(send(client, range(sender, most, SENDERS)) for sender in range(SENDERS)))
        ended = True
        await asking
        seconds = time.perf_counter() - began
        after = {one["id"]: one["sha256"] for one in (await client.get(f"{BASE}/documents")).json()["documents"]}
        lost = sum(after.get(one) != digest for one, digest in kept.items())
        extra = len(set(after) - set(kept) - before)
        for one in list(kept):
            failed += (await client.delete(f"{BASE}/documents/{one}")).status_code != 204
        left = (await client.get(f"{BASE}/documents")).json()["documents"]
    orphaned = sum(path.is_file() for path in corpus.with_name(f"{corpus.name}.files").rglob("*"))
    print(
        f"{most} uploads and removals: {failed} failed, {lost} lost, {extra + len(left) - len(before)} left over, "
        f"{orphaned} orphaned files, {most / seconds:.0f} a second; {len(questions)} questions meanwhile, "
        f"p50 {percentile(questions, 0.5):.0f} ms, longest {max(questions) * 1000:.0f} ms"
    )


def main() -> None:
    """Print the three lines."""
    most = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    uploads = int(sys.argv[2]) if len(sys.argv) > 2 else 1_000
    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder, "corpus.db")
        with Corpus.open(corpus) as opened:
            opened.add(DOCUMENTS)
        with serving(corpus) as (address, process):
            overhead(address, process, corpus, most)
            asyncio.run(crowd(address, max(1, most // 20)))
            asyncio.run(traffic(address, corpus, uploads))


if __name__ == "__main__":
    main()
