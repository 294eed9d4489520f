"""CSS values: lengths in pixels, colours as red, green, blue and alpha, and the content of `data:` addresses."""

from __future__ import annotations

import base64
import colorsys
import math
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from operator import mul
from typing import Any, NamedTuple, TypeAlias, TypeVar
from urllib.parse import unquote_to_bytes

import tinycss2
from tinycss2 import color4

SCREEN = (1280.0, 720.0)
"""Width and height, in pixels, of the screen that pages are evaluated for."""
ROOT_SIZE = 16.0

T = TypeVar("T")
Token: TypeAlias = Any
"""A component value of tinycss2, which publishes no types."""

_UNITS = {
    "px": 1.0, "pt": 96 / 72, "pc": 16.0, "in": 96.0, "cm": 96 / 2.54, "mm": 96 / 25.4, "q": 96 / 101.6,
    "vw": SCREEN[0] / 100, "vi": SCREEN[0] / 100, "vh": SCREEN[1] / 100, "vb": SCREEN[1] / 100,
    "vmin": SCREEN[1] / 100, "vmax": SCREEN[0] / 100, "cqw": SCREEN[0] / 100, "cqi": SCREEN[0] / 100,
    "cqh": SCREEN[1] / 100, "cqb": SCREEN[1] / 100,
}  # fmt: skip
_RELATIVE = {"em": 1.0, "ex": 0.5, "ch": 0.5, "cap": 0.7, "ic": 1.0, "lh": 1.2}
_ANGLES = {"deg": 1.0, "grad": 0.9, "rad": 180 / math.pi, "turn": 360.0}
_DEEPEST = 16
_TURNED: dict[str, Callable[[float], float]] = {"sin": math.sin, "cos": math.cos, "tan": math.tan}
_ROUNDED: dict[str, Callable[[float], float]] = {
    "nearest": lambda number: math.floor(number + 0.5), "up": math.ceil, "down": math.floor, "to-zero": math.trunc,
}  # fmt: skip
_FUNCTIONS: dict[str, tuple[Callable[..., float], int]] = {
    "abs": (abs, 1), "sign": (lambda one: math.copysign(1.0, one) if one else 0.0, 1), "sqrt": (math.sqrt, 1),
    "exp": (math.exp, 1), "pow": (math.pow, 2), "mod": (lambda one, by: one % by, 2), "rem": (math.fmod, 2),
    "progress": (lambda one, start, end: (one - start) / (end - start) if start != end else 0.0, 3),
    "log": (math.log, 1), **{name: (of, 1) for name, of in _TURNED.items()},
}  # fmt: skip
_ENDLESS = 1e10
"""What a calculation has for infinity."""
_CONSTANTS = {"pi": math.pi, "e": math.e, "infinity": _ENDLESS, "-infinity": -_ENDLESS, "nan": 0.0}
_NAMED_SIZES = {
    "xx-small": 9.0, "x-small": 10.0, "small": 13.0, "medium": 16.0, "large": 18.0, "x-large": 24.0, "xx-large": 32.0,
    "xxx-large": 48.0,
}  # fmt: skip
_SYSTEM = {
    "canvas": "#fff", "canvastext": "#000", "linktext": "#00e", "visitedtext": "#551a8b", "activetext": "#f00",
    "buttonface": "#efefef", "buttontext": "#000", "buttonborder": "#000", "field": "#fff", "fieldtext": "#000",
    "highlight": "#3297fd", "highlighttext": "#fff", "mark": "#ff0", "marktext": "#000", "graytext": "#808080",
    "accentcolortext": "#fff", "window": "#fff", "windowtext": "#000",
}  # fmt: skip


class Colour(NamedTuple):
    """An sRGB colour: channels from 0 to 255, and its opacity (0 to 1)."""

    red: float
    green: float
    blue: float
    alpha: float = 1.0

    def over(self, ground: Colour) -> Colour:
        """The colour that is seen when this one is painted over an opaque one."""
        mixed = [one * self.alpha + other * (1 - self.alpha) for one, other in zip(self[:3], ground[:3], strict=True)]
        return Colour(*mixed)


WHITE = Colour(255.0, 255.0, 255.0)
BLACK = Colour(0.0, 0.0, 0.0)
_MIDDLE = 0.179
"""The luminance at which black and white have the same contrast."""


class Scale(NamedTuple):
    """What relative lengths are relative to, in pixels; `percent` is None if percentages refer to something unknown."""

    em: float = ROOT_SIZE
    rem: float = ROOT_SIZE
    percent: float | None = None


