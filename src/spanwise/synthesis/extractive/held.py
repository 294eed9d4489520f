"""Which sentences may answer at all: how many by a number that counts it, how much by a figure, when by a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from spanwise.domain.question import Question
from spanwise.text.counting import Counted, asked_count, asks_how_much, counts, has_amount, has_count, says_count
from spanwise.text.reading import Reading
from spanwise.text.timing import asks_when, says_when

STRICT = ("filings",)
"""Profiles of documents full of other figures: a number that counts something else says nothing there."""


def held(question: Question, readings: Sequence[Reading]) -> frozenset[tuple[int, int]] | None:
    """The places of the sentences that may answer, as passage and sentence in it; None where any may."""
    sentences = {(rank, at): one for rank, reading in enumerate(readings) for at, one in enumerate(reading.sentences)}
    counted = asked_count(question.text)
    if counted is None:
        says = _says(question.text)
        return None if says is None else frozenset(place for place, one in sentences.items() if says(one.text))
    speaking = {place: one.text for place, one in sentences.items() if not counted.stems.isdisjoint(one.stems)}
    exact = frozenset(place for place, text in speaking.items() if says_count(counted, text))
    if question.profile in STRICT:
        told = counted.whole and frozenset(place for place in exact if says_count(counted, speaking[place], whole=True))
        full = frozenset(place for place in exact if set(question.stems) <= set(sentences[place].stems))
        return told or full or exact
    # "12 were killed" counts people: where nothing is named that way, any count may be it.
    return exact or frozenset(place for place, one in sentences.items() if has_count(one.text))


def _says(question: str) -> Callable[[str], bool] | None:
    """What a sentence has to say to answer, where a time or an amount is asked for."""
    if asks_when(question):
        return says_when
    return has_amount if asks_how_much(question) else None


def holds_count(question: str, sentence: str, start: int, end: int) -> bool:
    """Whether a piece of a sentence holds the figure that counts what is asked for, where the sentence has one."""
    counted = asked_count(question)
    places = _counts(counted, sentence) if counted is not None else []
    return not places or any(first < end and start < last for first, last in places)


def _counts(counted: Counted, sentence: str) -> list[tuple[int, int]]:
    return [] if counted.anything else counts(counted, sentence)
