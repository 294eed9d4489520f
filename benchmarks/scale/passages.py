"""A large corpus on this machine: how fast it is stored, what it takes, how fast it is asked, by one and two processes.

The documents are made up (`benchmarks/postgres.py`), so that nothing has to be fetched; reading files is not measured.

Usage: python benchmarks/scale/passages.py [PASSAGES] [QUESTIONS] [PLACE] [PARAGRAPHS]
PLACE keeps the corpus for another run: a folder, or the URL of a database. PARAGRAPHS are those of a document, each
about one passage.
"""

from __future__ import annotations

import json
import os
import random
import resource
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from postgres import A_DOCUMENT, WORDS, documents, p95

import spanwise
from spanwise import batch
from spanwise.extraction.fields import Field
from spanwise.store.address import is_address

_A_COMMIT = 100
"""Documents that are stored before the next look at the clock."""


def main() -> None:
    """Measure, and print what the simulation reads as JSON."""
    passages = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
    questions = int(sys.argv[2]) if len(sys.argv) > 2 else 200
    kept = sys.argv[3] if len(sys.argv) > 3 else None
    paragraphs = int(sys.argv[4]) if len(sys.argv) > 4 else A_DOCUMENT
    folder = Path(tempfile.mkdtemp(prefix="spanwise-scale-"))
    try:
        place = kept if kept is not None and is_address(kept) else str(Path(kept or folder, "corpus.db"))
        if kept == place:
            os.environ["XDG_CACHE_HOME"] = str(folder)
        elif kept is not None:
            Path(kept).mkdir(parents=True, exist_ok=True)
        print(json.dumps(measured(place, passages, questions, paragraphs, folder), indent=1))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def measured(place: str, passages: int, questions: int, paragraphs: int, folder: Path) -> dict[str, float]:
    """All figures of one corpus."""
    found: dict[str, float] = {}
    with spanwise.Corpus.open(place) as corpus:
        if not corpus.count():
            found |= filled(corpus, passages, paragraphs)
            found["ingest_memory_mb"] = memory()
        count = corpus.count()
        found |= {"documents": count, "passages": sum(one.passages for one in corpus.documents())}
        if not is_address(place):
            found["truth_bytes_a_passage"] = round((size(Path(place)) + size(Path(f"{place}-wal"))) / found["passages"])
            found["index_bytes_a_passage"] = round(size(Path(f"{place}.index")) / found["passages"])
        chance = random.Random(7)
        asked = [
            f"What is the {chance.choice(WORDS[:paragraphs])} fee of firm {chance.randrange(count)}?"
            for _ in range(questions)
        ]
        engine = spanwise.Engine(corpus)
        for one in asked[:5]:
            engine.ask(one)
        found |= timed("search", [lambda one=one: corpus.search(one, 20) for one in asked])
        found |= timed("ask", [lambda one=one: engine.ask(one) for one in asked])
        result = engine.ask(asked[0])
        found |= timed("verify", [lambda: spanwise.verify(result.text, [one.quote for one in result.citations])] * 50)
        found["memory_mb"] = memory()
    print(json.dumps(found), file=sys.stderr, flush=True)
    found |= throughput(place, asked, folder)
    return found


def memory() -> int:
    """The most that this process has had so far, in MB."""
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def filled(corpus: spanwise.Corpus, passages: int, paragraphs: int) -> dict[str, float]:
    """Store the documents; the rates of the first and of the last tenth show whether it slows down."""
    made = documents(passages, random.Random(20), paragraphs)
    took: list[tuple[int, float]] = []
    began, cpu = time.perf_counter(), time.process_time()
    with corpus.writing() as writing:  # reading files is not what is measured
        mark = time.perf_counter()
        for some, record in enumerate(made, start=1):
            writing.put(record)
            if some % _A_COMMIT == 0:
                took.append((_A_COMMIT * paragraphs, time.perf_counter() - mark))
                mark = time.perf_counter()
    tenth = max(1, len(took) // 10)
    return {
        "ingest_passages_a_second": round(passages / (time.perf_counter() - began)),
        "ingest_passages_a_cpu_second": round(passages / (time.process_time() - cpu)),
        "ingest_last_tenth_to_first": round(
            sum(t for _, t in took[:tenth]) / max(1e-9, sum(t for _, t in took[-tenth:])), 2
        ),
    }


def timed(name: str, calls: list) -> dict[str, float]:
    """Wall and processor milliseconds of some calls."""
    walls, cpus = [], []
    for call in calls:
        began, cpu = time.perf_counter(), time.process_time()
        call()
        walls.append(1000 * (time.perf_counter() - began))
        cpus.append(1000 * (time.process_time() - cpu))
    return {
        f"{name}_ms_p50": round(statistics.median(walls), 2),
        f"{name}_ms_p95": round(p95(walls), 2),
        f"{name}_cpu_ms_mean": round(statistics.mean(cpus), 2),
    }


def throughput(place: str, asked: list[str], folder: Path) -> dict[str, float]:
    """Questions across the corpus in a second, by one, two and four processes, without their start."""
    rates = {}
    for workers in (1, 2, 4):
        questions = [batch.Asked(Field(f"q{at}", one), across=True) for at, one in enumerate(asked)]
        out = folder / f"rows-{workers}.jsonl"
        first: list[float] = []

        def note(now: batch.Progressed, first: list[float] = first) -> None:
            if now.done == 1:  # when workers have begun
                first.append(time.perf_counter())

        batch.run(questions, place, out, workers=workers, progress=note)
        rates[workers] = (len(asked) - 1) / (time.perf_counter() - first[0])
    told = {f"answers_a_second_{count}_process{'es' * (count > 1)}": round(rate, 1) for count, rate in rates.items()}
    return told | {"load_average": round(os.getloadavg()[0], 1)}


def size(place: Path) -> int:
    """Bytes of a file, or of all below a folder."""
    return (
        place.stat().st_size
        if place.is_file()
        else sum(one.stat().st_size for one in place.rglob("*") if one.is_file())
    )


if __name__ == "__main__":
    main()
