"""What a filler finds in a text: a value, and the words that say it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from pydantic import BaseModel

from spanwise.text.quantities import Scale

MOST_CHARACTERS = 20_000
"""Characters of one piece of evidence that are read for values."""


@dataclass(frozen=True, slots=True)
class Found:
    """A value over `text[start:end]` of the evidence."""

    value: BaseModel | str | bool
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Around:
    """What other lines say of the figures of a text."""

    scale: Scale | None = None
    currency: str | None = None
    """ISO 4217 code of figures without a sign, when the document says it."""


Filler: TypeAlias = Callable[[str, Around], Sequence[Found]]
"""Reads every value of one type in a text, in the order of the text."""
