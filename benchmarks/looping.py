"""Whether the loop answers at least as well as one pass, and how often it turns a right answer into a wrong one.

    python benchmarks/looping.py [LIMIT]

Asks the same public questions twice without a model: with the loop, and with a loop that ends after its first pass.
Data: SPANWISE_DATA, by default ../shared/data.
"""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from sets import SETS

from spanwise.answering import ask
from spanwise.answering.loop import Pass, Writer
from spanwise.evaluation.cases import Row
from spanwise.evaluation.runner import run_job

DATA = Path(os.environ.get("SPANWISE_DATA", "../shared/data"))
ASKED = ("nist", "financebench", "cuad", "squad2")


def after_one(_made: Sequence[Pass], _writer: Writer) -> str:
    """Ends every loop after its first pass."""
    return "one pass only"


def right(row: Row) -> bool:
    """Whether the answer holds the gold, or there is rightly none."""
    return bool(row.metrics["right"])


def main() -> None:
    """Print both counts for each set."""
    limit = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    going_on = ask.stopped  # the one place at which the loop goes on or ends
    for name in ASKED:
        outcomes = []
        for job in SETS[name].load(DATA, limit):
            ask.stopped = going_on
            looped = run_job(name, SETS[name].score, job)
            ask.stopped = after_one
            outcomes += list(zip(looped, run_job(name, SETS[name].score, job), strict=True))
        loop, once = sum(right(one) for one, _ in outcomes), sum(right(other) for _, other in outcomes)
        changed = sum((one.decision, one.text) != (other.decision, other.text) for one, other in outcomes)
        lost = sum(right(other) and not right(one) for one, other in outcomes)
        print(f"{name:14}{len(outcomes):5} questions: right with the loop {loop}, with one pass {once}; ", end="")
        print(f"{changed} answers differ, {lost} right ones became wrong", flush=True)


if __name__ == "__main__":
    main()
