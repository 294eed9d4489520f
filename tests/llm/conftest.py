import json

import pytest


@pytest.fixture(scope="session")
def nothing_found() -> str:
    """An answer of any class that has no items, as a model writes it."""
    return json.dumps(
        {
            "items": [],
            "extraction_method": "na",
            "confidence": 0.0,
            "caveats": [],
            "answer_found": False,
            "complete_answer_found": False,
            "context_completeness_weak": 1.0,
            "context_structured": True,
            "conflicting_evidence": False,
        }
    )


CAPITAL = {"type": "object", "title": "Capital", "properties": {"name": {"type": "string"}}, "required": ["name"]}


@pytest.fixture(scope="session")
def capital() -> dict:
    """A small JSON schema."""
    return CAPITAL
