"""Yes or no: the sentence that states or denies what is asked, and the lines that say what it speaks of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from spanwise.domain.passage import Passage
from spanwise.text.expectations.polarity import polarity, scope_words
from spanwise.text.passage_reading import Reading

REACH = 8
"""Sentences before the one that answers in which its scope may be named ("Under IaaS ...")."""


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence that says yes or no, with the lines from where its scope is named to its own end."""

    passage: Passage
    yes: bool
    sentence: str
    line_start: int
    line_end: int


def find_polarity(question: str, readings: Sequence[Reading]) -> tuple[Said, ...]:
    """The sentence closest to the mention of the question's scope that says yes or no; nothing when none does.

    Where another one that is as close says the opposite, both: the first yes and the first no.
    """
    scope = frozenset(scope_words(question))
    found: list[tuple[int, int, Said]] = []
    for rank, reading in enumerate(readings):
        for at, sentence in enumerate(reading.sentences):
            said = polarity(question, sentence.text) if sentence.role != "heading" else None
            back = _back_to(scope, reading, at) if said is not None else None
            if said is None or back is None:
                continue
            start = reading.sentences[at - back].line_start
            found.append((back, rank, Said(reading.passage, said, sentence.text, start, sentence.line_end)))
    if not found:
        return ()
    found.sort(key=lambda one: one[:2])
    sides: dict[bool, Said] = {}
    for back, _, one in found:
        if back == found[0][0]:
            sides.setdefault(one.yes, one)
    return tuple(sides.values())


def _back_to(scope: frozenset[str], reading: Reading, at: int) -> int | None:
    """How many sentences before this one all of the scope has been named; None when it was not."""
    named: set[str] = set()
    for back in range(min(REACH, at) + 1):
        named.update(reading.sentences[at - back].stems)
        if scope <= named:
            return back
    return None
