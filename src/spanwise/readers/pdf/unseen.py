"""Characters that leave no ink on the page, or too little to be read, among those of which that is in doubt."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from statistics import median
from typing import NamedTuple

from spanwise.domain.document import HiddenReason
from spanwise.readers.pdf import native
from spanwise.readers.pdf.characters import Characters
from spanwise.readers.pdf.look import LEGIBLE, Glyph, Looker, has_ink, seen_glyphs
from spanwise.readers.pdf.placement import Placement, Rect, turn_from_frame
from spanwise.readers.pdf.runs import Run
from spanwise.readers.pdf.scene import Scene, covers, overlaps, surely_shows

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
    looker = looking(median(word.size for word in words), _around([word.box for word in words]))
    seen = seen_glyphs(looker, glyphs, dict.fromkeys(letters, 7))
    unseen: dict[int, HiddenReason] = {}
    for word in words:
        shares = [seen.get(glyph.at, 0.0) for glyph in word.glyphs] if seen is not None else [0.0] * len(word.glyphs)
        legible = any(share >= LEGIBLE for share in shares)
        for place, glyph, share in zip(word.places, word.glyphs, shares, strict=True):
            if not legible or not share:
                unseen[place] = "unchecked" if seen is None else _reason(scene, glyph)
    return _without_drawn_symbols(
        looker,
        characters,
        unseen,
        {place: glyph.box for word in words for place, glyph in zip(word.places, word.glyphs, strict=True)},
    )


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
    if len({glyph.item for glyph in word.glyphs}) == 1:
        return surely_shows(scene, placement, word.glyphs[0].item, word.box)
    return all(surely_shows(scene, placement, glyph.item, glyph.box) for glyph in word.glyphs)


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
        if picture is None or not has_ink(looker, picture, _box(run)):
            reason: HiddenReason = "unchecked" if picture is None else "render_mode"
            unseen.update(dict.fromkeys(range(run.start, run.stop), reason))
    return unseen


def _box(run: Run) -> Rect:
    return turn_from_frame((run.x0, run.top, run.x1, run.bottom), run.frame)


def window(runs: Sequence[Run]) -> Rect:
    """The part of the page that some runs take up."""
    return _around([_box(run) for run in runs])


def _around(boxes: Sequence[Rect]) -> Rect:
    return (
        min(box[0] for box in boxes),
        min(box[1] for box in boxes),
        max(box[2] for box in boxes),
        max(box[3] for box in boxes),
    )


def _words(characters: Characters, run: Run, placement: Placement) -> Iterator[_Word]:
    places: list[int] = []
    glyphs: list[Glyph] = []
    for place in range(run.start, run.stop + 1):
        if place == run.stop or characters.text[place].isspace():
            if places:
                yield _Word(places, glyphs, _around([glyph.box for glyph in glyphs]), run.start, run.size)
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
