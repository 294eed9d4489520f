"""What covers what: rectangles that together fill another, and pictures without transparent places."""

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


def is_opaque_picture(start: bytes) -> bool:
    """True for a picture, by its first bytes, in a format or a variety without transparent places."""
    if start.startswith(b"\x89PNG"):
        return start[25:26] in (b"\x00", b"\x02") and b"tRNS" not in start
    if start.startswith(b"GIF8"):
        control = start.find(b"\x21\xf9\x04")
        return control < 0 or not start[control + 3] & 1
    if start.startswith(b"RIFF"):
        return start[12:16] == b"VP8 "
    return start.startswith((b"\xff\xd8", b"BM"))
