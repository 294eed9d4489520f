"""How long the guard takes, in CPU time on one core: one usual response, more claims, more passages, a long source.

Usage: python benchmarks/guard.py [--repeat N]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
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


def answer(claims: int, first: int = 0) -> str:
    """An answer with so many sentences from a place on, every third of them with a changed number."""
    return " ".join(
        sentence(first + step * 7) if step % 3 else sentence(first + step * 7).replace("days", "weeks")
        for step in range(claims)
    )


def milliseconds(claims: int, make: Callable[[int], Sequence[str]], repeat: int) -> float:
    """Median CPU time of checking an answer; each time another one, against other passages, so that nothing is known.

    Args:
        claims: Sentences of the answer.
        make: The passages, from the number of the first one on.
        repeat: How often.
    """
    times = []
    for turn in range(repeat):
        first = turn * 1000
        passages, text = make(first), answer(claims, first * 40)
        began = time.process_time()
        verify(text, passages)
        times.append(time.process_time() - began)
    return 1000 * median(times)


def passages(count: int) -> Callable[[int], Sequence[str]]:
    """So many passages of 250 words."""
    return lambda first: [passage(first + number) for number in range(count)]


def pages(first: int) -> Sequence[str]:
    """One source of 100 pages."""
    return ["\n\n".join(passage(first + number, 500) for number in range(100))]


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=15)
    repeat = parser.parse_args().repeat
    verify(answer(2), [passage(0)])  # what is loaded once
    ten = passages(10)(5)
    rows = {
        "10 sentences, 10 passages of 250 words": milliseconds(10, passages(10), repeat),
        "40 sentences, 10 passages": milliseconds(40, passages(10), repeat),
        "10 sentences, 40 passages": milliseconds(10, passages(40), repeat),
        "10 other sentences, the same 10 passages": milliseconds(10, lambda _: ten, repeat),
        "10 sentences, one source of 100 pages": milliseconds(10, pages, 3),
    }
    for name, taken in rows.items():
        print(f"{name:<44}{taken:>9.1f} ms")


if __name__ == "__main__":
    main()
