"""How likely a sentence is the answer, and whether the best one is right: two logistic models, fitted on public data.

`fitting/sentences.py` writes the weights (`sentences.json`) and prints how reliable the probabilities are on articles
that the models never saw.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

from spanwise.synthesis.extractive.evidence import NAMES


@dataclass(frozen=True, slots=True)
class Weights:
    """A logistic model over features in a fixed order."""

    bias: float
    weights: tuple[float, ...]

    def logit(self, features: Sequence[float]) -> float:
        """Log-odds."""
        return self.bias + sum(weight * value for weight, value in zip(self.weights, features, strict=True))


@dataclass(frozen=True, slots=True)
class Fitted:
    """Both models, and the least confidence that answers."""

    ranking: Weights
    """From the features of a sentence to how much it looks like the one that answers."""
    being_right: Weights
    """From the features of the best sentence to the log-odds that it holds the answer."""
    threshold: float


@lru_cache(maxsize=1)
def fitted() -> Fitted:
    """The models that are shipped."""
    text = resources.files("spanwise.synthesis.extractive").joinpath("sentences.json").read_text(encoding="utf-8")
    data = json.loads(text)
    return Fitted(
        _weights(data["ranking"], NAMES),
        _weights(data["being_right"], NAMES),
        float(data["threshold"]),
    )


def probability(logit: float) -> float:
    """The logistic function, in (0, 1)."""
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, logit))))


def _weights(data: Mapping[str, float], names: Sequence[str]) -> Weights:
    return Weights(float(data["bias"]), tuple(float(data.get(name, 0.0)) for name in names))
