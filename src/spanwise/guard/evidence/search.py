"""Evidence for a claim: over all passages the units that say most of it, and few more of the same passage."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from spanwise.guard.claims.citations import Mark
from spanwise.guard.evidence.units import Sources, Unit, share
from spanwise.guard.sentence.once import Once
from spanwise.text.fold import folded
from spanwise.text.languages import ENGLISH
from spanwise.text.quantities import Quantity, quantities

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
