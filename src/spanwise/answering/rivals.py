"""Rivals: sentences that state something else about the very thing that an answer states, with the differing words.

They are looked for among the sentences of the retrieved passages, given the sentence on which the answer rests and the
openings of the documents.
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
"""Least similarity of a sentence that may say the same except for a detail."""
MOST_ALIKE = 24
AKIN = 0.3
"""Least share of the words of the shorter of two openings that both must contain, if one document amends the other."""


_REPLACEMENT = re.compile(
    r"\b(?:replaced|amended|changed|substituted|deleted|follows|following|read)\b[^\"\u201c]{0,80}[\"\u201c]"
    r"([^\"\u201c\u201d]{20,})[\"\u201d]?\W*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class SourceSentence:
    """A sentence with its place in a document."""

    passage: Passage
    line_start: int
    line_end: int
    text: str
    stems: frozenset[str]
    replaces: bool = False
    """True for the new wording that a sentence substitutes for another one."""

    @property
    def document(self) -> str:
        """The name of its document."""
        return self.passage.document

    @property
    def place(self) -> tuple[str, int, int]:
        """The name of its document, and its first and last line."""
        return self.passage.document, self.line_start, self.line_end


def statements(readings: Iterable[Reading]) -> Iterator[SourceSentence]:
    """Every sentence of some passages except headings and table rows, followed by its new wording if it has one."""
    for reading in readings:
        for sentence in reading.sentences:
            if sentence.role not in ("heading", "table_row"):
                said = _statement(reading, sentence)
                yield said
                if (new := replacing(said)) is not said:
                    yield new


def replacing(said: SourceSentence) -> SourceSentence:
    """The new wording in a sentence ("... is replaced by: 'Rent means ...'"), or the sentence itself if it has none."""
    match = _REPLACEMENT.search(said.text)
    if match is None:
        return said
    return replace(said, text=match[1].strip(), stems=frozenset(terms(match[1])), replaces=True)


def resting_on(draft: Draft, item: int, readings: Iterable[Reading]) -> SourceSentence | None:
    """The sentence from which an item of a draft was taken; None if it is no sentence of these passages."""
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


def alike(said: SourceSentence, others: Sequence[SourceSentence]) -> list[SourceSentence]:
    """The other sentences with similar words, the most similar first, at most `MOST_ALIKE`, each place once."""
    rated: dict[tuple[str, int, int, str], tuple[float, int]] = {}
    for at, other in enumerate(others):
        share = similarity(said, other)
        if share >= ALIKE and (other.place != said.place or other.text != said.text):
            rated.setdefault((*other.place, other.text), (-share, at))
    return [others[at] for _, at in sorted(rated.values())[:MOST_ALIKE]]


def similarity(one: SourceSentence, other: SourceSentence) -> float:
    """The Jaccard index of the stems of two sentences without numbers, in [0, 1]."""
    ours, theirs = _words(one.stems), _words(other.stems)
    return len(ours & theirs) / max(1, len(ours | theirs))


@lru_cache(maxsize=1024)  # the sentences of all passages of a question are compared pairwise
def _words(stems: frozenset[str]) -> frozenset[str]:
    return frozenset(stem for stem in stems if not stem[0].isdigit())


def _statement(reading: Reading, sentence: Sentence) -> SourceSentence:
    stems = frozenset(sentence.stems)
    return SourceSentence(reading.passage, sentence.line_start, sentence.line_end, sentence.text, stems)


@dataclass(frozen=True, slots=True)
class Opening:
    """The stems of a document's name and first lines, and what they say of its date."""

    stems: frozenset[str]
    dating: Dating

    @classmethod
    def of(cls, name: str, store: Store) -> Opening:
        """The opening of a document."""
        text = _first_lines(name, store)
        given = given_passages([{"document": name, "text": text}])[0]
        return cls(frozenset(terms(f"{name} {text}")), dating(given))


def _first_lines(name: str, store: Store) -> str:
    return "\n".join(passage.text for passage in store.passages(name, 1, START_LINES))


@remembered
def may_be_amendment(name: str, store: Store) -> bool:
    """False if the opening of a document contains no wording with which it could amend another one."""
    return may_amend(f"{name} {_first_lines(name, store)}")


def amending(one: str, other: str, openings: Mapping[str, Opening]) -> bool:
    """True if one of two documents says that it amends another, and their openings share enough words."""
    if one == other or openings[one].dating.amends == openings[other].dating.amends:
        return False
    ours, theirs = openings[one].stems, openings[other].stems
    return len(ours & theirs) >= AKIN * min(len(ours), len(theirs))


