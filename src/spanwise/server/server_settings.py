"""How the server is run: who may come in, what one request may cost, and how long things take."""

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
"""In place of a corpus's name: all of them."""


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """Everything that can be set; the defaults are for one person on one machine."""

    tokens: Mapping[str, frozenset[str]] = field(default_factory=dict, repr=False)
    """From the SHA-256 of a token (see `digest_of`) to the names of the corpora that it opens; empty: no token is
    asked for."""
    hosts: frozenset[str] | None = frozenset(("127.0.0.1", "localhost", "[::1]"))
    """Names under which the server is reached, without port; None takes any (use it only with tokens)."""
    connections: int = 500
    """Connections at the same time; another one ends the one that has been idle for longest."""
    body_bytes: int = 4 * 1024 * 1024
    """Size of a request that is no upload; most are held to less."""
    body_seconds: float = 30.0
    """How long sending a request that is no upload may take."""
    threads: int = 4
    """Questions and checks that are worked on at the same time."""
    waiting: int = 256
    """Questions and checks that wait for that; more are refused."""
    question_seconds: float = 300.0
    """How long a question or a check may wait and work."""
    upload_seconds: float = 600.0
    """How long sending one file may take."""
    rate: float = 500.0
    """Requests of one client in a second, over time; 0 is no limit."""
    burst: int = 2_000
    """Requests of one client at once."""
    forged_rate: float = 0.2
    """Wrong tokens from one address in a second, over time."""
    forged_burst: int = 20
    """Wrong tokens from one address at once."""
    grace_seconds: float = 5.0
    """How long running requests may go on when the server is to stop; then they are told to stop as well."""
    heartbeat_seconds: float = 15.0
    """A stream that has nothing to tell says so in such intervals."""
    look_seconds: float = 1.0
    """How often it is looked whether something has changed, for those who follow that."""
    closed: bool = False
    """True if a token is asked for even while there is none: others than this machine reach the server."""
    audit: Path | None = None
    """Where a line is written for each question; None writes none."""
    audit_content: bool = False
    """True if questions and answers are written there too."""


ALLOWED = "spanwise.corpora"
"""Where the scope of a request says which corpora it may use: a frozenset of names, or None for all."""


@dataclass(frozen=True, slots=True)
class MountedApp:
    """An app that takes every request to one path."""

    path: str
    app: ASGIApp
    corpus: str
    """The corpus that it is of: the token has to open it."""
    body_bytes: int
    """Size of a request."""
    running: Callable[[], AbstractAsyncContextManager[object]] | None = None
    """Entered while the server runs."""


class Opened:
    """The app, for those whose token opens its corpus."""

    def __init__(self, beside: MountedApp) -> None:
        self._beside = beside

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if not allowed(scope, self._beside.corpus):
            raise HTTPException(404)  # as where there is nothing at all
        await self._beside.app(scope, receive, send)


def is_operator(scope: Scope) -> bool:
    """True if a request may look after the server: its token opens everything, or no token is asked for."""
    return allowed(scope, EVERYTHING)


def allowed(scope: Scope, corpus: str) -> bool:
    """True if a request may use the corpus of that name."""
    names: frozenset[str] | None = scope.get(ALLOWED, frozenset())
    return names is None or EVERYTHING in names or corpus in names
