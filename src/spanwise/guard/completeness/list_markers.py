"""What stands before an item of a list, and whether one goes on from another: (e) then (f), 4. then 5., iv then v."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal["bullet", "digit", "dotted", "lower", "upper", "lower_roman", "upper_roman"]

_BULLET = re.compile(
    r"\s{0,40}([\u2022\u25cf\u25cb\u25e6\u25aa\u25a0\u25a1\u25c6\u25c7\u25b6\u25ba\u27a2\u27a4\u2713\u2714\u2756\u2219\u2023\u2043\uf000-\uf0ff]|[o*\u00b7\u2013\u2014-](?=\s|$))\s{0,20}"
)
_NUMBER = re.compile(
    r"\s{0,40}(?P<open>[(\[]?)(?P<name>\d{1,3}(?:\.\d{1,3}){0,4}|[a-z]{1,6}|[A-Z]{1,6})(?P<close>[.)\]:]?)(?=\s|$)\s{0,20}"
)
_ROMAN = re.compile(r"(?=[ivxl])l?x{0,3}(?:ix|iv|v?i{0,3})")
_ROMAN_DIGITS = {"i": 1, "v": 5, "x": 10, "l": 50}


@dataclass(frozen=True, slots=True)
class Marker:
    """The mark of a list item: what it may count as, and how it is written."""

    counts: tuple[tuple[Kind, int], ...]
    """A letter may be a Roman numeral too: "i" is the ninth letter, and one."""
    style: tuple[str, ...]
    """Brackets, or the bullet, or the numbers before the last one of 4.2.1: items of one list agree in it."""
    bracketed: bool
    """Written as "(f)" or "f)", which nothing but a list does."""
    rest: str
    """The text after it."""

    @property
    def first(self) -> bool:
        """Whether a list may begin with it: a bullet, or 1, a, i."""
        return any(kind == "bullet" or count <= 1 for kind, count in self.counts)

    @property
    def is_bullet(self) -> bool:
        """Whether it counts nothing."""
        return self.counts[0][0] == "bullet"

    def follows(self, other: Marker) -> bool:
        """Whether it is the mark after `other` in the same list; any bullet follows the same bullet."""
        if self.style != other.style:
            return False
        if self.is_bullet or other.is_bullet:
            return self.is_bullet and other.is_bullet
        return any((kind, count - 1) in other.counts for kind, count in self.counts)


def marker_of(text: str) -> Marker | None:
    """The mark with which a line begins, if it is an item of a list.

    Bare numbers and letters are none: they need a bracket, a full stop or a colon, or dots inside (4.2).
    """
    bullet = _BULLET.match(text)
    if bullet:
        return Marker((("bullet", 0),), (bullet[1],), bracketed=True, rest=text[bullet.end() :])
    match = _NUMBER.match(text)
    if match is None:
        return None
    name, opened, closed = match["name"], match["open"], match["close"]
    if not closed and "." not in name:
        return None
    rest = text[match.end() :]
    bracketed = closed in (")", "]") and closed != ""
    if "." in name:
        *before, last = name.split(".")
        return Marker((("dotted", int(last)),), (opened, closed, *before), bracketed, rest)
    counts = _counts(name)
    return Marker(counts, (opened, closed), bracketed, rest) if counts else None


def _counts(name: str) -> tuple[tuple[Kind, int], ...]:
    if name.isdigit():
        return (("digit", int(name)),)
    lower = name.lower()
    found: list[tuple[Kind, int]] = []
    if len(set(lower)) == 1 and len(lower) <= 2:  # a to z, then aa to zz
        found.append(("lower" if name.islower() else "upper", ord(lower[0]) - 96 + 26 * (len(lower) - 1)))
    if _ROMAN.fullmatch(lower):
        found.append(("lower_roman" if name.islower() else "upper_roman", _roman(lower)))
    return tuple(found)


def _roman(numeral: str) -> int:
    values = [_ROMAN_DIGITS[digit] for digit in numeral]
    return sum(-one if one < after else one for one, after in zip(values, [*values[1:], 0], strict=True))
