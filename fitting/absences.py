"""Count how often claims that people called supported have a word that their passages lack.

"Overall", "provides" and "various" are in many such claims whose passages have no such word; a tiger is not. A stem
counts once for each source; it is listed if the passages lack it in LEAST sources and in two sets or more. Needs the
data (SPANWISE_DATA, by default ../shared/data).

Usage: python fitting/absences.py [--without SET ...] [--out FILE]
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

import public_sets  # noqa: F401 - makes `sets` importable
from guard import DATA
from sets.grounding.items import LOADERS, Item

from spanwise.guard.verify import examine

OUT = Path("src/spanwise/guard/absences.json")
SETS = ("ragtruth", "wice", "expertqa", "mtrag", "defacto", "factcheckgpt", "realsumm")
"""Fitted sets of free wordings; in the others claims were written to be alike, or of few forms."""
LEAST = 3
SMOOTHING = 5.0
"""Sources that are added to those of a stem, in which it is lacked as often as stems are on average."""
STEP = 0.05


def supported(item: Item) -> Iterator[tuple[str, bool]]:
    """The stems of the supported claims of a text, and whether its passages lack them."""
    examined = examine(item.text, item.passages)
    for held in examined.held:
        if item.is_wrong(held.said.start, held.said.end) is False:
            sources = examined.context.sources
            yield from ((stem, sources.said_as(stem) not in sources.postings) for stem in held.said.weights)


def counted(items: Iterable[Item]) -> tuple[Counter[str], Counter[str]]:
    """In how many sources the claims have each stem, and in how many of these the passages lack it."""
    seen: dict[str, dict[str, bool]] = defaultdict(dict)
    for item in items:
        for stem, lacked in supported(item):
            seen[item.source][stem] = seen[item.source].get(stem, True) and lacked
    every = Counter(stem for own in seen.values() for stem in own)
    return every, Counter(stem for own in seen.values() for stem, lacked in own.items() if lacked)


def shares(names: Iterable[str]) -> tuple[dict[str, float], float]:
    """For each stem that may be listed how often it is lacked, and how often stems are on average."""
    pairs = [counted(LOADERS[name](DATA)) for name in names]
    every, lacked = sum((one for one, _ in pairs), Counter[str]()), sum((two for _, two in pairs), Counter[str]())
    sets = Counter(stem for _, own in pairs for stem in own)
    mean = lacked.total() / every.total()
    kept = (stem for stem in every if sets[stem] > 1 and lacked[stem] >= LEAST and stem.isalpha() and stem.isascii())
    return {stem: (lacked[stem] + SMOOTHING * mean) / (every[stem] + SMOOTHING) for stem in kept}, mean


def main() -> None:
    """Count and write."""
    parser = argparse.ArgumentParser(formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--without", nargs="*", default=[], help="sets that are left out")
    parser.add_argument("--out", type=Path, default=OUT)
    options = parser.parse_args()
    found, mean = shares(name for name in SETS if name not in options.without)
    lists: dict[str, list[str]] = {}
    for stem, share in sorted(found.items()):
        if share > mean:
            lists.setdefault(f"{round(round(share / STEP) * STEP, 2):.2f}", []).append(stem)
    options.out.write_text(json.dumps({one: " ".join(lists[one]) for one in sorted(lists)}, indent=1) + "\n")
    print(f"{sum(map(len, lists.values()))} stems, {mean:.3f} on average")


if __name__ == "__main__":
    main()
