"""The parsed question: what is asked, where to look, the form of the answer, and keywords for search.

`Scope` is the part of the corpus to which a question is limited.
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
    """A word or phrase to search for: a string that also has stems, a weight and a source."""

    __slots__ = ("source", "stems", "weight")

    stems: tuple[str, ...]
    weight: float
    """In (0, 1]; words that the user did not write themselves weigh less."""
    source: KeywordSource

    def __new__(
        cls, text: str, stems: tuple[str, ...] = (), weight: float = 1.0, source: KeywordSource = "direct"
    ) -> Self:
        """Create a keyword; `stems` are the stems of its content words."""
        keyword = super().__new__(cls, text)
        keyword.stems, keyword.weight, keyword.source = stems, weight, source
        return keyword

    @property
    def text(self) -> str:
        """The keyword as a plain `str`."""
        return str.__str__(self)


@dataclass(frozen=True, slots=True)
class SentenceModel:
    """A logistic regression that scores whether a sentence answers one kind of question, fitted on public data.

    Its features are stems, pairs of neighbouring stems ("govern|law"), stems of the heading ("#law") and `@start` for
    the first lines of a document.
    """

    bias: float
    weights: Mapping[str, float]

    def logit(self, features: Collection[str]) -> float:
        """The log-odds that a sentence with these features is an answer; the sum of n weights is divided by √n."""
        if not features:
            return self.bias
        weights = self.weights
        # Features are sets, whose order differs from process to process: only an exact sum is always the same.
        return self.bias + math.fsum([weights.get(feature, 0.0) for feature in features]) / math.sqrt(len(features))

    def terms(self, most: int = 12) -> list[str]:
        """The single stems with the largest positive weights, the largest first."""
        single = [(weight, term) for term, weight in self.weights.items() if weight > 0 and term.isalnum()]
        return [term for _, term in sorted(single, key=lambda pair: (-pair[0], pair[1]))[:most]]


@dataclass(frozen=True, slots=True)
class RetrievalBrief:
    """What the search is given: the query without the words about the form of the answer."""

    query: str
    expansions: tuple[str, ...] = ()
    """Alternative phrasings of the query, from the profile."""
    sections: tuple[str, ...] = ()
    """Titles of sections where the answer is expected."""
    pages: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class GenerationBrief:
    """What the writer of the answer is given: the question as asked, and the form of the answer."""

    question: str
    answer_type: str = "text"
    answer_shape: AnswerShape = "single"
    instructions: tuple[str, ...] = ()
    """Phrases of the question about the form: "in EUR", "as integer", "round to two decimal places"."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A standard table of figures that every document of one kind has, such as the balance sheet."""

    name: str
    titles: tuple[str, ...] = ()
    rows: tuple[str, ...] = ()
    """Labels of its rows, by which the table is recognised."""


