"""What one served corpus allows: sizes of uploads, how long reading takes, and how much is kept."""

from __future__ import annotations

from dataclasses import dataclass

LONGEST_TEXT = 200_000
"""Characters of a text that is verified; no answer is that long."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one `Library`; crossing one is an error that names it."""

    upload_bytes: int = 100 * 1024 * 1024
    """Size of one uploaded file."""
    pages: int = 5_000
    """Pages of one uploaded document."""
    reading_seconds: float = 120.0
    """Time that reading one uploaded file may take."""
    reading_bytes: int = 2 * 1024 * 1024 * 1024
    """Memory that reading one uploaded file may take."""
    documents: int = 100_000
    """Documents of the corpus."""
    readers: int = 2
    """Processes that read uploads at the same time."""
    busy_seconds: float = 30.0
    """How long a change waits for another program that is writing to the corpus."""
    answers: int = 10_000
    """Results that are kept with their traces; the oldest go first."""
    passages: int = 20_000
    """Passages that one verification is held against."""
    rows: int = 100_000
    """Rows that one extraction gives, at most one for each field of each document counted beforehand."""
    waiting_jobs: int = 1_000
    """Uploads and extractions that run or wait at the same time."""
    waiting_bytes: int = 4 * 1024 * 1024 * 1024
    """Bytes of the uploads that run or wait."""
