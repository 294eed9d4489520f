"""How fast one client may come: a bucket of tokens for each, refilled over time."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable

_MOST_CLIENTS = 10_000


class Buckets:
    """A bucket for each client; safe to use from several threads."""

    def __init__(self, rate: float, burst: int, clock: Callable[[], float] = time.monotonic) -> None:
        """Set the speed.

        Args:
            rate: Requests in a second over time; 0 lets everything through.
            burst: Requests at once.
            clock: Seconds that only grow.
        """
        self._rate = rate
        self._burst = burst
        self._clock = clock
        self._lock = threading.Lock()
        self._levels: dict[str, tuple[float, float]] = {}

    def take(self, client: str) -> int:
        """Let one request of a client in: 0, or the seconds after which it may come again."""
        if not self._rate:
            return 0
        with self._lock:
            level = self._level(client)
            if level < 1:
                self._levels[client] = (level, self._clock())
                return math.ceil((1 - level) / self._rate)
            self._store(client, level - 1)
            return 0

    def _level(self, client: str) -> float:
        level, at = self._levels.get(client, (float(self._burst), self._clock()))
        return min(float(self._burst), level + (self._clock() - at) * self._rate)

    def _store(self, client: str, level: float) -> None:
        if len(self._levels) >= _MOST_CLIENTS and client not in self._levels:
            # Whoever has not come for the longest time has the fullest bucket: forgetting it costs least.
            del self._levels[min(self._levels, key=lambda one: self._levels[one][1])]
        self._levels[client] = (level, self._clock())