@dataclass(frozen=True, slots=True)
class Metric:
    """A figure that a statement reports in a row, or that is computed from other metrics."""

    name: str
    rows: tuple[str, ...]
    """Labels that the row may have, the most usual first."""
    statement: str | None = None
    """Name of the statement that contains the row."""
    of: tuple[str, ...] = ()
    """Names of the metrics from which it is computed if no row reports it."""
    formulas: tuple[str, ...] = ()
    """Formulas over those metrics, such as `{revenue} - {cost of sales}`; the first whose metrics all have rows is
    used."""
    unit: str = ""
    """Unit of the computed value: `%`, `day`, `money` for the currency of the rows, empty for a pure number."""
    unsigned: bool = False
    """Whether documents print it with either sign and its absolute value is meant, as with costs and payments."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question as the user asked it, with everything that parsing found in it."""

    text: str
    keywords: tuple[Keyword, ...] = ()
    """What to search for, in the order of the question, without duplicates."""
    intent: str = "unknown"
    profile: str | None = None
    """The profile that defines the intent."""
    entities: tuple[str, ...] = ()
    """Names as the question writes them: "Acme Inc."."""
    constraints: Mapping[str, str] = field(default_factory=dict)
    language: str = "en"
    """ISO 639-1 code of the question's language; texts compared with the question are stemmed in the same language."""
    times: tuple[str, ...] = ()
    """Years, dates and fiscal periods, normalised as in `spanwise.text.quantities` (ISO, FY2022, 2023-Q2)."""
    answer_type: str = "text"
    answer_shape: AnswerShape = "single"
    count: int | None = None
    """The number of elements asked for ("the five ..."); None if the question gives none."""
    scope: str | None = None
    """The title of the section that the question names."""
    pages: tuple[int, ...] = ()
    """The pages that the question names, from 1."""
    limits: Scope | None = None
    """The scope that the caller demands, which takes precedence over what the question names."""
    parts: tuple[str, ...] = ()
    """The single questions of which it consists, if there are several."""
    pattern: Literal["single", "independent", "sequential", "unified", "conditional"] = "single"
    """How the parts are related."""
    clarification: str | None = None
    """The question to ask back if this one is too vague to search for."""
    retrieval_brief: RetrievalBrief = field(default_factory=lambda: RetrievalBrief(""))
    generation_brief: GenerationBrief = field(default_factory=lambda: GenerationBrief(""))
    model: SentenceModel | None = field(default=None, repr=False)
    """The sentence model for this intent, if one was fitted."""
    metrics: tuple[Metric, ...] = ()
    """The metrics whose rows answer the question, or are needed to compute the answer."""
    named_metrics: tuple[Metric, ...] = ()
    """The metrics that the question itself names, in its order: reported in a row, or computed by a formula."""
    formula: str = ""
    """Arithmetic over the metrics that the question itself writes: `{revenue} - {cost of sales}`."""
    metric_share: float = 0.0
    """In [0, 1]: the share of the question's words that ask for those rows; small where they are only mentioned."""
    statements: tuple[Statement, ...] = ()
    """The statements that the question names, or that contain those rows."""
    demanded: str | None = None
    """The answer type that the caller demands, whatever the question's words ask for; None leaves it to the words."""
    notes: tuple[str, ...] = ()
    """Explanations of how a demand was changed that could not be met as given."""

    written: str = ""
    """The question as written, before misspelled words were corrected in `text`; empty if none was."""
    corrections: Mapping[str, str] = field(default_factory=dict)
    """The correction of each misspelled word, a word that no document contains."""

    @property
    def stems(self) -> tuple[str, ...]:
        """Stems of the words that the user wrote and that are searched for, without duplicates."""
        direct = (stem for keyword in self.keywords if keyword.source == "direct" for stem in keyword.stems)
        return tuple(dict.fromkeys(direct))


@dataclass(frozen=True, slots=True)
class Scope:
    """The part of the corpus that a question is limited to: nothing outside is searched, cited or counted as proof.

    Example:
        >>> engine.ask("What is excluded?", scope=Scope(section="Exclusions"))
        >>> engine.ask("Who signed?", scope=Scope(first_page=9, last_page=10))

    Raises:
        InputError: A page or line is below 1, the last one comes before the first, or the section has no words.
    """

    documents: tuple[str, ...] | None = None
    """Names of documents."""
    section: str | None = None
    """Words of a section's title; the section extends from its heading to its last line."""
    first_page: int | None = None
    """Counted from 1."""
    last_page: int | None = None
    first_line: int | None = None
    """Counted from 1 through the whole document, as in citations."""
    last_line: int | None = None
    overlap: bool | None = None
    """Whether to look at the page after the evidence to see if a list or text continues there. That page is never
    cited. None decides by the shape of the answer."""

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
        """The scope that is given in these strings; None if it limits nothing.

        Args:
            section: Words of the title of a section.
            pages: `3`, `3-5`, `3-` or `-5`.
            lines: A range of lines in the same notation.

        Raises:
            InputError: Pages or lines have another notation, or the range is not valid.
        """
        first_page, last_page = _range(pages, "pages")
        first_line, last_line = _range(lines, "lines")
        scope = cls(None, section, first_page, last_page, first_line, last_line)
        return scope if scope.limited else None

    @property
    def limited(self) -> bool:
        """True if it limits more than the documents."""
        return any(
            value is not None
            for value in (self.section, self.first_page, self.last_page, self.first_line, self.last_line)
        )

    def __str__(self) -> str:
        """The limits in words, for messages."""
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
