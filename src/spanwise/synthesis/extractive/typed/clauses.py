"""Yes, where a question asks whether there is a clause of some kind and there is one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from spanwise.contract.answers import BooleanAnswer
from spanwise.contract.items import BooleanItem
from spanwise.contract.result import Draft
from spanwise.contract.values import Span
from spanwise.domain.question import Question
from spanwise.synthesis.extractive.candidates import Candidate

LIKELY = 0.15
"""Least probability of the clause (the guard reads it again); see `fitting/contracts.py`."""
_CAVEAT = "Yes, because the contract has this clause; what it says in detail stands in the cited lines."


def clause_draft(question: Question, ranked: Sequence[Candidate], draft: Draft) -> Draft | None:
    """A yes with the clause; None where none is likely, or where the question is not about a clause being there.

    That no clause was found is not a no: no line says so.
    """
    if question.model is None or question.answer_type not in ("text", "boolean") or not ranked:
        return None
    best = ranked[0]
    if best.relevance < LIKELY:
        return None
    element = best.elements[0]
    span = Span(line_start=element.line_start, line_end=element.line_end)
    relevance = round(best.relevance, 4)
    answer = BooleanAnswer.model_validate(
        {
            **draft.answer.model_dump(exclude={"items"}),
            "items": [BooleanItem(boolean=True, spans=[span])],
            "extraction_method": "inferred",
            "confidence": relevance,
            "caveats": [_CAVEAT],
            "answer_found": True,
            "complete_answer_found": True,
            "context_completeness_weak": relevance,
        }
    )
    return replace(
        draft,
        answer=answer,
        sources=((best.passage.document,),),
        relevance=relevance,
        asked=question.text,
        sentences=(element.text,),
        written=(),
        model=question.model,
    )
