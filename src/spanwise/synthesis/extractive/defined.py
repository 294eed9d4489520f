"""Definitions: for a question what something is, the sentence that says so goes before those that only speak of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spanwise.domain.question import Question
from spanwise.synthesis.extractive.calibration import Weigh, calibrated
from spanwise.synthesis.extractive.candidates import Candidate
from spanwise.synthesis.extractive.lists import Element
from spanwise.text.defining import asked_subject, defines, glossed, named_alone
from spanwise.text.reading import Reading, Sentence
from spanwise.text.terms import terms

_BEFORE = 1.0
_ONE_OF_THEM = 0.4


def definition_candidates(
    question: Question, readings: Sequence[Reading], weigh: Weigh = calibrated
) -> list[Candidate]:
    """One candidate a sentence that says what the question's subject is; the better its passage, the better it is."""
    subject = asked_subject(question.text)
    if subject is None:
        return []
    wanted = set(terms(subject))
    found = []
    for rank, reading in enumerate(readings):
        row = _glossary_row(subject, reading)
        if row is not None:
            measure = 1.0 / (1 + rank)
            found.append(Candidate(reading.passage, (row,), weigh("definition", measure), _BEFORE + measure, 0.0))
        for one in _defining(subject, wanted, reading):
            if row is not None and one.line_start == row.line_start:
                continue  # the first line of the row, without the rest of its sentence
            # "The infrastructure is a ..." speaks of one of them; "An infrastructure is a ..." of what they are.
            one_of_them = f"the {subject.lower()}" in one.text.lower()
            measure = (_ONE_OF_THEM if one_of_them else 1.0) / (1 + rank)
            element = Element(one.text, one.line_start, one.line_end)
            relevance = weigh("definition", measure)
            found.append(Candidate(reading.passage, (element,), relevance, _BEFORE + measure, 0.0, one))
    return found


def _defining(subject: str, wanted: set[str], reading: Reading) -> Iterator[Sentence]:
    """The sentences of a passage that say what the subject is, and those that follow its name in a paragraph."""
    if not wanted <= reading.text:
        return
    before: Sentence | None = None
    for one in reading.sentences:
        said = wanted <= set(one.stems) and defines(subject, one.text)
        follows = before is not None and before.block == one.block and named_alone(subject, before.text)
        if one.role != "heading" and (said or follows):
            yield one
        before = one


def _glossary_row(subject: str, reading: Reading) -> Element | None:
    """What a row of a glossary says the subject is, with the rest of its sentence on the lines below."""
    rows = reading.passage.text.split("\n")
    for at, one in enumerate(reading.sentences):
        if one.role != "table_row" or one.line_end != one.line_start:
            continue
        said = glossed(subject, rows[one.line_start - reading.passage.line_start])
        if not said:
            continue
        below = reading.sentences[at + 1] if at + 1 < len(reading.sentences) else None
        goes_on = below is not None and below.role == "text" and below.line_start == one.line_end + 1
        if below is None or not goes_on or said.endswith((".", ";", ":")):
            return Element(said, one.line_start, one.line_end)
        return Element(f"{said} {below.text}", one.line_start, below.line_end)
    return None
