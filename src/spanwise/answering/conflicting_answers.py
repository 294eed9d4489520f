"""`with_conflicts`: an extractive draft with every answer that the passages give, where they contradict each other.

Every side is an item with its lines; what the sources tell of their order and a question back go with them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from spanwise.answering.rivals import (
    Opening,
    Range,
    Rival,
    Statement,
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
"""Different answers that are shown."""
WHICH = "Which of these answers applies?"


@dataclass(frozen=True, slots=True)
class Side:
    """One of the answers, where it stands."""

    item: Item
    documents: tuple[str, ...]
    written: str = ""


def with_conflicts(question: Question, draft: Draft, hits: Sequence[Hit], store: Store) -> Draft:
    """The draft as it is, or with each side of a conflict about what it answers (R-158, R-166).

    Looked at are questions for one value whose answer is a sentence or a piece of one. Another sentence of the found
    passages is in conflict with it where it says the same but for a figure, a date, a "not" or, in another document, a
    name in the place of the answer; and where it says as much of the question in another document and gives another
    value of the same kind.
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
    """The openings of documents, each read where it is first asked for."""

    def __init__(self, store: Store) -> None:
        super().__init__()
        self._store = store

    def may_amend(self, names: AbstractSet[str]) -> bool:
        """True unless none of some documents can be one that changes another: read as written, not as evidence."""
        written = whole(as_written(self._store))
        return len(names) > 1 and any(may_be_amendment(name, written) for name in names)

    def __missing__(self, name: str) -> Opening:
        return self.setdefault(name, Opening.of(name, self._store))


def _one_value(question: Question, draft: Draft) -> bool:
    """True if one sentence answers: not a list, a table, or what code computed; yes and no are told apart elsewhere."""
    items = draft.answer.items
    if not items or not items[0].spans or isinstance(items[0], BooleanItem) or any(draft.computations):
        return False
    one = len(items) == 1 or draft.possible  # of possible answers the first is looked at
    return question.answer_shape == "single" or (question.answer_shape == "listing" and one)


def _sides(question: Question, draft: Draft, item: int, readings: Sequence[Reading], openings: _Openings) -> list[Side]:
    """The sides of a conflict about one item.

    A possible answer that is not the first one is in conflict with what amends it alone.
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
        or (
            not one.amended
            and not item
            and (one.statement.document == said.document or of_one_thing(question, said, one.statement, openings))
        )
    ]
    sides = _all_sides(question, draft, item, said, found, whole=whole) if found else []
    # Of equal right, so in the order of the documents: none is put first.
    sides.sort(key=lambda side: (side.documents[0], side.item.spans[0].line_start))
    return sides


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


def _all_sides(
    question: Question, draft: Draft, item: int, said: Statement, found: Sequence[Rival], *, whole: bool
) -> list[Side]:
    """An item of a draft and those that contradict it, equal ones once with the lines of all.

    Values of a class stay such where every side has one; where that was not demanded, they give way to the sentences.
    """
    first = Side(draft.answer.items[item], draft.sources[item], draft.written[item] if draft.written else "")
    if isinstance(first.item, TextItem):
        return _merged([first, *(_text(one.statement, (0, 0) if whole else one.at) for one in found)])
    typed = [side for rival in found if (side := _typed(draft, rival, whole=whole)) is not None]
    if len(typed) == len(found) or question.demanded not in (None, "text"):
        return _merged([first, *typed])
    return _merged([_text(one) for one in (said, *(rival.statement for rival in found))])


def _text(said: Statement, at: Range = (0, 0)) -> Side:
    """A sentence as a side, or a range of it where that is not empty."""
    words = said.text[slice(*at)].strip() if at[0] != at[1] else said.text
    span = Span(line_start=said.line_start, line_end=said.line_end)
    return Side(TextItem(text=words, spans=[span]), (said.document,))


def _typed(draft: Draft, rival: Rival, *, whole: bool) -> Side | None:
    """The rival's value as one of the draft's class; None if it states none."""
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
    """Equal items once, with the lines and documents of all of them."""
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
    """The draft with all sides; each is as sure as one of so many that cannot all be right."""
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
    """A draft in conflict with what a person has to know: who says what, which is later, and what is asked back."""
    answer = draft.answer
    caveats = [caveat for caveat in (_who(draft), _order(draft, openings)) if caveat and caveat not in answer.caveats]
    asked = answer.suggested_clarification or WHICH
    return draft.saying(caveats=[*answer.caveats, *caveats], suggested_clarification=asked)


def _who(draft: Draft) -> str:
    """Which document says what; nothing where all stands in one, whose lines the message names."""
    if len(draft.documents) < 2:
        return "The document contradicts itself on what was asked." if draft.answer.items else ""
    words = [*draft.written, *[""] * len(draft.answer.items)]
    said = [
        f"{' and '.join(dict.fromkeys(documents))}: {shortened(written or worded(item))}"
        for item, documents, written in zip(draft.answer.items, draft.sources, words, strict=False)
    ]
    return f"The documents give different answers: {'; '.join(said)}"


def _order(draft: Draft, openings: _Openings) -> str:
    """Which document is later than every other one, by its own words."""
    names = draft.documents
    for name in names if len(names) > 1 else ():
        if all(later(openings[name].dating, openings[other].dating) == "one" for other in names if other != name):
            return f"By what the documents say of themselves, {name} is the latest."
    return ""


CONTRADICTORY_SOURCES = "contradictory_sources"


def contradictory(checked: Checked) -> Mapping[str, object]:
    """Warning of a contradiction, with every cited line and its place."""
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
