"""Everything that claims are checked against, read once for a whole answer."""

from __future__ import annotations

from dataclasses import dataclass, field

from spanwise.domain.document import Line
from spanwise.guard.evidence.pair import Pair
from spanwise.guard.evidence.units import Sources
from spanwise.guard.records.attributes import Flag, flags_of
from spanwise.guard.records.schedules import Schedule, schedule_of
from spanwise.guard.sentence.once import Once
from spanwise.text.fold import folded
from spanwise.text.languages import ENGLISH, told_language
from spanwise.text.tables.grid import Grid
from spanwise.text.tables.reading import may_have_table, read_tables

_MOST_TOLD = 40
"""Passages whose language is looked at."""
_SAMPLE = 400
"""Characters of each."""
_LONGEST_TABLE = 100_000
"""Characters of a passage in which tables are looked for."""


@dataclass(frozen=True)
class Context:
    """The passages and what is asked about them."""

    sources: Sources
    stretches: dict[int, Pair | None] = field(default_factory=dict)
    """For each claim that was put beside the sources, by its index, the words that it shares most with."""
    quoted: dict[int, tuple[int, int] | None] = field(default_factory=dict)
    """For each claim that was looked for in its passage, by its index, where its words stand there, folded."""

    @Once
    def flags(self) -> list[Flag]:
        """Facts of records that are yes, no or open."""
        return flags_of(self.sources)

    @Once
    def schedule(self) -> Schedule | None:
        """Opening hours in records."""
        return schedule_of(self.sources)

    @Once
    def tables(self) -> list[tuple[int, Grid]]:
        """The tables of all passages, each with the index of its passage; of what is too long none."""
        return [
            (index, grid)
            for index, source in enumerate(self.sources.sources)
            if (text := source.given.passage.text) and len(text) <= _LONGEST_TABLE and may_have_table(text)
            for grid in read_tables("", _lines(text, source.given.passage.line_start))
        ]

    @Once
    def languages(self) -> frozenset[str]:
        """The languages of the passages, as far as they can be told; none where some passage is a record."""
        texts = () if self.records else (source.given.passage.text for source in self.sources.sources[:_MOST_TOLD])
        return frozenset(filter(None, (told_language(text[:_SAMPLE]) for text in texts)))

    def language_of(self, claim: str) -> str:
        """The language that a claim is compared in: its own, or that of the passages where it tells none."""
        own = told_language(claim, self.languages) if self.languages else ENGLISH
        if own and own not in self.languages and any(folded(claim) in source.folded for source in self.sources.sources):
            own = ""  # what stands in a passage is in its language, whatever its few words look like
        return own or (min(self.languages) if len(self.languages) == 1 else ENGLISH)

    @Once
    def records(self) -> bool:
        """True if some passage is a record."""
        return any(source.facts for source in self.sources.sources)


def _lines(text: str, first: int) -> list[Line]:
    return [Line(number, 1, number, line) for number, line in enumerate(text.split("\n"), start=first)]
