"""A sentence as it is compared with others: its words by stem, and a slot for each figure, date and label."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from spanwise.guard.statements import AUXILIARIES, is_negation, meaning
from spanwise.text.fold import folded
from spanwise.text.quantities import Quantity, quantities
from spanwise.text.terms import STOPWORDS, stem

SLOT = "#"
"""Key of a figure or date."""
LABEL = "#label"
"""Key of another word with digits: a section, a product, a time of day."""
_WORD = re.compile(r"[^\W_]+(?:['\u2019.,/:\-\u2010\u2011][^\W_]+){0,20}")
_FOOTNOTE = re.compile(r"\(\d{1,2}\)")
_SIGN = re.compile(r"[.%]|million|billion|thousand", re.IGNORECASE)
_DIGIT = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class Token:
    """A word, or a figure of one or more words, at `text[start:end]` of its sentence."""

    key: str
    """What is compared: the stem of a word, SLOT or LABEL."""
    plain: str
    """The word in lower case, as its folded form."""
    start: int
    end: int
    name: bool
    """Whether it is written with a capital and is not the first word."""
    quantity: Quantity | None = None

    @property
    def content(self) -> bool:
        """Whether it is a word that says what the sentence is about."""
        return (
            self.key not in (SLOT, LABEL)
            and self.plain not in STOPWORDS
            and self.plain not in AUXILIARIES
            and not is_negation(self.plain)
        )


@dataclass(frozen=True)
class Wording:
    """A sentence and what is compared of it."""

    text: str
    tokens: tuple[Token, ...]

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The keys of its tokens: the same for two sentences that differ in figures alone."""
        return tuple(token.key for token in self.tokens)

    @cached_property
    def content(self) -> frozenset[str]:
        """One stem for each meaning of its content words."""
        return frozenset(meaning(token.plain) for token in self.tokens if token.content)

    @cached_property
    def values(self) -> tuple[str, ...]:
        """Its figures, dates and labels as written, for telling copies apart."""
        return tuple(folded(self.text[token.start : token.end]) for token in self.tokens if token.key in (SLOT, LABEL))


def wording(text: str) -> Wording:
    """Read one sentence; linear in its length. Marks of notes, items and pages are left out."""
    tokens = list(_tokens(text))
    while tokens and _is_mark(tokens[0], text) and text[: tokens[0].start].strip("([ \n") == "":
        tokens.pop(0)
    if tokens and _is_mark(tokens[-1], text) and text[: tokens[-1].start].rstrip().endswith((".", "!", "?")):
        tokens.pop()
    return Wording(text, tuple(token for token in tokens if not _FOOTNOTE.fullmatch(text, token.start, token.end)))


def _is_mark(token: Token, text: str) -> bool:
    """Whether it is a number without a unit, such as stands before an item or at the foot of a page."""
    figure = token.quantity
    return figure is not None and figure.kind == "number" and not _SIGN.search(text, token.start, token.end)


def _tokens(text: str) -> Iterator[Token]:
    figures = iter(quantities(text))
    figure = next(figures, None)
    position = 0
    first = True
    for match in _WORD.finditer(text):
        start, end = match.span()
        while figure is not None and figure.start < end:
            if figure.start > position and start < figure.start:
                yield from _words(text, start, figure.start, first)  # "pre" of a word that a figure ends
            yield Token(SLOT, "", figure.start, figure.end, name=False, quantity=figure)
            position, start, first = figure.end, max(start, figure.end), False
            figure = next(figures, None)
        if max(start, position) < end:
            yield from _words(text, max(start, position), end, first)
            first = False
    if figure is not None:
        yield Token(SLOT, "", figure.start, figure.end, name=False, quantity=figure)


def _words(text: str, start: int, end: int, first: bool) -> Iterator[Token]:
    """The words of a stretch that no figure covers; parts of a word behind a figure come without its hyphen."""
    for match in _WORD.finditer(text, start, end):
        written = match.group()
        plain = folded(written).removesuffix("'s")
        if not plain:
            continue
        key = LABEL if _DIGIT.search(plain) else stem(plain)
        yield Token(key, plain, *match.span(), name=written[0].isupper() and not first)
