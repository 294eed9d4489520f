"""The proof of one answer by itself: the lines that its draft cites, as they were read; a trace carries it along."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from pydantic import TypeAdapter, ValidationError

from spanwise.contract.result import Draft, Source
from spanwise.contract.validation.cited import NEAR_BEFORE, NEAR_BEHIND
from spanwise.domain.document import Line, Page
from spanwise.domain.passage import Passage
from spanwise.errors import DocumentNotFoundError, TraceError
from spanwise.store.port import Lines, StoredDocument

_Range: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Kept:
    """Excerpt of one document: some lines in order, their pages, and the passages that the cited ones are of."""

    stored: StoredDocument
    pages: tuple[Page, ...]
    lines: tuple[Line, ...]
    passages: tuple[Passage, ...]


class Proof:
    """Lines of some documents, and what their citations tell of them; it is a `spanwise.store.port.Lines`."""

    def __init__(self, kept: Iterable[Kept]) -> None:
        """Hold what was kept of each document."""
        self._kept = {one.stored.name: one for one in kept}

    @classmethod
    def of(cls, draft: Draft, store: Lines) -> Proof:
        """The lines that prove a draft, with those around them that say scale and scope; else the nearest evidence."""
        ranges: dict[str, list[tuple[int, int]]] = {}
        touched: dict[str, list[tuple[int, int]]] = {}
        proving = (*draft.cited, *draft.read)
        before, behind = (NEAR_BEFORE, NEAR_BEHIND) if proving else (0, 0)
        for place in proving or draft.nearest:
            touched.setdefault(place.document, []).append((place.line_start, place.line_end))
            first, last = max(1, place.line_start - before), place.line_end + behind
            ranges.setdefault(place.document, []).append((first, last))
        return cls(_kept(name, ranges[name], touched[name], store) for name in ranges)

    def documents(self) -> tuple[StoredDocument, ...]:
        """The documents, in the order in which they are cited."""
        return tuple(one.stored for one in self._kept.values())

    def stored(self, name: str) -> StoredDocument:
        """Metadata of one document."""
        return self._of(name).stored

    def lines(self, name: str, first: int, last: int) -> tuple[Line, ...]:
        """Those of the lines `first..last` that are at hand."""
        return tuple(line for line in self._of(name).lines if first <= line.number <= last)

    def pages(self, name: str) -> tuple[Page, ...]:
        """The pages of the lines that are at hand."""
        return self._of(name).pages

    def passages(self, name: str, first: int = 1, last: int | None = None) -> tuple[Passage, ...]:
        """Those of the passages that are at hand and share a line with `first..last`."""
        return tuple(
            passage
            for passage in self._of(name).passages
            if passage.line_end >= first and (last is None or passage.line_start <= last)
        )

    def has(self, place: Source) -> bool:
        """True if every line of a place is at hand."""
        found = self.lines(place.document, place.line_start, place.line_end)
        return bool(found) and len(found) == place.line_end - place.line_start + 1

    def to_json(self) -> object:
        """The proof as JSON values."""
        return _adapter().dump_python(tuple(self._kept.values()), mode="json")

    @classmethod
    def from_json(cls, record: object) -> Proof:
        """The proof that a trace holds."""
        try:
            kept = _adapter().validate_python(record)
        except ValidationError as error:
            raise TraceError(f"the proof in the trace cannot be read: {error.errors()[0]['msg']}") from error
        for one in kept:
            numbers = [line.number for line in one.lines]
            if numbers != sorted(set(numbers)):
                raise TraceError(f"the proof in the trace has lines of {one.stored.name} twice or in disorder")
        return cls(kept)

    def _of(self, name: str) -> Kept:
        if name not in self._kept:
            raise DocumentNotFoundError(f"the proof has no document {name!r}", document=name)
        return self._kept[name]


def _kept(name: str, near: Sequence[_Range], touched: Sequence[_Range], store: Lines) -> Kept:
    lines = tuple(line for first, last in _joined(near) for line in store.lines(name, first, last))
    passages = {one.id: one for first, last in _joined(touched) for one in store.passages(name, first, last)}
    pages = {line.page for line in lines}
    return Kept(
        store.stored(name),
        tuple(page for page in store.pages(name) if page.number in pages),
        lines,
        tuple(sorted(passages.values(), key=lambda passage: passage.line_start)),
    )


def _joined(ranges: Sequence[_Range]) -> list[_Range]:
    """The same lines as ranges that share none, in order; lines are fetched once, and few at a time cost most."""
    joined: list[_Range] = []
    for first, last in sorted(ranges):
        if joined and first <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(last, joined[-1][1]))
        else:
            joined.append((first, last))
    return joined


@lru_cache(maxsize=1)
def _adapter() -> TypeAdapter[tuple[Kept, ...]]:
    return TypeAdapter(tuple[Kept, ...])
