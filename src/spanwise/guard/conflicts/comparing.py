"""Where two sentences contradict each other: what the comparators deny, of each as a claim about the other.

Two sentences are about one thing where nearly all their words are the same, in order. A difference is a conflict where
a comparator says so and nothing else that differs explains it: another subject, another period, a narrower case.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from spanwise.guard.claims.predication import finite_verbs
from spanwise.guard.conflicts.pair import Edit, Fault, Pair, Sentence, Slot
from spanwise.guard.conflicts.values import ConflictKind
from spanwise.guard.figures import compared, is_time
from spanwise.guard.lexicon import AUXILIARIES, ROLES, STRENGTHS, is_negation, meaning, words_of_class
from spanwise.guard.sentence import Word, quantifiers
from spanwise.text.framing.frames import frames
from spanwise.text.quantities import Quantity

_COPIED = 0.7
"""Share of its words that a sentence has in common, in order, with one that says the same but for a detail."""
_FEWEST_CONTENT = 2
"""Content words and figures, of two sentences whose words are not the same."""
_FEWEST_BESIDE_LABEL = 6
_MARKS = frozenset("note notes exhibit exhibits item items page pages table figure form part footnote".split())
_PARAPHRASED = 0.75
"""Share of content words in common from which two sentences in other words speak of one thing."""
_FEWEST_PARAPHRASED = 3
_LIGHT = frozenset("apply carry bear amount equal set fix incur accrue stand come remain include".split())
"""Verbs that say little where a figure is given."""
_CONDITIONS = frozenset("if unless except only last next previous former other another".split())
_FEWEST_BESIDE_NAME = 2
"""Content words that two sentences with other names have in common."""
_LONGEST_NAME = 6
_DUTIES = STRENGTHS.keys() | {"agree", "agrees"}
_ALL = 1 << 30
NUMBERS, DATES = "the figures differ", "the dates differ"


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Where two sentences contradict each other; the ranges are offsets in them, empty where one lacks a "not"."""

    kind: ConflictKind
    reason: str
    ours: tuple[int, int]
    theirs: tuple[int, int]
    times: tuple[Slot, ...] = ()
    """The dates that differ, where nothing else does."""
    names: bool = False
    """True if what differs names one of several things: the number of a section, the year of "the 2024 notes"."""

    @property
    def turned(self) -> Contradiction:
        """The same with the other sentence first."""
        times = tuple(Slot(slot.theirs, slot.ours, slot.outcome) for slot in self.times)
        return replace(self, ours=self.theirs, theirs=self.ours, times=times)


@lru_cache(maxsize=1024)  # one sentence stands in many documents: what is said of it is worked out once
def contradiction(one: Sentence, other: Sentence) -> Contradiction | None:
    """Where two sentences contradict each other, or None."""
    if one.text > other.text:  # so that their order changes nothing
        found = contradiction(other, one)
        return found.turned if found else None
    if one.text == other.text:
        return None
    if one.frame != other.frame and min(map(_told, (one, other))) < _FEWEST_CONTENT:
        return None
    pair = Pair(one, other)
    if pair.share < _COPIED:
        return _in_other_words(one, other)
    if pair.of_two_things:
        return None
    return _judged(pair) or (_in_other_words(one, other) if pair.alignment.share < _COPIED else None)


def _told(said: Sentence) -> int:
    """Content words and figures of a sentence."""
    return len(said.content) + len(said.quantities)


def _judged(pair: Pair) -> Contradiction | None:
    """The contradiction that the comparators find and the rest of both sentences leaves standing."""
    if not _both_assert(pair):
        return None
    denied = [fault for fault in pair.faults if fault.found.denies]
    if pair.labels:
        return _label(pair, denied)
    if pair.different:
        return _figures(pair, denied)
    return _exchanged(pair, denied) or _words(pair, denied)


def _both_assert(pair: Pair) -> bool:
    """True if neither doubts, reports, asks, supposes or withdraws what the other states, nor makes it conditional."""
    framed = any(fault.found.by == "frame_is_kept" and not fault.found.denies for fault in pair.faults)
    return not framed and (not pair.different or _framed_alike(pair.one, pair.other))  # a denial changes its own frame


def _framed_alike(one: Sentence, other: Sentence) -> bool:
    ours, theirs = ({frame.kind for frame in frames(said.text)} for said in (one, other))
    return (ours ^ theirs) <= {"denied"}


def _label(pair: Pair, denied: Sequence[Fault]) -> Contradiction | None:
    """Another number that is no figure, and nothing else: a section, a time of day, the 31st of June."""
    [label, *others] = pair.labels
    before = pair.one.before(label.ours[0].start)
    refers = bool(before) and before[0] not in _MARKS and len(pair.one.words) >= _FEWEST_BESIDE_LABEL
    if others or pair.different or pair.words or not refers:
        return None
    if any(fault.found.kind == "date_changed" and fault.touches(*_spans(label)) for fault in denied):
        return _found("date", DATES, label.ours, label.theirs)  # a day that no calendar has
    return replace(_found("number", NUMBERS, label.ours, label.theirs), names=True)


