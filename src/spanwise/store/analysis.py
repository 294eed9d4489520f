"""The words of passages and queries as the index has them.

Words of Latin letters are analysed by tantivy, as English. What that does not know is analysed here and goes to a field
of its own: words of other scripts, and those of a text in another language than English.
"""

from __future__ import annotations

import re
from functools import cache

import tantivy

from spanwise.text.languages import ENGLISH, function_words, is_latin, language_of, without_accents
from spanwise.text.terms import terms_in_other_scripts, without_unspaced

MOST_TERMS = 64
_MOST_QUERY_CHARACTERS = 20_000
_LONGEST_WORD = 60
_SAMPLE = 500
"""Characters of a text that its language is guessed from."""
_BEGINNING = 5
"""Letters that a word of another language in Latin letters is found by: endings differ, and so do guesses."""

_WITHOUT_ENDINGS = frozenset([ENGLISH, "vi"])
"""Languages of which the words as English ones are all that it takes."""

# Words that say nothing about which passage is meant; left out of a query that has others.
_STOP_WORDS = frozenset(
    """
    a about an and any are as at be been being but by can could d did do does doing for from had has have having he her
    here hers him his how i if in into is isn it its ll me my of on or our ours she should so such t s re than
    that the their theirs them then there these they this those to too us ve very was we were what when where which
    while who whom whose why will with would you your yours
    """.split()
)
# A word that was broken at the end of a line is found by its whole as well as by its parts.
_BROKEN_WORD = re.compile(rf"\b(\w{{1,{_LONGEST_WORD}}})-\n\s{{0,8}}([a-z]\w{{0,{_LONGEST_WORD}}})")
_WORD = re.compile(r"[^\W_]+")


def query_terms(text: str) -> list[str]:
    """The distinct words of `text` as the index has them, at most `MOST_TERMS`, in order of appearance."""
    text = without_unspaced(text[:_MOST_QUERY_CHARACTERS])
    found = _words().analyze(text.encode(errors="replace").decode())
    language = language_of(text)
    silent = _STOP_WORDS if language == ENGLISH else _STOP_WORDS | function_words(language)
    telling = [word for word in found if word not in silent] or found
    terms = (term for word in dict.fromkeys(telling) for term in analyzer().analyze(word))
    return list(dict.fromkeys(terms))[:MOST_TERMS]


def other_query_terms(text: str) -> list[str]:
    """The distinct `other_terms` of a query, at most `MOST_TERMS`."""
    return list(dict.fromkeys(other_terms(text[:_MOST_QUERY_CHARACTERS])))[:MOST_TERMS]


def other_terms(text: str) -> list[str]:
    """The terms of a text beside its words as English ones, in order, repeats kept.

    Those in scripts other than Latin, and, where the text is plainly of another language, the beginnings of its words.
    """
    found = [] if text.isascii() else terms_in_other_scripts(text)
    sample = text[:_SAMPLE]
    language = language_of(sample)
    if language in _WITHOUT_ENDINGS or not is_latin(language):
        return found
    words = (word for word in map(str.lower, _WORD.findall(text)) if word not in function_words(language))
    return found + [without_accents(word)[:_BEGINNING] for word in words]


def searchable(text: str) -> str:
    """The text that a passage is found by."""
    whole = [head + tail for head, tail in _BROKEN_WORD.findall(text)] if "-\n" in text else []
    return without_unspaced("\n".join([text, *whole]))


@cache
def analyzer() -> tantivy.TextAnalyzer:
    """What makes terms of words in Latin letters, as if they were English."""
    return (
        tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
        .filter(tantivy.Filter.remove_long(_LONGEST_WORD))
        .filter(tantivy.Filter.lowercase())
        .filter(tantivy.Filter.ascii_fold())
        .filter(tantivy.Filter.stemmer("english"))
        .build()
    )


@cache
def _words() -> tantivy.TextAnalyzer:
    return tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple()).filter(tantivy.Filter.lowercase()).build()
