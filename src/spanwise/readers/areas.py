"""Rectangles that together cover another."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

Area = tuple[float, float, float, float]
"""Left, top, right and bottom; y grows downwards."""

_MOST = 64


def is_filled(area: Area, pieces: Iterable[Area], slack: float) -> bool:
    """True if some rectangles leave nothing of another, whose edges may be wrong by `slack`."""
    left, top, right, bottom = area[0] + slack, area[1] + slack, area[2] - slack, area[3] - slack
    near = [one for one in pieces if one[0] < right and one[2] > left and one[1] < bottom and one[3] > top]
    if right <= left or bottom <= top:
        right, bottom = max(right, left + 0.1), max(bottom, top + 0.1)
    if not near or len(near) > _MOST:
        return False
    edges = sorted({left, right, *(x for one in near for x in (one[0], one[2]) if left < x < right)})
    for start, end in pairwise(edges):
        reached = top
        for one in sorted(near, key=lambda one: one[1]):
            if one[0] <= start and one[2] >= end and one[1] <= reached:
                reached = max(reached, one[3])
        if reached < bottom:
            return False
    return True
