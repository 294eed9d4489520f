"""Opening hours: what a record says for each day, and what a claim says of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from spanwise.guard.evidence.units import Sources, Unit

DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_DAY = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:days?)?"
_SPAN = re.compile(
    rf"\b(?P<first>{_DAY})\b(?:\s{{0,3}}(?:-|\u2013|to|through|thru|until)\s{{0,3}}(?P<last>{_DAY})\b)?", re.IGNORECASE
)
_TIME = re.compile(
    r"(?<![\d.,$:/-])(?P<hour>\d{1,2})(?::(?P<minute>\d{1,2}))?\s{0,2}(?P<half>[ap](?:m\b|\.m\.?))?(?![\d%/])|\b(?P<word>noon|midnight)\b",
    re.IGNORECASE,
)
_HOURS = re.compile(r"\s*(\d{1,2}):(\d{1,2})\s*[-\u2013]\s*(\d{1,2}):(\d{1,2})\s*")
_EVERY_DAY = re.compile(
    r"\b(?:daily|every day|seven days a week|7 days a week|all week|throughout the week)\b", re.IGNORECASE
)
_OTHER_DAYS = re.compile(r"\b(?:weekdays?|weekends?|(?:most|other|some|certain) days|the rest)\b", re.IGNORECASE)
_CLOSED = re.compile(r"\b(?:closed|except)\b", re.IGNORECASE)
_SPEAKS_OF_HOURS = re.compile(r"\b(?:open\w*|hours?|operat\w+|close[sd]?|closing|daily|from)\b", re.IGNORECASE)


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
