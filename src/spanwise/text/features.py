"""What a sentence model reads in a sentence; fitting and answering use this one function."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise

START_LINES = 40
"""The first lines of a document, where it says what it is, between whom and from when."""


def sentence_features(stems: Sequence[str], heading: Collection[str], line: int) -> set[str]:
    """Features of one sentence.

    Args:
        stems: Its content words, stemmed, in order.
        heading: Stems of the heading above it.
        line: Number of its first line in the document.

    Returns:
        The stems, pairs of neighbouring stems (`govern|law`), stems of the heading (`#law`), and `@start`.
    """
    found = set(stems)
    found.update(f"{one}|{other}" for one, other in pairwise(stems))
    found.update(f"#{stem}" for stem in heading)
    if line <= START_LINES:
        found.add("@start")
    return found
