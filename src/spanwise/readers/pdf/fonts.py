"""The fonts of a document: which of them may draw nothing, or something else than they say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
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


@dataclass(slots=True)
class _Font:
    """What is known of a font."""

    programs: bool
    """It draws by programs, which may draw nothing."""
    unknown: set[str] = field(default_factory=lambda: set(LETTERS))
    """Letters and digits that have not been looked at."""
    blank: set[str] = field(default_factory=set)
    """Those without an outline."""
    false: set[str] = field(default_factory=set)
    """Those that look like others."""


class FontBook:
    """The fonts of one document, each letter of each looked at once.

    What is told of a page depends on its own letters only, whatever pages were read before: they may be read in any
    order, and by several processes.

    pdfium gives the address of a font and frees it with the last page that uses it. So the page on which a font was
    met first stays open as long as the document is read: no other font gets its address.
    """

    def __init__(self, document: int) -> None:
        self.document = document
        self.fonts: dict[int, _Font] = {}
        self.pages: list[pdfium.FPDF_PAGE] = []
        self._met = False

    def examine(self, used: Mapping[int, str]) -> FontDoubts:
        """Look at those letters of the fonts of a page (address and what is set in it) that have not been looked at."""
        blank: set[int] = set()
        false: dict[int, frozenset[str]] = {}
        for font, text in used.items():
            if not font:
                continue
            known = self._known(font, text)
            if known.programs or not known.blank.isdisjoint(text):
                blank.add(font)
            others = known.false.intersection(text)
            # A digit that looks like another one, or two letters that do: one odd letter may be a matter of taste.
            if len(others) > 1 or any(char.isdigit() for char in others):
                false[font] = frozenset(others)
        return FontDoubts(frozenset(blank), false) if blank or false else _NO_DOUBTS

    def _known(self, font: int, text: str) -> _Font:
        known = self.fonts.get(font)
        if known is None:
            self._met = True
            known = self.fonts[font] = _Font(native.draws_by_programs(font))
        new = {char for char in known.unknown if char in text}
        if new:
            known.unknown -= new
            if not known.programs:
                known.blank |= native.without_outline(font, new)
            known.false |= {char for char in sorted(new & COMPARED) if looks_like(self.document, font, char) != char}
        return known

    def close(self, page: pdfium.FPDF_PAGE) -> None:
        """Close a page, or keep it open because a font was met on it first."""
        if self._met and len(self.pages) < _MOST_PAGES:
            self.pages.append(page)
        else:
            if self._met:
                self.fonts.clear()
            pdfium.FPDF_ClosePage(page)
        self._met = False

    def close_all(self) -> None:
        """Close the pages that were kept open."""
        for page in self.pages:
            pdfium.FPDF_ClosePage(page)
        self.pages.clear()
