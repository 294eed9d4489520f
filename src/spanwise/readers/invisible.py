"""What is invisible in any format: characters without ink, tiny print, text in its ground's colour, covered areas."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeAlias

_ANSI = r"\x1b\[[0-9;?]{0,16}[A-Za-z]"
_CONTROL = r"\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f"
_ZERO_WIDTH = "\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
_TAGS = "\U000e0000-\U000e007f"
_SELECTORS = "\ufe00-\ufe0f\U000e0100-\U000e01ef"

_UNSEEN = re.compile(f"{_ANSI}|[{_CONTROL}{_ZERO_WIDTH}{_TAGS}]+|[{_SELECTORS}]{{2,}}")
LINE_BREAKS = re.compile("[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
"""All characters that Python treats as the end of a line; a `Line` contains none of them."""

_JOINERS = "\u200c\u200d"
_HARMLESS = frozenset("\u00ad\ufeff\u200e\u200f")
"""Soft hyphens, byte order marks and direction marks: everyday typesetting, not worth a notice."""


class Seen(NamedTuple):
    """The visible part of a line, and what was taken out of it."""

    text: str
    message: str
    """What the invisible characters spell; empty if nothing."""
    dropped: int
    """The number of characters that were dropped, everyday typesetting (see `_HARMLESS`) not counted."""


def visible(text: str) -> Seen:
    """The text without control, zero-width and tag characters; line breaks become spaces, tabs stay.

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
"""Font size in points that no eye can read, and the largest that serves only to hide text."""
_NEAR = 16.0
"""Two colours that differ by no more than this in each channel (0 to 255) cannot be told apart."""
NOTICED = 24
"""The change of a pixel in one channel that is noticed: more than `_NEAR`, because the strokes of letters are thin."""


def look_alike(text: Sequence[float], ground: Sequence[float], alpha: float = 1.0) -> bool:
    """True if text of one colour cannot be seen on another; `alpha` is the opacity of the text, from 0 to 1."""
    return all(abs(one - other) * alpha <= _NEAR for one, other in zip(text, ground, strict=True))


Area: TypeAlias = tuple[float, float, float, float]
"""Left, top, right and bottom; y grows downwards."""

_MOST_PIECES = 64


def is_filled(area: Area, pieces: Iterable[Area], slack: float) -> bool:
    """True if `pieces` together cover the whole of `area`, whose edges may be wrong by `slack`."""
    left, top, right, bottom = area[0] + slack, area[1] + slack, area[2] - slack, area[3] - slack
    near = [one for one in pieces if one[0] < right and one[2] > left and one[1] < bottom and one[3] > top]
    if right <= left or bottom <= top:
        right, bottom = max(right, left + 0.1), max(bottom, top + 0.1)
    if not near or len(near) > _MOST_PIECES:
        return False
    edges = sorted({left, right, *(x for one in near for x in (one[0], one[2]) if left < x < right)})
    for start, end in pairwise(edges):
        reached = top
        for one in sorted(near, key=lambda one: one[1]):
            if one[0] <= start and one[2] >= end and one[1] <= reached:
                reached = max(reached, one[3])
        if reached < bottom:
            return False
    return True


def is_opaque_picture(start: bytes) -> bool:
    """True if the first bytes of a picture show that its format has no transparent pixels."""
    if start.startswith(b"\x89PNG"):
        return start[25:26] in (b"\x00", b"\x02") and b"tRNS" not in start
    if start.startswith(b"GIF8"):
        control = start.find(b"\x21\xf9\x04")
        return control < 0 or not start[control + 3] & 1
    if start.startswith(b"RIFF"):
        return start[12:16] == b"VP8 "
    return start.startswith((b"\xff\xd8", b"BM"))
