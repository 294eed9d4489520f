"""The extractive mode: from the hits to a draft that holds the best sentence, a yes or no, or the best list."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

from spanwise.contract.answers import AnswerBase, BooleanAnswer, TextAnswer
from spanwise.contract.items import BooleanItem, TableItem, TextItem
from spanwise.contract.rendering import worded
from spanwise.contract.result import ANSWERED, Draft, Source
from spanwise.contract.values import Span
from spanwise.domain.passage import Hit
from spanwise.domain.question import Question
from spanwise.store.port import Store
from spanwise.synthesis.extractive.booleans import Said, find_polarity
from spanwise.synthesis.extractive.calibration import calibrated
from spanwise.synthesis.extractive.candidates import (
    KINDS_OF_VALUES,
    Candidate,
    definition_candidates,
    enumerated_candidates,
    introduced,
    list_candidates,
    modelled_candidates,
    named_in_a_row,
    one_paragraph,
    same_question_candidates,
    sentence_candidates,
    speaking,
)
from spanwise.synthesis.extractive.complement import complement
from spanwise.synthesis.extractive.doubts import lacks_the_value, only_announces, tells_polarity
from spanwise.synthesis.extractive.features import ENTRY, Asked
from spanwise.synthesis.extractive.lists import Element
from spanwise.synthesis.extractive.openings import opening
from spanwise.synthesis.extractive.spans import best_piece
from spanwise.synthesis.extractive.tables import answer as tables
from spanwise.synthesis.extractive.tables.near import NearTable, tables_near
from spanwise.synthesis.extractive.tables.record_answers import rows_answer
from spanwise.synthesis.extractive.typed.drafting import typed, without_value
from spanwise.text.expectations.counting import holds_count
from spanwise.text.expectations.forms import VALUED, expectation
from spanwise.text.expectations.polarity import asks_yes_or_no
from spanwise.text.framing.frames import withheld
from spanwise.text.languages import ENGLISH
from spanwise.text.noise import left_blank
from spanwise.text.passage_reading import Reading, read_passage, stem_weights
from spanwise.text.quantities import quantities
from spanwise.text.terms import terms

READ = 12
"""How many of the best passages are read sentence by sentence."""
UNSURE = ANSWERED - 0.01
"""Most that several possible answers are trusted: none of them is the answer."""
MOST_POSSIBLE = 3
"""Possible answers that are shown."""
MOST_WORDS = 90
"""Words of several possible answers together."""
LEAST_ALONE = 0.2
"""Least chance of a possible answer that is shown by itself: that of the first few tells of sentences beside it."""
FAR_BEHIND = 0.05
"""Least chance of a further possible answer, as a share of the best one's."""
_BY_KIND = 0.5
"""What the kind of a clause alone says of whether it answers."""
LIST_READ = 6
"""How many of the best passages are looked through for lists, with the lines that follow them."""
LIKELY = 0.85
"""Least chance of a piece that stands for its sentence: a sentence is read as quickly, and holds the answer whole."""
SHORT = 6
"""Spaces of a sentence that is short enough to be shown whole."""
LIKELY_ALONE = 0.15
"""The same where one paragraph is all there is: whoever asks has read it, and wants the words that answer."""
_DANGLING = re.compile(
    r"(?:(?:after|also|and|as|because|but|if|however|in addition|since|then|when|where|while),?\s+)?"
    r"(?:he|she|they|these|those|(?:it|this)\b(?!\s+(?:is|was|will\s+be|would\s+be)\s+\w+\s+(?:that|to)\b)|otherwise,)\b",
    re.IGNORECASE,
)
"""The beginning of a sentence whose subject the one before it names; "it is forbidden to" has none."""
_TOGETHER = 400
"""Most characters of a sentence with the one before it."""
_CHOICE = re.compile(r"\bor\b", re.IGNORECASE)
_UNITS = ("money", "percent", "percentage_points")
NEAREST = 3
"""How many pieces of evidence are shown when nothing answers."""
_NOT_EXPLICIT = "No sentence says yes or no explicitly; this is the nearest evidence."


