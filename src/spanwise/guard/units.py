"""The passages an answer is checked against: cut into units (sentences, rows, facts) and found again by their words."""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import accumulate, pairwise
from typing import TypeAlias

from spanwise.contract.adapters import Given
from spanwise.guard.lexicon import groups_of
from spanwise.guard.records import Fact, record_facts
from spanwise.guard.sentence import Once
from spanwise.text.expectations.polarity import NEGATION
from spanwise.text.fold import folded
from spanwise.text.languages import ENGLISH, language_of
from spanwise.text.list_marks import OPENING
from spanwise.text.quantities import Quantity, quantities
from spanwise.text.quantities.numerals import TENS, UNITS
from spanwise.text.sentences import on_one_line, sentences
from spanwise.text.terms import stem as stemmed
from spanwise.text.terms import terms, terms_of_ranges

_UNSEEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]"
)


@dataclass(frozen=True, slots=True)
class VisibleText:
    """What is seen of a text."""

    text: str
    origin: tuple[int, ...] | None
    """Place in the text as it was of each character; None where nothing was left out."""

    def place(self, start: int, end: int) -> tuple[int, int]:
        """The range of the text as it was."""
        if self.origin is None or start >= end:
            return start, end
        return self.origin[start], self.origin[end - 1] + 1


def seen(text: str) -> VisibleText:
    """Leave out what nobody sees."""
    if not _UNSEEN.search(text):
        return VisibleText(text, None)
    origin = tuple(place for place, character in enumerate(text) if not _UNSEEN.match(character))
    return VisibleText("".join(text[place] for place in origin), origin)


_WRAPPED = 40
"""Characters of a line from which its sentence may go on in the next one."""
_TERMINATOR = re.compile(r"[.!?:;|\u3002\uff01\uff1f\u0964\u061f\u06d4][\"'\u201d\u2019)\]]*\s*$")
_HEADING = re.compile(r"\s*#{1,6}\s")
_WORDS = re.compile(r"[^\W\d_]+")
_POINTS_BACK = re.compile(r"\b(?:it|its|they|them|their|he|him|his|she|her|this|these|such)\b", re.IGNORECASE)
_LONGEST_TITLE = 120
_SMALL = 4
"""Letters; shorter words of a title need no capital."""
_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")
_IN_NUMBERS = bytes(code if chr(code) in "0123456789.," else ord(" ") for code in range(256))
_LONGEST_UNIT = 2000
"""Characters; what has no end is cut."""
_MOST_CHARACTERS = 30_000_000
_KEPT_CHARACTERS = 100_000
"""Of passages that are kept as they were read, for the next answer about them."""
BEGINNING = 5
"""Letters that words of one family share."""
_QUICK = 60_000
"""Characters of a paragraph from which it is cut at full stops alone."""


@dataclass(eq=False)  # one is made for every sentence of every passage: frozen ones take three times as long
class Unit:
    """What is read as one piece of evidence: a sentence, a line of a table or list, a fact of a record."""

    number: int
    source: int
    """Index of its passage."""
    start: int
    end: int
    """Range in the text of the passage."""
    line_start: int
    line_end: int
    text: str
    """On one line."""
    stems: tuple[str, ...]
    """Of its content words, in order; those of the keys come first in a fact."""
    fact: Fact | None = None
    told: frozenset[str] | None = None
    """See `Sources.told_of`; None until that is asked for."""

    @Once
    def known(self) -> frozenset[str]:
        """Its stems."""
        return frozenset(self.stems)

    @Once
    def pairs(self) -> frozenset[tuple[str, str]]:
        """Its stems that stand side by side, or with one between them."""
        return frozenset([*pairwise(self.stems), *zip(self.stems, self.stems[2:], strict=False)])

    @Once
    def places(self) -> Mapping[str, Sequence[int]]:
        """Where each stem stands among its stems."""
        places: dict[str, list[int]] = {}
        for place, stem in enumerate(self.stems):
            places.setdefault(stem, []).append(place)
        return places

    @Once
    def denies(self) -> bool:
        """True if it holds a negation."""
        return NEGATION.search(self.text) is not None

    @Once
    def titled(self) -> bool:
        """True if it only says what is below it: a line without an end and without a word that acts."""
        text = self.text.strip()
        if self.fact is not None or not text or len(text) > _LONGEST_TITLE:
            return False
        if _HEADING.match(text):
            return True
        plain = text[-1] not in ".!?;,|"
        return plain and all(word[:1].isupper() or len(word) < _SMALL for word in _WORDS.findall(text))

    @Once
    def quantities(self) -> list[Quantity]:
        """Its figures and dates."""
        return quantities(self.text)


