"""The PDF reader: what the eye sees on each page, as numbered lines with their boxes, sections and page labels."""

from __future__ import annotations

import hashlib
import re
import threading
from collections.abc import Iterator
from dataclasses import astuple, dataclass, field, fields
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from spanwise.domain.document import Box, Document, Furniture, Hidden, Line, LineRole, Notice, Page
from spanwise.errors import EmptyDocumentError, NoTextError
from spanwise.readers.bounds import Budget
from spanwise.readers.builder import SectionStart, build_sections
from spanwise.readers.invisible import visible
from spanwise.readers.pdf import native
from spanwise.readers.pdf.characters import FontBook
from spanwise.readers.pdf.furniture import Found, PageLines, find_furniture
from spanwise.readers.pdf.line_blocks import arrange as arrange_footnotes
from spanwise.readers.pdf.line_blocks import line_role, number_blocks
from spanwise.readers.pdf.opened_pdf import Entry, OpenPdf, find_targets, is_useful, open_pdf, read_outline
from spanwise.readers.pdf.page_runs import PageRuns, read_page
from spanwise.readers.pdf.placement import Placement, around, turn_from_frame
from spanwise.readers.pdf.rendering import Allowance
from spanwise.readers.pdf.runs import Run
from spanwise.readers.pdf.set_headings import Body, find_headings, measure_body
from spanwise.readers.pdf.sharing import read_together
from spanwise.readers.pdf.unshown import has_spare_resources, unshown
from spanwise.readers.pdf.visual_lines import VisualLine, build_lines
from spanwise.readers.port import ReadOptions
from spanwise.text.noise import is_garbled

if TYPE_CHECKING:
    from spanwise.readers.pdf.recognised import Recognised

__all__ = ["read_pdf"]

_EVERYDAY = re.compile(
    "[ -~\u00a1-\u00ac\u00ae-\u036f\u0370-\u052f\u2010-\u2027\u2030-\u205e\u2070-\u23ff\u2500-\u27bf\ufb00-\ufb06]*"
)
"""Characters of which none is invisible: a quick way past the careful look for most lines."""
_LOOK_SECONDS = 30.0
"""All looks at the pages of one document may take this long."""
_FIELDS = attrgetter(*(one.name for one in fields(VisualLine)))
_TELLING = 8
"""So many invisible characters in one line are no accident of typesetting."""


_ONE_AT_A_TIME = threading.Lock()
"""pdfium must not be used by two threads of one process, and its calls here share buffers."""


@dataclass(slots=True)
class _ReadPage:
    """What is kept of a page once pdfium has let go of it."""

    placement: Placement | None
    lines: list[VisualLine]
    shows: bool
    """It has pictures or drawings on it, and little or no text."""
    layer: bool = False
    """Its text is unseen and lies over a picture of itself."""
    garbled: bool = False
    """Its text makes no words."""
    hidden: list[Hidden] = field(default_factory=list)
    unchecked: bool = False
    """There was no time to see whether all of its text shows."""
    notes: bool = False
    """It has notes or fields, which may keep text that is not shown."""
    why: str = ""
    """Why its picture was not read; completes a sentence that begins with the page."""


@dataclass(slots=True)
class _Findings:
    """What is told about the document besides its lines."""

    furniture: list[Furniture] = field(default_factory=list)
    hidden: list[Hidden] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)


@dataclass(slots=True)
class _Reading:
    """A document while its pages are read."""

    opened: OpenPdf
    budget: Budget
    allowance: Allowance
    book: FontBook


def read_pdf(data: bytes, name: str, options: ReadOptions) -> Document:
    """Read a PDF."""
    budget = Budget(name, options.limits)
    findings = _Findings()
    with _ONE_AT_A_TIME, open_pdf(data, name, options) as opened:
        if opened.repaired:
            findings.notices.append(Notice("repaired", f"{name} was damaged and has been repaired before reading."))
        allowance = Allowance(min(_LOOK_SECONDS, options.limits.seconds / 2))
        reading = _Reading(opened, budget, allowance, FontBook(native.address_of(opened.document.raw)))
        try:
            pages = read_together(
                opened.pages, partial(_read_one, reading), _packed, partial(_unpacked, budget), options
            )
        finally:
            reading.book.close_all()
        _add_unshown(data, pages, options.password)
        for number, page in enumerate(pages, start=1):
            _report_hidden(number, page, findings)
        identity = hashlib.sha256(data).hexdigest()
        _recognise(reading, findings, pages, identity, options)
        labels = _labels(opened)
        entries = read_outline(opened.document, [page.placement for page in pages])
    furniture = find_furniture([PageLines(*_size(page), page.lines) for page in pages])
    return _assemble(identity, pages, labels, furniture, entries, findings, budget)


