"""Words that decide what a sentence says, by class, and words that may stand for each other.

The longer lists are data: `lexicon.toml` and `synonyms.txt`, both written for this project.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources

from spanwise.text.patterns import may_hold
from spanwise.text.quantities.numerals import ORDINALS
from spanwise.text.related import family_rows
from spanwise.text.terms import stem


@cache
def lexicon() -> Mapping[str, Mapping[str, str]]:
    """The sections of the file, each with its lists as they are written."""
    return tomllib.loads(resources.files(__package__).joinpath("lexicon.toml").read_text(encoding="utf-8"))


@cache
def words_of_class(section: str, name: str) -> frozenset[str]:
    """The words of one list."""
    return frozenset(lexicon()[section][name].split())


def entries(written: str, separator: str) -> list[tuple[str, ...]]:
    """The phrases of a list, each as its words; a line ends a phrase as the separator does."""
    return [words for phrase in written.replace("\n", separator).split(separator) if (words := tuple(phrase.split()))]


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


BE = frozenset(["is", "are", "was", "were", "be", "been", "being"])
AUXILIARIES = BE | frozenset(
    "shall must will may can should would could has have had agrees agree does do cannot".split()
)
NEGATORS = frozenset(["not", "no", "never", "neither", "nor", "cannot", "without", "none", "non"])
"""Words that turn what follows into its opposite, besides those that end with "n't"."""
ROLES = frozenset(
    [
        *("client", "customer", "vendor", "supplier", "provider", "contractor", "subcontractor", "company", "buyer"),
        *("seller", "purchaser", "licensor", "licensee", "lessor", "lessee", "landlord", "tenant", "employer"),
        *("employee", "borrower", "lender", "bank", "insurer", "insured", "consultant", "owner", "agent"),
        *("distributor", "franchisor", "franchisee", "assignor", "assignee", "guarantor", "sponsor"),
    ]
)
"""Names of roles in contracts."""
_ONE_MEANING = (
    ("pay", "pays", "paid", "payment", "payable"),
    ("fee", "charge", "charged", "penalty"),
    ("end", "terminate", "termination", "cancel"),
    ("agreement", "contract"),
    ("receive", "receipt"),
    ("notify", "notice", "inform", "tell"),
    ("keep", "retain", "hold", "held", "kept"),
    ("secret", "confidential", "confidentiality", "confidence"),
    ("late", "overdue"),
    ("own", "owns", "belong", "ownership"),
    ("begin", "start", "commence"),
    ("liable", "liability"),
    ("infringe", "infringement"),
    ("apply", "accrue", "bear", "bears"),
    ("send", "sent", "issue"),
    ("supply", "provide", "deliver", "delivery"),
)


_MAY_NEGATE = may_hold(NEGATORS)


def may_negate(text: str) -> bool:
    """True unless no word of a text can be a negation: a look at it instead of at its words."""
    return not text.isascii() or "n't" in (low := text.lower()) or _MAY_NEGATE.search(low) is not None


def is_negation(token: str) -> bool:
    """True if this lower-case word turns what follows into its opposite."""
    return token in NEGATORS or token.endswith("n't")


def meaning(token: str) -> str:
    """The stem of a lower-case word, or one stem for all words that mean the same."""
    if token in ROLES:
        return token  # a provider is somebody, whatever is provided
    root = stem(token)
    return _meanings().get(root, root)


# Made at first use: loading a stemmer takes longer than importing this package may.
@cache
def _meanings() -> dict[str, str]:
    return {stem(word): group[0] for group in _ONE_MEANING for word in group}


def interchangeable(one: str, other: str) -> bool:
    """Whether two lower-case words are forms of one word, or share a group of the table."""
    return not meanings_of(one).isdisjoint(meanings_of(other))


@lru_cache(maxsize=8192)
def meanings_of(word: str) -> frozenset[str | int]:
    """What two interchangeable lower-case words have in common: the stem of a word, and its groups of the table."""
    table = _table()
    base = table.base(word)
    return table.groups.get(base, _NONE).union((base,))


def groups_of(stemmed: str) -> frozenset[int]:
    """The groups of the table that a stem is in, as numbers."""
    table = _table()
    return table.groups.get(table.forms.get(stemmed, stemmed), _NONE)


_NONE: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class _Table:
    forms: Mapping[str, str]
    """The stem of the word itself for each form with a stem of its own."""
    groups: Mapping[str, frozenset[int]]
    """The groups that a stem is in."""

    def base(self, word: str) -> str:
        """The stem by which the table knows a word."""
        return self.forms.get(word) or stem(word)


@cache
def _table() -> _Table:
    lines = resources.files(__package__).joinpath("synonyms.txt").read_text(encoding="utf-8").splitlines()
    rows = [(number, line.split()) for number, line in enumerate(lines) if not line.startswith("#")]
    forms = {form: stem(words[1]) for _, words in rows if words[0] == "=" for form in words[2:]}
    groups: dict[str, set[int]] = {}
    for number, words in rows:
        for word in words if words[0] != "=" else ():
            groups.setdefault(forms.get(word) or stem(word), set()).add(number)
    for number, words in enumerate(family_rows(), start=len(lines)):
        for word in words:
            groups.setdefault(word, set()).add(number)
    return _Table(forms, {word: frozenset(numbers) for word, numbers in groups.items()})
