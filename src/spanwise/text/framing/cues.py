"""Cue words of clauses that are not simply asserted, read from `frames.toml` once."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

Phrase = tuple[frozenset[str] | None, ...]
"""Words that may stand at each place; None for up to three words of any kind."""

_GAP = 3


@dataclass(frozen=True, slots=True)
class Predicate:
    """A class of predicates: the kind of frame of their clause when affirmed and when negated, empty for none."""

    name: str
    affirmed: str
    negated: str


@dataclass(frozen=True, slots=True)
class Cues:
    """The vocabulary of frames."""

    predicates: dict[str, Predicate]
    verbs: frozenset[str]
    conditions: dict[str, list[Phrase]]
    clauses: dict[str, list[tuple[Phrase, str]]]
    headings: dict[str, list[tuple[Phrase, str]]]
    labels: dict[str, str]
    words: dict[str, frozenset[str]]
    triggers: frozenset[str]
    """Words of which a sentence with a frame has one, labels, quotations and question marks apart."""
    turning: frozenset[str]
    """Words of which a sentence has one where a predicate frames its clause only because it is negated."""


@cache
def cues() -> Cues:
    """The vocabulary, from the file beside this module."""
    data = tomllib.loads(files(__package__).joinpath("frames.toml").read_text(encoding="utf-8"))
    predicates: dict[str, Predicate] = {}
    verbs: set[str] = set()
    for name, entry in data["predicates"].items():
        predicate = Predicate(name, entry["affirmed"], entry["negated"])
        forms = {form for lemma in entry.get("verbs", ()) for form in _forms(lemma.split())}
        verbs |= forms
        for word in [*forms, *entry.get("words", ())]:
            predicates.setdefault(word, predicate)
    sets = {name: frozenset(held) for name, held in data["sets"].items()}
    words = {name: frozenset(held) for table in ("words", "orders") for name, held in data[table].items()}
    words |= {name: frozenset(data["conditions"][name]) for name in ("asked_after", "idle_before", "subject_turned")}
    words |= {name: frozenset(data["phrase_subjects"][name]) for name in ("old", "text")} | sets
    common = words["determiners"] | words["prepositions"] | words["auxiliaries"] | words["be"] | words["joins"]
    conditional = _by_first_word({"conditional": data["conditions"]["phrases"]}, sets)
    headings = _by_first_word(data["headings"], sets)
    clauses = _by_first_word(data["clauses"], sets)
    triggers = {word for word, predicate in predicates.items() if predicate.affirmed}
    triggers |= {*words["ignore"], *words["suppose"], *words["say"], *words["old"]}
    triggers |= {*words["machines"], *words["helpers"], *words["anyone"], "answered", "told"}
    triggers |= {*words["fictional"], *words["unproved"], *words["lapsed"], *words["tempting"]}
    triggers |= {
        "someone",
        "somebody",
        "opposite",
        "reverse",
        "case",
        "if",
        "should",
        "provided",
        "whether",
        "until",
        "till",
        "before",
        "used",
        "contrary",
    }
    for phrase, _ in (pair for table in (conditional, clauses) for held in table.values() for pair in held):
        triggers |= _rarest(phrase, common)
    conditions = {
        word: sorted((phrase for phrase, _ in held), key=len, reverse=True) for word, held in conditional.items()
    }
    turning = (
        words["negators"]
        | words["negators_before_to"]
        | words["none_of"]
        | words["falsely"]
        | words["removed"]
        | {"far"}
    )
    turning |= frozenset(word for word, predicate in predicates.items() if predicate.name == "negative")
    labels = {label: kind for kind, held in data["labels"].items() for label in held}
    return Cues(
        predicates, frozenset(verbs), conditions, clauses, headings, labels, words, frozenset(triggers), turning
    )


def match_phrase(phrase: Phrase, words: Sequence[str], at: int) -> int | None:
    """The index after a phrase that stands at an index, or None."""
    for place, held in enumerate(phrase):
        if held is None:
            ends = (match_phrase(phrase[place + 1 :], words, at + skipped) for skipped in range(_GAP + 1))
            return next((end for end in ends if end is not None), None)
        if at >= len(words) or words[at] not in held:
            return None
        at += 1
    return at


def _by_first_word(table: dict[str, list[str]], sets: dict[str, frozenset[str]]) -> dict[str, list[tuple[Phrase, str]]]:
    """The phrases of a table with their kinds, by the words that they may begin with."""
    held: dict[str, list[tuple[Phrase, str]]] = {}
    for kind, texts in table.items():
        for phrase in (_phrase(text, sets) for text in texts):
            for word in phrase[0] or ():
                held.setdefault(word, []).append((phrase, kind))
    return held


def _rarest(phrase: Phrase, common: frozenset[str]) -> frozenset[str]:
    """The words at the last place of a phrase that no common word may take, else at its first place."""
    return next((held for held in reversed(phrase) if held and held.isdisjoint(common)), phrase[0] or frozenset())


def _phrase(text: str, sets: dict[str, frozenset[str]]) -> Phrase:
    """A phrase of the file: `a|b` is either word, `@name` a set, `~` a gap."""
    return tuple(
        None if item == "~" else frozenset(word for part in item.split("|") for word in sets.get(part[1:], {part}))
        for item in text.split()
    )


def _forms(lemma: list[str]) -> set[str]:
    """The forms of a verb: its own, the irregular ones given with it and the regular ones."""
    base = lemma[0]
    forms = set(lemma)
    if base.endswith("y") and base[-2] not in "aeou":
        return forms | {f"{base[:-1]}ies", f"{base[:-1]}ied", f"{base}ing"}
    if base.endswith("e"):
        return forms | {f"{base}s", f"{base}d", f"{base[:-1]}ing"}
    plural = f"{base}es" if base.endswith(("s", "sh", "ch", "x")) else f"{base}s"
    return forms | {plural, f"{base}ed", f"{base}ing"}
