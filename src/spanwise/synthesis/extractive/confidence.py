"""How likely a sentence is the answer, and whether what is shown is right: logistic models, fitted on public data.

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

from spanwise.domain.question import Question
from spanwise.synthesis.extractive.closer import LOOK, WHOLE
from spanwise.synthesis.extractive.evidence import NAMES

JUDGED = (*LOOK, *WHOLE)
"""What tells whether the best sentence is right."""
RIVAL = 0.4
"""From this share of the best one's odds on, the second sentence is shown beside it."""


def may_have_rival(question: Question) -> bool:
    """Whether two sentences may be shown: not where one value, a list, or a yes or no is asked for, nor of filings."""
    return (
        question.model is None
        and question.profile is None
        and question.demanded is None
        and question.answer_shape == "single"
        and question.answer_type in ("text", "person", "place")
    )


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
    """The models, and the least confidence that answers, which follows from the public data."""

    ranking: Weights
    """From the features of a sentence to how much it looks like the one that answers."""
    choosing: Weights
    """The same from a closer look at the best few."""
    being_right: Weights
    """From the features of the best sentence to the log-odds that what is shown holds the answer."""
    threshold: float
    """Least confidence that answers."""
    threshold_alone: float
    """The same where one paragraph is all there is."""


@lru_cache(maxsize=1)
def fitted() -> Fitted:
    """The models that are shipped."""
    text = resources.files("spanwise.synthesis.extractive").joinpath("sentences.json").read_text(encoding="utf-8")
    data = json.loads(text)
    return Fitted(
        _weights(data["ranking"], NAMES),
        _weights(data["choosing"], LOOK),
        _weights(data["being_right"], JUDGED),
        float(data["threshold"]),
        float(data["threshold_alone"]),
    )


def probability(logit: float) -> float:
    """The logistic function, in (0, 1)."""
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, logit))))


def _weights(data: Mapping[str, float], names: Sequence[str]) -> Weights:
    return Weights(float(data["bias"]), tuple(float(data.get(name, 0.0)) for name in names))
