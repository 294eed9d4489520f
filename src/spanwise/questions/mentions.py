"""Mentions in a question: pages ("on pages 5 to 7"), sections ("in the warranty section"), and names."""

from __future__ import annotations

import re

MOST_PAGES = 200

_PAGES = re.compile(
    r"\b(?:(?:on|in|at|from|see)\s{1,3})?(?:pages?|pp?\.)\s{0,3}(\d{1,5})(?:\s{0,3}(?:-|\u2013|to|through)\s{0,3}(\d{1,5}))?"
    r"((?:\s{0,3}(?:,|and|&)\s{0,3}(?:page\s{1,3})?\d{1,5}){0,20})",
    re.IGNORECASE,
)
_SECTION = re.compile(
    r"\b(?:in|under|of|from|within)\s+(?:the\s+)?"
    r"(?:(?:section|chapter|article|clause|appendix|exhibit|item|part|note)\s+"
    r"(?:on\s+|about\s+|titled\s+|called\s+)?[\"\u201c']?(?P<after>[\w.&,\- ]{1,60}?)[\"\u201d']?"
    r"|[\"\u201c']?(?P<before>[\w.&\- ]{1,60}?)[\"\u201d']?\s+(?:section|chapter|article|clause|appendix|paragraph))"
    r"\s*(?=\?|[.,;](?:\s|$)|$|\b(?:what|which|who|how|is|are|does|do|say|apply|require)\b)",
    re.IGNORECASE,
)
_INNER = re.compile(r"\b(?:in|under|of|from|within)\s+(?:the\s+)?", re.IGNORECASE)
"""In "the fee of the price in the warranty section" only what stands after the last of these is the section."""


def named_pages(text: str) -> tuple[int, ...]:
    """Pages that the text names, sorted, at most MOST_PAGES."""
    found: set[int] = set()
    for match in _PAGES.finditer(text):
        first = int(match.group(1))
        last = int(match.group(2) or first)
        found.update(range(first, min(last, first + MOST_PAGES) + 1))
        found.update(int(number) for number in re.findall(r"\d+", match.group(3)))
    return tuple(sorted(found - {0}))[:MOST_PAGES]


def without_pages(text: str) -> str:
    """The text without the words that name pages, which say where to look and not what for."""
    return " ".join(_PAGES.sub(" ", text).split())


def named_section(text: str) -> str | None:
    """The section that the text names, without the word "section"; None when it names none."""
    match = _SECTION.search(text)
    if match is None:
        return None
    name = match.group("after") or _INNER.split(match.group("before") or "")[-1]
    name = name.strip(" ,.'\"")
    return name if name and name.lower() not in ("this", "that", "the", "a", "which", "each") else None


_NAME = re.compile(
    r"(?<![.?!]\s)(?<!^)\b[A-Z][\w&'.\u2019-]{0,40}(?:\s+(?:of|and|the|&|[A-Z0-9][\w&'.\u2019-]{0,40})){0,7}"
)


def entities(text: str) -> tuple[str, ...]:
    """Names as written, each once, in order."""
    found: dict[str, None] = {}
    for match in _NAME.finditer(text):
        name = re.sub(r"(?:\s+(?:of|and|the|&))+$", "", match.group()).strip(" .'\u2019")
        if len(name) > 1:
            found[name] = None
    return tuple(found)
