"""Tokens of a sentence with the segments that commas, contrasts and brackets divide it into."""

from __future__ import annotations

import re
from dataclasses import dataclass

from spanwise.text.framing.cues import cues

_TOKEN = re.compile(
    r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*|['\u2019][a-z]+\b|\d[\d.,]*(?<=\d)|[,;:?!()\[\]\u2014\u2013\"\u201c\u201d]|(?<=\s)-+(?=\s)"
)
_STRONG = frozenset(";?!\u2014\u2013")
_FINITE_WITHIN = 9
"""Tokens after a conjunction within which the verb of a new main clause stands."""


@dataclass(frozen=True, slots=True)
class Clauses:
    """A sentence as tokens, each with the first and the last token of its segment.

    A segment ends at a semicolon, a dash, a question or exclamation mark, before a contrast ("but", "although") and
    before a coordinated main clause; what stands in brackets is a segment of its own.
    """

    text: str
    words: tuple[str, ...]
    """Lower case, with straight apostrophes; punctuation marks are tokens."""
    spans: tuple[tuple[int, int], ...]
    first: tuple[int, ...]
    last: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.words)

    def at(self, index: int) -> str:
        """The word at an index, empty outside of the sentence."""
        return self.words[index] if 0 <= index < len(self.words) else ""

    def range(self, first: int, last: int) -> tuple[int, int] | None:
        """Characters from one token to another without punctuation at either end; None where nothing is left."""
        while first <= last and not self.words[first][0].isalnum():
            first += 1
        while first <= last and not self.words[last][-1].isalnum():
            last -= 1
        return (self.spans[first][0], self.spans[last][1]) if first <= last else None

    def main_comma(self, index: int, last: int) -> int | None:
        """The comma that ends a subordinate clause in front of its main clause."""
        going_on = cues().words["listing"]
        inside = False
        for at in range(index + 1, last):
            if self.words[at] != ",":
                continue
            if inside or self.words[at + 1] in going_on:
                inside = not inside and self.words[at + 1] != "or" and self.words[at + 1] != "and"
                continue
            return at
        return None

    def finite(self, index: int, last: int) -> bool:
        """True if a finite verb follows before the clause ends: an auxiliary, or a word with a verb's ending."""
        words = cues().words
        last = min(last, index + _FINITE_WITHIN)
        for at in range(index, last + 1):
            word = self.words[at]
            if word in words["auxiliaries"] and not (word == "may" and self.words[at - 1] in words["prepositions"]):
                return at > index
            if at > index and word in words["irregular_past"]:
                return True
            if at > index and (word in words["joins"] or word in {",", ":", "("}):
                return False
            if at > index and word.endswith(("ed", "es", "s")) and not word.endswith(("ss", "us", "'s")):
                follows = self.at(at + 1)
                if at < last and follows not in words["prepositions"] and follows[0].isalnum():
                    return True
        return False


def read_clauses(text: str) -> Clauses:
    """Divide one sentence; the work grows with its length."""
    found = [(match.group().lower().replace("\u2019", "'"), match.span()) for match in _TOKEN.finditer(text)]
    words = tuple(word for word, _ in found)
    first, last = _segments(words)
    return Clauses(text, words, tuple(span for _, span in found), first, last)


def _segments(words: tuple[str, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """First and last token of each token's segment."""
    starts: list[int] = []
    outside: list[int] = []
    start = 0
    for at, word in enumerate(words):
        if word in {"(", "["}:
            outside.append(start)
            start = at
        elif _begins(words, at, start):
            start = at
        starts.append(start)
        if word in {")", "]"} and outside:
            start = outside.pop()
        elif word in _STRONG or word.startswith("-"):
            start = at + 1
    ends = {begun: at for at, begun in enumerate(starts)}
    return tuple(starts), tuple(ends[begun] for begun in starts)


def _begins(words: tuple[str, ...], at: int, start: int) -> bool:
    """True if a new segment begins at a token that follows a comma."""
    if at <= start + 1 or at + 2 >= len(words):
        return False
    known = cues().words
    word, before = words[at], words[at - 1]
    if before != ",":
        return word == "but" and words[at + 1] in known["pronouns"] | known["determiners"]
    if word in known["contrasts"]:
        return word != "however" or words[at + 1] == ","
    if words[start] in known["subordinators"] and word not in known["listing"]:
        return "," not in words[start : at - 1]
    if word not in {"and", "so", "or"} or words[at + 1] in known["joins"] | known["auxiliaries"] | {"long"}:
        return False
    return not known["auxiliaries"].isdisjoint(_until_mark(words[at + 2 : at + _FINITE_WITHIN]))


def _until_mark(words: tuple[str, ...]) -> tuple[str, ...]:
    """The words before the next comma or relative pronoun."""
    for at, word in enumerate(words):
        if word in {",", "that", "which", "who", ";"}:
            return words[:at]
    return words
