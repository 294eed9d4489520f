"""One page as runs: pieces of text that stand on one baseline in one style, with what a reader of the page can see."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import hypot
from typing import Literal, NamedTuple, TypeAlias

import pypdfium2.raw as pdfium

from spanwise.domain.document import HiddenReason
from spanwise.readers.bounds import Budget
from spanwise.readers.pdf import native

Frame: TypeAlias = Literal[0, 1, 2, 3]
"""Which way text runs on the displayed page: 0 to the right, 1 downwards, 2 to the left, 3 upwards."""
Rect: TypeAlias = tuple[float, float, float, float]
Matrix: TypeAlias = tuple[float, float, float, float, float, float]

# pdfium writes U+FFFE for a hyphen at the end of a visual line, and then no line break: the word ends there.
_SEGMENT = re.compile("[^\\s\ufffe](?:[^\r\n\ufffe]*[^\\s\ufffe])?\ufffe?|\ufffe")
_SPACES = re.compile(r"\s{2,}|[^\S ]")
_TINY = 1.5
_LITTLE_TEXT = 80
_THIN = 4.0
_CELL_GAP = 1.0
"""A gap wider than this, in font sizes, separates two cells; words of one line stand closer."""


@dataclass(slots=True)
class Run:
    """Text on one baseline without a wide gap. Coordinates are turned so that the text runs to the right."""

    text: str
    x0: float
    top: float
    x1: float
    bottom: float
    size: float
    bold: bool
    frame: Frame
    order: int
    """Where it comes in the file, which tells columns from rows."""
    bold_prefix: int = 0
    """How many characters at its start are bold."""
    hidden: HiddenReason | None = None
    in_cell: bool = False
    """It is part of a table whose cells hold several lines."""


@dataclass(slots=True)
class PageRuns:
    """Everything that one page shows, before it is put into lines."""

    placement: Placement
    runs: list[Run] = field(default_factory=list)
    hidden: list[Run] = field(default_factory=list)
    ocr_layer: bool = False
    """The text is invisible because it lies over a picture of itself."""
    paints: bool = False
    """The page shows pictures or drawings; only looked at where it has no text."""
    picture: bool = False
    """A picture covers most of the page; only looked at where it has little text."""


class _Style(NamedTuple):
    font: int
    size: float
    bold: bool
    frame: Frame


_NO_STYLE = _Style(0, 0.0, False, 0)


def _generated_style(box: Sequence[float]) -> _Style:
    """For characters that pdfium put in and that no text object drew."""
    return _Style(0, max(round(box[1] - box[3], 2), 1.0), False, 0)


class Placement:
    """Turns page space (y upwards, any origin, unrotated) into the page as displayed, in points from its top left."""

    __slots__ = ("bottom", "height", "left", "right", "top", "turn", "width")

    def __init__(self, box: Rect, turn: int) -> None:
        self.left, self.bottom, self.right, self.top = box
        self.turn = turn
        wide, high = self.right - self.left, self.top - self.bottom
        self.width, self.height = (high, wide) if turn in (1, 3) else (wide, high)

    def show(self, x0: float, y0: float, x1: float, y1: float) -> Rect:
        """A rectangle of page space as x0, y0, x1, y1 on the displayed page."""
        if self.turn == 0:
            shown = x0 - self.left, self.top - y1, x1 - self.left, self.top - y0
        elif self.turn == 1:
            shown = y0 - self.bottom, x0 - self.left, y1 - self.bottom, x1 - self.left
        elif self.turn == 2:
            shown = self.right - x1, y0 - self.bottom, self.right - x0, y1 - self.bottom
        else:
            shown = self.top - y1, self.right - x1, self.top - y0, self.right - x0
        return shown

    def frame_of(self, a: float, b: float) -> Frame:
        """Which way text with that direction in page space runs on the displayed page."""
        quarter = (0 if a >= 0 else 2) if abs(a) >= abs(b) else (3 if b > 0 else 1)
        turned = (quarter + self.turn) % 4
        return 0 if turned == 0 else 1 if turned == 1 else 2 if turned == 2 else 3


def turn_to_frame(rect: Rect, frame: Frame) -> Rect:
    """A displayed rectangle, turned so that text of that frame runs to the right and downwards."""
    x0, y0, x1, y1 = rect
    if frame == 0:
        return rect
    if frame == 1:
        return y0, -x1, y1, -x0
    if frame == 2:
        return -x1, -y1, -x0, -y0
    return -y1, x0, -y0, x1


def turn_from_frame(rect: Rect, frame: Frame) -> Rect:
    """The other way round: from a frame's own coordinates back to the displayed page."""
    x0, y0, x1, y1 = rect
    if frame == 0:
        return rect
    if frame == 1:
        return -y1, x0, -y0, x1
    if frame == 2:
        return -x1, -y1, -x0, -y0
    return y0, -x1, y1, -x0


