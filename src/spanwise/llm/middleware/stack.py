"""The order in which middleware stands around a model, and why.

From the outside in:

1. recording: what a run was told is what is written down, wherever it came from;
2. cache: a call that is known costs nothing, so nothing below has to hear of it;
3. ladder: a typed call becomes one or two plain ones, which the layers below count one by one;
4. budget: each attempt to spend is checked, and retries of one call are settled together;
5. retry: waits outside the limits, so that a call that waits holds no place;
6. limits: closest to the provider, since they are the provider's.
"""

from __future__ import annotations

import os

from spanwise.llm.ladder import Ladder, laddered
from spanwise.llm.middleware.cache import Cache, Cached, Recording
from spanwise.llm.middleware.limits import Budget, Budgeted, Limited, Limits
from spanwise.llm.middleware.retry import Retry, Retrying
from spanwise.llm.port import Model


def wrapped(
    model: Model,
    *,
    limits: Limits | None = None,
    retry: Retry | None = None,
    budget: Budget | None = None,
    cache: Cache | str | os.PathLike[str] | None = None,
    recording: str | os.PathLike[str] | None = None,
) -> Model:
    """The model with what is asked for around it, in the order above; whatever is None is left out.

    Args:
        model: Any model; a bare ladder around it is moved to its place in the order.
        limits: Rates and concurrency.
        retry: Tries again.
        budget: Calls, tokens and cost that may be spent; may be shared by several models.
        cache: A cache, or the path of one.
        recording: The path of a JSON lines file that replies are appended to.
    """
    if isinstance(model, Ladder):
        model = model.inner
    if limits is not None:
        model = Limited(model, limits)
    if retry is not None:
        model = Retrying(model, retry)
    if budget is not None:
        model = Budgeted(model, budget)
    model = laddered(model)
    if cache is not None:
        model = Cached(model, cache if isinstance(cache, Cache) else Cache(cache))
    return model if recording is None else Recording(model, recording)
