"""How well a claim is supported: its features, and the fitted model that weighs them.

A logistic regression and a few small boosted trees (Friedman 2001), their log-odds averaged and calibrated (Platt
1999); `fitting/guard.py` writes the weights and prints how good they are on sources never seen.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from itertools import pairwise

from spanwise.guard.alignment import Change, Pair
from spanwise.guard.evidence import Context, Difference, Evidence, ReadClaim, nearest_stretch
from spanwise.guard.lexicon import NEGATORS, QUANTIFIERS, STRENGTHS, is_negation
from spanwise.guard.records import attributes_in, clashes
from spanwise.guard.units import Sources, Unit, share
from spanwise.text.related import rarity
from spanwise.text.terms import placed_terms
from spanwise.text.terms import stem as stemmed
from spanwise.text.trees import Tree

_KINDS = ("fabricated", "number_changed", "date_changed", "negated", "swapped", "not_in_sources")
"""Kinds of findings that the fit gives a weight."""
_OF_RECORDS = ("record", "affirmed_no", "affirmed_unknown", "denied_unknown", "agreeing", "hours")
_FIGURE = re.compile(r"\d+(?:[.,]\d+)*")
_BEGINNING = 5
"""Letters that words of one family share."""
_NEAREST = 5
_MODALS = frozenset("shall must will may can should would could".split())
_OF_ALIGNMENT = ("aligned", "matched", "apart", "changes", "unexplained", "tail", "before_tail")
_FAR_APART = 8
"""Words of the source between two words that are adjacent in the claim."""

FEATURES = (
    *("single", "anywhere", "beginnings", "passage", "nearest", "nearest_beginnings"),
    *("pairs", "pairs_best", "run", "missing_weight", "missing_share"),
    *("names_missing", "names_missing_near", "digits_missing", "digits_missing_near"),
    *("lacking_rarity", "lacking_rarest", "lacking_last", "surprise", "surprise_share", "surprise_most"),
    *("surprise_anywhere", "surprise_in_a_row", "surprise_last", "surprise_deed"),
    *_OF_ALIGNMENT,
    *("words", "stems", "clause", "units", "characters", "lines_used"),
    *("negations", "negation_differs", "modal", "modal_differs", "firmness", "extent", "negated_nearby"),
    *(*_OF_RECORDS, *_KINDS, "denies"),
)
"""Names of the features, in the order of a row."""
_MOST_SURPRISING = -math.log(0.1)
"""The surprisal of a stem that is in none of the lists."""


@dataclass(frozen=True, slots=True)
class CheckedClaim:
    """A claim with its evidence and the differences that the comparators found."""

    said: ReadClaim
    evidence: Evidence
    faults: tuple[Difference, ...]
    quoted: bool = False
    """True if a passage has it verbatim."""


def features_of(held: CheckedClaim, context: Context) -> list[float]:
    """The features of a claim, in the order of `FEATURES`: of the claim and the passages, and of nothing else."""
    pair = nearest_stretch(held.said, held.evidence, context)
    values = {
        **_coverage(held, context.sources),
        **_order(held, context.sources),
        **_figures(held, context.sources),
        **_lacking(held, context.sources),
        **_alignment(pair, held),
        **_size(held, context),
        **_manner(held),
        **_record(held, context),
        **_faults(held),
    }
    return [float(values[name]) for name in FEATURES]


def _coverage(one: CheckedClaim, sources: Sources) -> dict[str, float]:
    """How much of the claim's weight the passages hold, word by word."""
    evidence, weights = one.evidence, one.said.weights
    missing = [stem for stem in weights if stem not in sources.postings]
    near = frozenset[str]().union(*[unit.known for unit, _ in evidence.candidates[:_NEAREST]])
    far = [stem for stem in weights if stem not in near]
    family = {stem[:_BEGINNING] for stem in near if len(stem) >= _BEGINNING} if far else ()
    by_source: dict[int, float] = {}
    for stem, weight in weights.items():
        for source in sources.holders[stem]:
            by_source[source] = by_source.get(source, 0) + weight
    total = sum(weights.values()) or 1.0
    return {
        "single": evidence.single,
        "anywhere": evidence.anywhere,
        "beginnings": _loosely(weights, missing, sources.beginnings if missing else ()),
        "passage": max(by_source.values(), default=0) / total,
        "nearest": share(near, weights),
        "nearest_beginnings": _loosely(weights, far, family),
        "missing_weight": sum(weights[stem] for stem in missing),
        "missing_share": len(missing) / max(1, len(weights)),
    }


