"""The objects of a page in the order in which they are painted: what may keep a text from being seen."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import repeat
from typing import NamedTuple, TypeAlias

import pypdfium2.raw as pdfium

from spanwise.domain.document import HiddenReason
from spanwise.readers.pdf import native
from spanwise.readers.pdf.actual import says_something
from spanwise.readers.pdf.placement import Placement, Rect

Matrix: TypeAlias = tuple[float, float, float, float, float, float]

_DEEPEST = 8
_MOST_OBJECTS = 200_000
_MOST_PAIRS = 5_000_000
"""On a page with more pairs of a text and something that is painted, all text is looked at instead."""
_LIGHT = 236
"""White paper and a colour whose channels are all above this look the same."""
_OPAQUE = 0.3 * 255
_THIN = 2.0
"""A bar that is thinner cannot hide a line of text, unless it is one of many."""
_DENSE = 0.35
"""The share of an area that bars have to fill to hide what is under them; the rules of a table fill far less."""
_HATCH = 4
"""So many thin bars within the height of a line may hide it together."""
_CONTRAST = 30
"""Colours further apart than this, in one channel of 255, can be told apart without a look."""
_PATTERN = 191, 191, 191
"""What pdfium says for the colour of a pattern of tiles."""
_UNDRAWN = frozenset({pdfium.FPDF_ANNOT_LINK, pdfium.FPDF_ANNOT_POPUP})
"""Annotations that are not drawn unless they say how."""
_LAST = 1 << 60


class Painted(NamedTuple):
    """Something on the page that is not plain text, as displayed."""

    order: int
    rect: Rect
    colour: native.Colour | None
    """Its only colour; None where there are several, or it lets shine through what is below."""


@dataclass(slots=True)
class Scene:
    """What is painted on a page, as far as it bears on whether its text can be seen."""

    painted: list[Painted] = field(default_factory=list)
    images: list[Rect] = field(default_factory=list)
    odd: dict[int, HiddenReason] = field(default_factory=dict)
    """Text objects that are not drawn in full in one plain colour, and why one would not see them."""
    actual: list[int] = field(default_factory=list)
    """Text objects that the file gives another text for."""
    order: dict[int, int] = field(default_factory=dict)
    """Where each text object comes in the order of painting."""
    colours: set[native.Colour] = field(default_factory=set)
    """The fills of all text that is not odd."""
    whole: bool = True
    """False where the page has more objects than are looked at."""
    text_clips: bool = False
    """Letters are used as a clip, so that what they show is painted by something else."""

    def picture(self, placement: Placement) -> Rect | None:
        """What pictures of at least half the page cover, together with the strips that scanners cut a page into."""
        wide, high = placement.width, placement.height
        whole = [(max(x0, 0.0), max(y0, 0.0), min(x1, wide), min(y1, high)) for x0, y0, x1, y1 in self.images]
        shown = [rect for rect in whole if rect[2] > rect[0] and rect[3] > rect[1]]
        if not shown or sum((x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in shown) < 0.5 * wide * high:
            return None
        return (
            min(rect[0] for rect in shown),
            min(rect[1] for rect in shown),
            max(rect[2] for rect in shown),
            max(rect[3] for rect in shown),
        )


def survey(page: int, placement: Placement, *, layers: bool) -> Scene:
    """Look through the objects of a page; `layers` says that the file has layers which may be off."""
    survey = _Survey(placement, layers)
    survey.add(native.objects(page), _Form(None, None, None), 0)
    survey.add_annotations(page)
    survey.add_hatches()
    return survey.scene


class _Form(NamedTuple):
    """What a form on the page does to the objects in it; the page itself does nothing."""

    matrix: Matrix | None
    doubt: HiddenReason | None
    """Why one may not see anything in it."""
    clip: Rect | None
    """What can be seen of it, in page space."""


class _Survey:
    """Goes through the objects of a page and of the forms on it, once, with as few calls as possible."""

    def __init__(self, placement: Placement, layers: bool) -> None:
        self.scene = Scene()
        self.placement = placement
        self.layers = layers
        self.at = 0
        self.clips: dict[tuple[int, ...], Rect | None] = {}
        self.marks: dict[int, tuple[bool, bool]] = {}
        self.bars: list[tuple[int, Rect]] = []

    def add(self, items: Sequence[int], form: _Form, depth: int) -> None:
        """Add objects in their order, of the page or of a form on it."""
        if depth > _DEEPEST or self.at + len(items) > _MOST_OBJECTS:
            self.scene.whole = False
            return
        kinds = bytes(map(native.object_type, items))
        texts = [item for item, kind in zip(items, kinds, strict=True) if kind == _TEXT]
        if texts:
            self._add_texts(texts, form)
        start = self.at
        self.at += len(items)
        if len(texts) == len(items):
            self.scene.order.update(zip(items, range(start, self.at), strict=True))
            return
        order = range(start, self.at)
        self.scene.order.update((item, at) for item, kind, at in zip(items, kinds, order, strict=True) if kind == _TEXT)
        self._add_paths([(at, item) for at, item in zip(order, items, strict=True) if kinds[at - start] == _PATH], form)
        for at, item in zip(order, items, strict=True):
            kind = kinds[at - start]
            if kind == _FORM:
                self._add_form(item, form, depth)
            elif kind not in _DRAWN:
                rect = self._shown(item, form.matrix)
                if rect is not None:
                    self.scene.painted.append(Painted(at, rect, None))
                    if kind == _IMAGE:
                        self.scene.images.append(rect)

    def _add_texts(self, texts: Sequence[int], form: _Form) -> None:
        """Sort out the text objects that may not be seen as they are."""
        odd = self._in_doubt(texts, form)
        for item in odd:
            rect = self._shown(item, form.matrix)
            if rect is not None:
                self.scene.painted.append(Painted(self.at, rect, None))
        self.scene.odd.update(odd)

    def _in_doubt(self, texts: Sequence[int], form: _Form) -> dict[int, HiddenReason]:
        scene = self.scene
        odd: dict[int, HiddenReason] = {}
        if form.doubt is not None:
            odd.update(dict.fromkeys(texts, form.doubt))
        elif form.clip is not None and not _is_within(_around(native.boxes(texts), form.matrix), form.clip):
            boxes = ((item, _moved(native.bounds(item), form.matrix)) for item in texts)
            odd.update({item: "clipped" for item, box in boxes if box is None or not _is_within(box, form.clip)})
        fills = native.fill_colours(texts)
        pale = {fill for fill in set(fills) if not _is_plain(fill)}
        scene.colours.update(set(fills) - pale)
        if pale:
            odd.update({item: _paleness(fill) for item, fill in zip(texts, fills, strict=True) if fill in pale})
        modes = bytes(mode & 7 for mode in map(native.object_mode, texts))
        if any(modes):
            odd.update({item: _by_mode(mode) for item, mode in zip(texts, modes, strict=True) if mode})
            scene.text_clips = scene.text_clips or max(modes) > 3
        if scene.text_clips:  # What comes after them may be clipped by them; no call tells.
            odd.update(dict.fromkeys((item for item in texts if item not in odd), "clipped"))
        counts = list(map(native.clip_paths, map(native.clip_of, texts)))
        if max(counts) > 0:
            clipped = (item for item, count in zip(texts, counts, strict=True) if count > 0 and self._is_clipped(item))
            odd.update(dict.fromkeys(clipped, "clipped"))
        clear = bytes(map(native.is_transparent, texts))
        if any(clear):
            odd.update({item: "transparent" for item, is_clear in zip(texts, clear, strict=True) if is_clear})
        marked = list(map(native.count_marks, texts))
        if max(marked) > 0:
            self._read_marks(texts, marked, odd)
        return odd

    def _read_marks(self, texts: Sequence[int], counts: Sequence[int], odd: dict[int, HiddenReason]) -> None:
        for item, count in zip(texts, counts, strict=True):
            for at in range(min(count, 32)):
                mark = native.mark_at(item, at)
                known = self.marks.get(mark)
                if known is None:
                    known = self.marks[mark] = native.is_layer(mark), says_something(native.actual_text(mark))
                if known[0]:
                    odd[item] = "layer"
                if known[1]:
                    self.scene.actual.append(item)

    def _is_clipped(self, item: int) -> bool:
        """True unless an object is surely within its clip."""
        key = native.clip_key(item)
        if key not in self.clips:
            self.clips[key] = native.clip_rectangle(item)
        clip, box = self.clips[key], native.bounds(item)
        return clip is None or box is None or not _is_within(box, clip)

    def _add_paths(self, paths: Sequence[tuple[int, int]], form: _Form) -> None:
        """Keep the areas and thick lines that may hide a text or be the ground of one."""
        boxes = native.boxes([item for _, item in paths])
        if form.matrix is not None:
            boxes = [_moved(box, form.matrix) or box for box in boxes]
        for (at, item), box in zip(paths, boxes, strict=True):
            thickness = min(box[2] - box[0], box[3] - box[1])
            if thickness < _THIN:
                self.bars.append((at, box))
                continue
            fills, strokes = native.path_paints(item)
            colour = None
            if fills:
                colour = self._one_colour(item, strokes=strokes)
            elif not strokes:
                continue
            else:
                a, b, c, d, _, _ = _multiplied(native.object_matrix(item), form.matrix)
                width = native.stroke_width(item) * max(math.hypot(a, b), math.hypot(c, d))
                if width < _THIN and native.path_segments(item) <= 4 * _HATCH:
                    if thickness < _THIN + 2:
                        self.bars.append((at, box))
                    continue
            self.scene.painted.append(Painted(at, self.placement.show(*box), colour))

    def _one_colour(self, item: int, *, strokes: bool) -> native.Colour | None:
        colour = native.fill_colour(item)
        several = strokes or colour[3] < 255 or colour[:3] == _PATTERN or native.is_transparent(item)
        return None if several else colour

    def _add_form(self, item: int, outer: _Form, depth: int) -> None:
        count = max(native.form_objects(item), 0)
        if not count:
            return
        doubt, clip = outer.doubt, outer.clip
        if native.is_transparent(item):
            doubt = doubt or "transparent"
        elif self.layers:
            doubt = doubt or "layer"
        elif native.clip_paths(native.clip_of(item)) > 0:
            own = _moved(native.clip_rectangle(item), outer.matrix)
            if own is None or (outer.matrix and outer.matrix[1] * outer.matrix[0]):
                doubt = doubt or "clipped"
            elif clip is None:
                clip = own
            else:
                clip = max(clip[0], own[0]), max(clip[1], own[1]), min(clip[2], own[2]), min(clip[3], own[3])
        items = [part for part in map(native.form_object, repeat(item), range(count)) if part]
        self.add(items, _Form(_multiplied(native.object_matrix(item), outer.matrix), doubt, clip), depth + 1)

    def add_annotations(self, page: int) -> None:
        """Add what is drawn over the page: notes, stamps, boxes, fields."""
        for position in range(min(max(native.count_annotations(page), 0), 10_000)):
            annotation = native.annotation_at(page, position)
            if not annotation:
                continue
            if native.annotation_kind(annotation) not in _UNDRAWN or native.has_appearance(annotation):
                rect = self.placement.show(*native.annotation_box(annotation))
                self.scene.painted.append(Painted(_LAST, rect, None))
            native.close_annotation(annotation)

    def add_hatches(self) -> None:
        """Add thin bars where so many lie together that they may hide a line."""
        for low, high in ((1, 3), (0, 2)):
            bars = sorted(
                (bar for bar in self.bars if bar[1][high] - bar[1][low] < _THIN + 2), key=lambda bar: bar[1][low]
            )
            for hatch in _crowds(bars, low):
                lefts, bottoms, rights, tops = zip(*(box for _, box in hatch), strict=True)
                around = min(lefts), min(bottoms), max(rights), max(tops)
                ink = sum((box[2] - box[0]) * (box[3] - box[1]) for _, box in hatch)
                if ink > _DENSE * (around[2] - around[0]) * (around[3] - around[1]):
                    self.scene.painted.append(Painted(max(at for at, _ in hatch), self.placement.show(*around), None))

    def _shown(self, item: int, matrix: Matrix | None) -> Rect | None:
        box = _moved(native.bounds(item), matrix)
        return None if box is None else self.placement.show(*box)


_TEXT, _PATH = pdfium.FPDF_PAGEOBJ_TEXT, pdfium.FPDF_PAGEOBJ_PATH
_IMAGE, _FORM = pdfium.FPDF_PAGEOBJ_IMAGE, pdfium.FPDF_PAGEOBJ_FORM
_DRAWN = frozenset({_TEXT, _PATH, _FORM})


def shows_something(scene: Scene) -> bool:
    """True if a page shows pictures or drawings, other than rules and what is white."""
    return any(
        painted.colour is None or min(painted.colour[:3]) < _LIGHT for painted in scene.painted if painted.order < _LAST
    )


def doubtful(scene: Scene, boxes: Sequence[tuple[int, Rect]]) -> set[int]:
    """Which of some pieces of text (their text object and their box) may not be seen; their positions."""
    found = {at for at, (item, _) in enumerate(boxes) if item in scene.odd}
    order = scene.order
    first = min((order.get(item, 0) for item, _ in boxes), default=0)
    near = {colour: _is_near(colour, scene.colours) for colour in {one.colour for one in scene.painted} if colour}
    painted = [one for one in scene.painted if one.colour is None or one.order > first or near[one.colour]]
    if not scene.whole or len(painted) * len(boxes) > _MOST_PAIRS:
        return set(range(len(boxes)))
    if painted:
        bands = _banded(boxes)
        for one in painted:
            for at in _in_bands(bands, one.rect):
                item, box = boxes[at]
                if (
                    at not in found
                    and _overlaps(one.rect, box)
                    and (
                        one.colour is None
                        or one.order > order.get(item, 0)
                        or (item != 0 and near[one.colour] and _is_near(one.colour, (native.fill_colour(item),)))
                    )
                ):
                    found.add(at)
    found.update(_over_one_another(boxes))
    return found


def covers(scene: Scene, item: int, box: Rect) -> bool:
    """True if something that is painted after a text object lies over a part of it."""
    order = scene.order.get(item, 0)
    return any(one.order > order and _overlaps(one.rect, box) for one in scene.painted)


_BAND = 12.0


def _banded(boxes: Sequence[tuple[int, Rect]]) -> dict[int, list[int]]:
    bands: dict[int, list[int]] = {}
    for at, (_, box) in enumerate(boxes):
        for band in range(int(box[1] // _BAND), int(min(box[3], box[1] + 1_000) // _BAND) + 1):
            bands.setdefault(band, []).append(at)
    return bands


def _in_bands(bands: dict[int, list[int]], rect: Rect) -> Iterator[int]:
    first, last = int(max(rect[1], -1e6) // _BAND), int(min(rect[3], 1e6) // _BAND)
    if last - first > len(bands):
        for at in bands.values():
            yield from at
    else:
        for band in range(first, last + 1):
            yield from bands.get(band, ())


def _overlaps(cover: Rect, box: Rect) -> bool:
    """True if enough of a text lies within a rectangle to make a letter of it illegible."""
    wide = min(cover[2], box[2]) - max(cover[0], box[0])
    high = min(cover[3], box[3]) - max(cover[1], box[1])
    return wide > min(1.0, 0.3 * (box[2] - box[0])) and high > min(0.25 * (box[3] - box[1]), _THIN)


def _over_one_another(boxes: Sequence[tuple[int, Rect]]) -> Iterable[int]:
    """Pieces of text that are set over one another."""
    ranked = sorted(range(len(boxes)), key=lambda at: boxes[at][1][1])
    for position, at in enumerate(ranked):
        left, top, right, bottom = boxes[at][1]
        reach = bottom - 0.35 * (bottom - top)
        for following in range(position + 1, min(position + 60, len(ranked))):
            other = boxes[ranked[following]][1]
            if other[1] > reach:
                break
            if min(right, other[2]) - max(left, other[0]) > 2.0 and (
                min(bottom, other[3]) - other[1] > 0.35 * (other[3] - other[1])
            ):
                yield at
                yield ranked[following]


def _is_plain(fill: native.Colour) -> bool:
    """True for a colour that is opaque enough and not near to white."""
    return min(fill[:3]) < _LIGHT and fill[3] > _OPAQUE and fill[:3] != _PATTERN


def _paleness(fill: native.Colour) -> HiddenReason:
    return "transparent" if 0 < fill[3] <= _OPAQUE else "no_contrast"


def _by_mode(mode: int) -> HiddenReason:
    return "render_mode" if mode in (3, 7) else "no_contrast"


def _is_near(colour: native.Colour, others: Iterable[native.Colour]) -> bool:
    red, green, blue, _ = colour
    return any(
        abs(red - other[0]) < _CONTRAST and abs(green - other[1]) < _CONTRAST and abs(blue - other[2]) < _CONTRAST
        for other in others
    )


def _crowds(bars: Sequence[tuple[int, Rect]], edge: int) -> Iterator[Sequence[tuple[int, Rect]]]:
    """Stretches of bars, in the order of one edge, that lie so near to each other that they may hide a line."""
    start = 0
    for at in range(1, len(bars) + 1):
        if at == len(bars) or bars[at][1][edge] - bars[at - 1][1][edge] > 10 / _HATCH:
            if len({round(2 * box[edge]) for _, box in bars[start:at]}) >= _HATCH:
                yield bars[start:at]
            start = at


def _moved(box: Rect | None, matrix: Matrix | None) -> Rect | None:
    """The upright rectangle around a rectangle of a form, in page space."""
    if box is None or matrix is None or math.inf in box:
        return box
    a, b, c, d, e, f = matrix
    corners = [(a * x + c * y + e, b * x + d * y + f) for x in (box[0], box[2]) for y in (box[1], box[3])]
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    return min(xs), min(ys), max(xs), max(ys)


def _around(boxes: Sequence[Rect], matrix: Matrix | None) -> Rect:
    """The upright rectangle around some rectangles of a form, in page space."""
    lefts, bottoms, rights, tops = zip(*boxes, strict=True)
    around = min(lefts), min(bottoms), max(rights), max(tops)
    return _moved(around, matrix) or around


def _is_within(box: Rect, clip: Rect) -> bool:
    """True if a text lies within a clip, but for what fonts leave free around their letters."""
    left, bottom, right, top = box
    slack = min(0.2 * (top - bottom), 3.0)
    return left >= clip[0] - slack and bottom >= clip[1] - slack and right <= clip[2] + slack and top <= clip[3] + slack


def _multiplied(inner: Matrix, outer: Matrix | None) -> Matrix:
    if outer is None:
        return inner
    a, b, c, d, e, f = inner
    g, h, i, j, k, m = outer
    return a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m
