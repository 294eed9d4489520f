"""Cohere's citations (Chat v2): ranges of the answer, each with the documents behind it."""

from __future__ import annotations

from spanwise.contract.result import Result
from spanwise.domain.claim import Citation
from spanwise.export.pieces import lead, pieces
from spanwise.text.injection.links import unlinked


def message(result: Result) -> dict[str, object]:
    """An assistant message; what stands inside a document (lines, page) is in the `document` of its source."""
    before = lead(result)
    return {
        "role": "assistant",
        "content": [{"type": "text", "text": before + result.text}],
        "citations": [
            {
                "start": len(before) + piece.start,
                "end": len(before) + piece.end,
                "text": piece.text,
                "content_index": 0,
                "type": "TEXT_CONTENT",
                "sources": [_source(citation) for citation in piece.citations],
            }
            for piece in pieces(result)
            if piece.citations
        ],
    }


def _source(citation: Citation) -> dict[str, object]:
    page = {} if citation.page is None else {"page": str(citation.page)}
    lines = {"line_start": str(citation.line_start), "line_end": str(citation.line_end)}
    return {
        "type": "document",
        "id": f"{citation.document}:{citation.line_start}-{citation.line_end}",
        "document": {"title": unlinked(citation.document), "snippet": citation.quote, **page, **lines},
    }
