"""Definitions: for a question what something is, the sentence that says so goes before those that only speak of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile

from spanwise.domain.question import Question
from spanwise.store.port import Store
from spanwise.synthesis.extractive.calibration import Weigh, calibrated
from spanwise.synthesis.extractive.candidates import Candidate
from spanwise.synthesis.extractive.lists import Element
from spanwise.text.defining import asked_subject, asked_term, defines, glossed, named_alone, states
from spanwise.text.reading import Reading, Sentence
from spanwise.text.sentences import on_one_line, sentences
from spanwise.text.terms import terms

_BEFORE = 1.0
_ONE_OF_THEM = 0.4
_RANK = 0.01
_LONGEST_DEFINITION = 50
"""Content words of a sentence that defines something: what is longer is code or a table read as one."""
_MOST_COLONS = 2
_MOST_LINES = 12
"""Lines below the row of a glossary on which its first sentence may go on."""


def definition_candidates(
    question: Question, readings: Sequence[Reading], store: Store, weigh: Weigh = calibrated
) -> list[Candidate]:
    """One candidate a sentence that says what the question's subject is; the better its passage, the better it is.

    Of a thing that the question takes as known ("Who is the landlord?") only what lays the term down is one.
    """
    general = asked_subject(question.text)
    subject = general or asked_term(question.text)
    if subject is None:
        return []
    found = []
    for rank, reading in enumerate(readings):
        row = _glossary_row(subject, reading, store)
        if row is not None:
            # Whose name stands before it is what it defines, wherever it was found.
            measure = 1.0 - _RANK * rank
            found.append(
                Candidate(
                    reading.passage, (row,), weigh("definition", measure), _BEFORE + measure, 0.0, kind="definition"
                )
            )
        for one, laid_down in _defining(subject, reading):
            if row is not None and one.line_start == row.line_start:
                continue  # the first line of the row, without the rest of its sentence
            if not (laid_down or general):
                continue
            # "The infrastructure is a ..." speaks of one of them; "An infrastructure is a ..." of what they are.
            one_of_them = f"the {subject.lower()}" in one.text.lower()
            measure = 1.0 - _RANK * rank if laid_down else (_ONE_OF_THEM if one_of_them else 1.0) / (1 + rank)
            element = Element(one.text, one.line_start, one.line_end)
            relevance = weigh("definition", measure)
            found.append(
                Candidate(reading.passage, (element,), relevance, _BEFORE + measure, 0.0, one, kind="definition")
            )
    return found


def _defining(subject: str, reading: Reading) -> Iterator[tuple[Sentence, bool]]:
    """The sentences of a passage that say what the subject is, each with whether it lays the term down.

    What follows the subject's name in its paragraph or under its heading does.
    """
    wanted = set(terms(subject))
    if not wanted <= reading.text | reading.title:
        return
    before: Sentence | None = None
    for one in reading.sentences:
        named = before is not None and (before.role == "heading" or before.block == one.block)
        said = wanted <= set(one.stems)
        # Under the heading "Deposit" a sentence that names the deposit again speaks of it.
        follows = before is not None and named and not said and named_alone(subject, before.text)
        long = len(one.stems) > _LONGEST_DEFINITION or one.text.count(": ") > _MOST_COLONS
        if one.role not in ("heading", "table_row") and not long:
            laid_down = follows or (said and states(subject, one.text))
            if laid_down or (said and defines(subject, one.text)):
                yield one, laid_down
        before = one


def _glossary_row(subject: str, reading: Reading, store: Store) -> Element | None:
    """What a row of a glossary says the subject is, with the rest of its sentence on the lines below."""
    passage = reading.passage
    rows = passage.text.split("\n")
    for one in reading.sentences:
        if one.role != "table_row" or one.line_end != one.line_start:
            continue
        said = glossed(subject, rows[one.line_start - passage.line_start])
        if said:
            return _whole(Element(said, one.line_start, one.line_end), passage.document, store)
    return None


def _whole(row: Element, document: str, store: Store) -> Element:
    """A row with the lines below it, which may be of another passage, to the end of its first sentence."""
    below = store.lines(document, row.line_end + 1, row.line_end + _MOST_LINES)
    texts = [row.text, *(line.text for line in takewhile(lambda line: line.role == "text", below))]
    text = "\n".join(texts)
    start, end = next(iter(sentences(text)), (0, len(row.text)))
    return Element(on_one_line(text[start:end]), row.line_start, row.line_start + text.count("\n", 0, end))
