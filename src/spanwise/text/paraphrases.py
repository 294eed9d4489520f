"""Everyday phrases of a question, and the words of a document that say the same ("turn up": "arrive").

The table is `fitting/paraphrases.txt`, written for this project, of which `fitting/related.py` makes
`paraphrases.json`. A phrase that asks nothing ("what happens if") is left out of what is looked for. In a passage,
words that say the same as a phrase are read as the question's own, so that whatever compares the two sees one word.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache
from importlib import resources
from itertools import chain, islice, product
from typing import TypeAlias

from spanwise.text.fold import folded
from spanwise.text.languages import ENGLISH
from spanwise.text.passage_reading import Reading, Sentence
from spanwise.text.related import other_forms, rarity
from spanwise.text.terms import stem, terms, words

Phrase: TypeAlias = tuple[str, ...]
_GAP = "*"
"""In a phrase: a few words between two of it ("pick * up": "pick the children up")."""
_WIDEST = 3
"""Words that may stand there."""
_PARTICLES = frozenset(
    "about after again along around away back by down for forward home in into off on out over round through to"
    " together up with without".split()
)
"""Words that make another verb of one."""
_MOST_WORDS = 60
"""Words of a question that is looked through; a longer one is a text."""
_LEAST_RARE = 0.3
"""Least rarity of what stands for a phrase: "first" is said of too much to say who won."""
_MOST_FORMS = 12
"""Ways to write a phrase of a document with other forms of its words."""

_SIGNS = {
    "<money>": re.compile(
        r"[$\u20ac\u00a3\u00a5]\s?\d|\d\s?(?:[$\u20ac\u00a3\u00a5]|euros?\b|dollars?\b|pounds?\b|pence\b|p\b|cents?\b)"
    ),
    "<phone>": re.compile(r"(?<![\w./-])(?:\+\d|\(?0\d|\(\d{3}\)|\d{3}-)[\d\s()/-]{4,18}\d(?![\w/-])"),
    "<email>": re.compile(r"\w@\w"),
}
"""What an amount, a number to call and an address look like, which papers give without a word for them."""


@dataclass(frozen=True)
class Wording:
    """The content words of a question, each phrase as one of them, and what documents may say in their place."""

    stems: tuple[str, ...]
    meant: Mapping[Phrase, Phrase]
    """Runs of stems, each with the stems of the question that it stands for."""
    small: Mapping[Phrase, frozenset[str]] = field(default_factory=dict)
    """The small words that make a phrase of a word: "up" of "turn up"."""

    def beyond(self, readings: Sequence[Reading]) -> Wording:
        """The wording without what stands for phrases that a sentence of the passages says itself."""
        present = {own for own in set(self.meant.values()) if any(self._says(reading, own) for reading in readings)}
        return replace(self, meant={run: own for run, own in self.meant.items() if own not in present})

    def _says(self, reading: Reading, phrase: Phrase) -> bool:
        small = self.small.get(phrase, frozenset())
        return reading.text.issuperset(phrase) and any(
            set(phrase).issubset(one.stems) and (not small or small.issubset(words(one.text)))
            for one in reading.sentences
        )

    @cached_property
    def said(self) -> tuple[str, ...]:
        """Stems that a document may have in place of those of the question."""
        return tuple(dict.fromkeys(one for run in self.meant for one in run if one not in _SIGNS))

    @cached_property
    def asked(self) -> frozenset[str]:
        """The stems of the question that are of a phrase of several words."""
        return frozenset(one for own in self.meant.values() if len(own) > 1 or self.small.get(own) for one in own)

    @cached_property
    def _runs(self) -> Mapping[str, list[Phrase]]:
        """The runs by their first stem, the longest first."""
        found: dict[str, list[Phrase]] = {}
        for run in sorted(self.meant, key=len, reverse=True):
            found.setdefault(run[0], []).append(run)
        return found

    @cached_property
    def _signs(self) -> Mapping[re.Pattern[str], Phrase]:
        return {_SIGNS[run[0]]: own for run, own in self.meant.items() if run[0] in _SIGNS}

    def read(self, reading: Reading) -> Reading:
        """A passage with the question's words in place of those that say the same."""
        runs = self._runs
        signed = any(sign.search(reading.passage.text) for sign in self._signs)
        if reading.text.isdisjoint(runs) and reading.title.isdisjoint(runs) and not signed:
            return reading
        titled = reading.title.union(*(own for run, own in self.meant.items() if reading.title.issuperset(run)))
        return reading.reworded(titled, self._reworded)

    def _reworded(self, sentence: Sentence) -> Phrase:
        runs, stems = self._runs, sentence.stems
        own = [
            next((self.meant[run] for run in runs.get(one, ()) if stems[at : at + len(run)] == run), (one,))
            for at, one in enumerate(stems)
        ]
        shown = dict.fromkeys(phrase for sign, phrase in self._signs.items() if sign.search(sentence.text))
        return tuple(chain(*own, *(phrase for phrase in shown if phrase not in own)))


