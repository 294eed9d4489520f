"""What a reading process sends: frames of a fixed schema in JSON and compressed lines, checked as they come.

A process that read a hostile file may be under its control. So nothing it sends is ever unpickled or evaluated: each
frame has a kind and a bounded size, each value a type and a range, and whatever departs from that is a `WireError`.
"""

from __future__ import annotations

import json
import math
import struct
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import IO, Final, TypeVar, get_args

from spanwise.domain.document import (
    Document,
    FurnitureKind,
    HiddenReason,
    LineRole,
    Page,
    Section,
)
from spanwise.domain.passage import Passage
from spanwise.store.codec import MOST_LINES_A_RUN, Record, Run, decode_details, decode_run

T = TypeVar("T")

MOST_FRAME: Final = 16 * 1024 * 1024
"""Bytes of one frame: what the receiver holds of something that it has not checked yet."""
_BATCH = 1_000_000
"""Bytes of text after which a new frame begins."""
_MOST_VALUES = 8_000_000
"""Values in one frame of JSON: an empty list is two bytes there, and sixty in memory."""
_MOST_UNPACKED = 64 * 1024 * 1024
"""Bytes that the lines of one run, or the furniture and notices of a document, may unpack to."""
_LONGEST_MESSAGE = 2_000
_LARGEST = 2**53
_HEAD = struct.Struct(">cI")
_RUN = struct.Struct(">QQ")
_ROLES: Final[tuple[str, ...]] = get_args(LineRole)
_REASONS: Final[tuple[str, ...]] = get_args(HiddenReason)
_KINDS: Final[tuple[str, ...]] = get_args(FurnitureKind)

HELLO, END, FAILED, DOCUMENT, PAGES, SECTIONS, RUN, PASSAGES, DETAILS, BYTES, ASKED, PROGRESS = (
    bytes([letter]) for letter in b"HEFDPSRTXBAO"
)


class WireError(Exception):
    """What came is not what was promised; the message completes "the process sent"."""


class GoneError(WireError):
    """The other side has gone."""


@dataclass(slots=True)
class Incoming:
    """Frames from the other side, counted against a bound."""

    stream: IO[bytes]
    left: int
    """Bytes that may still come."""
    worn: bool = False
    """Whether the other side asked to be replaced."""
    told: Callable[[int, int], None] | None = None
    """Takes how many pages of how many were recognised."""

    def frame(self) -> tuple[bytes, bytes]:
        """The kind and the content of the next frame.

        Raises:
            WireError: There is none, or it is too large.
        """
        while True:
            kind, size = _HEAD.unpack(self._exactly(_HEAD.size))
            self.left -= _HEAD.size + size
            if size > MOST_FRAME or self.left < 0:
                raise WireError(f"a frame of {size:,} bytes")
            content = self._exactly(size)
            if kind != PROGRESS or self.told is None:
                return kind, content
            done, total = (_number(count, 0) for count in _list(parsed(content), 2))
            self.told(done, total)

    def ended(self, content: bytes) -> None:
        """Take the last frame of an answer."""
        self.worn = bool(content)

    def _exactly(self, size: int) -> bytes:
        data = self.stream.read(size)
        if len(data) != size:
            raise GoneError("nothing more")
        return data


def send(stream: IO[bytes], kind: bytes, content: bytes) -> None:
    """Write one frame."""
    stream.write(_HEAD.pack(kind, len(content)))
    stream.write(content)


def send_json(stream: IO[bytes], kind: bytes, value: object) -> None:
    """Write one frame of JSON."""
    send(stream, kind, json.dumps(value, separators=(",", ":"), allow_nan=False).encode())


def send_bytes(stream: IO[bytes], data: bytes) -> None:
    """Write bytes of any size."""
    for at in range(0, len(data), MOST_FRAME):
        send(stream, BYTES, data[at : at + MOST_FRAME])


def send_record(stream: IO[bytes], record: Record, passages: Iterable[Passage]) -> None:
    """Write a document as it is stored, its passages as they are cut."""
    head = [record.name, record.id, record.format, record.paged, record.lines]
    send_json(stream, DOCUMENT, head)
    pages = [
        (page.number, page.label, page.width, page.height, page.first_line, page.last_line, page.readable)
        for page in record.pages
    ]
    sections = [
        (one.title, one.level, one.first_line, one.last_line, one.start_page, one.section_end_page)
        for one in record.sections
    ]
    cut = ((one.line_start, one.line_end, one.page, one.text, one.section, one.blocks) for one in passages)
    for kind, rows, text in ((PAGES, pages, 1), (SECTIONS, sections, 0), (PASSAGES, cut, 3)):
        for batch in _batches(rows, text):
            send_json(stream, kind, batch)
    for run in record.runs:
        send(stream, RUN, _RUN.pack(run.first, run.last) + run.data)
    for at in range(0, len(record.details), MOST_FRAME):
        send(stream, DETAILS, record.details[at : at + MOST_FRAME])


