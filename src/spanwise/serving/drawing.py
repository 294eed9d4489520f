"""The process that draws pages with pdfium, which also read them; it exchanges frames on its standard streams."""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import json
import os
import signal
import struct
import sys
import zlib
from pathlib import Path
from typing import IO, TYPE_CHECKING

from spanwise.errors import DamagedDocumentError, SpanwiseError

if TYPE_CHECKING:
    import pypdfium2
    import pypdfium2.raw as pdfium

MOST_PIXELS = 2**24
"""Most pixels of a picture; a larger one is drawn at a lower resolution."""
MOST_SIDE = 16_384
"""Most pixels of one side: browsers show no longer ones."""
LONGEST_FRAME = 64 * 1024
"""Most bytes of a request, and of the header before a picture."""
_LENGTH = struct.Struct(">I")
# Higher levels take twice as long for a tenth of the bytes, and a picture is made while somebody waits for it.
_LEVEL = 2


def write_frame(pipe: IO[bytes], content: dict[str, object]) -> None:
    """Write a JSON object preceded by its length."""
    packed = json.dumps(content).encode()
    pipe.write(_LENGTH.pack(len(packed)) + packed)


def read_frame(pipe: IO[bytes]) -> dict[str, object]:
    """Read an object that `write_frame` wrote; raises `EOFError` at the end and `ValueError` for invalid data."""
    head = pipe.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        raise EOFError
    (length,) = _LENGTH.unpack(head)
    if length > LONGEST_FRAME:
        raise ValueError("the frame is too long")
    packed = pipe.read(length)
    if len(packed) < length:
        raise EOFError
    content = json.loads(packed)
    if not isinstance(content, dict):
        raise ValueError("the frame is no object")  # noqa: TRY004 - of what was sent
    return content


def size_of(across: float, down: float, width: int) -> tuple[int, int]:
    """Width and height in pixels of a page drawn `width` pixels wide, within the limits of a picture."""
    across, down = max(across, 1.0), max(down, 1.0)
    scale = min(width / across, (MOST_PIXELS / (across * down)) ** 0.5, MOST_SIDE / across, MOST_SIDE / down)
    return max(1, round(across * scale)), max(1, round(down * scale))


def draw(document: pypdfium2.PdfDocument, name: str, number: int, width: int) -> bytes:
    """Page `number` as a PNG, as pdfium shows it: rotated and cropped like the boxes of its lines."""
    import pypdfium2.raw as pdfium

    page = _loaded(document, number - 1)
    if not page:
        raise _undrawn(name, number)
    try:
        across, down = size_of(pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page), width)
        # Each row of a PNG begins with a byte for its filter; pdfium leaves it as it is: 0, none.
        stride = 3 * across + 1
        rows = bytearray(stride * down + 1)
        pixels = (ctypes.c_ubyte * len(rows)).from_buffer(rows)
        bitmap = pdfium.FPDFBitmap_CreateEx(
            across, down, pdfium.FPDFBitmap_BGR, ctypes.c_void_p(ctypes.addressof(pixels) + 1), stride
        )
        if not bitmap:
            raise _undrawn(name, number)
        pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, across, down, 0xFFFFFFFF)
        flags = pdfium.FPDF_ANNOT | pdfium.FPDF_REVERSE_BYTE_ORDER
        pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, across, down, 0, flags)
        pdfium.FPDFBitmap_Destroy(bitmap)
    finally:
        pdfium.FPDF_ClosePage(page)
    return _png(across, down, memoryview(rows)[:-1])


def _loaded(document: pypdfium2.PdfDocument, index: int) -> pdfium.FPDF_PAGE:
    """A page, or null if it cannot be loaded; one without an area gets the one that its reader gave it (US Letter)."""
    import pypdfium2.raw as pdfium

    page = pdfium.FPDF_LoadPage(document.raw, index)
    if not page or min(pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)) > 0:
        return page
    for change in (pdfium.FPDFPage_SetMediaBox, pdfium.FPDFPage_SetCropBox):
        change(page, 0.0, 0.0, 612.0, 792.0)
    pdfium.FPDF_ClosePage(page)
    return pdfium.FPDF_LoadPage(document.raw, index)


def _undrawn(name: str, number: int) -> DamagedDocumentError:
    return DamagedDocumentError(
        f"Page {number} of {name} is damaged and cannot be drawn; its lines can still be read as text.", document=name
    )


def _png(width: int, height: int, rows: memoryview) -> bytes:
    """A PNG (ISO/IEC 15948) of rows of 8-bit RGB, each preceded by its filter byte."""
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(rows, _LEVEL)), (b"IEND", b""))
    parts = [b"\x89PNG\r\n\x1a\n"]
    for kind, data in chunks:
        parts += [_LENGTH.pack(len(data)), kind, data, _LENGTH.pack(zlib.crc32(data, zlib.crc32(kind)))]
    return b"".join(parts)


class LastDocument:
    """The document drawn last, kept open, as pages are mostly requested one after another."""

    def __init__(self) -> None:
        # Imported now, as somebody waits for the first page.
        from spanwise.readers.images import image_as_pdf, is_image
        from spanwise.readers.pdf.opened_pdf import open_pdf

        self._open_pdf, self._is_image, self._image_as_pdf = open_pdf, is_image, image_as_pdf
        self._opened = contextlib.ExitStack()
        self._key: tuple[str, str | None] | None = None
        self._document: pypdfium2.PdfDocument | None = None

    def draw(self, request: dict[str, object]) -> bytes:
        """The requested page as a PNG."""
        name, password = str(request["name"]), request["password"]
        key = (str(request["sha256"]), None if password is None else str(password))
        if self._document is None or key != self._key:
            self._open(Path(str(request["path"])), name, key)
        if self._document is None:
            raise AssertionError("it has just been opened")
        return draw(self._document, name, int(str(request["page"])), int(str(request["width"])))

    def _open(self, path: Path, name: str, key: tuple[str, str | None]) -> None:
        from spanwise.readers.port import Limits, ReadOptions

        self._opened.close()
        self._document, self._key = None, key
        data = path.read_bytes()
        if hashlib.sha256(data).hexdigest() != key[0]:
            raise FileNotFoundError
        if self._is_image(data):
            data = self._image_as_pdf(data, name, Limits())
        self._document = self._opened.enter_context(self._open_pdf(data, name, ReadOptions(password=key[1]))).document


def serve() -> None:
    """Answer drawing requests from standard input until it ends; the first argument is the limit of memory in bytes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to the whole group, and the parent decides
    _bound_memory(int(sys.argv[1]))
    requests = sys.stdin.buffer
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a library prints must not get into the answers
    desk = LastDocument()
    with contextlib.suppress(EOFError, BrokenPipeError):
        while True:
            _answer(desk, read_frame(requests), answers)


def _answer(desk: LastDocument, request: dict[str, object], answers: IO[bytes]) -> None:
    try:
        picture = desk.draw(request)
    except (SpanwiseError, OSError) as error:
        kind = "FileNotFoundError" if isinstance(error, OSError) else type(error).__name__
        write_frame(answers, {"error": kind, "message": str(error)[:2_000]})
    else:
        write_frame(answers, {"bytes": len(picture)})
        answers.write(picture)
    answers.flush()


def _bound_memory(most: int) -> None:
    """Limit this process to `most` bytes of address space, if the system can."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (most, most))
