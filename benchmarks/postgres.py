"""A corpus in PostgreSQL against the same in SQLite: questions, ingest, how soon another machine sees a change.

The documents are made up here. Both databases write to the disk before they acknowledge, work is done by both in turn,
and ratios are reported. PostgreSQL runs on this machine (`.ci/postgres` installs it), in a folder that goes with it.

Usage: python benchmarks/postgres.py [PASSAGES] [QUESTIONS]
"""

from __future__ import annotations

import hashlib
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from postgres_server import postgres

import spanwise
from spanwise.domain.document import Document, Line, Page
from spanwise.store.codec import Record, encode
from spanwise.store.postgres import Postgres

A_DOCUMENT = 40
"""Paragraphs, each about one passage."""
A_PART = 25
"""Documents that one database takes before it is the other's turn."""
ENDS = ("n", "r", "st", "l", "nd", "rk", "t", "ve")
WORDS = [f"{start}{middle}{end}" for start in "bcdfglmnprst" for middle in ("a", "e", "o", "ui") for end in ENDS]


def documents(passages: int, chance: random.Random, paragraphs: int = A_DOCUMENT) -> Iterator[Record]:
    """Documents whose words are as unequally common as those of a language."""
    weights = [1 / (rank + 3) for rank in range(len(WORDS))]
    for number in range(max(1, passages // paragraphs)):
        texts = []
        for paragraph in range(paragraphs):
            filler = [" ".join(chance.choices(WORDS, weights, k=14)).capitalize() + "." for _ in range(7)]
            fact = f"The {WORDS[paragraph % len(WORDS)]} fee of firm {number} is {chance.randrange(1, 99)} percent."
            texts += [" ".join([*filler[:3], fact, *filler[3:]]), ""]
        lines = tuple(
            Line(at, 1, at, text, None, "text" if text else "blank", at) for at, text in enumerate(texts, start=1)
        )
        digest = hashlib.sha256(repr(texts).encode()).hexdigest()
        yield encode(Document(digest, f"firm-{number:05}.txt", "text", lines, (Page(1, "1", 0, 0, 1, len(lines)),), ()))


def timed_puts(corpus: spanwise.Corpus, records: list[Record]) -> float:
    """Seconds that a corpus takes to store documents and to find them."""
    began = time.perf_counter()
    with corpus.writing() as writing:  # files are read apart: reading is not what is measured
        for record in records:
            writing.put(record)
    return time.perf_counter() - began


def p95(seconds: list[float]) -> float:
    """The time that one in twenty exceeds."""
    return statistics.quantiles(seconds, n=20)[-1]


def main() -> None:
    """Measure both in turn and print ratios."""
    passages = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    questions = int(sys.argv[2]) if len(sys.argv) > 2 else 60
    chance = random.Random(20)
    with tempfile.TemporaryDirectory() as folder, postgres(fsync="on") as server:
        os.environ["XDG_CACHE_HOME"] = str(Path(folder, "cache"))
        url = server.corpus()
        with spanwise.Corpus.open(Path(folder, "c.db")) as file, spanwise.Corpus.open(url) as database:
            both = (file, database)
            taken: list[list[float]] = [[], []]
            part: list[Record] = []
            for record in documents(passages, chance):
                part.append(record)
                if len(part) == A_PART:
                    for corpus, seconds in zip(both, taken, strict=True):
                        seconds.append(timed_puts(corpus, part))
                    part = []
            count = file.count()
            print(f"{count} documents, {sum(one.passages for one in file.documents())} passages")
            print(f"ingest rate of PostgreSQL: {sum(taken[0]) / sum(taken[1]):.2f} of SQLite's (goal >= 0.7)")

            engines = [spanwise.Engine(corpus) for corpus in both]
            asked: list[list[float]] = [[], []]
            for at in range(-5, questions):
                question = f"What is the {chance.choice(WORDS[:A_DOCUMENT])} fee of firm {chance.randrange(count)}?"
                said = []
                for which in (0, 1) if at % 2 else (1, 0):
                    began = time.perf_counter()
                    said.append(engines[which].ask(question).text)
                    if at >= 0:
                        asked[which].append(time.perf_counter() - began)
                assert said[0] == said[1], said
            ratios = [statistics.median(asked[1]) / statistics.median(asked[0]), p95(asked[1]) / p95(asked[0])]
            print(f"warm ask, PostgreSQL / SQLite: p50 {ratios[0]:.2f}, p95 {ratios[1]:.2f} (goal <= 1.5)")
            print(f"statements of one ask: {statements(engines[1], f'What is the fee of firm {count // 2}?')}")

            os.environ["XDG_CACHE_HOME"] = str(Path(folder, "another machine"))
            with spanwise.Corpus.open(url) as other:
                began = time.perf_counter()
                other.search("fee")
                print(f"index of another machine, from nothing: {time.perf_counter() - began:.1f} s")
                late = []
                for number in range(20):
                    [record] = documents(1, random.Random(number))
                    timed_puts(database, [record])
                    began = time.perf_counter()
                    other.search(f"fee {number}", documents=[record.name])
                    late.append(time.perf_counter() - began)
                print(f"found by another machine after the acknowledgement: p95 {p95(late):.2f} s (goal <= 2)")


def statements(engine: spanwise.Engine, question: str) -> int:
    """How many statements one question sends to the database."""
    count = 0
    rows, said = Postgres.rows, Postgres.said

    def counted(call):  # noqa: ANN001, ANN202
        def run(*arguments: object) -> object:
            nonlocal count
            count += 1
            return call(*arguments)

        return run

    Postgres.rows, Postgres.said = counted(rows), counted(said)
    try:
        engine.ask(question)
    finally:
        Postgres.rows, Postgres.said = rows, said
    return count


if __name__ == "__main__":
    main()
