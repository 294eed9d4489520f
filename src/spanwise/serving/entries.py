"""Entries and public ids of documents, and client-given names made safe to store and to show.

Facts about a document are determined once and cached by the SHA-256 of its file, in a file that can always be rebuilt.
"""

from __future__ import annotations

import hashlib
import sqlite3
import threading
import unicodedata
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from spanwise.domain.document import Document
from spanwise.errors import SpanwiseError
from spanwise.readers.port import Failure
from spanwise.store.port import StoredDocument

LONGEST_NAME = 200
"""Most characters of a document's name."""
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
"""The suffix under which a file is stored, by the reader that took it; a client's suffix is never used."""
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
"""Formats whose pages can be drawn as pictures."""


@dataclass(frozen=True, slots=True)
class Uploaded:
    """The documents of one upload, at least one: the file itself, and those inside it."""

    entries: tuple[Entry, ...]
    failed: tuple[Failure, ...] = ()
    """Files inside it that could not be read."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A document's entry in the list of documents."""

    id: str
    """The first 16 hexadecimal digits of the SHA-256 of its name."""
    name: str
    format: str
    """Name of its reader: pdf, docx, html, markdown, text, ..., or a registered one."""
    media_type: str
    lines: int
    pages: int | None
    """None for a format without pages."""
    sha256: str
    """Digest of the file's bytes."""
    size: int | None
    """Bytes of the file; None for a document that does not come from a file."""
    language: str | None = None
    """ISO 639-1 code, empty if undetermined; None if not known yet, as for the following fields."""
    recognised: bool | None = None
    """True if it has lines from text recognition."""
    hidden: int | None = None
    """The number of hidden texts."""


def entry_of(document: StoredDocument, facts: _Facts | None = None) -> Entry:
    """The entry of a stored document."""
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
    r"""The text with each invisible character replaced by its code: a zero-width space is `\u{200b}`."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        f"\\u{{{ord(one):x}}}" if unicodedata.category(one) in _UNFIT and one != "\n" else one for one in text
    )


def clean_path(folder: str, given: str) -> str:
    """A document's name from folder and file name, each part cleaned; it is never used as a path on disk."""
    parts = [clean_name(part) for part in folder[:_LONGEST_GIVEN].replace("\\", "/").split("/") if part.strip(". ")]
    name = "/".join([*parts, clean_name(given)])
    return name if len(name) <= LONGEST_NAME else clean_name(name.replace("/", " - "))


def clean_name(given: str) -> str:
    """A document's name from the last part of a given file name, without deceptive characters.

    A name that had to be cut ends with a digest of the whole, so that two long names remain two documents.
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


@dataclass(frozen=True, slots=True)
class _Facts:
    """Facts about one version of a document."""

    language: str
    """ISO 639-1 code; empty if undetermined."""
    recognised: bool
    """True if it has lines from text recognition."""
    hidden: int
    """The number of hidden texts."""


class KnownFacts:
    """The cached facts of a corpus; missing ones are determined in a thread, one document at a time."""

    def __init__(self, path: Path, load: Callable[[str], Document]) -> None:
        """Read the cached facts; `load` returns a document by its name."""
        self._path = path
        self._load = load
        self._lock = threading.Lock()
        self._known: dict[str, _Facts] = {}
        self._thread: threading.Thread | None = None
        self._closed = threading.Event()
        self._read()

    def of(self, sha256: str) -> _Facts | None:
        """The facts of a version; None if unknown."""
        return self._known.get(sha256)

    def learn(self, document: Document) -> _Facts:
        """Determine and cache the facts of a document."""
        recognised = any(line.recognition is not None for line in document.lines)
        facts = _Facts(document.language, recognised, len(document.hidden))
        self._known[document.id] = facts
        values = (document.id, facts.language, facts.recognised, facts.hidden)
        with suppress(sqlite3.Error):  # then they are determined again next time
            self._sql("INSERT OR REPLACE INTO facts VALUES (?, ?, ?, ?)", values)
        return facts

    def want(self, documents: Iterable[tuple[str, str]]) -> None:
        """Determine, in a thread, the missing facts of documents given by SHA-256 and name."""
        wanted = list(documents)
        if any(sha256 not in self._known for sha256, _ in wanted):
            self._read()  # another server of this corpus may know
        missing = [name for sha256, name in wanted if sha256 not in self._known]
        with self._lock:
            if not missing or self._closed.is_set() or (self._thread is not None and self._thread.is_alive()):
                return
            self._thread = threading.Thread(target=self._find, args=(missing,), name="facts", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """End the thread."""
        self._closed.set()
        if self._thread is not None:
            self._thread.join()

    def _read(self) -> None:
        with suppress(sqlite3.Error):
            rows = self._sql("SELECT sha256, language, recognised, hidden FROM facts")
            self._known |= {sha256: _Facts(language, bool(ocr), hidden) for sha256, language, ocr, hidden in rows}

    def _find(self, names: list[str]) -> None:
        for name in names:
            if self._closed.is_set():
                return
            with suppress(SpanwiseError):  # the document was removed meanwhile
                self.learn(self._load(name))

    def _sql(self, query: str, values: tuple[object, ...] = ()) -> list[tuple[str, str, int, int]]:
        with self._lock:
            connection = sqlite3.connect(self._path, timeout=5, isolation_level=None)
            try:
                connection.execute("PRAGMA synchronous = OFF")
                connection.execute(
                    "CREATE TABLE IF NOT EXISTS facts "
                    "(sha256 TEXT PRIMARY KEY, language TEXT, recognised INTEGER, hidden INTEGER) WITHOUT ROWID"
                )
                return connection.execute(query, values).fetchall()
            except sqlite3.DatabaseError as error:
                if type(error) is sqlite3.DatabaseError:  # it is no database
                    self._path.unlink(missing_ok=True)
                raise
            finally:
                connection.close()
