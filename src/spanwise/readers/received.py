"""Validation of what a reading process sends: a schema for each frame, and the record assembled from the frames.

The process may be under the control of the file that it read, so whatever violates the schema raises `WireError`.
"""

from __future__ import annotations

import zlib
from functools import partial
from typing import Annotated, Any, TypeAlias, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter, ValidationError

from spanwise.domain.document import FurnitureKind, HiddenReason, LineRole, Page, Section
from spanwise.domain.passage import Passage
from spanwise.readers.wire import DETAILS, FAILED, PAGES, PAIR, PASSAGES, RUN, SECTIONS, WireError
from spanwise.store.codec import MOST_LINES_A_RUN, Record, Run

T = TypeVar("T")

_MOST_VALUES = 8_000_000
"""Most values in a frame of JSON: an empty list takes two bytes there, and sixty in memory."""
_MOST_UNPACKED = 64 * 1024 * 1024
"""Most bytes to which a run of lines, or a document's furniture and notices, may unpack."""
_LONGEST_MESSAGE = 2_000
_LARGEST = 2**53

_Count: TypeAlias = Annotated[int, Field(ge=0, le=_LARGEST)]
_Number: TypeAlias = Annotated[int, Field(ge=1, le=_LARGEST)]
_Measure: TypeAlias = Annotated[float, Field(allow_inf_nan=False)]
_Edges: TypeAlias = Annotated[list[_Measure], Field(min_length=4, max_length=5)]
"""A box; the fifth number is its page, if that is another one."""
_Digest: TypeAlias = Annotated[str, StringConstraints(pattern="^[0-9a-f]{64}$")]
_Role: TypeAlias = Annotated[int, Field(ge=0, lt=len(get_args(LineRole)))]
_Recognised: TypeAlias = tuple[Annotated[float, Field(ge=0, le=1)], list[str]] | None
_Roles: TypeAlias = list[_Role]
_Blocks: TypeAlias = list[_Count]
_Boxes: TypeAlias = list[_Edges | None]
_Lines: TypeAlias = Annotated[
    tuple[_Number, _Number, list[str], _Roles, _Blocks, _Boxes]
    | tuple[_Number, _Number, list[str], _Roles, _Blocks, _Boxes, list[_Recognised]]
    | tuple[_Number, _Number, list[str], _Roles, _Blocks, _Boxes, list[_Recognised], list[list[_Measure]]],
    Field(union_mode="left_to_right"),
]
"""Page and line in page of the first line, then the columns, as `spanwise.store.codec` packs them."""


class _Details(BaseModel):
    """What a document has besides lines, pages and sections, as `spanwise.store.codec` packs it."""

    model_config = ConfigDict(extra="forbid", strict=True)

    furniture: list[tuple[_Number, str, FurnitureKind, _Edges | None]]
    hidden: list[tuple[_Number, str, HiddenReason, _Edges | None, _Count | None]]
    notices: list[tuple[str, str, _Number | None]]
    languages: list[str]


_STRICT = ConfigDict(strict=True)
_schema = partial(TypeAdapter[Any], config=_STRICT)
_HEAD = _schema(tuple[str, _Digest, Annotated[str, Field(max_length=100)], bool, _Count])
_PAGES = _schema(list[tuple[_Number, str, int | _Measure, int | _Measure, _Number, _Count, bool]])
_SECTIONS = _schema(list[tuple[str, _Number, _Number, _Number, _Number, _Number]])
_PASSAGES = _schema(list[tuple[_Number, _Number, _Number, str, str | None, list[tuple[_Number, LineRole]]]])
_FAILURE = _schema(tuple[str, str])
_RUNS = _schema(_Lines)
_DETAILS = TypeAdapter(_Details)


def failure_from(kind: bytes, content: bytes) -> tuple[str, str]:
    """The name of an error and its message, from a frame `FAILED`."""
    if kind != FAILED:
        raise WireError(f"a frame of the kind {kind!r} in place of a document")
    error, message = _checked(_FAILURE, content)
    return error, "".join(letter if letter.isprintable() else " " for letter in message[:_LONGEST_MESSAGE])


