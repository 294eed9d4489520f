"""Words that explain a difference: another subject, another period or version, a narrower case."""

from __future__ import annotations

from collections.abc import Sequence

from spanwise.guard.conflicts.pair import Edit, Pair, Slot
from spanwise.guard.conflicts.sentence import Sentence
from spanwise.guard.sentence.figures import is_time
from spanwise.guard.sentence.lexicon import words_of_class
from spanwise.guard.sentence.operators import is_content, quantifiers
from spanwise.guard.sentence.small_words import is_negation
from spanwise.guard.sentence.words import Word
from spanwise.text.quantities import Quantity

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
            is_content(word) and not word.number and said.figure(word) is None for word in edit.ours or edit.theirs
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
    return any(is_content(word) for word in [word for word in said.words if word.start >= figure.end][:1])