def _loosely(weights: Mapping[str, float], unknown: Collection[str], family: Collection[str]) -> float:
    """Share of the weight of the stems that are known, or begin like one that is."""
    unlike = {stem for stem in unknown if stem[:_BEGINNING] not in family}
    return share(weights.keys() - unlike, weights) if unlike else 1.0


def _order(one: CheckedClaim, sources: Sources) -> dict[str, float]:
    """How much of the claim's order of words the passages have."""
    stems = one.said.stems
    pairs = list(pairwise(stems))
    best = frozenset[tuple[str, str]]().union(*[unit.pairs for unit in one.evidence.best])
    there = [pair in best for pair in pairs]
    return {
        "pairs": _share([near or sources.side_by_side(*pair) for near, pair in zip(there, pairs, strict=True)]),
        "pairs_best": _share(there),
        "run": _run(stems, one.evidence.best) / max(1, len(stems)),
    }


def _run(stems: Sequence[str], units: Sequence[Unit]) -> int:
    """Length of the longest run of the claim's stems in one of the units."""
    longest = 0
    for unit in units:
        before: dict[int, int] = {}
        for stem in stems:
            before = {place: before.get(place - 1, 0) + 1 for place in unit.places.get(stem, ())}
            longest = max(longest, *before.values(), 0) if before else longest
    return longest


def _figures(one: CheckedClaim, sources: Sources) -> dict[str, float]:
    """Names and numbers that the passages, or the evidence, lack."""
    plain = one.said.plain
    near = frozenset[str]().union(*[unit.known for unit in one.evidence.best])
    words = [] if plain[1:].islower() else placed_terms(plain)  # without another capital there is no name
    names = [stem for place, stem in words if place > 0 and plain[place].isupper()]
    numbers = _numbers(plain)
    beside = {number for unit in one.evidence.best if numbers for number in _numbers(unit.text)}
    return {
        "names_missing": sum(stem not in sources.postings for stem in names),
        "names_missing_near": sum(stem not in near for stem in names),
        "digits_missing": len(numbers - sources.digits) if numbers else 0,
        "digits_missing_near": len(numbers - beside),
    }


def _numbers(text: str) -> set[str]:
    return {written.replace(",", "") for written in _FIGURE.findall(text)}


def _lacking(one: CheckedClaim, sources: Sources) -> dict[str, float]:
    """The claim's words that its evidence and the lines beside it lack, how rare they are, and how surprising."""
    wanted, best = one.said.wanted, one.evidence.best
    beside = [sources.units[number] for number in _beside(best, sources)]
    near = frozenset[str]().union(*[unit.known for unit in (*best, *beside)])
    if best:
        near |= sources.sources[best[0].source].title
    family = {stem[:_BEGINNING] for stem in near if len(stem) >= _BEGINNING}
    lacking = [stem for stem in wanted if stem not in near and stem[:_BEGINNING] not in family]
    rarities = [rarity(stem) for stem in lacking]
    last = next((stem for stem in reversed(one.said.stems) if stem in wanted), "")
    surprises = {stem: surprise(stem) for stem in wanted}
    unsaid = frozenset(lacking)
    total = sum(surprises[stem] for stem in lacking)
    longest = row = 0.0
    for stem in one.said.stems:
        row = row + surprises[stem] if stem in unsaid else 0.0
        longest = max(longest, row)
    return {
        "surprise": total,
        "surprise_share": total / (sum(surprises.values()) or 1.0),
        "surprise_most": max((surprises[stem] for stem in lacking), default=0.0),
        "surprise_anywhere": sum(surprises[stem] for stem in wanted if stem not in sources.postings),
        "surprise_in_a_row": longest,
        "surprise_last": surprises[last] if last in unsaid else 0.0,
        "surprise_deed": sum(surprises[stem] for stem in unsaid.intersection(_deeds(one.said.plain))),
        "lacking_rarity": sum(rarities),
        "lacking_rarest": max(rarities, default=0),
        "lacking_last": last in lacking,
    }


