"""W3C Web Annotation (https://www.w3.org/TR/annotation-model/): what the answer says, targeting the quoted source."""

from __future__ import annotations

from spanwise.contract.result import Result
from spanwise.domain.claim import Citation
from spanwise.domain.document import Box


def annotation_page(result: Result) -> dict[str, object]:
    """One annotation a citation: `TextQuoteSelector` has the words, `FragmentSelector` the page and place."""
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
        "body": {
            "type": "TextualBody",
            "value": result.text[citation.at[0] : citation.at[1]],
            "format": "text/plain",
        },
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
    """RFC 3778: left, top, width and height in points, the origin top left."""
    left, top, width, height = (round(value, 2) for value in (box.x0, box.y0, box.x1 - box.x0, box.y1 - box.y0))
    return f"page={box.page}&viewrect={left:g},{top:g},{width:g},{height:g}"
