"""A look at the page: which letters leave ink on its picture, told by rendering it with them and without them.

Only those are looked at of which other signs say that they may leave none, or too little to be read.
"""

from __future__ import annotations

import ctypes
import time
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import NamedTuple

import pypdfium2.raw as pdfium

from spanwise.domain.document import HiddenReason
from spanwise.readers.invisible import NOTICED
from spanwise.readers.pdf import native
from spanwise.readers.pdf.characters import Characters
from spanwise.readers.pdf.opened_pdf import OpenPdf
from spanwise.readers.pdf.placement import Placement, Rect, around
from spanwise.readers.pdf.runs import Run
from spanwise.readers.pdf.scene import Scene, covers, overlaps, surely_shows

_MOST_PIXELS = 4_000_000
"""A picture of a page; 12 MB."""
_TALL = 20.0
"""Letters are looked at about this many pixels high, where the page is not too large for it."""
_LEAST_TALL = 2.5
"""Letters that come out smaller in pixels cannot be judged."""
_SCALES = 1.0, 4.0
_MOST_INK = 30
"""A page on which letters are painted over so many times is none; pdfium stops only between objects."""
LEGIBLE = 0.3
"""A letter of which less than this share of its height or width is left cannot be read."""
_LAYERS = 4


class Allowance:
    """Processor seconds that all looks at one document may take: a file full of them is no reason to read for minutes.

    No clock on the wall: what is seen of a document must not depend on how busy the machine is.
    """

    __slots__ = ("left",)

    def __init__(self, seconds: float) -> None:
        self.left = seconds

    def spend(self, started: float) -> None:
        """Charge the time since `started`."""
        self.left -= time.thread_time() - started


class Glyph(NamedTuple):
    """One character to be looked at."""

    at: int
    """Where it is in pdfium's list of characters."""
    item: int
    """The text object that draws it."""
    box: Rect
    """Its glyph, as displayed."""


@dataclass(slots=True)
class _Picture:
    """The pixels of a page, three bytes each."""

    data: bytes
    stride: int


class Looker:
    """Renders a page as often as needed, with some of its text objects left out."""

    def __init__(
        self, opened: OpenPdf, page: int, placement: Placement, allowance: Allowance, size: float, window: Rect
    ) -> None:
        """Look at the part of a page within `window`, at a scale at which letters of `size` points are legible."""
        self.page = page
        self.fields = opened.document.formenv
        self.allowance = allowance
        self.placement = placement
        left, top = max(window[0] - 2, 0.0), max(window[1] - 2, 0.0)
        right, bottom = min(window[2] + 2, placement.width), min(window[3] + 2, placement.height)
        self.origin = left, top
        wide, high = max(right - left, 1.0), max(bottom - top, 1.0)
        scale = min(max(_TALL / max(size, 0.1), _SCALES[0]), _SCALES[1])
        self.scale = min(scale, (_MOST_PIXELS / (wide * high)) ** 0.5)
        self.width, self.height = int(wide * self.scale) + 1, int(high * self.scale) + 1
        self.legible = self.scale * size >= _LEAST_TALL

    def picture(self) -> _Picture | None:
        """The page as it is now, or None where it takes too long."""
        if not self.legible:
            return None
        started = time.thread_time()
        deadline = started + max(self.allowance.left, 0.0)
        bitmap = pdfium.FPDFBitmap_CreateEx(self.width, self.height, pdfium.FPDFBitmap_BGR, None, 0)
        if not bitmap:
            return None
        page = ctypes.cast(self.page, pdfium.FPDF_PAGE)
        try:
            pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, self.width, self.height, 0xFFFFFFFF)
            ends = type(pdfium.IFSDK_PAUSE().NeedToPauseNow)(lambda _: time.thread_time() > deadline)
            pause = pdfium.IFSDK_PAUSE(version=1, NeedToPauseNow=ends, user=None)
            left, top = (-round(edge * self.scale) for edge in self.origin)
            wide, high = round(self.placement.width * self.scale), round(self.placement.height * self.scale)
            place = left, top, max(wide, 1), max(high, 1), 0, pdfium.FPDF_ANNOT
            state = pdfium.FPDF_RenderPageBitmap_Start(bitmap, page, *place, pause)
            pdfium.FPDF_RenderPage_Close(page)
            if state != pdfium.FPDF_RENDER_DONE:
                return None
            if self.fields is not None:
                pdfium.FORM_OnAfterLoadPage(page, self.fields)
                pdfium.FPDF_FFLDraw(self.fields, bitmap, page, *place)
                pdfium.FORM_OnBeforeClosePage(page, self.fields)
            stride = pdfium.FPDFBitmap_GetStride(bitmap)
            return _Picture(ctypes.string_at(pdfium.FPDFBitmap_GetBuffer(bitmap), stride * self.height), stride)
        finally:
            pdfium.FPDFBitmap_Destroy(bitmap)
            self.allowance.spend(started)

    def without(self, items: Iterable[int]) -> _Picture | None:
        """The page without some text objects."""
        left_out = list(items)
        for item in left_out:
            native.set_active(item, 0)
        try:
            return self.picture()
        finally:
            for item in left_out:
                native.set_active(item, 1)

    def pixels(self, box: Rect) -> tuple[int, int, int, int]:
        """The pixels that a box on the page touches: first and last column, first and last row."""
        shift = round(self.origin[0] * self.scale), round(self.origin[1] * self.scale)
        x0, y0, x1, y1 = (edge * self.scale - shift[at % 2] for at, edge in enumerate(box))
        return (
            min(max(int(x0), 0), self.width),
            min(max(int(x1) + 1, 0), self.width),
            min(max(int(y0), 0), self.height),
            min(max(int(y1) + 1, 0), self.height),
        )


