"""A line of `spanwise doctor`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    name: str
    ok: bool
    detail: str
    install: str | None = None
    """The command that brings what is missing."""
    optional: bool = False
    """Whether nothing is wrong without it."""
