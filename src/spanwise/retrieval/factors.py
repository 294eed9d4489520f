"""Why a passage may answer a question: one function a factor, each in about [0, 1], named in the hit's `factors`."""

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
"""Rows that make a page be a table."""


@dataclass(frozen=True, slots=True)
class Scene:
    """What factors know beside the question and the passage."""

    weights: Mapping[str, float]
    """How much each stem of the question counts among the candidates."""
    best: float
    """Highest score of the full-text search."""
    short: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Abbreviations that the candidates introduce, with the stems that they stand for."""
    preferred: frozenset[str] = frozenset()
    """Documents that begin with a name of the question."""
    near: Sequence[Hit] = ()
    """The passages whose vectors are the nearest, where there are vectors, scored from 0 to 1."""

    def covered(self, stems: frozenset[str]) -> float:
        """Share of the question's weight that some stems cover, abbreviations counting as what they stand for."""
        return coverage(spelled_out(stems, self.short) if self.short else stems, self.weights)


_NEAR = 2
"""Words from one to another that is near."""
_WORTH_CUTTING = 0.4
"""Share of the question's words from which a passage is cut into sentences to be compared one by one."""

Factor: TypeAlias = Callable[[Question, Reading, float, Scene], float]
"""From the question, a passage, its full-text score and the scene to a number."""


def full_text(_question: Question, _reading: Reading, score: float, scene: Scene) -> float:
    """The score of the full-text search (BM25), as a share of the best one."""
    return score / scene.best if scene.best > 0 else 0.0


def vectors(_question: Question, reading: Reading, _score: float, scene: Scene) -> float:
    """How near the vector of the passage, or of one that it is part of, is to the question's."""
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
    """Share of the question's words that the passage or its heading has."""
    return scene.covered(reading.text | reading.title)


def sentence(_question: Question, reading: Reading, _score: float, scene: Scene) -> float:
    """Share of the question's words that its best single sentence has.

    It is at most what the whole passage has; where that is little, half of it is taken instead of cutting sentences.
    """
    most = scene.covered(reading.text)
    if most < _WORTH_CUTTING:
        return most / 2
    return max((scene.covered(frozenset(one.stems)) for one in reading.sentences), default=0.0)


def pairs(question: Question, reading: Reading, _score: float, scene: Scene) -> float:
    """Share of the question's pairs of neighbouring words that stand as near to each other in the passage."""
    asked = set(pairwise(question.stems))
    if not asked:
        return 0.0
    near = _near(asked, reading)
    names = [long for short, long in scene.short.items() if short in reading.text]
    return sum(pair in near or any(long.issuperset(pair) for long in names) for pair in asked) / len(asked)


def _near(asked: AbstractSet[tuple[str, str]], reading: Reading) -> set[tuple[str, str]]:
    """The pairs whose second word is the next one in the passage after the first, or the one after that."""
    if not any(one in reading.text and other in reading.text for one, other in asked):
        return set()
    wanted = {stem for pair in asked for stem in pair}
    # The few places of these words are put together, not all the words of a passage.
    places = [(place, stem) for place, (_, stem) in enumerate(reading.words) if stem in wanted]
    near = chain(pairwise(places), zip(places, places[2:], strict=False))
    return {(one, other) for (at, one), (then, other) in near if then - at <= _NEAR and (one, other) in asked}


def definition(question: Question, reading: Reading, _score: float, _scene: Scene) -> float:
    """For a question what something is: whether a sentence of the passage says so."""
    subject = asked_subject(question.text)
    if subject is None or not set(terms(subject)) <= reading.text:
        return 0.0
    spoken = (one.text for one in reading.sentences if one.role != "heading")
    if any(defines(subject, text) or named_alone(subject, text) for text in spoken):
        return 1.0
    return float(any(glossed(subject, row) for row in reading.passage.text.split("\n")))


def count(question: Question, reading: Reading, _score: float, _scene: Scene) -> float:
    """For a question how many there are: whether a sentence of the passage says how many of these."""
    counted = asked_count(question.text)
    if counted is None or counted.anything or counted.stems.isdisjoint(reading.text):
        return 0.0
    speaking = (one for one in reading.sentences if not counted.stems.isdisjoint(one.stems))
    return float(any(says_count(counted, one.text) for one in speaking))


def introduction(question: Question, reading: Reading, _score: float, scene: Scene) -> float:
    """For a question that wants a list: share of its words in the best line that introduces one (heading or colon)."""
    if question.answer_shape != "listing":
        return 0.0
    stems = (one.stems for one in reading.sentences if one.role == "heading" or one.text.endswith(":"))
    return max((scene.covered(frozenset(one)) for one in stems), default=0.0)


def heading(_question: Question, reading: Reading, _score: float, scene: Scene) -> float:
    """Share of the question's words that the heading has."""
    return scene.covered(reading.title)


