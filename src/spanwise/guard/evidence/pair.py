"""A claim's words matched with those of a sentence: in order first, then forms and synonyms wherever they stand."""

from __future__ import annotations

from dataclasses import dataclass

from spanwise.guard.evidence.alignment import Alignment, Change
from spanwise.guard.evidence.units import Unit
from spanwise.guard.sentence.figures import compared
from spanwise.guard.sentence.once import Once
from spanwise.guard.sentence.operators import Operator, is_content, operators
from spanwise.guard.sentence.synonyms import interchangeable
from spanwise.guard.sentence.words import Word
from spanwise.text.quantities import Quantity, quantities


@dataclass(eq=False)
class Pair:
    """A claim beside one sentence of a source."""

    alignment: Alignment
    unit: Unit
    text: str
    """Of the claim, in which the places of its words are."""
    one_unit: bool = True
    """True if the sentence is one unit of the source."""

    @property
    def sure(self) -> bool:
        """True if all of the claim was made from one sentence."""
        return self.one_unit and self.alignment.copied

    @property
    def ours(self) -> tuple[Word, ...]:
        """Words of the claim."""
        return self.alignment.ours

    @property
    def theirs(self) -> tuple[Word, ...]:
        """Words of the sentence."""
        return self.alignment.theirs

    @Once
    def match(self) -> tuple[int, ...]:
        """For each word of the claim the index of the sentence's word that it is matched with; -1 for none."""
        found, free = self._in_order()
        for index, word in enumerate(self.ours):
            if found[index] >= 0 or not is_content(word):
                continue
            others = [place for place in sorted(free) if same_word(word, self.theirs[place])]
            if others:
                expected = self._expected(found, index)
                found[index] = min(others, key=lambda place: abs(place - expected))
                free.discard(found[index])
        return tuple(found)

    def _in_order(self) -> tuple[list[int], set[int]]:
        """What both have in the same order, and the content words of the sentence that are left."""
        found = [-1] * len(self.ours)
        at_ours = at_theirs = 0
        for change in (*self.alignment.gaps, None):
            before = len(self.ours) if change is None else change.before
            while at_ours < before:
                found[at_ours] = at_theirs
                at_ours, at_theirs = at_ours + 1, at_theirs + 1
            if change is not None:
                at_ours, at_theirs = at_ours + len(change.ours), at_theirs + len(change.theirs)
        used = set(found)
        return found, {place for place, word in enumerate(self.theirs) if place not in used and is_content(word)}

    def _expected(self, found: list[int], index: int) -> int:
        """Where a word would stand, were the sentence worded like the claim."""
        for step in range(1, len(found)):
            if index - step >= 0 and found[index - step] >= 0:
                return found[index - step] + step
            if index + step < len(found) and found[index + step] >= 0:
                return found[index + step] - step
        return index

    @Once
    def _agreed(self) -> tuple[tuple[Quantity, tuple[Quantity, ...]], ...]:
        """The claim's figures and dates that the sentence has, however it writes them, with those of the sentence."""
        own = quantities(self.text)
        stated = self.unit.quantities if own else ()
        found = ((one, tuple(other for other in stated if compared(one, other) == "same")) for one in own)
        return tuple(pair for pair in found if pair[1])

    def explained(self, index: int) -> bool:
        """True if the sentence has a word of the claim: itself, a form or synonym of it, or its figure."""
        place = self.ours[index].start
        return self.match[index] >= 0 or any(one.start <= place < one.end for one, _ in self._agreed)

    def in_one_figure(self, one: int, other: int) -> bool:
        """True if two words of the claim belong to one figure or date that the sentence has, in whatever order."""
        starts = [self.ours[index].start for index in (one, other)]
        return any(all(figure.start <= start < figure.end for start in starts) for figure, _ in self._agreed)

    def same_figures(self, change: Change) -> bool:
        """True if all that differs is how the figures in this place are written."""
        if not change.ours or not change.theirs:
            return False
        low, high = change.theirs[0].start, change.theirs[-1].end
        here = [one for one, others in self._agreed if any(low < other.end and other.start < high for other in others)]
        return all(any(one.start <= word.start < one.end for one in here) for word in change.ours)

    @Once
    def operators(self) -> tuple[Operator, ...]:
        """Operators of the claim."""
        return operators(self.ours)

    @Once
    def their_operators(self) -> tuple[Operator, ...]:
        """Operators of the sentence."""
        return operators(self.theirs)

    def operators_in(self, change: Change) -> tuple[frozenset[str], frozenset[str]]:
        """The classes of operators of the claim and of the sentence that have a word in the place of a change."""
        sides = ((self.operators, self.ours, change.ours), (self.their_operators, self.theirs, change.theirs))
        own, other = (
            frozenset(
                one.name
                for one in found
                if here and words[one.first].start < here[-1].end and here[0].start < words[one.last - 1].end
            )
            for found, words, here in sides
        )
        return own, other


def same_word(one: Word, other: Word) -> bool:
    """True if two words are forms of one word, or may stand for each other."""
    if one.number or other.number:
        return one.plain == other.plain
    return one.plain == other.plain or interchangeable(one.plain, other.plain)
