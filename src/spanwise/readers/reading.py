"""The entry point of the readers: files are read in a process with limits, except for short plain texts."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Final

from spanwise import errors
from spanwise.domain.document import Document
from spanwise.errors import DocumentError, EmptyDocumentError, SpanwiseError, expect
from spanwise.readers.files import File, check_file, load, printable
from spanwise.readers.members import Contents, contents_from, place_of
from spanwise.readers.port import Failure, Job, Limits, Ocr, Outcome, PageProgress, ocr_of_environment
from spanwise.readers.process import make_elsewhere, read_elsewhere
from spanwise.readers.registry import available_readers, read_here, reader_of, supported_suffixes
from spanwise.store.codec import decode, encode

MOST_TEXT_HERE: Final = 64 * 1024
"""Most bytes of a plain UTF-8 text that is read in this process.

No foreign library processes it, and the reader's memory and time are proportional to its size. Starting a process would
cost a hundred times more than reading it.
"""
_SHORT = ("text", "csv")
"""The readers of plain text."""


def read(
    path_or_bytes: str | os.PathLike[str] | bytes,
    *,
    name: str | None = None,
    password: str | None = None,
    limits: Limits | None = None,
    reader: str | None = None,
    ocr: Ocr | None = None,
    progress: PageProgress | None = None,
) -> Document:
    """Read one file, in a process that is ended when it exceeds `limits`.

    A reader of your own (`register_reader`) runs in this process, as the other one does not know it.

    Args:
        path_or_bytes: A path, or the bytes of a file.
        name: The name of the document; the file's name by default.
        password: Opens an encrypted PDF.
        limits: Limits of size, depth, time and memory.
        reader: Name of the reader to use, instead of choosing by content and suffix.
        ocr: Whether text is recognised in pictures, and in which languages; set by the environment by default.
        progress: Called with the number of pages recognised so far, and of all.

    Raises:
        DocumentError: The file cannot be read; its subclasses say why.
        UnknownReaderError: There is no reader named `reader`.
    """
    job = replace(_job(path_or_bytes, name, password, limits or Limits(), reader), ocr=ocr or ocr_of_environment())
    if here(job):
        if job.data is None and place_of(job.path) is not None:
            path_or_bytes, name = file_bytes(job.path, job.limits), job.name
        return read_here(path_or_bytes, name=name, password=password, limits=limits, reader=reader)
    outcome = read_elsewhere(_settled(job), progress)
    if isinstance(outcome, Failure):
        raise error_of(outcome, job.name)
    return decode(outcome)


def read_job(job: Job) -> Outcome:
    """Read one file in this process; only for jobs for which `here` is True."""
    try:
        source = job.path if place_of(job.path) is None else file_bytes(job.path, job.limits)
        return encode(read_here(source, name=job.name, password=job.password, limits=job.limits, reader=job.reader))
    except SpanwiseError as error:
        return Failure(job.path, str(error), type(error).__name__)
    except Exception as error:  # noqa: BLE001 - the border between one file and all the others
        return Failure(job.path, f"{job.name} could not be read ({type(error).__name__}: {error}).", "DocumentError")


def here(job: Job) -> bool:
    """True if a file is to be read in this process: by a reader registered in it, or because it is a short plain text.

    Raises:
        DocumentError: There is no file, or it cannot be read.
        UnknownReaderError: There is no reader of the job's name for it.
    """
    size = len(job.data) if job.data is not None else check_file(job.path, job.limits)
    own = any(not info.built_in for info in available_readers())
    if job.reader is not None:
        return not reader_of(File(b"", job.name, ""), job.reader).built_in
    if size > MOST_TEXT_HERE and not own:
        return False
    if job.data is None and place_of(job.path) is not None:  # archives are not unpacked in this process
        suffix = os.path.splitext(job.path)[1].lower()
        return any(not info.built_in and suffix in info.suffixes for info in available_readers())
    file = load(job.path if job.data is None else job.data, job.name, job.limits)
    if not file.data:
        raise EmptyDocumentError(f"{file.name} is empty (0 bytes): give a file with text in it.", document=file.name)
    short = size <= MOST_TEXT_HERE and _is_utf8(file.data)
    if not short and not own:
        return False
    found = reader_of(file, None)
    return not found.built_in or (short and found.name in _SHORT)


def file_bytes(path: str | os.PathLike[str], limits: Limits | None = None) -> bytes:
    """The bytes of a file, or of a member of a file, which is unpacked in a reading process."""
    limits = limits or Limits()
    if place_of(path) is None:
        return load(path, None, limits).data
    job = _job(path, None, None, limits, None)
    made = make_elsewhere(_settled(replace(job, function="spanwise.readers.members:member")))
    if isinstance(made, Failure):
        raise error_of(made, job.name)
    return made


def contents_of(path: str | os.PathLike[str], name: str, limits: Limits) -> Contents:
    """The documents inside a file, listed in a reading process."""
    suffixes = sorted(supported_suffixes())
    asked = {"function": "spanwise.readers.members:contents", "arguments": {"suffixes": suffixes}}
    made = make_elsewhere(_settled(replace(_job(path, name, None, limits, None), **asked)))  # type: ignore[arg-type]
    if isinstance(made, Failure):
        raise error_of(made, name)
    return contents_from(made)


def error_of(failure: Failure, document: str) -> Exception:
    """The exception for a failure, of its original type if that is one of ours."""
    if failure.error == "ImportError":
        return ImportError(failure.message)
    kind = getattr(errors, failure.error, DocumentError)
    known = isinstance(kind, type) and issubclass(kind, DocumentError)
    return (kind if known else DocumentError)(failure.message, document=document)


def _job(
    path_or_bytes: str | os.PathLike[str] | bytes,
    name: str | None,
    password: str | None,
    limits: Limits,
    reader: str | None,
) -> Job:
    if isinstance(path_or_bytes, bytes | bytearray | memoryview):
        return Job("", name or "document", password, limits, reader, bytes(path_or_bytes))
    expect(path_or_bytes, (str, os.PathLike), "the file", "its path, or its bytes")
    path = os.fspath(path_or_bytes)
    return Job(path, printable(name or os.path.basename(path) or path), password, limits, reader)


def _settled(job: Job) -> Job:
    """The job with an absolute path, as the reading process may have another working directory."""
    return replace(job, path=os.path.realpath(job.path)) if job.data is None else job


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return b"\0" not in data
