"""Values that the OpenAPI document shows: the lease of examples/documents."""

from __future__ import annotations

from typing import Final

from pydantic.config import JsonDict

_CITATION: Final[JsonDict] = {
    "id": "c1",
    "item": 0,
    "document": "lease.pdf",
    "line_start": 20,
    "line_end": 20,
    "page": 1,
    "page_label": "1",
    "boxes": [{"page": 1, "x0": 119.06, "y0": 437.97, "x1": 242.12, "y1": 450.03}],
    "quote": "Rent means £8,400 a month.",
    "at": [0, 14],
}
RESULT: Final[JsonDict] = {
    "schema_version": 1,
    "trace_id": "78792e874bd1143a",
    "question": "What does Rent mean?",
    "decision": "ship",
    "decision_reason": "every part of the answer is in the lines it cites",
    "text": "£8,400 a month",
    "confidence": 0.73,
    "review": False,
    "possible": False,
    "answer": {"items": [{"amount": {"value": 8400.0, "currency": "GBP", "unit": "per month"}}]},
    "answer_schema": "AmountAnswer",
    "citations": [_CITATION],
    "claims": [
        {
            "at": [0, 14],
            "text": "£8,400 a month",
            "support": "supported",
            "verdict": "keep",
            "reason": "the cited lines state this value",
            "score": 1.0,
            "citations": ["c1"],
        }
    ],
    "warnings": [],
    "warning_details": [],
    "completeness": {"weak": 0.73, "strong": None, "why": "the next page was not looked at"},
    "missing": None,
    "used_chunk_ids": ["lease.pdf:8-23"],
    "metrics": {"latency_ms": 31.0, "llm_calls": 0.0, "prompt_tokens": 0.0, "completion_tokens": 0.0, "cost_usd": 0.0},
    "meta": {"mode": "extractive"},
}

QUESTION: Final[JsonDict] = {"question": "What does Rent mean?"}
CHECK: Final[JsonDict] = {"text": "The rent is £9,400 a month.", "passages": ["Rent means £8,400 a month."]}
FIELDS: Final[JsonDict] = {
    "fields": [{"name": "rent", "question": "How much is the monthly rent?", "type": "amount", "shape": "single"}]
}
DOCUMENT: Final[JsonDict] = {
    "id": "9a61ed27c5b4ee15",
    "name": "lease.pdf",
    "format": "pdf",
    "media_type": "application/pdf",
    "lines": 102,
    "pages": 3,
    "sha256": "64a11a947abbb6f726344d8e80d5866b953b9a440184dbb2e84d3ea4a1b4c5b9",
    "size": 22104,
    "language": "en",
    "recognised": False,
    "hidden": 0,
}
JOB: Final[JsonDict] = {
    "id": "2231026a5b4ec09d",
    "kind": "ingest",
    "name": "lease.pdf",
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
