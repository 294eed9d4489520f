"""A process that ingests is killed again and again; what it had acknowledged is there, and the index agrees."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from spanwise.ingest.corpus import Corpus
from spanwise.readers.registry import read_here as read

KILLS = int(os.environ.get("SPANWISE_KILLS", "20"))
FILES = 120

# Small steps, so that a kill meets the index in the middle of a commit as often as between two.
INGEST = """
import sys
from spanwise.ingest.corpus import Corpus
from spanwise.store import indexed

indexed._PASSAGES_A_COMMIT = 25
with Corpus.open(sys.argv[1]) as corpus:
    corpus.add(
        sys.argv[2], workers=1, progress=lambda step: print(step.status, step.name, sep=" ", flush=True)
    )
print("end", flush=True)
"""


def write_some(folder: Path, chance: random.Random, share: float) -> None:
    """Change, add and remove files."""
    for number in range(FILES):
        path = folder / f"f{number:03}.txt"
        if chance.random() >= share:
            continue
        if path.exists() and chance.random() < 0.2:
            path.unlink()
        else:
            text = f"The common word, and m{chance.getrandbits(40):x}.\n\n" + "filler " * chance.randrange(400)
            path.write_text(f"{text}\nThe common end.\n")


def ingest_and_kill(corpus: Path, folder: Path, chance: random.Random) -> list[tuple[str, str]]:
    """What was acknowledged until the process was killed."""
    with subprocess.Popen([sys.executable, "-c", INGEST, corpus, folder], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            lines = [process.stdout.readline() for _ in range(chance.randrange(FILES))]
            # Not only at the moment of an acknowledgement, but anywhere after it; where that is, chance decides.
            time.sleep(chance.random() * 0.02)
        finally:
            process.kill()
        lines += process.stdout.readlines()
    assert process.returncode in (0, -signal.SIGKILL)
    steps = [line.strip().partition(" ") for line in lines if line.endswith("\n")]
    return [(status, name) for status, _, name in steps]


def check_agreement(corpus: Corpus) -> None:
    """Every stored passage is found, by what only it has where there is such a thing, and nothing else is."""
    stored = {p.id for document in corpus.documents() for p in corpus.passages(document.name)}
    assert {hit.passage.id for hit in corpus.search("common filler", k=10_000)} == stored
    with corpus.snapshot() as now:
        assert now.ranking.passages == len(stored)
    for document in corpus.documents():
        first = corpus.passages(document.name)[0]
        mark = first.text.split("and ")[1].split(".")[0]
        assert [hit.passage for hit in corpus.search(mark)] == [first]


def test_kill_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    folder, path = tmp_path / "docs", tmp_path / "c.db"
    folder.mkdir()
    chance = random.Random(20_240)
    write_some(folder, chance, share=1.0)
    for _ in range(KILLS):
        acknowledged = ingest_and_kill(path, folder, chance)
        with Corpus.open(path) as corpus:
            names = {document.name for document in corpus.documents()}
            for status, name in acknowledged:
                if status == "removed":
                    assert name not in names
                elif status != "end":
                    assert corpus.document(name) == read(folder / name, name=name)
            if names:
                check_agreement(corpus)
        write_some(folder, chance, share=0.5)
    with Corpus.open(path) as corpus:
        corpus.add(folder)
        check_agreement(corpus)
        assert {d.name for d in corpus.documents()} == {file.name for file in folder.iterdir()}
        assert all(corpus.document(file.name) == read(file, name=file.name) for file in folder.iterdir())
        report = corpus.add(folder)
        assert (report.added, report.replaced, report.removed, report.failed) == ((), (), (), ())
