"""Where boxes go and what cuts them off, as far as declarations alone tell: clips, shifts and scales."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from spanwise.readers.html.values import (
    ROOT_SIZE,
    SCREEN,
    Scale,
    Token,
    angle,
    fraction,
    length,
    measure,
    split,
    tokens,
)

NOTHING = 2.0
"""Pixels: a box that lets through no more than this shows no text."""
_BLURRED = 0.6
"""A blur by this share of the size leaves a stain in place of words."""
FAR = 900.0
"""Pixels beyond the upper or left edge of a page: no text is so wide that its end comes back."""
_BOX = 400.0
"""Pixels of a box whose size is not known, where shares of it are compared with lengths."""
_LONGEST_PATH = 2_000
_STROKES = re.compile(r"([a-zA-Z])([^a-zA-Z]{0,2000})")
_NUMBERS = re.compile(r"-?(?:\d{1,9}(?:\.\d{0,9})?|\.\d{1,9})")
OUT_OF_REACH = 5_000.0
"""Pixels to the right or below where nobody scrolls to."""


class Move(NamedTuple):
    """What transforms do to a box."""

    scale: float = 1.0
    """The smaller of the two factors, without sign."""
    across: float = 0.0
    down: float = 0.0
    own_width: float = 0.0
    """How far it moves to the right, in widths of its own."""
    own_height: float = 0.0
    turned: bool = False
    """True if its back is turned to the front."""


@lru_cache(maxsize=2048)
def moved(transform: str, scale: str, translate: str, rotate: str, size: float) -> Move:
    """All transforms of an element together."""
    move = Move()
    if transform not in ("", "none"):
        for token in tokens(transform):
            if token.type == "function":
                # An SVG may write spaces where a style sheet has commas.
                arguments = [[one] for piece in split(token.arguments) for one in piece]
                move = _joined(move, _function(token.lower_name, arguments, size))
    if scale not in ("", "none"):
        factors = [number for token in tokens(scale) if (number := measure(token, Scale(percent=1.0))) is not None]
        if factors:
            move = _joined(move, Move(scale=min(abs(factor) for factor in factors[:2])))
    if translate not in ("", "none"):
        move = _joined(move, _shift([[token] for token in tokens(translate)][:2], size))
    if rotate not in ("", "none"):
        words = [token.lower_value for token in tokens(rotate) if token.type == "ident"]
        turns = [turn for token in tokens(rotate) if (turn := angle(token)) is not None]
        if turns and words and words[0] in ("x", "y"):
            move = _joined(move, _turn(turns[0]))
    return move


def _joined(one: Move, other: Move) -> Move:
    return Move(
        one.scale * other.scale,
        one.across + other.across,
        one.down + other.down,
        one.own_width + other.own_width,
        one.own_height + other.own_height,
        one.turned != other.turned,
    )


def _function(name: str, arguments: Sequence[Sequence[Token]], size: float) -> Move:
    numbers = [measure(argument[0], Scale(size, percent=1.0)) if len(argument) == 1 else None for argument in arguments]
    known = [0.0 if number is None else number for number in numbers]
    move = Move()
    if not known or (None in numbers and name.startswith(("scale", "matrix"))):
        return move
    if name in ("scale", "scale3d", "scalex", "scaley", "scalez"):
        flat = name == "scalez" or len(known) == 3  # without depth nothing is drawn, more of it changes nothing
        depth = 1.0 if known[-1] else 0.0
        factors = known[: 0 if name == "scalez" else 2]
        move = Move(scale=min([abs(number) for number in factors] + [depth] * flat))
    elif name in ("translate", "translate3d", "translatex"):
        move = _shift(arguments[: 1 if name == "translatex" else 2], size)
    elif name == "translatey":
        across = _shift(arguments[:1], size)
        move = Move(down=across.across, own_height=across.own_width)
    elif name in ("rotatex", "rotatey") or (name == "rotate3d" and len(known) == 4 and not known[2]):
        move = _turn(angle(arguments[-1][0]) or 0.0)
    elif name in ("skew", "skewx", "skewy"):
        move = Move(scale=min(_turn(angle(argument[0]) or 0.0).scale for argument in arguments))
    elif name == "matrix" and len(known) == 6:
        move = Move(scale=_least_scale(*known[:4]), across=known[4], down=known[5])
    elif name == "matrix3d" and len(known) == 16:
        move = Move(scale=_least_scale(known[0], known[1], known[4], known[5]), across=known[12], down=known[13])
    return move


def _least_scale(a: float, b: float, c: float, d: float) -> float:
    """The smaller singular value: how much the flatter direction keeps."""
    larger = math.hypot(a, b) + math.hypot(c, d)
    return abs(a * d - b * c) / larger * 2 if larger else 0.0


def _turn(degrees: float) -> Move:
    flat = abs(math.cos(math.radians(degrees)))
    return Move(scale=flat if flat > 0.01 else 0.0, turned=math.cos(math.radians(degrees)) < 0)


def _shift(arguments: Sequence[Sequence[Token]], size: float) -> Move:
    pixels: list[float] = []
    shares: list[float] = []
    for argument in arguments:
        token = argument[0] if len(argument) == 1 else None
        share = token.value / 100 if token is not None and token.type == "percentage" else 0.0
        pixels.append(0.0 if token is None or share else measure(token, Scale(size, percent=0.0)) or 0.0)
        shares.append(share)
    across, down = [*pixels, 0.0, 0.0][:2]
    wide, high = [*shares, 0.0, 0.0][:2]
    return Move(across=across, down=down, own_width=wide, own_height=high)


def clips_all(values: Mapping[str, str], size: float, *, out_of_flow: bool, inline: bool) -> bool:
    """True if `clip` or `clip-path` leaves nothing of a box."""
    clip = values.get("clip", "auto")
    if out_of_flow and clip.startswith("rect(") and _clips(clip, size):
        return True
    if values.get("mask-image", "none") != "none" and is_dot(values.get("mask-size", "auto"), size):
        return True
    path = values.get("clip-path", "none")
    return path != "none" and not (inline and "inset" not in path) and _shape_is_empty(path, size)


def is_dot(mask: str, size: float) -> bool:
    """True for a size of pictures that leaves nothing of them."""
    layers = split(tokens(mask))
    sides = [measure(token, Scale(size, percent=_BOX)) for token in layers[0][:2]] if len(layers) == 1 else []
    return any(side is not None and side <= NOTHING for side in sides)


@lru_cache(maxsize=512)
def _clips(clip: str, size: float) -> bool:
    token = tokens(clip)[0]
    edges = [
        measure(one, Scale(size)) for one in token.arguments if one.type not in ("whitespace", "comment") and one != ","
    ]
    if len(edges) != 4:
        return False
    top, right, bottom, left = edges
    across = right is not None and right - (left or 0.0) <= NOTHING
    return across or (bottom is not None and bottom - (top or 0.0) <= NOTHING)


@lru_cache(maxsize=512)
def _shape_is_empty(path: str, size: float) -> bool:
    """True for a shape without area, or one that lies left of its box or above it."""
    points = outline(path, size)
    if len(points) < 2:
        return False
    across, down = [point[0] for point in points], [point[1] for point in points]
    return any(max(side) - min(side) <= NOTHING or max(side) <= 0 for side in (across, down))


def outline(shape: str, size: float = ROOT_SIZE) -> list[tuple[float, float]]:
    """Points around what is written as a basic shape, in pixels; none where they are not known."""
    token = next((token for token in tokens(shape) if token.type == "function"), None)
    if token is None:
        return []
    content = [one for one in token.arguments if one.type not in ("whitespace", "comment") and one != ","]
    return list(_outline(token.lower_name, content, Scale(size, percent=_BOX)))


def _outline(name: str, content: Sequence[Token], scale: Scale) -> Iterator[tuple[float, float]]:
    numbers = [measure(one, scale) for one in content]
    known = [number for number in numbers if number is not None]
    if name == "inset" and known:
        top, right, bottom, left = _four([0.0 if number is None else number for number in numbers][:4])
        yield from ((left, top), (max(left, _BOX - right), max(top, _BOX - bottom)))
    elif name in ("circle", "ellipse") and known:
        at = next(
            (at for at, one in enumerate(content) if one.type == "ident" and one.lower_value == "at"), len(content)
        )
        radii = [number for number in numbers[:at] if number is not None]
        centre = [number for number in numbers[at:] if number is not None]
        x, y = centre if len(centre) == 2 else (_BOX / 2, _BOX / 2)
        for wide, high in ((radii[0], radii[-1]),) if radii else ():
            yield from ((x - wide, y - high), (x + max(wide, 0.0), y + max(high, 0.0)))
    elif name == "xywh" and None not in numbers[:4] and len(numbers) >= 4:
        x, y, wide, high = known[:4]
        yield from ((x, y), (x + wide, y + high))
    elif name == "rect" and len(numbers) >= 4:
        begins = numbers[3] or 0.0, numbers[0] or 0.0
        ends = (_BOX if edge is None else edge for edge in (numbers[1], numbers[2]))
        yield begins
        yield max(begins[0], next(ends)), max(begins[1], next(ends))
    elif name == "polygon":
        points = [one for one in numbers if one is not None]
        yield from zip(points[::2], points[1::2], strict=False) if len(known) >= len(numbers) - 1 else ()
    elif name == "path":
        yield from _drawn("".join(one.value for one in content if one.type == "string"))


def _drawn(path: str) -> Iterator[tuple[float, float]]:
    """The points of an SVG path, those that only steer its curves too."""
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


def _four(edges: Sequence[float]) -> list[float]:
    top, right = edges[0], edges[1] if len(edges) > 1 else edges[0]
    return [top, right, edges[2] if len(edges) > 2 else top, edges[3] if len(edges) > 3 else right]


def lets_nothing_through(values: Mapping[str, str], size: float, *, block: bool, zero_rows: bool) -> bool:
    """True if a box that cuts off what overflows has no size of its own."""
    across, down = values.get("overflow-x", "visible"), values.get("overflow-y", "visible")
    contained = values.get("contain", "none")
    cuts = across != "visible" or down != "visible" or any(word in contained for word in ("paint", "strict", "content"))
    if not block or not cuts:
        return False
    least = length(values.get("min-height", "0"), Scale(size)) or 0.0
    roomless = _padding(values, size, "bottom") <= NOTHING and least <= NOTHING
    if zero_rows and roomless:
        return True
    if ("strict" in contained or "size" in contained.split()) and values.get("height", "auto") == "auto":
        return True
    lines = length(values.get("line-height", "normal"), Scale(size, percent=size))
    flat = lines == 0 and values.get("height", "auto") == "auto" and roomless
    return flat or _is_flat(values, "width", size, "right") or _is_flat(values, "height", size, "bottom")


def _is_flat(values: Mapping[str, str], side: str, size: float, padded: str) -> bool:
    """True if a box has no room of its own: text begins behind its padding and goes on into that on the other side."""
    most = window(values, side, size)
    if most is None:
        return False
    least = length(values.get(f"min-{side}", "0"), Scale(size, percent=None)) or 0.0
    if values.get("box-sizing") == "border-box":
        opposite = "left" if side == "width" else "top"
        most = max(0.0, most - _padding(values, size, padded) - _padding(values, size, opposite))
    room = max(least, most) + _padding(values, size, padded)
    if side == "height" and values.get("line-height", "").endswith("px"):
        # Letters stand in the middle of their line, which may lie below the edge.
        lines = length(values["line-height"], Scale(size)) or 0.0
        room = min(room, room - (lines - size) / 2)
    return room <= NOTHING


def window(values: Mapping[str, str], side: str, size: float) -> float | None:
    """The declared size of a box, the smaller of two."""
    scale = Scale(size, percent=SCREEN[0] if side == "width" else None)
    found = (length(values.get(name, "auto"), scale) for name in (side, f"max-{side}"))
    return min((one for one in found if one is not None), default=None)


def _padding(values: Mapping[str, str], size: float, side: str) -> float:
    return length(values.get(f"padding-{side}", "0"), Scale(size, percent=SCREEN[0])) or 0.0


def filtered(value: str, size: float) -> float:
    """How much of a text of some size the filters leave, from 0 to 1."""
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
