"""Values that the OpenAPI document shows."""

from __future__ import annotations

from typing import Final

from pydantic.config import JsonDict

_CITATION: Final[JsonDict] = {
    "id": "c1",
    "item": 0,
    "document": "contract.txt",
    "line_start": 10,
    "line_end": 11,
    "page": None,
    "page_label": None,
    "boxes": [],
    "quote": "A late fee of 1.5% per month (18% annually) will apply",
    "at": [0, 54],
}
RESULT: Final[JsonDict] = {
    "schema_version": 1,
    "trace_id": "9f3c1d2e4b5a6978",
    "question": "What is the late payment penalty?",
    "decision": "ship",
    "decision_reason": "answered",
    "text": "A late fee of 1.5% per month (18% annually) will apply",
    "confidence": 0.87,
    "review": False,
    "possible": False,
    "answer": {"items": [{"text": "A late fee of 1.5% per month (18% annually) will apply"}]},
    "answer_schema": "TextAnswer",
    "citations": [_CITATION],
    "claims": [
        {
            "at": [0, 54],
            "text": "A late fee of 1.5% per month (18% annually) will apply",
            "support": "supported",
            "verdict": "keep",
            "reason": "the words stand in the source",
            "score": 1.0,
            "citations": ["c1"],
        }
    ],
    "warnings": [],
    "warning_details": [],
    "completeness": {"weak": 1.0, "strong": None, "why": "not checked"},
    "missing": None,
    "used_chunk_ids": ["contract.txt:8-11"],
    "metrics": {
        "latency_ms": 31.0,
        "llm_calls": 0.0,
        "prompt_tokens": 0.0,
        "completion_tokens": 0.0,
        "cost_usd": 0.0,
    },
    "meta": {"mode": "extractive"},
}

QUESTION: Final[JsonDict] = {"question": "What is the late payment penalty?"}
CHECK: Final[JsonDict] = {
    "text": "The penalty is 5 % a month.",
    "passages": ["A late fee of 1.5% per month will apply."],
}
FIELDS: Final[JsonDict] = {
    "fields": [{"name": "fee", "question": "What is the late fee?", "type": "quantity", "shape": "single"}]
}
DOCUMENT: Final[JsonDict] = {
    "id": "9a61ed27c5b4ee15",
    "name": "contract.pdf",
    "format": "pdf",
    "media_type": "application/pdf",
    "lines": 181,
    "pages": 9,
    "sha256": "1b877cb1bf101f96c183afb27397963413fbafc209de3f060a640b441e185b4f",
    "size": 105517,
}
JOB: Final[JsonDict] = {
    "id": "2231026a5b4ec09d",
    "kind": "ingest",
    "state": "done",
    "done": 3,
    "total": 3,
    "message": "done",
    "document": DOCUMENT,
    "problem": None,
    "rows": None,
}
PROBLEM: Final[JsonDict] = {
    "type": "urn:spanwise:problem:document_not_found",
    "title": "Not Found",
    "status": 404,
    "detail": "There is no document with the id '0000000000000000': list the documents.",
    "instance": "/v1/corpora/default/documents/0000000000000000",
    "code": "document_not_found",
}
