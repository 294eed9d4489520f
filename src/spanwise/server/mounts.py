"""Other apps under a path of this server: behind its tokens, its checks and its bounds."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Receive, Scope, Send

from spanwise.server.settings import EVERYTHING

ALLOWED = "spanwise.corpora"
"""Where the scope of a request says which corpora it may use: a frozenset of names, or None for all."""


@dataclass(frozen=True, slots=True)
class Beside:
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

    def __init__(self, beside: Beside) -> None:
        self._beside = beside

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if not allowed(scope, self._beside.corpus):
            raise HTTPException(404)  # as where there is nothing at all
        await self._beside.app(scope, receive, send)


def is_operator(scope: Scope) -> bool:
    """Whether a request may look after the server: its token opens everything, or no token is asked for."""
    return allowed(scope, EVERYTHING)


def allowed(scope: Scope, corpus: str) -> bool:
    """Whether a request may use the corpus of that name."""
    names: frozenset[str] | None = scope.get(ALLOWED, frozenset())
    return names is None or EVERYTHING in names or corpus in names
