"""A conflict between two sources, as a value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, TypedDict

ConflictKind: TypeAlias = Literal["number", "date", "polarity", "name"]
Which: TypeAlias = Literal["one", "other"]


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a conflict: the statement of one source, and its place."""

    passage: str
    """Id of the passage."""
    position: int
    """1-based place of the passage among those given."""
    document: str
    line_start: int
    line_end: int
    """Lines of the document that the quote touches, both included."""
    page: int | None
    """1-based; None where nothing says it."""
    start: int
    end: int
    """Range of the quote in the passage's text, end exclusive."""
    quote: str
    """The sentence, verbatim."""
    value: str
    """The words that the other side contradicts, verbatim; empty where it only lacks a "not"."""
    at: tuple[int, int]
    """Range of the value in the passage's text, end exclusive."""
    dated: str | None
    """Since when it holds, or the date of its document, as ISO 8601 at its precision; None where the text is silent."""
    amendment: int | None
    """Which amendment the source is, 1 for the first; None where it is none or does not say its number."""
    amends: bool
    """True if the source says that it changes an earlier one."""


class SideDict(TypedDict):
    """`Side` as JSON values; `at` is the range of the quote, `value_at` that of the value."""

    passage: str
    position: int
    document: str
    line_start: int
    line_end: int
    page: int | None
    quote: str
    at: list[int]
    value: str
    value_at: list[int]
    dated: str | None
    amendment: int | None
    amends: bool


class ConflictDict(TypedDict):
    """The value of `Conflict.to_dict`."""

    kind: ConflictKind
    later: Which | None
    reason: str
    one: SideDict
    other: SideDict


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two sources that say different things of the same subject."""

    kind: ConflictKind
    one: Side
    """The side whose passage was given first."""
    other: Side
    later: Which | None
    """The side that the texts tell to be the later one; None where they do not."""
    reason: str
    """One sentence for a person."""

    def to_dict(self) -> ConflictDict:
        """The conflict as JSON values."""
        return {
            "kind": self.kind,
            "later": self.later,
            "reason": self.reason,
            "one": _values(self.one),
            "other": _values(self.other),
        }


def _values(side: Side) -> SideDict:
    return {
        "passage": side.passage,
        "position": side.position,
        "document": side.document,
        "line_start": side.line_start,
        "line_end": side.line_end,
        "page": side.page,
        "quote": side.quote,
        "at": [side.start, side.end],
        "value": side.value,
        "value_at": list(side.at),
        "dated": side.dated,
        "amendment": side.amendment,
        "amends": side.amends,
    }
