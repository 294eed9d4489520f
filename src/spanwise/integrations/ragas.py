"""Ragas: a metric for how far a response is supported by its retrieved contexts, without a judge model."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from spanwise.integrations.answers import framework

with framework("ragas"):
    from ragas.metrics.collections.base import BaseMetric
    from ragas.metrics.result import MetricResult

from spanwise.integrations.answers import judged


class Attribution(BaseMetric):
    """Share of the claims of a response that hold in its retrieved contexts; `reason` lists those that do not.

    It needs no `llm` and no `embeddings`.
    """

    def __init__(self, name: str = "attribution", *, citations: bool = True) -> None:
        """Set the options of the metric.

        Args:
            name: Its name in results.
            citations: A claim with citations must be supported by the cited contexts; otherwise any context counts.
        """
        super().__init__(name=name)
        self.citations = citations

    async def ascore(self, response: str, retrieved_contexts: Sequence[str]) -> MetricResult:
        """Score a response, from 0 to 1, in a thread."""
        found = await asyncio.to_thread(judged, response, retrieved_contexts, citations=self.citations)
        return MetricResult(value=found.score, reason=found.reason)
