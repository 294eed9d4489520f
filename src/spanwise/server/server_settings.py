"""Settings of the server: who has access, what a request may cost, and how long things may take."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Receive, Scope, Send

from spanwise.serving.server_registry import digest_of

__all__ = ["EVERYTHING", "ServerSettings", "digest_of"]
EVERYTHING = "*"
"""Stands for all corpora, in place of a corpus's name."""


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """All settings; the defaults are for one person on one machine."""

    tokens: Mapping[str, frozenset[str]] = field(default_factory=dict, repr=False)
    """Names of accessible corpora, by the SHA-256 of a token (see `digest_of`); empty if no token is required."""
    hosts: frozenset[str] | None = frozenset(("127.0.0.1", "localhost", "[::1]"))
    """Host names under which the server is reached, without port; None accepts any (only safe with tokens)."""
    connections: int = 500
    """Simultaneous connections; a further one replaces the one that has been idle longest."""
    body_bytes: int = 4 * 1024 * 1024
    """Most bytes of a request that is no upload; most paths accept less."""
    body_seconds: float = 30.0
    """Seconds that sending a request which is no upload may take."""
    threads: int = 4
    """Questions and checks that run at the same time."""
    waiting: int = 256
    """Questions and checks that may wait; more are refused."""
    question_seconds: float = 300.0
    """Seconds that a question or a check may take, waiting included."""
    upload_seconds: float = 600.0
    """Seconds that sending one file may take."""
    rate: float = 500.0
    """Average requests per second of one client; 0 for no limit."""
    burst: int = 2_000
    """Requests of one client at once."""
    forged_rate: float = 0.2
    """Average wrong tokens per second from one address."""
    forged_burst: int = 20
    """Wrong tokens from one address at once."""
    grace_seconds: float = 5.0
    """Seconds that running requests may go on when the server stops, before they are cancelled."""
    heartbeat_seconds: float = 15.0
    """Seconds between the comments that keep an idle stream open."""
    look_seconds: float = 1.0
    """Seconds between two checks for changes, for clients that watch them."""
    closed: bool = False
    """True to require a token even if none exists yet, as the server can be reached from other machines."""
    audit: Path | None = None
    """File with a line for each question; None for no audit log."""
    audit_content: bool = False
    """True to log questions and answers, too."""


ALLOWED = "spanwise.corpora"
"""Key in a request's ASGI scope for the names of the corpora that it may use: a frozenset, or None for all."""


@dataclass(frozen=True, slots=True)
class MountedApp:
    """An app that serves all requests to one path."""

    path: str
    app: ASGIApp
    corpus: str
    """Name of the corpus that a token must give access to."""
    body_bytes: int
    """Most bytes of a request."""
    running: Callable[[], AbstractAsyncContextManager[object]] | None = None
    """A context that is entered while the server runs."""


class Opened:
    """A mounted app for requests that may use its corpus; 404 for others."""

    def __init__(self, beside: MountedApp) -> None:
        self._beside = beside

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if not allowed(scope, self._beside.corpus):
            raise HTTPException(404)  # the same answer as for an unknown path
        await self._beside.app(scope, receive, send)


def is_operator(scope: Scope) -> bool:
    """True if a request has an operator's rights: its token gives access to everything, or no token is required."""
    return allowed(scope, EVERYTHING)


def allowed(scope: Scope, corpus: str) -> bool:
    """True if a request may use the corpus of that name."""
    names: frozenset[str] | None = scope.get(ALLOWED, frozenset())
    return names is None or EVERYTHING in names or corpus in names
