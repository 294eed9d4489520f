"""The warning of a result whose cited lines contradict each other."""

from __future__ import annotations

from collections.abc import Mapping

from spanwise.guard.checked import Checked

CONTRADICTORY_SOURCES = "contradictory_sources"


def contradictory(checked: Checked) -> Mapping[str, object]:
    """What contradicts what: every cited line with its place."""
    return {
        "code": CONTRADICTORY_SOURCES,
        "message": "the cited lines give different answers",
        "quotes": [
            {
                "document": citation.document,
                "line_start": citation.line_start,
                "line_end": citation.line_end,
                "page": citation.page,
                "quote": citation.quote,
            }
            for citation in checked.citations
        ],
    }
