"""Messages, nodes and documents of frameworks: JSON values that their own classes read, without loading them.

The metadata of each hold the whole place of a citation (`place_of`), under names by which `spanwise.answer`, `verify`
and `ground` read passages: what goes out comes back with its lines, page and boxes.
"""

from __future__ import annotations

from dataclasses import asdict

from spanwise.contract.result import Result
from spanwise.domain.claim import Citation
from spanwise.export.pieces import lead
from spanwise.export.providers import link


def langchain(result: Result) -> dict[str, object]:
    """An AI message whose text block has `citation` annotations, the place in their `extras`."""
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
    """A response: its text, and a source node for each citation."""
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
    """A `GeneratedAnswer` as its `to_dict` writes it, with a document for each citation."""
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
    """A model response with one text part; its `provider_details` hold the places of its citations."""
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
    """All of a citation but its words, as JSON values."""
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
