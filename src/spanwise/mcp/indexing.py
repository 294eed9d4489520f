"""How documents come in: files beneath allowed folders where the client is on this machine, else their content."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

from spanwise.errors import InputError, LimitError
from spanwise.mcp.records import FailureRecord, IndexedRecord, document_record
from spanwise.readers.registry import supported_suffixes
from spanwise.serving.entries import id_of

if TYPE_CHECKING:
    from spanwise.mcp.roots import Roots
    from spanwise.mcp.workers import Steps
    from spanwise.serving.corpus_library import Library

LARGEST_CONTENT = 4 * 1024 * 1024
"""Bytes of one document that comes as content."""


class OfFiles:
    """Files and folders beneath the allowed roots, read where they are."""

    def __init__(self, library: Library, roots: Roots) -> None:
        self._library = library
        self._roots = roots

    def index(self, paths: Sequence[str], steps: Steps) -> IndexedRecord:
        """Read files; one that fails is reported and stops no other, and one that did not change is not read again."""
        files = self._roots.find(paths, supported_suffixes())
        report = self._library.read(files, progress=steps.tell, stop=steps.stop)
        names = [*report.added, *report.replaced, *report.unchanged]
        failed = [FailureRecord(path=one.path, reason=one.message) for one in report.failed]
        if not names and len(failed) == 1:
            raise InputError(failed[0].reason)
        entries = (self._library.entry(id_of(name)) for name in sorted(names))
        return IndexedRecord(documents=[document_record(entry) for entry in entries], failed=failed)


class OfContent:
    """Content, as text or in Base64: no path of a client reaches the file system."""

    def __init__(self, library: Library) -> None:
        self._library = library

    def index(self, name: str, text: str, content: str, steps: Steps) -> IndexedRecord:
        """Read one document.

        Args:
            name: What it is called; its suffix says what kind of text it is.
            text: Its text, for plain text, Markdown and HTML.
            content: Its bytes in Base64, for all other formats.
            steps: Told of each step.
        """
        if bool(text) == bool(content):
            raise InputError("index needs the document either as `text` or in Base64 as `content`: give one of them")
        data = text.encode("utf-8", "surrogatepass") if text else _decoded(content, name)
        if len(data) > LARGEST_CONTENT:
            raise LimitError(_too_large(name, len(data)), document=name)
        upload = self._library.partial()
        upload.write_bytes(data)
        added = self._library.add_all(name, upload, progress=steps.tell, stop=steps.stop)
        failed = [FailureRecord(path=one.path, reason=one.message) for one in added.failed]
        return IndexedRecord(documents=[document_record(entry) for entry in added.entries], failed=failed)


Indexing: TypeAlias = "OfFiles | OfContent"
"""How documents come in."""


def _decoded(content: str, name: str) -> bytes:
    if len(content) > LARGEST_CONTENT * 4 // 3 + 4:
        raise LimitError(_too_large(name, len(content) * 3 // 4), document=name)
    try:
        return base64.b64decode("".join(content.split()), validate=True)
    except ValueError as error:
        raise InputError("`content` is no Base64: encode the bytes of the file, or give `text`") from error


def _too_large(name: str, size: int) -> str:
    return (
        f"{name[:200]} has {size:,} bytes, more than the {LARGEST_CONTENT:,} that a tool call takes: "
        "upload it over the HTTP API"
    )
