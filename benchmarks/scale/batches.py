"""Batches: their overhead beside a plain loop, what two processes gain, and how soon a million rows are gone on from.

Times are of processors, with those of children, and taken in turn: walls say little on a machine that is shared.

Usage: python benchmarks/scale/batches.py [overhead] [resume] [--rows N]
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import random
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from postgres import A_DOCUMENT, WORDS, documents
from postgres_server import postgres, programs

import spanwise
from spanwise import batch
from spanwise.extraction.fields import Field
from spanwise.extraction.run import filled
from spanwise.extraction.sinks import _sink, open_sink
from spanwise.extraction.value_rows import nothing

_DOCUMENTS = 120
_QUESTIONS = 15
_ROUNDS = 2


def cpu() -> float:
    """Seconds of processor of this process and of children that have ended."""
    ours, theirs = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return ours.ru_utime + ours.ru_stime + theirs.ru_utime + theirs.ru_stime


def taken(work: Callable[[], object]) -> tuple[float, float]:
    """Seconds of processor and of the clock."""
    began, spent = time.perf_counter(), cpu()
    work()
    return cpu() - spent, time.perf_counter() - began


def overhead(folder: Path) -> None:
    """The same questions by a plain loop, by a batch in this process, and by one and two processes."""
    file = folder / "corpus.db"
    with spanwise.Corpus.open(file) as corpus:
        with corpus.writing() as writing:  # reading files is not what is measured
            for record in documents(_DOCUMENTS * A_DOCUMENT, random.Random(20)):
                writing.put(record)
        fields = [Field(f"fee_{word}", f"What is the {word} fee?", "quantity") for word in WORDS[:_QUESTIONS]]
        tasks = batch.tasks_of([batch.Asked(one) for one in fields], corpus)
        asking = batch.Asking(str(file))

        def loop() -> None:
            for task in tasks:
                batch.answer(asking, task)

        def run(client: object = None, workers: int = 1, some: Sequence[Field] = fields) -> Callable[[], object]:
            def work() -> None:
                out = folder / "rows.jsonl"
                out.unlink(missing_ok=True)
                batch.run(
                    some, file, out, client=client, workers=workers, documents=names if some is fields else names[:1]
                )

            return work

        names = [task.document for task in tasks]
        with ThreadPoolExecutor(1) as thread:
            kinds = {
                "plain loop": loop,
                "batch, one thread": run(thread),
                "one process": run(),
                "two": run(workers=2),
                "one question in one process, which is its start": run(some=fields[:1]),
            }
            batch.answer(asking, tasks[0])
            figures: dict[str, list[tuple[float, float]]] = {name: [] for name in kinds}
            for _ in range(_ROUNDS):
                for name, work in kinds.items():
                    figures[name].append(taken(work))
    plain = min(spent for spent, _ in figures["plain loop"])
    for name, found in figures.items():
        spent, wall = min(one[0] for one in found), min(one[1] for one in found)
        print(f"{name}: {spent:.2f} s of processor ({spent / plain:.3f} of the plain loop), {wall:.2f} s by the clock")


def resume(folder: Path, rows: int) -> None:
    """How long a run takes to know what it has left to do, all but a few of so many rows being there."""
    places = [str(folder / f"rows{suffix}") for suffix in (".sqlite", ".jsonl", ".parquet", ".csv")]
    with ExitStack() as stack:
        if programs() is None:
            print("no PostgreSQL here: it is left out")
        else:
            places.append(stack.enter_context(postgres()).corpus())
        some = [nothing(field, *task, decision="not_found", reason="no line says it") for task, field in asked_of(rows)]
        for place in places:
            # Not finished: of a Parquet file the journal is what is gone on from.
            with contextlib.closing(_sink(place)) as sink:
                sink.keep({})
                for at in range(0, len(some) - 10, 10_000):
                    sink.write(some[at : min(at + 10_000, len(some) - 10)])
        del some
        for place in places:  # as a run that goes on is: a process of its own
            with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as fresh:
                print(fresh.submit(resumed, place, rows).result())


def asked_of(rows: int) -> Iterator[tuple[tuple[str, str], Field]]:
    """So many fields of documents."""
    fields = [Field(f"field_{at}", f"What is the {WORDS[at]} fee?") for at in range(100)]
    for at in range(rows):
        yield (f"firm-{at // 100:05}.txt", f"{at // 100:064x}"), fields[at % 100]


def resumed(place: str, rows: int) -> str:
    """See how soon a run that goes on begins to ask."""
    tasks: dict[tuple[str, str], list[Field]] = {}
    for document, field in asked_of(rows):
        tasks.setdefault(document, []).append(field)
    wanted = [batch.Task(*document, tuple(fields)) for document, fields in tasks.items()]
    before, began, spent = peak(), time.perf_counter(), time.process_time()
    with open_sink(place) as sink:
        tally = next(filled(wanted, sink, batch.Asking("")))
        wall, spent = time.perf_counter() - began, time.process_time() - spent
        shown = "postgresql" if "://" in place else Path(place).suffix
        told = (
            f"{shown}: {tally.resumed:,} rows held, {tally.total} left, after {spent:.1f} s of processor, {wall:.1f} s"
        )
        told += f" by the clock (load {os.getloadavg()[0]:.1f}), {before} MB before, {peak()} MB at most"
        began = time.perf_counter()
    return f"{told}; finished in {time.perf_counter() - began:.1f} s"


def peak() -> int:
    """The most memory of this process so far, in MB."""
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def main() -> None:
    """Measure what was asked for."""
    sys.stdout.reconfigure(line_buffering=True)
    asked = [one for one in sys.argv[1:] if not one.startswith("--")] or ["overhead", "resume"]
    rows = int(sys.argv[sys.argv.index("--rows") + 1]) if "--rows" in sys.argv else 1_000_000
    with tempfile.TemporaryDirectory(prefix="spanwise-batches-") as folder:
        if "overhead" in asked:
            overhead(Path(folder))
        if "resume" in asked:
            resume(Path(folder), rows)


if __name__ == "__main__":
    main()
