"""Pages whose text is in their pictures: rendered, given to tesseract, and put into the same runs as text in a file.

What is recognised is what one sees. So it replaces what the file says of such a page: nothing at all, text that makes
no words, or the unseen layer of an earlier recognition, which may say something else than the picture does.
"""

from __future__ import annotations

import ctypes
import re
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import groupby
from statistics import median
from typing import NamedTuple, TypeAlias

import pypdfium2.raw as pdfium
from rapidfuzz import fuzz

from spanwise.domain.document import HiddenReason, Recognition
from spanwise.errors import LimitError, RecognitionError
from spanwise.readers.bounds import beyond, cores
from spanwise.readers.invisible import NOTICED
from spanwise.readers.pdf import native
from spanwise.readers.pdf.opened_pdf import OpenPdf
from spanwise.readers.pdf.page_runs import load_page
from spanwise.readers.pdf.placement import Frame, Placement, Rect, turn_from_frame, turn_to_frame
from spanwise.readers.pdf.runs import Run
from spanwise.readers.pdf.visual_lines import VisualLine
from spanwise.readers.port import ReadOptions
from spanwise.readers.tesseract import (
    INSTALL,
    PAGE,
    SPARSE,
    Picture,
    Recogniser,
    Tesseract,
    TesseractError,
    Word,
    find_tesseract,
)

DOTS, _LEAST_DOTS = 300, 200
"""Pixels an inch between which tesseract reads best."""
_MOST_PICTURES = 200
"""Objects of a page among which its picture is looked for."""
_CLOSER = 1.5
"""The scale of the second look at a figure, against the first one."""
_MOST_PIXELS = 24_000_000
"""Of one picture; a larger page is looked at from farther away."""
_POINTS = 72
_SURE = 0.9
"""A word that is less sure is looked at again, as every figure is."""
_LANGUAGE_KNOWN = 0.85
"""A page that is read less surely is read in the other languages, too."""
_MOST_LANGUAGES = 8
"""Of installed ones that are tried; who has more names those that are meant."""
_ENOUGH_LETTERS = 40
_NOISE = 0.4
"""Lines that are less sure than this are specks, rules and pictures."""
_READABLE = 0.6
"""A page that is less sure as a whole was not read: it is in another script, or no text."""
_AGREES = 60
"""Likeness, of 100, from which on the unseen text of a scan says what its picture shows."""
_FAILURES = 3
"""So many pages that fail before one succeeds say that the program is broken."""
_BOLD = 1.25
"""Strokes of bold letters against those of the page."""
_SAME_SIZE = 1.08
_FILLED = 0.7
"""Share of its box that a dot fills; a disc fills 0.79, and a letter half of it."""
_ASCENDING = re.compile(r"[A-Z0-9bdfhklt]")
_DESCENDING = re.compile(r"[gjpqyQ,;()\[\]{}|/$@_]")
_HEIGHTS = {True: 0.69, False: 0.49}
"""Of letters with and without ascenders over the baseline, in font sizes: the mean of the common fonts."""
_ABOVE, _BELOW = 0.9, 0.22
"""What the box of a letter takes above and below the baseline, in font sizes."""
_CELL_GAP = 1.0
"""A gap wider than this, in font sizes, parts two cells, as in text of a file."""
_DIGIT = re.compile(r"\d")
_FIGURE = re.compile(r"\S*\d\S*")
_WHITE = bytes(range(256 - NOTICED)) + b"\xff" * NOTICED
"""What nobody can tell from white paper is white for the recogniser, too."""
_Boxed: TypeAlias = tuple[str, Rect]


@dataclass(slots=True)
class Recognised:
    """What one page was found to show."""

    runs: list[Run] = field(default_factory=list)
    hidden: list[tuple[str, HiddenReason, Rect]] = field(default_factory=list)
    tilt: float = 0.0
    """How much its lines fall to the right."""
    confidence: float = 0.0
    failed: str = ""
    """Why it was not read; completes "tesseract"."""


