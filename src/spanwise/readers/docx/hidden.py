"""Which runs of text nobody sees: switched off, too small, or white on white."""

from __future__ import annotations

from lxml import etree

from spanwise.readers.docx.package import child, integer, is_on, value
from spanwise.readers.docx.styles import Styles

_TINY_HALF_POINTS = 3
_WHITE = 0xF5


def is_hidden(run: etree._Element, styles: Styles, *, hidden: bool, shaded: bool) -> bool:
    """Whether a run cannot be seen, in a paragraph that is hidden or stands on a background as said."""
    properties = child(run, "rPr")
    if properties is None:
        return hidden
    style = value(child(properties, "rStyle"))
    switch = is_on(child(properties, "vanish"))
    if switch is None:
        switch = styles.hidden(style)
    if switch if switch is not None else hidden:
        return True
    size = value(child(properties, "sz"))
    if size is not None and 0 <= integer(size, _TINY_HALF_POINTS) < _TINY_HALF_POINTS:
        return True
    backed = shaded or child(properties, "shd") is not None or child(properties, "highlight") is not None
    return not backed and not styles.shaded(style) and _is_white(value(child(properties, "color")))


def _is_white(colour: str | None) -> bool:
    if colour is None or len(colour) != 6:
        return False
    try:
        channels = bytes.fromhex(colour)
    except ValueError:
        return False
    return min(channels) >= _WHITE