def read_page(document: pdfium.FPDF_DOCUMENT, index: int, budget: Budget) -> PageRuns | None:
    """Read one page, or None where pdfium cannot load it."""
    page = pdfium.FPDF_LoadPage(document, index)
    if not page:
        return None
    try:
        address = native.address_of(page)
        placement = _placement(address)
        text_page = pdfium.FPDFText_LoadPage(page)
        try:
            found = PageRuns(placement)
            if text_page:
                _collect(address, native.address_of(text_page), placement, found, budget)
            if not found.runs:
                found.paints = _paints(address)
            if len(found.runs) <= 8 and sum(len(run.text) for run in found.runs) < _LITTLE_TEXT:
                found.picture = Ground(address, placement).picture() is not None
            return found
        finally:
            if text_page:
                pdfium.FPDFText_ClosePage(text_page)
    finally:
        pdfium.FPDF_ClosePage(page)


def _placement(page: int) -> Placement:
    left, top, right, bottom = native.page_box(page) or (0.0, 0.0, 0.0, 0.0)
    if right <= left or top <= bottom:
        left, bottom, right, top = 0.0, 0.0, 612.0, 792.0
    return Placement((left, bottom, right, top), native.page_rotation(page) % 4)


def _collect(page: int, text_page: int, placement: Placement, found: PageRuns, budget: Budget) -> None:
    count = native.count_chars(text_page)
    text = native.page_text(text_page, count).replace("\xa0", " ")
    if not text or text.isspace():
        return
    runs = _Runs(text, text_page, placement, _indexes(text, text_page, count)).collect(budget)
    suspects = [run for run in runs if run.hidden in ("no_contrast", "render_mode")]
    ground = Ground(page, placement) if suspects else None
    if ground is not None:
        for run in suspects:
            if run.hidden == "no_contrast" and ground.is_dark_under(_shown(run)):
                run.hidden = None
        found.ocr_layer = _is_ocr_layer(runs, ground)
    for run in runs:
        if found.ocr_layer and run.hidden == "render_mode":
            run.hidden = None
        (found.hidden if run.hidden else found.runs).append(run)
    found.runs = _joined(found.runs)


def _indexes(text: str, text_page: int, count: int) -> Sequence[int]:
    """For each character of the text its index in pdfium's own list, which may be longer or shorter."""
    if len(text) == count:
        return range(count)
    last = max(count - 1, 0)
    return [min(max(native.char_index_of(text_page, position), 0), last) for position in range(len(text))]


