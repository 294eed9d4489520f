"""What is told of a document, its public id, and names that come from a client made safe to keep and to show."""

from __future__ import annotations

import hashlib
import unicodedata
from dataclasses import dataclass
from typing import Final

from spanwise.readers.job import Failure
from spanwise.serving.facts import Facts
from spanwise.store.port import StoredDocument

LONGEST_NAME = 200
"""Characters of a document's name."""
UNNAMED = "document"
_ID_CHARACTERS = 16
_LONGEST_SUFFIX = 16
_LONGEST_GIVEN = 10_000
# Control, format (bidi and zero width), surrogate, private, unassigned; separators of lines and paragraphs.
_UNFIT = frozenset(["Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"])

SUFFIXES: Final = {
    "pdf": ".pdf",
    "docx": ".docx",
    "odt": ".odt",
    "rtf": ".rtf",
    "slides": ".pptx",
    "epub": ".epub",
    "mail": ".eml",
    "html": ".html",
    "markdown": ".md",
    "csv": ".csv",
    "text": ".txt",
}
"""From the reader that took a file to the ending it is kept under; a client's ending is never used."""
MEDIA_TYPES: Final = {
    "pdf": "application/pdf",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "odt": "application/vnd.oasis.opendocument.text",
    "rtf": "application/rtf",
    "slides": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "epub": "application/epub+zip",
    "html": "text/html",
    "markdown": "text/markdown",
    "csv": "text/csv",
    "text": "text/plain",
}
DRAWN: Final = frozenset(["pdf", "image"])
"""Formats whose pages are shown as pictures."""


@dataclass(frozen=True, slots=True)
class Uploaded:
    """The documents of one upload, at least one: the file itself, and those that lie inside of it."""

    entries: tuple[Entry, ...]
    failed: tuple[Failure, ...] = ()
    """Files inside of it that could not be read."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A document as it is listed."""

    id: str
    """The first 16 hexadecimal digits of the SHA-256 of its name."""
    name: str
    format: str
    """Name of the reader that read it: pdf, docx, html, markdown, text, or one that was registered."""
    media_type: str
    lines: int
    pages: int | None
    """None for a format that has no pages."""
    sha256: str
    """Of the file's bytes."""
    size: int | None
    """Bytes of the file; None for a document that came from no file."""
    language: str | None = None
    """ISO 639-1 code, empty where its words tell none; None where it is not known yet, like what follows."""
    recognised: bool | None = None
    """Whether lines of it were recognised in a picture."""
    hidden: int | None = None
    """Texts in it that nobody can see."""


def entry_of(document: StoredDocument, facts: Facts | None = None) -> Entry:
    """What is told of a stored document."""
    return Entry(
        id=id_of(document.name),
        name=document.name,
        format=document.format,
        media_type=MEDIA_TYPES.get(document.format, "application/octet-stream"),
        lines=document.lines,
        pages=document.pages if document.paged else None,
        sha256=document.id,
        size=document.source.size if document.source else None,
        language=None if facts is None else facts.language,
        recognised=None if facts is None else facts.recognised,
        hidden=None if facts is None else facts.hidden,
    )


def id_of(name: str) -> str:
    """The public id of the document of that name."""
    return hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:_ID_CHARACTERS]


def spelled(text: str) -> str:
    r"""The text with each character that cannot be seen as its code: a zero-width space is `\u{200b}`."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        f"\\u{{{ord(one):x}}}" if unicodedata.category(one) in _UNFIT and one != "\n" else one for one in text
    )


def clean_path(folder: str, given: str) -> str:
    """The name of a file that was found in a folder: the names of both, each part cleaned; no path on the disk."""
    parts = [clean_name(part) for part in folder[:_LONGEST_GIVEN].replace("\\", "/").split("/") if part.strip(". ")]
    name = "/".join([*parts, clean_name(given)])
    return name if len(name) <= LONGEST_NAME else clean_name(name.replace("/", " - "))


def clean_name(given: str) -> str:
    """The name of an uploaded file as a document's name: its last part, without characters that deceive the eye.

    A name that had to be cut ends in a digest of the whole, so that two long names stay two documents.
    """
    text = unicodedata.normalize("NFC", given[:_LONGEST_GIVEN])
    last = text.replace("\\", "/").rstrip("/").rpartition("/")[2]
    kept = "".join(character for character in last if unicodedata.category(character) not in _UNFIT)
    name = " ".join(kept.split()).lstrip(". ").rstrip(". ")
    if not name:
        return UNNAMED
    if len(name) <= LONGEST_NAME:
        return name
    stem, dot, suffix = name.rpartition(".")
    if not stem or len(suffix) > _LONGEST_SUFFIX:
        stem, dot, suffix = name, "", ""
    mark = f"~{id_of(given)}{dot}{suffix}"
    return stem[: LONGEST_NAME - len(mark)] + mark
