"""Copies of the cited PDFs in which the cited lines are highlighted by annotations (pikepdf)."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from spanwise.domain.claim import Citation
from spanwise.domain.document import Box
from spanwise.errors import DocumentNotFoundError, HighlightError, StorageError
from spanwise.readers.files import check_place
from spanwise.readers.images import image_as_pdf, is_image
from spanwise.readers.members import file_of
from spanwise.readers.port import Failure, Job
from spanwise.readers.process import make_elsewhere
from spanwise.readers.reading import file_bytes

if TYPE_CHECKING:
    import pikepdf

YELLOW = (1.0, 0.88, 0.2)


@dataclass(frozen=True, slots=True)
class SourceFile:
    """The path of a cited document, and the SHA-256 that the file had when it was read."""

    path: Path
    sha256: str
    password: str | None = None


def highlight(
    citations: Sequence[Citation], target: Path, source_of: Callable[[str], SourceFile | None]
) -> tuple[Path, ...]:
    """Write highlighted copies of the cited PDFs: the first cited one to `target`, others beside it.

    Returns:
        The paths of the copies, in the order of the citations. The second document goes to `STEM-2.pdf`, and so on.

    Raises:
        HighlightError: No PDF or picture is cited, its file is not known, cannot be read or has changed, or is
            `target`.
        StorageError: A copy cannot be written.
    """
    if not citations:
        raise HighlightError("there is nothing to highlight: the answer cites no line")
    marked: dict[str, list[Citation]] = {}
    for citation in citations:
        if citation.boxes:
            marked.setdefault(citation.document, []).append(citation)
    if not marked:
        raise HighlightError("only PDFs and pictures can be highlighted, and the answer cites none")
    paths = (target, *(target.with_name(f"{target.stem}-{n}{target.suffix}") for n in range(2, len(marked) + 1)))
    sources = {name: _known(name, source_of) for name in marked}
    for path in paths:
        if any(_is_file_of(path, source) for source in sources.values()):
            raise HighlightError(f"{path} is the document itself: choose another file for the highlighted copy")
    # All are made before one is written, so that a document that fails leaves none of them behind.
    copies = [_marked_copy(name, sources[name], cited) for name, cited in marked.items()]
    for path, copy in zip(paths, copies, strict=True):
        _write(path, copy)
    return paths


def _known(name: str, source_of: Callable[[str], SourceFile | None]) -> SourceFile:
    source = source_of(name)
    if source is None:
        raise HighlightError(f"the file of {name} is not known: ask again with the file at hand")
    return source


def _is_file_of(path: Path, source: SourceFile) -> bool:
    with suppress(OSError, DocumentNotFoundError):
        return path.samefile(file_of(source.path))
    return False  # one of them does not exist


def _marked_copy(name: str, source: SourceFile, citations: Sequence[Citation]) -> bytes:
    try:
        file = file_of(source.path)
        check_place(file)
        data = file.read_bytes() if file == source.path else file_bytes(source.path)
    except (OSError, DocumentNotFoundError) as error:
        why = getattr(error, "strerror", None) or error
        raise HighlightError(f"{source.path} cannot be read ({why}): is it still there?") from error
    if hashlib.sha256(data).hexdigest() != source.sha256:
        raise HighlightError(f"{source.path} has changed since it was read: index it or ask again")
    marks = [
        [
            [box.page, box.x0, box.y0, box.x1, box.y1],
            f"[{citation.id}] {citation.document}, lines {citation.line_start}-{citation.line_end}",
            f"{citation.id}-{box.page}-{citation.line_start}-{round(box.y0)}",
        ]
        for citation in citations
        for box in citation.boxes
    ]
    # Even a file that was read without trouble may exhaust the memory of the library that writes it.
    job = Job("", name, source.password, data=data, function=f"{__name__}:marked", arguments={"marks": marks})
    made = make_elsewhere(job)
    if isinstance(made, Failure):
        raise HighlightError(made.message)
    return made


def marked(job: Job, marks: Sequence[tuple[Sequence[float], str, str]]) -> bytes:
    """The PDF of a job with highlights added, made inside a reader process."""
    import io

    import pikepdf

    data = job.data or b""
    if is_image(data):
        data = image_as_pdf(data, job.name, job.limits)
    try:
        pdf = pikepdf.open(io.BytesIO(data), password=job.password or "")
    except pikepdf.PasswordError as error:
        raise HighlightError(f"{job.name} is encrypted: give its password again to highlight it") from error
    except pikepdf.PdfError as error:
        raise HighlightError(f"{job.name} is too damaged to be written again: {error}") from error
    with pdf:
        for (number, x0, y0, x1, y1), told, name in marks:
            _annotate(pdf, Box(int(number), x0, y0, x1, y1), told, name)
        out = io.BytesIO()
        # A fixed document id and no modification date, so that the same answer gives the same bytes.
        pdf.save(out, deterministic_id=not pdf.is_encrypted, encryption=False)
        return out.getvalue()


def _annotate(pdf: pikepdf.Pdf, box: Box, told: str, name: str) -> None:
    import pikepdf

    page = pdf.pages[box.page - 1]
    x0, y0, x1, y1 = _to_user_space(box, _visible_area(page), int(page.rotation) % 360)
    appearance = pdf.make_stream(
        b"/G0 gs %.3f %.3f %.3f rg 0 0 %.2f %.2f re f" % (*YELLOW, x1 - x0, y1 - y0),
        Type=pikepdf.Name.XObject,
        Subtype=pikepdf.Name.Form,
        BBox=[0, 0, round(x1 - x0, 2), round(y1 - y0, 2)],
        Resources={"/ExtGState": {"/G0": {"/Type": pikepdf.Name.ExtGState, "/BM": pikepdf.Name.Multiply}}},
    )
    annotation = pikepdf.Dictionary(
        Type=pikepdf.Name.Annot,
        Subtype=pikepdf.Name.Highlight,
        Rect=[round(value, 2) for value in (x0, y0, x1, y1)],
        # The corners in the order that viewers expect: top left, top right, bottom left, bottom right.
        QuadPoints=[round(value, 2) for value in (x0, y1, x1, y1, x0, y0, x1, y0)],
        C=list(YELLOW),
        CA=1,
        F=4,  # visible in print
        T=pikepdf.String("Spanwise"),
        Contents=pikepdf.String(told),
        NM=pikepdf.String(name),
        AP={"/N": appearance},
    )
    if "/Annots" not in page.obj:
        page.obj.Annots = pdf.make_indirect(pikepdf.Array())
    page.obj.Annots.append(pdf.make_indirect(annotation))


def _visible_area(page: pikepdf.Page) -> tuple[float, float, float, float]:
    """The visible part of a page in its own coordinates: the intersection of crop box and media box."""
    crop = [float(value) for value in page.cropbox]
    media = [float(value) for value in page.mediabox]
    left, right = sorted((crop[0], crop[2]))
    bottom, top = sorted((crop[1], crop[3]))
    media_left, media_right = sorted((media[0], media[2]))
    media_bottom, media_top = sorted((media[1], media[3]))
    return max(left, media_left), max(bottom, media_bottom), min(right, media_right), min(top, media_top)


def _to_user_space(
    box: Box, area: tuple[float, float, float, float], rotation: int
) -> tuple[float, float, float, float]:
    """A box in the page's own coordinates (origin bottom left, unrotated), from one as displayed (origin top left)."""
    left, bottom, right, top = area
    if rotation == 90:
        return left + box.y0, bottom + box.x0, left + box.y1, bottom + box.x1
    if rotation == 180:
        return right - box.x1, bottom + box.y0, right - box.x0, bottom + box.y1
    if rotation == 270:
        return right - box.y1, top - box.x1, right - box.y0, top - box.x0
    return left + box.x0, top - box.y1, left + box.x1, top - box.y0


def _write(path: Path, data: bytes) -> None:
    """Write a file as a whole or not at all, by renaming a temporary file next to it."""
    temporary = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
            temporary = Path(file.name)
            file.write(data)
        os.chmod(temporary, 0o644)
        temporary.replace(path)
    except OSError as error:
        if temporary is not None:
            with suppress(OSError):
                temporary.unlink()
        raise StorageError(f"{path} cannot be written: {error.strerror}; choose another place") from error
