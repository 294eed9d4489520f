"""Which conditions of a style sheet hold on a common desktop screen: `@media`, `@supports` and `@container`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, partial
from importlib import resources
from typing import NamedTuple

import tinycss2

from spanwise.readers.html.css_values import SCREEN, Scale, Token, measure, split
from spanwise.readers.html.properties import FOLLOWED, expand, is_replaced

_DEEPEST = 16
_TYPES = frozenset(("all", "screen"))
_NUMBERS = {
    "width": SCREEN[0], "device-width": SCREEN[0], "height": SCREEN[1], "device-height": SCREEN[1],
    "inline-size": SCREEN[0], "block-size": SCREEN[1],
    "aspect-ratio": SCREEN[0] / SCREEN[1], "device-aspect-ratio": SCREEN[0] / SCREEN[1], "color": 8.0,
    "color-index": 0.0, "monochrome": 0.0, "resolution": 1.0, "-webkit-device-pixel-ratio": 1.0,
}  # fmt: skip
_WORDS = {
    "orientation": "landscape", "hover": "hover", "any-hover": "hover", "pointer": "fine", "any-pointer": "fine",
    "prefers-color-scheme": "light", "prefers-reduced-motion": "no-preference", "prefers-contrast": "no-preference",
    "prefers-reduced-transparency": "no-preference", "prefers-reduced-data": "no-preference", "forced-colors": "none",
    "inverted-colors": "none", "scripting": "enabled", "update": "fast", "overflow-block": "scroll",
    "overflow-inline": "scroll", "display-mode": "browser", "color-gamut": "srgb", "dynamic-range": "standard",
    "video-dynamic-range": "standard", "scan": "", "grid": "0", "-webkit-transform-3d": "1",
}  # fmt: skip
_TALL = re.compile(r"height|block-size|aspect-ratio|orientation")
_OFF = frozenset(("none", "no-preference", "0", ""))
_RESOLUTIONS = {"dppx": 1.0, "x": 1.0, "dpi": 1 / 96, "dpcm": 2.54 / 96}


def media_holds(prelude: Sequence[Token]) -> bool:
    """True if one of the queries of `@media` holds; an empty list always does."""
    queries = split(prelude)
    return not queries or any(_query(query) for query in queries)


def _query(query: Sequence[Token]) -> bool:
    words = [token.lower_value if token.type == "ident" else "" for token in query]
    if words and words[0] in ("not", "only") and len(words) > 1 and words[1]:
        holds = _query(query[1:])
        return not holds if words[0] == "not" else holds
    if words and words[0] and words[0] not in ("not", "and", "or"):
        if len(words) == 1:
            return words[0] in _TYPES
        return words[0] in _TYPES and words[1] == "and" and combined(query[2:], _feature)
    return combined(query, _feature)


def combined(content: Sequence[Token], decide: Callable[[Token], bool | None], depth: int = 0) -> bool:
    """`not (a)`, `(a) and (b)`, `(a) or (b)`; what is not known does not hold, not even turned round."""
    return _decided(content, decide, depth) is True


def _decided(content: Sequence[Token], decide: Callable[[Token], bool | None], depth: int) -> bool | None:
    result: bool | None = None
    operator = ""
    turned = False
    for token in content:
        if token.type in ("whitespace", "comment"):
            continue
        if token.type == "ident" and token.lower_value in ("and", "or"):
            operator = token.lower_value
        elif token.type == "ident" and token.lower_value == "not":
            turned = not turned
        else:
            one = _one(token, decide, depth)
            one = (not one) if turned and one is not None else one
            turned = False
            if not operator:
                result = one
            elif operator == "and":
                result = False if False in (result, one) else (None if None in (result, one) else True)
            else:
                result = True if True in (result, one) else (None if None in (result, one) else False)
    return result


def _one(token: Token, decide: Callable[[Token], bool | None], depth: int) -> bool | None:
    if token.type == "() block" and depth < _DEEPEST:
        inside = [one for one in token.content if one.type not in ("whitespace", "comment")]
        first = inside[0] if inside else None
        nested = first is not None and (
            first.type in ("() block", "function") or (first.type == "ident" and first.lower_value == "not")
        )
        if nested and not any(one.type == "literal" and one.value in ("<", ">", "=", ":") for one in inside):
            return _decided(inside, decide, depth + 1)
    return decide(token)


def _feature(token: Token, numbers: Mapping[str, float] = _NUMBERS, words: Mapping[str, str] = _WORDS) -> bool | None:
    """One feature of a screen or a container: `(min-width: 600px)`, `(400px <= width)`, `(hover)`."""
    inside, at = _bracketed(token)
    if at is not None:
        return _named(inside[0], inside[at + 1 :], numbers, words)
    if len(inside) == 1 and inside[0].type == "ident":
        name = inside[0].lower_value
        if name in words:
            return words[name] not in _OFF
        return numbers[name] != 0 if name in numbers else None
    return _range(inside, numbers)


def _bracketed(token: Token) -> tuple[list[Token], int | None]:
    """What stands in brackets, without spaces, and where in it a colon is."""
    content = token.content if token.type == "() block" else ()
    inside = [one for one in content if one.type not in ("whitespace", "comment")]
    return inside, next((at for at, one in enumerate(inside) if one == ":"), None)


def _named(
    feature: Token, value: Sequence[Token], numbers: Mapping[str, float], words: Mapping[str, str]
) -> bool | None:
    name = feature.lower_value if feature.type == "ident" else ""
    if name in words:
        text = "".join(token.serialize() for token in value).lower()
        return text == words[name]
    number = _number(value)
    for prefix, compare in (("min-", float.__ge__), ("max-", float.__le__), ("", float.__eq__)):
        plain = name.replace(prefix, "", 1) if prefix and (name.startswith((prefix, f"-webkit-{prefix}"))) else name
        if plain in numbers and (plain != name or not prefix):
            return None if number is None else compare(float(numbers[plain]), float(number))
    return None


def _range(inside: Sequence[Token], numbers: Mapping[str, float]) -> bool | None:
    pieces: list[list[Token]] = [[]]
    signs: list[str] = []
    for token in inside:
        if token.type == "literal" and token.value in ("<", ">", "=", "<=", ">="):
            if not pieces[-1] and signs:
                signs[-1] += token.value
            else:
                signs.append(token.value)
                pieces.append([])
        else:
            pieces[-1].append(token)
    if not signs or len(pieces) > 3:
        return None
    named = [piece[0].lower_value if len(piece) == 1 and piece[0].type == "ident" else "" for piece in pieces]
    sizes = [numbers.get(name) if name else _number(piece) for name, piece in zip(named, pieces, strict=True)]
    known = [size for size in sizes if size is not None]
    if len(known) < len(sizes):
        return None
    compare = {
        "<": float.__lt__, ">": float.__gt__, "<=": float.__le__, ">=": float.__ge__, "=": float.__eq__
    }  # fmt: skip
    return all(sign in compare and compare[sign](known[at], known[at + 1]) for at, sign in enumerate(signs))


def _number(value: Sequence[Token]) -> float | None:
    value = [token for token in value if token.type not in ("whitespace", "comment")]
    if len(value) == 3 and value[1] == "/":
        over, under = measure(value[0], Scale()), measure(value[2], Scale())
        return None if over is None or not under else over / under
    if len(value) != 1:
        return None
    token = value[0]
    if token.type == "dimension" and token.lower_unit in _RESOLUTIONS:
        return float(token.value) * _RESOLUTIONS[token.lower_unit]
    return measure(token, Scale())


def supports_holds(prelude: Sequence[Token]) -> bool:
    """True if a common browser supports what `@supports` asks for."""
    return combined(prelude, _supported)


def _supported(token: Token) -> bool | None:
    if token.type == "function":
        return token.lower_name in ("selector", "font-tech", "font-format")
    inside, at = _bracketed(token)
    if at != 1 or inside[0].type != "ident":
        return None
    name = inside[0].lower_value
    value = "".join(one.serialize() for one in token.content[token.content.index(inside[at]) + 1 :]).strip().lower()
    if name.startswith("--"):
        return True
    if name in FOLLOWED:
        return is_replaced(value) or bool(expand(name, value))
    return bool(value) and name in _known_properties()


@lru_cache(maxsize=1)
def _known_properties() -> frozenset[str]:
    text = resources.files("spanwise.readers.html").joinpath("properties.txt").read_text(encoding="utf-8")
    return frozenset(line for line in text.splitlines() if line and not line.startswith("#"))


class Container(NamedTuple):
    """An element that `@container` may ask about: its names, its kind, the room in it, its custom properties."""

    names: frozenset[str]
    kind: str
    width: float | None
    height: float | None
    variables: Mapping[str, str]


def container_holds(prelude: Sequence[Token], around: Iterable[Container]) -> bool | None:
    """True if a query of `@container` holds for the nearest container; None where its size is not known."""
    query = [token for token in prelude if token.type != "whitespace"]
    named = query and query[0].type == "ident" and query[0].lower_value != "not"
    name = query.pop(0).value if named else None
    text = tinycss2.serialize(query).lower()
    kinds = {"size"} if _TALL.search(text) else {"size", "inline-size"} if "style(" not in text else None
    for one in around:
        if (name is None or name in one.names) and (kinds is None or one.kind in kinds):
            return _decided(query, partial(_of_container, one), 0)
    return False


def _of_container(container: Container, token: Token) -> bool | None:
    if token.type == "function" and token.lower_name == "style":
        return style_holds(token, container.variables)
    width, height = container.width, container.height if container.kind == "size" else None
    sizes = {"width": width, "inline-size": width, "height": height, "block-size": height}
    known = {name: size for name, size in sizes.items() if size is not None}
    words: dict[str, str] = {}
    if width is not None and height:
        known["aspect-ratio"] = width / height
        words["orientation"] = "landscape" if width > height else "portrait"
    return _feature(token, known, words)


def style_holds(token: Token, variables: Mapping[str, str]) -> bool:
    """True if a custom property has a value, as `style(--name: value)` asks."""
    name, value = [*split(token.arguments, ":"), [], []][:2]
    given = variables.get(name[0].value) if name and name[0].type == "ident" else None
    return given is not None and (not value or tinycss2.serialize(value).strip() == given.strip())
