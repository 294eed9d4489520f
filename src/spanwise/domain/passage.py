"""Passages (contiguous lines of one section) and hits (passages with a retrieval score and its factors)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from spanwise.domain.document import LineRole


@dataclass(frozen=True, slots=True)
class Passage:
    """Contiguous lines of one section of one document.

    `text` is those lines joined by line breaks, so line n of the text, counted from 0, is line `line_start + n`.
    """

    id: str
    """`NAME:START-END`, unique within a corpus."""
    document: str
    """Name of the document."""
    line_start: int
    line_end: int
    page: int
    """Page of the first line."""
    text: str
    section: str | None = None
    """Title of the innermost section, or None before the first heading."""
    blocks: tuple[tuple[int, LineRole], ...] = ()
    """The blocks (paragraphs, list items, table rows, headings) of the text in order: the number of lines and the role
    of each."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A retrieved passage with its score (higher is better)."""

    passage: Passage
    score: float
    factors: Mapping[str, float] = field(default_factory=dict)
    """The factors that were combined into the score, by name."""
