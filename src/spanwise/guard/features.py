"""What the support model reads in a claim: how much of it the passages hold, and what the checks found."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from spanwise.guard.attributes import attributes_in
from spanwise.guard.checking.faults import Fault
from spanwise.guard.context import Context
from spanwise.guard.contrasts import QUANTIFIERS, STRENGTHS
from spanwise.guard.evidence import Evidence, Said
from spanwise.guard.schedules import clashes
from spanwise.guard.sources import Sources, Unit, share
from spanwise.guard.statements import MODALS, NEGATORS, is_negation
from spanwise.text.terms import placed_terms

_KINDS = (
    *("fabricated", "wrong_place", "number_changed", "date_changed", "negated", "swapped", "overstated", "stitched"),
    "not_in_sources",
)
_OF_RECORDS = (
    *("record", "denied_yes", "affirmed_no", "affirmed_no_grouped", "affirmed_unknown", "denied_unknown"),
    *("agreeing", "hours"),
)
_SUMMING_UP = re.compile(
    r"\s*(?:overall|in (?:summary|conclusion|general|short|addition)|to sum|ultimately|additionally|furthermore"
    r"|moreover|as a result|therefore|thus|it is (?:important|recommended|clear)"
    r"|this (?:suggests|indicates|shows|means))\b",
    re.IGNORECASE,
)
_OWN_VIEW = re.compile(
    r"\b(?:appear\w*|seem\w*|suggest\w*|likely|may|might|could|possibl\w*|perhaps|indicat\w*|imply|implies|generally"
    r"|typically|usually|often)\b"
)
_REPORTS = re.compile(
    r"\b(?:review\w*|customer\w*|according|mention\w*|report\w*|describ\w*|prais\w*|note[sd]?|some|others?)\b"
)
_FIGURE = re.compile(r"\d+(?:[.,]\d+)*")
_BEGINNING = 5
"""Letters that words of one family share."""
_NEAREST = 5
_NO_OTHERS = 0.8
"""What stands for the other claims of an answer that has one."""

FEATURES = (
    *("single", "together", "anywhere", "beginnings", "passage", "nearest", "nearest_beginnings"),
    *("pairs", "pairs_best", "run", "missing", "missing_weight", "missing_share"),
    *("names_missing", "names_missing_near", "digits_missing", "digits_missing_near"),
    *("words", "stems", "clause", "question", "units", "characters", "lines_used"),
    *("negations", "negation_differs", "modal", "modal_differs", "sums_up", "own_view", "reports"),
    *("firmness", "firmer", "extent", "wider", "negated_nearby"),
    *(*_OF_RECORDS, *_KINDS, "denies"),
    *("relative", "last", "first", "claims", "others_mean", "others_least", "beside_mean"),
)
"""Names of the features, in the order of a row."""


@dataclass(frozen=True, slots=True)
class Held:
    """A claim with its evidence and what the checks found."""

    said: Said
    evidence: Evidence
    faults: tuple[Fault, ...]
    quoted: bool = False
    """Whether its very words stand in a passage."""


def features_of(held: Sequence[Held], context: Context) -> list[list[float]]:
    """The features of every claim of an answer, in the order of `FEATURES`."""
    shares = [one.evidence.anywhere for one in held]
    total, least = sum(shares), sorted(shares)[:2]
    rows = []
    for index, one in enumerate(held):
        alone = len(held) == 1
        others = least[1:] if shares[index] == least[0] else least
        near = shares[max(0, index - 1) : index] + shares[index + 1 : index + 2]
        values = {
            **_coverage(one, context.sources),
            **_order(one, context.sources),
            **_figures(one, context.sources),
            **_size(one, context),
            **_manner(one),
            **_record(one, context),
            **_faults(one),
            "relative": index / max(1, len(held) - 1),
            "last": index == len(held) - 1,
            "first": index == 0,
            "claims": len(held),
            "others_mean": _NO_OTHERS if alone else (total - shares[index]) / (len(held) - 1),
            "others_least": _NO_OTHERS if alone else others[0],
            "beside_mean": sum(near) / len(near) if near else _NO_OTHERS,
        }
        rows.append([float(values[name]) for name in FEATURES])
    return rows


def _coverage(one: Held, sources: Sources) -> dict[str, float]:
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
        "together": evidence.together,
        "anywhere": evidence.anywhere,
        "beginnings": _loosely(weights, missing, sources.beginnings if missing else ()),
        "passage": max(by_source.values(), default=0) / total,
        "nearest": share(near, weights),
        "nearest_beginnings": _loosely(weights, far, family),
        "missing": len(missing),
        "missing_weight": sum(weights[stem] for stem in missing),
        "missing_share": len(missing) / max(1, len(weights)),
    }


def _loosely(weights: Mapping[str, float], unknown: Collection[str], family: Collection[str]) -> float:
    """Share of the weight of the stems that are known, or begin like one that is."""
    unlike = {stem for stem in unknown if stem[:_BEGINNING] not in family}
    return share(weights.keys() - unlike, weights) if unlike else 1.0


def _order(one: Held, sources: Sources) -> dict[str, float]:
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
    """Most stems of the claim that stand in a row in one of the units."""
    longest = 0
    for unit in units:
        before: dict[int, int] = {}
        for stem in stems:
            before = {place: before.get(place - 1, 0) + 1 for place in unit.places.get(stem, ())}
            longest = max(longest, *before.values(), 0) if before else longest
    return longest


def _figures(one: Held, sources: Sources) -> dict[str, float]:
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


def _size(one: Held, context: Context) -> dict[str, float]:
    weights = one.said.weights
    return {
        "words": len(one.said.plain.split()),
        "stems": len(weights),
        "clause": one.said.plain[:1].islower(),
        "question": sum(stem in context.question for stem in weights) / max(1, len(weights)),
        "units": len(context.sources.units),
        "characters": context.sources.characters,
        "lines_used": len(one.evidence.best),
    }


def _manner(one: Held) -> dict[str, float]:
    """Negations, duties and views, beside those of the best evidence."""
    said = one.said.plain.lower().replace("\u2019", "'")
    best = one.evidence.best[0].text.lower().replace("\u2019", "'") if one.evidence.best else ""
    words, others = _bare(said), _bare(best)
    ours, theirs = _negations(said, words), _negations(best, others)
    modals, other_modals = words & MODALS, others & MODALS
    firmness, extent = _most(words, STRENGTHS), _most(words, QUANTIFIERS)
    return {
        "negations": ours,
        "negation_differs": bool(best) and (ours > 0) != (theirs > 0),
        "modal": len(modals),
        "modal_differs": bool(best) and modals != other_modals,
        "firmness": firmness,
        "firmer": bool(best) and firmness > _most(others, STRENGTHS) > 0,
        "extent": extent,
        "wider": bool(best) and extent > _most(others, QUANTIFIERS) > 0,
        "negated_nearby": sum(unit.denies for unit, _ in one.evidence.candidates[:_NEAREST]),
        "sums_up": _SUMMING_UP.match(one.said.plain) is not None,
        "own_view": _count(_OWN_VIEW, one.said.plain),
        "reports": _count(_REPORTS, one.said.plain),
    }


def _negations(text: str, bare: Collection[str]) -> int:
    # Most sentences have none, and without quotation marks and apostrophes their bare words say so.
    if NEGATORS.isdisjoint(bare) and "'" not in text and '"' not in text:
        return 0
    return sum([is_negation(token.strip(".,;:()\"'")) for token in text.split()])


def _count(pattern: re.Pattern[str], text: str) -> int:
    """How often one of some words stands in a text, in whatever case."""
    # Ignoring case takes three times as long as making it one, which changes other letters than those of English.
    found = pattern.findall(text.lower()) if text.isascii() else re.findall(pattern.pattern, text, re.IGNORECASE)
    return len(found)


def _bare(text: str) -> set[str]:
    return {token.strip(".,;:()") for token in text.split()}


def _most(words: set[str], group: Mapping[str, int]) -> int:
    """How firm, or of how much, the strongest word of a group is; 0 without one."""
    return max((group[word] for word in words & group.keys()), default=0)


def _record(one: Held, context: Context) -> dict[str, float]:
    """What the claim says of a record's keys."""
    if not context.records:
        return dict.fromkeys(_OF_RECORDS, 0)
    found = attributes_in(one.said.plain, context.flags)
    counts = Counter((attribute.flag.standing, attribute.denied) for attribute in found)
    return {
        "record": context.records,
        "denied_yes": counts["yes", True],
        "affirmed_no": counts["no", False],
        "affirmed_no_grouped": sum(one.grouped and one.flag.standing == "no" and not one.denied for one in found),
        "affirmed_unknown": counts["unknown", False],
        "denied_unknown": counts["unknown", True],
        "agreeing": counts["yes", False] + counts["no", True],
        "hours": len(clashes(one.said.plain, context.schedule)) if context.schedule else 0,
    }


def _faults(one: Held) -> dict[str, float]:
    fitted = [fault for fault in one.faults if not fault.doubts]  # the others are younger than the model's weights
    counts = Counter[str](fault.kind for fault in fitted)
    return {**{kind: float(counts[kind]) for kind in _KINDS}, "denies": sum(fault.denies for fault in fitted)}


def _share(hits: Sequence[bool]) -> float:
    """Share of True; 1 of nothing."""
    return sum(hits) / len(hits) if hits else 1.0
