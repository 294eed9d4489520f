"""The colours of a DOCX: values, themes with their tints and shades, patterns of shading, and highlights."""

from __future__ import annotations

import colorsys
from collections.abc import Mapping

from lxml import etree

from spanwise.readers.office import elements, integer, local, value
from spanwise.readers.palette import RGB, WHITE, rgb, theme_colours

_ROLES = {
    "dark1": "dk1", "light1": "lt1", "dark2": "dk2", "light2": "lt2", "text1": "t1", "background1": "bg1",
    "text2": "t2", "background2": "bg2", "tx1": "t1", "tx2": "t2", "hyperlink": "hlink",
    "followedHyperlink": "folHlink",
}  # fmt: skip
_USUAL_MAP = {"t1": "dk1", "bg1": "lt1", "t2": "dk2", "bg2": "lt2"}
_HIGHLIGHTS = {
    "black": "000000", "blue": "0000FF", "cyan": "00FFFF", "green": "00FF00", "magenta": "FF00FF", "red": "FF0000",
    "yellow": "FFFF00", "white": "FFFFFF", "darkBlue": "000080", "darkCyan": "008080", "darkGreen": "008000",
    "darkMagenta": "800080", "darkRed": "800000", "darkYellow": "808000", "darkGray": "808080",
    "lightGray": "C0C0C0",
}  # fmt: skip


class Theme:
    """The colours that a document names by their role."""

    def __init__(self, theme: etree._Element | None, settings: etree._Element | None) -> None:
        self._colours = theme_colours(theme)
        self._map = dict(_USUAL_MAP)
        for mapping in () if settings is None else settings.iter("{*}clrSchemeMapping"):
            for name in _USUAL_MAP:
                role = value(mapping, name)
                if role is not None:
                    self._map[name] = _ROLES.get(role, role)

    def named(self, name: str, tint: str | None = None, shade: str | None = None) -> RGB | None:
        """A colour of the theme, lightened or darkened as Word does."""
        role = _ROLES.get(name, name)
        colour = rgb(self._colours.get(self._map.get(role, role)))
        if colour is None:
            return None
        hue, light, full = colorsys.rgb_to_hls(*(channel / 255 for channel in colour))
        if (share := _byte(tint)) is not None:
            light = light * share + 1 - share
        if (share := _byte(shade)) is not None:
            light *= share
        red, green, blue = colorsys.hls_to_rgb(hue, light, full)
        return red * 255, green * 255, blue * 255

    def text(self, element: etree._Element) -> RGB | None:
        """What `w:color` says; None for the automatic one, which is always seen."""
        if name := value(element, "themeColor"):
            themed = self.named(name, value(element, "themeTint"), value(element, "themeShade"))
            if themed is not None:
                return themed
        return rgb(value(element))

    def shading(self, element: etree._Element) -> RGB | None:
        """What `w:shd` paints; None if it paints nothing."""
        fill = self._part(element, "themeFill", "themeFillTint", "themeFillShade", "fill")
        pattern = value(element) or "clear"
        if pattern in ("clear", "nil"):
            return fill
        ink = self._part(element, "themeColor", "themeTint", "themeShade", "color") or (0.0, 0.0, 0.0)
        share = 1.0 if pattern == "solid" else integer(pattern.removeprefix("pct"), 50) / 100
        red, green, blue = (one * share + other * (1 - share) for one, other in zip(ink, fill or WHITE, strict=True))
        return red, green, blue

    def _part(self, element: etree._Element, name: str, tint: str, shade: str, plain: str) -> RGB | None:
        themed = value(element, name)
        found = self.named(themed, value(element, tint), value(element, shade)) if themed else None
        return found or rgb(value(element, plain))

    def drawing(self, fill: etree._Element) -> RGB | None:
        """The colour inside a fill of a drawing, if it is a plain one."""
        inside = next(elements(fill), None)
        if inside is None or any(True for _ in elements(inside)):
            return None
        code = next(iter(inside.attrib.values()), "")  # with a namespace in the text of Word, without one in drawings
        return self.named(str(code)) if local(inside) == "schemeClr" else rgb(str(code))


def highlight(element: etree._Element) -> RGB | None:
    """What `w:highlight` paints."""
    return rgb(_HIGHLIGHTS.get(value(element) or ""))


def _byte(text: str | None) -> float | None:
    try:
        return None if text is None else int(text[:2], 16) / 255
    except ValueError:
        return None


def by_name(properties: etree._Element | None) -> Mapping[str, etree._Element]:
    """The settings in a list of properties by their names."""
    return {} if properties is None else {local(element): element for element in elements(properties)}
