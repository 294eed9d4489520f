"""The words of a sentence with their places, signs of numbers kept."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from spanwise.text.fold import folded
from spanwise.text.quantities.numerals import TENS, UNITS

_WORD = re.compile(
    r"[^\W\d_][^\W_]*(?:['\u2019][^\W_]+)*"  # what begins with a letter is most of a text, and no number
    r"|(?P<number>(?:(?<![\w.)])[-\u2212+](?=[$\u20ac\u00a3\u00a5]?\d)|\((?=[$\u20ac\u00a3\u00a5]?\s?\d[\d,.]*%?\)))?"
    r"(?:[$\u20ac\u00a3\u00a5]\s?)?\d+(?:[.,]\d+)*)|[^\W_]+(?:['\u2019][^\W_]+)*|[%$\u20ac\u00a3\u00a5]"
)


_ASCII_WORD = re.compile(_WORD.pattern, re.ASCII)
"""The same for text without other letters, in which it is quicker."""


_ENDS = frozenset([".", ":", "!", "?", ".)", ";", "-", "*", "\u2022"])


_SPELLED = {word: str(value) for word, value in (UNITS | TENS).items()}


_made = tuple.__new__


_SIGNS = str.maketrans("", "", "$\u20ac\u00a3\u00a5 ,+\u00a0\u2009\u202f")


class Word(NamedTuple):  # made for every word: frozen dataclasses take four times as long
    """A word, number or sign at `text[start:end]`."""

    plain: str
    """Lower case; a number in digits with its sign and without its commas."""
    start: int
    end: int
    capital: bool
    """True if it is capitalised and not the first word of a sentence."""
    number: bool
    initial: bool = False
    """True if it is capitalised, at any position."""


@lru_cache(maxsize=1024)
def words_of(text: str) -> tuple[Word, ...]:
    """The words of a text, signs of numbers kept."""
    found: list[Word] = []
    for match in (_ASCII_WORD if text.isascii() else _WORD).finditer(text):
        written, (start, end) = match[0], match.span()
        if match.lastgroup:
            negative = written[0] in "-\u2212("
            currency = next((sign for sign in written if sign in "$\u20ac\u00a3\u00a5"), "")
            plain = written.lstrip("-\u2212(").translate(_SIGNS)
            if currency:
                found.append(Word(currency, start, start + 1, capital=False, number=False))
            found.append(Word(f"-{plain}" if negative else plain, start, end, capital=False, number=True))
        else:
            plain, number = _plain(written)
            capital = written[0].isupper() and bool(found) and _goes_on(text[found[-1].end : start])
            found.append(_made(Word, (plain, start, end, capital, number, written[0].isupper())))
    return tuple(found)


@lru_cache(maxsize=16384)
def _plain(written: str) -> tuple[str, bool]:
    """A word folded, and whether it spells a number, which then is in digits."""
    plain = folded(written).removesuffix("'s")
    number = _SPELLED.get(plain)
    return number or plain, number is not None


def _goes_on(between: str) -> bool:
    """True if the gap between two words is not a sentence boundary."""
    return between.strip(" \"'\u201c\u201d(") not in _ENDS
