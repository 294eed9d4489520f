"""What a source that amends another one puts in the place of its values and wordings.

An amending sentence tells a change in three ways: it sets a value anew by its name ("the rent shall be 950 euros"),
tells the old value beside the new one ("rises from 14 to 21 per cent"), or gives a new wording in quotation marks
("clause 2 is replaced by the following"). Each is looked up in the sentences of the amended source.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import NamedTuple

from spanwise.guard.conflicts.comparing import DATES, NUMBERS, Contradiction, contradiction, ranges
from spanwise.guard.conflicts.pair import INTRODUCED, Pair, Sentence, Slot
from spanwise.guard.figures import compared
from spanwise.guard.sentence import Word
from spanwise.text.patterns import lazy_pattern
from spanwise.text.quantities import Quantity

_FROM = lazy_pattern(
    r"\b(?:ris(?:es?|en|ing)|rose|(?:rais|increas|reduc|chang|mov|postpon)(?:e[sd]?|ing)|lower\w{0,3}|cut|extend\w{0,3}"
    r"|shorten\w{0,3}|go(?:es)?|went|falls?|fell|drop\w{0,4}|amend\w{0,3}|adjust\w{0,3}|correct\w{0,3})\b"
    r"[^.;,]{0,60}\bfrom\s+(?:the\s+)?[\"\u201c]?$",
    re.IGNORECASE,
)
"""Words right before a value that another one follows in its place."""
_TO = lazy_pattern(r"\s*['\u2019]?[\"\u201d]?\s*(?:up |down )?to\s+(?:the\s+)?[\"\u201c]?$", re.IGNORECASE)
_BY = lazy_pattern(
    r"(?:\b(?:replaced|substituted|superseded|changed|corrected)\s+(?:by|with|to)\s+[\"\u201c]?"
    r"|['\u2019]?[\"\u201d]\s+by\s+[\"\u201c])$",
    re.IGNORECASE,
)
"""Words between an old value and the new one."""
_PLACED = lazy_pattern(
    r"\b(?:instead\s+of|rather\s+than|in\s+place\s+of|previously|formerly|(?:and|,)\s+not)\s+[\"\u201c]?$",
    re.IGNORECASE,
)
"""Words between a new value and the old one."""
_BEFORE = 200
"""Characters before a value in which such words are looked for."""
_CLAUSE = lazy_pattern(r"\b(?:clause|section|article|paragraph|item)\s+(\d{1,3}(?:\.\d{1,3}){0,4})", re.IGNORECASE)
_DIGITS = lazy_pattern(r"(?:[:.]\d{2})+")
_NAMED = 0.5
"""Share of the words of a change that a sentence has which it is about, where the change names no clause."""
_REWORDED = 0.7
"""Share of the words of a sentence that the wording which takes its place has, in order."""


class Change(NamedTuple):
    """A value that an amending sentence puts in the place of an older one."""

    old: Quantity
    new: Quantity


def set_anew(one: Sentence, other: Sentence, titles: frozenset[str]) -> Contradiction | None:
    """Another value of what both sentences set by its name, whatever else they say: the rent of an amended lease.

    Args:
        one: A sentence.
        other: A sentence of a source that amends the first one's, or is amended by it.
        titles: Content words of the titles of both, which a name may have besides ("the rent for shop 4").
    """
    if one.text == other.text or one.frame == other.frame:
        return None
    set_by, set_to = one.setting, other.setting
    if set_by is None or set_to is None or set_by.name - titles != set_to.name - titles or not set_by.name - titles:
        return None
    slot = Slot(set_by.value, set_to.value, compared(set_by.value, set_to.value))
    periods = {setting.per for setting in (set_by, set_to)} - {""}
    if slot.outcome != "different" or slot.bounds or slot.says_when or len(periods) > 1:
        return None
    return Contradiction("number", NUMBERS, *ranges(slot))


def clause_named(said: Sentence) -> str:
    """The number of the clause that a sentence names; empty where it names none, or several."""
    found = set(_CLAUSE.findall(said.text))
    return found.pop() if len(found) == 1 else ""


def changes(said: Sentence) -> Iterator[Change]:
    """The old and the new values that a sentence tells."""
    figures = said.quantities
    for at, figure in enumerate(figures):
        before = said.text[max(0, figure.start - _BEFORE) : figure.start]
        rising = _FROM.search(before)
        if rising and figure.low is not None and figure.high is not None:  # "from 12 to 14 euros"
            yield Change(_end(figure, figure.low), _end(figure, figure.high))
            continue
        behind = figures[at + 1] if at + 1 < len(figures) else None
        between = said.text[figure.end : behind.start][-_BEFORE:] if behind else ""
        if behind and ((rising and _TO.match(between)) or _BY.search(between)):
            found = Change(figure, behind)
        elif at and _PLACED.search(said.text[figures[at - 1].end : figure.start]):
            found = Change(figure, figures[at - 1])
        else:
            continue
        if compared(*found) == "different":
            yield found


def _end(figure: Quantity, value: Decimal) -> Quantity:
    return replace(figure, value=value, low=None, high=None)


def changed(
    one: Sentence, change: Change, other: Sentence, titles: frozenset[str], *, clause: bool
) -> Contradiction | None:
    """Where a sentence still gives the old value of a change.

    Args:
        one: The amending sentence.
        change: What it changes.
        other: A sentence of the amended source.
        titles: Content words of the titles of both.
        clause: True if the amending sentence names the clause of the other one.
    """
    about = one.content - titles
    if not clause and (not about or len(about & other.content) < _NAMED * len(about)):
        return None
    for figure in other.quantities:
        if compared(change.old, replace(figure, bound=None)) == "same":
            at = (change.new.start, change.new.end), (figure.start, figure.end)
            dates = bool(change.old.iso and figure.iso)
            return Contradiction("date" if dates else "number", DATES if dates else NUMBERS, *at)
    return None


def new_wording(said: Sentence) -> tuple[int, Sentence] | None:
    """The wording that a sentence gives in quotation marks behind a colon, and where it begins."""
    introduced = INTRODUCED.search(said.text)
    return (introduced.end(), Sentence(said.text[introduced.end() :])) if introduced else None


def reworded(start: int, wording: Sentence, other: Sentence, *, clause: bool) -> Contradiction | None:
    """Where a new wording that begins at `start` has another value than a sentence of the amended source."""
    found = contradiction(wording, other)
    if found is None and clause:
        pair = Pair(wording, other)
        kept = pair.share * (len(wording.digits) + len(other.digits)) / 2  # the new wording may say more
        if kept >= _REWORDED * len(other.digits) and pair.labels:
            first = pair.labels[0]
            found = Contradiction("number", NUMBERS, _whole(wording, first.ours), _whole(other, first.theirs))
    return replace(found, ours=(found.ours[0] + start, found.ours[1] + start)) if found else None


def _whole(said: Sentence, words: Sequence[Word]) -> tuple[int, int]:
    """The range of a number with the digits that are written in one piece with it: all of "22:00"."""
    behind = _DIGITS.match(said.text, words[-1].end)
    return words[0].start, behind.end() if behind else words[-1].end
