"""Checksums of the rows of a corpus: a byte that the disk changed is told instead of answered from."""

from __future__ import annotations

import zlib

from spanwise.errors import StorageError


def seal(*row: object) -> int:
    """The checksum of the values of a row, and of the name of the document that it is of."""
    if bytes in map(type, row):
        row = tuple(zlib.crc32(value) if isinstance(value, bytes) else value for value in row)
    return zlib.crc32(repr(row).encode("utf-8", "surrogatepass"))


def check(sealed: object, what: str, *row: object) -> None:
    """Check a row against the checksum that was written with it.

    Raises:
        StorageError: A byte of it has changed since.
    """
    if sealed != seal(*row):
        raise damaged(f"{what} is not what was written")


def damaged(why: str) -> StorageError:
    """The error for a corpus in which something has changed or is missing."""
    return StorageError(
        f"The corpus is damaged ({why}): remove the document and add it again, or make the corpus anew (spanwise "
        "index)."
    )