def seen_glyphs(looker: Looker, glyphs: Sequence[Glyph], letters: Mapping[int, int]) -> dict[int, float] | None:
    """How much of each glyph is left on the page, 0 to 1 of its height and width; None where one cannot tell.

    `letters` are text objects that only clip, with their mode: what fills them is painted by something else.
    """
    boxes = (looker.pixels(glyph.box) for glyph in glyphs)
    if sum((x1 - x0) * (y1 - y0) for x0, x1, y0, y1 in boxes) > _MOST_INK * looker.width * looker.height:
        return None
    layers = _layered(glyphs)
    whole = looker.picture()
    if whole is None:
        return None
    seen: dict[int, float] = {}
    for layer in layers:
        bare = looker.without({glyph.item for glyph in layer})
        if bare is None:
            return None
        started = time.thread_time()
        for glyph in layer:
            if time.thread_time() - started > looker.allowance.left:
                return None  # Boxes as large as the page, thousands of them.
            if glyph.item not in letters:
                seen[glyph.at] = _share_left(looker, whole, bare, glyph.box)
        looker.allowance.spend(started)
    if letters:
        shapes = _alone(looker, letters)
        if shapes is None:
            return None
        clipping = (glyph for glyph in glyphs if glyph.item in letters)
        seen.update((glyph.at, float(_stands_out(looker, whole, shapes, glyph.box))) for glyph in clipping)
    return seen


def _alone(looker: Looker, letters: Mapping[int, int]) -> _Picture | None:
    """The letters as if they were painted, and nothing else."""
    others = [item for item in native.objects(looker.page) if item not in letters]
    for item in letters:
        native.set_mode(item, 0)
    try:
        return looker.without(
            item for item in others if native.object_type(native.handle(item)) != pdfium.FPDF_PAGEOBJ_FORM
        )
    finally:
        for item, mode in letters.items():
            native.set_mode(item, mode)


def _stands_out(looker: Looker, whole: _Picture, shapes: _Picture, box: Rect) -> bool:
    """True if the page differs in colour within the letters and around them."""
    x0, x1, y0, y1 = looker.pixels(box)
    within: list[bytes] = []
    around: list[bytes] = []
    for row in range(y0, y1):
        at = row * whole.stride
        for pixel in range(at + 3 * x0, at + 3 * x1, 3):
            if min(shapes.data[pixel : pixel + 3]) < 100:
                within.append(whole.data[pixel : pixel + 3])
            elif min(shapes.data[pixel : pixel + 3]) > 230:
                around.append(whole.data[pixel : pixel + 3])
    if not within or not around:
        return has_ink(looker, whole, box)
    return any(
        abs(
            sum(pixel[channel] for pixel in within) / len(within)
            - sum(pixel[channel] for pixel in around) / len(around)
        )
        >= 2 * NOTICED
        for channel in range(3)
    )


