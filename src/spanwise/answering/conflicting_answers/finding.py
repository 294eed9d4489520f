"""`with_conflicts`: an extractive draft with every answer that the passages give, where they contradict each other."""

from __future__ import annotations

from collections.abc import Sequence

from spanwise.answering.conflicting_answers.rivals import Range, rivals, worth_reading
from spanwise.answering.conflicting_answers.showing import Side, conflicting, sides_of, told
from spanwise.answering.conflicting_answers.statements import (
    Opening,
    Statement,
    amending,
    of_one_thing,
    replacing,
    resting_on,
    statements,
)
from spanwise.contract.items import BooleanItem, TextItem
from spanwise.contract.registry import label_of
from spanwise.contract.result import Draft
from spanwise.domain.passage import Hit
from spanwise.domain.question import Question
from spanwise.store.port import Store
from spanwise.synthesis.extractive.spans import best_piece
from spanwise.synthesis.extractive.typed.extractors import Around
from spanwise.synthesis.extractive.typed.fillers import FILLERS
from spanwise.text.reading import Reading, read_passage
from spanwise.text.sentences import on_one_line


def with_conflicts(question: Question, draft: Draft, hits: Sequence[Hit], store: Store) -> Draft:
    """The draft as it is, or with each side of a conflict about what it answers (R-158, R-166).

    Looked at are questions for one value whose answer is a sentence or a piece of one. Another sentence of the found
    passages is in conflict with it where it says the same but for a figure, a date, a "not" or, in another document, a
    name in the place of the answer; and where it says as much of the question in another document and gives another
    value of the same kind.
    """
    if draft.answer.conflicting_evidence:
        return _told(draft, store)
    readings = [read_passage(hit.passage, question.language) for hit in hits]
    for item in range(len(draft.answer.items)) if _one_value(question, draft) else ():
        sides, openings = _sides(question, draft, item, readings, store)
        if len(sides) > 1:
            return _told(conflicting(draft, sides), store, openings)
    return draft


def _sides(
    question: Question, draft: Draft, item: int, readings: Sequence[Reading], store: Store
) -> tuple[list[Side], dict[str, Opening]]:
    """The sides of a conflict about one item, and the openings of their documents.

    A possible answer that is not the first one is in conflict with what amends it alone.
    """
    said, shown, whole = _answering(question, draft, item, readings)
    if said is None:
        return [], {}
    found = rivals(question, said, shown, list(statements(worth_reading(said, readings))), whole=whole)
    if not found:
        return [], {}
    openings = {name: Opening.of(name, store) for name in {said.document, *(one.statement.document for one in found)}}
    found = [
        one
        for one in found
        if amending(said, one.statement, openings)
        or (
            not one.amended
            and not item
            and (one.statement.document == said.document or of_one_thing(question, said, one.statement, openings))
        )
    ]
    sides = sides_of(question, draft, item, said, found, whole=whole) if found else []
    # Of equal right, so in the order of the documents: none is put first.
    sides.sort(key=lambda side: (side.documents[0], side.item.spans[0].line_start))
    return sides, openings


def _answering(
    question: Question, draft: Draft, at: int, readings: Sequence[Reading]
) -> tuple[Statement | None, Range, bool]:
    """The sentence that an item of a draft rests on, the range of it that answers, and whether all of it is shown."""
    item = draft.answer.items[at]
    said = resting_on(draft, at, readings) if item.spans else None
    if said is None:
        return None, (0, 0), False
    if isinstance(item, TextItem):
        new = replacing(said)
        words = on_one_line(item.text)
        return (
            (new, *_of_words(question, new.text, new))
            if words == said.text
            else (said, *_of_words(question, words, said))
        )
    return said, *_of_value(draft, said)


def _one_value(question: Question, draft: Draft) -> bool:
    """True if one sentence answers: not a list, a table, or what code computed; yes and no are told apart elsewhere."""
    items = draft.answer.items
    if not items or not items[0].spans or isinstance(items[0], BooleanItem) or any(draft.computations):
        return False
    one = len(items) == 1 or draft.possible  # of possible answers the first is looked at
    return question.answer_shape == "single" or (question.answer_shape == "listing" and one)


def _of_words(question: Question, words: str, said: Statement) -> tuple[Range, bool]:
    start = said.text.find(words)
    if words != said.text:
        return (start, start + len(words)), False
    piece = best_piece(question.text, said.text)
    return (0, len(words)) if piece is None else (piece.start, piece.end), True


def _of_value(draft: Draft, said: Statement) -> tuple[Range, bool]:
    """Where a value stands in its sentence; the whole of it where that cannot be told."""
    item = draft.answer.items[0]
    written = on_one_line(draft.written[0]) if draft.written else said.text
    filler = FILLERS.get(label_of(type(draft.answer)) or "")
    places = [
        (one.start, one.end)
        for one in (filler(said.text, Around()) if filler is not None else ())
        if one.value == item.value
    ]
    start = max(0, said.text.find(written))
    return (places[0] if places else (start, start + len(written))), written == said.text


def _told(draft: Draft, store: Store, openings: dict[str, Opening] | None = None) -> Draft:
    known = openings or {name: Opening.of(name, store) for name in sorted(draft.documents)}
    return told(draft, {name: opening.dating for name, opening in known.items() if name in draft.documents})
