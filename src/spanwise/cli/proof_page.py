"""`spanwise open`: the page that proves an answer, its cited lines marked, in the viewer of the system.

Where the last answer's citations stand is a small file in the user's cache that nobody else may read: paths, hashes and
rectangles, no text of a document.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from spanwise.cli.output import printable, stderr, stdout
from spanwise.cli.settings import user_folder
from spanwise.domain.claim import Citation
from spanwise.errors import DocumentError, InputError, StorageError
from spanwise.export.highlight import highlight
from spanwise.export.plain import place

if TYPE_CHECKING:
    from spanwise.contract.result import Result
    from spanwise.domain.claim import Citation
    from spanwise.export.highlight import SourceFile
    from spanwise.ingest.corpus import Corpus


_FILE = "last-answer.json"
_VERSION = 1
_MOST = 200
"""Citations that are kept."""
_LARGEST = 1_000_000
"""Bytes of the file."""


@dataclass(frozen=True, slots=True)
class LastAnswer:
    """What is known of it."""

    citations: tuple[Citation, ...]
    files: dict[str, SourceFile]
    """The files of the cited documents that have one, by name."""


def keep(result: Result, corpus: Corpus) -> None:
    """Remember where the citations of a result stand; a cache that cannot be written is no error of the question."""
    cited = result.citations or (result.missing.nearest if result.missing is not None else ())
    files = {}
    for name in dict.fromkeys(one.document for one in cited[:_MOST]):
        with suppress(DocumentError):
            stored = corpus.stored(name)
            if stored.source is not None:
                files[name] = {"path": stored.source.path, "sha256": stored.id}
    record = {
        "version": _VERSION,
        "citations": [_record(one) for one in cited[:_MOST]],
        "files": files,
    }
    written = json.dumps(record).encode("utf-8", "surrogatepass")
    if len(written) > _LARGEST:
        written = json.dumps({**record, "citations": record["citations"][:1]}).encode("utf-8", "surrogatepass")  # type: ignore[index]
    with suppress(OSError, RuntimeError):  # the last where nobody has a home
        write_private(user_folder("cache") / _FILE, written)


def last_answer(password: str | None = None) -> LastAnswer:
    """The last answer.

    Args:
        password: Opens its documents where they are encrypted; it is never kept.

    Raises:
        InputError: There is none, or its file is none of ours.
    """
    from pydantic import TypeAdapter, ValidationError

    from spanwise.export.highlight import SourceFile

    path = user_folder("cache") / _FILE
    try:
        with path.open("rb") as file:
            record = json.loads(file.read(_LARGEST + 1))
        if record["version"] != _VERSION:
            raise ValueError("of another version")  # noqa: TRY301 - told below like all that is not ours
        citations = TypeAdapter(tuple[Citation, ...]).validate_python(record["citations"])
        files = {
            str(name): SourceFile(Path(str(one["path"])), str(one["sha256"]), password)
            for name, one in record["files"].items()
        }
    except FileNotFoundError:
        raise InputError('no answer is remembered: ask first (spanwise ask FILE "QUESTION")') from None
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror}): ask again") from error
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, ValidationError) as error:
        raise InputError(f"{path} is not what Spanwise wrote: ask again, and it is replaced") from error
    return LastAnswer(citations, files)


def write_private(path: Path, data: bytes) -> None:
    """Write a file that only this user may read, whole or not at all."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    made, temporary = tempfile.mkstemp(dir=path.parent, prefix=".")  # for this user alone
    try:
        with os.fdopen(made, "wb") as file:
            file.write(data)
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def _record(citation: Citation) -> dict[str, object]:
    """A citation without the words of its document."""
    return {
        "id": citation.id,
        "item": citation.item,
        "document": citation.document,
        "line_start": citation.line_start,
        "line_end": citation.line_end,
        "page": citation.page,
        "page_label": citation.page_label,
        "boxes": [{"page": box.page, "x0": box.x0, "y0": box.y0, "x1": box.x1, "y1": box.y1} for box in citation.boxes],
        "quote": "",
        "at": list(citation.at),
        "cells": citation.cells,
    }


class Draw(Protocol):
    """Draws a page of a PDF."""

    def __call__(self, path: Path, name: str, page: int, width: int, password: str | None = None) -> bytes:
        """The page as a PNG."""


WIDTH = 1400
"""Pixels of a page that is looked at."""
_NAMED = 8


