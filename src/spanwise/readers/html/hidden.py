"""Which elements of a page nobody sees, as far as their own attributes and plain rules of its style sheets say."""

from __future__ import annotations

import re
from collections.abc import Mapping

from selectolax.lexbor import LexborNode

_LONGEST_STYLE = 4_000
_LONGEST_SHEET = 1_000_000
_BRACE = re.compile(r"[{}]")
_SELECTOR = re.compile(r"[a-zA-Z0-9]*([.#][\w-]+)")
_LENGTH = re.compile(r"(-?\d{0,6}\.?\d{1,6})\s?(px|pt|em|rem|%)?")
_TINY = {"px": 2.0, "pt": 1.5, "em": 0.12, "rem": 0.12, "%": 12.0, None: 2.0}
_FAR = -900.0
_RGB = re.compile(
    r"rgba?\(\s{0,4}(\d{1,3})[\s,]{1,4}(\d{1,3})[\s,]{1,4}(\d{1,3})(?:[\s,/]{1,4}([\d.]{1,6})%?)?\s{0,4}\)"
)
_NAMED = {"white": "ffffff", "black": "000000", "red": "ff0000", "yellow": "ffff00", "blue": "0000ff", "snow": "fffafa"}
_PAGE = "ffffff"
_NEAR = 12
"""Two colours that differ by no more than this in each channel cannot be told apart."""


class Visibility:
    """Follows the walk through a page and keeps the background that the open elements set."""

    def __init__(self, *, styled: bool, css: str = "") -> None:
        self._hiding = _hiding_selectors(css)
        # A style sheet may set any background, so white text proves nothing until an element names its own.
        self._backgrounds: list[tuple[int, str | None]] = [(0, None if styled else _PAGE)]

    def enter(self, node: LexborNode) -> bool:
        """Whether the element and everything in it is hidden."""
        attributes = node.attributes
        if not attributes:
            return False
        if "hidden" in attributes and attributes["hidden"] != "until-found":
            return True
        if self._hiding and self._is_selected(attributes):
            return True
        style = _parse(attributes.get("style") or "")
        background = _colour(style.get("background-color") or style.get("background") or attributes.get("bgcolor"))
        if background is not None:
            self._backgrounds.append((node.mem_id, background))
        elif "background" in style or "background-image" in style:
            self._backgrounds.append((node.mem_id, None))
        colour = style.get("color") or (attributes.get("color") if node.tag == "font" else None)
        hidden = _is_hidden(style) or self._blends(colour)
        if hidden:
            self.leave(node)
        return hidden

    def leave(self, node: LexborNode) -> None:
        """Forget the background of an element that ends."""
        if len(self._backgrounds) > 1 and self._backgrounds[-1][0] == node.mem_id:
            self._backgrounds.pop()

    def _is_selected(self, attributes: Mapping[str, str | None]) -> bool:
        names = [f".{name}" for name in (attributes.get("class") or "").split()]
        return not self._hiding.isdisjoint([*names, f"#{attributes.get('id') or ''}"])

    def _blends(self, value: str | None) -> bool:
        if value is None:
            return False
        if value.strip().lower() == "transparent":
            return True
        colour, background = _colour(value), self._backgrounds[-1][1]
        if colour is None or background is None:
            return False
        return all(
            abs(int(colour[place : place + 2], 16) - int(background[place : place + 2], 16)) <= _NEAR
            for place in (0, 2, 4)
        )


def _hiding_selectors(css: str) -> frozenset[str]:
    """Classes and ids that a rule outside any `@media` hides; rules that depend on where an element stands are left."""
    found: set[str] = set()
    depth = start = 0
    selectors = ""
    css = _without_comments(css[:_LONGEST_SHEET])
    for match in _BRACE.finditer(css):
        if match.group() == "{":
            if depth == 0:
                selectors = css[start : match.start()]
            depth += 1
        else:
            # Inside `@media` the braces of the rules nest, and what they say holds on some screens or on paper only.
            if depth == 1 and "@" not in selectors and _is_hidden(_parse(css[start : match.start()])):
                found.update(name[1] for part in selectors.split(",") if (name := _SELECTOR.fullmatch(part.strip())))
            depth = max(0, depth - 1)
        start = match.end()
    return frozenset(found)


def _without_comments(css: str) -> str:
    before, *pieces = css.split("/*")
    return " ".join([before, *(piece.partition("*/")[2] for piece in pieces)])


def _parse(style: str) -> dict[str, str]:
    declarations: dict[str, str] = {}
    for declaration in style[:_LONGEST_STYLE].lower().split(";"):
        key, colon, value = declaration.partition(":")
        if colon:
            declarations[key.strip()] = value.replace("!important", "").strip()
    return declarations


def _is_hidden(style: dict[str, str]) -> bool:
    if not style:
        return False
    if (
        style.get("display") == "none"
        or style.get("visibility") in ("hidden", "collapse")
        or style.get("mso-hide") == "all"
    ):
        return True
    opacity = _LENGTH.fullmatch(style.get("opacity", ""))
    if opacity and float(opacity[1]) < (5 if opacity[2] == "%" else 0.05):
        return True
    if _is_tiny(style.get("font-size", "")):
        return True
    placed = style.get("position") in ("absolute", "fixed")
    if _is_far(style.get("text-indent", "")) or (
        placed and any(_is_far(style.get(side, "")) for side in ("left", "top"))
    ):
        return True
    clipped = style.get("overflow") in ("hidden", "clip")
    return clipped and any(_is_zero(style.get(side, "")) for side in ("height", "width", "max-height", "max-width"))


def _is_tiny(size: str) -> bool:
    match = _LENGTH.fullmatch(size)
    return match is not None and float(match[1]) < _TINY[match[2]]


def _is_far(place: str) -> bool:
    match = _LENGTH.fullmatch(place)
    return match is not None and float(match[1]) * (16 if match[2] in ("em", "rem") else 1) <= _FAR


def _is_zero(size: str) -> bool:
    match = _LENGTH.fullmatch(size)
    return match is not None and float(match[1]) == 0


def _colour(value: str | None) -> str | None:
    """The colour as six hexadecimal digits, or None when it is none that can be compared."""
    value = (value or "").strip().lower()
    if value in _NAMED:
        return _NAMED[value]
    digits = value.removeprefix("#")
    if re.fullmatch(r"[0-9a-f]{6}", digits):
        return digits
    if re.fullmatch(r"#[0-9a-f]{3}", value):
        return "".join(digit * 2 for digit in digits)
    match = _RGB.fullmatch(value)
    if match is None or (match[4] is not None and float(match[4]) < 1):
        return None
    return "".join(f"{min(255, int(channel)):02x}" for channel in match.groups()[:3])
