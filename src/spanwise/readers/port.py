"""What a reader is: a callable from bytes to a Document, under limits."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Protocol

from spanwise.domain.document import Document

LARGE = 8 * 1024 * 1024
"""Bytes from which on a file may take all the processor time that there is for one."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of reading one file, at every door: library, command line, server, MCP.

    They keep one hostile or broken file from taking the machine. Crossing one raises `LimitError`, which names it.
    """

    file_bytes: int = 512 * 1024 * 1024
    """Size of the file itself."""
    unpacked_bytes: int = 512 * 1024 * 1024
    """What a packed format (DOCX, ZIP) may unpack to."""
    members: int = 10_000
    """Documents in an archive or a mailbox."""
    pages: int = 20_000
    lines: int = 5_000_000
    objects: int = 2_000_000
    """Objects in a PDF's cross-reference table, elements in a DOCX or HTML tree."""
    depth: int = 100
    """Nested tables, lists or elements that carry structure."""
    seconds: float = 300.0
    """Wall-clock time for one document; a little later the process that reads it is ended."""
    cpu_seconds: float = 300.0
    """Processor time for one document of 8 MB or more; a small one gets a fifth of it, and a minute at least."""
    memory: int = 1024 * 1024 * 1024
    """Bytes that the process which reads the document may take beyond what it needs to start."""

    def of_size(self, size: int) -> Limits:
        """The bounds of a file of so many bytes: no honest small file takes minutes."""
        seconds = max(60.0, self.cpu_seconds * max(0.2, size / LARGE))
        return replace(self, cpu_seconds=min(self.cpu_seconds, seconds))


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """What a caller may say about how to read one document."""

    password: str | None = None
    limits: Limits = field(default_factory=Limits)


class Reader(Protocol):
    """Turns the bytes of one file into a Document.

    Raises:
        DocumentError: The bytes cannot be read (see `spanwise.errors` for the kinds).
    """

    def __call__(self, data: bytes, name: str, options: ReadOptions) -> Document:
        """Read the bytes of the file `name`."""
