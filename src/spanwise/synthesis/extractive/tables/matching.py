"""Which cells a question means: its words against labels and heads, its years against the periods of the table."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from spanwise.contract.compute import Operation
from spanwise.domain.question import Metric
from spanwise.synthesis.extractive.tables.table_question import TableQuestion
from spanwise.text.fold import folded
from spanwise.text.tables.financial_statements import SAYS_MORE, match
from spanwise.text.tables.financial_statements import plain as stemmed
from spanwise.text.tables.grid import Cell, Grid, GridRow, without_note, years_of
from spanwise.text.terms import terms

_UNKNOWN = 0.35
"""What a word of the question weighs that is nowhere in the table, as a share of the heaviest word."""
_HEAD = 0.6
"""What a word counts that only the head of the column, or the group of the row, has."""
_LABEL = 0.4
"""What it counts that the question has all words of the label."""
_WHOLE = 0.3
"""What it counts that the label stands in the question as it is."""
_STRANGE_HEAD = 0.15
"""What words of a head cost that the question does not have."""
_HYPHEN = re.compile(r"(?<=\w)[-\u2010\u2011/](?=\w)")
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec)(?:[a-z]{2,6})?"
_DATE = re.compile(
    rf"\b(?:{_MONTH}\.? ?\d{{1,2}}(?!\d)|\d{{1,2}} {_MONTH}|{_MONTH}(?=[ -]\d{{4}})|"
    r"(?:january|february|march|april|june|july|august|"
    r"september|october|november|december))\b,?",
    re.IGNORECASE,
)
_BRACKETS = re.compile(r"\([^()]{0,80}\)")
_OTHER = re.compile(r"\bothers?\b", re.IGNORECASE)
_COUNTED = frozenset("million thousand billion dollar dollars rmb usd eur gbp 000 m us u.s".split())
_DATED = 0.25
"""What it counts that the month and day of a cell are named."""
_SHARE = 0.2
"""What it costs that a cell is a percentage where the question does not speak of any."""
_PERCENT = re.compile(r"%|\b(?:percent|percentage|per cent|rate|rates|margin|yield|proportion)\b")
KNOWN = SAYS_MORE - 0.15
"""How well a label has to name a figure that the profile knows to be it."""
_PLAIN = re.compile(r"[^a-z0-9%]+")
_TOTAL = frozenset(["total", "sum", "totals", "grand total", "overall"])


@dataclass(frozen=True, slots=True)
class Place:
    """A cell of a grid and how well it was named."""

    grid: Grid
    row: int
    column: int
    score: float
    """At most about 1.7."""

    @property
    def cell(self) -> Cell:
        """The figure."""
        cell = self.grid.rows[self.row].cells[self.column]
        if cell is None:
            raise LookupError("a place is made of a cell with a figure")
        return cell

    @property
    def line(self) -> GridRow:
        """The row."""
        return self.grid.rows[self.row]

    @property
    def head(self) -> str:
        """What stands above the column."""
        return self.grid.heads[self.column]


@dataclass(frozen=True)
class Index:
    """A grid with its words by meaning."""

    grid: Grid

    @cached_property
    def labels(self) -> tuple[frozenset[str], ...]:
        """Stems of each row's label, years left out; a row without a label is the total of its group.

        A row that is but a total is one of what the head of the labels says.
        """
        named = (without_note(row.name) for row in self.grid.rows)
        return tuple(_stems(f"{self.grid.corner} {one}" if plain(one) in _TOTAL else one) for one in named)

    @cached_property
    def cores(self) -> tuple[frozenset[str], ...]:
        """The same without what stands in brackets."""
        return tuple(
            _stems(_BRACKETS.sub(" ", row.label)) or label
            for row, label in zip(self.grid.rows, self.labels, strict=True)
        )

    @cached_property
    def groups(self) -> tuple[frozenset[str], ...]:
        """Stems of the groups of each row."""
        return tuple(_stems(" ".join(row.groups)) for row in self.grid.rows)

    @cached_property
    def heads(self) -> tuple[frozenset[str], ...]:
        """Stems of each head, years left out."""
        return tuple(_stems(head) for head in self.grid.heads)

    @cached_property
    def caption(self) -> frozenset[str]:
        """Stems of the caption."""
        return _stems(f"{self.grid.corner} {self.grid.caption}")

    @cached_property
    def weights(self) -> Mapping[str, float]:
        """Inverse frequency of each stem over the labels, groups and heads of the table."""
        held = [*self.labels, *self.heads, *sorted(set(self.groups), key=sorted), self.caption]
        counts = Counter(stem for stems in held for stem in stems)
        return {stem: math.log(1 + len(held) / count) for stem, count in counts.items()}

    @cached_property
    def heaviest(self) -> float:
        """The highest of the weights."""
        return max(self.weights.values(), default=1.0)

    @cached_property
    def core_weights(self) -> tuple[float, ...]:
        """What all stems of each core weigh."""
        return tuple(_weight(core, self.weights) for core in self.cores)

    @cached_property
    def head_weights(self) -> tuple[float, ...]:
        """What all stems of each head weigh."""
        return tuple(_weight(head, self.weights) for head in self.heads)

    @cached_property
    def label_names(self) -> tuple[str, ...]:
        """Each label without its note, in plain words."""
        return tuple(plain(without_note(row.label)) for row in self.grid.rows)

    @cached_property
    def head_names(self) -> tuple[str, ...]:
        """Each head without its note, in plain words."""
        return tuple(plain(without_note(head)) for head in self.grid.heads)

    @cached_property
    def known(self) -> frozenset[str]:
        """The stems of all labels, heads and groups."""
        return frozenset[str]().union(*self.labels, *self.heads, *self.groups)

    @cached_property
    def label_dates(self) -> tuple[frozenset[str], ...]:
        """The months and days of each label."""
        return tuple(_dates(row.label) for row in self.grid.rows)

    @cached_property
    def head_dates(self) -> tuple[frozenset[str], ...]:
        """The months and days of each head."""
        return tuple(map(_dates, self.grid.heads))

    @cached_property
    def head_years(self) -> tuple[frozenset[str], ...]:
        """Years of each head."""
        return tuple(years_of(head) for head in self.grid.heads)

    @cached_property
    def row_years(self) -> tuple[frozenset[str], ...]:
        """Years of each row: of its label, else of its groups, else of the balance below that it leads to."""
        own = [years_of(row.label) or years_of(" ".join(row.groups)) for row in self.grid.rows]
        found: list[frozenset[str]] = []
        below: frozenset[str] = frozenset()
        for years in reversed(own):
            below = years or below
            found.append(below)
        return tuple(reversed(found))

    @cached_property
    def table_years(self) -> frozenset[str]:
        """The one year that the head of the labels says of all figures: "Year ended 30 June 2025"."""
        found = years_of(self.grid.corner)
        return found if len(found) == 1 else frozenset()

    @cached_property
    def years(self) -> frozenset[str]:
        """Every year that a cell can be of."""
        return frozenset(year for years in (*self.head_years, *self.row_years, self.table_years) for year in years)

    def words_at(self, place: Place) -> frozenset[str]:
        """Everything that names a cell: stems of its label, groups and head, its years, months and days."""
        row, column = place.row, place.column
        stems = self.labels[row] | self.groups[row] | self.heads[column]
        return stems | self.dates_at(row, column) | self.years_at(row, column)

    def dates_at(self, row: int, column: int) -> frozenset[str]:
        """The months and days that a cell is of."""
        return self.head_dates[column] or self.label_dates[row]

    def years_at(self, row: int, column: int) -> frozenset[str]:
        """The years that a cell is of: of its head or its row, else of the whole table."""
        return self.head_years[column] or self.row_years[row] or self.table_years


@dataclass(frozen=True, slots=True)
class _Asked:
    """Words that name a cell, read once for all cells of a table."""

    stems: frozenset[str]
    dates: frozenset[str]
    text: str
    """In plain words, a space at both ends."""
    weight: float
    share: bool
    """Whether they speak of a percentage."""

    @classmethod
    def of(cls, words: str, index: Index) -> _Asked:
        stems, text = _stems(words), f" {plain(words)} "
        unknown = _UNKNOWN * index.heaviest
        weight = sum(index.weights.get(stem, unknown) for stem in stems) or 1.0
        return cls(stems, _dates(words), text, weight, _PERCENT.search(text) is not None)


class Chooser:
    """Finds cells of one grid for words."""

    def __init__(self, index: Index, metrics: Sequence[Metric] = ()) -> None:
        self.index = index
        self.grid = index.grid
        self._known = tuple(best_known(metrics, row.label) for row in index.grid.rows)

    def named(self, words: str, place: Place) -> float:
        """Share, in [0, 1], of the label that the words have; all where the profile knows the row by that name."""
        if self._known[place.row] >= KNOWN:
            return 1.0
        return named_share(words, place, self.index)

    def places(self, words: str, year: str | None = None) -> list[Place]:
        """Every figure that may be of that year, the best named first; ties stay in the order of the table."""
        asked = _Asked.of(words, self.index)
        found = [
            Place(self.grid, row, column, self._score(asked, row, column))
            for row, column, _ in self.grid.figures()
            if year is None or not self.index.years or year in self.index.years_at(row, column)
        ]
        # Without a year the latest is meant where both are named as well.
        return sorted(found, key=lambda place: (-round(place.score, 6), -self._latest(place)))

    def stems(self, text: str) -> frozenset[str]:
        """What a text names: stems, months, days and years."""
        return _stems(text) | _dates(text) | years_of(text)

    def _latest(self, place: Place) -> int:
        return max((int(year) for year in self.index.years_at(place.row, place.column)), default=0)

    def _score(self, asked: _Asked, row: int, column: int) -> float:
        index = self.index
        label, core, head, group = index.labels[row], index.cores[row], index.heads[column], index.groups[row]
        core_weight, head_weight, whole = index.core_weights[row], index.head_weights[column], index.label_names[row]
        if not label and head:
            label, core, head = head, head, label  # the rows are periods: the heads say what is counted
            core_weight, head_weight, whole = head_weight, 0.0, index.head_names[column]
        cell = self.grid.rows[row].cells[column]
        weights, stems, dates = index.weights, asked.stems, index.dates_at(row, column)
        named = _weight(stems & label, weights)
        beside = _weight(stems & ((head | group | index.caption) - label), weights)
        strange = _weight(head - stems, weights) / (head_weight or 1.0)
        return (
            (named + _HEAD * beside) / asked.weight
            + _LABEL * _weight(stems & core, weights) / (core_weight or 1.0)
            + _DATED * (len(dates & asked.dates) / len(dates) if dates else 0.0)
            + (_WHOLE if whole and f" {whole} " in asked.text else 0.0)
            - _STRANGE_HEAD * strange
            + self._known[row]
            - (_SHARE if cell is not None and cell.unit == "%" and not asked.share else 0.0)
        )


def plain(text: str) -> str:
    """Lower case words with one space between them."""
    return _PLAIN.sub(" ", folded(text).lower()).strip()


def best_known(metrics: Sequence[Metric], label: str) -> float:
    """How well a label names the one figure of a statement that a question asks for, in [0, 1]."""
    reported = [metric for metric in metrics if not metric.of]
    return match(reported[0], stemmed(label)) if len(reported) == 1 else 0.0


def along(places: Iterable[Place], first: Place) -> list[Place]:
    """Those of the places that stand in the row of the first one, or in its column where rows are periods."""
    held = list(places)
    row = [place for place in held if place.row == first.row]
    return row or [place for place in held if place.column == first.column]


def named_share(words: str, place: Place, index: Index) -> float:
    """Share, in [0, 1], of the label's weight that the words have: of the head where the rows are periods."""
    label = index.cores[place.row] or index.heads[place.column]
    asked = _stems(words)
    return _weight(asked & label, index.weights) / (_weight(label, index.weights) or 1.0)


