"""How long the validation of an answer with 50 items over a 300-page document takes, in CPU time.

The document is a real filing, its lines repeated to 300 pages; the items are amounts, dates, quotes and rows of tables
that stand in it. "First" is the first time that a process validates the answer, "again" any later time (the quantities
of lines that were read stay in memory); "broken" is the same answer with a fault in every item.
Data: SPANWISE_DATA, by default ../shared/data.

Usage: python benchmarks/validation.py [RUNS]
"""

import os
import statistics
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

from sets.planted.faults import planted
from sets.planted.originals import originals

import spanwise
from spanwise.contract.validate import validate_answer
from spanwise.domain.document import Document

DATA = Path(os.environ.get("SPANWISE_DATA", "../shared/data"))
FILING = "BOEING_2022_10K.pdf"
PAGES, ITEMS = 300, 50


def long_document() -> Document:
    """The filing, repeated until it has 300 pages."""
    document = spanwise.read(DATA / "pdfs" / FILING)
    lines, pages = list(document.lines), len(document.pages)
    while lines[-1].page < PAGES:
        first, page = len(lines), lines[-1].page
        more = (line for line in document.lines if line.page + page <= PAGES)
        lines += [replace(line, number=line.number + first, page=line.page + page) for line in more]
        pages += document.pages[-1].number
    return replace(document, lines=tuple(lines))


def answers(document: Document, *, broken: bool) -> list:
    """One answer of each class, 50 items altogether."""
    made = []
    held = originals(document, ITEMS // 5)
    for kind in dict.fromkeys(original.kind for original in held):
        group = [original for original in held if original.kind == kind]
        items = [planted(one, document)[0].answer.items[0] if broken else one.answer.items[0] for one in group]
        made.append(group[0].answer.model_copy(update={"items": items}))
    return made


def milliseconds(made: list, document: Document) -> float:
    """CPU time to validate all of it."""
    began = time.process_time()
    for answer in made:
        validate_answer(answer, document)
    return (time.process_time() - began) * 1000


def once() -> None:
    """Measure in a fresh process: right and broken, first and again."""
    document = long_document()
    right, broken = answers(document, broken=False), answers(document, broken=True)
    for answer in right:
        validate_answer(answer.model_copy(update={"items": []}), document)  # load what is loaded when first used
    first = milliseconds(right, document)
    again = statistics.median(milliseconds(right, document) for _ in range(20))
    wrong = statistics.median(milliseconds(broken, document) for _ in range(5))
    print(first, again, wrong, sum(len(answer.items) for answer in right), len(document.lines))


def main() -> None:
    """Print the medians over fresh processes."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    measured = []
    for _ in range(runs):
        done = subprocess.run([sys.executable, __file__, "once"], check=True, capture_output=True, text=True)
        measured.append([float(number) for number in done.stdout.split()])
    first, again, wrong, items, lines = (statistics.median(column) for column in zip(*measured, strict=True))
    print(f"{items:.0f} items, {lines:,.0f} lines on {PAGES} pages, medians of {runs} processes, CPU milliseconds")
    print(f"first {first:.1f}  again {again:.1f}  broken {wrong:.1f}")


if __name__ == "__main__":
    once() if sys.argv[1:] == ["once"] else main()
