"""How fast a corpus takes in and finds passages: 100,000 of them, or a million with --full.

The passages are made of real sentences (Wikipedia, contracts, filings), recombined so that no two are the same, and go
through the same methods that everybody uses. The questions are real ones. Run it with

    python benchmarks/corpus.py [--full]

SPANWISE_DATA names the folder with the data; ../shared/data by default.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import os
import random
import re
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from spanwise.domain.document import Document, Line, Page
from spanwise.engine import Engine
from spanwise.ingest.corpus import Corpus

DATA = Path(os.environ.get("SPANWISE_DATA", "../shared/data"))
PASSAGES_A_DOCUMENT = 100
SENTENCES_A_PASSAGE = 6
QUESTIONS = 500
HITS = 50


def rows(path: str) -> Iterator[dict[str, object]]:
    """The rows of a gzipped file of JSON lines."""
    with gzip.open(DATA / path, "rt") as file:
        for line in file:
            yield json.loads(line)


def texts(path: str) -> Iterator[str]:
    """Every long text of one data set."""
    seen: set[str] = set()
    for row in rows(path):
        for value in row.values():
            if isinstance(value, str) and len(value) > 300 and value not in seen:
                seen.add(value)
                yield value


def sentences() -> list[list[str]]:
    """Distinct sentences of 6 to 60 words of each kind of document: articles, contracts, filings."""
    kinds = []
    for path in ("squad2/dev_public.jsonl.gz", "cuad/contracts.jsonl.gz", "financebench/pages.jsonl.gz"):
        found: dict[str, None] = {}
        for text in texts(path):
            for sentence in re.split(r"(?<=[.;!?])\s+|\n\s*\n", text):
                flat = " ".join(sentence.split())
                if 6 <= flat.count(" ") + 1 <= 60:
                    found[flat] = None
        kinds.append(list(found))
    return kinds


def questions() -> list[str]:
    """Real questions, the same ones each time."""
    asked = [str(row["question"]) for row in rows("squad2/dev_public.jsonl.gz") if row.get("question")]
    return random.Random(1).sample(asked, min(QUESTIONS, len(asked)))


def make(number: int, stock: list[list[str]], chance: random.Random) -> Document:
    """A document of one kind, made of paragraphs that are each as long as a passage."""
    kind = stock[number % len(stock)]
    lines: list[Line] = []
    for block in range(1, PASSAGES_A_DOCUMENT + 1):
        for sentence in chance.choices(kind, k=SENTENCES_A_PASSAGE):
            at = len(lines) + 1
            lines.append(Line(at, 1, at, sentence, block=block))
    identity = hashlib.sha256(str(number).encode()).hexdigest()
    pages = (Page(1, "1", 0.0, 0.0, 1, len(lines)),)
    return Document(identity, f"made-{number:06}.txt", "text", tuple(lines), pages)


def size(path: Path) -> float:
    """Megabytes of a file, or of all files below a folder."""
    files = path.rglob("*") if path.is_dir() else [path]
    return sum(file.stat().st_size for file in files if file.is_file()) / 1e6


def measure(act: Callable[[str], object], asked: list[str]) -> list[float]:
    """Milliseconds for each question, sorted; each was asked once before, so that the corpus is warm."""
    times = []
    for question in [*asked, *asked]:
        started = time.perf_counter()
        act(question)
        times.append((time.perf_counter() - started) * 1000)
    return sorted(times[len(asked) :])


def show(what: str, times: list[float]) -> None:
    """One row of the table."""
    p50, p95 = times[len(times) // 2], times[int(len(times) * 0.95)]
    print(f"| {what}, {len(times)} questions | p50 {p50:.1f} ms, p95 {p95:.1f} ms, max {times[-1]:.1f} ms |")


def main() -> None:
    """Build, ask, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--full", action="store_true", help="a million passages")
    wanted = 1_000_000 if parser.parse_args().full else 100_000
    stock, asked = sentences(), questions()
    chance = random.Random(0)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "corpus.db")
        made, passages, number, spent = 0.0, 0, 0, 0.0
        with Corpus.open(path) as corpus:
            while passages < wanted:
                started = time.perf_counter()
                documents = [make(number + at, stock, chance) for at in range(500)]
                made += time.perf_counter() - started
                started = time.perf_counter()
                corpus.put(*documents)
                spent += time.perf_counter() - started
                number += len(documents)
                passages = sum(document.passages for document in corpus.documents())
        with Corpus.open(path, create=False) as corpus:
            started = time.perf_counter()
            corpus.search(asked[0], k=HITS)
            first = (time.perf_counter() - started) * 1000
            searches = measure(lambda question: corpus.search(question, k=HITS), asked)
            engine = Engine(corpus)
            answers = measure(engine.ask, asked)
        print("| what | measured |\n|---|---|")
        print(f"| distinct sentences | {sum(map(len, stock)):,} |")
        print(f"| passages, documents | {passages:,}, {number:,} |")
        print(f"| ingest (reading not included) | {passages / spent:,.0f} passages/s |")
        print(f"| corpus, index | {size(path):,.0f} MB, {size(Path(f'{path}.index')):,.0f} MB |")
        print(f"| first question after opening | {first:.1f} ms |")
        show(f"search, top {HITS} fetched", searches)
        show("ask, answer checked and cited", answers)


if __name__ == "__main__":
    main()
