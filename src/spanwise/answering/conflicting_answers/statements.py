"""Sentences of the found passages: the one that an answer rests on, those like it, and the openings of documents."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from spanwise.contract.adapters import given_passages
from spanwise.contract.result import Draft
from spanwise.domain.passage import Passage
from spanwise.domain.question import Question
from spanwise.guard.conflicts.dating import Dating, dating, may_amend
from spanwise.store.port import Store
from spanwise.store.remembered import remembered
from spanwise.text.reading import START_LINES, Reading, Sentence
from spanwise.text.sentences import on_one_line
from spanwise.text.terms import terms

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
