"""Whether a claim is in a language, or a script, that the passages are not in: its words prove nothing either way."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

_WORD = re.compile(r"[^\W\d_]+")
_ENGLISH = frozenset(
    (
        "the of and to in is that it for was on are with as by at from this be or an not which has have their its "
        "a he she his her they but did do does can will would should you your i we our when where who what any all"
    ).split()
)
_OTHERS = tuple(
    frozenset(small.split()) - _ENGLISH
    for small in (
        "der die das und ist nicht ein eine den dem des mit von auf wird werden zu im sich sind bei oder nach wenn",
        "le les des est une et dans pour que qui sur pas par avec sont du au aux ce cette ne plus ou",
        "el los las del y es en un una por con para se su como al lo pero sus que",
        "il di che non per della dei con sono delle nel alla gli una del",
        "het een van niet zijn voor wordt op te aan ook en dat",
        "os um uma com para dos na em foi ao pelo que",
    )
)
"""Small words of German, French, Spanish, Italian, Dutch and Portuguese."""
_ANY_OTHER = frozenset[str]().union(*_OTHERS)
_APART = bytes(code if chr(code).isalpha() else ord(" ") for code in range(128)).ljust(256)
"""For text without other letters: all but letters becomes a space, which is quicker than finding the words."""
_LAST_LATIN = "\u024f"
_FEWEST = 4
"""Words from which a language can be told."""
_CLEARLY = 3
"""Small words of one other language that make a text be in it."""
_OFTEN = 0.25
"""Share of its words."""
_SAMPLE = 4000


def script_of(text: str) -> str:
    """`latin`, `other` for text mostly in another script, or nothing where there is no letter."""
    if text.isascii():
        return "latin" if _WORD.search(text) else ""
    letters = [character for word in _WORD.findall(text[:_SAMPLE]) for character in word]
    if not letters:
        return ""
    return "latin" if 2 * sum(letter <= _LAST_LATIN for letter in letters) >= len(letters) else "other"


def language_of(text: str) -> str:
    """`en`, `other`, or nothing where that cannot be told from the small words; for text in Latin letters."""
    words = _words(text[:_SAMPLE])
    if len(words) < _FEWEST:
        return ""
    english = sum(map(_ENGLISH.__contains__, map(str.lower, words)))
    if english > sum(map(_ANY_OTHER.__contains__, words)):  # no single one has more
        return "en"
    others = max(_counted(words, small, alone=not english) for small in _OTHERS)
    if english > others:
        return "en"
    return "other" if others > 3 * english else ""


def _words(text: str) -> Sequence[str]:
    return text.encode().translate(_APART).decode().split() if text.isascii() else _WORD.findall(text)


def _counted(words: Sequence[str], small: Collection[str], *, alone: bool) -> int:
    """How many words are small words of a language, written small; none where that tells nothing.

    Names have some ("Los Angeles", "Oscar de la Renta"), and "per" and "plus" are English too: it takes three different
    ones, or two that are much of a text without an English one.
    """
    held = [word for at, word in enumerate(words) if (word if at else word.lower()) in small]
    kinds = len(set(held))
    often = alone and len(held) >= _CLEARLY and len(held) >= _OFTEN * len(words)
    return len(held) if kinds >= _CLEARLY or (kinds == _CLEARLY - 1 and often) else 0
