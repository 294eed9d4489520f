"""Receiving an uploaded file: it is written to disk and counted as it arrives, and its path is never used."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.requests import Request

from spanwise.errors import StorageError
from spanwise.server.http_problems import ProblemError

if TYPE_CHECKING:
    from python_multipart.multipart import MultipartCallbacks

FILE = "file"
PASSWORD = "password"  # noqa: S105  # the name of a field
FOLDER = "folder"
OVERHEAD = 64 * 1024
"""Bytes of a request in addition to the file."""
LONGEST_PASSWORD = 200
_LONGEST_HEADERS = 16 * 1024
_LONGEST_FOLDER = 2_000
_MOST_PARTS = 10


@dataclass(slots=True)
class Upload:
    """A complete upload."""

    filename: str
    content: Path
    password: str | None
    folder: str
    """The client's folder of the file, with slashes; empty if not given."""


async def receive_upload(request: Request, content: Path, *, most: int, seconds: float) -> Upload:
    """Write the file of a multipart request to `content`.

    Args:
        request: A request whose body has not been read.
        content: Path of the new file; it is deleted if this fails.
        most: Most bytes of the file.
        seconds: Seconds that it may take to arrive.

    Raises:
        ProblemError: The upload is invalid, too large or too slow.
        StorageError: The file cannot be written.
    """
    kind, options = parse_options_header(request.headers.get("content-type", ""))
    boundary = options.get(b"boundary", b"")
    if kind != b"multipart/form-data" or not 1 <= len(boundary) <= 70:
        raise ProblemError(415, "not_multipart", "Send the file as multipart/form-data, in the field `file`.")
    try:
        file = await asyncio.to_thread(content.open, "xb")
        try:
            parts = _Parts(most)
            parser = MultipartParser(boundary, parts.callbacks(), max_header_size=_LONGEST_HEADERS)
            async with asyncio.timeout(seconds):
                await _feed(request.stream(), parser, parts, file)
        finally:
            await asyncio.to_thread(file.close)
        return parts.upload(content)
    except BaseException as error:
        _forget(content)
        raise _as_problem(error, seconds) from error


def _forget(content: Path) -> None:
    with suppress(OSError):
        content.unlink()


async def _feed(stream: AsyncIterator[bytes], parser: MultipartParser, parts: _Parts, file: IO[bytes]) -> None:
    async for chunk in stream:
        parser.write(chunk)
        if parts.pending:
            data = b"".join(parts.pending)
            parts.pending.clear()
            await asyncio.to_thread(file.write, data)
    parser.finalize()


def _as_problem(error: BaseException, seconds: float) -> BaseException:
    if isinstance(error, FormParserError):
        return ProblemError(400, "broken_upload", "The upload broke off or is no multipart data: send it again.")
    if isinstance(error, TimeoutError):
        return ProblemError(408, "upload_too_slow", f"The upload was not done in {seconds:.0f} s: send it again.")
    if isinstance(error, OSError):
        return StorageError(f"an upload cannot be written: {error}")
    return error


@dataclass(slots=True)
class _Parts:
    """The parts of a multipart body, collected by the parser's callbacks."""

    most: int
    pending: list[bytes] = field(default_factory=list)
    filename: str | None = None
    size: int = 0
    _count: int = 0
    _ended: bool = False
    _field: str = ""
    _header: bytes = b""
    _value: bytes = b""
    _headers: dict[bytes, bytes] = field(default_factory=dict)
    _password: bytes | None = None
    _folder: bytes = b""

    def callbacks(self) -> MultipartCallbacks:
        return {
            "on_part_begin": self._begin,
            "on_part_data": self._data,
            "on_header_field": self._header_name,
            "on_header_value": self._header_value,
            "on_header_end": self._header_end,
            "on_headers_finished": self._headers_end,
            "on_end": self._end,
        }

    def upload(self, content: Path) -> Upload:
        """The complete upload; raises `ProblemError` if something is missing or too long."""
        if not self._ended:
            raise ProblemError(400, "broken_upload", "The upload broke off: send it again.")
        if self.filename is None:
            raise ProblemError(422, "file_missing", "There is no field `file` with a file in it.")
        if not self.size:
            raise ProblemError(422, "empty_document", "The file is empty: send one with content.")
        password = None if not self._password else self._password.decode("utf-8", "replace")
        if password is not None and len(password) > LONGEST_PASSWORD:
            raise _long_password()
        return Upload(self.filename, content, password, self._folder.decode("utf-8", "replace"))

    def _begin(self) -> None:
        self._count += 1
        if self._count > _MOST_PARTS:
            raise ProblemError(422, "too_many_parts", "Send one file, and its password if it has one.")
        self._headers, self._field = {}, ""

    def _header_name(self, data: bytes, start: int, end: int) -> None:
        self._header += data[start:end]

    def _header_value(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]

    def _header_end(self) -> None:
        self._headers[self._header.lower()] = self._value
        self._header = self._value = b""

    def _headers_end(self) -> None:
        _, options = parse_options_header(self._headers.get(b"content-disposition", b""))
        self._field = options.get(b"name", b"").decode("utf-8", "replace")
        if self._field == FILE:
            if self.filename is not None:
                raise ProblemError(422, "too_many_files", "Send one file in a request.")
            self.filename = options.get(b"filename", b"").decode("utf-8", "replace")

    def _data(self, data: bytes, start: int, end: int) -> None:
        if self._field == FILE:
            self.size += end - start
            if self.size > self.most:
                raise ProblemError(
                    413, "limit", f"The file has more than the {self.most:,} bytes that are taken here: split it."
                )
            self.pending.append(data[start:end])
        elif self._field == PASSWORD:
            self._password = (self._password or b"") + data[start:end]
            if len(self._password) > 4 * LONGEST_PASSWORD:
                raise _long_password()
        elif self._field == FOLDER:
            self._folder += data[start:end]
            if len(self._folder) > _LONGEST_FOLDER:
                raise ProblemError(422, "long_folder", f"The name of a folder has at most {_LONGEST_FOLDER} bytes.")

    def _end(self) -> None:
        self._ended = True


def _long_password() -> ProblemError:
    return ProblemError(422, "long_password", f"A password has at most {LONGEST_PASSWORD} characters.")
