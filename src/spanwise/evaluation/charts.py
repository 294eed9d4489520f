"""Charts of a run as inline SVG: calibration, risk over coverage, and how long questions took.

Colours come from the page that holds them; nothing is drawn by colour alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TypeAlias

from spanwise.evaluation.cases import Row

Point: TypeAlias = tuple[float, float]
_SIDE, _LEFT, _TOP, _RIGHT, _BOTTOM = 240.0, 46.0, 12.0, 14.0, 40.0
_TICKS = 4


@dataclass(frozen=True, slots=True)
class Bin:
    """Answers of about one confidence."""

    confidence: float
    """Their mean confidence."""
    right: float
    """The share of them that is right."""
    n: int


def right(row: Row) -> bool:
    """True if what was shown holds a right answer."""
    held = row.metrics.get("shown_right")
    return bool(held) if held is not None else row.answerable and bool(row.metrics.get("right"))


def shown(rows: Sequence[Row]) -> list[Row]:
    """The rows with an answer, a possible one included."""
    return [row for row in rows if row.decision == "ship"]


def calibration_bins(rows: Sequence[Row], bins: int = 10) -> list[Bin]:
    """The answers in bins of equal size by their confidence, empty ones left out."""
    order = sorted(shown(rows), key=lambda row: (row.confidence, row.key))
    made = []
    for number in range(bins):
        members = order[len(order) * number // bins : len(order) * (number + 1) // bins]
        if members:
            size = len(members)
            made.append(Bin(sum(one.confidence for one in members) / size, sum(map(right, members)) / size, size))
    return made


def risk_coverage(rows: Sequence[Row]) -> list[Point]:
    """The share of all questions that is answered above each confidence, and the share of those answers that is wrong.

    Answers of one confidence come together, so that their order does not matter.
    """
    points = []
    count = wrong = 0
    order = sorted(shown(rows), key=lambda row: -row.confidence)
    for _, alike in groupby(order, key=lambda row: row.confidence):
        members = list(alike)
        count += len(members)
        wrong += sum(not right(row) for row in members)
        points.append((count / len(rows), wrong / count))
    return points


def calibration_chart(bins: Sequence[Bin]) -> str:
    """Promised against kept; the dashed line is where they are equal, a dot grows with its number of answers."""
    most = max((one.n for one in bins), default=1)
    dots = "".join(
        f'<circle class="dot" cx="{_x(one.confidence)}" cy="{_y(one.right)}" r="{3 + 4 * one.n / most:.1f}">'
        f"<title>{one.n} answers: confidence {one.confidence:.2f}, right {one.right:.2f}</title></circle>"
        for one in bins
    )
    return _chart("Calibration", "confidence", "share that is right", _path([(0, 0), (1, 1)], "even") + dots)


def risk_chart(now: Sequence[Point], before: Sequence[Point] = ()) -> str:
    """Risk over coverage; the dashed line is the earlier run."""
    return _chart(
        "Risk over coverage", "share answered", "share of those wrong", _path(before, "even") + _path(now, "line")
    )


def seconds_chart(seconds: Sequence[float]) -> str:
    """The share of questions that is done within a time."""
    order = sorted(seconds)
    longest = max([*order, 1e-9])
    points = [(0.0, 0.0), *((value / longest, (at + 1) / len(order)) for at, value in enumerate(order))]
    return _chart("Time", "seconds", "share done within", _path(points, "line"), most_x=longest)


def _chart(name: str, across: str, up: str, drawn: str, most_x: float = 1.0) -> str:
    width, height = _LEFT + _SIDE + _RIGHT, _TOP + _SIDE + _BOTTOM
    ticks = "".join(
        f'<path class="grid" d="M{_x(share)} {_y(0)}V{_y(1)}M{_x(0)} {_y(share)}H{_x(1)}"/>'
        f'<text x="{_x(share)}" y="{_TOP + _SIDE + 16:.0f}" text-anchor="middle">{most_x * share:.2g}</text>'
        f'<text x="{_LEFT - 6:.0f}" y="{float(_y(share)) + 4:.1f}" text-anchor="end">{share:.2g}</text>'
        for share in (at / _TICKS for at in range(_TICKS + 1))
    )
    middle = _TOP + _SIDE / 2
    return (
        f'<figure><svg viewBox="0 0 {width:.0f} {height:.0f}" role="img" aria-label="{name}: {up} by {across}">'
        f"{ticks}{drawn}"
        f'<text x="{_LEFT + _SIDE / 2:.0f}" y="{height - 6:.0f}" text-anchor="middle">{across}</text>'
        f'<text transform="rotate(-90 12 {middle:.0f})" x="12" y="{middle:.0f}" text-anchor="middle">{up}</text>'
        f"</svg><figcaption>{name}</figcaption></figure>\n"
    )


def _path(points: Sequence[Point], kind: str) -> str:
    if not points:
        return ""
    return f'<path class="{kind}" d="M{"L".join(f"{_x(x)} {_y(y)}" for x, y in points)}"/>'


def _x(share: float) -> str:
    return f"{_LEFT + _SIDE * share:.1f}"


def _y(share: float) -> str:
    return f"{_TOP + _SIDE * (1 - share):.1f}"
