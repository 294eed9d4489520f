"""pdfium, called without overhead: plain C prototypes, and buffers and arguments that are prepared once.

The typed wrappers of pypdfium2 cost about two microseconds a call, which is most of a page's time when a page needs
a thousand calls; these cost a quarter of that. Where a call is made for every object or letter of a page, its
arguments come as handles: ctypes converts nothing then, which halves the time again.
"""

from __future__ import annotations

import collections
import ctypes
import itertools
import math
import re
import struct
from collections.abc import Callable, Iterable, Sequence
from typing import NewType, TypeAlias

import pypdfium2.raw as pdfium

_P, _I = ctypes.c_void_p, ctypes.c_int
_Call: TypeAlias = Callable[..., int]
Handle = NewType("Handle", object)
"""An address as an argument that needs no conversion, good for any call here; only `handles` makes them."""
Colour: TypeAlias = tuple[int, int, int, int]
"""Red, green, blue and alpha, 0 to 255 each."""


def _plain(function: Callable[..., object], result: type | None, *arguments: type) -> _Call:
    # PYFUNCTYPE keeps the interpreter lock: these calls are shorter than letting go of it and taking it back.
    address = ctypes.cast(function, ctypes.c_void_p).value  # type: ignore[arg-type]
    return ctypes.PYFUNCTYPE(result, *arguments)(address or 0)


def _prepared(function: Callable[..., object], result: type | None) -> _Call:
    """A call whose arguments are handles, references and plain C integers, as nothing checks or converts them."""
    return ctypes.PYFUNCTYPE(result)(ctypes.cast(function, ctypes.c_void_p).value or 0)  # type: ignore[arg-type]


_handle: Callable[[int | None], Handle] = ctypes.c_void_p.from_param  # type: ignore[assignment]


def handle(address: int) -> Handle:
    """One address as a prepared argument."""
    return _handle(address)


def handles(addresses: Iterable[int]) -> list[Handle]:
    """Addresses as prepared arguments."""
    return list(map(_handle, addresses))


text_object_at: Callable[[Handle, int], int | None] = _prepared(pdfium.FPDFText_GetTextObject, _P)
"""The address of the text object of a character of a text page, or None for one that pdfium generated."""
object_type: Callable[[Handle], int] = _prepared(pdfium.FPDFPageObj_GetType, _I)
object_mode: Callable[[Handle], int] = _prepared(pdfium.FPDFTextObj_GetTextRenderMode, _I)
is_transparent: Callable[[Handle], int] = _prepared(pdfium.FPDFPageObj_HasTransparency, _I)
count_marks: Callable[[Handle], int] = _prepared(pdfium.FPDFPageObj_CountMarks, _I)
clip_of: Callable[[Handle], int] = _prepared(pdfium.FPDFPageObj_GetClipPath, _P)
clip_paths: Callable[[Handle], int] = _prepared(pdfium.FPDFClipPath_CountPaths, _I)
_page_object: _Call = _prepared(pdfium.FPDFPage_GetObject, _P)
_mark_at = _prepared(pdfium.FPDFPageObj_GetMark, _P)
_fill = _prepared(pdfium.FPDFPageObj_GetFillColor, _I)
_stroke = _prepared(pdfium.FPDFPageObj_GetStrokeColor, _I)
_bounds = _prepared(pdfium.FPDFPageObj_GetBounds, _I)
_loose_box = _prepared(pdfium.FPDFText_GetLooseCharBox, _I)
_draw_mode = _prepared(pdfium.FPDFPath_GetDrawMode, _I)

count_chars = _plain(pdfium.FPDFText_CountChars, _I, _P)
char_index_of = _plain(pdfium.FPDFText_GetCharIndexFromTextIndex, _I, _P, _I)
object_font = _plain(pdfium.FPDFTextObj_GetFont, _P, _P)
page_rotation = _plain(pdfium.FPDFPage_GetRotation, _I, _P)
page_objects = _plain(pdfium.FPDFPage_CountObjects, _I, _P)
form_objects = _plain(pdfium.FPDFFormObj_CountObjects, _I, _P)
_form_object = _plain(pdfium.FPDFFormObj_GetObject, _P, _P, ctypes.c_ulong)

