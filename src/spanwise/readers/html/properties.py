"""The CSS properties that decide what is visible: their valid values, and the longhands of shorthands."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TypeAlias

import tinycss2

from spanwise.readers.html.css_values import (
    BLACK,
    Scale,
    Token,
    colour,
    font_size,
    four_sides,
    fraction,
    length,
    split,
    tokens,
)

Longhand: TypeAlias = tuple[str, str]

WIDE = frozenset("inherit initial unset revert revert-layer".split())
INHERITED = frozenset(
    "color visibility font-size text-indent letter-spacing line-height white-space -webkit-text-fill-color text-shadow "
    "-webkit-text-stroke-width -webkit-text-stroke-color -webkit-text-security color-scheme fill fill-opacity stroke "
    "font-size-adjust direction text-align font-family".split()
)

_SIDES = ("top", "right", "bottom", "left")
_KEYWORDS = {
    "display": (
        "none contents block inline inline-block flow flow-root run-in list-item flex inline-flex grid inline-grid "
        "grid-lanes table inline-table table-row table-cell table-row-group table-header-group table-footer-group "
        "table-column table-column-group table-caption ruby ruby-text math -webkit-box -webkit-inline-box -webkit-flex "
        "-webkit-inline-flex"
    ),
    "visibility": "visible hidden collapse",
    "position": "static relative absolute fixed sticky -webkit-sticky",
    "overflow-x": "visible hidden clip scroll auto overlay",
    "overflow-y": "visible hidden clip scroll auto overlay",
    "content-visibility": "visible auto hidden",
    "float": "none left right inline-start inline-end",
    "white-space": "normal nowrap pre pre-wrap pre-line break-spaces collapse preserve",
    "backface-visibility": "visible hidden",
    "-webkit-text-security": "none disc circle square",
    "background-clip": "border-box padding-box content-box text border-area",
}
_ALLOWED = {name: frozenset(words.split()) for name, words in _KEYWORDS.items()}
_OUTER_AND_INNER = frozenset("block inline run-in flow flow-root table flex grid ruby math list-item".split())
"""Keywords of which `display` accepts several."""
_SIZES = frozenset("width height min-width min-height max-width max-height".split())
_PADDINGS = frozenset(f"padding-{side}" for side in _SIDES)
_PLACES = frozenset((*_SIDES, *(f"margin-{side}" for side in _SIDES)))
_SIZE_WORDS = frozenset("auto none min-content max-content fit-content stretch -webkit-fill-available".split())
_COLOURS = frozenset(
    "color background-color -webkit-text-fill-color -webkit-text-stroke-color fill stroke stop-color".split()
)
_SHARES = frozenset("opacity fill-opacity stop-opacity".split())
NO_PAINT = frozenset("none context-fill context-stroke".split())
"""Paints of letters that are nothing; only within a marker something else is theirs."""
_FREE = frozenset(
    "background-image border clip clip-path transform "
    "scale translate rotate zoom filter text-shadow z-index color-scheme "
    "letter-spacing line-height text-indent -webkit-text-stroke-width mask-image content grid-template-rows contain "
    "animation-name animation-fill-mode animation-iteration-count animation-direction animation-duration "
    "font-size-adjust animation-play-state animation-delay container-type container-name box-sizing mix-blend-mode "
    "mask-size -webkit-line-clamp -webkit-box-orient isolation box-shadow background-size background-repeat "
    "offset-path transform-style transform-origin border-top border-right border-bottom border-left "
    "perspective border-radius aspect-ratio flex flex-direction flex-wrap order justify-content paint-order "
    "backdrop-filter direction text-align overflow-clip-margin mask-repeat outline grid-area grid-row grid-column "
    "align-self justify-self align-items justify-items flex-shrink flex-basis table-layout grid-template-columns "
    "mask-mode mask-composite animation-timeline font-family row-gap column-gap grid-auto-rows grid-auto-flow "
    "align-content column-count column-width writing-mode break-before break-after clear".split()
)
_ALIASES = {
    "block-size": "height", "inline-size": "width", "min-block-size": "min-height", "min-inline-size": "min-width",
    "max-block-size": "max-height", "max-inline-size": "max-width", "inset-inline-start": "left",
    "inset-inline-end": "right", "inset-block-start": "top", "inset-block-end": "bottom",
    "overflow-block": "overflow-y", "overflow-inline": "overflow-x", "-webkit-margin-start": "margin-left",
    "-webkit-mask-image": "mask-image", "-webkit-mask": "mask",
    **{f"{box}-{logical}": f"{box}-{side}" for box in ("margin", "padding") for logical, side in (
        ("inline-start", "left"), ("inline-end", "right"), ("block-start", "top"), ("block-end", "bottom"))},
    **{f"-webkit-{name}": name for name in (
        "transform clip-path opacity filter background-clip animation animation-name animation-fill-mode "
        "animation-iteration-count animation-direction animation-play-state animation-delay animation-duration "
        "backface-visibility "
        "mask-size".split())},
    "grid-gap": "gap", "grid-row-gap": "row-gap",
    "line-clamp": "-webkit-line-clamp", "grid-row-start": "grid-row", "grid-column-start": "grid-column",
}  # fmt: skip
_BOXES = {
    "margin": tuple(f"margin-{side}" for side in _SIDES),
    "padding": tuple(f"padding-{side}" for side in _SIDES),
    "inset": _SIDES,
}
_BORDERS = tuple(f"border-{side}" for side in _SIDES)
_PAIRS = {
    "overflow": ("overflow-x", "overflow-y"),
    "inset-inline": ("left", "right"),
    "inset-block": ("top", "bottom"),
    "margin-inline": ("margin-left", "margin-right"),
    "margin-block": ("margin-top", "margin-bottom"),
    "padding-inline": ("padding-left", "padding-right"),
    "padding-block": ("padding-top", "padding-bottom"),
    "place-self": ("align-self", "justify-self"),
    "place-items": ("align-items", "justify-items"),
    "place-content": ("align-content", "justify-content"),
    "gap": ("row-gap", "column-gap"),
}
_PARTS = {
    "background": ("background-color", "background-image", "background-clip", "background-size", "background-repeat"),
    "font": ("font-size", "line-height", "font-family"),
    "animation": tuple(f"animation-{part}" for part in (
        "name", "fill-mode", "iteration-count", "direction", "play-state", "delay", "duration")),
    "mask": ("mask-image", "mask-size", "mask-repeat", "mask-composite"),
    "-webkit-text-stroke": ("-webkit-text-stroke-width", "-webkit-text-stroke-color"),
    "grid-template": ("grid-template-rows", "grid-template-columns"),
    "grid": ("grid-template-rows", "grid-template-columns"),
    "columns": ("column-count", "column-width"),
    "flex-flow": ("flex-direction", "flex-wrap"),
    "container": ("container-name", "container-type"),
}  # fmt: skip
LONGHANDS = frozenset((*_ALLOWED, *_SIZES, *_PADDINGS, *_PLACES, *_COLOURS, *_FREE, *_SHARES, "font-size"))
_SHORTHANDS: dict[str, Sequence[str]] = {
    "border": ("border", *_BORDERS),
    **_BOXES,
    **_PAIRS,
    **_PARTS,
    "all": tuple(sorted(LONGHANDS)),
}
FOLLOWED = frozenset((*LONGHANDS, *_ALIASES, *_SHORTHANDS))
_REPLACED = ("var(", "if(", "env(", "attr(", "sibling-index(", "sibling-count(")
_CALL = re.compile(r"(?<![\w-])--[\w-]{0,60}\(")
"""A function of the page's own (`@function`)."""
_ADDRESS = re.compile(r"(url\([^)]{0,2000}\))", re.IGNORECASE)
_UNKNOWN_LENGTH = Scale(percent=100.0)


