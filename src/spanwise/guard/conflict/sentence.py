"""A sentence annotated for comparison: tokens with offsets and stems, a slot for each figure, date and label."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Literal, TypeAlias

from spanwise.guard.conflict.lexicon import lexicon
from spanwise.guard.statements import AUXILIARIES, is_negation, meaning
from spanwise.text.fold import folded
from spanwise.text.quantities import Quantity, quantities
from spanwise.text.terms import STOPWORDS, stem

Side: TypeAlias = Literal["low", "high", ""]
SLOT = "#"
"""Key of a figure or date."""
LABEL = "#label"
"""Key of another word with digits: a section, a product, a time of day."""
_WORD = re.compile(r"[^\W_]+(?:['\u2019.,/:\-\u2010\u2011][^\W_]+){0,20}")
_FOOTNOTE = re.compile(r"\(\d{1,2}\)")
_NUMBERED = re.compile(r"\.\s?\d")
_SIGN = re.compile(r"[.%]|million|billion|thousand", re.IGNORECASE)
_DIGIT = re.compile(r"\d")
_LONGEST_BOUND = 5
_ARTICLES = frozenset(["the", "a", "an"])
_SIDES: dict[str, Side] = {"least": "low", "more": "low", "most": "high", "less": "high"}
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
    """True for a capitalised word that is not the first."""
    quantity: Quantity | None = None
    side: Side = ""
    """Of a figure: the end of a range that it is by the words before it ("at least", "no later than")."""

    @property
    def digits(self) -> bool:
        """True for figures, dates and labels."""
        return self.key in (SLOT, LABEL)

    @property
    def content(self) -> bool:
        """True for a word that says what the sentence is about."""
        return not (self.digits or self.plain in STOPWORDS or self.plain in AUXILIARIES or is_negation(self.plain))

    @property
    def denies(self) -> bool:
        """True for a word that negates the phrase that it belongs to."""
        return is_negation(self.plain) or self.plain in DENIALS


@dataclass(frozen=True)
class Sentence:
    """A sentence and its annotation."""

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
    def denials(self) -> int:
        """Number of denying words."""
        return sum(token.denies for token in self.tokens)

    @cached_property
    def slots(self) -> tuple[Token, ...]:
        """Its figures and dates."""
        return tuple(token for token in self.tokens if token.key == SLOT)

    @cached_property
    def stated(self) -> tuple[object, ...]:
        """The values of its figures, dates and labels; with equal keys, equal sentences."""
        return tuple(_worth(token) for token in self.tokens if token.digits)

    @cached_property
    def values(self) -> tuple[str, ...]:
        """Its figures, dates and labels as written and bounded, for telling copies apart."""
        return tuple(
            f"{token.side}{folded(self.text[token.start : token.end])}" for token in self.tokens if token.digits
        )


def annotated(text: str) -> Sentence:
    """Annotate one sentence; linear in its length. Marks of notes, items and pages are left out."""
    tokens = list(_tokens(text))
    while tokens and _is_mark(tokens[0], text) and text[: tokens[0].start].strip("([ \n") == "":
        tokens.pop(0)
    if tokens and _is_mark(tokens[-1], text) and text[: tokens[-1].start].rstrip().endswith((".", "!", "?")):
        tokens.pop()
    return Sentence(text, tuple(_bounded([token for token in tokens if not _says_nothing(token, text)])))


def _worth(token: Token) -> tuple[object, ...]:
    """Everything of a figure but where and how it is written."""
    figure = token.quantity
    if figure is None:
        return (token.plain,)
    value = (figure.kind, figure.value, figure.unit, figure.iso, figure.low, figure.high)
    return (*value, figure.bound, figure.per, figure.disagrees, token.side)


def _bounded(tokens: list[Token]) -> list[Token]:
    """The tokens with the words of a bound folded into the figure behind them."""
    found: list[Token] = []
    for token in tokens:
        if token.key == SLOT and token.quantity is not None:
            denied = any(before.denies for before in found[-_LONGEST_BOUND:])  # "never exceeds": told by the denial
            side = "" if denied else _SIDES.get(token.quantity.bound or "", "")
            words = _bound_before(found)
            if words:
                named = tuple(word.plain for word in words if word.plain not in _ARTICLES or len(words) > 1)
                side = _side(named) or side
                del found[len(found) - len(words) :]
            token = replace(token, side=side)  # noqa: PLW2901 - the same token, annotated further
        found.append(token)
    return found


def _bound_before(tokens: list[Token]) -> list[Token]:
    """The longest bound that ends a run of words, an article behind it included."""
    for length in range(min(_LONGEST_BOUND, len(tokens)), 0, -1):
        if _side(tuple(token.plain for token in tokens[-length:])):
            return tokens[-length:]
    return []


def _side(words: tuple[str, ...]) -> Side:
    bare = words[:-1] if len(words) > 1 and words[-1] in _ARTICLES else words
    side = lexicon().bounds.get(bare)
    return "low" if side == "low" else "high" if side == "high" else ""


def _says_nothing(token: Token, text: str) -> bool:
    """True for the mark of a footnote, and the "No." before a number, which denies nothing."""
    if token.plain in ("no", "nos"):
        return _NUMBERED.match(text, token.end) is not None
    return _FOOTNOTE.fullmatch(text, token.start, token.end) is not None


def _is_mark(token: Token, text: str) -> bool:
    """True for a number without a unit, such as stands before an item or at the foot of a page."""
    figure = token.quantity
    if figure is None or figure.kind != "number" or not text[token.start].isdigit():
        return False
    return not _SIGN.search(text, token.start, token.end)


def _tokens(text: str) -> Iterator[Token]:
    """The figures, and the words between them."""
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
