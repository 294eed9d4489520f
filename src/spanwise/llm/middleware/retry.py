"""Retries with exponential backoff, jitter and Retry-After, and the circuit breaker of a run."""

from __future__ import annotations

import random
from dataclasses import dataclass

from spanwise.errors import InputError, ModelError, ModelTimeoutError, UnreachableError
from spanwise.llm.layer import Layer, Pause, Steps
from spanwise.llm.port import Call, Model, Reply, Usage

_IN_A_ROW = 5
"""Consecutive calls without a response after which a server that answered before in the run is given up."""


class Breaker(Layer):
    """A circuit breaker: once the server does not respond, calls get its last error without being sent.

    That is so after all attempts of a call failed before any reply, or those of several calls in a row. Any response,
    an error message included, shows that the server is there.
    """

    def __init__(self, inner: Model) -> None:
        super().__init__(inner)
        self._silent = _IN_A_ROW - 1  # one more is enough as long as nothing came
        self._error: ModelError | None = None

    def steps(self, call: Call) -> Steps:
        """Ask, unless the server was given up."""
        if self._error is not None:
            return Reply(error=self._error, model=self.profile.name)
        reply: Reply = yield call
        if not isinstance(reply.error, UnreachableError | ModelTimeoutError):
            self._silent = 0
            return reply
        self._silent += 1
        if self._silent >= _IN_A_ROW:
            self._error = reply.error
        return reply


@dataclass(frozen=True, slots=True)
class Retry:
    """How often a failed request is retried, and after which waits.

    The waits use "equal jitter" (M. Brooker, "Exponential Backoff and Jitter", AWS Architecture Blog, 2015): half of
    each is fixed, so that nobody retries at once, and half is random, so that callers do not return together.

    Attributes:
        attempts: The most requests for one call, at least 1, which means no retries.
        first: Seconds of the first wait; each later one is twice as long.
        longest: The most seconds of a wait. If the provider asks for more, the call fails at once.
    """

    attempts: int = 3
    first: float = 0.5
    longest: float = 60.0

    def __post_init__(self) -> None:
        if self.attempts < 1 or self.first < 0 or self.longest < 0:
            raise InputError("A Retry needs at least 1 attempt and no waits below 0 seconds.")

    def wait(self, attempt: int, asked: float | None) -> float | None:
        """Seconds to wait after an attempt (numbered from 1), at least `asked`; None if there is to be no retry."""
        if attempt >= self.attempts or (asked or 0) > self.longest:
            return None
        grown = min(self.longest, self.first * 2.0 ** (attempt - 1))
        chance = random.random()  # noqa: S311  # spreads callers over time, guards nothing
        return max(asked or 0.0, grown / 2) + grown / 2 * chance


class Retrying(Layer):
    """Sends a call again while its error is retryable."""

    def __init__(self, inner: Model, retry: Retry) -> None:
        super().__init__(inner)
        self._retry = retry

    def steps(self, call: Call) -> Steps:
        """Ask, wait and ask again; the usage is the total of all attempts."""
        usage, attempt = Usage(), 0
        while True:
            reply: Reply = yield call
            usage += reply.usage
            attempt += 1
            if reply.error is None or not reply.error.retryable:
                break
            seconds = self._retry.wait(attempt, reply.error.retry_after)
            if seconds is None:
                break
            yield Pause(seconds)
        return reply.but(usage=usage)
