"""Words that deny, in any language but English (which `spanwise.text.expectations.polarity` knows better)."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import islice
from typing import NamedTuple

from spanwise.text.languages.data import languages

_WORD = re.compile("[^\\s'\u2019\"\u00ab\u00bb\u201c\u201d\u201e.,;:!?()\\[\\]|/\u0964\u061f\u060c\u061b]+")
_UNSPACED = frozenset(["zh", "ja", "ko", "th"])
_LONGEST = 4000
"""Characters of a text that are looked at."""
_MOST = 100


class _Words(NamedTuple):
    whole: frozenset[str]
    beginnings: tuple[str, ...]
    endings: tuple[str, ...]

    def has(self, word: str) -> bool:
        """True if a word is one of them."""
        return word in self.whole or word.startswith(self.beginnings) or word.endswith(self.endings)


@lru_cache(maxsize=1024)
def denials(text: str, language: str) -> tuple[tuple[int, int], ...]:
    """Where the words of a text stand that deny, in order; none in a language of which none is known."""
    lower = text[:_LONGEST].lower()
    if len(lower) != len(text[:_LONGEST]):  # "İ" has two characters in lower case
        lower = "".join(letter.lower()[:1] for letter in text[:_LONGEST])
    if language in _UNSPACED:
        denying, other = _signs(language)
        plain = other.sub(lambda match: " " * len(match[0]), lower) if other else lower
        return tuple(match.span() for match in islice(denying.finditer(plain), _MOST))
    denies, harmless = _words(language)
    words = (word.span() for word in _WORD.finditer(lower) if denies.has(word[0]) and not harmless.has(word[0]))
    return tuple(islice(words, _MOST))


@cache
def _words(language: str) -> tuple[_Words, _Words]:
    known = languages().get(language)
    return (_sorted(known.negations), _sorted(known.not_negations)) if known else (_sorted(frozenset()),) * 2


def _sorted(listed: frozenset[str]) -> _Words:
    return _Words(
        frozenset(word for word in listed if "*" not in word),
        tuple(sorted(word[:-1] for word in listed if word.endswith("*"))),
        tuple(sorted(word[1:] for word in listed if word.startswith("*"))),
    )


@cache
def _signs(language: str) -> tuple[re.Pattern[str], re.Pattern[str] | None]:
    known = languages()[language]
    denying, other = (
        "|".join(re.escape(word).replace("_", "\\s") for word in sorted(listed, key=lambda word: (-len(word), word)))
        for listed in (known.negations, known.not_negations)
    )
    return re.compile(denying), re.compile(other) if other else None
