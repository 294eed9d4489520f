"""Inspect: a scorer for how far a completion is supported by the passages of its sample, without a judge model."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable

from spanwise.integrations.answers import framework

with framework("inspect-ai"):
    from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
    from inspect_ai.solver import TaskState

from spanwise.errors import InputError
from spanwise.integrations.answers import judged


@scorer(metrics=[mean(), stderr()])
def attribution(passages: str | Callable[[TaskState], Iterable[object]] = "context", citations: bool = True) -> Scorer:
    """Score with the share of the claims that hold; the explanation lists those that do not.

    Args:
        passages: The key of the passages in the sample's metadata, or a function that takes them from the state (for
            example what a solver retrieved).
        citations: A claim with citations must be supported by the cited passages; otherwise any passage counts.
    """

    async def score(state: TaskState, target: Target) -> Score:
        del target
        answer = state.output.completion
        found = await asyncio.to_thread(judged, answer, _passages(state, passages), citations=citations)
        claims = [
            {"text": claim.text, "support": claim.support, "cited": claim.cited} for claim in found.verification.claims
        ]
        return Score(value=found.score, answer=answer, explanation=found.reason, metadata={"claims": claims})

    return score


def _passages(state: TaskState, told: str | Callable[[TaskState], Iterable[object]]) -> list[object]:
    if not isinstance(told, str):
        return list(told(state))
    found = state.metadata.get(told)
    if found is None:
        raise InputError(
            f"sample {state.sample_id} has no metadata {told!r}: put its passages there or name another key"
        )
    return [found] if isinstance(found, str) else list(found)
