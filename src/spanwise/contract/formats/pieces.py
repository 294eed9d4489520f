"""The text of a result cut where its citations begin and end, so that each piece has the citations that prove it."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from spanwise.contract.result import Result
from spanwise.domain.claim import Citation


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch `[start, end)` of the result's text with all citations that cover it."""

    start: int
    end: int
    text: str
    citations: tuple[Citation, ...]


def pieces(result: Result) -> list[Piece]:
    """The whole text in order; pieces join to it again."""
    cuts = sorted({0, len(result.text), *(cut for one in result.citations for cut in one.at)})
    return [
        Piece(
            start,
            end,
            result.text[start:end],
            tuple(one for one in result.citations if one.at[0] <= start and end <= one.at[1]),
        )
        for start, end in itertools.pairwise(cuts)
        if start < end
    ]


def documents(result: Result) -> list[str]:
    """The cited documents, each once, in the order of their first citation: what a document index counts."""
    return list(dict.fromkeys(citation.document for citation in result.citations))


def place(citation: Citation) -> str:
    """Where a citation points, in words: `report.pdf, page 6 (printed 2), lines 120-123`."""
    lines = f"line {citation.line_start}"
    if citation.line_end > citation.line_start:
        lines = f"lines {citation.line_start}-{citation.line_end}"
    if citation.page is None:
        return f"{citation.document}, {lines}"
    printed = "" if citation.page_label in (None, str(citation.page)) else f" (printed {citation.page_label})"
    return f"{citation.document}, page {citation.page}{printed}, {lines}"
