"""The protocol between this process and a reading process: frames, each with a kind and a bounded size.

A process that read a hostile file may be under its control. So nothing that it sends is ever unpickled or evaluated;
`received` declares what the frames of a document must contain.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import IO, Final

from spanwise.domain.passage import Passage
from spanwise.store.codec import Record

MOST_FRAME: Final = 16 * 1024 * 1024
"""Most bytes of a frame, which the receiver has to keep in memory before checking it."""
_BATCH = 1_000_000
"""Bytes of text after which a new frame begins."""
_HEAD = struct.Struct(">cI")
PAIR: Final = struct.Struct(">QQ")
"""Two numbers: first and last line of a run, or the pages recognised and the pages in total."""

HELLO, END, FAILED, DOCUMENT, PAGES, SECTIONS, RUN, PASSAGES, DETAILS, BYTES, ASKED, PROGRESS = (
    bytes([letter]) for letter in b"HEFDPSRTXBAO"
)


class WireError(Exception):
    """Invalid data from the other side; the message completes "the process sent"."""


class GoneError(WireError):
    """The other side has closed the connection."""


@dataclass(slots=True)
class Incoming:
    """Frames from the other side, within a limit on their total size."""

    stream: IO[bytes]
    left: int
    """Bytes that may still come."""
    worn: bool = False
    """True if the other side asked to be replaced."""
    told: Callable[[int, int], None] | None = None
    """Called with the pages recognised so far and the pages in total."""

    def frame(self) -> tuple[bytes, bytes]:
        """The kind and the content of the next frame; progress reports in between are passed to `told`."""
        while True:
            kind, size = _HEAD.unpack(self._exactly(_HEAD.size))
            self.left -= _HEAD.size + size
            if size > MOST_FRAME or self.left < 0:
                raise WireError(f"a frame of {size:,} bytes")
            content = self._exactly(size)
            if kind != PROGRESS or self.told is None:
                return kind, content
            if size != PAIR.size:
                raise WireError("a report that is none")
            self.told(*PAIR.unpack(content))

    def ended(self, content: bytes) -> None:
        """Process the last frame of an answer."""
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
    """Write bytes of any length, in frames."""
    for at in range(0, len(data), MOST_FRAME):
        send(stream, BYTES, data[at : at + MOST_FRAME])


def send_record(stream: IO[bytes], record: Record, passages: Iterable[Passage]) -> None:
    """Write a document as it is stored, together with its passages."""
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
        send(stream, RUN, PAIR.pack(run.first, run.last) + run.data)
    for at in range(0, len(record.details), MOST_FRAME):
        send(stream, DETAILS, record.details[at : at + MOST_FRAME])


def _batches(rows: Iterable[tuple[object, ...]], text: int) -> Iterator[list[tuple[object, ...]]]:
    """The rows in batches that make frames of moderate size; `text` is the index of the column with the most text."""
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
    """The bytes that `send_bytes` wrote, up to the frame `END`."""
    parts: list[bytes] = []
    while True:
        kind, content = incoming.frame()
        if kind == END:
            return b"".join(parts)
        if kind != BYTES:
            raise WireError(f"a frame of the kind {kind!r} among bytes")
        parts.append(content)
