"""Colours of Office files: those of a theme, and those that drawings (DrawingML) and spreadsheets refer to."""

from __future__ import annotations

import colorsys
from collections.abc import Callable, Mapping, Sequence
from operator import mul
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from lxml import etree

from spanwise.readers.invisible import look_alike
from spanwise.readers.office import elements, integer, local

RGB: TypeAlias = tuple[float, float, float]
"""Red, green and blue from 0 to 255."""
WHITE: RGB = (255.0, 255.0, 255.0)
BLACK: RGB = (0.0, 0.0, 0.0)

_OFFICE = {
    "dk1": "000000", "lt1": "FFFFFF", "dk2": "44546A", "lt2": "E7E6E6", "accent1": "4472C4", "accent2": "ED7D31",
    "accent3": "A5A5A5", "accent4": "FFC000", "accent5": "5B9BD5", "accent6": "70AD47", "hlink": "0563C1",
    "folHlink": "954F72",
}  # fmt: skip
"""The colours of a document without a theme, as hexadecimal digits."""
_BY_NUMBER = ("lt1", "dk1", "lt2", "dk2", *(f"accent{number}" for number in range(1, 7)), "hlink", "folHlink")
"""The order in which spreadsheets number the colours of a theme."""
_INDEXED = tuple(
    "000000 FFFFFF FF0000 00FF00 0000FF FFFF00 FF00FF 00FFFF 800000 008000 000080 808000 800080 008080 C0C0C0 808080 "
    "9999FF 993366 FFFFCC CCFFFF 660066 FF8080 0066CC CCCCFF 000080 FF00FF FFFF00 00FFFF 800080 800000 008080 0000FF "
    "00CCFF CCFFFF CCFFCC FFFF99 99CCFF FF99CC CC99FF FFCC99 3366FF 33CCCC 99CC00 FFCC00 FF9900 FF6600 666699 969696 "
    "003366 339966 003300 333300 993300 993366 333399 333333".split()
)
"""The old colours of spreadsheets (ECMA-376, 18.8.27); they count from 8, and the first eight also from 0."""
_SYSTEM = {64: "000000", 65: "FFFFFF"}
"""The colours of letters and of paper by the same numbers."""
_PRESETS = {
    "black": "000000", "white": "FFFFFF", "red": "FF0000", "yellow": "FFFF00", "blue": "0000FF", "green": "00FF00",
    "magenta": "FF00FF", "cyan": "00FFFF",
}  # fmt: skip
_WHOLE = 100_000
"""Thousandths of a per cent in a whole."""
_TURN = 216.0
"""A whole turn, in drawing angles (60,000 per degree) divided by `_WHOLE`."""


class Paint(NamedTuple):
    """A colour, and its opacity from 0 to 1."""

    colour: RGB
    alpha: float


def only_colour(stops: Sequence[RGB | None]) -> RGB | None:
    """The colour of a gradient whose stops all look alike; None if they do not, or one is unknown."""
    known = [one for one in stops if one is not None]
    return known[0] if known and len(known) == len(stops) and all(look_alike(one, known[0]) for one in known) else None


def relit(colour: RGB, light_of: Callable[[float], float]) -> RGB:
    """A colour with the lightness (0 to 1) that `light_of` makes of its own."""
    hue, light, full = colorsys.rgb_to_hls(*(channel / 255 for channel in colour))
    red, green, blue = colorsys.hls_to_rgb(hue, min(max(light_of(light), 0.0), 1.0), full)
    return red * 255, green * 255, blue * 255


def theme_colours(theme: etree._Element | None) -> dict[str, str]:
    """The colours of a theme as hexadecimal digits, by their role."""
    found = dict(_OFFICE)
    for scheme in () if theme is None else theme.iter("{*}clrScheme"):
        for entry in elements(scheme):
            inside = next(elements(entry), None)
            if inside is not None and (code := inside.get("lastClr") or inside.get("val")):
                found[local(entry)] = code
    return found


def indexed_colours(styles: etree._Element | None) -> dict[str, str]:
    """The colours that a workbook has in place of the old ones, by their numbers."""
    own = [] if styles is None else styles.findall("{*}colors/{*}indexedColors/{*}rgbColor")
    return {str(number): (colour.get("rgb") or "")[-6:] for number, colour in enumerate(own)}


