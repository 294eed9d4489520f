"""One page: its runs of text, those apart that nobody can see, and what it shows where it has no text."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from statistics import median
from typing import NamedTuple

import pypdfium2.raw as pdfium

from spanwise.domain.document import HiddenReason
from spanwise.readers.bounds import Budget
from spanwise.readers.pdf import native
from spanwise.readers.pdf.characters import Characters, FontBook, FontDoubts, false_claims, read_characters
from spanwise.readers.pdf.opened_pdf import OpenPdf
from spanwise.readers.pdf.placement import Placement, Rect, meet
from spanwise.readers.pdf.rendering import Allowance, Looker, find_unseen, outside_picture, window
from spanwise.readers.pdf.ruled import Rules, find_rules
from spanwise.readers.pdf.runs import Run, collect_runs
from spanwise.readers.pdf.scene import Scene, doubtful, shows_something, survey

_LITTLE_TEXT = 80
_WIDGET = pdfium.FPDF_ANNOT_WIDGET
_WRITTEN = frozenset({_WIDGET, pdfium.FPDF_ANNOT_FREETEXT})
"""Notes that are there for their text."""
_LINKS = frozenset({pdfium.FPDF_ANNOT_LINK})
_MOST_NOTES = 2_000
_MOST_PRINTS = 4
"""How often a text is looked for under another in the same place."""


@dataclass(slots=True)
class PageRuns:
    """Everything that one page shows, before it is put into lines."""

    placement: Placement
    runs: list[Run] = field(default_factory=list)
    hidden: list[Run] = field(default_factory=list)
    claims: list[tuple[str, Rect]] = field(default_factory=list)
    """Text that the file gives for glyphs which show something else, and where they are."""
    ocr_layer: bool = False
    """The text is invisible because it lies over a picture of itself."""
    rules: Rules | None = None
    """What divides its tables into cells."""
    unchecked: bool = False
    """There was no time to see whether all of the text shows."""
    paints: bool = False
    """The page shows pictures or drawings; only looked at where it has no text."""
    notes: bool = False
    """The page has notes or fields, which may keep text that is not shown."""
    picture: bool = False
    """A picture covers most of the page; only looked at where it has little text."""


def load_page(opened: OpenPdf, index: int) -> pdfium.FPDF_PAGE:
    """A page with what is typed into its fields and boxes drawn into it; false where pdfium cannot load it."""
    return _loaded(opened, index)[0]


def _loaded(opened: OpenPdf, index: int) -> tuple[pdfium.FPDF_PAGE, bool]:
    """The same, and whether the page has notes or fields at all."""
    page = pdfium.FPDF_LoadPage(opened.document.raw, index)
    kinds = _notes(native.address_of(page)) if page else {}
    fields = opened.document.formenv if _WIDGET in kinds else None
    if fields is not None or any(speaks for kind, speaks in kinds.items() if kind != _WIDGET):
        native.remove_unseen_notes(native.address_of(page))
        if fields is not None:  # Those of which the file does not say how they look are drawn then.
            pdfium.FORM_OnAfterLoadPage(page, fields)
            pdfium.FORM_OnBeforeClosePage(page, fields)
        # What is typed into fields and boxes is no part of the page's text unless it is drawn into the page.
        pdfium.FPDFPage_Flatten(page, pdfium.FLAT_NORMALDISPLAY)
        pdfium.FPDF_ClosePage(page)
        page = pdfium.FPDF_LoadPage(opened.document.raw, index)
    return page, not kinds.keys() <= _LINKS


def read_page(opened: OpenPdf, index: int, budget: Budget, allowance: Allowance, book: FontBook) -> PageRuns | None:
    """Read one page, or None where pdfium cannot load it."""
    page, notes = _loaded(opened, index)
    if not page:
        return None
    try:
        address = native.address_of(page)
        placement = _placement(address)
        scene = survey(address, placement, layers=opened.layers, blends=opened.blends)
        found = PageRuns(placement, notes=notes, rules=find_rules(placement.show(*box) for box in scene.thin))
        nowhere = 0.0, 0.0, 0.0, 0.0
        found.claims = [
            (text, placement.show(*(native.bounds(item) or nowhere))) for text, item in scene.drawn_texts.values()
        ]
        text_page = pdfium.FPDFText_LoadPage(page)
        try:
            if text_page and scene.actual:
                claims = false_claims(address, _handle(text_page), scene.actual)
                if claims:
                    found.claims += [
                        (one.text, placement.show(*(native.bounds(one.item) or nowhere))) for one in claims
                    ]
                    pdfium.FPDFText_ClosePage(text_page)
                    text_page = pdfium.FPDFText_LoadPage(page)
            if text_page:
                handle = _handle(text_page)
                _collect(_Reading(opened, address, handle, placement, scene, found, budget, allowance, book))
        finally:
            if text_page:
                pdfium.FPDFText_ClosePage(text_page)
        if not found.runs:
            found.paints = shows_something(scene)
        if len(found.runs) <= 8 and sum(len(run.text) for run in found.runs) < _LITTLE_TEXT:
            found.picture = scene.picture(placement) is not None
        return found
    finally:
        book.close(page)


def _notes(page: int) -> dict[int, bool]:
    """The kinds of notes and fields on a page, and whether any of a kind shows text, as far as one knows."""
    found: dict[int, bool] = {}
    for position in range(min(max(native.count_annotations(page), 0), _MOST_NOTES)):
        annotation = native.annotation_at(page, position)
        if annotation:
            kind = native.annotation_kind(annotation)
            speaks = native.has_appearance if kind in _WRITTEN else native.appearance_may_speak
            found[kind] = found.get(kind, False) or speaks(annotation)
            native.close_annotation(annotation)
    return found


def _handle(text_page: pdfium.FPDF_TEXTPAGE) -> native.Handle:
    return native.handle(native.address_of(text_page))


def _placement(page: int) -> Placement:
    left, top, right, bottom = native.page_box(page) or (0.0, 0.0, 0.0, 0.0)
    if right <= left or top <= bottom:
        left, bottom, right, top = 0.0, 0.0, 612.0, 792.0
    return Placement((left, bottom, right, top), native.page_rotation(page) % 4)


class _Reading(NamedTuple):
    """A page that pdfium has open, and what it is read with."""

    opened: OpenPdf
    page: int
    text_page: native.Handle
    placement: Placement
    scene: Scene
    found: PageRuns
    budget: Budget
    allowance: Allowance
    book: FontBook


def _collect(at: _Reading, again: int = _MOST_PRINTS, known: frozenset[int] = frozenset()) -> None:
    """Collect the runs of a page; text objects that are `known` to be seen are not looked at again."""
    found, scene = at.found, at.scene
    characters = read_characters(at.text_page)
    runs, used = collect_runs(characters, at.placement, at.budget)
    fonts = at.book.examine(used)
    if fonts.blank:
        _doubt_fonts(runs, fonts.blank, characters, scene)
    unseen = _false_text(runs, fonts, characters) if fonts.false else {}
    boxes = [run.place for run in runs]
    doubts = doubtful(scene, [(run.item, box) for run, box in zip(runs, boxes, strict=True)])
    wide, high = at.placement.width, at.placement.height
    doubts.update(
        number
        for number, (left, top, right, bottom) in enumerate(boxes)
        if left < 0 or top < 0 or right > wide or bottom > high  # A part of it lies outside the page.
    )
    suspects = [runs[number] for number in sorted(doubts) if runs[number].hidden is None]
    if known:
        suspects = [run for run in suspects if not _owners(characters, run.start, run.stop) <= known]
    if suspects:
        looking = partial(Looker, at.opened, at.page, at.placement, at.allowance)
        found.ocr_layer = _is_ocr_layer(runs, suspects, scene, at.placement)
        if found.ocr_layer:
            unseen |= outside_picture(looking(median(run.size for run in suspects), window(suspects)), suspects)
        else:
            unseen |= find_unseen(looking, at.placement, characters, suspects, scene)
    if unseen:
        found.unchecked = found.unchecked or "unchecked" in unseen.values()
        runs, _ = collect_runs(characters, at.placement, at.budget, unseen)
    found.hidden += [run for run in runs if run.hidden]
    covering = _over_print(characters, unseen, scene) if unseen and again else set()
    if covering:
        known = frozenset(item for item in _owners(characters) if item) - {
            native.text_object_at(characters.text_page, characters.indexes[place]) for place in unseen
        }
        for item in covering:
            native.take_away(item)
        text_page = pdfium.FPDFText_LoadPage(ctypes.cast(at.page, pdfium.FPDF_PAGE))
        if text_page:
            try:
                _collect(at._replace(text_page=_handle(text_page)), again - 1, known)
            finally:
                pdfium.FPDFText_ClosePage(text_page)
    else:
        found.runs = [run for run in runs if not run.hidden and run.text and not run.text.isspace()]


def _owners(characters: Characters, start: int = 0, stop: int | None = None) -> set[int | None]:
    """The text objects of some characters, of all by default."""
    return {native.text_object_at(characters.text_page, index) for index in characters.indexes[start:stop]}


def _over_print(characters: Characters, unseen: Mapping[int, HiddenReason], scene: Scene) -> set[int]:
    """Text objects that nobody sees, if pdfium left out others for them: it reads what is printed twice once."""
    owners = [native.text_object_at(characters.text_page, index) for index in characters.indexes]
    seen = {owner for place, owner in enumerate(owners) if place not in unseen and not characters.text[place].isspace()}
    gone = {owners[place] for place in unseen} - seen - {None}
    spoken = set(owners)
    silent = [item for items, _ in scene.stretches for item in items if item not in spoken]
    printed = [box for item in silent if native.object_mode(native.handle(item)) >= 0 and (box := native.bounds(item))]
    places = [(item, native.bounds(item)) for item in gone if item] if printed else []
    return {item for item, place in places if place and any(meet(place, box) for box in printed)}


def _doubt_fonts(runs: Sequence[Run], fonts: frozenset[int], characters: Characters, scene: Scene) -> None:
    """Mark the text objects whose font may draw nothing, and the first one of each run that has any."""
    for run in runs:
        items = {
            native.text_object_at(characters.text_page, index) for index in characters.indexes[run.start : run.stop]
        }
        blank = {item for item in items if item and native.object_font(item) in fonts}
        for item in blank | ({run.item} if blank else set()):
            scene.odd.setdefault(item, "no_ink")


def _false_text(runs: Sequence[Run], fonts: FontDoubts, characters: Characters) -> dict[int, HiddenReason]:
    """The characters of all runs in which a glyph shows something else than it says, by their place."""
    unseen: dict[int, HiddenReason] = {}
    for run in runs:
        for place in range(run.start, run.stop):
            item = native.text_object_at(characters.text_page, characters.indexes[place])
            claimed = fonts.false.get(native.object_font(item)) if item else None
            if claimed and characters.text[place] in claimed:
                unseen.update(dict.fromkeys(range(run.start, run.stop), "other_text"))
                break
    return unseen


def _is_ocr_layer(runs: Sequence[Run], suspects: Sequence[Run], scene: Scene, placement: Placement) -> bool:
    """Whether the invisible text is what a scanned page shows as a picture."""
    invisible = [run for run in suspects if scene.odd.get(run.item) == "render_mode"]
    total = sum(len(run.text) for run in runs)
    if not invisible or sum(len(run.text) for run in invisible) < 0.8 * total:
        return False
    picture = scene.picture(placement)
    if picture is None:
        return False
    x0, y0, x1, y1 = picture
    boxes = [run.place for run in invisible]
    covered = [box for box in boxes if box[0] >= x0 - 2 and box[2] <= x1 + 2 and y0 - 2 <= box[3] <= y1 + 2]
    return len(covered) >= 0.8 * len(invisible)