@lru_cache(maxsize=8192)
def expand(name: str, value: str) -> tuple[Longhand, ...]:
    """The longhands that a declaration sets; empty if a browser would drop it as invalid.

    Functions such as `var()` must have been substituted before.
    """
    name = _ALIASES.get(name, name)
    if value in WIDE:
        return tuple((longhand, value) for longhand in _SHORTHANDS.get(name, (name,)))
    if name in _BOXES:
        return _box(_BOXES[name], value)
    if name in _PAIRS:
        return _box(_PAIRS[name], value)
    if name in _PARTS:
        return tuple(_parts(name, value))
    if name == "border":
        return tuple((one, value) for one in _SHORTHANDS[name])
    if name == "background-clip":
        value = "text" if "text" in value.split() else "border-box"
    if name == "display":
        value = _one_word(value)
    return ((name, value),) if is_valid(name, value) else ()


def is_valid(name: str, value: str) -> bool:
    """True if a browser accepts a longhand's value.

    Values of properties that are not checked here are always accepted.
    """
    if not value or value in WIDE:
        return bool(value)
    valid = True
    if name in _ALLOWED:
        valid = value in _ALLOWED[name]
    elif name in _COLOURS:
        valid = colour(value, BLACK) is not None or (
            name in ("fill", "stroke") and (value in NO_PAINT or "url(" in value)
        )
    elif name in _SIZES or name in _PADDINGS:
        number = _measured(value)
        named = name in _SIZES and value.partition("(")[0] in _SIZE_WORDS
        valid = named or (number is not None and number >= 0) or (name in _SIZES and value.startswith("calc-size("))
        valid = valid and not (name.startswith("max") and value.startswith("calc-size(auto"))
    elif name in _PLACES:
        valid = value == "auto" or "anchor" in value or _measured(value) is not None
    elif name == "font-size":
        valid = font_size(value, 16.0, 16.0) is not None and "calc-size" not in value
    elif name in _SHARES:
        valid = fraction(value) is not None
    return valid


