"""The stored form of a document: rows and compressed runs of lines, so that a citation can load single pages.

Rows of a corpus and files of its index have checksums: if the disk changed a byte, an error is raised instead of an
answer. Tantivy writes checksums at the end of its files but does not verify them when it opens them; a changed byte
could change the ranking, or end the search in a panic. A damaged index is rebuilt.
"""

from __future__ import annotations

import json
import struct
import sys
import zlib
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias, overload

from spanwise.domain.document import (
    Box,
    Document,
    Furniture,
    FurnitureKind,
    Hidden,
    HiddenReason,
    Line,
    LineRole,
    Notice,
    Page,
    Recognition,
    Section,
)
from spanwise.domain.passage import Passage
from spanwise.errors import DamagedDocumentError, StorageError
from spanwise.store.passages import build_passages

MOST_LINES_A_RUN = 200
_LEVEL = 1  # Twice as fast as the default, for a tenth more space.
_ROLES: tuple[LineRole, ...] = ("text", "heading", "list_item", "table_row", "blank")
_ROLE_NUMBERS = {role: number for number, role in enumerate(_ROLES)}

_PackedBox: TypeAlias = tuple[float, ...] | None
_PackedRecognition: TypeAlias = tuple[float, list[str]] | None
_PackedRun: TypeAlias = tuple[int, int, list[str], list[int], list[int], list[_PackedBox], *tuple[list[Any], ...]]
"""Optional at the end: a list of recognitions, in runs with recognised lines, and a list of cell edges, in runs with
table rows; the former is empty if there are edges but nothing was recognised."""


@dataclass(frozen=True, slots=True)
class Run:
    """Consecutive lines of one page, packed as compressed JSON."""

    first: int
    last: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Record:
    """A document in its stored form, which is cheap to send between processes."""

    name: str
    id: str
    format: str
    paged: bool
    lines: int
    pages: tuple[Page, ...]
    sections: tuple[Section, ...]
    runs: tuple[Run, ...]
    passages: tuple[Passage, ...]
    details: bytes
    """Furniture, hidden text, notices and languages, packed."""


class Details(NamedTuple):
    """The fields of a document other than lines, pages and sections."""

    furniture: tuple[Furniture, ...]
    hidden: tuple[Hidden, ...]
    notices: tuple[Notice, ...]
    languages: tuple[str, ...] = ()


def encode(document: Document, *, cut: bool = True) -> Record:
    """The stored form of a document, with its passages unless `cut` is False."""
    _check(document)
    return Record(
        name=document.name,
        id=document.id,
        format=document.format,
        paged=document.paged,
        lines=len(document.lines),
        pages=document.pages,
        sections=document.sections,
        runs=tuple(_runs(document.lines)),
        passages=tuple(build_passages(document)) if cut else (),
        details=_packed_details(document),
    )


def decode(record: Record) -> Document:
    """The document of a stored form, equal to the one that was encoded."""
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


def decode_run(first: int, data: bytes, low: int = 1, high: int = sys.maxsize) -> list[Line]:
    """The lines `low..high` of a run whose first line has number `first`; other lines are not built."""
    page, line_in_page, texts, roles, blocks, boxes, *more = _unpacked(data)
    start, end = max(0, low - first), max(0, min(len(texts), high - first + 1))
    columns = zip(texts[start:end], boxes[start:end], roles[start:end], blocks[start:end], strict=True)
    # Positional arguments, because a page has many lines and keyword arguments would take a third longer.
    lines = [
        Line(first + at, page, line_in_page + at, text, None if box is None else _box(box, page), _ROLES[role], block)
        for at, (text, box, role, block) in enumerate(columns, start)
    ]
    if more and more[0]:
        recognised = map(_recognition, more[0][start:end])
        lines = [replace(line, recognition=one) for line, one in zip(lines, recognised, strict=True)]
    if len(more) > 1:
        edges = more[1][start:end]
        lines = [replace(line, edges=tuple(one)) if one else line for line, one in zip(lines, edges, strict=True)]
    return lines


def lines_of_run(data: bytes) -> int:
    """The number of lines in a run."""
    return len(_unpacked(data)[2])


@lru_cache(maxsize=64)  # one question reads the same few runs for tables, lists, citations and the proof
def _unpacked(data: bytes) -> _PackedRun:
    packed: _PackedRun = _opened(data)
    return packed


def decode_details(data: bytes) -> Details:
    """The furniture, hidden text, notices and languages of a document."""
    packed = _opened(data)
    furniture: list[tuple[int, str, FurnitureKind, _PackedBox]] = packed["furniture"]
    hidden: list[tuple[int, str, HiddenReason, _PackedBox, int | None]] = packed["hidden"]
    notices: list[tuple[str, str, int | None]] = packed["notices"]
    return Details(
        tuple(Furniture(page, text, kind, _box(box, page)) for page, text, kind, box in furniture),
        tuple(Hidden(page, text, reason, _box(box, page), line) for page, text, reason, box, line in hidden),
        tuple(Notice(code, message, page) for code, message, page in notices),
        tuple(packed["languages"]),
    )


