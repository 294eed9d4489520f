"""Clips, shifts, scales and transformations of boxes, as far as declarations alone determine them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from operator import mul
from typing import NamedTuple, TypeAlias

from spanwise.readers.html.css_values import (
    ROOT_SIZE,
    Scale,
    Token,
    angle,
    four_sides,
    fraction,
    length,
    measure,
    split,
    tokens,
)

NOTHING = 2.0
"""Pixels: a box that shows no more than this shows no text."""
_BLURRED = 0.6
"""Radius of a blur, relative to the font size, from which on text is illegible."""
FAR = 900.0
"""Pixels beyond the left or upper edge of a page: no text is so long that its end is back on the page."""
BOX = 400.0
"""Pixels assumed for a box of unknown size, to compare percentages of it with lengths."""
_FILLING = frozenset("block flow-root list-item flex grid".split())
"""Kinds of boxes that fill the width of the box around them."""
_LONGEST_PATH = 2_000
_STROKES = re.compile(r"([a-zA-Z])([^a-zA-Z]{0,2000})")
_NUMBERS = re.compile(r"-?(?:\d{1,9}(?:\.\d{0,9})?|\.\d{1,9})")


class Move(NamedTuple):
    """The effect of transforms on a box."""

    scale: float = 1.0
    """The smaller of the two scale factors, without sign."""
    across: float = 0.0
    down: float = 0.0
    own_width: float = 0.0
    """The shift to the right in multiples of the box's own width."""
    own_height: float = 0.0
    turned: bool = False
    """True if its back faces the reader."""


Matrix: TypeAlias = tuple[tuple[float, ...], ...]
"""A 4 by 4 matrix, applied to points (x, y, z, 1)."""
SAME: Matrix = tuple(tuple(float(row == column) for column in range(4)) for row in range(4))


def product(one: Matrix, other: Matrix) -> Matrix:
    """The composition of two transforms, the second one applied first."""
    columns = tuple(zip(*other, strict=True))
    return tuple(tuple(sum(map(mul, row, column)) for column in columns) for row in one)


@lru_cache(maxsize=2048)
def moved(
    transform: str, scale: str, translate: str, rotate: str, size: float, within: Matrix = SAME, eye: float = 0.0
) -> Move:
    """The effect of all transforms of an element, from its four properties and its font size.

    `within` is the transform of the parent in a shared 3D space, and `eye` the parent's perspective, in pixels (0 if
    none).
    """
    matrix, own = transformed(transform, scale, translate, rotate, size)
    if eye:
        matrix = product(_moving(eye=eye), matrix)
    matrix = product(within, matrix)
    (a, c, e, x), (b, d, f, y), (g, h, i, _), (p, q, _, w) = matrix
    if w <= 0:  # behind the eye
        return Move(scale=0.0)
    flat = _least_scale(
        *((one - shift * by) / w for one, shift, by in ((a, x / w, p), (b, y / w, p), (c, x / w, q), (d, y / w, q)))
    )
    depth = a * (d * i - f * h) - c * (b * i - f * g) + e * (b * h - d * g)
    facing = (a * d - b * c) * (depth or 1.0)
    return Move(flat if flat > _FLAT and depth else 0.0, x / w, y / w, *own, facing < 0)


_NO_MOVE = frozenset(("", "none", "initial"))
_FLAT = 0.002
"""A scale below which nothing shows: letters of any screen size would be less than a pixel high."""


def _moving(x: float = 0.0, y: float = 0.0, z: float = 0.0, eye: float = 0.0) -> Matrix:
    rows = [list(row) for row in SAME]
    rows[0][3], rows[1][3], rows[2][3] = x, y, z
    rows[3][2] = -1 / max(eye, 1.0) if eye else 0.0
    return tuple(map(tuple, rows))


def _scaling(x: float, y: float, z: float = 1.0) -> Matrix:
    return ((x, 0.0, 0.0, 0.0), (0.0, y, 0.0, 0.0), (0.0, 0.0, z, 0.0), SAME[3])


def _turning(x: float, y: float, z: float, degrees: float) -> Matrix:
    """The matrix of a rotation around an axis (Rodrigues)."""
    long = math.sqrt(x * x + y * y + z * z)
    if not long:
        return SAME
    x, y, z = x / long, y / long, z / long
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    rest = 1 - cos
    return (
        (cos + x * x * rest, x * y * rest - z * sin, x * z * rest + y * sin, 0.0),
        (y * x * rest + z * sin, cos + y * y * rest, y * z * rest - x * sin, 0.0),
        (z * x * rest - y * sin, z * y * rest + x * sin, cos + z * z * rest, 0.0),
        SAME[3],
    )


