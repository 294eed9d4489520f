"""Answers with citations in the formats of provider APIs and framework classes, without importing these libraries.

OpenAI: `file_citation` of the Responses API, `url_citation` of Chat Completions. Cohere (Chat v2): ranges of the
answer, each with the documents that support it. Anthropic (Messages): text blocks, each with the places that prove it;
`document_index` counts the cited documents in the order of their first citation. Pages are 1-based with an exclusive
end, blocks 0-based with an exclusive end; a line is a block, since "the block is the smallest unit".

The metadata of a framework's node or document contain the complete place of a citation (`place_of`), under the names by
which `spanwise.answer`, `verify` and `ground` read passages: an exported citation can be read back with its lines, page
and boxes.
"""

from __future__ import annotations

from dataclasses import asdict
from urllib.parse import quote

from spanwise.contract.result import Result
from spanwise.domain.claim import Citation
from spanwise.export.plain import documents, lead, pieces


def openai_response(result: Result) -> dict[str, object]:
    """An output message of the Responses API; `index` is the offset in the text where the cited range ends."""
    before = lead(result)
    return {
        "id": f"msg_{result.trace_id}",
        "type": "message",
        "role": "assistant",
        "status": "completed",
        "content": [
            {
                "type": "output_text",
                "text": before + result.text,
                "annotations": [
                    {
                        "type": "file_citation",
                        "file_id": citation.document,
                        "filename": citation.document,
                        "index": len(before) + citation.at[1],
                    }
                    for citation in result.citations
                ],
            }
        ],
    }


def openai_chat(result: Result) -> dict[str, object]:
    """A message of Chat Completions; the URLs lead to the cited page (`report.pdf#page=6`, ISO 32000-2 Annex O)."""
    before = lead(result)
    return {
        "role": "assistant",
        "content": before + result.text,
        "refusal": None,
        "annotations": [
            {
                "type": "url_citation",
                "url_citation": {
                    "start_index": len(before) + citation.at[0],
                    "end_index": len(before) + citation.at[1],
                    "title": citation.quote.split("\n", 1)[0][:200],
                    "url": link(citation),
                },
            }
            for citation in result.citations
        ],
    }


def link(citation: Citation) -> str:
    """A relative URL of the cited page, or of the document if it has no pages."""
    fragment = "" if citation.page is None else f"#page={citation.page}"
    path = quote(citation.document)
    return (f"./{path.lstrip('/')}" if path.startswith("//") else path) + fragment  # "//host" would be another host


def cohere_message(result: Result) -> dict[str, object]:
    """An assistant message of Chat v2; lines and page are in the `document` of a citation's source."""
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
                "sources": [_cohere_source(citation) for citation in piece.citations],
            }
            for piece in pieces(result)
            if piece.citations
        ],
    }


def _cohere_source(citation: Citation) -> dict[str, object]:
    page = {} if citation.page is None else {"page": str(citation.page)}
    lines = {"line_start": str(citation.line_start), "line_end": str(citation.line_end)}
    return {
        "type": "document",
        "id": f"{citation.document}:{citation.line_start}-{citation.line_end}",
        "document": {"title": citation.document, "snippet": citation.quote, **page, **lines},
    }


def anthropic_pages(result: Result) -> list[dict[str, object]]:
    """Text blocks with `page_location` citations, or `content_block_location` for documents without pages."""
    return _anthropic_blocks_of(result, paged=True)


def anthropic_blocks(result: Result) -> list[dict[str, object]]:
    """Text blocks with `content_block_location` citations throughout, which give exact lines."""
    return _anthropic_blocks_of(result, paged=False)


def _anthropic_blocks_of(result: Result, *, paged: bool) -> list[dict[str, object]]:
    indices = {name: index for index, name in enumerate(documents(result))}
    before = lead(result)
    blocks: list[dict[str, object]] = [
        {
            "type": "text",
            "text": piece.text,
            "citations": [_anthropic_location(one, indices[one.document], paged=paged) for one in piece.citations]
            or None,
        }
        for piece in pieces(result)
    ]
    return [{"type": "text", "text": before, "citations": None}, *blocks] if before else blocks


def _anthropic_location(citation: Citation, index: int, *, paged: bool) -> dict[str, object]:
    common: dict[str, object] = {
        "cited_text": citation.quote,
        "document_index": index,
        "document_title": citation.document,
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


def langchain(result: Result) -> dict[str, object]:
    """An AI message whose text block has `citation` annotations, with the place in their `extras`."""
    before = lead(result)
    annotations = [
        {
            "type": "citation",
            "id": citation.id,
            "url": link(citation),
            "title": citation.document,
            "start_index": len(before) + citation.at[0],
            "end_index": len(before) + citation.at[1],
            "cited_text": citation.quote,
            "extras": place_of(citation),
        }
        for citation in result.citations
    ]
    return {
        "type": "ai",
        "id": result.trace_id,
        "content": [{"type": "text", "text": before + result.text, "annotations": annotations}],
        "response_metadata": _told(result),
    }


def llamaindex(result: Result) -> dict[str, object]:
    """A response with its text, and a source node for each citation."""
    return {
        "response": lead(result) + result.text,
        "source_nodes": [
            {
                "class_name": "NodeWithScore",
                "score": result.confidence,
                "node": {
                    "class_name": "TextNode",
                    "id_": f"{result.trace_id}-{citation.id}",
                    "text": citation.quote,
                    "metadata": {"file_name": citation.document, **place_of(citation)},
                },
            }
            for citation in result.citations
        ],
        "metadata": _told(result),
    }


def haystack(result: Result) -> dict[str, object]:
    """A `GeneratedAnswer` in the form of its `to_dict`, with a document for each citation."""
    return {
        "type": "haystack.dataclasses.answer.GeneratedAnswer",
        "init_parameters": {
            "data": lead(result) + result.text,
            "query": result.question,
            "documents": [
                {
                    "id": f"{result.trace_id}-{citation.id}",
                    "content": citation.quote,
                    "meta": {"file_name": citation.document, **place_of(citation)},
                    "score": result.confidence,
                }
                for citation in result.citations
            ],
            "meta": _told(result),
        },
    }


def pydantic_ai(result: Result) -> dict[str, object]:
    """A model response with one text part, whose `provider_details` contain the places of its citations."""
    before = lead(result)
    citations = [
        {
            "sources": [{"kind": "document", "title": citation.document, "excerpts": [citation.quote]}],
            "anchor": {"kind": "content", "start": len(before) + citation.at[0], "end": len(before) + citation.at[1]},
        }
        for citation in result.citations
    ]
    part = {
        "part_kind": "text",
        "content": before + result.text,
        "citations": citations or None,
        "provider_name": "spanwise",
        "provider_details": {**_told(result), "citations": [place_of(citation) for citation in result.citations]},
    }
    return {"kind": "response", "parts": [part], "provider_name": "spanwise", "model_name": "spanwise"}


def place_of(citation: Citation) -> dict[str, object]:
    """All fields of a citation except its quote, as JSON values."""
    place = asdict(citation)
    del place["quote"]
    return {**place, "boxes": [asdict(box) for box in citation.boxes], "at": list(citation.at)}


def _told(result: Result) -> dict[str, object]:
    return {
        "trace_id": result.trace_id,
        "decision": result.decision.kind,
        "confidence": result.confidence,
        "review": result.review,
    }
