"""Dates of real sentences changed, or written in another form: the second generator's, for `rewrites`."""

from __future__ import annotations

import re
from random import Random

MONTHS = "January February March April May June July August September October November December".split()
MONTH = "|".join(MONTHS)
DATES = re.compile(
    rf"\b(?:(?P<m1>{MONTH}) (?P<d1>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<y1>\d{{4}})"
    rf"|(?P<d2>\d{{1,2}})(?:st|nd|rd|th)? (?:day of )?(?P<m2>{MONTH}),? (?P<y2>\d{{4}})"
    rf"|(?P<m3>{MONTH}),? (?P<y3>\d{{4}}))\b"
)
_YEAR = re.compile(r"\b(?:in|by|since|until|of|from|during) (?P<year>(?:1[5-9]|20)\d\d)\b(?![-/]|\.\d)")


def put(text: str, start: int, end: int, words: str) -> str:
    """The text with other words in the place of some."""
    return text[:start] + words + text[end:]


def pick(pattern: re.Pattern[str], text: str, rng: Random) -> re.Match[str] | None:
    """One of the places that a pattern matches."""
    found = list(pattern.finditer(text))
    return rng.choice(found) if found else None


def _date(text: str, rng: Random) -> tuple[re.Match[str], str, int, int] | None:
    """A date with its month, day (0 where it has none) and year."""
    match = pick(DATES, text, rng)
    if match is None:
        return None
    month = match["m1"] or match["m2"] or match["m3"]
    return match, month, int(match["d1"] or match["d2"] or 0), int(match["y1"] or match["y2"] or match["y3"])


def day(text: str, rng: Random) -> str | None:
    """Another day of a full date."""
    found = _date(text, rng)
    if found is None or not found[2]:
        return None
    match, _, day, _ = found
    group = "d1" if match["d1"] else "d2"
    other = rng.choice([one for one in range(4, 21) if one != day])
    tail = re.compile("st|nd|rd|th").match(text, match.end(group))
    return put(text, match.start(group), tail.end() if tail else match.end(group), f"{other}{'th' if tail else ''}")


def month(text: str, rng: Random) -> str | None:
    """Another month."""
    found = _date(text, rng)
    if found is None or found[2] > 28:
        return None
    group = next(name for name in ("m1", "m2", "m3") if found[0][name])
    other = rng.choice([one for one in MONTHS if one != found[1]])
    return put(text, found[0].start(group), found[0].end(group), other)


def year(text: str, rng: Random) -> str | None:
    """Another year, of a date or alone."""
    found = pick(_YEAR, text, rng) if rng.random() < 0.4 else None  # else of a full date
    if found is not None:
        return put(
            text, found.start("year"), found.end("year"), str(int(found["year"]) + rng.choice((-3, -2, -1, 1, 2)))
        )
    date = _date(text, rng)
    if date is None or (date[1] == "February" and date[2] > 28):
        return None
    group = next(name for name in ("y1", "y2", "y3") if date[0][name])
    return put(text, date[0].start(group), date[0].end(group), str(date[3] + rng.choice((-10, -2, -1, 1, 2, 5))))


def _forms(month: str, day: int, year: int) -> list[str]:
    number = MONTHS.index(month) + 1
    if not day:
        return [f"{month[:3]} {year}", f"{month} of {year}", f"{year}-{number:02d}"]
    return [
        f"{year}-{number:02d}-{day:02d}",
        f"{day} {month} {year}",
        f"{month[:3]} {day}, {year}",
        f"{day}-{month[:3]}-{year}",
        f"{month} {day} {year}",
        f"{number}/{day}/{year}",
    ]


def date_rewritten(text: str, rng: Random) -> str | None:
    """The same date in another form."""
    found = _date(text, rng)
    if found is None:
        return None
    forms = [form for form in _forms(*found[1:]) if form != found[0][0]]
    return put(text, *found[0].span(), rng.choice(forms))


def date_moved(text: str, rng: Random) -> str | None:
    """Another date in another form."""
    found = _date(text, rng)
    if found is None:
        return None
    day = found[2] and rng.choice([one for one in range(13, 28) if one != found[2]])
    year = found[3] if day and rng.random() < 0.5 else found[3] + rng.choice((-1, 1, 2))
    return put(text, *found[0].span(), rng.choice(_forms(found[1], day, year)))
