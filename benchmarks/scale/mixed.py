"""Eight clients, two servers, one PostgreSQL: documents are replaced and asked at once, and every citation is checked.

A document says its own version. Whoever asks knows which versions were acknowledged before the question was sent, and
which were on their way until the answer came: an answer from any other one is stale, one whose quote its lines do not
have is wrong.

Usage: python benchmarks/scale/mixed.py [SECONDS] [CLIENTS]
"""

from __future__ import annotations

import json
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import ExitStack
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import urllib.request

from kills import _get, _wait_for, free_port
from postgres import WORDS, p95
from postgres_server import postgres

_DOCUMENTS = 24


class Ledger:
    """What may be told of each document: the versions that were acknowledged last, and those on their way."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.writing = [threading.Lock() for _ in range(_DOCUMENTS)]
        self.newest = [0] * _DOCUMENTS
        self.coming = [0] * _DOCUMENTS
        self.counts: Counter[str] = Counter()
        self.seconds: list[float] = []
        self.faults: list[str] = []

    def note(self, what: str) -> None:
        """Count something."""
        with self.lock:
            self.counts[what] += 1


def name_of(number: int) -> str:
    """The file of a document."""
    return f"{WORDS[number]}-lease.txt"


def text_of(number: int, version: int) -> str:
    """A version of a document, which says its number in the fee."""
    filler = "\n\n".join(f"Clause {at}. The parties keep {WORDS[at * 7 % len(WORDS)]} records." for at in range(8))
    return f"Lease of {WORDS[number]}\n\n{filler}\n\nThe monthly {WORDS[number]} fee is {1000 + version} euros.\n"


def upload(base: str, number: int, version: int) -> bool:
    """Send a version and wait until it is acknowledged."""
    body = (
        f'--x\r\nContent-Disposition: form-data; name="file"; filename="{name_of(number)}"\r\n\r\n'
        f"{text_of(number, version)}\r\n--x--\r\n"
    ).encode()
    kind = {"Content-Type": "multipart/form-data; boundary=x"}
    with urllib.request.urlopen(
        urllib.request.Request(f"{base}/corpora/default/documents", body, kind), timeout=60
    ) as told:
        job = json.load(told)
    for _ in range(1_200):
        state = _get(f"{base}/corpora/default/jobs/{job['id']}")
        if state is not None and state["state"] in {"done", "failed", "cancelled"}:
            return state["state"] == "done"
        time.sleep(0.05)
    return False


def write(base: str, ledger: Ledger, chance: random.Random) -> None:
    """Replace a document by its next version."""
    number = chance.randrange(_DOCUMENTS)
    if not ledger.writing[number].acquire(blocking=False):
        return
    try:
        with ledger.lock:
            version = ledger.coming[number] = ledger.newest[number] + 1
        if upload(base, number, version):
            with ledger.lock:
                ledger.newest[number] = version
            ledger.note("replaced")
        else:
            ledger.note("not taken")
    finally:
        ledger.writing[number].release()


def ask(base: str, ledger: Ledger, chance: random.Random) -> None:
    """Ask for the fee of a document and hold the answer against what may be told."""
    number = chance.randrange(_DOCUMENTS)
    with ledger.lock:
        least = ledger.newest[number]
    began = time.perf_counter()
    question = json.dumps({"question": f"What is the monthly {WORDS[number]} fee?"}).encode()
    request = urllib.request.Request(f"{base}/corpora/default/ask", question, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        told = json.load(answer)
    ledger.seconds.append(time.perf_counter() - began)
    with ledger.lock:
        most = max(ledger.newest[number], ledger.coming[number])
    cited = [one for one in told["citations"] if one["document"] == name_of(number)]
    if told["decision"] != "ship" or not cited:
        ledger.note("not answered")
        return
    allowed = {f"is {1000 + version} euros" for version in range(least, most + 1)}
    for one in cited:
        if not any(said in one["quote"] for said in allowed):
            ledger.faults.append(f"{name_of(number)}: {one['quote']!r}, allowed {least}..{most}")
        version = told["meta"]["versions"][one["document"]]
        entry = next(
            (
                each
                for each in _get(f"{base}/corpora/default/documents")["documents"]
                if each["name"] == name_of(number)
            ),
            None,
        )
        if entry is not None and entry["sha256"] == version:
            lines = _get(
                f"{base}/corpora/default/documents/{entry['id']}/lines?first={one['line_start']}&last={one['line_end']}"
                f"&version={version}"
            )
            if lines is None:
                ledger.note("replaced while it was looked at")
            elif one["quote"] not in " ".join(line["text"] for line in lines["lines"]):
                ledger.faults.append(f"{name_of(number)}: its lines do not have {one['quote']!r}")
    ledger.note("answered")


def main() -> None:
    """Run the load and print what came of it."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0
    clients = int(sys.argv[2]) if len(sys.argv) > 2 else 8
    ledger = Ledger()
    with tempfile.TemporaryDirectory(prefix="spanwise-mixed-") as folder, postgres() as database, ExitStack() as stack:
        url, bases = database.corpus(), []
        for number in range(2):  # two machines: each with its own index and its own files
            port = free_port()
            own = {name: str(Path(folder, f"{number}-{name}")) for name in ("XDG_CACHE_HOME", "XDG_DATA_HOME")}
            log = stack.enter_context(Path(folder, f"log{number}").open("wb"))
            server = subprocess.Popen(
                [sys.executable, "-m", "spanwise", "serve", "--corpus", url, "--port", str(port)],
                env=os.environ | own,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
            stack.callback(server.wait, 30)
            stack.callback(os.killpg, server.pid, signal.SIGKILL)
            bases.append(f"http://127.0.0.1:{port}/v1")
        for base in bases:
            _wait_for(lambda base=base: _get(f"{base}/ready") is not None)
        for number in range(_DOCUMENTS):
            assert upload(bases[number % 2], number, 0)
        until = time.monotonic() + seconds

        def client(seed: int) -> None:
            chance = random.Random(seed)
            while time.monotonic() < until:
                base = chance.choice(bases)
                try:
                    (write if chance.random() < 0.25 else ask)(base, ledger, chance)
                except OSError as error:
                    ledger.note(f"error {getattr(error, 'code', type(error).__name__)}")

        threads = [threading.Thread(target=client, args=(seed,), daemon=True) for seed in range(clients)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(seconds + 120)
    print(dict(ledger.counts))
    print(f"ask over HTTP: p50 {statistics.median(ledger.seconds):.2f} s, p95 {p95(ledger.seconds):.2f} s")
    print(f"wrong or stale citations: {len(ledger.faults)}", *ledger.faults[:5], sep="\n")
    sys.exit(bool(ledger.faults))


if __name__ == "__main__":
    main()
