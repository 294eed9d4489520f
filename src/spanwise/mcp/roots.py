"""What a client may name on this machine: files beneath the allowed roots, wherever links lead."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from spanwise.errors import DocumentNotFoundError, InputError, LimitError

MOST_FILES = 1_000
"""Files that one call reads."""


class Roots:
    """Folders whose files may be read."""

    def __init__(self, folders: Sequence[str | os.PathLike[str]]) -> None:
        """Resolve the folders once, so that a link that changes later does not move them."""
        self._roots = tuple(_folder(folder) for folder in folders)

    @property
    def folders(self) -> tuple[Path, ...]:
        """The folders, absolute and resolved."""
        return self._roots

    def find(self, paths: Sequence[str], suffixes: Collection[str]) -> list[Path]:
        """The files that `paths` name, absolute and resolved: files themselves, and all of folders that can be read.

        A relative path is looked for below each root in turn. Nothing hidden is found, and nothing that a link leads
        to outside of the roots.

        Args:
            paths: As the client gave them.
            suffixes: What the names of files in folders have to end in.
        """
        found: dict[Path, None] = {}
        for given in paths:
            path = self._allowed(given)
            for one in self._below(path, suffixes) if path.is_dir() else [path]:
                found[one] = None
                if len(found) > MOST_FILES:
                    raise LimitError(
                        f"{given!r} brings more than {MOST_FILES:,} files: name folders below it, one call for each",
                        document=given,
                    )
        if not found:
            raise DocumentNotFoundError(
                f"no file there can be read ({', '.join(sorted(suffixes))}): name the file itself", document=paths[0]
            )
        return list(found)

    def _allowed(self, given: str) -> Path:
        candidates = [Path(given)] if os.path.isabs(given) else [root / given for root in self._roots]
        for candidate in candidates:
            path = self._resolved(candidate)
            if path is not None and self._shown(path):
                return path
        named = ", ".join(map(str, self._roots))
        raise DocumentNotFoundError(
            f"there is no file or folder {given[:200]!r} beneath the allowed folders ({named}): name one that is",
            document=given,
        )

    @staticmethod
    def _resolved(path: Path) -> Path | None:
        try:
            return path.resolve(strict=True)
        except (OSError, ValueError, RuntimeError):  # not there, too long, a zero byte, a loop of links
            return None

    def _shown(self, path: Path) -> bool:
        """Whether it is beneath a root, and neither it nor a folder between is hidden: keys and settings are."""
        root = self._root_of(path)
        return root is not None and not any(part.startswith(".") for part in path.relative_to(root).parts)

    def _root_of(self, path: Path) -> Path | None:
        return next((root for root in self._roots if path.is_relative_to(root)), None)

    def _below(self, folder: Path, suffixes: Collection[str]) -> Iterator[Path]:
        for at, folders, names in os.walk(folder):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            for name in sorted(names):
                path = self._resolved(Path(at, name))
                if name.startswith(".") or Path(name).suffix.lower() not in suffixes or path is None:
                    continue
                if self._shown(path) and path.is_file():
                    yield path


def _folder(given: str | os.PathLike[str]) -> Path:
    path = Path(given)
    if not path.is_dir():
        raise InputError(f"{os.fspath(path)} is no folder: name one whose documents may be indexed (--root DIR)")
    return path.resolve()
