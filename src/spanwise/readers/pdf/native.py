"""pdfium, called without overhead: plain C prototypes and buffers that are allocated once.

The typed wrappers of pypdfium2 cost about two microseconds a call, which is most of a page's time when a page needs
a thousand calls; these cost a quarter of that.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable, Sequence
from typing import TypeAlias

import pypdfium2.raw as pdfium

_P, _I = ctypes.c_void_p, ctypes.c_int
_Call: TypeAlias = Callable[..., int]


def _plain(function: Callable[..., object], result: type, *arguments: type) -> _Call:
    # PYFUNCTYPE keeps the interpreter lock: these calls are shorter than letting go of it and taking it back.
    address = ctypes.cast(function, ctypes.c_void_p).value  # type: ignore[arg-type]
    return ctypes.PYFUNCTYPE(result, *arguments)(address or 0)


text_object_at = _plain(pdfium.FPDFText_GetTextObject, _P, _P, _I)
"""The address of the text object of a character, or None for one that pdfium generated."""
count_chars = _plain(pdfium.FPDFText_CountChars, _I, _P)
char_index_of = _plain(pdfium.FPDFText_GetCharIndexFromTextIndex, _I, _P, _I)
object_font = _plain(pdfium.FPDFTextObj_GetFont, _P, _P)
object_mode = _plain(pdfium.FPDFTextObj_GetTextRenderMode, _I, _P)
object_type = _plain(pdfium.FPDFPageObj_GetType, _I, _P)
page_rotation = _plain(pdfium.FPDFPage_GetRotation, _I, _P)
page_objects = _plain(pdfium.FPDFPage_CountObjects, _I, _P)
page_object = _plain(pdfium.FPDFPage_GetObject, _P, _P, _I)
form_objects = _plain(pdfium.FPDFFormObj_CountObjects, _I, _P)
form_object = _plain(pdfium.FPDFFormObj_GetObject, _P, _P, ctypes.c_ulong)

_page_box = _plain(pdfium.FPDF_GetPageBoundingBox, _I, _P, _P)
_get_text = _plain(pdfium.FPDFText_GetText, _I, _P, _I, _I, _P)
_loose_box = _plain(pdfium.FPDFText_GetLooseCharBox, _I, _P, _I, _P)
_char_matrix = _plain(pdfium.FPDFText_GetMatrix, _I, _P, _I, _P)
_font_size = _plain(pdfium.FPDFText_GetFontSize, ctypes.c_double, _P, _I)
_fill = _plain(pdfium.FPDFPageObj_GetFillColor, _I, _P, _P, _P, _P, _P)
_stroke = _plain(pdfium.FPDFPageObj_GetStrokeColor, _I, _P, _P, _P, _P, _P)
_bounds = _plain(pdfium.FPDFPageObj_GetBounds, _I, _P, _P, _P, _P, _P)
_object_matrix = _plain(pdfium.FPDFPageObj_GetMatrix, _I, _P, _P)
_draw_mode = _plain(pdfium.FPDFPath_GetDrawMode, _I, _P, _P, _P)
_font_name = _plain(pdfium.FPDFFont_GetBaseFontName, ctypes.c_size_t, _P, _P, ctypes.c_size_t)
_font_weight = _plain(pdfium.FPDFFont_GetWeight, _I, _P)

_floats = (ctypes.c_float * 6)()
_floats_at = ctypes.addressof(_floats)
_box_view: memoryview[float] = memoryview(_floats).cast("B")[:16].cast("f")
_matrix_view: memoryview[float] = memoryview(_floats).cast("B").cast("f")
_colour = (ctypes.c_uint * 4)()
_colour_at = tuple(ctypes.c_void_p(ctypes.addressof(_colour) + 4 * index) for index in range(4))
_colour_view = memoryview(_colour).cast("B").cast("I")
_corners_at = tuple(ctypes.c_void_p(_floats_at + 4 * index) for index in range(4))
_ints = (ctypes.c_int * 2)()
_ints_at = ctypes.addressof(_ints)
_name = ctypes.create_string_buffer(256)
_name_at = ctypes.addressof(_name)
_UNITS = 1 << 15
_units = (ctypes.c_ushort * _UNITS)()
_LIGHT = 247
_CLEAR = 8
_BOLD = re.compile(rb"bold|black|heavy|demi|-bd$", re.IGNORECASE)


def address_of(handle: ctypes._Pointer[ctypes.Structure]) -> int:
    """The address that one of pdfium's typed handles holds."""
    return ctypes.c_void_p.from_buffer(handle).value or 0


