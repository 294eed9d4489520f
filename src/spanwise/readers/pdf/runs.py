"""Runs: pieces of text that stand on one baseline in one style, cut and joined as the boxes of their letters say."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import hypot
from types import MappingProxyType
from typing import NamedTuple

from spanwise.domain.document import HiddenReason, Recognition
from spanwise.readers.bounds import Budget
from spanwise.readers.invisible import TINIEST
from spanwise.readers.pdf import native
from spanwise.readers.pdf.characters import Characters, segments, squeezed
from spanwise.readers.pdf.native import char_box, object_font, text_object_at
from spanwise.readers.pdf.placement import Frame, Placement, Rect, turn_from_frame, turn_to_frame

_NOTHING: Mapping[int, HiddenReason] = MappingProxyType({})
_BOX = 1.25
"""The box around the letters of a font is about so much higher than its size."""
_NARROW = 0.06
"""Letters that are narrower than this share of their size are strokes that nobody can tell apart."""
_CELL_GAP = 1.0
"""A gap wider than this, in font sizes, separates two cells; words of one line stand closer."""
_FIGURE_GAP = 0.6
"""The same between two figures, which stand beside each other in columns and hardly ever in a sentence."""
FIGURE_ENDS = frozenset("0123456789)%\u2014\u2013-")
FIGURE_STARTS = frozenset("0123456789(\u2014\u2013-")
_SPREAD = 0.54
"""Width of a letter of prose, spaces included, in font sizes, at most."""
_NOTE = re.compile(r"\((?:\d{1,2}|[a-z])\)")
"""The mark of a note, which stands near its figure; (3) may be a loss of three, which one does not know here."""
_ESTIMATED = 12
"""So many letters of a piece have a width that can be told without measuring, closely enough to see a cell end."""
_LONG = 12
_LONG_WORD = re.compile(rf"[A-Za-z\u00c0-\u024f\u0370-\u04ff]{{{_LONG},40}}")
"""Words that may be two; the boxes of the letters of all words would cost too much."""
_FIGURE = re.compile(r"\d[\d.,]{0,30}[-+\u2212]?\d|[^\W\d_]{4}\d{1,2}(?!\w)")
"""What may end with a raised number: a figure, or a word that is too long to be a unit."""
SMALLER, HIGHER = 0.85, 0.15
"""Height of a raised digit at most, and of its foot above that of the others at least, in heights of these."""
LARGE = 1.8
"""Size of a large initial against that of the lines beside it, at least."""
_TILT = 0.05
"""Slope of a line from which on its end does not stand beside its beginning."""
_LEAST_LETTERS = 3
_PITCH, _SPACE = 0.05, 0.14
"""Distance of letters in one word at most, and of two words at least, in font sizes."""


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
    cell: tuple[float, ...] = ()
    """The rules to the left and to the right of that cell, where there are some."""
    item: int = 0
    """The text object of its first letter."""
    start: int = 0
    stop: int = 0
    """Where it is in the text of the page."""
    recognition: Recognition | None = None
    """For text that was recognised in a picture."""
    cuts: tuple[tuple[int, float, float], ...] = ()
    """Where cells part that one text object draws, as TeX does: places in `text`, and what is left and right of each.
    Lines are cut there, but columns of the page are told by what the object draws."""
    tilted: bool = False
    """Its line rises or falls, so that its pieces stand at different heights; they follow one another in the file."""
    glue: str | None = None
    """What is between it and the tilted run before it; None where it begins a line."""

    @property
    def place(self) -> Rect:
        """Where it is on the displayed page."""
        rect = self.x0, self.top, self.x1, self.bottom
        return turn_from_frame(rect, self.frame) if self.frame else rect


class Runs(NamedTuple):
    """The runs of a page."""

    runs: list[Run]
    used: Mapping[int, str]
    """What is set in each font."""


def collect_runs(
    characters: Characters, placement: Placement, budget: Budget, unseen: Mapping[int, HiddenReason] = _NOTHING
) -> Runs:
    """All runs of a page, in the order of the file; those of `unseen` characters (by place in the text) apart."""
    return _Runs(characters, placement, unseen).collect(budget) if characters.text else Runs([], {})


class _Style(NamedTuple):
    font: int
    size: float
    bold: bool
    frame: Frame
    tilted: bool = False


class _Begin(NamedTuple):
    """How a piece of text begins: the box of its first character, its style and its text object."""

    box: Sequence[float]
    style: _Style
    item: int = 0


_NOWHERE = _Begin((), _Style(0, 0.0, False, 0))


def _generated_style(box: Sequence[float]) -> _Style:
    """For characters that pdfium put in and that no text object drew."""
    return _Style(0, max(round(box[1] - box[3], 2), 1.0), False, 0)


class _Runs:
    """Cuts the text of a page where the line or the style changes, and joins what goes on in the same line.

    A text object never spans two lines, so its boxes and style are asked for once. Some files have one object a
    letter; there the first letter of each word answers for the word, and a word whose font, colour, mode and height
    are those of the word before it continues it.
    """

    def __init__(self, characters: Characters, placement: Placement, unseen: Mapping[int, HiddenReason]) -> None:
        self.text = characters.text
        self.text_page = characters.text_page
        self.indexes = characters.indexes
        self.placement = placement
        self.unseen = unseen
        self.bold_fonts: dict[int, bool] = {}
        self.styles: dict[tuple[int, int], _Style] = {}
        """By font and height (in hundredths), for upright text: those two give the size."""
        self.used: defaultdict[int, list[str]] = defaultdict(list)
        """What is set in each font."""
        self.runs: list[Run] = []
        self.pieced: list[bool] = []
        """Which of the runs are of several text objects."""

    def collect(self, budget: Budget) -> Runs:
        """All runs of the page, in the order of the file, and what they use of each font."""
        for start, end in segments(self.text):
            for first, last, hidden in self._stretches(start, end) if self.unseen else ((start, end, None),):
                self._collect_stretch(first, last, hidden, budget)
            budget.step()
        upright = self.placement.turn == 0
        for run, pieced in zip(self.runs, self.pieced, strict=True):
            if "  " in run.text or not run.text.isprintable():
                run.text = squeezed(run.text)
            if pieced and upright and run.frame == 0:
                self._mark_raised(run)
                if len(run.text) >= _LONG:
                    self._part_glued(run)
        return Runs(self.runs, {font: "".join(texts) for font, texts in self.used.items()})

    def _stretches(self, start: int, end: int) -> Iterator[tuple[int, int, HiddenReason | None]]:
        """A segment cut where what one sees ends or begins again."""
        at = start
        while at < end:
            reason, after = self.unseen.get(at), at + 1
            while after < end and (self.text[after].isspace() or self.unseen.get(after) == reason):
                after += 1
            last = at + len(self.text[at:after].rstrip())
            if last > at:
                yield at, last, reason
            at = after

    def _collect_stretch(self, start: int, end: int, hidden: HiddenReason | None, budget: Budget) -> None:
        """Add text of one visual line."""
        text_page, indexes = self.text_page, self.indexes
        index = indexes[start]
        first = text_object_at(text_page, index)
        if first is not None and first == text_object_at(text_page, indexes[end - 1]):
            box = char_box(text_page, index)
            style = self._style(start, object_font(first) or 0, box)
            self._add(start, end, _Begin(box, style, first), hidden, pieced=False)
            if style.frame == 0 and self.placement.turn == 0 and self.runs[-1].start == start:
                self._note_cuts(self.runs[-1])
        else:
            self._cut_segment(start, end, first, hidden, budget)

    def _note_cuts(self, run: Run) -> None:
        """Note where the cells of a row part whose letters stand farther apart than those of prose."""
        spare = run.x1 - run.x0 - _SPREAD * run.size * len(run.text)
        if spare <= 0 or " " not in run.text or run.text != self.text[run.start : run.stop]:
            return
        cuts = []
        for space in re.finditer(" +", run.text):
            at, word = space.span()
            x = char_box(self.text_page, self.indexes[run.start + word])[0]
            gap = self._gap_before(run.start + word, x)
            if gap > cell_gap(run.text[:at], run.text[word : word + 5]) * run.size:
                cuts.append((at, x - gap - self.placement.left, x - self.placement.left))
                spare -= gap - _SPREAD * run.size * (word - at)
        if spare <= 0:  # typewriters set all letters far apart
            run.cuts = tuple(cuts)

    def _cut_segment(
        self, segment_start: int, segment_end: int, first: int | None, hidden: HiddenReason | None, budget: Budget
    ) -> None:
        """Add the words of several text objects, those that are set alike as one piece."""
        text, text_page, indexes = self.text, self.text_page, self.indexes
        start = last_word = -1
        begin, last_x, previous = _NOWHERE, 0.0, None
        style = begin.style
        top = bottom = 0.0
        final = text_object_at(text_page, indexes[text.rfind(" ", segment_start, segment_end) + 1 or segment_start])
        following = segment_start
        for part in text[segment_start:segment_end].split(" "):
            word = following
            following += len(part) + 1
            if not part:
                continue
            index = indexes[word]
            item = text_object_at(text_page, index) if word > segment_start else first
            if item is None:
                font = 0
            elif item == previous:
                continue
            else:
                font = object_font(item) or 0
            previous = item
            word_box = char_box(text_page, index)
            x = word_box[0]
            if start >= 0:
                if (
                    item is not None
                    and word_box[1] == top
                    and word_box[3] == bottom
                    and font == style.font
                    and x > last_x
                ):
                    # Usually the distance is about what the letters between need; only else is the gap measured.
                    near = style.size * (0.55 + 0.45 * min(word - last_word, _ESTIMATED))
                    if (
                        x - last_x <= near
                        or self._gap_before(word, x)
                        <= cell_gap(text[max(0, word - 4) : word], text[word : word + 5]) * style.size
                    ):
                        last_x, last_word = x, word
                        if item == final:
                            break  # The letters of an object follow one another: the other words are its own.
                        continue
                self._add(start, word, begin, hidden)
                budget.step()
            style = self._style(word, font, word_box) if item is not None else _generated_style(word_box)
            start, begin = word, _Begin(word_box, style, item or 0)
            top, bottom = word_box[1], word_box[3]
            last_x, last_word = x, word
            if item == final and item is not None:
                break
        self._add(start, segment_end, begin, hidden)

    def _gap_before(self, word: int, x: float) -> float:
        """The distance between a word and the letter before it."""
        before = word - 1
        while before > 0 and self.text[before].isspace():
            before -= 1
        return x - char_box(self.text_page, self.indexes[before])[2]

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
        flat = a * d == b * c  # a matrix that presses letters into a line
        size = 0.0 if flat else native.font_size(self.text_page, index) * hypot(c, d)
        tilted = min(abs(a), abs(b)) > _TILT * max(abs(a), abs(b))
        style = _Style(font, size, bold, self.placement.frame_of(a, b), tilted)
        if a > 0 and b == 0 and c == 0 and d > 0:
            self.styles[key] = style
        return style

    def _add(self, start: int, stop: int, begin: _Begin, hidden: HiddenReason | None, *, pieced: bool = True) -> None:
        """Measure a piece of text in one style, from the box of its first character."""
        text = self.text[start:stop].rstrip()
        end = start + len(text)
        first, (font, size, bold, frame, tilted), item = begin
        self.used[font].append(text)
        left, top, right, bottom = first
        last_left, last_top, last_right, last_bottom = (
            first if end - start == 1 else char_box(self.text_page, self.indexes[end - 1])
        )
        placement = self.placement
        if last_left < left or last_right < right:
            left, right = min(left, last_left), max(right, last_right)
        else:
            right = last_right
        if frame == 0 and placement.turn == 0:
            if last_top < bottom or last_bottom > top:
                # It starts on one line and ends on another: pdfium saw no break, the boxes do.
                later = (char_box(self.text_page, self.indexes[at]) for at in range(start + 1, end))
                half = next((at for at, one in enumerate(later, start + 1) if one[1] < bottom or one[3] > top), end)
                if half < end:
                    self._add(start, half, begin, hidden)
                    index = self.indexes[half]
                    box, other = char_box(self.text_page, index), text_object_at(self.text_page, index)
                    known = other is not None
                    style = self._style(half, object_font(other) or 0, box) if known else _generated_style(box)
                    self._add(half, end, _Begin(box, style, other or 0), hidden)
                    return
            x0, x1 = left - placement.left, right - placement.left
            upper, lower = placement.top - top, placement.top - bottom
            unseen = x1 <= 0 or lower <= 0 or x0 >= placement.width or upper >= placement.height
        else:
            shown = placement.show(left, min(bottom, last_bottom), right, max(top, last_top))
            unseen = shown[2] <= 0 or shown[3] <= 0 or shown[0] >= placement.width or shown[1] >= placement.height
            x0, upper, x1, lower = turn_to_frame(shown, frame)
        if size <= 0:
            size = lower - upper
        if hidden is None and (unseen or size <= TINIEST or x1 - x0 < _NARROW * size * len(text)):
            hidden = "off_page" if unseen else _too_small(x1 - x0, lower - upper, size, text)
        if "\ufffe" in text:
            text = text.replace("\ufffe", "-")
        runs = self.runs
        run = runs[-1] if runs else None
        gap = cell_gap(run.text, text) if run else 0.0
        if run and x0 - run.x1 <= gap * size and _continues(run, x0, upper, lower, size, frame, hidden):
            self._lengthen(run, start, end, text, bold)
            run.x1 = max(run.x1, x1)
            if size > run.size:
                run.size, run.top, run.bottom = size, upper, lower
            return
        text = text.lstrip()
        prefix = len(text) if bold else 0
        runs.append(
            Run(text, x0, upper, x1, lower, size, bold, frame, len(runs), prefix, hidden, False, (), item, start, end)
        )
        self.pieced.append(pieced)
        self._tie(tilted=tilted)

    def _tie(self, *, tilted: bool) -> None:
        """Note whether the last run is tilted, and goes on with the line of the one before it."""
        before, run = self.runs[-2] if len(self.runs) > 1 else None, self.runs[-1]
        run.tilted = tilted
        if tilted and before is not None and before.tilted and run.x0 > before.x0:
            between = self.text[before.stop : self.text.find(run.text[:1], run.start)]
            run.glue = None if between.strip(" ") else between[:1]

    def _lengthen(self, run: Run, start: int, end: int, text: str, bold: bool) -> None:
        """Append what goes on in the same line: words in several styles, kerned pieces, raised footnote marks."""
        # A space goes before it where the text has one, so that joining needs no guess.
        before = self.text[start - 1 : start]
        joined = f"{run.text} {text}" if not before or before == "\ufffe" or before.isspace() else run.text + text
        if text and not bold:
            run.bold = False
        elif text and run.bold:
            run.bold_prefix = len(joined)
        run.text, run.stop = joined, end
        self.pieced[-1] = True

    def _mark_raised(self, run: Run) -> None:
        """Put a sign before raised numbers, which make other figures otherwise: 10^6 is not 106, nor is 500^1 5001."""
        cursor, marked = run.start, 0
        for found in _FIGURE.finditer(run.text):
            at = self.text.find(found[0], cursor, run.stop)
            if at < 0:
                continue
            cursor = at + len(found[0])
            if (place := self._raised(at, cursor)) and self.text[place - 1] != "^":
                cut = found.start() + place - at + marked
                run.text = f"{run.text[:cut]}^{run.text[cut:]}"
                run.bold_prefix += run.bold_prefix > cut
                run.cuts = tuple((where + (where > cut), left, right) for where, left, right in run.cuts)
                marked += 1

    def _raised(self, start: int, stop: int) -> int:
        """The place of the first character that is smaller than the one at `start` and stands higher; 0 if none is."""
        first, last = self.indexes[start], self.indexes[stop - 1]
        if text_object_at(self.text_page, first) == text_object_at(self.text_page, last):
            return 0
        _, top, _, foot = char_box(self.text_page, first)

        def is_raised(place: int) -> bool:
            _, upper, _, lower = char_box(self.text_page, self.indexes[place])
            return upper - lower <= SMALLER * (top - foot) and lower - foot >= HIGHER * (top - foot)

        return next((place for place in range(start + 1, stop) if is_raised(place)), 0) if is_raised(stop - 1) else 0

    def _part_glued(self, run: Run) -> None:
        """Put a space into long words where the page shows one that the file does not say."""
        for word in reversed(list(_LONG_WORD.finditer(run.text))):
            at = self.text.find(word[0], run.start, run.stop)
            if at < 0:
                continue
            first, last = self.indexes[at], self.indexes[at + len(word[0]) - 1]
            if text_object_at(self.text_page, first) == text_object_at(self.text_page, last):
                continue  # pdfium finds the spaces within a text object, and misses some between two
            boxes = [char_box(self.text_page, self.indexes[place]) for place in range(at, at + len(word[0]))]
            gaps = [(after[0] - before[2]) / run.size for before, after in pairwise(boxes)]
            wide = [place for place, gap in enumerate(gaps, start=1) if gap > _PITCH]
            edges = [0, *wide, len(word[0])]
            if not wide or any(b - a < _LEAST_LETTERS for a, b in pairwise(edges)):
                continue
            if all(_SPACE <= gaps[place - 1] < _CELL_GAP for place in wide):
                parts = " ".join(word[0][a:b] for a, b in pairwise(edges))
                run.text = f"{run.text[: word.start()]}{parts}{run.text[word.end() :]}"
                run.bold_prefix += len(wide) if run.bold_prefix >= word.end() else 0


def cell_gap(left: str, right: str) -> float:
    """The space, in font sizes, from which on two pieces of a line are two cells."""
    last = left.rstrip()[-1:]
    figures = last and last in FIGURE_ENDS and right[:1] in FIGURE_STARTS and not _NOTE.match(right)
    return _FIGURE_GAP if figures else _CELL_GAP


def _too_small(width: float, height: float, size: float, text: str) -> HiddenReason | None:
    """`tiny` for text of which one sees specks or strokes; a rule of underscores is no text."""
    # A font may name a size of 1 and draw large; what counts is that nothing large came out.
    if size <= TINIEST and min(width, height) <= _BOX * TINIEST and any(map(str.isalnum, text)):
        return "tiny"
    return "tiny" if len(text) > 3 and width < _NARROW * size * len(text) else None


def _continues(
    run: Run, x0: float, top: float, bottom: float, size: float, frame: Frame, hidden: HiddenReason | None
) -> bool:
    """Whether what begins at `x0` goes on where a run ends."""
    small, large = (size, run.size) if size < run.size else (run.size, size)
    gap = x0 - run.x1
    if len(run.text) == 1 and LARGE * size <= run.size:
        return False  # a large initial, which stands beside several lines
    if gap > _CELL_GAP * small or gap < -0.5 * large or run.hidden != hidden or run.frame != frame:
        return False
    shared = min(bottom, run.bottom) - max(top, run.top)
    return shared > 0.5 * min(bottom - top, run.bottom - run.top)
