"""Conditions of a style sheet, evaluated for a common desktop screen, and substitution functions in values.

Conditions are those of `@media`, `@supports` and `@container`; substituted are `var()`, `env()`, `if()`, `attr()` and
the sibling position of an element.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, partial
from importlib import resources
from types import MappingProxyType
from typing import NamedTuple

import tinycss2

from spanwise.readers.html.css_values import BLACK, SCREEN, Scale, Token, colour, measure, split, tokens
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
_AT_RULES = frozenset(
    f"@{name}"
    for name in "media supports layer scope container property keyframes import font-face function page".split()
)
"""At-rules that a common browser knows."""
_TALL = re.compile(r"height|block-size|aspect-ratio|orientation")
_OFF = frozenset(("none", "no-preference", "0", ""))
_RESOLUTIONS = {"dppx": 1.0, "x": 1.0, "dpi": 1 / 96, "dpcm": 2.54 / 96}


def media_holds(prelude: Sequence[Token]) -> bool:
    """True if one of the media queries holds; an empty list always does."""
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
    """True if a condition (`not (a)`, `(a) and (b)`, `(a) or (b)`) holds.

    What is unknown does not hold, and neither does its negation.
    """
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
    """True if a feature query of a screen or container holds; None if it is unknown.

    Examples: `(min-width: 600px)`, `(400px <= width)`, `(hover)`.
    """
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
    """The tokens in brackets, without spaces, and the index of the first colon among them, or None."""
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
    """True if a common browser supports what `@supports` asks about."""
    return combined(prelude, _supported)


def _supported(token: Token) -> bool | None:
    if token.type == "function":
        if token.lower_name == "at-rule":
            return tinycss2.serialize(token.arguments).strip().lower() in _AT_RULES
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
    """A query container for `@container`: its names, its type, its inner size in pixels, and its custom properties."""

    names: frozenset[str]
    kind: str
    width: float | None
    height: float | None
    variables: Mapping[str, str]


def container_holds(prelude: Sequence[Token], around: Iterable[Container]) -> bool | None:
    """True if an `@container` query holds for the nearest matching container; None if the size is unknown."""
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
    """True if a custom property has the value that `style(--name: value)` asks for, or any value if it names none."""
    name, value = [*split(token.arguments, ":"), [], []][:2]
    given = variables.get(name[0].value) if name and name[0].type == "ident" else None
    return given is not None and (not value or tinycss2.serialize(value).strip() == given.strip())


LONGEST = 2_000
"""Most characters of a value; one that grows beyond is invalid."""
_MOST_ROUNDS = 32
_MOST_ATTRIBUTES = 3
"""Rounds of substitution in which `attr()` may occur; more means that attributes refer to each other in a circle."""
_LONGEST_WORDS = 1_000
"""Most characters of an attribute that is substituted as a string; a longer one is looked up when the text is made."""
_SIBLINGS = ("sibling-index", "sibling-count")
_KINDS = {
    "number": ("number", "function"), "integer": ("number", "function"), "percentage": ("percentage", "function"),
    "length": ("dimension", "function"), "length-percentage": ("dimension", "percentage", "function"),
    "angle": ("dimension", "function"), "time": ("dimension", "function"), "resolution": ("dimension", "function"),
    "custom-ident": ("ident",), "string": ("string",),
}  # fmt: skip
"""The token types that an `attr()` syntax accepts; any for the syntaxes that are not listed."""


_LONGEST_RESULT = 200
"""Most characters of what a function of the page's own gives; a longer one is unknown."""
_MOST_CALLS = 2
"""How deeply such functions may call one another."""


class CustomFunction(NamedTuple):
    """A function of the page's own (`@function`)."""

    parameters: Mapping[str, str | None]
    """The default of each parameter, in order; None if it has none."""
    own: Mapping[str, str]
    """The custom properties that it declares for itself."""
    result: str


class Given(NamedTuple):
    """The context from which functions in values are substituted."""

    variables: Mapping[str, str]
    attributes: Mapping[str, str] | None = None
    place: tuple[int, int] | None = None
    """The element's position among its siblings, from 1, and their number.

    None where it is not known yet, as in a custom property, which descendants inherit unevaluated.
    """
    functions: Mapping[str, CustomFunction] = MappingProxyType({})
    calls: int = 0
    """The number of functions of the page's own in which it stands."""


def replaced(value: str, given: Given) -> str | None:
    """A value with all functions substituted; None if something is missing or refers to itself."""
    for done in range(_MOST_ROUNDS):
        if not is_replaced(value):
            return value
        if done > _MOST_ATTRIBUTES and "attr(" in value.lower():
            return None
        parsed = tinycss2.parse_component_value_list(value[:LONGEST], skip_comments=True)
        found = _all_put_in(parsed, given, 0)
        if found is None or len(found) > LONGEST:
            return None
        if found == value:
            return value
        value = found
    return None


def _all_put_in(content: list[Token], given: Given, depth: int) -> str | None:
    written = [_put_in(one, given, depth) for one in content]
    known = [piece for piece in written if piece is not None]
    return None if len(known) < len(written) else "".join(known)


