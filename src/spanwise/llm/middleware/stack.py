"""The order of the middleware around a model, and why.

From the outside in:

1. recording: records what a run received, wherever it came from; 2. cache: a known call costs nothing, so nothing below
needs to know of it; 3. ladder: a typed call becomes one or two plain ones, which the layers below count separately; 4.
budget: each call is checked before it can cost anything, and its retries are settled together; 5. retry: waits outside
the limits, so that a waiting call occupies no slot; 6. limits: closest to the provider, since they are the provider's.
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
    """The model with the given middleware around it, in the order above; None leaves one out.

    Args:
        model: Any model; a `Ladder` around it is moved to its place in the order.
        limits: Rate and concurrency limits.
        retry: How failed requests are retried.
        budget: Calls, tokens and cost that may be spent; may be shared by several models.
        cache: A cache, or its path.
        recording: The path of a JSON Lines file that replies are appended to.
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
