"""Where a text may be cut: at ends of sentences and paragraphs, then of lines, of words, or between characters."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache

from spanwise.text.sentences import sentences
from spanwise.text.tokens import reach, whole_character, word_end

_GRID = 1024  # characters that are read at a time: a cut looks near its limit, and never reads a whole megabyte
_LINE_OR_WIDE_SENTENCE = re.compile(
    r"(?<=[.!?:;|])(?=\n)|(?=\n[ \t]*(?:\n|[-*#|\u2022]|\d+[.)]\s))|(?<=[\u3002\uff01\uff1f])[\u300d\u300f\u201d]?"
)


def cut(text: str, floor: int, limit: int) -> int:
    """The best place in `(floor, limit]` to end a piece of the text; at least one character is taken."""
    if limit >= len(text):
        return len(text)
    if found := sentence_cut(text, floor, limit):
        return found
    line = text.rfind("\n", floor + 1, limit + 1)
    if line > (floor + limit) // 2:
        return line
    return max(word_end(text, floor, limit), whole_character(text, floor, floor + 1))


def sentence_cut(text: str, floor: int, limit: int) -> int | None:
    """The last end of a sentence, paragraph or finished line in `(floor, limit]`, if there is one."""
    for place in range(max(limit - 1, 0) // _GRID, floor // _GRID - 1, -1):
        ends = _ends(text[place * _GRID : (place + 1) * _GRID])
        found = bisect_right(ends, limit - place * _GRID)
        if found and ends[found - 1] + place * _GRID > floor:
            return ends[found - 1] + place * _GRID
    return None


def shortened(text: str, tokens: int) -> str:
    """The beginning of a text that fits in so many tokens."""
    limit = reach(text, 0, tokens)
    if limit >= len(text):
        return text
    return text[: cut(text, 0, limit)].rstrip() if limit > 0 else ""


@lru_cache(maxsize=512)
def _ends(piece: str) -> tuple[int, ...]:
    """Ends of sentences, paragraphs and finished lines in a piece; its own end is none, it may lie anywhere."""
    found = {end for _, end in sentences(piece)} | {match.end() for match in _LINE_OR_WIDE_SENTENCE.finditer(piece)}
    return tuple(sorted(found - {0, len(piece)}))