def _figures(pair: Pair, denied: Sequence[Fault]) -> Contradiction | None:
    """Another figure or date in the same place."""
    amounts = [slot for slot in pair.different if not slot.says_when]
    if not any(fault.touches(*ranges(slot)) for slot in pair.different for fault in denied):
        return None
    if amounts:
        named = any(designated(pair.one, slot.ours) for slot in amounts)
        alike = one_subject(pair, pair.words) and one_period(pair, pair.different)
        if not alike or (named and len(amounts) > 1):
            return None
        return Contradiction("number", NUMBERS, *ranges(amounts[0]), names=named)
    changed = [slot for slot in pair.different if slot.ours.original != slot.theirs.original]
    if pair.words or (len(changed) > 1 and not any(slot.outcome == "same" for slot in pair.slots)):
        return None  # another event, with its own dates
    first = pair.different[0]
    return Contradiction("date", DATES, *ranges(first), pair.different, in_a_name(pair.one, first.ours))


def _words(pair: Pair, denied: Sequence[Fault]) -> Contradiction | None:
    """A denial, an antonym, a modal, a quantifier, a bound or a name in one of the two, and nothing else."""
    for edit in pair.words:
        rest = [other for other in pair.words if other is not edit]
        told = [fault for fault in denied if fault.touches(*_spans(edit))]
        figures = any(word.number for word in (*edit.ours, *edit.theirs))
        if figures or not told or not one_subject(pair, rest):
            continue
        if bound := _bound(pair, edit, told):
            return bound
        if any(fault.found.kind in ("negated", "overstated", "number_changed") for fault in told):
            return _found("polarity", "one says what the other denies", edit.ours, edit.theirs)
        if not rest and (named := _name(pair, edit)):
            return named
    return None


def _bound(pair: Pair, edit: Edit, told: Sequence[Fault]) -> Contradiction | None:
    """Another name of a month or a day, or the lower end of a range against the upper one at the same figure."""
    if any(fault.found.kind == "date_changed" for fault in told):
        return _found("date", DATES, edit.ours, edit.theirs)
    for fault in told:
        figures = (pair.one, pair.other)[fault.side].quantities
        low, high = fault.found.at
        ends = [figure for figure in figures if figure.start < high and low < figure.end]
        if fault.found.kind == "number_changed" and ends:
            kind: ConflictKind = "date" if is_time(ends[0]) else "number"
            return _found(kind, "one says from where on, the other up to where", edit.ours, edit.theirs)
    return None


def _name(pair: Pair, edit: Edit) -> Contradiction | None:
    """Another name behind the verb; before it, it is another subject."""
    ours, theirs = edit.ours, edit.theirs
    if not ours or not theirs or max(len(ours), len(theirs)) > _LONGEST_NAME:
        return None
    beside = pair.one.content & pair.other.content
    proper = all(word.capital and len(word.plain) > 1 and word.plain not in ROLES for word in (*ours, *theirs))
    if len(beside) < _FEWEST_BESIDE_NAME or not proper or not _said_of(pair.one, ours[0]):
        return None
    return replace(_found("name", "the names differ", ours, theirs), names=True)


def _said_of(said: Sentence, word: Word) -> bool:
    """True if a verb stands before a word."""
    return any(
        one in AUXILIARIES or one in finite_verbs() or one.endswith("ed")
        for one in said.before(word.start, len(said.words))
    )


def _exchanged(pair: Pair, denied: Sequence[Fault]) -> Contradiction | None:
    """Two names that change places in what is told as a fact; duties may be mutual."""
    swapped = any(fault.found.kind == "swapped" for fault in denied)
    if not swapped or len(pair.words) < 2 or sorted(pair.one.frame) != sorted(pair.other.frame):
        return None
    ours = [word for edit in pair.words for word in edit.ours]
    theirs = [word for edit in pair.words for word in edit.theirs]
    between = (
        {word.plain for word in pair.one.words if ours[0].start <= word.start <= ours[-1].start} if ours else set()
    )
    symmetric = not between.isdisjoint(words_of_class("scope", "symmetric"))
    if symmetric or any(word.plain in _DUTIES for word in pair.one.words):
        return None
    return _found("name", "who does what to whom differs", ours, theirs)


def _in_other_words(one: Sentence, other: Sentence) -> Contradiction | None:
    """One figure in each of two sentences that share nearly all content words, in any order."""
    if len(one.quantities) != 1 or len(other.quantities) != 1:
        return None
    light = {meaning(word) for word in _LIGHT}
    left, right = one.content - light, other.content - light
    shared = len(left & right)
    if shared < _FEWEST_PARAPHRASED or shared < _PARAPHRASED * len(left | right):
        return None
    slot = Slot(one.quantities[0], other.quantities[0], compared(one.quantities[0], other.quantities[0]))
    conditions = [frozenset(word.plain for word in said.words if word.plain in _CONDITIONS) for said in (one, other)]
    denials = [sum(is_negation(word.plain) for word in said.words) % 2 for said in (one, other)]
    if slot.outcome != "different" or conditions[0] != conditions[1] or denials[0] != denials[1]:
        return None
    if not _framed_alike(one, other):
        return None
    if slot.says_when:
        return Contradiction("date", DATES, *ranges(slot), times=(slot,))
    return Contradiction("number", NUMBERS, *ranges(slot))


