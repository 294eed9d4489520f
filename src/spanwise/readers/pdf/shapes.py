"""The shapes of letters and digits: whether a glyph looks like the character that it claims to be.

Compared with the fonts that every reader of PDFs has built in. Fonts differ, so a glyph is only accused when it looks
little like its own character in any of them and much like another one; signs, ligatures and other scripts never are.
"""

from __future__ import annotations

import collections
import functools
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import pypdfium2.raw as pdfium

from spanwise.readers.pdf import native

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
