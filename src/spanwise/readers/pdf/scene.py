"""The objects of a page in the order in which they are painted: what may keep a text from being seen."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import cached_property
from itertools import compress
from typing import NamedTuple, TypeAlias

import pypdfium2.raw as pdfium

from spanwise.domain.document import HiddenReason
from spanwise.readers.invisible import NOTICED
from spanwise.readers.pdf import native
from spanwise.readers.pdf.characters import says_something
from spanwise.readers.pdf.placement import Placement, Rect, around

Matrix: TypeAlias = tuple[float, float, float, float, float, float]
Order: TypeAlias = tuple[int, ...]
"""When something is painted: its place on the page, and within a form its place there, and so on."""

_DEEPEST = 8
_MOST_OBJECTS = 200_000
_MOST_PAIRS = 5_000_000
"""On a page with more pairs of a text and something that is painted, all text is looked at instead."""
_LIGHT = 256 - NOTICED
"""White paper and a colour whose channels are all at least this look the same."""
_OPAQUE = 0.3 * 255
_THIN = 2.0
"""A bar that is thinner cannot hide a line of text, unless it is one of many."""
_DENSE = 0.35
"""The share of an area that bars have to fill to hide what is under them; the rules of a table fill far less."""
_HATCH = 4
"""So many thin bars within the height of a line may hide it together."""
_CONTRAST = 1.25 * NOTICED
"""Colours further apart than this, in one channel of 255, can be told apart without a look."""
_PATTERN = 191, 191, 191
"""What pdfium says for the colour of a pattern of tiles."""
_UNDRAWN = frozenset({pdfium.FPDF_ANNOT_LINK, pdfium.FPDF_ANNOT_POPUP})
"""Annotations that are not drawn unless they say how."""
_Bar: TypeAlias = tuple[Rect, Order, int]
"""A thin path: its box, when what holds it is painted, and its place there."""
_FIRST: Order = (0,)
_LAST: Order = (1 << 60,)


class Painted(NamedTuple):
    """Something on the page that is not plain text, as displayed."""

    order: Order
    rect: Rect
    colour: native.Colour | None
    """Its only colour, or one of its two; None where one cannot tell, or it lets shine through what is below."""
    item: int = 0
    """The object, where it is a pale text, or a path that paints its inside evenly and nothing cuts off."""


@dataclass
class Scene:
    """What is painted on a page, as far as it bears on whether its text can be seen."""

    painted: list[Painted] = field(default_factory=list)
    images: list[Rect] = field(default_factory=list)
    odd: dict[int, HiddenReason] = field(default_factory=dict)
    """Text objects that are not drawn in full in one plain colour, and why one would not see them."""
    pale: set[int] = field(default_factory=set)
    """Text objects near to white, which show on a dark ground only."""
    even: dict[int, bool] = field(default_factory=dict)
    """Whether a path fills the whole of its box, of those that were asked about."""
    actual: list[int] = field(default_factory=list)
    """Text objects that the file gives another text for."""
    drawn_texts: dict[int, tuple[str, int]] = field(default_factory=dict)
    """Texts that the file gives for what is drawn without letters, by their marks, each with the first object of it."""
    stretches: list[tuple[Sequence[int], Order]] = field(default_factory=list)
    """The objects of the page or of a form, and when that form is painted."""
    colours: set[native.Colour] = field(default_factory=set)
    """The fills of all text that is not odd."""
    thin: list[Rect] = field(default_factory=list)
    """Rules: thin bars, and the edges of frames, in page space."""
    whole: bool = True
    """False where the page has more objects than are looked at."""
    text_clips: bool = False
    """Letters are used as a clip, so that what they show is painted by something else."""

    @cached_property
    def order(self) -> Mapping[int, Order]:
        """Where each object comes in the order of painting."""
        return self.order_of(None)

    def order_of(self, wanted: AbstractSet[int] | None) -> Mapping[int, Order]:
        """Where some objects come in the order of painting, or all of them."""
        return {
            item: (*start, at)
            for items, start in self.stretches
            for at, item in enumerate(items)
            if wanted is None or item in wanted
        }

    def picture(self, placement: Placement) -> Rect | None:
        """What pictures of at least half the page cover, together with the strips that scanners cut a page into."""
        wide, high = placement.width, placement.height
        whole = [(max(x0, 0.0), max(y0, 0.0), min(x1, wide), min(y1, high)) for x0, y0, x1, y1 in self.images]
        shown = [rect for rect in whole if rect[2] > rect[0] and rect[3] > rect[1]]
        if not shown or sum((x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in shown) < 0.5 * wide * high:
            return None
        return around(shown)


def survey(page: int, placement: Placement, *, layers: bool, blends: bool) -> Scene:
    """Look through the objects of a page whose file has layers, which may be off, or blends more than by opacity."""
    survey = _Survey(placement, layers, blends)
    survey.add(native.objects(page), _Form((), None, None, None))
    survey.add_annotations(page)
    survey.add_hatches()
    survey.scene.thin += [box for box, _, _ in survey.bars]
    return survey.scene


class _Form(NamedTuple):
    """What a form on the page does to the objects in it; the page itself does nothing."""

    order: Order
    """When it is painted."""
    matrix: Matrix | None
    doubt: HiddenReason | None
    """Why one may not see anything in it."""
    clip: Rect | None
    """What can be seen of it, in page space."""


class _Survey:
    """Goes through the objects of a page and of the forms on it, once, with as few calls as possible."""

    def __init__(self, placement: Placement, layers: bool, blends: bool) -> None:
        self.scene = Scene()
        self.placement = placement
        self.layers = layers
        self.blends = blends
        self.count = 0
        self.clips: dict[tuple[int, ...], Rect | None] = {}
        self.marks: dict[int, tuple[bool, bool]] = {}
        self.bars: list[_Bar] = []

    def add(self, items: Sequence[int], form: _Form) -> None:
        """Add objects in their order, of the page or of a form on it."""
        self.count += len(items)
        if len(form.order) > _DEEPEST or self.count > _MOST_OBJECTS:
            self.scene.whole = False
            return
        self.scene.stretches.append((items, form.order))
        if not items:
            return
        handles = native.handles(items)
        modes = list(map(native.object_mode, handles))  # Only a text has a mode.
        if min(modes) >= 0:
            self._add_texts(items, handles, modes, form)
            return
        is_text = [mode >= 0 for mode in modes]
        if any(is_text):
            texts, their_handles = list(compress(items, is_text)), list(compress(handles, is_text))
            self._add_texts(texts, their_handles, [mode for mode in modes if mode >= 0], form)
        self._add_others([at for at, mode in enumerate(modes) if mode < 0], items, handles, form)

    def _add_others(
        self, places: Sequence[int], items: Sequence[int], handles: Sequence[native.Handle], form: _Form
    ) -> None:
        """Add what is no text: paths, pictures, forms, shadings."""
        kinds = [native.object_type(handles[at]) for at in places]
        self._read_texts_of_drawings(places, items, handles)
        self._add_paths([at for at, kind in zip(places, kinds, strict=True) if kind == _PATH], items, handles, form)
        for at, kind in zip(places, kinds, strict=True) if any(kind != _PATH for kind in kinds) else ():
            if kind == _FORM:
                self._add_form(items[at], form, (*form.order, at))
            elif kind != _PATH and (rect := self._shown(items[at], form.matrix)) is not None:
                self.scene.painted.append(Painted((*form.order, at), rect, None))
                if kind == _IMAGE:
                    self.scene.images.append(rect)

    def _read_texts_of_drawings(
        self, places: Sequence[int], items: Sequence[int], handles: Sequence[native.Handle]
    ) -> None:
        """Look at the innermost marks of what is no text: it may be given one."""
        for at, count in zip(places, [native.count_marks(handles[at]) for at in places], strict=True):
            if 0 < count <= native.MOST_MARKS:
                mark = native.mark_at(handles[at], count - 1)
                if mark not in self.marks:
                    said = native.actual_text(mark)
                    self.marks[mark] = self.layers and native.is_layer(mark), says_something(said)
                    if self.marks[mark][1]:
                        self.scene.drawn_texts[mark] = said, items[at]

    def _add_texts(
        self, texts: Sequence[int], handles: Sequence[native.Handle], modes: Sequence[int], form: _Form
    ) -> None:
        """Sort out the text objects that may not be seen as they are."""
        odd, pale = self._in_doubt(texts, handles, modes, form)
        for item in pale:
            if item not in odd:
                rect = self._shown(item, form.matrix)
                if rect is None:
                    odd[item] = "no_contrast"
                else:
                    self.scene.painted.append(Painted(form.order, rect, None, item))
        for item in odd:
            rect = self._shown(item, form.matrix)
            if rect is not None:
                self.scene.painted.append(Painted(form.order, rect, None))
        self.scene.odd.update(odd)
        self.scene.pale.update(pale)

    def _in_doubt(
        self, texts: Sequence[int], handles: Sequence[native.Handle], modes: Sequence[int], form: _Form
    ) -> tuple[dict[int, HiddenReason], list[int]]:
        """Text objects of which only a look tells whether one sees them, and those that show on a dark ground only."""
        scene = self.scene
        odd: dict[int, HiddenReason] = {}
        if form.doubt is not None:
            odd.update(dict.fromkeys(texts, form.doubt))
        elif form.clip is not None:
            boxes = native.boxes(handles)
            all_of_them = around(boxes)
            if not _is_within(_moved(all_of_them, form.matrix) or all_of_them, form.clip):
                moved = (_moved(box, form.matrix) for box in boxes)
                within = [box is not None and _is_within(box, form.clip) for box in moved]
                odd.update({item: "clipped" for item, inside in zip(texts, within, strict=True) if not inside})
        fills = native.fill_colours(handles)
        known = {fills[0]} if fills.count(fills[0]) == len(fills) else set(fills)
        faint = {fill for fill in known if not _is_plain(fill)}
        scene.colours.update(known - faint)
        pale: list[int] = []
        if faint:
            white = {fill for fill in faint if _is_solid(fill)}
            pale = [item for item, fill in zip(texts, fills, strict=True) if fill in white]
            faint -= white
            odd.update({item: _paleness(fill) for item, fill in zip(texts, fills, strict=True) if fill in faint})
        if any(modes):
            odd.update({item: _by_mode(mode & 7) for item, mode in zip(texts, modes, strict=True) if mode})
            scene.text_clips = scene.text_clips or any(mode & 7 > 3 for mode in modes)
        if scene.text_clips:  # What comes after them may be clipped by them; no call tells.
            odd.update(dict.fromkeys((item for item in texts if item not in odd), "clipped"))
        counts = list(map(native.clip_paths, native.handles(map(native.clip_of, handles))))
        if max(counts) > 0:
            clipped = (item for item, count in zip(texts, counts, strict=True) if count > 0 and self._is_clipped(item))
            odd.update(dict.fromkeys(clipped, "clipped"))
        # Without blending, what shines through has a fill that says so: one call less for each text.
        clear: Sequence[int | bool] = (
            list(map(native.is_transparent, handles))
            if self.blends
            else [fill[3] < 255 for fill in fills]
            if any(fill[3] < 255 for fill in known)
            else ()
        )
        if any(clear):
            odd.update({item: "transparent" for item, is_clear in zip(texts, clear, strict=True) if is_clear})
        counts = list(map(native.count_marks, handles))
        for position in range(min(max(counts), native.MOST_MARKS)):
            marked = [count > position for count in counts]
            self._read_marks(list(compress(texts, marked)), list(compress(handles, marked)), position, odd)
        return odd, pale

    def _read_marks(
        self, texts: Sequence[int], handles: Sequence[native.Handle], position: int, odd: dict[int, HiddenReason]
    ) -> None:
        """Look at one mark of each of some text objects: a layer that may be off, or a text in place of the glyphs."""
        marks = native.marks_at(handles, position)
        met = set(marks)
        for mark in met.difference(self.marks):
            self.marks[mark] = self.layers and native.is_layer(mark), says_something(native.actual_text(mark))
        telling = {mark for mark in met if any(self.marks[mark])}
        for item, mark in zip(texts, marks, strict=True) if telling else ():
            if mark in telling:
                in_layer, says = self.marks[mark]
                if in_layer:
                    odd[item] = "layer"
                if says:
                    self.scene.actual.append(item)

    def _is_clipped(self, item: int) -> bool:
        """True unless an object is surely within its clip."""
        key = native.clip_key(item)
        if key not in self.clips:
            self.clips[key] = native.clip_rectangle(item)
        clip, box = self.clips[key], native.bounds(item)
        return clip is None or box is None or not _is_within(box, clip)

    def _add_paths(
        self, paths: Sequence[int], items: Sequence[int], handles: Sequence[native.Handle], form: _Form
    ) -> None:
        """Keep the areas and thick lines that may hide a text or be the ground of one, by their places."""
        found = native.boxes([handles[at] for at in paths])
        if form.matrix is not None:
            found = [_moved(box, form.matrix) or box for box in found]
        boxes = dict(zip(paths, found, strict=True))
        areas = []
        for at, box in boxes.items():
            if box[2] - box[0] < _THIN or box[3] - box[1] < _THIN:
                self.bars.append((box, form.order, at))
            else:
                areas.append(at)
        upright = _is_upright(form)
        for at, fill in zip(areas, native.fill_colours([handles[at] for at in areas]), strict=True):
            box, item = boxes[at], items[at]
            if box[2] - box[0] < 2 * _THIN or box[3] - box[1] < 2 * _THIN:
                self.scene.thin.append(box)
            fills, strokes = native.path_paints(handles[at])
            if not (fills or strokes) or (not fills and self._is_outline(item, box, form, at)):
                continue
            solid = not native.is_transparent(handles[at]) and (not fills or _is_solid(fill))
            order, rect = (*form.order, at), self.placement.show(*box)
            if not strokes:
                even = upright and (form.clip is None or _holds(form.clip, box))
                self.scene.painted.append(Painted(order, rect, fill if solid else None, item if even else 0))
                continue
            ink = native.stroke_colour(item)
            inks = [fill, ink] if fills else [ink]
            self.scene.painted += [Painted(order, rect, one) for one in (inks if solid and _is_solid(ink) else [None])]

    def _is_outline(self, item: int, box: Rect, form: _Form, at: int) -> bool:
        """True for a path of a few thin strokes, which hides nothing by itself."""
        a, b, c, d, _, _ = _multiplied(native.object_matrix(item), form.matrix)
        width = native.stroke_width(item) * max(math.hypot(a, b), math.hypot(c, d))
        segments = native.path_segments(item)
        if width >= _THIN or segments > 4 * _HATCH:
            return False
        if min(box[2] - box[0], box[3] - box[1]) < _THIN + 2:
            self.bars.append((box, form.order, at))
        elif segments in native.CORNERS:
            left, bottom, right, top = box
            self.scene.thin += [(left, bottom, left, top), (right, bottom, right, top)]
            self.scene.thin += [(left, bottom, right, bottom), (left, top, right, top)]
        return True

    def _add_form(self, item: int, outer: _Form, order: Order) -> None:
        items = native.objects_of_form(item)
        if not items:
            return
        doubt, clip = outer.doubt, outer.clip
        handle = native.handle(item)
        if native.is_transparent(handle):
            doubt = doubt or "transparent"
        elif self.layers:
            doubt = doubt or "layer"
        elif native.clip_paths(native.handle(native.clip_of(handle))) > 0:
            own = _moved(native.clip_rectangle(item), outer.matrix)
            if own is None or (outer.matrix and outer.matrix[1] * outer.matrix[0]):
                doubt = doubt or "clipped"
            elif clip is None:
                clip = own
            else:
                clip = max(clip[0], own[0]), max(clip[1], own[1]), min(clip[2], own[2]), min(clip[3], own[3])
        self.add(items, _Form(order, _multiplied(native.object_matrix(item), outer.matrix), doubt, clip))

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
        for edge in (1, 0):
            bars = [bar for bar in self.bars if bar[0][edge + 2] - bar[0][edge] < _THIN + 2]
            for hatch in _crowds(bars, edge) if len(bars) >= _HATCH else ():
                left, low, right, high = around([box for box, _, _ in hatch])
                ink = sum((box[2] - box[0]) * (box[3] - box[1]) for box, _, _ in hatch)
                if ink > _DENSE * (right - left) * (high - low):
                    last = max((*order, at) for _, order, at in hatch)
                    self.scene.painted.append(Painted(last, self.placement.show(left, low, right, high), None))

    def _shown(self, item: int, matrix: Matrix | None) -> Rect | None:
        box = _moved(native.bounds(item), matrix)
        return None if box is None else self.placement.show(*box)


_PATH, _IMAGE, _FORM = pdfium.FPDF_PAGEOBJ_PATH, pdfium.FPDF_PAGEOBJ_IMAGE, pdfium.FPDF_PAGEOBJ_FORM


def shows_something(scene: Scene) -> bool:
    """True if a page shows pictures or drawings, other than rules and what is white."""
    return any(
        painted.colour is None or min(painted.colour[:3]) < _LIGHT for painted in scene.painted if painted.order < _LAST
    )


def doubtful(scene: Scene, boxes: Sequence[tuple[int, Rect]]) -> set[int]:
    """Which of some pieces of text (their text object and their box) may not be seen; their positions."""
    if not scene.whole or len(scene.painted) * len(boxes) > _MOST_PAIRS:
        return set(range(len(boxes)))
    special = scene.odd.keys() | scene.pale
    found = {at for at, (item, _) in enumerate(boxes) if item in special} if special else set()
    if scene.painted and boxes:
        _add_covered(scene, boxes, found)
    found.update(_over_one_another(boxes))
    return found


def _add_covered(scene: Scene, boxes: Sequence[tuple[int, Rect]], found: set[int]) -> None:
    """Add the pieces of text that something is painted over, or that have the colour of what lies under them."""
    known = scene.order_of({item for item, _ in boxes})
    orders = [known.get(item, _FIRST) for item, _ in boxes]
    first = min(orders)
    near = {colour: _is_near(colour, scene.colours) for colour in {one.colour for one in scene.painted} if colour}
    painted = [one for one in scene.painted if one.colour is None or one.order > first or near[one.colour]]
    bands = _banded(boxes) if painted else {}
    for one in painted:
        over, order, rect = one.colour is None, one.order, one.rect
        alike = one.colour is not None and near[one.colour]
        for at in _in_bands(bands, rect):
            above = over or order > orders[at]
            if (above or alike) and at not in found and overlaps(rect, boxes[at][1]):
                item = boxes[at][0]
                if above or (item and one.colour and _is_near(one.colour, (native.fill_colour(item),))):
                    found.add(at)


def surely_shows(scene: Scene, placement: Placement, item: int, box: Rect) -> bool:
    """True if a glyph stands on paper or on even ground that its colour stands out from, with nothing over it."""
    if item in scene.odd or scene.text_clips or not scene.whole:
        return False
    if not _holds((0.0, 0.0, placement.width, placement.height), box):
        return False
    order, fill = scene.order.get(item, _FIRST), native.fill_colour(item)
    grounds = [one for one in scene.painted if overlaps(one.rect, box)]
    for one in sorted(grounds, key=lambda one: one.order, reverse=True):
        if one.item == item:
            continue
        if one.colour is None or one.order > order or _is_near(one.colour, (fill,)):
            return False
        if one.item and _holds(one.rect, box):
            if one.item not in scene.even:
                scene.even[one.item] = _is_even(one.item)
            if scene.even[one.item]:
                return True
    return min(fill[:3]) < _LIGHT


def _is_even(path: int) -> bool:
    """True if a path surely fills the whole of its box."""
    handle = native.handle(path)
    marks = native.count_marks(handle)
    if marks > native.MOST_MARKS or any(native.is_layer(native.mark_at(handle, at)) for at in range(marks)):
        return False
    clip, box = native.clip_rectangle(path), native.bounds(path)
    return clip is not None and box is not None and _holds(clip, box) and native.is_rectangle(path)


def covers(scene: Scene, item: int, box: Rect) -> bool:
    """True if something that is painted after a text object lies over a part of it."""
    order = scene.order.get(item, _FIRST)
    return any(one.order > order and overlaps(one.rect, box) for one in scene.painted)


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


def overlaps(cover: Rect, box: Rect) -> bool:
    """True if enough of a text lies within a rectangle to make a letter of it illegible."""
    left, top, right, bottom = box
    if cover[0] >= right or cover[2] <= left or cover[1] >= bottom or cover[3] <= top:
        return False
    wide = min(cover[2], right) - max(cover[0], left)
    high = min(cover[3], bottom) - max(cover[1], top)
    return wide > min(1.0, 0.3 * (right - left)) and high > min(0.25 * (bottom - top), _THIN)


def _over_one_another(boxes: Sequence[tuple[int, Rect]]) -> Iterable[int]:
    """Pieces of text that are set over one another."""
    ranked = sorted((box[1], box[0], box[2], box[3], at) for at, (_, box) in enumerate(boxes))
    for position, (top, left, right, bottom, at) in enumerate(ranked, 1):
        reach, most_left, least_right = bottom - 0.35 * (bottom - top), right - 2.0, left + 2.0
        for upper, start, end, lower, other in ranked[position : position + 59]:
            if upper > reach:
                break
            # Most neighbours stand side by side: the first two tests pass them by.
            if (
                start < most_left
                and end > least_right
                and min(right, end) - max(left, start) > 2.0
                and min(bottom, lower) - upper > 0.35 * (lower - upper)
            ):
                yield at
                yield other


def _holds(outer: Rect, inner: Rect) -> bool:
    return outer[0] <= inner[0] and outer[1] <= inner[1] and inner[2] <= outer[2] and inner[3] <= outer[3]


def _is_upright(form: _Form) -> bool:
    """True if a form draws rectangles as rectangles, and all of them."""
    return form.doubt is None and (form.matrix is None or form.matrix[1] == form.matrix[2] == 0)


def _is_solid(ink: native.Colour) -> bool:
    """True for a colour that nothing shines through."""
    return ink[3] == 255 and ink[:3] != _PATTERN


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


def _crowds(bars: Sequence[_Bar], edge: int) -> Iterator[Sequence[_Bar]]:
    """Stretches of bars, in the order of one edge, that lie so near to each other that they may hide a line."""
    edges = [bar[0][edge] for bar in bars]
    ranked = sorted(range(len(bars)), key=edges.__getitem__)
    start, before = 0, edges[ranked[0]]
    for place, at in enumerate([*ranked, -1]):
        here = edges[at] if at >= 0 else math.inf
        if here - before > 10 / _HATCH:
            crowd = ranked[start:place]
            if len(crowd) >= _HATCH and _are_several(edges[one] for one in crowd):
                yield [bars[one] for one in crowd]
            start = place
        before = here


def _are_several(edges: Iterable[float]) -> bool:
    """True if some edges are in so many places that their bars may hide a line."""
    places: set[int] = set()
    for edge in edges:
        places.add(round(2 * edge))
        if len(places) >= _HATCH:
            return True
    return False


def _moved(box: Rect | None, matrix: Matrix | None) -> Rect | None:
    """The upright rectangle around a rectangle of a form, in page space."""
    if box is None or matrix is None or math.inf in box:
        return box
    a, b, c, d, e, f = matrix
    corners = [(a * x + c * y + e, b * x + d * y + f) for x in (box[0], box[2]) for y in (box[1], box[3])]
    return around([corner * 2 for corner in corners])


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
