"""The outermost layer: access control, limits of request bodies, security headers, and the format of errors.

`alone` puts a single app behind the same gate.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager, nullcontext, suppress
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final, Protocol

from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect
from starlette.routing import Mount, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from spanwise.server.access import Access
from spanwise.server.http_problems import MEDIA_TYPE, ProblemError, handle_problems, response_of
from spanwise.server.server_settings import ALLOWED, MountedApp, Opened, ServerSettings

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
_SMALL: Final = 4 * 1024
"""Most bytes of a request that needs no body, or only a token."""
_LARGEST: Final = (
    # JSON is validated on the event loop, which serves everybody, so no path accepts more than it needs.
    (re.compile(r"/v1/corpora/[^/]+/(?:ask|plan|extract)"), 256 * 1024),
    (re.compile(r"/v1/chat/completions"), 1024 * 1024),
    (re.compile(r"/v1/corpora/[^/]+/verify"), None),
)
_TOO_SLOW: Final = "The request did not come in time: send it again."
_TOO_LARGE: Final = "The request is larger than the {most:,} bytes that are taken here: send less."
_LINGER_BYTES: Final = 4 * 1024 * 1024
_LINGER_SECONDS: Final = 1.0


class Running(Protocol):
    """The part of a server's state that the gate reads."""

    settings: ServerSettings
    stopping: bool


class Gate:
    """The ASGI layer around everything else."""

    def __init__(
        self, app: ASGIApp, *, state: Running, access: Access, upload_bytes: int, beside: Sequence[MountedApp] = ()
    ) -> None:
        self._app = app
        self._state = state
        self._access = access
        settings = state.settings
        paths = {one.path: one.body_bytes for one in beside}
        self._bodies = _Bodies(settings.body_bytes, settings.body_seconds, upload_bytes, paths)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request: check it, bound its body, and turn errors into responses."""
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
            return  # nobody is left to answer
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
    """Sends a response with the common headers; errors in another format are replaced by problem details.

    If the body of the request was not read completely, the connection is closed after the response.
    """

    def __init__(self, scope: Scope, body: _Body, send: Send) -> None:
        self._scope = scope
        self._body = body
        self._send = send
        self._api = scope["path"].startswith(("/v1", "/mcp"))
        self._shapes = not scope["path"].startswith("/mcp")  # its errors have the format of its own protocol
        self._replaced = False
        self._closes = False
        self.started = False
        self._ended = False

    async def end(self) -> None:
        """End a response that was left open, as cancelled streams are when the server stops."""
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
        # Browsers revalidate the page, and never store the API's answers.
        headers.setdefault("Cache-Control", "no-store" if self._api else "no-cache")
        if not self._body.whole:
            self._closes = True
            headers["Connection"] = "close"

    async def _replace(self, status: int, headers: Headers) -> None:
        kept = {name: headers[name] for name in _KEPT if name in headers}
        await response_of(HTTPException(status, headers=kept), self._scope["path"])(self._scope, self._body, self)
        self._replaced = True


class _Bodies:
    """The limits of request bodies."""

    def __init__(self, json_bytes: int, seconds: float, upload_bytes: int, beside: Mapping[str, int]) -> None:
        """Set the limits: bytes and seconds of a JSON body, bytes of an upload, and bytes by path of mounted apps."""
        self._json_bytes = json_bytes
        self._seconds = seconds
        self._upload_bytes = upload_bytes
        self._beside = beside

    def of(self, scope: Scope, receive: Receive) -> _Body:
        """The body of a request with its limits."""
        if _is_upload(scope):
            return _Body(scope, receive, self._upload_bytes, None)
        return _Body(scope, receive, self._beside.get(scope["path"]) or self._most(scope), self._seconds)

    def _most(self, scope: Scope) -> int:
        for path, most in _LARGEST:
            if scope["method"] == "POST" and path.fullmatch(scope["path"]):
                return min(most or self._json_bytes, self._json_bytes)
        return min(_SMALL, self._json_bytes)


class _Body:
    """The body of one request, received within its limits; used as the request's `receive`."""

    def __init__(self, scope: Scope, receive: Receive, most: int, seconds: float | None) -> None:
        """Prepare to receive at most `most` bytes in at most `seconds` (None for no limit)."""
        headers = Headers(scope=scope)
        self._length = headers.get("content-length", "0")
        self._chunked = "transfer-encoding" in headers
        self._both = self._chunked and "content-length" in headers
        self.whole = not self._chunked and not self._length.strip("0")
        """True if the body is complete."""
        self._receive = receive
        self._most = most
        self._seconds = seconds
        self._until: float | None = None
        self._late = False
        self._seen = 0

    def check(self) -> None:
        """Check the headers that describe the body."""
        if self._both:
            # RFC 9112, 6.1: a proxy that goes by one header and a server that goes by the other may see two requests.
            raise ProblemError(
                400, "ambiguous_length", "The request has a Content-Length and a Transfer-Encoding: send one of them."
            )
        if not self._length.isdecimal() or int(self._length[:20]) > self._most:
            raise _too_large(self._most)

    async def __call__(self) -> Message:
        """The next message."""
        if self._until is None and self._seconds is not None:
            self._until = asyncio.get_running_loop().time() + self._seconds
        try:
            # After the body, the receiver waits for the client to disconnect, without a time limit.
            async with asyncio.timeout_at(None if self.whole else self._until):
                message = await self._receive()
        except TimeoutError:
            self._late = True
            raise HTTPException(HTTPStatus.REQUEST_TIMEOUT, _TOO_SLOW) from None
        self.whole = not message.get("more_body", False)
        self._seen += len(message.get("body", b""))
        if self._seen > self._most:
            raise _too_large(self._most)
        return message

    async def linger(self) -> None:
        """Discard the rest of the body for a moment.

        A connection that is closed while data arrives is reset, and the client may lose the response (RFC 9112, 9.6).
        """
        read = 0
        with suppress(TimeoutError):
            async with asyncio.timeout(_LINGER_SECONDS):
                while not self.whole and not self._late and read < _LINGER_BYTES:
                    message = await self._receive()
                    read += len(message.get("body", b""))
                    self.whole = not message.get("more_body", False)


def _is_upload(scope: Scope) -> bool:
    path: str = scope["path"]
    return scope["method"] == "POST" and path.startswith("/v1/corpora/") and path.endswith("/documents")


def _too_large(most: int) -> Exception:
    # An HTTPException, because the framework lets it through while reading a body; any other becomes a 400.
    return HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, _TOO_LARGE.format(most=most))


@dataclass(slots=True)
class State:
    """The settings of a server, and whether it is stopping."""

    settings: ServerSettings
    stopping: bool = False

    def stop(self) -> None:
        """Accept no more requests; what serves them cancels those in progress."""
        self.stopping = True


def alone(only: MountedApp, settings: ServerSettings) -> Starlette:
    """A Starlette app that serves only `only`; `spanwise.server.app.create_app` serves it beside the API.

    The settings about questions have no effect.
    """
    state = State(settings)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncGenerator[None, None]:
        async with only.running() if only.running is not None else nullcontext():
            yield
            state.stop()

    async def elsewhere(_scope: Scope, _receive: Receive, _send: Send) -> None:
        raise ProblemError(404, "not_found", f"There is nothing here but {only.path}.")

    app = Starlette(
        routes=[Route(only.path, Opened(only)), Mount("", elsewhere)],
        lifespan=lifespan,
        middleware=[Middleware(Gate, state=state, access=Access(settings), upload_bytes=0, beside=[only])],
    )
    app.state.serving = state
    handle_problems(app)
    return app