def has_ink(looker: Looker, picture: _Picture, box: Rect) -> bool:
    """True if a part of the page is not of one colour."""
    x0, x1, y0, y1 = looker.pixels(box)
    if x1 <= x0 or y1 <= y0:
        return False
    for channel in range(3):
        rows = [
            picture.data[row * picture.stride + 3 * x0 + channel : row * picture.stride + 3 * x1 : 3]
            for row in range(y0, y1)
        ]
        if max(map(max, rows)) - min(map(min, rows)) >= 2 * NOTICED:
            return True
    return False


def _share_left(looker: Looker, whole: _Picture, bare: _Picture, box: Rect) -> float:
    """Which share of a glyph's box, by height and by width, differs between two pictures, at least in one colour."""
    x0, x1, y0, y1 = looker.pixels(box)
    if x1 <= x0 or y1 <= y0:
        return 0.0
    tall, wide = max((box[3] - box[1]) * looker.scale, 1.0), max((box[2] - box[0]) * looker.scale, 1.0)
    most = 0.0
    for channel in (1, 0, 2):
        left, right, rows = x1, x0, 0
        for row in range(y0, y1):
            start, end = row * whole.stride + 3 * x0 + channel, row * whole.stride + 3 * x1
            ours, theirs = whole.data[start:end:3], bare.data[start:end:3]
            if ours == theirs:
                continue
            marked = [x for x, (a, b) in enumerate(zip(ours, theirs, strict=True), x0) if abs(a - b) >= NOTICED]
            if marked:
                rows += 1
                left, right = min(left, marked[0]), max(right, marked[-1] + 1)
                share: float = min(rows / tall, (right - left) / wide)
                if share >= LEGIBLE:
                    return share
                most = max(most, share)
    return most


def _layered(glyphs: Sequence[Glyph]) -> list[list[Glyph]]:
    """The glyphs in layers, such that text objects that lie over one another are left out one at a time."""
    bounds: dict[int, Rect] = {}
    for glyph in glyphs:
        bounds[glyph.item] = around([glyph.box, bounds.get(glyph.item, glyph.box)])
    layer: dict[int, int] = {}
    ranked = sorted(bounds, key=lambda item: bounds[item][1])
    for position, item in enumerate(ranked):
        x0, y0, x1, y1 = bounds[item]
        taken = set()
        for other in reversed(ranked[max(position - 80, 0) : position]):
            u0, v0, u1, v1 = bounds[other]
            if min(x1, u1) - max(x0, u0) > 0.3 and min(y1, v1) - max(y0, v0) > 0.3:
                taken.add(layer[other])
        layer[item] = next((free for free in range(_LAYERS) if free not in taken), _LAYERS - 1)
    found: list[list[Glyph]] = [[] for _ in range(_LAYERS)]
    for glyph in glyphs:
        found[layer[glyph.item]].append(glyph)
    return [part for part in found if part]


_MOST_PAIRS = 500_000
"""Where more pairs of a word and something painted would have to be compared, all words are looked at."""
_NEIGHBOURS = 60
"""A word left of whose end so many others begin is looked at."""


def find_unseen(
    looking: Callable[[float, Rect], Looker],
    placement: Placement,
    characters: Characters,
    suspects: Sequence[Run],
    scene: Scene,
) -> dict[int, HiddenReason]:
    """Which characters of some runs nobody sees, by their place in the text, and why.

    Where the page cannot be looked at (it is too large, or looks at this document have taken too long already), all of
    them are kept apart as `unchecked`: what something may hide is no evidence, and a warning says what is missing.
    """
    words = [word for run in suspects for word in _words(characters, run, placement)]
    if len(words) * len(scene.painted) <= _MOST_PAIRS:
        mixed = _over_one_another(words)
        words = [word for at, word in enumerate(words) if at in mixed or not _surely_shows(scene, placement, word)]
    if not words:
        return {}
    glyphs = [glyph for word in words for glyph in word.glyphs]
    letters = {
        glyph.item for glyph in glyphs if scene.text_clips and native.object_mode(native.handle(glyph.item)) == 7
    }
    looker = looking(median(word.size for word in words), around([word.box for word in words]))
    seen = seen_glyphs(looker, glyphs, dict.fromkeys(letters, 7))
    unseen: dict[int, HiddenReason] = {}
    for word in words:
        shares = [seen.get(glyph.at, 0.0) for glyph in word.glyphs] if seen is not None else [0.0] * len(word.glyphs)
        legible = any(share >= LEGIBLE for share in shares)
        for place, glyph, share in zip(word.places, word.glyphs, shares, strict=True):
            if not legible or not share:
                unseen[place] = "unchecked" if seen is None else _reason(scene, glyph)
    boxes = {place: glyph.box for word in words for place, glyph in zip(word.places, word.glyphs, strict=True)}
    return _without_drawn_symbols(looker, characters, unseen, boxes)