class Wanted(NamedTuple):
    """A page to be recognised."""

    at: int
    """Its index."""
    placement: Placement
    layer: Sequence[VisualLine]
    """The unseen text over its picture, if it has any."""


def recogniser_for(name: str, options: ReadOptions) -> tuple[Tesseract | None, str]:
    """The program that recognises text; where there is none and it need not be there, what to do about that."""
    try:
        program = find_tesseract()
    except TesseractError as error:
        if options.ocr.mode == "auto":
            return None, f": tesseract {error}; run spanwise doctor"
        raise RecognitionError(f"Text in {name} cannot be recognised: tesseract {error}.", document=name) from error
    if program is None and options.ocr.mode == "always":
        raise RecognitionError(f"Text in {name} cannot be recognised: {INSTALL} first.", document=name)
    if program is not None and options.ocr.language is not None:
        lacking = [one for one in options.ocr.language.split("+") if one not in program.languages]
        if lacking:
            raise RecognitionError(
                f"Text in {name} cannot be recognised in {', '.join(lacking)}: tesseract has "
                f"{', '.join(program.languages)} (apt-get install tesseract-ocr-{lacking[0]} may bring it).",
                document=name,
            )
    return program, ": tesseract makes no text of its picture" if program is not None else f"; {INSTALL} to include it"


def recognise(
    opened: OpenPdf, wanted: Sequence[Wanted], program: Tesseract, name: str, kept: str | None, options: ReadOptions
) -> dict[int, Recognised]:
    """What some pages show, by their index."""
    limits = options.limits
    if len(wanted) > limits.recognised_pages:
        much = f"has {len(wanted):,} pages to be recognised, more than {limits.recognised_pages:,}"
        raise beyond(name, much, "recognised_pages", trusted=False)
    recogniser = Recogniser(program, limits.page_seconds, limits.memory, kept)
    with ThreadPoolExecutor(cores()) as pool:
        try:
            found = _Work(opened, program, recogniser, pool, name, options).done(wanted)
        except BaseException:
            recogniser.stop()
            raise
    recogniser.forget()
    return found


@dataclass(slots=True)
class _Look:
    """A page that was given to the recogniser."""

    page: Wanted
    picture: Picture
    scale: float
    readings: Mapping[str, Future[list[Word]]]
    """By language."""
    frame: Frame = 0
    """Which way its text runs on the page; the picture is turned so that it runs to the right."""

    def place(self, word: Word) -> Rect:
        """Where a word stands on the page."""
        left, top = self.corner
        x0, y0, x1, y1 = (edge / self.scale for edge in (word.x0, word.top, word.x1, word.bottom))
        return turn_from_frame((left + x0, top + y0, left + x1, top + y1), self.frame)

    @property
    def corner(self) -> tuple[float, float]:
        """The top left of the picture in the coordinates of its frame."""
        page = self.page.placement
        left, top, _, _ = turn_to_frame((0.0, 0.0, page.width, page.height), self.frame)
        return left, top


