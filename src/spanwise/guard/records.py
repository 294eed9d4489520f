"""Records (JSON, or what Python prints of one): keys and values as facts with their places; flags and opening hours."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from spanwise.text.patterns import lazy_pattern
from spanwise.text.terms import stem

if TYPE_CHECKING:
    from spanwise.guard.units import Sources, Unit

Scalar: TypeAlias = str | int | float | bool | None

_LONGEST = 400_000
"""Characters; a longer record is read as text."""
_DEEPEST = 30
_MOST_FACTS = 20_000
_HUMP = lazy_pattern(r"(?<=[a-z0-9])(?=[A-Z])|[_\-./\s]+")


@dataclass(frozen=True, slots=True)
class Fact:
    """One value of a record at `text[start:end]`, its key included."""

    path: tuple[str, ...]
    """Keys from the outermost to its own, in plain words; places in a list are numbers from 1."""
    value: Scalar
    start: int
    end: int
    value_start: int
    """Where the value itself begins."""


def record_facts(text: str) -> list[Fact] | None:
    """The facts of a record in the order of the text; None for a text that is no record."""
    stripped = text.strip()
    if len(stripped) < 2 or len(stripped) > _LONGEST or stripped[0] + stripped[-1] not in ("{}", "[]"):
        return None
    tree = _parsed(stripped)
    if not isinstance(tree, dict | list) or not tree or (isinstance(tree, list) and not isinstance(tree[0], dict)):
        return None
    found: list[Fact] = []
    _Walk(text, found).into(tree, (), 0, 0)
    return found


def words_of(key: str) -> str:
    """A key in plain words: "RestaurantsTakeOut" and "business_stars" are three and two."""
    return " ".join(_HUMP.sub(" ", key).split()).lower()


def _parsed(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        pass
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
        return None


class _Walk:
    """Finds each value again in the text, from left to right."""

    def __init__(self, text: str, found: list[Fact]) -> None:
        self.text, self.found = text, found

    def into(self, node: object, path: tuple[str, ...], position: int, start: int) -> int:
        """Add the facts under a node that begins behind a position; where it ends."""
        if len(path) > _DEEPEST or len(self.found) >= _MOST_FACTS:
            return position
        if isinstance(node, dict):
            for key, value in node.items():
                at = self._key(str(key), position)
                position = self.into(value, (*path, words_of(str(key))), at[1], at[0])
            return position
        if isinstance(node, list | tuple):
            for number, value in enumerate(node, 1):
                position = self.into(value, (*path, str(number)), position, position)
            return position
        low, high = self._scalar(node, position)
        value = node if isinstance(node, str | int | float | bool) or node is None else str(node)
        self.found.append(Fact(path, value, min(start, low), high, low))
        return high

    def _key(self, key: str, position: int) -> tuple[int, int]:
        for written in _quoted(key):
            at = self.text.find(written, position)
            if at >= 0:
                return at, at + len(written)
        return position, position

    def _scalar(self, value: object, position: int) -> tuple[int, int]:
        spellings = list(_quoted(value)) if isinstance(value, str) else [*_plain(value)]
        places = [(at, at + len(written)) for written in spellings if (at := self.text.find(written, position)) >= 0]
        return min(places, default=(position, position))


def _quoted(value: str) -> Iterator[str]:
    yield json.dumps(value, ensure_ascii=False)
    if not value.isascii():
        yield json.dumps(value)
    yield repr(value)


def _plain(value: object) -> Iterator[str]:
    yield json.dumps(value) if isinstance(value, bool | int | float) or value is None else str(value)
    yield str(value)


Standing: TypeAlias = Literal["yes", "no", "unknown"]

_NO = frozenset(["no", "none", "false", "n/a", "not available"])
_UNKNOWN = frozenset(["", "null", "unknown", "nan"])
_YES = frozenset(["yes", "true", "free", "paid"])
_VAGUE = frozenset(["good", "for", "attribut", "restaur", "busi", "servic", "has", "have", "accept", "allow", "type"])
_VAGUE |= {"offer", "is", "are", "can", "the", "of", "a", "an", "and", "or", "to", "in", "by"}
"""Stems of a key that do not tell it from another key."""
_WORD = lazy_pattern(r"[^\W\d_]+")
_BREAK = lazy_pattern(
    r"[;:.!?]|\b(?:but|while|although|though|however|whereas|yet)\b"
    r"|,\s{1,3}(?:and\s|but\s|so\s)?\s{0,3}(?:it|they|the|he|she|we|you|there|offers?|has|have|provides?|serves?|accepts?|takes?|is|are)\b",
    re.IGNORECASE,
)
_DENIAL = lazy_pattern(
    r"\b(?:no|not|never|without|lack\w{0,4}|neither|nor|none|cannot|unavailable|except|absence)\b"
    r"|\bfree (?:of|from)\b|n['\u2019]t\b",
    re.IGNORECASE,
)
_DENIED_BEHIND = re.compile(r"[^,;.]{0,50}?\b(?:is|are|was|were|be)(?:\s+(?:not|un\w+)\b|n['\u2019]t\b)", re.IGNORECASE)
_LEFT_OPEN = lazy_pattern(
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


DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_DAY = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:days?)?"
_SPAN = lazy_pattern(
    rf"\b(?P<first>{_DAY})\b(?:\s{{0,3}}(?:-|\u2013|to|through|thru|until)\s{{0,3}}(?P<last>{_DAY})\b)?", re.IGNORECASE
)
_TIME = lazy_pattern(
    r"(?<![\d.,$:/-])(?P<hour>\d{1,2})(?::(?P<minute>\d{1,2}))?\s{0,2}(?P<half>[ap](?:m\b|\.m\.?))?(?![\d%/])|\b(?P<word>noon|midnight)\b",
    re.IGNORECASE,
)
_HOURS = lazy_pattern(r"\s*(\d{1,2}):(\d{1,2})\s*[-\u2013]\s*(\d{1,2}):(\d{1,2})\s*")
_EVERY_DAY = lazy_pattern(
    r"\b(?:daily|every day|seven days a week|7 days a week|all week|throughout the week)\b", re.IGNORECASE
)
_OTHER_DAYS = lazy_pattern(r"\b(?:weekdays?|weekends?|(?:most|other|some|certain) days|the rest)\b", re.IGNORECASE)
_CLOSED = lazy_pattern(r"\b(?:closed|except)\b", re.IGNORECASE)
_SPEAKS_OF_HOURS = lazy_pattern(r"\b(?:open\w*|hours?|operat\w+|close[sd]?|closing|daily|from)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Schedule:
    """A record's hours."""

    hours: Mapping[str, tuple[int, int]]
    """Minutes from midnight at which each day opens and closes; equal ones mean that it says nothing more."""
    units: Mapping[str, Unit]

    @property
    def times(self) -> frozenset[int]:
        """Every time that it names, midnight also as the end of a day."""
        return frozenset(minute % 1440 for pair in self.hours.values() for minute in pair)


