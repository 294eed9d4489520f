"""Evidence for a claim: the units that say most of it, the stretch it was made from, and how they differ."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from spanwise.domain.document import Line
from spanwise.guard.alignment import LONGEST, Alignment, Pair, align, most_shared
from spanwise.guard.claims.citations import Mark
from spanwise.guard.lexicon import groups_of
from spanwise.guard.records import Flag, Schedule, flags_of, schedule_of
from spanwise.guard.sentence import Once, Word
from spanwise.guard.units import BEGINNING, Sources, Unit, share
from spanwise.guard.verification import FindingKind
from spanwise.text.fold import folded, place_after
from spanwise.text.languages import ENGLISH, told_language
from spanwise.text.quantities import Quantity, quantities
from spanwise.text.related import FAMILY, related
from spanwise.text.tables.grid import Grid
from spanwise.text.tables.table_reading import may_have_table, read_tables
from spanwise.text.terms import stem

MOST_LINES = 5
"""Units that are combined for one claim, at most."""
_CANDIDATES = 12
_LEAST_GAIN = 0.08
"""Share of the claim's weight that one more unit has to add."""


@dataclass(frozen=True)
class ReadClaim:
    """A claim as the checks read it."""

    index: int
    start: int
    end: int
    """Range in the answer."""
    text: str
    """As it stands there."""
    plain: str
    """The same range without citations."""
    sentence: str
    """The whole sentence that the claim is a clause of, without citations."""
    context: str
    """Head and label of the cell of a table."""
    marks: tuple[Mark, ...]
    stems: tuple[str, ...]
    """Of its content words, those of the context first, in order."""
    weights: Mapping[str, float]
    """Of each of its stems."""
    wanted: Mapping[str, float]
    """The same, with the sources' own words in the place of others that may stand for them."""

    language: str = ENGLISH
    """That it is compared in."""

    @Once
    def folded(self) -> str:
        """`plain`, folded."""
        return folded(self.plain)

    @Once
    def quantities(self) -> list[Quantity]:
        """Its figures and dates, places in `plain`."""
        return quantities(self.plain)


@dataclass(frozen=True)
class Evidence:
    """The evidence of a claim."""

    best: tuple[Unit, ...]
    """The units that together say most of it, of one passage, the best first; empty where nothing is near."""
    candidates: tuple[tuple[Unit, float], ...]
    """The nearest units of all passages with the share of the claim that each holds."""
    single: float
    """Share of the claim that the best unit alone holds."""
    together: float
    """Share that `best` holds together, the title of the passage included."""
    anywhere: float
    """Share that all passages together hold."""


def stem_weights(stems: Iterable[str], sources: Sources) -> tuple[dict[str, float], dict[str, float]]:
    """The stems of a claim with their weights; as it says them, and as the sources do."""
    # "aren't" says no more than the "are not" of the source, whose words are none of the content.
    written = {stem: sources.weight(stem) for stem in stems if not stem.endswith("n't")}
    said = {stem: stem if stem in sources.postings else sources.said_as(stem) for stem in written}
    return written, {stem: written.get(stem) or sources.weight(stem) for stem in said.values()}


def find_evidence(said: ReadClaim, sources: Sources) -> Evidence:
    """The evidence for a claim in the passages."""
    rated = sources.rated(said.wanted)
    total = sum(said.wanted.values()) or 1.0
    candidates = tuple((sources.units[number], rate / total) for number, rate in _nearest(rated))
    if not candidates:
        return Evidence((), (), 0.0, 0.0, 0.0)
    best, together = _combined(said.wanted, candidates, sources)
    anywhere = sum(
        weight
        for stem, weight in said.wanted.items()
        if stem in sources.postings or any(stem in source.title for source in sources.sources)
    )
    return Evidence(best, candidates, candidates[0][1], together, anywhere / total)


def _nearest(rated: Sequence[float]) -> list[tuple[int, float]]:
    """The units of the highest rates, the first ones where rates are equal; none that holds nothing."""
    least = heapq.nlargest(_CANDIDATES, rated)[-1:]
    high = [(number, rate) for number, rate in enumerate(rated) if rate >= least[0] and rate]
    return sorted(high, key=lambda item: (-item[1], item[0]))[:_CANDIDATES]