class _Work:
    """One document: pictures are made one after the other, and read beside each other."""

    def __init__(
        self,
        opened: OpenPdf,
        program: Tesseract,
        recogniser: Recogniser,
        pool: ThreadPoolExecutor,
        name: str,
        options: ReadOptions,
    ) -> None:
        self._opened = opened
        self._recogniser = recogniser
        self._pool = pool
        self._name = name
        self._options = options
        given = options.ocr.language
        installed = program.languages if len(program.languages) <= _MOST_LANGUAGES else program.languages[:1]
        self._languages = (given,) if given else installed
        self._language = given or (installed[0] if len(installed) == 1 else None)
        self._until = time.monotonic() + options.limits.recognition_seconds
        self._failures = 0
        self._works = False

    def done(self, wanted: Sequence[Wanted]) -> dict[int, Recognised]:
        """All pages; a few are in hand at a time."""
        found: dict[int, Recognised] = {}
        waiting: deque[_Look] = deque()
        for page in [*wanted, *([None] * cores())]:
            while waiting and (page is None or self._language is None or len(waiting) > cores()):
                look = waiting.popleft()
                found[look.page.at] = self._finished(look)
                self._tell(len(found), len(wanted))
            if page is not None:
                waiting.append(self._begun(page, (self._language,) if self._language else self._languages))
        return found

    def _tell(self, done: int, total: int) -> None:
        if time.monotonic() > self._until:
            raise LimitError(
                f"{self._name} takes longer than {self._options.limits.recognition_seconds:,g} seconds to recognise: "
                "try it again, which goes on where it was, or raise the limit (Limits.recognition_seconds).",
                document=self._name,
            )
        self._options.progress(done, total)

    def _begun(self, page: Wanted, languages: Sequence[str], frame: Frame = 0) -> _Look:
        scale = min(
            _dots(self._opened, page) / _POINTS, (_MOST_PIXELS / (page.placement.width * page.placement.height)) ** 0.5
        )
        picture = render(self._opened, page.at, page.placement, scale, frame)
        return _Look(page, picture, scale, self._read(picture, scale, languages), frame)

    def _read(
        self, picture: Picture, scale: float, languages: Sequence[str], layout: int = PAGE
    ) -> dict[str, Future[list[Word]]]:
        clean = picture._replace(pixels=picture.pixels.translate(_WHITE))
        dots = round(scale * _POINTS)
        return {
            language: self._pool.submit(self._recogniser.words, clean, language, dots, layout) for language in languages
        }

    def _finished(self, look: _Look) -> Recognised:
        try:
            words, language = self._surest(look)
            if frame := _frame_of(words):
                turned = self._begun(look.page, tuple(look.readings), frame)
                again, its_language = self._surest(turned)
                if _confidence(again) >= max(_READABLE, _confidence(words)) or _is_tall(words):
                    look, words, language = turned, again, its_language
            words, unseen = _parted(words, look.picture)
            words, doubtful = self._looked_at_again(look, words, language)
        except TesseractError as error:
            self._failures += 1
            if not self._works and self._failures == _FAILURES:
                raise RecognitionError(
                    f"Text in {self._name} was not recognised: tesseract {error}; run spanwise doctor.",
                    document=self._name,
                ) from error
            return Recognised(failed=str(error))
        self._works = True
        page = _laid_out(words, look, doubtful)
        page.hidden = [(word.text, "no_contrast", look.place(word)) for word in unseen]
        if look.page.layer:
            _compare(page, look.page.layer, [(word.text, look.place(word)) for word in words])
        return page

    def _surest(self, look: _Look) -> tuple[list[Word], str]:
        """The words in the language in which they are surest."""
        read = {language: future.result() for language, future in look.readings.items()}
        best = max(read, key=lambda language: _confidence(read[language]))
        others = [language for language in self._languages if language not in read]
        if others and _confidence(read[best]) < _LANGUAGE_KNOWN and _letters(read[best]) >= _ENOUGH_LETTERS:
            more = {
                language: future.result() for language, future in self._read(look.picture, look.scale, others).items()
            }
            read |= more
            best = max(read, key=lambda language: _confidence(read[language]))
        known = _letters(read[best]) >= _ENOUGH_LETTERS and _confidence(read[best]) >= _READABLE
        if self._language is None and known:
            self._language = best
        return read[best], best

    def _looked_at_again(self, look: _Look, words: Sequence[Word], language: str) -> tuple[list[Word], dict[int, str]]:
        """The words, each unsure one as the surer of two looks read it; and what both made of a figure, by position.

        All figures are read twice, the second time from nearer and without the rest of the page. They are doubtful if
        the two readings differ, unless the first is sure and the second made nothing of it. Letters in which the second
        look sees digits are figures, too.
        """
        unsure = [
            at
            for at, word in enumerate(words)
            if _is_word(word) and (word.confidence < _SURE or _DIGIT.search(word.text))
        ]
        if not unsure:
            return list(words), {}
        page = look.page
        scale = min(_CLOSER * look.scale, (2 * _MOST_PIXELS / (page.placement.width * page.placement.height)) ** 0.5)
        ratio = scale / look.scale
        lines = {words[at].line for at in unsure}
        closer = render(self._opened, page.at, page.placement, scale, look.frame)
        only = _only(closer, [_grown(word, ratio) for word in words if word.line in lines])
        [future] = self._read(only, scale, [language], SPARSE).values()
        again = future.result()
        better, doubtful = list(words), {}
        for at in unsure:
            word = words[at]
            x0, top, x1, bottom = (ratio * edge for edge in (word.x0, word.top, word.x1, word.bottom))
            same = [
                other
                for other in again
                if x0 <= (other.x0 + other.x1) / 2 <= x1 and top <= (other.top + other.bottom) / 2 <= bottom
            ]
            second, confidence = "".join(other.text for other in same), _confidence(same)
            told = _DIGIT.search(second) and confidence >= _NOISE
            if _figure(second) != _figure(word.text) and (
                told or (_DIGIT.search(word.text) and word.confidence < _SURE)
            ):
                doubtful[at] = f"{word.text} or {second or 'nothing'}"
            if confidence > word.confidence:
                better[at] = word._replace(text=second, confidence=confidence)
        return better, doubtful


