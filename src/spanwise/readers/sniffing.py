"""Recognition of a file's format from its bytes, whatever its name says."""

from __future__ import annotations

import io
import re
import struct
import zipfile
import zlib
from dataclasses import dataclass
from typing import Literal, TypeAlias

from spanwise.readers.decoding import DOCUMENTS, try_decode

Kind: TypeAlias = Literal[
    "pdf",
    "docx",
    "sheets",
    "slides",
    "odt",
    "epub",
    "rtf",
    "image",
    "mail",
    "archive",
    "encrypted",
    "html",
    "text",
    "other",
    "binary",
]

_HEAD = 1024
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_SAVE_AS = "save it as PDF or DOCX and give that"
_AS_PICTURE = "save it as PNG or JPEG and give that"


@dataclass(frozen=True, slots=True)
class Content:
    """The recognised format.

    `looks` completes "it looks like ..."; `advice` says what to do about a format that no reader takes.
    """

    kind: Kind
    looks: str
    advice: str = f"give {DOCUMENTS}"
    mime: str = "application/octet-stream"


_PDF = Content("pdf", "a PDF", mime="application/pdf")
_DOCX = Content(
    "docx", "a Word document", mime="application/vnd.openxmlformats-officedocument.wordprocessingml.document"
)
_HTML = Content("html", "an HTML page", "rename it to .html, or download the document again", "text/html")
_TEXT = Content("text", "plain text", "rename it to .txt if that is what it is", "text/plain")
_BINARY = Content("binary", "binary data of no known format")
_ENCRYPTED = Content(
    "encrypted", "an Office document with a password", "open it, remove the password, save it and give that"
)

_UNPACK = "unpack it and give the files in it"
_AS_PDF = "save it as PDF and give that"
_OFFICE = "application/vnd.openxmlformats-officedocument"


def _other(looks: str, mime: str, advice: str) -> Content:
    return Content("other", looks, advice, mime)


_TIFF = Content("image", "a TIFF image", mime="image/tiff")
_GIF = Content("image", "a GIF image", mime="image/gif")
_MAGICS = (
    (b"\x89PNG\r\n\x1a\n", Content("image", "a PNG image", mime="image/png")),
    (b"\xff\xd8\xff", Content("image", "a JPEG image", mime="image/jpeg")),
    (b"GIF87a", _GIF),
    (b"GIF89a", _GIF),
    (b"II*\x00", _TIFF),
    (b"MM\x00*", _TIFF),
    (b"{\\rtf", Content("rtf", "a rich text (RTF) document", mime="application/rtf")),
    (b"%!PS", _other("a PostScript file", "application/postscript", "convert it to PDF (ps2pdf) and give that")),
    (b"\x1f\x8b", _other("a gzip archive", "application/gzip", _UNPACK)),
    (b"BZh", _other("a bzip2 archive", "application/x-bzip2", _UNPACK)),
    (b"\xfd7zXZ\x00", _other("an xz archive", "application/x-xz", _UNPACK)),
    (b"7z\xbc\xaf\x27\x1c", _other("a 7-Zip archive", "application/x-7z-compressed", _UNPACK)),
    (b"Rar!\x1a\x07", _other("a RAR archive", "application/vnd.rar", _UNPACK)),
    (b"SQLite format 3\x00", _other("an SQLite database", "application/vnd.sqlite3", "give the documents themselves")),
    (b"\x7fELF", _other("a program", "application/x-executable", "give a document")),
)

_OLE_STREAMS = (
    ("EncryptedPackage", _ENCRYPTED),
    ("WordDocument", _other("an old Word document (.doc)", "application/msword", "save it as .docx and give that")),
    ("Workbook", Content("sheets", "an old Excel workbook (.xls)", mime="application/vnd.ms-excel")),
    ("PowerPoint Document", _other("an old PowerPoint file (.ppt)", "application/vnd.ms-powerpoint", _AS_PDF)),
    ("__substg1.0_", Content("mail", "an Outlook message", mime="application/vnd.ms-outlook")),
)
_OLD_OFFICE = _other("an old Office file", "application/x-ole-storage", _SAVE_AS)

_EXCEL = Content("sheets", "an Excel workbook", mime=f"{_OFFICE}.spreadsheetml.sheet")
_OPEN_SHEET = Content("sheets", "an OpenDocument spreadsheet", mime="application/vnd.oasis.opendocument.spreadsheet")
_SLIDES = Content("slides", "a PowerPoint presentation", mime=f"{_OFFICE}.presentationml.presentation")
_EPUB = Content("epub", "an EPUB book", mime="application/epub+zip")
_ZIP_PARTS = (
    ("xl/workbook.xml", _EXCEL),
    ("xl/workbook.bin", _EXCEL),
    ("ppt/presentation.xml", _SLIDES),
    ("META-INF/container.xml", _EPUB),
    ("content.xml", _other("an OpenDocument file", "application/vnd.oasis.opendocument.text", _SAVE_AS)),
)
_OPEN_MARKS = {
    b"application/vnd.oasis.opendocument.spreadsheet": _OPEN_SHEET,
    b"application/vnd.oasis.opendocument.text": Content(
        "odt", "an OpenDocument text", mime="application/vnd.oasis.opendocument.text"
    ),
}
_ZIP = Content("archive", "a ZIP archive", mime="application/zip")
_IN_CUT_ZIP = (
    (b"word/", _DOCX),
    (b"xl/", _EXCEL),
    (b"ppt/", _SLIDES),
    (b"META-INF/container.xml", _EPUB),
    *_OPEN_MARKS.items(),
)

