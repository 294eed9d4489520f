"""Ranking factors: one function for each reason why a passage may answer; values are about 0 to 1.

A hit's `factors` has their values by name. Factors of pages apply if the question asks for rows of standard tables.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, pairwise
from typing import TypeAlias

from spanwise.domain.passage import Hit
from spanwise.domain.question import Question
from spanwise.text.expectations.counting import asked_count, says_count
from spanwise.text.expectations.defining import asked_subject, defines, glossed, named_alone
from spanwise.text.passage_reading import Reading, coverage
from spanwise.text.related import spelled_out
from spanwise.text.tables.financial_statements import Table, alike, best_match, read_table, titled
from spanwise.text.terms import terms

_MANY_ROWS = 25
"""Number of table rows from which a page counts as mostly a table."""


@dataclass(frozen=True, slots=True)
class Scene:
    """The context of the factors, in addition to the question and the passage."""

    weights: Mapping[str, float]
    """The weight of each stem of the question, by its rarity among the candidates."""
    best: float
    """The highest score of the full-text search."""
    short: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Abbreviations that the candidates introduce, with the stems of their long forms."""
    preferred: frozenset[str] = frozenset()
    """Names of the documents whose opening has a name of the question."""
    near: Sequence[Hit] = ()
    """The passages with the nearest vectors, scored from 0 to 1; empty without an embedder."""

    def covered(self, stems: frozenset[str]) -> float:
        """The share of the question's weight that these stems cover; an abbreviation counts as its long form."""
        return coverage(spelled_out(stems, self.short) if self.short else stems, self.weights)


_NEAR = 2
"""Largest distance in words between two words that count as neighbours."""
_WORTH_CUTTING = 0.4
"""Least share of the question's words in a passage for it to be split into sentences that are compared one by one."""

Factor: TypeAlias = Callable[[Question, Reading, float, Scene], float]
"""From the question, a passage, its full-text score and the scene to a number."""


def full_text(_question: Question, _reading: Reading, score: float, scene: Scene) -> float:
    """The full-text score (BM25) divided by the best one."""
    return score / scene.best if scene.best > 0 else 0.0


def vectors(_question: Question, reading: Reading, _score: float, scene: Scene) -> float:
    """The score of the nearest vector of an overlapping passage, 0 if none is among the nearest."""
    own = reading.passage
    overlapping = (
        hit.score
        for hit in scene.near
        if hit.passage.document == own.document
        and hit.passage.line_start <= own.line_end
        and own.line_start <= hit.passage.line_end
    )
    return max(overlapping, default=0.0)


def words(_question: Question, reading: Reading, _score: float, scene: Scene) -> float:
    """Weighted share of the question's words in the passage or its heading."""
    return scene.covered(reading.text | reading.title)


def sentence(_question: Question, reading: Reading, _score: float, scene: Scene) -> float:
    """Weighted share of the question's words in the best single sentence.

    It cannot exceed that of the whole passage; if that is low, half of it is returned and no sentences are split.
    """
    most = scene.covered(reading.text)
    if most < _WORTH_CUTTING:
        return most / 2
    return max((scene.covered(frozenset(one.stems)) for one in reading.sentences), default=0.0)


def pairs(question: Question, reading: Reading, _score: float, scene: Scene) -> float:
    """Share of the question's pairs of adjacent words that are near each other in the passage, in the same order."""
    asked = set(pairwise(question.stems))
    if not asked:
        return 0.0
    near = _near(asked, reading)
    names = [long for short, long in scene.short.items() if short in reading.text]
    return sum(pair in near or any(long.issuperset(pair) for long in names) for pair in asked) / len(asked)


def _near(asked: AbstractSet[tuple[str, str]], reading: Reading) -> set[tuple[str, str]]:
    """The pairs whose second word follows the first in the passage as the next word or the one after it."""
    if not any(one in reading.text and other in reading.text for one, other in asked):
        return set()
    wanted = {stem for pair in asked for stem in pair}
    # The few places of these words are combined instead of all words of a passage.
    places = [(place, stem) for place, (_, stem) in enumerate(reading.words) if stem in wanted]
    near = chain(pairwise(places), zip(places, places[2:], strict=False))
    return {(one, other) for (at, one), (then, other) in near if then - at <= _NEAR and (one, other) in asked}


