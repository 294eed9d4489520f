"""Checksums of the rows of a corpus and of its index: a byte that the disk changed is told, not answered from.

Tantivy writes checksums at the end of its files and does not look at them when it opens them; a changed byte would rank
other passages, or end the search in a panic. An index that is found out is made anew.
"""

from __future__ import annotations

import json
import struct
import zlib
from pathlib import Path

from spanwise.errors import StorageError

_MOST_CHECKED = 32 * 1024 * 1024
"""Bytes that are checked when an index is opened, the small files first; to read a large index whole takes too long."""
_MAGIC = 1337
_LONGEST = 50_000
_TAIL = struct.Struct("<II")
_PIECE = 1024 * 1024


def seal(*row: object) -> int:
    """The checksum of the values of a row, and of the name of the document that it is of."""
    if bytes in map(type, row):
        row = tuple(zlib.crc32(value) if isinstance(value, bytes) else value for value in row)
    return zlib.crc32(repr(row).encode("utf-8", "surrogatepass"))


def check(sealed: object, what: str, *row: object) -> None:
    """Check a row against the checksum that was written with it."""
    if sealed != seal(*row):
        raise damaged(f"{what} is not what was written")


def damaged(why: str) -> StorageError:
    """The error for a corpus in which something has changed or is missing."""
    return StorageError(
        f"The corpus is damaged ({why}): remove the document and add it again, or make the corpus anew (spanwise "
        "index)."
    )


def damaged_file(folder: Path) -> Path | None:
    """The first file of an index in which a byte has changed since it was written, if there is one."""
    listed = json.loads((folder / "meta.json").read_bytes())
    segments = {str(one["segment_id"]).replace("-", "") for one in listed["segments"]}
    files = [path for path in folder.iterdir() if path.name.partition(".")[0] in segments]
    left = _MOST_CHECKED
    for size, path in sorted((path.stat().st_size, path) for path in files):
        left -= size
        if left < 0:
            break
        if not _whole(path, size):
            return path
    return None


def _whole(path: Path, size: int) -> bool:
    """True if a file has the checksum that its last bytes tell."""
    with path.open("rb") as file:
        file.seek(max(0, size - _TAIL.size))
        tail = file.read()
        if len(tail) != _TAIL.size:
            return False
        length, magic = _TAIL.unpack(tail)
        if magic != _MAGIC or not 0 < length <= min(_LONGEST, size - _TAIL.size):
            return False
        body = size - _TAIL.size - length
        file.seek(body)
        try:
            told = json.loads(file.read(length))["crc"]
        except (ValueError, KeyError, TypeError):
            return False
        file.seek(0)
        found = 0
        while body > 0 and (piece := file.read(min(_PIECE, body))):
            found = zlib.crc32(piece, found)
            body -= len(piece)
        return bool(told == found)
