"""What the engine costs around its bricks: CPU of `ask` less that of parsing, retrieval, drafting, check and overlap.

Parts of a compound question are parsed, looked for and drafted by the same bricks, which count there too.

    python benchmarks/overhead.py [QUESTIONS]

Asks the public questions about NIST publications and filings without a model. Data: SPANWISE_DATA, by default
../shared/data.
"""

import os
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import ParamSpec, TypeVar

from sets import SETS

import spanwise
from spanwise.answering import ask, extractive

DATA = Path(os.environ.get("SPANWISE_DATA", "../shared/data"))
BRICKS = (
    (ask, "question_of"),
    (ask, "retrieve"),
    (extractive, "part_of"),
    (extractive, "retrieve"),
    (extractive, "extract"),
    (extractive, "with_conflicts"),
    (ask, "check"),
    (ask, "bounded"),
)

P = ParamSpec("P")
R = TypeVar("R")
spent: Counter[str] = Counter()


def timed(name: str, brick: Callable[P, R]) -> Callable[P, R]:
    """The brick, whose CPU time is added to `spent`."""

    @wraps(brick)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        began = time.process_time_ns()
        try:
            return brick(*args, **kwargs)
        finally:
            spent[name] += time.process_time_ns() - began

    return run


def main() -> None:
    """Print medians in milliseconds."""
    most = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    for module, name in BRICKS:
        setattr(module, name, timed(name, getattr(module, name)))
    around: list[float] = []
    parts: dict[str, list[float]] = {name: [] for name in dict.fromkeys(name for _, name in BRICKS)}
    jobs = [job for name in ("nist", "financebench") for job in SETS[name].load(DATA, None)]
    for job in jobs:
        if len(around) >= most:
            break
        if not isinstance(job.document.content, Path):
            continue
        with spanwise.Corpus.of([spanwise.read(job.document.content)]) as corpus:
            engine = spanwise.Engine(corpus)
            engine.ask(job.cases[0].question)  # what loads once is no cost of a question
            for case in job.cases:
                spent.clear()
                began = time.process_time_ns()
                engine.ask(case.question)
                whole = time.process_time_ns() - began
                around.append((whole - spent.total()) / 1e6)
                for name, values in parts.items():
                    values.append(spent[name] / 1e6)
    print(f"{len(around)} questions, ms CPU a question: median, 95th percentile")
    for name, values in [*parts.items(), ("the engine around them", around)]:
        print(f"{name:24}{statistics.median(values):8.2f}{sorted(values)[int(0.95 * len(values))]:8.2f}")


if __name__ == "__main__":
    main()