@lru_cache(maxsize=4096)
def tokens(value: str) -> tuple[Token, ...]:
    """The component values of a declaration, without spaces and comments."""
    parsed = tinycss2.parse_component_value_list(value[:2000], skip_comments=True)
    return tuple(token for token in parsed if token.type != "whitespace")


@lru_cache(maxsize=4096)
def length(value: str, scale: Scale) -> float | None:
    """A length in pixels (a plain number is returned as it is); None if it cannot be computed."""
    parsed = tokens(value)
    return measure(parsed[0], scale) if len(parsed) == 1 else None


def measure(token: Token, scale: Scale, depth: int = 0) -> float | None:
    """The value of a length, number, percentage or calculation; None if it cannot be computed."""
    if token.type == "number":
        return _finite(token.value)
    if token.type == "percentage":
        return None if scale.percent is None else _finite(token.value / 100 * scale.percent)
    if token.type == "dimension":
        return _dimension(token.value, token.lower_unit, scale)
    if token.type in ("function", "() block") and depth < _DEEPEST:
        name = token.lower_name if token.type == "function" else ""
        content = token.arguments if token.type == "function" else token.content
        return _calculated(name, content, scale, depth)
    return _CONSTANTS.get(token.lower_value) if token.type == "ident" and depth else None


def _dimension(number: float, unit: str, scale: Scale) -> float | None:
    if unit in _RELATIVE:
        return _finite(number * _RELATIVE[unit] * scale.em)
    if unit.startswith("r") and unit[1:] in _RELATIVE:
        return _finite(number * _RELATIVE[unit[1:]] * scale.rem)
    if unit not in _UNITS and unit[:1] in ("s", "l", "d"):
        unit = unit[1:]  # The small, large and dynamic viewport are the same on a desktop.
    return _finite(number * _UNITS[unit]) if unit in _UNITS else None


def _finite(number: float) -> float | None:
    return number if math.isfinite(number) and abs(number) < 1e15 else None


def _calculated(name: str, content: Sequence[Token], scale: Scale, depth: int) -> float | None:
    if name in ("", "calc", "-webkit-calc"):
        return _sum(content, scale, depth)
    if name in ("min", "max", "clamp"):
        return _chosen(name, [_sum(piece, scale, depth) for piece in split(content)])
    asked = split(content)
    if name == "calc-size" and len(asked) == 2:
        # A result that does not depend on the named size is the same for two different sizes.
        small, large = (_sum(_sized(asked[1], size), scale, depth) for size in (0.0, 1000.0))
        return small if small == large else None
    worded = name == "round" and asked and asked[0] and asked[0][0].type == "ident"
    way = asked.pop(0)[0].lower_value if worded else "nearest"
    if name in _TURNED and len(asked) == 1 and len(asked[0]) == 1 and (turned := angle(asked[0][0])) is not None:
        return _finite(_TURNED[name](math.radians(turned)))
    pieces = [_sum(piece, scale, depth) for piece in asked]
    known = [piece for piece in pieces if piece is not None]
    if not pieces or len(known) < len(pieces):
        return None
    return _applied(name, way, known)


def _sized(content: Sequence[Token], size: float) -> list[Token]:
    """A calculation in which the keyword `size` is replaced by a length in pixels."""
    pixels = tokens(f"{size}px")[0]
    return [pixels if token.type == "ident" and token.lower_value == "size" else token for token in content]


def _chosen(name: str, pieces: Sequence[float | None]) -> float | None:
    known = [piece for piece in pieces if piece is not None]
    if not known or len(known) < len(pieces) or (name == "clamp" and len(known) != 3):
        return None
    return max(known[0], min(known[1:])) if name == "clamp" else min(known) if name == "min" else max(known)


def _applied(name: str, way: str, known: Sequence[float]) -> float | None:
    if name == "round" and (step := abs([*known, 1.0][1])) and way in _ROUNDED:
        return _finite(_ROUNDED[way](known[0] / step) * step)
    function, wanted = _FUNCTIONS.get(name, (None, 0))
    if name == "hypot":
        return _finite(math.hypot(*known))
    if function is None or len(known) != wanted:
        return None
    try:
        return _finite(float(function(*known)))
    except (ArithmeticError, TypeError, ValueError):
        return None


