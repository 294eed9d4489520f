"""The fonts of a document: which of them may draw nothing, or something else than they say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import pypdfium2.raw as pdfium

from spanwise.readers.pdf import native
from spanwise.readers.pdf.shapes import COMPARED, LETTERS, looks_like

_MOST_PAGES = 48
"""So many pages are kept open for the sake of their fonts."""


class FontDoubts(NamedTuple):
    """What is wrong with the fonts of a page."""

    blank: frozenset[int]
    """Fonts that may draw nothing for some of their letters."""
    false: dict[int, frozenset[str]]
    """Fonts whose glyphs show something else than they say, and the characters that they say."""


_NO_DOUBTS = FontDoubts(frozenset(), {})


class FontBook:
    """The fonts of one document, each letter of each looked at once.

    pdfium gives the address of a font and frees it with the last page that uses it. So the page on which a font was
    met first stays open as long as the document is read: no other font gets its address.
    """

    def __init__(self, document: int) -> None:
        self.document = document
        self.unknown: dict[int, set[str]] = {}
        """Letters and digits of each font that have not been looked at."""
        self.blank: set[int] = set()
        self.false: dict[int, set[str]] = {}
        self.pages: list[pdfium.FPDF_PAGE] = []
        self._met = False

    def examine(self, used: Mapping[int, str]) -> FontDoubts:
        """Look at those letters of the fonts of a page (address and what is set in it) that have not been looked at."""
        for font, text in used.items():
            unknown = self.unknown.get(font)
            if unknown is None:
                self._met = True
                unknown = self.unknown[font] = set(LETTERS)
            new = {char for char in unknown if char in text}
            if font and new:
                unknown -= new
                if native.may_draw_nothing(font, new):
                    self.blank.add(font)
                self._compare(font, sorted(new & COMPARED))
        if not self.blank and not self.false:
            return _NO_DOUBTS
        return FontDoubts(
            frozenset(self.blank.intersection(used)),
            {font: frozenset(self.false[font]) for font in used if font in self.false and self._is_false(font)},
        )

    def _compare(self, font: int, characters: list[str]) -> None:
        others = {char for char in characters if looks_like(self.document, font, char) != char}
        if others:
            self.false.setdefault(font, set()).update(others)

    def _is_false(self, font: int) -> bool:
        """True if a digit looks like another, or two letters do: one odd letter may be a matter of taste."""
        others = self.false[font]
        return len(others) > 1 or any(char.isdigit() for char in others)

    def close(self, page: pdfium.FPDF_PAGE) -> None:
        """Close a page, or keep it open because a font was met on it first."""
        if self._met and len(self.pages) < _MOST_PAGES:
            self.pages.append(page)
        else:
            if self._met:
                self.unknown.clear()
                self.blank.clear()
                self.false.clear()
            pdfium.FPDF_ClosePage(page)
        self._met = False

    def close_all(self) -> None:
        """Close the pages that were kept open."""
        for page in self.pages:
            pdfium.FPDF_ClosePage(page)
        self.pages.clear()
