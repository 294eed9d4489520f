"""Files inside files: the members of an archive (ZIP), a mailbox (mbox) and a message (its attachments).

A member's path is that of its file with the member's name below: `case.zip/lease.pdf`, `box.mbox/12.eml/invoice.xlsx`.
No file system has files below a file, so such a path is unambiguous. Nothing is unpacked to disk.
"""

from __future__ import annotations

import io
import json
import os
import re
import stat
import unicodedata
import zipfile
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import IO, Final, NamedTuple, Self, TypeVar

from spanwise.domain.document import Document
from spanwise.errors import (
    DamagedDocumentError,
    DocumentError,
    DocumentNotFoundError,
    LimitError,
    PasswordError,
    UnsupportedFormatError,
)
from spanwise.readers.bounds import RATIO, RATIO_FROM, UNPACKABLE, Budget, beyond
from spanwise.readers.port import Job, Limits, ReadOptions

T = TypeVar("T")
CONTAINERS: Final = (".zip", ".mbox", ".eml", ".msg")
MESSAGES: Final = (".eml", ".msg")
"""Containers that are documents themselves."""
MOST_DEPTH = 3
"""How deeply files within files are opened."""
_LONGEST_NAME = 150
_START = re.compile(rb"From .{1,200}\d\d:\d\d.{1,40}\d{4}")
"""The line before each message in a mailbox: its sender and date."""
_MAY_ATTACH = re.compile(rb"name\*?[0-9*]*[ ]?=|attachment|message/rfc822", re.IGNORECASE)
_MOST_OPEN = 4
_LOOKED_AT = 256 * 1024


class Place(NamedTuple):
    """A member: the file on disk, and its name inside."""

    file: Path
    name: str


class Member(NamedTuple):
    """A document inside a file."""

    name: str
    """Its path below the file."""
    size: int  # in bytes


@dataclass(frozen=True, slots=True)
class Contents:
    """The documents inside a file."""

    members: tuple[Member, ...] = ()
    itself: bool = False
    """True if the file itself is a document, too."""
    failed: tuple[tuple[str, str, str], ...] = ()
    """Members that could not be opened: name, message, type of the error."""


def place_of(path: str | os.PathLike[str]) -> Place | None:
    """The member that a path leads to; None if the path is that of a file, or does not exist."""
    whole = Path(path)
    for above in whole.parents:
        if above.suffix.lower() in CONTAINERS and os.path.isfile(above):
            return Place(above, whole.relative_to(above).as_posix())
    return None


def file_of(path: str | os.PathLike[str]) -> Path:
    """The file on disk that a path leads to, or into."""
    place = place_of(path)
    return Path(path) if place is None else place.file


def may_hold(path: Path) -> bool:
    """False for a file that certainly has no members: most messages have no attachments and need not be parsed."""
    suffix = path.suffix.lower()
    if suffix != ".eml":
        return suffix in CONTAINERS
    try:
        with path.open("rb") as file:
            start = file.read(_LOOKED_AT)
            return bool(file.read(1)) or _MAY_ATTACH.search(start) is not None
    except OSError:
        return False  # its reader reports why


def contents(job: Job, suffixes: Collection[str]) -> bytes:
    """The documents with these suffixes in the file of a job, as JSON: called in a reading process."""
    look = _Look(job.limits, frozenset(suffixes))
    source: Path | bytes = Path(job.path) if job.data is None else job.data
    with _opened(
        source, job.name, PurePath(job.name).suffix.lower() or PurePath(job.path).suffix.lower(), job.limits
    ) as holder:
        document = holder.itself and not isinstance(holder, _Attachments)  # an archive that is a DOCX, an EPUB
        members = [] if document else list(look.within(holder, "", 1))
        return json.dumps([members, holder.itself, look.failed]).encode()


