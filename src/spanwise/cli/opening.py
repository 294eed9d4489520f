"""`spanwise open`: the page that proves an answer, its cited lines marked, in the viewer of the system."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from spanwise.cli.last_answer import last_answer, write_private
from spanwise.cli.output import printable, stderr, stdout
from spanwise.cli.settings import user_folder
from spanwise.errors import InputError, StorageError
from spanwise.export.highlight import highlight
from spanwise.export.pieces import place

if TYPE_CHECKING:
    from spanwise.cli.last_answer import LastAnswer
    from spanwise.domain.claim import Citation


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
    from spanwise.serving.limits import Limits
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
