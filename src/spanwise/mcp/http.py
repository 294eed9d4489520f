"""The MCP server over streamable HTTP: one endpoint a corpus, to be run alone or mounted in another ASGI app."""

from __future__ import annotations

import hashlib
import hmac
import json
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Final

from mcp.server.transport_security import TransportSecuritySettings
from starlette.datastructures import Headers
from starlette.responses import Response

from spanwise.mcp.indexing import LARGEST_CONTENT, OfContent
from spanwise.mcp.server import Server

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

    from spanwise.serving.served import Library

PATH: Final = "/mcp"
LOOPBACK: Final = frozenset({"127.0.0.1", "localhost", "::1"})
SESSIONS = 200
"""Sessions that are open at the same time; clients of the newest protocol need none."""
IDLE_SECONDS = 600.0
_LARGEST_BODY = LARGEST_CONTENT * 4 // 3 + 1024 * 1024


class Endpoint:
    """One corpus over streamable HTTP, as an ASGI app that takes every request it is given.

    Who may call it is decided before: by `Guarded`, or by the app that it is mounted in.
    """

    def __init__(self, library: Library) -> None:
        """Serve a corpus; documents come in as content, never by a path."""
        self._server = Server(library, OfContent(library))
        self._server.streamable_http_app(
            max_request_body_size=_LARGEST_BODY,
            max_sessions=SESSIONS,
            session_idle_timeout=IDLE_SECONDS,
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


class Guarded:
    """The only path of a server of its own: who calls has the token, and is no page of another site."""

    def __init__(self, endpoint: Endpoint, *, token: str | None, loopback: bool) -> None:
        """Guard an endpoint.

        Args:
            endpoint: What is guarded.
            token: What clients have to send; None where everybody on this machine may call.
            loopback: Whether the server listens to this machine only: then it answers to no other name.
        """
        self._endpoint = endpoint
        self._token = None if token is None else _digest(token)
        self._loopback = loopback

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or refuse it."""
        if scope["type"] == "lifespan":
            await self._lifespan(receive, send)
        elif scope["type"] == "http":
            refused = self._refused(scope)
            await (self._endpoint if refused is None else refused)(scope, receive, send)

    def _refused(self, scope: Scope) -> ASGIApp | None:
        headers = Headers(scope=scope)
        if scope["path"].rstrip("/") != PATH:
            return _problem(404, "Not found", f"there is nothing here but {PATH}")
        host = headers.get("host", "")
        if self._loopback and _name(host) not in LOOPBACK:
            return _problem(421, "Misdirected request", "this server answers to the names of this machine only")
        origin = headers.get("origin")
        if origin is not None and origin.partition("://")[2] != host:
            return _problem(403, "Forbidden", "pages of other sites may not call this server")
        if self._token is not None and not self._known(headers.get("authorization", "")):
            return _problem(401, "Unauthorized", "send the token of this server: Authorization: Bearer TOKEN")
        return None

    def _known(self, authorization: str) -> bool:
        scheme, _, token = authorization.partition(" ")
        return scheme.lower() == "bearer" and hmac.compare_digest(_digest(token.strip()), self._token or b"")

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        await receive()
        async with self._endpoint.running():
            await send({"type": "lifespan.startup.complete"})
            await receive()
        await send({"type": "lifespan.shutdown.complete"})


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()


def _name(host: str) -> str:
    """The name in a Host header, without its port."""
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return host.partition(":")[0].lower()


def _problem(status: int, title: str, detail: str) -> Response:
    body = {"type": "about:blank", "title": title, "status": status, "detail": detail}
    # What the client still sends was not read, and is not to be.
    headers = {"Connection": "close"} | ({"WWW-Authenticate": "Bearer"} if status == 401 else {})
    return Response(json.dumps(body), status, headers, "application/problem+json")
