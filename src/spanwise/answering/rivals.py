"""Sentences that say something else of the very thing that an answer says, and with which words.

They are looked for in the found passages: the sentence that an answer rests on, those like it, and the openings of
documents.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypeAlias

from spanwise.contract.adapters import given_passages
from spanwise.contract.result import Draft
from spanwise.domain.passage import Passage
from spanwise.domain.question import Question
from spanwise.guard.conflicts.dating import Dating, dating, may_amend
from spanwise.guard.conflicts.finding import find_conflicts
from spanwise.guard.conflicts.values import ConflictKind
from spanwise.guard.figures import compared
from spanwise.guard.sentence import Word, words_of
from spanwise.store.port import Store, remembered
from spanwise.text.passage_reading import START_LINES, Reading, Sentence
from spanwise.text.quantities import Quantity, quantities
from spanwise.text.sentences import on_one_line
from spanwise.text.terms import stem, terms

ALIKE = 0.45
"""Least share of words in common with a sentence that may say the same but for a detail."""
MOST_ALIKE = 24
AKIN = 0.3
"""Least share of the words of one opening that the opening of a document has which amends it."""


_REPLACEMENT = re.compile(
    r"\b(?:replaced|amended|changed|substituted|deleted|follows|following|read)\b[^\"\u201c]{0,80}[\"\u201c]"
    r"([^\"\u201c\u201d]{20,})[\"\u201d]?\W*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence with its place."""

    passage: Passage
    line_start: int
    line_end: int
    text: str
    stems: frozenset[str]
    replaces: bool = False
    """True for the new wording that a sentence puts in the place of another one."""

    @property
    def document(self) -> str:
        """Name of its document."""
        return self.passage.document

    @property
    def place(self) -> tuple[str, int, int]:
        """Document and lines."""
        return self.passage.document, self.line_start, self.line_end


def statements(readings: Iterable[Reading]) -> Iterator[Statement]:
    """Every sentence of some passages that is no heading and no row of a table."""
    for reading in readings:
        for sentence in reading.sentences:
            if sentence.role not in ("heading", "table_row"):
                said = _statement(reading, sentence)
                yield said
                if (new := replacing(said)) is not said:
                    yield new


def replacing(said: Statement) -> Statement:
    """The words that a sentence puts in the place of others ("... is replaced by: 'Rent means ...'"), or itself."""
    match = _REPLACEMENT.search(said.text)
    if match is None:
        return said
    return replace(said, text=match[1].strip(), stems=frozenset(terms(match[1])), replaces=True)


def resting_on(draft: Draft, item: int, readings: Iterable[Reading]) -> Statement | None:
    """The one sentence that an item of a draft was taken from; None where that is no sentence of these passages."""
    held, documents = draft.answer.items[item], draft.sources[item]
    span, document = held.spans[0], documents[0]
    words = held.value if isinstance(held.value, str) else draft.written[item] if item < len(draft.written) else ""
    wanted = on_one_line(words)
    for reading in readings:
        passage = reading.passage
        if passage.document != document or not passage.line_start <= span.line_start <= passage.line_end:
            continue
        for sentence in reading.sentences:
            inside = sentence.line_start <= span.line_start and span.line_end <= sentence.line_end
            if inside and sentence.role not in ("heading", "table_row") and wanted in sentence.text:
                return _statement(reading, sentence)
    return None


def alike(said: Statement, others: Sequence[Statement]) -> list[Statement]:
    """The other sentences that have most words in common with one, the most alike first; each place once."""
    rated: dict[tuple[str, int, int, str], tuple[float, int]] = {}
    for at, other in enumerate(others):
        share = similarity(said, other)
        if share >= ALIKE and (other.place != said.place or other.text != said.text):
            rated.setdefault((*other.place, other.text), (-share, at))
    return [others[at] for _, at in sorted(rated.values())[:MOST_ALIKE]]


def similarity(one: Statement, other: Statement) -> float:
    """Share of the words of two sentences that both have, numbers aside, in [0, 1]."""
    ours, theirs = _words(one.stems), _words(other.stems)
    return len(ours & theirs) / max(1, len(ours | theirs))


@lru_cache(maxsize=1024)  # one question compares the sentences of all its passages
def _words(stems: frozenset[str]) -> frozenset[str]:
    return frozenset(stem for stem in stems if not stem[0].isdigit())


