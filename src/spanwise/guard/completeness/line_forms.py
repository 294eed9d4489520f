"""What the form of a line tells: a title, a row of a table, the end of a sentence."""

from __future__ import annotations

import re

from spanwise.domain.document import Line
from spanwise.guard.completeness.list_markers import Marker, marker_of
from spanwise.text.tables.rows import split_row

_LONGEST_TITLE = 90
_ENDED = re.compile(r"[.!?\u3002]['\")\]\u2019\u201d]{0,4}$")
_DANGLING = re.compile(
    r"(?:[,;:(\u2013\u2014&/]|\b(?:and|or|the|an?|of|to|in|for|with|by|from|on|at|as|that|which|nor|its|their|our|"
    r"any|each|such|including|this|these|than|between|into|under))$",
    re.IGNORECASE,
)
_HYPHENATED = re.compile(r"[^\W\d_][-\u00ad\u2010]$")
_TITLE = re.compile(
    r"(?:section|article|chapter|part|item|appendix|annex|schedule|exhibit|clause)\s{1,4}"
    r"(?:\d{1,3}(?:\.\d{1,3}){0,4}|[ivxlc]{1,6}|[a-z])(?:\s{0,3}[.:)\u2013\u2014-])?(?:\s{1,4}(?P<words>\S.*))?",
    re.IGNORECASE,
)
_GAP = re.compile(r"\s{2,}|\t")


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
