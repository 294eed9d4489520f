"""Where things stand on a page: from what a PDF says to the page as displayed, and from that to each way text runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

Frame: TypeAlias = Literal[0, 1, 2, 3]
"""Which way text runs on the displayed page: 0 to the right, 1 downwards, 2 to the left, 3 upwards."""
Rect: TypeAlias = tuple[float, float, float, float]


class Placement:
    """Turns page space (y upwards, any origin, unrotated) into the page as displayed, in points from its top left."""

    __slots__ = ("bottom", "box", "height", "left", "right", "top", "turn", "width")

    def __init__(self, box: Rect, turn: int) -> None:
        self.box = box
        self.left, self.bottom, self.right, self.top = box
        self.turn = turn
        wide, high = self.right - self.left, self.top - self.bottom
        self.width, self.height = (high, wide) if turn in (1, 3) else (wide, high)

    def show(self, x0: float, y0: float, x1: float, y1: float) -> Rect:
        """A rectangle of page space as x0, y0, x1, y1 on the displayed page."""
        if self.turn == 0:
            shown = x0 - self.left, self.top - y1, x1 - self.left, self.top - y0
        elif self.turn == 1:
            shown = y0 - self.bottom, x0 - self.left, y1 - self.bottom, x1 - self.left
        elif self.turn == 2:
            shown = self.right - x1, y0 - self.bottom, self.right - x0, y1 - self.bottom
        else:
            shown = self.top - y1, self.right - x1, self.top - y0, self.right - x0
        return shown

    def frame_of(self, a: float, b: float) -> Frame:
        """Which way text with that direction in page space runs on the displayed page."""
        quarter = (0 if a >= 0 else 2) if abs(a) >= abs(b) else (3 if b > 0 else 1)
        turned = (quarter + self.turn) % 4
        return 0 if turned == 0 else 1 if turned == 1 else 2 if turned == 2 else 3


def turn_to_frame(rect: Rect, frame: Frame) -> Rect:
    """A displayed rectangle, turned so that text of that frame runs to the right and downwards."""
    x0, y0, x1, y1 = rect
    if frame == 0:
        return rect
    if frame == 1:
        return y0, -x1, y1, -x0
    if frame == 2:
        return -x1, -y1, -x0, -y0
    return -y1, x0, -y0, x1


def turn_from_frame(rect: Rect, frame: Frame) -> Rect:
    """The other way round: from a frame's own coordinates back to the displayed page."""
    x0, y0, x1, y1 = rect
    if frame == 0:
        return rect
    if frame == 1:
        return -y1, x0, -y0, x1
    if frame == 2:
        return -x1, -y1, -x0, -y0
    return y0, -x1, y1, -x0


def around(rects: Sequence[Rect]) -> Rect:
    """The rectangle around some others."""
    lefts, lows, rights, highs = zip(*rects, strict=True)
    return min(lefts), min(lows), max(rights), max(highs)


def meet(one: Rect, other: Rect) -> bool:
    """True if two rectangles share more than an edge."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
