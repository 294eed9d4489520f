"""The four components of the simple pipeline in one place; none of them needs a model or a network."""

from __future__ import annotations

from spanwise.guard.judge import LLMJudge
from spanwise.questions.decomposer import QueryDecomposer
from spanwise.retrieval.agentic import AgenticRetriever
from spanwise.synthesis.generator import ResponseGenerator

__all__ = ["AgenticRetriever", "LLMJudge", "QueryDecomposer", "ResponseGenerator"]