def _dots(opened: OpenPdf, wanted: Wanted) -> float:
    """Pixels an inch at which a page is looked at: as many as its picture has, within what tesseract reads best.

    More would only show the steps of the pixels, which look like serifs and dots.
    """
    most, dots = 0.25 * wanted.placement.width * wanted.placement.height, float(DOTS)
    page = load_page(opened, wanted.at)
    if not page:
        return dots
    width, height = ctypes.c_uint(), ctypes.c_uint()
    for at in range(min(pdfium.FPDFPage_CountObjects(page), _MOST_PICTURES)):
        item = pdfium.FPDFPage_GetObject(page, at)
        if pdfium.FPDFPageObj_GetType(item) != pdfium.FPDF_PAGEOBJ_IMAGE:
            continue
        left, bottom, right, top = native.bounds(native.address_of(item)) or (0.0, 0.0, 0.0, 0.0)
        area = (right - left) * (top - bottom)
        if area > most and pdfium.FPDFImageObj_GetImagePixelSize(item, width, height):
            most, dots = area, _POINTS * (width.value * height.value / area) ** 0.5
    pdfium.FPDF_ClosePage(page)
    return min(max(dots, _LEAST_DOTS), DOTS)


def render(opened: OpenPdf, index: int, placement: Placement, scale: float, frame: Frame = 0) -> Picture:
    """A page in grey, turned so that text of a frame runs to the right; white where it cannot be loaded."""
    width, height = max(1, round(placement.width * scale)), max(1, round(placement.height * scale))
    turn = -frame % 4
    if turn % 2:
        width, height = height, width
    pixels = ctypes.create_string_buffer(b"\xff" * (width * height), width * height)
    page = load_page(opened, index)
    if page:
        bitmap = pdfium.FPDFBitmap_CreateEx(width, height, pdfium.FPDFBitmap_Gray, pixels, width)
        try:
            pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, turn, pdfium.FPDF_ANNOT)
            if opened.document.formenv is not None:
                pdfium.FORM_OnAfterLoadPage(page, opened.document.formenv)
                pdfium.FPDF_FFLDraw(opened.document.formenv, bitmap, page, 0, 0, width, height, turn, pdfium.FPDF_ANNOT)
                pdfium.FORM_OnBeforeClosePage(page, opened.document.formenv)
        finally:
            pdfium.FPDFBitmap_Destroy(bitmap)
            pdfium.FPDF_ClosePage(page)
    return Picture(width, height, pixels.raw)


