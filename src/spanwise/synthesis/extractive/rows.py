"""Figures that a question asks for: the rows of statements that hold them, with the lines that say period and scale."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from spanwise.domain.document import Line
from spanwise.domain.passage import Hit, Passage
from spanwise.domain.question import Metric, Question
from spanwise.store.port import Store
from spanwise.synthesis.extractive.calibration import Weigh, calibrated
from spanwise.synthesis.extractive.candidates import Candidate
from spanwise.synthesis.extractive.lists import Element
from spanwise.text.places import places_within
from spanwise.text.quantities import scale_of
from spanwise.text.rows import Row
from spanwise.text.statements import HOLDS, LABELS_APART, SAYS_MORE, Table, alike, match, read_table, titled

PAGES = 10
"""Pages of the best hits that are read."""
MOST_WORDS = 70
"""A row with more words is a paragraph that ends in figures."""
MOST_ROWS = 6
ENOUGH = 0.45
"""Least measure of rows that are shown: how sure they are to be what was asked for, before it is calibrated."""
LEAST_SHARE = 0.55
"""Share of a question's words that ask for figures, from which on rows answer it."""
_FIRST = 2.0
"""Rows go before lists: a question for liabilities asks for their amount, though it sounds like one for a list."""
_MATCH = 0.6
_STATEMENT = 0.25
_PERIOD = 0.15
_RANK = 0.02
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_COMPUTES = re.compile(
    r"\b(?:average|mean|changed?|growth|grew|grow|cagr|ratio|margin|increased?|decreased?|drop(?:ped)?|declined?|compare"
    r"|difference|turnover|improv\w+|percent(?:age)?|less|minus|plus|sum|y-?o-?y|year[- ]over[- ]year|%)(?!\w)",
    re.IGNORECASE,
)
_HEAD_REACH = 40
"""Lines above a row among which the head of its columns and the scale stand."""
_MOST_HEAD_WORDS = 30
_HEAD_GAP = 4
"""Lines between two years of one head."""


@dataclass(frozen=True, slots=True)
class _Read:
    """A page as it was read."""

    passage: Passage
    lines: tuple[Line, ...]
    table: Table
    years: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Found:
    """A row that may hold a figure."""

    row: Row
    page: _Read
    sureness: float
    match: float


def asks_to_compute(question: Question) -> bool:
    """Whether the answer is not in the rows as they stand: a yes or no, a change, a ratio of what is asked for."""
    return question.answer_type == "boolean" or bool(_COMPUTES.search(question.text))


def row_candidates(question: Question, hits: Sequence[Hit], store: Store, weigh: Weigh = calibrated) -> list[Candidate]:
    """The rows that hold the figures asked for, as one candidate, or nothing.

    Each element is a row as it stands in the source, and cites the head of its columns and the scale as well. A figure
    that is computed from others gets the rows of the others, unless the document reports it itself.
    """
    # "When will the dividend be paid?" asks for no figure, though it names one.
    if (
        not question.metrics
        or question.metric_share < LEAST_SHARE
        or question.answer_type in ("person", "place", "date")
    ):
        return []
    pages = list(_pages(hits, store))
    best: dict[str, _Found | None] = {}
    for metric in question.metrics:
        best[metric.name] = _best_row(question, metric, pages)
    given = {name for metric in question.metrics if metric.of and best[metric.name] is not None for name in metric.of}
    wanted = [metric for metric in question.metrics if metric.name not in given]
    found = [row for metric in wanted if (row := best[metric.name]) is not None]
    asked = [metric for metric in wanted if not metric.of or best[metric.name] is not None]
    if not found or not asked:
        return []
    measure = round(min(1.0, sum(one.sureness for one in found) / len(asked)), 4)
    if measure < ENOUGH:
        return []
    relevance = weigh("computed" if len(asked) > 1 or asks_to_compute(question) else "row", measure)
    # One document answers: rows of different ones would not be figures of the same company.
    document = found[0].page.passage.document
    rows = {one.row.first: one for one in found if one.page.passage.document == document}
    elements = tuple(_element(one) for one in list(rows.values())[:MOST_ROWS])
    return [Candidate(found[0].page.passage, elements, relevance, _FIRST + measure, 0.0, kind="row")]


def _pages(hits: Sequence[Hit], store: Store) -> Iterator[_Read]:
    """The pages of the best hits, each once, the best first."""
    seen: set[tuple[str, int, int]] = set()
    known = {name: store.pages(name) for name in dict.fromkeys(hit.passage.document for hit in hits)}
    for hit in hits:
        passage = hit.passage
        for first, last in places_within(passage.line_start, passage.line_end, known[passage.document]):
            place = (passage.document, first, last)
            if place in seen:
                continue
            if len(seen) == PAGES:
                return
            seen.add(place)
            lines = store.lines(*place)
            table = read_table([(one.number, one.text) for one in lines])
            yield _Read(passage, lines, table, frozenset(year for one in lines for year in _YEAR.findall(one.text)))


def _best_row(question: Question, metric: Metric, pages: Sequence[_Read]) -> _Found | None:
    best: _Found | None = None
    wanted = {year for time in question.times for year in re.findall(r"\d{4}", time)}
    statement = next((one for one in question.statements if one.name == metric.statement), None)
    for rank, page in enumerate(pages):
        here = alike(statement, page.table) * (0.5 + 0.5 * titled(statement, page.table)) if statement else 0.5
        period = len(wanted & page.years) / len(wanted) if wanted else 1.0
        if not period:
            continue  # the figures of another year are no answer
        for row, label in zip(page.table.rows, page.table.labels, strict=True):
            degree = match(metric, label)
            # "Changes in working capital" is not what "working capital" is computed to be.
            least = (SAYS_MORE if metric.of else HOLDS) - LABELS_APART
            if degree < least or len(row.text.split()) > MOST_WORDS or not _has_figure(row):
                continue
            sureness = _MATCH * degree + _STATEMENT * here + _PERIOD * period - _RANK * rank
            if best is None or sureness > best.sureness:
                best = _Found(row, page, sureness, degree)
    return best


def _has_figure(row: Row) -> bool:
    return any(character.isdigit() for cell in row.cells for character in cell)


def _element(found: _Found) -> Element:
    return Element(found.row.text, found.row.first, found.row.last, _context(found))


def _context(found: _Found) -> tuple[tuple[int, int], ...]:
    """The lines above a row that head its columns (years), and the one that states the scale, in order."""
    row, page = found.row, found.page
    above = [line for line in page.lines if row.first - _HEAD_REACH * 3 <= line.number < row.first]
    head = _head(row, page.table.heads)
    places = {head} if head is not None else set()
    if head is None:
        dated = (line for line in reversed(above) if _heads(line.text))
        places |= {(line.number, line.number) for line in list(dated)[:1]}
    scaled = next((line for line in reversed(above) if _short(line.text) and scale_of(line.text) is not None), None)
    if scaled is not None and not any(first <= scaled.number <= last for first, last in places):
        places.add((scaled.number, scaled.number))
    return tuple(sorted(places))


def _head(row: Row, heads: Sequence[Row]) -> tuple[int, int] | None:
    """The lines of the nearest head above; of one with a cell on each line all of them."""
    above = [one for one in heads if one.last < row.first]
    if not above:
        return None
    first, last = above[-1].first, above[-1].last
    for one in reversed(above[:-1]):
        if first - one.last > _HEAD_GAP:
            break
        first = one.first
    return first, last


def _heads(text: str) -> bool:
    return _short(text) and len(_YEAR.findall(text)) >= 1


def _short(text: str) -> bool:
    return len(text.split()) <= _MOST_HEAD_WORDS
