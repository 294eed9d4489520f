"""Lines as the check of completeness sees them: marks of lists, forms of lines, the body of a page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from spanwise.domain.document import Document, Line
from spanwise.text.list_marks import BULLETS, DASHES, OF_SYMBOLS, TICKS
from spanwise.text.patterns import lazy_pattern
from spanwise.text.tables.table_reading import split_row

Kind: TypeAlias = Literal["bullet", "digit", "dotted", "lower", "upper", "lower_roman", "upper_roman"]

_BULLET = lazy_pattern(rf"\s{{0,40}}([{BULLETS}{OF_SYMBOLS}{TICKS}]|[o{DASHES}](?=\s|$))\s{{0,20}}")
_NUMBER = lazy_pattern(
    r"\s{0,40}(?P<open>[(\[]?)(?P<name>\d{1,3}(?:\.\d{1,3}){0,4}|[a-z]{1,6}|[A-Z]{1,6})(?P<close>[.)\]:]?)(?=\s|$)\s{0,20}"
)
_ROMAN = lazy_pattern(r"(?=[ivxl])l?x{0,3}(?:ix|iv|v?i{0,3})")
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


_LONGEST_TITLE = 90
_ENDED = lazy_pattern(r"[.!?\u3002]['\")\]\u2019\u201d]{0,4}$")
_DANGLING = lazy_pattern(
    r"(?:[,;:(\u2013\u2014&/]|\b(?:and|or|the|an?|of|to|in|for|with|by|from|on|at|as|that|which|nor|its|their|our|"
    r"any|each|such|including|this|these|than|between|into|under))$",
    re.IGNORECASE,
)
_HYPHENATED = lazy_pattern(r"[^\W\d_][-\u00ad\u2010]$")
_TITLE = lazy_pattern(
    r"(?:section|article|chapter|part|item|appendix|annex|schedule|exhibit|clause)\s{1,4}"
    r"(?:\d{1,3}(?:\.\d{1,3}){0,4}|[ivxlc]{1,6}|[a-z])(?:\s{0,3}[.:)\u2013\u2014-])?(?:\s{1,4}(?P<words>\S.*))?",
    re.IGNORECASE,
)
_GAP = lazy_pattern(r"\s{2,}|\t")


def is_blank(line: Line) -> bool:
    """Whether there is nothing to read."""
    return line.role == "blank" or not line.text.strip()


def ended(text: str) -> bool:
    """Whether a text ends as a sentence does; a colon or a semicolon promises more."""
    return _ENDED.search(text.rstrip()[-12:]) is not None


def dangles(text: str) -> bool:
    """Whether a text ends in a comma, a hyphen or a word after which something has to come."""
    end = text.rstrip()[-20:]
    return _HYPHENATED.search(end) is not None or _DANGLING.search(end) is not None


def in_capitals(text: str) -> bool:
    """Whether a text reads as a title: short, without a full stop, its longer words with a capital each."""
    if len(text) > _LONGEST_TITLE or ended(text):
        return False
    return not any(len(word) > 3 and word[:1].islower() for word in text.split())


def is_heading(line: Line) -> bool:
    """Whether a line is a heading, for the reader of the document or by what it says ("Section 5. Limits")."""
    marker = marker_of(line.text)
    if marker is not None and marker.bracketed:
        return False
    if line.role == "heading" or line.text.lstrip().startswith("#"):
        return True
    title = _TITLE.fullmatch(line.text.strip()[:160])
    if title is not None:
        return title["words"] is None or title["words"][:1].isupper()
    return marker is not None and is_numbered_title(line, marker)


def is_numbered_title(line: Line, marker: Marker) -> bool:
    """Whether a line with a number before it is a title and no sentence."""
    rest = marker.rest.strip()
    if line.role == "heading":
        rest = rest.rstrip(":")
    if marker.bracketed or not rest or dangles(rest):
        return False
    return line.role == "heading" or in_capitals(rest)


def cells(line: Line) -> int:
    """How many cells a row of a table has, its label among them; 0 for what is none."""
    if line.role not in ("table_row", "text"):
        return 0
    text = line.text.strip()
    if text.startswith("|"):
        return text.strip("|").count("|") + 1
    figures = split_row(text)[1]
    if figures:
        return len(figures) + 1
    parts = sum(1 for part in _GAP.split(text) if part)
    return parts if parts > 2 or (parts == 2 and line.role == "table_row") else 0


_FURNITURE_LINES = 4
"""Lines at the top and at the bottom of a page that may repeat from page to page."""
_PAGES_BESIDE = (-2, -1, 1, 2)
"""Where a header is looked for again: left and right pages may differ."""
_PAGE_NUMBER = lazy_pattern(
    r"[\W_]{0,9}(?:(?:page|p\.|pg\.?)\s{0,3})?(?:[a-z]{1,3}-)?(?:\d{1,4}|[ivxl]{1,6})"
    r"(?:\s{0,3}(?:of|/)\s{0,3}\d{1,4})?[\W_]{0,9}",
    re.IGNORECASE,
)
_WORD_PAGE = lazy_pattern(r"^(?:page|p\.|pg\.?)\s{0,3}")
_DASHES = " -\u2013\u2014|[]"
_DIGITS = lazy_pattern(r"\d+")
_LETTERS = lazy_pattern(r"[^\W\d_]")


def page_body(document: Document, page: int) -> list[Line]:
    """The lines of a page without blank ones, page numbers and what the pages beside it repeat."""
    lines = _lines_of(document, page)
    tops, bottoms = set[str](), set[str]()
    for other in (page + step for step in _PAGES_BESIDE):
        if 1 <= other <= len(document.pages):
            beside = _lines_of(document, other)
            tops.update(map(_repetition, beside[:_FURNITURE_LINES]))
            bottoms.update(map(_repetition, beside[-_FURNITURE_LINES:]))
    label = document.pages[page - 1].label
    start = _repeated(lines, tops, label)
    end = len(lines) - _repeated(lines[start:][::-1], bottoms, label)
    return lines[start:end]


def pattern(text: str) -> str:
    """A text without case and spaces."""
    return "".join(text.casefold().split())


def _repeated(lines: Sequence[Line], patterns: set[str], label: str) -> int:
    """How many of the first lines are furniture; what stands outside the page's own number is, too."""
    count = 0
    for place, line in enumerate(lines[:_FURNITURE_LINES]):
        text = line.text.strip()
        own = _WORD_PAGE.sub("", text.casefold()).strip(_DASHES) == label.casefold()
        unmarked = marker_of(text) is None
        number = unmarked and _PAGE_NUMBER.fullmatch(text) is not None
        repeats = unmarked and line.role != "table_row" and _repetition(line) in patterns
        outermost = 2 * place < len(lines)  # on a page of a few lines the number at its bottom is near the top, too
        if (own and outermost) or (place == count and (number or repeats)):
            count = place + 1
    return count


def _repetition(line: Line) -> str:
    """What two copies of a running header or footer have in common: all but the number of the page.

    The numbers of headings and of rows of tables tell two of them apart.
    """
    same = pattern(line.text)
    return same if is_heading(line) or _columns(line) else _DIGITS.sub("0", same)


def _columns(line: Line) -> bool:
    """Whether a line has figures in columns, or nothing but figures."""
    return cells(line) > 2 or not _LETTERS.search(line.text)


def _lines_of(document: Document, page: int) -> list[Line]:
    place = document.pages[page - 1]
    return [line for line in document.lines[place.first_line - 1 : place.last_line] if not is_blank(line)]
