"""Ten thousand questions while documents are replaced, removed, renamed and written by another process.

Wrong is: a status of 500 and above, a 404 because of a document that the question did not name, a cited line whose text
is not in the version that the result names, an answer whose words are of another version than its lines.

Usage: python tests/campaign/race.py [--questions N] [--seconds N] [--askers N] [--seed N]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from traffic import Ledger, Traffic, served


def main() -> int:
    """Ask, count, and say what was wrong."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--questions", type=int, default=10_000)
    parser.add_argument("--seconds", type=float, default=3_600)
    parser.add_argument("--askers", type=int, default=4)
    parser.add_argument("--seed", type=int, default=15)
    asked = parser.parse_args()
    ledger = Ledger()
    with tempfile.TemporaryDirectory(prefix="race-") as folder:
        corpus = Path(folder, "corpus.db")
        with served(corpus) as (address, _):
            traffic = Traffic(address, corpus, ledger, asked.seed)
            traffic.begin()
            began = time.monotonic()
            traffic.run(askers=asked.askers, questions=asked.questions, seconds=asked.seconds)
            seconds = time.monotonic() - began
    for what, count in sorted(ledger.counts.items()):
        print(f"{what:<40}{count:>8}")
    print(f"{seconds:.0f} s; {len(ledger.wrong)} wrong of {ledger.counts['asked']}")
    for told in ledger.wrong[:20]:
        print(told)
    return bool(ledger.wrong)


if __name__ == "__main__":
    sys.exit(main())