def of_one_thing(
    question: Question, said: SourceSentence, other: SourceSentence, openings: Mapping[str, Opening]
) -> bool:
    """True if the other sentence's document covers the words of the question that the first one's opening covers.

    The company and the year asked for are on the first page, not in each sentence: another company's report states
    other figures in the same words. In one document both have the same figures of the question: what a line says of
    exit status 126 is no other answer for 127.
    """
    asked = frozenset(question.stems)
    if said.document == other.document:
        return not any(one[0].isdigit() for one in asked & (said.stems ^ other.stems))
    told = (asked - said.stems) & openings[said.document].stems
    return told <= other.stems | openings[other.document].stems


Range: TypeAlias = tuple[int, int]
ENOUGH = 2
"""Least number of the question's words that two sentences of different documents share, for their values to be
compared."""
HALF = 0.5
"""Least share of the question's words that they must contain."""
RELATED = 0.35
"""Least similarity of the two sentences."""
NEAR = 0.2
"""Least share of a sentence's words that a passage must contain to be searched for its rivals."""
_REPLACES = re.compile(
    r"\b(?:replac(?:ed|ing)|substitut(?:ed|ing)|delet(?:ed|ing)|(?:is|are)\s(?:hereby\s)?(?:amended|changed|modified))\b",
    re.IGNORECASE,
)
_LONGEST_NAME = 12
"""Most words of a name."""
_LONGEST_LABEL = 6
"""Most words of the label of an entry."""
_LONGEST_REMARK = 40
"""Most characters after the value of an entry: "(as amended)"."""
_IS = re.compile(
    r"\b((?:[\w'\u2019-]+\s+){1,3})(?:is|are|means?|equals|amounts?\s+to|becomes?|will\s+be|shall\s+be|:)\s+"
    r"(?:(?:the|an?|sum|amount|of|now|then)\s+){0,4}$",
    re.IGNORECASE,
)
_LONGEST_NAMING = 120
_KINDS = frozenset(terms("date day year amount number value total"))


@dataclass(frozen=True, slots=True)
class Rival:
    """A sentence that states something other than the answer."""

    statement: SourceSentence
    at: Range
    """The range of the words that differ from the answer; empty if the sentence differs only by a "not" or in all."""
    kind: ConflictKind | None
    """None for other words in the same frame, and for new wordings."""
    amended: bool = False
    """True if it counts only where one document amends the other, because the sentences share little but their
    subject."""


def worth_reading(said: SourceSentence, readings: Sequence[Reading]) -> list[Reading]:
    """The passages that may contain a rival of a sentence; the others need not be split into sentences."""
    return [
        one
        for one in readings
        if len(said.stems & one.text) >= NEAR * len(said.stems) or _REPLACES.search(one.passage.text)
    ]


