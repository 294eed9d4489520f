"""Texts without the characters that nobody sees (zero-width, directional, control), and the way back to each place."""

from __future__ import annotations

import re
from dataclasses import dataclass

_UNSEEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]"
)


@dataclass(frozen=True, slots=True)
class VisibleText:
    """What is seen of a text."""

    text: str
    origin: tuple[int, ...] | None
    """Place in the text as it was of each character; None where nothing was left out."""

    def place(self, start: int, end: int) -> tuple[int, int]:
        """The range of the text as it was."""
        if self.origin is None or start >= end:
            return start, end
        return self.origin[start], self.origin[end - 1] + 1


def seen(text: str) -> VisibleText:
    """Leave out what nobody sees."""
    if not _UNSEEN.search(text):
        return VisibleText(text, None)
    origin = tuple(place for place, character in enumerate(text) if not _UNSEEN.match(character))
    return VisibleText("".join(text[place] for place in origin), origin)
