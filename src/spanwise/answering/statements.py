"""Questions for yes or no as the statements they ask about, so that the guard can say whether lines support them."""

from __future__ import annotations

from collections.abc import Sequence

from spanwise.guard.sentence import Word, words_of
from spanwise.guard.syntax.clauses import clauses_of
from spanwise.guard.syntax.lexicon import word_class
from spanwise.text.expectations.polarity import asks_yes_or_no

_DO = frozenset(["do", "does", "did"])
_TO_BE = frozenset(["been", "being", "be"])
_POSSESSIVES = frozenset(["my", "your", "his", "her", "its", "our", "their"])
_FEWEST = 3


def statement(question: str) -> str | None:
    """The statement that a question asks about ("Was the lane closed?": "The lane was closed."); None for any other.

    The first word goes behind the subject, whose end is told by the verb or, where that has no clear form, by the
    words that open a noun phrase: the order may be wrong there, the words are right.
    """
    asked = question.strip().rstrip("?.! ")
    words = words_of(asked)
    if len(words) < _FEWEST or not asks_yes_or_no(question):
        return None
    verb, rest = asked[words[0].start : words[0].end].lower(), asked[words[0].end :].strip()
    if words[1].plain == "there":
        said = f"there {verb} {rest[len('there') :].strip()}"
    elif verb in _DO:
        said = rest
    else:
        place = words[_subject_end(asked, words)].start
        said = f"{asked[words[0].end : place].strip()} {verb} {asked[place:]}"
    return f"{said[0].upper()}{said[1:]}."


def _subject_end(asked: str, words: Sequence[Word]) -> int:
    """The index of the first word behind the subject of a question whose first word is a verb."""
    for clause in clauses_of(asked):
        if clause.verb > 1 and not clause.connective and clause.kind in ("part", "finite"):
            return clause.verb - 1 if clause.verb > 2 and words[clause.verb - 1].plain in _TO_BE else clause.verb
    opened = words[1].plain in word_class("determiner") or words[1].plain in _POSSESSIVES
    first = 3 if opened else 2
    if words[1].capital:
        first = next((at for at in range(2, len(words)) if not words[at].capital), len(words))
    # "the grey box | heavy", "the plant | poisonous to cats": one word before the next phrase says what it is
    prepositions = word_class("preposition") - {"of"}
    behind = next((at for at in range(first, len(words)) if words[at].plain in prepositions), len(words))
    return min(max(first, 0 if words[1].capital else behind - 1), len(words) - 1)
