"""The characters of a page: their visual lines, and whether fonts and file say of them what their glyphs show.

Text that a file gives for its glyphs (`ActualText`) is believed where it agrees with them. The shapes of glyphs are
compared with the fonts that every reader of PDFs has built in. Fonts differ, so a glyph is only accused when it looks
little like its own character in any of them and much like another one; signs, ligatures and other scripts never are.
"""

from __future__ import annotations

import collections
import ctypes
import functools
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
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


_SIDE = 16
"""A glyph is stretched to a square of so many pixels."""
_INKED = bytes(48 + (alpha > 100) for alpha in range(256))
COMPARED = frozenset("0123456789etaoinshrdlum")
"""Digits, and letters that no sentence does without: a font that lies about letters lies about some of these."""
_FAMILIES = (
    "Times-Roman Helvetica Times-Bold Helvetica-Bold Times-Italic Helvetica-Oblique Times-BoldItalic "
    "Courier Courier-Bold Courier-Oblique"
).split()
"""The most usual first: the first one that is like enough ends the comparison."""
_ALIKE = "0Oo 1lIijJ cC sS5 vVy wW xX zZ2 uU kK pP yY tT fF mM nNhH bB6 dD gG9q rR eE aA"
"""Characters that some fonts draw alike, when size is left out."""
LETTERS = frozenset("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
_OWN, _LIKE, _OTHER = 0.55, 0.75, 0.25
"""Least likeness to itself that is not asked about; to another that accuses; and how much more like the other."""


class Shape(NamedTuple):
    """A glyph stretched to a square, a bit for each pixel."""

    bits: int
    slimness: float
    """Its width divided by its height."""


def looks_like(document: int, font: int, char: str) -> str:
    """The character that a font's glyph for `char` looks like; `char` itself unless it is surely another one."""
    if native.glyph_outline(font, char) in _outlines()[char]:
        return char  # Drawn with a built-in font: most fonts that are not part of the file are.
    shape = _shape(document, font, char)
    if shape is None:
        return char
    own = 0.0
    for same in _alike(char):
        for other in _references()[same]:
            own = max(own, _likeness(shape, other))
            if own >= _OWN:
                return char
    best, looked = max(
        (max(_likeness(shape, other) for other in shapes), other_char)
        for other_char, shapes in _references().items()
        if other_char not in _alike(char)
    )
    return looked if best >= _LIKE and best - own >= _OTHER else char


def _likeness(one: Shape, other: Shape) -> float:
    """How much of two shapes is the same, less where one is slimmer than the other."""
    both = (one.bits | other.bits).bit_count()
    slim, wide = sorted((one.slimness, other.slimness))
    return (one.bits & other.bits).bit_count() / both * (slim / wide) ** 0.3 if both else 0.0


@functools.cache
def _alike(char: str) -> tuple[str, ...]:
    """A character and those that some fonts draw like it, itself first."""
    return tuple(dict.fromkeys([char, *(other for group in _ALIKE.split() if char in group for other in group)]))


@functools.cache
def _outlines() -> dict[str, frozenset[tuple[int, float, float, float, float]]]:
    """The outlines of letters and digits in the built-in fonts; none that another character has too."""
    with _built_in() as (_, fonts):
        found = {
            char: {outline for font in fonts if (outline := native.glyph_outline(font, char)) is not None}
            for char in sorted(LETTERS)
        }
    seen = collections.Counter(outline for outlines in found.values() for outline in outlines)
    return {char: frozenset(one for one in outlines if seen[one] == 1) for char, outlines in found.items()}


@contextmanager
def _built_in() -> Iterator[tuple[int, list[int]]]:
    """The built-in fonts, in a document of their own."""
    document = pdfium.FPDF_CreateNewDocument()
    fonts = [pdfium.FPDFText_LoadStandardFont(document, name.encode()) for name in _FAMILIES]
    try:
        yield native.address_of(document), list(map(native.address_of, fonts))
    finally:
        for font in fonts:
            pdfium.FPDFFont_Close(font)
        pdfium.FPDF_CloseDocument(document)


@functools.cache
def _references() -> dict[str, list[Shape]]:
    """What letters and digits look like in the built-in fonts."""
    with _built_in() as (document, fonts):
        return {
            char: [shape for font in fonts if (shape := _shape(document, font, char)) is not None]
            for char in sorted(LETTERS)
        }


def _shape(document: int, font: int, char: str) -> Shape | None:
    """A glyph as a font draws it, or None where it draws nothing for that character."""
    drawn = native.drawn_glyph(document, font, char, _SIDE)
    if drawn is None:
        return None
    alphas, wide, high, slimness = drawn
    rows = (alphas[row * wide : row * wide + min(wide, _SIDE)].ljust(_SIDE, b"\0") for row in range(min(high, _SIDE)))
    bits = int(b"".join(rows).ljust(_SIDE * _SIDE, b"\0").translate(_INKED), 2)
    return Shape(bits, slimness) if bits else None


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