@lru_cache(maxsize=2048)
def transformed(
    transform: str, scale: str, translate: str, rotate: str, size: float
) -> tuple[Matrix, tuple[float, float]]:
    """The transforms of an element as a matrix, and its shift in multiples of its own width and height."""
    own = (("translate", translate), ("rotate", rotate), ("scale", scale))
    steps = [(name, [[token] for token in tokens(value)]) for name, value in own if value not in _NO_MOVE]
    functions = [token for token in tokens(transform) if token.type == "function"] if transform else []
    # An SVG may write spaces where a style sheet has commas.
    steps += [(one.lower_name, [[word] for piece in split(one.arguments) for word in piece]) for one in functions]
    matrix, moves = SAME, _UNMOVED
    for name, arguments in steps:
        one, share = _function(name, arguments, size)
        matrix = product(matrix, one)
        moves = moves[0] + share[0], moves[1] + share[1]
    return matrix, moves


def _function(name: str, arguments: Sequence[Sequence[Token]], size: float) -> tuple[Matrix, tuple[float, float]]:
    """The matrix of a transform function, or of the property of that name, and the shift in multiples of its size."""
    found = [argument[0] for argument in arguments]
    if name.startswith("translate"):
        return _translated(name, found, size)
    if name.startswith("rotate"):
        return _rotated(name, found), _UNMOVED
    if name.startswith("skew"):
        return _skewed(name, found), _UNMOVED
    numbers = [measure(one, Scale(size, percent=1.0)) for one in found]
    known = [number for number in numbers if number is not None]
    matrix = SAME
    if name == "perspective" and known:
        matrix = _moving(eye=known[0])
    elif known and len(known) == len(numbers):
        matrix = _scaled(name, known) if name.startswith("scale") else _given(name, known)
    return matrix, _UNMOVED


_UNMOVED = 0.0, 0.0


def _translated(name: str, found: Sequence[Token], size: float) -> tuple[Matrix, tuple[float, float]]:
    moves = [(measure(one, Scale(size, percent=0.0)) or 0.0, _share(one)) for one in found]
    if name in ("translatey", "translatez"):
        moves = [(0.0, 0.0)] * (1 if name == "translatey" else 2) + moves
    (x, wide), (y, high), (z, _) = [*moves, *[(0.0, 0.0)] * 3][:3]
    return _moving(x, y, z), (wide, high)


def _rotated(name: str, found: Sequence[Token]) -> Matrix:
    turns = [turn for one in found if (turn := angle(one)) is not None]
    axis = name[-1] if name[-1] in "xyz" else next((one.lower_value for one in found if one.type == "ident"), "z")
    x, y, z = (float(axis == side) for side in "xyz")
    if len(found) == 4:
        x, y, z = (measure(one, Scale()) or 0.0 for one in found[:3])
    return _turning(x, y, z, turns[-1]) if turns else SAME


def _skewed(name: str, found: Sequence[Token]) -> Matrix:
    x, y = [*(math.tan(math.radians(angle(one) or 0.0)) for one in found), 0.0, 0.0][:2]
    x, y = (0.0, x) if name == "skewy" else (x, y)
    steep = max(abs(x), abs(y)) > _STEEPEST
    return _scaling(0.0, 0.0) if steep else ((1.0, x, 0.0, 0.0), (y, 1.0, 0.0, 0.0), SAME[2], SAME[3])


def _scaled(name: str, known: Sequence[float]) -> Matrix:
    if (at := "xyz".find(name[-1])) >= 0:
        return _scaling(*(known[0] if one == at else 1.0 for one in range(3)))
    return _scaling(known[0], known[0]) if len(known) == 1 else _scaling(*known[:3])


def _given(name: str, known: Sequence[float]) -> Matrix:
    if name == "matrix" and len(known) == 6:
        a, b, c, d, x, y = known
        return ((a, c, 0.0, x), (b, d, 0.0, y), SAME[2], SAME[3])
    return tuple(tuple(known[row::4]) for row in range(4)) if name == "matrix3d" and len(known) == 16 else SAME


_STEEPEST = 1e5


def _share(token: Token) -> float:
    """The percentage in a length, or in a sum of lengths, as a share."""
    whole, none = (measure(token, Scale(percent=percent)) for percent in (1.0, 0.0))
    return (whole or 0.0) - (none or 0.0)


