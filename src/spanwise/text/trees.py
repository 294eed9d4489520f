"""Boosted decision trees as data (Friedman 2001): read from JSON, evaluated in plain Python."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tree:
    """Node by node: its feature and threshold, where to go on, and what a leaf adds to the log-odds."""

    feature: tuple[int, ...]
    """-1 for a leaf."""
    threshold: tuple[float, ...]
    left: tuple[int, ...]
    """Next node where the feature is at most the threshold."""
    right: tuple[int, ...]
    value: tuple[float, ...]

    def log_odds(self, row: Sequence[float]) -> float:
        """What the tree adds for these features."""
        features, thresholds, node = self.feature, self.threshold, 0
        while (feature := features[node]) >= 0:
            node = self.left[node] if row[feature] <= thresholds[node] else self.right[node]
        return self.value[node]


@dataclass(frozen=True, slots=True)
class Trees:
    """A sum of trees over features in a fixed order."""

    base: float
    trees: tuple[Tree, ...]

    def log_odds(self, row: Sequence[float]) -> float:
        """Log-odds of what the trees were fitted to tell."""
        return self.base + sum([tree.log_odds(row) for tree in self.trees])


def read_trees(data: Mapping[str, object], names: Sequence[str]) -> Trees:
    """Trees from JSON values.

    Args:
        data: `features`, `base` and `trees`, each tree five columns as in `Tree`.
        names: The features that will be given, in their order.

    Raises:
        ValueError: The trees were fitted for other features.
    """
    if data["features"] != list(names):
        raise ValueError("the trees were fitted for other features: fit them again")
    trees, base = data["trees"], data["base"]
    if not isinstance(trees, list) or not isinstance(base, int | float):
        raise ValueError("the trees are not in their form: fit them again")  # noqa: TRY004
    return Trees(float(base), tuple(Tree(*(tuple(column) for column in tree)) for tree in trees))
