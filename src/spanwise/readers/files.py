"""From a path to bytes and a name, with a clear error for everything that can be wrong with a path."""

from __future__ import annotations

import difflib
import itertools
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePath
from typing import NamedTuple

from spanwise.errors import DocumentError, DocumentNotFoundError
from spanwise.readers.bounds import beyond
from spanwise.readers.members import file_of, member_bytes, place_of
from spanwise.readers.port import Limits

SYSTEM_FOLDERS = ("/proc", "/sys")
"""Folders of the kernel's virtual files, which have no size and may have no end."""
_LISTED = 5_000
"""Names in a folder that are compared with a misspelled one."""


class File(NamedTuple):
    """The bytes of a file, the name of the document, and the suffix in lower case, which suggests its format."""

    data: bytes
    name: str
    suffix: str


def load(path_or_bytes: str | os.PathLike[str] | bytes, name: str | None, limits: Limits) -> File:
    """The file at a path (which may lead into another file, see `members`), or the bytes given.

    Raises:
        DocumentNotFoundError: There is no such file.
        LimitError: The file is larger than `limits.file_bytes`.
        DocumentError: The path is a folder or a device, or permission is missing.
    """
    if isinstance(path_or_bytes, (bytes, bytearray, memoryview)):
        data, called = bytes(path_or_bytes), name or "document"
        suffix = PurePath(called).suffix
        _check_size(len(data), called, limits)
    else:
        path = Path(path_or_bytes)
        called = name or path.name or str(path)
        suffix = path.suffix or PurePath(called).suffix
        place = None if os.path.exists(path) else place_of(path)
        data = _read(path, limits) if place is None else member_bytes(place, limits)
    return File(data, printable(called), suffix.lower())


def printable(name: str) -> str:
    """The name as valid UTF-8; bytes of a file name that are not UTF-8 become question marks."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def check_file(path: str | os.PathLike[str], limits: Limits) -> int:
    """The size in bytes of the file at a path; raises as `load` does."""
    path = file_of(path)
    with _clear_errors(path) as shown:
        status = path.stat()
        _check_kind(status, path, shown)
        _check_size(status.st_size, shown, limits)
        return status.st_size


def check_place(path: str | os.PathLike[str]) -> None:
    """Refuse what is neither a regular file nor a folder, and the folders of `SYSTEM_FOLDERS`.

    Raises:
        OSError: The path does not exist or cannot be examined.
        DocumentError: It is refused.
    """
    status = os.stat(path)
    shown = printable(os.fspath(path))
    if not stat.S_ISDIR(status.st_mode):
        _check_kind(status, Path(path), shown)
    elif (top := of_the_system(path)) is not None:
        raise _shows_the_system(shown, top)


def what_else(status: os.stat_result) -> str | None:
    """The name of what is neither a regular file nor a folder ("a pipe"); None if it is not known."""
    for known, what in (
        (stat.S_ISFIFO, "a pipe"),
        (stat.S_ISSOCK, "a socket"),
        (stat.S_ISCHR, "a device"),
        (stat.S_ISBLK, "a device"),
    ):
        if known(status.st_mode):
            return what
    return None


def of_the_system(path: str | os.PathLike[str]) -> str | None:
    """The folder of `SYSTEM_FOLDERS` that a path leads into; None if it leads into none."""
    place = os.path.realpath(path)
    return next((top for top in SYSTEM_FOLDERS if place == top or place.startswith(f"{top}/")), None)


def _read(path: Path, limits: Limits) -> bytes:
    with _clear_errors(path) as shown:
        # Checked before opening, since opening a pipe may block for ever, and again afterwards.
        _check_kind(path.stat(), path, shown)
        with open(path, "rb", opener=lambda name, flags: os.open(name, flags | getattr(os, "O_NONBLOCK", 0))) as file:
            status = os.fstat(file.fileno())
            _check_kind(status, path, shown)
            _check_size(status.st_size, shown, limits)
            # No more than its stated size: virtual files may have no end, and a file may grow meanwhile.
            return file.read(status.st_size)


@contextmanager
def _clear_errors(path: Path) -> Iterator[str]:
    """Turn the system's errors about a path into ours, each one sentence; yields the path in printable form."""
    shown = printable(str(path))
    try:
        yield shown
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


def _check_kind(status: os.stat_result, path: Path, shown: str) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise DocumentError(
            f"{shown} is a folder: name the files in it, or index the folder (spanwise index) and ask the corpus.",
            document=shown,
        )
    if not stat.S_ISREG(status.st_mode):
        what = what_else(status) or "not a regular file"
        raise DocumentError(f"{shown} is {what}: save its content to a file and give that.", document=shown)
    if (top := of_the_system(path)) is not None:
        raise _shows_the_system(shown, top)


def _shows_the_system(shown: str, top: str) -> DocumentError:
    return DocumentError(f"{shown} lies in {top}, where the system shows itself: give a document.", document=shown)


def _check_size(size: int, name: str, limits: Limits) -> None:
    if size > limits.file_bytes:
        raise beyond(
            name, f"has {size:,} bytes, more than the limit of {limits.file_bytes:,}", "file_bytes", trusted=False
        )


def _hint(path: Path) -> str:
    """What to do about a missing path: similar names in its folder, or the news that the folder is missing too."""
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
