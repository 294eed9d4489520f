"""The kind of answer that a question asks for, by its question word, in languages other than English."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

from spanwise.text.languages import language_of, without_accents
from spanwise.text.languages.data import Language, languages

_FIRST = "yes_no_first"
_YES_NO = "yes_no"
_UNSPACED = frozenset(["ja", "ko", "th", "zh"])
"""Languages in which a question word is found inside a run of letters."""
_LONGEST = 2_000
"""Characters of a question that are looked at, from its end."""


def question_kind(text: str, language: str | None = None) -> str | None:
    """What a question asks for; None where its words do not tell, and for English, which has finer patterns elsewhere.

    One of `who`, `where`, `when`, `how_many`, `how_much`, `how_long`, `why`, `how`, `what`, `which`, `yes_no`. Its
    words tell the language too, where no code is given.
    """
    known = languages()[language or language_of(text)]
    asked = unicodedata.normalize("NFKC", text.rpartition("\u00bf")[2][-_LONGEST:]).lower()
    kind = _kind(asked, known, known.questions)
    if kind is None and known.code not in _UNSPACED:  # "cuando" for "cuándo", as many type it
        plain = {
            kind: tuple(without_accents(phrase) for phrase in phrases) for kind, phrases in known.questions.items()
        }
        kind = _kind(without_accents(asked), known, plain)
    return kind


def _kind(asked: str, language: Language, kinds: Mapping[str, tuple[str, ...]]) -> str | None:
    found = sorted(
        (place, -len(phrase), order, kind)
        for order, (kind, phrases) in enumerate(kinds.items())
        for phrase in phrases
        if (place := _place(phrase, asked, whole_words=language.code not in _UNSPACED)) >= 0
    )
    start = len(asked) - len(asked.lstrip(" \u00a1\"'\u00ab\u201c\u201e("))
    if found and found[0][0] == start and found[0][3] == _FIRST:
        return _YES_NO
    open_question = [one for one in found if one[3] not in (_FIRST, _YES_NO)]
    if not open_question:
        return _YES_NO if any(kind == _YES_NO for *_, kind in found) else None
    if language.fronted:
        return open_question[0][3]
    return min(open_question, key=lambda one: (one[1], one[2], one[0]))[3]


def _place(phrase: str, text: str, *, whole_words: bool) -> int:
    """Where a phrase first stands in a text, -1 where it does not."""
    place = text.find(phrase)
    while whole_words and place >= 0:
        before, behind = text[place - 1 : place], text[place + len(phrase) : place + len(phrase) + 1]
        if not (_joins(before) or _joins(behind)):
            break
        place = text.find(phrase, place + 1)
    return place


def _joins(character: str) -> bool:
    """True if a character beside a phrase makes it a part of a longer word."""
    return bool(character) and (character.isalnum() or unicodedata.category(character).startswith("M"))
