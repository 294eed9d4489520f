"""Closed classes of English words by which near copies are compared, read once from `lexicon.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from tomllib import loads

from spanwise.guard import contrasts
from spanwise.text.terms import stem

_LEVELS = ("none", "few", "some", "many", "most", "all")
_NO_CONTRADICTION = ({"some", "many"}, {"some", "most"}, {"many", "most"}, {"some", "few"})
"""What may be said of one thing at once, or nearly: "several" are "many" to somebody else."""


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The word classes of the comparators."""

    opposites: frozenset[frozenset[str]]
    """Pairs of words and of stems."""
    quantifiers: Mapping[str, str]
    """The level of each quantifier."""
    bounds: Mapping[tuple[str, ...], str]
    """`low` or `high` by the words before a figure."""
    classes: Mapping[str, frozenset[str]]

    def opposite(self, one: str, other: str) -> bool:
        """True if two lower-case words are antonyms, by the table or by a prefix such as "un"."""
        return (
            frozenset((one, other)) in self.opposites
            or frozenset((stem(one), stem(other))) in self.opposites
            or contrasts.opposite(one, other)
        )

    def other_share(self, one: str, other: str) -> bool:
        """True if two quantifiers cannot both hold: "all" and "some", "most" and "few"."""
        ours, theirs = self.quantifiers.get(one), self.quantifiers.get(other)
        return None not in (ours, theirs) and ours != theirs and {ours, theirs} not in _NO_CONTRADICTION

    def has(self, name: str, word: str) -> bool:
        """True if a word belongs to a class."""
        return word in self.classes[name]


@cache
def lexicon() -> Lexicon:
    """The lexicon of this package."""
    table = loads(resources.files("spanwise.guard.conflict").joinpath("lexicon.toml").read_text("utf-8"))
    pairs = [entry.split() for entry in table["opposites"].replace("\n", ";").split(";") if entry.strip()]
    return Lexicon(
        opposites=frozenset(frozenset(pair) for pair in pairs)
        | frozenset(frozenset(map(stem, pair)) for pair in pairs if stem(pair[0]) != stem(pair[1])),
        quantifiers={word: level for level in _LEVELS for word in table["quantifiers"][level].split()},
        bounds={
            tuple(phrase.split()): side
            for side, phrases in table["bounds"].items()
            for phrase in phrases.replace("\n", ";").split(";")
            if phrase.strip()
        },
        classes={name: frozenset(words.split()) for name, words in table["words"].items()},
    )