def contents_from(data: bytes) -> Contents:
    """The `Contents` from the JSON that `contents` returned."""
    members, itself, failed = json.loads(data)
    return Contents(tuple(Member(*one) for one in members), bool(itself), tuple(tuple(one) for one in failed))


def member(job: Job) -> bytes:
    """The bytes of the member that the path of a job leads to: called in a reading process."""
    place = place_of(job.path)
    if place is None:
        raise DocumentNotFoundError(f"There is no file {job.path}: check the path.", document=job.path)
    return member_bytes(place, job.limits)


def member_bytes(place: Place, limits: Limits) -> bytes:
    """The bytes of a member; raises `DocumentNotFoundError` if there is no such member."""
    name, chain = place.name, tuple[str, ...]()
    for _ in range(MOST_DEPTH):
        holder = _kept(place.file, chain, limits)
        inner = _leading_to(name, holder.names())
        if inner == name:
            return holder.read(name)
        if inner is None or PurePath(inner).suffix.lower() not in CONTAINERS:
            break
        chain, name = (*chain, inner), name[len(inner) + 1 :]
    message = f"There is no {place.name} in {place.file}: it was removed, or renamed; list what it holds."
    raise DocumentNotFoundError(message, document=f"{place.file}/{place.name}")


_open: dict[tuple[object, ...], _Holder] = {}
"""The containers opened last: a mailbox of ten thousand messages is scanned once, not once per message."""


def _kept(file: Path, chain: tuple[str, ...], limits: Limits) -> _Holder:
    """An opened container, or one nested in it along a chain of names; it stays open for the next member."""
    status = file.stat()
    key = (file, status.st_ino, status.st_size, status.st_mtime_ns, chain)
    if key in _open:
        return _open[key]
    called = "/".join((file.name, *chain))
    source: Path | bytes = file if not chain else _kept(file, chain[:-1], limits).read(chain[-1])
    while len(_open) >= _MOST_OPEN:
        _open.pop(next(iter(_open))).close()
    _open[key] = _opened(source, called, PurePath(called).suffix.lower(), limits)
    return _open[key]


def _leading_to(name: str, names: Mapping[str, int]) -> str | None:
    """The member of that name, or the one whose name is the longest prefix of its path; None if there is neither."""
    if name in names:
        return name
    parts = name.split("/")
    above = ("/".join(parts[:count]) for count in range(len(parts) - 1, 0, -1))
    return next((one for one in above if one in names), None)


class _Look:
    """The search for documents in a file and in the files inside it."""

    def __init__(self, limits: Limits, suffixes: frozenset[str]) -> None:
        self.failed: list[tuple[str, str, str]] = []
        self._limits = limits
        self._suffixes = suffixes
        self._count = 0
        self._size = 0

    def within(self, holder: _Holder, prefix: str, depth: int) -> Iterator[Member]:
        """The documents in a container, in its order."""
        for name, size in holder.names().items():
            suffix, path = PurePath(name).suffix.lower(), f"{prefix}{name}"
            if suffix not in self._suffixes:
                continue
            self._charge(holder.called, size)
            if suffix not in CONTAINERS or suffix in MESSAGES:
                yield Member(path, size)
            if suffix in CONTAINERS:
                yield from self._inside(holder, name, path, depth)

    def _inside(self, holder: _Holder, name: str, path: str, depth: int) -> Iterator[Member]:
        called, suffix = f"{holder.called}/{name}", PurePath(name).suffix.lower()
        try:
            if depth >= MOST_DEPTH:
                if suffix not in MESSAGES:
                    message = (
                        f"{called} lies in files within files, deeper than {MOST_DEPTH}: unpack it and give it alone."
                    )
                    raise LimitError(message, document=called)
                return
            data = holder.read(name)
            if suffix == ".eml" and not _MAY_ATTACH.search(data):
                return
            with _opened(data, called, suffix, self._limits) as inner:
                if inner.itself and suffix not in MESSAGES:
                    yield Member(path, len(data))
                else:
                    yield from self.within(inner, f"{path}/", depth + 1)
        except DocumentError as error:
            if suffix not in MESSAGES:  # the message's own reader will report it
                self.failed.append((path, str(error), type(error).__name__))

    def _charge(self, called: str, size: int) -> None:
        self._count += 1
        self._size += size
        if self._count > self._limits.members:
            raise beyond(called, f"holds more than {self._limits.members:,} documents", "members", trusted=False)
        if self._size > self._limits.unpacked_bytes:
            much = f"unpacks to more than {self._limits.unpacked_bytes:,} bytes"
            raise beyond(called, much, "unpacked_bytes")


