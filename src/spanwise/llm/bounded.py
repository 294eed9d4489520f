"""A bound on what a server may send: a reply is read into memory, and no answer comes near so many bytes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import Protocol

from spanwise.errors import CutReplyError

MOST_BYTES = 32 * 1024 * 1024
"""Of one reply; a streamed one takes some hundred bytes a token."""
MOST_PACKED_BYTES = 256 * 1024
"""Of a reply that comes compressed though nobody asked for it: what it unpacks to is a thousand times that at most."""
PLAIN = {"Accept-Encoding": "identity"}
"""The header that asks for replies as they are."""


class _Bytes(Protocol):
    def __aiter__(self) -> AsyncIterator[bytes]: ...

    async def aclose(self) -> None: ...


class _Response(Protocol):
    stream: _Bytes

    @property
    def headers(self) -> Mapping[str, str]: ...


async def bounded(response: _Response) -> None:
    """Have a reply end with an error where it grows over the bound: a hook of httpx and its successors."""
    packed = response.headers.get("content-encoding", "identity") != "identity"
    response.stream = _kept(response.stream, MOST_PACKED_BYTES if packed else MOST_BYTES)


def _kept(stream: _Bytes, most: int) -> _Bytes:
    """The stream, an instance of its own class for the checks of the client, that counts."""

    class Counted(type(stream)):  # type: ignore[misc]  # its base is known when it runs
        """Passes on what the stream gives, up to the bound."""

        def __init__(self) -> None:
            self._left = most

        async def __aiter__(self) -> AsyncIterator[bytes]:
            async for piece in stream:
                self._left -= len(piece)
                if self._left < 0:
                    error = CutReplyError(f"The server sent more than {most:,} bytes for one reply; check its address.")
                    error.retryable = False
                    raise error
                yield piece

        async def aclose(self) -> None:
            await stream.aclose()

    counted: _Bytes = Counted()
    return counted