def _statement(reading: Reading, sentence: Sentence) -> Statement:
    stems = frozenset(sentence.stems)
    return Statement(reading.passage, sentence.line_start, sentence.line_end, sentence.text, stems)


@dataclass(frozen=True, slots=True)
class Opening:
    """The name and the first lines of a document."""

    stems: frozenset[str]
    dating: Dating

    @classmethod
    def of(cls, name: str, store: Store) -> Opening:
        """Read the opening of a document."""
        text = _first_lines(name, store)
        given = given_passages([{"document": name, "text": text}])[0]
        return cls(frozenset(terms(f"{name} {text}")), dating(given))


def _first_lines(name: str, store: Store) -> str:
    return "\n".join(passage.text for passage in store.passages(name, 1, START_LINES))


@remembered
def may_be_amendment(name: str, store: Store) -> bool:
    """True unless the opening of a document has no letters with which it could say that it changes another."""
    return may_amend(f"{name} {_first_lines(name, store)}")


def amending(one: str, other: str, openings: Mapping[str, Opening]) -> bool:
    """True if one of two documents changes the other by its own words, and has the same parties."""
    if one == other or openings[one].dating.amends == openings[other].dating.amends:
        return False
    ours, theirs = openings[one].stems, openings[other].stems
    return len(ours & theirs) >= AKIN * min(len(ours), len(theirs))


def of_one_thing(question: Question, said: Statement, other: Statement, openings: Mapping[str, Opening]) -> bool:
    """True if the document of one sentence tells of as much of the question as that of the other.

    The company and the year that are asked for stand on the first page, not in each sentence: another company's report
    says other figures in the same words.
    """
    lacking = frozenset(question.stems) - said.stems
    told = lacking & openings[said.document].stems
    return told <= other.stems | openings[other.document].stems


Range: TypeAlias = tuple[int, int]
ENOUGH = 2
"""Words of a question that two sentences of different documents have, before their values are compared."""
HALF = 0.5
"""Share of a question's words that they have."""
RELATED = 0.35
"""Share of their own words that they have in common."""
NEAR = 0.2
"""Least share of a sentence's words that a passage has in which one may say something else of the same."""
_REPLACES = re.compile(
    r"\b(?:replac(?:ed|ing)|substitut(?:ed|ing)|delet(?:ed|ing)|(?:is|are)\s(?:hereby\s)?(?:amended|changed|modified))\b",
    re.IGNORECASE,
)
_LONGEST_NAME = 12
"""Words."""
_LONGEST_LABEL = 6
"""Words of the label of an entry."""
_LONGEST_REMARK = 40
"""Characters behind its value: "(as amended)"."""
_IS = re.compile(
    r"\b((?:[\w'\u2019-]+\s+){1,3})(?:is|are|means?|equals|amounts?\s+to|becomes?|will\s+be|shall\s+be|:)\s+"
    r"(?:(?:the|an?|sum|amount|of|now|then)\s+){0,4}$",
    re.IGNORECASE,
)
_LONGEST_NAMING = 120
_KINDS = frozenset(terms("date day year amount number value total"))


@dataclass(frozen=True, slots=True)
class Rival:
    """A sentence that says something else."""

    statement: Statement
    at: Range
    """Range of its words in the place of the answer; empty if it only lacks a "not"."""
    kind: ConflictKind | None
    """None for other words in the same frame."""
    amended: bool = False
    """True if it is one only where one document amends the other: the sentences share little but what they speak of."""


def worth_reading(said: Statement, readings: Sequence[Reading]) -> list[Reading]:
    """The passages that may hold a rival of a sentence: the others need not be cut into sentences."""
    return [
        one
        for one in readings
        if len(said.stems & one.text) >= NEAR * len(said.stems) or _REPLACES.search(one.passage.text)
    ]