def extract(question: Question, hits: Sequence[Hit], store: Store) -> Draft:
    """Draft an answer from the hits alone: no model, no word that is not in the source.

    Returns:
        A draft with the answer where a candidate is likely enough to be one (`ANSWERED`), with up to `MOST_POSSIBLE`
        possible answers where some are near (`NEAR`), else an empty one (`answer_found` False).
    """
    tabled = tables.answer(question, hits, store)
    if tabled is not None and (_only_repeats(question, tabled) or _asks_again(question, tabled)):
        tabled = None
    if tabled is not None and (tabled.relevance >= ANSWERED or question.model is not None):
        return replace(tabled, path=_of_cells(tabled))
    readings = [read_passage(hit.passage, question.language) for hit in hits]
    best_first = _ranked(question, hits, readings, store)
    if tabled is not None and tabled.relevance < tables.ENOUGH:
        tabled = None
    if tabled is not None and (not best_first or _goes_before(question, tabled, best_first[0])):
        return _tiered(_as_sure(tabled, best_first))
    if best_first and _is_row(best_first[0]):
        near = tables_near(hits, store)
        best_first = [one for one in best_first if not _heads_columns(one, near)]
        if best_first and _is_row(best_first[0]) and (rows := _rows(question, best_first, near, store)):
            return _tiered(rows)
    return _tiered(typed(question, _in_words(question, best_first, readings, store), best_first, hits, store))


def _only_repeats(question: Question, draft: Draft) -> bool:
    """True if every item has nothing but words of the question: a label that is asked about is not its value."""
    if _CHOICE.search(question.text):
        return False  # "A or B" is answered by a word of the question
    asked = frozenset(question.stems)
    texts = [item.text for item in draft.answer.items if isinstance(item, TextItem)]
    return len(texts) == len(draft.answer.items) and all(asked.issuperset(terms(text)) for text in texts)


def _asks_again(question: Question, draft: Draft) -> bool:
    """True if a cell holds the very question among other words: it asks it, or plants an answer to it.

    A cell that is the question has its answer beside it.
    """
    asked = " ".join(terms(question.text))
    cells = [
        cell
        for item in draft.answer.items
        for cell in (chain(*item.table.rows) if isinstance(item, TableItem) else [worded(item)])
        if "?" in cell and cell.count(" ") > question.text.count(" ")
    ]
    return " " in asked and any(asked in " ".join(terms(cell)) for cell in cells)


def _goes_before(question: Question, tabled: Draft, best: Candidate) -> bool:
    """True if cells of a table answer rather than the best candidate: likelier, or the value in that very row or line.

    A raw row is what a cell is read from, not an answer beside it. A figure that a sentence tells is.
    """
    if tabled.relevance >= best.relevance or best.kind == "list" or _is_row(best):
        return True
    if question.demanded is not None or (
        tabled.path == "told" and expectation(question.text, question.language).form not in VALUED
    ):
        return False  # the sentence is searched for the value as well
    return _stands_in(tabled, best)


def _as_sure(tabled: Draft, ranked: Sequence[Candidate]) -> Draft:
    """A table's answer; a figure that a sentence tells is as likely as that sentence."""
    draft = replace(tabled, path=_of_cells(tabled))
    if draft.path != "told" or not ranked or not _stands_in(draft, ranked[0]):
        return draft
    chance = max(draft.relevance, round(ranked[0].relevance, 4))
    return replace(draft, relevance=chance, answer=draft.answer.model_copy(update={"confidence": chance}))


def _stands_in(tabled: Draft, best: Candidate) -> bool:
    """True if an item of a table's answer is on the lines of a candidate."""
    first, last = best.elements[0].line_start, best.elements[-1].line_end
    return any(
        document == best.passage.document and span.line_start <= last and first <= span.line_end
        for item, documents in zip(tabled.answer.items, tabled.sources, strict=True)
        for span, document in zip(item.spans, documents, strict=False)
    )


def _is_row(candidate: Candidate) -> bool:
    return candidate.sentence is not None and candidate.sentence.role == "table_row"


def _heads_columns(candidate: Candidate, near: Sequence[NearTable]) -> bool:
    """True for a row that only heads the columns of its table."""
    place = candidate.passage.document, candidate.elements[0].line_start
    return _is_row(candidate) and any(
        (one.grid.document, line) == place for one in near for line, _ in one.grid.head_lines
    )


