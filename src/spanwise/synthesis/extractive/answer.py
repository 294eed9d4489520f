"""The extractive mode: from the hits to a draft that holds the best sentence, a yes or no, or the best list."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

from spanwise.contract.answers import AnswerBase, BooleanAnswer, TextAnswer
from spanwise.contract.items import BooleanItem, TextItem
from spanwise.contract.result import Draft, Source
from spanwise.contract.values import Span
from spanwise.domain.passage import Hit
from spanwise.domain.question import Question
from spanwise.store.port import Store
from spanwise.synthesis.extractive.booleans import Said, find_polarity
from spanwise.synthesis.extractive.calibration import calibrated
from spanwise.synthesis.extractive.candidates import (
    Candidate,
    list_candidates,
    modelled_candidates,
    one_paragraph,
    sentence_candidates,
)
from spanwise.synthesis.extractive.complement import complement
from spanwise.synthesis.extractive.confidence import RIVAL, may_have_rival
from spanwise.synthesis.extractive.defined import definition_candidates
from spanwise.synthesis.extractive.entries import narrowed
from spanwise.synthesis.extractive.enumerated import enumerated_candidates, introduced, named_in_a_row, speaking
from spanwise.synthesis.extractive.evidence import Asked
from spanwise.synthesis.extractive.held import held, holds_count
from spanwise.synthesis.extractive.lists import Element
from spanwise.synthesis.extractive.rows import row_candidates
from spanwise.synthesis.extractive.spans import best_piece
from spanwise.synthesis.extractive.tables import answer as tables
from spanwise.synthesis.extractive.topic import judged
from spanwise.synthesis.extractive.typed.drafting import typed, typed_table, without_value
from spanwise.text.asserting import WITHHELD, withheld
from spanwise.text.polarity import asks_yes_or_no
from spanwise.text.quantities import quantities
from spanwise.text.reading import Reading, read_passage, stem_weights

Among: TypeAlias = frozenset[tuple[int, int]] | None
"""Places of the sentences that may answer, as passage and sentence in it; None where any may."""
READ = 12
"""How many of the best passages are read sentence by sentence."""
LIST_READ = 6
"""How many of the best passages are looked through for lists, with the lines that follow them."""
LIKELY = 0.6
"""Least chance of a piece that stands for its sentence: from there on four in five hold the answer as well."""
LIKELY_ALONE = 0.15
"""The same where one paragraph is all there is: whoever asks has read it, and wants the words that answer."""
_ENDED = re.compile(r"\b[a-z]{3,}(?=[.!?]\s[A-Z][a-z])")
"""The end of a sentence inside of what the cutting of sentences took for one ("each month. Rent that")."""
_UNITS = ("money", "percent", "percentage_points")
NEAREST = 3
"""How many pieces of evidence are shown when nothing answers."""
_NOT_EXPLICIT = "No sentence says yes or no explicitly; this is the nearest evidence."


def extract(question: Question, hits: Sequence[Hit], store: Store) -> Draft:
    """Draft an answer from the hits alone: no model, no word that is not in the source.

    Returns:
        A draft whose answer is empty (`answer_found` False) when nothing covers enough of the question.
    """
    tabled = tables.answer(question, hits, store)
    if tabled is not None and (shown := typed_table(question, tabled, store)) is not None:
        return shown
    readings = [read_passage(hit.passage) for hit in hits]
    among = None if question.model is not None else _may_answer(question, readings[:READ])
    ranked = _ranked(question, hits, readings, store, among)
    if among is not None and not (ranked and ranked[0].answers):  # what comes nearest says something else
        ranked = [replace(one, fits=False) for one in _ranked(question, hits, readings, store, None)]
    ranked = [narrowed(question, candidate, store) for candidate in ranked[:READ]] + ranked[READ:]
    return typed(question, _in_words(question, ranked, readings, store), ranked, hits, store)


def _may_answer(question: Question, readings: Sequence[Reading]) -> Among:
    """The sentences that hold the kind of value asked for and say it in no frame that answers nothing."""
    among = held(question, readings)
    # Shown whole, a sentence that denies what is asked is the nearest evidence for yes or no.
    kinds = WITHHELD - {"denied"} if _wants_polarity(question) else WITHHELD
    places = [(rank, at, one) for rank, reading in enumerate(readings) for at, one in enumerate(reading.sentences)]
    framed = {
        (rank, at)
        for rank, at, one in places
        if withheld(one.text, question.text, readings[rank].passage.section or "", kinds)
    }
    if not framed:
        return among
    every = among if among is not None else frozenset((rank, at) for rank, at, _ in places)
    return every - framed


def _in_words(question: Question, ranked: Sequence[Candidate], readings: Sequence[Reading], store: Store) -> Draft:
    """The best sentence, the piece of it that answers, a list, or a yes or no."""
    lacking = tuple(stem for stem in question.stems if not any(stem in reading.text for reading in readings))
    found = [stem for stem in question.stems if stem not in lacking]
    nearest = tuple(_source(candidate) for candidate in ranked[:NEAREST])
    best = ranked[0] if ranked else None
    said = find_polarity(question.text, readings[:READ]) if _wants_polarity(question) else ()
    if said:
        return _said(question, said, calibrated("yes_or_no", 1.0), nearest, found)
    if best is None or not best.answers:
        return Draft(_empty(), (), best.relevance if best else 0.0, nearest, lacking)
    elements = introduced(best, store) or _elements(question, best, LIKELY_ALONE if one_paragraph(readings) else LIKELY)
    sources = tuple((best.passage.document,) * (1 + len(element.context)) for element in elements)
    if rival := _rival(question, ranked, elements):
        elements += rival.elements
        sources += ((rival.passage.document,),)
    return Draft(_answer(question, best, elements, found), sources, best.relevance, nearest, lacking)


def _ranked(
    question: Question, hits: Sequence[Hit], readings: Sequence[Reading], store: Store, among: Among
) -> list[Candidate]:
    """The candidates, best first."""
    # Sorting is stable, so equal scores keep the order of the hits: the same corpus gives the same answer.
    return sorted(_candidates(question, hits, readings, store, among), key=lambda candidate: -candidate.score)


def _candidates(
    question: Question, hits: Sequence[Hit], readings: Sequence[Reading], store: Store, among: Among
) -> list[Candidate]:
    if question.model is not None:
        return modelled_candidates(readings, question.model)
    weights = stem_weights(question.stems, readings)
    found = speaking(
        question, sentence_candidates(Asked.of(question, weights, readings), readings[:READ], hits, among), store
    )
    if question.answer_shape == "listing":
        found += list_candidates(question, readings[:LIST_READ], store, weights)
        found += enumerated_candidates(question, found)
    defined = [
        one
        for one in definition_candidates(question, readings[:READ], store)
        if one.sentence is None or not withheld(one.sentence.text, question.text)
    ]
    return judged(question, hits, found) + defined + row_candidates(question, hits, store)


def _wants_polarity(question: Question) -> bool:
    return question.model is None and asks_yes_or_no(question.text)


def _rival(question: Question, ranked: Sequence[Candidate], elements: Sequence[Element]) -> Candidate | None:
    """The second sentence, where it is nearly as likely as the first and that one is shown whole."""
    best, *others = ranked
    whole = best.sentence is not None and len(elements) == 1 and elements[0].text == best.sentence.text
    if not whole or not others or not may_have_rival(question) or _wants_polarity(question):
        return None
    second = next((one for one in others if one.elements != best.elements), best)
    near = second is not best and second.relevance >= RIVAL * best.relevance
    return second if near and second.sentence is not None else None


def _elements(question: Question, best: Candidate, likely: float) -> tuple[Element, ...]:
    """The elements of the list that a sentence gives, the piece of it that answers, or what was found as it is."""
    if best.sentence is None:
        return best.elements
    if question.answer_shape == "listing":
        return named_in_a_row(question, best.elements[0]) or best.elements
    if _wants_polarity(question):
        return best.elements
    return (_piece(question, best.elements[0], likely),)


def _piece(question: Question, sentence: Element, likely: float) -> Element:
    """The piece of a sentence that answers where that is likely enough, else the sentence; its lines prove both."""
    if rest := complement(question.text, sentence.text):
        return replace(sentence, text=sentence.text[rest.start : _ended(sentence.text, rest.start, rest.end)])
    piece = best_piece(question.text, sentence.text)
    if piece is None or piece.chance < likely or not piece.fits:
        return sentence
    if not holds_count(question.text, sentence.text, piece.start, piece.end):
        return sentence
    if _short_for(sentence.text[piece.start : piece.end], question.text):
        return sentence
    start, end = _whole(sentence.text, piece.start, piece.end, dates=piece.times)
    return replace(sentence, text=sentence.text[start : _ended(sentence.text, start, end)])


def _ended(text: str, start: int, end: int) -> int:
    """Where a stretch ends: at the end of its sentence, also of one that was cut together with the next."""
    match = _ENDED.search(text, start, end)
    return match.end() if match else end


def _short_for(piece: str, question: str) -> bool:
    """Whether a piece is made of the initials of words of the question: it only names what is asked about again."""
    initials = "".join(word[0] for word in re.findall(r"\w+", question)).lower()
    return len(piece) > 1 and piece.isupper() and piece.lower() in initials


def _whole(text: str, start: int, end: int, *, dates: bool) -> tuple[int, int]:
    """The piece with the rest of the amounts, shares and dates that it cuts: "1.5" of "1.5 %" is another number."""
    for one in quantities(text):
        unit = one.kind in _UNITS or one.scaled or (dates and one.kind == "date")
        if unit and one.start < end and start < one.end:
            start, end = min(start, one.start), max(end, one.end)
    return start, end


def _answer(question: Question, best: Candidate, elements: Sequence[Element], found: Sequence[str]) -> TextAnswer:
    complete = question.count is None or question.count == len(elements)
    caveats = []
    if not complete:
        caveats.append(f"The question asks for {question.count} elements, and the list found has {len(elements)}.")
    if _wants_polarity(question):
        caveats.append(_NOT_EXPLICIT)
    return TextAnswer(
        items=[
            TextItem(
                text=element.text,
                spans=[
                    Span(line_start=first, line_end=last)
                    for first, last in ((element.line_start, element.line_end), *element.context)
                ],
            )
            for element in elements
        ],
        extraction_method="verbatim",
        confidence=round(best.relevance, 4),
        caveats=caveats,
        answer_found=True,
        complete_answer_found=complete,
        context_completeness_weak=round(best.relevance, 4),
        context_structured=True,
        keywords_found=list(found),
        conflicting_evidence=False,
    )


def _said(
    question: Question, said: Sequence[Said], relevance: float, nearest: tuple[Source, ...], found: Sequence[str]
) -> Draft:
    """A yes or no; both of them, in conflict, where the sources say both."""
    sure = round(relevance / len(said), 4)
    answer = BooleanAnswer(
        items=[
            BooleanItem(boolean=one.yes, spans=[Span(line_start=one.line_start, line_end=one.line_end)]) for one in said
        ],
        extraction_method="inferred",
        confidence=sure,
        answer_found=True,
        complete_answer_found=True,
        context_completeness_weak=round(relevance, 4),
        context_structured=True,
        keywords_found=list(found),
        conflicting_evidence=len(said) > 1,
    )
    sources = tuple((one.passage.document,) for one in said)
    sentences = tuple(one.sentence for one in said)
    return Draft(answer, sources, sure, nearest, asked=question.text, sentences=sentences)


def nothing(
    question: Question, clarification: str | None = None, hits: Sequence[Hit] = (), lacking: tuple[str, ...] = ()
) -> Draft:
    """A draft of nothing: the question has to be clarified first, or what was found is about something else.

    Args:
        question: What was asked.
        clarification: What to ask back; None where nothing is to be asked.
        hits: The nearest evidence.
        lacking: Stems that no evidence had.
    """
    near = tuple(Source(hit.passage.document, hit.passage.line_start, hit.passage.line_end) for hit in hits[:NEAREST])
    return without_value(question, Draft(_empty(clarification), (), 0.0, near, lacking))


def _empty(clarification: str | None = None) -> AnswerBase:
    return TextAnswer(
        items=[],
        extraction_method="na",
        confidence=0.0,
        answer_found=False,
        complete_answer_found=False,
        context_completeness_weak=0.0,
        context_structured=True,
        conflicting_evidence=False,
        suggested_clarification=clarification,
    )


def _source(candidate: Candidate) -> Source:
    first, last = candidate.elements[0], candidate.elements[-1]
    return Source(candidate.passage.document, first.line_start, last.line_end)
