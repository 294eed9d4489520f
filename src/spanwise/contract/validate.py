"""Validation of an answer against the document it cites: everything that is wrong with it, named, in bounded time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spanwise.contract.answers import AnswerBase, AnswerWithEvidence, TextAnswer
from spanwise.contract.items import Item, TextItem
from spanwise.contract.validation.crossing import crossing_problems, inner_faults
from spanwise.contract.validation.evidence import Evidence, item_faults
from spanwise.contract.validation.problems import (
    CODES,
    MOST_ITEMS,
    MOST_SPANS,
    MOST_TABLE_LINES,
    MOST_WORK,
    Asked,
    Code,
    Problem,
    base_text_problems,
    flag_problems,
    shape_problems,
)
from spanwise.contract.values import Span, TableValue
from spanwise.domain.document import Document
from spanwise.errors import expect

__all__ = ["CODES", "Asked", "Code", "Problem", "validate_answer"]


def validate_answer(
    answer: AnswerBase | AnswerWithEvidence, document: Document, *, question: Asked | None = None
) -> list[Problem]:
    """Everything that is wrong with an answer; nothing when its lines prove it.

    Checked are the flags, every span and quote, and every value: an item said to be `verbatim` must have its value, or
    a quote, in the lines it cites. A `computed` or `inferred` value need not stand there, its lines must exist.

    Args:
        answer: What a model or an extractor answered.
        document: The document whose global line numbers the spans name.
        question: The parsed question, when the class of the answer is to be the one it asks for.

    Returns:
        The problems: those of the answer as a whole, then those of each item in order. The first `MOST_ITEMS` items
        are checked; more are a problem themselves.
    """
    expect(answer, (AnswerBase, AnswerWithEvidence), "the answer", "one of the classes of answers")
    expect(document, Document, "the document", "what spanwise.read(path) returns")
    if isinstance(answer, AnswerWithEvidence):
        answer = _as_text(answer)
    items = getattr(answer, "items", None)
    looked_at = _within_bounds(items) if isinstance(items, list) else []
    evidence = Evidence(document)
    return [
        *shape_problems(answer, question),
        *flag_problems(answer),
        *base_text_problems(answer),
        *_too_many(items, looked_at),
        *_of_items(looked_at, answer.extraction_method, evidence),
        *crossing_problems(answer, looked_at, evidence),
    ]


def _as_text(answer: AnswerWithEvidence) -> TextAnswer:
    """The smallest contract as a text: what it quotes proves it; without a quote it is the reader's to judge."""
    quotes: list[str | None] = [*answer.quotes[: MOST_SPANS + 1]] if answer.quotes else [None]
    spans = [Span(line_start=answer.evidence_start, line_end=answer.evidence_end, quote=quote) for quote in quotes]
    items = [TextItem(text=answer.answer, spans=spans)]
    method = "verbatim" if answer.quotes else "inferred"
    return TextAnswer.of_items(items, answer.confidence, extraction_method=method, caveats=answer.caveats)


def _within_bounds(items: Sequence[Item]) -> Sequence[Item]:
    """The first items, as many as can be checked in bounded time."""
    work = 0
    for index, item in enumerate(items[:MOST_ITEMS]):
        work += 1 + sum(_width(span) for span in item.spans[:MOST_SPANS])
        if isinstance(item.value, TableValue):
            work += sum(map(len, item.value.rows))
        if work > MOST_WORK:
            return items[:index]
    return items[:MOST_ITEMS]


def _width(span: Span) -> int:
    return min(max(span.line_end - span.line_start + 1, 1), MOST_TABLE_LINES)


def _too_many(items: object, looked_at: Sequence[Item]) -> Iterator[Problem]:
    if not isinstance(items, list) or len(items) == len(looked_at):
        return
    checked = f"the answer has {len(items):,} items, and the first {len(looked_at):,} are checked"
    if len(items) > MOST_ITEMS:
        yield Problem("too_many_items", f"{checked}: ask for fewer at a time")
    if len(looked_at) < MOST_ITEMS:
        yield Problem("too_large", f"{checked}: together they cite too many lines, or have too many cells")


def _of_items(items: Sequence[Item], method: str, evidence: Evidence) -> Iterator[Problem]:
    for index, item in enumerate(items):
        for fault in (*item_faults(item, method, evidence), *inner_faults(item.value)):
            yield Problem(fault.code, fault.message, index, fault.span)
