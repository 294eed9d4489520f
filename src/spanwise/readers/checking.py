"""What holds for every Document, whoever made it: checked once, after the reader."""

from __future__ import annotations

from typing import NoReturn

from spanwise.domain.document import Document, Section
from spanwise.errors import DocumentError, EmptyDocumentError
from spanwise.readers.invisible import LINE_BREAKS


def check_document(document: Document, reader: str, name: str) -> None:
    """Check that lines, pages and sections fit together.

    Args:
        document: What the reader returned.
        reader: Name of the reader, for the error.
        name: Name of the file, for the error.

    Raises:
        EmptyDocumentError: No line has anything to read.
        DocumentError: The reader broke a promise of `Document`; the message names both.
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
