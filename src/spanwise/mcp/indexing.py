"""Indexing for agents: files below allowed folders if the client is on this machine, else documents sent as content."""

from __future__ import annotations

import base64
import os
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from spanwise.errors import DocumentNotFoundError, InputError, LimitError
from spanwise.mcp.tool_results import FailureRecord, IndexedRecord, document_record
from spanwise.readers.registry import supported_suffixes
from spanwise.serving.entries import id_of

if TYPE_CHECKING:
    from spanwise.mcp.workers import Steps
    from spanwise.serving.corpus_library import Library


LARGEST_CONTENT = 4 * 1024 * 1024
"""Most bytes of a document that is sent as content."""


class OfFiles:
    """Indexes files and folders below the allowed roots, in place."""

    def __init__(self, library: Library, roots: Roots) -> None:
        self._library = library
        self._roots = roots

    def index(self, paths: Sequence[str], steps: Steps) -> IndexedRecord:
        """Read files; failures are reported and do not stop the others, and unchanged files are not read again."""
        files = self._roots.find(paths, supported_suffixes())
        report = self._library.read(files, progress=steps.tell, stop=steps.stop)
        names = [*report.added, *report.replaced, *report.unchanged]
        failed = [FailureRecord(path=one.path, reason=one.message) for one in report.failed]
        if not names and len(failed) == 1:
            raise InputError(failed[0].reason)
        entries = (self._library.entry(id_of(name)) for name in sorted(names))
        return IndexedRecord(documents=[document_record(entry) for entry in entries], failed=failed)


class OfContent:
    """Indexes content, as text or in Base64: no path from a client reaches the file system."""

    def __init__(self, library: Library) -> None:
        self._library = library

    def index(self, name: str, text: str, content: str, steps: Steps) -> IndexedRecord:
        """Read one document, given either as `text` or as `content`."""
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
"""How documents are indexed."""


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


MOST_FILES = 1_000
"""Most files that one call reads."""


class Roots:
    """Folders whose files may be read."""

    def __init__(self, folders: Sequence[str | os.PathLike[str]]) -> None:
        """Resolve the folders once, so that a symbolic link that changes later does not move them."""
        self._roots = tuple(_folder(folder) for folder in folders)

    @property
    def folders(self) -> tuple[Path, ...]:
        """The folders, absolute and resolved."""
        return self._roots

    def find(self, paths: Sequence[str], suffixes: Collection[str]) -> list[Path]:
        """The files that `paths` name, absolute and resolved; of folders, all files with one of these suffixes.

        A relative path is looked up below each root in turn. Hidden files are not found, nor anything that a link leads
        to outside the roots.

        Raises:
            DocumentNotFoundError: A path is not below a root, or no file was found.
            LimitError: There are more than `MOST_FILES`.
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
        """True if a path is below a root and has no hidden part, as keys and settings have."""
        root = next((root for root in self._roots if path.is_relative_to(root)), None)
        return root is not None and not any(part.startswith(".") for part in path.relative_to(root).parts)

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
