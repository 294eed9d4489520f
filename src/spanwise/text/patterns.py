"""Regular expressions that cost little, and English words that many of them are made of.

A long one is compiled when it is first used, and a search has a set first.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import cast

BE = "is|are|was|were"
AUXILIARIES = f"{BE}|do|does|did|has|have|had|can|could|may|might|must|shall|should|will|would"
"""Verbs that open a question for yes or no."""
QUESTION_WORDS = "who|whom|whose|what|which|where|when|why|how"


def may_hold(words: Collection[str]) -> re.Pattern[str]:
    """A pattern that lower-case ASCII text has to match to hold one of some words; some other text matches it too.

    It begins with a set of characters: the search for them passes over everything else at once.
    """
    firsts, rest = ("".join(sorted({word[0] for word in words})), "|".join(sorted({word[1:] for word in words})))
    return re.compile(rf"[{firsts}](?<![a-z].)(?:{rest})(?![a-z])")


def lazy_pattern(written: str, flags: int | re.RegexFlag = 0) -> re.Pattern[str]:
    """What `re.compile` makes of it, at its first use instead of at once: a long alternation takes milliseconds."""
    return cast("re.Pattern[str]", _Pattern(written, flags))


def beyond_ascii(text: str) -> str:
    """The characters of a text that ASCII lacks: few in most, and sooner searched than the text is."""
    return text.encode(errors="surrogatepass").translate(None, _ASCII).decode(errors="surrogatepass")


_ASCII = bytes(range(128))


class _Pattern:
    """Compiled when a method is first asked for; then each method is found as quickly as elsewhere."""

    def __init__(self, written: str, flags: int | re.RegexFlag) -> None:
        self._written = written
        self._flags = flags

    def __getattr__(self, name: str) -> object:
        value: object = getattr(re.compile(self._written, self._flags), name)  # `re` keeps what it compiled last
        if not name.startswith("__"):
            setattr(self, name, value)
        return value