_Piece: TypeAlias = tuple[int, int, Fact | None]
"""A range of a text, and the fact that it is of a record."""
_Read: TypeAlias = tuple[tuple[Unit, ...], frozenset[str], bool, str]


@dataclass(frozen=True)
class Source:
    """One passage, read once."""

    given: Given
    units: tuple[Unit, ...]
    title: frozenset[str]
    """Stems of its title."""
    facts: bool
    """True if it is a record."""
    unread: str = ""
    """Why it was not read; empty when it was."""

    @Once
    def folded(self) -> str:
        """Its text, folded, in which quotations are found."""
        return folded(self.given.passage.text)

    @Once
    def known(self) -> frozenset[str]:
        """Stems of all its words, title included."""
        return self.title.union(*(unit.known for unit in self.units))


@dataclass(frozen=True)
class Sources:
    """All passages with an index of their words."""

    sources: tuple[Source, ...]
    units: tuple[Unit, ...] = field(init=False)
    postings: Mapping[str, Sequence[int]] = field(init=False)
    """The units that hold each stem."""

    def __post_init__(self) -> None:
        units = tuple([unit for source in self.sources for unit in source.units])
        postings: defaultdict[str, list[int]] = defaultdict(list)
        for unit in units:
            number = unit.number
            for stem in dict.fromkeys(unit.stems):
                postings[stem].append(number)
        object.__setattr__(self, "units", units)
        object.__setattr__(self, "postings", dict(postings))  # that asks for a word leave nothing behind

    def side_by_side(self, one: str, other: str) -> bool:
        """True if some unit has the first stem right before the second, or with one between them."""
        near, far = self.postings.get(one, ()), self.postings.get(other, ())
        rarer, lacked = (near, other) if len(near) < len(far) else (far, one)
        units = (self.units[number] for number in rarer)
        # Few hold both stems, and only of those the pairs need be known.
        return bool(near and far) and any(lacked in unit.stems and (one, other) in unit.pairs for unit in units)

    def adjacent(self, one: str, other: str) -> bool:
        """True if some unit has two stems right beside each other, as the names of one thing are ("X (the Y)")."""
        units = (self.units[number] for number in self.postings.get(one, ()))
        return any(
            abs(here - there) == 1
            for unit in units
            for here in unit.places[one]
            for there in unit.places.get(other, ())
        )

    @Once
    def characters(self) -> int:
        """Length of all passages."""
        return sum(len(source.given.passage.text) for source in self.sources)

    @Once
    def digits(self) -> frozenset[str]:
        """Every number written in digits, without commas."""
        found = (_numbers_in(source.given.passage.text) for source in self.sources)
        return frozenset(number.replace(",", "") for numbers in found for number in numbers)

    @Once
    def beginnings(self) -> frozenset[str]:
        """The first five letters of every longer stem."""
        return frozenset(self.by_beginning)

    @Once
    def by_beginning(self) -> Mapping[str, Sequence[str]]:
        """The longer stems by their first five letters."""
        found: dict[str, list[str]] = {}
        for stem in self.postings:
            if len(stem) >= BEGINNING:
                found.setdefault(stem[:BEGINNING], []).append(stem)
        return found

    @Once
    def by_group(self) -> Mapping[int, Sequence[str]]:
        """The stems in each group of words of one meaning."""
        found: dict[int, list[str]] = {}
        for stem in self.postings:
            for group in groups_of(stem):
                found.setdefault(group, []).append(stem)
        return found

    @Once
    def holders(self) -> Holders:
        """The sources that hold each stem."""
        ends = accumulate(len(source.units) for source in self.sources)
        return Holders(self.units, self.postings, tuple(ends))

    @Once
    def _groups(self) -> Mapping[int, str]:
        """For each group of words of one meaning the rarest stem of the units that is in it."""
        rarity = {stem: (-len(numbers), stem) for stem, numbers in self.postings.items()}
        return {group: max(stems, key=rarity.__getitem__) for group, stems in self.by_group.items()}

    def said_as(self, stem: str) -> str:
        """A stem as the units say it: itself, or another one that may stand for it where they lack it."""
        if stem in self.postings:
            return stem
        written = _numbers().get(stem, "")
        if written in self.postings:
            return written
        return min((self._groups[group] for group in groups_of(stem) if group in self._groups), default=stem)

    def told_of(self, unit: Unit) -> frozenset[str]:
        """The stems of a unit, and of the one before it where a pronoun points back to that one."""
        if unit.told is None:
            before = self.units[unit.number - 1] if unit.number else None
            back = before is not None and before.source == unit.source and _POINTS_BACK.search(unit.text)
            unit.told = unit.known | before.known if before is not None and back else unit.known
        return unit.told

    def weight(self, stem: str) -> float:
        """How rare a stem is among the units: inverse document frequency (Robertson and Zaragoza 2009)."""
        frequency = len(self.postings.get(stem, ()))
        return math.log(1 + (len(self.units) - frequency + 0.5) / (frequency + 0.5)) if self.units else 1.0

    def rated(self, weights: Mapping[str, float]) -> list[float]:
        """For each unit the weight of those of the stems that it holds."""
        found = [0.0] * len(self.units)
        for stem, weight in weights.items():
            for number in self.postings.get(stem, ()):
                found[number] += weight
        return found