def _only(picture: Picture, boxes: Sequence[tuple[int, int, int, int]]) -> Picture:
    """A picture with everything white but what is in some boxes."""
    kept = bytearray(b"\xff") * (picture.width * picture.height)
    for x0, top, x1, bottom in boxes:
        left, right = max(x0, 0), min(x1, picture.width)
        for row in range(max(top, 0), min(bottom, picture.height)):
            start = row * picture.width
            kept[start + left : start + right] = picture.pixels[start + left : start + right]
    return picture._replace(pixels=bytes(kept))


def _grown(word: Word, ratio: float) -> tuple[int, int, int, int]:
    """The box of a word in a picture at another scale, with some room around it."""
    room = 0.3 * (word.bottom - word.top)
    edges = word.x0 - room, word.top - room, word.x1 + room, word.bottom + room
    x0, top, x1, bottom = (round(ratio * edge) for edge in edges)
    return x0, top, x1, bottom


def _figure(text: str) -> str:
    """What two readings of a figure have to have in common: digits, and the marks that change their value."""
    return "".join(letter for letter in text if letter.isalnum() or letter in ".,%-()$€£/:").strip(".,:")


def _confidence(words: Sequence[Word]) -> float:
    """How sure a page is as a whole."""
    total = sum(len(word.text) for word in words)
    return sum(word.confidence * len(word.text) for word in words) / total if total else 0.0


def _frame_of(words: Sequence[Word]) -> Frame:
    """Which way the text of a page seems to run, by what was made of it: on its side it is read upwards well enough.

    Text that runs downwards is read surely, text that runs upwards is not; neither is text upside down.
    """
    if _letters(words) < _ENOUGH_LETTERS:
        return 0
    if _is_tall(words):
        return 1 if _confidence(words) >= _LANGUAGE_KNOWN else 3
    return 2 if _confidence(words) < _READABLE else 0


def _is_tall(words: Sequence[Word]) -> bool:
    """True if most words are higher than wide."""
    tall = [word.bottom - word.top > word.x1 - word.x0 for word in words if len(word.text) > 2]
    return 2 * sum(tall) > len(tall)


def _letters(words: Sequence[Word]) -> int:
    return sum(letter.isalpha() for word in words for letter in word.text)


def _parted(words: Sequence[Word], picture: Picture) -> tuple[list[Word], list[Word]]:
    """Words that one sees, and those that hardly differ from their ground."""
    seen: list[Word] = []
    unseen: list[Word] = []
    for word in words:
        rows = list(_rows(word, picture))
        spread = max(map(max, rows)) - min(map(min, rows))
        (seen if spread >= 2 * NOTICED else unseen).append(word)
    return seen, unseen


def _rows(word: Word, picture: Picture) -> Iterator[bytes]:
    for row in range(word.top, word.bottom):
        yield picture.pixels[row * picture.width + word.x0 : row * picture.width + word.x1]


class _Set(NamedTuple):
    """A line of tesseract's, and how it is set."""

    words: list[tuple[int, Word]]
    """With their positions."""
    baseline: float
    size: float
    stroke: float
    """Width of its strokes, in font sizes."""


def _laid_out(words: Sequence[Word], look: _Look, doubtful: Mapping[int, str]) -> Recognised:
    """Words as runs: on their baseline, in a size, bold or not, cut where a wide gap parts cells."""
    tilt = _tilt(words)
    middle = look.picture.width / 2
    lines = []
    for _, group in groupby(enumerate(words), key=lambda pair: pair[1].line):
        line = list(group)
        if _confidence([word for _, word in line]) >= _NOISE:
            lines.append(_measured(line, look.picture, tilt, middle))
    sizes = _snapped([line.size for line in lines])
    usual = median([line.stroke for line in lines for _ in line.words]) if lines else 0.0
    page = Recognised(tilt=tilt, confidence=_confidence([word for line in lines for _, word in line.words]))
    for found, size in zip(lines, sizes, strict=True):
        bold = found.stroke > _BOLD * usual
        for part in _cut(found.words, size):
            page.runs.append(_run(part, found._replace(size=size), look, len(page.runs), doubtful, bold=bold))
    return page


