"""The boxes of a page's elements, before and after they are laid out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from spanwise.readers.html.values import (
    ROOT_SIZE,
    Scale,
    length,
)

LETTER, LINE = 0.45, 1.15
"""Width of a letter in running text and height of a line, as shares of the size."""
WIDEST, NARROWEST = 0.65, 0.33
"""Width of a letter in words, as a share of its size, at most and at least."""
ON_SCREEN = -1
"""The stretch of what stays where it is on the screen; that of the page is 0."""
SLACK = 3.0
"""Pixels by which a cover may be smaller than an estimate."""
TRANSFORMS = ("transform", "scale", "translate", "rotate")
STACKED = frozenset(("block", "flow-root", "list-item"))
Key: TypeAlias = tuple[tuple[float, int], ...]


class Rect(NamedTuple):
    """A rectangle on the page."""

    left: float
    top: float
    right: float
    bottom: float

    def holds(self, other: Rect) -> bool:
        """True if another lies inside, but for what estimates may be wrong by."""
        return (
            self.left <= other.left + SLACK
            and self.top <= other.top + SLACK
            and self.right >= other.right - SLACK
            and self.bottom >= other.bottom - SLACK
        )


_NOWHERE = Rect(0.0, 0.0, 0.0, 0.0)


Clip: TypeAlias = "tuple[int, Rect, float] | None"
"""A stretch, what can be seen in it, and how far down no one can scroll in it."""


class TextNode(NamedTuple):
    """A text by its node."""

    node: int
    letters: float
    order: int


@dataclass(slots=True)
class Box:
    """An element as far as it has a box."""

    tag: str
    values: Mapping[str, str]
    size: float
    opacity: float
    above: tuple[int, ...]
    """The elements around it and itself."""
    order: int
    """Where it comes in the page."""
    children: list[Box | TextNode] = field(default_factory=list)
    painted: bool = False
    """True if nothing shines through its ground."""
    inner: tuple[int, ...] = ()
    """The texts of a box that is laid out as a whole."""
    roomless: bool = False
    """True if it lets nothing be seen of what is in it."""
    unsized: bool = False
    """True for a picture whose size is not known."""
    pending: list[tuple[Box, Place, Key]] = field(default_factory=list)
    """Boxes placed in it, and where they would stand in the flow."""
    rect: Rect = _NOWHERE
    nowrap: bool = False
    indent: float = 0.0
    """How far the first line begins from the edge."""
    placed: bool = False
    """True if it is placed in another box from edge to edge."""
    clip: tuple[float, float, float, float] | None = None
    """The rectangle around the `clipPath` that it is cut to, from its corner."""
    item: bool = False
    """True in a grid or a flexible box, where all children have levels."""

    @property
    def display(self) -> str:
        """The kind of box."""
        return self.values.get("display", "inline")

    def length(self, name: str, percent: float | None = None) -> float | None:
        """A declared length in pixels."""
        value = self.values.get(name)
        return None if value is None else length(value, Scale(self.size, ROOT_SIZE, percent))


class Place(NamedTuple):
    """Where a box begins, in a stretch of the page within which places can be compared."""

    stretch: int
    x: float
    y: float


def is_placed(box: Box) -> bool:
    """True for a box that takes no room where it stands."""
    return box.values.get("position", "static") in ("absolute", "fixed")


def grows(box: Box) -> bool:
    """True for a flexible box that takes the room that is left."""
    grow = box.values.get("flex", "0").split()[0]
    return grow == "auto" or (length(grow, Scale()) or 0.0) >= 1


def overlap(one: Rect, other: Rect) -> Rect:
    """What two rectangles share; one with its edges turned round if that is nothing."""
    return Rect(
        max(one.left, other.left), max(one.top, other.top), min(one.right, other.right), min(one.bottom, other.bottom)
    )


def around_all(rects: Sequence[Rect]) -> Rect:
    """The rectangle around some others."""
    if not rects:
        return _NOWHERE
    lefts, tops, rights, bottoms = zip(*rects, strict=True)
    return Rect(min(lefts), min(tops), max(rights), max(bottoms))


def letters_in(box: Box) -> Iterator[float]:
    """The letters of each text in a box."""
    for child in box.children:
        if isinstance(child, TextNode):
            yield child.letters
        else:
            yield from letters_in(child)


def is_own(values: Mapping[str, str], name: str) -> bool:
    """True if a property is declared for the element itself."""
    return values.get(name, "inherit") != "inherit"
