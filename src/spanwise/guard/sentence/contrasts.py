"""Words that turn a statement into another one when they take each other's place."""

from __future__ import annotations

from spanwise.guard.sentence.lexicon import words_of_class
from spanwise.text.quantities.numerals import ORDINALS
from spanwise.text.terms import stem

MONTHS: dict[str, str] = {
    **{
        word: name
        for name in (
            *("january", "february", "march", "april", "june", "july", "august", "september", "october"),
            *("november", "december", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
        )
        for word in (name, f"{name}s", name[:3])
    },
    "may": "may",
    "sept": "september",
}
"""Names of months and days, and how they are shortened."""
UNITS: dict[str, str] = {
    **{
        word: word.rstrip("s")
        for word in ("thousand", "million", "billion", "trillion", "thousands", "millions", "billions")
    },
    **{
        word: word.rstrip("s")
        for name in ("day", "week", "month", "quarter", "year", "hour", "minute")
        for word in (name, f"{name}s")
    },
    **dict.fromkeys(("%", "percent"), "%"),
    **dict.fromkeys(("points", "point", "bps"), "points"),
    **{sign: sign for sign in "$\u20ac\u00a3\u00a5"},
    **{name: name for name in ("usd", "eur", "gbp", "jpy", "cad", "chf", "aud")},
    **{word: word for word in ("monthly", "quarterly", "weekly", "daily", "annually", "yearly")},
}
"""Magnitudes, units and currencies."""
PLACES_IN_ORDER: dict[str, str] = {word: str(value) for word, value in ORDINALS.items()}
"""First, second and so on."""
MINUS = frozenset(["minus", "negative", "loss", "losses", "deficit", "decrease", "decline", "reduction", "down"])
"""Words that make a figure less than nothing, or take it off something; the first two stand before the figure."""
STRENGTHS: dict[str, int] = {
    **dict.fromkeys(("must", "shall", "required", "obligated", "obliged", "will"), 3),
    "should": 2,
    **dict.fromkeys(("may", "might", "could", "can", "permitted", "allowed", "entitled"), 1),
}
"""How firmly something is said: a duty, advice, an option."""
QUANTIFIERS: dict[str, int] = {
    **dict.fromkeys(("all", "every", "each", "always", "entire", "entirely", "only"), 3),
    **dict.fromkeys(("most", "usually", "mostly", "generally", "often", "many"), 2),
    **dict.fromkeys(("some", "several", "few", "certain", "sometimes", "partly", "occasionally"), 1),
}
"""Of how much something is said."""
_SHORTEST_DENIED = 6
"""Letters; "form" and "inform" have nothing to do with each other."""


def denies_softly(word: str) -> bool:
    """True if a lower-case word denies though it is no negation: "avoid", "unlikely"."""
    return stem(word) in words_of_class("contrasts", "denying") or (
        word.startswith("un") and len(word) >= _SHORTEST_DENIED
    )
