"""Figures that the text around a table tells: which sentence speaks of the question, and which figure is meant."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from spanwise.domain.document import Line
from spanwise.text.quantities import Quantity, quantities
from spanwise.text.sentences import sentences
from spanwise.text.tables.grid import years_of
from spanwise.text.terms import terms

MOST_LINES = 160
_LONGEST = 4000
_MONTHS = frozenset("januari februari march april may june juli august septemb octob novemb decemb".split())
_FORM = frozenset(
    "amount valu respect total compani compani's year fiscal end period number million thousand billion".split()
)
"""Stems that say how an answer is wanted rather than what it is about."""
_KINDS: tuple[tuple[re.Pattern[str], frozenset[str]], ...] = (
    (re.compile(r"\bpercent|\bproportion\b|\brates?\b|%"), frozenset(["percent", "percentage_points"])),
    (
        re.compile(r"\bhow long\b|\bhow many (?:years|months|days)\b|\bduration\b|\bperiod\b|\bterm\b"),
        frozenset(["duration"]),
    ),
    (re.compile(r"\bhow many\b|\bnumber of\b"), frozenset(["number", "count"])),
    (re.compile(r""), frozenset(["money", "number", "count", "percent"])),
)


@dataclass(frozen=True, slots=True)
class Told:
    """Figures of one sentence, as written."""

    texts: tuple[str, ...]
    line: int
    coverage: float
    """Share of the question's weight that the sentence has, in [0, 1]."""


class Telling:
    """The sentences around a table, with the weight of each word among them and in the table."""

    def __init__(self, lines: Sequence[Line], names: Sequence[Collection[str]]) -> None:
        self._sentences = [
            (line.number, text, frozenset(terms(text)))
            for line in lines[:MOST_LINES]
            if "|" not in line.text and line.role != "heading"
            for start, end in sentences(line.text[:_LONGEST])
            if (text := line.text[start:end])
        ]
        self._names = names

    def weights(self, stems: Collection[str]) -> Mapping[str, float]:
        """Inverse frequency of some stems over the sentences and the names of the table."""
        held = [*(stems for _, _, stems in self._sentences), *self._names]
        counts = Counter(stem for found in held for stem in found if stem in stems)
        return {stem: math.log(1 + (len(held) + 1) / (counts[stem] + 0.5)) for stem in sorted(stems)}

    def find(self, question: str, years: Sequence[str]) -> Told | None:
        """The figures of the sentence that has most of the question's words, and a figure of the kind that is asked."""
        asked = stems_asked(question)
        weights = self.weights(asked)
        kinds = next(kinds for pattern, kinds in _KINDS if pattern.search(question.lower()))
        best: Told | None = None
        for line, text, stems in self._sentences:
            coverage = covered(asked & stems, weights)
            if best is not None and coverage <= best.coverage:
                continue
            if years and years_of(text) and not set(years) <= years_of(text):
                continue
            figures = _figures(text, kinds, asked, years)
            if figures:
                best = Told(figures, line, coverage)
        return best


def stems_asked(question: str) -> frozenset[str]:
    """Stems of what a question is about, without years and months."""
    return frozenset(
        stem for stem in terms(question) if stem not in _FORM and stem not in _MONTHS and not stem.isdigit()
    )


def covered(stems: Collection[str], weights: Mapping[str, float]) -> float:
    """Share of the weight that some stems have."""
    return sum(weights[stem] for stem in sorted(stems)) / (sum(weights.values()) or 1.0)


def _figures(text: str, kinds: Collection[str], asked: Collection[str], years: Sequence[str]) -> tuple[str, ...]:
    """The figures of a sentence that answer: one for each year where they stand in its order, else the nearest one."""
    every = quantities(text)
    found = [one for one in every if one.kind in kinds and not one.iso]
    found = [one for one in found if one.kind == found[0].kind] if found and "money" not in kinds else found
    money = [one for one in found if one.kind == "money"]
    found = money or found
    if not found:
        return ()
    named = [year for one in every if one.iso for year in sorted(years_of(one.original))]
    if years and len(named) == len(found) > 1:
        by_year = dict(zip(named, found, strict=True))
        if all(year in by_year for year in years):
            return tuple(by_year[year].original.strip() for year in years)
    if len(years) > 1:
        return ()
    return (_nearest(text, found, asked).original.strip(),)


def _nearest(text: str, found: Sequence[Quantity], asked: Collection[str]) -> Quantity:
    """The figure with the words of the question nearest to it; the first of equals."""
    spots = [match.start() for match in re.finditer(r"\w+", text) if set(terms(match.group())) & set(asked)]
    if not spots:
        return found[0]
    return min(found, key=lambda one: sum(sorted(abs(one.start - spot) for spot in spots)[:4]))
