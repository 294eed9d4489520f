"""The shapes of letters and digits: whether a glyph looks like the character that it claims to be.

Compared with the fonts that every reader of PDFs has built in. Fonts differ, so a glyph is only accused when it looks
little like its own character in any of them and much like another one; signs, ligatures and other scripts never are.
"""

from __future__ import annotations

import collections
import ctypes
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
    "Helvetica Helvetica-Bold Helvetica-Oblique Times-Roman Times-Bold Times-Italic Times-BoldItalic "
    "Courier Courier-Bold Courier-Oblique"
).split()
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


def looks_like(document: pdfium.FPDF_DOCUMENT, font: int, char: str) -> str:
    """The character that a font's glyph for `char` looks like; `char` itself unless it is surely another one."""
    if native.glyph_outline(font, char) in _outlines()[char]:
        return char  # Drawn with a built-in font: most fonts that are not part of the file are.
    shape = _shape(document, ctypes.cast(font, pdfium.FPDF_FONT), char)
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
            char: {
                outline
                for font in fonts
                if (outline := native.glyph_outline(native.address_of(font), char)) is not None
            }
            for char in sorted(LETTERS)
        }
    seen = collections.Counter(outline for outlines in found.values() for outline in outlines)
    return {char: frozenset(one for one in outlines if seen[one] == 1) for char, outlines in found.items()}


@contextmanager
def _built_in() -> Iterator[tuple[pdfium.FPDF_DOCUMENT, list[pdfium.FPDF_FONT]]]:
    """The built-in fonts, in a document of their own."""
    document = pdfium.FPDF_CreateNewDocument()
    fonts = [pdfium.FPDFText_LoadStandardFont(document, name.encode()) for name in _FAMILIES]
    try:
        yield document, fonts
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


def _shape(document: pdfium.FPDF_DOCUMENT, font: pdfium.FPDF_FONT, char: str) -> Shape | None:
    """A glyph as a font draws it, or None where it draws nothing for that character."""
    item = pdfium.FPDFPageObj_CreateTextObj(document, font, 1000.0)
    if not item:
        return None
    try:
        pdfium.FPDFText_SetText(item, (ctypes.c_ushort * 2)(ord(char), 0))
        left, bottom, right, top = (ctypes.c_float() for _ in range(4))
        pdfium.FPDFPageObj_GetBounds(item, left, bottom, right, top)
        wide, high = right.value - left.value, top.value - bottom.value
        if wide < 1 or high < 1:
            return None
        across, up = _SIDE / wide, _SIDE / high
        pdfium.FPDFPageObj_Transform(item, across, 0, 0, up, -left.value * across, -bottom.value * up)
        bitmap = pdfium.FPDFTextObj_GetRenderedBitmap(document, None, item, 1.0)
        if not bitmap:
            return None
        bits = _bits(bitmap)
        pdfium.FPDFBitmap_Destroy(bitmap)
        return Shape(bits, wide / high) if bits else None
    finally:
        pdfium.FPDFPageObj_Destroy(item)


def _bits(bitmap: pdfium.FPDF_BITMAP) -> int:
    width, height = pdfium.FPDFBitmap_GetWidth(bitmap), pdfium.FPDFBitmap_GetHeight(bitmap)
    stride = pdfium.FPDFBitmap_GetStride(bitmap)
    data = ctypes.string_at(pdfium.FPDFBitmap_GetBuffer(bitmap), stride * height)
    rows = (
        data[row * stride + 3 : row * stride + 4 * min(width, _SIDE) : 4].ljust(_SIDE, b"\0")
        for row in range(min(height, _SIDE))
    )
    return int(b"".join(rows).ljust(_SIDE * _SIDE, b"\0").translate(_INKED), 2)
