"""Whether a claim is in a language, or a script, that the passages are not in: its words prove nothing either way."""

from __future__ import annotations

import re

_WORD = re.compile(r"[^\W\d_]+")
_ENGLISH = frozenset(
    (
        "the of and to in is that it for was on are with as by at from this be or an not which has have their its "
        "a he she his her they but did do does can will would should you your i we our when where who what any all"
    ).split()
)
_OTHERS = (
    frozenset(
        (
            "der die das und ist nicht ein eine den dem des mit von auf wird werden zu im sich sind bei oder nach wenn "
            "le les des est une et dans pour que qui sur pas par avec sont du au aux ce cette ne plus ou leur "
            "el los las del y es en un una por con para se su como al lo pero sus "
            "il di che non per della dei con sono delle nel alla gli "
            "het een van niet met zijn voor wordt op te aan ook "
            "os as um uma com para dos na no em foi ao pelo"
        ).split()
    )
    - _ENGLISH
)
_LAST_LATIN = "\u024f"
_FEWEST = 4
"""Words from which a language can be told."""
_CLEARLY = 3
"""Small words of another language that make a text be in it."""
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
    sample = text[:_SAMPLE]
    found = _WORD.findall(sample.lower() if sample.isascii() else sample)
    words = found if sample.isascii() else [word.lower() for word in found]
    if len(words) < _FEWEST:
        return ""
    english, others = sum(map(_ENGLISH.__contains__, words)), sum(map(_OTHERS.__contains__, words))
    if english > others:
        return "en"
    return "other" if others >= _CLEARLY and others > 3 * english else ""
