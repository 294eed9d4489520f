"""Collects lines, headings, hidden text and notices in reading order and builds the `Document` from them.

`check_document` checks the invariants of a Document (numbering, pages, sections), whichever reader made it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple, NoReturn, cast

from spanwise.domain.document import (
    Document,
    Furniture,
    FurnitureKind,
    Hidden,
    HiddenReason,
    Line,
    LineRole,
    Notice,
    Page,
    Section,
)
from spanwise.errors import DocumentError, EmptyDocumentError
from spanwise.readers.bounds import Budget
from spanwise.readers.invisible import LINE_BREAKS, visible
from spanwise.readers.typed_headings import find_headings
from spanwise.store.codec import PackedLines
from spanwise.text.tokens import whole_character

_HIDDEN_CHARACTERS = 20_000
"""Characters that are kept of one hidden text: enough to see what it says."""
LONGEST_LINE = 20_000
"""Most characters of a line; twice what the longest paragraph of a contract has."""
_PIECE = 1_000
"""Most characters of each line that a longer one is cut into: about the length of a passage."""
_PACKED_FROM = 100_000
"""Number of rows from which on the lines are kept in packed form."""
_PIECE_END = re.compile(r"[.!?\u2026;](?=\s)|[\u3002\uff01\uff1f\uff1b\u0964\u061f]")


class DocumentBuilder:
    """A document under construction, for formats without a layout: lines have no coordinates."""

    def __init__(self, data: bytes, *, format: str, budget: Budget, rows: bool = False) -> None:
        """Begin an empty document; with `rows`, of which there may be millions, no headings are guessed."""
        self._id = hashlib.sha256(data).hexdigest()
        self._name = budget.name
        self._format = format
        self._budget = budget
        self._lines: list[Line] | PackedLines = []
        self._rows = rows
        self._page_starts = [1]
        self._block = 0
        self._entries: list[SectionStart] = []
        self._hidden: list[Hidden] = []
        self._furniture: list[Furniture] = []
        self._notices: list[Notice] = []
        self._invisible = 0
        self._cut = 0

    @property
    def page(self) -> int:
        """Number of the page that lines are added to, from 1."""
        return len(self._page_starts)

    @property
    def next_line(self) -> int:
        """The global number of the next line that is added."""
        return len(self._lines) + 1

    def new_page(self) -> None:
        """Start a page; raises `LimitError` if there are too many."""
        self._page_starts.append(self.next_line)
        self._budget.pages(self.page)

    def new_block(self) -> None:
        """Start a paragraph, list item, table row or heading."""
        self._block += 1

    def line(self, text: str, role: LineRole = "text", edges: tuple[float, ...] = ()) -> int:
        """Add a line to the current block, without invisible characters, and return its number.

        A text of more than `LONGEST_LINE` characters would be one passage, and no place to cite. It becomes several
        lines of
        one block, of which the first one's number is returned; as a heading it becomes text, too.
        """
        shown = self.seen(text)
        if len(shown) <= LONGEST_LINE:
            return self._one_line(shown, role, edges)
        first, *others = list(_pieces(shown)) or [""]
        self._cut += bool(others)
        role = "text" if role == "heading" else role
        number = self._one_line(first, role)
        for piece in others:
            self._one_line(piece, role)
        return number

    def _one_line(self, shown: str, role: LineRole, edges: tuple[float, ...] = ()) -> int:
        self._budget.line()
        number = self.next_line
        role = role if shown.strip() else "blank"
        # One number object for all three where they are the same: a million rows take 56 MB less.
        in_page = number - self._page_starts[-1] + 1 if self._page_starts[-1] > 1 else number
        block = number if self._block == number else self._block
        if self._rows and number == _PACKED_FROM:
            self._lines = PackedLines(self._lines)
        self._lines.append(Line(number, self.page, in_page, shown, None, role, block, None, edges))
        return number

    def seen(self, text: str) -> str:
        """The visible part of a text; what its invisible characters spell is recorded as hidden text."""
        seen = visible(text)
        self._invisible += seen.dropped
        if seen.message.strip():
            self._hidden.append(
                Hidden(self.page, seen.message[:_HIDDEN_CHARACTERS], "zero_width", line=len(self._lines))
            )
        return seen.text

    def seen_lines(self, text: str) -> list[str]:
        """The visible part of each line of a text, with the effects of `seen`."""
        return [self.seen(line) for line in text.split("\n")]

    def guess_headings(self) -> None:
        """Find headings by capitals and numbering, unless the document has marked headings."""
        if self._entries or isinstance(self._lines, PackedLines):
            return
        places: list[int] = []
        texts: list[str] = []
        for line in self._lines:
            candidate = line.role in ("text", "list_item")
            if places and (not candidate or line.block != self._lines[places[-1]].block):
                texts.append("")
                places.append(line.number - 1)
            if candidate:
                texts.append(line.text)
                places.append(line.number - 1)
        for index, heading in find_headings(texts).items():
            place = places[index]
            if heading.whole_line and self._lines[place].role == "list_item" and not texts[index].isupper():
                continue  # A short item of a list; contracts number their headings in capitals as one, too.
            if heading.whole_line:
                self._lines[place] = replace(self._lines[place], role="heading")
            if heading.title:
                self.heading(heading.level, heading.title, place + 1)

    def heading(self, level: int, title: str, first_line: int) -> None:
        """Open a section at a line; a title longer than `LONGEST_LINE` opens none."""
        shown = " ".join(visible(title).text.split())
        if len(shown) > LONGEST_LINE:
            return
        self._entries.append(SectionStart(level=level, title=shown, first_line=first_line))

    def enclose(self, level: int, title: str, first_line: int) -> None:
        """Open a section at `first_line` and put the headings from there on below it, their levels made deeper.

        A heading with the same title on the first line with words is dropped: it is the heading of this section itself.
        """
        start = next((line.number for line in self._lines[first_line - 1 :] if line.role != "blank"), first_line)
        own = " ".join(visible(title).text.split())
        inside = [one for one in self._entries if one.first_line >= first_line]
        del self._entries[len(self._entries) - len(inside) :]
        self.heading(level, title, first_line)
        for one in inside:
            if (one.title.casefold(), one.first_line) != (own.casefold(), start):
                self._entries.append(one._replace(level=level + one.level))

    def hide(self, text: str, reason: HiddenReason) -> None:
        """Record text that a reader of the page cannot see, if it has a letter or a digit."""
        words = " ".join(visible(text).text.split())
        if any(char.isalnum() for char in words):
            self._budget.object()
            self._hidden.append(Hidden(self.page, words[:_HIDDEN_CHARACTERS], reason, line=len(self._lines)))

    def furnish(self, text: str, kind: FurnitureKind) -> None:
        """Record text that repeats on every page (headers, footers) and is no line of the document."""
        words = " ".join(self.seen(text).split())
        if words:
            self._furniture.append(Furniture(self.page, words, kind))

    def tell(self, notices: Iterable[Notice]) -> None:
        """Add notices from before the reading, such as that of the decoder."""
        self._notices += notices

    def notice(self, code: str, message: str) -> None:
        """Add a notice about the reading."""
        self._notices.append(Notice(code, message))

    def build(self, *, paged: bool = False, labels: Sequence[str] = ()) -> Document:
        """The finished document; pages are labelled by `labels`, or by their numbers if there are none."""
        self._budget.clock()
        if self._invisible:
            self.notice("invisible_characters", f"{self._invisible} control or zero-width characters were left out.")
        if self._cut:
            told = f"{self._cut} lines of more than {LONGEST_LINE:,} characters are several lines here"
            self.notice("long_lines", f"{told}: numbers after them are not an editor's.")
        if self._hidden:
            self.notice("hidden_text", f"{len(self._hidden)} stretches of hidden text are kept apart and never cited.")
        return Document(
            id=self._id,
            name=self._name,
            format=self._format,
            # Packed lines are not unpacked: the reading process sends them on in that form.
            lines=cast("tuple[Line, ...]", self._lines) if isinstance(self._lines, PackedLines) else tuple(self._lines),
            pages=self._pages(labels),
            sections=build_sections(self._entries, self._lines, self.page),
            furniture=tuple(self._furniture),
            hidden=tuple(self._hidden),
            notices=tuple(self._notices),
            paged=paged,
        )

    def _pages(self, labels: Sequence[str]) -> tuple[Page, ...]:
        ends = [start - 1 for start in self._page_starts[1:]] + [len(self._lines)]
        called = labels or [str(number) for number in range(1, len(ends) + 1)]
        return tuple(
            Page(number, label, 0.0, 0.0, first, last)
            for number, (label, first, last) in enumerate(zip(called, self._page_starts, ends, strict=True), start=1)
        )


def _pieces(text: str) -> Iterator[str]:
    """Pieces of a long text in order, cut where a sentence seems to end, else at a space, else anywhere."""
    start = 0
    while start < len(text):
        end = min(len(text), start + _PIECE)
        if end < len(text):
            middle = start + _PIECE // 2
            stops = [stop.end() for stop in _PIECE_END.finditer(text, middle, end)]
            end = stops[-1] if stops else text.rfind(" ", middle, end) + 1 or whole_character(text, start, end)
        if piece := text[start:end].strip():
            yield piece
        start = end


class SectionStart(NamedTuple):
    """A heading: its level (1 is the outermost), its title and the global number of its line."""

    level: int
    title: str
    first_line: int


def build_sections(starts: Iterable[SectionStart], lines: Sequence[Line], page_count: int) -> tuple[Section, ...]:
    """Sections from headings in any order; each contains its children.

    A section ends before the next heading of the same or a shallower level; the last one of its level ends with
    its parent, and the last of all with the document. Headings whose line does not exist are left out.
    """
    ordered = sorted((start for start in starts if 1 <= start.first_line <= len(lines)), key=lambda s: s.first_line)
    followers = _followers(ordered)
    sections = []
    for start, follower in zip(ordered, followers, strict=True):
        start_page = lines[start.first_line - 1].page
        if follower is None:
            last_line, end_page = len(lines), page_count
        else:
            last_line = follower.first_line - 1
            end_page = lines[follower.first_line - 1].page - 1
        sections.append(
            Section(
                title=start.title,
                level=start.level,
                first_line=start.first_line,
                last_line=max(last_line, start.first_line),
                start_page=start_page,
                section_end_page=max(end_page, start_page),
            )
        )
    return tuple(sections)


def _followers(ordered: Sequence[SectionStart]) -> list[SectionStart | None]:
    """For each heading the next one of the same or a shallower level."""
    found: list[SectionStart | None] = [None] * len(ordered)
    open_indexes: list[int] = []
    for index, start in enumerate(ordered):
        while open_indexes and ordered[open_indexes[-1]].level >= start.level:
            found[open_indexes.pop()] = start
        open_indexes.append(index)
    return found


def check_document(document: Document, reader: str, name: str) -> None:
    """Check that the lines, pages and sections that `reader` returned for the file `name` are consistent.

    Raises:
        EmptyDocumentError: No line has visible text.
        DocumentError: The document breaks an invariant of `Document`; the message names reader and file.
    """
    if not isinstance(document, Document):
        _broken(reader, name, f"returned {type(document).__name__} instead of a Document")
    _check_lines(document, reader, name)
    _check_pages(document, reader, name)
    for section in document.sections:
        _check_section(section, document, reader, name)
    if not any(line.text and not line.text.isspace() for line in document.lines):
        message = f"{name} has no visible text: give a document that has some, or run OCR on a scan."
        raise EmptyDocumentError(message, document=name)


def _check_lines(document: Document, reader: str, name: str) -> None:
    page = in_page = block = 0
    for expected, line in enumerate(document.lines, start=1):
        if line.number != expected:
            _broken(reader, name, f"numbered line {expected} as {line.number}")
        in_page = in_page + 1 if line.page == page else 1
        if line.page < page or line.line_in_page != in_page:
            _broken(reader, name, f"put line {expected} out of order on page {line.page}")
        if line.block < block:
            _broken(reader, name, f"let the block number fall at line {expected}")
        page, block = line.page, line.block
        if not line.text.isprintable():
            _check_text(line.text, expected, reader, name)


def _check_text(text: str, number: int, reader: str, name: str) -> None:
    if LINE_BREAKS.search(text):
        _broken(reader, name, f"left a line break in line {number}")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        _broken(reader, name, f"left half a character (a surrogate) in line {number}")


def _check_pages(document: Document, reader: str, name: str) -> None:
    following = 1
    for expected, page in enumerate(document.pages, start=1):
        if page.number != expected:
            _broken(reader, name, f"numbered page {expected} as {page.number}")
        if page.first_line != following or page.last_line < page.first_line - 1:
            _broken(reader, name, f"gave page {expected} the lines {page.first_line} to {page.last_line}")
        following = page.last_line + 1
        outside = page.last_line > len(document.lines)
        if outside or any(
            document.lines[end - 1].page != expected
            for end in (page.first_line, page.last_line)
            if page.first_line <= page.last_line
        ):
            _broken(reader, name, f"gave page {expected} lines of another page")
    if following != len(document.lines) + 1:
        _broken(reader, name, f"left line {following} on no page")


def _check_section(section: Section, document: Document, reader: str, name: str) -> None:
    inside = 1 <= section.first_line <= section.last_line <= len(document.lines)
    pages = 1 <= section.start_page <= section.section_end_page <= len(document.pages)
    if section.level < 1 or not inside or not pages:
        _broken(reader, name, f"returned the section {section.title[:80]!r} outside the document")


def _broken(reader: str, name: str, what: str) -> NoReturn:
    message = f"The reader {reader!r} {what} in {name}: choose another reader, or report this to whoever wrote it."
    raise DocumentError(message, document=name)