def _add_unshown(data: bytes, pages: list[_ReadPage], password: str | None) -> None:
    """Add to the hidden text of pages what they have and do not show."""
    spare = has_spare_resources(data)
    known = {
        index: " ".join([line.text for line in page.lines] + [one.text for one in page.hidden])
        for index, page in enumerate(pages)
        if page.placement is not None and (spare or page.notes)
    }
    for found in unshown(data, password, known) if known else ():
        placement = pages[found.page].placement
        if placement is not None and (text := visible(found.text).text.strip()):
            box = None if found.place is None else _rounded(found.page + 1, placement.show(*found.place))
            pages[found.page].hidden.append(Hidden(found.page + 1, text, found.reason, box))


def _labels(opened: OpenPdf) -> list[str]:
    """What the file says is printed as each page's number; most files say nothing, and then it is not asked again."""
    document, count = opened.document, opened.pages
    if not any(document.get_page_label(index) for index in {0, count // 2, count - 1}):
        return [""] * count
    return [document.get_page_label(index).strip() for index in range(count)]


def _read_one(reading: _Reading, index: int) -> _ReadPage:
    reading.budget.clock()
    number = index + 1
    found = read_page(reading.opened, index, reading.budget, reading.allowance, reading.book)
    if found is None:
        return _ReadPage(None, [], shows=True)
    hidden: list[Hidden] = []
    lines = _lines(number, build_lines(found.runs, found.rules), hidden, reading.budget)
    hidden += _hidden(number, found)
    shows = (not found.runs and found.paints) or found.picture
    garbled = is_garbled([line.text for line in lines])
    return _ReadPage(found.placement, lines, shows, found.ocr_layer, garbled, hidden, found.unchecked, found.notes)


def _packed(page: _ReadPage) -> list[object]:
    """A page that was read, as JSON can hold it."""
    placement = page.placement and (page.placement.box, page.placement.turn)
    hidden = [(one.page, one.text, one.reason, one.box and astuple(one.box)) for one in page.hidden]
    return [
        placement,
        [_FIELDS(line) for line in page.lines],
        page.shows,
        page.layer,
        page.garbled,
        hidden,
        page.unchecked,
        page.notes,
    ]


def _unpacked(budget: Budget, packed: list[Any]) -> _ReadPage:
    """Undo `_packed`."""
    placement, lines, shows, layer, garbled, hidden, unchecked, notes = packed
    for _ in lines:
        budget.line()
    return _ReadPage(
        placement and Placement(*placement),
        [VisualLine(*(*line, tuple(edges))) for *line, edges in lines],
        shows,
        layer,
        garbled,
        [Hidden(*(*row, box and Box(*box))) for *row, box in hidden],
        unchecked,
        notes,
    )


def _lines(number: int, built: list[VisualLine], hidden: list[Hidden], budget: Budget) -> list[VisualLine]:
    """The lines of a page, without the characters that nobody sees."""
    lines = []
    for line in built:
        line.page = number
        text = _clean(line.text)
        if not text.isascii() and not _EVERYDAY.fullmatch(text):
            seen = visible(text)
            text = seen.text.strip()
            if seen.message or seen.dropped >= _TELLING:
                spelled = seen.message or f"({seen.dropped} invisible characters)"
                hidden.append(Hidden(number, spelled, "zero_width", _box(line)))
        if text:
            line.text = text
            lines.append(line)
            budget.line()
    return lines


def _recognise(
    reading: _Reading, findings: _Findings, pages: list[_ReadPage], identity: str, options: ReadOptions
) -> None:
    """Recognise the text of pages that need it, and tell of those of which it could not be done."""
    mode, name = options.ocr.mode, reading.budget.name
    needing = [
        (index, page.placement, page.lines if page.layer else ())
        for index, page in enumerate(pages)
        if page.placement is not None and (mode == "always" or page.shows or page.layer or page.garbled)
    ]
    if not needing:
        return
    # What compares recognised words takes longer to load than most files take to read.
    from spanwise.readers.pdf.recognised import Wanted, recognise, recogniser_for

    wanted = [Wanted(*one) for one in needing]
    program, to_do = recogniser_for(name, options) if mode != "never" else (None, "")
    found: dict[int, Recognised] = {}
    if program is not None:
        # Of what is encrypted nothing is written anywhere.
        kept = identity if options.password is None else None
        with reading.budget.beside():
            found = recognise(reading.opened, wanted, program, name, kept, options)
    for index, _, _ in wanted:
        page = pages[index]
        seen = found.get(index)
        if seen is None or not _take(reading.budget, findings, index + 1, page, seen):
            why = f": tesseract {seen.failed}" if seen is not None and seen.failed else to_do
            _report_unrecognised(index + 1, page, why, findings)


def _take(budget: Budget, findings: _Findings, number: int, page: _ReadPage, seen: Recognised) -> bool:
    """Put what was recognised on a page in the place of its text, if it can be taken for that; False if not."""
    from spanwise.readers.pdf.recognised import is_read, untilted

    if seen.failed or page.placement is None:
        return False
    lines = _lines(number, build_lines(seen.runs), findings.hidden, budget)
    for line in lines:
        untilted(line, seen, page.placement)
    before, after = (sum(len(line.text) for line in found) for found in (page.lines, lines))
    if not is_read(seen) or (page.shows and after < before):
        page.shows = page.shows and bool(seen.runs)
        return page.shows or not (page.layer or page.garbled)
    if page.shows and not (page.layer or page.garbled):  # its own few lines need no recognition
        own = [_box(line) for line in page.lines]
        lines = [*page.lines, *(line for line in lines if not any(_overlap(_box(line), box) for box in own))]
    findings.hidden += [Hidden(number, text, reason, _rounded(number, box)) for text, reason, box in seen.hidden]
    page.lines, page.shows = lines, False
    message = f"Page {number} is a picture; its text was recognised by tesseract and may be wrong."
    findings.notices.append(Notice("recognised_page", message, number))
    for line in lines:
        for figure in line.recognition.doubtful if line.recognition else ():
            message = f"Page {number} has a figure that was read as {figure}: look at the page."
            findings.notices.append(Notice("doubtful_figure", message, number))
    return True


def _report_unrecognised(number: int, page: _ReadPage, why: str, findings: _Findings) -> None:
    if page.layer:
        message = (
            f"Page {number} is a scan; its text comes from the OCR that was stored with it, was not compared with the "
            f"picture and may be wrong{why}."
        )
        findings.notices.append(Notice("ocr_layer", message, number))
    elif page.garbled:
        message = f"The text of page {number} makes no words, as with fonts that do not say what they show{why}."
        findings.notices.append(Notice("garbled_text", message, number))
    page.why = why


def _clean(text: str) -> str:
    if text.isascii():
        return text if text.isprintable() else "".join(char for char in text if char.isprintable())
    if text[0] >= "\uf000" and text[0] <= "\uf0ff":
        text = "•" + text[1:]  # Bullets of symbol fonts have no character of their own.
    if text[-1] == "\u00ad":
        text = text[:-1] + "-"  # A soft hyphen at the end of a line is drawn.
    return text.replace("\xa0", " ")


def _hidden(number: int, found: PageRuns) -> Iterator[Hidden]:
    """What cannot be seen on a page, runs of one kind together."""
    groups: list[list[Run]] = []
    for run in found.hidden:
        if not run.text.strip():
            continue
        if groups and groups[-1][0].hidden == run.hidden and groups[-1][0].frame == run.frame:
            groups[-1].append(run)
        else:
            groups.append([run])
    for group in groups:
        box = around([run.place for run in group])
        seen = visible(" ".join(run.text for run in group))
        text = f"{seen.text} {seen.message}".strip()
        yield Hidden(number, text, group[0].hidden or "render_mode", _rounded(number, box))
    for claim, place in found.claims:
        yield Hidden(number, visible(claim).text, "other_text", _rounded(number, place))


def _report_hidden(number: int, page: _ReadPage, findings: _Findings) -> None:
    findings.hidden += page.hidden
    if page.unchecked:
        message = (
            f"Page {number} was not looked at in full, so that text which something may hide was kept apart: "
            "it is too large, or this document took too long."
        )
        findings.notices.append(Notice("unchecked_page", message, number))


def _size(page: _ReadPage) -> tuple[float, float]:
    if page.placement is None:
        return 612.0, 792.0
    return round(page.placement.width, 2), round(page.placement.height, 2)


def _box(line: VisualLine) -> Box:
    rect = line.x0, line.top, line.x1, line.bottom
    return _rounded(line.page, rect if line.frame == 0 else turn_from_frame(rect, line.frame))


def _edges(line: VisualLine) -> tuple[float, ...]:
    """The edges of a row's cells; none where its text runs in another direction than the page, or lost a cell."""
    return line.edges if line.frame == 0 and 2 * len(line.text.split("  ")) == len(line.edges) else ()


def _overlap(one: Box, other: Box) -> bool:
    return one.x0 < other.x1 and other.x0 < one.x1 and one.y0 < other.y1 and other.y0 < one.y1


def _rounded(page: int, rect: tuple[float, float, float, float]) -> Box:
    x0, top, x1, bottom = rect
    # What round(x, 2) gives for the single-precision numbers of a PDF, in a third of its time.
    return Box(page, round(100 * x0) / 100, round(100 * top) / 100, round(100 * x1) / 100, round(100 * bottom) / 100)


def _assemble(
    identity: str,
    read: list[_ReadPage],
    labels: list[str],
    furniture: list[Found],
    entries: list[Entry],
    findings: _Findings,
    budget: Budget,
) -> Document:
    shown: list[list[VisualLine]] = [[] for _ in read]
    for index, (page, found) in enumerate(zip(read, furniture, strict=True)):
        for position, line in enumerate(page.lines):
            if position in found.kinds:
                findings.furniture.append(Furniture(index + 1, line.text, found.kinds[position], _box(line)))
            else:
                shown[index].append(line)
    body = measure_body([line for lines in shown for line in lines])
    arrange_footnotes(shown, [_size(page)[1] for page in read], body)
    body_lines: list[VisualLine] = []
    first_of_page: dict[int, int] = {}
    pages: list[Page] = []
    for index, (page, found) in enumerate(zip(read, furniture, strict=True)):
        first_of_page[index] = len(body_lines)
        body_lines += shown[index]
        first = first_of_page[index] + 1
        readable = not (page.shows and len(body_lines) < first)
        label = labels[index] or found.label or str(index + 1)
        pages.append(Page(index + 1, label, *_size(page), first, len(body_lines), readable))
    _report_pages(budget.name, pages, body_lines, findings, [page.why for page in read])
    budget.clock()
    lines, starts = _shaped(body_lines, body, entries, first_of_page, len(pages), budget)
    return Document(
        id=identity,
        name=budget.name,
        format="pdf",
        lines=lines,
        pages=tuple(pages),
        sections=build_sections(starts, lines, len(pages)),
        furniture=tuple(findings.furniture),
        hidden=tuple(findings.hidden),
        notices=tuple(findings.notices),
        paged=True,
    )


def _report_pages(
    name: str, pages: list[Page], lines: list[VisualLine], findings: _Findings, reasons_of_pages: list[str]
) -> None:
    unreadable = [page.number for page in pages if not page.readable]
    if not lines:
        if unreadable:
            why = reasons_of_pages[unreadable[0] - 1] or "; run OCR first (for example ocrmypdf) and give the result"
            raise NoTextError(f"{name} has no text layer{why}.", document=name)
        told = "only text that cannot be seen" if findings.hidden else "no text"
        raise EmptyDocumentError(f"{name} has {told} on its {len(pages)} page(s).", document=name)
    for number in unreadable:
        why = reasons_of_pages[number - 1] or "; run OCR on it to include it"
        message = f"Page {number} has no text layer and could not be read{why}."
        findings.notices.append(Notice("unreadable_page", message, number))
    reasons: dict[int, set[str]] = {}
    for hidden in findings.hidden:
        reasons.setdefault(hidden.page, set()).add(hidden.reason)
    for number, found in sorted(reasons.items()):
        why = ", ".join(sorted(found))
        message = f"Page {number} holds text that cannot be seen ({why}); it is kept apart and never answered from."
        findings.notices.append(Notice("hidden_text", message, number))


def _shaped(
    found: list[VisualLine],
    body: Body,
    entries: list[Entry],
    first_of_page: dict[int, int],
    page_count: int,
    budget: Budget,
) -> tuple[tuple[Line, ...], list[SectionStart]]:
    """Lines with their roles and paragraphs, and where sections start."""
    roles: list[LineRole] = [line_role(line) for line in found]
    block_starts: set[int] = set()
    starts: list[SectionStart] = []
    headings = find_headings(found, body)
    for heading in headings:
        block_starts.add(heading.first)
        if not heading.run_in:
            roles[heading.first : heading.last + 1] = ["heading"] * (heading.last - heading.first + 1)
        elif roles[heading.first] == "list_item":
            roles[heading.first] = "text"
    if is_useful(entries, page_count):
        for target in find_targets(entries, found, first_of_page, budget):
            starts.append(SectionStart(target.entry.level, target.entry.title, target.line + 1))
            block_starts.add(target.line)
            if target.printed:
                roles[target.line : target.last + 1] = ["heading"] * (target.last - target.line + 1)
    else:
        starts = [SectionStart(heading.level, heading.title, heading.first + 1) for heading in headings]
    blocks = number_blocks(found, roles, frozenset(block_starts), body)
    lines: list[Line] = []
    in_page = page = 0
    for number, (line, role, block) in enumerate(zip(found, roles, blocks, strict=True), start=1):
        in_page, page = in_page + 1 if line.page == page else 1, line.page
        place, edges = _box(line), _edges(line)
        lines.append(Line(number, page, in_page, line.text, place, role, block, line.recognition, edges))
    return tuple(lines), starts