_MAIL = Content("mail", "a message", "save it as .eml and give that", "message/rfc822")
_MAIL_START = re.compile(rb"(?:[!-9;-~]{1,60}:[^\r\n]{0,1000}\r?\n(?:[ \t][^\r\n]{0,1000}\r?\n){0,20}){3,}", re.ASCII)
_MAIL_FIELDS = re.compile(
    rb"^(?:From|To|Subject|Date|Message-ID|Received|MIME-Version|Return-Path):", re.IGNORECASE | re.MULTILINE
)
_LEAST_FIELDS = 3
_HTML_START = re.compile(
    rb"(?:\xef\xbb\xbf)?\s{0,256}(?:<\?xml[^>]{0,200}>\s{0,64})?(?:<!--.{0,512}?-->\s{0,64})?<(?:!doctype\s+html|html)\b",
    re.IGNORECASE | re.DOTALL,
)


def sniff(data: bytes, *, text_suffix: bool = False) -> Content:
    """The format of `data`.

    With `text_suffix`, the name is that of a text file, which may be in any encoding and may mention "%PDF-".
    """
    if _is_pdf(data, text_suffix=text_suffix):
        return _PDF
    if (packed := _packed(data)) is not None:
        return packed
    if _HTML_START.match(data[: 2 * _HEAD]):
        return _HTML
    if not text_suffix and (start := _MAIL_START.match(data[: 8 * _HEAD])) is not None:
        fields = {field.lower() for field in _MAIL_FIELDS.findall(start[0])}
        if len(fields) >= _LEAST_FIELDS:
            return _MAIL
    return _TEXT if text_suffix or try_decode(data) else _BINARY


_LOOKED_AT = 16_384
"""Bytes from which the notation of a text without a suffix is determined."""
_MARKDOWN = re.compile(r"^#{1,6} \S[^\n]*\n[ \t]*\n|^\|?[ \t]*:?-{3,}:?[ \t]*\|[ \t|:-]*$", re.MULTILINE)
"""A heading with an empty line below it, or the delimiter row of a table."""
_LEAST_RECORDS, _LEAST_CELLS = 3, 3
_LONGEST_CELL = 60
_PARTS = "\t;,"


def as_written(data: bytes) -> Literal["markdown", "csv", "text"]:
    """The notation of a text without a suffix: Markdown, records with the same number of cells each, or plain text."""
    head = data if len(data) <= _LOOKED_AT else data[: data.rfind(b"\n", 0, _LOOKED_AT) + 1]
    decoded = try_decode(head)
    text = decoded.text if decoded is not None else ""
    if _MARKDOWN.search(text):
        return "markdown"
    records = [line for line in text.splitlines() if line.strip()]
    for mark in _PARTS if len(records) >= _LEAST_RECORDS else "":
        rows = [line.split(mark) for line in records]
        cells = max(map(len, rows))
        short = max(len(cell) for row in rows for cell in row) <= _LONGEST_CELL
        if min(map(len, rows)) == cells >= _LEAST_CELLS and short:
            return "csv"
    return "text"


def _packed(data: bytes) -> Content | None:
    """The format of a file that begins with a known signature; None for others."""
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _zip(data)
    if data.startswith(_OLE):
        return _ole(data)
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return Content("image", "a WebP image", mime="image/webp")
    if data[4:8] == b"ftyp":
        return _other("a video or HEIC image", "video/mp4", _AS_PICTURE)
    return next((content for magic, content in _MAGICS if data.startswith(magic)), None)


def _is_pdf(data: bytes, *, text_suffix: bool) -> bool:
    if data.startswith(b"%PDF-"):
        return True
    if b"%PDF-" not in data[:_HEAD]:
        return False
    return not text_suffix or b"startxref" in data or b"endobj" in data


def _ole(data: bytes) -> Content:
    streams = _outermost(data)
    for stream, content in _OLE_STREAMS:
        if any(name.startswith(stream) for name in streams) or (not streams and stream.encode("utf-16-le") in data):
            return content
    return _OLD_OFFICE


def _outermost(data: bytes) -> frozenset[str]:
    """The names at the root of an OLE file: what is attached to it may be such a file, too; empty if it is damaged."""
    import olefile

    try:
        with olefile.OleFileIO(io.BytesIO(data)) as file:
            return frozenset(path[0] for path in file.listdir(streams=True, storages=True))
    except (OSError, ValueError, IndexError, KeyError, TypeError, AttributeError, OverflowError, struct.error):
        return frozenset()


def _zip(data: bytes) -> Content:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = frozenset(archive.namelist())
            with archive.open("mimetype") if "mimetype" in names else io.BytesIO() as file:
                mark = file.read(_HEAD).strip()
    except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, OSError, NotImplementedError, RuntimeError):
        # A truncated file lacks the directory, which is at its end; the local file names are still there.
        return next((content for mark, content in _IN_CUT_ZIP if mark in data), _ZIP)
    if any(name.startswith("word/document") for name in names):
        return _DOCX
    if mark in _OPEN_MARKS:
        return _OPEN_MARKS[mark]
    for part, content in _ZIP_PARTS:
        if part in names:
            return content
    return _ZIP
