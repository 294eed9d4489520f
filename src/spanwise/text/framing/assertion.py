"""Assertion relative to a question: frames that the question does not ask for give no evidence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache

from spanwise.text.fold import folded
from spanwise.text.framing.cues import cues
from spanwise.text.framing.frames import Frame, FrameKind, frames, heading_frame
from spanwise.text.quotes import stands_in
from spanwise.text.terms import placed_terms, stem, terms

WITHHELD: frozenset[FrameKind] = frozenset({"denied", "asked", "hypothetical", "superseded"})
"""Kinds of frames whose clauses answer no plain question; what is ordered is no evidence at all (`text.orders`)."""
_WORD = re.compile(r"[a-z]+(?:['\u2019-][a-z]+)*|\d+")
_QUESTION = re.compile(
    r"\W*(?:q|question)?\W*(?:who|whom|whose|what|which|when|where|why|how|is|are|was|were|do|does|did|has|have|had|can"
    r"|could|may|might|must|shall|should|will|would)\b",
    re.IGNORECASE,
)
_PAST = frozenset({"was", "were", "did", "had", "used"})
_SUPPOSING = frozenset({"would", "could", "might", "if"})


def unasked(sentence: str, question: str) -> tuple[Frame, ...]:
    """The frames of a sentence whose cue the question lacks: "What is alleged ..." asks for what is alleged."""
    found = frames(sentence)
    if not found:
        return ()
    asked = frozenset(_WORD.findall(question.lower()))
    stems = frozenset(map(stem, asked))
    return tuple(one for one in found if not _asked_for(one, sentence, asked, stems))


def withheld(sentence: str, question: str, section: str = "", kinds: frozenset[FrameKind] = WITHHELD) -> bool:
    """True if what a sentence says of a question stands in a frame of it, or in a section, that answers nothing."""
    if section and heading_frame(section) in kinds and _heading_stays(section, question):
        return True
    found = _withholding(sentence, question, kinds)
    return bool(found) and holds_most(found, sentence, frozenset(terms(question)))


def _withholding(sentence: str, question: str, kinds: frozenset[FrameKind]) -> list[Frame]:
    """The frames of a sentence whose clauses do not answer a question."""
    return [one for one in unasked(sentence, question) if one.kind in kinds and not _quoted_question(one, sentence)]


def _quoted_question(frame: Frame, sentence: str) -> bool:
    """True if a direct question is asked within a sentence that does not begin with it."""
    return sentence[slice(*frame.cue)] == "?" and _QUESTION.match(sentence) is None


def holds_most(found: Iterable[Frame], sentence: str, wanted: frozenset[str]) -> bool:
    """True if most of the wanted stems that a sentence has stand nowhere outside of some of its frames."""
    ranges = [(one.start, one.end) for one in found]
    placed = [(place, term) for place, term in placed_terms(sentence) if term in wanted]
    free = {term for place, term in placed if not any(start <= place < end for start, end in ranges)}
    return bool(placed) and 2 * len(free) < len({term for _, term in placed})


def in_a_condition(sentence: str, question: str) -> bool:
    """True if what a sentence says of a question is what it makes a condition of: "If X is still supplied, ..."."""
    conditions = [one for one in unasked(sentence, question) if one.kind == "conditional"]
    # Both clauses hang together; the condition is the one that the cue stands right before.
    inside = [one for one in conditions if 0 <= one.start - one.cue[1] <= 1]
    return bool(inside) and holds_most(inside, sentence, frozenset(terms(question)))


def only_framed(words: str, sentence: str, question: str) -> bool:
    """True if some folded words stand in a sentence only where it denies, asks, supposes or withdraws them."""
    found = _withholding(sentence, question, WITHHELD)
    rest = sentence
    for one in found:
        rest = rest[: one.start] + " " * (one.end - one.start) + rest[one.end :]
    inside = any(stands_in(words, folded(sentence[one.start : one.end])) for one in found)
    return inside and not stands_in(words, folded(rest))


def _asked_for(frame: Frame, sentence: str, asked: frozenset[str], stems: frozenset[str]) -> bool:
    """True if the question has the words that make a frame, or asks for what its kind is about."""
    if frame.kind == "superseded" and not _PAST.isdisjoint(asked):
        return True
    if frame.kind in {"hypothetical", "conditional"} and not _SUPPOSING.isdisjoint(asked):
        return True
    if frame.kind == "denied" and not cues().words["negators"].isdisjoint(asked):
        return True
    cue = _WORD.findall(sentence[slice(*frame.cue)].lower())
    telling = [word for word in cue if word not in _function_words()] or cue
    return bool(telling) and all(stem(word) in stems for word in telling)


def _heading_stays(section: str, question: str) -> bool:
    """True if a heading still frames its section without the words that the question has as well."""
    stems = frozenset(map(stem, _WORD.findall(question.lower())))
    if heading_frame(section) == "superseded" and not _PAST.isdisjoint(_WORD.findall(question.lower())):
        return False
    kept: Sequence[str] = [word for word in _WORD.findall(section.lower()) if stem(word) not in stems]
    return heading_frame(" ".join(kept)) is not None


@cache
def _function_words() -> frozenset[str]:
    words = cues().words
    return words["determiners"] | words["prepositions"] | words["pronouns"] | words["auxiliaries"] | words["joins"]
