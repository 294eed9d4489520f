"""A document as rows and compressed runs of lines, so that a citation can load a page without the rest."""

from __future__ import annotations

import json
import sys
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

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
from spanwise.errors import DamagedDocumentError
from spanwise.store.passages import build_passages
from spanwise.store.seals import damaged

MOST_LINES_A_RUN = 200
_LEVEL = 1  # Twice as fast as the default, for a tenth more space.
_ROLES: tuple[LineRole, ...] = ("text", "heading", "list_item", "table_row", "blank")
_ROLE_NUMBERS = {role: number for number, role in enumerate(_ROLES)}

_PackedBox: TypeAlias = tuple[float, ...] | None
_PackedRecognition: TypeAlias = tuple[float, list[str]] | None
_PackedRun: TypeAlias = tuple[
    int, int, list[str], list[int], list[int], list[_PackedBox], *tuple[list[_PackedRecognition], ...]
]
"""How sure a recogniser was comes last, in runs that have recognised lines."""


@dataclass(frozen=True, slots=True)
class Run:
    """Consecutive lines of one page, packed."""

    first: int
    last: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Record:
    """A document as it is stored; cheap to send from one process to another."""

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
    """What a document has beside lines, pages and sections."""

    furniture: tuple[Furniture, ...]
    hidden: tuple[Hidden, ...]
    notices: tuple[Notice, ...]
    languages: tuple[str, ...] = ()


def encode(document: Document) -> Record:
    """Pack `document`, with its passages.

    Raises:
        DamagedDocumentError: Its lines are not numbered 1, 2, 3, …, one has a line break, or its text is not Unicode.
    """
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
        passages=tuple(build_passages(document)),
        details=_packed_details(document),
    )


def decode_run(first: int, data: bytes, low: int = 1, high: int = sys.maxsize) -> list[Line]:
    """The lines `low..high` of a run whose first line has the number `first`; a citation needs few of many."""
    page, line_in_page, texts, roles, blocks, boxes, *recognised = _unpacked(data)
    start, end = max(0, low - first), max(0, min(len(texts), high - first + 1))
    columns = zip(texts[start:end], boxes[start:end], roles[start:end], blocks[start:end], strict=True)
    # In the order of the fields, because a page has many lines and names would cost a third more.
    lines = [
        Line(first + at, page, line_in_page + at, text, None if box is None else _box(box, page), _ROLES[role], block)
        for at, (text, box, role, block) in enumerate(columns, start)
    ]
    for packed in recognised:
        lines = [
            replace(line, recognition=_recognition(one)) for line, one in zip(lines, packed[start:end], strict=True)
        ]
    return lines


def lines_of_run(data: bytes) -> int:
    """How many lines a run has."""
    return len(_unpacked(data)[2])


@lru_cache(maxsize=64)  # one question reads the same few runs for tables, lists, citations and the proof
def _unpacked(data: bytes) -> _PackedRun:
    packed: _PackedRun = _opened(data)
    return packed


def decode_details(data: bytes) -> Details:
    """Furniture, hidden text, notices and languages of a document."""
    packed = _opened(data)
    furniture: list[tuple[int, str, FurnitureKind, _PackedBox]] = packed["furniture"]
    hidden: list[tuple[int, str, HiddenReason, _PackedBox, *tuple[int | None, ...]]] = packed["hidden"]
    notices: list[tuple[str, str, int | None]] = packed["notices"]
    return Details(
        tuple(Furniture(page, text, kind, _box(box, page)) for page, text, kind, box in furniture),
        tuple(Hidden(page, text, reason, _box(box, page), *line) for page, text, reason, box, *line in hidden),
        tuple(Notice(code, message, page) for code, message, page in notices),
        tuple(packed.get("languages", ())),  # corpora of before have none
    )


def packed_pages(pages: tuple[Page, ...]) -> bytes:
    """Pages, packed."""
    return _pack([(p.number, p.label, p.width, p.height, p.first_line, p.last_line, p.readable) for p in pages])


def unpacked_pages(data: bytes) -> tuple[Page, ...]:
    """The pages that were packed."""
    return tuple(Page(*row) for row in _opened(data))


def packed_sections(sections: tuple[Section, ...]) -> bytes:
    """Sections, packed."""
    rows = [(s.title, s.level, s.first_line, s.last_line, s.start_page, s.section_end_page) for s in sections]
    return _pack(rows)


def unpacked_sections(data: bytes) -> tuple[Section, ...]:
    """The sections that were packed."""
    return tuple(Section(*row) for row in _opened(data))


def packed_blocks(passage: Passage) -> str:
    """The blocks of a passage, as they are stored."""
    return json.dumps(passage.blocks)


@lru_cache(maxsize=1024)  # most passages are one paragraph, or a few of the usual lengths
def unpacked_blocks(written: str) -> tuple[tuple[int, LineRole], ...]:
    """The blocks that `packed_blocks` wrote."""
    return tuple(map(tuple, json.loads(written)))


def _opened(data: bytes) -> Any:  # noqa: ANN401 - what JSON may hold
    """What `_pack` packed."""
    try:
        return json.loads(zlib.decompress(data))
    except (zlib.error, ValueError) as error:
        raise damaged(str(error)) from error


def _check(document: Document) -> None:
    for number, line in enumerate(document.lines, start=1):
        if line.number != number or "\n" in line.text:
            raise DamagedDocumentError(
                f"{document.name} cannot be stored: its reader has to number the lines 1, 2, 3, … "
                f"and to leave no line break in line {number}.",
                document=document.name,
            )
    words = [line.text for line in document.lines] + [section.title for section in document.sections] + [document.name]
    try:
        "\n".join(words).encode()
    except UnicodeEncodeError:
        raise DamagedDocumentError(
            f"{document.name} cannot be stored: its reader left text that is not valid Unicode.",
            document=document.name,
        ) from None


def _runs(lines: tuple[Line, ...]) -> Iterator[Run]:
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


def _run(lines: tuple[Line, ...]) -> Run:
    first = lines[0]
    recognised = [_packed_recognition(line.recognition) for line in lines]
    packed: _PackedRun = (
        first.page,
        first.line_in_page,
        [line.text for line in lines],
        [_ROLE_NUMBERS[line.role] for line in lines],
        [line.block for line in lines],
        [_packed_box(line.box, line.page) for line in lines],
        *([recognised] if any(recognised) else []),
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
