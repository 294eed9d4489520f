"""Traffic for a served corpus: documents in many versions, people who change them, and people who ask meanwhile.

Every line names its document and its version, and a version moves all lines: an answer that mixes two versions shows.
"""

from __future__ import annotations

import hashlib
import json
import random
import re
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx

CORPUS = "/v1/corpora/default"
NAMES = (
    "alder", "aspen", "beech", "birch", "cedar", "cherry", "cypress", "elder", "fir", "hazel", "hickory", "holly",
    "hornbeam", "juniper", "larch", "laurel", "linden", "maple", "myrtle", "oak", "olive", "pine", "poplar", "rowan",
    "spruce", "sumac", "sycamore", "walnut", "willow", "yew",
)  # fmt: skip
PARTS = {
    "inspection interval": "days",
    "oil quantity": "litres",
    "operating pressure": "bar",
    "warranty period": "months",
    "flow rate": "litres per minute",
}
FOREIGN_VERSIONS = 999
"""One more than the versions of a document that the other process writes."""
_SECONDS = 60.0
_REVISION = re.compile(r"revision (\d+)", re.IGNORECASE)


def text_of(name: str, version: int, *, long: bool = False) -> str:
    """A data sheet: its lines stand elsewhere in every version, and each says of which version it is."""
    lines = [f"DATA SHEET OF THE {name.upper()} PUMP, REVISION {version}", ""]
    for at in range(version % 9 + (200 if long else 0)):
        lines += [f"Remark {at} on the {name} pump concerns its paint and was made in revision {version}.", ""]
    for at, (part, unit) in enumerate(PARTS.items(), start=1):
        value = 10 + (version * 7 + at * 13) % 900
        lines += [f"{at}. {part.title()}", ""]
        lines += [f"The {part} of the {name} pump is {value} {unit} (revision {version}).", ""]
    return "\n".join(lines)


@dataclass
class Ledger:
    """Every version that a document ever had, by the SHA-256 of its bytes, and when it was there."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    versions: dict[str, tuple[str, list[str]]] = field(default_factory=dict)
    present: set[str] = field(default_factory=set)
    """Names of documents that are removed now and then, while they are there for certain."""
    counts: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def write(self, name: str, version: int, **options: bool) -> bytes:
        """The bytes of a version that is about to be uploaded."""
        content = text_of(Path(name).stem.split("-")[0], version, **options).encode()
        with self.lock:
            self.versions[hashlib.sha256(content).hexdigest()] = (name, content.decode().split("\n"))
        return content

    def count(self, what: str) -> None:
        """One more of a kind."""
        with self.lock:
            self.counts[what] += 1

    def fault(self, what: str, told: str) -> None:
        """One more that is wrong."""
        with self.lock:
            self.counts[f"WRONG {what}"] += 1
            self.wrong.append(f"{what}: {told[:1500]}")

    def judge(self, result: dict[str, object], about: str) -> None:
        """Hold an answer against the versions that it names."""
        citations = [*result["citations"], *(result["missing"] or {"nearest": []})["nearest"]]
        named = result["meta"].get("versions")
        for one in citations:
            lines = self._lines(one, named)
            if lines is None or "\n".join(lines[one["line_start"] - 1 : one["line_end"]]) != one["quote"]:
                self.fault("cited line of another version", json.dumps([result["question"], one, named]))
        if result["decision"] == "ship":
            proven = " ".join(one["quote"] for one in citations)
            if not set(_REVISION.findall(result["text"])) <= set(_REVISION.findall(proven)):
                self.fault("answer of another version", json.dumps([result["text"], proven]))
            self.count("answered")
        else:
            self.count(f"not answered {about}")

    def _lines(self, citation: dict[str, object], named: dict[str, str] | None) -> list[str] | None:
        with self.lock:
            if named is not None:
                _, lines = self.versions.get(named.get(citation["document"], ""), ("", None))
                return lines
            for name, lines in self.versions.values():  # a result that names no version is of any
                cited = "\n".join(lines[citation["line_start"] - 1 : citation["line_end"]])
                if name == citation["document"] and cited == citation["quote"]:
                    return lines
        return None


@contextmanager
def served(corpus: Path, *options: str) -> Iterator[tuple[str, int]]:
    """A server in a process of its own: its address, and the number of its process."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "spanwise", "serve", "--corpus", str(corpus), "--port", str(port), *options]
    process = subprocess.Popen(command)
    address = f"http://127.0.0.1:{port}"
    try:
        until = time.monotonic() + _SECONDS
        while True:
            try:
                if httpx.get(f"{address}/v1/ready").status_code == 200:
                    break
            except httpx.TransportError:
                pass
            if time.monotonic() > until or process.poll() is not None:
                raise SystemExit("the server does not start")
            time.sleep(0.1)
        yield address, process.pid
    finally:
        process.terminate()
        process.wait(_SECONDS)


