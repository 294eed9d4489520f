"""Abbreviations as documents introduce them, "Self-Encrypting Drives (SEDs)": a name and its initials are one subject.

The rule is that of Schwartz and Hearst (2003), "A simple algorithm for identifying abbreviation definitions in
biomedical text", narrowed to initials: each capital begins a word of the long form, in order.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from spanwise.domain.passage import Passage
from spanwise.text.terms import terms

_INTRODUCED = re.compile(r"\(\s{0,3}[\"\u201c]?([A-Z][A-Za-z&]{0,8}[A-Z])(s?)[\"\u201d]?\s{0,3}[);,]")
_WORD = re.compile(r"[^\W\d_]+")
_SKIPPED = frozenset("a an and as at by for from in of on or the to with".split())
_BEFORE = 160
"""Characters before an abbreviation in which its long form stands."""


def abbreviations(passages: Iterable[Passage], asked: Iterable[str]) -> dict[str, frozenset[str]]:
    """From each abbreviation that some passages introduce to the stems of its long form, as far as a question has them.

    Args:
        passages: Where they may be introduced; the first long form of an abbreviation counts.
        asked: Stems of the question: an abbreviation is kept when they have it, or all of its long form.
    """
    wanted = frozenset(asked)
    found: dict[str, frozenset[str]] = {}
    for passage in passages:
        for short, long in _introduced(passage.text):
            if short in wanted or long <= wanted:
                found.setdefault(short, long)
    return found


def spelled_out(stems: frozenset[str], known: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """Some stems with those of the long forms whose abbreviation they have, and the other way round."""
    for short, long in known.items():
        if short in stems:
            stems |= long
        elif long <= stems:
            stems |= {short}
    return stems


@lru_cache(maxsize=512)
def _introduced(text: str) -> tuple[tuple[str, frozenset[str]], ...]:
    """Abbreviations in a text with the stems of their long forms."""
    found = []
    for match in _INTRODUCED.finditer(text):
        short = terms(match[1])
        long = _long_form(match[1], text[max(0, match.start() - _BEFORE) : match.start()])
        if len(short) == 1 and len(long) > 1:
            found.append((short[0], long))
    return tuple(found)


def _long_form(short: str, before: str) -> frozenset[str]:
    """The stems of the words right before an abbreviation that begin with its letters; none where they do not."""
    words = list(_WORD.finditer(before))
    capitals = [letter.lower() for letter in short if letter.isupper()]  # the small ones of "IaaS" are skipped words
    at = len(words) - 1
    for letter in reversed(capitals):
        while at >= 0 and words[at].group().lower() in _SKIPPED:
            at -= 1
        if at < 0 or words[at].group()[0].lower() != letter:
            return frozenset()
        at -= 1
    return frozenset(stem for stem in terms(before[words[at + 1].start() :]) if stem.isalpha())
