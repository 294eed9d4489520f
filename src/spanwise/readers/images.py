"""Pictures as documents: each becomes a page of a PDF, so that it is recognised, shown and highlighted like a scan."""

from __future__ import annotations

import hashlib
import io
import warnings
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from spanwise.domain.document import Document
from spanwise.errors import DamagedDocumentError, LimitError, RecognitionError, install_line
from spanwise.readers.bounds import beyond
from spanwise.readers.port import Limits, ReadOptions
from spanwise.readers.sniffing import sniff

if TYPE_CHECKING:
    import pikepdf
    from PIL.Image import Image

_FORMATS = ("PNG", "JPEG", "TIFF", "WEBP", "GIF")
_MOST_PIXELS = 120_000_000
"""Pictures with more pixels are refused before unpacking; a newspaper page at 600 dots per inch has 100 million."""
_ENOUGH_PIXELS = 40_000_000
"""Pictures with more pixels are scaled down to this."""
_LONGEST_SIDE = 30_000
_LEAST_POINTS, _MOST_POINTS = 3.0, 14_400.0
"""Shortest and longest side of a PDF page, in points."""
_INCHES = 8.27
"""The shorter side, in inches, of a picture without a stated resolution: that of A4."""
_LEAST_DOTS, _GUESSED_DOTS, _MOST_DOTS = 96.0, 300.0, 1_200.0
_POINTS = 72
_QUALITY = 92


def is_image(data: bytes) -> bool:
    """True if the bytes are a picture in a format that can be read."""
    return sniff(data[:4096]).kind == "image"


def read_image(data: bytes, name: str, options: ReadOptions) -> Document:
    """Read a picture, or the pictures of a TIFF as pages."""
    from spanwise.readers.pdf import read_pdf

    document = read_pdf(image_as_pdf(data, name, options.limits), name, replace(options, password=None))
    return replace(document, id=hashlib.sha256(data).hexdigest(), format="image")


def image_as_pdf(data: bytes, name: str, limits: Limits) -> bytes:
    """A PDF with a page for each picture of a file; the same file always gives the same bytes.

    Raises:
        RecognitionError: Pillow is not installed.
        LimitError: A picture has too many pixels, or the file has too many pictures.
        DamagedDocumentError: The file cannot be unpacked.
    """
    try:
        from PIL import Image, UnidentifiedImageError
    except ImportError as error:
        raise RecognitionError(
            f"Pictures such as {name} are read with Pillow: install it ({install_line('ocr')}).", document=name
        ) from error
    import pikepdf

    out = pikepdf.new()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of sizes, which are bounded here, and of tags that nobody needs
            with Image.open(io.BytesIO(data), formats=_FORMATS) as opened:
                for picture in _frames(opened, name, limits):
                    _add_page(out, picture)
    except Image.DecompressionBombError as error:
        raise _too_many_pixels(name) from error
    except (LimitError, MemoryError):
        raise
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, EOFError, TypeError, KeyError) as error:
        why = "" if isinstance(error, UnidentifiedImageError) else f" ({error})"
        raise DamagedDocumentError(
            f"{name} is damaged and cannot be shown as a picture{why}: save or download it again.", document=name
        ) from error
    packed = io.BytesIO()
    out.save(packed, static_id=True)
    return packed.getvalue()


def _frames(opened: Image, name: str, limits: Limits) -> Iterator[Image]:
    """The pictures of a file: all pages of a TIFF, but only the first frame of an animation."""
    from PIL import ImageOps

    count = getattr(opened, "n_frames", 1) if opened.format == "TIFF" else 1
    if count > limits.recognised_pages:
        raise beyond(
            name, f"has {count:,} pictures, more than {limits.recognised_pages:,}", "recognised_pages", trusted=False
        )
    for number in range(count):
        opened.seek(number)
        if opened.width * opened.height > _MOST_PIXELS:
            raise _too_many_pixels(name)
        dots = _dots(opened)
        smaller = min((_ENOUGH_PIXELS / (opened.width * opened.height)) ** 0.5, _LONGEST_SIDE / max(opened.size))
        if smaller < 1:
            size = max(1, round(opened.width * smaller)), max(1, round(opened.height * smaller))
            opened.draft("RGB" if opened.mode == "RGB" else "L", size)
            dots *= smaller
            picture = _plain(opened)
            picture.thumbnail(size)
        else:
            picture = _plain(opened)
        picture = ImageOps.exif_transpose(picture)
        dots = min(max(dots, max(picture.size) * _POINTS / _MOST_POINTS), min(picture.size) * _POINTS / _LEAST_POINTS)
        picture.info["dpi"] = (dots, dots)
        yield picture


def _plain(picture: Image) -> Image:
    """The picture as black and white, grey or RGB, with white behind transparent parts."""
    from PIL import Image

    picture.load()
    if picture.mode.startswith("I") or picture.mode == "F":
        low, high = picture.getextrema()
        span = max(float(high) - float(low), 1.0)  # type: ignore[arg-type]  # one band
        return picture.point(lambda value: (value - float(low)) * (255 / span)).convert("L")  # type: ignore[arg-type]
    if "A" in picture.mode or "transparency" in picture.info:
        seen = picture.convert("RGBA")
        ground = Image.new("RGBA", seen.size, "white")
        plain = Image.alpha_composite(ground, seen).convert("RGB")
        plain.info.update(picture.info)
        return plain
    return picture.copy() if picture.mode in ("1", "L", "RGB") else picture.convert("RGB")


def _dots(picture: Image) -> float:
    """Pixels per inch: as the file states, or estimated from A4 where it states nothing or a screen's resolution."""
    given = picture.info.get("dpi")
    said = float(given[0]) if isinstance(given, tuple) and given and given[0] else 0.0
    if _LEAST_DOTS < said <= _MOST_DOTS:
        return said
    return min(max(min(picture.size) / _INCHES, _LEAST_DOTS), _GUESSED_DOTS)


def _add_page(out: pikepdf.Pdf, picture: Image) -> None:
    import pikepdf

    dots = picture.info["dpi"][0]
    kinds = {"Type": pikepdf.Name.XObject, "Subtype": pikepdf.Name.Image}
    if picture.mode == "1":
        data, bits, space = picture.tobytes(), 1, pikepdf.Name.DeviceGray
    else:
        packed = io.BytesIO()
        picture.save(packed, "JPEG", quality=_QUALITY)
        data, bits = packed.getvalue(), 8
        space = pikepdf.Name.DeviceGray if picture.mode == "L" else pikepdf.Name.DeviceRGB
        kinds["Filter"] = pikepdf.Name.DCTDecode
    width, height = picture.width * _POINTS / dots, picture.height * _POINTS / dots
    image = pikepdf.Stream(
        out, data, **kinds, Width=picture.width, Height=picture.height, ColorSpace=space, BitsPerComponent=bits
    )
    out.add_blank_page(page_size=(width, height))
    page = out.pages[-1]
    name = page.add_resource(image, pikepdf.Name.XObject)
    page.contents_add(f"q {width:.3f} 0 0 {height:.3f} 0 0 cm {name} Do Q".encode())


def _too_many_pixels(name: str) -> LimitError:
    return LimitError(
        f"{name} has more than {_MOST_PIXELS:,} pixels: make it smaller (300 dots an inch are enough for text).",
        document=name,
    )
