"""Flipped bytes: what becomes of a corpus in which the disk, or somebody, has changed a byte.

A corpus is made and copied again and again; in each copy one byte at a seeded place of one of its files is another one.
Then it is opened, asked, searched whole, added to, and a document is removed from it, each in one process. Every step
has to give what the sound corpus gives, or to end with one error of ours, in one sentence.

Usage: python tests/campaign/flips.py [PLACES A FILE]
"""

from __future__ import annotations

import random
import shutil
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import spanwise
from spanwise.errors import SpanwiseError

QUESTION = "What is the late fee of contract 7?"
_DOCUMENTS = 30


def make(folder: Path) -> Path:
    """A corpus of documents that are like real ones in what they hold: sections, lists, a table."""
    documents = folder / "documents"
    documents.mkdir()
    for number in range(_DOCUMENTS):
        rows = "\n".join(f"| item {row} | {row * number} dollars |" for row in range(20))
        clauses = "\n\n".join(
            f"## Section {at}\n\nClause {at} of contract {number} binds both parties." for at in range(20)
        )
        (documents / f"{number}.md").write_text(
            f"# Contract {number}\n\nThe late fee of contract {number} is {number + 10} dollars.\n\n{clauses}\n\n"
            f"| what | price |\n|---|---|\n{rows}\n"
        )
    path = folder / "corpus.db"
    with spanwise.Corpus.open(path) as corpus:
        corpus.add(documents)
    return path


def files(path: Path) -> list[Path]:
    """The files of a corpus that hold something."""
    inside = sorted(path.with_name(f"{path.name}.index").rglob("*"))
    return [one for one in (path, *inside) if one.is_file() and one.stat().st_size]


def steps(extra: Path) -> Iterator[tuple[str, Callable[[spanwise.Corpus], object]]]:
    """What is done with a corpus, and what it gives."""
    yield "asked", lambda corpus: spanwise.Engine(corpus).ask(QUESTION).text
    yield "searched", lambda corpus: [hit.passage.id for hit in corpus.search("late fee", 50)]
    yield "read", lambda corpus: [corpus.document(one.name) for one in corpus.documents()]
    yield "added", lambda corpus: corpus.add(extra).added
    yield "removed", lambda corpus: corpus.remove("3.md")
    yield "asked again", lambda corpus: spanwise.Engine(corpus).ask(QUESTION).text


def run(path: Path, extra: Path) -> list[tuple[str, object]]:
    """What each step gives, or the error that it ends with."""
    found: list[tuple[str, object]] = []
    try:
        with spanwise.Corpus.open(path, create=False) as corpus:
            for name, step in steps(extra):
                try:
                    found.append((name, step(corpus)))
                except BaseException as error:
                    found.append((name, error))
    except BaseException as error:
        found.append(("opened", error))
    return found


def judged(sound: list[tuple[str, object]], found: list[tuple[str, object]]) -> str:
    """`same`, `told`, or what is wrong."""
    expected = dict(sound)
    verdict = "same"
    for name, value in found:
        if isinstance(value, SpanwiseError):
            told = str(value)
            if "\n" in told or not told.strip():
                return f"{name}: an error that is no sentence: {told!r}"
            verdict = "told"
        elif isinstance(value, BaseException):
            where = traceback.extract_tb(value.__traceback__)[-1]
            return f"{name}: {type(value).__name__}: {value} ({Path(where.filename).name}:{where.lineno})"
        elif value != expected[name]:
            return f"{name}: another outcome without an error"
    return verdict


def campaign(places: int, seed: int = 0) -> Counter[str]:
    """Flip bytes at so many places of each file, and count what came of it."""
    chance = random.Random(seed)
    outcomes: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = make(folder)
        extra = folder / "more.md"
        extra.write_text("# More\n\nThe early fee is 3 dollars.\n")

        def copied() -> Path:
            other = folder / "copy"
            shutil.rmtree(other, ignore_errors=True)
            other.mkdir()
            shutil.copy(path, other / path.name)
            shutil.copytree(f"{path}.index", other / f"{path.name}.index")
            return other / path.name

        sound = run(copied(), extra)
        for file in files(path):
            size = file.stat().st_size
            wanted = places if file == path else max(1, min(places, size) // 4)
            for at in sorted(chance.sample(range(size), min(wanted, size))):
                copy = copied()
                flipped = copy.parent / file.relative_to(folder)
                data = bytearray(flipped.read_bytes())
                data[at] ^= 1 << chance.randrange(8)
                flipped.write_bytes(data)
                outcome = judged(sound, run(copy, extra))
                kind = "corpus" if file == path else "index"
                outcomes[f"{kind}: {outcome}"] += 1
                if outcome not in ("same", "told"):
                    print(f"{file.relative_to(folder)} at {at}: {outcome}", flush=True)
    return outcomes


def main() -> None:
    """Run the campaign and print what came of it."""
    outcomes = campaign(int(sys.argv[1]) if len(sys.argv) > 1 else 250)
    for outcome, count in sorted(outcomes.items()):
        print(f"{count:6} {outcome}")
    if any(outcome.split(": ", 1)[1] not in ("same", "told") for outcome in outcomes):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
