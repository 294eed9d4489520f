"""What a browser does before any style sheet: its own rules for each tag, and attributes that stand for styles."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from selectolax.lexbor import LexborNode

_NONE = (
    "area base basefont datalist frame frameset head link meta noembed noframes noscript param rp script style "
    "template title source track"
)
_FALLBACK = "iframe object audio video canvas embed progress meter applet portal fencedframe"
_SVG_UNDRAWN = (
    "defs symbol title desc metadata clipPath mask pattern marker linearGradient radialGradient filter annotation "
    "annotation-xml"
)
_BLOCK = (
    "address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer "
    "form h1 h2 h3 h4 h5 h6 header hgroup hr html legend listing main menu nav ol optgroup option p plaintext pre "
    "search section slot summary ul xmp"
)
_INLINE_BLOCK = "button input select textarea meter progress marquee img svg iframe"
_TABLE = {
    "table": "table", "caption": "table-caption", "colgroup": "table-column-group", "col": "table-column",
    "thead": "table-header-group", "tbody": "table-row-group", "tfoot": "table-footer-group", "tr": "table-row",
    "td": "table-cell", "th": "table-cell",
}  # fmt: skip
_DISPLAYS: dict[str, str] = {
    **dict.fromkeys(_NONE.split(), "none"),
    **dict.fromkeys(_BLOCK.split(), "block"),
    **dict.fromkeys(_INLINE_BLOCK.split(), "inline-block"),
    **_TABLE,
    "li": "list-item",
    "slot": "contents",
    "shadow-root": "contents",
    "ruby": "ruby",
    "rt": "ruby-text",
    "math": "math",
}
FALLBACK = frozenset(_FALLBACK.split())
"""Tags whose content shows only in a browser that does not know them."""
SVG_UNDRAWN = frozenset(_SVG_UNDRAWN.split())
"""Parts of a drawing that are never drawn where they stand."""

_STYLES: dict[str, dict[str, str]] = {
    "mark": {"background-color": "#ff0", "color": "#000"},
    "button": {"background-color": "#efefef", "color": "#000", "font-size": "13.333px", "text-indent": "0"},
    "select": {"background-color": "#fff", "color": "#000", "font-size": "13.333px", "text-indent": "0"},
    "textarea": {
        "background-color": "#fff",
        "color": "#000",
        "font-size": "13.333px",
        "text-indent": "0",
        "overflow-x": "auto",
        "overflow-y": "auto",
        "padding-top": "2px",
        "padding-bottom": "2px",
        "padding-left": "2px",
        "padding-right": "2px",
    },
    "input": {
        "background-color": "#fff",
        "color": "#000",
        "font-size": "13.333px",
        "text-indent": "0",
        "overflow-x": "clip",
        "overflow-y": "clip",
        "padding-right": "2px",
        "padding-bottom": "1px",
    },
    "iframe": {"overflow-x": "clip", "overflow-y": "clip"},
    "small": {"font-size": "smaller"},
    "sub": {"font-size": "smaller"},
    "sup": {"font-size": "smaller"},
    "big": {"font-size": "larger"},
    "rt": {"font-size": "50%"},
    "svg": {"overflow-x": "hidden", "overflow-y": "hidden"},
    "foreignObject": {"overflow-x": "hidden", "overflow-y": "hidden", "display": "block"},
    "foreignobject": {"overflow-x": "hidden", "overflow-y": "hidden", "display": "block"},
    "mphantom": {"visibility": "hidden"},
    "dialog": {"position": "fixed", "background-color": "canvas", "color": "canvastext"},
    "nobr": {"white-space": "nowrap"},
    "pre": {"white-space": "pre"},
}
_SVG_ATTRIBUTES = (
    "fill", "fill-opacity", "stroke", "opacity", "display", "visibility", "font-size", "color", "transform",
    "clip-path", "mask",
)  # fmt: skip
_COLOURED = frozenset("body table tr td th thead tbody tfoot marquee".split())
_MOST_CHARACTERS = 200


@lru_cache(maxsize=1024)
def display_of(node: LexborNode) -> str:
    """What kind of box a browser makes of an element, whatever the page declares."""
    return _DISPLAYS.get(node.tag or "", "inline")


def _of_tag(tag: str, *, quirks: bool) -> Mapping[str, str]:
    style = dict(_STYLES.get(tag, {}))
    if tag in _DISPLAYS:
        style["display"] = _DISPLAYS[tag]
    if quirks and tag == "table":
        style.update({"font-size": "medium", "white-space": "normal"})
    return MappingProxyType(style)


def of_browser(tag: str, attributes: Mapping[str, str | None], *, quirks: bool) -> Mapping[str, str]:
    """The declarations of a browser's own style sheet for an element."""
    style = _of_tag(tag, quirks=quirks)
    if not attributes and tag != "dialog":
        return style
    changed: dict[str, str] = {}
    if tag == "a" and "href" in attributes:
        changed["color"] = "linktext"
    if tag == "input" and (attributes.get("type") or "").lower() in ("submit", "reset", "button"):
        changed["background-color"] = "#efefef"
    if (tag == "dialog" and "open" not in attributes) or (
        tag == "input" and (attributes.get("type") or "").lower() == "hidden"
    ):
        changed["display"] = "none"
    if "popover" in attributes:
        changed.update({"position": "fixed", "background-color": "canvas", "color": "canvastext"})
        if tag != "dialog" or "open" not in attributes:
            changed["display"] = "none"
    if (attributes.get("dir") or "").lower() in ("rtl", "ltr"):
        changed["direction"] = (attributes["dir"] or "").lower()
    if "hidden" in attributes and tag != "svg":
        if (attributes["hidden"] or "").strip().lower() == "until-found":
            changed["content-visibility"] = "hidden"
        else:
            changed["display"] = "none"
    return {**style, **changed} if changed else style


