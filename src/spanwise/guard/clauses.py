"""A yes that rests on there being a clause: the cited sentences are read again by the model of such clauses."""

from __future__ import annotations

import math
from collections.abc import Sequence

from spanwise.contract.items import BooleanItem
from spanwise.contract.validation.problems import Fault
from spanwise.domain.question import SentenceModel
from spanwise.store.port import Lines
from spanwise.text.reading import read_passage

CLAUSE = "the cited sentence speaks like the clauses that are asked for"
LIKELY = 0.15
"""Least probability of a clause from which its being there is a yes. On contracts that the models never saw it gives
the best balance between clauses that are missed and clauses that are not there."""


def clause_fault(
    item: BooleanItem, sentence: str, documents: Sequence[str], model: SentenceModel, store: Lines
) -> Fault | None:
    """Why the cited lines hold no clause of the kind that is asked for; None when they do."""
    if not item.boolean:
        return Fault("value_not_in_lines", "that a clause is missing follows from no line")
    for span, document in zip(item.spans, documents, strict=True):
        for passage in store.passages(document, span.line_start, span.line_end):
            reading = read_passage(passage)
            for one, features in zip(reading.sentences, reading.features, strict=True):
                inside = span.line_start <= one.line_start and one.line_end <= span.line_end and one.text in sentence
                if inside and likelihood(model.logit(features)) >= LIKELY:
                    return None
    return Fault("value_not_in_lines", "no cited sentence speaks like a clause of this kind")


def likelihood(logit: float) -> float:
    """The logistic function, in (0, 1)."""
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, logit))))
