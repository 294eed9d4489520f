"""Blocking work of tools in threads: limited in number, with progress, and stopped when the client cancels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

import anyio
import anyio.from_thread
import anyio.to_thread

from spanwise.serving.cancellation import Stop

T = TypeVar("T")

TOGETHER = 8
"""Most tool calls that run at the same time; others wait, and never start if they are cancelled first."""


class Reporting(Protocol):
    """A channel for progress to the client: the SDK's request context."""

    async def report_progress(self, progress: float, total: float | None = None, message: str | None = None) -> None:
        """Send a progress notification, if the client asked for them."""


@dataclass(frozen=True, slots=True)
class Steps:
    """Progress and cancellation of a piece of work, between its steps."""

    reporting: Reporting | None = None
    stop: Stop = field(default_factory=Stop)

    def tell(self, done: float, total: float | None, message: str) -> None:
        """Report progress; raises `WorkStoppedError` if the work is to end."""
        self.stop.check()
        if self.reporting is not None:
            anyio.from_thread.run(self.reporting.report_progress, done, total, message)


class Workers:
    """Threads for the blocking work of one server."""

    def __init__(self) -> None:
        self._limiter = anyio.CapacityLimiter(TOGETHER)

    async def run(self, work: Callable[[Steps], T], reporting: Reporting | None = None) -> T:
        """Run `work` in a thread and wait for it.

        The thread is never abandoned: if the request is cancelled, the work is asked to stop and waited for, so that
        clients that come and go cannot fill the process with threads.
        """
        steps = Steps(reporting)
        failure: Exception | None = None
        async with self._limiter, anyio.create_task_group() as group:
            group.start_soon(_stopping, steps.stop)
            try:
                done = await anyio.to_thread.run_sync(work, steps, limiter=anyio.CapacityLimiter(1))
            except Exception as error:  # noqa: BLE001  # raised again below, not as a group of one
                failure = error
            group.cancel_scope.cancel()
        if failure is not None:
            raise failure
        return done


async def _stopping(stop: Stop) -> None:
    try:
        await anyio.sleep_forever()
    finally:
        stop.ask()
