"""A text as numbers, words and marks with their places: what the grammar of quantities reads."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from spanwise.text.patterns import lazy_pattern

FRACTIONS = {
    "\u00bc": (1, 4), "\u00bd": (1, 2), "\u00be": (3, 4), "\u2153": (1, 3), "\u2154": (2, 3), "\u2155": (1, 5),
    "\u2156": (2, 5), "\u2157": (3, 5), "\u2158": (4, 5), "\u2159": (1, 6), "\u215a": (5, 6), "\u215b": (1, 8),
    "\u215c": (3, 8), "\u215d": (5, 8), "\u215e": (7, 8),
}  # fmt: skip
_VULGAR = "".join(FRACTIONS)
# Every alternative either fails soon or takes its digits for good, so a run of any length costs one look. Groups with
# more than a set of characters in them are not possessive: Python before 3.11.5 matches those wrongly.
_NUMBER = (
    r"(?P<number>"
    r"[0-9]{1,2}(?:,[0-9]{2}(?![0-9])){1,8},[0-9]{3}(?:\.[0-9]++)?(?![0-9])"
    r"|[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]++)?(?![0-9])"
    r"|[0-9]{1,3}(?:['\u2019\u00a0\u2009\u202f][0-9]{3})+(?:[.,][0-9]{1,2})?(?![0-9])"
    # Groups behind a plain space are one number where one of them begins with a nought: no number of its own does.
    r"|[1-9][0-9]{0,2}(?: [0-9]{3}){0,3} 0[0-9]{2}(?: [0-9]{3}){0,3}(?:,[0-9]{1,2})?(?![0-9])"
    r"|[0-9]{1,3}(?:\.[0-9]{3})+,[0-9]{1,2}(?![0-9])"
    r"|[0-9]++(?:\.[0-9]++)*"
    r"|(?<![\w.)\]])\.[0-9]++"
    r")"
)
# Words come first, because most tokens are words.
_TOKEN = re.compile(rf"(?P<word>[^\W\d_{_VULGAR}]++)|{_NUMBER}|(?P<fraction>[{_VULGAR}])|(?P<mark>\S)")
_ASCII_TOKEN = re.compile(rf"(?P<word>[A-Za-z]++)|{_NUMBER}|(?P<mark>[^\s\x1c-\x1f])")
"""The same for text without other letters, in which it is a fifth quicker."""
# A set of characters first: the search for them passes over everything else at once.
_ADDRESS = re.compile(
    r"[:.@wWdD](?:(?<=:)//|(?<=[wW])(?i:ww\.)|(?<=@)|(?<=\b[dD])(?i:oi:)|(?<=\.)(?i:com|org|net|gov|edu|htm)\b)"
)
_PLAIN_DIGITS = {
    zero + value: str(value) for zero in (0xFF10, 0x0660, 0x06F0, 0x0966, 0x09E6, 0x0E50) for value in range(10)
} | {0xFF05: "%", 0x066A: "%", 0x066B: ".", 0x066C: ",", 0xFF0E: "."}
"""Digits of other scripts, one for one, so that no place changes."""
_UNSPACED = lazy_pattern(
    "[\u0900-\u0963\u0971-\u0dff\u0e01-\u0e4e\u3005-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]"
)
"""Letters of scripts whose words the simple pattern does not find."""
_FOREIGN_FIGURE = re.compile(r"[0-9](?:,[0-9]{1,2}(?![0-9,])|\.[0-9]{3}(?![0-9.])| [0-9]{3}(?![0-9]))")
"""A figure with a comma, a point or a space as other languages set them."""
_SPACED_AMOUNT = re.compile(
    r"\b(?:of|is|was|are|were|be|to|by|at|from|for|about|over|under|than|least|most|or|and|cost|costs|pay|pays|paid) "
    r"(?P<sign>[$\u20ac\u00a3\u00a5] ?)?(?P<number>[1-9][0-9]{0,2}(?: [0-9]{3}){1,3}(?![0-9,.]?[0-9]))"
    r"(?(sign)| ?(?:[$\u20ac\u00a3\u00a5]|[A-Z]{3}\b|(?:euro|dollar|pound|franc|rupee|yen|kron[aeo]r?)s?\b))"
)
"""An amount in a sentence whose groups stand behind plain spaces; in a row "12 310 EUR" may be twelve pieces."""
_LONGEST_ADDRESS = 400
_LONGEST_GAP = 120


class Token(NamedTuple):
    """One piece of the text."""

    kind: str
    """`number`, `fraction`, `word` or `mark`."""
    text: str
    low: str
    start: int
    end: int


_END = Token("mark", "", "", -1, -1)
_made = tuple.__new__


@cache
def _foreign_words() -> frozenset[str]:
    from spanwise.text.quantities.written import foreign_words

    return foreign_words()


@cache
def _unspaced_token() -> re.Pattern[str]:
    """Tokens of text in which words stand unparted: those known beside numbers, other letters of it one by one."""
    from spanwise.text.quantities.written import counters

    known = "|".join(map(re.escape, counters()))
    marked = r"[^\W\d_\u0e01-\u0e4e\u3005-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff" + _VULGAR + "]"
    letters = r"(?:[\u0900-\u0963\u0971-\u0dff]|" + marked + ")++"
    single = "[\u0e01-\u0e4e\u3005-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]"
    return re.compile(rf"(?P<word>{known}|{letters}|{single})|{_NUMBER}|(?P<fraction>[{_VULGAR}])|(?P<mark>\S)")


def _grouped(text: str, items: list[Token]) -> list[Token]:
    """The tokens with the groups of each spaced amount as one."""
    spans = [match.span("number") for match in _SPACED_AMOUNT.finditer(text)]
    found: list[Token] = []
    for one in items:
        span = next((span for span in spans if span[0] <= one.start < span[1]), None)
        if span is None:
            found.append(one)
        elif one.start == span[0]:
            plain = text[slice(*span)].replace(" ", "")
            found.append(Token("number", plain, plain, *span))
    return found


class Tokens:
    """The tokens of a text; beyond its ends stand empty marks."""

    __slots__ = ("_dense", "addresses", "items", "size", "text", "vocabulary")

    def __init__(self, text: str) -> None:
        self.text = text
        # Made as the tuples they are: the constructor of a named tuple takes twice as long.
        plain = text if text.isascii() else text.translate(_PLAIN_DIGITS)
        self._dense = not text.isascii() and _UNSPACED.search(text) is not None
        pattern = _unspaced_token() if self._dense else _ASCII_TOKEN if text.isascii() else _TOKEN
        self.items = [
            _made(Token, (match.lastgroup or "mark", piece := match[0], piece.lower(), match.start(), match.end()))
            for match in pattern.finditer(plain)
        ]
        if _SPACED_AMOUNT.search(plain):
            self.items = _grouped(plain, self.items)
        self.vocabulary = {token.low for token in self.items}
        """Every token in lower case."""
        if self._dense or not _foreign_words().isdisjoint(self.vocabulary) or _FOREIGN_FIGURE.search(plain):
            from spanwise.text.quantities.written import anglicised

            self.items = anglicised(text, self.items)
            self.vocabulary = {token.low for token in self.items}
        self.size = len(self.items)
        self.addresses = list(_addresses(text))

    def at(self, index: int) -> Token:
        """The token at that index."""
        return self.items[index] if 0 <= index < self.size else _END

    def low(self, index: int) -> str:
        """Its text in lower case, empty beyond the ends."""
        return self.items[index].low if 0 <= index < self.size else ""

    def glued(self, index: int) -> bool:
        """True if it touches the token before it."""
        touches = 0 < index < self.size and self.items[index].start == self.items[index - 1].end
        return touches and not (self._dense and self._unspaced(index))

    def _unspaced(self, index: int) -> bool:
        """True if it or the token before it is of a script in which all words touch."""
        start = self.items[index].start
        return _UNSPACED.match(self.text, start - 1) is not None or _UNSPACED.match(self.text, start) is not None

    def near(self, index: int) -> bool:
        """True if white space of at most one line break separates it from the token before it."""
        if not 0 < index < self.size:
            return False
        start, end = self.items[index - 1].end, self.items[index].start
        return end - start < 2 or (end - start <= _LONGEST_GAP and self.text.count("\n", start, end) < 2)

    def opens_line(self, index: int) -> bool:
        """True if it is the first token of its line."""
        return index == 0 or "\n" in self.text[self.items[index - 1].end : self.items[index].start]

    def ends_line(self, index: int) -> bool:
        """True if it is the last token of its line."""
        return index + 1 >= self.size or self.opens_line(index + 1)

    def capitalised(self, index: int) -> bool:
        """True if it is a word with a capital letter first."""
        token = self.at(index)
        return token.kind == "word" and token.text[0].isupper()


def _addresses(text: str) -> Iterator[tuple[int, int]]:
    """Where web and mail addresses stand; a digit in them counts nothing."""
    last = 0
    for match in _ADDRESS.finditer(text):
        if match.start() < last:
            continue
        start, end = match.span()
        while start > max(last, match.start() - _LONGEST_ADDRESS) and not text[start - 1].isspace():
            start -= 1
        while end < min(len(text), match.end() + _LONGEST_ADDRESS) and not text[end].isspace():
            end += 1
        last = end
        yield start, end