def _sum(content: Sequence[Token], scale: Scale, depth: int) -> float | None:
    """The value of `a + b * c - d / e`, products first; None if a part cannot be computed."""
    total, product, sign, operator = 0.0, None, 1.0, ""
    for token in content:
        if token.type in ("whitespace", "comment"):
            continue
        if token.type == "literal" and token.value in "+-*/" and product is not None and not operator:
            if token.value in "+-":
                total, product, sign = total + sign * product, None, 1.0 if token.value == "+" else -1.0
            else:
                operator = token.value
            continue
        number = measure(token, scale, depth + 1)
        if number is None or (product is not None and not operator):
            return None
        if operator == "*" and product is not None:
            product *= number
        elif operator == "/" and product is not None:
            product = product * _ENDLESS if number == 0 else product / number
        else:
            product = number
        operator = ""
    return None if product is None or operator else _finite(total + sign * product)


def split(content: Sequence[Token], by: str = ",") -> list[list[Token]]:
    """Component values between separators (`by`), without spaces."""
    pieces: list[list[Token]] = [[]]
    for token in content:
        if token.type == "literal" and token.value == by:
            pieces.append([])
        elif token.type not in ("whitespace", "comment"):
            pieces[-1].append(token)
    return pieces if any(pieces) else []


def four_sides(given: Sequence[T]) -> list[T]:
    """Top, right, bottom and left; a missing side equals the opposite one."""
    top, right = given[0], given[min(1, len(given) - 1)]
    return [top, right, *given[2:], *(top, right)[max(len(given) - 2, 0) :]]


def angle(token: Token) -> float | None:
    """An angle in degrees; None if the token is no angle."""
    if token.type == "number" and token.value == 0:
        return 0.0
    return (
        token.value * _ANGLES[token.lower_unit] if token.type == "dimension" and token.lower_unit in _ANGLES else None
    )


@lru_cache(maxsize=1024)
def font_size(value: str, parent: float, rem: float) -> float | None:
    """A font size in pixels, relative to that of the parent and of the root; None if invalid."""
    if value in _NAMED_SIZES:
        return _NAMED_SIZES[value]
    if value in ("smaller", "larger"):
        return parent / 1.2 if value == "smaller" else parent * 1.2
    size = length(value, Scale(parent, rem, parent))
    return size if size is not None and size >= 0 else None


def fraction(value: str) -> float | None:
    """A number or percentage, limited to 0 to 1, as for opacity; None if it is neither."""
    number = length(value, Scale(percent=1.0))
    return None if number is None else min(1.0, max(0.0, number))


@lru_cache(maxsize=2048)
def address_of(token: Token) -> str | None:
    """The address that a value names as `url()`, in quotation marks or without; None for any other value."""
    quoted = token.arguments[:1] if token.type == "function" and token.lower_name == "url" else [token]
    return next((one.value for one in quoted if one.type == "url" or (one is not token and one.type == "string")), None)


def colour(value: str, current: Colour | None) -> Colour | None:
    """A colour in any CSS notation; None if it cannot be computed. `current` is the value of `currentcolor`."""
    parsed = tokens(value)
    return _colour(parsed[0], current, 0) if len(parsed) == 1 else None


def _colour(token: Token, current: Colour | None, depth: int) -> Colour | None:
    if depth > _DEEPEST:
        return None
    if token.type == "ident" and token.lower_value == "currentcolor":
        return current
    if token.type == "ident" and token.lower_value in _SYSTEM:
        return colour(_SYSTEM[token.lower_value], None)
    return _function_of_colours(token, current, depth) if token.type == "function" else _parsed(token)


def _function_of_colours(token: Token, current: Colour | None, depth: int) -> Colour | None:
    arguments = split(token.arguments)
    content = [one for one in token.arguments if one.type not in ("whitespace", "comment")]
    if token.lower_name == "light-dark" and len(arguments) == 2 and len(arguments[0]) == 1:
        found = _colour(arguments[0][0], current, depth + 1)
    elif token.lower_name == "color-mix" and len(arguments) == 3:
        found = _mixed(arguments[1:], current, depth)
    elif token.lower_name == "contrast-color" and len(content) == 1:
        ground = _colour(content[0], current, depth + 1)
        found = None if ground is None else WHITE if _luminance(ground) < _MIDDLE else BLACK
    elif len(content) > 2 and content[0].type == "ident" and content[0].lower_value == "from":
        found = _changed(token.lower_name, content[1:], current, depth)
    elif any(one.type == "function" for one in content):
        found = _reckoned(token, depth)
    elif len(content) > 1 and content[-2] == "/" and content[-1].type == "ident":  # `none`
        found = Colour(0.0, 0.0, 0.0, 0.0)
    else:
        found = _parsed(token)
    return found


