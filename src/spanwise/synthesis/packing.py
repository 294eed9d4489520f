"""Packing: sources in their order, cut into windows that fit, at ends of sentences where that can be.

No text is sent twice unless an overlap is asked for.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from spanwise.synthesis.excerpts import Excerpt, Source, Window
from spanwise.text.sentences import sentences
from spanwise.text.tokens import back, reach, token_bound, whole_character, word_end

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


_MOST_CHARACTERS = 4  # of a token
_WORTH_A_CUT = 0.25  # of the room: less is left empty rather than filled with half a sentence
_PROGRESS = 4  # tokens beyond an overlap, so that every window brings something new


@dataclass(frozen=True, slots=True)
class Place:
    """How far sources have been read: all before `index`, and of that one everything before `done`."""

    index: int = 0
    done: int = 0
    start: int = 0
    """Where the next excerpt begins: at `done`, or before it where pieces overlap."""

    def reached(self, other: Place) -> bool:
        """True if everything up to `other` was read."""
        return (self.index, self.done) >= (other.index, other.done)


@dataclass(frozen=True, slots=True)
class Packer:
    """Cuts sources into windows.

    Attributes:
        sources: What to read, in order.
        alone: One source a window at most.
        overlap: Tokens that neighbouring pieces of one source have in common.
    """

    sources: Sequence[Source]
    alone: bool = False
    overlap: int = 0

    def windows(self, room: int, later: int | None = None) -> Iterator[tuple[Window, Place]]:
        """All windows, each with the place that it reads to.

        Args:
            room: Tokens of the first window.
            later: Tokens of the others; the same where it is None.
        """
        place = Place()
        while not self.ends(place):
            window, place = self.take(place, room)
            yield window, place
            room = room if later is None else later

    def ends(self, place: Place) -> bool:
        """True if nothing is left to read."""
        return place.index >= len(self.sources)

    def take(self, place: Place, room: int, least: Place | None = None) -> tuple[Window, Place]:
        """The next window: as much as fits, from `place` on, but at least as far as `least` where that is given.

        The caller knows that `least` can be reached, because a plan with no more room, from no later a place, did.
        """
        window, reached = self._fill(place, room)
        return (window, reached) if least is None or reached.reached(least) else (self.until(place, least), least)

    def _fill(self, place: Place, room: int) -> tuple[Window, Place]:
        excerpts: list[Excerpt] = []
        left = room
        index, done, start = place.index, place.done, place.start
        while index < len(self.sources) and not (self.alone and excerpts):
            source = self.sources[index]
            start = start or source.first
            rest = _cost_of_rest(source, start, left)
            if rest is None:
                roomy = left > room * _WORTH_A_CUT
                end = self._cut(source, start, max(done, start), left, anew=not excerpts, roomy=roomy)
                if end is not None:
                    excerpts.append(Excerpt(source, start, end))
                    left -= source.header_tokens + token_bound(source.text[start:end])
                    return Window(tuple(excerpts), room - left), self._after(index, start, end)
                break
            excerpts.append(Excerpt(source, start, source.last))
            left -= rest
            index, done, start = index + 1, 0, 0
        return Window(tuple(excerpts), room - left), Place(index)

    def _cut(self, source: Source, start: int, done: int, left: int, *, anew: bool, roomy: bool) -> int | None:
        """Where to end a piece of a source that does not fit whole; None where the next window is a better place."""
        limit = min(reach(source.text, start, left - source.header_tokens), source.last)
        if anew:
            return cut(source.text, done, max(limit, done + 1))
        if limit <= done:
            return None
        return sentence_cut(source.text, done, limit) or (cut(source.text, done, limit) if roomy else None)

    def _after(self, index: int, start: int, end: int) -> Place:
        source = self.sources[index]
        following = end + len(source.text[end : source.last]) - len(source.text[end : source.last].lstrip())
        if following >= source.last:
            return Place(index + 1)
        if not self.overlap or following - end > _PROGRESS:
            return Place(index, following, following)
        return Place(index, following, min(following, back(source.text, start, end, self.overlap)))

    def until(self, place: Place, least: Place) -> Window:
        """The window from a place exactly to a later one."""
        excerpts: list[Excerpt] = []
        tokens = 0
        for index in range(place.index, least.index + (least.done > 0)):
            source = self.sources[index]
            start = place.start if index == place.index and place.start else source.first
            end = len(source.text[: least.done].rstrip()) if index == least.index else source.last
            excerpts.append(Excerpt(source, start, end))
            tokens += source.header_tokens + token_bound(source.text[start:end])
        return Window(tuple(excerpts), tokens)


def _cost_of_rest(source: Source, start: int, left: int) -> int | None:
    """What the rest of a source costs, or None where that is more than is left."""
    if source.last - start > left * _MOST_CHARACTERS:
        return None  # no text that long fits, and counting a megabyte for each of its pieces would take long
    tokens = source.tokens if start == source.first else token_bound(source.text[start : source.last])
    cost = source.header_tokens + tokens
    return cost if cost <= left else None


def overlap_tokens(share: float, room: int, sources: Sequence[Source]) -> int:
    """The overlap in tokens: a share of the room, and always less than a window, so that each brings something new."""
    header = max((source.header_tokens for source in sources), default=0)
    return max(0, min(int(share * room), room - header - _PROGRESS))