def expected_section(question: Question, reading: Reading, _score: float, _scene: Scene) -> float:
    """Whether the heading is one under which the profile expects the answer: 1 for the first title, less for others."""
    for place, title in enumerate(question.retrieval_brief.sections):
        wanted = set(terms(title))
        if wanted and wanted <= reading.title:
            return 1.0 / (1 + 0.4 * place)
    return 0.0


def expert_words(question: Question, reading: Reading, _score: float, _scene: Scene) -> float:
    """Share of a profile's other wordings that the passage has, the best of them counting.

    Labels of rows are left to the factors of pages: a sentence that mentions one is no row.
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
    """Share of the question's names that the passage has."""
    names = [set(terms(name, question.language)) for name in question.entities]
    known = [name for name in names if name]
    return sum(name <= reading.text for name in known) / len(known) if known else 0.0


def subject(_question: Question, reading: Reading, _score: float, scene: Scene) -> float:
    """Whether the document begins with a name of the question."""
    return float(reading.passage.document in scene.preferred)


def period(question: Question, reading: Reading, _score: float, _scene: Scene) -> float:
    """Share of the question's years that the passage has."""
    years = {part for time in question.times for part in time.replace("FY", "").split("-") if len(part) == 4}
    return sum(year in reading.text for year in years) / len(years) if years else 0.0


def figures(question: Question, reading: Reading, _score: float, _scene: Scene) -> float:
    """For a question about an amount, a date or a quantity: whether the passage has figures."""
    if question.answer_type not in ("amount", "quantity", "date"):
        return 0.0
    digits = sum(word[0].isdigit() for _, word in reading.words)
    return min(1.0, digits / 10)


def table_rows(question: Question, reading: Reading, _score: float, _scene: Scene) -> float:
    """For a question about an amount: the share of the passage that is rows of a table."""
    if question.answer_type not in ("amount", "quantity"):
        return 0.0
    blocks = reading.passage.blocks
    return sum(role == "table_row" for _, role in blocks) / len(blocks) if blocks else 0.0


def wording(question: Question, reading: Reading, _score: float, _scene: Scene) -> float:
    """How much the best sentence speaks like answers to this intent do (fitted; 0 without a model)."""
    if question.model is None:
        return 0.0
    logit = max((question.model.logit(features) for features in reading.features), default=-10.0)
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, logit))))


def named_page(question: Question, reading: Reading, _score: float, _scene: Scene) -> float:
    """Whether the question names the page."""
    return float(reading.passage.page in question.pages)


def named_section(question: Question, reading: Reading, _score: float, _scene: Scene) -> float:
    """Share of the section's name in the question that the heading has."""
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
"""Every factor by its name; a weight for each stands in weights.toml."""


@dataclass(frozen=True, slots=True)
class Page:
    """What one page says."""

    text: frozenset[str]
    table: Table


_PageFactor: TypeAlias = Callable[[Question, Page, Mapping[str, float]], float]
"""From the question, a page and how much each stem of the question counts to a number in about [0, 1]."""


@lru_cache(maxsize=512)
def read_page(lines: tuple[tuple[int, str], ...]) -> Page:
    """Read the numbered lines of a page."""
    return Page(frozenset(terms("\n".join(text for _, text in lines))), read_table(lines))


def page_words(_question: Question, page: Page, weights: Mapping[str, float]) -> float:
    """Share of the question's words that the page has."""
    return coverage(page.text, weights)


def statement_title(question: Question, page: Page, _weights: Mapping[str, float]) -> float:
    """Whether one of the statements that hold the answer is announced at the top of the page."""
    return float(any(titled(statement, page.table) for statement in question.statements))


def statement_rows(question: Question, page: Page, _weights: Mapping[str, float]) -> float:
    """How many rows of such a statement the page has, one of few or of many being certain."""
    return max((alike(statement, page.table) for statement in question.statements), default=0.0)


def statement_page(question: Question, page: Page, _weights: Mapping[str, float]) -> float:
    """Both for the same statement."""
    return max((alike(one, page.table) for one in question.statements if titled(one, page.table)), default=0.0)


def metric_rows(question: Question, page: Page, _weights: Mapping[str, float]) -> float:
    """Share of the figures asked for that the page has a row of."""
    found = [best_match(metric, page.table.labels) for metric in question.metrics]
    return sum(found) / len(found) if found else 0.0


def table_density(question: Question, page: Page, _weights: Mapping[str, float]) -> float:
    """For a question about figures: whether the page is mostly rows."""
    return min(1.0, len(page.table.labels) / _MANY_ROWS) if question.metrics else 0.0


PAGE_FACTORS: dict[str, _PageFactor] = {
    "page_words": page_words,
    "statement_title": statement_title,
    "statement_rows": statement_rows,
    "statement_page": statement_page,
    "metric_rows": metric_rows,
    "table_density": table_density,
}
"""Every factor of pages by its name; a weight for each stands in weights.toml."""