def _least_scale(a: float, b: float, c: float, d: float) -> float:
    """The smaller singular value of a 2 by 2 matrix, which is the smallest scale in any direction."""
    larger = math.hypot(a, b) + math.hypot(c, d)
    return min(abs(a * d - b * c) / larger * 2, max(math.hypot(a, b), math.hypot(c, d))) if larger else 0.0


def clips_all(values: Mapping[str, str], size: float, *, out_of_flow: bool, inline: bool) -> bool:
    """True if `clip` or `clip-path` leaves nothing of a box."""
    clip = values.get("clip", "auto")
    if out_of_flow and clip.startswith("rect(") and _shape_is_empty(clip, size):
        return True
    path = values.get("clip-path", "none")
    return path != "none" and not (inline and "inset" not in path) and _shape_is_empty(path, size)


def is_dot(picture: str, size: float) -> bool:
    """True for a `background-size` so small that the picture vanishes."""
    layers = split(tokens(picture))
    sides = [measure(token, Scale(size, percent=BOX)) for token in layers[0][:2]] if len(layers) == 1 else []
    return any(side is not None and side <= NOTHING for side in sides)


_KNOWN = frozenset("inset circle ellipse polygon path rect xywh url".split())
"""Basic shapes whose area can be computed; what another one shows is unknown, so nothing in it counts as visible."""


@lru_cache(maxsize=512)
def _shape_is_empty(path: str, size: float) -> bool:
    """True for a shape that is unknown, has no area, or lies to the left of its box or above it."""
    points = outline(path, size)
    if len(points) < 2:
        shapes = (one.lower_name for one in tokens(path) if one.type == "function")
        return len(points) == 1 or not _KNOWN.issuperset(shapes)
    across, down = [point[0] for point in points], [point[1] for point in points]
    return any(max(side) - min(side) <= NOTHING or max(side) <= 0 for side in (across, down))


def outline(shape: str, size: float = ROOT_SIZE, wide: float = BOX, high: float = BOX) -> list[tuple[float, float]]:
    """Points around a basic shape (`inset(…)`), in pixels from the corner of its box; empty if unknown.

    `size` is the font size; `wide` and `high` are the sides of the box, for percentages.
    """
    token = next((token for token in tokens(shape) if token.type == "function"), None)
    if token is None:
        return []
    content = [one for one in token.arguments if one.type not in ("whitespace", "comment") and one != ","]
    return list(_outline(token.lower_name, content, size, wide, high))


def _outline(
    name: str, content: Sequence[Token], size: float, wide: float, high: float
) -> Iterator[tuple[float, float]]:
    across, down = Scale(size, percent=wide), Scale(size, percent=high)
    first = down if name in ("inset", "rect") else across
    words = [one.lower_value if one.type == "ident" else "" for one in content]
    at = words.index("at") if "at" in words else len(content)
    sizes = content[:at] if name != "polygon" else [one for one, word in zip(content, words, strict=True) if not word]
    numbers = [measure(one, across if (at % 2 == 0) == (first is across) else down) for at, one in enumerate(sizes)]
    known = [number for number in numbers if number is not None]
    if name == "inset" and known:
        top, right, bottom, left = four_sides([0.0 if number is None else number for number in numbers][:4])
        yield from ((left, top), (max(left, wide - right), max(top, high - bottom)))
    elif name in ("circle", "ellipse") and known:
        centre = [measure(one, (across, down)[place % 2]) for place, one in enumerate(content[at + 1 :])]
        x, y = (
            (one for one in centre if one is not None)
            if len(centre) == 2 and None not in centre
            else (wide / 2, high / 2)
        )
        yield from ((x - known[0], y - known[-1]), (x + max(known[0], 0.0), y + max(known[-1], 0.0)))
    elif name == "xywh" and None not in numbers[:4] and len(numbers) >= 4:
        x, y, right, bottom = known[:4]
        yield from ((x, y), (x + right, y + bottom))
    elif name == "rect" and len(numbers) >= 4:
        left, top = numbers[3] or 0.0, numbers[0] or 0.0
        yield left, top
        yield (
            max(left, wide if numbers[1] is None else numbers[1]),
            max(top, high if numbers[2] is None else numbers[2]),
        )
    elif name == "polygon":
        yield from zip(known[::2], known[1::2], strict=False) if len(known) == len(numbers) else ()
    elif name == "path":
        yield from _drawn("".join(one.value for one in content if one.type == "string"))


