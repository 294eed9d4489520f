"""Characters that nobody sees: taken out of a line, and decoded where they carry a message."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

_ANSI = r"\x1b\[[0-9;?]{0,16}[A-Za-z]"
_CONTROL = r"\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f"
_ZERO_WIDTH = "\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
_TAGS = "\U000e0000-\U000e007f"
_SELECTORS = "\ufe00-\ufe0f\U000e0100-\U000e01ef"

_UNSEEN = re.compile(f"{_ANSI}|[{_CONTROL}{_ZERO_WIDTH}{_TAGS}]+|[{_SELECTORS}]{{2,}}")
LINE_BREAKS = re.compile("[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
"""Everything that Python takes for the end of a line; a Line holds none of them."""

_JOINERS = "\u200c\u200d"
_HARMLESS = frozenset("\u00ad\ufeff\u200e\u200f")
"""Soft hyphens, byte order marks and direction marks: everyday typesetting, not worth a notice."""


class Seen(NamedTuple):
    """What is left of a line, and what was taken out."""

    text: str
    message: str
    """What the invisible characters spell, or nothing."""
    dropped: int
    """How many characters were dropped that are not everyday typesetting."""


def visible(text: str) -> Seen:
    """The text without control, zero-width and tag characters; a line break inside becomes a space, tabs stay.

    Joiners stay between letters that need them (Persian, Hindi, emoji), and so does a single variation selector.
    """
    if text.isascii() and text.isprintable():
        return Seen(text, "", 0)
    message: list[str] = []
    dropped = 0

    def replace(match: re.Match[str]) -> str:
        nonlocal dropped
        run = match.group()
        if run in _JOINERS and _between_letters(text, match.start(), match.end()):
            return run
        message.append(_decode(run))
        dropped += sum(char not in _HARMLESS for char in run)
        return ""

    text_seen = LINE_BREAKS.sub(" ", _UNSEEN.sub(replace, text))
    return Seen(text_seen, "".join(message), dropped)


def _between_letters(text: str, start: int, end: int) -> bool:
    return start > 0 and end < len(text) and not text[start - 1].isascii() and not text[end].isascii()


def _decode(run: str) -> str:
    """What tag characters or runs of variation selectors spell; both have been used to smuggle instructions."""
    if run.startswith("\x1b"):
        return ""
    tags = "".join(chr(ord(char) - 0xE0000) for char in run if 0xE0020 <= ord(char) <= 0xE007E)
    if tags:
        return tags
    spelled = bytes(value for char in run if (value := _selector_value(char)) is not None)
    return "".join(char for char in spelled.decode("utf-8", "ignore") if char.isprintable())


def _selector_value(char: str) -> int | None:
    code = ord(char)
    if 0xFE00 <= code <= 0xFE0F:
        return code - 0xFE00
    if 0xE0100 <= code <= 0xE01EF:
        return code - 0xE0100 + 16
    return None


TINIEST = 2.0
"""Points: no eye reads print of this size, and the largest that only hides text."""
_NEAR = 16.0
"""Two colours that differ by no more than this in each channel of 0 to 255 cannot be told apart."""
NOTICED = 24
"""A pixel that changes by this in one channel is noticed: more than that, because the strokes of letters are thin."""


def look_alike(text: Sequence[float], ground: Sequence[float], alpha: float = 1.0) -> bool:
    """True if text in one colour is not seen on another; `alpha` is how much of the text's own colour is painted."""
    return all(abs(one - other) * alpha <= _NEAR for one, other in zip(text, ground, strict=True))