def of_attributes(tag: str, attributes: Mapping[str, str | None], *, svg: bool) -> tuple[tuple[str, str], ...]:
    """What presentational attributes declare; every style sheet weighs more."""
    found: list[tuple[str, str]] = []
    if "bgcolor" in attributes and tag in _COLOURED:
        found.append(("background-color", _legacy_colour(attributes["bgcolor"])))
    if "background" in attributes and tag in _COLOURED and attributes["background"]:
        found.append(("background-image", "url(x)"))
    if tag == "body" and "text" in attributes:
        found.append(("color", _legacy_colour(attributes["text"])))
    if tag == "font" and "color" in attributes:
        found.append(("color", _legacy_colour(attributes["color"])))
    if "mathcolor" in attributes and tag.startswith("m"):
        found.append(("color", (attributes["mathcolor"] or "")[:_MOST_CHARACTERS]))
    if svg:
        found.extend(
            (name, (attributes[name] or "")[:_MOST_CHARACTERS].strip().lower())
            for name in _SVG_ATTRIBUTES
            if name in attributes
        )
    if tag.lower() in ("svg", "foreignobject", "iframe"):
        found.extend(
            (name, _pixels(attributes[name])) for name in ("width", "height") if attributes.get(name) is not None
        )
    return tuple(found)


def _pixels(value: str | None) -> str:
    value = (value or "").strip()[:_MOST_CHARACTERS]
    return f"{value}px" if value.replace(".", "", 1).isdigit() else value


def _legacy_colour(value: str | None) -> str:
    """A colour of an old attribute, where the number sign may be left out and odd signs count as zero."""
    value = (value or "").strip().lower()[:128]
    digits = value.removeprefix("#")
    if digits.isalpha() and not value.startswith("#") and not set(digits) <= set("abcdef"):
        return value  # A name, or something that is none.
    if value.startswith("#") and len(digits) in (3, 6) and set(digits) <= set("0123456789abcdef"):
        return value
    digits = "".join(digit if digit in "0123456789abcdef" else "0" for digit in digits)
    if not digits:
        return value
    digits += "0" * (-len(digits) % 3)
    size = len(digits) // 3
    return "#" + "".join(digits[at : at + size].rjust(2, "0")[-8:][:2] for at in (0, size, 2 * size))