class Assembly:
    """A document under construction from its frames."""

    def __init__(self, head: bytes, name: str) -> None:
        """Begin with the content of the frame `DOCUMENT`; raises `WireError` if the document is not called `name`."""
        called, self._id, self._format, self._paged, self._lines = _checked(_HEAD, head)
        if called != name:
            raise WireError("a document of another name")
        self._name = name
        self._pages: list[Page] = []
        self._sections: list[Section] = []
        self._runs: list[Run] = []
        self._passages: list[Passage] = []
        self._details: list[bytes] = []
        self._next = 1

    def take(self, kind: bytes, content: bytes) -> None:
        """Add one frame; raises `WireError` if it is invalid."""
        if kind == RUN:
            self._take_run(content)
        elif kind == DETAILS:
            self._details.append(content)
        elif kind == PAGES:
            self._pages += [Page(*row) for row in _checked(_PAGES, content)]
        elif kind == SECTIONS:
            self._sections += [self._section(*row) for row in _checked(_SECTIONS, content)]
        elif kind == PASSAGES:
            self._passages += [self._passage(*row) for row in _checked(_PASSAGES, content)]
        else:
            raise WireError(f"a frame of the kind {kind!r} within a document")

    def record(self) -> Record:
        """The complete document; raises `WireError` if a part is missing."""
        if self._next != self._lines + 1:
            raise WireError(f"a document of {self._lines} lines that has {self._next - 1}")
        if any(page.last_line > self._lines for page in self._pages):
            raise WireError("a page outside of its document")
        details = b"".join(self._details)
        _checked(_DETAILS, _unpacked(details))
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
        if len(content) < PAIR.size:
            raise WireError("a run of lines that is cut")
        first, last = PAIR.unpack_from(content)
        if first != self._next or not 0 <= last - first < MOST_LINES_A_RUN or last > self._lines:
            raise WireError("a run of lines out of its order")
        data = content[PAIR.size :]
        _, _, texts, roles, blocks, boxes, *more = _checked(_RUNS, _unpacked(data))
        recognised = filter(None, more[:1])  # the column is missing if no line of the run was recognised
        if any(len(one) != last - first + 1 for one in (texts, roles, blocks, boxes, *recognised, *more[1:])):
            raise WireError("columns of another length")
        if "\n" in "".join(texts):
            raise WireError("a line with a line break")
        self._runs.append(Run(first, last, data))
        self._next = last + 1

    def _section(self, title: str, level: int, first: int, last: int, start: int, end: int) -> Section:
        if not first <= last <= self._lines or not start <= end:
            raise WireError("a section outside of its document")
        return Section(title, level, first, last, start, end)

    def _passage(
        self, start: int, end: int, page: int, text: str, section: str | None, blocks: list[tuple[int, LineRole]]
    ) -> Passage:
        if not start <= end <= self._lines:
            raise WireError("a passage outside of its document")
        return Passage(
            id=f"{self._name}:{start}-{end}",
            document=self._name,
            line_start=start,
            line_end=end,
            page=page,
            text=text,
            section=section,
            blocks=tuple(blocks),
        )


def _checked(schema: TypeAdapter[T], content: bytes) -> T:
    """The validated value of a JSON text; raises `WireError` if it does not match the schema."""
    if content.count(b"[") + content.count(b"{") + content.count(b",") > _MOST_VALUES:
        raise WireError("a frame with too many values")
    try:
        return schema.validate_json(content)
    except ValidationError as error:
        raise WireError(f"a frame that is not what it should be ({error.errors()[0]['type']})") from error


def _unpacked(data: bytes) -> bytes:
    unpacking = zlib.decompressobj()
    try:
        found = unpacking.decompress(data, _MOST_UNPACKED)
    except zlib.error as error:
        raise WireError(f"lines that cannot be unpacked ({error})") from error
    if not unpacking.eof or unpacking.unused_data:
        raise WireError("lines that are cut or too long")
    return found
