"""The words of a question that name a cell, the cell they name best, and the same figure at other years."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from spanwise.contract.compute import Operation
from spanwise.synthesis.extractive.tables.asked import TableQuestion
from spanwise.synthesis.extractive.tables.choose import Chooser, Place, along
from spanwise.text.terms import terms

LEAST = 0.6
"""Least score of the cell that answers."""
NAMED = 0.5
"""Least share of its label that the question has to name."""


@dataclass(frozen=True, slots=True)
class Reckoned:
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
