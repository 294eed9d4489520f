"""No faster than a provider allows, and no more at the same time, over all runs that share the model."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from spanwise.errors import InputError, RateLimitedError
from spanwise.llm.layer import Layer, Pause, Steps
from spanwise.llm.port import Call, Model
from spanwise.text.tokens import count_tokens

_MINUTE = 60.0
_BURST = 0.1  # share of a minute's allowance that may be used at once
_LOOK = 0.005  # seconds between two looks for a free place


@dataclass(frozen=True, slots=True)
class Limits:
    """What a provider allows; None for no limit.

    Attributes:
        requests_per_minute: Above 0.
        tokens_per_minute: Of prompts and of the output that was asked for, as `count_tokens` estimates them; above 0.
        concurrency: Requests at the same time, 1 and up.
    """

    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None
    concurrency: int | None = None

    def __post_init__(self) -> None:
        for value in (self.requests_per_minute, self.tokens_per_minute, self.concurrency):
            if value is not None and value <= 0:
                raise InputError("Limits have to be above 0; leave one out for no limit.")


class _Rate:
    """A bucket that fills steadily: the generic cell rate algorithm (ITU-T I.371, annex A)."""

    def __init__(self, per_minute: float, clock: Callable[[], float]) -> None:
        self._seconds = _MINUTE / per_minute
        self._burst = max(self._seconds, _BURST * _MINUTE)
        self._clock = clock
        self._full_at = clock()
        self._lock = threading.Lock()

    def take(self, amount: float) -> float:
        """Take from it now; the seconds to wait before using what was taken."""
        with self._lock:
            now = self._clock()
            self._full_at = max(now, self._full_at) + amount * self._seconds
            return max(0.0, self._full_at - self._burst - now)

    def hold(self, seconds: float) -> None:
        """Give nothing for so many seconds."""
        with self._lock:
            self._full_at = max(self._full_at, self._clock() + seconds + self._burst)


class Limited(Layer):
    """Waits before a call where the limits ask for it; after a "too many requests", all calls wait as told."""

    def __init__(self, inner: Model, limits: Limits, *, clock: Callable[[], float] = time.monotonic) -> None:
        """Take the limits; `clock` tells the time in seconds."""
        super().__init__(inner)
        per_minute = limits.requests_per_minute, limits.tokens_per_minute
        self._requests, self._tokens = (None if limit is None else _Rate(limit, clock) for limit in per_minute)
        self._free = None if limits.concurrency is None else threading.Semaphore(limits.concurrency)

    def steps(self, call: Call) -> Steps:
        """Wait for a place, then for the rates, and send the call."""
        while self._free and not self._free.acquire(blocking=False):
            yield Pause(_LOOK)
        try:
            wait = self._requests.take(1) if self._requests else 0.0
            if self._tokens:
                wait = max(wait, self._tokens.take(_tokens(call)))
            if wait:
                yield Pause(wait)
            reply = yield call
            if isinstance(reply.error, RateLimitedError) and reply.error.retry_after and self._requests:
                self._requests.hold(reply.error.retry_after)
            return reply
        finally:
            if self._free:
                self._free.release()


def _tokens(call: Call) -> int:
    return count_tokens(call.system) + count_tokens(call.prompt) + (call.max_output_tokens or 0)