clip_segments = _plain(pdfium.FPDFClipPath_CountPathSegments, _I, _P, _I)
clip_segment = _plain(pdfium.FPDFClipPath_GetPathSegment, _P, _P, _I, _I)
path_segments = _plain(pdfium.FPDFPath_CountSegments, _I, _P)
_path_segment = _plain(pdfium.FPDFPath_GetPathSegment, _P, _P, _I)
count_annotations = _plain(pdfium.FPDFPage_GetAnnotCount, _I, _P)
annotation_at = _plain(pdfium.FPDFPage_GetAnnot, _P, _P, _I)
annotation_kind = _plain(pdfium.FPDFAnnot_GetSubtype, _I, _P)
close_annotation = _plain(pdfium.FPDFPage_CloseAnnot, None, _P)
set_active = _plain(pdfium.FPDFPageObj_SetIsActive, _I, _P, _I)
_transform = _plain(pdfium.FPDFPageObj_Transform, None, _P, *[ctypes.c_double] * 6)
set_mode = _plain(pdfium.FPDFTextObj_SetTextRenderMode, _I, _P, _I)

_object_text = _plain(pdfium.FPDFTextObj_GetText, ctypes.c_ulong, _P, _P, _P, ctypes.c_ulong)
_annotation_flags = _plain(pdfium.FPDFAnnot_GetFlags, _I, _P)
_set_annotation_flags = _plain(pdfium.FPDFAnnot_SetFlags, _I, _P, _I)
_remove_annotation = _plain(pdfium.FPDFPage_RemoveAnnot, _I, _P, _I)
_annotation_rect = _plain(pdfium.FPDFAnnot_GetRect, _I, _P, _P)
_annotation_has = _plain(pdfium.FPDFAnnot_HasKey, _I, _P, ctypes.c_char_p)
_annotation_objects = _plain(pdfium.FPDFAnnot_GetObjectCount, _I, _P)
_annotation_object = _plain(pdfium.FPDFAnnot_GetObject, _P, _P, _I)
_mark_name = _plain(pdfium.FPDFPageObjMark_GetName, _I, _P, _P, ctypes.c_ulong, _P)
_mark_value = _plain(pdfium.FPDFPageObjMark_GetParamStringValue, _I, _P, ctypes.c_char_p, _P, ctypes.c_ulong, _P)
_segment_point = _plain(pdfium.FPDFPathSegment_GetPoint, _I, _P, _P, _P)
_segment_kind = _plain(pdfium.FPDFPathSegment_GetType, _I, _P)
_stroke_width = _plain(pdfium.FPDFPageObj_GetStrokeWidth, _I, _P, _P)
_tight_box = _plain(pdfium.FPDFText_GetCharBox, _I, _P, _I, _P, _P, _P, _P)
_page_box = _plain(pdfium.FPDF_GetPageBoundingBox, _I, _P, _P)
_get_text = _plain(pdfium.FPDFText_GetText, _I, _P, _I, _I, _P)
_char_matrix = _plain(pdfium.FPDFText_GetMatrix, _I, _P, _I, _P)
_font_size = _plain(pdfium.FPDFText_GetFontSize, ctypes.c_double, _P, _I)
_object_matrix = _plain(pdfium.FPDFPageObj_GetMatrix, _I, _P, _P)
_font_name = _plain(pdfium.FPDFFont_GetBaseFontName, ctypes.c_size_t, _P, _P, ctypes.c_size_t)
_font_is_embedded = _plain(pdfium.FPDFFont_GetIsEmbedded, _I, _P)
_glyph_path = _plain(pdfium.FPDFFont_GetGlyphPath, _P, _P, ctypes.c_uint, ctypes.c_float)
_glyph_segments = _plain(pdfium.FPDFGlyphPath_CountGlyphSegments, _I, _P)
_glyph_segment = _plain(pdfium.FPDFGlyphPath_GetGlyphPathSegment, _P, _P, _I)
_font_weight = _plain(pdfium.FPDFFont_GetWeight, _I, _P)
_new_text = _plain(pdfium.FPDFPageObj_CreateTextObj, _P, _P, _P, ctypes.c_float)
_set_text = _plain(pdfium.FPDFText_SetText, _I, _P, _P)
_destroy_object = _plain(pdfium.FPDFPageObj_Destroy, None, _P)
_text_bitmap = _plain(pdfium.FPDFTextObj_GetRenderedBitmap, _P, _P, _P, _P, ctypes.c_float)
_bitmap_height = _plain(pdfium.FPDFBitmap_GetHeight, _I, _P)
_bitmap_stride = _plain(pdfium.FPDFBitmap_GetStride, _I, _P)
_bitmap_buffer = _plain(pdfium.FPDFBitmap_GetBuffer, _P, _P)
_destroy_bitmap = _plain(pdfium.FPDFBitmap_Destroy, None, _P)