class Holders(dict[str, tuple[int, ...]]):
    """The indices of the sources that hold a stem, looked up once for all claims that have it."""

    def __init__(self, units: Sequence[Unit], postings: Mapping[str, Sequence[int]], ends: Sequence[int]) -> None:
        super().__init__()
        self._units, self._postings, self._ends = units, postings, ends

    def __missing__(self, stem: str) -> tuple[int, ...]:
        found, at = list[int](), 0
        numbers = self._postings.get(stem, ())
        while at < len(numbers):  # of each source only the first unit that has the word is looked at
            found.append(self._units[numbers[at]].source)
            at = bisect_left(numbers, self._ends[found[-1]], at)
        self[stem] = tuple(found)
        return self[stem]


def read_sources(passages: Sequence[Given]) -> Sources:
    """Read passages; what is beyond all bounds is left out and says so."""
    texts = tuple((one.passage.text, one.passage.section, one.passage.line_start) for one in passages)
    # Several answers are often held against the same passages: drafts of one question, parts of one answer.
    short = sum(len(text) for text, _, _ in texts) <= _KEPT_CHARACTERS
    read = _read_again(texts) if short else _read(texts)
    return Sources(tuple(Source(given, *one) for given, one in zip(passages, read, strict=True)))


def _read(texts: Sequence[tuple[str, str | None, int]]) -> tuple[_Read, ...]:
    """Of each text, with the heading above it and the number of its first line, what a `Source` holds of it."""
    found: list[_Read] = []
    count = characters = 0
    for index, (text, section, line) in enumerate(texts):
        characters += len(text)
        title = frozenset(terms((section or "")[:500]))
        if characters > _MOST_CHARACTERS:
            found.append(((), title, False, "there is more text than is read at once"))
            continue
        facts = record_facts(text)
        pieces = _of_text(text) if facts is None else _of_facts(text, facts)
        language = language_of(text) if facts is None else ENGLISH
        units = tuple(_units(text, line, index, count, list(pieces), language))
        count += len(units)
        found.append((units, title, facts is not None, "" if units else "it has no words"))
    return tuple(found)


@lru_cache(maxsize=4)
def _read_again(texts: tuple[tuple[str, str | None, int], ...]) -> tuple[_Read, ...]:
    return _read(texts)


