"""From files, folders and globs to the files to read, each with the name of its document."""

from __future__ import annotations

import glob
import os
import stat
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from spanwise.errors import DocumentError, DocumentNotFoundError, InputError, expect
from spanwise.readers.files import SYSTEM_FOLDERS, check_place, printable, what_else
from spanwise.readers.members import CONTAINERS, place_of


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file to read, or a document inside of a file."""

    path: Path
    """Absolute path with symbolic links resolved."""
    name: str
    """The path below the folder or the fixed part of the glob, or the file name if the file itself was given."""
    size: int | None = None
    """Size in bytes of a document inside of another file, whose path is the beginning of `path`; else None."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """An entry of a folder that was not read, although the user may expect that it was."""

    path: str
    reason: str
    """The reason, completing the sentence "PATH is ..."."""


@dataclass(frozen=True, slots=True)
class Search:
    """The files found for one given path."""

    given: str
    origin: str | None
    """Identity of the folder, the glob, or the container file; None for any other file."""
    files: tuple[FoundFile, ...]
    skipped: tuple[Skipped, ...] = ()
    others: tuple[str, ...] = ()
    """Names of files in the folder whose type is not among those wanted."""
    within: str = ""
    """Name of the only document, or folder of documents, wanted from a container file; empty for all."""


def find(
    paths: Sequence[str | os.PathLike[str]], suffixes: Collection[str], *, follow_links: bool = False
) -> list[Search]:
    """Find the files for each path; folders and globs yield files that end in one of `suffixes`, without hidden ones.

    Args:
        paths: Files, folders, globs.
        suffixes: The file name suffixes that are read from a folder.
        follow_links: Whether to follow links that lead out of a folder.

    Raises:
        InputError: A path is empty or of the wrong type.
        DocumentNotFoundError: A path that is no glob does not exist.
        DocumentError: A path is a pipe, a socket, a device, a folder that cannot be read, or in a folder of the system
            such as /proc.
    """
    return [_search(_text(path), suffixes, follow_links) for path in paths]


def _text(path: str | os.PathLike[str]) -> str:
    """The path as a string; an error if it is empty, since an unset variable must not mean the current folder."""
    expect(path, (str, os.PathLike), "a path", "it as text or a pathlib.Path")
    given = os.fsdecode(path)
    if not given.strip():
        raise InputError("a path is empty: name a file or a folder, or . for the folder you are in")
    return given


def nothing_found(search: Search, suffixes: Collection[str]) -> DocumentNotFoundError:
    """The error for a folder, archive or glob without any file to read."""
    kind = "folder" if os.path.isdir(search.given) else "archive" if os.path.exists(search.given) else "pattern"
    what = f"The {kind} {search.given} {'finds' if kind == 'pattern' else 'has'}"
    return DocumentNotFoundError(
        f"{what} no document that can be read ({', '.join(sorted(suffixes))}): name another one, or the file itself.",
        document=search.given,
    )


def longer_names(file: FoundFile) -> Iterator[str]:
    """Candidate names for a document, the best first: its own, then with more parent folders, then numbered."""
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


def _search(given: str, suffixes: Collection[str], follow_links: bool) -> Search:
    path = Path(given)
    try:
        there, folder = path.exists(), path.is_dir()
    except (OSError, ValueError, RuntimeError):
        # The name is too long, contains a null byte, or leads into a loop of links: there is no such file.
        raise nothing_at(given) from None
    if there:
        check_place(path)
        root = path.resolve()
        if not folder:
            origin = printable(str(root)) if root.suffix.lower() in CONTAINERS else None
            return Search(given, origin, (FoundFile(root, printable(path.name)),))
        if not os.access(root, os.R_OK | os.X_OK):
            shown = printable(given)
            raise DocumentError(
                f"No permission to read the folder {shown}: change it (chmod u+rx) or run as a user who may read it.",
                document=shown,
            )
        look = _Look(root, suffixes, follow_links)
        look.below(root)
        return look.search(given, str(root))
    if (inside := place_of(path)) is not None:
        check_place(inside.file)
        root = inside.file.resolve()
        return Search(given, None, (FoundFile(root, printable(inside.file.name)),), within=inside.name)
    if not glob.has_magic(given):
        raise nothing_at(given)
    pattern = os.path.abspath(os.path.expanduser(given))
    look = _Look(_fixed_part(pattern), suffixes, follow_links)
    for match in sorted(glob.iglob(pattern, recursive=True)):
        look.at(Path(match))
    return look.search(given, pattern)


def nothing_at(given: str) -> DocumentNotFoundError:
    """The error for a path that does not exist."""
    shown = printable(given)
    return DocumentNotFoundError(f"There is no file or folder {shown[:500]}: check the path.", document=shown)


class _Look:
    """The traversal of one folder or glob, which collects files."""

    def __init__(self, root: Path, suffixes: Collection[str], follow_links: bool) -> None:
        self.root = root
        self.files: list[FoundFile] = []
        self.skipped: list[Skipped] = []
        self.others: list[str] = []
        self._real_root = root.resolve()
        self._suffixes = suffixes
        self._follow_links = follow_links

    def search(self, given: str, origin: str) -> Search:
        """The result of the traversal."""
        return Search(given, printable(origin), tuple(self.files), tuple(self.skipped), tuple(self.others))

    def below(self, folder: Path) -> None:
        """Collect all files below a folder, in the order of names, visiting each folder once."""
        left, seen = [folder], {self._real_root}
        while left:
            place = left.pop()
            try:
                with os.scandir(place) as listed:
                    entries = sorted((one for one in listed if not one.name.startswith(".")), key=lambda one: one.name)
            except OSError as error:
                self._skip(place, f"a folder that cannot be read ({error.strerror})")
                continue
            folders: list[Path] = []
            for entry in entries:
                path = Path(entry.path)
                if not (entry.is_dir(follow_symlinks=False) or (entry.is_symlink() and path.is_dir())):
                    self.at(path)
                elif self._leads_on(path, real := path.resolve()):
                    if str(real) in SYSTEM_FOLDERS:
                        self._skip(path, "a folder where the system shows itself")
                    elif real not in seen:
                        seen.add(real)
                        folders.append(path)
            left += reversed(folders)

    def at(self, path: Path) -> None:
        """Collect the file at a path if its type is wanted."""
        try:
            status = path.stat()
        except OSError as error:
            dangling = os.path.islink(path)
            self._skip(path, "a link that leads nowhere" if dangling else f"not to be seen ({error.strerror})")
            return
        other = what_else(status)
        if other is not None:
            self._skip(path, other)
        elif stat.S_ISREG(status.st_mode):
            name = printable(path.relative_to(self.root).as_posix())
            if path.suffix.lower() not in self._suffixes:
                self.others.append(name)
            elif self._leads_on(path, real := path.resolve()):
                self.files.append(FoundFile(real, name))

    def _leads_on(self, path: Path, real: Path) -> bool:
        """True unless a path leads out of the folder over a link and links are not followed."""
        if self._follow_links or real.is_relative_to(self._real_root):
            return True
        self._skip(path, "a link out of the folder")
        return False

    def _skip(self, path: Path, reason: str) -> None:
        self.skipped.append(Skipped(printable(str(path)), reason))


def _fixed_part(pattern: str) -> Path:
    """The folder above the first part of the pattern that contains a wildcard."""
    parts = Path(pattern).parts
    fixed = next(at for at, part in enumerate(parts) if glob.has_magic(part))
    return Path(*parts[:fixed])