def _weight(stems: Iterable[str], weights: Mapping[str, float]) -> float:
    return sum(weights.get(stem, 0.0) for stem in sorted(stems))


def _stems(text: str) -> frozenset[str]:
    """Stems of a text, dates and what it is counted in left out."""
    # Who asks for "tax related accruals" means the row "Tax-related accruals".
    spoken = _HYPHEN.sub(" ", _DATE.sub(" ", text))
    found = {stem for stem in terms(spoken) if stem not in _COUNTED and not (stem.isdigit() and len(stem) == 4)}
    if _OTHER.search(text):
        found.add("other")  # no word that a search looks for, but the name of many a row
    return frozenset(found)


def _dates(text: str) -> frozenset[str]:
    """The months, days and quarters that a text names."""
    return frozenset(part.strip(",").lower()[:3] for match in _DATE.finditer(text) for part in match.group().split())


LEAST = 0.6
"""Least score of the cell that answers."""
NAMED = 0.5
"""Least share of its label that the question has to name."""


@dataclass(frozen=True, slots=True)
class Solution:
    """An answer from a table: cells as they stand, headings, or cells that an operation is made of."""

    kind: Literal["cells", "headings", "computed"]
    places: tuple[Place, ...]
    score: float
    operation: Operation | None = None
    headings: tuple[str, ...] = ()


