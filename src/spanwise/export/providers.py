"""OpenAI's annotations: `file_citation` of the Responses API, `url_citation` of Chat Completions."""

from __future__ import annotations

from urllib.parse import quote

from spanwise.contract.result import Result
from spanwise.domain.claim import Citation
from spanwise.export.pieces import lead
from spanwise.text.injection.links import unlinked


def response_message(result: Result) -> dict[str, object]:
    """An output message of the Responses API; `index` is the place in the text after which the citation stands."""
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
                        "filename": unlinked(citation.document),
                        "index": len(before) + citation.at[1],
                    }
                    for citation in result.citations
                ],
            }
        ],
    }


def chat_message(result: Result) -> dict[str, object]:
    """A message of Chat Completions; the URL leads to the page (`report.pdf#page=6`, ISO 32000-2 Annex O)."""
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
    """A relative URL of the cited page, or of the document where it has no pages."""
    fragment = "" if citation.page is None else f"#page={citation.page}"
    path = quote(citation.document)
    return (f"./{path.lstrip('/')}" if path.startswith("//") else path) + fragment  # "//host" is another host
