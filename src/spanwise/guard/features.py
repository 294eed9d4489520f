"""What the support model reads in a claim: how much of it the passages hold, and what the checks found."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from spanwise.guard.attributes import attributes_in
from spanwise.guard.checking.faults import Fault
from spanwise.guard.context import Context
from spanwise.guard.evidence import Evidence, Said
from spanwise.guard.schedules import clashes
from spanwise.guard.sources import Sources, Unit
from spanwise.guard.statements import MODALS, is_negation
from spanwise.text.terms import placed_terms

_KINDS = (
    "fabricated",
    "wrong_place",
    "number_changed",
    "date_changed",
    "negated",
    "swapped",
    "overstated",
    "stitched",
    "not_in_sources",
)
_SUMMING_UP = re.compile(
    r"\s*(?:overall|in (?:summary|conclusion|general|short)|to sum|ultimately|in addition|additionally|furthermore|moreover|as a result|therefore|thus|it is (?:important|recommended|clear)|this (?:suggests|indicates|shows|highlights|means))\b",
    re.IGNORECASE,
)
_OWN_VIEW = re.compile(
    r"\b(?:appear\w*|seem\w*|suggest\w*|likely|may|might|could|possibl\w*|perhaps|indicat\w*|imply|implies|generally|typically|usually|often)\b",
    re.IGNORECASE,
)
_REPORTS = re.compile(
    r"\b(?:review\w*|customer\w*|according|mention\w*|report\w*|describ\w*|prais\w*|note[sd]?|some|others?)\b",
    re.IGNORECASE,
)
_FIGURE = re.compile(r"\d+(?:[.,]\d+)*")

FEATURES = (
    "single", "together", "anywhere", "beginnings", "pairs", "pairs_best", "run", "passage",
    "missing", "missing_weight", "missing_share", "names_missing", "names_missing_near", "digits_missing", "digits_missing_near",
    "words", "stems", "relative", "last", "first", "claims", "others_mean", "others_least", "next_to",
    "negations", "negation_differs", "modal", "modal_differs", "sums_up", "own_view", "reports", "question",
    "record", "denied_yes", "affirmed_no", "affirmed_no_grouped", "affirmed_unknown", "denied_unknown", "agreeing", "hours", "units", "characters", "lines_used", "clause",
    *_KINDS, "denies",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Held:
    """A claim with its evidence and what the checks found."""

    said: Said
    evidence: Evidence
    faults: tuple[Fault, ...]


def features_of(held: Sequence[Held], context: Context) -> list[list[float]]:
    """The features of every claim of an answer, in the order of `FEATURES`."""
    anywhere = [one.evidence.anywhere for one in held]
    rows = []
    sources = context.sources
    for index, one in enumerate(held):
        others = anywhere[:index] + anywhere[index + 1 :]
        near = anywhere[max(0, index - 1) : index] + anywhere[index + 1 : index + 2]
        beside = {
            "relative": index / max(1, len(held) - 1),
            "last": index == len(held) - 1,
            "first": index == 0,
            "claims": len(held),
            "others_mean": sum(others) / len(others) if others else 0.8,
            "others_least": min(others, default=0.8),
            "next_to": sum(near) / len(near) if near else 0.8,
        }
        values = {
            **_words(one, sources, context.question),
            **_marks(one),
            **_records(one, context),
            **_faults(one),
            **beside,
        }
        rows.append([float(values[name]) for name in FEATURES])
    return rows


def _words(one: Held, sources: Sources, question: Collection[str]) -> dict[str, float]:
    said, evidence = one.said, one.evidence
    total = sum(said.weights.values()) or 1.0
    known = {stem for stem in said.weights if stem in sources.postings}
    missing = [stem for stem in said.weights if stem not in known]
    loosely = sum(said.weights[stem] for stem in missing if len(stem) > 4 and stem[:5] in sources.beginnings)
    held = sum(said.weights[stem] for stem in known)
    stems = [stem for _, stem in placed_terms(f"{said.context} {said.plain}")]
    pairs = list(zip(stems, stems[1:], strict=False))
    near: set[str] = set().union(*(unit.known for unit in evidence.best))
    best = _pairs(evidence.best)
    return {
        "single": evidence.single,
        "together": evidence.together,
        "anywhere": evidence.anywhere,
        "beginnings": (held + loosely) / total,
        "pairs": _share([pair in sources.pairs for pair in pairs]),
        "pairs_best": _share([pair in best for pair in pairs]),
        "run": _run(stems, evidence.best) / max(1, len(stems)),
        "passage": max(
            (sum(said.weights[s] for s in said.weights if s in source.known) for source in sources.sources), default=0.0
        )
        / total,
        "missing": len(missing),
        "missing_weight": sum(said.weights[stem] for stem in missing),
        "missing_share": len(missing) / max(1, len(said.weights)),
        **_names(said, sources, near),
        **_digits(said, sources, evidence.best),
        "words": len(said.plain.split()),
        "stems": len(said.weights),
        "question": _share([stem in question for stem in said.weights]) if question else 0.0,
        "units": len(sources.units),
        "characters": sum(len(source.given.passage.text) for source in sources.sources),
        "lines_used": len(evidence.best),
        "clause": said.plain[:1].islower(),
    }


def _pairs(units: Sequence[Unit]) -> set[tuple[str, str]]:
    found: set[tuple[str, str]] = set()
    for unit in units:
        found.update(zip(unit.stems, unit.stems[1:], strict=False))
        found.update(zip(unit.stems, unit.stems[2:], strict=False))
    return found


def _run(stems: Sequence[str], units: Sequence[Unit]) -> int:
    """Most stems of the claim that stand in a row in one of the units."""
    longest = 0
    for unit in units:
        before: Counter[int] = Counter()
        for stem in stems:
            row: Counter[int] = Counter()
            for index, other in enumerate(unit.stems):
                if other == stem:
                    row[index] = before[index - 1] + 1
                    longest = max(longest, row[index])
            before = row
    return longest


def _names(said: Said, sources: Sources, near: Collection[str]) -> dict[str, float]:
    found = [(stem, place) for place, stem in placed_terms(said.plain) if place > 0 and said.plain[place].isupper()]
    missing = sum(stem not in sources.postings for stem, _ in found)
    return {"names_missing": missing, "names_missing_near": sum(stem not in near for stem, _ in found)}


def _digits(said: Said, sources: Sources, units: Sequence[Unit]) -> dict[str, float]:
    found = {match.group().replace(",", "") for match in _FIGURE.finditer(said.plain)}
    near = {match.group().replace(",", "") for unit in units for match in _FIGURE.finditer(unit.text)}
    return {
        "digits_missing": len(found - sources.digits),
        "digits_missing_near": len(found - near),
    }


def _marks(one: Held) -> dict[str, float]:
    tokens = one.said.plain.lower().split()
    best = one.evidence.best[0].text.lower().split() if one.evidence.best else []
    ours, theirs = _negations(tokens), _negations(best)
    modal, other = _modals(tokens), _modals(best)
    return {
        "negations": ours,
        "negation_differs": float((ours > 0) != (theirs > 0)) if best else 0.0,
        "modal": len(modal),
        "modal_differs": float(modal != other) if best else 0.0,
        "sums_up": _SUMMING_UP.match(one.said.plain) is not None,
        "own_view": len(_OWN_VIEW.findall(one.said.plain)),
        "reports": len(_REPORTS.findall(one.said.plain)),
    }


def _negations(tokens: Sequence[str]) -> int:
    return sum(is_negation(token.strip(".,;:()\"'").replace("\u2019", "'")) for token in tokens)


def _modals(tokens: Sequence[str]) -> set[str]:
    return {token.strip(".,;:()") for token in tokens} & MODALS


def _records(one: Held, context: Context) -> dict[str, float]:
    found = attributes_in(one.said.plain, context.flags)
    counts = Counter((attribute.flag.standing, attribute.denied) for attribute in found)
    return {
        "record": context.records,
        "denied_yes": counts["yes", True],
        "affirmed_no": counts["no", False],
        "affirmed_unknown": counts["unknown", False],
        "denied_unknown": counts["unknown", True],
        "affirmed_no_grouped": sum(a.grouped and a.flag.standing == "no" and not a.denied for a in found),
        "hours": len(clashes(one.said.plain, context.schedule)) if context.schedule else 0,
        "agreeing": counts["yes", False] + counts["no", True],
    }


def _faults(one: Held) -> dict[str, float]:
    counts = Counter[str](fault.kind for fault in one.faults)
    return {**{kind: float(counts[kind]) for kind in _KINDS}, "denies": sum(fault.denies for fault in one.faults)}


def _share(hits: Sequence[bool]) -> float:
    return sum(hits) / len(hits) if hits else 1.0