OPERATORS = re.compile(
    r"\b(?:nominal |net |total |overall |annual |yearly )?(?:percent(?:age)?|per cent|%)?\s?(?:point )?"
    r"(?:increase\s?/\s?\(?decrease\)?|change|difference|growth rate|growth)\b(?! in assets)"
    r"|\bpercent(?:age)?s? (?:increase|decrease|growth)|\baverage\b(?! (?:exchange|rate|number|grant|exercise|life))"
    r"|\bsum\b|\baltogether\b|\bcombined\b|\brespectively\b|\brespective\b|\bratio\b|"
    r"\bproportion\b|\bincrease\b(?= in )|\bdecrease\b(?= in )"
)
_WHEN = re.compile(
    r"\b(?:(?:fiscal|financial) )?(?:(?:years?|periods?)[ -]?)?(?:end(?:ed|"
    r"ing)?(?: of)? )?(?:fy ?)?(?:19|20)\d\d(?!,?\d)(?:[ -](?:fiscal )?year[ -]?end)?"
    r"|\b(?:years?|periods?) end(?:ed|ing)?\b(?= (?:january|february|march|april|may|june|"
    r"july|august|september|october|november|december|\d))"
)
_NOISE = re.compile(
    r"\b(?:amount|value|values|amounts|year|years|fiscal|financial|ended|ending|company|company's|group's|total number|"
    r"reported|recorded|million|millions|thousand|thousands|billion|end|year-end|period|both|calculated)\b"
)