_floats = (ctypes.c_float * 6)()
_floats_at = ctypes.addressof(_floats)
_box_view: memoryview[float] = memoryview(_floats).cast("B")[:16].cast("f")
_matrix_view: memoryview[float] = memoryview(_floats).cast("B").cast("f")
_floats_in = ctypes.byref(_floats)
_CHUNK = 512
_fields = (ctypes.c_uint32 * (4 * _CHUNK))()
_fields_in = [[ctypes.byref(_fields, 16 * row + 4 * column) for row in range(_CHUNK)] for column in range(4)]
"""Where four numbers of each of many objects go: the columns of a table, as references."""
_ints = (ctypes.c_int * 2)()
_ints_at = ctypes.addressof(_ints)
_ints_in = ctypes.byref(_ints), ctypes.byref(_ints, 4)
MOST_MARKS = 32
"""Marks of an object that are looked at."""
_marks = [ctypes.c_ulong.from_param(position) for position in range(MOST_MARKS)]
_doubles = (ctypes.c_double * 4)()
_doubles_at = tuple(ctypes.addressof(_doubles) + 8 * index for index in range(4))
_name = ctypes.create_string_buffer(256)
_name_at = ctypes.addressof(_name)
_UNITS = 1 << 15
_units = (ctypes.c_ushort * _UNITS)()
_UNSEEN = pdfium.FPDF_ANNOT_FLAG_HIDDEN | pdfium.FPDF_ANNOT_FLAG_NOVIEW
_MOST_DRAWN = 200
"""Objects that an annotation draws that are looked at."""
_FAR_AWAY = -30_000.0
_CURVE = pdfium.FPDF_SEGMENT_BEZIERTO
CORNERS = frozenset({4, 5, 6})
"""Segments of a rectangle, that goes back to its first corner or not."""
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


def char_box(text_page: Handle, index: int) -> Sequence[float]:
    """Left, top, right and bottom of a character with its font's full height, in page space (y grows upwards)."""
    _loose_box(text_page, index, _floats_in)
    return _box_view.tolist()


def tight_box(text_page: Handle, index: int) -> tuple[float, float, float, float] | None:
    """Left, bottom, right and top of a character's glyph, in page space; None where it has none."""
    if not _tight_box(text_page, index, _doubles_at[0], _doubles_at[2], _doubles_at[1], _doubles_at[3]):
        return None
    left, bottom, right, top = _doubles
    return left, bottom, right, top


def char_matrix(text_page: Handle, index: int) -> Sequence[float]:
    """A character's matrix; its first four numbers scale and turn it."""
    _char_matrix(text_page, index, _floats_at)
    return _matrix_view.tolist()


