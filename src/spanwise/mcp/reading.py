"""Content of the corpus in portions that fit into the context of a model."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

from spanwise.errors import DocumentNotFoundError, InputError
from spanwise.mcp.records import DocumentsRecord, LinesRecord, document_record, line_record

if TYPE_CHECKING:
    from spanwise.mcp.records import LineRecord
    from spanwise.serving.corpus_library import Library
    from spanwise.serving.entries import Entry

DOCUMENTS = 200
"""Documents of one portion."""
LINES = 500
"""Lines of one portion."""
CHARACTERS = 40_000
"""Characters of one portion."""


def entry_of(library: Library, document: str) -> Entry:
    """A document by its id, or by its name, as citations give it."""
    try:
        return library.entry(document)
    except DocumentNotFoundError:
        named = next((entry for entry in library.documents() if entry.name == document), None)
        if named is None:
            raise DocumentNotFoundError(
                f"there is no document {document[:200]!r}: list_documents tells the ids and names of those there are",
                document=document,
            ) from None
        return named


def documents_after(library: Library, after: str | None) -> DocumentsRecord:
    """The documents behind the one with the id `after`, by name."""
    entries = sorted(library.documents(), key=lambda entry: entry.name)
    start = 0
    if after is not None:
        name = next((entry.name for entry in entries if after in (entry.id, entry.name)), None)
        name = entry_of(library, after).name if name is None else name
        start = sum(1 for _ in takewhile(lambda entry: entry.name <= name, entries))
    shown = entries[start : start + DOCUMENTS]
    more = start + len(shown) < len(entries)
    return DocumentsRecord(
        documents=[document_record(entry) for entry in shown],
        total=len(entries),
        next=shown[-1].id if shown and more else None,
    )


def lines_from(library: Library, document: str, first: int, last: int | None) -> LinesRecord:
    """Lines `first..last` of a document, as many of them as one portion holds."""
    if last is not None and last < first:
        raise InputError(f"the lines {first} to {last} are reversed: give the smaller number as `first`")
    with library.opened(entry_of(library, document).id) as opened:
        entry = opened.entry
        if first > entry.lines:
            raise InputError(
                f"{entry.name} has {entry.lines} lines, and there is no line {first}: give a smaller number"
            )
        wanted = entry.lines if last is None else min(last, entry.lines)
        found = opened.lines(first, min(wanted, first + LINES - 1))
    room = CHARACTERS
    lines: list[LineRecord] = []
    for line in found:
        record = line_record(line, paged=entry.pages is not None)
        room -= len(record.text)
        if room < 0:
            break
        lines.append(record)
    end = lines[-1].number if lines else wanted
    return LinesRecord(
        document=document_record(entry), lines=lines, next=end + 1 if end < entry.lines and end < wanted else None
    )