def words_of(text: str, chooser: Chooser) -> str:
    """A text without the words of the operation, and without noise that no label has."""
    known = chooser.index.known
    cut = OPERATORS.sub(" ", _WHEN.sub(" ", text))
    return _NOISE.sub(lambda match: match.group() if set(terms(match.group())) & known else " ", cut)


def best_named(words: str, chooser: Chooser, year: str | None, text: str | None = None) -> Place | None:
    """The cell that words name best, of a year where one is given; None where none is named well enough."""
    places = chooser.places(words, year)
    if not places or places[0].score < LEAST or chooser.named(text or words, places[0]) < NAMED:
        return None
    return places[0]


def at_years(question: TableQuestion, words: str, chooser: Chooser, years: Sequence[str]) -> list[Place]:
    """The same figure at several years, or nothing."""
    first = next((place for year in years if (place := best_named(words, chooser, year, question.text))), None)
    if first is None:
        return []
    found = []
    for year in years:
        same = along(chooser.places(words, year), first)
        if not same or (first.row != same[0].row and first.column != same[0].column):
            return []
        found.append(same[0])
    return found if len({(place.row, place.column) for place in found}) == len(found) else []


def years_asked(question: TableQuestion, chooser: Chooser) -> list[str]:
    """The years that a question names, those between the ends of a range too."""
    named = list(question.years)
    if question.spans and len(named) == 2:
        low, high = sorted(named)
        return [year for year in sorted(chooser.index.years, reverse=True) if low <= year <= high]
    return named
