"""Hybrid search: what vectors cost beside the index, and what the graph finds of what a comparison of all finds.

No weights of a real embedder are measured here: random vectors, which are the hardest to tell apart, and vectors of
hashed character n-grams, which lie as unevenly as real ones. So this tells correctness and cost, not better answers.

    python benchmarks/hybrid.py [--vectors 250000] [--dimension 384]
"""

import argparse
import random
import resource
import statistics
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np

from spanwise import Corpus, Engine, Passage, read
from spanwise.store import vectors as room
from spanwise.store.port import Change
from spanwise.store.vectors import VectorIndex

T = TypeVar("T")
QUERIES, K = 200, 20
WORDS = 20_000


class Chance:
    """A vector of chance for each text."""

    def __init__(self, dimension: int) -> None:
        self.name, self.dimension = "random", dimension

    def embed(self, texts: Sequence[str], _role: str = "passage") -> np.ndarray:
        """The vectors of texts."""
        return np.stack(
            [np.random.default_rng(zlib.crc32(text.encode())).standard_normal(self.dimension) for text in texts]
        )


class Hashed(Chance):
    """Counts of character trigrams, hashed."""

    def __init__(self, dimension: int) -> None:
        self.name, self.dimension = "trigrams", dimension

    def embed(self, texts: Sequence[str], _role: str = "passage") -> np.ndarray:
        """The vectors of texts."""
        made = np.zeros((len(texts), self.dimension), np.float32)
        for at, text in enumerate(texts):
            data = text.lower().encode()
            grams = np.frombuffer(data, np.uint8).astype(np.uint32)
            keys = (grams[:-2] * 961 + grams[1:-1] * 31 + grams[2:]) % self.dimension
            np.add.at(made[at], keys, 1.0)
        return made


class Tables:
    """A corpus of `count` passages in one document, as far as vectors look at it."""

    def __init__(self, texts: list[str]) -> None:
        self.state = Change(1, "benchmark")
        self.held = {n: Passage(str(n), "all", n, n, 1, text) for n, text in enumerate(texts, 1)}

    def changed_since(self, _sequence: int) -> list[tuple[str, Change]]:
        """All of it."""
        return [("all", self.state)]

    def numbered(self, _names: list[str]) -> Iterator[tuple[str, dict[int, Passage]]]:
        """The passages by their numbers."""
        yield "all", self.held

    def has_change(self, change: Change) -> bool:
        """True for the one there is."""
        return change == self.state


def sentences(count: int) -> list[str]:
    """Texts of twelve words that are drawn as words of a language are: some often, most seldom."""
    chance = random.Random(7)
    words = ["".join(chance.choices("abcdefghiklmnoprstuvw", k=chance.randint(3, 9))) for _ in range(WORDS)]
    weights = [1 / rank for rank in range(1, WORDS + 1)]
    drawn = chance.choices(words, weights, k=12 * count)
    return [" ".join(drawn[at : at + 12]) for at in range(0, len(drawn), 12)]


def timed(call: Callable[..., T], *arguments: object) -> tuple[T, float]:
    """What a call gives, and the seconds of processor that it took."""
    began = time.process_time()
    return call(*arguments), time.process_time() - began


def graph(embedder: Chance, count: int) -> None:
    """The graph of many vectors against the comparison of all of them."""
    texts = sentences(count + QUERIES)
    tables, asked = Tables(texts[:count]), embedder.embed(texts[count:])
    with tempfile.TemporaryDirectory() as folder:
        made = [VectorIndex(Path(folder), embedder.name, embedder.dimension) for _ in range(3)]
        index, second, third = made
        _, seconds = timed(index.follow, tables, embedder.embed)
        most, room.EXACT = room.EXACT, 10**9
        exact, loading = timed(index.now)
        found, comparing = timed(lambda: [exact.nearest(one, K) for one in asked])
        room.EXACT = min(most, count - 1)
        near, building = timed(second.now)
        _, opening = timed(third.now)
        hits, searching = timed(lambda: [near.nearest(one, K) for one in asked])
        kept = sum(len({n for n, _ in one} & {n for n, _ in two}) for one, two in zip(found, hits, strict=True))
        sizes = {file.suffix: file.stat().st_size / 1e6 for file in Path(folder).iterdir()}
        for one in made:
            one.close()
    print(f"{embedder.name}, {count:,} vectors of {embedder.dimension}: recall@{K} {kept / K / QUERIES:.4f}")
    print(f"  stored in {seconds:.1f} s (embedding included), {sizes.get('.db', 0):.0f} MB; read in {loading:.2f} s")
    print(f"  graph built in {building:.0f} s, {sizes.get('.usearch', 0):.0f} MB; opened in {opening:.2f} s")
    print(f"  a search: all compared {comparing / QUERIES * 1e3:.1f} ms, graph {searching / QUERIES * 1e3:.2f} ms")
    print(f"  peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3:.0f} MB")


def question(embedder: Chance) -> None:
    """What vectors add to a question over 5,000 passages: interleaved, medians of processor time."""
    chance = random.Random(3)
    texts = sentences(5_000)
    with tempfile.TemporaryDirectory() as folder, Corpus.open(Path(folder, "c.db")) as corpus:
        for at in range(0, len(texts), 100):
            body = "\n\n".join(f"# Section {at + n}\n\n{text}." for n, text in enumerate(texts[at : at + 100]))
            corpus.put(read(body.encode(), name=f"{at}.md"))
        engines = {"words": Engine(corpus), "hybrid": Engine(corpus, embedder=embedder)}
        spent: dict[str, list[float]] = {name: [] for name in engines}
        for turn in range(16):  # in turns: who asks first fills what both remember
            asked = f"What about {chance.choice(texts)}?"
            for name in sorted(engines, reverse=bool(turn % 2)):
                spent[name].append(timed(engines[name].ask, asked)[1])
    plain, hybrid = (statistics.median(spent[name][2:]) * 1e3 for name in engines)
    print(f"a question over 5,000 passages: {plain:.1f} ms, with vectors ({embedder.name}) {hybrid:.1f} ms")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vectors", type=int, default=250_000)
    parser.add_argument("--dimension", type=int, default=384)
    given = parser.parse_args()
    for made in (Hashed(given.dimension), Chance(given.dimension)):
        question(made)
        graph(made, given.vectors)
        sys.stdout.flush()
