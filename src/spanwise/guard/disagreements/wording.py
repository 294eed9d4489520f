"""A sentence as it is compared with others: its words by stem, and a slot for each figure, date and label."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

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
_NUMBERED = re.compile(r"\.\s?\d")
_SIGN = re.compile(r"[.%]|million|billion|thousand", re.IGNORECASE)
_DIGIT = re.compile(r"\d")
DENIALS = frozenset(
    "unable prohibited forbidden fails failed refuses refused denies denied lacks false untrue incorrect".split()
)
"""Words that deny what they stand with, besides negations."""


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
        return frozenset(meaning(token.plain) for token in self.content_tokens)

    @cached_property
    def key_set(self) -> frozenset[str]:
        """Its keys, each once."""
        return frozenset(self.keys)

    @cached_property
    def content_tokens(self) -> tuple[Token, ...]:
        """Its content words."""
        return tuple(token for token in self.tokens if token.content)

    @cached_property
    def denials(self) -> int:
        """How many of its words deny something."""
        return sum(map(denies, self.tokens))

    @cached_property
    def slots(self) -> tuple[Token, ...]:
        """Its figures and dates."""
        return tuple(token for token in self.tokens if token.key == SLOT)

    @cached_property
    def stated(self) -> tuple[object, ...]:
        """What its figures, dates and labels are worth, in order.

        Of two sentences that have this and the keys in common neither says anything that the other does not.
        """
        return tuple(
            token.plain if token.quantity is None else _worth(token.quantity)
            for token in self.tokens
            if token.key in (SLOT, LABEL)
        )

    @cached_property
    def values(self) -> tuple[str, ...]:
        """Its figures, dates and labels as written, for telling copies apart."""
        return tuple(folded(self.text[token.start : token.end]) for token in self.tokens if token.key in (SLOT, LABEL))


def _worth(figure: Quantity) -> tuple[object, ...]:
    """Everything of a figure but where and how it is written."""
    value = (figure.kind, figure.value, figure.unit, figure.iso, figure.low, figure.high)
    return (*value, figure.bound, figure.per, figure.disagrees)


def denies(token: Token) -> bool:
    """Whether a word denies what it stands with."""
    return is_negation(token.plain) or token.plain in DENIALS


def wording(text: str) -> Wording:
    """Read one sentence; linear in its length. Marks of notes, items and pages are left out."""
    tokens = list(_tokens(text))
    while tokens and _is_mark(tokens[0], text) and text[: tokens[0].start].strip("([ \n") == "":
        tokens.pop(0)
    if tokens and _is_mark(tokens[-1], text) and text[: tokens[-1].start].rstrip().endswith((".", "!", "?")):
        tokens.pop()
    return Wording(text, tuple(token for token in tokens if not _says_nothing(token, text)))


def _says_nothing(token: Token, text: str) -> bool:
    """Whether it is the mark of a footnote, or the "No." before a number, which denies nothing."""
    if token.plain in ("no", "nos"):
        return _NUMBERED.match(text, token.end) is not None
    return _FOOTNOTE.fullmatch(text, token.start, token.end) is not None


def _is_mark(token: Token, text: str) -> bool:
    """Whether it is a number without a unit, such as stands before an item or at the foot of a page."""
    figure = token.quantity
    return figure is not None and figure.kind == "number" and not _SIGN.search(text, token.start, token.end)


def _tokens(text: str) -> Iterator[Token]:
    """The figures, and the words of what stands between them."""
    position = 0
    first = True
    for figure in quantities(text):
        for token in _words(text, position, figure.start, first=first):
            yield token
            first = False
        yield Token(SLOT, "", figure.start, figure.end, name=False, quantity=figure)
        position, first = figure.end, False
    yield from _words(text, position, len(text), first=first)


def _words(text: str, start: int, end: int, *, first: bool) -> Iterator[Token]:
    for match in _WORD.finditer(text, start, end):
        written = match.group()
        plain, key = _read(written)
        if plain:
            yield Token(key, plain, match.start(), match.end(), name=written[0].isupper() and not first)
            first = False


@lru_cache(maxsize=16384)
def _read(written: str) -> tuple[str, str]:
    """A word in its folded form, and its key."""
    plain = folded(written).removesuffix("'s")
    return plain, LABEL if _DIGIT.search(plain) else stem(plain)
