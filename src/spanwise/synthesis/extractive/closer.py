"""A closer look at the few sentences that stand out: the piece of each that answers best, and what others lack."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from spanwise.synthesis.extractive.apart import asking
from spanwise.synthesis.extractive.features import NAMES, View
from spanwise.synthesis.extractive.spans import TIMES, Piece, SpanWeights, best_piece

CLOSE = 6
"""Sentences that are looked at."""


@dataclass(frozen=True, slots=True)
class CloseView:
    """One of the best sentences with its best piece."""

    view: View
    row: tuple[float, ...]
    """Its features of the first look."""
    log_odds: float
    """How the first look ranks it, less the best one's."""
    piece: Piece | None
    kind: str
    """How the question asks, as pieces are told apart by it."""


def look(
    views: Sequence[View],
    rows: Sequence[tuple[float, ...]],
    scores: Sequence[float],
    weights: SpanWeights | None = None,
) -> list[CloseView]:
    """A closer look at some sentences of one question.

    Args:
        views: The sentences.
        rows: Their features of the first look.
        scores: How the first look ranks them.
        weights: Another model of pieces than the shipped one.
    """
    top = max(scores, default=0.0)
    return [
        CloseView(view, row, score - top, _piece(view, weights), asking(view.asked.question.text).kind)
        for view, row, score in zip(views, rows, scores, strict=True)
    ]


def _piece(view: View, weights: SpanWeights | None) -> Piece | None:
    if view.asked.expected.foreign:
        return None  # the model of pieces knows English only
    question, text = view.asked.question.text, view.sentence.text
    # Asked for as everybody does, so that it is found once.
    return best_piece(question, text) if weights is None else best_piece(question, text, weights)


def _fits(close: CloseView) -> float:
    """1 if the piece is of the kind that is asked for, -1 if it is not, 0 if any will do."""
    piece, kind = close.piece, close.kind
    if piece is None:
        return -1.0
    if kind == "when":
        return 1.0 if piece.kind.removeprefix("k ") in TIMES else 0.5 if piece.kind.startswith("k ") else -1.0
    if kind in ("many", "much", "long"):
        return 1.0 if piece.kind.startswith("k ") else -1.0
    if kind == "who":
        return 1.0 if piece.capitals else -1.0
    return float(kind == "where" and piece.capitals)


CLOSER: Mapping[str, Callable[[CloseView], float]] = {
    "behind": lambda close: close.log_odds,
    "piece": lambda close: close.piece.score if close.piece else -5.0,
    "chance": lambda close: close.piece.chance if close.piece else 0.0,
    "second": lambda close: close.piece.second if close.piece else 0.0,
    "pieces": lambda close: math.log1p(close.piece.pieces) if close.piece else 0.0,
    "fits": _fits,
    "named": lambda close: float(close.piece.capitals) if close.piece else 0.0,
    "piece_asked": lambda close: float(close.piece.asked) if close.piece else 2.0,
    "piece_words": lambda close: float(close.piece.words) if close.piece else 0.0,
}
"""The features of the closer look, by name."""
CLOSER_NAMES = (*NAMES, *CLOSER)
"""Names of a row of the closer look."""


def closer_look(views: Sequence[CloseView]) -> list[tuple[float, ...]]:
    """The features CLOSER_NAMES of some sentences."""
    return [(*view.row, *(feature(view) for feature in CLOSER.values())) for view in views]
