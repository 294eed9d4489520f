"""From a question and a table to cells: which ones answer, and which operation makes the answer of them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from spanwise.contract.compute import Operation
from spanwise.synthesis.extractive.tables.comparisons import (
    count_parts,
    count_periods,
    count_rows,
    parts,
    periods_asked,
    which,
)
from spanwise.synthesis.extractive.tables.matching import (
    Chooser,
    Place,
    Solution,
    at_years,
    best_named,
    words_of,
    years_asked,
)
from spanwise.synthesis.extractive.tables.operands import entities, of_things, pair, share
from spanwise.synthesis.extractive.tables.table_question import TableQuestion, Wanted
from spanwise.text.terms import terms

_HOW_MUCH = re.compile(r"how much (?:is|are|was|were|for|do|does|did)\b")
_PRICES = frozenset(terms("price cost fee amount charge"))
_CURRENCY = len("EUR")


def solve(question: TableQuestion, chooser: Chooser) -> Solution | None:
    """The answer that a table gives, or None."""
    solver = _SOLVERS.get(question.wanted)
    return solver(question, chooser) if solver else None


def _value(question: TableQuestion, chooser: Chooser) -> Solution | None:
    words = words_of(question.text, chooser)
    if len(question.years) < 2:
        things = entities(question, chooser) if question.respectively else []
        year = question.years[0] if question.years else None
        if len(things) > 1:
            found = [best_named(entity, chooser, year) for entity in things]
            places = tuple(place for place in found if place is not None)
            if len(places) == len(found):
                return Solution("cells", places, min(place.score for place in places))
        place = best_named(words, chooser, year, question.text)
        return Solution("cells", (_priced(question, place, chooser),), place.score) if place else None
    several = at_years(question, words, chooser, question.years)
    return Solution("cells", tuple(several), several[0].score) if several else None


def _priced(question: TableQuestion, place: Place, chooser: Chooser) -> Place:
    """The price of what a row names where the question asks how much it is, and no head.

    "How much is the rye loaf?" asks for its price, not for its weight.
    """
    heads = chooser.index.heads
    if not _HOW_MUCH.match(question.text) or not heads[place.column].isdisjoint(terms(question.text)):
        return place
    cells = chooser.index.grid.rows[place.row].cells
    priced = [
        column
        for column, cell in enumerate(cells)
        if cell is not None and (len(cell.unit) == _CURRENCY or not heads[column].isdisjoint(_PRICES))
    ]
    return replace(place, column=priced[0]) if len(priced) == 1 else place


def _two_years(question: TableQuestion, chooser: Chooser) -> list[str]:
    """The later and the earlier year that a change is between."""
    known = sorted(chooser.index.years, reverse=True)
    named = sorted(set(question.years), reverse=True)
    if len(named) >= 2:
        return [named[0], named[-1]]
    if question.base:
        return [known[0], question.base] if known and known[0] > question.base else []
    if len(named) == 1:
        before = [year for year in known if year < named[0]]
        return [named[0], before[0]] if before else []
    return known[:2] if len(known) >= 2 else []


def _change(operation: Operation) -> Callable[[TableQuestion, Chooser], Solution | None]:
    def solve(question: TableQuestion, chooser: Chooser) -> Solution | None:
        years = _two_years(question, chooser)
        places = at_years(question, words_of(question.text, chooser), chooser, years) if years else []
        if len(places) == 2:
            return Solution("computed", tuple(places), places[0].score, operation)
        two = pair(question, chooser)
        if two is None:
            return None
        return Solution("computed", _later_first(two, chooser), min(place.score for place in two), operation)

    return solve


def _later_first(two: tuple[Place, Place], chooser: Chooser) -> tuple[Place, Place]:
    """The later one first; what is named last is later where the table does not say."""
    one, other = (max(chooser.index.years_at(place.row, place.column), default="") for place in two)
    return two if one > other else (two[1], two[0])


def _several(operation: Operation) -> Callable[[TableQuestion, Chooser], Solution | None]:
    """A total or an average: over years, over things that are named, or over all years of the table."""

    def solve(question: TableQuestion, chooser: Chooser) -> Solution | None:
        years = years_asked(question, chooser)
        words = words_of(question.text, chooser)
        if len(years) < 2:
            made = of_things(question, chooser, operation)
            if made is not None:
                return made
            if operation == "total":
                return _value(question, chooser)
            years = _spread_years(question, chooser)
        places = at_years(question, words, chooser, years) if len(years) > 1 else []
        return Solution("computed", tuple(places), places[0].score, operation) if places else None

    return solve


def _spread_years(question: TableQuestion, chooser: Chooser) -> list[str]:
    known = sorted(chooser.index.years, reverse=True)
    if len(question.years) == 1:
        before = [year for year in known if year < question.years[0]]
        return [question.years[0], *before[:1]]
    return known


def _difference(question: TableQuestion, chooser: Chooser) -> Solution | None:
    if len(question.years) >= 2:
        changed = _change("difference")(question, chooser)
        if changed is not None:
            directed = question.spans or "net difference" in question.text
            return changed if directed else _larger_first(changed)
    made = of_things(question, chooser, "difference")
    if made is None:
        return _change("difference")(question, chooser) if len(question.years) < 2 else None
    return _larger_first(made)


def _larger_first(made: Solution) -> Solution:
    """A difference without a direction is what the larger has more."""
    one, other = made.places
    return replace(made, places=(one, other) if one.cell.value >= other.cell.value else (other, one))


_SOLVERS: dict[Wanted, Callable[[TableQuestion, Chooser], Solution | None]] = {
    "value": _value,
    "change": _change("difference"),
    "percentage_change": _change("percentage_change"),
    "average": _several("average"),
    "total": _several("total"),
    "difference": _difference,
    "ratio": share("ratio"),
    "percentage_share": share("percentage_share"),
    "count_periods": count_periods,
    "count_parts": count_parts,
    "count_rows": count_rows,
    "which": which,
    "periods": periods_asked,
    "parts": parts,
}
