"""A question, parsed: what is asked, where, in which form, and in words that can be compared with a text.

`Scope` is what it is limited to.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Literal, Self, TypeAlias

from spanwise.errors import InputError

AnswerShape: TypeAlias = Literal["single", "listing", "table", "tree", "nested_json"]
KeywordSource: TypeAlias = Literal["direct", "expert_dictionary", "llm_expansion"]


class Keyword(str):
    """A word or a phrase to look for: its text, which also knows how much it counts and where it comes from."""

    __slots__ = ("source", "stems", "weight")

    stems: tuple[str, ...]
    weight: float
    """In (0, 1]; what the user did not write weighs less."""
    source: KeywordSource

    def __new__(
        cls, text: str, stems: tuple[str, ...] = (), weight: float = 1.0, source: KeywordSource = "direct"
    ) -> Self:
        """Make a keyword; `stems` are those of its content words."""
        keyword = super().__new__(cls, text)
        keyword.stems, keyword.weight, keyword.source = stems, weight, source
        return keyword

    @property
    def text(self) -> str:
        """The keyword as plain text."""
        return str.__str__(self)


@dataclass(frozen=True, slots=True)
class SentenceModel:
    """How sentences that answer one kind of question speak, fitted on public data (logistic regression).

    Its features are stems, pairs of neighbouring stems ("govern|law"), stems of the heading ("#law") and `@start` for
    the first lines of a document.
    """

    bias: float
    weights: Mapping[str, float]

    def logit(self, features: Collection[str]) -> float:
        """Log-odds that a sentence with these features answers; longer sentences need more of them."""
        if not features:
            return self.bias
        weights = self.weights
        # Features are sets, whose order differs from process to process: only an exact sum is always the same.
        return self.bias + math.fsum([weights.get(feature, 0.0) for feature in features]) / math.sqrt(len(features))

    def terms(self, most: int = 12) -> list[str]:
        """The single stems that speak most for an answer, the strongest first."""
        single = [(weight, term) for term, weight in self.weights.items() if weight > 0 and term.isalnum()]
        return [term for _, term in sorted(single, key=lambda pair: (-pair[0], pair[1]))[:most]]


@dataclass(frozen=True, slots=True)
class RetrievalBrief:
    """What the search is told: the query without words about the answer's form."""

    query: str
    expansions: tuple[str, ...] = ()
    """Other ways to say it, from the profile."""
    sections: tuple[str, ...] = ()
    """Titles of sections where the answer is expected."""
    pages: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class GenerationBrief:
    """What the answer is told: the question as asked, and its form."""

    question: str
    answer_type: str = "text"
    answer_shape: AnswerShape = "single"
    instructions: tuple[str, ...] = ()
    """Words about the form: "in EUR", "as integer", "round to two decimal places"."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A table of figures that every document of one kind has, such as the balance sheet."""

    name: str
    titles: tuple[str, ...] = ()
    rows: tuple[str, ...] = ()
    """Labels of its rows, by which it is recognised."""


@dataclass(frozen=True, slots=True)
class Metric:
    """A figure that a statement reports as a row."""

    name: str
    rows: tuple[str, ...]
    """Labels that the row may have, the most usual first."""
    statement: str | None = None
    """Name of the statement that has the row."""
    of: tuple[str, ...] = ()
    """Names of the metrics that it is computed from where no row reports it."""
    formulas: tuple[str, ...] = ()
    """How it is computed from them: `{revenue} - {cost of sales}`; the first is used whose metrics have rows."""
    unit: str = ""
    """Unit of what is computed: `%`, `day`, `money` for the currency of the rows, nothing for a pure number."""
    unsigned: bool = False
    """Whether it is printed with either sign and counted without it, as costs and payments are."""


