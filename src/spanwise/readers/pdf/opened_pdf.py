"""Opening a PDF: passwords, bounds, files that need a repair first, and its outline with the line of each entry."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import NamedTuple

import pypdfium2
import pypdfium2.raw as pdfium

from spanwise.errors import DamagedDocumentError, EmptyDocumentError, LimitError, PasswordError
from spanwise.readers.bounds import Budget, beyond
from spanwise.readers.invisible import visible
from spanwise.readers.pdf.placement import Placement
from spanwise.readers.pdf.tiles import with_tiles
from spanwise.readers.pdf.visual_lines import VisualLine
from spanwise.readers.port import ReadOptions

_PACKED = b"/ObjStm"


def _any_of(*names: str) -> re.Pattern[bytes]:
    """Names in a PDF, any letter of which may be written by its code."""
    spelled = ("".join(f"(?:{letter}|#(?i:{ord(letter):02x}))" for letter in name) for name in names)
    return re.compile(f"/(?:{'|'.join(spelled)})".encode())


_LAYERS, _FIELDS = _any_of("OCProperties", "ObjStm"), _any_of("AcroForm", "ObjStm")
"""What says that a file has layers, or fields; what is packed may say so, too."""
_BLENDS = re.compile(_any_of("BM", "SMask", "ObjStm").pattern + rb"(?!\s{0,9}/(?:Normal|Compatible|None)\b)")
"""What says that it may blend colours, or mask what it draws."""
_COUNT = re.compile(rb"/N\s{1,8}(\d{1,9})")


class OpenPdf(NamedTuple):
    """A document that pdfium has open."""

    document: pypdfium2.PdfDocument
    pages: int
    repaired: bool
    layers: bool
    """It may have optional content: parts that a viewer shows or does not show."""
    blends: bool
    """It may blend colours, or mask what it draws."""


@contextmanager
def open_pdf(data: bytes, name: str, options: ReadOptions) -> Iterator[OpenPdf]:
    """Open a PDF, repairing it where pdfium refuses it, and close it again.

    Raises:
        EmptyDocumentError: The file has no bytes or no pages.
        PasswordError: It is encrypted, and the password is missing or wrong.
        LimitError: It has more pages or objects than the limits allow.
        DamagedDocumentError: It cannot be opened, not even after a repair.
    """
    if not data:
        raise EmptyDocumentError(f"{name} is empty: check that it was saved or downloaded completely.", document=name)
    _check_objects(data, name, options)
    data = with_tiles(data, options.password)
    document, repaired = _opened(data, name, options), False
    if document is None or len(document) == 0:
        if document is not None:
            document.close()
        document, repaired = _opened(_repaired(data, name, options), name, options), True
    if document is None:
        raise _damaged(name)
    try:
        if _FIELDS.search(data) and document.get_formtype() == pdfium.FORMTYPE_ACRO_FORM:
            document.init_forms()
        pages = len(document)
        if pages == 0:
            raise EmptyDocumentError(f"{name} has no pages: check that it was saved completely.", document=name)
        if pages > options.limits.pages:
            raise beyond(name, f"has {pages:,} pages, more than {options.limits.pages:,}", "pages", trusted=False)
        yield OpenPdf(document, pages, repaired, _LAYERS.search(data) is not None, _BLENDS.search(data) is not None)
    finally:
        document.close()


def _opened(data: bytes, name: str, options: ReadOptions) -> pypdfium2.PdfDocument | None:
    try:
        return pypdfium2.PdfDocument(data, password=options.password)
    except pypdfium2.PdfiumError as error:
        if error.err_code in (pdfium.FPDF_ERR_PASSWORD, pdfium.FPDF_ERR_SECURITY):
            raise _locked(name, options.password) from error
        return None


def _repaired(data: bytes, name: str, options: ReadOptions) -> bytes:
    """The file as pikepdf rebuilds it."""
    import pikepdf  # few files need it, and it takes longer to load than most take to read

    try:
        with pikepdf.open(io.BytesIO(data), password=options.password or "") as rebuilt:
            if len(rebuilt.objects) > options.limits.objects:
                raise _too_many_objects(name, options)
            buffer = io.BytesIO()
            rebuilt.save(buffer)
            return buffer.getvalue()
    except pikepdf.PasswordError as error:
        raise _locked(name, options.password) from error
    except (pikepdf.PdfError, ValueError, RuntimeError) as error:
        # qpdf reports some kinds of damage as plain runtime errors.
        if isinstance(error, LimitError):
            raise
        raise _damaged(name) from error


def _check_objects(data: bytes, name: str, options: ReadOptions) -> None:
    """Count what the file says it holds, before anything is parsed."""
    count = data.count(b" obj")
    at = data.find(_PACKED)
    while at >= 0 and count <= options.limits.objects:
        # The number of packed objects stands in the same dictionary, before or after the word.
        around = _COUNT.findall(data[max(at - 150, 0) : at + 150])
        count += max((int(found) for found in around), default=0)
        at = data.find(_PACKED, at + len(_PACKED))
    if count > options.limits.objects:
        raise _too_many_objects(name, options)


def _too_many_objects(name: str, options: ReadOptions) -> LimitError:
    return LimitError(
        f"{name} has more than {options.limits.objects:,} objects: print it to a new PDF, "
        "or raise the limit (Limits.objects) if you trust it.",
        document=name,
    )


def _locked(name: str, password: str | None) -> PasswordError:
    if password is None:
        return PasswordError(f"{name} is encrypted: give its password with --password.", document=name)
    return PasswordError(f"The password for {name} is wrong: give the right one with --password.", document=name)


def _damaged(name: str) -> DamagedDocumentError:
    return DamagedDocumentError(
        f"{name} is damaged and could not be repaired: download or export it again.", document=name
    )


_MOST_ENTRIES = 20_000
_DEEPEST = 15
_MOST_LINES = 500
"""Titles are looked for among so many lines of a page."""
_NOT_A_WORD = re.compile(r"[\W_]+")
_FILE_NAME = re.compile(r"(?:Microsoft Word - .*|.*\.(?:docx?|pdf|rtf|xlsx?|indd|html?))", re.IGNORECASE)


class Entry(NamedTuple):
    """A bookmark: how deep (1 is the outermost), what it says, on which page (from 0), and how far down."""

    level: int
    title: str
    page: int
    y: float | None


class Target(NamedTuple):
    """A bookmark with its line (an index), and whether that line prints its title."""

    entry: Entry
    line: int
    last: int
    printed: bool


def read_outline(document: pypdfium2.PdfDocument, placements: Sequence[Placement | None]) -> list[Entry]:
    """The usable entries of the outline, in its own order."""
    entries = []
    for bookmark in islice(document.get_toc(max_depth=_DEEPEST), _MOST_ENTRIES):
        title = " ".join(visible(bookmark.get_title().replace("\x00", " ")).text.split())
        destination = bookmark.get_dest()
        page = destination.get_index() if destination else None
        if not title or page is None or not 0 <= page < len(placements) or _FILE_NAME.fullmatch(title):
            continue
        entries.append(Entry(bookmark.level + 1, title, page, _height_of(destination, placements[page])))
    return entries


def _height_of(destination: pypdfium2.PdfDest | None, placement: Placement | None) -> float | None:
    if destination is None or placement is None:
        return None
    mode, values = destination.get_view()
    if mode == pdfium.PDFDEST_VIEW_XYZ and len(values) >= 2 and values[1] is not None:
        y = values[1]
    elif mode in (pdfium.PDFDEST_VIEW_FITH, pdfium.PDFDEST_VIEW_FITBH) and values and values[0] is not None:
        y = values[0]
    else:
        return None
    return placement.show(placement.left, y, placement.left, y)[1]


def is_useful(entries: Sequence[Entry], page_count: int) -> bool:
    """Whether an outline divides the document; a single entry for a long file says nothing."""
    return len(entries) >= 3 or (bool(entries) and page_count <= 10 * len(entries))


def find_targets(
    entries: Sequence[Entry], lines: Sequence[VisualLine], first_of_page: Mapping[int, int], budget: Budget
) -> list[Target]:
    """The line of each entry: the one that prints its title, or the first one below its place on the page.

    `first_of_page` has for each page (from 0) the index of its first line, for pages without lines that of the next.
    """
    targets = []
    bare = _Bare(lines)
    for entry in entries:
        budget.clock()
        start = first_of_page[entry.page]
        if start >= len(lines):
            continue
        stop = first_of_page.get(entry.page + 1, len(lines))
        printed = _printed_at(entry, lines, bare, start, stop)
        if printed is not None:
            targets.append(Target(entry, *printed, printed=True))
            continue
        below = next((n for n in range(start, stop) if entry.y is None or lines[n].bottom > entry.y), None)
        line = min(stop, len(lines) - 1) if below is None else below
        targets.append(Target(entry, line, line, printed=False))
    return targets


def _printed_at(
    entry: Entry, lines: Sequence[VisualLine], bare: _Bare, start: int, stop: int
) -> tuple[int, int] | None:
    goal = _without_spaces(entry.title)
    if not goal:
        return None
    unnumbered = _without_number(goal)
    found: list[tuple[float, int, int]] = []
    for index in range(start, min(stop, start + _MOST_LINES)):
        text = bare[index]
        if not (goal.startswith(text) or unnumbered.startswith(_without_number(text)) or text.startswith(goal)):
            continue
        last = _title_end(goal, bare, index, stop)
        if last is not None:
            distance = abs(lines[index].top - entry.y) if entry.y is not None else float(index - start)
            found.append((distance, index, last))
    if not found:
        return None
    _, index, last = min(found)
    return index, last


def _title_end(goal: str, bare: _Bare, index: int, stop: int) -> int | None:
    """The last line of the title if it is printed from this line on, over at most four lines."""
    text, unnumbered = "", _without_number(goal)
    for last in range(index, min(index + 4, stop)):
        text += bare[last]
        if text == goal or _without_number(text) == unnumbered != "":
            return last
        if not goal.startswith(text) and not unnumbered.startswith(text):
            # The line goes on after the title: a run-in heading.
            return last if text.startswith(goal) and len(goal) >= 8 and last == index else None
    return None


class _Bare(dict[int, str]):
    """The letters and digits of each line, worked out when they are first asked for."""

    def __init__(self, lines: Sequence[VisualLine]) -> None:
        super().__init__()
        self._lines = lines

    def __missing__(self, index: int) -> str:
        self[index] = text = _without_spaces(self._lines[index].text)
        return text


def _without_spaces(text: str) -> str:
    return _NOT_A_WORD.sub("", text.casefold())


def _without_number(text: str) -> str:
    return text.lstrip("0123456789")