def rivals(
    question: Question, said: SourceSentence, shown: Range, others: Sequence[SourceSentence], *, whole: bool
) -> list[Rival]:
    """The sentences that contradict the shown range of a sentence, one for each place."""
    close = alike(said, others)
    found = list(_contradicting(question, said, shown, close, whole=whole))
    own = {one.text for one in others if one.document == said.document}
    agreeing = {one.document for one in others if one.text == said.text}
    elsewhere = [one for one in others if one.document not in agreeing | {said.document} and one.text not in own]
    found += _framed(said, shown, elsewhere)
    new = (one for one in close if (said.replaces or one.replaces) and one.text != said.text)
    found += (Rival(one, (0, 0), None, amended=True) for one in new)
    mine = [one for one in quantities(said.text) if _overlap((one.start, one.end), shown)]
    if len(mine) != 1 and whole:  # the one that is stated of what is asked
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
    question: Question, said: SourceSentence, shown: Range, close: Sequence[SourceSentence], *, whole: bool
) -> Iterator[Rival]:
    """Sentences with nearly the same words but another figure, another date or a "not".

    Between two documents, any difference in the sentence counts if all of it is shown. A single document may speak of
    several things in the same words ("a new five year agreement", "a new 364 day agreement"), so there the answer
    itself must differ.
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


def _record(one: SourceSentence) -> dict[str, object]:
    return {
        "document": one.document,
        "text": one.text,
        "line_start": one.line_start,
        "line_end": one.line_end,
        "title": one.passage.section,
    }


def _framed(said: SourceSentence, shown: Range, others: Sequence[SourceSentence]) -> Iterator[Rival]:
    """Sentences with the same words around other names: "The manager is Anna Berg." and "The manager is Carl Moss."."""
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
    """True if the words contain a name and no number: another name is another answer, other plain words may not be."""
    return any(word.capital for word in words) and not any(word.number for word in words)


def _others(mine: Sequence[Word], theirs: Sequence[Word]) -> bool:
    """True if neither of two names is a shorter form of the other."""
    ours, other = ({word.plain for word in words if word.content} for words in (mine, theirs))
    return bool(ours - other) and bool(other - ours)


def _valued(
    question: Question, said: SourceSentence, mine: Quantity, others: Sequence[SourceSentence]
) -> Iterator[Rival]:
    """Sentences of other documents that cover as much of the question and state another value of the same kind."""
    asked = frozenset(question.stems)
    covered = asked & said.stems
    if len(covered) < max(1, min(ENOUGH, len(asked)), HALF * len(asked)) or not _of_type(question, mine):
        return
    for other in others:
        if covered <= other.stems and similarity(said, other) >= RELATED:
            same = [one for one in quantities(other.text) if one.kind == mine.kind]
            if len(same) == 1 and compared(mine, same[0]) == "different" and _of_one(said, mine, other, same[0]):
                yield _of_value(other, same[0])


def _of_one(said: SourceSentence, mine: Quantity, other: SourceSentence, theirs: Quantity) -> bool:
    """False if two sentences have different subjects right before their figures: "Rent means", "Deposit means"."""
    ours, named = _named_before(said.text, mine), _named_before(other.text, theirs)
    return not ours or not named or not ours.isdisjoint(named)


def _bound(
    question: Question, said: SourceSentence, mine: Quantity, others: Sequence[SourceSentence]
) -> Iterator[Rival]:
    """Sentences that state in a few words another value of the same thing: "so that the Deposit is £35,850"."""
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
    """Stems of the subject of a figure, right before it; empty if none is found."""
    match = _IS.search(text[: value.start][-_LONGEST_NAMING:])
    return frozenset(terms(match[1])) if match else frozenset()


def _entered(
    question: Question, said: SourceSentence, mine: Quantity, others: Sequence[SourceSentence]
) -> Iterator[Rival]:
    """Entries with the same label and another value: "Effective: 15 March 2024" and "Effective date: 1 April 2024".

    Words that only name the kind of value are ignored in labels, and a label must consist of words of the question.
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
    """Stems of the label of an entry that consists of little more than one value; empty for any other sentence."""
    label, colon, _ = text[: value.start].rpartition(":")
    if not colon or text[len(label) + 1 : value.start].strip() or len(text) - value.end > _LONGEST_REMARK:
        return frozenset()
    return frozenset(terms(label)) - _KINDS if len(label.split()) <= _LONGEST_LABEL else frozenset()


def _replaced(said: SourceSentence, mine: Quantity, others: Sequence[SourceSentence]) -> Iterator[Rival]:
    """Sentences that replace this value by another: "by replacing 'thirty days' with 'sixty days'"."""
    for other in others:
        if other.text == said.text or not _REPLACES.search(other.text):
            continue
        same = [one for one in quantities(other.text) if one.kind == mine.kind]
        new = [one for one in same if compared(mine, one) == "different"]
        if len(new) == 1 and any(compared(mine, one) == "same" for one in same):
            yield _of_value(other, new[0])


def _of_value(statement: SourceSentence, value: Quantity) -> Rival:
    return Rival(statement, (value.start, value.end), "date" if value.iso else "number")


def _fits(question: Question, said: SourceSentence, place: Range) -> bool:
    """True if the words in this range may be the value that is asked for."""
    found = [one for one in quantities(said.text) if _overlap((one.start, one.end), place)]
    return not found or any(_of_type(question, one) or one.kind == "number" for one in found)


def _of_type(question: Question, value: Quantity) -> bool:
    """True if a figure is of the type that the question asks for; a bare number may be a page or section number."""
    if question.answer_type == "date":
        return bool(value.iso)
    if question.answer_type == "amount":
        return value.kind == "money"
    return question.answer_type == "quantity" or value.kind != "number"


def _overlap(one: Range, other: Range) -> bool:
    return one[0] < other[1] and other[0] < one[1]