def _batches(rows: Iterable[tuple[object, ...]], text: int) -> Iterator[list[tuple[object, ...]]]:
    """The rows in lists that make frames of a moderate size; the column `text` is the large one."""
    batch: list[tuple[object, ...]] = []
    size = 0
    for row in rows:
        batch.append(row)
        size += 100 + len(str(row[text]))
        if size > _BATCH:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def received_bytes(incoming: Incoming) -> bytes:
    """What `send_bytes` wrote, after the frame that says it was done.

    Raises:
        WireError: It is not what was promised.
    """
    parts: list[bytes] = []
    while True:
        kind, content = incoming.frame()
        if kind == END:
            return b"".join(parts)
        if kind != BYTES:
            raise WireError(f"a frame of the kind {kind!r} among bytes")
        parts.append(content)


def failure_from(kind: bytes, content: bytes) -> tuple[str, str]:
    """The name of an error and its message, from the frame `FAILED`.

    Raises:
        WireError: It is another frame.
    """
    if kind != FAILED:
        raise WireError(f"a frame of the kind {kind!r} in place of a document")
    error, message = _list(parsed(content), 2)
    told = "".join(letter if letter.isprintable() else " " for letter in _text(message)[:_LONGEST_MESSAGE])
    return _text(error), told


def parsed(content: bytes) -> object:
    """The JSON of a frame.

    Raises:
        WireError: It is no JSON, or would take too much memory.
    """
    if content.count(b"[") + content.count(b"{") + content.count(b",") > _MOST_VALUES:
        raise WireError("a frame with too many values")
    try:
        value: object = json.loads(content, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise WireError(f"a frame that is no JSON ({error})") from error
    return value


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is no number")


class Assembly:
    """A document as its frames come in."""

    def __init__(self, head: bytes, name: str) -> None:
        """Begin with the frame `DOCUMENT`.

        Args:
            head: Its content.
            name: What the document has to be called.

        Raises:
            WireError: It is not what was promised.
        """
        row = _list(parsed(head), 5)
        self._name = name
        if row[0] != name:
            raise WireError("a document of another name")
        self._id = _text(row[1])
        self._format = _text(row[2])
        self._paged = _flag(row[3])
        self._lines = _number(row[4], 0)
        if len(self._id) != 64 or not set(self._id) <= set("0123456789abcdef") or len(self._format) > 100:
            raise WireError("a document without its digest")
        self._pages: list[Page] = []
        self._sections: list[Section] = []
        self._runs: list[Run] = []
        self._passages: list[Passage] = []
        self._details: list[bytes] = []
        self._next = 1

    def take(self, kind: bytes, content: bytes) -> None:
        """Add one frame.

        Raises:
            WireError: It is not what was promised.
        """
        if kind == RUN:
            self._take_run(content)
        elif kind == DETAILS:
            self._details.append(content)
        elif kind == PAGES:
            self._pages += [self._page(_list(row, 7)) for row in _list(parsed(content))]
        elif kind == SECTIONS:
            self._sections += [self._section(_list(row, 6)) for row in _list(parsed(content))]
        elif kind == PASSAGES:
            self._passages += [self._passage(_list(row, 6)) for row in _list(parsed(content))]
        else:
            raise WireError(f"a frame of the kind {kind!r} within a document")

    def record(self) -> Record:
        """The document.

        Raises:
            WireError: Something of it is missing.
        """
        if self._next != self._lines + 1:
            raise WireError(f"a document of {self._lines} lines that has {self._next - 1}")
        if any(page.last_line > self._lines for page in self._pages):
            raise WireError("a page outside of its document")
        details = b"".join(self._details)
        _check_details(details)
        return Record(
            name=self._name,
            id=self._id,
            format=self._format,
            paged=self._paged,
            lines=self._lines,
            pages=tuple(self._pages),
            sections=tuple(self._sections),
            runs=tuple(self._runs),
            passages=tuple(self._passages),
            details=details,
        )

    def _take_run(self, content: bytes) -> None:
        if len(content) < _RUN.size:
            raise WireError("a run of lines that is cut")
        first, last = _RUN.unpack_from(content)
        if first != self._next or not 0 <= last - first < MOST_LINES_A_RUN or last > self._lines:
            raise WireError("a run of lines out of its order")
        data = content[_RUN.size :]
        _check_run(data, last - first + 1)
        self._runs.append(Run(first, last, data))
        self._next = last + 1

    def _page(self, row: list[object]) -> Page:
        number, label, width, height, first, last, readable = row
        return Page(
            _number(number, 1),
            _text(label),
            _measure(width),
            _measure(height),
            _number(first, 1),
            _number(last, 0),
            _flag(readable),
        )

    def _section(self, row: list[object]) -> Section:
        title, *numbers = row
        level, first, last, start, end = (_number(number, 1) for number in numbers)
        if not first <= last <= self._lines or not start <= end:
            raise WireError("a section outside of its document")
        return Section(_text(title), level, first, last, start, end)

    def _passage(self, row: list[object]) -> Passage:
        first, last, page, text, section, blocks = row
        start, end = _number(first, 1), _number(last, 1)
        if not start <= end <= self._lines:
            raise WireError("a passage outside of its document")
        shapes: list[tuple[int, LineRole]] = []
        for block in _list(blocks):
            count, role = _list(block, 2)
            shapes.append((_number(count, 1), _role(role)))
        return Passage(
            id=f"{self._name}:{start}-{end}",
            document=self._name,
            line_start=start,
            line_end=end,
            page=_number(page, 1),
            text=_text(text),
            section=None if section is None else _text(section),
            blocks=tuple(shapes),
        )


def document_of(record: Record) -> Document:
    """The document itself, equal to what its reader made."""
    return Document(
        id=record.id,
        name=record.name,
        format=record.format,
        lines=tuple(line for run in record.runs for line in decode_run(run.first, run.data)),
        pages=record.pages,
        sections=record.sections,
        paged=record.paged,
        **decode_details(record.details)._asdict(),
    )


def _check_run(data: bytes, lines: int) -> None:
    """Check packed lines as `store.codec` writes them."""
    page, line_in_page, texts, roles, blocks, boxes, *more = _list(parsed(_unpacked(data)), 6, 7, 8)
    _number(page, 1)
    _number(line_in_page, 1)
    for text in _list(texts, lines):
        if "\n" in _text(text):
            raise WireError("a line with a line break")
    for role in _list(roles, lines):
        if type(role) is not int or not 0 <= role < len(_ROLES):
            raise WireError("a line of no known role")
    for block in _list(blocks, lines):
        _number(block, 0)
    for box in _list(boxes, lines):
        _check_box(box)
    for one in _list(more[0], 0, lines) if more else ():
        _check_recognition(one)
    for edges in _list(more[1], lines) if len(more) > 1 else ():
        for edge in _list(edges):
            _measure(edge)


def _check_recognition(packed: object) -> None:
    if packed is None:
        return
    confidence, doubtful = _list(packed, 2)
    if not 0 <= _measure(confidence) <= 1:
        raise WireError("a confidence that is none")
    for figure in _list(doubtful):
        _text(figure)


def _check_details(data: bytes) -> None:
    """Check packed furniture, hidden text, notices and languages as `store.codec` writes them."""
    packed = parsed(_unpacked(data))
    if type(packed) is not dict or set(packed) != {"furniture", "hidden", "notices", "languages"}:
        raise WireError("details of another kind")
    for language in _list(packed["languages"]):
        _text(language)
    for name, known in (("furniture", _KINDS), ("hidden", _REASONS)):
        for row in _list(packed[name]):
            page, text, kind, box, *line = _list(row, 5 if name == "hidden" else 4)
            _number(page, 1)
            if line and line[0] is not None:
                _number(line[0], 0)
            _text(text)
            _check_box(box)
            if kind not in known:
                raise WireError(f"{name} of no known kind")
    for row in _list(packed["notices"]):
        code, message, page = _list(row, 3)
        _text(code)
        _text(message)
        if page is not None:
            _number(page, 1)


def _check_box(box: object) -> None:
    if box is None:
        return
    edges = _list(box)
    if len(edges) not in (4, 5):
        raise WireError("a box without four edges")
    for edge in edges:
        _measure(edge)


def _unpacked(data: bytes) -> bytes:
    unpacking = zlib.decompressobj()
    try:
        found = unpacking.decompress(data, _MOST_UNPACKED)
    except zlib.error as error:
        raise WireError(f"lines that cannot be unpacked ({error})") from error
    if not unpacking.eof or unpacking.unused_data:
        raise WireError("lines that are cut or too long")
    return found


def _list(value: object, *lengths: int) -> list[object]:
    if type(value) is not list or (lengths and len(value) not in lengths):
        raise WireError("a value that is no list of its length")
    return value


def _text(value: object) -> str:
    if type(value) is not str:
        raise WireError("a value that is no text")
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError as error:
            raise WireError("text that is not Unicode") from error
    return value


def _number(value: object, least: int) -> int:
    if type(value) is not int or not least <= value <= _LARGEST:
        raise WireError("a value that is no number in its range")
    return value


def _measure(value: object) -> float:
    if type(value) not in (int, float) or not math.isfinite(value):  # type: ignore[arg-type]
        raise WireError("a value that is no measure")
    return value  # type: ignore[return-value]


def _flag(value: object) -> bool:
    if type(value) is not bool:
        raise WireError("a value that is neither true nor false")
    return value


def _role(value: object) -> LineRole:
    for role in get_args(LineRole):
        if role == value:
            return role  # type: ignore[no-any-return]
    raise WireError("lines of no known role")