def _units(text: str, first: int, source: int, count: int, pieces: Sequence[_Piece], language: str) -> Iterator[Unit]:
    shown = seen(text)
    breaks = [match.start() for match in re.finditer("\n", text)]
    for (start, end, fact), said in zip(pieces, _stems(shown, pieces, language), strict=True):
        if fact is None:
            line, stems = on_one_line(text[start:end] if shown.origin is None else seen(text[start:end]).text), said
        else:
            keys = " ".join(part for part in fact.path if not part.isdigit())
            line = f"{keys}: {_shown(fact, text[max(start, fact.value_start) : end])}"
            stems = tuple(terms(line))
        if stems:
            lines = first + bisect_left(breaks, start), first + bisect_left(breaks, max(start, end - 1))
            yield Unit(count, source, start, end, *lines, line, stems, fact)
            count += 1


def _stems(shown: VisibleText, pieces: Sequence[_Piece], language: str) -> Sequence[tuple[str, ...]]:
    """Of each piece the stems of the words that begin in it; none of a fact, which is not written as it is read."""
    ranges = [(start, start if fact else end) for start, end, fact in pieces]
    if shown.origin is not None:
        ranges = [(bisect_left(shown.origin, start), bisect_left(shown.origin, end)) for start, end in ranges]
    return terms_of_ranges(shown.text, ranges, language)


def _shown(fact: Fact, written: str) -> str:
    if fact.value is None:
        return "unknown"
    if isinstance(fact.value, bool):
        return "yes" if fact.value else "no"
    return " ".join(written.strip("\"'").split())


def _of_text(text: str) -> Iterator[_Piece]:
    for low, high in _paragraphs(text):
        for start, end in _split(text, low, high):
            for at in range(start, end, _LONGEST_UNIT):
                yield at, min(at + _LONGEST_UNIT, end), None


def _of_facts(text: str, facts: Sequence[Fact]) -> Iterator[_Piece]:
    """A unit for each fact; the sentences of a long value are one each."""
    for fact in facts:
        if isinstance(fact.value, str) and len(fact.value) > 80:
            for start, end in _split(text, fact.value_start, fact.end):
                yield start, end, fact
        else:
            yield fact.start, fact.end, fact


def _split(text: str, low: int, high: int) -> Iterator[tuple[int, int]]:
    piece = text[low:high]
    if len(piece) <= _QUICK:
        for start, end in sentences(piece):
            yield low + start, low + end
        return
    ends = [match.end() for match in re.finditer(r"[.!?]\s", piece)]
    position = 0
    for end in [*ends, len(piece)]:
        if piece[position:end].strip():
            yield low + position, low + end
        position = end


def _paragraphs(text: str) -> Iterator[tuple[int, int]]:
    """Ranges of lines that belong together; a line that ends, or begins an item, is on its own."""
    start = position = 0
    before = ""
    open_range = False
    for line in text.split("\n"):
        end = position + len(line)
        alone = OPENING.match(line) or _HEADING.match(line) or _HEADING.match(before)
        ended = len(before) < _WRAPPED or _TERMINATOR.search(before[-12:]) or alone
        if open_range and (ended or not line.strip()):
            yield start, position - 1
            open_range = False
        if not open_range and line.strip():
            start, open_range = position, True
        before, position = line, end + 1
    if open_range:
        yield start, len(text)


def _numbers_in(text: str) -> Iterable[str]:
    """The numbers in digits, each once."""
    if not text.isascii():
        return _DIGITS.findall(text)
    # What has other characters between it is no number: most of a text goes away before it is looked at.
    pieces = set(text.encode().translate(_IN_NUMBERS).decode().split())
    plain = {piece for piece in pieces if piece.isdigit()}
    return plain.union(_DIGITS.findall(" ".join(pieces - plain)))


@cache
def _numbers() -> Mapping[str, str]:
    """The digits of each number word's stem, and the other way round."""
    digits = {stemmed(word): str(value) for word, value in (UNITS | TENS).items()}
    return digits | {value: word for word, value in digits.items()}


def share(stems: Collection[str], weights: Mapping[str, float]) -> float:
    """Share of the weight that these stems hold; 1 where there is nothing to hold."""
    total = sum(weights.values())
    return sum([weight for stem, weight in weights.items() if stem in stems]) / total if total else 1.0
