"""One page: its runs of text, those apart that nobody can see, and what it shows where it has no text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pypdfium2.raw as pdfium

from spanwise.readers.bounds import Budget
from spanwise.readers.pdf import native
from spanwise.readers.pdf.ground import Ground, paints
from spanwise.readers.pdf.placement import Placement, Rect, turn_from_frame
from spanwise.readers.pdf.runs import Run, collect_runs

_LITTLE_TEXT = 80


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
                found.paints = paints(address)
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
    runs = collect_runs(text_page, placement, budget)
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
    found.runs = [run for run in found.runs if run.text and not run.text.isspace()]


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


def _shown(run: Run) -> Rect:
    return turn_from_frame((run.x0, run.top, run.x1, run.bottom), run.frame)