def _measured(value: str) -> float | None:
    """A length; None for a plain number other than zero."""
    parsed = tokens(value)
    if len(parsed) != 1 or (parsed[0].type == "number" and parsed[0].value != 0):
        return None
    return length(value, _UNKNOWN_LENGTH)


def _one_word(value: str) -> str:
    """A `display` of two keywords as the equivalent single one."""
    words = value.split()
    if len(words) < 2 or not _OUTER_AND_INNER.issuperset(words):
        return value
    inside = next((word for word in words if word not in ("inline", "block", "flow")), "")
    if "inline" in words:
        return {"": "inline", "flow-root": "inline-block"}.get(inside, f"inline-{inside}")
    return inside or "block"


def _box(names: Sequence[str], value: str) -> tuple[Longhand, ...]:
    pieces = [token.serialize().lower() for token in tokens(value)]
    if not 1 <= len(pieces) <= len(names) or not all(is_valid(names[0], piece) for piece in pieces):
        return ()
    return tuple(zip(names, [pieces[0], pieces[-1]] if len(names) == 2 else four_sides(pieces), strict=True))


def _parts(name: str, value: str) -> Iterator[Longhand]:
    if name == "background":
        yield from _background(value)
    elif name == "font":
        yield from _font(value)
    elif name == "animation":
        yield from _animation(value)
    elif name == "mask":
        yield "mask-image", ", ".join(map(_image, split(tokens(value)))) or "none"
        yield "mask-size", _picture_size(split(tokens(value)))
        yield "mask-repeat", "no-repeat" if "no-repeat" in value else "repeat"
        words = {token.lower_value for token in tokens(value) if token.type == "ident"}
        yield "mask-composite", next((one for one in ("exclude", "intersect", "subtract") if one in words), "add")
    elif name == "-webkit-text-stroke":
        for token in tokens(value):
            text = token.serialize().lower()
            width = length(text, Scale()) is not None or text in ("thin", "medium", "thick")
            yield ("-webkit-text-stroke-width" if width else "-webkit-text-stroke-color"), text
    elif name == "columns":
        counts, widths = ([one for one in value.split() if one.isdecimal() == counted] for counted in (True, False))
        yield "column-count", (counts or ["auto"])[0]
        yield "column-width", (widths or ["auto"])[0]
    elif name == "flex-flow":
        yield "flex-direction", next((one for one in value.split() if "wrap" not in one), "row")
        yield "flex-wrap", next((one for one in value.split() if "wrap" in one), "nowrap")
    elif name == "container":
        name, _, kind = value.partition("/")
        yield "container-name", name.strip()
        yield "container-type", kind.strip() or "normal"
    else:
        rows, _, columns = value.partition("/")
        yield "grid-template-rows", rows.strip()
        yield "grid-template-columns", columns.strip()


def _background(value: str) -> Iterator[Longhand]:
    layers = split(tokens(value))
    if not layers:
        return
    colours = [text for token in layers[-1] if colour(text := token.serialize().lower(), BLACK) is not None]
    if len(colours) > 1:
        return
    words = {token.lower_value for layer in layers for token in layer if token.type == "ident"}
    if not all(word in _GROUND_WORDS or colour(word, BLACK) is not None for word in words):
        return
    yield "background-color", colours[0] if colours else "transparent"
    yield "background-image", ", ".join(one for one in map(_image, layers) if one != "none") or "none"
    yield "background-size", _picture_size(layers)
    yield "background-clip", "text" if "text" in words else "border-box"
    yield "background-repeat", "no-repeat" if words & _ONCE else "repeat"


