"""The MCP server over streamable HTTP: one endpoint a corpus, for a server that decides who may come in."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Final

from mcp.server.transport_security import TransportSecuritySettings

from spanwise.mcp.indexing import LARGEST_CONTENT, OfContent
from spanwise.mcp.server import Server

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

    from spanwise.serving.corpus_library import Library

PATH: Final = "/mcp"
SESSIONS = 200
"""Sessions that are open at the same time; clients of the newest protocol need none."""
IDLE_SECONDS = 600.0
LARGEST_BODY = LARGEST_CONTENT * 4 // 3 + 1024 * 1024
"""Bytes of one request: a document in Base64, with room around it."""


class Endpoint:
    """One corpus over streamable HTTP, as an ASGI app that takes every request it is given.

    Who may call it is decided before, by the server that it is in (`spanwise.server.settings`).
    """

    def __init__(self, library: Library, *, stateless: bool = False) -> None:
        """Serve a corpus; documents come in as content, never by a path.

        Args:
            library: The corpus.
            stateless: Whether no session is kept: the next request may come to another process of the server.
        """
        self._server = Server(library, OfContent(library))
        self._server.streamable_http_app(
            max_request_body_size=LARGEST_BODY,
            stateless_http=stateless,
            max_sessions=None if stateless else SESSIONS,
            session_idle_timeout=None if stateless else IDLE_SECONDS,
            # Who may call is decided before, also where the server has other names than those the SDK would take.
            transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        )
        self._manager = self._server.session_manager

    def running(self) -> AbstractAsyncContextManager[None]:
        """To be entered once, before the first request; what is under way when it is left is cancelled."""
        return self._manager.run()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        await self._manager.handle_request(scope, receive, send)