def _rows(question: Question, ranked: Sequence[Candidate], near: Sequence[NearTable], store: Store) -> Draft | None:
    """Rows of a table that come first among the candidates, under the heads of their columns."""
    best, demanded = ranked[0], question.demanded not in (None, "text", "table")
    if demanded or question.answer_shape == "table" or question.model is not None or not best.answers:
        return None
    sure = best.relevance >= ANSWERED
    shown = [best] if sure else [one for one in _possible(ranked) if _is_row(one)]
    chance = best.relevance if len(shown) == 1 else min(max(best.relevance, best.near), UNSURE)
    places = [(one.passage.document, one.elements[0].line_start) for one in shown]
    draft = rows_answer(question, places, near, round(chance, 4), store)
    return replace(draft, path="sentence", possible=not sure) if draft is not None else None


def _of_cells(draft: Draft) -> str:
    return draft.path or ("computed" if any(draft.computations) else "cell")


def _tiered(draft: Draft) -> Draft:
    """The draft, a possible answer where it is one value that is not likely enough; parts of a list are no rivals."""
    unsure = draft.answer.answer_found and draft.relevance < ANSWERED and not draft.answer.conflicting_evidence
    return replace(draft, possible=unsure and (draft.possible or len(draft.answer.items) == 1))


def _in_words(question: Question, ranked: Sequence[Candidate], readings: Sequence[Reading], store: Store) -> Draft:
    """The answer, or what may be one: a yes or no, a sentence or the piece of it that answers, a list."""
    lacking = tuple(stem for stem in question.stems if not any(stem in reading.text for reading in readings))
    found = [stem for stem in question.stems if stem not in lacking]
    nearest = tuple(dict.fromkeys(map(_source, sorted(ranked, key=lambda one: -one.relevance))))[:NEAREST]
    best = ranked[0] if ranked else None
    said = find_polarity(question.text, readings[:READ]) if _wants_polarity(question) else ()
    if said:
        return _said(question, said, calibrated("yes_or_no", 1.0), nearest, found)
    likeliest = max(ranked, key=lambda one: one.relevance, default=None)
    blank = likeliest is not None and left_blank(likeliest.elements[0].text, question.stems)
    if (
        best is None
        or not best.answers
        or (blank and best.relevance < ANSWERED)
        or not (question.stems or question.model)
    ):  # "What is it?" names nothing
        return Draft(_empty(), (), best.relevance if best else 0.0, nearest, lacking)
    chance = best.relevance * (_agreement(question, best) if best.kind == "clause" else 1.0)
    if _wants_polarity(question) and not tells_polarity(question, best):
        chance = min(chance, UNSURE)
    listed = _listed(question, best, store)
    if lacks_the_value(question, best) or (only_announces(best) and not listed):
        chance = min(chance, UNSURE)
    alone = one_paragraph(readings)
    if chance >= ANSWERED or best.kind == "list" or listed or alone:
        elements = listed or _elements(question, best, LIKELY_ALONE if alone else LIKELY)
        chosen = [best] * len(elements)
    else:
        shown = [(one, _with_subject(one, one.elements[0], question)) for one in _possible(ranked)]
        texts = [element.text for _, element in shown]
        shown = [pair for pair in shown if not any(pair[1].text in text for text in texts if text != pair[1].text)]
        chosen, elements = [one for one, _ in shown], tuple(element for _, element in shown)
    sources = tuple(
        (one.passage.document,) * (1 + len(element.context)) for one, element in zip(chosen, elements, strict=True)
    )
    several = len(set(map(id, chosen))) > 1
    if several:  # what is told is the chance that one of them is right
        chance = min(max(chance, best.near), UNSURE)
    elif best.kind == "sentence" and chance < LEAST_ALONE and not (listed or alone):
        return Draft(_empty(), (), chance, nearest, lacking)
    answer = _answer(question, elements, found, chance)
    return Draft(answer, sources, chance, nearest, lacking, possible=several, path=best.kind)


