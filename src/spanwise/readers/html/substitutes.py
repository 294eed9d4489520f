"""What is put in place of a part of a value: `var()`, `env()`, `if()`, `attr()`, and the place of an element."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import tinycss2

from spanwise.readers.html.conditions import combined, media_holds, style_holds, supports_holds
from spanwise.readers.html.css_values import BLACK, Token, colour, split, tokens
from spanwise.readers.html.properties import is_replaced
from spanwise.readers.html.selectors import Element

LONGEST = 2_000
"""Characters of a value; what grows beyond is none."""
_MOST_ROUNDS = 32
_MOST_ATTRIBUTES = 3
"""Attributes that name one another; more go round in a circle."""
_DEEPEST = 16
_LONGEST_WORDS = 1_000
"""Characters of an attribute that is put in as a text; a longer one is looked up where the text is made."""
_SIBLINGS = ("sibling-index", "sibling-count")
_KINDS = {
    "number": ("number", "function"), "integer": ("number", "function"), "percentage": ("percentage", "function"),
    "length": ("dimension", "function"), "length-percentage": ("dimension", "percentage", "function"),
    "angle": ("dimension", "function"), "time": ("dimension", "function"), "resolution": ("dimension", "function"),
    "custom-ident": ("ident",), "string": ("string",),
}  # fmt: skip
"""The component values that a syntax of `attr()` takes; of the syntaxes that are not here, any."""


class Given(NamedTuple):
    """What there is to put in."""

    variables: Mapping[str, str]
    attributes: Mapping[str, str] | None = None
    place: tuple[int, int] | None = None
    """Which of its parent's elements one is, from 1 on, and how many there are; None where this is asked later, as in
    a custom property, which its heirs take unreckoned."""


def given_by(element: Element | None, variables: Mapping[str, str]) -> Given:
    """What an element has to put in."""
    if element is None:
        return Given(variables)
    beside = 1 if element.parent is None else len(element.parent.children)
    return Given(variables, element.attrib, (element.index + 1, beside))


def replaced(value: str, given: Given) -> str | None:
    """A value with all put in; None if something is not there or goes round in a circle."""
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
    if name in ("var", "env"):
        return _variable(token, given.variables)
    inside = _all_put_in(content, given, depth + 1)
    return None if inside is None else f"{name}({inside})"


def _variable(token: Token, variables: Mapping[str, str]) -> str | None:
    name = next((one.value for one in token.arguments if one.type == "ident"), "")
    if token.lower_name == "env" and name.startswith("safe-area-inset"):
        return " 0px "
    if token.lower_name == "var" and (value := variables.get(name)) is not None:
        return f" {value} "
    return _otherwise(token)[1]


def _otherwise(token: Token) -> tuple[list[Token], str | None]:
    """What stands before the first comma, without spaces, and what stands behind it."""
    arguments = token.arguments
    comma = next((at for at, one in enumerate(arguments) if one == ","), None)
    before = [one for one in arguments[:comma] if one.type not in ("whitespace", "comment")]
    return before, None if comma is None else f" {tinycss2.serialize(arguments[comma + 1 :])} "


def _attribute(token: Token, attributes: Mapping[str, str]) -> str | None:
    """The attribute that `attr()` names, as a text or of the kind that it asks for; else what it names instead."""
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
    """An attribute as a value of a kind: `type(<color>)`, `raw-string`, `number` or a unit; None if it is none."""
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