_ONCE = frozenset(("no-repeat", "repeat-x", "repeat-y", "space"))
_GROUND_WORDS = frozenset(
    "none repeat no-repeat repeat-x repeat-y space round scroll fixed local center top bottom left right cover contain "
    "auto border-box padding-box content-box text border-area".split()
)


def _picture_size(layers: Sequence[Sequence[Token]]) -> str:
    """The size after the slash of a single layer; `auto` if there are several layers."""
    words = [token.serialize() for token in layers[0]] if len(layers) == 1 else []
    return " ".join(words[words.index("/") + 1 :][:2]) or "auto" if "/" in words else "auto"


def _image(layer: Sequence[Token]) -> str:
    for token in layer:
        if (token.type == "url" and token.value) or (
            token.type == "function"
            and ("gradient" in token.lower_name or "url" in token.lower_name or "image" in token.lower_name)
        ):
            return str(token.serialize())
    return "none"


def _font(value: str) -> Iterator[Longhand]:
    parsed = tokens(value)
    if len(parsed) == 1:
        if parsed[0].type == "ident":  # a font of the system: caption, menu, …
            yield from (("font-size", "medium"), ("font-family", "system-ui"))
        return
    yield "font-family", "monospace" if parsed[-1] == "monospace" and "," not in value else "other"
    for at, token in enumerate(parsed):
        text = token.serialize().lower()
        weight = token.type == "number" and token.value != 0
        if not weight and font_size(text, 16.0, 16.0) is not None:
            if at + 1 < len(parsed):
                yield "font-size", text
                slash = parsed[at + 1] == "/"
                yield "line-height", parsed[at + 2].serialize().lower() if slash and at + 2 < len(parsed) else "normal"
            return


def _animation(value: str) -> Iterator[Longhand]:
    """The longhands of `animation`, each a list with one entry per animation."""
    found = [_one_animation([token.serialize() for token in one]) for one in split(tokens(value))]
    for at, longhand in enumerate(_PARTS["animation"] if found else ()):
        yield longhand, ", ".join(one[at] for one in found)


def _one_animation(words: Sequence[str]) -> tuple[str, ...]:
    fill, count, direction, name, state = "none", "1", "normal", "none", "running"
    times = [word.lower() for word in words if word[-1:] in "sS" and word[:1] in "-+.0123456789"]
    for word in words:
        lower = word.lower()
        if lower in ("forwards", "backwards", "both"):
            fill = lower
        elif lower == "infinite" or [token.type for token in tokens(lower)] == ["number"]:
            count = lower
        elif lower in ("reverse", "alternate", "alternate-reverse"):
            direction = lower
        elif lower == "paused":
            state = lower
        elif lower not in _TIMING and not lower[:1].isdigit() and lower[:1] not in ".-+" and "(" not in lower:
            name = word
    return name, fill, count, direction, state, *reversed([*times, "0s", "0s"][:2])


_TIMING = frozenset(
    "ease ease-in ease-out ease-in-out linear step-start step-end normal none running paused auto".split()
)


def declarations(content: Sequence[Token]) -> Iterator[tuple[str, str, bool]]:
    """Name, value and importance of each declaration of a property that is followed here, in order."""
    for item in content:
        if item.type != "declaration":
            continue
        name = item.name if item.name.startswith("--") else item.lower_name
        if name.startswith("--") or name in FOLLOWED:
            value = tinycss2.serialize(item.value).strip()
            if not name.startswith("--") and not is_replaced(value):
                value = normal(name, value)
            yield name, value, item.important


def is_replaced(value: str) -> bool:
    """True if a value contains a function that is substituted, such as `var()`."""
    low = value.lower() if "(" in value else ""
    return bool(low) and (any(name in low for name in _REPLACED) or _CALL.search(low) is not None)


def normal(name: str, value: str) -> str:
    """A value in lower case with single spaces, except in addresses.

    Animation names and `content` are kept as they are.
    """
    if name.endswith(("animation", "animation-name", "content")):
        return value.strip()
    if "url(" not in value.lower():
        return " ".join(value.lower().split())
    pieces = _ADDRESS.split(value)
    return "".join(piece if at % 2 else " ".join(piece.lower().split(" ")) for at, piece in enumerate(pieces))
