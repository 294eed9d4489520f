"""Questions that are more than one: each half is kept, none is lost in silence."""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

Pattern: TypeAlias = Literal["single", "independent", "sequential", "unified", "conditional"]

_OPENER = r"(?:what|which|who|whose|when|where|why|how|is|are|does|do|did|can|may|must|shall|list|name)"
_SPLIT = re.compile(rf"(?<=\?)\s+(?=\w)|[,;]?\s+(?:and|also|and\s+also)\s+(?={_OPENER}\b)", re.IGNORECASE)
_ASKS = re.compile(rf"\W*{_OPENER}\b", re.IGNORECASE)
_LISTED = re.compile(r"[,;]\s+(?=(?:what|who|whose|when|where|why|how)\b)", re.IGNORECASE)
"""Between the first questions of a row of which the last one is joined by "and"."""
_NOUNS = re.compile(
    r"^(?P<head>\W*(?:what|which)\s+(?:is|are)\s+the\s+)(?P<one>[\w' -]{2,40}?)\s+and\s+(?:(?P<article>the)\s+)?"
    r"(?P<other>[\w' -]{2,40}?)(?P<rest>\s+(?:of|in|under|for)\b[^?]*)?\?*\s*$",
    re.IGNORECASE,
)
_CONDITION = re.compile(r"^\W*if\b.+,\s*\w", re.IGNORECASE)
_SEQUENCE = re.compile(r"\b(?:and\s+then|after\s+that|based\s+on\s+that)\b", re.IGNORECASE)


def split_parts(text: str) -> tuple[Pattern, tuple[str, ...]]:
    """How a question is composed, and the questions that it is made of (empty when it is one)."""
    if _CONDITION.search(text):
        return "conditional", ()
    pieces = _pieces(text)
    if len(pieces) > 1:
        pattern: Pattern = "sequential" if _SEQUENCE.search(text) else "independent"
        return pattern, tuple(_asked(piece) for piece in pieces)
    nouns = _NOUNS.match(text)
    if nouns is None:
        return "single", ()
    # "the premium and the exclusions" are two things; "exclusions and limitations" are one pair of words.
    if nouns["article"] is None and _plural(nouns["one"]) == _plural(nouns["other"]):
        return "unified", ()
    rest = nouns["rest"] or ""
    return "independent", tuple(
        f"{'What are' if _plural(noun) else 'What is'} the {noun.strip()}{rest}?"
        for noun in (nouns["one"], nouns["other"])
    )


def _pieces(text: str) -> tuple[str, ...]:
    """What is asked one after the other; a sentence that only explains stays with the question before it."""
    pieces: list[str] = []
    for piece in (part.strip(" ,;") for part in _SPLIT.split(text) if part.strip(" ,;?")):
        if pieces and not piece.endswith("?") and not _ASKS.match(piece):
            pieces[-1] = f"{pieces[-1]} {piece}"
        else:
            pieces.append(piece)
    if len(pieces) < 2:
        return tuple(pieces)
    several = [one for piece in pieces for one in (_LISTED.split(piece) if _ASKS.match(piece) else [piece])]
    first: dict[str, str] = {}  # what is asked twice is answered once
    for one in several:
        first.setdefault(one.casefold(), one)
    return tuple(first.values())


def _plural(noun: str) -> bool:
    word = noun.strip().lower().rpartition(" ")[2]
    return word.endswith("s") and not word.endswith(("ss", "us", "is"))


def _asked(piece: str) -> str:
    return piece if piece.endswith(("?", ".", "!")) else f"{piece}?"
