"""The data types of an evaluation: questions with gold answers, their documents, the observed answers, and figures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeAlias

Metric: TypeAlias = bool | int | float | None
"""One metric of one question; None if it does not apply, so that averages leave it out."""

Polarity: TypeAlias = Literal["yes", "no"]

Lines: TypeAlias = tuple[int, int]
"""The first and the last line of a place in a document, from 1, both included."""


@dataclass(frozen=True, slots=True)
class Case:
    """One question with its right answers."""

    id: str
    question: str
    gold: tuple[str, ...]
    """The right answers, or the elements of the right list; empty if the document has no answer."""
    pages: tuple[int, ...] = ()
    """Pages with the evidence, from 1; empty if they are not known."""
    kind: str = ""
    """The kind of answer asked for, which decides how the answer is compared with the gold answers."""
    tags: tuple[str, ...] = ()
    """Groups that the report shows separately."""
    value: str = ""
    """The right value as annotators wrote it (a date, a name, Yes or No); empty if the set has none."""
    evidence: tuple[Lines | str, ...] = ()
    """Alternative places of the evidence: lines, or a quote whose lines are looked up in the document."""
    match: tuple[tuple[str, ...], ...] = ()
    """Groups of strings; a right answer contains one of each group. Empty if the gold answers themselves are
    compared."""

    @property
    def answerable(self) -> bool:
        """True if the document has an answer to the question."""
        return bool(self.gold)


@dataclass(frozen=True, slots=True)
class DocumentSource:
    """The source of a document: a file, or its text (with form feeds between its pages)."""

    name: str
    content: Path | str

    @property
    def weight(self) -> int:
        """A rough measure of the time it takes to read: characters, or four times the bytes of a file."""
        return self.content.stat().st_size * 4 if isinstance(self.content, Path) else len(self.content)


@dataclass(frozen=True, slots=True)
class Job:
    """The questions that are asked about one document."""

    part: str
    """Name of the part of the report to which the rows belong."""
    document: DocumentSource
    cases: tuple[Case, ...]


@dataclass(frozen=True, slots=True)
class Baseline:
    """The best sentence of a document by plain BM25, with its lines."""

    text: str
    lines: Lines


@dataclass(frozen=True, slots=True)
class Observation:
    """The observed answer to one question."""

    decision: str
    """The kind of the decision, or `error`."""
    text: str
    confidence: float
    score: float
    """The confidence that the question is answerable, also known if no answer was given."""
    polarity: Polarity | None
    """The yes or no that the answer states; None if it states neither."""
    cited_pages: tuple[int, ...]
    """Pages of the cited lines, in order, without duplicates."""
    hit_pages: tuple[tuple[int, ...], ...]
    """The pages of each retrieved passage, best first."""
    seconds: float
    """Time that the answer took, without reading the document."""
    notes: tuple[str, ...] = ()
    """The caveats of the answer."""
    values: tuple[str, ...] = ()
    """The value of each item: a date in ISO 8601, `yes` or `no`, a number with its unit, or a text."""
    schema: str = ""
    """Class name of the answer."""
    review: bool = False
    """True for an answer that is marked for review."""
    path: str = ""
    """The way of answering (a sentence, a cell, a computation); empty if the result does not name it."""
    cited_lines: tuple[Lines, ...] = ()
    """The lines of each citation, in the order of the items."""
    gold_lines: tuple[Lines, ...] = ()
    """The lines of the evidence; empty if they are not known."""
    baseline: Baseline | None = None
    """The answer of plain BM25; None if the set is not compared with it."""

    @property
    def answered(self) -> bool:
        """True if an answer was given, whether marked or not."""
        return self.decision == "ship"


@dataclass(frozen=True, slots=True)
class Row:
    """One question with its outcome, as it is written to a rows file."""

    set: str
    part: str
    id: str
    document: str
    question: str
    answerable: bool
    kind: str
    tags: tuple[str, ...]
    gold: tuple[str, ...]
    gold_pages: tuple[int, ...]
    decision: str
    text: str
    confidence: float
    score: float
    pages: tuple[int, ...]
    seconds: float
    metrics: Mapping[str, Metric] = field(default_factory=dict)
    review: bool = False
    path: str = ""
    lines: tuple[Lines, ...] = ()
    gold_lines: tuple[Lines, ...] = ()

    @property
    def key(self) -> tuple[str, str, str]:
        """The identity of the question across runs over the same data."""
        return self.set, self.part, self.id


@dataclass(frozen=True, slots=True)
class Figure:
    """One number of a report."""

    part: str
    name: str
    value: float | None
    n: int
    """The number of questions from which it was computed."""
    always_silent: float | None = None
    """The value of this figure for a system that never answers; None if it is not known."""


Score: TypeAlias = Callable[[Case, Observation], Mapping[str, Metric]]
"""A function that computes the metrics of one answer."""


@dataclass(frozen=True, slots=True)
class DataSet:
    """A question set: how it is loaded, how answers are scored, and which figures summarise them."""

    name: str
    load: Callable[[Path, int | None], list[Job]]
    """Called with the data folder and the number of questions wanted (None: the usual number, 0: all)."""
    score: Score
    """A module-level function, since worker processes import it."""
    figures: Callable[[Sequence[Row]], list[Figure]]
    baseline: bool = False
    """True if plain BM25 also answers the questions, for comparison."""
    columns: Mapping[str, str] = field(default_factory=dict)
    """The figures that form a table with one line for each part, each with its heading; empty to list all figures
    instead."""
