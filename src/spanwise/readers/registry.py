"""The choice of a reader for a file: content counts before the name, and registered readers before built-in ones."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from importlib import import_module
from importlib.util import find_spec
from shutil import which
from typing import TypeAlias

from spanwise.domain.document import Document, Notice
from spanwise.errors import (
    DamagedDocumentError,
    EmptyDocumentError,
    InputError,
    LimitError,
    PasswordError,
    SpanwiseError,
    UnsupportedFormatError,
)
from spanwise.readers.builder import check_document
from spanwise.readers.files import File, load
from spanwise.readers.port import Limits, Ocr, PageProgress, Reader, ReadOptions, ocr_of_environment
from spanwise.readers.sniffing import Content, as_written, sniff
from spanwise.store.codec import PackedLines
from spanwise.text.languages import languages_of

UserReader: TypeAlias = Callable[[bytes, str], Document]
"""A reader for `register_reader`: a callable from the bytes and the name of a file to a Document."""


class UnknownReaderError(InputError):
    """There is no reader of that name."""


@dataclass(frozen=True, slots=True)
class ReaderInfo:
    """A reader as `doctor` lists it."""

    name: str
    suffixes: tuple[str, ...]
    mime: tuple[str, ...]
    built_in: bool


@dataclass(frozen=True, slots=True)
class _Entry:
    info: ReaderInfo
    reader: Reader


def _reader(place: str) -> Reader:
    """A built-in reader by its module and function; its libraries are imported at the first use."""
    module, _, function = place.partition(":")

    def read(data: bytes, name: str, options: ReadOptions) -> Document:
        found: Reader = getattr(import_module(f"spanwise.readers.{module}"), function)
        return found(data, name, options)

    return read


_pdf = _reader("pdf:read_pdf")


def _ocr(data: bytes, name: str, options: ReadOptions) -> Document:
    return _pdf(data, name, replace(options, ocr=replace(options.ocr, mode="always")))


def _built_in(name: str, reader: Reader | str, suffixes: str, types: str) -> _Entry:
    info = ReaderInfo(name, tuple(suffixes.split()), tuple(types.split()), built_in=True)
    return _Entry(info, _reader(reader) if isinstance(reader, str) else reader)


IMAGES = (".png", ".jpg", ".jpeg", ".tif", ".tiff", ".webp", ".gif")
_OFFICE = "application/vnd.openxmlformats-officedocument"
_OPEN = "application/vnd.oasis.opendocument"

_BUILT_IN: dict[str, _Entry] = {
    entry.info.name: entry
    for entry in (
        _built_in("pdf", _pdf, ".pdf", "application/pdf"),
        _built_in("ocr", _ocr, "", "application/pdf"),
        _built_in(
            "image", "images:read_image", " ".join(IMAGES), "image/png image/jpeg image/tiff image/webp image/gif"
        ),
        _built_in("docx", "docx:read_docx", ".docx .docm", f"{_OFFICE}.wordprocessingml.document"),
        _built_in(
            "sheets",
            "sheets:read_sheets",
            ".xlsx .xlsm .xlsb .xls .ods",
            f"{_OFFICE}.spreadsheetml.sheet application/vnd.ms-excel {_OPEN}.spreadsheet",
        ),
        _built_in("slides", "slides:read_slides", ".pptx .pptm", f"{_OFFICE}.presentationml.presentation"),
        _built_in("odt", "odt:read_odt", ".odt", f"{_OPEN}.text"),
        _built_in("rtf", "rtf:read_rtf", ".rtf", "application/rtf text/rtf"),
        _built_in("epub", "epub:read_epub", ".epub", "application/epub+zip"),
        _built_in("mail", "mail:read_mail", ".eml .msg", "message/rfc822 application/vnd.ms-outlook"),
        _built_in("archive", "members:read_archive", ".zip .mbox", "application/zip application/mbox"),
        _built_in("html", "html:read_html", ".html .htm .xhtml", "text/html application/xhtml+xml"),
        _built_in("markdown", "markdown:read_markdown", ".md .markdown", "text/markdown"),
        _built_in("csv", "plain:read_delimited", ".csv .tsv", "text/csv text/tab-separated-values"),
        _built_in("text", "plain:read_text", ".txt .text .log", "text/plain"),
    )
}
_REGISTERED: dict[str, _Entry] = {}
"""Readers that this process's user registered; the latest is last and is asked first."""

