"""Two sentences of sources side by side: the figures in one place of both, and the words that differ."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from spanwise.contract.adapters import given_passages
from spanwise.guard.alignment import Alignment, Change, align, same_word
from spanwise.guard.alignment import Pair as Matched
from spanwise.guard.comparators.comparator_list import differences
from spanwise.guard.evidence import Context, Difference, Evidence, ReadClaim
from spanwise.guard.figures import Outcome, compared, is_time
from spanwise.guard.lexicon import AUXILIARIES, is_negation, meaning, words_of_class
from spanwise.guard.sentence import Once, Word, quantifiers, words_of
from spanwise.guard.units import Source, Sources, Unit, share
from spanwise.text.fold import folded
from spanwise.text.quantities import Quantity
from spanwise.text.terms import stem, terms

_DIGIT = re.compile(r"\d")


_SETTING = frozenset("is are be amounts amount equals comes means".split())
"""Verbs that give a name its value."""
_CHANGED = re.compile(r"(?:\s\w+ed|\sset)\b[^.;]{0,60}?\bto\s")
"""Behind such a verb, words that lead from an old value to the new one."""
INTRODUCED = re.compile(r":\s*[\"\u201c]")
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
        words = (word for word in self.words if word.content and not _DIGIT.search(word.plain))
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
        introduced = INTRODUCED.search(self.text)
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
        plain = [word.plain for word in named if word.content and not word.number and word.plain not in parts]
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


_NEAR = 40
"""Characters beyond the words of a change that a comparator may speak of with them."""


@dataclass(frozen=True, slots=True)
class Slot:
    """Two figures or dates in the same place."""

    ours: Quantity
    theirs: Quantity
    outcome: Outcome

    @property
    def bounds(self) -> bool:
        """True if they differ in nothing but the end of a range that they are."""
        free = [replace(figure, bound=None) for figure in (self.ours, self.theirs)]
        return compared(*free) == "same"

    @property
    def says_when(self) -> bool:
        """True if one of them is a date or a period."""
        return is_time(self.ours) or is_time(self.theirs)


@dataclass(frozen=True, slots=True)
class Edit:
    """Words of one sentence in the place of those of the other, without those that make no difference."""

    change: Change
    ours: tuple[Word, ...]
    theirs: tuple[Word, ...]

    @property
    def labels(self) -> bool:
        """True for a number that is no figure, in the place of another: a section, a time of day."""
        return bool(self.ours and self.theirs) and all(word.number for word in (*self.ours, *self.theirs))


@dataclass(frozen=True, slots=True)
class Fault:
    """What a comparator finds in one of two sentences as a claim about the other."""

    found: Difference
    side: int
    """0 for the first sentence, 1 for the other."""

    def touches(self, *at: tuple[int, int]) -> bool:
        """True if it is about the range of its sentence among these two."""
        low, high = at[self.side]
        return self.found.at[0] < high and low < self.found.at[1]


class Pair:
    """Two sentences put side by side by the aligner."""

    def __init__(self, one: Sentence, other: Sentence) -> None:
        """Align two sentences."""
        self.one, self.other = one, other
        self.alignment: Alignment = align(one.text, other.text)

    @Once
    def faults(self) -> tuple[Fault, ...]:
        """What the comparators find in each of the two as a claim about the other."""
        ours, theirs = self.one.differences(self.other), self.other.differences(self.one)
        return (*(Fault(found, 0) for found in ours), *(Fault(found, 1) for found in theirs))

    @property
    def share(self) -> float:
        """Of the words of both, how many they have in common; figures in the same place count as one."""
        plain = (self.one.figure(word) is None for word in self.alignment.ours)
        same = sum(place >= 0 and own for place, own in zip(self.matched.match, plain, strict=True))
        return 2 * (same + len(self.slots)) / max(1, len(self.one.digits) + len(self.other.digits))

    @Once
    def matched(self) -> Matched:
        """The first sentence as a claim about the other."""
        return Matched(self.alignment, self.other.unit, self.one.text)

    @Once
    def slots(self) -> tuple[Slot, ...]:
        """The figures in the same place."""
        places = list(_places(self.alignment))
        found = []
        for figure in self.one.quantities:
            beside = [
                other
                for word, others in zip(self.alignment.ours, places, strict=True)
                if self.one.figure(word) is figure
                for place in others
                if (other := self.other.figure(self.alignment.theirs[place])) is not None
            ]
            if beside:
                found.append(min((Slot(figure, other, compared(figure, other)) for other in beside), key=_unlike))
        return tuple(found)

    @Once
    def different(self) -> tuple[Slot, ...]:
        """Figures in the same place that are not the same, nor those of another place of the other sentence."""
        ours = [figure for word in self.own[0] if (figure := self.one.figure(word)) is not None]
        theirs = [figure for word in self.own[1] if (figure := self.other.figure(word)) is not None]
        return tuple(
            slot
            for slot in self.slots
            if slot.outcome == "different"
            and not slot.bounds
            and not any(compared(slot.ours, other) == "same" for other in theirs)
            and not any(compared(one, slot.theirs) == "same" for one in ours)
        )

    @property
    def of_two_things(self) -> bool:
        """True if words in the place of others tell two things apart, whatever the comparators say."""
        if sorted(self.one.frame) == sorted(self.other.frame):
            return False
        both = sum(bool(edit.ours and edit.theirs) for edit in self._edits(()))
        return both > 1 or (both == 1 and bool(self.different))

    @Once
    def edits(self) -> tuple[Edit, ...]:
        """The changes that may make a difference, or that a comparator denies; figures in the same place aside."""
        return self._edits([fault for fault in self.faults if fault.found.denies])

    def _edits(self, denied: Sequence[Fault]) -> tuple[Edit, ...]:
        ours, theirs = [slot.ours for slot in self.slots], [slot.theirs for slot in self.slots]
        found = []
        for change in self.alignment.gaps:
            if change.ours and change.theirs and _joined(change.ours) == _joined(change.theirs):
                continue  # "Pre-Retirement", broken over two lines
            sides = {fault.side for fault in denied if _about(fault, change)}
            left = [word for word in change.ours if self.one.figure(word) not in ours and (0 in sides or _tells(word))]
            right = [w for w in change.theirs if self.other.figure(w) not in theirs and (1 in sides or _tells(w))]
            for word in list(left):
                same = next((other for other in right if same_word(word, other)), None)
                if same is not None:
                    left.remove(word)
                    right.remove(same)
            if left or right:
                found.append(Edit(change, tuple(left), tuple(right)))
        return tuple(found)

    @Once
    def own(self) -> tuple[tuple[Word, ...], tuple[Word, ...]]:
        """The words of each sentence that the other has not in its place."""
        gaps = self.alignment.gaps
        return tuple(word for gap in gaps for word in gap.ours), tuple(word for gap in gaps for word in gap.theirs)

    @Once
    def labels(self) -> tuple[Edit, ...]:
        """Numbers that are no figures, in the place of others."""
        return tuple(edit for edit in self.edits if edit.labels)

    @Once
    def words(self) -> tuple[Edit, ...]:
        """All other edits."""
        return tuple(edit for edit in self.edits if not edit.labels)


def _places(alignment: Alignment) -> Iterator[Sequence[int]]:
    """For each word of one sentence the places of those of the other that it stands beside."""
    place = at = 0
    for change in (*alignment.gaps, None):
        before = len(alignment.ours) if change is None else change.before
        while at < before:
            yield (place,)
            at, place = at + 1, place + 1
        if change is not None:
            for _ in change.ours:
                yield range(place, place + len(change.theirs))
            at, place = at + len(change.ours), place + len(change.theirs)


def _about(fault: Fault, change: Change) -> bool:
    """True if a comparator speaks of the words of a change and of few others."""
    words = (change.ours, change.theirs)[fault.side]
    at = (words[0].start, words[-1].end) if words else (0, 0)
    low, high = fault.found.at
    return low < at[1] and at[0] < high and high - low < at[1] - at[0] + _NEAR


def _unlike(slot: Slot) -> int:
    return 0 if slot.outcome == "same" else 1 if slot.ours.kind == slot.theirs.kind else 2


def _tells(word: Word) -> bool:
    """True if a word may make a difference: content, a denial, a figure, or what parts two things."""
    if word.number or word.content or is_negation(word.plain):
        return word.plain not in words_of_class("scope", "neutral")
    return word.plain in words_of_class("scope", "parting") or word.plain in quantifiers()


def _joined(words: Sequence[Word]) -> str:
    return "".join(word.plain for word in words)
