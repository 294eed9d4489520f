"""The outermost layer: who may not come in is turned away, every answer gets its headers, no error leaves unshaped."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from http import HTTPStatus
from typing import TYPE_CHECKING

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from spanwise.server.access import Access
from spanwise.server.beside import ALLOWED, Beside
from spanwise.server.problems import MEDIA_TYPE, ProblemError, response_of

if TYPE_CHECKING:
    from spanwise.server.state import State

API_POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
PAGE_POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' blob: data:; "
    "font-src 'self' data:; connect-src 'self'; worker-src 'self'; frame-ancestors 'none'; base-uri 'none'; "
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
_TOO_SLOW = "The request did not come in time: send it again."
_TOO_LARGE = "The request is larger than the {most:,} bytes that are taken here: send less."


class Gate:
    """The layer, around everything else."""

    def __init__(
        self, app: ASGIApp, *, state: State, access: Access, upload_bytes: int, beside: Sequence[Beside] = ()
    ) -> None:
        self._app = app
        self._beside = {one.path: one.body_bytes for one in beside}
        self._state = state
        self._access = access
        self._body_bytes = state.settings.body_bytes
        self._body_seconds = state.settings.body_seconds
        self._upload_bytes = upload_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        sender = _Sender(scope, receive, send)
        try:
            self._check_state(scope["path"])
            scope[ALLOWED] = self._access.corpora(scope)
            upload = _is_upload(scope)
            most = self._upload_bytes if upload else self._beside.get(scope["path"], self._body_bytes)
            _check_length(scope, most)
            await self._app(scope, _bounded(receive, most, None if upload else self._body_seconds), sender)
        except ClientDisconnect:
            return  # there is nobody to tell
        except Exception as error:  # the border between one request and the server
            if sender.started:
                raise
            await response_of(error, scope["path"])(scope, receive, sender)

    def _check_state(self, path: str) -> None:
        if self._state.stopping and path not in ALWAYS:
            raise ProblemError(
                503, "stopping", "The server is stopping: try again when it is back.", {"Retry-After": "5"}
            )


class _Sender:
    """Sends an answer with the headers that all of them have; an error that came in another shape gets ours."""

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._scope = scope
        self._receive = receive
        self._send = send
        self._api = scope["path"].startswith(("/v1", "/mcp"))
        self._shapes = not scope["path"].startswith("/mcp")  # its errors have the shape of its own protocol
        self._replaced = False
        self.started = False

    async def __call__(self, message: Message) -> None:
        if self._replaced:
            return
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            status: int = message["status"]
            if status >= HTTPStatus.BAD_REQUEST and self._shapes and headers.get("content-type") != MEDIA_TYPE:
                await self._replace(status, headers)
                return
            self.started = True
            headers.setdefault("Content-Security-Policy", API_POLICY if self._api else PAGE_POLICY)
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
            if self._api:
                headers.setdefault("Cache-Control", "no-store")
        await self._send(message)

    async def _replace(self, status: int, headers: Headers) -> None:
        kept = {name: headers[name] for name in _KEPT if name in headers}
        await response_of(HTTPException(status, headers=kept), self._scope["path"])(self._scope, self._receive, self)
        self._replaced = True


def _is_upload(scope: Scope) -> bool:
    path: str = scope["path"]
    return scope["method"] == "POST" and path.startswith("/v1/corpora/") and path.endswith("/documents")


def _check_length(scope: Scope, most: int) -> None:
    length = Headers(scope=scope).get("content-length", "0")
    if not length.isdecimal() or int(length[:20]) > most:
        raise _too_large(most)


def _bounded(receive: Receive, most: int, seconds: float | None) -> Receive:
    """The body of a request; an error where more of it comes than was allowed, or it takes longer (None: any time)."""
    seen = 0
    until: float | None = None
    whole = False

    async def bounded() -> Message:
        nonlocal seen, until, whole
        if until is None and seconds is not None:
            until = asyncio.get_running_loop().time() + seconds
        try:
            # After the body, whoever receives waits for the client to go away: that takes as long as it takes.
            async with asyncio.timeout_at(None if whole else until):
                message = await receive()
        except TimeoutError:
            raise HTTPException(408, _TOO_SLOW) from None
        whole = not message.get("more_body", False)
        seen += len(message.get("body", b""))
        if seen > most:
            raise _too_large(most)
        return message

    return bounded


def _too_large(most: int) -> Exception:
    # Of this kind, as above, because the framework passes it on from the middle of a body; any other becomes a 400.
    return HTTPException(413, _TOO_LARGE.format(most=most))
