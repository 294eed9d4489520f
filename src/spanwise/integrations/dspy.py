"""DSPy: a metric without a judge model, and a retriever of passages."""

from __future__ import annotations

import os
from typing import Any

from spanwise.integrations.answers import HOLDS, framework

with framework("dspy"):
    from dspy import Prediction

from spanwise.errors import InputError
from spanwise.guard.verify import verify
from spanwise.ingest.corpus import Corpus
from spanwise.integrations.answers import finding, found, opened


class SpanwiseMetric:
    """How far a prediction is supported by its context, claim by claim, for `dspy.Evaluate` and optimizers.

    It returns a `Prediction` with `score`, the share of claims that are supported where they cite, and `feedback`, a
    line for each claim that does not hold (used by GEPA). While programs are bootstrapped (a trace is given) it returns
    whether the share reaches `threshold`.
    """

    def __init__(self, *, answer: str = "answer", context: str = "context", threshold: float = 1.0) -> None:
        """Set the names of the fields, in the prediction or else in the example."""
        self._answer, self._context, self._threshold = answer, context, threshold

    def __call__(
        self, gold: Any, pred: Any, trace: Any = None, pred_name: str | None = None, pred_trace: Any = None
    ) -> Any:
        """Score one prediction."""
        del pred_trace
        checked = verify(str(_field(self._answer, pred, gold)), _field(self._context, pred, gold))
        score = checked.attributed_share
        if trace is not None and pred_name is None:
            return score >= self._threshold
        return Prediction(score=score, feedback=finding(checked) or HOLDS)


class SpanwiseRetriever:
    """Finds passages of a corpus: `retriever(query)` is a `Prediction` with `passages` (texts) and `places`."""

    def __init__(self, corpus: Corpus | str | os.PathLike[str], k: int = 3) -> None:
        """Search a corpus, or the one at a path."""
        self._corpus, self._k = opened(corpus), k

    def __call__(self, query: str, k: int | None = None) -> Prediction:
        """The best passages for a query."""
        hits = found(self._corpus, query, self._k if k is None else k)
        return Prediction(passages=[hit.passage.text for hit, _ in hits], places=[place for _, place in hits])


def _field(name: str, *holders: Any) -> Any:
    for holder in holders:
        if (value := getattr(holder, name, None)) is not None:
            return value
    raise InputError(f"neither prediction nor example has {name!r}: name the fields where SpanwiseMetric is made")