def _drawn(path: str) -> Iterator[tuple[float, float]]:
    """The points of an SVG path, control points of its curves included."""
    x = y = 0.0
    for command, given in _STROKES.findall(path[:_LONGEST_PATH]):
        numbers = [float(number) for number in _NUMBERS.findall(given)]
        kind, moved = command.lower(), command.islower()
        step = {"h": 1, "v": 1, "a": 7, "c": 6, "s": 4, "q": 4}.get(kind, 2)
        for at in range(0, len(numbers) - step + 1, step):
            piece = numbers[at : at + step]
            pairs = [(piece[0], 0.0)] if kind == "h" else [(0.0, piece[0])] if kind == "v" else []
            pairs = pairs or (
                [(piece[5], piece[6])] if kind == "a" else list(zip(piece[::2], piece[1::2], strict=True))
            )
            x0, y0 = x, y
            for across, down in pairs:
                x = x0 + across if moved else (x0 if kind == "v" else across)
                y = y0 + down if moved else (y0 if kind == "h" else down)
                yield x, y
            if kind == "a":  # an arc may swell as far as its radii
                yield from ((x0 - piece[0], y0 - piece[1]), (x0 + piece[0], y0 + piece[1]))


def plain(values: Mapping[str, str], *, item: bool) -> Mapping[str, str]:
    """The declared values, completed by sizes and clips that follow from other properties.

    `item` is True for an item of a flexible row.
    """
    told: dict[str, str] = {}
    contained = values.get("contain", "none").split()
    if not _CONTAINED.isdisjoint(contained):
        told = {"overflow-x": "clip", "overflow-y": "clip"}
        if not {"strict", "size"}.isdisjoint(contained) and values.get("height", "auto") == "auto":
            told["height"] = "0px"
    if values.get("overflow-clip-margin", "0px") not in ("0px", "0", "initial") and "clip" in (
        values.get("overflow-x"),
        values.get("overflow-y"),
    ):
        told = {"overflow-x": "visible", "overflow-y": "visible"}
    sides = f"{values.get('aspect-ratio', 'auto')}/1".split("/")[:2]
    if values.get("height", "auto") == "auto" and "min-height" not in values:
        wide, across, down = (length(one.strip(), Scale()) for one in (values.get("width", "auto"), *sides))
        if wide is not None and across and down:
            told["height"] = f"{wide * down / across}px"
    basis = values.get("flex", "").split()
    if item and len(basis) == 3 and basis[0] == "0" and length(basis[2], Scale()) == 0:
        told["width"] = "0px"
    return {**values, **told} if told else values


_CONTAINED = frozenset(("paint", "strict", "content"))


def room(values: Mapping[str, str], size: float, around: float | None) -> float | None:
    """The width of a box for its content, from that of the box around it; None if only a layout could tell."""
    display = values.get("display", "inline")
    if display in ("inline", "contents"):
        return around
    scale = Scale(size, percent=around)
    paddings = sum(length(values.get(f"padding-{side}", "0"), scale) or 0.0 for side in ("left", "right"))
    margins = sum(length(values.get(f"margin-{side}", "0"), scale) or 0.0 for side in ("left", "right"))
    outer = paddings if values.get("box-sizing") == "border-box" else 0.0
    least, wide, most = (length(values.get(name, "auto"), scale) for name in ("min-width", "width", "max-width"))
    flows = values.get("float", "none") == "none" and values.get("position", "static") in ("static", "relative")
    ends = [length(values.get(side, "auto"), scale) for side in ("left", "right")]
    if values.get("position") == "absolute" and None not in ends:
        flows, margins = True, margins + sum(end for end in ends if end is not None)
    if wide is not None:
        wide -= outer
    elif around is not None and flows and display in _FILLING:
        wide = around - margins - paddings
    if wide is None:
        return None
    wide = wide if most is None else min(wide, most - outer)
    return max(wide if least is None else max(wide, least - outer), 0.0)


def filtered(value: str, size: float) -> float:
    """The share of a text that filters leave visible, from 0 to 1; `size` is its font size."""
    left = 1.0
    for token in tokens(value):
        if token.type == "function" and token.lower_name == "opacity":
            content = "".join(one.serialize() for one in token.arguments)
            share = fraction(content)
            left *= 1.0 if share is None else share
        elif token.type == "function" and token.lower_name == "blur":
            radius = length("".join(one.serialize() for one in token.arguments), Scale(size))
            left *= 0.0 if radius is not None and radius >= max(size * _BLURRED, NOTHING) else 1.0
    return left
