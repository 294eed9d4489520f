"""Why a page may answer: what it says as a whole, which statement it is, and which rows it has.

Evidence about figures is a whole page (the balance sheet), while passages are pieces of one: half of a statement does
not look like a statement.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from spanwise.domain.question import Question
from spanwise.text.reading import coverage
from spanwise.text.tables.statements import Table, alike, best_match, read_table, titled
from spanwise.text.terms import terms

MANY_ROWS = 25
"""Rows that make a page be a table."""


@dataclass(frozen=True, slots=True)
class Page:
    """What one page says."""

    text: frozenset[str]
    table: Table


Factor: TypeAlias = Callable[[Question, Page, Mapping[str, float]], float]
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
    return min(1.0, len(page.table.labels) / MANY_ROWS) if question.metrics else 0.0


PAGE_FACTORS: dict[str, Factor] = {
    "page_words": page_words,
    "statement_title": statement_title,
    "statement_rows": statement_rows,
    "statement_page": statement_page,
    "metric_rows": metric_rows,
    "table_density": table_density,
}
"""Every factor of pages by its name; a weight for each stands in weights.toml."""
