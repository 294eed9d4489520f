"""Two runs side by side: which questions got better and which got worse, by metric."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from spanwise.evaluation.cases import Row
from spanwise.evaluation.metrics import mean

SHOWN = 10
"""Questions that are named for each direction of a change."""
_NOT_COMPARED = frozenset(("words", "sure"))
"""Metrics of which more is not better."""


@dataclass(frozen=True, slots=True)
class Change:
    """Change of one metric in one part of a set, over the questions that both runs asked."""

    set: str
    part: str
    metric: str
    before: float
    after: float
    n: int
    better: tuple[str, ...]
    """Ids of all questions that got better, in the order of the data."""
    worse: tuple[str, ...]

    @property
    def net(self) -> int:
        """Questions that got better less those that got worse."""
        return len(self.better) - len(self.worse)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two runs side by side."""

    changes: tuple[Change, ...]
    only_before: int
    """Questions of these sets that only the earlier run asked."""
    only_after: int


def compare_runs(before: Sequence[Row], after: Sequence[Row]) -> Comparison:
    """Compare an earlier run with a later one; sets that the later one did not run are left out."""
    sets = {row.set for row in after}
    earlier = {row.key: row for row in before if row.set in sets}
    pairs = [(earlier[row.key], row) for row in after if row.key in earlier]
    groups: dict[tuple[str, str, str], list[tuple[str, float, float]]] = {}
    for old, new in pairs:
        for metric, number in new.metrics.items():
            was = old.metrics.get(metric)
            if number is not None and was is not None and metric not in _NOT_COMPARED:
                groups.setdefault((new.set, new.part, metric), []).append((new.id, float(was), float(number)))
    changes = tuple(_change(name, numbers) for name, numbers in groups.items())
    return Comparison(changes, len(earlier) - len(pairs), len(after) - len(pairs))


def _change(name: tuple[str, str, str], numbers: Sequence[tuple[str, float, float]]) -> Change:
    return Change(
        *name,
        before=mean([was for _, was, _ in numbers]) or 0.0,
        after=mean([now for _, _, now in numbers]) or 0.0,
        n=len(numbers),
        better=tuple(case for case, was, now in numbers if now > was),
        worse=tuple(case for case, was, now in numbers if now < was),
    )