def _put_in(token: Token, given: Given, depth: int) -> str | None:
    if token.type not in ("function", "() block") or depth > _DEEPEST:
        return str(token.serialize())
    function = token.type == "function"
    name, content = (token.lower_name, token.arguments) if function else ("", token.content)
    if name == "if":
        return _chosen(token, given.variables)
    if name in _SIBLINGS and given.place is not None:
        return str(given.place[_SIBLINGS.index(name)])
    if name == "attr" and given.attributes is not None:
        return _attribute(token, given.attributes)
    if name in ("var", "env") or name.startswith("--"):
        return _called(token, given) if name.startswith("--") else _variable(token, given.variables)
    inside = _all_put_in(content, given, depth + 1)
    return None if inside is None else f"{name}({inside})"


def _called(token: Token, given: Given) -> str | None:
    """What a function of the page's own gives; None if it is unknown, or an argument is missing."""
    function = given.functions.get(token.name)
    if function is None or given.calls >= _MOST_CALLS or len(function.result) > _LONGEST_RESULT:
        return None
    written = [tinycss2.serialize(one).strip() for one in split(token.arguments)]
    told = dict(zip(function.parameters, [replaced(one, given) if one else None for one in written], strict=False))
    found = {name: told.get(name) or default for name, default in function.parameters.items()}
    known = {name: value for name, value in found.items() if value is not None}
    if len(known) < len(found):
        return None
    inner = given._replace(variables={**given.variables, **known, **function.own}, calls=given.calls + 1)
    return replaced(function.result, inner)


def _variable(token: Token, variables: Mapping[str, str]) -> str | None:
    name = next((one.value for one in token.arguments if one.type == "ident"), "")
    if token.lower_name == "env" and name.startswith("safe-area-inset"):
        return " 0px "
    if token.lower_name == "var" and (value := variables.get(name)) is not None:
        return f" {value} "
    return _otherwise(token)[1]


def _otherwise(token: Token) -> tuple[list[Token], str | None]:
    """The tokens before the first comma, without spaces, and the text after it: the fallback, or None."""
    arguments = token.arguments
    comma = next((at for at, one in enumerate(arguments) if one == ","), None)
    before = [one for one in arguments[:comma] if one.type not in ("whitespace", "comment")]
    return before, None if comma is None else f" {tinycss2.serialize(arguments[comma + 1 :])} "


def _attribute(token: Token, attributes: Mapping[str, str]) -> str | None:
    """The value of `attr()`: the attribute as a string or as the requested type, else the fallback, or None."""
    asked, otherwise = _otherwise(token)
    if not asked or asked[0].type != "ident":
        return None
    text = attributes.get(asked[0].lower_value)
    if len(asked) == 1:
        if text is None:
            return '""' if otherwise is None else otherwise
        return _quoted(text) if len(text) <= _LONGEST_WORDS else str(token.serialize())
    found = None if text is None else _typed(text, asked[1])
    return otherwise if found is None else found


def _typed(text: str, kind: Token) -> str | None:
    """An attribute as a value of a type (`type(<color>)`, `raw-string`, `number` or a unit); None if it is not one."""
    if kind.type == "function" and kind.lower_name == "type":
        syntax = tinycss2.serialize(kind.arguments)
        fits = any(_fits(text, one.strip().strip("<>+#")) for one in syntax.split("|"))
        return f" {text} " if fits else None
    unit = kind.lower_value if kind.type == "ident" else str(kind.serialize())
    if unit == "raw-string":
        return _quoted(text)
    parsed = tokens(text)
    if len(parsed) != 1 or parsed[0].type != "number":
        return None
    return f" {text.strip()}{'' if unit == 'number' else unit} "


def _fits(text: str, syntax: str) -> bool:
    parsed = tokens(text)
    if syntax == "color":
        return colour(text.strip().lower(), BLACK) is not None
    if syntax not in _KINDS or not parsed:
        return bool(parsed)
    zero = "length" in syntax and parsed[0].type == "number" and parsed[0].value == 0
    return zero or all(one.type in _KINDS[syntax] or one == "," for one in parsed)


def _quoted(text: str) -> str:
    inside = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\a ")
    return f'"{inside}"'


def _chosen(token: Token, variables: Mapping[str, str]) -> str | None:
    """The value of the first branch of `if()` whose condition holds; None if none does."""

    def decide(condition: Token) -> bool | None:
        if condition.type != "function":
            return None
        if condition.lower_name == "style":
            return style_holds(condition, variables)
        holds = {"media": media_holds, "supports": supports_holds}.get(condition.lower_name)
        return None if holds is None else holds(tokens(f"({tinycss2.serialize(condition.arguments)})"))

    for branch in split(token.arguments, ";"):
        at = next((at for at, one in enumerate(branch) if one == ":"), None)
        otherwise = at == 1 and branch[0].type == "ident" and branch[0].lower_value == "else"
        if at is not None and (otherwise or combined(branch[:at], decide)):
            return f" {tinycss2.serialize(branch[at + 1 :])} "
    return None
