"""Figures and their years: a claim gives a figure the year that its source gives another one."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from spanwise.guard.comparators.difference import Difference
from spanwise.guard.context import Context
from spanwise.guard.evidence import Evidence, Said
from spanwise.guard.sources import Unit
from spanwise.text.quantities import Quantity, agrees

_CANDIDATES = 3
_MOST = 12
"""Figures of one sentence; more stand in a table, where order pairs nothing."""


def years_stay_with_figures(said: Said, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """Where a sentence pairs figures with years one by one, or "respectively", the claim pairs them the same way."""
    del context
    claimed = list(_pairs(said.quantities, said.plain))
    if not claimed:
        return []
    for unit, _ in evidence.candidates[:_CANDIDATES]:
        stated = list(_pairs(unit.quantities, unit.text))
        if len(stated) > 1 and (faults := list(_exchanged(said, claimed, unit, stated))):
            return faults
    return []


def _exchanged(
    said: Said,
    claimed: Sequence[tuple[Quantity, Quantity]],
    unit: Unit,
    stated: Sequence[tuple[Quantity, Quantity]],
) -> Iterator[Difference]:
    """A figure and a year of which the source pairs each with another one."""
    for figure, year in claimed:
        years = [theirs for other, theirs in stated if agrees(figure, other)]
        figures = [other for other, theirs in stated if theirs.iso == year.iso]
        if years and figures and all(one.iso != year.iso for one in years):
            told = f'the source says "{figure.original}" of {years[0].original}, not of {year.original}'
            at = said.start + min(figure.start, year.start), said.start + max(figure.end, year.end)
            yield Difference("swapped", told, at, unit, denies=True)


def _pairs(found: Sequence[Quantity], text: str) -> Iterator[tuple[Quantity, Quantity]]:
    """Each figure with its year, where the sentence leaves no doubt: they alternate, or come "respectively"."""
    years = [one for one in found if one.iso and one.value is None]
    figures = [one for one in found if one.value is not None and not one.iso and one.kind in _FIGURES]
    if len(years) != len(figures) or not 1 <= len(years) <= _MOST // 2:
        return
    order = [one in years for one in sorted((*years, *figures), key=lambda one: one.start)]
    alternate = all(one is not other for one, other in itertools.pairwise(order))
    blocks = "respectively" in text.lower() and order == sorted(order, reverse=order[0])
    if alternate or blocks:
        yield from zip(figures, years, strict=True)


_FIGURES = ("money", "percent", "percentage_points", "number", "count")
