"""Limits on connections: idle and stalled ones are closed, so that a client with many open ones shuts out nobody."""

from __future__ import annotations

import asyncio
from typing import ClassVar, Final

from uvicorn.protocols.http.h11_impl import H11Protocol

from spanwise.server.server_settings import ServerSettings

try:
    import resource
except ImportError:  # a system without such limits
    resource = None  # type: ignore[assignment]

HEAD_SECONDS: Final = 15.0
"""Seconds until a request must begin, on a new connection or after an answer."""
STALLED_SECONDS: Final = 60.0
"""Seconds that a client may accept nothing of what is sent to it."""
_FULL: Final = b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nRetry-After: 1\r\nConnection: close\r\n\r\n"
_OWN = 64
"""Files that a server always has open, with a margin: its log, its listener, the pipes of its readers."""
_OF_CORPUS = 32
"""Files of one corpus, with a margin: databases, each with a journal and a second handle for writing, and locks."""
_OF_CONNECTION = 2
"""Files per connection: its socket, and the upload or download on it."""


class Connection(H11Protocol):
    """A uvicorn connection with further limits."""

    most: ClassVar[int] = ServerSettings().connections
    head_seconds: ClassVar[float] = HEAD_SECONDS
    stalled_seconds: ClassVar[float] = STALLED_SECONDS

    since: float = 0.0
    """When it began, or its last answer ended, by the loop's clock."""
    _head: asyncio.TimerHandle | None = None
    _stalled: asyncio.TimerHandle | None = None
    _unsent: int = 0

    @property
    def idle(self) -> bool:
        """True if neither a request nor an answer is in progress."""
        return self._ended and not self.transport.get_write_buffer_size()

    @property
    def _ended(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accept a connection; if there are too many, close the one that has been idle longest, or else this one."""
        full = len(self.connections) >= self.most
        super().connection_made(transport)
        if full and not self._replaces():
            self.connections.discard(self)  # so that it does not count as open
            transport.write(_FULL)
            transport.close()
            return
        self._wait_for_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the timers."""
        for timer in (self._head, self._stalled):
            if timer is not None:
                timer.cancel()
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        self._wait_for_head()
        super().on_response_complete()

    def pause_writing(self) -> None:
        """Begin to watch whether the client accepts any of the pending output."""
        super().pause_writing()
        self._watch_sending()

    def resume_writing(self) -> None:
        """Stop watching."""
        if self._stalled is not None:
            self._stalled.cancel()
        super().resume_writing()

    def _replaces(self) -> bool:
        """Close the connection that has been idle longest; False if none is idle."""
        others = (one for one in self.connections if isinstance(one, Connection) and one is not self)
        idle = [(one.since, id(one), one) for one in others if one.idle]
        if not idle:
            return False
        oldest = min(idle)[2]
        self.connections.discard(oldest)
        oldest.transport.abort()
        return True

    def _wait_for_head(self) -> None:
        if self._head is not None:
            self._head.cancel()
        self.since = self.loop.time()
        self._head = self.loop.call_later(self.head_seconds, self._end_idle)

    def _end_idle(self) -> None:
        if self._ended:
            self._watch_sending()  # of an answer that has not been fully accepted yet
            self.transport.close()

    def _watch_sending(self) -> None:
        if self._stalled is not None:
            self._stalled.cancel()
        self._unsent = self.transport.get_write_buffer_size()
        self._stalled = self.loop.call_later(self.stalled_seconds, self._end_stalled)

    def _end_stalled(self) -> None:
        if self.transport.get_write_buffer_size() < self._unsent:
            self._watch_sending()
        else:
            self.transport.abort()


def bounded(most: int = Connection.most) -> type[Connection]:
    """A `Connection` class for one server with at most `most` connections, for uvicorn's `http`."""

    class Bounded(Connection):
        pass

    Bounded.most = max(most, 1)
    return Bounded


def connections_within(most: int, corpora: int) -> int:
    """How many of `most` connections fit within the limit of open files, at least one.

    The limit is raised, as far as this process may, if necessary.
    """
    if resource is None:
        return most
    own = _OWN + corpora * _OF_CORPUS
    allowed = _raised(own + most * _OF_CONNECTION)
    return most if allowed is None else max(1, min(most, (allowed - own) // _OF_CONNECTION))


def _raised(needed: int) -> int | None:
    """The limit of open files, raised to `needed` if possible; None if there is no limit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return None
    if soft < needed:
        more = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (more, hard))
        except (OSError, ValueError):  # some systems allow less than they report
            return soft
        return more
    return soft
