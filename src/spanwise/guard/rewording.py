"""A claim in other words of the same meaning, those of its passages: "not allowed" where they say "forbidden"."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources

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
    text = resources.files(__package__).joinpath("rewordings.toml").read_text(encoding="utf-8")
    found: dict[str, list[str]] = {}
    for line in tomllib.loads(text)["same"].split("\n"):
        for form in _BE if "~" in line else ("",):
            row = [phrase.strip() for phrase in line.replace("~", form).split("|")]
            for phrase in filter(None, row):
                found.setdefault(phrase, []).extend(other for other in row if other != phrase)
    phrases = sorted(found, key=lambda phrase: (-len(phrase), phrase))
    return found, re.compile(rf"\b(?:{'|'.join(map(re.escape, phrases))})(?!\w)", re.IGNORECASE)
