"""The proof of one answer by itself: the lines that its draft cites, as they were read; a trace carries it along."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from pydantic import TypeAdapter, ValidationError

from spanwise.contract.result import Draft, Source
from spanwise.contract.validation.cited import NEAR_BEFORE, NEAR_BEHIND
from spanwise.domain.document import Line, Page
from spanwise.domain.passage import Passage
from spanwise.errors import DocumentNotFoundError, TraceError
from spanwise.store.port import Lines, StoredDocument


@dataclass(frozen=True, slots=True)
class Kept:
    """What is kept of one document: some lines in order, their pages, and the passages that the cited ones are of."""

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
        """What proves a draft with the lines around it that say scale and scope; what came nearest when nothing did."""
        lines: dict[str, dict[int, Line]] = {}
        passages: dict[str, dict[str, Passage]] = {}
        for place in (*cited(draft), *draft.nearest, *draft.read):
            first, last = max(1, place.line_start - NEAR_BEFORE), place.line_end + NEAR_BEHIND
            found = store.lines(place.document, first, last)
            lines.setdefault(place.document, {}).update({line.number: line for line in found})
            touched = store.passages(place.document, place.line_start, place.line_end)
            passages.setdefault(place.document, {}).update({passage.id: passage for passage in touched})
        return cls(
            Kept(
                store.stored(name),
                tuple(page for page in store.pages(name) if any(line.page == page.number for line in there.values())),
                tuple(there[number] for number in sorted(there)),
                tuple(sorted(passages[name].values(), key=lambda passage: passage.line_start)),
            )
            for name, there in lines.items()
        )

    def documents(self) -> tuple[StoredDocument, ...]:
        """The documents, in the order in which they are cited."""
        return tuple(one.stored for one in self._kept.values())

    def stored(self, name: str) -> StoredDocument:
        """What is known of one document."""
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

    def to_json(self) -> object:
        """The proof as JSON values."""
        return _adapter().dump_python(tuple(self._kept.values()), mode="json")

    @classmethod
    def from_json(cls, record: object) -> Proof:
        """The proof that a trace holds.

        Raises:
            TraceError: The record is not one of `to_json`.
        """
        try:
            return cls(_adapter().validate_python(record))
        except ValidationError as error:
            raise TraceError(f"the proof in the trace cannot be read: {error.errors()[0]['msg']}") from error

    def _of(self, name: str) -> Kept:
        if name not in self._kept:
            raise DocumentNotFoundError(f"the proof has no document {name!r}", document=name)
        return self._kept[name]


def cited(draft: Draft) -> list[Source]:
    """Every place that a draft cites, item by item."""
    return [
        Source(document, span.line_start, span.line_end)
        for item, documents in zip(draft.answer.items, draft.sources, strict=True)
        for span, document in zip(item.spans, documents, strict=True)
    ]


@lru_cache(maxsize=1)
def _adapter() -> TypeAdapter[tuple[Kept, ...]]:
    return TypeAdapter(tuple[Kept, ...])
