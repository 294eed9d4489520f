"""Bodies of requests: how large one may be, how long it may take, and how one is left that nobody wants to read."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from contextlib import suppress
from http import HTTPStatus
from typing import Final

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import Message, Receive, Scope

from spanwise.server.problems import ProblemError

SMALL: Final = 4 * 1024
"""Bytes of a request that needs no body, or a token only."""
_LARGEST: Final = (
    # What JSON holds is checked on the loop, between the requests of everybody: no path takes more than it needs.
    (re.compile(r"/v1/corpora/[^/]+/(?:ask|plan|extract)"), 256 * 1024),
    (re.compile(r"/v1/chat/completions"), 1024 * 1024),
    (re.compile(r"/v1/corpora/[^/]+/verify"), None),
)
_TOO_SLOW: Final = "The request did not come in time: send it again."
_TOO_LARGE: Final = "The request is larger than the {most:,} bytes that are taken here: send less."
_LINGER_BYTES: Final = 4 * 1024 * 1024
_LINGER_SECONDS: Final = 1.0


class Bodies:
    """What a server takes of bodies."""

    def __init__(self, json_bytes: int, seconds: float, upload_bytes: int, beside: Mapping[str, int]) -> None:
        """Bound the bodies of a server.

        Args:
            json_bytes: Size of any request that is no upload.
            seconds: How long such a request may take to come.
            upload_bytes: Size of an upload, which has a time of its own.
            beside: Sizes of requests to other apps, by their paths.
        """
        self._json_bytes = json_bytes
        self._seconds = seconds
        self._upload_bytes = upload_bytes
        self._beside = beside

    def of(self, scope: Scope, receive: Receive) -> Body:
        """The body of a request."""
        if _is_upload(scope):
            return Body(scope, receive, self._upload_bytes, None)
        return Body(scope, receive, self._beside.get(scope["path"]) or self._most(scope), self._seconds)

    def _most(self, scope: Scope) -> int:
        for path, most in _LARGEST:
            if scope["method"] == "POST" and path.fullmatch(scope["path"]):
                return min(most or self._json_bytes, self._json_bytes)
        return min(SMALL, self._json_bytes)


class Body:
    """The body of one request, to be received in the place of what came from the server."""

    def __init__(self, scope: Scope, receive: Receive, most: int, seconds: float | None) -> None:
        """Receive a body.

        Args:
            scope: The request.
            receive: Where it comes from.
            most: Bytes that it may have.
            seconds: How long it may take; None for any time.
        """
        headers = Headers(scope=scope)
        self._length = headers.get("content-length", "0")
        self._chunked = "transfer-encoding" in headers
        self._both = self._chunked and "content-length" in headers
        self.whole = not self._chunked and not self._length.strip("0")
        """Whether nothing more of it can come."""
        self._receive = receive
        self._most = most
        self._seconds = seconds
        self._until: float | None = None
        self._late = False
        self._seen = 0

    def check(self) -> None:
        """Look at what the headers say of it.

        Raises:
            HTTPException: It is too large.
            ProblemError: They say in two ways how long it is.
        """
        if self._both:
            # RFC 9112, 6.1: who reads the one and who reads the other may see two requests where there is one.
            raise ProblemError(
                400, "ambiguous_length", "The request has a Content-Length and a Transfer-Encoding: send one of them."
            )
        if not self._length.isdecimal() or int(self._length[:20]) > self._most:
            raise _too_large(self._most)

    async def __call__(self) -> Message:
        """The next part.

        Raises:
            HTTPException: More of it came than was allowed, or it took longer.
        """
        if self._until is None and self._seconds is not None:
            self._until = asyncio.get_running_loop().time() + self._seconds
        try:
            # After the body, whoever receives waits for the client to go away: that takes as long as it takes.
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
        """Read on for a moment.

        A connection that is closed while something comes is reset, and the client may lose the answer (RFC 9112, 9.6).
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
    # Of this kind because the framework passes it on from the middle of a body; any other becomes a 400.
    return HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, _TOO_LARGE.format(most=most))
