"""From how well a list, a row, a cell, a definition or a yes or no fits a question to the chance that it is right.

One logistic curve a kind that never falls (Platt 1999, "Probabilistic outputs for support vector machines"), its
targets smoothed as there, so that a kind of which few examples are known is never certain. `fitting/kinds.py` writes
the curves (`calibration.json`) and prints how reliable they are.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import lru_cache
from importlib import resources
from typing import Literal, TypeAlias

from spanwise.synthesis.extractive.ranking import probability

Kind: TypeAlias = Literal[
    "list", "yes_or_no", "definition", "cells", "computed_cells", "headings", "told", "record", "superlative"
]
"""What answers: a list; an explicit yes or no; a sentence that says what something is; cells of a table that are named
by row and column; what code computed from them; the heads of their rows or columns; a figure that a sentence beside
the table tells; the record of a table that a question describes; the row with the most or least of something."""
Weigh: TypeAlias = Callable[[Kind, float], float]
"""From a kind and its own measure, in [0, 1], to the relevance of the candidate."""


def calibrated(kind: Kind, measure: float) -> float:
    """The chance, in (0, 1), that a candidate of this kind with this measure is right."""
    bias, slope = _curves()[kind]
    return round(probability(bias + slope * measure), 4)


def as_measured(_kind: Kind, measure: float) -> float:
    """The measure itself, for those who fit the curves."""
    return measure


@lru_cache(maxsize=1)
def _curves() -> dict[str, tuple[float, float]]:
    text = resources.files(__package__).joinpath("calibration.json").read_text(encoding="utf-8")
    return {kind: (float(curve["bias"]), float(curve["slope"])) for kind, curve in json.loads(text).items()}
