"""How long the guard takes, in CPU time on one core: one usual response, more claims, more passages, a long source.

Usage: python benchmarks/guard.py [--repeat N]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from statistics import median

from spanwise.guard.verify import verify

_NOUNS = (
    "fee invoice vendor client notice deposit report audit licence warranty schedule service tax claim term".split()
)
_VERBS = "pays sends accepts reviews keeps renews ends owes delivers signs".split()


def sentence(number: int) -> str:
    """One of many different sentences of 14 words."""
    first, second, third = (_NOUNS[(number * step + step) % len(_NOUNS)] for step in (1, 7, 11))
    verb = _VERBS[number % len(_VERBS)]
    return f"The {first} of clause {number} {verb} the {second} within {number % 60 + 1} days of the {third} note."


def passage(number: int, words: int = 250) -> str:
    """A passage of so many words."""
    return " ".join(sentence(number * 40 + step) for step in range(words // 14))


def answer(claims: int) -> str:
    """An answer with so many sentences, every third of them with a changed number."""
    return " ".join(
        sentence(step * 7) if step % 3 else sentence(step * 7).replace("days", "weeks") for step in range(claims)
    )


def milliseconds(text: str, passages: Sequence[str], repeat: int) -> float:
    """Median CPU time of checking an answer."""
    times = []
    for _ in range(repeat):
        began = time.process_time()
        verify(text, passages)
        times.append(time.process_time() - began)
    return 1000 * median(times)


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=9)
    options = parser.parse_args()
    verify(answer(2), [passage(0)])  # what is loaded once
    ten = [passage(number) for number in range(10)]
    print(f"{'10 sentences, 10 passages of 250 words':<44}{milliseconds(answer(10), ten, options.repeat):>9.1f} ms")
    print(f"{'40 sentences, 10 passages':<44}{milliseconds(answer(40), ten, options.repeat):>9.1f} ms")
    forty = [passage(number) for number in range(40)]
    print(f"{'10 sentences, 40 passages':<44}{milliseconds(answer(10), forty, options.repeat):>9.1f} ms")
    pages = ["\n\n".join(passage(number, 500) for number in range(100))]
    print(f"{'10 sentences, one source of 100 pages':<44}{milliseconds(answer(10), pages, 3):>9.1f} ms")


if __name__ == "__main__":
    main()
