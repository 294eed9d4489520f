"""Cases of a measurement: questions with their gold answers, the documents they are asked over, and what came back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeAlias

Metric: TypeAlias = bool | int | float | None
"""One measure of one question; None where it does not apply, so that averages leave it out."""

Polarity: TypeAlias = Literal["yes", "no"]

Lines: TypeAlias = tuple[int, int]
"""First and last line of a place in a document, from 1, both included."""


@dataclass(frozen=True, slots=True)
class Case:
    """One question with what is known to be right."""

    id: str
    question: str
    gold: tuple[str, ...]
    """Right answers, or the elements of the right list; empty when the document does not answer."""
    pages: tuple[int, ...] = ()
    """Pages that hold the evidence; empty when they are not known."""
    kind: str = ""
    """Kind of answer that is asked for; decides how the answer is compared with the gold."""
    tags: tuple[str, ...] = ()
    """Groups that the report shows apart."""
    value: str = ""
    """The right value as people wrote it down (a date, a name, Yes or No), where the set has it."""
    evidence: tuple[Lines | str, ...] = ()
    """Places of the evidence, any of which will do: lines, or a quote whose lines are found in the document."""
    match: tuple[tuple[str, ...], ...] = ()
    """Groups of strings, of each of which a right answer has one; empty where the gold itself is compared."""

    @property
    def answerable(self) -> bool:
        """True if the document answers the question."""
        return bool(self.gold)


@dataclass(frozen=True, slots=True)
class DocumentSource:
    """Source of a document: a file, or its text (form feeds part its pages)."""

    name: str
    content: Path | str

    @property
    def weight(self) -> int:
        """Roughly how long it takes to read."""
        return self.content.stat().st_size * 4 if isinstance(self.content, Path) else len(self.content)


@dataclass(frozen=True, slots=True)
class Job:
    """The questions that are asked over one document."""

    part: str
    """Table of the report that the rows belong to."""
    document: DocumentSource
    cases: tuple[Case, ...]


@dataclass(frozen=True, slots=True)
class Baseline:
    """The best sentence of a document by plain BM25: its text and its lines."""

    text: str
    lines: Lines


@dataclass(frozen=True, slots=True)
class Observation:
    """Outcome of one question."""

    decision: str
    """The decision's kind, or `error`."""
    text: str
    confidence: float
    score: float
    """Strength with which the question is held to be answerable, also when nothing was shipped."""
    polarity: Polarity | None
    """Yes or no, where the answer says so."""
    cited_pages: tuple[int, ...]
    hit_pages: tuple[tuple[int, ...], ...]
    """Pages of each retrieved passage, the best first."""
    seconds: float
    notes: tuple[str, ...] = ()
    """Caveats of the answer."""
    values: tuple[str, ...] = ()
    """The value of each item: a date in ISO 8601, `yes` or `no`, a number with its unit, or the text."""
    schema: str = ""
    """Name of the answer's class."""
    review: bool = False
    """True for a possible answer, which is marked for review."""
    path: str = ""
    """Way of answering (a sentence, a cell, a computation), where the result tells it."""
    cited_lines: tuple[Lines, ...] = ()
    """Lines of each citation, the first item's first."""
    gold_lines: tuple[Lines, ...] = ()
    """Lines of the evidence; empty where its place is not known."""
    baseline: Baseline | None = None
    """Answer of plain BM25, where the set is compared with it."""

    @property
    def answered(self) -> bool:
        """True if an answer was given."""
        return self.decision == "ship"


@dataclass(frozen=True, slots=True)
class Row:
    """One question as it is written to a rows file."""

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
        """Identity in two runs over the same data."""
        return self.set, self.part, self.id


@dataclass(frozen=True, slots=True)
class Figure:
    """One number of a report."""

    part: str
    name: str
    value: float | None
    n: int
    """Number of questions that it was computed from."""
    always_silent: float | None = None
    """Figure of a system that never answers."""


Score: TypeAlias = Callable[[Case, Observation], Mapping[str, Metric]]
"""The measures of one answer."""


@dataclass(frozen=True, slots=True)
class DataSet:
    """A question set: how to load it, how one answer is scored, which figures sum it up."""

    name: str
    load: Callable[[Path, int | None], list[Job]]
    """From the data folder and the number of questions wanted (None: the usual number, 0: all)."""
    score: Score
    """A function of a module, which worker processes import."""
    figures: Callable[[Sequence[Row]], list[Figure]]
    baseline: bool = False
    """True if plain BM25 is asked the same questions."""
    columns: Mapping[str, str] = field(default_factory=dict)
    """Names of the figures that a table with one line a part shows, with the heading of each; empty for a list."""
