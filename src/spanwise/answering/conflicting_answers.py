"""`with_conflicts`: an extractive draft extended by the other answers in the passages, if they contradict each other.

Every side of a conflict becomes an item with its lines. Caveats say which document says what and which is the latest,
and a clarifying question is added.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from spanwise.answering.rivals import (
    Opening,
    Range,
    Rival,
    SourceSentence,
    amending,
    may_be_amendment,
    of_one_thing,
    replacing,
    resting_on,
    rivals,
    statements,
    worth_reading,
)
from spanwise.contract.answers import AnswerBase, TextAnswer
from spanwise.contract.items import BooleanItem, Item, TextItem
from spanwise.contract.registry import item_class_of, label_of
from spanwise.contract.rendering import shortened, worded
from spanwise.contract.result import Draft
from spanwise.contract.values import Span
from spanwise.domain.passage import Hit
from spanwise.domain.question import Question
from spanwise.guard.conflicts.dating import later
from spanwise.guard.drafts.checked import Checked
from spanwise.retrieval.scope import whole
from spanwise.store.evidence_store import as_written
from spanwise.store.port import Store
from spanwise.synthesis.extractive.spans import best_piece
from spanwise.synthesis.extractive.typed.extractors import Around
from spanwise.synthesis.extractive.typed.fillers import FILLERS
from spanwise.text.passage_reading import Reading, read_passage
from spanwise.text.sentences import on_one_line

MOST_SIDES = 5
"""Largest number of different answers that are shown."""
WHICH = "Which of these answers applies?"


@dataclass(frozen=True, slots=True)
class Side:
    """One of the contradicting answers: the item, its documents, and its words in the source."""

    item: Item
    documents: tuple[str, ...]
    written: str = ""


def with_conflicts(question: Question, draft: Draft, hits: Sequence[Hit], store: Store) -> Draft:
    """The draft unchanged, or with each side of a conflict about its answer (R-158, R-166).

    Only questions for one value are examined whose answer is a sentence or part of one. Another sentence of the
    retrieved passages conflicts with the answer in two cases: it says the same except for a figure, a date, a "not" or
    (in another document) a name where the answer is; or it is in another document, matches the question as well, and
    gives another value of the same kind.
    """
    openings = _Openings(store)
    if draft.answer.conflicting_evidence:
        return _told(draft, openings)
    readings = [read_passage(hit.passage, question.language) for hit in hits]
    for item in range(len(draft.answer.items)) if _one_value(question, draft) else ():
        sides = _sides(question, draft, item, readings, openings)
        if len(sides) > 1:
            return _told(_conflicting(draft, sides), openings)
    return draft


class _Openings(dict[str, Opening]):
    """The openings of documents, by name; each is read when it is first needed."""

    def __init__(self, store: Store) -> None:
        super().__init__()
        self._store = store

    def may_amend(self, names: AbstractSet[str]) -> bool:
        """True if one of the documents may amend another.

        This is judged by the documents as written, including lines that are not used as evidence.
        """
        written = whole(as_written(self._store))
        return len(names) > 1 and any(may_be_amendment(name, written) for name in names)

    def __missing__(self, name: str) -> Opening:
        return self.setdefault(name, Opening.of(name, self._store))


def _one_value(question: Question, draft: Draft) -> bool:
    """True if the answer is one sentence or value: no list, table, computed value, or boolean (compared elsewhere)."""
    items = draft.answer.items
    if not items or not items[0].spans or isinstance(items[0], BooleanItem) or any(draft.computations):
        return False
    one = len(items) == 1 or draft.possible  # of possible answers, only the first is examined
    return question.answer_shape == "single" or (question.answer_shape == "listing" and one)


def _sides(question: Question, draft: Draft, item: int, readings: Sequence[Reading], openings: _Openings) -> list[Side]:
    """The sides of a conflict about one item; none if there is no conflict.

    A possible answer other than the first one conflicts only with a statement that amends it.
    """
    said, shown, whole = _answering(question, draft, item, readings)
    if said is None:
        return []
    near = worth_reading(said, readings)
    if item and not openings.may_amend({said.document, *(one.passage.document for one in near)}):
        return []
    found = [
        one
        for one in rivals(question, said, shown, list(statements(near)), whole=whole)
        if amending(said.document, one.statement.document, openings)
        or (not one.amended and not item and of_one_thing(question, said, one.statement, openings))
    ]
    sides = _all_sides(question, draft, item, said, found, whole=whole) if found else []
    # The sides are equally valid, so they come in the order of the documents, with none preferred.
    sides.sort(key=lambda side: (side.documents[0], side.item.spans[0].line_start))
    return sides


def _answering(
    question: Question, draft: Draft, at: int, readings: Sequence[Reading]
) -> tuple[SourceSentence | None, Range, bool]:
    """The sentence on which an item rests, the range that is the answer, and whether the whole sentence is shown."""
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


def _of_words(question: Question, words: str, said: SourceSentence) -> tuple[Range, bool]:
    start = said.text.find(words)
    if words != said.text:
        return (start, start + len(words)), False
    piece = best_piece(question.text, said.text)
    return (0, len(words)) if piece is None else (piece.start, piece.end), True


def _of_value(draft: Draft, said: SourceSentence) -> tuple[Range, bool]:
    """The range of a value in its sentence, or the whole sentence, and whether the draft shows all of the sentence."""
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


def _all_sides(
    question: Question, draft: Draft, item: int, said: SourceSentence, found: Sequence[Rival], *, whole: bool
) -> list[Side]:
    """An item of a draft and its rivals; equal items are merged, with the lines of all.

    Typed values are kept if every side has one; otherwise, unless the type was demanded, all sides are shown as
    sentences.
    """
    first = Side(draft.answer.items[item], draft.sources[item], draft.written[item] if draft.written else "")
    if isinstance(first.item, TextItem):
        return _merged([first, *(_text(one.statement, (0, 0) if whole else one.at) for one in found)])
    typed = [side for rival in found if (side := _typed(draft, rival, whole=whole)) is not None]
    if len(typed) == len(found) or question.demanded not in (None, "text"):
        return _merged([first, *typed])
    return _merged([_text(one) for one in (said, *(rival.statement for rival in found))])


def _text(said: SourceSentence, at: Range = (0, 0)) -> Side:
    """A side that shows a sentence, or a range of it unless the range is empty."""
    words = said.text[slice(*at)].strip() if at[0] != at[1] else said.text
    span = Span(line_start=said.line_start, line_end=said.line_end)
    return Side(TextItem(text=words, spans=[span]), (said.document,))


def _typed(draft: Draft, rival: Rival, *, whole: bool) -> Side | None:
    """A side with the rival's value as an item of the draft's class; None unless it states exactly one such value."""
    kind: type[AnswerBase] = type(draft.answer)
    label, item_class = label_of(kind), item_class_of(kind)
    filler = FILLERS.get(label or "")
    if filler is None or item_class is None:
        return None
    said = rival.statement
    inside = [one for one in filler(said.text, Around()) if one.start < rival.at[1] and rival.at[0] < one.end]
    if len(inside) != 1:
        return None
    words = said.text if whole else said.text[inside[0].start : inside[0].end]
    span = Span(line_start=said.line_start, line_end=said.line_end, quote=None)
    value: object = inside[0].value
    return Side(item_class.model_validate({label: value, "spans": [span]}), (said.document,), words)


def _merged(sides: Sequence[Side]) -> list[Side]:
    """The sides with equal items merged into one with all lines and documents; at most `MOST_SIDES`."""
    merged: dict[str, Side] = {}
    for side in sides:
        key = worded(side.item).casefold().strip(" .")
        known = merged.get(key)
        if known is None:
            merged[key] = side
            continue
        spans = [*known.item.spans, *side.item.spans]
        merged[key] = replace(
            known, item=known.item.model_copy(update={"spans": spans}), documents=(*known.documents, *side.documents)
        )
    return list(merged.values())[:MOST_SIDES]


def _conflicting(draft: Draft, sides: Sequence[Side]) -> Draft:
    """The draft with all sides as items.

    Its confidence is divided by their number, since not all of them can be right.
    """
    kind = TextAnswer if isinstance(sides[0].item, TextItem) else type(draft.answer)
    sure = round(draft.relevance / len(sides), 4)
    answer = kind.model_validate(
        {
            **draft.answer.model_dump(exclude={"items"}),
            "items": [side.item for side in sides],
            "confidence": sure,
            "conflicting_evidence": True,
            "extraction_method": "verbatim",
        }
    )
    written = tuple(side.written for side in sides) if any(side.written for side in sides) else ()
    return replace(
        draft, answer=answer, sources=tuple(side.documents for side in sides), relevance=sure, written=written
    )


def _told(draft: Draft, openings: _Openings) -> Draft:
    """The draft with caveats that say which document says what and which is the latest, and a clarifying question."""
    answer = draft.answer
    caveats = [caveat for caveat in (_who(draft), _order(draft, openings)) if caveat and caveat not in answer.caveats]
    asked = answer.suggested_clarification or WHICH
    return draft.saying(caveats=[*answer.caveats, *caveats], suggested_clarification=asked)


def _who(draft: Draft) -> str:
    """A caveat with each document's answer; a general one if all answers are in one document, whose lines are cited."""
    if len(draft.documents) < 2:
        return "The document contradicts itself on what was asked." if draft.answer.items else ""
    words = [*draft.written, *[""] * len(draft.answer.items)]
    said = [
        f"{' and '.join(dict.fromkeys(documents))}: {shortened(written or worded(item))}"
        for item, documents, written in zip(draft.answer.items, draft.sources, words, strict=False)
    ]
    return f"The documents give different answers: {'; '.join(said)}"


def _order(draft: Draft, openings: _Openings) -> str:
    """A caveat naming the document that is later than all others by its own dates; empty if there is none."""
    names = draft.documents
    for name in names if len(names) > 1 else ():
        if all(later(openings[name].dating, openings[other].dating) == "one" for other in names if other != name):
            return f"By what the documents say of themselves, {name} is the latest."
    return ""


CONTRADICTORY_SOURCES = "contradictory_sources"


def contradictory(checked: Checked) -> Mapping[str, object]:
    """The warning about a contradiction, with every cited line and its place."""
    return {
        "code": CONTRADICTORY_SOURCES,
        "message": "the cited lines give different answers",
        "quotes": [
            {
                "document": citation.document,
                "line_start": citation.line_start,
                "line_end": citation.line_end,
                "page": citation.page,
                "quote": citation.quote,
            }
            for citation in checked.citations
        ],
    }