def page_box(page: int) -> tuple[float, float, float, float] | None:
    """Left, top, right and bottom of a page in page space, or None where pdfium cannot tell."""
    if not _page_box(page, _floats_at):
        return None
    left, top, right, bottom = _box_view
    return left, top, right, bottom


def char_box(text_page: int, index: int) -> Sequence[float]:
    """Left, top, right and bottom of a character with its font's full height, in page space (y grows upwards)."""
    _loose_box(text_page, index, _floats_at)
    return _box_view.tolist()


def char_matrix(text_page: int, index: int) -> Sequence[float]:
    """A character's matrix; its first four numbers scale and turn it."""
    _char_matrix(text_page, index, _floats_at)
    return _matrix_view.tolist()


def font_size(text_page: int, index: int) -> float:
    """The size that the file names, before any scaling by a matrix."""
    return _font_size(text_page, index)


def fills_plainly(item: int) -> bool:
    """Whether a text object is only filled, with a colour that one can see: nearly all are, so this comes first."""
    return object_mode(item) == 0 and bool(_fill(item, *_colour_at)) and _colour[0] < _LIGHT and _colour[3] > _CLEAR


def fills_lightly(item: int) -> bool:
    """Whether an object is filled with white, almost white, or nothing one can see; False for a pattern."""
    if not _fill(item, *_colour_at) or (_colour_view[0] < _LIGHT and _colour_view[3] > _CLEAR):
        return False
    return _is_light()


def strokes_lightly(item: int) -> bool:
    """Whether an object's outline is white, almost white, or nothing one can see; False for a pattern."""
    return bool(_stroke(item, *_colour_at)) and _is_light()


def _is_light() -> bool:
    red, green, blue, alpha = _colour_view
    return (red >= _LIGHT and green >= _LIGHT and blue >= _LIGHT) or alpha <= _CLEAR


def bounds(item: int) -> tuple[float, float, float, float] | None:
    """Left, bottom, right and top of a page object, or None where it has none."""
    if not _bounds(item, *_corners_at):
        return None
    left, bottom, right, top = _box_view
    return left, bottom, right, top


def object_matrix(item: int) -> tuple[float, float, float, float, float, float]:
    """The matrix of a page object; the identity where it has none."""
    if not _object_matrix(item, _floats_at):
        return 1.0, 0.0, 0.0, 1.0, 0.0, 0.0
    a, b, c, d, e, f = _matrix_view
    return a, b, c, d, e, f


def path_paints(item: int) -> tuple[bool, bool]:
    """Whether a path fills its inside and strokes its outline."""
    if not _draw_mode(item, _ints_at, _ints_at + 4):
        return False, False
    return _ints[0] != 0, _ints[1] != 0


def font_is_bold(font: int) -> bool:
    """Whether a font is a bold one, by its weight or its name."""
    if _font_weight(font) >= 600:
        return True
    size = _font_name(font, _name_at, 256)
    if not 0 < size <= 256:
        return False
    # "ABCDEF+Arial-BoldMT": six capitals mark a subset, and nothing about the style stands in them.
    return _BOLD.search(_name.value, _name.value.rfind(b"+") + 1) is not None


def page_text(text_page: int, count: int) -> str:
    """The whole text of a page, as pdfium reads it."""
    if count <= 0:
        return ""
    # Characters outside the basic plane take two units each, so twice the count always fits.
    needed = 2 * count + 2
    units = _units if needed <= _UNITS else (ctypes.c_ushort * needed)()
    written = _get_text(text_page, 0, count, units)
    return ctypes.string_at(units, 2 * max(written - 1, 0)).decode("utf-16-le", "replace")
