"""Definitions: for a question what something is, the sentence that says so goes before those that only speak of it."""

from __future__ import annotations

from collections.abc import Sequence

from spanwise.domain.question import Question
from spanwise.synthesis.extractive.calibration import Weigh, calibrated
from spanwise.synthesis.extractive.candidates import Candidate
from spanwise.synthesis.extractive.lists import Element
from spanwise.text.defining import asked_subject, defines
from spanwise.text.reading import Reading
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
        if not wanted <= reading.text:
            continue
        for one in reading.sentences:
            if one.role != "heading" and wanted <= set(one.stems) and defines(subject, one.text):
                # "The infrastructure is a ..." speaks of one of them; "An infrastructure is a ..." of what they are.
                one_of_them = f"the {subject.lower()}" in one.text.lower()
                measure = (_ONE_OF_THEM if one_of_them else 1.0) / (1 + rank)
                element = Element(one.text, one.line_start, one.line_end)
                relevance = weigh("definition", measure)
                found.append(Candidate(reading.passage, (element,), relevance, _BEFORE + measure, 0.0, one))
    return found