def _listed(question: Question, best: Candidate, store: Store) -> tuple[Element, ...]:
    """The list that a sentence introduces; nothing where a value is asked for that only the sentence can tell."""
    elements = () if _wants_polarity(question) else introduced(best, store)
    expected = expectation(question.text, question.language)
    told = expected.form not in VALUED or any(expected.held(element.text) > 0 for element in elements)
    return elements if told else ()


def _agreement(question: Question, best: Candidate) -> float:
    """How much of what a clause's model says stands for the question: the less of its words the clause has, the less.

    The model knows clauses of a kind ("termination"), and a question may ask for one thing of them ("how much notice").
    """
    stems = frozenset(question.stems)
    said = frozenset(terms(f"{best.passage.section or ''} {best.elements[0].text}", question.language))
    return _BY_KIND + (1 - _BY_KIND) * len(stems & said) / len(stems) if stems else 1.0


def _possible(ranked: Sequence[Candidate]) -> list[Candidate]:
    """The likeliest candidates of different lines, as many as are read at a glance."""
    chosen: list[Candidate] = []
    words = 0
    for one in ranked[: 2 * MOST_POSSIBLE]:
        length = len(one.elements[0].text.split())
        if chosen and (
            one.sentence is None
            or not one.answers
            or one.relevance < FAR_BEHIND * chosen[0].relevance
            or words + length > MOST_WORDS
            or any(one.elements[0].text == other.elements[0].text for other in chosen)
        ):
            continue
        chosen.append(one)
        words += length
        if len(chosen) == MOST_POSSIBLE:
            break
    return chosen


def _ranked(question: Question, hits: Sequence[Hit], readings: Sequence[Reading], store: Store) -> Sequence[Candidate]:
    """The candidates, best first."""
    # Sorting is stable, so equal scores keep the order of the hits: the same corpus gives the same answer.
    return sorted(_candidates(question, hits, readings, store), key=lambda candidate: -candidate.score)


def _candidates(question: Question, hits: Sequence[Hit], readings: Sequence[Reading], store: Store) -> list[Candidate]:
    best = max((hit.score for hit in hits), default=0.0) or 1.0
    asked = Asked(question, readings[:READ], [hit.score / best for hit in hits[:READ]])
    if not asked.stems:
        return []  # "What is it?" names nothing that a sentence could speak of
    if question.model is not None:
        return modelled_candidates(readings, question.model) + sentence_candidates(asked)
    found = speaking(question, sentence_candidates(asked), store)
    if question.answer_shape == "listing":
        found += list_candidates(question, readings[:LIST_READ], store, stem_weights(question.stems, readings))
        found += enumerated_candidates(question, found)
    defined = [
        one
        for one in definition_candidates(question, readings[:READ], store)
        if one.sentence is None
        or not (withheld(one.sentence.text, question.text) or left_blank(one.sentence.text, question.stems))
    ]
    return found + same_question_candidates(asked) + defined


def _wants_polarity(question: Question) -> bool:
    # "Was" opens a question for yes or no in English and one for a thing in German.
    return question.model is None and question.language == ENGLISH and asks_yes_or_no(question.text)


def _elements(question: Question, best: Candidate, likely: float) -> tuple[Element, ...]:
    """The elements of the list that a sentence gives, the piece of it that answers, or what was found as it is."""
    if best.sentence is None:
        return best.elements
    if question.answer_shape == "listing":
        return (named_in_a_row(question, best.elements[0]) if question.count is not None else ()) or best.elements
    if _wants_polarity(question):
        return (_with_subject(best, best.elements[0], question),)
    piece = _piece(question, best.elements[0], likely)
    return (piece if likely < LIKELY else _with_subject(best, piece, question),)


def _with_subject(candidate: Candidate, element: Element, question: Question) -> Element:
    """A sentence that begins with a pronoun, behind the one that says what it stands for; any other as it is."""
    sentence = candidate.sentence
    if sentence is None or element.text != sentence.text or not _DANGLING.match(element.text):
        return element
    before = read_passage(candidate.passage, question.language).sentences[max(0, candidate.at - 1)]
    apart = before is sentence or before.block != sentence.block or before.role != sentence.role
    if apart or len(before.text) + len(element.text) > _TOGETHER or _DANGLING.match(before.text):
        return element
    return replace(element, text=f"{before.text} {element.text}", line_start=before.line_start)


