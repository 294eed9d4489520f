"""Text that a file gives for its glyphs (`ActualText`): believed where it agrees with them."""

from __future__ import annotations

import ctypes
import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import pypdfium2.raw as pdfium

from spanwise.readers.pdf import native

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
