"""Changed sentences against the source they were made from: which changes the guard finds, and what it calls them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from sets.grounding.changing import CHANGES, Changed, ChangeKind, changed_pairs, names_in
from sets.grounding.items import contractnli, ragtruth, wice
from spanwise.guard.verification import FindingKind
from spanwise.guard.verify import verify

CHANGED = "changed"
"""Its name among the sets of `spanwise eval`."""
_LONGEST = 8000
_MOST_NAMED = 30
_CALLED: Mapping[ChangeKind, frozenset[FindingKind]] = {
    "number": frozenset(["number_changed", "date_changed", "not_in_sources"]),
    "sign": frozenset(["number_changed"]),
    "magnitude": frozenset(["number_changed"]),
    "date": frozenset(["date_changed", "number_changed"]),
    "negation": frozenset(["negated"]),
    "name": frozenset(["swapped", "not_in_sources"]),
    "word": frozenset(["swapped", "not_in_sources", "negated", "overstated", "number_changed"]),
}
"""What a change may rightly be called."""


@dataclass(slots=True)
class Counted:
    """Counts over all pairs."""

    sentences: int = 0
    planted: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    named: Counter[str] = field(default_factory=Counter)
    untouched: int = 0
    alarms: int = 0
    missed: list[str] = field(default_factory=list)

    def add(self, pair: Changed) -> None:
        """Check one sentence against the passage it stands in."""
        found = verify(pair.text, [pair.passage])
        alarm = bool(found.claims) and not found.supported
        self.sentences += 1
        if pair.kind is None:
            self.untouched += 1
            self.alarms += alarm
        else:
            self.planted[pair.kind] += 1
            self.found[pair.kind] += alarm
            self.named[pair.kind] += any(finding.kind in _CALLED[pair.kind] for finding in found.findings)
        if alarm != (pair.kind is not None) and len(self.missed) < _MOST_NAMED:
            self.missed.append(f"{'not found' if pair.kind else 'false alarm'}: {pair.id}: {pair.text}")

    def as_values(self) -> dict[str, object]:
        """The counts as JSON values."""
        return {
            "sentences": self.sentences,
            "found": {kind: [self.found[kind], self.named[kind], self.planted[kind]] for kind in CHANGES},
            "false_alarms": [self.alarms, self.untouched],
            "examples": self.missed,
        }

    def as_text(self) -> str:
        """The counts as a table for a person."""
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        yield f"{self.sentences} sentences"
        yield f"  {'changed':<12}{'found':>7}{'named so':>10}{'of':>7}{'share':>9}"
        for kind in CHANGES:
            share = f"{self.found[kind] / self.planted[kind]:9.2%}" if self.planted[kind] else ""
            yield f"  {kind:<12}{self.found[kind]:>7}{self.named[kind]:>10}{self.planted[kind]:>7}{share}"
        share = f"{self.alarms / self.untouched:9.2%}" if self.untouched else ""
        yield f"  {'untouched':<12}{self.alarms:>7}{'':>10}{self.untouched:>7}{share}"
        yield from self.missed


def count(texts: Iterable[tuple[str, str]], most: int = 2) -> Counted:
    """Change sentences of some texts, each with its name, and check them with as many untouched ones."""
    held = [(name, text[:_LONGEST]) for name, text in texts]
    names = list(dict.fromkeys(found for _, text in held for found in names_in(text)[:2]))
    counted = Counted()
    for index, (name, text) in enumerate(held):
        for pair in changed_pairs(name, text, names[index % 50 :: 7], most):
            counted.add(pair)
    return counted


def texts_in(data: Path, limit: int | None) -> Iterator[tuple[str, str]]:
    """The sources of RAGTruth, WiCE and ContractNLI, each once; at most so many of each set.

    Raises:
        EvaluationDataError: The data is missing or not in its schema.
    """
    for load in (ragtruth, wice, contractnli):
        texts = {item.source: "\n".join(item.passages) for item in load(data) if item.task != "Data2txt"}
        for name in sorted(texts)[: limit or None]:
            yield name, texts[name]


def measure(data: Path, limit: int | None) -> Counted:
    """Count over the data folder."""
    return count(texts_in(data, limit))
