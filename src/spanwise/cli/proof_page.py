"""`spanwise open`: shows the page that proves an answer, with its cited lines highlighted, in the system's viewer.

The places of the last answer's citations are in a small file in the user's cache, readable only by that user: paths,
hashes and boxes, but no text of a document.
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
"""Most citations that are stored."""
_LARGEST = 1_000_000
"""Most bytes of the file."""


@dataclass(frozen=True, slots=True)
class LastAnswer:
    """The stored citations of the last answer."""

    citations: tuple[Citation, ...]
    files: dict[str, SourceFile]
    """The files of the cited documents that have one, by name."""


def keep(result: Result, corpus: Corpus) -> None:
    """Store the places of a result's citations; if the cache cannot be written, nothing happens."""
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
    with suppress(OSError, RuntimeError):  # RuntimeError: the user has no home folder
        write_private(user_folder("cache") / _FILE, written)


def last_answer(password: str | None = None) -> LastAnswer:
    """The stored citations of the last answer.

    Args:
        password: Opens its documents if they are encrypted; it is never stored.

    Raises:
        InputError: There is none, or the file is invalid.
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
    """Write a file that only this user may read, atomically."""
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
    """A citation as a JSON object, without the quoted text."""
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
    """A function that draws a page of a PDF."""

    def __call__(self, path: Path, name: str, page: int, width: int, password: str | None = None) -> bytes:
        """The page as a PNG."""


WIDTH = 1400
"""Width in pixels of the page."""
_NAMED = 8


def run_open(wanted: str, out: str | None, view: bool, password: str | None) -> int:
    """Write the highlighted page of a citation, print its path, and open it in a viewer; returns the exit code.

    Args:
        wanted: The citation's id in the answer.
        out: `.png` for the page, `.pdf` for the whole highlighted copy; None for the page in the user's cache.
        view: Whether to start the system's viewer, if stdout is a terminal.
        password: Opens an encrypted PDF.

    Raises:
        InputError: No answer is stored, it has no such citation, or `out` has another suffix.
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
        found = last.citations[0]  # if there was no answer, the nearest evidence
    if found is None:
        known = ", ".join(one.id for one in last.citations[:_NAMED]) or "none"
        more = ", ..." if len(last.citations) > _NAMED else ""
        raise InputError(f"the last answer has no citation {printable(wanted)!r}: it has {known}{more}")
    return found


def _unmarked(last: LastAnswer, citation: Citation) -> Path:
    """The document's own file. No viewer is started for it, as an HTML page could be active in a browser."""
    source = last.files.get(citation.document)
    if source is None or not source.path.is_file():
        raise InputError(f"the file of {printable(citation.document)} is not there any more: ask again")
    return source.path


def _marked(last: LastAnswer, citation: Citation, out: str | None) -> Path:
    """The highlighted page as a picture, or the highlighted copy of the whole document."""
    alike = [one for one in last.citations if one.document == citation.document]
    if out is not None and out.lower().endswith(".pdf"):
        return highlight(alike, Path(out), last.files.get)[0]
    if out is not None and not out.lower().endswith(".png"):
        raise InputError(f"{printable(out)} is neither a picture nor a copy: give a name that ends in .png or .pdf")
    with tempfile.TemporaryDirectory(prefix="spanwise-") as folder, drawing() as draw:
        [copy] = highlight(alike, Path(folder, "marked.pdf"), last.files.get)
        source = last.files.get(citation.document)
        picture = draw(copy, citation.document, citation.boxes[0].page, WIDTH, source.password if source else None)
    # The cache has only the latest picture.
    path = user_folder("cache") / "open.png" if out is None else Path(out)
    try:
        write_private(path, picture) if out is None else path.write_bytes(picture)
    except OSError as error:
        raise StorageError(f"{path} cannot be written ({error.strerror}): name another file with --out") from error
    return path


@contextmanager
def drawing() -> Iterator[Draw]:
    """A function that draws pages of PDFs as PNG, in a separate process: path, name, page from 1, width, password.

    It raises a `DocumentError` for a page that cannot be drawn.
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
    """Start the system's viewer, if there is one and a display."""
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