def worded(text: str, stems: Sequence[str], language: str = ENGLISH) -> Wording:
    """What a question asks for, phrase by phrase.

    Args:
        text: The question.
        stems: Its content words, stemmed.
        language: Code of the language that it is asked in; phrases are known of English only.
    """
    plain = words(folded(text)) if language == ENGLISH else []
    own = dict.fromkeys(stems)
    meant: dict[Phrase, Phrase] = {}
    small: dict[Phrase, frozenset[str]] = {}
    for places, said in _phrases(plain) if len(plain) <= _MOST_WORDS else ():
        content = tuple(dict.fromkeys(one for at in places for one in terms(plain[at]) if one in own))
        if not said:  # it asks nothing
            own = {one: None for one in own if one not in content} or own
            continue
        if not content and not own:  # "When do I have to be there?" has no other word to look for
            content = said[0]
            own.update(dict.fromkeys(content))
        if not content:
            continue
        for run in said:
            meant.setdefault(run, content)
        small.setdefault(content, _PARTICLES.intersection(plain[at] for at in places))
    kept = {
        run: phrase for run, phrase in meant.items() if own.keys() >= {*phrase} and not own.keys() & {*run} - {*phrase}
    }
    return Wording(tuple(own), kept, small)


def is_everyday(phrase: str) -> bool:
    """True if a whole phrase is one that papers say in other words."""
    plain = words(folded(phrase))
    return any(len(places) == len(plain) and said for places, said in _phrases(plain))


def _phrases(plain: Sequence[str]) -> Iterator[tuple[tuple[int, ...], tuple[Phrase, ...]]]:
    """The phrases of a question: places of their words, and what says the same; none shares a word with another."""
    said = [_form(stem(word)) for word in plain]
    at = 0
    while at < len(said):
        known = _beginning_with(said[at])
        found = ((places, means) for phrase, means in known.items() if (places := _match(phrase, said, at)))
        places, means = next(found, ((), []))
        if places:
            yield places, _runs_of(means)
            # What stands in a gap is looked at again.
            at = next(place for place in range(at + 1, len(said) + 1) if place not in places)
        else:
            at += 1


def _match(phrase: Phrase, said: Sequence[str], at: int) -> tuple[int, ...]:
    """Places of the words of a phrase that begins at a place; none where it does not stand there."""
    places: list[int] = []
    reach = 0
    for word in phrase:
        if word == _GAP:
            reach = _WIDEST
            continue
        place = next((one for one in range(at, min(at + reach + 1, len(said))) if said[one] == word), None)
        if place is None:
            return ()
        places.append(place)
        at, reach = place + 1, 0
    return tuple(places)


@cache
def _form(word: str) -> str:
    """One form of a word for all: "got" is "get"."""
    return min(other_forms(word))


@lru_cache(maxsize=2048)
def _beginning_with(first: str) -> Mapping[Phrase, list[str]]:
    """The phrases that begin with a word, the longest first, each with the lists of what says the same."""
    table = _table()
    lines = (line.partition(":") for line in table.phrases.get(first, ()))
    return {
        tuple(phrase.split()): [table.said[int(number)] for number in numbers.split()] for phrase, _, numbers in lines
    }


@dataclass(frozen=True)
class _Table:
    """What `paraphrases.json` holds. Of its thousands of phrases those of a question's words alone are looked at."""

    said: Sequence[str]
    phrases: Mapping[str, Sequence[str]]


@cache
def _table() -> _Table:
    text = resources.files(__package__).joinpath("paraphrases.json").read_text(encoding="utf-8")
    return _Table(**json.loads(text))


def _runs_of(said: Sequence[str]) -> tuple[Phrase, ...]:
    """What some lists say, with every form of their words."""
    phrases = [tuple(one.split()) for line in said for one in line.split("|") if one]
    phrases = [one for one in phrases if max(map(rarity, one)) >= _LEAST_RARE]
    forms = (product(*([word, *sorted(other_forms(word) - {word})] for word in phrase)) for phrase in phrases)
    return tuple(dict.fromkeys(chain.from_iterable(islice(some, _MOST_FORMS) for some in forms)))