class _Word(NamedTuple):
    """A word of a run."""

    places: list[int]
    """Where its characters are in the text of the page."""
    glyphs: list[Glyph]
    box: Rect
    run: int
    """Where its run begins in that text."""
    size: float


def _surely_shows(scene: Scene, placement: Placement, word: _Word) -> bool:
    """True if the rules tell that one sees all of a word."""
    whole = len({glyph.item for glyph in word.glyphs}) == 1
    pieces = [(word.glyphs[0].item, word.box)] if whole else [(glyph.item, glyph.box) for glyph in word.glyphs]
    return all(surely_shows(scene, placement, item, box) for item, box in pieces)


def _over_one_another(words: Sequence[_Word]) -> set[int]:
    """Words that share their place with one of another run; their positions."""
    found: set[int] = set()
    ranked = sorted(range(len(words)), key=lambda at: words[at].box[0])
    for position, at in enumerate(ranked):
        word = words[at]
        for count, following in enumerate(ranked[position + 1 : position + 2 + _NEIGHBOURS]):
            other = words[following]
            if other.box[0] >= word.box[2]:
                break
            mixed = overlaps(word.box, other.box) or overlaps(other.box, word.box)
            if count == _NEIGHBOURS or (other.run != word.run and mixed):
                found |= {at, following}
    return found


def _without_drawn_symbols(
    looker: Looker, characters: Characters, unseen: dict[int, HiddenReason], boxes: Mapping[int, Rect]
) -> dict[int, HiddenReason]:
    """What is unseen, but for boxes and ticks that are drawn as shapes and only named by text."""
    symbols = [place for place in unseen if unicodedata.category(characters.text[place]) == "So"]
    picture = looker.picture() if symbols else None
    if picture is None:
        return unseen
    drawn = {place for place in symbols if has_ink(looker, picture, boxes[place])}
    return {place: reason for place, reason in unseen.items() if place not in drawn}


def outside_picture(looker: Looker, suspects: Sequence[Run]) -> dict[int, HiddenReason]:
    """Which characters of the text layer of a scan stand where its picture shows nothing, by their place."""
    picture = looker.picture()
    unseen: dict[int, HiddenReason] = {}
    for run in suspects:
        if picture is None or not has_ink(looker, picture, run.place):
            reason: HiddenReason = "unchecked" if picture is None else "render_mode"
            unseen.update(dict.fromkeys(range(run.start, run.stop), reason))
    return unseen


def window(runs: Sequence[Run]) -> Rect:
    """The part of the page that some runs take up."""
    return around([run.place for run in runs])


def _words(characters: Characters, run: Run, placement: Placement) -> Iterator[_Word]:
    places: list[int] = []
    glyphs: list[Glyph] = []
    for place in range(run.start, run.stop + 1):
        if place == run.stop or characters.text[place].isspace():
            if places:
                yield _Word(places, glyphs, around([glyph.box for glyph in glyphs]), run.start, run.size)
            places, glyphs = [], []
            continue
        index = characters.indexes[place]
        item = native.text_object_at(characters.text_page, index)
        box = native.tight_box(characters.text_page, index)
        if item is None or box is None:
            continue
        places.append(place)
        glyphs.append(Glyph(index, item, placement.show(*box)))


def _reason(scene: Scene, glyph: Glyph) -> HiddenReason:
    reason = scene.odd.get(glyph.item, "no_contrast" if glyph.item in scene.pale else None)
    if reason is not None:
        return reason
    return "covered" if covers(scene, glyph.item, glyph.box) else "no_contrast"