def _piece(question: Question, sentence: Element, likely: float) -> Element:
    """The piece of a sentence that answers where that is likely enough, else the sentence; its lines prove both."""
    if expectation(question.text, question.language).foreign:
        return sentence  # pieces are cut from English only
    if (value := _entry_value(question, sentence)) is not None:
        return value
    if rest := complement(question.text, sentence.text):
        return replace(sentence, text=sentence.text[rest.start : rest.end])
    piece = best_piece(question.text, sentence.text) if sentence.text.count(" ") >= SHORT else None
    if piece is None or piece.chance < likely or not piece.fits:
        return sentence
    start, end = _whole(sentence.text, piece.start, piece.end, dates=piece.times)
    misleads = _misleads_alone(question, sentence.text, (piece.start, piece.end), (start, end))
    return sentence if misleads else replace(sentence, text=sentence.text[start:end])


def _misleads_alone(question: Question, text: str, found: tuple[int, int], shown: tuple[int, int]) -> bool:
    """True for a piece that says too little, or another thing, without its sentence.

    Args:
        question: What is asked.
        text: The sentence.
        found: The piece as it was found.
        shown: The piece with the rest of the values that it cuts.
    """
    piece, expected = text[slice(*shown)], expectation(question.text, question.language)
    return (
        not holds_count(question.text, text, *found)
        or not any(map(str.isalpha, text[: found[1]]))  # the number of the clause
        or _short_for(text[slice(*found)], question.text)
        or cuts_a_quotation(piece)
        or _is_of_another(question, text, *shown)
        # A piece without the value that is asked for, a ratio say, does not stand for a sentence that has it.
        or expected.shaped(piece) < 0 < expected.shaped(text)
    )


def _entry_value(question: Question, entry: Element) -> Element | None:
    """The value of an entry ("Invoice date: 14 February") whose label says no more than the question does."""
    match = ENTRY.match(entry.text)
    if match is None or not set(terms(match["label"])) - KINDS_OF_VALUES <= set(question.stems):
        return None
    return replace(entry, text=entry.text[match.end("label") :].lstrip(" :"))


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


def cuts_a_quotation(piece: str) -> bool:
    """True for a piece that begins or ends within quotation marks."""
    return piece.count('"') % 2 == 1 or sum(map(piece.count, "\u201c\u00ab")) != sum(map(piece.count, "\u201d\u00bb"))


def _is_of_another(question: Question, text: str, start: int, end: int) -> bool:
    """True if a sentence gives another value of the same kind beside more of what is asked.

    "A desk costs 18 euros a day, a fixed desk 240 euros a month": what a fixed desk costs is not 18 euros.
    """
    found = quantities(text)
    own = next((one for one in found if one.start < end and start < one.end), None)
    if own is None:
        return False
    wanted = frozenset(question.stems) - KINDS_OF_VALUES
    said, before = [], 0
    for one in found:
        if one.kind == own.kind:
            said.append((one, wanted.intersection(terms(text[before : one.start]))))
            before = one.end
    of_own = next(stems for one, stems in said if one is own)
    # What is said before the first value holds of the later ones too: "a fixed desk" costs as well.
    return any(stems > of_own or (one.start > own.start and not stems <= of_own) for one, stems in said)


def _answer(question: Question, elements: Sequence[Element], found: Sequence[str], chance: float) -> TextAnswer:
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
        confidence=round(chance, 4),
        caveats=caveats,
        answer_found=True,
        complete_answer_found=complete,
        context_completeness_weak=round(chance, 4),
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
    return Draft(answer, sources, sure, nearest, asked=question.text, sentences=sentences, path="yes_or_no")


def of_opening(question: Question, document: str, store: Store) -> Draft | None:
    """What a document is about, as a possible answer: its title and how its text begins; None where it has no text."""
    elements = opening(document, store, question.language)
    if not elements:
        return None
    answer = _answer(question, elements, (), UNSURE)
    return Draft(answer, ((document,),) * len(elements), UNSURE, possible=True, path="sentence")


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
