"""A message as a program for mail shows it, whatever format it came in."""

from __future__ import annotations

from dataclasses import dataclass, field

FIELDS = ("From", "Sender", "Reply-To", "To", "Cc", "Bcc", "Date", "Subject")
"""The headers that are shown, in the order of a program for mail."""


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that comes with a message."""

    name: str
    data: bytes


@dataclass(slots=True)
class Message:
    """A message."""

    fields: list[tuple[str, str]] = field(default_factory=list)
    texts: list[tuple[str, str]] = field(default_factory=list)
    """What it says, piece by piece: the kind ("plain", "flowed" or "html") and the text."""
    attachments: list[Attachment] = field(default_factory=list)
