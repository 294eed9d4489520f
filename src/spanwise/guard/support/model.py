"""The support model: from the features of a claim to how likely it is supported, with weights that are data.

A logistic regression and a few small boosted trees (Friedman 2001), their log-odds averaged and calibrated (Platt
1999); `fitting/guard.py` writes them and prints how good they are on sources never seen.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

from spanwise.guard.support.features import FEATURES
from spanwise.text.trees import Tree


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
