"""Text that says nothing: letters that make no words (odd fonts, bad recognition), blanks of templates, dummy text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence

_ENOUGH_LETTERS = 60
"""A page with fewer says nothing of its fonts."""
_MOST_CHARACTERS = 20_000
_LEAST_WORDS = 0.5
"""Share of the letters that words have to make: those of one case, or with a capital first, and without digits."""
_LEAST_VOWELS = 0.22
"""Share of vowels among the letters of words; no language that is written in Latin letters has less than 0.3."""
_MOST_UNMAPPED = 0.15
"""Share of characters that stand for none."""
_EVERY = 4
"""Of so many lines one is looked at first."""
_WELL = 0.75
"""Share of that sample's characters that words have to make for it to speak for the whole page."""
_WORD = re.compile(r"[^\W_]+")
_LATIN_WORD = re.compile(r"(?<![^\W_])(?:[A-Z]?[a-z]{3,}|[A-Z]{5,})(?![^\W_])")
"""Words without accents; short ones in capitals are mostly abbreviations."""
_VOWELS = "aeiouyAEIOUY"
_ODD = re.compile(r"[^\x20-\x7e]")
"""All but plain characters: only of these, few in most texts, anything has to be looked up."""
_UNMAPPED = frozenset(["Co", "Cn", "Cc", "Cs"])


def is_garbled(lines: Sequence[str]) -> bool:
    """True if most letters of a page make no words, or many of its characters stand for none."""
    if len(lines) > 2 * _EVERY and _reads_well(" ".join(lines[::_EVERY])):
        return False
    text = " ".join(lines)[:_MOST_CHARACTERS]
    if not text.isascii():
        unmapped = sum(char == "\ufffd" or unicodedata.category(char) in _UNMAPPED for char in _ODD.findall(text))
        if unmapped > _MOST_UNMAPPED * len(text) and unmapped >= _ENOUGH_LETTERS:
            return True
        text = _ODD.sub(_uncombined, unicodedata.normalize("NFD", text))
    latin = _LATIN_WORD.findall(text)
    if 2 * sum(map(len, latin)) >= len(text) - text.count(" "):
        # Those words alone make half of all letters, as in most texts: the others change nothing.
        return _lacks_vowels("".join(latin))
    letters = plausible = 0
    for word in _WORD.findall(text):
        if len(word) < 2:
            continue
        count = len(word) if word.isalpha() else sum(map(str.isalpha, word))
        letters += count
        if count == len(word) and (word[1:].islower() or word.isupper() or not word.isascii()):
            plausible += count
    mixed = letters >= _ENOUGH_LETTERS and plausible < _LEAST_WORDS * letters
    return mixed or _lacks_vowels("".join(latin))


def _reads_well(sample: str) -> bool:
    """True if a sample of a page is made of words throughout."""
    words = "".join(_LATIN_WORD.findall(sample[:_MOST_CHARACTERS]))
    well = len(words) >= max(_WELL * (len(sample) - sample.count(" ")), _ENOUGH_LETTERS)
    return well and not _lacks_vowels(words)


def _lacks_vowels(words: str) -> bool:
    return len(words) >= _ENOUGH_LETTERS and sum(map(words.count, _VOWELS)) < _LEAST_VOWELS * len(words)


def _uncombined(match: re.Match[str]) -> str:
    return "" if unicodedata.combining(match[0]) else match[0]


_FILLED = (
    "insert|enter|add|type|fill|your|name|date|amount|sum|address|title|number|state|city|country|company|client"
    "|customer"
)
"""Words with which the name of a blank in brackets begins."""
_BLANK = re.compile(
    r"_{3,}|\{\{[^{}\n]{1,60}\}\}"
    rf"|[\[<](?:{_FILLED})\b[^\[\]<>\n]{{0,60}}[\]>]"
    r"|[\[<][^\W\d_][\w ]{0,40}\b(?:name|date|amount|address|number)[\]>]"
    r"|\bX{2,4}[/.-]X{2,4}[/.-](?:20)?X{2,4}\b",
    re.IGNORECASE,
)
_DUMMY = re.compile(r"\blorem ipsum\b", re.IGNORECASE)


def is_dummy(text: str) -> bool:
    """True for text that only fills the page ("Lorem ipsum")."""
    return _DUMMY.search(text) is not None


def left_blank(text: str, asked: Collection[str]) -> bool:
    """True if what a sentence or an entry has for the stems of a question is a blank.

    Either the blank names what is asked for ("[Name of contractor]"), or it stands right behind the last words that the
    text shares with the question ("a monthly fee of ____ euros"). What is filled in beside it still answers.
    """
    from spanwise.text.terms import placed_terms, terms  # readers of PDFs need none of it

    for blank in _BLANK.finditer(text):
        own = terms(blank.group().replace("_", " "))
        if not set(own).isdisjoint(asked):
            return True
        placed = placed_terms(text)
        before = [term for place, term in placed if place < blank.start()]
        behind = {term for place, term in placed if place >= blank.end()}
        if before and before[-1] in asked and behind.isdisjoint(asked):
            return True
    return False