def font_size(text_page: Handle, index: int) -> float:
    """The size that the file names, before any scaling by a matrix."""
    return _font_size(text_page, index)


def objects(page: int) -> list[int]:
    """The objects of a page, in the order in which they are painted."""
    return _all(map(_page_object, itertools.repeat(handle(page)), range(page_objects(page))))


def objects_of_form(form: int) -> list[int]:
    """The objects of a form, in the order in which they are painted."""
    return _all(map(_form_object, itertools.repeat(form), range(form_objects(form))))


def _all(addresses: Iterable[int]) -> list[int]:
    found = list(addresses)
    return found if all(found) else [item for item in found if item]


def _four_numbers(call: _Call, items: Sequence[Handle], kind: str) -> list[tuple[float, float, float, float]]:
    """The four numbers that a call gives for each object, of one kind of `struct`; all of them 0 where it fails."""
    found: list[tuple[float, float, float, float]] = []
    for start in range(0, len(items), _CHUNK):
        part = items[start : start + _CHUNK]
        ctypes.memset(_fields, 0, 16 * len(part))
        collections.deque(map(call, part, *_fields_in), 0)
        data = bytes(memoryview(_fields).cast("B")[: 16 * len(part)])
        if data == len(part) * data[:16]:  # the colour of most pages
            found += len(part) * [struct.unpack(kind, data[:16])]
        else:
            found += struct.iter_unpack(kind, data)
    return found


def fill_colours(items: Sequence[Handle]) -> list[Colour]:
    """Red, green, blue and alpha of the fill of each object; all of them 0 for a pattern."""
    return _four_numbers(_fill, items, "=4I")  # type: ignore[return-value]


def fill_colour(item: int) -> Colour:
    """Red, green, blue and alpha of the fill of one object; all of them 0 for a pattern."""
    return fill_colours([handle(item)])[0]


def stroke_colour(item: int) -> Colour:
    """Red, green, blue and alpha of the outline of one object; all of them 0 for a pattern."""
    return _four_numbers(_stroke, [handle(item)], "=4I")[0]  # type: ignore[return-value]


def boxes(items: Sequence[Handle]) -> list[tuple[float, float, float, float]]:
    """Left, bottom, right and top of each object; all of them 0 where it has none."""
    return _four_numbers(_bounds, items, "=4f")


def mark_at(item: Handle, position: int) -> int:
    """The address of a mark of an object, by its position."""
    return _mark_at(item, _marks[position])


def marks_at(items: Sequence[Handle], position: int) -> list[int]:
    """The addresses of the marks of some objects at one position."""
    return list(map(_mark_at, items, itertools.repeat(_marks[position])))


def take_away(item: int) -> None:
    """Neither draw a text object any more nor let it keep others in its place from being read."""
    set_active(item, 0)
    _transform(item, 1.0, 0.0, 0.0, 1.0, _FAR_AWAY, _FAR_AWAY)


def stroke_width(item: int) -> float:
    """Width of an object's outline, before any scaling by its matrix."""
    return float(_floats[0]) if _stroke_width(item, _floats_at) else 0.0


def bounds(item: int) -> tuple[float, float, float, float] | None:
    """Left, bottom, right and top of a page object, or None where it has none."""
    if not _bounds(handle(item), *(column[0] for column in _fields_in)):
        return None
    left, bottom, right, top = struct.unpack_from("=4f", _fields)
    return left, bottom, right, top


def object_matrix(item: int) -> tuple[float, float, float, float, float, float]:
    """The matrix of a page object; the identity where it has none."""
    if not _object_matrix(item, _floats_at):
        return 1.0, 0.0, 0.0, 1.0, 0.0, 0.0
    a, b, c, d, e, f = _matrix_view
    return a, b, c, d, e, f


def path_paints(item: Handle) -> tuple[bool, bool]:
    """Whether a path fills its inside and strokes its outline."""
    if not _draw_mode(item, *_ints_in):
        return False, False
    return _ints[0] != 0, _ints[1] != 0