class _Runs:
    """Cuts the text of a page where the line or the style changes, and joins what goes on in the same line.

    A text object never spans two lines, so its boxes and style are asked for once. Some files have one object a
    letter; there the first letter of each word answers for the word, and a word whose font, colour, mode and height
    are those of the word before it continues it.
    """

    def __init__(self, text: str, text_page: int, placement: Placement, indexes: Sequence[int]) -> None:
        self.text = text
        self.text_page = text_page
        self.placement = placement
        self.indexes = indexes
        self.bold_fonts: dict[int, bool] = {}
        self.styles: dict[tuple[int, int], _Style] = {}
        """By font and height (in hundredths), for upright text: those two give the size."""
        self.runs: list[Run] = []

    def collect(self, budget: Budget) -> list[Run]:
        """All runs of the page, in the order of the file."""
        text_page, indexes, object_at = self.text_page, self.indexes, native.text_object_at
        for start, end in _segments(self.text):
            first = object_at(text_page, indexes[start])
            if first is not None and first == object_at(text_page, indexes[end - 1]):
                box = native.char_box(text_page, indexes[start])
                style = self._style(start, native.object_font(first) or 0, box)
                self._add(start, end, box, style, _hidden_by(first))
            else:
                self._cut_segment(start, end, first, budget)
            budget.step()
        for run in self.runs:
            if "  " in run.text or not run.text.isprintable():
                run.text = _squeezed(run.text)
        return self.runs

    def _cut_segment(self, segment_start: int, segment_end: int, first: int | None, budget: Budget) -> None:
        """Add the words of several text objects, those that are set alike as one piece."""
        text_page, indexes = self.text_page, self.indexes
        object_at, char_box, font_of = native.text_object_at, native.char_box, native.object_font
        start = last_word = -1
        box: Sequence[float] = ()
        style, hidden, last_x, previous = _NO_STYLE, None, 0.0, None
        final = object_at(text_page, indexes[self.text.rfind(" ", segment_start, segment_end) + 1 or segment_start])
        following = segment_start
        for part in self.text[segment_start:segment_end].split(" "):
            word = following
            following += len(part) + 1
            if not part:
                continue
            item = object_at(text_page, indexes[word]) if word > segment_start else first
            if item is None:
                font, item_hidden = 0, None
            elif item == previous:
                continue
            else:
                font, item_hidden = font_of(item) or 0, _hidden_by(item)
            previous = item
            word_box = char_box(text_page, indexes[word])
            x = word_box[0]
            if start >= 0:
                if (
                    item is not None
                    and word_box[1] == box[1]
                    and word_box[3] == box[3]
                    and font == style.font
                    and item_hidden == hidden
                    and x > last_x
                ):
                    # Usually the distance is about what the letters between need; only else is the gap measured.
                    near = style.size * (0.55 + 0.45 * (word - last_word))
                    if x - last_x <= near or self._gap_before(word, x) <= _CELL_GAP * style.size:
                        last_x, last_word = x, word
                        if item == final:
                            break  # The letters of an object follow one another: the other words are its own.
                        continue
                self._add(start, word, box, style, hidden)
                budget.step()
            start, box, hidden = word, word_box, item_hidden
            style = self._style(word, font, word_box) if item is not None else _generated_style(word_box)
            last_x, last_word = x, word
            if item == final and item is not None:
                break
        self._add(start, segment_end, box, style, hidden)

    def _gap_before(self, word: int, x: float) -> float:
        """The distance between a word and the letter before it."""
        before = word - 1
        while before > 0 and self.text[before].isspace():
            before -= 1
        return x - native.char_box(self.text_page, self.indexes[before])[2]

    def _style(self, start: int, font: int, box: Sequence[float]) -> _Style:
        key = font, int(100 * (box[1] - box[3]) + 0.5)
        known = self.styles.get(key)
        if known is not None:
            return known
        bold = self.bold_fonts.get(font)
        if bold is None:
            bold = self.bold_fonts[font] = bool(font) and native.font_is_bold(font)
        index = self.indexes[start]
        a, b, c, d, _, _ = native.char_matrix(self.text_page, index)
        size = native.font_size(self.text_page, index) * (hypot(c, d) or hypot(a, b))
        style = _Style(font, size, bold, self.placement.frame_of(a, b))
        if a > 0 and b == 0 and c == 0 and d > 0:
            self.styles[key] = style
        return style

    def _add(self, start: int, stop: int, first: Sequence[float], style: _Style, hidden: HiddenReason | None) -> None:
        """Measure a piece of text in one style, from the box of its first character."""
        text = self.text[start:stop].rstrip()
        end = start + len(text)
        last = first if end - start == 1 else native.char_box(self.text_page, self.indexes[end - 1])
        left, top, right, bottom = first
        last_left, last_top, last_right, last_bottom = last
        placement = self.placement
        if last_left < left or last_right < right:
            left, right = min(left, last_left), max(right, last_right)
        else:
            right = last_right
        if style.frame == 0 and placement.turn == 0:
            if last_top < bottom or last_bottom > top:
                # It starts on one line and ends on another: pdfium saw no break, the boxes do.
                half = self._break_within(start, end, top, bottom)
                if start < half < end:
                    self._add_halves(start, half, end, first, style, hidden)
                    return
            x0, x1 = left - placement.left, right - placement.left
            upper, lower = placement.top - top, placement.top - bottom
            unseen = x1 <= 0 or lower <= 0 or x0 >= placement.width or upper >= placement.height
        else:
            shown = placement.show(left, min(bottom, last_bottom), right, max(top, last_top))
            unseen = shown[2] <= 0 or shown[3] <= 0 or shown[0] >= placement.width or shown[1] >= placement.height
            x0, upper, x1, lower = turn_to_frame(shown, style.frame)
        size = style.size if style.size > 0 else lower - upper
        if hidden is None and (unseen or size < _TINY):
            # A font may name a size of 1 and draw large; what counts is that nothing large came out.
            hidden = "off_page" if unseen else "tiny" if min(x1 - x0, lower - upper) < _TINY else None
        if "\ufffe" in text:
            text = text.replace("\ufffe", "-")
        runs = self.runs
        if runs and _continues(runs[-1], x0, upper, lower, size, style.frame, hidden):
            self._lengthen(runs[-1], start, text, style.bold)
            run = runs[-1]
            run.x1 = max(run.x1, x1)
            if size > run.size:
                run.size, run.top, run.bottom = size, upper, lower
            return
        text = text.lstrip()
        prefix = len(text) if style.bold else 0
        runs.append(Run(text, x0, upper, x1, lower, size, style.bold, style.frame, len(runs), prefix, hidden))

    def _add_halves(
        self, start: int, half: int, end: int, first: Sequence[float], style: _Style, hidden: HiddenReason | None
    ) -> None:
        self._add(start, half, first, style, hidden)
        index = self.indexes[half]
        box, item = native.char_box(self.text_page, index), native.text_object_at(self.text_page, index)
        if item is None:
            self._add(half, end, box, _generated_style(box), None)
        else:
            self._add(half, end, box, self._style(half, native.object_font(item) or 0, box), _hidden_by(item))

    def _lengthen(self, run: Run, start: int, text: str, bold: bool) -> None:
        """Append what goes on in the same line: words in several styles, kerned pieces, raised footnote marks."""
        # A space goes before it where the text has one, so that joining needs no guess.
        before = self.text[start - 1 : start]
        joined = f"{run.text} {text}" if not before or before == "\ufffe" or before.isspace() else run.text + text
        if text and not bold:
            run.bold = False
        elif text and run.bold:
            run.bold_prefix = len(joined)
        run.text = joined

    def _break_within(self, start: int, end: int, top: float, bottom: float) -> int:
        for position in range(start + 1, end):
            box = native.char_box(self.text_page, self.indexes[position])
            if box[1] < bottom or box[3] > top:
                return position
        return end