def ranges(slot: Slot) -> tuple[tuple[int, int], tuple[int, int]]:
    """Where two figures stand."""
    return (slot.ours.start, slot.ours.end), (slot.theirs.start, slot.theirs.end)


def _spans(edit: Edit) -> tuple[tuple[int, int], tuple[int, int]]:
    """Range of an edit in each sentence; where it is of nothing, all of the sentence."""
    ours, theirs = (
        (side[0].start, side[-1].end) if side else (0, _ALL) for side in (edit.change.ours, edit.change.theirs)
    )
    return ours, theirs


def _found(kind: ConflictKind, reason: str, ours: Sequence[Word], theirs: Sequence[Word]) -> Contradiction:
    """A contradiction between some words of each of two sentences."""
    at = [(side[0].start, side[-1].end) if side else (0, 0) for side in (ours, theirs)]
    return Contradiction(kind, reason, at[0], at[1])


_MOST_ADDED = 0.34
"""Content words that one of the two says beyond the other, as a share of its own."""
_COPIED_WITH_FIGURES = 0.85
"""Share of words in common where one of them has more figures, so that which stands for which is less sure."""
_SINCE = frozenset(["effective", "since", "amended", "revised", "restated", "updated", "dated"])
_NEAR = 4
_MANY = 3
"""Figures that all differ: two rows of one table, not two values of one thing."""
_DETERMINERS = frozenset("the a an our its their this that such each".split())


def one_subject(pair: Pair, edits: Sequence[Edit]) -> bool:
    """True if all that the two say beyond each other in these edits narrows neither of them."""
    added = 0
    for edit in edits:
        if edit.ours and edit.theirs:
            return False
        said, whole = (pair.one, pair.own[0]) if edit.ours else (pair.other, pair.own[1])
        if not _adds_nothing(said, edit, whole, pair.share):
            return False
        added += sum(
            word.content and not word.number and said.figure(word) is None for word in edit.ours or edit.theirs
        )
    return added <= max(1.0, _MOST_ADDED * min(len(pair.one.content), len(pair.other.content)))


def _adds_nothing(said: Sentence, edit: Edit, whole: Sequence[Word], share: float) -> bool:
    """True if words of one sentence alone neither name nor narrow what is spoken of, nor deny it."""
    telling = edit.ours or edit.theirs
    figures = [word for word in telling if word.number or said.figure(word)]
    own = [figure for word in figures if (figure := said.figure(word)) is not None]
    if any(since(said, figure) for figure in own):
        return True
    if figures and (share < _COPIED_WITH_FIGURES or len(own) < len(figures) or any(map(_sets_apart, own))):
        return False
    return (
        not any(
            word.capital
            or is_negation(word.plain)
            or word.plain in words_of_class("scope", "parting")
            or word.plain in quantifiers()
            or word.plain in words_of_class("scope", "designators")
            for word in telling
        )
        and not any(word.plain in words_of_class("scope", "restricting") for word in whole)
        and not (len(telling) > 1 and said.words[0] in (*edit.change.ours[:1], *edit.change.theirs[:1]))
    )


def _sets_apart(figure: Quantity) -> bool:
    """True for another period and a condition ("above $1,000")."""
    return is_time(figure) or figure.bound not in (None, "about")


def since(said: Sentence, figure: Quantity) -> bool:
    """True for a date since when something holds: it orders two sources and does not part what they speak of."""
    return is_time(figure) and not _SINCE.isdisjoint(said.before(figure.start, _NEAR))


def one_period(pair: Pair, slots: Sequence[Slot]) -> bool:
    """True unless figures belong to two periods, to the first and the second of several things, or to two rows."""
    amounts = [slot for slot in slots if not slot.says_when]
    periods = [slot for slot in slots if slot.says_when]
    if any(not (since(pair.one, slot.ours) and since(pair.other, slot.theirs)) for slot in periods):
        return False
    if len(amounts) > 1 and any(slot.ours.kind == "ordinal" or designated(pair.one, slot.ours) for slot in amounts):
        return False
    same = any(slot.outcome == "same" and not slot.says_when for slot in pair.slots)
    return len(amounts) < _MANY or same


def designated(said: Sentence, figure: Quantity) -> bool:
    """True for a number that names one of several things: "version 2"."""
    before = said.before(figure.start)
    return figure.kind in ("number", "ordinal") and any(
        word in words_of_class("scope", "designators") for word in before
    )


def in_a_name(said: Sentence, figure: Quantity) -> bool:
    """True if a year belongs to a name, as in "the 2024 notes"."""
    if len(figure.iso) > len("2024") or _DETERMINERS.isdisjoint(said.before(figure.start)):
        return False
    return any(word.content for word in [word for word in said.words if word.start >= figure.end][:1])
