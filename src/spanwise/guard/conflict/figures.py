"""Comparators of figures and dates."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from spanwise.guard.conflict.lexicon import lexicon
from spanwise.guard.conflict.pair import Difference, Pair, Slots, found, outcome, says_when
from spanwise.guard.conflict.scope import one_subject, since
from spanwise.guard.conflict.sentence import SLOT, Sentence, Token
from spanwise.guard.conflict.values import ConflictKind
from spanwise.guard.contrasts import MONTHS
from spanwise.guard.statements import meaning

_FEWEST_BESIDE_LABEL = 6
_MANY = 3
"""Figures that all differ: two rows of one table, not two values of one thing."""
_MARKS = frozenset("note notes exhibit exhibits item items page pages table figure form part footnote".split())
_DETERMINERS = frozenset("the a an our its their this that such each".split())
_DIGITS = re.compile(r"\d+")
_PARAPHRASED = 0.75
"""Share of content words in common from which two sentences in other words speak of one thing."""
_FEWEST_PARAPHRASED = 3
_LIGHT = frozenset("apply carry bear amount equal set fix incur accrue stand come remain include".split())
"""Verbs that say little where a figure is given."""
_CONDITIONS = frozenset("if unless except only last next previous former other another".split())
_NUMBERS, _DATES = "the figures differ", "the dates differ"


def bound(pair: Pair) -> Difference | None:
    """The lower end of a range against the upper one, at the same figure: "within 30 days", "after 30 days"."""
    if pair.different or not one_subject(pair):
        return None
    for ours, theirs in pair.slots:
        if {ours.side, theirs.side} == {"low", "high"}:
            kind: ConflictKind = "date" if says_when((ours, theirs)) else "number"
            return found(kind, "one says from where on, the other up to where", [ours], [theirs])
    return None


def number(pair: Pair) -> Difference | None:
    """Another figure in the same place."""
    if pair.labels:
        return _label(pair)
    if not one_subject(pair) or pair.one.denials % 2 != pair.other.denials % 2:
        return None
    different = _apart(pair)
    amounts = [slots for slots in different if not says_when(slots)]
    if not amounts:
        return None
    named = any(designated(pair.one, slots[0]) for slots in amounts)
    if _of_others(pair, different, amounts) or (named and len(amounts) > 1):
        return None
    return replace(found("number", _NUMBERS, [amounts[0][0]], [amounts[0][1]]), names=named)


def _of_others(pair: Pair, different: Sequence[Slots], amounts: Sequence[Slots]) -> bool:
    """True for figures of two periods, of the first and the second of several things, and of two rows of a table."""
    periods = [slots for slots in different if says_when(slots)]
    if any(not (since(pair.one, ours) and since(pair.other, theirs)) for ours, theirs in periods):
        return True
    if len(amounts) > 1 and any(ours.quantity and ours.quantity.kind == "ordinal" for ours, _ in amounts):
        return True
    same = any(result == "same" and not says_when(slots) for slots, result in pair.outcomes)
    return len(amounts) >= _MANY and not same


def date(pair: Pair) -> Difference | None:
    """Another date in the same place, and no other figure."""
    different = _apart(pair)
    if pair.labels or not different or not all(map(says_when, different)) or pair.changes:
        return None
    changed = [slots for slots in different if _written(slots[0]) != _written(slots[1])]  # "December 31, 2022 and 2021"
    if len(changed) > 1 and not any(result == "same" for _, result in pair.outcomes):
        return None  # another event, with its own dates
    return replace(
        found("date", _DATES, [different[0][0]], [different[0][1]]),
        times=tuple(different),
        names=_names(pair.one, different[0][0]),
    )


def digits(pair: Pair) -> Difference | None:
    """Digits in the place of others that are no figure in both: a day that no calendar has, a code."""
    if pair.sole is None:
        return None
    [edit] = pair.changes
    if not edit.ours or not edit.theirs or not all(_dated(side) for side in (edit.ours, edit.theirs)):
        return None
    written = [
        _DIGITS.findall(said.text[side[0].start : side[-1].end])
        for said, side in ((pair.one, edit.ours), (pair.other, edit.theirs))
    ]
    if written[0] == written[1] or len(written[0]) != len(written[1]):
        return None
    return found("date", _DATES, edit.ours, edit.theirs)


def in_other_words(one: Sentence, other: Sentence) -> Difference | None:
    """One figure in each of two sentences that share nearly all content words, in any order."""
    if len(one.slots) != 1 or len(other.slots) != 1 or one.denials % 2 != other.denials % 2:
        return None
    light = {meaning(word) for word in _LIGHT}
    left, right = one.content - light, other.content - light
    shared = len(left & right)
    if shared < _FEWEST_PARAPHRASED or shared < _PARAPHRASED * len(left | right):
        return None
    slots = (one.slots[0], other.slots[0])
    if outcome(slots) != "different" or _restricted(one) != _restricted(other):
        return None
    if says_when(slots):
        return replace(found("date", _DATES, slots[:1], slots[1:]), times=(slots,))
    return found("number", _NUMBERS, slots[:1], slots[1:])


def _restricted(said: Sentence) -> frozenset[str]:
    return frozenset(token.plain for token in said.tokens if token.plain in _CONDITIONS)


def _apart(pair: Pair) -> list[tuple[Token, Token]]:
    """The figures that differ, without those that the other sentence has elsewhere: these were not side by side."""
    ours = [token for edit in pair.edits for token in edit.ours if token.key == SLOT]
    theirs = [token for edit in pair.edits for token in edit.theirs if token.key == SLOT]
    return [slots for slots in pair.different if not (_among(slots[1], ours) or _among(slots[0], theirs))]


def _among(token: Token, others: Sequence[Token]) -> bool:
    return any(outcome((token, other)) == "same" for other in others)


def _label(pair: Pair) -> Difference | None:
    """Another label, and nothing else: a section, a time of day."""
    if len(pair.labels) != 1 or pair.different or pair.changes or not _refers(pair.one, pair.labels[0][0]):
        return None
    return replace(found("number", _NUMBERS, pair.labels[0][:1], pair.labels[0][1:]), names=True)


def _refers(one: Sentence, label: Token) -> bool:
    """True if a label is a part of what is said, and not the mark of the sentence or of a note, a page, an exhibit."""
    place = one.tokens.index(label)
    before = one.tokens[place - 1].plain if place else ""
    return place > 0 and before not in _MARKS and len(one.tokens) >= _FEWEST_BESIDE_LABEL


def designated(one: Sentence, token: Token) -> bool:
    """True for a number that names one of several things: "version 2"."""
    place = one.tokens.index(token)
    before = one.tokens[place - 1].plain if place else ""
    figure = token.quantity
    return figure is not None and figure.kind in ("number", "ordinal") and lexicon().has("designators", before)


def _names(one: Sentence, token: Token) -> bool:
    """True if a year belongs to a name, as in "the 2024 notes"."""
    if token.quantity is None or len(token.quantity.iso) > len("2024"):
        return False
    place = one.tokens.index(token)
    before = one.tokens[place - 1].plain if place else ""
    return before in _DETERMINERS and any(after.content for after in one.tokens[place + 1 : place + 2])


def _written(token: Token) -> str:
    return token.quantity.original if token.quantity is not None else ""


def _dated(tokens: Sequence[Token]) -> bool:
    """True for digits and names of months only."""
    return all(token.digits or token.plain in MONTHS for token in tokens) and any(token.digits for token in tokens)