def drawn(holder: etree._Element, colours: Mapping[str, str], roles: Mapping[str, str]) -> Paint | None:
    """The colour in an element of a drawing (`solidFill`, `fillRef`, or a `gradFill` of a single colour).

    None if it is computed in another way. `roles` map the names on a slide's master to the theme's.
    """
    if local(holder) == "gradFill":
        painted = [drawn(stop, colours, roles) for stop in holder.iter("{*}gs")]
        plain = only_colour([one and one.colour for one in painted])
        return painted[0] if plain is not None and len({one and one.alpha for one in painted}) == 1 else None
    inside = next(elements(holder), None)
    colour = None if inside is None else rgb(_code(inside, colours, roles))
    if inside is None or colour is None:
        return None
    hue, light, full = colorsys.rgb_to_hls(*(channel / 255 for channel in colour))
    alpha = 1.0
    for change in elements(inside):
        share = integer(change.get("val"), _WHOLE) / _WHOLE
        match local(change):
            case "alpha":
                alpha = share
            case "lumMod" | "shade":
                light *= share
            case "lumOff":
                light += share
            case "tint":
                light = light * share + 1 - share
            case "lum":
                light = share
            case "inv" | "gray" | "comp" | "hue" | "hueMod" | "hueOff" | "sat" | "satMod" | "satOff":
                hue, light, full = _changed(local(change), hue, light, full, share)
            case _:
                return None
    red, green, blue = colorsys.hls_to_rgb(hue, min(max(light, 0.0), 1.0), full)
    return Paint((red * 255, green * 255, blue * 255), alpha)


def _changed(how: str, hue: float, light: float, full: float, share: float) -> tuple[float, float, float]:
    """Hue, lightness and saturation (0 to 1 each) after a change that is no mere dimming."""
    match how:
        case "inv":
            rest = (1 - channel for channel in colorsys.hls_to_rgb(hue, light, full))
            return colorsys.rgb_to_hls(*rest)
        case "gray":
            return colorsys.rgb_to_hls(*[sum(map(mul, colorsys.hls_to_rgb(hue, light, full), _BRIGHT))] * 3)
        case "comp":
            return (hue + 0.5) % 1.0, light, full
        case "hueMod":
            return hue * share % 1.0, light, full
        case "hue" | "hueOff":
            return (share / _TURN + (hue if how == "hueOff" else 0.0)) % 1.0, light, full
        case _:
            full = {"sat": share, "satMod": full * share, "satOff": full + share}[how]
            return hue, light, min(max(full, 0.0), 1.0)


_BRIGHT = (0.2126, 0.7152, 0.0722)
"""How much red, green and blue add to the brightness of a colour."""


def _code(element: etree._Element, colours: Mapping[str, str], roles: Mapping[str, str]) -> str | None:
    name = element.get("val") or ""
    match local(element):
        case "schemeClr":
            return colours.get(roles.get(name, name))
        case "srgbClr" | "sysClr":
            return element.get("lastClr") or name
        case "prstClr":
            return _PRESETS.get(name)
        case "hslClr":
            hue, full, light = (integer(element.get(one)) / _WHOLE for one in ("hue", "sat", "lum"))
            return _digits(colorsys.hls_to_rgb(hue / _TURN, light, full))
        case "scrgbClr":
            return _digits([(max(integer(element.get(one)), 0) / _WHOLE) ** (1 / 2.2) for one in "rgb"])
        case _:
            return None


def _digits(shares: Sequence[float]) -> str:
    """A colour with channels from 0 to 1 as hexadecimal digits."""
    return "".join(f"{round(255 * min(max(share, 0.0), 1.0)):02X}" for share in shares)


def of_sheet(element: etree._Element | None, colours: Mapping[str, str]) -> RGB | None:
    """The colour of a font or a fill in a spreadsheet; None for an automatic or unknown one.

    `colours` are those of the theme by their roles, and those that the workbook has by numbers of its own.
    """
    if element is None:
        return None
    code = (element.get("rgb") or "")[-6:]
    if (theme := element.get("theme")) is not None and integer(theme, -1) in range(len(_BY_NUMBER)):
        code = colours[_BY_NUMBER[integer(theme)]]
    elif (index := integer(element.get("indexed"), -1)) >= 0:
        code = _indexed(index, colours)
    if (colour := rgb(code)) is None:
        return None
    try:
        tint = min(max(float((element.get("tint") or "0")[:24]), -1.0), 1.0)
    except ValueError:
        return None
    return relit(colour, lambda light: light * (1 + tint) if tint < 0 else light * (1 - tint) + tint)


def _indexed(index: int, colours: Mapping[str, str]) -> str:
    """The digits of a colour that is given by its number; none for a number that means no colour."""
    old = index - 8 if index >= 8 else index
    own = colours.get(str(index))
    return own or _SYSTEM.get(index) or (_INDEXED[old] if 0 <= old < len(_INDEXED) else "")


def of_name(name: str, colours: Mapping[str, str] = MappingProxyType({})) -> RGB | None:
    """A colour named in a number format, None if unknown; `colours` as in `of_sheet`."""
    number = integer(name.removeprefix("color").strip(), 0) if name.startswith("color") else 0
    return rgb(_indexed(number + 7, colours) if 0 < number <= len(_INDEXED) else _PRESETS.get(name))


def rgb(code: str | None) -> RGB | None:
    """The colour of six hexadecimal digits; None for anything else."""
    if code is None or len(code) != 6:
        return None
    try:
        red, green, blue = bytes.fromhex(code)
    except ValueError:
        return None
    return float(red), float(green), float(blue)
