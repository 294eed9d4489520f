"""A claim in other words of the same meaning, those of its passages: "not allowed" where they say "forbidden".

The rows are few and exact. The paraphrases of questions (`text/paraphrases.py`) tell where to look, not what is so:
they put "longer" beside "shorter" and "allow" beside "forbid". Read both ways in place of these rows they let 25 false
claims of 3,700 pass with 51 true ones; these rows let two pass with six.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache

from spanwise.guard.lexicon import lexicon

_BE = ("is", "are", "was", "were")


def reworded(claim: str, passages: Iterable[str]) -> str | None:
    """A claim with the phrases of its passages in the place of others that say the same; None where none differs.

    Args:
        claim: A claim in English.
        passages: The sentences that come nearest to it.
    """
    table, pattern = _table()
    if pattern.search(claim) is None:
        return None
    near = " ".join(passages).lower()
    stated = {match[0] for match in pattern.finditer(near)}

    def in_their_words(match: re.Match[str]) -> str:
        own = match[0].lower()
        others = [] if own in stated else [other for other in table[own] if other in stated]
        return others[0] if others else match[0]

    found = pattern.sub(in_their_words, claim)
    return found if found != claim else None


@cache
def _table() -> tuple[Mapping[str, list[str]], re.Pattern[str]]:
    """The phrases that may stand for each phrase, and a pattern of them all, the longest first."""
    found: dict[str, list[str]] = {}
    for line in lexicon()["rewordings"]["same"].split("\n"):
        for form in _BE if "~" in line else ("",):
            row = [phrase.strip() for phrase in line.replace("~", form).split("|")]
            for phrase in filter(None, row):
                found.setdefault(phrase, []).extend(other for other in row if other != phrase)
    phrases = sorted(found, key=lambda phrase: (-len(phrase), phrase))
    return found, re.compile(rf"\b(?:{'|'.join(map(re.escape, phrases))})(?!\w)", re.IGNORECASE)