def clip_rectangle(item: int) -> tuple[float, float, float, float] | None:
    """Left, bottom, right and top of what an object is clipped to, or None where that is no upright rectangle."""
    clip = handle(clip_of(handle(item)))
    left = bottom = -math.inf
    right = top = math.inf
    for path in range(max(clip_paths(clip), 0)):
        count = clip_segments(clip, path)
        corners = _rectangle(clip_segment(clip, path, at) for at in range(count)) if count in CORNERS else None
        if corners is None:
            return None
        left, right = max(left, corners[0]), min(right, corners[2])
        bottom, top = max(bottom, corners[1]), min(top, corners[3])
    return left, bottom, right, top


def _rectangle(segments: Iterable[int]) -> tuple[float, float, float, float] | None:
    """Left, bottom, right and top of a path that is one upright rectangle."""
    points = []
    for segment in segments:
        if not _segment_point(segment, _floats_at, _floats_at + 4) or _segment_kind(segment) == _CURVE:
            return None
        points.append((round(_floats[0], 2), round(_floats[1], 2)))
    xs, ys = {x for x, _ in points}, {y for _, y in points}
    if len(xs) != 2 or len(ys) != 2 or len(set(points)) != 4:
        return None
    if any(a[0] != b[0] and a[1] != b[1] for a, b in itertools.pairwise(points)):
        return None
    return min(xs), min(ys), max(xs), max(ys)


def is_rectangle(path: int) -> bool:
    """True if all that a path fills is one upright rectangle."""
    _, b, c, _, _, _ = object_matrix(path)
    count = path_segments(path)
    return b == c == 0 and count in CORNERS and _rectangle(_path_segment(path, at) for at in range(count)) is not None


def clip_key(item: int) -> tuple[int, ...]:
    """What tells one clip from another: objects that were drawn under the same clip share its paths."""
    clip = handle(clip_of(handle(item)))
    return tuple(clip_segment(clip, path, 0) or -1 for path in range(max(clip_paths(clip), 0)))


def annotation_box(annotation: int) -> tuple[float, float, float, float]:
    """Left, bottom, right and top of an annotation."""
    if not _annotation_rect(annotation, _floats_at):
        return 0.0, 0.0, 0.0, 0.0
    left, top, right, bottom = _box_view
    return min(left, right), min(bottom, top), max(left, right), max(bottom, top)


def has_appearance(annotation: int) -> bool:
    """True if an annotation says itself how it is drawn."""
    return bool(_annotation_has(annotation, b"AP"))


def appearance_may_speak(annotation: int) -> bool:
    """True if an annotation draws text, or a form that may."""
    if not has_appearance(annotation):
        return False
    count = min(max(_annotation_objects(annotation), 0), _MOST_DRAWN)
    drawn = (object_type(handle(_annotation_object(annotation, at))) for at in range(count))
    return any(kind in (pdfium.FPDF_PAGEOBJ_TEXT, pdfium.FPDF_PAGEOBJ_FORM) for kind in drawn)


def remove_unseen_notes(page: int) -> None:
    """Take away the annotations that are flagged as not to be shown.

    One flag hides only those of a kind that nobody knows, and would keep others from being drawn into the page.
    """
    for position in reversed(range(max(count_annotations(page), 0))):
        annotation = annotation_at(page, position)
        if annotation:
            flags = _annotation_flags(annotation)
            if flags & pdfium.FPDF_ANNOT_FLAG_INVISIBLE and annotation_kind(annotation) != pdfium.FPDF_ANNOT_UNKNOWN:
                _set_annotation_flags(annotation, flags & ~pdfium.FPDF_ANNOT_FLAG_INVISIBLE)
            close_annotation(annotation)
            if flags & _UNSEEN:
                _remove_annotation(page, position)