@dataclass(frozen=True, slots=True)
class Question:
    """What the user asked."""

    text: str
    keywords: tuple[Keyword, ...] = ()
    """What to look for, in order, each once."""
    intent: str = "unknown"
    profile: str | None = None
    """The profile whose intent it is."""
    entities: tuple[str, ...] = ()
    """Names as written: "Acme Inc."."""
    constraints: Mapping[str, str] = field(default_factory=dict)
    language: str = "en"
    """ISO 639-1 code of the language that it is plainly asked in; what is compared with it is stemmed alike."""
    times: tuple[str, ...] = ()
    """Years, dates and fiscal periods, in the form of `spanwise.text.quantities` (ISO, FY2022, 2023-Q2)."""
    answer_type: str = "text"
    answer_shape: AnswerShape = "single"
    count: int | None = None
    """How many elements it asks for ("the five ..."), when it says so."""
    scope: str | None = None
    """Section that it names."""
    pages: tuple[int, ...] = ()
    """Pages that it names."""
    limits: Scope | None = None
    """What the caller limits it to, whatever it names itself."""
    parts: tuple[str, ...] = ()
    """Questions that it is made of, when it is more than one."""
    pattern: Literal["single", "independent", "sequential", "unified", "conditional"] = "single"
    clarification: str | None = None
    """What to ask back when it is too vague to be looked for."""
    retrieval_brief: RetrievalBrief = field(default_factory=lambda: RetrievalBrief(""))
    generation_brief: GenerationBrief = field(default_factory=lambda: GenerationBrief(""))
    model: SentenceModel | None = field(default=None, repr=False)
    """How answers to this intent speak, when that was fitted."""
    metrics: tuple[Metric, ...] = ()
    """Rows of statements that it asks for, or that what it asks for is computed from."""
    named_metrics: tuple[Metric, ...] = ()
    """The figures themselves that it asks for, in its order: reported in a row, or computed by a formula."""
    formula: str = ""
    """Arithmetic over them that it writes itself: `{revenue} - {cost of sales}`."""
    metric_share: float = 0.0
    """Share of its words that ask for those rows: little where they are only mentioned."""
    statements: tuple[Statement, ...] = ()
    """Statements that it names, or that hold those rows."""
    demanded: str | None = None
    """The type that the caller wants the answer in, whatever the words ask for; None leaves it to the words."""
    notes: tuple[str, ...] = ()
    """What was made of a demand that could not be met as it was said."""

    written: str = ""
    """The question as it was written, where `text` has misspelled words corrected."""
    corrections: Mapping[str, str] = field(default_factory=dict)
    """What was taken for each misspelled word, which no document has."""

    @property
    def stems(self) -> tuple[str, ...]:
        """Stems of the words that the user wrote and that are looked for, each once."""
        direct = (stem for keyword in self.keywords if keyword.source == "direct" for stem in keyword.stems)
        return tuple(dict.fromkeys(direct))


@dataclass(frozen=True, slots=True)
class Scope:
    """What a question is limited to; None is no limit. Nothing outside of it is searched, cited or counted as proof.

    Example:
        >>> engine.ask("What is excluded?", scope=Scope(section="Exclusions"))
        >>> engine.ask("Who signed?", scope=Scope(first_page=9, last_page=10))

    Raises:
        InputError: A page or line is below 1, the last one comes before the first, or the section has no words.
    """

    documents: tuple[str, ...] | None = None
    """Names of documents."""
    section: str | None = None
    """Words of the title of a section: from its heading to its last line."""
    first_page: int | None = None
    """Pages are counted from 1."""
    last_page: int | None = None
    first_line: int | None = None
    """Lines are counted from 1 through the whole document, as citations count them."""
    last_line: int | None = None
    overlap: bool | None = None
    """Whether the page after the evidence is looked at to tell if a list or text goes on there. It is never a source.
    None decides by the shape of the answer."""

    def __post_init__(self) -> None:
        for what, first, last in (("page", self.first_page, self.last_page), ("line", self.first_line, self.last_line)):
            if any(one is not None and one < 1 for one in (first, last)):
                raise InputError(f"There is no {what} below 1: count from 1.")
            if first is not None and last is not None and last < first:
                raise InputError(f"The last {what}, {last}, comes before the first, {first}: name them in their order.")
        if self.section is not None and not self.section.strip():
            raise InputError("The section to look in has no name: write some words of its title.")

    @classmethod
    def read(cls, *, section: str | None = None, pages: str | None = None, lines: str | None = None) -> Scope | None:
        """The scope that words describe; None where they limit nothing.

        Args:
            section: Words of the title of a section.
            pages: `3`, `3-5`, `3-` or `-5`.
            lines: The same of lines.

        Raises:
            InputError: Pages or lines are written in another way, or make no scope.
        """
        first_page, last_page = _range(pages, "pages")
        first_line, last_line = _range(lines, "lines")
        scope = cls(None, section, first_page, last_page, first_line, last_line)
        return scope if scope.limited else None

    @property
    def limited(self) -> bool:
        """Whether it limits more than the documents."""
        return any(
            value is not None
            for value in (self.section, self.first_page, self.last_page, self.first_line, self.last_line)
        )

    def __str__(self) -> str:
        """In words."""
        said = [f"the section {self.section!r}"] if self.section is not None else []
        for what, first, last in (("page", self.first_page, self.last_page), ("line", self.first_line, self.last_line)):
            if first is not None and last is not None:
                said.append(f"{what} {first}" if first == last else f"{what}s {first} to {last}")
            elif first is not None or last is not None:
                said.append(f"{what}s from {first}" if first is not None else f"{what}s to {last}")
        return " and ".join(said) or "everything"


def _range(written: str | None, what: str) -> tuple[int | None, int | None]:
    if written is None:
        return None, None
    match = re.fullmatch(r"(\d{1,9})?(-)?(\d{1,9})?", written.replace(" ", ""), re.ASCII)
    if match is None or match.lastindex is None or not (match[1] or match[3]):
        raise InputError(f"{written!r} names no {what}: write 3, 3-5, 3- or -5.")
    first, last = (int(one) if one else None for one in (match[1], match[3]))
    return (first, last) if match[2] else (first, first)
