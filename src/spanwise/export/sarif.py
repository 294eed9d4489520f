"""SARIF 2.1.0 (OASIS): each claim is a result, so that tools which annotate pull requests show what is not proved."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import quote

from spanwise.contract.result import Result
from spanwise.domain.claim import Citation, Claim, Support

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_MARKED = re.compile(r"([\[\]\\])")
"""Signs that make a link in a message of SARIF (3.11.6), escaped by a backslash."""
_LEVELS: Mapping[Support, tuple[str, str]] = {
    "supported": ("pass", "none"),
    "contradicted": ("fail", "error"),
    "unsupported": ("fail", "warning"),
    "unchecked": ("review", "none"),
}
_RULES: Mapping[Support, str] = {
    "supported": "The cited lines hold the claim.",
    "contradicted": "The sources say something else.",
    "unsupported": "No source says it.",
    "unchecked": "The claim was not checked.",
}


def log(result: Result) -> dict[str, object]:
    """A log with one run; the locations of a claim are the lines that it cites."""
    cited = {citation.id: citation for citation in result.citations}
    return {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "spanwise",
                        "rules": [{"id": rule, "shortDescription": {"text": text}} for rule, text in _RULES.items()],
                    }
                },
                "results": [
                    _result(claim, [cited[one] for one in claim.citations if one in cited], possible=result.possible)
                    for claim in result.claims
                ],
            }
        ],
    }


def _result(claim: Claim, citations: list[Citation], *, possible: bool) -> dict[str, object]:
    """One claim; that lines say a possible answer is proved, and a person has to see whether it answers."""
    kind, level = _LEVELS[claim.support]
    kind = "review" if possible and kind == "pass" else kind
    return {
        "ruleId": claim.support,
        "kind": kind,
        "level": level,
        "message": {"text": _MARKED.sub(r"\\\1", f"{claim.text}: {claim.reason}")},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": quote(citation.document)},
                    "region": {
                        "startLine": citation.line_start,
                        "endLine": citation.line_end,
                        "snippet": {"text": citation.quote},
                    },
                }
            }
            for citation in citations
        ],
    }
