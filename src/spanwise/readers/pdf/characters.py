"""The characters of a page as pdfium gives them: their visual lines, and where each is in pdfium's own list."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from spanwise.readers.pdf import native

# pdfium writes U+FFFE for a hyphen at the end of a visual line, and then no line break: the word ends there.
_SEGMENT = re.compile("[^\\s\ufffe](?:[^\r\n\ufffe]*[^\\s\ufffe])?\ufffe?|\ufffe")
_SPACES = re.compile(r"\s{2,}|[^\S ]")


class Characters(NamedTuple):
    """The text of a page."""

    text_page: native.Handle
    text: str
    """Empty where all is blank."""
    indexes: Sequence[int]
    """For each character of the text where it is in pdfium's own list."""


def read_characters(text_page: native.Handle) -> Characters:
    """The text of a page as pdfium reads it."""
    count = native.count_chars(text_page)
    text = native.page_text(text_page, count).replace("\xa0", " ")
    if not text or text.isspace():
        return Characters(text_page, "", ())
    return Characters(text_page, text, _indexes(text, text_page, count))


def _indexes(text: str, text_page: native.Handle, count: int) -> Sequence[int]:
    """Where each character is in pdfium's own list, which may be longer or shorter than the text."""
    if len(text) == count:
        return range(count)
    last = max(count - 1, 0)
    return [min(max(native.char_index_of(text_page, position), 0), last) for position in range(len(text))]


def segments(text: str) -> list[tuple[int, int]]:
    """Where each visual line of a page's text starts and ends."""
    if "\ufffe" in text or text.count("\r") != text.count("\r\n"):
        return [match.span() for match in _SEGMENT.finditer(text)]
    spans = []
    at = 0
    for line in text.split("\n"):  # The usual case, in a third of the time.
        bare = line.strip()
        if bare:
            start = at + len(line) - len(line.lstrip())
            spans.append((start, start + len(bare)))
        at += len(line) + 1
    return spans


def squeezed(text: str) -> str:
    """A text without runs of blanks, but with two where three or more set columns apart."""
    if text.isprintable() and "   " not in text:
        return text.replace("  ", " ")
    return _SPACES.sub(_one_or_two, text)


def _one_or_two(match: re.Match[str]) -> str:
    # Three spaces or more set columns apart in text that was typed with a fixed pitch; two only fill a line.
    return "  " if match.end() - match.start() >= 3 else " "
