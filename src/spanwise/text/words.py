"""Words as people count them: lower case, without punctuation, with a simple folding of plurals."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

_WORD = re.compile(r"\d+(?:[.,]\d+)+|[^\W_]+(?:['\u2019][^\W_]+)*")
_RUN = re.compile(r"[^\W_]+")
_APART = bytes(code if chr(code).isalnum() else ord(" ") for code in range(128)).ljust(256)
_SHORTEST_PLURAL = 4
_SHORTEST_IES = 5
_NOT_PLURAL = ("ss", "us", "is")
_LONG_PLURALS = ("sses", "shes", "ches", "xes")

FUNCTION_WORDS = frozenset(["the", "is", "in", "at", "of", "for", "and", "a", "to", "what", "are", "on", "with", "by"])
"""Words of a question that name nothing. `who`, `does` and the like are not among them: they carry its intent."""


def runs(text: str) -> list[str]:
    """The runs of letters and digits of a text in order, as written."""
    if text.isascii():  # in a quarter of the time of the pattern
        return text.encode().translate(_APART).decode().split()
    return _RUN.findall(text)


def words(text: str) -> list[str]:
    """The words of a text in order, lower case; a number keeps its decimals, a possessive loses its ending."""
    return [_without_possessive(word) for word in _WORD.findall(unicodedata.normalize("NFKC", text).lower())]


def singular(word: str) -> str:
    """One form for the singular and the plural of a regular English noun: `penalties` and `penalty` fold alike.

    The form serves comparison only; of a word that merely ends like a plural it need not be a word.
    """
    if len(word) < _SHORTEST_PLURAL or not word.endswith("s") or word.endswith(_NOT_PLURAL):
        return word
    if word.endswith("ies") and len(word) >= _SHORTEST_IES:
        return word[:-3] + "y"
    if word.endswith(_LONG_PLURALS):
        return word[:-2]
    return word[:-1]


def folded_words(text: str) -> list[str]:
    """The words of a text in order, plurals folded."""
    return [singular(word) for word in words(text)]


def contains_phrase(text: Sequence[str], phrase: Sequence[str]) -> bool:
    """True if the words of `phrase` stand next to each other, in order, in `text`; an empty phrase stands nowhere."""
    # No word holds a space, so one substring search compares whole words.
    return bool(phrase) and f" {' '.join(phrase)} " in f" {' '.join(text)} "


def _without_possessive(word: str) -> str:
    return word[:-2] if word.endswith(("'s", "\u2019s")) else word