def rivals(
    question: Question, said: Statement, shown: Range, others: Sequence[Statement], *, whole: bool
) -> list[Rival]:
    """The sentences that contradict what is shown of one, in their order; each place once."""
    close = alike(said, others)
    found = list(_contradicting(question, said, shown, close, whole=whole))
    own = {one.text for one in others if one.document == said.document}
    agreeing = {one.document for one in others if one.text == said.text}
    elsewhere = [one for one in others if one.document not in agreeing | {said.document} and one.text not in own]
    found += _framed(said, shown, elsewhere)
    new = (one for one in close if (said.replaces or one.replaces) and one.text != said.text)
    found += (Rival(one, (0, 0), None, amended=True) for one in new)
    mine = [one for one in quantities(said.text) if _overlap((one.start, one.end), shown)]
    if len(mine) != 1 and whole:  # the one that is said to be of what is asked
        mine = [one for one in quantities(said.text) if _named_before(said.text, one) & frozenset(question.stems)]
    if len(mine) == 1:
        found += _entered(question, said, mine[0], others)
        found += _replaced(said, mine[0], others)
        found += _valued(question, said, mine[0], elsewhere)
        found += _bound(question, said, mine[0], elsewhere)
    first: dict[tuple[str, int, int], Rival] = {}
    for one in found:
        first.setdefault(one.statement.place, one)
    return list(first.values())


def _contradicting(
    question: Question, said: Statement, shown: Range, close: Sequence[Statement], *, whole: bool
) -> Iterator[Rival]:
    """Nearly the same words with another figure, another date or a "not".

    Two documents that say different things in one sentence disagree about all of it. One document speaks of several
    things in the same words ("a new five year agreement", "a new 364 day agreement"): there what answers has to differ.
    """
    if not close:
        return
    given = [said, *close]
    for conflict in find_conflicts([_record(one) for one in given], of_first=True):
        ours, theirs = conflict.one, conflict.other
        if ours.quote not in said.text:
            continue
        other = given[theirs.position - 1]
        shift, start = said.text.index(ours.quote), other.text.find(theirs.quote)
        if start < 0:
            continue
        place = (shift + ours.at[0] - ours.start, shift + ours.at[1] - ours.start)
        answers = conflict.kind == "polarity" or _overlap(place, shown)
        if other.document != said.document:
            answers = answers or whole
        elif conflict.kind != "polarity":
            answers = answers and _fits(question, said, place)
        if answers:
            begin = start - theirs.start
            yield Rival(other, (begin + theirs.at[0], begin + theirs.at[1]), conflict.kind)


def _record(one: Statement) -> dict[str, object]:
    return {
        "document": one.document,
        "text": one.text,
        "line_start": one.line_start,
        "line_end": one.line_end,
        "title": one.passage.section,
    }


def _framed(said: Statement, shown: Range, others: Sequence[Statement]) -> Iterator[Rival]:
    """The same words around other names: "The manager is Anna Berg." and "The manager is Carl Moss."."""
    ours = words_of(said.text)
    before = [word for word in ours if word.end <= shown[0]]
    behind = [word for word in ours if word.start >= shown[1]]
    mine = ours[len(before) : len(ours) - len(behind)]
    frame = [*before, *behind]
    listed = sum(word.capital for word in frame) > HALF * len(frame)
    if listed or sum(word.content for word in frame) < ENOUGH or not _named(mine):
        return
    needed = frozenset(one for word in frame if word.content for one in terms(word.plain))
    for other in others:
        if not needed <= other.stems:
            continue
        words = words_of(other.text)
        theirs = words[len(before) : len(words) - len(behind)]
        around = [*words[: len(before)], *words[len(words) - len(behind) :]]
        if (
            _named(theirs)
            and len(theirs) <= _LONGEST_NAME
            and _stems(frame) == _stems(around)
            and _others(mine, theirs)
        ):
            yield Rival(other, (theirs[0].start, theirs[-1].end), None)


def _stems(words: Sequence[Word]) -> list[str]:
    return [stem(word.plain) for word in words]


def _named(words: Sequence[Word]) -> bool:
    """True if some words hold a name: other names are other answers, other plain words may say the same."""
    return any(word.capital for word in words) and not any(word.number for word in words)


def _others(mine: Sequence[Word], theirs: Sequence[Word]) -> bool:
    """True if none of two names is a shorter form of the other."""
    ours, other = ({word.plain for word in words if word.content} for words in (mine, theirs))
    return bool(ours - other) and bool(other - ours)