def _segments(text: str) -> list[tuple[int, int]]:
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


def _hidden_by(item: int) -> HiddenReason | None:
    """Why a text object cannot be seen, by its own settings; light text may still stand on a dark ground."""
    if native.fills_plainly(item):
        return None
    mode = native.object_mode(item)
    if mode == 0:
        return "no_contrast" if native.fills_lightly(item) else None
    if mode in (3, 7):
        return "render_mode"
    if mode in (1, 5):
        return "no_contrast" if native.strokes_lightly(item) else None
    return "no_contrast" if native.fills_lightly(item) and native.strokes_lightly(item) else None


def _continues(
    run: Run, x0: float, top: float, bottom: float, size: float, frame: Frame, hidden: HiddenReason | None
) -> bool:
    """Whether what begins at `x0` goes on where a run ends."""
    small, large = (size, run.size) if size < run.size else (run.size, size)
    gap = x0 - run.x1
    if gap > _CELL_GAP * small or gap < -0.5 * large or run.hidden != hidden or run.frame != frame:
        return False
    shared = min(bottom, run.bottom) - max(top, run.top)
    return shared > 0.5 * min(bottom - top, run.bottom - run.top)


def _squeezed(text: str) -> str:
    if text.isprintable() and "   " not in text:
        return text.replace("  ", " ")
    return _SPACES.sub(_one_or_two, text)


def _one_or_two(match: re.Match[str]) -> str:
    # Three spaces or more set columns apart in text that was typed with a fixed pitch; two only fill a line.
    return "  " if match.end() - match.start() >= 3 else " "


def _joined(runs: list[Run]) -> list[Run]:
    """Runs with something to read in them."""
    return [run for run in runs if run.text and not run.text.isspace()]


def _shown(run: Run) -> Rect:
    return turn_from_frame((run.x0, run.top, run.x1, run.bottom), run.frame)


def _is_ocr_layer(runs: Sequence[Run], ground: Ground) -> bool:
    """Whether the invisible text is what a scanned page shows as a picture."""
    invisible = [run for run in runs if run.hidden == "render_mode"]
    total = sum(len(run.text) for run in runs)
    if not invisible or sum(len(run.text) for run in invisible) < 0.8 * total:
        return False
    picture = ground.picture()
    if picture is None:
        return False
    x0, y0, x1, y1 = picture
    boxes = [_shown(run) for run in invisible]
    covered = [box for box in boxes if box[0] >= x0 - 2 and box[2] <= x1 + 2 and y0 - 2 <= box[3] <= y1 + 2]
    return len(covered) >= 0.8 * len(invisible)


