"""What the tools return beside a result of a question, as published records: their schemas are the output schemas."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pydantic import Field

from spanwise.contract.record import Record
from spanwise.guard.record import VerificationReport
from spanwise.guard.verification import AccountedPart, AccountedPassage

if TYPE_CHECKING:
    from spanwise.domain.document import Line
    from spanwise.guard.verification import Verification
    from spanwise.serving.entries import Entry


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