def _combined(
    weights: Mapping[str, float], candidates: Sequence[tuple[Unit, float]], sources: Sources
) -> tuple[tuple[Unit, ...], float]:
    """The passage whose few units say most: units are added while each brings enough that the others lack."""
    chosen: tuple[Unit, ...] = ()
    most = -1.0
    total = sum(weights.values()) or 1.0
    by_source: dict[int, list[tuple[Unit, float]]] = {}
    for candidate in candidates:
        by_source.setdefault(candidate[0].source, []).append(candidate)
    for source, own in by_source.items():
        title = sources.sources[source].title
        # All that its units hold cannot be more than what each holds, taken together.
        if sum([held for _, held in own]) + (share(title, weights) if title else 0) <= most:
            continue
        picked, known = [own[0][0]], own[0][0].known | title
        while len(picked) < min(MOST_LINES, len(own)):
            lacking = [(stem, weight) for stem, weight in weights.items() if stem not in known]
            gains = [(sum([weight for stem, weight in lacking if stem in unit.known]), unit) for unit, _ in own]
            gain, unit = max(gains, key=lambda pair: (pair[0], -pair[1].number))
            if gain / total < _LEAST_GAIN:
                break
            picked.append(unit)
            known |= unit.known
        held = share(known, weights)
        if held > most + 1e-9:
            chosen, most = tuple(picked), held
    return chosen, most


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

    stems: dict[int, ClaimStems] = field(default_factory=dict)
    """For each claim that was compared stem by stem, by its index, what the sources have in place of its stems."""
    known: dict[int, AbstractSet[str]] = field(default_factory=dict)
    """For each unit that was read with its title and what a pronoun stands for, by its number, its stems and theirs."""
    told: dict[int, AbstractSet[str]] = field(default_factory=dict)
    """The same with the heading or the lead-in above it."""

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


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference between a claim and its evidence, before the places of evidence get their ids."""

    kind: FindingKind
    reason: str
    at: tuple[int, int]
    """Range of the answer."""
    unit: Unit | None = None
    """Where a source shows it."""
    denies: bool = False
    """True if the source contradicts the claim, rather than lacking what it says."""
    doubts: bool = False
    """True if this alone keeps the claim from being supported, whatever its score."""
    always: bool = False
    """True if it decides of a free wording too."""
    by: str = ""
    """Name of the comparator that found it."""


# The stems of a claim, and what the sources have in their place: their forms and words that say the same.

_LIGHT = frozenset("get got make made take taken took give given gave go gone went come came become one someon".split())
"""Stems of words that say little by themselves."""


class ClaimStems:
    """The stems of a claim with their weights, the stems of the sources that say the same, and its parts."""

    def __init__(self, said: ReadClaim, sources: Sources) -> None:
        self.said = said
        telling = {one: weight for one, weight in said.weights.items() if one not in _LIGHT} or dict(said.weights)
        total = sum(telling.values()) or 1.0
        self.weights: Mapping[str, float] = {one: weight / total for one, weight in telling.items()}
        self._said: dict[str, list[str]] = {}
        for one in self.weights:
            for other in _alike(one, sources):
                self._said.setdefault(other, []).append(one)

    def said_in(self, known: AbstractSet[str]) -> set[str]:
        """Those of the stems that others say."""
        return {own for other in self._said.keys() & known for own in self._said[other]}

    def weight(self, stems: AbstractSet[str]) -> float:
        """Share of all weight."""
        return sum([weight for one, weight in self.weights.items() if one in stems])

    def has(self, word: str) -> bool:
        """True if a stem of the sources says one of the claim's."""
        return word in self._said

    def share(self, stems: AbstractSet[str], among: AbstractSet[str]) -> float:
        """Share of the weight of some of the stems that others of them hold."""
        total = self.weight(among)
        return self.weight(stems & among) / total if total else 0.0


def claim_stems(said: ReadClaim, context: Context) -> ClaimStems:
    """The stems of a claim; found once, since several checks ask."""
    if said.index not in context.stems:
        context.stems[said.index] = ClaimStems(said, context.sources)
    return context.stems[said.index]


def _alike(word: str, sources: Sources) -> frozenset[str]:
    """The stems of the sources that may stand for a stem: itself, its forms and family, and words that say the same."""
    family = {other for other, share in related(word).items() if share >= FAMILY}
    begun = sources.by_beginning.get(word[:BEGINNING], ()) if len(word) >= BEGINNING else ()
    same = {other for group in groups_of(word) for other in sources.by_group.get(group, ())}
    return frozenset(other for other in {word, *family, *begun, *same} if other in sources.postings)


_ALIGNED = 3
_LEAST_SHARE = 0.5
"""Share of the claim's weight that a unit has to hold to be put beside it; the first may hold less."""
_LEAST_OF_FIRST = 0.3
_LONGEST_UNIT = LONGEST * 12
_BESIDE = 2
"""Units on either side that may belong to the stretch: lines that were wrapped, a heading."""
_LEFT_OVER = 2
"""Words at an end of the claim beyond those that the unit has there, from which the unit beside it is tried."""


