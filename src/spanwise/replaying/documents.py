"""Changes of the documents that a trace cites: each that is still at its place is read again and compared."""

from __future__ import annotations

import os
from collections.abc import Sequence

from spanwise.domain.claim import Citation
from spanwise.domain.document import Document
from spanwise.errors import SpanwiseError, TraceError
from spanwise.readers.members import file_of
from spanwise.readers.reading import read
from spanwise.store.port import StoredDocument

_SHOWN = 200
"""Characters of a line that a message quotes."""


def changed(stored: StoredDocument, citations: Sequence[Citation]) -> str | None:
    """The change of a document since it was cited; None where there is none, or where it never was a file.

    Raises:
        TraceError: A cited line says something else now.
    """
    if stored.source is None:
        return None
    if not _there(stored.source.path):
        return f"{stored.name} is not at its place any more, so only the lines in the trace were checked"
    try:
        document = _read(stored)
    except (SpanwiseError, ImportError) as error:
        return f"{stored.name} can no longer be read, so only the lines in the trace were checked: {error}"
    own = [citation for citation in citations if citation.document == stored.name]
    gone = next((citation for citation in own if _text(document, citation) != citation.quote), None)
    if gone is not None:
        raise TraceError(_told(gone, document, stored))
    if document.id != stored.id:
        return f"{stored.name} has changed since, but every cited line still says the same"
    if len(document.lines) != stored.lines:
        return (
            f"{stored.name} is the same file, but is read otherwise now ({stored.lines} lines then, "
            f"{len(document.lines)} now); every cited line still says the same"
        )
    return None


def _read(stored: StoredDocument) -> Document:
    """The document, read with the reader that made it where that is not the usual one."""
    path = stored.source.path if stored.source is not None else stored.name
    document = read(path, name=stored.name)
    if document.format != stored.format:
        return read(path, name=stored.name, reader=stored.format)
    return document


def _there(path: str) -> bool:
    try:
        return os.path.exists(file_of(path))
    except ValueError:  # a path with a zero byte
        return False


def _text(document: Document, citation: Citation) -> str | None:
    if not 1 <= citation.line_start <= citation.line_end <= len(document.lines):
        return None
    return document.text(citation.line_start, citation.line_end)


def _told(gone: Citation, document: Document, stored: StoredDocument) -> str:
    first = gone.line_start
    now = "does not exist any more"
    if 1 <= first <= len(document.lines):
        now = f"now says {document.line(first).text[:_SHOWN]!r}"
    moved = _moved(gone, document)
    found = f"; the same words stand on line {moved} now" if moved is not None else ""
    why = "the file has changed" if document.id != stored.id else "the same file is read otherwise now"
    return f"the citation {gone.id} no longer holds: {why}, and {stored.name}, line {first}, {now}{found}; ask again"


def _moved(gone: Citation, document: Document) -> int | None:
    """The first line at which the quote stands now, word for word."""
    quote = gone.quote.split("\n")
    texts = [line.text for line in document.lines]
    starts = (at for at, text in enumerate(texts) if text == quote[0])
    return next((at + 1 for at in starts if texts[at : at + len(quote)] == quote), None)