def definition(question: Question, reading: Reading, _score: float, _scene: Scene) -> float:
    """1 if the question asks for a definition and a sentence or row of the passage gives it, else 0."""
    subject = asked_subject(question.text)
    if subject is None or not set(terms(subject)) <= reading.text:
        return 0.0
    spoken = (one.text for one in reading.sentences if one.role != "heading")
    if any(defines(subject, text) or named_alone(subject, text) for text in spoken):
        return 1.0
    return float(any(glossed(subject, row) for row in reading.passage.text.split("\n")))


def count(question: Question, reading: Reading, _score: float, _scene: Scene) -> float:
    """1 if the question asks for a count and a sentence of the passage states how many there are, else 0."""
    counted = asked_count(question.text)
    if counted is None or counted.anything or counted.stems.isdisjoint(reading.text):
        return 0.0
    speaking = (one for one in reading.sentences if not counted.stems.isdisjoint(one.stems))
    return float(any(says_count(counted, one.text) for one in speaking))


def introduction(question: Question, reading: Reading, _score: float, scene: Scene) -> float:
    """If the question asks for a list: best share of its words in a heading or a line that ends in a colon; else 0."""
    if question.answer_shape != "listing":
        return 0.0
    stems = (one.stems for one in reading.sentences if one.role == "heading" or one.text.endswith(":"))
    return max((scene.covered(frozenset(one)) for one in stems), default=0.0)


def heading(_question: Question, reading: Reading, _score: float, scene: Scene) -> float:
    """Weighted share of the question's words in the heading."""
    return scene.covered(reading.title)


def expected_section(question: Question, reading: Reading, _score: float, _scene: Scene) -> float:
    """Whether the profile expects the answer under this heading: 1 for its first title, less for later ones, else 0."""
    for place, title in enumerate(question.retrieval_brief.sections):
        wanted = set(terms(title))
        if wanted and wanted <= reading.title:
            return 1.0 / (1 + 0.4 * place)
    return 0.0


def expert_words(question: Question, reading: Reading, _score: float, _scene: Scene) -> float:
    """The best share of one of the profile's alternative phrasings that the passage or heading contains.

    Labels of table rows are left to the factors of pages, because a sentence that mentions one is no row.
    """
    labels = {label for metric in question.metrics for label in metric.rows}
    phrases = [
        keyword.stems
        for keyword in question.keywords
        if keyword.source == "expert_dictionary" and keyword.text not in labels
    ]
    both = reading.text | reading.title
    return max((sum(stem in both for stem in phrase) / len(phrase) for phrase in phrases if phrase), default=0.0)


def entity(question: Question, reading: Reading, _score: float, _scene: Scene) -> float:
    """Share of the names in the question that the passage contains."""
    names = [set(terms(name, question.language)) for name in question.entities]
    known = [name for name in names if name]
    return sum(name <= reading.text for name in known) / len(known) if known else 0.0


def subject(_question: Question, reading: Reading, _score: float, scene: Scene) -> float:
    """1 if the document's opening has a name of the question, else 0."""
    return float(reading.passage.document in scene.preferred)


def period(question: Question, reading: Reading, _score: float, _scene: Scene) -> float:
    """Share of the years in the question that the passage contains."""
    years = {part for time in question.times for part in time.replace("FY", "").split("-") if len(part) == 4}
    return sum(year in reading.text for year in years) / len(years) if years else 0.0


def figures(question: Question, reading: Reading, _score: float, _scene: Scene) -> float:
    """If the question asks for an amount, quantity or date: the number of words with digits, 1 from ten on; else 0."""
    if question.answer_type not in ("amount", "quantity", "date"):
        return 0.0
    digits = sum(word[0].isdigit() for _, word in reading.words)
    return min(1.0, digits / 10)