def _tilt(words: Sequence[Word]) -> float:
    """How much the lines of a page fall to the right: the median over its long lines."""
    slopes = []
    for _, group in groupby(words, key=lambda word: word.line):
        flat = [word for word in group if not _DESCENDING.search(word.text) and any(map(str.isalnum, word.text))]
        if len(flat) >= 4 and flat[-1].x0 - flat[0].x0 > 20 * (flat[0].bottom - flat[0].top):
            slopes.append((flat[-1].bottom - flat[0].bottom) / (flat[-1].x0 - flat[0].x0))
    tilt = median(slopes) if slopes else 0.0
    return tilt if abs(tilt) > 0.001 else 0.0


def _measured(line: list[tuple[int, Word]], picture: Picture, tilt: float, middle: float) -> _Set:
    words = [word for _, word in line]
    shift = {word: tilt * ((word.x0 + word.x1) / 2 - middle) for word in words}
    flat = [word.bottom - shift[word] for word in words if not _DESCENDING.search(word.text) and _is_word(word)]
    tall = max(word.bottom - word.top for word in words)
    baseline = median(flat) if flat else median(word.bottom - shift[word] for word in words) - 0.2 * tall
    heights: dict[bool, list[float]] = {True: [], False: []}
    for word in words:
        if _is_word(word) and word.text.isascii():
            kind = _ASCENDING.search(word.text) is not None
            heights[kind].append((baseline - word.top + shift[word]) / _HEIGHTS[kind])
    known = heights[True] or heights[False]
    size = median(known) if known else tall / (_ABOVE + _BELOW)
    first = words[0]
    if len(line) > 1 and _is_dot(first, picture, baseline + shift[first], size):
        line = [(line[0][0], first._replace(text="•")), *line[1:]]
    strokes = [stroke for word in words if _is_word(word) and (stroke := _stroke(word, picture))]
    return _Set(line, baseline, max(size, 1.0), median(strokes) / max(size, 1.0) if strokes else 0.0)


