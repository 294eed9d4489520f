"""Parts of a result that several formats need: its text piece by piece with citations, places, the words of a tier."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from spanwise.contract.record import CitationRecord
from spanwise.contract.result import ANSWERED, Result
from spanwise.domain.claim import Citation
from spanwise.text.injection.links import steady, unlinked

_FOUR_DIGITS = re.compile(r"(?<![\d.])\d{4,30}(?!\d)")
PROVED, POSSIBLE, NEARBY = "Proved answer", "Possible answer", "Quoted nearby"
"""The states of an answer, in the words of every door: code proved it from its lines; lines may say it, and a person
has to look; nothing answers, and the lines that come nearest are quoted."""
MOST_STEPS = 12
"""Computed figures of one result whose way is told."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch `[start, end)` of the result's text with all citations that cover it."""

    start: int
    end: int
    text: str
    citations: tuple[Citation, ...]


def pieces(result: Result) -> list[Piece]:
    """The whole text in order; pieces join to it again."""
    cuts = sorted({0, len(result.text), *(cut for one in result.citations for cut in one.at)})
    return [
        Piece(
            start,
            end,
            result.text[start:end],
            tuple(one for one in result.citations if one.at[0] <= start and end <= one.at[1]),
        )
        for start, end in itertools.pairwise(cuts)
        if start < end
    ]


def unlinked_result(result: Result) -> Result:
    """The result with every link and image in it as text; all places stay where they are.

    What a document or a model says never becomes something that a chat window, a page or a renderer of Markdown loads
    or can be clicked. `json` and `w3c` are data and keep what was written; `html` escapes it.
    """
    missing = result.missing
    return replace(
        result,
        question=unlinked(result.question),
        text=unlinked(result.text),
        answer=result.answer.model_copy(update={"caveats": [unlinked(one) for one in result.answer.caveats]}),
        decision=replace(
            result.decision, message=unlinked(result.decision.message), reason=unlinked(result.decision.reason)
        ),
        citations=_unlinked(result.citations),
        claims=tuple(replace(one, text=unlinked(one.text), reason=unlinked(one.reason)) for one in result.claims),
        missing=missing and replace(missing, nearest=_unlinked(missing.nearest)),
    )


def _unlinked(citations: Sequence[Citation]) -> tuple[Citation, ...]:
    return tuple(replace(one, quote=unlinked(one.quote)) for one in citations)


def state(result: Result) -> str:
    """State of an answer, one of three."""
    if result.decision.kind != "ship":
        return NEARBY
    return POSSIBLE if result.review else PROVED


def lead(result: Result) -> str:
    """The sentence that stands before possible answers, where a reader sees nothing but text; else empty.

    It is Spanwise's own and no part of `Result.text`, which holds what the documents say.
    """
    return f"{result.decision.message.split(chr(10), 1)[0]}\n\n" if result.possible else ""


def caution(result: Result) -> str:
    """Reason to look at a shipped answer before using it; empty where nobody has to."""
    if result.decision.kind != "ship" or result.possible or not result.review:
        return ""
    if result.confidence < ANSWERED:
        return f"Read the cited lines before you rely on this: it is likely by {result.confidence:.0%} only."
    return f"Read the cited lines before you rely on this: {result.decision.reason}."


def computed(result: Result) -> list[str]:
    """Steps of each figure that code computed: `32,765 - 31,657 = 1,108 million USD`."""
    made = result.meta.get("computations")
    records = [one for one in made if isinstance(one, Mapping)] if isinstance(made, list) else []
    formulas = [steps[-1] for one in records[:MOST_STEPS] if isinstance(steps := one.get("steps"), list) and steps]
    return [_FOUR_DIGITS.sub(lambda found: f"{int(found.group()):,}", str(formula)) for formula in formulas]


def documents(result: Result) -> list[str]:
    """The cited documents, each once, in the order of their first citation: what a document index counts."""
    return list(dict.fromkeys(citation.document for citation in result.citations))


def place(citation: Citation) -> str:
    """Place of a citation in words: `a.pdf, page 6 (printed 2), lines 120-123`, `prices.xlsx, Sheet1!A2:C2`."""
    return f"{steady(citation.document).replace(chr(10), ' ')}, {where(citation)}"  # no name makes a line of its own


def where(citation: Citation | CitationRecord) -> str:
    """Place of a citation in its document: `page 6 (printed 2), lines 120-123`, `Sheet1!A2:C2`."""
    if citation.cells is not None:
        return citation.cells
    lines = f"line {citation.line_start}"
    if citation.line_end > citation.line_start:
        lines = f"lines {citation.line_start}-{citation.line_end}"
    if citation.page is None:
        return lines
    printed = "" if citation.page_label in (None, str(citation.page)) else f" (printed {citation.page_label})"
    return f"page {citation.page}{printed}, {lines}"
