"""The interface of readers: from bytes to a `Document`, within limits.

And the jobs and failures of reading processes.
"""

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
"""Size in bytes from which on a file may use all of `Limits.cpu_seconds`."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of reading one file, the same in the library, command line, server and MCP.

    They keep one hostile or broken file from taking over the machine. Exceeding one raises `LimitError`, which names
    it.
    """

    file_bytes: int = 512 * 1024 * 1024
    """Size of the file itself."""
    unpacked_bytes: int = 512 * 1024 * 1024
    """Size to which a packed format (DOCX, ZIP) may unpack."""
    members: int = 10_000
    """Documents in an archive or a mailbox."""
    pages: int = 20_000
    lines: int = 5_000_000
    objects: int = 2_000_000
    """Objects in a PDF's cross-reference table, elements in a DOCX or HTML tree."""
    depth: int = 100
    """Nesting of tables, lists or structural elements."""
    seconds: float = 300.0
    """Wall-clock time for one document; shortly afterwards its reading process is ended."""
    cpu_seconds: float = 300.0
    """Processor time for one document of 8 MB or more.

    A small one gets at least a fifth of it, and at least a minute.
    """
    memory: int = 1024 * 1024 * 1024
    """Bytes that the reading process may take beyond what it needs to start."""
    recognised_pages: int = 2_000
    """Pages of one document whose text may be recognised (OCR)."""
    recognition_seconds: float = 3_600.0
    """Wall-clock time for recognising the pages of one document, in addition to `seconds`."""
    page_seconds: float = 60.0
    """Wall-clock time for recognising one page."""

    def of_size(self, size: int) -> Limits:
        """The limits for a file of `size` bytes: no honest small file takes minutes."""
        seconds = max(60.0, self.cpu_seconds * max(0.2, size / LARGE))
        return replace(self, cpu_seconds=min(self.cpu_seconds, seconds))


OcrMode: TypeAlias = Literal["auto", "never", "always"]
_LANGUAGES = re.compile(r"[A-Za-z][\w/-]{1,63}(?:\+[A-Za-z][\w/-]{1,63}){0,9}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Ocr:
    """Whether text is recognised in pictures of pages, and in which languages.

    Raises:
        InputError: The mode is unknown, or the languages are not written as tesseract names them.
    """

    mode: OcrMode = "auto"
    """`auto`, `always` (every page) or `never`.

    `auto` recognises pages without text, with garbled text, or with the invisible text of an earlier recognition, if
    tesseract is installed.
    """
    language: str | None = None
    """As tesseract names them (`eng`, `deu+fra`); None tries those installed and takes the most confident one."""

    def __post_init__(self) -> None:
        """Check mode and languages."""
        if self.mode not in get_args(OcrMode):
            raise InputError(f"there is no way {self.mode!r} to recognise text: choose one of auto, never, always")
        if self.language is not None and not _LANGUAGES.fullmatch(self.language):
            raise InputError(f"{self.language!r} names no languages: write them like eng or deu+fra")


def ocr_of_environment() -> Ocr:
    """The options in the environment variables `SPANWISE_OCR` and `SPANWISE_OCR_LANGUAGE`.

    Raises:
        InputError: They are invalid.
    """
    mode = os.environ.get("SPANWISE_OCR") or "auto"
    return Ocr(mode, os.environ.get("SPANWISE_OCR_LANGUAGE") or None)  # type: ignore[arg-type]  # checked there


PageProgress: TypeAlias = Callable[[int, int], None]
"""Called after pages of a document were recognised, with how many are done and how many there are."""


def _nobody(done: int, total: int) -> None:
    """Ignore the progress."""


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """The caller's options for reading one document."""

    password: str | None = None
    limits: Limits = field(default_factory=Limits)
    ocr: Ocr = field(default_factory=Ocr)
    progress: PageProgress = _nobody
    processes: int = 1
    """How many processes may read pages of the document in parallel; more than one in reading processes only."""


class Reader(Protocol):
    """Turns the bytes of one file into a Document.

    Raises:
        DocumentError: The bytes cannot be read (see `spanwise.errors` for the kinds).
    """

    def __call__(self, data: bytes, name: str, options: ReadOptions) -> Document:
        """Read the bytes of the file `name`."""


@dataclass(frozen=True, slots=True)
class Job:
    """A file to read, or to pass to another function, in a reading process."""

    path: str
    """Its path; ignored if `data` is given."""
    name: str
    """The name of the document."""
    password: str | None = field(default=None, repr=False)
    limits: Limits = field(default_factory=Limits)
    reader: str | None = None
    """Name of the reader to use, instead of choosing by content and suffix."""
    data: bytes | None = field(default=None, repr=False)
    """The bytes of the file, if it is not read from a path."""
    function: str | None = None
    """`MODULE:NAME` of a function of Spanwise that returns bytes for the job and `arguments`; None to read the file."""
    arguments: Mapping[str, object] | None = None
    """Further arguments of the function, which must be JSON values."""
    ocr: Ocr = field(default_factory=ocr_of_environment)
    processes: int = 1
    """How many processes may read pages of the file in parallel."""

    def to_json(self) -> dict[str, object]:
        """The job as a JSON object, without the file's bytes."""
        # A path is bytes, and the other process may decode it differently.
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
    """Name of the error's type, such as `PasswordError`."""


Outcome: TypeAlias = Record | Failure


def job_from(sent: Mapping[str, Any], data: bytes) -> Job:
    """The job that `Job.to_json` wrote; the reading process trusts it, as it listens only to its parent."""
    told = {name: value for name, value in sent.items() if name != "given"}
    path, limits, ocr = os.fsdecode(sent["path"].encode("latin-1")), Limits(**sent["limits"]), Ocr(**sent["ocr"])
    return Job(**{**told, "path": path, "limits": limits, "ocr": ocr, "data": data if sent["given"] else None})
