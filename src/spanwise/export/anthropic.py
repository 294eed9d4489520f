"""Anthropic's citations: text blocks, each with the places that prove it (Messages API, `citations` of a text block).

`document_index` counts the cited documents in the order of their first citation. Pages are 1-based with an exclusive
end, blocks 0-based with an exclusive end; a block is a line of ours, since "the block is the smallest unit".
"""

from __future__ import annotations

from spanwise.contract.result import Result
from spanwise.domain.claim import Citation
from spanwise.export.pieces import documents, lead, pieces
from spanwise.text.injection.links import unlinked


def by_page(result: Result) -> list[dict[str, object]]:
    """Text blocks with `page_location`, and `content_block_location` where a document has no pages."""
    return _blocks(result, paged=True)


def by_block(result: Result) -> list[dict[str, object]]:
    """Text blocks with `content_block_location` throughout: exact lines."""
    return _blocks(result, paged=False)


def _blocks(result: Result, *, paged: bool) -> list[dict[str, object]]:
    indices = {name: index for index, name in enumerate(documents(result))}
    before = lead(result)
    blocks: list[dict[str, object]] = [
        {
            "type": "text",
            "text": piece.text,
            "citations": [_location(one, indices[one.document], paged=paged) for one in piece.citations] or None,
        }
        for piece in pieces(result)
    ]
    return [{"type": "text", "text": before, "citations": None}, *blocks] if before else blocks


def _location(citation: Citation, index: int, *, paged: bool) -> dict[str, object]:
    common: dict[str, object] = {
        "cited_text": citation.quote,
        "document_index": index,
        "document_title": unlinked(citation.document),
        "file_id": None,
    }
    if paged and citation.page is not None:
        last = max((box.page for box in citation.boxes), default=citation.page)
        return {
            "type": "page_location",
            **common,
            "start_page_number": citation.page,
            "end_page_number": max(last, citation.page) + 1,
        }
    return {
        "type": "content_block_location",
        **common,
        "start_block_index": citation.line_start - 1,
        "end_block_index": citation.line_end,
    }