_PACKED = ("pdf", "docx", "sheets", "slides", "odt", "epub", "rtf", "image")
"""Formats that content proves; a file whose name promises one without such content is damaged."""
_PROVED = (*_PACKED, "mail", "archive")
"""These, and two formats that content may prove, but that can also look like text."""

_CALLED = {
    "pdf": "a PDF",
    "image": "a picture",
    "docx": "a Word document (.docx)",
    "sheets": "a spreadsheet",
    "slides": "a presentation (.pptx)",
    "odt": "an OpenDocument text (.odt)",
    "epub": "an EPUB book",
    "rtf": "rich text (.rtf)",
}


def read_here(
    path_or_bytes: str | os.PathLike[str] | bytes,
    *,
    name: str | None = None,
    password: str | None = None,
    limits: Limits | None = None,
    reader: str | None = None,
    ocr: Ocr | None = None,
    progress: PageProgress | None = None,
    processes: int = 1,
) -> Document:
    """Read one file in this process; called in a reading process, as `readers.reading.read` is elsewhere.

    Its pages may be read by up to `processes` processes in parallel: this one and forks of it.
    """
    options = ReadOptions(password, limits or Limits(), ocr or ocr_of_environment(), processes=processes)
    if progress is not None:
        options = replace(options, progress=progress)
    forced = _named(reader) if reader is not None else None
    file = load(path_or_bytes, name, options.limits)
    if not file.data:
        raise EmptyDocumentError(f"{file.name} is empty (0 bytes): give a file with text in it.", document=file.name)
    if forced is not None:
        return _run(forced, file.data, file.name, options)
    entry, notices = _choose(file.data, file.name, file.suffix)
    document = _run(entry, file.data, file.name, options)
    return replace(document, notices=notices + document.notices) if notices else document


def reader_of(file: File, reader: str | None) -> ReaderInfo:
    """The reader that would be used for a file."""
    return (_named(reader) if reader is not None else _choose(file.data, file.name, file.suffix)[0]).info


def too_much_memory(name: str, limits: Limits) -> LimitError:
    """The error for a document that needs more memory, or a deeper stack, than is allowed."""
    return LimitError(
        f"{name} is too large or too deep for {limits.memory:,} bytes of memory: split it, save it again in a simpler "
        "form, or raise the limit (Limits.memory) if you trust it.",
        document=name,
    )


def register_reader(name: str, reader: UserReader, *, suffixes: Iterable[str] = (), mime: Iterable[str] = ()) -> None:
    """Add a reader, or replace the one registered under that name.

    Args:
        name: Its name for `read(..., reader=name)` and the `reparse` action; it may replace a built-in one.
        reader: Called with the bytes and the name of the file.
        suffixes: Suffixes of the files that it is chosen for, such as ".eml".
        mime: Media types that it is chosen for, such as "application/pdf".

    Raises:
        InputError: The name is empty or the reader is not callable.
    """
    if not name.strip():
        raise InputError("A reader needs a name.")
    if not callable(reader):
        raise InputError(f"The reader {name!r} must be callable with (bytes, name) and return a Document.")

    chosen = name

    def adapted(data: bytes, name: str, options: ReadOptions) -> Document:  # noqa: ARG001 - the port's shape
        return reader(data, name)

    endings = tuple(suffix.lower() if suffix.startswith(".") else f".{suffix.lower()}" for suffix in suffixes)
    info = ReaderInfo(chosen, endings, tuple(kind.lower() for kind in mime), built_in=False)
    _REGISTERED.pop(chosen, None)
    _REGISTERED[chosen] = _Entry(info, adapted)


