"""From a path to bytes and a name, with a clear error for everything that can be wrong with a path."""

from __future__ import annotations

import difflib
import itertools
import os
import stat
from pathlib import Path, PurePath
from typing import NamedTuple

from spanwise.errors import DocumentError, DocumentNotFoundError, LimitError
from spanwise.readers.port import Limits

_LISTED = 5_000
"""How many names of a folder are looked at for one that was meant."""


class File(NamedTuple):
    """The bytes of a file, what the document is called, and the suffix that promises its format."""

    data: bytes
    name: str
    suffix: str


def load(path_or_bytes: str | os.PathLike[str] | bytes, name: str | None, limits: Limits) -> File:
    """The file at a path, or the bytes given.

    Raises:
        DocumentNotFoundError: Nothing is there.
        LimitError: It is larger than `limits.file_bytes`.
        DocumentError: It is a folder or a device, or permission is missing.
    """
    if isinstance(path_or_bytes, (bytes, bytearray, memoryview)):
        data, called = bytes(path_or_bytes), name or "document"
        suffix = PurePath(called).suffix
        _check_size(len(data), called, limits)
    else:
        path = Path(path_or_bytes)
        called = name or path.name or str(path)
        suffix = path.suffix or PurePath(called).suffix
        data = _read(path, limits)
    return File(data, printable(called), suffix.lower())


def printable(name: str) -> str:
    """The name as it can be written as UTF-8; bytes of a file name that are not become question marks."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _read(path: Path, limits: Limits) -> bytes:
    shown = printable(str(path))
    try:
        _check_kind(path.stat(), shown, limits)
        return path.read_bytes()
    except DocumentError:
        raise  # It is a ValueError too, and already says what is wrong.
    except PermissionError as error:
        message = f"No permission to read {shown}: change it (chmod +r) or run as a user who may read it."
        raise DocumentError(message, document=shown) from error
    except (FileNotFoundError, NotADirectoryError) as error:
        raise DocumentNotFoundError(f"There is no file {shown}{_hint(path)}", document=shown) from error
    except (OSError, ValueError) as error:
        # A name that is too long or holds a zero byte, a loop of links, a disk that fails.
        reason = getattr(error, "strerror", None) or str(error)
        raise DocumentError(f"{shown[:200]!r} cannot be read ({reason}): check the path.", document=shown) from error


def _check_kind(status: os.stat_result, shown: str, limits: Limits) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise DocumentError(
            f"{shown} is a folder: name the files in it, or index the folder (spanwise index) and ask the corpus.",
            document=shown,
        )
    if not stat.S_ISREG(status.st_mode):
        raise DocumentError(f"{shown} is not a regular file: save its content to one and give that.", document=shown)
    _check_size(status.st_size, shown, limits)


def _check_size(size: int, name: str, limits: Limits) -> None:
    if size > limits.file_bytes:
        raise LimitError(
            f"{name} has {size:,} bytes, more than the limit of {limits.file_bytes:,}: split it, "
            "or raise the limit (Limits.file_bytes).",
            document=name,
        )


def _hint(path: Path) -> str:
    """What to do about a missing path: the close names in its folder, or that the folder is missing too."""
    folder = path.parent
    if not folder.is_dir():
        return f"; the folder {printable(str(folder))} does not exist either: check the path."
    try:
        with os.scandir(folder) as entries:
            names = sorted(entry.name for entry in itertools.islice(entries, _LISTED))
    except OSError:
        return ": check the path."
    folded = {name.casefold(): name for name in reversed(names)}
    close = difflib.get_close_matches(path.name.casefold(), folded, n=3, cutoff=0.6)
    if not close:
        return ": check the path."
    return "; did you mean " + " or ".join(printable(str(folder / folded[name])) for name in close) + "?"