class _Holder:
    """An open container."""

    itself = False
    """True if it is a document, too."""

    def __init__(self, called: str) -> None:
        self.called = called

    def names(self) -> Mapping[str, int]:
        """The members' sizes in bytes, by name."""
        raise NotImplementedError

    def read(self, name: str) -> bytes:
        """The bytes of a member."""
        raise NotImplementedError

    def close(self) -> None:
        """Close the file."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Archive(_Holder):
    """A ZIP file."""

    def __init__(self, stream: IO[bytes], called: str, limits: Limits) -> None:
        super().__init__(called)
        self._limits = limits
        self._stream = stream
        try:
            self._archive = zipfile.ZipFile(stream)
        except UNPACKABLE as error:
            raise DamagedDocumentError(
                f"{called} is no ZIP archive, or a damaged one ({error}): pack it again, or give the files in it.",
                document=called,
            ) from error
        entries = [one for one in self._archive.infolist() if _is_file(one)]
        self.itself = any(one.filename in ("[Content_Types].xml", "mimetype") for one in entries)
        if entries and all(one.flag_bits & 0x1 for one in entries):
            raise PasswordError(
                f"{called} is packed with a password: unpack it and give the files in it.", document=called
            )
        self._entries = _named((_clean(one.filename), one) for one in entries if _is_wanted(one.filename))

    def names(self) -> Mapping[str, int]:
        return {name: entry.file_size for name, entry in self._entries.items()}

    def read(self, name: str) -> bytes:
        entry = self._entries[name]
        shown = f"{self.called}/{name}"
        if entry.flag_bits & 0x1:
            raise PasswordError(
                f"{shown} is packed with a password: unpack the archive and give the files in it.", document=shown
            )
        if entry.file_size > self._limits.file_bytes or (
            entry.file_size > RATIO_FROM and entry.file_size > RATIO * max(1, entry.compress_size)
        ):
            raise LimitError(
                f"{shown} would unpack to {entry.file_size:,} bytes, as a zip bomb does: unpack it and give it alone "
                "if you trust it.",
                document=shown,
            )
        try:
            with self._archive.open(entry) as stream:
                data = stream.read(entry.file_size + 1)
        except UNPACKABLE as error:
            message = f"{shown} cannot be unpacked ({error}): pack the archive again, or give the file itself."
            raise DamagedDocumentError(message, document=shown) from error
        return data

    def close(self) -> None:
        self._archive.close()
        self._stream.close()


class _Mailbox(_Holder):
    """An mbox file; its messages are named by their number, so that appending messages changes no name."""

    def __init__(self, stream: IO[bytes], called: str, limits: Limits) -> None:
        super().__init__(called)
        self._stream = stream
        places: list[tuple[int, int]] = []
        if not stream.read(5) == b"From ":
            raise DamagedDocumentError(
                f"{called} is no mailbox (mbox), which begins with a line From ...: give the messages themselves.",
                document=called,
            )
        stream.seek(0)
        offset, begin, before = 0, -1, b""
        while line := stream.readline(1_000_000):
            if offset == 0 or (before in (b"\n", b"\r\n") and _START.match(line)):
                if begin >= 0:
                    places.append((begin, offset))
                begin = offset + len(line)
                if len(places) >= limits.members:
                    break
            before = line
            offset += len(line)
        if begin >= 0:
            places.append((begin, offset))
        self._places = {f"{number}.eml": place for number, place in enumerate(places, 1)}

    def names(self) -> Mapping[str, int]:
        return {name: end - begin for name, (begin, end) in self._places.items()}

    def read(self, name: str) -> bytes:
        begin, end = self._places[name]
        self._stream.seek(begin)
        return re.sub(rb"(?m)^>(>*From )", rb"\1", self._stream.read(end - begin))

    def close(self) -> None:
        self._stream.close()


class _Attachments(_Holder):
    """A message, whose members are its attachments."""

    itself = True

    def __init__(self, data: bytes, called: str, limits: Limits) -> None:
        super().__init__(called)
        from spanwise.readers.mail import message_of

        found = message_of(data, Budget(called, limits)).attachments
        self._files = _named((_clean(one.name), one.data) for one in found)

    def names(self) -> Mapping[str, int]:
        return {name: len(data) for name, data in self._files.items()}

    def read(self, name: str) -> bytes:
        return self._files[name]


def _opened(source: Path | bytes, called: str, suffix: str, limits: Limits) -> _Holder:
    """The container at a path or in bytes, opened."""
    if suffix in MESSAGES:
        from spanwise.readers.files import load

        return _Attachments(source if isinstance(source, bytes) else load(source, None, limits).data, called, limits)
    kinds: dict[str, Callable[[IO[bytes], str, Limits], _Holder]] = {".zip": _Archive, ".mbox": _Mailbox}
    stream: IO[bytes] = io.BytesIO(source) if isinstance(source, bytes) else source.open("rb")
    try:
        return kinds[suffix](stream, called, limits)
    except BaseException:
        stream.close()
        raise


def _is_file(entry: zipfile.ZipInfo) -> bool:
    """True for a regular file; a link in an archive could lead anywhere."""
    kind = stat.S_IFMT(entry.external_attr >> 16)
    return not entry.is_dir() and kind in (0, stat.S_IFREG)


def _is_wanted(name: str) -> bool:
    """False for what operating systems add beside files (`.DS_Store`, `__MACOSX`)."""
    return not any(
        part.startswith(".") or part == "__MACOSX"
        for part in name.replace("\\", "/").split("/")
        if part not in (".", "..")
    )


def read_archive(data: bytes, name: str, options: ReadOptions) -> Document:
    """Refuse to read an archive or mailbox as a single document."""
    del data, options
    raise UnsupportedFormatError(
        f"{name} holds documents and is none itself: ask or index it as it is (with its ending .zip or .mbox), or read "
        f"one of them by its path below the file ({name}/NAME).",
        document=name,
    )


def _clean(name: str) -> str:
    """A name without upward steps, invisible characters, or parts too long for file systems."""
    parts: list[str] = []
    for part in unicodedata.normalize("NFC", name[:10_000]).replace("\\", "/").split("/"):
        seen = "".join(one for one in part if unicodedata.category(one)[0] not in "CZ" or one == " ").strip()
        if seen.strip("."):
            stem, dot, suffix = seen.rpartition(".")
            parts.append(seen if len(seen) <= _LONGEST_NAME else f"{stem[: _LONGEST_NAME - 20]}{dot}{suffix[:19]}")
    return "/".join(parts) or "unnamed"


def _named(found: Iterable[tuple[str, T]]) -> dict[str, T]:
    """The items by name; a repeated name gets a number."""
    named: dict[str, T] = {}
    counts: dict[str, int] = {}  # else an archive of one name a hundred thousand times would take hours
    for name, thing in found:
        path, unique = PurePath(name), name
        while unique in named:
            counts[name] = counts.get(name, 1) + 1
            unique = path.with_name(f"{path.stem} ({counts[name]}){path.suffix}").as_posix()
        named[unique] = thing
    return named
