"""The words that a sentence is parsed by: closed classes, and the forms of English verbs."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from importlib.resources import files
from typing import Literal, TypeAlias

Form: TypeAlias = Literal["base", "s", "past", "part", "ing"]

_SECTION = re.compile(r"^\[(\w+)\]$", re.MULTILINE)
_SHORT = re.compile(r"[^aeiou]*[aeiou][bdgklmnprt]")
"""A verb of one short syllable doubles its last letter: "plan", "planned"."""
_STRESSED_END = ("mit", "fer", "cur", "pel", "quip")
_FEWEST = 5
"""Letters of a word that may be a form of a verb that the list lacks, besides its ending."""


@cache
def word_class(name: str) -> frozenset[str]:
    """The words of a class: "modal", "determiner", "preposition", ..."""
    return frozenset(_sections()[name].split())


@cache
def classes_by_word() -> dict[str, frozenset[str]]:
    """For each word of a closed class the names of its classes."""
    found: dict[str, set[str]] = {}
    for name in _sections().keys() - {"irregular", "regular"}:
        for word in word_class(name):
            found.setdefault(word, set()).add(name)
    return {word: frozenset(names) for word, names in found.items()}


@lru_cache(maxsize=8192)
def verb_forms(word: str) -> tuple[tuple[str, Form], ...]:
    """What a lower-case word can be: pairs of a base form and which form of it; a guess where it ends like a verb's."""
    found = _forms().get(word)
    if found is not None or word in word_class("no_verb"):
        return found or ()
    if word.startswith("re") and (again := _forms().get(word[2:])):  # "refill"
        return tuple((f"re{base}", form) for base, form in again)
    if len(word) > _FEWEST and word.endswith("ed"):
        return (word[:-2], "past"), (word[:-2], "part")
    if len(word) > _FEWEST + 1 and word.endswith("ing"):
        return ((word[:-3], "ing"),)
    return ()


@cache
def _sections() -> dict[str, str]:
    text = files(__package__).joinpath("words.txt").read_text(encoding="utf-8")
    lines = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    _, *parts = _SECTION.split(lines)
    return dict(zip(parts[::2], parts[1::2], strict=True))


@cache
def _forms() -> dict[str, tuple[tuple[str, Form], ...]]:
    forms: dict[str, list[tuple[str, Form]]] = {}
    rows = _sections()["irregular"].replace("\n", " | ").split("|")
    known = [tuple(row.split()) for row in rows if row.strip()]
    ruled = [*_sections()["regular"].split(), *_sections()["only_verb"].split()]
    irregular = {row[0] for row in known}
    regular = [(base, past := _with(base, "ed"), past) for base in ruled if base not in irregular]
    for base, past, participle in (*known, *regular):
        made: tuple[tuple[str, Form], ...] = (
            *((base, "base"), (_singular(base), "s"), (past, "past"), (participle, "part")),
            (_with(base, "ing"), "ing"),
        )
        for word, form in made:
            forms.setdefault(word, []).append((base, form))
            if form in ("past", "part", "ing") and base.endswith("l") and f"{base}l" in word:  # "traveled"
                forms.setdefault(word.replace(f"{base}l", base), []).append((base, form))
    return {word: tuple(dict.fromkeys(found)) for word, found in forms.items()}


def _singular(base: str) -> str:
    if base.endswith("y") and base[-2] not in "aeiou":
        return base[:-1] + "ies"
    return base + ("es" if base.endswith(("s", "sh", "ch", "x", "z", "o")) else "s")


def _with(base: str, ending: str) -> str:
    if ending == "ed" and base.endswith("y") and base[-2] not in "aeiou":
        return base[:-1] + "ied"
    if base.endswith("ie") and ending == "ing":
        return base[:-2] + "ying"
    if base.endswith("e") and not (ending == "ing" and base.endswith(("ee", "oe", "ye"))):
        return base[:-1] + ending
    ends_in_l = len(base) > 1 and base.endswith("l") and base[-2] in "aeiou" and base[-3:-2] not in "aeiou"
    double = _SHORT.fullmatch(base) or ends_in_l or base.endswith(_STRESSED_END)
    return base + (base[-1] if double else "") + ending
