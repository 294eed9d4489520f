"""Claims against records: an attribute that the record denies, leaves open or has."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from spanwise.guard.evidence.units import Sources, Unit
from spanwise.text.terms import stem

Standing: TypeAlias = Literal["yes", "no", "unknown"]

_NO = frozenset(["no", "none", "false", "n/a", "not available"])
_UNKNOWN = frozenset(["", "null", "unknown", "nan"])
_YES = frozenset(["yes", "true", "free", "paid"])
_VAGUE = frozenset(["good", "for", "attribut", "restaur", "busi", "servic", "has", "have", "accept", "allow", "type"])
_VAGUE |= {"offer", "is", "are", "can", "the", "of", "a", "an", "and", "or", "to", "in", "by"}
"""Stems of a key that do not tell it from another key."""
_WORD = re.compile(r"[^\W\d_]+")
_BREAK = re.compile(
    r"[;:.!?]|\b(?:but|while|although|though|however|whereas|yet)\b"
    r"|,\s{1,3}(?:and\s|but\s|so\s)?\s{0,3}(?:it|they|the|he|she|we|you|there|offers?|has|have|provides?|serves?|accepts?|takes?|is|are)\b",
    re.IGNORECASE,
)
_DENIAL = re.compile(
    r"\b(?:no|not|never|without|lack\w{0,4}|neither|nor|none|cannot|unavailable|except|absence)\b"
    r"|\bfree (?:of|from)\b|n['\u2019]t\b",
    re.IGNORECASE,
)
_DENIED_BEHIND = re.compile(r"[^,;.]{0,50}?\b(?:is|are|was|were|be)(?:\s+(?:not|un\w+)\b|n['\u2019]t\b)", re.IGNORECASE)
_LEFT_OPEN = re.compile(
    r"\b(?:not|n['\u2019]t|no|un|without)\s?(?:\w+\s){0,4}?(?:specif\w+|mention\w*|list\w*|state[sd]?|clear|known|indicat\w+|information|detail\w*)\b"
    r"|\binformation (?:about|on|regarding)\b|\bunspecified\b|\bunclear\b",
    re.IGNORECASE,
)
_LONGEST_KEY = 6
_WINDOW = 4
"""Words between which the words of a key may stand."""
_LOOK_BACK = 160


@dataclass(frozen=True, slots=True)
class Flag:
    """A fact of a record whose value is yes, no or open."""

    unit: Unit
    standing: Standing
    keys: tuple[str, ...]
    """Stems that name it."""
    group: frozenset[str]
    """Stems of the key above it."""


@dataclass(frozen=True, slots=True)
class Attribute:
    """A flag that a claim speaks of."""

    flag: Flag
    denied: bool
    """Whether the claim denies it."""
    grouped: bool
    """Whether the claim names the key above it too."""
    start: int
    """Where the claim speaks of it, in its own text."""
    end: int


def flags_of(sources: Sources) -> list[Flag]:
    """The flags of all records among the sources."""
    return [flag for source in sources.sources if source.facts for flag in _flags(source.units)]


def attributes_in(text: str, flags: Sequence[Flag]) -> list[Attribute]:
    """The flags that a claim speaks of, affirming or denying them; what it only calls unsaid is none."""
    if not flags or _LEFT_OPEN.search(text):
        return []
    words = [(match.start(), stem(match.group().lower())) for match in _WORD.finditer(text)]
    found = frozenset(word for _, word in words)
    return [attribute for flag in flags if (attribute := _spoken_of(text, words, found, flag))]


def _flags(units: Iterable[Unit]) -> Iterator[Flag]:
    for unit in units:
        standing = _standing(unit)
        if standing is None or unit.fact is None:
            continue
        keys = [word for word in _stems(unit.fact.path[-1]) if word not in _VAGUE]
        above = [part for part in unit.fact.path[:-1] if not part.isdigit()]
        group = frozenset(_stems(above[-1])) - _VAGUE if len(above) > 1 else frozenset()
        if 0 < len(keys) <= _LONGEST_KEY:
            yield Flag(unit, standing, tuple(keys), group)


def _stems(text: str) -> list[str]:
    return [stem(word.lower()) for word in _WORD.findall(text)]


def _standing(unit: Unit) -> Standing | None:
    value = unit.fact.value if unit.fact else ""
    if value is None:
        return "unknown"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, str):
        return None
    plain = value.strip(" '\"").lower()
    plain = plain[2:-1] if plain.startswith("u'") else plain
    if plain in _NO:
        return "no"
    return "unknown" if plain in _UNKNOWN else "yes" if plain in _YES else None


def _spoken_of(text: str, words: Sequence[tuple[int, str]], found: frozenset[str], flag: Flag) -> Attribute | None:
    joined = stem("".join(flag.keys))
    for index, (start, word) in enumerate(words):
        if word in (joined, flag.keys[0]):
            end = start if word == joined else _last(words[index : index + _WINDOW + len(flag.keys)], flag.keys)
            if end >= 0:
                return _attribute(text, found, flag, start, end)
    return None


def _last(words: Sequence[tuple[int, str]], keys: Sequence[str]) -> int:
    """Where the last word of a key begins that stands here in order; -1 where it does not."""
    place = -1
    waiting = list(keys)
    for start, word in words:
        if waiting and word == waiting[0]:
            waiting.pop(0)
            place = start
    return -1 if waiting else place


def _attribute(text: str, found: frozenset[str], flag: Flag, start: int, end: int) -> Attribute:
    while end < len(text) and text[end].isalnum():
        end += 1
    before = text[max(0, start - _LOOK_BACK) : start]
    for cut in _BREAK.finditer(before):
        before = " " * cut.end() + before[cut.end() :]
    behind = _BREAK.split(text[end : end + 80], maxsplit=1)[0]
    denied = bool(_DENIAL.search(before) or _DENIED_BEHIND.match(behind))
    return Attribute(flag, denied, not flag.group.isdisjoint(found), start, end)