def _luminance(painted: Colour) -> float:
    """The approximate relative luminance of a colour, from 0 to 1, as WCAG defines it."""
    red, green, blue = (math.pow(channel / 255, 2.2) for channel in painted[:3])
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _parsed(token: Token) -> Colour | None:
    try:
        parsed = color4.parse_color(token)
        return None if parsed is None or isinstance(parsed, str) else _on_screen(parsed)
    except (ArithmeticError, AssertionError, NotImplementedError, TypeError, ValueError, IndexError):
        return None  # Hostile numbers and forms that the parser does not expect.


def _reckoned(token: Token, depth: int) -> Colour | None:
    """A colour with calculations among its channels."""
    text = ""
    for one in token.arguments:
        if one.type == "function":
            number = measure(one, Scale(percent=1.0))
            if number is None:
                return None
            text += f"{number:f}"
        else:
            text += one.serialize()
    parsed = tokens(f"{token.lower_name}({text})")
    return _colour(parsed[0], None, depth + 1) if len(parsed) == 1 else None


def _on_screen(parsed: Token) -> Colour | None:
    space = parsed.space
    numbers = [number or 0.0 for number in parsed.coordinates]
    if space in ("hsl", "hwb"):
        numbers = list(parsed.to("srgb").coordinates)
    elif space == "srgb-linear":
        numbers = [_gamma(number) for number in numbers]
    elif space in ("lab", "lch", "xyz-d50", "prophoto-rgb"):
        if space != "prophoto-rgb":
            x, y, z = numbers if space == "xyz-d50" else [number or 0.0 for number in parsed.to("xyz-d50").coordinates]
            # Bradford adaptation from white point D50 (print) to D65 (screens).
            numbers = _from_xyz(
                0.9554734 * x - 0.0230985 * y + 0.0632593 * z,
                -0.0283697 * x + 1.0099955 * y + 0.0210414 * z,
                0.0123140 * x - 0.0205077 * y + 1.3303659 * z,
            )
    elif space in ("oklab", "oklch", "xyz", "xyz-d65"):
        place = numbers if space.startswith("xyz") else [n or 0.0 for n in parsed.to("xyz-d65").coordinates]
        numbers = _from_xyz(*place)
    # Wide-gamut spaces share white and greys with sRGB, and nearly its hues: close enough to compare.
    if not all(math.isfinite(number) for number in numbers):
        return None
    red, green, blue = (255 * min(1.0, max(0.0, number)) for number in numbers)
    return Colour(red, green, blue, parsed.alpha)


def _from_xyz(x: float, y: float, z: float) -> list[float]:
    return [
        _gamma(3.2404542 * x - 1.5371385 * y - 0.4985314 * z),
        _gamma(-0.9692660 * x + 1.8760108 * y + 0.0415560 * z),
        _gamma(0.0556434 * x - 0.2040259 * y + 1.0572252 * z),
    ]


def _gamma(number: float) -> float:
    return 12.92 * number if number <= 0.0031308 else 1.055 * number ** (1 / 2.4) - 0.055


def _mixed(arguments: Sequence[Sequence[Token]], current: Colour | None, depth: int) -> Colour | None:
    """The colour of `color-mix`, always mixed in sRGB: similar colours mix to similar ones in every space."""
    colours: list[Colour] = []
    shares: list[float | None] = []
    for argument in arguments:
        share = next((token.value / 100 for token in argument if token.type == "percentage"), None)
        named = [token for token in argument if token.type != "percentage"]
        mixed = _colour(named[0], current, depth + 1) if len(named) == 1 else None
        if mixed is None:
            return None
        colours.append(mixed)
        shares.append(share)
    first, second = shares
    if first is None:
        first = 0.5 if second is None else 1 - second
    second = 1 - first if second is None else second
    total = first + second
    if total <= 0:
        return None
    first, second, whole = first / total, second / total, min(1.0, total)
    one, other = colours
    alpha = one.alpha * first + other.alpha * second
    if alpha <= 0:
        return Colour(0.0, 0.0, 0.0, 0.0)
    red, green, blue = (
        (a * one.alpha * first + b * other.alpha * second) / alpha for a, b in zip(one[:3], other[:3], strict=True)
    )
    return Colour(red, green, blue, alpha * whole)


