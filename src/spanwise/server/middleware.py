"""The outermost layer: who may not come in is turned away, every answer gets its headers, no error leaves unshaped."""

from __future__ import annotations

from collections.abc import Sequence
from http import HTTPStatus
from typing import Protocol

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from spanwise.server.access import Access
from spanwise.server.bodies import Bodies, Body
from spanwise.server.mounts import ALLOWED, Beside
from spanwise.server.problems import MEDIA_TYPE, ProblemError, response_of
from spanwise.server.settings import ServerSettings

API_POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; "
    "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; "
    "form-action 'none'"
)
_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
ALWAYS = ("/v1/health", "/v1/ready")
"""Paths that are answered while the server stops."""
_KEPT = ("allow", "content-range", "retry-after")


class Running(Protocol):
    """What a server is doing."""

    settings: ServerSettings
    stopping: bool


class Gate:
    """The layer, around everything else."""

    def __init__(
        self, app: ASGIApp, *, state: Running, access: Access, upload_bytes: int, beside: Sequence[Beside] = ()
    ) -> None:
        self._app = app
        self._state = state
        self._access = access
        settings = state.settings
        paths = {one.path: one.body_bytes for one in beside}
        self._bodies = Bodies(settings.body_bytes, settings.body_seconds, upload_bytes, paths)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        body = self._bodies.of(scope, receive)
        sender = _Sender(scope, body, send)
        try:
            self._check_state(scope["path"])
            scope[ALLOWED] = self._access.corpora(scope)
            body.check()
            await self._app(scope, body, sender)
            if self._state.stopping:
                await sender.end()
        except ClientDisconnect:
            return  # there is nobody to tell
        except Exception as error:  # the border between one request and the server
            if sender.started:
                raise
            await response_of(error, scope["path"])(scope, body, sender)

    def _check_state(self, path: str) -> None:
        if self._state.stopping and path not in ALWAYS:
            raise ProblemError(
                503, "stopping", "The server is stopping: try again when it is back.", {"Retry-After": "5"}
            )


class _Sender:
    """Sends an answer with the headers that all of them have; an error that came in another shape gets ours.

    Where the body of the request was not read to its end, the connection is closed after the answer.
    """

    def __init__(self, scope: Scope, body: Body, send: Send) -> None:
        self._scope = scope
        self._body = body
        self._send = send
        self._api = scope["path"].startswith(("/v1", "/mcp"))
        self._shapes = not scope["path"].startswith("/mcp")  # its errors have the shape of its own protocol
        self._replaced = False
        self._closes = False
        self.started = False
        self._ended = False

    async def end(self) -> None:
        """End an answer that was left open, as streams are that are cancelled when the server stops."""
        if self.started and not self._ended:
            await self({"type": "http.response.body", "body": b"", "more_body": False})

    async def __call__(self, message: Message) -> None:
        if self._replaced:
            return
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            status: int = message["status"]
            if status >= HTTPStatus.BAD_REQUEST and self._shapes and headers.get("content-type") != MEDIA_TYPE:
                await self._replace(status, headers)
                return
            self._start(headers)
        elif message["type"] == "http.response.body" and not message.get("more_body", False):
            self._ended = True
        if self._ended and self._closes:
            await self._send({**message, "more_body": True})
            await self._body.linger()
            message = {"type": "http.response.body", "body": b"", "more_body": False}
        await self._send(message)

    def _start(self, headers: MutableHeaders) -> None:
        self.started = True
        headers.setdefault("Content-Security-Policy", API_POLICY if self._api else PAGE_POLICY)
        for name, value in _HEADERS.items():
            headers.setdefault(name, value)
        # The page is asked for again when there may be another one, the API's answers are nobody else's.
        headers.setdefault("Cache-Control", "no-store" if self._api else "no-cache")
        if not self._body.whole:
            self._closes = True
            headers["Connection"] = "close"

    async def _replace(self, status: int, headers: Headers) -> None:
        kept = {name: headers[name] for name in _KEPT if name in headers}
        await response_of(HTTPException(status, headers=kept), self._scope["path"])(self._scope, self._body, self)
        self._replaced = True
