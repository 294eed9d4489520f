"""What a text is about: its content words, stemmed (Snowball English), so that question and sentence compare."""

from __future__ import annotations

import re
import threading
from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from spanwise.text.fold import folded

if TYPE_CHECKING:
    from snowballstemmer.basestemmer import BaseStemmer

_WORD = re.compile(
    r"[^\W_]+(?:(?:['\u2019.]|,(?<=\d,)(?=\d{3})"
    # A hyphen between letters joins them, a line break behind it included.
    r"|[-\u2010\u2011\ufffe](?<=[^\W\d_].)(?:[^\S\n]*\n\s*)?(?=[^\W\d_]))[^\W_]+)*"
)
_ASCII_WORD = re.compile(_WORD.pattern, re.ASCII)
"""The same for text without other letters, in which it is a quarter quicker."""
_JOINT = re.compile(r"['.,-](?:(?<=-)|(?=[A-Za-z0-9]))")
"""What may stand inside a word of such text; without one, all but letters and digits parts words."""
_APART = bytes(code if chr(code).isalnum() else ord(" ") for code in range(128)).ljust(256)
_LINE_HYPHEN = re.compile(r"[-\u2010\u2011\ufffe]\s*\n")

STOPWORDS = frozenset(
    """
    a about above according after again all also am an and answer any are as at be because been before being below
    between both but by can could describe described did do document documents does doing down during each either
    else far few for from further give given had has have having he her here hers him his how i if in into is it
    its itself just let like list long many me mention mentioned more most much must my name neither no nor not
    now of off often on once only or other our ours out over own passage passages per please question s said same
    say says shall she should so some state stated such t tell text than that the their theirs them then there
    these they this those through to too under until up upon very was we were what when where whether which while
    who whom whose why will with within would you your yours
    """.split()
)
"""Words that carry a question's form rather than its subject."""


def terms(text: str) -> list[str]:
    """Stems of the content words, in order, repeats kept."""
    return [term for term in map(_term, _words(text)) if term]


def placed_terms(text: str) -> list[tuple[int, str]]:
    """The same stems, each with the offset at which its word begins."""
    return [(word.start(), term) for word in _pattern(text).finditer(text) if (term := _term(word[0]))]


def terms_of_ranges(text: str, ranges: Sequence[tuple[int, int]]) -> list[tuple[str, ...]]:
    """For each range `(start, end)` of a text, end exclusive, the stems of the words that begin in it, in order."""
    broken = "\n" in text and _LINE_HYPHEN.search(text)
    if not broken and all(_parts(text, start) and _parts(text, end) for start, end in ranges):
        return [tuple(terms(text[start:end])) for start, end in ranges]
    words = placed_terms(text)
    return [
        tuple([term for _, term in words[bisect_left(words, (start, "")) : bisect_left(words, (end, ""))]])
        for start, end in ranges
    ]


def _parts(text: str, place: int) -> bool:
    """Whether white space stands on one side of a place: no word has it inside but one broken over two lines."""
    return not 0 < place < len(text) or text[place - 1].isspace() or text[place].isspace()


def _words(text: str) -> list[str]:
    if text.isascii() and not _JOINT.search(text):  # half of all sentences, in a third of the time
        return text.encode().translate(_APART).decode().split()
    return _pattern(text).findall(text)


def _pattern(text: str) -> re.Pattern[str]:
    return _ASCII_WORD if text.isascii() else _WORD


@lru_cache(maxsize=65536)
def _term(word: str) -> str:
    """The stem of a word as written, or nothing for a stopword."""
    if word.isdecimal() and word.isascii():
        return word
    plain = folded(word).replace(",", "").removesuffix("'s")
    return "" if plain in STOPWORDS else stem(plain)


@lru_cache(maxsize=1)
def _stemmer() -> BaseStemmer:
    from snowballstemmer import stemmer

    return stemmer("english")


# The stemmer keeps the word that it works on in itself: two threads at once would give both wrong stems.
_STEMMING = threading.Lock()


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """The Snowball stem of one lower-case word; numbers stay as they are."""
    if not word.isalpha():
        return word
    with _STEMMING:
        return str(_stemmer().stemWord(word))