def _valued(question: Question, said: Statement, mine: Quantity, others: Sequence[Statement]) -> Iterator[Rival]:
    """Sentences of other documents that say as much of what is asked, and give another value of the same kind."""
    asked = frozenset(question.stems)
    covered = asked & said.stems
    if len(covered) < max(1, min(ENOUGH, len(asked)), HALF * len(asked)) or not _of_type(question, mine):
        return
    for other in others:
        if covered <= other.stems and similarity(said, other) >= RELATED:
            same = [one for one in quantities(other.text) if one.kind == mine.kind]
            if len(same) == 1 and compared(mine, same[0]) == "different" and _of_one(said, mine, other, same[0]):
                yield _of_value(other, same[0])


def _of_one(said: Statement, mine: Quantity, other: Statement, theirs: Quantity) -> bool:
    """False if two sentences name different things right before their figures: "Rent means", "Deposit means"."""
    ours, named = _named_before(said.text, mine), _named_before(other.text, theirs)
    return not ours or not named or not ours.isdisjoint(named)


def _bound(question: Question, said: Statement, mine: Quantity, others: Sequence[Statement]) -> Iterator[Rival]:
    """Sentences that say of the same thing in as few words what else it is: "so that the Deposit is £35,850"."""
    named = _named_before(said.text, mine) & frozenset(question.stems)
    if not named or not _of_type(question, mine):
        return
    for other in others:
        same = [one for one in quantities(other.text) if one.kind == mine.kind and compared(mine, one) == "different"]
        for one in same:
            if named <= _named_before(other.text, one):
                yield Rival(other, (one.start, one.end), "date" if one.iso else "number", amended=True)
                break


def _named_before(text: str, value: Quantity) -> frozenset[str]:
    """Stems of what a figure is said to be of, right before it."""
    match = _IS.search(text[: value.start][-_LONGEST_NAMING:])
    return frozenset(terms(match[1])) if match else frozenset()


def _entered(question: Question, said: Statement, mine: Quantity, others: Sequence[Statement]) -> Iterator[Rival]:
    """Entries of the same label with another value: "Effective: 15 March 2024" and "Effective date: 1 April 2024".

    Words that only name the kind of value tell no two labels apart, and a label has to say what is asked for.
    """
    label = _label(said.text, mine)
    if not label or not label <= frozenset(question.stems):
        return
    for other in others:
        same = [one for one in quantities(other.text) if one.kind == mine.kind]
        alone = len(same) == 1 and other.place != said.place and _label(other.text, same[0]) == label
        if alone and compared(mine, same[0]) == "different":
            yield _of_value(other, same[0])


def _label(text: str, value: Quantity) -> frozenset[str]:
    """Stems of the label of an entry that is little more than one value; empty of any other sentence."""
    label, colon, _ = text[: value.start].rpartition(":")
    if not colon or text[len(label) + 1 : value.start].strip() or len(text) - value.end > _LONGEST_REMARK:
        return frozenset()
    return frozenset(terms(label)) - _KINDS if len(label.split()) <= _LONGEST_LABEL else frozenset()


def _replaced(said: Statement, mine: Quantity, others: Sequence[Statement]) -> Iterator[Rival]:
    """Sentences that put another value in the place of this one: "by replacing 'thirty days' with 'sixty days'"."""
    for other in others:
        if other.text == said.text or not _REPLACES.search(other.text):
            continue
        same = [one for one in quantities(other.text) if one.kind == mine.kind]
        new = [one for one in same if compared(mine, one) == "different"]
        if len(new) == 1 and any(compared(mine, one) == "same" for one in same):
            yield _of_value(other, new[0])


def _of_value(statement: Statement, value: Quantity) -> Rival:
    return Rival(statement, (value.start, value.end), "date" if value.iso else "number")


def _fits(question: Question, said: Statement, place: Range) -> bool:
    """True if what stands there may be the value that is asked for."""
    found = [one for one in quantities(said.text) if _overlap((one.start, one.end), place)]
    return not found or any(_of_type(question, one) or one.kind == "number" for one in found)


def _of_type(question: Question, value: Quantity) -> bool:
    """True if a figure is of the kind that the question asks for; a bare number may be of a page or a section."""
    if question.answer_type == "date":
        return bool(value.iso)
    if question.answer_type == "amount":
        return value.kind == "money"
    return question.answer_type == "quantity" or value.kind != "number"


def _overlap(one: Range, other: Range) -> bool:
    return one[0] < other[1] and other[0] < one[1]