def upload(client: httpx.Client, name: str, content: bytes) -> str:
    """Upload a document, wait for its job, and give its id."""
    response = client.post(f"{CORPUS}/documents", files={"file": (name, content)})
    response.raise_for_status()
    place = response.headers["location"]
    until = time.monotonic() + _SECONDS
    while (job := client.get(place).raise_for_status().json())["state"] in ("waiting", "running"):
        if time.monotonic() > until:
            raise RuntimeError(f"the upload of {name} does not end")
        time.sleep(0.01)
    if job["state"] != "done":
        raise RuntimeError(f"the upload of {name} failed: {job}")
    return str(job["document"]["id"])


class Traffic:
    """Threads that change and ask until enough questions are answered or the time is over."""

    def __init__(self, address: str, corpus: Path, ledger: Ledger, seed: int) -> None:
        self.address, self.corpus, self.ledger = address, corpus, ledger
        self._random = random.Random(seed)
        self._ended = threading.Event()
        self._versions = iter(range(1, 10**9))
        self.steady = [f"{name}.txt" for name in NAMES[:20]]
        self.passing = [f"{name}.txt" for name in NAMES[20:26]]
        self.foreign = [f"{name}.txt" for name in NAMES[26:]]
        self.ids: dict[str, str] = {}

    def begin(self) -> None:
        """Upload the first version of everything."""
        with self.client() as client:
            for name in self.foreign:
                for version in range(1, FOREIGN_VERSIONS):
                    self.ledger.write(name, version)
            for at, name in enumerate([*self.steady, *self.passing]):
                self.ids[name] = upload(client, name, self.ledger.write(name, next(self._versions), long=at % 7 == 0))

    def run(self, *, askers: int, questions: int, seconds: float, pace: float = 0.0) -> None:
        """Let everybody work.

        Args:
            askers: Threads that ask.
            questions: After so many it is over.
            seconds: Or after so long.
            pace: Seconds between two questions of one asker.
        """
        asked = iter(range(questions))
        work: list[Callable[[random.Random], None]] = [self._replace, self._replace, self._come_and_go]
        threads = [threading.Thread(target=self._again, args=(one, self._random.random())) for one in work]
        askings = [
            threading.Thread(target=self._ask_on, args=(asked, pace, self._random.random())) for _ in range(askers)
        ]
        other = subprocess.Popen([sys.executable, __file__, str(self.corpus), *self.foreign], stdin=subprocess.PIPE)
        for thread in [*threads, *askings]:
            thread.start()
        until = time.monotonic() + seconds
        for thread in askings:
            thread.join(max(0.0, until - time.monotonic()))
        self._ended.set()
        other.communicate()
        for thread in [*threads, *askings]:
            thread.join()

    def client(self) -> httpx.Client:
        """A client of the server."""
        return httpx.Client(base_url=self.address, timeout=_SECONDS)

    def _again(self, work: Callable[[random.Random, httpx.Client], None], seed: float) -> None:
        chosen = random.Random(seed)
        with self.client() as client:
            while not self._ended.is_set():
                try:
                    work(chosen, client)
                except Exception as error:  # told at the end
                    self.ledger.fault("change failed", repr(error))
                self._ended.wait(chosen.uniform(0.0, 0.05))

    def _replace(self, chosen: random.Random, client: httpx.Client) -> None:
        name = chosen.choice(self.steady)
        upload(client, name, self.ledger.write(name, next(self._versions), long=chosen.random() < 0.1))
        self.ledger.count("replaced")

    def _come_and_go(self, chosen: random.Random, client: httpx.Client) -> None:
        """Remove a document that may be removed, and upload it again under its name or another one."""
        name = chosen.choice(self.passing)
        client.delete(f"{CORPUS}/documents/{self.ids[name]}").raise_for_status()
        self.ledger.count("removed")
        self._ended.wait(chosen.uniform(0.0, 0.1))
        other = f"{Path(name).stem.split('-')[0]}-{chosen.randrange(3)}.txt"
        self.ids[other] = upload(client, other, self.ledger.write(other, next(self._versions)))
        self.passing[self.passing.index(name)] = other
        self.ledger.count("renamed")

    def _ask_on(self, asked: Iterator[int], pace: float, seed: float) -> None:
        chosen = random.Random(seed)
        with self.client() as client:
            for _ in asked:
                if self._ended.is_set():
                    return
                try:
                    self._ask(chosen, client)
                except Exception as error:  # told at the end
                    self.ledger.fault("question failed", repr(error))
                self._ended.wait(pace)

    def _ask(self, chosen: random.Random, client: httpx.Client) -> None:
        kind = chosen.choice(["any", "any", "any", "steady", "steady", "passing", "stream", "typed"])
        name = chosen.choice(self.passing if kind == "passing" else self.steady)
        part = chosen.choice(list(PARTS))
        body: dict[str, object] = {"question": f"What is the {part} of the {Path(name).stem.split('-')[0]} pump?"}
        if kind == "any" and chosen.random() < 0.2:
            body["question"] = f"Which pump has the highest {part}?"
        if kind in ("steady", "passing"):
            body["documents"] = [self.ids[name]]
        if kind == "typed":
            body["type"] = "quantity"
        headers = {"Accept": "text/event-stream"} if kind == "stream" else {}
        response = client.post(f"{CORPUS}/ask", json=body, headers=headers)
        self.ledger.count("asked")
        if response.status_code == 404 and kind == "passing":
            self.ledger.count("named and gone")
        elif response.status_code != 200:
            self.ledger.fault(f"status {response.status_code}", f"{body} {response.text}")
        elif kind == "stream":
            *_, name_of, data = [line for line in response.text.splitlines() if line.startswith(("event:", "data:"))]
            if name_of == "event: result":
                self.ledger.judge(json.loads(data.removeprefix("data: ")), kind)
            else:
                self.ledger.fault("stream failed", f"{name_of} {data}")
        else:
            self.ledger.judge(response.json(), kind)


def _write_beside(corpus: str, names: list[str]) -> None:
    """Another process that writes to the corpus while it is served, until its standard input is closed."""
    import spanwise
    from spanwise.errors import CorpusBusyError

    ended = threading.Event()
    threading.Thread(target=lambda: (sys.stdin.read(), ended.set()), daemon=True).start()
    chosen = random.Random(1)
    with spanwise.Corpus.open(corpus) as opened:
        while not ended.wait(chosen.uniform(0.05, 0.3)):
            name = chosen.choice(names)
            try:
                if chosen.random() < 0.3 and name in {one.name for one in opened.documents()}:
                    opened.remove(name)
                else:
                    made = text_of(Path(name).stem, chosen.randrange(1, FOREIGN_VERSIONS)).encode()
                    opened.put(spanwise.read(made, name=name))
            except CorpusBusyError:
                continue


if __name__ == "__main__":
    _write_beside(sys.argv[1], sys.argv[2:])