def _changed(name: str, content: Sequence[Token], current: Colour | None, depth: int) -> Colour | None:
    """A relative colour, such as `rgb(from white r g b / 0.1)`, computed by replacing channel names with numbers."""
    origin = _colour(content[0], current, depth + 1)
    if origin is None or len(content) < 1 + _LEAST_CHANNELS:
        return None
    space = content[1].lower_value if name == "color" and content[1].type == "ident" else name.removesuffix("a")
    channels = _channels(space, origin)
    if channels is None:
        return None
    named = {**dict(zip(_CHANNELS[space], channels, strict=True)), "alpha": origin.alpha}
    percent = {"hsl": "sl", "hwb": "wb"}.get(space, "")
    asked = [_named_channels(one, named, 0, percent) for one in content[1 + (name == "color") :]]
    if len(asked) < _LEAST_CHANNELS:
        return None
    for at in (1, 2) if percent else ():
        reckoned = None if asked[at].endswith("%") else length(asked[at], Scale(percent=100.0))
        asked[at] = asked[at] if reckoned is None else f"{reckoned:f}%"
    if "/" not in asked:
        asked += ["/", f"{origin.alpha:f}"]
    parsed = tokens(f"{name}({space if name == 'color' else ''} {' '.join(asked)})")
    return _colour(parsed[0], None, depth + 1) if len(parsed) == 1 else None


_LEAST_CHANNELS = 3
_CHANNELS = {
    "rgb": "rgb", "srgb": "rgb", "hsl": "hsl", "hwb": "hwb", "lab": "lab", "oklab": "lab", "lch": "lch", "oklch": "lch",
}  # fmt: skip


def _channels(space: str, painted: Colour) -> Sequence[float] | None:
    """The channels of an sRGB colour in another space, on the scales that CSS uses; None if the space is unknown."""
    red, green, blue = (channel / 255 for channel in painted[:3])
    hue, light, full = colorsys.rgb_to_hls(red, green, blue)
    linear = [one / 12.92 if one <= 0.04045 else math.pow((one + 0.055) / 1.055, 2.4) for one in (red, green, blue)]
    if space in ("rgb", "srgb"):
        return painted[:3] if space == "rgb" else (red, green, blue)
    if space in ("hsl", "hwb"):
        dark = 1 - max(red, green, blue)
        return (
            hue * 360,
            *((full * 100, light * 100) if space == "hsl" else (100 * min(red, green, blue), dark * 100)),
        )
    if space not in _CHANNELS:
        return None
    rows = _TO_OKLAB if space.startswith("ok") else _TO_XYZ
    place = [math.fsum(map(mul, row, linear)) for row in rows]
    roots = [math.copysign(math.pow(abs(one), 1 / 3), one) for one in place]
    if space.startswith("ok"):
        lightness, a, b = (math.fsum(map(mul, row, roots)) for row in _OKLAB)
    else:
        lightness, a, b = 116 * roots[1] - 16, 500 * (roots[0] - roots[1]), 200 * (roots[1] - roots[2])
    return (lightness, a, b) if space.endswith("lab") else (lightness, math.hypot(a, b), math.degrees(math.atan2(b, a)))


_TO_XYZ = ((0.43394, 0.37621, 0.18985), (0.21264, 0.71517, 0.07219), (0.01773, 0.10946, 0.87281))
"""From linear red, green and blue to X, Y and Z, each relative to white."""
_TO_OKLAB = ((0.41222, 0.53633, 0.05145), (0.21190, 0.68070, 0.10740), (0.08830, 0.28172, 0.62998))
_OKLAB = ((0.21045, 0.79362, -0.00407), (1.97800, -2.42859, 0.45059), (0.02590, 0.78277, -0.80868))


def _named_channels(token: Token, named: Mapping[str, float], depth: int, percent: str = "") -> str:
    if token.type == "ident" and token.lower_value in named:
        share = depth == 0 and token.lower_value in percent
        return f"{named[token.lower_value]:f}{'%' * share}"
    if token.type == "function" and depth < _DEEPEST:
        inside = "".join(_named_channels(one, named, depth + 1) for one in token.arguments)
        return f"{token.lower_name}({inside})"
    return str(token.serialize())


def data_in(address: str, most: int | None = None) -> bytes | None:
    """The decoded content of a `data:` address, from at most `most` characters; None if it is none or invalid."""
    head, comma, body = address.partition(",")
    if head[:5].lower() != "data:" or not comma:
        return None
    content = unquote_to_bytes(body[:most])
    if not head.lower().endswith(";base64"):
        return content
    try:
        return base64.b64decode(b"".join(content.split()) + b"==")
    except ValueError:
        return None
