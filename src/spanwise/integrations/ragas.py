"""Ragas: how far a response is supported by its retrieved contexts, without a judge."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from spanwise.integrations.answers import framework

with framework("ragas"):
    from ragas.metrics.collections.base import BaseMetric
    from ragas.metrics.result import MetricResult

from spanwise.integrations.answers import judged


class Attribution(BaseMetric):
    """Share of the claims of a response that hold in its retrieved contexts; `reason` names each that does not.

    It needs no `llm` and no `embeddings`.
    """

    def __init__(self, name: str = "attribution", *, citations: bool = True) -> None:
        """Name the metric.

        Args:
            name: What results call it.
            citations: A claim has to be supported by what it cites, where it cites something; else by any context.
        """
        super().__init__(name=name)
        self.citations = citations

    async def ascore(self, response: str, retrieved_contexts: Sequence[str]) -> MetricResult:
        """Score a response, in a thread, so that others go on."""
        found = await asyncio.to_thread(judged, response, retrieved_contexts, citations=self.citations)
        return MetricResult(value=found.score, reason=found.reason)
