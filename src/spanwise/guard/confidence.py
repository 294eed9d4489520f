"""How far a checked answer may be trusted: the scores of what it cites, less what was wrong with it; what follows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, TypeAlias

from spanwise.errors import InputError

LOW, HIGH = 0.4, 0.75
"""Below the first the reader is asked, from the second on nobody has to look."""

Action: TypeAlias = Literal["clarify", "proceed", "review"]


def answer_confidence(scores: Sequence[float], penalties: Sequence[float]) -> float:
    """Mean score of the cited chunks less the penalties, in [0, 1]; 0 for an answer that cites nothing.

    Args:
        scores: Of each cited chunk, in [0, 1].
        penalties: One for each kind of thing that was wrong.
    """
    if not scores:
        return 0.0
    return round(min(1.0, max(0.0, math.fsum(scores) / len(scores) - math.fsum(penalties))), 6)


def confidence_action(confidence: float, *, low: float = LOW, high: float = HIGH) -> Action:
    """What to do with an answer: `clarify` below `low`, `proceed` from `high` on, `review` between them.

    Raises:
        InputError: The confidence is no number in [0, 1], or the thresholds are not 0 <= low <= high <= 1.
    """
    if not 0 <= confidence <= 1:
        raise InputError(f"the confidence is {confidence}; it has to be from 0 to 1")
    if not 0 <= low <= high <= 1:
        raise InputError(f"the thresholds are {low} and {high}; 0 <= low <= high <= 1 is needed")
    if confidence < low:
        return "clarify"
    return "proceed" if confidence >= high else "review"
