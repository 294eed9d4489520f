"""A question, parsed: what is asked, in words that can be compared with a text, and what form the answer takes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

AnswerShape: TypeAlias = Literal["single", "listing", "table", "tree", "nested_json"]


@dataclass(frozen=True, slots=True)
class Question:
    """What the user asked."""

    text: str
    keywords: tuple[str, ...]
    """Stems of its content words, in order, each once."""
    answer_shape: AnswerShape
    count: int | None = None
    """How many elements it asks for ("the five ..."), when it says so."""
