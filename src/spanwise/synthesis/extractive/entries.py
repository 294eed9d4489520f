"""Forms: of entries that stand below one another ("Invoice date: ...", "Due date: ..."), the one that is asked for."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from spanwise.domain.document import Line
from spanwise.domain.question import Question
from spanwise.store.port import Store
from spanwise.synthesis.extractive.candidates import Candidate
from spanwise.synthesis.extractive.lists import Element
from spanwise.text.sentences import on_one_line
from spanwise.text.terms import terms

_ENTRY = re.compile(r"\s*(?P<label>[A-Z][^:.;!?]{1,39}):\s+(?=\S)")
_FEWEST = 2
"""Entries that make a paragraph a form."""
_MOST_LINES = 40
_IN_VALUE = 0.5
"""What a word of the question counts behind a label; in the label it counts 1."""


@dataclass(frozen=True, slots=True)
class _Entry:
    lines: tuple[Line, ...]
    label: frozenset[str]
    value: frozenset[str]

    def score(self, wanted: Collection[str], often: Counter[str]) -> float:
        """How much of a question it has, words that several entries have counting less."""
        return sum(
            (1 if stem in self.label else _IN_VALUE) / often[stem] for stem in wanted if stem in self.label | self.value
        )


def narrowed(question: Question, candidate: Candidate, store: Store) -> Candidate:
    """A candidate that is a form read as one sentence, with the entry that has most of the question instead of all.

    As it is where it is no form, or no entry has more than the others.
    """
    if candidate.sentence is None or len(candidate.elements) != 1 or candidate.sentence.text.count(": ") < _FEWEST:
        return candidate
    whole = candidate.elements[0]
    if whole.line_end - whole.line_start >= _MOST_LINES or whole.context:
        return candidate
    entries = _entries(store.lines(candidate.passage.document, whole.line_start, whole.line_end))
    best = _best(entries, question.stems)
    if best is None:
        return candidate
    text = on_one_line("\n".join(line.text for line in best.lines)).strip()
    if text not in whole.text:
        return candidate
    return replace(candidate, elements=(Element(text, best.lines[0].number, best.lines[-1].number),))


def _entries(lines: Sequence[Line]) -> list[_Entry]:
    """The entries of a paragraph with the lines that each goes on over; none where there are too few."""
    starts = [at for at, line in enumerate(lines) if _ENTRY.match(line.text)]
    if len(starts) < _FEWEST:
        return []
    ends = [*starts[1:], len(lines)]
    return [_entry(tuple(lines[start:end])) for start, end in zip(starts, ends, strict=True)]


def _entry(lines: tuple[Line, ...]) -> _Entry:
    match = _ENTRY.match(lines[0].text)
    label = match["label"] if match else ""
    behind = " ".join([lines[0].text[match.end() if match else 0 :], *(line.text for line in lines[1:])])
    return _Entry(lines, frozenset(terms(label)), frozenset(terms(behind)))


def _best(entries: Sequence[_Entry], stems: Sequence[str]) -> _Entry | None:
    """The one entry with more of the question than any other, some of it in its label."""
    often = Counter(stem for entry in entries for stem in entry.label | entry.value)
    ranked = sorted(entries, key=lambda entry: -entry.score(stems, often))
    if not ranked or not ranked[0].label.intersection(stems):
        return None
    alone = len(ranked) == 1 or ranked[0].score(stems, often) > ranked[1].score(stems, often)
    return ranked[0] if alone else None
