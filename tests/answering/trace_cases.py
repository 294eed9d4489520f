"""Small documents, scripted replies and traces that several tests of the loop use."""

import json
from pathlib import Path

import spanwise
from spanwise import ScriptedModel
from spanwise.contract.record import digest_of

POLICY = """\
# 4. Exclusions

The following are excluded from the home policy:

- damage by flood
- damage by war

# 5. Limits

The limit is USD 500,000 per claim for the home policy.
"""
REPORT = """\
| Years ended December 31, | 2019 | 2018 |
| --- | --- | --- |
| Revenue | $1,200 | $1,000 |
| Cost of sales | (700) | (650) |
"""
CHANGE = "What was the percentage change in revenue from 2018 to 2019?"
LIMIT = "How much is the limit per claim of the home policy?"


def reply(items, **flags):
    """What a model writes for some items."""
    found = bool(items)
    return json.dumps(
        {
            "items": items,
            "extraction_method": "verbatim" if found else "na",
            "confidence": 0.9 if found else 0.0,
            "caveats": [],
            "answer_found": found,
            "complete_answer_found": found,
            "context_completeness_weak": 0.9,
            "context_structured": True,
            "llm_discovered_keywords": [],
            "keywords_found": [],
            "conflicting_evidence": False,
            "suggested_clarification": None,
            **flags,
        }
    )


def amount(value, line, currency="USD"):
    """An item that is an amount of money."""
    spans = [{"line_start": line, "line_end": line, "quote": None}]
    return {"amount": {"value": value, "currency": currency, "unit": "per claim"}, "spans": spans}


def text(words, line, last=None):
    """An item that is text."""
    return {"text": words, "spans": [{"line_start": line, "line_end": last or line, "quote": None}]}


def written(folder: Path, content: str = POLICY, name: str = "policy.md") -> Path:
    """A document on disk."""
    path = folder / name
    path.write_text(content, encoding="utf-8")
    return path


def line_of(path: Path, words: str) -> int:
    """The global number of the first line with these words."""
    return next(line.number for line in spanwise.read(path).lines if words in line.text)


def traced(folder: Path, question: str, path: Path, **options) -> Path:
    """The trace of one question."""
    result = spanwise.ask(question, path, **options)
    result.save_trace(folder / "trace.json")
    return folder / "trace.json"


def by_model(folder: Path) -> Path:
    """The trace of an answer that a model wrote."""
    path = written(folder)
    model = ScriptedModel([reply([amount(500000, line_of(path, "USD 500,000"))])])
    return traced(folder, LIMIT, path, model=model, type="amount")


def sealed(path: Path, record: dict[str, object]) -> Path:
    """A trace that somebody edited and sealed again."""
    path.write_text(json.dumps({**record, "digest": digest_of(record)}), encoding="utf-8")
    return path