def packed_pages(pages: tuple[Page, ...]) -> bytes:
    """The pages in their stored form."""
    return _pack([(p.number, p.label, p.width, p.height, p.first_line, p.last_line, p.readable) for p in pages])


def unpacked_pages(data: bytes) -> tuple[Page, ...]:
    """The pages from their stored form."""
    return tuple(Page(*row) for row in _opened(data))


def packed_sections(sections: tuple[Section, ...]) -> bytes:
    """The sections in their stored form."""
    rows = [(s.title, s.level, s.first_line, s.last_line, s.start_page, s.section_end_page) for s in sections]
    return _pack(rows)


def unpacked_sections(data: bytes) -> tuple[Section, ...]:
    """The sections from their stored form."""
    return tuple(Section(*row) for row in _opened(data))


def packed_blocks(passage: Passage) -> str:
    """The blocks of a passage as JSON text."""
    return json.dumps(passage.blocks)


@lru_cache(maxsize=1024)  # most passages are one paragraph, or have a few common lengths
def unpacked_blocks(written: str) -> tuple[tuple[int, LineRole], ...]:
    """The blocks of a passage from their JSON text."""
    return tuple(map(tuple, json.loads(written)))


def _opened(data: bytes) -> Any:  # noqa: ANN401 - what JSON may hold
    """The value that `_pack` packed; a `StorageError` if the bytes are damaged."""
    try:
        return json.loads(zlib.decompress(data))
    except (zlib.error, ValueError) as error:
        raise damaged(str(error)) from error


def _check(document: Document) -> None:
    try:
        for number, line in enumerate(document.lines, start=1):
            if line.number != number or "\n" in line.text:
                raise DamagedDocumentError(
                    f"{document.name} cannot be stored: its reader has to number the lines 1, 2, 3, … "
                    f"and to leave no line break in line {number}.",
                    document=document.name,
                )
            if not line.text.isascii():
                line.text.encode()
        "\n".join([*(section.title for section in document.sections), document.name]).encode()
    except UnicodeEncodeError:
        raise DamagedDocumentError(
            f"{document.name} cannot be stored: its reader left text that is not valid Unicode.", document=document.name
        ) from None


class PackedLines(Sequence[Line]):
    """A sequence of lines that packs them as they are added: a table of a million rows takes a tenth of the memory."""

    def __init__(self, lines: Iterable[Line] = ()) -> None:
        """Start with these lines."""
        self._runs: list[Run] = []
        self._starts: list[int] = []
        self._open: list[Line] = []
        self._last: tuple[int, list[Line]] = -1, []
        self.characters = 0
        for line in lines:
            self.append(line)

    def append(self, line: Line) -> None:
        """Append the next line."""
        if self._open and (len(self._open) == MOST_LINES_A_RUN or line.page != self._open[0].page):
            self._close()
        self._open.append(line)
        self.characters += len(line.text)

    @property
    def runs(self) -> Sequence[Run]:
        """All lines in packed runs."""
        if self._open:
            self._close()
        return self._runs

    def texts(self) -> Iterator[str]:
        """The texts of all lines, faster than by building the lines."""
        for run in self.runs:
            yield from _opened(run.data)[2]

    def __len__(self) -> int:
        """The number of lines."""
        return (self._runs[-1].last if self._runs else 0) + len(self._open)

    def __iter__(self) -> Iterator[Line]:
        """The lines in order; only one run at a time is unpacked."""
        for run in self.runs:
            yield from decode_run(run.first, run.data)

    @overload
    def __getitem__(self, at: int) -> Line: ...

    @overload
    def __getitem__(self, at: slice) -> list[Line]: ...

    def __getitem__(self, at: int | slice) -> Line | list[Line]:
        """A line or a slice of lines by index, from 0, which is one less than the line number."""
        first, last, _ = at.indices(len(self)) if isinstance(at, slice) else (range(len(self))[at], at, 1)
        held, before = self._unpacked_at(first)
        if not isinstance(at, slice):
            return held[first - before]
        found = held[first - before : last - before]
        while first + len(found) < last:
            held, before = self._unpacked_at(first + len(found))
            found += held[: last - before]
        return found

    def _unpacked_at(self, place: int) -> tuple[list[Line], int]:
        """The lines of the run that contains an index, and the index of its first line."""
        runs = self.runs
        at = bisect_right(self._starts, place) - 1
        if self._last[0] != at:
            self._last = at, decode_run(runs[at].first, runs[at].data)
        return self._last[1], self._starts[at]

    def _close(self) -> None:
        self._starts.append(self._open[0].number - 1)
        self._runs.append(_run(self._open))
        self._open = []


