"""What the tools return beside a result of a question, as published records: their schemas are the output schemas.

Content of the corpus comes in portions that fit into the context of a model.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import takewhile
from typing import TYPE_CHECKING

from pydantic import Field

from spanwise.contract.record import Record
from spanwise.errors import DocumentNotFoundError, InputError
from spanwise.guard.record import VerificationReport
from spanwise.guard.verification import AccountedPart, AccountedPassage

if TYPE_CHECKING:
    from spanwise.domain.document import Line
    from spanwise.guard.verification import Verification
    from spanwise.serving.corpus_library import Library
    from spanwise.serving.entries import Entry


DOCUMENTS = 200
"""Documents of one portion."""
LINES = 500
"""Lines of one portion."""
CHARACTERS = 40_000
"""Characters of one portion."""
LONGEST_LINE = 10_000
"""Characters of one line that are told; a file without line breaks is one line."""


class DocumentRecord(Record):
    """One document that can be asked."""

    id: str
    """What `read_lines`, `remove_document` and `spanwise://documents/{id}` take."""
    name: str
    format: str
    lines: int
    pages: int | None = Field(description="Null where the format has no pages.")
    uri: str


class DocumentsRecord(Record):
    """Some of the documents, ordered by name."""

    documents: list[DocumentRecord]
    total: int
    next: str | None = Field(description="Give it as `after` for those that follow; null at the end.")


class LineRecord(Record):
    """One line of a document."""

    number: int
    page: int | None
    text: str
    left: int = Field(description="Characters at its end that are left out, because it is very long; 0 mostly.")


class LinesRecord(Record):
    """Consecutive lines of a document."""

    document: DocumentRecord
    lines: list[LineRecord]
    next: int | None = Field(description="Give it as `first` for the lines that follow; null at the end.")


class FailureRecord(Record):
    """A file that could not be read."""

    path: str
    reason: str


class IndexedRecord(Record):
    """What was read."""

    documents: list[DocumentRecord]
    failed: list[FailureRecord]


class RemovedRecord(Record):
    """What was removed."""

    document: DocumentRecord


class ToolReport(VerificationReport):
    """A text held against documents or passages, claim by claim."""

    account: list[AccountedPart] = Field(description="The parts that were not checked, and why.")
    passages: list[AccountedPassage] = Field(description="The passages that were not read, or that a claim rests on.")


def document_uri(id: str) -> str:
    """The resource that a document is."""
    return f"spanwise://documents/{id}"


def trace_uri(trace_id: str) -> str:
    """The resource that the trace of an answer is."""
    return f"spanwise://traces/{trace_id}"


def document_record(entry: Entry) -> DocumentRecord:
    """A document as the tools tell it."""
    return DocumentRecord(
        id=entry.id,
        name=entry.name,
        format=entry.format,
        lines=entry.lines,
        pages=entry.pages,
        uri=document_uri(entry.id),
    )


def line_record(line: Line, *, paged: bool) -> LineRecord:
    """A line; it has a page where pages mean something."""
    text = line.text[:LONGEST_LINE]
    return LineRecord(number=line.number, page=line.page if paged else None, text=text, left=len(line.text) - len(text))


def report_of(verification: Verification) -> ToolReport:
    """A verification; of its parts and passages, which may be many thousands, only those that matter to an agent."""
    account = tuple(part for part in verification.account if part.kind == "unchecked")
    passages = tuple(passage for passage in verification.passages if passage.claims or not passage.read)
    return ToolReport.model_validate(replace(verification, account=account, passages=passages).to_dict())


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