def nearest_stretch(said: ReadClaim, evidence: Evidence, context: Context) -> Pair | None:
    """The words of a source that a claim shares most with, in their order; None where nothing is near."""
    if said.index not in context.stretches:
        nearest = _nearest_aligned(said, evidence)
        pair = None
        if nearest is not None:
            alignment, unit = _widened(said.plain, *nearest, context.sources)
            pair = Pair(alignment, unit, said.plain, one_unit=context.sources.units[unit.number] is unit)
        context.stretches[said.index] = pair
    return context.stretches[said.index]


def _nearest_aligned(said: ReadClaim, evidence: Evidence) -> tuple[Alignment, Unit] | None:
    nearest: tuple[Alignment, Unit] | None = None
    for unit, held in evidence.candidates[:_ALIGNED]:
        least = _LEAST_OF_FIRST if nearest is None else _LEAST_SHARE
        # In a short source the words that it has weigh little beside those that it lacks.
        if held < least and (nearest is not None or 2 * len(unit.known.intersection(said.wanted)) < len(said.wanted)):
            break
        if len(unit.text) > _LONGEST_UNIT:
            continue
        if nearest is not None and not _may_be_nearer(unit, said, *nearest):
            continue
        alignment = align(said.plain, unit.text)
        if nearest is None or _nearness(alignment) > _nearness(nearest[0]):
            nearest = alignment, unit
    return nearest


def _may_be_nearer(unit: Unit, said: ReadClaim, alignment: Alignment, nearest: Unit) -> bool:
    if alignment.share >= 1:
        return len(unit.text) < len(nearest.text)
    return most_shared(said.plain, unit.text) > alignment.share


def _nearness(alignment: Alignment) -> tuple[float, int]:
    """Share of the claim in order; of two that have all of it the one that says less else ("Some say that ...")."""
    return alignment.share, -len(alignment.theirs) if alignment.share >= 1 else 0


def _widened(text: str, alignment: Alignment, unit: Unit, sources: Sources) -> tuple[Alignment, Unit]:
    """With the units before and behind it, while each has more of what is left over at that end."""
    if unit.fact is not None:
        return alignment, unit
    for step in (-1, 1):
        at = unit.number
        for _ in range(_BESIDE):
            at += step
            left = _left_over(alignment, step)
            beside = sources.units[at] if 0 <= at < len(sources.units) else None
            if beside is None or beside.source != unit.source or not _has_some(beside, left):
                break
            wider = _joined(*((beside, unit) if step < 0 else (unit, beside)))
            aligned = align(text, wider.text) if len(wider.text) <= _LONGEST_UNIT else alignment
            if aligned.common <= alignment.common:
                break
            alignment, unit = aligned, wider
    return alignment, unit


def _left_over(alignment: Alignment, step: int) -> Sequence[Word]:
    """Words at the beginning (-1) or end (1) of the claim that the source does not have there."""
    if not alignment.changes:
        return ()
    change = alignment.changes[0 if step < 0 else -1]
    at_end = change.before == 0 if step < 0 else change.before + len(change.ours) == len(alignment.ours)
    return change.ours if at_end and len(change.ours) - len(change.theirs) >= _LEFT_OVER else ()


def _has_some(unit: Unit, words: Sequence[Word]) -> bool:
    return unit.fact is None and any(word.plain in unit.known or stem(word.plain) in unit.known for word in words)


def _joined(first: Unit, last: Unit) -> Unit:
    return Unit(
        number=first.number,
        source=first.source,
        start=first.start,
        end=last.end,
        line_start=first.line_start,
        line_end=last.line_end,
        text=f"{first.text} {last.text}",
        stems=(*first.stems, *last.stems),
    )


_ENDS = " .,;:!?'\"*"
_FEWEST = 4


def is_quoted(said: ReadClaim, evidence: Evidence, context: Context) -> bool:
    """Whether the words of a claim stand in the passage of its best evidence, in order and whole."""
    return _place(said, evidence, context) is not None


def is_repeated(said: ReadClaim, evidence: Evidence) -> bool:
    """Whether a claim is a whole unit of the sources, word for word."""
    words = said.folded.strip(_ENDS)
    return any(folded(unit.text).strip(_ENDS) == words for unit, _ in evidence.candidates)


def _place(said: ReadClaim, evidence: Evidence, context: Context) -> tuple[int, int] | None:
    """Where the words stand in the folded passage; looked for once, since several checks ask."""
    if said.index not in context.quoted:
        context.quoted[said.index] = _found(said, evidence, context)
    return context.quoted[said.index]


def _found(said: ReadClaim, evidence: Evidence, context: Context) -> tuple[int, int] | None:
    words = said.folded.strip(_ENDS)
    if not evidence.best or words.count(" ") < _FEWEST - 1:
        return None
    return place_after(words, context.sources.sources[evidence.best[0].source].folded, 0)
