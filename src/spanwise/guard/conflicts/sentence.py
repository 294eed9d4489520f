"""A sentence of a source, read once: as a claim, as the only evidence of another one, and for finding those like it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from spanwise.contract.adapters import given_passages
from spanwise.guard.comparators.comparator_list import differences
from spanwise.guard.comparators.difference import Difference
from spanwise.guard.evidence.context import Context
from spanwise.guard.evidence.search import Evidence, ReadClaim
from spanwise.guard.evidence.units import Source, Sources, Unit, share
from spanwise.guard.sentence.lexicon import words_of_class
from spanwise.guard.sentence.once import Once
from spanwise.guard.sentence.operators import is_content
from spanwise.guard.sentence.small_words import AUXILIARIES, is_negation, meaning
from spanwise.guard.sentence.words import Word, words_of
from spanwise.text.fold import folded
from spanwise.text.quantities import Quantity
from spanwise.text.terms import stem, terms

_DIGIT = re.compile(r"\d")


_SETTING = frozenset("is are be amounts amount equals comes".split())
"""Verbs that give a name its value."""
_CHANGED = re.compile(r"(?:\s\w+ed|\sset)\b[^.;]{0,60}?\bto\s")
"""Behind such a verb, words that lead from an old value to the new one."""
_INTRODUCED = re.compile(r":\s*[\"\u201c]")
_CONDITIONS = frozenset("if unless where when except only for".split())
_PERIODS = {"monthly": "month", "weekly": "week", "daily": "day", **dict.fromkeys(("annual", "yearly"), "year")}
_CLOSE = 25
"""Characters between a verb and the value that it gives."""


class Setting(NamedTuple):
    """A value that a sentence gives to something by its name."""

    name: frozenset[str]
    value: Quantity
    per: str


class Sentence:
    """A sentence with its words, figures and content."""

    def __init__(self, text: str) -> None:
        """Take the text of one sentence, without the number of its item or page."""
        self.text = text
        self.words = words_of(text)

    @Once
    def unit(self) -> Unit:
        """The sentence as evidence."""
        return Unit(0, 0, 0, len(self.text), 1, 1, self.text, tuple(terms(self.text)))

    @property
    def quantities(self) -> list[Quantity]:
        """Its figures and dates."""
        return self.unit.quantities

    @Once
    def _figures(self) -> Mapping[int, Quantity]:
        """For the place of each word of a figure the figure."""
        bracketed = [(word.start, word.start + (self.text[word.start] == "(")) for word in self.words]
        return {start: one for one in self.quantities for start, place in bracketed if one.start <= place < one.end}

    def figure(self, word: Word) -> Quantity | None:
        """The figure or date that a word is part of."""
        return self._figures.get(word.start)

    def before(self, place: int, count: int = 1) -> list[str]:
        """The words right before a place of the text, lower case, at most so many."""
        return [word.plain for word in self.words if word.start < place][-count:]

    @Once
    def _pieces(self) -> tuple[str, ...]:
        """Its words in lower case, each figure of one or more words as it is written behind a mark."""
        pieces: list[str] = []
        last: Quantity | None = None
        for word in self.words:
            figure = self.figure(word)
            if figure is None:
                pieces.append(f"#{word.plain}" if _DIGIT.search(word.plain) else word.plain)
            elif figure is not last:
                pieces.append(f"#{folded(figure.original)}")
            last = figure
        return tuple(pieces)

    @Once
    def digits(self) -> tuple[bool, ...]:
        """For each word, and each figure of one or more words, True if it is a figure or a number."""
        return tuple(piece.startswith("#") for piece in self._pieces)

    @Once
    def content(self) -> frozenset[str]:
        """One stem for each meaning of its content words."""
        words = (word for word in self.words if is_content(word) and not _DIGIT.search(word.plain))
        return frozenset(meaning(word.plain) for word in words if word.start not in self._figures)

    @Once
    def frame(self) -> tuple[str, ...]:
        """Its stems with a mark for every figure: the same for sentences that differ in figures alone."""
        return tuple("#" if piece.startswith("#") else stem(piece) for piece in self._pieces)

    @Once
    def values(self) -> tuple[str, ...]:
        """Its figures as they are written."""
        return tuple(piece for piece in self._pieces if piece.startswith("#"))

    @Once
    def setting(self) -> Setting | None:
        """What the sentence sets, where it is plain: "(from May on) the monthly rent is 900 euros", "raised to 900"."""
        introduced = _INTRODUCED.search(self.text)
        start = introduced.end() if introduced else 0
        verb = next((word for word in self.words if word.start >= start and word.plain in _SETTING), None)
        colon = self.text.find(": ", start)
        if verb is None and colon < 0:
            return None
        low, high = (verb.start, verb.end) if verb is not None else (colon, colon + 1)
        changed = _CHANGED.match(self.text, high)
        high = changed.end() if changed else high
        value = next((one for one in self.quantities if one.end > high), None)
        if value is not None and changed and value.high is not None:  # "raised from 900 to 950 euros"
            value = replace(value, value=value.high, low=None, high=None)
        if value is None or value.value is None or value.iso or value.start - high > _CLOSE:
            return None
        leading = [one.end for one in self.quantities if one.iso and one.end <= low]
        start = max([start, *leading, self.text.rfind(",", start, low) + 1])
        named = [word for word in self.words if start <= word.start < low]
        named = named[: next((at for at, word in enumerate(named) if word.plain in AUXILIARIES), len(named))]
        behind = [word for word in self.words if word.start >= value.end]
        if any(word.plain in _CONDITIONS for word in behind[:1]) or any(is_negation(word.plain) for word in self.words):
            return None
        parts = words_of_class("scope", "designators")
        plain = [word.plain for word in named if is_content(word) and not word.number and word.plain not in parts]
        per = next((_PERIODS[word] for word in plain if word in _PERIODS), value.per)
        return Setting(frozenset(meaning(word) for word in plain if word not in _PERIODS), value, per)

    @Once
    def _sources(self) -> Sources:
        [given] = given_passages([self.text])
        return Sources((Source(given, (self.unit,), frozenset(), facts=False),))

    def differences(self, other: Sentence) -> list[Difference]:
        """What every comparator finds in this sentence as a claim about another one."""
        context = Context(other._sources)
        written = dict.fromkeys(self.unit.stems, 1.0)
        wanted = {context.sources.said_as(stem): 1.0 for stem in written}
        said = ReadClaim(
            0, 0, len(self.text), self.text, self.text, self.text, "", (), self.unit.stems, written, wanted
        )
        held = share(other.unit.known, wanted)
        evidence = Evidence((other.unit,), ((other.unit, held),), held, held, held)
        return list(differences(said, evidence, context))
