"""Typed answers on their way: spans in the numbers that prompts show, mapped to lines of documents at the end."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from spanwise.contract.answers import AnswerBase
from spanwise.contract.items import Item
from spanwise.contract.values import Span
from spanwise.synthesis.markers import Rejected
from spanwise.text.tokens import token_bound

if TYPE_CHECKING:
    from spanwise.synthesis.excerpts import Excerpt

_METHODS = ("inferred", "computed", "verbatim")  # the weakest first: what is put together is as weak as its weakest


def accepted(
    answer: AnswerBase, credits_: Mapping[int, tuple[Excerpt, ...]]
) -> tuple[AnswerBase, dict[int, tuple[Excerpt, ...]], list[Rejected]]:
    """The answer without spans of lines that were not shown, the excerpts it rests on, and the spans taken out."""
    used: dict[int, tuple[Excerpt, ...]] = {}
    rejected: list[Rejected] = []
    items: list[Item] = []
    for item in answer.items:
        spans = []
        for span in item.spans:
            excerpts = [excerpt for found in credits_.values() for excerpt in found if _holds(excerpt, span)]
            if excerpts:
                spans.append(span)
                label = excerpts[0].source.label or 0
                used[label] = tuple(dict.fromkeys((*used.get(label, ()), *excerpts)))
            else:
                named = f"lines {span.line_start} to {span.line_end}"
                rejected.append(Rejected(named, "these lines were not shown for this answer"))
        items.append(item.model_copy(update={"spans": spans}))
    return answer.model_copy(update={"items": items}), used, rejected


def placed(span: Span, credits_: Mapping[int, tuple[Excerpt, ...]]) -> tuple[Excerpt, int, int] | None:
    """The excerpt that a span lies in, and its lines counted from 1 in the passage."""
    for found in credits_.values():
        for excerpt in found:
            if _holds(excerpt, span):
                base = excerpt.source.line_base or 0
                return excerpt, span.line_start - base, span.line_end - base
    return None


def lighter(answer: AnswerBase, tokens: int) -> AnswerBase:
    """The answer with its last items left out until its JSON fits; it says that it is not complete."""
    items = list(answer.items)
    while items:
        items = items[: len(items) // 2] if len(items) > 8 else items[:-1]
        answer = answer.model_copy(
            update={"items": items, "complete_answer_found": False, "answer_found": bool(items), "caveats": []}
        )
        if token_bound(answer.model_dump_json()) <= tokens:
            break
    return answer


def merged(answers: Sequence[AnswerBase]) -> AnswerBase:
    """One answer of all the items, equal ones once with the spans of all, as sure as the least sure of those found."""
    items: dict[str, Item] = {}
    for answer in answers:
        for item in answer.items:
            key = item.model_dump_json(exclude={"spans"})
            earlier = items.get(key)
            spans = [*(earlier.spans if earlier else ()), *item.spans]
            unique = list({(span.line_start, span.line_end): span for span in spans}.values())
            items[key] = item.model_copy(update={"spans": unique})
    found = [answer for answer in answers if answer.items] or list(answers)
    methods = [answer.extraction_method for answer in found if answer.extraction_method in _METHODS]
    return found[0].model_copy(
        update={
            "items": list(items.values()),
            "extraction_method": min(methods, key=_METHODS.index) if items and methods else "na",
            "confidence": min((answer.confidence for answer in found), default=0.0),
            "caveats": _all(answer.caveats for answer in found),
            "answer_found": bool(items),
            "complete_answer_found": bool(items) and all(answer.complete_answer_found for answer in found),
            "context_completeness_weak": min((a.context_completeness_weak for a in found), default=0.0),
            "context_structured": all(answer.context_structured for answer in answers),
            "llm_discovered_keywords": _all(answer.llm_discovered_keywords for answer in answers),
            "keywords_found": _all(answer.keywords_found for answer in answers),
            "conflicting_evidence": any(answer.conflicting_evidence for answer in answers),
        }
    )


def nothing_found(output: type[AnswerBase], caveat: str) -> AnswerBase | None:
    """An answer of that class without items; None where the class asks for more than the contract."""
    from pydantic import ValidationError

    try:
        return output.model_validate(
            {
                "items": [],
                "extraction_method": "na",
                "confidence": 0.0,
                "caveats": [caveat],
                "answer_found": False,
                "complete_answer_found": False,
                "context_completeness_weak": 0.0,
                "context_structured": True,
                "conflicting_evidence": False,
            }
        )
    except ValidationError:
        return None


def _holds(excerpt: Excerpt, span: Span) -> bool:
    base = excerpt.source.line_base
    if base is None or not (math.isfinite(span.line_start) and math.isfinite(span.line_end)):
        return False
    first, last = excerpt.lines
    return base + first <= span.line_start <= span.line_end <= base + last


def _all(lists: Iterable[list[str]]) -> list[str]:
    return list(dict.fromkeys(text for texts in lists for text in texts))
