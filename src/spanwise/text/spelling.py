"""Misspelled words of a question, corrected to words that the documents have.

Only a word that no document has is corrected, and only to one that is an edit away, two where it is long: a letter too
many, too few, wrong, or two in the wrong order. Figures never are, names only where no letter is exchanged.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from functools import cache
from typing import NamedTuple, Protocol

from spanwise.text.related import RARE, is_filler, rarity
from spanwise.text.terms import STOPWORDS, stem

_WORD = re.compile(r"(?<![\w.@/'\u2019&])[A-Za-z]{3,}(?![\w@/&]|\.\w|['\u2019](?!s\b))")
"""A word of letters that is no part of a name with digits, or of an address."""
_DOUBLED = re.compile(r"[^aeiou][aeiou][^aeiouwxy]$")
"""The end of a stem whose last letter is doubled before an ending."""
_MOST_WORDS = 60
"""Words of a question that is looked through; a longer one is a text."""
_SHORTEST = 4
_LONG = 9
"""Letters from which two edits are plausible."""
_MOST_TRIED = 8
"""Words looked for in the documents for one of the question."""
_ENDINGS = (
    *("", "e", "s", "es", "ed", "d", "ing", "er", "ers", "or", "ors", "ly", "al", "y", "ies", "ied", "able", "ible"),
    *("ion", "ions", "ation", "ations", "ment", "ments", "ance", "ence", "ate", "ates", "ated", "ating", "ity", "ive"),
    *("ant", "ent", "ous", "ness", "ful", "less", "ic", "ical", "ally", "ate", "ment", "ancy", "ency", "ary", "ory"),
)
"""What may follow a stem of the index in a word as it is written."""


class Correction(NamedTuple):
    """A word of a text and the word that is meant instead."""

    start: int
    end: int
    written: str
    meant: str


class Vocabulary(Protocol):
    """What words the documents have."""

    def similar_terms(self, word: str) -> Mapping[str, int]:
        """The stem of a lower-case word where a passage has it, otherwise the commonest that begin like it.

        Each comes with the number of passages that have it.
        """
        ...

    def words_like(self, word: str) -> Collection[str]:
        """The lower-case words, as they are written, of passages that have the stem of a word."""
        ...


def corrections(text: str, vocabulary: Vocabulary) -> list[Correction]:
    """The words of an English question that no document has, and what is plainly meant by them; in order."""
    words = list(_WORD.finditer(text))
    if len(words) > _MOST_WORDS:
        return []
    found = []
    for word in words:
        meant = _meant(word[0], vocabulary, name=word.start() > 0 and word[0][0].isupper())
        if meant is not None:
            found.append(Correction(word.start(), word.end(), word[0], _like(word[0], meant)))
    return found


def corrected(text: str, found: list[Correction]) -> str:
    """The text with its corrections made."""
    pieces, last = [], 0
    for one in found:
        pieces += [text[last : one.start], one.meant]
        last = one.end
    return "".join([*pieces, text[last:]])


def _meant(word: str, vocabulary: Vocabulary, *, name: bool) -> str | None:
    low = word.lower()
    own = stem(low)
    if low in STOPWORDS or is_filler(own) or rarity(own) < RARE or (word.isupper() and len(word) > 1):
        return None
    known = vocabulary.similar_terms(low)
    if own in known or (len(known) == 1 and _is_own(low, known)):
        return None
    if not name and (form_word := _form_word(low)) is not None:
        return form_word
    near = _nearest(low, known, name=name) if len(low) >= _SHORTEST else []
    near = near[:_MOST_TRIED]
    written = {form: vocabulary.words_like(form) for form in near}
    as_it_is = (form for form in near if form in written[form])
    # "concentration" where the passages have "concentrations"
    with_ending = (
        form
        for form in near
        for word in written[form]
        if word[0] == form[0] and (word.startswith(form[:-1]) or form.startswith(word)) and stem(word) == stem(form)
    )
    return next(as_it_is, None) or next(with_ending, None)


def _is_own(low: str, known: Mapping[str, int]) -> bool:
    """True if the only stem there is is that of the word, however the index stems it."""
    (only,) = known
    return low.startswith(only[:-1]) and len(low) - len(only) < 2


def _form_word(low: str) -> str | None:
    """The function word that two letters in the wrong order, or one too few or too many, make of it ("waht")."""
    from rapidfuzz.distance import OSA

    near = [
        word
        for word in _form_words()
        if word[0] == low[0] and sorted(word) == sorted(low) and OSA.distance(word, low, score_cutoff=1) <= 1
    ]
    return min(near, default=None)


@cache
def _form_words() -> tuple[str, ...]:
    return tuple(sorted(word for word in STOPWORDS if len(word) > 2))


def _nearest(low: str, known: Mapping[str, int], *, name: bool) -> list[str]:
    """The forms of stems of the documents that are near to a word, the nearest first, then the commonest."""
    from rapidfuzz.distance import OSA

    most = 2 if len(low) >= _LONG and not name else 1
    near: set[tuple[int, float, int, str]] = set()
    for one, frequency in known.items():
        size = len(one)
        if not 3 <= size <= len(low) + most + 1 or not one.isalpha():
            continue
        # An ending costs a letter each.
        cutoff = max(0, len(low) - size) + most + 1
        if OSA.distance(one, low, score_cutoff=cutoff) > cutoff:
            continue
        for form in _forms(one):
            distance = OSA.distance(form, low, score_cutoff=most)
            if distance <= most and _plausible(low, form, name=name) and stem(form) == one:
                near.add((distance, _unlikely(low, form), -frequency, form))
    return [form for *_, form in sorted(near)]


def _plausible(low: str, form: str, *, name: bool) -> bool:
    """True if a word of that length may well be the other one misspelled."""
    unlikely = _unlikely(low, form)
    if name:
        return not unlikely
    if len(low) == _SHORTEST:
        return not unlikely and len(form) > len(low)
    return unlikely < 2 or len(low) > _SHORTEST + 1


def _forms(one: str) -> list[str]:
    """Words as they are written that may have a stem."""
    bases = [one]
    if one.endswith("i"):
        bases.append(f"{one[:-1]}y")
    elif _DOUBLED.search(one):
        bases.append(one + one[-1])
    return [base + ending for base in bases for ending in _ENDINGS]


def _unlikely(low: str, form: str) -> float:
    """0 where letters are doubled, left out or in the wrong order, 1 where a vowel stands for another, else 2."""
    if len(low) != len(form) or sorted(low) == sorted(form):
        return 0.0
    apart = [(one, other) for one, other in zip(low, form, strict=True) if one != other]
    return 1.0 if all(one in "aeiouy" and other in "aeiouy" for one, other in apart) else 2.0


def _like(written: str, meant: str) -> str:
    """A word with a capital where the written one has it."""
    return meant.capitalize() if written[0].isupper() else meant