def _deeds(text: str) -> Iterator[str]:
    """Stems of the words right behind a modal verb: "may sell the roof"."""
    words = text.lower().split()
    yield from (stemmed(word.strip(".,;:")) for modal, word in pairwise(words) if modal in _MODALS)


def _beside(best: Sequence[Unit], sources: Sources) -> Iterator[int]:
    """The units of the same passage right before and behind the best one."""
    for number in (best[0].number - 1, best[0].number + 1) if best else ():
        if 0 <= number < len(sources.units) and sources.units[number].source == best[0].source:
            yield number


def _alignment(pair: Pair | None, one: CheckedClaim) -> dict[str, float]:
    """How much of the claim one stretch of the source says, in its order or in another one, and what it adds."""
    if pair is None:
        return {**dict.fromkeys(_OF_ALIGNMENT, 0), "unexplained": sum(map(surprise, one.said.wanted))}
    places = [pair.match[index] for index, word in enumerate(pair.ours) if word.content]
    found = [place for place in places if place >= 0]
    steps = list(pairwise(found))
    changes = pair.alignment.changes
    last = changes[-1] if changes and changes[-1].before + len(changes[-1].ours) == len(pair.ours) else None
    return {
        "aligned": pair.alignment.share,
        "matched": len(found) / max(1, len(places)),
        "apart": sum(abs(second - first) > _FAR_APART for first, second in steps) / max(1, len(steps)),
        "changes": sum(any(word.content for word in (*change.ours, *change.theirs)) for change in changes),
        "unexplained": max((_unexplained(change, pair) for change in changes), default=0),
        "tail": _unexplained(last, pair) if last else 0,
        "before_tail": last.same_before if last else 0,
    }


def _unexplained(change: Change, pair: Pair) -> float:
    """How much it tells against a claim that the source lacks the words that stand in one place of it."""
    words = enumerate(change.ours, start=change.before)
    return sum(surprise(stemmed(word.plain)) for index, word in words if word.content and not pair.explained(index))


def _size(one: CheckedClaim, context: Context) -> dict[str, float]:
    weights = one.said.weights
    return {
        "words": len(one.said.plain.split()),
        "stems": len(weights),
        "clause": one.said.plain[:1].islower(),
        "units": len(context.sources.units),
        "characters": context.sources.characters,
        "lines_used": len(one.evidence.best),
    }


def _manner(one: CheckedClaim) -> dict[str, float]:
    """Negations, duties and quantities, beside those of the best evidence."""
    said = one.said.plain.lower().replace("\u2019", "'")
    best = one.evidence.best[0].text.lower().replace("\u2019", "'") if one.evidence.best else ""
    words, others = _bare(said), _bare(best)
    ours, theirs = _negations(said, words), _negations(best, others)
    modals, other_modals = words & _MODALS, others & _MODALS
    return {
        "negations": ours,
        "negation_differs": bool(best) and (ours > 0) != (theirs > 0),
        "modal": len(modals),
        "modal_differs": bool(best) and modals != other_modals,
        "firmness": _most(words, STRENGTHS),
        "extent": _most(words, QUANTIFIERS),
        "negated_nearby": sum(unit.denies for unit, _ in one.evidence.candidates[:_NEAREST]),
    }


