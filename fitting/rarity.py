"""Count in how many stretches of public text each stem occurs: passages of RAGTruth, WiCE and ExpertQA.

Inverse document frequency as a share of its maximum, in steps of .05; stems seen in fewer than LEAST stretches are left
out, as rare as can be. Needs the data (SPANWISE_DATA, by default ../shared/data).

Usage: python fitting/rarity.py [--out FILE]
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from spanwise.text.terms import terms

DATA = Path(os.environ.get("SPANWISE_DATA", "../shared/data"))
OUT = Path("src/spanwise/text/rarity.json")
SOURCES = {
    "ragtruth/dev.jsonl.gz": "passages",
    "ragtruth/rest.jsonl.gz": "passages",
    "wice/dev_claims.jsonl.gz": "evidence",
    "expertqa/val_claims.jsonl.gz": "evidence",
}
STRETCH = 120  # words
SHORTEST = 200  # characters
LEAST = 6
STEP = 0.05


def texts() -> Iterator[str]:
    """Every source text."""
    for name, key in SOURCES.items():
        with gzip.open(DATA / name, "rt", encoding="utf-8") as lines:
            for line in lines:
                parts = json.loads(line)[key]
                if key == "passages":
                    yield from parts
                else:
                    yield " ".join(parts)


def stretches() -> set[str]:
    """Pieces of equal length, each once: responses share their passages."""
    found = set()
    for text in texts():
        words = text.split()
        for start in range(0, len(words), STRETCH):
            stretch = " ".join(words[start : start + STRETCH])
            if len(stretch) >= SHORTEST:
                found.add(stretch)
    return found


def main() -> None:
    """Count and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=OUT)
    options = parser.parse_args()
    found = stretches()
    counts = Counter(stem for stretch in found for stem in set(terms(stretch)))
    most = math.log(len(found))
    lists: dict[str, list[str]] = {}
    for stem, count in sorted(counts.items()):
        if count >= LEAST and stem.isalpha() and stem.isascii():
            share = round(round(math.log((len(found) + 1) / (count + 0.5)) / most / STEP) * STEP, 2)
            lists.setdefault(f"{share:.2f}", []).append(stem)
    data = {share: " ".join(stems) for share, stems in sorted(lists.items())}
    options.out.write_text(json.dumps(data, indent=1) + "\n")
    size = options.out.stat().st_size / 1000
    print(f"{sum(map(len, lists.values()))} stems of {len(found)} stretches, {size:.0f} kB")


if __name__ == "__main__":
    main()
