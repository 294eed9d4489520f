"""Who is signed in at the page: random ids in the memory of the server, and what each one opens."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass

from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.types import Scope

from spanwise.server.settings import digest_of

LONGEST = 12 * 60 * 60.0
"""Seconds after which one has to sign in again."""
MOST = 1_000
"""Sessions at the same time; the oldest end first."""
_BYTES = 32


@dataclass(frozen=True, slots=True)
class Session:
    """What somebody signed in with, and until when that holds."""

    token: str
    """Digest of the token."""
    names: frozenset[str]
    """Of the corpora that it opens."""
    until: float


class Sessions:
    """Only used on the event loop, so without a lock; an id itself is not kept, only its digest."""

    def __init__(
        self, *, most: int = MOST, seconds: float = LONGEST, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._most = most
        self._seconds = seconds
        self._clock = clock
        self._open: dict[str, Session] = {}

    def __len__(self) -> int:
        return len(self._open)

    def begin(self, token: str, names: frozenset[str]) -> str:
        """Begin a session for a token that is known to open these corpora; its id, which cannot be guessed."""
        self._forget_old()
        while len(self._open) >= self._most:
            del self._open[next(iter(self._open))]
        made = secrets.token_urlsafe(_BYTES)
        self._open[digest_of(made)] = Session(digest_of(token), names, self._clock() + self._seconds)
        return made

    def find(self, id: str) -> Session | None:
        """The session of an id, if it is still open."""
        found = self._open.get(digest_of(id))
        return found if found is not None and self._clock() < found.until else None

    def end(self, id: str) -> None:
        """Forget a session."""
        self._open.pop(digest_of(id), None)

    def clear(self) -> None:
        """Forget all of them."""
        self._open.clear()

    def _forget_old(self) -> None:
        now = self._clock()
        for key in [key for key, session in self._open.items() if session.until <= now]:
            del self._open[key]


def cookie_name(scope: Scope) -> str:
    """What the cookie is called: with the port, since a browser keeps one jar for all ports of a host."""
    port = (scope.get("server") or (None, None))[1]
    return f"spanwise_session_{port}" if port else "spanwise_session"


def session_id(scope: Scope) -> str | None:
    """The id in our cookie of a request."""
    return cookie_parser(Headers(scope=scope).get("cookie", "")).get(cookie_name(scope)) or None
