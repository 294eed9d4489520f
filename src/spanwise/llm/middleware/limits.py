"""Rate, concurrency and budget limits, shared by all runs of a model."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from spanwise.errors import BudgetError, InputError, RateLimitedError
from spanwise.llm.layer import Layer, Pause, Steps
from spanwise.llm.port import Call, Model, Reply, Usage
from spanwise.text.tokens import count_tokens

_MINUTE = 60.0
_BURST = 0.1  # share of a minute's quota that may be used at once
_LOOK = 0.005  # seconds between two checks for a free slot


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a provider; None for no limit.

    Attributes:
        requests_per_minute: Above 0.
        tokens_per_minute: Tokens of prompts and of requested output, as `count_tokens` estimates them; above 0.
        concurrency: Requests at the same time, at least 1.
    """

    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None
    concurrency: int | None = None

    def __post_init__(self) -> None:
        for value in (self.requests_per_minute, self.tokens_per_minute, self.concurrency):
            if value is not None and value <= 0:
                raise InputError("Limits have to be above 0; leave one out for no limit.")


class _Rate:
    """A rate limiter that refills steadily: the generic cell rate algorithm (ITU-T I.371, annex A)."""

    def __init__(self, per_minute: float, clock: Callable[[], float]) -> None:
        self._seconds = _MINUTE / per_minute
        self._burst = max(self._seconds, _BURST * _MINUTE)
        self._clock = clock
        self._full_at = clock()
        self._lock = threading.Lock()

    def take(self, amount: float) -> float:
        """Take an amount now; returns the seconds to wait before using it."""
        with self._lock:
            now = self._clock()
            self._full_at = max(now, self._full_at) + amount * self._seconds
            return max(0.0, self._full_at - self._burst - now)


class Limited(Layer):
    """Delays calls as the limits require; after a "too many requests" all of them wait as long as the provider asks."""

    def __init__(self, inner: Model, limits: Limits, *, clock: Callable[[], float] = time.monotonic) -> None:
        """Set the limits; `clock` returns the time in seconds."""
        super().__init__(inner)
        self._clock = clock
        self._held_until = clock()
        """When the provider takes calls again, after it has refused one."""
        per_minute = limits.requests_per_minute, limits.tokens_per_minute
        self._requests, self._tokens = (None if limit is None else _Rate(limit, clock) for limit in per_minute)
        self._free = None if limits.concurrency is None else threading.Semaphore(limits.concurrency)

    def steps(self, call: Call) -> Steps:
        """Wait for a free slot, then for the rates, and send the call."""
        while self._free and not self._free.acquire(blocking=False):
            yield Pause(_LOOK)
        try:
            wait = self._held_until - self._clock()
            if self._requests:
                wait = max(wait, self._requests.take(1))
            if self._tokens:
                wait = max(wait, self._tokens.take(_tokens(call)))
            if wait > 0:
                yield Pause(wait)
            reply = yield call
            if isinstance(reply.error, RateLimitedError) and reply.error.retry_after:
                self._held_until = max(self._held_until, self._clock() + reply.error.retry_after)
            return reply
        finally:
            if self._free:
                self._free.release()


def _tokens(call: Call) -> int:
    return count_tokens(call.system) + count_tokens(call.prompt) + (call.max_output_tokens or 0)


class Budget:
    """Calls, tokens and money that may be spent; shared by all models that are given it.

    Attributes:
        spent: What has been spent so far.
    """

    def __init__(self, *, calls: int | None = None, tokens: int | None = None, cost_usd: float | None = None) -> None:
        """Set the limits, each 0 or more, or None for no limit; tokens are those of prompts and replies together."""
        if any(limit is not None and limit < 0 for limit in (calls, tokens, cost_usd)):
            raise InputError("A budget cannot be below 0; leave a limit out to have none.")
        self.calls = calls
        self.tokens = tokens
        self.cost_usd = cost_usd
        self.spent = Usage()
        self._reserved = Usage()
        self._lock = threading.Lock()

    def check(self, usage: Usage) -> None:
        """Raise `BudgetError` if so much more may not be spent, for example all that a plan foresees."""
        with self._lock:
            self._check(usage)

    def reserve(self, usage: Usage) -> None:
        """Reserve what a call may cost at most; raises `BudgetError`."""
        with self._lock:
            self._check(usage)
            self._reserved += usage

    def settle(self, reserved: Usage, spent: Usage) -> None:
        """Replace the reservation for a call by its actual cost."""
        with self._lock:
            self._reserved += Usage(
                -reserved.prompt_tokens,
                -reserved.completion_tokens,
                requests=-reserved.requests,
                cost_usd=-(reserved.cost_usd or 0.0),
            )
            self.spent += spent

    def _check(self, usage: Usage) -> None:
        after = self.spent + self._reserved + usage
        total = after.prompt_tokens + after.completion_tokens
        for limit, wanted, unit in (
            (self.calls, after.requests, "calls"),
            (self.tokens, total, "tokens"),
            (self.cost_usd, round(after.cost_usd or 0.0, 6), "US dollars"),
        ):
            if limit is not None and wanted > limit:
                raise BudgetError(f"The budget of {limit:g} {unit} is too small: {wanted:g} would be used. Raise it.")


class Budgeted(Layer):
    """Refuses a call that the budget may not cover, before anything is sent."""

    def __init__(self, inner: Model, budget: Budget) -> None:
        """Set the budget; raises `InputError` if it limits the cost and the model's prices are unknown."""
        if budget.cost_usd is not None and inner.profile.cost_usd(1, 1) is None:
            raise InputError(
                f"The prices of {inner.profile.name} are not known, so its cost cannot be limited; give "
                'profile={"input_price": …, "output_price": …} in US dollars for a million tokens.'
            )
        super().__init__(inner)
        self._budget = budget

    def steps(self, call: Call) -> Steps:
        """Reserve the highest possible cost, ask, and settle."""
        prompt = count_tokens(call.system) + count_tokens(call.prompt)
        most = call.max_output_tokens or self.profile.max_output_tokens or 0
        reserved = Usage(prompt, most, True, 1, self.profile.cost_usd(prompt, most))
        try:
            self._budget.reserve(reserved)
        except BudgetError as error:
            return Reply(error=error)
        spent = Usage()
        try:
            reply = yield call
            spent = reply.usage
            return reply
        finally:
            self._budget.settle(reserved, spent)