@dataclass(frozen=True, slots=True)
class Clash:
    """A time or day of a claim that the hours do not have."""

    start: int
    end: int
    said: str
    unit: Unit


def schedule_of(sources: Sources) -> Schedule | None:
    """The hours in the records, or None where there are none."""
    hours: dict[str, tuple[int, int]] = {}
    units: dict[str, Unit] = {}
    for unit in sources.units:
        if unit.fact is None or not isinstance(unit.fact.value, str) or unit.fact.path[-1] not in DAYS:
            continue
        match = _HOURS.fullmatch(unit.fact.value)
        if match:
            first, second, third, fourth = (int(part) for part in match.groups())
            hours.setdefault(unit.fact.path[-1], (first * 60 + second, third * 60 + fourth))
            units.setdefault(unit.fact.path[-1], unit)
    return Schedule(hours, units) if hours else None


def clashes(text: str, schedule: Schedule) -> list[Clash]:
    """What a claim says of the hours that the record does not say."""
    if not _SPEAKS_OF_HOURS.search(text) or "happy hour" in text.lower():
        return []
    named = list(_named(text))
    days = [day for _, _, span in named for day in span]
    return [*_wrong_days(text, named, schedule), *_wrong_times(text, days, schedule)]


def _named(text: str) -> Iterator[tuple[int, int, list[str]]]:
    for match in _SPAN.finditer(text):
        first, last = _day(match["first"]), _day(match["last"] or match["first"])
        count = (last - first) % 7 + 1
        yield match.start(), match.end(), [DAYS[(first + step) % 7] for step in range(count)]
    for match in _EVERY_DAY.finditer(text):
        yield match.start(), match.end(), list(DAYS)


def _day(written: str) -> int:
    return next(index for index, day in enumerate(DAYS) if day.startswith(written[:3].lower()))


def _wrong_days(text: str, named: Sequence[tuple[int, int, list[str]]], schedule: Schedule) -> Iterator[Clash]:
    """Days that are called open though the record has no hours for them, or hours from midnight to midnight."""
    if _CLOSED.search(text) or not any(opens != closes for opens, closes in schedule.hours.values()):
        return
    for start, end, span in named:
        for day in span:
            opens, closes = schedule.hours.get(day, (0, 1))
            if opens == closes:
                yield Clash(start, end, text[start:end], schedule.units[day])
                break


def _wrong_times(text: str, days: Sequence[str], schedule: Schedule) -> Iterator[Clash]:
    read = [(match, minutes) for match in _TIME.finditer(text) if (minutes := _minutes(match)) is not None]
    known = schedule.times
    own = frozenset(minute % 1440 for day in days for minute in schedule.hours.get(day, ()))
    own = known if not own or _OTHER_DAYS.search(text) else own
    for match, minutes in read:
        if minutes.isdisjoint(own):
            day = next((day for day in days if day in schedule.units), next(iter(schedule.units)))
            yield Clash(match.start(), match.end(), match.group(), schedule.units[day])


def _minutes(match: re.Match[str]) -> set[int] | None:
    """The minutes from midnight that a time may mean; None for a number that is no time."""
    if match["word"]:
        return {720 if match["word"].lower() == "noon" else 0}
    hour, minute = int(match["hour"]), int(match["minute"] or 0)
    if hour > 24 or minute > 59 or not (match["half"] or match["minute"]):
        return None
    if match["half"]:
        return {(hour % 12 + (12 if match["half"][0] in "pP" else 0)) * 60 + minute}
    return {hour % 24 * 60 + minute, (hour % 12 + 12) * 60 + minute}
