"""Retries with exponential backoff, jitter and Retry-After, and the circuit breaker of a run."""

from __future__ import annotations

import random
from dataclasses import dataclass

from spanwise.errors import InputError, ModelError, ModelTimeoutError, UnreachableError
from spanwise.llm.layer import Layer, Pause, Steps
from spanwise.llm.port import Call, Model, Reply, Usage

_IN_A_ROW = 5
"""Calls that find no server before it counts as gone, where it answered before in the same run."""


class Breaker(Layer):
    """Answers calls with the last error, without sending them, once the server does not answer.

    It has then failed all attempts of a call before it ever replied, or those of several calls in a row. Any reply, one
    that says what is wrong too, shows that it is there.
    """

    def __init__(self, inner: Model) -> None:
        super().__init__(inner)
        self._silent = _IN_A_ROW - 1  # one more is enough as long as nothing came
        self._error: ModelError | None = None

    def steps(self, call: Call) -> Steps:
        """Ask, as long as somebody answers."""
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
        """Seconds to wait after an attempt (numbered from 1); None where it is not worth it."""
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
