"""Words that exclude each other ("before" and "after"): `fitting/opposites.txt`, written for this project."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from spanwise.text.related import tables
from spanwise.text.terms import stem

_SHORTEST = 6
"""Letters of a word that a syllable denies; "form" and "inform" have nothing to do with each other."""
_SYLLABLES = ("un", "non", "dis", "in", "im", "ir", "il")


def opposite(one: str, other: str) -> bool:
    """True if two lower-case words say the opposite of each other."""
    if one == other:
        return False
    return other in opposites(one) or stem(other) in opposites(stem(one)) or _denies(one, other)


def opposites(word: str) -> frozenset[str]:
    """Words that exclude a lower-case word, or the stems that exclude its stem."""
    return _opposites().get(word, frozenset())


def _denies(one: str, other: str) -> bool:
    """True if a syllable before one word makes the other: "limited" and "unlimited"."""
    short, long = sorted((one, other), key=len)
    return long.endswith(short) and len(short) >= _SHORTEST and long.removesuffix(short) in _SYLLABLES


@cache
def _opposites() -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for one, other in map(str.split, tables()["opposites"]):
        found.setdefault(one, set()).add(other)
        found.setdefault(other, set()).add(one)
    return {word: frozenset(others) for word, others in found.items()}