def unregister_reader(name: str) -> None:
    """Undo `register_reader`; a built-in reader of that name is used again.

    Raises:
        UnknownReaderError: No reader was registered under that name.
    """
    if name not in _REGISTERED:
        raise UnknownReaderError(f"No reader was registered as {name!r}.")
    del _REGISTERED[name]


def available_readers() -> tuple[ReaderInfo, ...]:
    """All readers, built-in ones first."""
    merged = {**_BUILT_IN, **_REGISTERED}
    return tuple(entry.info for entry in merged.values())


def supported_suffixes() -> frozenset[str]:
    """Suffixes of the files that are taken from a folder; those of pictures only if text recognition is possible."""
    known = frozenset(suffix for info in available_readers() for suffix in info.suffixes)
    reads = which("tesseract") and find_spec("PIL") and ocr_of_environment().mode != "never"
    return known if reads else known.difference(IMAGES)


def _named(name: str) -> _Entry:
    entry = _REGISTERED.get(name) or _BUILT_IN.get(name)
    if entry is None:
        known = ", ".join(info.name for info in available_readers())
        raise UnknownReaderError(f"There is no reader {name!r}; there are {known}.")
    return entry


def _choose(data: bytes, name: str, suffix: str) -> tuple[_Entry, tuple[Notice, ...]]:
    by_suffix = next((entry for entry in _BUILT_IN.values() if suffix in entry.info.suffixes), None)
    promised = by_suffix.info.name if by_suffix else None
    content = sniff(data, text_suffix=promised not in (*_PACKED, None))
    for entry in reversed(_REGISTERED.values()):
        if suffix in entry.info.suffixes or content.mime in entry.info.mime:
            return entry, ()
    if content.kind in _PACKED or (content.kind in _PROVED and promised not in _PACKED):
        return _BUILT_IN[content.kind], _told(name, suffix, content, promised)
    if content.kind == "encrypted":
        raise PasswordError(f"{name} is {content.looks}: {content.advice}.", document=name)
    if promised in _PACKED:
        message = f"{name} is not {_CALLED[promised]}: it looks like {content.looks}; {content.advice}."
        raise DamagedDocumentError(message, document=name)
    if content.kind in ("other", "binary"):
        raise UnsupportedFormatError(f"{name} is {content.looks}: {content.advice}.", document=name)
    if by_suffix is not None:
        return by_suffix, ()
    if content.kind == "text" and not suffix:
        return _BUILT_IN[as_written(data)], ()
    return _BUILT_IN[content.kind], _told(name, suffix, content, promised)


def _told(name: str, suffix: str, content: Content, promised: str | None) -> tuple[Notice, ...]:
    if promised == content.kind or not suffix:
        return ()
    return (Notice("content_type", f"{name} is {content.looks} in spite of its name, and was read as one."),)


def _run(entry: _Entry, data: bytes, name: str, options: ReadOptions) -> Document:
    info = entry.info
    try:
        document = entry.reader(data, name, options)
    except (SpanwiseError, ImportError):  # A library that is missing is no fault of the file.
        raise
    except (MemoryError, RecursionError) as error:
        raise too_much_memory(name, options.limits) from error
    except Exception as error:  # A reader meets hostile files, and may be somebody else's code.
        raise DamagedDocumentError(
            f"{name} could not be read by the reader {info.name!r} ({type(error).__name__}: {error}): "
            "open it in the program that made it, save it again and give that.",
            document=name,
        ) from error
    if not info.built_in and isinstance(document, Document):
        document = replace(document, id=hashlib.sha256(data).hexdigest(), name=name, format=info.name)
    check_document(document, info.name, name)
    lines = document.lines
    if isinstance(lines, PackedLines):
        return replace(document, languages=languages_of(lines.texts(), lines.characters))
    texts = [line.text for line in lines]
    return replace(document, languages=languages_of(texts, sum(map(len, texts))))
