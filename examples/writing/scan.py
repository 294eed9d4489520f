"""A scan: pages that were printed, laid a little askew on a scanner, and kept as pictures without text."""

import io
import random

import pypdfium2
from PIL import Image, ImageChops
from reportlab.lib.pagesizes import A4
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

DOTS = 150
"""Dots an inch: enough for a recogniser of text, and small."""


def scan_of(record: dict[str, str], pdf: bytes) -> bytes:
    """The pages of a PDF as pictures in one."""
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=A4, invariant=1, pageCompression=0)
    canvas.setTitle(record["title"])
    canvas.setAuthor(record["author"])
    chance = random.Random(record["file"])
    with pypdfium2.PdfDocument(pdf) as document:
        for page in document:
            picture = page.render(scale=DOTS / 72, grayscale=True).to_pil()
            canvas.drawImage(ImageReader(_scanned(picture, chance)), 0, 0, *A4)
            canvas.showPage()
    canvas.save()
    return out.getvalue()


def _scanned(page: Image.Image, chance: random.Random) -> Image.Image:
    """A page in black and white, turned by half a degree, with specks."""
    turned = page.rotate(0.5, resample=Image.Resampling.BICUBIC, fillcolor=255)
    dust = Image.new("L", turned.size, 255)
    for _ in range(140):
        dust.putpixel((chance.randrange(dust.width), chance.randrange(dust.height)), 60)
    return ImageChops.darker(turned, dust).convert("1", dither=Image.Dither.NONE)
