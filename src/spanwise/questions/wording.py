"""How a question is worded: every stem but those of articles and the like, so that "how long" and "who" still count."""

from __future__ import annotations

from spanwise.text.terms import stem
from spanwise.text.words import words

_SILENT = frozenset(
    "a an and any are as at be by do does for from has have in is it its of on or that the this to was".split()
)


def wording(text: str) -> frozenset[str]:
    """The stems of the words of a question, form words included."""
    return frozenset(stem(word) for word in words(text) if word not in _SILENT)
