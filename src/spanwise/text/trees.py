"""A boosted decision tree as data (Friedman 2001), evaluated in plain Python."""

from __future__ import annotations

from collections.abc import Sequence
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
