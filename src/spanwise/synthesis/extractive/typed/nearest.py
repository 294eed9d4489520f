"""Which of several values a question means: the one beside the words that ask for it."""

from __future__ import annotations

from collections.abc import Sequence

from spanwise.domain.question import Question
from spanwise.synthesis.extractive.spans import best_piece
from spanwise.synthesis.extractive.typed.found import Found
from spanwise.text.sentences import sentences
from spanwise.text.terms import placed_terms, terms

_CUES = 12
"""Words of a sentence model that count as the question's own."""
_BEFORE = 3
"""How much farther a word counts that stands behind the value: "effective as of May 1" says it before."""
_REACH = 400
"""Characters around a value in which the question's words are looked for."""


def nearest(question: Question, text: str, found: Sequence[Found]) -> Found:
    """The value that the best piece of the sentence holds, else the one nearest to a word that asks for it."""
    if len(found) == 1:
        return found[0]
    if question.model is None:
        piece = best_piece(question.text, text)
        inside = [one for one in found if piece is not None and one.start < piece.end and piece.start < one.end]
        if inside:
            return inside[0]
    stems = set(question.stems) | set(question.model.terms(_CUES) if question.model is not None else ())
    places = [place for place, stem in placed_terms(text) if stem in stems]
    if not places:
        return found[0]
    return min(found, key=lambda one: (_distance(one, places), one.start))


def _distance(one: Found, places: Sequence[int]) -> int:
    outside = [place for place in places if not one.start <= place < one.end]
    return min(
        (one.start - place if place < one.start else _BEFORE * (place - one.end) for place in outside), default=10**9
    )


def apart(question: Question, text: str, one: Found) -> tuple[float, int]:
    """How far a value is from the words that ask for it, those aside that only name its type.

    Returns:
        The share of them that its own sentence lacks, and the characters to the nearest one.
    """
    wanted = set(question.stems) - _TYPE_WORDS
    start = max(0, one.start - _REACH)
    around = text[start : one.end + _REACH]
    places = [(start + place, stem) for place, stem in placed_terms(around) if stem in wanted]
    first, last = next(
        ((start + low, start + high) for low, high in sentences(around) if low <= one.start - start < high), (0, 0)
    )
    said = {stem for place, stem in places if first <= place < last}
    return 1 - len(said) / max(1, len(wanted)), _distance(one, [place for place, _ in places])


def covered(question: Question, text: str, one: Found) -> float:
    """Share of the question's words that stand around a value; 1 for a question without words of its own."""
    wanted = set(question.stems) - _TYPE_WORDS
    if not wanted:
        return 1.0
    around = set(terms(text[max(0, one.start - _REACH) : one.end + _REACH]))
    return len(wanted & around) / len(wanted)


_TYPE_WORDS = frozenset(terms("iban account number bank address postal registered office located international"))
