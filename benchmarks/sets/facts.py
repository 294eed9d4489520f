"""Whether the typed value of an answer is the right one: dates as dates, names as names, yes and no as such.

Rules, each the same for every system: a date is right when its ISO form is the gold's (a day or month that the gold
leaves blank may be anything); a name when it has the gold's words, with at most two more or fewer; a law when the place
is one that the gold names; parties score the F1 of the names, without company endings and without what the contract
calls them later.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_DATE = re.compile(r"\s*(\d{1,2}|\[\s*\])/(\d{1,2}|\[\s*\])/(\d{4}|\d{2})\s*")
_PIVOT = 50
"""Two digits below it are a year of this century."""
_ENDINGS = re.compile(r"\b(?:inc|llc|ltd|limited|corp|corporation|incorporated|co|company|lp|llp|plc|the)\b")
_CALLED = re.compile(r"\([^()]*\)?|[\"\u201c][^\"\u201d]*[\"\u201d]|\b(?:d/b/a|f/k/a)\b.*")
_NO_NAME = re.compile(r"collectively|individually|referred to")
_NEAR = 2
_MOST_MORE = 3


def same_date(found: str, gold: str) -> bool | None:
    """Whether an ISO date is the date that people wrote as m/d/yy; None when they wrote none."""
    match = _DATE.fullmatch(gold)
    if match is None:
        return None
    month, day, year = match.groups()
    full = int(year) if len(year) == len("2020") else int(year) + (2000 if int(year) < _PIVOT else 1900)
    wanted = [f"{full:04}", *(None if "[" in part else f"{int(part):02}" for part in (month, day))]
    parts = [*found.split("-"), None, None][:3]
    return all(want is None or want == part for want, part in zip(wanted, parts, strict=True))


def same_name(found: str, gold: str) -> bool:
    """Whether a name has the words of the gold in their order, with at most two more or fewer."""
    ours, theirs = _plain(found), _plain(gold)
    shorter, longer = sorted((ours, theirs), key=len)
    inside = f" {shorter} " in f" {longer} "
    return bool(shorter) and inside and len(longer.split()) - len(shorter.split()) <= _NEAR


def same_law(found: str, gold: str) -> bool:
    """Whether a place is one of those that the gold names, or has it in its name."""
    ours = _plain(found)
    places = [place for part in re.split(r"[;,]", gold) if (place := _plain(part))]
    longest = max((len(place.split()) for place in places), default=0) + _MOST_MORE
    near = any(f" {place} " in f" {ours} " or f" {ours} " in f" {place} " for place in places)
    return bool(ours) and near and len(ours.split()) <= longest


def parties_f1(found: Sequence[str], gold: str) -> float | None:
    """F1 of the names of the parties; None when the gold names none."""
    parts = (_CALLED.sub(" ", part) for part in gold.split(";"))
    wanted = {name for part in parts if not _NO_NAME.search(part) and (name := _company(part))}
    if not wanted:
        return None
    ours = {name for one in found if (name := _company(one))}
    precise = sum(any(_alike(one, other) for other in wanted) for one in ours)
    recalled = sum(any(_alike(one, other) for other in ours) for one in wanted)
    return (precise + recalled) / (len(ours) + len(wanted))


def _alike(one: str, other: str) -> bool:
    """The same name, or one inside the other with at most two more words ("Leader Act Ltd HK")."""
    shorter, longer = sorted((one, other), key=len)
    return f" {shorter} " in f" {longer} " and len(longer.split()) - len(shorter.split()) <= _NEAR


def _plain(text: str) -> str:
    return " ".join(re.sub(r"[^\w\s]", " ", text.lower()).split())


def _company(text: str) -> str:
    plain = re.sub(r"[^\w\s]", "", text.lower().replace("&", " and "))
    return " ".join(_ENDINGS.sub(" ", plain).split())