def _negations(text: str, bare: Collection[str]) -> int:
    # Most sentences have none, and without quotation marks and apostrophes their bare words say so.
    if NEGATORS.isdisjoint(bare) and "'" not in text and '"' not in text:
        return 0
    return sum([is_negation(token.strip(".,;:()\"'")) for token in text.split()])


def _bare(text: str) -> set[str]:
    return {token.strip(".,;:()") for token in text.split()}


def _most(words: set[str], group: Mapping[str, int]) -> int:
    """How firm, or of how much, the strongest word of a group is; 0 without one."""
    return max((group[word] for word in words & group.keys()), default=0)


def _record(one: CheckedClaim, context: Context) -> dict[str, float]:
    """Agreement of the claim with the keys and values of a record."""
    if not context.records:
        return dict.fromkeys(_OF_RECORDS, 0)
    found = attributes_in(one.said.plain, context.flags)
    counts = Counter((attribute.flag.standing, attribute.denied) for attribute in found)
    return {
        "record": context.records,
        "affirmed_no": counts["no", False],
        "affirmed_unknown": counts["unknown", False],
        "denied_unknown": counts["unknown", True],
        "agreeing": counts["yes", False] + counts["no", True],
        "hours": len(clashes(one.said.plain, context.schedule)) if context.schedule else 0,
    }


def _faults(one: CheckedClaim) -> dict[str, float]:
    counts = Counter[str](fault.kind for fault in one.faults)
    return {**{kind: float(counts[kind]) for kind in _KINDS}, "denies": sum(fault.denies for fault in one.faults)}


def _share(hits: Sequence[bool]) -> float:
    """Share of True; 1 of nothing."""
    return sum(hits) / len(hits) if hits else 1.0


def surprise(stem: str) -> float:
    """How much it tells against a claim that its passages lack a stem: the surprisal of that, in nats."""
    return _surprises().get(stem, _MOST_SURPRISING)


@lru_cache(maxsize=1)
def _surprises() -> Mapping[str, float]:
    text = resources.files(__package__).joinpath("absences.json").read_text(encoding="utf-8")
    lists: dict[str, str] = json.loads(text)
    return {stem: -math.log(float(share)) for share, stems in lists.items() for stem in stems.split()}


@dataclass(frozen=True, slots=True)
class SupportModel:
    """Everything that `support.json` holds."""

    mean: tuple[float, ...]
    scale: tuple[float, ...]
    weights: tuple[float, ...]
    bias: float
    trees: tuple[Tree, ...]
    base: float
    slope: float
    intercept: float
    supported_from: float
    """Least score of a supported claim."""
    sure_from: float
    """Least score from which a supported claim needs no second look."""
    removed_below: float
    """Score below which an unsupported claim is removed rather than flagged."""

    def score(self, row: Sequence[float]) -> float:
        """How likely a claim with these features is supported, in (0, 1)."""
        columns = zip(self.weights, row, self.mean, self.scale, strict=True)
        linear = self.bias + sum([weight * (value - mean) / scale for weight, value, mean, scale in columns])
        boosted = self.base + sum([tree.log_odds(row) for tree in self.trees])
        risk = self.intercept + self.slope * (linear + boosted) / 2
        return 1 / (1 + math.exp(max(-30.0, min(30.0, risk))))


@cache
def support_model() -> SupportModel:
    """The model as it is shipped.

    Raises:
        ValueError: The weights were fitted for other features.
    """
    data = json.loads(resources.files(__package__).joinpath("support.json").read_text(encoding="utf-8"))
    names = tuple(data.pop("features"))
    if names != FEATURES:
        raise ValueError("support.json was fitted for other features: run fitting/guard.py again")
    trees = tuple(Tree(*(tuple(column) for column in tree)) for tree in data.pop("trees"))
    mean, scale, weights = (tuple(data.pop(name)) for name in ("mean", "scale", "weights"))
    return SupportModel(mean, scale, weights, trees=trees, **data)