def is_layer(mark: int) -> bool:
    """True if a mark puts what it holds into a layer that may be off."""
    return bool(_mark_name(mark, _name_at, 256, _ints_at)) and _ints[0] == 6 and _name.raw[:4] == b"O\0C\0"


def object_text(item: int, text_page: Handle, most: int) -> str:
    """What a text object says, or its first characters where it says more than `most`."""
    units = (ctypes.c_ushort * (most + 1))()
    size = _object_text(item, text_page, units, 2 * (most + 1))
    return ctypes.string_at(units, max(min(size, 2 * (most + 1)) - 2, 0)).decode("utf-16-le", "replace")


def actual_text(mark: int) -> str:
    """The text that a mark gives for its glyphs, or its beginning; nothing where it gives none."""
    if not _mark_value(mark, b"ActualText", _units, 2 * _UNITS, _ints_at):
        return ""
    return ctypes.string_at(_units, min(max(_ints[0] - 2, 0), 2 * _UNITS)).decode("utf-16-le", "replace")


def font_is_bold(font: int) -> bool:
    """Whether a font is a bold one, by its weight or its name."""
    if _font_weight(font) >= 600:
        return True
    size = _font_name(font, _name_at, 256)
    if not 0 < size <= 256:
        return False
    # "ABCDEF+Arial-BoldMT": six capitals mark a subset, and nothing about the style stands in them.
    return _BOLD.search(_name.value, _name.value.rfind(b"+") + 1) is not None


def glyph_outline(font: int, char: str) -> tuple[int, float, float, float, float] | None:
    """How many strokes a glyph has, and where its second and third one end: enough to know a known glyph again."""
    path = _glyph_path(font, ord(char), 100.0)
    count = _glyph_segments(path) if path else 0
    if count < 4:
        return None
    _segment_point(_glyph_segment(path, 1), _floats_at, _floats_at + 4)
    x, y = _floats[0], _floats[1]
    _segment_point(_glyph_segment(path, 2), _floats_at, _floats_at + 4)
    return count, x, y, _floats[0], _floats[1]


def drawn_glyph(document: int, font: int, char: str, side: int) -> tuple[bytes, int, int, float] | None:
    """The opacity of each pixel of a glyph stretched to a square, how wide and high that is, and how slim the glyph."""
    item = _new_text(document, font, 1000.0)
    if not item:
        return None
    try:
        _set_text(item, (ctypes.c_ushort * 2)(ord(char), 0))
        left, bottom, right, top = bounds(item) or (0.0, 0.0, 0.0, 0.0)
        wide, high = right - left, top - bottom
        if wide < 1 or high < 1:
            return None
        across, up = side / wide, side / high
        _transform(item, across, 0.0, 0.0, up, -left * across, -bottom * up)
        bitmap = _text_bitmap(document, None, item, 1.0)
        if not bitmap:
            return None
        stride, rows = _bitmap_stride(bitmap), _bitmap_height(bitmap)
        pixels = ctypes.string_at(_bitmap_buffer(bitmap), stride * rows)
        _destroy_bitmap(bitmap)
        return pixels[3::4], stride // 4, rows, wide / high
    finally:
        _destroy_object(item)


def draws_by_programs(font: int) -> bool:
    """True for a font whose glyphs may paint anything, or nothing (Type 3)."""
    return _font_name(font, None, 0) <= 1


def without_outline(font: int, used: Iterable[str]) -> set[str]:
    """Those of some letters that a font has no outline for."""
    return {char for char in used if not _glyph_path(font, ord(char), 1.0)}


def page_text(text_page: Handle, count: int) -> str:
    """The whole text of a page, as pdfium reads it."""
    if count <= 0:
        return ""
    # Characters outside the basic plane take two units each, so twice the count always fits.
    needed = 2 * count + 2
    units = _units if needed <= _UNITS else (ctypes.c_ushort * needed)()
    written = _get_text(text_page, 0, count, units)
    return ctypes.string_at(units, 2 * max(written - 1, 0)).decode("utf-16-le", "replace")
