"""A document as numbered lines, with pages, boxes and sections.

A line is the smallest thing that can be cited. Lines are numbered 1.. over the whole document, never per page: in a PDF
A line is the smallest unit that can be cited. Lines are numbered from 1 over the whole document, never per page. In a
PDF a line is what the eye sees as one line (a table row counts as one), in flowing formats (DOCX, HTML) one sentence,
in plain text and Markdown a physical line of the file, blank ones included, so that numbers agree with an editor's.
Text that repeats on page after page (running headers, footers, page numbers) is `furniture`; text that a reader of the
page cannot see is `hidden`. Both are stored, but not as lines, so neither can be cited.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, TypedDict

LineRole: TypeAlias = Literal["text", "heading", "list_item", "table_row", "blank"]
FurnitureKind: TypeAlias = Literal["header", "footer", "page_number"]
HiddenReason: TypeAlias = Literal[
    "render_mode",
    "no_contrast",
    "tiny",
    "off_page",
    "zero_width",
    "hidden_markup",
    "comment",
    "covered",  # something painted later lies on top
    "clipped",
    "closed",  # shown only after a click
    "deleted",  # struck out as a tracked change
    "transparent",
    "layer",  # an optional content layer that is switched off
    "no_ink",  # its font draws nothing
    "other_text",  # its glyphs show something else
    "unchecked",  # its visibility could not be determined
]


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on a page, in PDF points, origin top left: `x0 <= x1`, `y0 <= y1`, y grows downwards."""

    page: int
    """1-based position of the page in the file."""
    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True, slots=True)
class Recognition:
    """How sure a recogniser is of a line that it read in a picture."""

    confidence: float
    """In [0, 1], the mean over its characters."""
    doubtful: tuple[str, ...] = ()
    """Numbers for which a second recognition gave another reading, with both readings ("1,200 or 1,280")."""


@dataclass(frozen=True, slots=True)
class Line:
    """One citable line. `text` contains no line break and is as printed (a hyphen at its end stays)."""

    number: int
    """1-based, contiguous over the whole document."""
    page: int
    """1-based position of the page in the file; 1 throughout in formats without pages."""
    line_in_page: int
    """1-based within the page."""
    text: str
    box: Box | None = None
    """The line's rectangle on the page; None in formats without a layout."""
    role: LineRole = "text"
    block: int = 0
    """Number of the paragraph, list item, table row or heading that the line belongs to; grows over the document.
    A sentence never crosses from one block into the next."""
    recognition: Recognition | None = None
    """For a line recognised in a picture of the page; None if the file contains the text itself."""
    edges: tuple[float, ...] = ()
    """For a table row, the left and right edge of each cell in order; in `text`, two spaces separate the cells. Edges
    are x coordinates in points, or column numbers of the table in formats without a layout. A line inside a ruled table
    cell of a PDF has the edges of that cell. Empty for lines that are no table row, and for rows whose cells are
    separated by marks in the text."""


@dataclass(frozen=True, slots=True)
class Page:
    """One page. A page without any line has `last_line == first_line - 1`."""

    number: int
    """1-based position in the file."""
    label: str
    """The page number as printed ("iv", "A-3"), or the position if the file does not give one."""
    width: float
    """Points; 0 in formats without a layout."""
    height: float
    first_line: int
    last_line: int
    readable: bool = True
    """False if the page shows something but has no text layer (a scan)."""


@dataclass(frozen=True, slots=True)
class Section:
    """The lines from one heading to the next of the same or an outer level; level 1 is the outermost.

    `section_end_page` is the page before the one on which the next section of the same or an outer level starts, but at
    least `start_page`; for the last section it is the last page of the document.
    """

    title: str
    level: int
    first_line: int
    last_line: int
    start_page: int
    section_end_page: int


class LineRow(TypedDict):
    """A line as a row of a table; the coordinates are None in formats without a layout."""

    number: int
    page: int
    line_in_page: int
    text: str
    x0: float | None
    y0: float | None
    x1: float | None
    y1: float | None


class SectionRow(TypedDict):
    """A section as a row of a table."""

    level: int
    title: str
    start_page: int
    section_end_page: int
    first_line: int
    last_line: int


@dataclass(frozen=True, slots=True)
class Furniture:
    """Text that repeats from page to page, such as a running header: stored without a line number, never cited."""

    page: int
    text: str
    kind: FurnitureKind
    box: Box | None = None


@dataclass(frozen=True, slots=True)
class Hidden:
    """Text that is in the file but invisible on the page: reported, and never used for answers."""

    page: int
    text: str
    reason: HiddenReason
    box: Box | None = None
    line: int | None = None
    """Number of the last line before the text, 0 if it precedes the first; None in formats with a layout, where `box`
    locates it."""


@dataclass(frozen=True, slots=True)
class Notice:
    """A remark of a reader about a file: a page without text, a repair, a guessed encoding."""

    code: str
    """For example `unreadable_page`, `hidden_text`, `repaired`, `encoding_guessed`, `content_type`."""
    message: str
    page: int | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """The content of one file as a reader extracted it.

    `id` is the SHA-256 of the file's bytes in hexadecimal, so a changed file is another document.
    """

    id: str
    name: str
    format: str
    """Name of the reader that read the file: pdf, docx, html, markdown, text, or a registered one."""
    lines: tuple[Line, ...]
    pages: tuple[Page, ...]
    sections: tuple[Section, ...] = ()
    furniture: tuple[Furniture, ...] = ()
    hidden: tuple[Hidden, ...] = ()
    notices: tuple[Notice, ...] = ()
    paged: bool = False
    """Whether page numbers are meaningful to people (PDF yes, HTML no)."""
    languages: tuple[str, ...] = ()
    """ISO 639-1 codes of the languages of at least a tenth of the text, the commonest first; empty if none is
    recognised. A script stands for the most spoken of its languages (Cyrillic is `ru`, Devanagari `hi`)."""

    @property
    def language(self) -> str:
        """The language of most of the text, as an ISO 639-1 code; empty if none is recognised."""
        return self.languages[0] if self.languages else ""

    def line(self, number: int) -> Line:
        """The line with that number.

        Raises:
            IndexError: The document has no line with that number.
        """
        if not 1 <= number <= len(self.lines):
            raise IndexError(f"{self.name} has lines 1 to {len(self.lines)}; there is no line {number}")
        return self.lines[number - 1]

    def text(self, line_start: int, line_end: int) -> str:
        """The text of the lines `line_start..line_end` (both included), joined by line breaks.

        Raises:
            IndexError: The range is reversed or not inside the document.
        """
        if line_end < line_start:
            raise IndexError(f"the range of lines {line_start} to {line_end} is reversed")
        first, last = self.line(line_start), self.line(line_end)
        return "\n".join(line.text for line in self.lines[first.number - 1 : last.number])

    def line_table(self) -> list[LineRow]:
        """The lines as rows of a table."""
        return [
            {
                "number": line.number,
                "page": line.page,
                "line_in_page": line.line_in_page,
                "text": line.text,
                "x0": line.box.x0 if line.box else None,
                "y0": line.box.y0 if line.box else None,
                "x1": line.box.x1 if line.box else None,
                "y1": line.box.y1 if line.box else None,
            }
            for line in self.lines
        ]

    def toc_table(self) -> list[SectionRow]:
        """The sections as rows of a table of contents."""
        return [
            {
                "level": section.level,
                "title": section.title,
                "start_page": section.start_page,
                "section_end_page": section.section_end_page,
                "first_line": section.first_line,
                "last_line": section.last_line,
            }
            for section in self.sections
        ]
