"""Results as an HTML page, as W3C Web Annotations and as a SARIF log; everything from documents is escaped."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape
from urllib.parse import quote

from spanwise.contract.result import Result
from spanwise.domain.claim import Citation, Claim, Support
from spanwise.domain.document import Box
from spanwise.export.plain import NEARBY, Piece, caution, computed, lead, pieces, place
from spanwise.export.provider_formats import link
from spanwise.text.injection.marks import steady

_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}"
    "blockquote{margin:.3rem 0 1rem;padding-left:1rem;border-left:3px solid;white-space:pre-wrap}"
    ".answer{white-space:pre-wrap;font-size:1.1rem}.note{font-style:italic}sup a{text-decoration:none}"
)
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def page(result: Result) -> str:
    """An HTML page with the question, the answer with citation markers, and the quotes that prove it."""
    title = _shown(result.question)
    told = [lead(result).strip(), *(f"Computed: {formula}" for formula in computed(result)), caution(result)]
    first, *rest = (f'<p class="note">{_shown(note)}</p>\n' if note else "" for note in (*told, *result.answer.caveats))
    notes = "".join(rest)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{title}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n"
        f"<h1>{title}</h1>\n"
        f'{first}<p class="answer">{"".join(_marked(piece) for piece in pieces(result))}</p>\n'
        f"{notes}{_evidence(result)}</main>\n</body>\n</html>\n"
    )


def _shown(text: str) -> str:
    return escape(steady(text))


def _marked(piece: Piece) -> str:
    marks = "".join(
        f'<sup><a href="#{_shown(one.id)}">[{_shown(one.id)}]</a></sup>'
        for one in piece.citations
        if one.at[1] == piece.end
    )
    return _shown(piece.text) + marks


def _evidence(result: Result) -> str:
    if result.citations:
        return "<h2>Evidence</h2>\n" + "".join(_quoted(one) for one in result.citations)
    if result.missing is not None and result.missing.nearest:
        return f"<h2>{NEARBY}, not an answer</h2>\n" + "".join(_quoted(one) for one in result.missing.nearest)
    return ""


def _quoted(citation: Citation) -> str:
    return (
        f'<section id="{_shown(citation.id)}"><a href="{_shown(link(citation))}">{_shown(place(citation))}</a>'
        f"<blockquote>{_shown(citation.quote)}</blockquote></section>\n"
    )


def annotation_page(result: Result) -> dict[str, object]:
    """A W3C annotation page with one annotation for each citation: its quote, and its page and rectangles."""
    return {
        "@context": "http://www.w3.org/ns/anno.jsonld",
        "id": f"urn:spanwise:{result.trace_id}",
        "type": "AnnotationPage",
        "items": [_annotation(result, citation) for citation in result.citations],
    }


def _annotation(result: Result, citation: Citation) -> dict[str, object]:
    return {
        "id": f"urn:spanwise:{result.trace_id}:{citation.id}",
        "type": "Annotation",
        "motivation": "identifying",
        "body": {"type": "TextualBody", "value": result.text[citation.at[0] : citation.at[1]], "format": "text/plain"},
        "target": {"source": citation.document, "selector": _selectors(citation)},
    }


def _selectors(citation: Citation) -> list[dict[str, object]]:
    found: list[dict[str, object]] = [{"type": "TextQuoteSelector", "exact": citation.quote}]
    if citation.page is not None:
        found += [
            {"type": "FragmentSelector", "conformsTo": "http://tools.ietf.org/rfc/rfc3778", "value": _fragment(box)}
            for box in citation.boxes
        ] or [
            {
                "type": "FragmentSelector",
                "conformsTo": "http://tools.ietf.org/rfc/rfc3778",
                "value": f"page={citation.page}",
            }
        ]
    return found


def _fragment(box: Box) -> str:
    """A fragment identifier by RFC 3778: left, top, width and height in points, with the origin at the top left."""
    left, top, width, height = (round(value, 2) for value in (box.x0, box.y0, box.x1 - box.x0, box.y1 - box.y0))
    return f"page={box.page}&viewrect={left:g},{top:g},{width:g},{height:g}"


_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_MARKED = re.compile(r"([\[\]\\])")
"""Characters that form links in a SARIF message (3.11.6), which are escaped by a backslash."""
_BRACE = re.compile(r"[{}]")
"""Characters that form placeholders in a SARIF message (3.11.5), which are escaped by being doubled."""
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
    """A SARIF log with one run; each claim is a result, and the lines it cites are its locations."""
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
    """The SARIF result for one claim; a proved claim of a possible answer is marked for review."""
    kind, level = _LEVELS[claim.support]
    kind = "review" if possible and kind == "pass" else kind
    return {
        "ruleId": claim.support,
        "kind": kind,
        "level": level,
        "message": {"text": _BRACE.sub(r"\g<0>\g<0>", _MARKED.sub(r"\\\1", f"{claim.text}: {claim.reason}"))},
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