def run_open(wanted: str, out: str | None, view: bool, password: str | None) -> int:
    """Write the marked page of a citation, print its path, open it where somebody watches, and return the exit code.

    Args:
        wanted: The citation, as the answer names it.
        out: `.png` for the page, `.pdf` for the whole marked copy; None for the page in the user's cache.
        view: Whether the system's viewer is started.
        password: Opens an encrypted PDF.

    Raises:
        InputError: No answer is remembered, it has no such citation, or `out` has another ending.
        HighlightError: The document is gone or has changed.
        StorageError: The page cannot be written.
    """
    last = last_answer(password)
    citation = _citation(last, wanted)
    path = _marked(last, citation, out) if citation.boxes else _unmarked(last, citation)
    stderr().print(printable(f"[{citation.id}] {place(citation)}"), style="dim", markup=False)
    stdout().print(printable(str(path)), markup=False)
    if not citation.boxes:
        stderr().print("only PDFs have pages to mark: this is the document itself", markup=False)
    elif view and stdout().is_terminal:
        _view(path)
    return 0


def _citation(last: LastAnswer, wanted: str) -> Citation:
    found = next((one for one in last.citations if one.id == wanted.strip("[]")), None)
    if found is None and wanted == "c1" and last.citations:
        found = last.citations[0]  # of an answer that was not found, the nearest evidence
    if found is None:
        known = ", ".join(one.id for one in last.citations[:_NAMED]) or "none"
        more = ", ..." if len(last.citations) > _NAMED else ""
        raise InputError(f"the last answer has no citation {printable(wanted)!r}: it has {known}{more}")
    return found


def _unmarked(last: LastAnswer, citation: Citation) -> Path:
    """The document itself. Nothing is started to show it: a page of HTML could do more in a browser than be read."""
    source = last.files.get(citation.document)
    if source is None or not source.path.is_file():
        raise InputError(f"the file of {printable(citation.document)} is not there any more: ask again")
    return source.path


def _marked(last: LastAnswer, citation: Citation, out: str | None) -> Path:
    """The marked page as a picture, or the marked copy of the whole document."""
    alike = [one for one in last.citations if one.document == citation.document]
    if out is not None and out.lower().endswith(".pdf"):
        return highlight(alike, Path(out), last.files.get)[0]
    if out is not None and not out.lower().endswith(".png"):
        raise InputError(f"{printable(out)} is neither a picture nor a copy: give a name that ends in .png or .pdf")
    with tempfile.TemporaryDirectory(prefix="spanwise-") as folder, drawing() as draw:
        [copy] = highlight(alike, Path(folder, "marked.pdf"), last.files.get)
        source = last.files.get(citation.document)
        picture = draw(copy, citation.document, citation.boxes[0].page, WIDTH, source.password if source else None)
    # One picture at a time lies in the cache.
    path = user_folder("cache") / "open.png" if out is None else Path(out)
    try:
        write_private(path, picture) if out is None else path.write_bytes(picture)
    except OSError as error:
        raise StorageError(f"{path} cannot be written ({error.strerror}): name another file with --out") from error
    return path


@contextmanager
def drawing() -> Iterator[Draw]:
    """Draws pages of PDFs as PNG, in a process of its own: path, name for messages, page from 1, width, password.

    What it gives raises a `DocumentError` where a page cannot be drawn.
    """
    from spanwise.serving.cancellation import Stop
    from spanwise.serving.corpus_limits import Limits
    from spanwise.serving.pictures import PageRequest, Pictures

    pictures = Pictures(Limits())

    def draw(path: Path, name: str, page: int, width: int, password: str | None = None) -> bytes:
        with path.open("rb") as file:
            sha256 = hashlib.file_digest(file, "sha256").hexdigest()
        return pictures.draw(PageRequest(path, name, sha256, page, width, password), Stop())

    try:
        yield draw
    finally:
        pictures.close()


def _view(path: Path) -> None:
    """Start the viewer of the system, where there is one and a screen to show it on."""
    if sys.platform == "win32":
        with suppress(OSError):
            os.startfile(path)  # noqa: S606 - a picture or a PDF that we wrote
        return
    program = shutil.which("open" if sys.platform == "darwin" else "xdg-open")
    screen = sys.platform == "darwin" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if program is None or not screen:
        stderr().print("no viewer can be started here: open the file yourself", markup=False)
        return
    with suppress(OSError):
        subprocess.Popen(  # noqa: S603 - the system's own viewer, with a path and no shell
            [program, str(path)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
