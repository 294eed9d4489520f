"""Small PDFs for the tests of the reader, drawn with reportlab and rearranged with pikepdf."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence

import pikepdf
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from spanwise.domain.document import Document
from spanwise.readers.pdf import read_pdf
from spanwise.readers.port import Limits, Ocr, ReadOptions

WIDTH, HEIGHT = 612.0, 792.0
Draw = Callable[[Canvas], None]


def pdf(*pages: Draw) -> bytes:
    """A PDF with one page for each drawing."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=(WIDTH, HEIGHT), invariant=1)
    for draw in pages:
        canvas.setFont("Helvetica", 10)
        draw(canvas)
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def write(lines: Sequence[str], x: float = 72, top: float = 100, step: float = 14, font: str = "Helvetica") -> Draw:
    """Draws lines of text from `top` (measured from the upper edge) downwards."""

    def draw(canvas: Canvas) -> None:
        canvas.setFont(font, 10)
        for number, line in enumerate(lines):
            canvas.drawString(x, HEIGHT - top - number * step, line)

    return draw


def both(*draws: Draw) -> Draw:
    """Several drawings on one page."""

    def draw(canvas: Canvas) -> None:
        for one in draws:
            one(canvas)

    return draw


def picture() -> ImageReader:
    """A grey image."""
    from PIL import Image  # comes with reportlab

    return ImageReader(Image.new("L", (60, 80), 128))


def scan() -> ImageReader:
    """A picture with something dark in every part of it, like a page of print."""
    from PIL import Image  # comes with reportlab

    return ImageReader(Image.linear_gradient("L").resize((64, 64)).rotate(90))


def changed(data: bytes, change: Callable[[pikepdf.Pdf], None], **options: object) -> bytes:
    """The PDF after `change` has worked on it."""
    buffer = io.BytesIO()
    with pikepdf.open(io.BytesIO(data)) as opened:
        change(opened)
        opened.save(buffer, deterministic_id="encryption" not in options, **options)
    return buffer.getvalue()


def read(data: bytes, password: str | None = None, limits: Limits | None = None) -> Document:
    """Read a PDF under the name test.pdf."""
    return read_pdf(data, "test.pdf", ReadOptions(password, limits or Limits(), Ocr("never")))


def texts(document: Document) -> list[str]:
    """The text of all lines."""
    return [line.text for line in document.lines]


def codes(document: Document) -> set[str]:
    """The codes of all notices."""
    return {notice.code for notice in document.notices}


PROSE = (
    "The supplier delivers the goods to the place that the order names,",
    "and it bears the cost of carriage until they have been unloaded there.",
    "The buyer examines the goods within ten days after they have arrived",
    "and tells the supplier in writing about every defect that it has found.",
    "Goods about which nothing has been said within that time are accepted,",
    "unless the defect could not be seen when they were examined with care.",
)