def _runs(lines: Sequence[Line]) -> Iterator[Run]:
    if isinstance(lines, PackedLines):
        yield from lines.runs
        return
    start = 0
    for at in range(1, len(lines) + 1):
        ends = (
            at == len(lines)
            or at - start == MOST_LINES_A_RUN
            or lines[at].page != lines[start].page
            or lines[at].line_in_page != lines[at - 1].line_in_page + 1
        )
        if ends:
            yield _run(lines[start:at])
            start = at


def _run(lines: Sequence[Line]) -> Run:
    first = lines[0]
    recognised = [_packed_recognition(line.recognition) for line in lines]
    recognised = recognised if any(recognised) else []
    edges = [line.edges for line in lines]
    packed: _PackedRun = (
        first.page,
        first.line_in_page,
        [line.text for line in lines],
        [_ROLE_NUMBERS[line.role] for line in lines],
        [line.block for line in lines],
        [_packed_box(line.box, line.page) for line in lines],
        *([recognised, edges] if any(edges) else [recognised] if recognised else []),
    )
    return Run(first.number, lines[-1].number, _pack(packed))


def _packed_details(document: Document) -> bytes:
    return _pack(
        {
            "furniture": [(f.page, f.text, f.kind, _packed_box(f.box, f.page)) for f in document.furniture],
            "hidden": [(h.page, h.text, h.reason, _packed_box(h.box, h.page), h.line) for h in document.hidden],
            "notices": [(n.code, n.message, n.page) for n in document.notices],
            "languages": document.languages,
        }
    )


def _pack(value: object) -> bytes:
    return zlib.compress(json.dumps(value, separators=(",", ":")).encode(), _LEVEL)


def _packed_box(box: Box | None, page: int) -> _PackedBox:
    if box is None:
        return None
    edges = (box.x0, box.y0, box.x1, box.y1)
    return edges if box.page == page else (*edges, box.page)


def _packed_recognition(found: Recognition | None) -> _PackedRecognition:
    return None if found is None else (found.confidence, list(found.doubtful))


def _recognition(packed: _PackedRecognition) -> Recognition | None:
    return None if packed is None else Recognition(packed[0], tuple(packed[1]))


def _box(packed: _PackedBox, page: int) -> Box | None:
    if packed is None:
        return None
    x0, y0, x1, y1, *other = packed
    return Box(int(other[0]) if other else page, x0, y0, x1, y1)


_MOST_CHECKED = 32 * 1024 * 1024
"""Most bytes of an index that are verified when it is opened, small files first; all of a large index takes too
long."""
_MAGIC = 1337
_LONGEST = 50_000
_TAIL = struct.Struct("<II")
_PIECE = 1024 * 1024


def seal(*row: object) -> int:
    """The checksum (CRC-32) of the values of a row and the name of its document."""
    if bytes in map(type, row):
        row = tuple(zlib.crc32(value) if isinstance(value, bytes) else value for value in row)
    return zlib.crc32(repr(row).encode("utf-8", "surrogatepass"))


def check(sealed: object, what: str, *row: object) -> None:
    """Raise a `StorageError` if a row does not have the checksum that was stored with it."""
    if sealed != seal(*row):
        raise damaged(f"{what} is not what was written")


def damaged(why: str) -> StorageError:
    """The error for a corpus in which data was altered or is missing."""
    return StorageError(
        f"The corpus is damaged ({why}): remove the document and add it again, or make the corpus anew (spanwise "
        "index)."
    )


def damaged_file(folder: Path) -> Path | None:
    """The first file of an index whose checksum is wrong; None if all verified files are intact."""
    listed = json.loads((folder / "meta.json").read_bytes())
    segments = {str(one["segment_id"]).replace("-", "") for one in listed["segments"]}
    files = [path for path in folder.iterdir() if path.name.partition(".")[0] in segments]
    left = _MOST_CHECKED
    for size, path in sorted((path.stat().st_size, path) for path in files):
        left -= size
        if left < 0:
            break
        if not _whole(path, size):
            return path
    return None


def _whole(path: Path, size: int) -> bool:
    """True if the content of a file has the checksum in its footer."""
    with path.open("rb") as file:
        file.seek(max(0, size - _TAIL.size))
        tail = file.read()
        if len(tail) != _TAIL.size:
            return False
        length, magic = _TAIL.unpack(tail)
        if magic != _MAGIC or not 0 < length <= min(_LONGEST, size - _TAIL.size):
            return False
        body = size - _TAIL.size - length
        file.seek(body)
        try:
            told = json.loads(file.read(length))["crc"]
        except (ValueError, KeyError, TypeError):
            return False
        file.seek(0)
        found = 0
        while body > 0 and (piece := file.read(min(_PIECE, body))):
            found = zlib.crc32(piece, found)
            body -= len(piece)
        return bool(told == found)