def table_rows(question: Question, reading: Reading, _score: float, _scene: Scene) -> float:
    """If the question asks for an amount or quantity: the share of the passage's blocks that are table rows; else 0."""
    if question.answer_type not in ("amount", "quantity"):
        return 0.0
    blocks = reading.passage.blocks
    return sum(role == "table_row" for _, role in blocks) / len(blocks) if blocks else 0.0


def wording(question: Question, reading: Reading, _score: float, _scene: Scene) -> float:
    """The best probability of a sentence by the fitted model of answers to this intent; 0 without a model."""
    if question.model is None:
        return 0.0
    logit = max((question.model.logit(features) for features in reading.features), default=-10.0)
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, logit))))


def named_page(question: Question, reading: Reading, _score: float, _scene: Scene) -> float:
    """1 if the question names the page, else 0."""
    return float(reading.passage.page in question.pages)


def named_section(question: Question, reading: Reading, _score: float, _scene: Scene) -> float:
    """Share of the words of the section named in the question that the heading contains."""
    wanted = set(terms(question.scope or ""))
    return len(wanted & reading.title) / len(wanted) if wanted else 0.0


FACTORS: dict[str, Factor] = {
    "full_text": full_text,
    "vectors": vectors,
    "words": words,
    "sentence": sentence,
    "pairs": pairs,
    "definition": definition,
    "count": count,
    "introduction": introduction,
    "heading": heading,
    "expected_section": expected_section,
    "expert_words": expert_words,
    "entity": entity,
    "subject": subject,
    "period": period,
    "figures": figures,
    "table_rows": table_rows,
    "wording": wording,
    "named_page": named_page,
    "named_section": named_section,
}
"""Every factor of passages by name; weights.toml has a weight for each."""


@dataclass(frozen=True, slots=True)
class Page:
    """The stems and the table of one page."""

    text: frozenset[str]
    table: Table


_PageFactor: TypeAlias = Callable[[Question, Page, Mapping[str, float]], float]
"""From the question, a page and the weight of each stem of the question to a number of about 0 to 1."""


@lru_cache(maxsize=512)
def read_page(lines: tuple[tuple[int, str], ...]) -> Page:
    """The stems and the table in the numbered lines of a page."""
    return Page(frozenset(terms("\n".join(text for _, text in lines))), read_table(lines))


def page_words(_question: Question, page: Page, weights: Mapping[str, float]) -> float:
    """Weighted share of the question's words that the page contains."""
    return coverage(page.text, weights)


def statement_title(question: Question, page: Page, _weights: Mapping[str, float]) -> float:
    """1 if the top of the page has the title of a statement with the answer, else 0."""
    return float(any(titled(statement, page.table) for statement in question.statements))


def statement_rows(question: Question, page: Page, _weights: Mapping[str, float]) -> float:
    """How closely the rows of the page match those of a statement with the answer."""
    return max((alike(statement, page.table) for statement in question.statements), default=0.0)


def statement_page(question: Question, page: Page, _weights: Mapping[str, float]) -> float:
    """The match of rows, for statements whose title is also at the top of the page."""
    return max((alike(one, page.table) for one in question.statements if titled(one, page.table)), default=0.0)


def metric_rows(question: Question, page: Page, _weights: Mapping[str, float]) -> float:
    """Mean match of the figures asked for with the row labels of the page."""
    found = [best_match(metric, page.table.labels) for metric in question.metrics]
    return sum(found) / len(found) if found else 0.0


def table_density(question: Question, page: Page, _weights: Mapping[str, float]) -> float:
    """If the question asks for figures: the number of table rows relative to `_MANY_ROWS`, at most 1; else 0."""
    return min(1.0, len(page.table.labels) / _MANY_ROWS) if question.metrics else 0.0


PAGE_FACTORS: dict[str, _PageFactor] = {
    "page_words": page_words,
    "statement_title": statement_title,
    "statement_rows": statement_rows,
    "statement_page": statement_page,
    "metric_rows": metric_rows,
    "table_density": table_density,
}
"""Every factor of pages by name; weights.toml has a weight for each."""
