"""The characters of a page as pdfium gives them: their visual lines, and where each is in pdfium's own list.

Text that a file gives for its glyphs (`ActualText`) is believed where it agrees with them.
"""

from __future__ import annotations

import ctypes
import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import pypdfium2.raw as pdfium

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


_MOST = 4_096
_SAID = re.compile(r"[^\w.,$€£¥%]|_")
_LIGATURES = 4
"""A glyph stands for at most so many letters."""


class Claim(NamedTuple):
    """Text that a file gives for glyphs which show something else."""

    text: str
    item: int
    """The first text object that shows it."""


def false_claims(page: int, text_page: native.Handle, items: Sequence[int]) -> list[Claim]:
    """Take from some text objects the text that disagrees with their glyphs; a text page loaded after it has theirs."""
    groups: dict[int, list[int]] = {}
    for item in items:
        handle = native.handle(item)
        for at in range(min(native.count_marks(handle), native.MOST_MARKS)):
            mark = native.mark_at(handle, at)
            if says_something(native.actual_text(mark)):
                groups.setdefault(mark, []).append(item)
    keeper = pdfium.FPDFPageObj_CreateNewRect(0, 0, 1, 1)  # A mark without an object is gone.
    try:
        for mark, members in groups.items():
            pdfium.FPDFPageObj_AddExistingMark(keeper, _mark(mark))
            for item in members:
                pdfium.FPDFPageObj_RemoveMark(_object(item), _mark(mark))
        return _compare(groups, text_page, page)
    finally:
        pdfium.FPDFPageObj_Destroy(keeper)


def _compare(groups: Mapping[int, Sequence[int]], text_page: native.Handle, page: int) -> list[Claim]:
    """The texts that disagree with what a text page says without them; those that agree are put back."""
    bare = pdfium.FPDFText_LoadPage(ctypes.cast(page, pdfium.FPDF_PAGE))
    if not bare:
        return []
    claims = []
    try:
        for mark, members in groups.items():
            claimed = _text(members, text_page)
            if _agree(claimed, _text(members, native.handle(native.address_of(bare)))):
                for item in members:
                    pdfium.FPDFPageObj_AddExistingMark(_object(item), _mark(mark))
            else:
                claims.append(Claim(claimed, members[0]))
    finally:
        pdfium.FPDFText_ClosePage(bare)
    return claims


def _mark(mark: int) -> object:
    return ctypes.cast(mark, pdfium.FPDF_PAGEOBJECTMARK)


def says_something(text: str) -> bool:
    """True if a text has letters, digits or signs of money."""
    return bool(text) and bool(_bare(text).strip(".,"))


def _object(item: int) -> object:
    return ctypes.cast(item, pdfium.FPDF_PAGEOBJECT)


def _text(items: Sequence[int], text_page: native.Handle) -> str:
    return "".join(native.object_text(item, text_page, _MOST) for item in items)


def _agree(claimed: str, shown: str) -> bool:
    """True if a text is what glyphs show, or glyphs without a text of their own may show it."""
    said, drawn = _bare(claimed), _bare(shown)
    if said == drawn or not said:
        return True
    known = [
        char for char in shown if unicodedata.category(char) not in {"Cc", "Cf", "Co", "Cn", "Zs"} and char != "\ufffd"
    ]
    return not known and len(said) <= _LIGATURES * max(len(shown.strip()), 1)


def _bare(text: str) -> str:
    return _SAID.sub("", unicodedata.normalize("NFKC", text)).casefold()
