"""Passages: contiguous lines of one section, and hits: passages with the reasons for their rank."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from spanwise.domain.document import LineRole


@dataclass(frozen=True, slots=True)
class Passage:
    """Contiguous lines of one section of one document.

    `text` is those lines joined by line breaks, so the n-th line of the text is line `line_start + n` of the document.
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
    """Each paragraph, list item, table row or heading of the text in order: how many lines it has, and their role."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage with its score (higher is better) and the factors that made it."""

    passage: Passage
    score: float
    factors: Mapping[str, float] = field(default_factory=dict)
