"""From files, folders and globs to the files to read, each with the name that its document would have."""

from __future__ import annotations

import glob
import os
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from spanwise.errors import DocumentNotFoundError
from spanwise.readers.files import printable


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file to read."""

    path: Path
    """Absolute, symbolic links resolved."""
    name: str
    """Its path below the folder or the fixed part of the glob, or its own name when it was given itself."""


@dataclass(frozen=True, slots=True)
class Search:
    """What one path that was given stands for."""

    given: str
    origin: str | None
    """Identity of the folder or glob; None for a file."""
    files: tuple[FoundFile, ...]


def find(paths: Sequence[str | os.PathLike[str]], suffixes: Collection[str]) -> list[Search]:
    """Look up each of `paths`; folders and globs give the files that end in one of `suffixes`, hidden ones left out.

    Raises:
        DocumentNotFoundError: There is nothing at a path that is not a glob.
    """
    return [_search(os.fspath(path), suffixes) for path in paths]


def nothing_found(search: Search, suffixes: Collection[str]) -> DocumentNotFoundError:
    """The error for a folder or a glob without any file to read."""
    what = f"The folder {search.given} has" if os.path.isdir(search.given) else f"The pattern {search.given} finds"
    return DocumentNotFoundError(
        f"{what} no document that can be read ({', '.join(sorted(suffixes))}): name another one, or the file itself.",
        document=search.given,
    )


def longer_names(file: FoundFile) -> Iterator[str]:
    """Names for `file`, the best first: its own, then with ever more of the folders above it, then numbered."""
    yield file.name
    parts = file.path.parts
    for count in range(file.name.count("/") + 2, len(parts)):
        yield printable("/".join(parts[-count:]))
    whole = printable(file.path.as_posix())
    yield whole
    number = 2
    while True:
        yield f"{whole} ({number})"
        number += 1


def _search(given: str, suffixes: Collection[str]) -> Search:
    path = Path(given)
    try:
        if path.is_dir():
            root = path.resolve()
            return Search(given, printable(str(root)), tuple(_found(_below(root), root, suffixes)))
        if path.exists():
            return Search(given, None, (FoundFile(path.resolve(), printable(path.name)),))
    except (OSError, ValueError, RuntimeError):
        # A name that is too long, holds a zero byte or a loop of links: no such file either way.
        pass
    else:
        if glob.has_magic(given):
            pattern = os.path.abspath(os.path.expanduser(given))
            matches = (Path(match) for match in sorted(glob.iglob(pattern, recursive=True)))
            return Search(given, printable(pattern), tuple(_found(matches, _fixed_part(pattern), suffixes)))
    shown = printable(given)
    raise DocumentNotFoundError(f"There is no file or folder {shown[:500]}: check the path.", document=shown)


def _below(root: Path) -> Iterator[Path]:
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from (Path(folder, name) for name in sorted(names) if not name.startswith("."))


def _found(candidates: Iterator[Path], root: Path, suffixes: Collection[str]) -> Iterator[FoundFile]:
    for path in candidates:
        if path.suffix.lower() in suffixes and path.is_file():
            yield FoundFile(path.resolve(), printable(path.relative_to(root).as_posix()))


def _fixed_part(pattern: str) -> Path:
    """The folder above the first part of `pattern` that holds a wildcard."""
    parts = Path(pattern).parts
    fixed = next(at for at, part in enumerate(parts) if glob.has_magic(part))
    return Path(*parts[:fixed])
