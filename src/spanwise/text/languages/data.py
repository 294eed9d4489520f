"""What is known of each language: one file of words a language, beside this module, named by its ISO 639-1 code."""

from __future__ import annotations

import tomllib
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any

MONTHS = tuple("january february march april may june july august september october november december".split())

_LAST = 1000
"""The rank of a language that names none."""


@dataclass(frozen=True, slots=True)
class Language:
    """The words of one language; every field but the function words may be missing.

    All text is in Unicode's composed form (NFC), lower case.
    """

    code: str
    function_words: frozenset[str]
    """Articles, pronouns, prepositions, conjunctions, auxiliaries, question words: the commonest of each."""
    rank: int
    """Of languages that a text speaks for alike the lowest is taken."""
    also_in_names: frozenset[str] = frozenset()
    """Function words that stand in names and titles too ("Los Angeles"): alone they tell no language."""
    letters: str = ""
    """Letters with accents that speak for the language where it is written in Latin script."""
    silent: str = ""
    """Characters that make no word with their neighbours."""
    stemmer: str = ""
    """Name of its Snowball stemmer."""
    clitics: frozenset[str] = frozenset()
    """Pronouns and the like that a hyphen binds to a word: at its end, or at its beginning where a hyphen follows."""
    fronted: bool = False
    """True if its question word mostly comes first."""
    capital_nouns: bool = False
    """True if every noun has a capital, which tells no names then."""
    places: frozenset[str] = frozenset()
    """Prepositions of a place."""
    decimal_comma: bool = False
    """True if it writes 1.234,5 for what English writes as 1,234.5."""
    month_word: str = ""
    """What stands before the number of a month."""
    percent_before: frozenset[str] = frozenset()
    """What stands before a number and makes it a share ("%25")."""
    eras: Mapping[str, int] = field(default_factory=dict)
    """Names of eras with the year before their first."""
    numerals: Mapping[str, str] = field(default_factory=dict)
    """From the words for 2 to 12 to their digits."""
    months: Mapping[str, str] = field(default_factory=dict)
    """From each name of a month to the English one."""
    days: frozenset[str] = frozenset()
    """Days of the week and times of the day, as sentences tell a time by them."""
    numbers: Mapping[str, str] = field(default_factory=dict)
    """From each word behind a number (units, magnitudes, currencies) to the English one."""
    counters: Mapping[str, str] = field(default_factory=dict)
    """The same where nothing parts words."""
    also_english: frozenset[str] = frozenset()
    """Of both, those that are English words or names too, or too short to tell."""
    negations: frozenset[str] = frozenset()
    """Words that deny; `*` at an end stands for any beginning or ending, `_` for white space."""
    not_negations: frozenset[str] = frozenset()
    """Words that only look like one of them."""
    questions: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """What asks, by what it asks for."""
    references: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Words of cross references ("continued in Section 7"): what places are called, and what sends there."""


@cache
def languages() -> Mapping[str, Language]:
    """All languages by their code, in the order of their ranks."""
    files = (one for one in resources.files(__package__).iterdir() if one.name.endswith(".toml"))
    read = (_read(file.name.removesuffix(".toml"), file.read_text(encoding="utf-8")) for file in files)
    return {one.code: one for one in sorted(read, key=lambda one: (one.rank, one.code))}


def _read(code: str, text: str) -> Language:
    given = tomllib.loads(unicodedata.normalize("NFC", text))
    return Language(
        code,
        _words(given, "function_words"),
        given.get("rank", _LAST),
        also_in_names=_words(given, "also_in_names"),
        letters=given.get("letters", ""),
        silent=given.get("silent", ""),
        stemmer=given.get("stemmer", ""),
        clitics=_words(given, "clitics"),
        fronted=given.get("fronted", False),
        capital_nouns=given.get("capital_nouns", False),
        places=_words(given, "places"),
        decimal_comma=given.get("decimal_comma", False),
        month_word=given.get("month_word", ""),
        percent_before=_words(given, "percent_before"),
        eras=given.get("eras", {}),
        numerals=_by_word({str(value): words for value, words in enumerate(given.get("numerals", ()), start=2)}),
        months=_by_word(dict(zip(MONTHS, given.get("months", ()), strict=False))),
        days=_words(given, "days"),
        numbers=_by_word(given.get("numbers", {})),
        counters=_by_word(given.get("counters", {})),
        also_english=_words(given, "also_english"),
        negations=_words(given, "negations"),
        not_negations=_words(given, "not_negations"),
        questions=_phrases(given.get("questions", {})),
        references=_phrases(given.get("references", {})),
    )


def _phrases(given: Mapping[str, list[str]]) -> Mapping[str, tuple[str, ...]]:
    return {kind: tuple(unicodedata.normalize("NFKC", phrase) for phrase in phrases) for kind, phrases in given.items()}


def _words(given: Mapping[str, Any], name: str) -> frozenset[str]:
    return frozenset(given.get(name, "").split())


def _by_word(listed: Mapping[str, str]) -> Mapping[str, str]:
    return {word: english for english, words in listed.items() for word in words.split()}
