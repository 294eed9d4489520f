"""What a reader is: a callable from bytes to a Document, under limits; what its process is asked, and failed at."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, Literal, Protocol, TypeAlias, get_args

from spanwise.domain.document import Document
from spanwise.errors import InputError
from spanwise.store.codec import Record

LARGE = 8 * 1024 * 1024
"""Bytes from which on a file may take all the processor time that there is for one."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of reading one file, at every door: library, command line, server, MCP.

    They keep one hostile or broken file from taking the machine. Crossing one raises `LimitError`, which names it.
    """

    file_bytes: int = 512 * 1024 * 1024
    """Size of the file itself."""
    unpacked_bytes: int = 512 * 1024 * 1024
    """What a packed format (DOCX, ZIP) may unpack to."""
    members: int = 10_000
    """Documents in an archive or a mailbox."""
    pages: int = 20_000
    lines: int = 5_000_000
    objects: int = 2_000_000
    """Objects in a PDF's cross-reference table, elements in a DOCX or HTML tree."""
    depth: int = 100
    """Nested tables, lists or elements that carry structure."""
    seconds: float = 300.0
    """Wall-clock time for one document; a little later the process that reads it is ended."""
    cpu_seconds: float = 300.0
    """Processor time for one document of 8 MB or more; a small one gets a fifth of it, and a minute at least."""
    memory: int = 1024 * 1024 * 1024
    """Bytes that the process which reads the document may take beyond what it needs to start."""
    recognised_pages: int = 2_000
    """Pages of one document whose text is recognised in their pictures."""
    recognition_seconds: float = 3_600.0
    """Wall-clock time for recognising the pages of one document, beside `seconds`."""
    page_seconds: float = 60.0
    """Wall-clock time for recognising one page."""

    def of_size(self, size: int) -> Limits:
        """The bounds of a file of so many bytes: no honest small file takes minutes."""
        seconds = max(60.0, self.cpu_seconds * max(0.2, size / LARGE))
        return replace(self, cpu_seconds=min(self.cpu_seconds, seconds))


OcrMode: TypeAlias = Literal["auto", "never", "always"]
_LANGUAGES = re.compile(r"[A-Za-z][\w/-]{1,63}(?:\+[A-Za-z][\w/-]{1,63}){0,9}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Ocr:
    """Whether text is recognised in pictures of pages, and in which languages.

    Raises:
        InputError: There is no such mode, or the languages are no names of tesseract's.
    """

    mode: OcrMode = "auto"
    """`auto`: of pages without text, with garbled text, or with the unseen text of an earlier recognition, where
    tesseract is installed. `always`: of every page. `never`."""
    language: str | None = None
    """As tesseract names them (`eng`, `deu+fra`); None tries what is installed and takes what it reads most surely."""

    def __post_init__(self) -> None:
        """Check both."""
        if self.mode not in get_args(OcrMode):
            raise InputError(f"there is no way {self.mode!r} to recognise text: choose one of auto, never, always")
        if self.language is not None and not _LANGUAGES.fullmatch(self.language):
            raise InputError(f"{self.language!r} names no languages: write them like eng or deu+fra")


def ocr_of_environment() -> Ocr:
    """What `SPANWISE_OCR` and `SPANWISE_OCR_LANGUAGE` say.

    Raises:
        InputError: They say nothing that can be done.
    """
    mode = os.environ.get("SPANWISE_OCR") or "auto"
    return Ocr(mode, os.environ.get("SPANWISE_OCR_LANGUAGE") or None)  # type: ignore[arg-type]  # checked there


PageProgress: TypeAlias = Callable[[int, int], None]
"""Called when pages of one document were recognised: how many, and of how many."""


def _nobody(done: int, total: int) -> None:
    """Tell nobody."""


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """What a caller may say about how to read one document."""

    password: str | None = None
    limits: Limits = field(default_factory=Limits)
    ocr: Ocr = field(default_factory=Ocr)
    progress: PageProgress = _nobody
    processes: int = 1
    """So many may read the pages of the document at the same time: more than one in reading processes only."""


class Reader(Protocol):
    """Turns the bytes of one file into a Document.

    Raises:
        DocumentError: The bytes cannot be read (see `spanwise.errors` for the kinds).
    """

    def __call__(self, data: bytes, name: str, options: ReadOptions) -> Document:
        """Read the bytes of the file `name`."""


@dataclass(frozen=True, slots=True)
class Job:
    """A file to read, or to do something else with."""

    path: str
    """Where it lies; of no meaning where the bytes are given."""
    name: str
    """What the document is called."""
    password: str | None = field(default=None, repr=False)
    limits: Limits = field(default_factory=Limits)
    reader: str | None = None
    """Name of the reader, instead of choosing by content and suffix."""
    data: bytes | None = field(default=None, repr=False)
    """The bytes of the file, where it does not lie at a path."""
    function: str | None = None
    """`MODULE:NAME` of a function of Spanwise that makes bytes of the job and `arguments`; None to read the file."""
    arguments: Mapping[str, object] | None = None
    """What the function is given beside: what JSON can hold."""
    ocr: Ocr = field(default_factory=ocr_of_environment)
    processes: int = 1
    """So many may read the pages of the file at the same time."""

    def to_json(self) -> dict[str, object]:
        """As it is sent, but for the bytes."""
        # A path is bytes, and the other side may hold another encoding for the right one.
        path = os.fsencode(self.path).decode("latin-1")
        sent = {one.name: getattr(self, one.name) for one in fields(self) if one.name != "data"}
        return {
            **sent,
            "path": path,
            "limits": asdict(self.limits),
            "ocr": asdict(self.ocr),
            "given": self.data is not None,
        }


@dataclass(frozen=True, slots=True)
class Failure:
    """A file that could not be read."""

    path: str
    message: str
    """One sentence that says what is wrong and what to do."""
    error: str
    """Name of the error's type, for example `PasswordError`."""


Outcome: TypeAlias = Record | Failure


def job_from(sent: Mapping[str, Any], data: bytes) -> Job:
    """What `Job.to_json` made, in the reading process, which hears from nobody but the one that started it."""
    told = {name: value for name, value in sent.items() if name != "given"}
    path, limits, ocr = os.fsdecode(sent["path"].encode("latin-1")), Limits(**sent["limits"]), Ocr(**sent["ocr"])
    return Job(**{**told, "path": path, "limits": limits, "ocr": ocr, "data": data if sent["given"] else None})