def _paints(page: int) -> bool:
    for position in range(min(native.page_objects(page), 10_000)):
        item = native.page_object(page, position)
        if item is None:
            continue
        kind = native.object_type(item)
        if kind == pdfium.FPDF_PAGEOBJ_PATH:
            fills, strokes = native.path_paints(item)
            box = native.bounds(item)
            if box is None or min(box[2] - box[0], box[3] - box[1]) < _THIN:
                continue  # A rule above or below nothing.
            if (strokes and not native.strokes_lightly(item)) or (fills and not native.fills_lightly(item)):
                return True
        elif kind in (pdfium.FPDF_PAGEOBJ_IMAGE, pdfium.FPDF_PAGEOBJ_SHADING) or (
            kind == pdfium.FPDF_PAGEOBJ_FORM and native.form_objects(item) > 0
        ):
            return True
    return False


class Ground:
    """What is painted on a page besides text: the pictures and coloured areas that light text may stand on."""

    _MOST_OBJECTS = 50_000
    _DEEPEST = 6

    def __init__(self, page: int, placement: Placement) -> None:
        self.images: list[Rect] = []
        self.areas: list[Rect] = []
        self._placement = placement
        self._left = self._MOST_OBJECTS
        for position in range(native.page_objects(page)):
            item = native.page_object(page, position)
            if item is not None:
                self._add(item, None, 0)

    def is_dark_under(self, rect: Rect) -> bool:
        """Whether something that is not white lies under the middle of a rectangle."""
        x, y = (rect[0] + rect[2]) / 2, (rect[1] + rect[3]) / 2
        return any(x0 <= x <= x1 and y0 <= y <= y1 for x0, y0, x1, y1 in (*self.areas, *self.images))

    def picture(self) -> Rect | None:
        """What pictures of at least half the page cover, together with the strips that scanners cut a page into."""
        area = self._placement.width * self._placement.height
        whole = [
            (max(x0, 0.0), max(y0, 0.0), min(x1, self._placement.width), min(y1, self._placement.height))
            for x0, y0, x1, y1 in self.images
        ]
        shown = [rect for rect in whole if rect[2] > rect[0] and rect[3] > rect[1]]
        if not shown or sum((x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in shown) < 0.5 * area:
            return None
        return (
            min(rect[0] for rect in shown),
            min(rect[1] for rect in shown),
            max(rect[2] for rect in shown),
            max(rect[3] for rect in shown),
        )

    def _add(self, item: int, matrix: Matrix | None, depth: int) -> None:
        """Keep an object if it is a picture or a coloured area; `matrix` is that of the form that it stands in."""
        self._left -= 1
        if self._left < 0 or depth > self._DEEPEST:
            return
        kind = native.object_type(item)
        if kind == pdfium.FPDF_PAGEOBJ_PATH:
            fills, _ = native.path_paints(item)
            if fills and not native.fills_lightly(item):
                self._keep(self.areas, item, matrix)
        elif kind == pdfium.FPDF_PAGEOBJ_FORM:
            inner = native.object_matrix(item)
            if matrix is not None:
                inner = _multiplied(inner, matrix)
            for position in range(max(native.form_objects(item), 0)):
                part = native.form_object(item, position)
                if part is not None:
                    self._add(part, inner, depth + 1)
        elif kind == pdfium.FPDF_PAGEOBJ_IMAGE:
            self._keep(self.images, item, matrix)
        elif kind == pdfium.FPDF_PAGEOBJ_SHADING:
            self._keep(self.areas, item, matrix)

    def _keep(self, kept: list[Rect], item: int, matrix: Matrix | None) -> None:
        box = native.bounds(item)
        if box is None:
            return
        if matrix is not None:
            a, b, c, d, e, f = matrix
            corners = [(a * x + c * y + e, b * x + d * y + f) for x in (box[0], box[2]) for y in (box[1], box[3])]
            xs, ys = [x for x, _ in corners], [y for _, y in corners]
            box = min(xs), min(ys), max(xs), max(ys)
        kept.append(self._placement.show(*box))


def _multiplied(inner: Matrix, outer: Matrix) -> Matrix:
    a, b, c, d, e, f = inner
    g, h, i, j, k, m = outer
    return a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m