def _is_dot(word: Word, picture: Picture, baseline: float, size: float) -> bool:
    """True for the filled dot before an item of a list, which tesseract takes for any small letter."""
    width, height = word.x1 - word.x0, word.bottom - word.top
    if len(word.text) > 2 or not 0.15 * size < height < 0.6 * size or not 0.75 * height < width < 1.33 * height:
        return False
    rows = list(_rows(word, picture))
    table = _dark((max(map(max, rows)) + min(map(min, rows))) // 2)
    ink = sum(row.translate(table).count(1) for row in rows)
    return word.bottom < baseline - 0.05 * size and ink > _FILLED * width * height


def _is_word(word: Word) -> bool:
    return any(map(str.isalnum, word.text))


def _stroke(word: Word, picture: Picture) -> float:
    """The mean length of stretches of ink in the rows of a word: bold letters have longer ones."""
    rows = list(_rows(word, picture))
    table = _dark((max(map(max, rows)) + min(map(min, rows))) // 2)
    ink = stretches = 0
    for row in rows:
        dark = row.translate(table)
        ink += dark.count(1)
        stretches += dark.count(b"\x00\x01") + dark.startswith(b"\x01")
    return ink / stretches if stretches else 0.0


@lru_cache(maxsize=256)
def _dark(threshold: int) -> bytes:
    return b"\x01" * (threshold + 1) + b"\x00" * (255 - threshold)


def _snapped(sizes: Sequence[float]) -> list[float]:
    """Sizes of which those that hardly differ are one: letters are measured with an error, fonts are not mixed so."""
    snapped = [0.0] * len(sizes)
    group: list[int] = []
    for at in [*sorted(range(len(sizes)), key=lambda at: sizes[at]), -1]:
        if group and (at < 0 or sizes[at] > _SAME_SIZE * sizes[group[0]]):
            middle = median(sizes[one] for one in group)
            for one in group:
                snapped[one] = middle
            group = []
        group.append(at)
    return snapped


def _cut(words: Sequence[tuple[int, Word]], size: float) -> Iterator[list[tuple[int, Word]]]:
    part: list[tuple[int, Word]] = []
    for at, word in words:
        if part and word.x0 - part[-1][1].x1 > _CELL_GAP * size:
            yield part
            part = []
        part.append((at, word))
    yield part


def _run(
    part: Sequence[tuple[int, Word]], line: _Set, look: _Look, order: int, doubtful: Mapping[int, str], *, bold: bool
) -> Run:
    words, baseline, size = [word for _, word in part], line.baseline, line.size
    text = " ".join(word.text for word in words)
    left, top = look.corner
    return Run(
        text=text,
        x0=left + words[0].x0 / look.scale,
        top=top + (baseline - _ABOVE * size) / look.scale,
        x1=left + max(word.x1 for word in words) / look.scale,
        bottom=top + (baseline + _BELOW * size) / look.scale,
        size=size / look.scale,
        bold=bold,
        frame=look.frame,
        order=order,
        bold_prefix=len(text) if bold else 0,
        recognition=Recognition(_confidence(words), tuple(doubtful[at] for at, _ in part if at in doubtful)),
    )


def _compare(page: Recognised, layer: Sequence[VisualLine], words: Sequence[_Boxed]) -> None:
    """Hold the unseen text of a scan against what its picture shows.

    What the picture does not show is kept apart. A figure that both give, and differently, is doubtful.
    """
    for line in layer:
        shown = [
            text
            for text, (x0, top, x1, bottom) in words
            if line.x0 - 2 <= (x0 + x1) / 2 <= line.x1 + 2 and line.top - 2 <= (top + bottom) / 2 <= line.bottom + 2
        ]
        box = line.x0, line.top, line.x1, line.bottom
        if fuzz.ratio(_folded(line.text), _folded(" ".join(shown))) < _AGREES:
            page.hidden.append((line.text, "other_text", box))
            continue
        ours, theirs = ([found.group() for found in _FIGURE.finditer(text)] for text in (" ".join(shown), line.text))
        if len(ours) == len(theirs):
            for our, their in zip(ours, theirs, strict=True):
                if _figure(our) != _figure(their):
                    _doubt(page, box, our, their)


def _doubt(page: Recognised, box: Rect, ours: str, theirs: str) -> None:
    for run in page.runs:
        beside = run.top <= (box[1] + box[3]) / 2 <= run.bottom and run.x0 <= box[2] and run.x1 >= box[0]
        if beside and ours in run.text and run.recognition is not None:
            told = *run.recognition.doubtful, f"{ours} or {theirs}"
            run.recognition = Recognition(run.recognition.confidence, tuple(dict.fromkeys(told)))


def _folded(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def is_read(page: Recognised) -> bool:
    """True if what was recognised on a page as a whole can be taken for its text."""
    return not page.failed and page.confidence >= _READABLE


def untilted(line: VisualLine, page: Recognised, placement: Placement) -> None:
    """Move a line back to where it is on a page that was laid askew on the scanner."""
    x, y = placement.width / 2, placement.height / 2
    middle = turn_to_frame((x, y, x, y), line.frame)[0]
    shift = page.tilt * ((line.x0 + line.x1) / 2 - middle)
    line.top += shift
    line.bottom += shift
