"""Recovery of evidence from the source: the text and the rectangles of cited lines, never a model's quote."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Literal

from spanwise.contract.items import Item
from spanwise.contract.values import Span
from spanwise.domain.document import Box, Document, Line


def snippets(item_or_span: Item | Span, document: Document) -> list[str]:
    """The exact text of each cited range, one string a span, lines joined by line breaks.

    Raises:
        IndexError: A span is reversed or names lines that the document does not have.
    """
    return [document.text(span.line_start, span.line_end) for span in _spans(item_or_span)]


def boxes(item_or_span: Item | Span, document: Document, *, mode: Literal["union", "per_line"] = "union") -> list[Box]:
    """The rectangles of the cited lines, in points, origin top left.

    Args:
        item_or_span: What is cited.
        document: Where the lines stand.
        mode: `union` gives one envelope a page and span, `per_line` one rectangle a line.

    Raises:
        IndexError: A span is reversed or names lines that the document does not have.
    """
    found: list[Box] = []
    for span in _spans(item_or_span):
        document.text(span.line_start, span.line_end)  # the same check of the range as for snippets
        found += line_boxes(document.lines[span.line_start - 1 : span.line_end], mode=mode)
    return found


def line_boxes(lines: Iterable[Line], *, mode: Literal["union", "per_line"] = "union") -> list[Box]:
    """The rectangles of some lines: their own (`per_line`), or one envelope for each page (`union`)."""
    known = [line.box for line in lines if line.box is not None]
    if mode == "per_line":
        return known
    return [_envelope(list(group)) for _, group in groupby(known, key=lambda box: box.page)]


def _envelope(found: Sequence[Box]) -> Box:
    return Box(
        page=found[0].page,
        x0=min(box.x0 for box in found),
        y0=min(box.y0 for box in found),
        x1=max(box.x1 for box in found),
        y1=max(box.y1 for box in found),
    )


def _spans(item_or_span: Item | Span) -> Sequence[Span]:
    return [item_or_span] if isinstance(item_or_span, Span) else item_or_span.spans
