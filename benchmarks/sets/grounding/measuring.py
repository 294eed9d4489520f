"""How well the guard tells what is supported: areas under curves, marked spans, evidence, contradictions, by task."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from sets.grounding.items import GUARD_SETS, LOADERS, Item, spread
from spanwise.evaluation.metrics import auroc, mean
from spanwise.guard.verification import Place, Verification
from spanwise.guard.verify import verify
from spanwise.text.sentences import sentences

_LINES = 5
"""Lines of evidence that count for WiCE."""
_SPANS = 4
"""Places of evidence that count for ContractNLI."""
_BINS = 10


@dataclass(frozen=True, slots=True)
class Checked:
    """An item and what the guard says of it."""

    item: Item
    found: Verification


Figure: TypeAlias = tuple[float | None, int]
"""A figure and the count of cases it comes from; None where they cannot tell."""


@dataclass(slots=True)
class Measured:
    """Figures with how many cases each was counted from."""

    items: int
    figures: dict[str, Figure] = field(default_factory=dict)
    table: list[tuple[float, int, float, float]] = field(default_factory=list)
    """Reliability: from which score on, how many claims, their mean score, the share of them that is supported."""

    def as_values(self) -> dict[str, object]:
        """The figures as JSON values."""
        rounded = {
            name: {"value": None if value is None else round(value, 4), "n": n}
            for name, (value, n) in self.figures.items()
        }
        return {"items": self.items, "figures": rounded, "reliability": [list(row) for row in self.table]}

    def as_text(self) -> str:
        """The figures as a table for a person."""
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        width = max((len(name) for name in self.figures), default=0)
        yield f"{self.items} answers and claims"
        for name, (value, n) in self.figures.items():
            yield f"  {name:<{width}} {'-' if value is None else f'{value:.3f}':>8} {n:>7}"
        if self.table:
            yield f"  {'score from':<12}{'claims':>8}{'mean':>8}{'supported':>11}"
            yield from (f"  {low:<12.1f}{count:>8}{said:>8.3f}{true:>11.3f}" for low, count, said, true in self.table)


def measure(name: str, data: Path, limit: int | None = None) -> Measured:
    """Check the items of a set and sum up.

    Args:
        name: One of `LOADERS`.
        data: The data folder.
        limit: How many items, spread over the set; None or 0 for all.

    Raises:
        EvaluationDataError: The data is missing or not in its schema.
    """
    checked = check(LOADERS[name](data), limit)
    measured = Measured(len(checked))
    for task in sorted({one.item.task for one in checked}):
        own = [one for one in checked if one.item.task == task]
        measured.figures[f"{task}: AUROC"] = auroc_of(own)
    _MORE[name](checked, measured)
    return measured


def check(items: Sequence[Item], limit: int | None) -> list[Checked]:
    """What the guard says of at most `limit` of the items."""
    return [
        Checked(item, verify(item.text, item.passages, question=item.question or None)) for item in spread(items, limit)
    ]


def auroc_of(checked: Sequence[Checked]) -> Figure:
    """AUROC of supported against other texts, and how many there are; None where all are of one kind."""
    return auroc([one.found.score for one in checked], [one.item.supported for one in checked]), len(checked)


def _ragtruth(checked: Sequence[Checked], measured: Measured) -> None:
    tasks = [value for value, _ in measured.figures.values() if value is not None]
    measured.figures["AUROC within a task, mean"] = mean(tasks), len(checked)
    _marked(checked, measured)
    _reliability(checked, measured)


def _marked(checked: Sequence[Checked], measured: Measured) -> None:
    """Sentences and characters, where people marked what is not supported, and contradictions."""
    placed = [one for one in checked if one.item.placed]
    if any(one.item.wrong for one in placed):
        area, f1 = sentence_figures(placed)
        measured.figures["sentences: AUROC"], measured.figures["sentences: F1 of what is not supported"] = area, f1
        measured.figures["characters: F1 of what is not supported"] = _characters(placed), len(placed)
    told = contradictions(checked)
    measured.figures["contradicted: precision"] = told.precision, told.called
    measured.figures["contradicted: on anything not supported"] = told.on_wrong, told.called
    measured.figures["contradicted: recall of conflicts"] = told.recall, told.conflicts


def sentence_figures(checked: Sequence[Checked]) -> tuple[Figure, Figure]:
    """AUROC and F1 of the sentences that are not supported, over the texts in which people marked them."""
    scores, labels, alarms = _sentences([one for one in checked if one.item.placed])
    if not any(labels):
        return (None, len(labels)), (None, len(labels))
    hits = sum(alarm and wrong for alarm, wrong in zip(alarms, labels, strict=True))
    area = auroc(scores, [not wrong for wrong in labels])
    return (area, len(labels)), (_f1(hits, sum(alarms), sum(labels)), len(labels))


def _sentences(checked: Sequence[Checked]) -> tuple[list[float], list[bool], list[bool]]:
    """Of every sentence the lowest score of its claims, whether it is marked, and whether the guard doubts it."""
    scores, labels, alarms = [], [], []
    for one in checked:
        for start, end in _sentence_ranges(one.item.text):
            claims = [claim for claim in one.found.claims if claim.start < end and start < claim.end]
            scores.append(min((claim.score for claim in claims), default=1.0))
            labels.append(any(low < end and start < high for low, high, _ in one.item.wrong))
            alarms.append(any(claim.support in ("unsupported", "contradicted") for claim in claims))
    return scores, labels, alarms


def _sentence_ranges(text: str) -> Iterator[tuple[int, int]]:
    position = 0
    for line in text.split("\n"):
        for start, end in sentences(line):
            yield position + start, position + end
        position += len(line) + 1


def _characters(checked: Sequence[Checked]) -> float | None:
    hits = said = gold = 0
    for one in checked:
        marked = {place for low, high, _ in one.item.wrong for place in range(low, high)}
        alarmed = {
            place
            for claim in one.found.claims
            if claim.support in ("unsupported", "contradicted")
            for place in range(claim.start, claim.end)
        }
        hits, said, gold = hits + len(marked & alarmed), said + len(alarmed), gold + len(marked)
    return _f1(hits, said, gold)


def _f1(hits: int, said: int, gold: int) -> float | None:
    return 2 * hits / (said + gold) if said + gold else None


@dataclass(frozen=True, slots=True)
class Contradictions:
    """Counts of claims called contradicted, and of conflicts that people marked."""

    called: int
    right: int
    """Of those called, on a marked conflict, or in a text judged contradicted where nothing is marked."""
    wrong: int
    """Of those called, on any marked range, or in any text that is not supported where nothing is marked."""
    conflicts: int
    """Marked conflicts, and texts judged contradicted in which nothing is marked."""
    found: int
    """Of those, touched by a claim called contradicted."""

    def __add__(self, other: Contradictions) -> Contradictions:
        return Contradictions(
            self.called + other.called,
            self.right + other.right,
            self.wrong + other.wrong,
            self.conflicts + other.conflicts,
            self.found + other.found,
        )

    @property
    def precision(self) -> float | None:
        """Share of the claims called contradicted that are."""
        return self.right / self.called if self.called else None

    @property
    def on_wrong(self) -> float | None:
        """Share of the claims called contradicted that are not supported, for whatever reason."""
        return self.wrong / self.called if self.called else None

    @property
    def recall(self) -> float | None:
        """Share of the conflicts that are found."""
        return self.found / self.conflicts if self.conflicts else None


def contradictions(checked: Sequence[Checked]) -> Contradictions:
    """Claims called contradicted beside the conflicts that people marked."""
    called = right = wrong = conflicts = found = 0
    for one in checked:
        item = one.item
        marked = item.wrong if item.placed else ((0, len(item.text), item.contradicted),) * (not item.supported)
        claims = [claim for claim in one.found.claims if claim.support == "contradicted"]
        for claim in claims:
            touched = [conflict for low, high, conflict in marked if low < claim.end and claim.start < high]
            called, right, wrong = called + 1, right + any(touched), wrong + bool(touched)
        for low, high, conflict in marked:
            if conflict:
                conflicts += 1
                found += any(low < claim.end and claim.start < high for claim in claims)
    return Contradictions(called, right, wrong, conflicts, found)


def _reliability(checked: Sequence[Checked], measured: Measured) -> None:
    """Expected calibration error over ten bins of equal width (Naeini et al. 2015)."""
    pairs = [
        (claim.score, not any(low < claim.end and claim.start < high for low, high, _ in one.item.wrong))
        for one in checked
        for claim in one.found.claims
        if claim.support != "unchecked"
    ]
    error = 0.0
    for bin_ in range(_BINS):
        own = [pair for pair in pairs if min(_BINS - 1, int(pair[0] * _BINS)) == bin_]
        if own:
            said, true = sum(score for score, _ in own) / len(own), sum(right for _, right in own) / len(own)
            measured.table.append((bin_ / _BINS, len(own), round(said, 4), round(true, 4)))
            error += len(own) / len(pairs) * abs(said - true)
    measured.figures["expected calibration error of claims"] = error, len(pairs)


def _plain(checked: Sequence[Checked], measured: Measured) -> None:
    """Of each half the shares of the false claims that pass, and of the true ones that are not called supported."""
    for half in sorted({one.item.task for one in checked}):
        for told, supported in (("false ones that are called supported", False), ("true ones that are not", True)):
            own = [one for one in checked if one.item.task == half and one.item.supported is supported]
            called = sum(all(claim.support == "supported" for claim in one.found.claims) for one in own)
            share = (len(own) - called if supported else called) / len(own) if own else None
            measured.figures[f"{half}: {told}"] = share, len(own)


def _wice(checked: Sequence[Checked], measured: Measured) -> None:
    judged = [one for one in checked if one.item.lines]
    shown = [_lines(one.found) for one in judged]
    found = [any(lines <= own for lines in one.item.lines) for one, own in zip(judged, shown, strict=True)]
    measured.figures["a full set of lines found"] = mean([float(hit) for hit in found]), len(found)
    measured.figures["lines shown"] = mean([float(len(own)) for own in shown]), len(shown)


def _lines(found: Verification) -> set[int]:
    lines = [line for place in _places(found) for line in range(place.line_start, place.line_end + 1)]
    return set(list(dict.fromkeys(lines))[:_LINES])


def _places(found: Verification) -> list[Place]:
    """The evidence of all claims in turns, the best of each first."""
    ranked = [found.evidence_of(claim) for claim in found.claims]
    longest = max((len(places) for places in ranked), default=0)
    turns = [places[turn] for turn in range(longest) for places in ranked if turn < len(places)]
    return list(dict.fromkeys(turns))


def _contractnli(checked: Sequence[Checked], measured: Measured) -> None:
    told = [one for one in checked if one.item.label in ("Entailment", "Contradiction")]
    measured.figures["entailed against contradicted: AUROC"] = auroc_of(told)
    _marked(checked, measured)
    judged = [one for one in checked if one.item.places]
    shown = [_places(one.found)[:_SPANS] for one in judged]
    hits = [
        any(place.start < high and low < place.end for place in own for low, high in one.item.places)
        for one, own in zip(judged, shown, strict=True)
    ]
    measured.figures[f"evidence among {_SPANS} places"] = mean([float(hit) for hit in hits]), len(hits)


def _expertqa(checked: Sequence[Checked], measured: Measured) -> None:
    complete = [one for one in checked if one.item.label in ("Complete", "Incomplete")]
    measured.figures["complete against incomplete: AUROC"] = auroc_of(complete)


_MORE: Mapping[str, Callable[[Sequence[Checked], Measured], None]] = {
    "ragtruth": _ragtruth,
    "wice": _wice,
    "contractnli": _contractnli,
    "expertqa": _expertqa,
    **dict.fromkeys(GUARD_SETS, _marked),
    "plain": _plain,
}
