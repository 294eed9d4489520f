"""What a reader is: a callable from bytes to a Document, under limits."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from spanwise.domain.document import Document


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds that keep one hostile or broken file from taking the machine.

    Crossing one raises `LimitError`, which names the bound.
    """

    file_bytes: int = 512 * 1024 * 1024
    """Size of the file itself."""
    unpacked_bytes: int = 512 * 1024 * 1024
    """What a packed format (DOCX) may unpack to."""
    pages: int = 20_000
    lines: int = 5_000_000
    objects: int = 2_000_000
    """Objects in a PDF's cross-reference table, elements in a DOCX or HTML tree."""
    depth: int = 100
    """Nested tables, lists or elements that carry structure."""
    seconds: float = 300.0
    """Wall-clock time for one document."""


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
