"""DeepEval: a metric for how far an answer is supported by its retrieval context, without a judge model."""

from __future__ import annotations

import asyncio
from typing import ClassVar

from spanwise.integrations.answers import framework

with framework("deepeval"):
    from deepeval.metrics import BaseMetric
    from deepeval.metrics.utils import check_llm_test_case_params
    from deepeval.test_case import LLMTestCase, SingleTurnParams

from spanwise.integrations.answers import judged


class AttributionMetric(BaseMetric):
    """Share of the claims in `actual_output` that hold in `retrieval_context`; `reason` lists those that do not.

    It calls no model, costs nothing, and is deterministic.
    """

    _required_params: ClassVar = [SingleTurnParams.ACTUAL_OUTPUT, SingleTurnParams.RETRIEVAL_CONTEXT]

    def __init__(self, threshold: float = 1.0, *, citations: bool = True) -> None:
        """Set what passes.

        Args:
            threshold: The least score, from 0 to 1.
            citations: A claim with citations must be supported by the cited passages; otherwise any passage counts.
        """
        self.threshold = threshold
        self.citations = citations
        self.verbose_mode = False
        self.include_reason = True
        self.evaluation_cost = 0.0

    def measure(self, test_case: LLMTestCase, *_: object, **__: object) -> float:
        """Score a test case, from 0 to 1.

        Raises:
            MissingTestCaseParamsError: It has no output or no retrieval context.
        """
        check_llm_test_case_params(test_case, self._required_params, None, None, self, None, test_case.multimodal)
        found = judged(test_case.actual_output, test_case.retrieval_context, citations=self.citations)
        self.error, self.score, self.reason = None, found.score, found.reason
        self.is_successful()
        return found.score

    async def a_measure(self, test_case: LLMTestCase, *_: object, **__: object) -> float:
        """As `measure`, in a thread."""
        return await asyncio.to_thread(self.measure, test_case)

    @property
    def __name__(self) -> str:
        return "Spanwise Attribution"
