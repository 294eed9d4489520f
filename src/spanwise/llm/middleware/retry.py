"""Trying again what may succeed later, after a wait that grows, differs between callers, and honours Retry-After."""

from __future__ import annotations

import random
from dataclasses import dataclass

from spanwise.errors import InputError
from spanwise.llm.layer import Layer, Pause, Steps
from spanwise.llm.port import Call, Model, Reply, Usage


@dataclass(frozen=True, slots=True)
class Retry:
    """How often and how long.

    The waits are those of "equal jitter" (M. Brooker, "Exponential Backoff and Jitter", AWS Architecture Blog, 2015):
    half of each is fixed, so that nobody hurries, and half is by chance, so that callers do not come back together.

    Attributes:
        attempts: The most requests for one call, 1 and up; 1 tries nothing again.
        first: Seconds of the first wait; each later one is twice as long.
        longest: The most seconds of a wait. A provider that asks for more makes the call fail at once.
    """

    attempts: int = 3
    first: float = 0.5
    longest: float = 60.0

    def __post_init__(self) -> None:
        if self.attempts < 1 or self.first < 0 or self.longest < 0:
            raise InputError("A Retry needs at least 1 attempt and no waits below 0 seconds.")

    def wait(self, attempt: int, asked: float | None) -> float | None:
        """Seconds to wait after an attempt (numbered from 1); None where it is not worth it.

        Args:
            attempt: How many attempts there were.
            asked: What the provider asked for; never shortened.
        """
        if attempt >= self.attempts or (asked or 0) > self.longest:
            return None
        grown = min(self.longest, self.first * 2.0 ** (attempt - 1))
        chance = random.random()  # noqa: S311  # spreads callers over time, guards nothing
        return max(asked or 0.0, grown / 2) + grown / 2 * chance


class Retrying(Layer):
    """Sends a call again while its error says that this may help."""

    def __init__(self, inner: Model, retry: Retry) -> None:
        super().__init__(inner)
        self._retry = retry

    def steps(self, call: Call) -> Steps:
        """Ask, wait and ask again; the usage is that of all attempts."""
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
